/* mode_fixture.c: see mode_fixture.h. */
#include "mode_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { FIXTURE_SETTINGS = 64, ARENA_BYTES = 64 << 20 };

uint64_t fixture_seed(void)
{
    return suite_seed(fixture_mode.seed);
}

/* worlds */

static void print_log(void *context, uint32_t id, wn_log_level level, const char *text)
{
    (void)context;
    if (level <= WN_LOG_WARNING) {
        printf("world %u, level %d: %s\n", id, level, text);
    }
}

/* Splits "name=value name=value" in place. */
static size_t parse_settings(char *text, Warren__SettingValue *values)
{
    size_t count = 0;
    char *rest = text;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        REQUIRE(equals != NULL);
        *equals = '\0';
        size_t i = 0;
        while (i < count && strcmp(values[i].name, word) != 0) {
            i++;
        }
        REQUIRE(i < FIXTURE_SETTINGS);
        warren__setting_value__init(&values[i]);
        values[i].name = word;
        values[i].value = equals + 1;
        count += i == count;
    }
    return count;
}

static wn_hosted *host_world(const fixture *world, const wn_buffer *snapshot, uint64_t turn, wn_error *error)
{
    const fixture_options *wanted = &world->options;
    char text[sizeof world->settings];
    strcpy(text, world->settings);
    Warren__SettingValue values[FIXTURE_SETTINGS + 1];
    const Warren__SettingValue *pointers[FIXTURE_SETTINGS + 1];
    size_t count = parse_settings(text, values);
    if (wanted->file_setting != NULL) {
        warren__setting_value__init(&values[count]);
        values[count].name = (char *)(uintptr_t)wanted->file_setting;
        values[count].file = (char *)(uintptr_t)wanted->file_name;
        values[count].value = (char *)(uintptr_t)wanted->file_text;
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        pointers[i] = &values[i];
    }
    wn_world_options options = {.id = 1, .seed = wanted->seed, .log = print_log};
    options.settings = pointers;
    options.setting_count = count;
    options.memory_limit = wanted->memory_limit;
    if (snapshot != NULL) {
        options.snapshot = snapshot->data;
        options.snapshot_size = snapshot->size;
        options.snapshot_turn = turn;
    }
    return wn_hosted_new(world->plugin, &options, error);
}

/* `like`: whose plugin to use; NULL: opens it. */
static fixture *make(const fixture *like, const fixture_options *options, const char *first, const wn_buffer *snapshot,
                     wn_error *error)
{
    fixture *world = calloc(1, sizeof *world);
    REQUIRE(world != NULL);
    const int length = snprintf(world->settings, sizeof world->settings, "%s %s", first, options->settings);
    REQUIRE(length > 0 && (size_t)length < sizeof world->settings);
    world->options = *options;
    world->options.settings = world->settings;
    world->arena = wn_arena_new(ARENA_BYTES);
    world->borrowed = like != NULL;
    world->plugin = like != NULL ? like->plugin : wn_plugin_open(fixture_mode.path, error);
    ck_assert_msg(world->plugin != NULL, "%s", error->text);
    world->hosted = host_world(world, snapshot, like != NULL ? wn_hosted_turn_number(like->hosted) : 0, error);
    if (world->hosted == NULL) {
        fixture_close(world);
        return NULL;
    }
    return world;
}

fixture *fixture_make(const fixture_options *options, wn_error *error)
{
    return make(NULL, options, fixture_mode.settings, NULL, error);
}

fixture *fixture_try(uint64_t seed, const char *settings, wn_error *error)
{
    return fixture_make(&(fixture_options){.seed = seed, .settings = settings}, error);
}

fixture *fixture_open(uint64_t seed, const char *settings)
{
    wn_error error = {0};
    fixture *world = fixture_try(seed, settings, &error);
    ck_assert_msg(world != NULL, "%s", error.text);
    return world;
}

fixture *fixture_load(const fixture *like, const wn_buffer *snapshot, wn_error *error)
{
    fixture *world = make(like, &like->options, "", snapshot, error);
    if (world != NULL) {
        memcpy(world->numbers, like->numbers, sizeof world->numbers);
    }
    return world;
}

void fixture_reload(fixture *world)
{
    wn_buffer snapshot = {0};
    wn_error error = {0};
    wn_hosted_save(world->hosted, &snapshot);
    wn_hosted *loaded = host_world(world, &snapshot, wn_hosted_turn_number(world->hosted), &error);
    if (loaded == NULL) {
        ck_abort_msg("%s", error.text);
    }
    wn_hosted_free(world->hosted);
    world->hosted = loaded;
    wn_buffer_free(&snapshot);
    for (int32_t i = 0; i <= WN_MAX_SEATS; i++) {
        if (world->watched[i]) {
            fixture_watch(world, i - 1, true);
        }
    }
}

void fixture_close(fixture *world)
{
    if (world->hosted != NULL) {
        wn_hosted_free(world->hosted);
    }
    if (!world->borrowed) {
        wn_plugin_close(world->plugin);
    }
    wn_arena_free(world->arena);
    wn_buffer_free(&world->inputs);
    wn_buffer_free(&world->out);
    free(world);
}

wn_world *fixture_world(const fixture *world)
{
    return wn_hosted_handle(world->hosted);
}

void *fixture_state(const fixture *world)
{
    return fixture_world(world)->state;
}

/* turns */

static void add_input(fixture *world, Warren__Host__Input *input)
{
    Warren__Host__Input *list[] = {input};
    Warren__Host__Inputs inputs = WARREN__HOST__INPUTS__INIT;
    inputs.n_input = 1;
    inputs.input = list;
    wn_encode(&world->inputs, &inputs.base); /* encoded messages one behind the other are one with all their entries */
}

void fixture_add_join_as(fixture *world, uint32_t seat, const char *name, uint32_t entry)
{
    char text[WN_NAME_BYTES + 1];
    snprintf(text, sizeof text, "%s", name);
    Warren__Host__SeatJoins joins = WARREN__HOST__SEAT_JOINS__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    joins.seat = seat;
    joins.player = text;
    joins.has_entry = entry != 0;
    joins.entry = entry;
    input.body_case = WARREN__HOST__INPUT__BODY_JOIN;
    input.join = &joins;
    add_input(world, &input);
}

void fixture_add_join(fixture *world, uint32_t seat, const char *name)
{
    fixture_add_join_as(world, seat, name, 0);
}

void fixture_add_leave(fixture *world, uint32_t seat)
{
    Warren__Host__SeatLeaves leaves = WARREN__HOST__SEAT_LEAVES__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    leaves.seat = seat;
    input.body_case = WARREN__HOST__INPUT__BODY_LEAVE;
    input.leave = &leaves;
    add_input(world, &input);
}

static bool takes_argument(const fixture *world, uint32_t action)
{
    const wn_mode_descriptor *mode = wn_plugin_descriptor(world->plugin);
    for (uint32_t i = 0; i < mode->action_count; i++) {
        if (mode->actions[i].id == action) {
            return mode->actions[i].argument != WN_ARGUMENT_NONE;
        }
    }
    return false;
}

void fixture_add(fixture *world, uint32_t seat, uint32_t action, uint32_t argument)
{
    Warren__Host__SeatCommand command = WARREN__HOST__SEAT_COMMAND__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    command.seat = seat;
    command.number = ++world->numbers[seat];
    command.action = action;
    command.has_argument = takes_argument(world, action);
    command.argument = argument;
    input.body_case = WARREN__HOST__INPUT__BODY_COMMAND;
    input.command = &command;
    add_input(world, &input);
}

void fixture_add_wake(fixture *world)
{
    Warren__Host__Wake woken = WARREN__HOST__WAKE__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    input.body_case = WARREN__HOST__INPUT__BODY_WAKE;
    input.wake = &woken;
    add_input(world, &input);
}

void fixture_turn(fixture *world)
{
    wn_error error = {0};
    world->out.size = 0;
    wn_arena_reset(world->arena);
    const bool done = wn_hosted_turn(world->hosted, wn_hosted_turn_number(world->hosted) + 1, world->inputs.data,
                                     world->inputs.size, &world->out, &error);
    if (!done) {
        ck_abort_msg("%s", error.text);
    }
    world->inputs.size = 0;
    size_t offset = 0, size;
    const uint8_t *bytes;
    REQUIRE(wn_frame_next(&world->out, &offset, &bytes, &size) == 1);
    const Warren__Host__FromHost *message = wn_from_host_decode(world->arena, bytes, size, &error);
    if (message == NULL) {
        ck_abort_msg("%s", error.text);
    }
    REQUIRE(message->body_case == WARREN__HOST__FROM_HOST__BODY_DONE);
    world->done = message->done;
}

void join(fixture *world, uint32_t seat, const char *name)
{
    fixture_add_join(world, seat, name);
    fixture_turn(world);
}

void leave(fixture *world, uint32_t seat)
{
    fixture_add_leave(world, seat);
    fixture_turn(world);
}

void act(fixture *world, uint32_t seat, uint32_t action)
{
    fixture_add(world, seat, action, 0);
    fixture_turn(world);
}

void wake(fixture *world)
{
    fixture_add_wake(world);
    fixture_turn(world);
}

size_t fixture_work(fixture *world, uint8_t answer[WN_MAX_QUESTION])
{
    REQUIRE(world->done->n_asked > 0);
    const ProtobufCBinaryData *question = &world->done->asked[0]->question;
    world->asked = world->done->asked[0]->serial;
    return wn_plugin_descriptor(world->plugin)->work(question->data, question->len, answer, WN_MAX_QUESTION);
}

void fixture_answer(fixture *world, const void *answer, size_t size)
{
    Warren__Host__Answer message = WARREN__HOST__ANSWER__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    message.serial = world->asked;
    message.has_answer = answer != NULL;
    message.answer.data = (uint8_t *)(uintptr_t)answer;
    message.answer.len = size;
    input.body_case = WARREN__HOST__INPUT__BODY_ANSWER;
    input.answer = &message;
    add_input(world, &input);
    fixture_turn(world);
}

/* saves */

/* false: it is refused. */
static bool survives(const fixture *like, const wn_buffer *snapshot, uint64_t seed, fixture_play_on *play_on)
{
    wn_error error = {0};
    fixture *world = fixture_load(like, snapshot, &error);
    if (world == NULL) {
        ck_assert_str_ne(error.text, "");
        return false;
    }
    play_on(world, &seed);
    fixture_close(world);
    return true;
}

uint32_t fixture_refused_when_damaged(const fixture *world, uint32_t times, fixture_play_on *play_on)
{
    uint64_t seed = fixture_seed();
    wn_buffer saved = {0};
    uint32_t refused = 0;
    wn_hosted_save(world->hosted, &saved);
    for (uint32_t i = 0; i < times; i++) {
        wn_buffer damaged = {0};
        wn_buffer_append(&damaged, saved.data, saved.size);
        for (uint32_t changes = 1 + suite_random(&seed, 4); changes > 0; changes--) {
            damaged.data[suite_random(&seed, (uint32_t)damaged.size)] = (uint8_t)suite_random64(&seed);
        }
        refused += !survives(world, &damaged, seed, play_on);
        wn_buffer_free(&damaged);
    }
    printf("%u of %u damaged saves were refused\n", refused, times);
    wn_buffer_free(&saved);
    return refused;
}

void fixture_expect_refused_when_cut(const fixture *world, fixture_play_on *play_on)
{
    wn_buffer saved = {0};
    wn_hosted_save(world->hosted, &saved);
    ck_assert(survives(world, &saved, 1, play_on));
    for (size_t size = 1; size < saved.size; size += 1 + size / 100) {
        wn_buffer cut = {0};
        wn_buffer_append(&cut, saved.data, size);
        ck_assert_msg(!survives(world, &cut, 1, play_on), "%zu of %zu bytes", size, saved.size);
        wn_buffer_free(&cut);
    }
    wn_buffer_free(&saved);
}

/* views */

void fixture_watch(fixture *world, int32_t seat, bool on)
{
    wn_buffer keyframe = {0};
    wn_hosted_watch(world->hosted, seat, on, &keyframe);
    world->watched[seat + 1] = on;
    wn_buffer_free(&keyframe);
}

const Warren__Update *fixture_update(const fixture *world, int32_t seat)
{
    for (size_t i = 0; i < world->done->n_updates; i++) {
        const Warren__Host__ViewUpdate *sent = world->done->updates[i];
        if (sent->has_seat ? (int32_t)sent->seat == seat : seat == WN_SPECTATORS) {
            wn_error error = {0};
            const Warren__Update *decoded = wn_update_decode(world->arena, sent->update.data, sent->update.len, &error);
            ck_assert_msg(decoded != NULL, "%s", error.text);
            return decoded;
        }
    }
    return NULL;
}

uint32_t heard(const fixture *world, int32_t seat, const char *text)
{
    const Warren__Update *sent = fixture_update(world, seat);
    if (sent == NULL) {
        return 0;
    }
    const bool delta = sent->body_case == WARREN__UPDATE__BODY_DELTA;
    Warren__Message **messages = delta ? sent->delta->messages : sent->keyframe->messages;
    const size_t size = delta ? sent->delta->n_messages : sent->keyframe->n_messages;
    uint32_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += text == NULL || strcmp(messages[i]->text, text) == 0;
    }
    return count;
}

uint32_t saw(const fixture *world, int32_t seat, const char *cue)
{
    const Warren__Update *sent = fixture_update(world, seat);
    uint32_t count = 0;
    if (sent == NULL || sent->body_case != WARREN__UPDATE__BODY_DELTA) {
        return 0;
    }
    for (size_t i = 0; i < sent->delta->n_effects; i++) {
        count += sent->delta->effects[i]->cue != NULL && strcmp(sent->delta->effects[i]->cue, cue) == 0;
    }
    return count;
}

uint16_t fixture_cell(const fixture *world, int32_t seat, uint32_t x, uint32_t y)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    REQUIRE(view.cells != NULL);
    REQUIRE(x < view.width && y < view.height);
    return view.cells[(size_t)y * view.width + x];
}
