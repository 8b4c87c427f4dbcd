/* host_fixture.c: see host_fixture.h. */
#include "host_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "random.h"
#include "suite.h"

enum { MEMORY = 64 << 20 };

wn_plugin *fixture_plugin(const char *mode)
{
    char path[1024];
    wn_error error = {0};
    snprintf(path, sizeof path, "%s/%s.so", TEST_MODES, mode);
    wn_plugin *plugin = wn_plugin_open(path, &error);
    ck_assert_msg(plugin != NULL, "%s", error.text);
    return plugin;
}

static void keep_log(void *context, uint32_t world, wn_log_level level, const char *text)
{
    scene *fixture = context;
    const size_t used = strlen(fixture->log);
    (void)world;
    snprintf(fixture->log + used, sizeof fixture->log - used, "%d %s\n", (int)level, text);
}

wn_world_options fixture_options(scene *fixture, uint64_t seed)
{
    return (wn_world_options){.id = 9, .seed = seed, .log = keep_log, .log_context = fixture};
}

void fixture_open_with(scene *fixture, const char *mode, uint64_t seed, const char *setting, const char *value)
{
    Warren__SettingValue chosen;
    warren__setting_value__init(&chosen);
    chosen.name = (char *)(uintptr_t)setting;
    chosen.value = (char *)(uintptr_t)value;
    const Warren__SettingValue *const settings[] = {&chosen};
    wn_error error = {0};
    memset(fixture, 0, sizeof *fixture);
    fixture->plugin = fixture_plugin(mode);
    wn_world_options options = fixture_options(fixture, seed);
    options.settings = settings;
    options.setting_count = setting != NULL ? 1 : 0;
    fixture->world = wn_hosted_new(fixture->plugin, &options, &error);
    ck_assert_msg(fixture->world != NULL, "%s", error.text);
    fixture->arena = wn_arena_new(MEMORY);
}

void fixture_open(scene *fixture, const char *mode, uint64_t seed)
{
    fixture_open_with(fixture, mode, seed, NULL, NULL);
}

void fixture_close(scene *fixture)
{
    wn_hosted_free(fixture->world);
    wn_plugin_close(fixture->plugin);
    wn_buffer_free(&fixture->inputs);
    wn_buffer_free(&fixture->out);
    wn_arena_free(fixture->arena);
}

puppet *fixture_puppet(scene *fixture)
{
    return wn_hosted_handle(fixture->world)->state;
}

/* inputs */

void input_join(scene *fixture, uint32_t seat, const char *player)
{
    const size_t input = wn_pb_begin(&fixture->inputs, 1);
    const size_t join = wn_pb_begin(&fixture->inputs, 1);
    wn_pb_varint(&fixture->inputs, 1, seat);
    wn_pb_string(&fixture->inputs, 2, player);
    wn_pb_end(&fixture->inputs, join);
    wn_pb_end(&fixture->inputs, input);
}

void input_leave(scene *fixture, uint32_t seat)
{
    const size_t input = wn_pb_begin(&fixture->inputs, 1);
    const size_t leave = wn_pb_begin(&fixture->inputs, 2);
    wn_pb_varint(&fixture->inputs, 1, seat);
    wn_pb_end(&fixture->inputs, leave);
    wn_pb_end(&fixture->inputs, input);
}

void input_command(scene *fixture, uint32_t seat, uint32_t number, uint32_t action, int64_t argument)
{
    const size_t input = wn_pb_begin(&fixture->inputs, 1);
    const size_t command = wn_pb_begin(&fixture->inputs, 3);
    wn_pb_varint(&fixture->inputs, 1, seat);
    wn_pb_varint(&fixture->inputs, 2, number);
    wn_pb_varint(&fixture->inputs, 3, action);
    if (argument >= 0) {
        wn_pb_varint(&fixture->inputs, 4, (uint64_t)argument);
    }
    wn_pb_end(&fixture->inputs, command);
    wn_pb_end(&fixture->inputs, input);
}

void input_chat(scene *fixture, const char *from, const char *text)
{
    const size_t input = wn_pb_begin(&fixture->inputs, 1);
    const size_t chat = wn_pb_begin(&fixture->inputs, 5);
    if (from) {
        wn_pb_string(&fixture->inputs, 1, from);
    }
    wn_pb_string(&fixture->inputs, 2, text);
    wn_pb_end(&fixture->inputs, chat);
    wn_pb_end(&fixture->inputs, input);
}

void input_wake(scene *fixture)
{
    const size_t input = wn_pb_begin(&fixture->inputs, 1);
    wn_pb_end(&fixture->inputs, wn_pb_begin(&fixture->inputs, 4));
    wn_pb_end(&fixture->inputs, input);
}

/* answers */

/* Decodes the only frame in `out`, with every check that the daemon makes. */
static void take_answer(scene *fixture)
{
    size_t offset = 0;
    const uint8_t *bytes;
    size_t size;
    wn_error error = {0};
    fixture->answer = NULL;
    if (fixture->out.size > 0) {
        ck_assert_int_eq(wn_frame_next(&fixture->out, &offset, &bytes, &size), 1);
        ck_assert_uint_eq(offset, fixture->out.size);
        wn_arena_reset(fixture->arena);
        fixture->answer = wn_from_host_decode(fixture->arena, bytes, size, &error);
        ck_assert_msg(fixture->answer != NULL, "%s", error.text);
    }
}

const Warren__Host__TurnDone *run_turn(scene *fixture)
{
    wn_error error = {0};
    fixture->out.size = 0;
    const bool done = wn_hosted_turn(fixture->world, wn_hosted_turn_number(fixture->world) + 1, fixture->inputs.data,
                                     fixture->inputs.size, &fixture->out, &error);
    ck_assert_msg(done, "%s", error.text);
    take_answer(fixture);
    fixture->inputs.size = 0;
    ck_assert_int_eq(fixture->answer->body_case, WARREN__HOST__FROM_HOST__BODY_DONE);
    return fixture->answer->done;
}

const Warren__Host__Replayed *replay_turns(scene *fixture, const Warren__Host__Replay *replay)
{
    fixture->out.size = 0;
    wn_hosted_replay(fixture->world, replay, &fixture->out);
    take_answer(fixture);
    ck_assert_int_eq(fixture->answer->body_case, WARREN__HOST__FROM_HOST__BODY_REPLAYED);
    ck_assert_uint_eq(fixture->answer->replayed->world, 9);
    ck_assert_uint_eq(fixture->answer->replayed->turn, wn_hosted_turn_number(fixture->world));
    return fixture->answer->replayed;
}

const Warren__Host__Replayed *replay_turn(scene *fixture)
{
    ProtobufCBinaryData inputs = {fixture->inputs.size, fixture->inputs.data};
    Warren__Host__Replay message = WARREN__HOST__REPLAY__INIT;
    message.world = 9;
    message.first = wn_hosted_turn_number(fixture->world) + 1;
    message.inputs = &inputs;
    message.n_inputs = 1;
    message.has_report = message.report = true;
    const Warren__Host__Replayed *done = replay_turns(fixture, &message);
    ck_assert_msg(!done->error, "%s", done->error);
    fixture->inputs.size = 0;
    return done;
}

const Warren__Host__TurnDone *run_wait(scene *fixture)
{
    input_command(fixture, 0, (uint32_t)wn_hosted_turn_number(fixture->world) + 1, PUPPET_WAIT, -1);
    return run_turn(fixture);
}

const Warren__Host__ViewUpdate *watch(scene *fixture, int32_t seat, bool on)
{
    fixture->out.size = 0;
    wn_hosted_watch(fixture->world, seat, on, &fixture->out);
    take_answer(fixture);
    if (!fixture->answer) {
        return NULL;
    }
    ck_assert_int_eq(fixture->answer->body_case, WARREN__HOST__FROM_HOST__BODY_UPDATE);
    return fixture->answer->update;
}

static const Warren__Host__ViewUpdate *find_update(Warren__Host__ViewUpdate *const *updates, size_t count, int32_t seat)
{
    for (size_t i = 0; i < count; i++) {
        if (updates[i]->has_seat ? (int32_t)updates[i]->seat == seat : seat == WN_SPECTATORS) {
            return updates[i];
        }
    }
    return NULL;
}

const Warren__Host__ViewUpdate *update_of(const Warren__Host__TurnDone *done, int32_t seat)
{
    return find_update(done->updates, done->n_updates, seat);
}

const Warren__Host__ViewUpdate *shown_of(const Warren__Host__Replayed *replayed, int32_t seat)
{
    return find_update(replayed->updates, replayed->n_updates, seat);
}

const Warren__Update *open_update(const Warren__Host__ViewUpdate *update)
{
    static wn_arena *arena; /* one for all: the update before is needed no more */
    wn_error error = {0};
    ck_assert_ptr_nonnull(update);
    arena = arena ? arena : wn_arena_new(MEMORY);
    wn_arena_reset(arena);
    const Warren__Update *opened = wn_update_decode(arena, update->update.data, update->update.len, &error);
    ck_assert_msg(opened != NULL, "%s", error.text);
    ck_assert_uint_eq(opened->sequence, update->sequence);
    ck_assert_int_eq(opened->body_case == WARREN__UPDATE__BODY_KEYFRAME, update->has_keyframe && update->keyframe);
    return opened;
}

uint64_t property_seed(const char *test, uint64_t usual)
{
    printf("%s: ", test);
    return suite_seed(usual);
}

uint32_t pick(uint64_t *state, uint32_t below)
{
    return (uint32_t)(wn_splitmix64(state) % below);
}

int run_cases(const char *name, const TTest *const *cases, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *all = tcase_create(name);
    for (size_t i = 0; i < count; i++) {
        tcase_add_test(all, cases[i]);
    }
    tcase_set_timeout(all, 60);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
