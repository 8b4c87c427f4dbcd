/* polar_world.c: see polar_world.h. */
#include "polar_world.h"

#include <stdlib.h>
#include <string.h>

/* worlds */

static void print_log(void *context, uint32_t id, wn_log_level level, const char *text)
{
    (void)context;
    if (level <= WN_LOG_WARNING) {
        printf("world %u, level %d: %s\n", id, level, text);
    }
}

static wn_hosted *host_world(const fixture *world, const wn_buffer *snapshot, uint64_t turn, wn_error *error)
{
    enum { COUNT = 3 };
    char milliseconds[16];
    snprintf(milliseconds, sizeof milliseconds, "%u", world->slide_ms);
    Warren__SettingValue values[COUNT];
    const Warren__SettingValue *pointers[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        warren__setting_value__init(&values[i]);
        pointers[i] = &values[i];
    }
    char pack[] = "pack", open[] = "open", slide[] = "slide_ms", yes[] = "yes", no[] = "no", file[] = "test.polar";
    values[0].name = pack;
    values[0].value = (char *)(uintptr_t)world->pack;
    values[0].file = file;
    values[1].name = open;
    values[1].value = world->open ? yes : no;
    values[2].name = slide;
    values[2].value = milliseconds;
    wn_world_options options = {.id = 1, .seed = 1, .log = print_log, .settings = pointers, .setting_count = COUNT};
    options.memory_limit = world->memory_limit;
    if (snapshot != NULL) {
        options.snapshot = snapshot->data;
        options.snapshot_size = snapshot->size;
        options.snapshot_turn = turn;
    }
    return wn_hosted_new(world->plugin, &options, error);
}

static fixture *make(const fixture *like, const fixture *wanted, const wn_buffer *snapshot, wn_error *error)
{
    fixture *made = malloc(sizeof *made);
    REQUIRE(made != NULL);
    *made = (fixture){.pack = wanted->pack,
                      .slide_ms = wanted->slide_ms,
                      .open = wanted->open,
                      .memory_limit = wanted->memory_limit,
                      .borrowed = like != NULL};
    made->arena = wn_arena_new(64 << 20);
    made->plugin = like != NULL ? like->plugin : wn_plugin_open(POLAR_MODE, error);
    ck_assert_msg(made->plugin != NULL, "%s", error->text);
    made->hosted = host_world(made, snapshot, like != NULL ? wn_hosted_turn_number(like->hosted) : 0, error);
    if (made->hosted == NULL) {
        world_close(made);
        return NULL;
    }
    return made;
}

fixture *world_try(const char *pack, uint32_t slide_ms, bool open, size_t memory_limit, wn_error *error)
{
    const fixture wanted = {.pack = pack, .slide_ms = slide_ms, .open = open, .memory_limit = memory_limit};
    return make(NULL, &wanted, NULL, error);
}

fixture *world_open(const char *pack, uint32_t slide_ms, bool open)
{
    wn_error error = {0};
    fixture *made = world_try(pack, slide_ms, open, 0, &error);
    ck_assert_msg(made != NULL, "%s", error.text);
    return made;
}

fixture *world_load(const fixture *like, const wn_buffer *snapshot, wn_error *error)
{
    fixture *made = make(like, like, snapshot, error);
    if (made != NULL) {
        memcpy(made->numbers, like->numbers, sizeof made->numbers);
    }
    return made;
}

void world_close(fixture *world)
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

polar *world_game(const fixture *world)
{
    return wn_hosted_handle(world->hosted)->state;
}

polar_seat *world_seat(const fixture *world, uint32_t seat)
{
    return &world_game(world)->seats[seat];
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

void world_add_join(fixture *world, uint32_t seat, const char *name)
{
    char text[WN_NAME_BYTES + 1];
    snprintf(text, sizeof text, "%s", name);
    Warren__Host__SeatJoins seat_joins = WARREN__HOST__SEAT_JOINS__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    seat_joins.seat = seat;
    seat_joins.player = text;
    input.body_case = WARREN__HOST__INPUT__BODY_JOIN;
    input.join = &seat_joins;
    add_input(world, &input);
}

void world_add_leave(fixture *world, uint32_t seat)
{
    Warren__Host__SeatLeaves seat_leaves = WARREN__HOST__SEAT_LEAVES__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    seat_leaves.seat = seat;
    input.body_case = WARREN__HOST__INPUT__BODY_LEAVE;
    input.leave = &seat_leaves;
    add_input(world, &input);
}

void world_add(fixture *world, uint32_t seat, uint32_t action, uint32_t argument)
{
    Warren__Host__SeatCommand command = WARREN__HOST__SEAT_COMMAND__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    command.seat = seat;
    command.number = ++world->numbers[seat];
    command.action = action;
    command.has_argument = action == ACTION_STEP || action == ACTION_FACE;
    command.argument = argument;
    input.body_case = WARREN__HOST__INPUT__BODY_COMMAND;
    input.command = &command;
    add_input(world, &input);
}

void world_add_wake(fixture *world)
{
    Warren__Host__Wake woken = WARREN__HOST__WAKE__INIT;
    Warren__Host__Input input = WARREN__HOST__INPUT__INIT;
    input.body_case = WARREN__HOST__INPUT__BODY_WAKE;
    input.wake = &woken;
    add_input(world, &input);
}

void world_turn(fixture *world)
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

size_t world_work(fixture *world, uint8_t answer[WN_MAX_QUESTION])
{
    REQUIRE(world->done->n_asked > 0);
    const ProtobufCBinaryData *question = &world->done->asked[0]->question;
    world->asked = world->done->asked[0]->serial;
    return wn_plugin_descriptor(world->plugin)->work(question->data, question->len, answer, WN_MAX_QUESTION);
}

void world_answer(fixture *world, const void *answer, size_t size)
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
    world_turn(world);
}

void join(fixture *world, uint32_t seat, const char *name)
{
    world_add_join(world, seat, name);
    world_turn(world);
}

void leave(fixture *world, uint32_t seat)
{
    world_add_leave(world, seat);
    world_turn(world);
}

void act(fixture *world, uint32_t seat, uint32_t action)
{
    world_add(world, seat, action, 0);
    world_turn(world);
}

void wake(fixture *world)
{
    world_add_wake(world);
    world_turn(world);
}

void play(fixture *world, uint32_t seat, const char *text)
{
    polar_moves moves = {.text = text};
    polar_heading heading;
    moves_status result;
    while ((result = moves_next(&moves, &heading)) == MOVES_ONE) {
        world_add(world, seat, ACTION_STEP, heading * 2u);
        world_turn(world);
    }
    ck_assert_int_eq(result, MOVES_END);
}

/* views */

void world_watch(fixture *world, int32_t seat, bool on)
{
    wn_buffer keyframe = {0};
    wn_hosted_watch(world->hosted, seat, on, &keyframe);
    wn_buffer_free(&keyframe);
}

const char *picture(const fixture *world, int32_t seat)
{
    static char text[(WN_MAX_SIDE + 1) * WN_MAX_SIDE + 1];
    const wn_tile *tiles = wn_plugin_descriptor(world->plugin)->tiles;
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    REQUIRE(view.cells != NULL);
    char *end = text;
    for (uint32_t y = 0; y < view.height; y++) {
        for (uint32_t x = 0; x < view.width; x++) {
            *end++ = tiles[view.cells[y * view.width + x] >> 1].ascii[0];
        }
        *end++ = '\n';
    }
    *end = '\0';
    for (uint32_t i = 0; i < view.sprite_count; i++) {
        const uint32_t at = view.sprites[i].at;
        text[at / view.width * (view.width + 1) + at % view.width] = tiles[view.sprites[i].tile].ascii[0];
    }
    return text;
}

const char *status(const fixture *world, int32_t seat, uint32_t field)
{
    int64_t value, maximum;
    const char *text = NULL;
    return wn_hosted_status(world->hosted, seat, field, &value, &maximum, &text) ? text : NULL;
}

int64_t number(const fixture *world, int32_t seat, uint32_t field)
{
    int64_t value = -1, maximum;
    return wn_hosted_status(world->hosted, seat, field, &value, &maximum, NULL) ? value : -1;
}

const char *banner(const fixture *world, int32_t seat)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat, &view);
    return view.banner != NULL ? view.banner : "";
}

const Warren__Update *update(const fixture *world, int32_t seat)
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
    const Warren__Update *sent = update(world, seat);
    if (sent == NULL) {
        return 0;
    }
    /* a view that got another size has a keyframe, with all messages that are kept */
    const bool delta = sent->body_case == WARREN__UPDATE__BODY_DELTA;
    Warren__Message **messages = delta ? sent->delta->messages : sent->keyframe->messages;
    const size_t size = delta ? sent->delta->n_messages : sent->keyframe->n_messages;
    uint32_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += strcmp(messages[i]->text, text) == 0;
    }
    return count;
}

uint32_t saw(const fixture *world, int32_t seat, const char *cue)
{
    const Warren__Update *sent = update(world, seat);
    uint32_t count = 0;
    for (size_t i = 0; sent != NULL && sent->body_case == WARREN__UPDATE__BODY_DELTA && i < sent->delta->n_effects;
         i++) {
        count += strcmp(sent->delta->effects[i]->cue, cue) == 0;
    }
    return count;
}
