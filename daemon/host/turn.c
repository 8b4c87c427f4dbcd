/* turn.c: executes a turn: its inputs, the mode's callbacks, the views, the answer. What the mode does meanwhile comes
 * in through calls.c.
 */
#include <inttypes.h>
#include <string.h>

#include "hosted.h"
#include "pb.h"

void wn_hosted_report(wn_hosted *world, wn_report report, uint32_t seat, const char *text)
{
    wn_buffer *events = &world->plugin->scratch.events;
    char clean[WN_MAX_TEXT + 1];
    const size_t size = wn_text_copy(clean, WN_MAX_TEXT, text, false);
    const size_t mark = wn_pb_begin(events, report);
    wn_pb_varint(events, 1, seat);
    wn_pb_bytes(events, 2, clean, size);
    wn_pb_end(events, mark);
}

void wn_hosted_tell_all(wn_hosted *world, Warren__MessageKind kind, const char *from, const char *text)
{
    wn_messages_add(&wn_hosted_seat_view(world, WN_SPECTATORS)->messages, kind, from, text);
    for (uint64_t left = world->taken; left; left &= left - 1) {
        wn_messages_add(&wn_hosted_seat_view(world, __builtin_ctzll(left))->messages, kind, from, text);
    }
}

/* joins and leaves */

/* Why the seat cannot be taken, or NULL. */
static const char *obstacle(const wn_hosted *world, uint32_t seat)
{
    if (world->over) {
        return "the world is over: it can be watched, not joined";
    }
    if (seat >= world->plugin->mode->max_seats) {
        return "the mode has no such seat";
    }
    return wn_hosted_taken(world, seat) ? "the seat is taken" : NULL;
}

static void join(wn_hosted *world, uint32_t seat, const char *player, uint32_t entry)
{
    const char *why = obstacle(world, seat);
    if (why) {
        wn_hosted_report(world, WN_REPORT_REFUSED, seat, why);
        return;
    }
    char *failure = world->plugin->scratch.failure;
    wn_view_vacate(wn_hosted_seat_view(world, (int32_t)seat));
    wn_hosted_seat_view(world, (int32_t)seat)->entry = entry < world->plugin->mode->entry_count ? entry : 0;
    wn_text_copy(world->names[seat], WN_NAME_BYTES, player, false);
    world->taken |= UINT64_C(1) << seat;
    failure[0] = '\0';
    world->phase = WN_PHASE_JOINED;
    const bool welcome = world->plugin->mode->joined(&world->handle, seat, world->names[seat]);
    world->phase = WN_PHASE_NONE;
    world->called = true;
    if (!welcome) {
        world->taken &= ~(UINT64_C(1) << seat);
        world->ended &= ~(UINT64_C(1) << seat);
        wn_hosted_report(world, WN_REPORT_REFUSED, seat, failure[0] ? failure : "the mode has no room for the player");
    }
}

/* The seat stays taken while left() runs, so that the mode can still ask for its name. */
static void leave(wn_hosted *world, uint32_t seat)
{
    const uint64_t bit = UINT64_C(1) << seat;
    wn_view *view = wn_hosted_seat_view(world, (int32_t)seat);
    world->ended |= bit;
    world->phase = WN_PHASE_LEFT;
    world->plugin->mode->left(&world->handle, seat);
    world->phase = WN_PHASE_NONE;
    world->called = true;
    world->ended &= ~bit;
    world->taken &= ~bit;
    view->x = -1;
    view->y = -1;
    view->facing = WN_HERE;
}

static void change_seats(wn_hosted *world, const wn_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const wn_input *input = &inputs->list[i];
        if (input->kind == WN_INPUT_JOIN) {
            join(world, input->seat, input->name, input->entry);
        } else if (input->kind == WN_INPUT_LEAVE && wn_hosted_taken(world, input->seat)) {
            leave(world, input->seat);
        } else if (input->kind == WN_INPUT_LEAVE) {
            wn_world_log(world, WN_LOG_DEBUG, "seat %u is free and cannot be left; skipped", input->seat);
        }
    }
}

static void chat(wn_hosted *world, const wn_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const wn_input *input = &inputs->list[i];
        if (input->kind == WN_INPUT_CHAT) {
            wn_hosted_tell_all(world,
                               input->name ? WARREN__MESSAGE_KIND__MESSAGE_CHAT : WARREN__MESSAGE_KIND__MESSAGE_SYSTEM,
                               input->name, input->text);
        }
    }
}

/* background work */

static void take_answers(wn_hosted *world, const wn_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const wn_input *input = &inputs->list[i];
        if (input->kind != WN_INPUT_ANSWER) {
            continue;
        }
        uint32_t job;
        if (!wn_jobs_answer(&world->jobs, input->serial, &job)) {
            wn_world_log(world, WN_LOG_DEBUG, "nobody waits for answer %u; skipped", input->serial);
        } else if (!world->over) {
            world->phase = WN_PHASE_ANSWERED;
            world->plugin->mode->answered(&world->handle, job, input->answer, input->answer_size);
            world->phase = WN_PHASE_NONE;
            world->called = true;
        }
    }
}

/* commands */

static const wn_action *find_action(const wn_mode_descriptor *mode, uint32_t id)
{
    for (uint32_t i = 0; i < mode->action_count; i++) {
        if (mode->actions[i].id == id) {
            return &mode->actions[i];
        }
    }
    return NULL;
}

/* Cells of the seat's view before turn(). A watched view has its size from the last draw, which holds if nothing has
 * changed since; otherwise the mode is asked, so that a replay, which draws nothing, comes to the same answer. */
static uint32_t cells_of(wn_hosted *world, uint32_t seat)
{
    const wn_view *view = wn_hosted_seat_view(world, (int32_t)seat);
    if (view->picture && view->picture->drawn >= world->changed && !world->called) {
        return view->width * view->height;
    }
    return wn_view_measure(world, (int32_t)seat);
}

static bool argument_fits(wn_hosted *world, const wn_action *action, const wn_input *command)
{
    if (action->argument == WN_ARGUMENT_NONE) {
        return !command->has_argument;
    }
    if (action->argument == WN_ARGUMENT_DIRECTION) {
        return command->has_argument && command->argument <= WN_HERE;
    }
    return command->has_argument && command->argument < cells_of(world, command->seat);
}

/* Why the command is not executed, or NULL. */
static const char *fault(wn_hosted *world, const wn_input *command, uint64_t commanded)
{
    const wn_action *action = find_action(world->plugin->mode, command->action);
    if (world->over) {
        return "the world is over";
    }
    if (commanded >> command->seat & 1) {
        return "the seat has a command in this turn already";
    }
    if (!action) {
        return "the mode has no such action";
    }
    return argument_fits(world, action, command) ? NULL : "its argument is not one that the action takes";
}

/* The turn's commands in seat order; those of one seat after its first, and invalid ones, are skipped but count as
 * executed. Returns how many there are; the commands are the scratch memory's. */
static size_t gather(wn_hosted *world, const wn_inputs *inputs, bool *woken)
{
    wn_command by_seat[WN_MAX_SEATS];
    uint64_t commanded = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        const wn_input *command = &inputs->list[i];
        *woken = *woken || command->kind == WN_INPUT_WAKE;
        if (command->kind != WN_INPUT_COMMAND) {
            continue;
        }
        const uint32_t seat = command->seat;
        const bool taken = wn_hosted_taken(world, seat);
        const char *why = taken ? fault(world, command, commanded) : "the seat is free";
        if (taken) {
            wn_hosted_seat_view(world, (int32_t)seat)->executed = command->number;
        }
        if (why) {
            wn_world_log(world, WN_LOG_DEBUG, "command %u of seat %u (action %u) is skipped: %s", command->number, seat,
                         command->action, why);
            continue;
        }
        by_seat[seat] = (wn_command){seat, command->action, command->argument};
        commanded |= UINT64_C(1) << seat;
    }
    size_t count = 0;
    for (; commanded; commanded &= commanded - 1) {
        world->plugin->scratch.commands[count++] = by_seat[__builtin_ctzll(commanded)];
    }
    return count;
}

static void run(wn_hosted *world, const wn_inputs *inputs)
{
    bool woken = false;
    const size_t count = gather(world, inputs, &woken);
    if (woken) {
        world->wake_ms = 0;
    }
    if (world->over || (count == 0 && !woken)) {
        return;
    }
    const wn_turn turn = {
        .number = world->turn, .commands = world->plugin->scratch.commands, .count = count, .woken = woken};
    world->phase = WN_PHASE_TURN;
    world->plugin->mode->turn(&world->handle, &turn);
    world->phase = WN_PHASE_NONE;
    world->called = true;
}

/* views and the answer */

/* What a view shows is of an earlier turn where turns were played unseen since. A mode draws changes since the last
 * turn only, so such a view begins anew, with a keyframe. */
static void draw(wn_view *view)
{
    const wn_hosted *world = view->world;
    wn_picture *picture = view->picture;
    const bool late = picture && picture->drawn < world->changed;
    if (!picture || (!late && !world->called)) {
        return;
    }
    if (late) {
        wn_picture_empty(picture, picture->cells.count);
    }
    wn_view_draw(view, picture->keyframe_due ? WN_DRAW_ALL : WN_DRAW_CHANGES);
}

/* The seats that the mode has ended see the world a last time, while they are still in it. Returns them. */
static uint64_t settle_ended(wn_hosted *world)
{
    uint64_t gone = 0;
    while (world->ended) {
        const int seat = __builtin_ctzll(world->ended);
        if (!world->unseen) {
            draw(wn_hosted_seat_view(world, seat));
        }
        gone |= UINT64_C(1) << seat;
        leave(world, (uint32_t)seat);
    }
    return gone;
}

void wn_hosted_draw(wn_hosted *world, uint64_t drawn)
{
    draw(wn_hosted_seat_view(world, WN_SPECTATORS));
    for (uint64_t left = world->taken & ~drawn; left; left &= left - 1) {
        draw(wn_hosted_seat_view(world, __builtin_ctzll(left)));
    }
}

void wn_hosted_write_updates(wn_hosted *world, wn_buffer *out, uint32_t field)
{
    const bool late = world->delay.turns > 0;
    if (late) {
        wn_delay_write(world, out, field);
    }
    for (uint32_t i = late; i <= world->plugin->mode->max_seats; i++) {
        /* A picture without cells was emptied for a player whom the mode then refused: there is nothing to show. */
        if (world->views[i].picture && world->views[i].picture->cells.count > 0) {
            wn_view_write(&world->views[i], false, out, field);
        }
    }
}

void wn_hosted_write_over(const wn_hosted *world, wn_buffer *out, uint32_t field)
{
    if (!world->over) {
        return;
    }
    const size_t over = wn_pb_begin(out, field);
    wn_pb_string(out, 1, wn_kept_text(&world->outcome));
    wn_pb_end(out, over);
}

/* FromHost { done = 1 }: TurnDone { world = 1, turn = 2, inputs = 3, updates = 4, wake_ms = 5 if asked, ended = 6,
 * over = 7, scores = 8, refused = 9, hash = 10 if wanted, asked = 11 } */
static void write_answer(wn_hosted *world, const void *inputs, size_t size, wn_buffer *out)
{
    const wn_buffer *events = &world->plugin->scratch.events;
    const size_t frame = wn_frame_begin(out);
    const size_t mark = wn_pb_begin(out, 1);
    wn_pb_varint(out, 1, world->id);
    wn_pb_varint(out, 2, world->turn);
    wn_pb_bytes(out, 3, inputs, size);
    wn_hosted_write_updates(world, out, 4);
    if (world->wake_asked) {
        wn_pb_varint(out, 5, world->wake_ms);
    }
    if (events->size > 0) {
        wn_buffer_append(out, events->data, events->size);
    }
    if (world->over_now) {
        wn_hosted_write_over(world, out, 7);
    }
    wn_hosted_write_asked(world, world->asked_before, out, 11);
    if (world->report_hash) {
        wn_pb_fixed64(out, 10, wn_hosted_hash(world));
    }
    wn_pb_end(out, mark);
    wn_frame_end(out, frame);
}

static void begin(wn_hosted *world, uint64_t turn)
{
    world->turn = turn;
    world->wake_asked = false;
    world->over_now = false;
    world->asked_before = world->jobs.last;
    world->plugin->scratch.events.size = 0;
    world->plugin->scratch.effect_count = 0;
}

void wn_hosted_execute(wn_hosted *world, uint64_t turn, const wn_inputs *inputs)
{
    begin(world, turn);
    change_seats(world, inputs);
    chat(world, inputs);
    take_answers(world, inputs);
    run(world, inputs);
    const uint64_t drawn = settle_ended(world);
    if (!world->unseen) {
        wn_hosted_draw(world, drawn);
    }
    if (world->called) {
        world->changed = turn;
        world->called = false;
    }
}

bool wn_hosted_turn(wn_hosted *world, uint64_t turn, const void *inputs, size_t size, wn_buffer *out, wn_error *error)
{
    wn_scratch *scratch = &world->plugin->scratch;
    if (turn != world->turn + 1) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "turn", 0,
                            "world %u is at turn %" PRIu64 " and was told to execute turn %" PRIu64, world->id,
                            world->turn, turn);
    }
    if (!wn_inputs_read(&scratch->inputs, scratch->arena, inputs, size, error)) {
        return false;
    }
    wn_hosted_execute(world, turn, &scratch->inputs);
    write_answer(world, inputs, size, out);
    world->report_hash = false;
    return true;
}
