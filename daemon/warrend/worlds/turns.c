/* turns.c: inputs gathered and sent; answers journaled, then made public. See turns.h.
 */
#include "worlds/turns.h"

#include <inttypes.h>

#include "memory.h"
#include "modes/hosts.h"
#include "modes/mode-log.h"
#include "network/control.h"
#include "network/publish.h"
#include "operation/service.h"
#include "pb.h"
#include "worlds/directory.h"
#include "worlds/effects.h"
#include "worlds/loading.h"

enum {
    COMMIT_RETRY_MS = 1000,
    SCORES_A_SECOND = 1000 /* of a mode. Each may be a new row of the store */
};

/* inputs */

void wn_turns_due(wn_game *game)
{
    wn_daemon *daemon = game->daemon;
    if (game->due) {
        return;
    }
    game->due = true;
    WN_GROW(daemon->due, daemon->due_count, daemon->due_capacity);
    daemon->due[daemon->due_count++] = game;
}

static wn_pending_input *add_pending(wn_game *game)
{
    WN_GROW(game->pending, game->pending_count, game->pending_capacity);
    wn_pending_input *input = &game->pending[game->pending_count++];
    memset(input, 0, sizeof *input);
    wn_turns_due(game);
    return input;
}

void wn_turns_join(wn_game *game, uint32_t seat, const char *player, uint32_t entry)
{
    wn_pending_input *input = add_pending(game);
    input->kind = WN_INPUT_JOIN;
    input->seat = seat;
    input->entry = entry;
    snprintf(input->name, sizeof input->name, "%s", player);
}

void wn_turns_leave(wn_game *game, uint32_t seat)
{
    if (game->seats[seat].state == WN_SEAT_FREE || game->seats[seat].state == WN_SEAT_LEAVING) {
        return;
    }
    game->seats_unsettled += game->seats[seat].state == WN_SEAT_TAKEN ? 1 : 0;
    game->seats[seat].state = WN_SEAT_LEAVING;
    wn_published_view_forget_keys(game->seats[seat].view); /* at once: the turn may be long in coming */
    wn_pending_input *input = add_pending(game);
    input->kind = WN_INPUT_LEAVE;
    input->seat = seat;
}

void wn_turns_forget_seat(wn_game *game, uint32_t seat)
{
    size_t kept = 0;
    for (size_t i = 0; i < game->pending_count; i++) {
        const bool of_seat = game->pending[i].kind == WN_INPUT_JOIN || game->pending[i].kind == WN_INPUT_LEAVE;
        if (!of_seat || game->pending[i].seat != seat) {
            game->pending[kept++] = game->pending[i];
        }
    }
    game->pending_count = kept;
}

bool wn_turns_chat(wn_game *game, const char *from, const char *text)
{
    if (game->pending_count >= WN_PENDING_MOST) {
        return false;
    }
    wn_pending_input *input = add_pending(game);
    input->kind = WN_INPUT_CHAT;
    snprintf(input->name, sizeof input->name, "%s", from);
    input->text = wn_must_copy(text);
    return true;
}

void wn_turns_answer_job(wn_game *game, uint32_t serial, const void *answer, size_t size)
{
    wn_pending_input *input = add_pending(game);
    input->kind = WN_INPUT_ANSWER;
    input->seat = serial;
    input->size = size;
    if (answer != NULL) {
        input->text = memcpy(wn_must_zero(1, size + 1), answer, size);
    }
}

uint32_t wn_turns_type_ahead(const wn_game *game)
{
    const uint32_t most = game->daemon->config->queued_commands;
    const uint32_t wanted = game->mode->descriptor->type_ahead;
    return wanted > 0 && wanted < most ? wanted : most;
}

bool wn_turns_command(wn_game *game, wn_seat *seat, const wn_queued_command *command)
{
    const uint32_t capacity = game->daemon->config->queued_commands;
    if (seat->queue_count >= wn_turns_type_ahead(game)) {
        return false;
    }
    if (seat->queue == NULL) {
        seat->queue = wn_must_zero(capacity, sizeof *seat->queue);
    }
    seat->queue[(seat->queue_head + seat->queue_count) % capacity] = *command;
    seat->queue_count++;
    game->commands_queued++;
    wn_turns_due(game);
    return true;
}

static void wake_comes(void *context)
{
    wn_game *game = context;
    game->wake_due = true;
    wn_turns_due(game);
}

void wn_turns_wake(wn_game *game, uint32_t milliseconds)
{
    game->wake_due = false; /* one that came and was not given out yet is replaced like any other */
    if (milliseconds == 0) {
        if (game->wake != NULL) {
            wn_timer_stop(game->wake);
        }
        return;
    }
    if (game->wake == NULL) {
        game->wake = wn_must(wn_timer_new(game->daemon->loop, wake_comes, game));
    }
    wn_timer_set(game->wake, milliseconds);
}

/* dispatch */

/* Input{join{seat, player, entry}}, Input{leave{seat}}, Input{chat{from, text}}, Input{answer{serial, answer}} */
static void write_pending(wn_buffer *out, const wn_pending_input *input)
{
    static const uint32_t fields[] = {
        [WN_INPUT_JOIN] = 1, [WN_INPUT_LEAVE] = 2, [WN_INPUT_CHAT] = 5, [WN_INPUT_ANSWER] = 6};
    const size_t outer = wn_pb_begin(out, 1);
    const size_t inner = wn_pb_begin(out, fields[input->kind]);
    if (input->kind == WN_INPUT_CHAT) {
        if (input->name[0] != '\0') {
            wn_pb_string(out, 1, input->name);
        }
        wn_pb_string(out, 2, input->text);
    } else {
        wn_pb_varint(out, 1, input->seat);
    }
    if (input->kind == WN_INPUT_JOIN) {
        wn_pb_string(out, 2, input->name);
        if (input->entry > 0) {
            wn_pb_varint(out, 3, input->entry);
        }
    } else if (input->kind == WN_INPUT_ANSWER && input->text != NULL) {
        wn_pb_bytes(out, 2, input->text, input->size);
    }
    wn_pb_end(out, inner);
    wn_pb_end(out, outer);
}

/* Input{command{seat, number, action, argument}} */
static void write_command(wn_buffer *out, uint32_t seat, const wn_queued_command *command)
{
    const size_t outer = wn_pb_begin(out, 1);
    const size_t inner = wn_pb_begin(out, 3);
    wn_pb_varint(out, 1, seat);
    wn_pb_varint(out, 2, command->number);
    wn_pb_varint(out, 3, command->action);
    if (command->has_argument) {
        wn_pb_varint(out, 4, command->argument);
    }
    wn_pb_end(out, inner);
    wn_pb_end(out, outer);
}

/* At most one command of each seat: the oldest. */
static void take_commands(wn_game *game)
{
    const uint32_t capacity = game->daemon->config->queued_commands;
    for (uint32_t i = 0; game->commands_queued > 0 && i < game->seat_count; i++) {
        wn_seat *seat = &game->seats[i];
        if (seat->queue_count == 0 || seat->state != WN_SEAT_TAKEN) {
            continue;
        }
        write_command(&game->flight, i, &seat->queue[seat->queue_head]);
        seat->queue_head = (seat->queue_head + 1) % capacity;
        seat->queue_count--;
        game->commands_queued--;
        game->daemon->statistics.commands++;
    }
}

static void take_pending(wn_game *game)
{
    for (size_t i = 0; i < game->pending_count; i++) {
        const wn_pending_input *input = &game->pending[i];
        write_pending(&game->flight, input);
        if (input->kind == WN_INPUT_JOIN) {
            game->seats[input->seat].join_turn = game->turn + 1;
        } else if (input->kind == WN_INPUT_LEAVE) {
            game->seats[input->seat].leave_turn = game->turn + 1;
        }
        free(game->pending[i].text);
    }
    game->pending_count = 0;
}

static void take_wake(wn_game *game)
{
    if (game->wake_due) {
        const size_t outer = wn_pb_begin(&game->flight, 1);
        wn_pb_end(&game->flight, wn_pb_begin(&game->flight, 4));
        wn_pb_end(&game->flight, outer);
        game->wake_due = false;
    }
}

static bool may_run(const wn_game *game)
{
    return !game->in_flight && game->asked != WN_ASKED_PARK && /* which waits for its snapshot */
           wn_game_is_served(game);
}

/* ToHost{turn{world, turn, inputs, hash}}, written in place. */
static void send_turn(wn_game *game)
{
    const uint32_t every = game->daemon->config->hash_turns;
    if (game->mode->host.process.pid == 0) {
        return;
    }
    wn_buffer *out = wn_host_begin(game->mode);
    const size_t mark = wn_pb_begin(out, 1);
    wn_pb_varint(out, 1, game->id);
    wn_pb_varint(out, 2, game->turn + 1);
    wn_pb_bytes(out, 3, game->flight.data, game->flight.size);
    if (every > 0 && (game->turn + 1) % every == 0) {
        wn_pb_varint(out, 4, 1);
    }
    wn_pb_end(out, mark);
    wn_host_end(game->mode);
}

void wn_turns_dispatch(wn_daemon *daemon)
{
    const size_t count = daemon->commit_failing ? 0 : daemon->due_count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        wn_game *game = daemon->due[i];
        if (game == NULL) {
            continue;
        }
        if (game->in_flight) {
            daemon->due[kept++] = game; /* its answer is on the way */
            continue;
        }
        game->due = false;
        if (!may_run(game)) {
            continue; /* recovery marks it again */
        }
        game->flight.size = 0;
        take_pending(game);
        if (!game->ending) {
            take_commands(game);
        }
        take_wake(game);
        if (game->flight.size > 0) {
            game->in_flight = true;
            game->flight_us = wn_now_us();
            send_turn(game);
        }
    }
    if (count > 0) {
        daemon->due_count = kept;
    }
}

void wn_turns_repeat_flight(wn_game *game)
{
    if (game->in_flight) {
        send_turn(game);
    }
}

/* One input of a turn that will never be: whoever waits for it hears so. */
static void refuse_input(wn_game *game, const Warren__Host__Input *input, const char *reason)
{
    wn_error error;
    uint32_t seat = 0;
    if (input->body_case == WARREN__HOST__INPUT__BODY_COMMAND) {
        seat = input->command->seat;
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_TURN_FAILED, NULL, 0,
                     "the turn with this command failed and was undone: %s", reason);
        const wn_seat *sender = &game->seats[seat];
        if (sender->session != NULL && sender->state != WN_SEAT_JOINING) { /* else it is another's by now */
            wn_control_refuse_command(game->daemon, sender->session->peer, game->id, input->command->number, &error);
        }
    } else if (input->body_case == WARREN__HOST__INPUT__BODY_JOIN) {
        seat = input->join->seat;
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_TURN_FAILED, NULL, 0, "joining failed: %s", reason);
        wn_effects_refuse_join(game, seat, &error);
    } else if (input->body_case == WARREN__HOST__INPUT__BODY_LEAVE) {
        if (game->seats[input->leave->seat].leave_turn != game->turn + 1) {
            return; /* the seat was ended since, and may be another's */
        }
        /* A seat is given up whatever else the turn held. */
        game->seats[input->leave->seat].state = WN_SEAT_TAKEN;
        game->seats_unsettled--;
        wn_turns_leave(game, input->leave->seat);
    }
}

void wn_turns_refuse_waiting(wn_game *game, const wn_error *error)
{
    const uint32_t capacity = game->daemon->config->queued_commands;
    for (uint32_t i = 0; game->commands_queued > 0 && i < game->seat_count; i++) {
        wn_seat *seat = &game->seats[i];
        for (; seat->queue_count > 0; seat->queue_count--, game->commands_queued--) {
            const wn_queued_command *command = &seat->queue[seat->queue_head];
            if (seat->session != NULL) {
                wn_control_refuse_command(game->daemon, seat->session->peer, game->id, command->number, error);
            }
            seat->queue_head = (seat->queue_head + 1) % capacity;
        }
    }
}

void wn_turns_drop_flight(wn_game *game, const char *reason)
{
    wn_error error;
    if (!game->in_flight) {
        return;
    }
    game->in_flight = false;
    const Warren__Host__Inputs *inputs =
        wn_inputs_decode(game->daemon->host_arena, game->flight.data, game->flight.size, &error);
    for (size_t i = 0; inputs != NULL && i < inputs->n_input; i++) {
        refuse_input(game, inputs->input[i], reason);
    }
    wn_turns_due(game);
}

/* answers */

static void hold(wn_daemon *daemon, Warren__Host__FromHost *message)
{
    WN_GROW(daemon->held, daemon->held_count, daemon->held_capacity);
    daemon->held[daemon->held_count++] = message;
}

/* Of a world that it runs: a host has no say about others. */
static void hold_of(wn_installed_mode *mode, uint32_t world, Warren__Host__FromHost *message)
{
    const wn_game *game = wn_game_by_id(mode->daemon, world);
    if (game != NULL && game->mode == mode) {
        hold(mode->daemon, message);
    }
}

static void journal(wn_installed_mode *mode, wn_game *game, const Warren__Host__TurnDone *done)
{
    wn_daemon *daemon = mode->daemon;
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    wn_store_append(daemon->store, game->id, done->turn, done->inputs.data, done->inputs.len,
                    done->has_hash ? done->hash : 0);
    for (size_t i = 0; i < done->n_scores; i++) {
        const Warren__Host__Score *score = done->scores[i];
        if (!wn_allowance_take(&mode->scores, SCORES_A_SECOND, now)) {
            wn_mode_log_line(mode->log, WN_LEVEL_WARNING, "scores are not kept: the mode records too many at once",
                             game->id);
            break;
        }
        const wn_seat *seat = wn_seat_at(game, score->seat);
        wn_store_put_score(daemon->store, mode->name, score->table, seat != NULL ? seat->player : "", game->id,
                           score->value, score->detail, (int64_t)time(NULL));
    }
}

/* The next turn may begin while this one's entry is on its way to the store: it is published after it, never before.
 * What goes there are the inputs that were given out, which the host says again for those who come after us. */
static bool take_done(wn_installed_mode *mode, Warren__Host__FromHost *message, wn_error *error)
{
    const Warren__Host__TurnDone *done = message->done;
    wn_game *game = wn_game_by_id(mode->daemon, done->world);
    if (game == NULL || game->mode != mode) {
        return true; /* closed meanwhile */
    }
    if (game->state == WN_GAME_STARTING || !game->in_flight || done->turn != game->turn + 1) {
        return true; /* not asked for: nothing that may be believed */
    }
    if (done->inputs.len != game->flight.size || memcmp(done->inputs.data, game->flight.data, game->flight.size) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "inputs", 0,
                            "it says that turn %" PRIu64 " of %s had other inputs than it was given", done->turn,
                            game->name);
    }
    journal(mode, game, done);
    game->turn = done->turn;
    game->in_flight = false;
    game->ending = game->ending || done->over != NULL;
    game->crashes = 0;
    game->entries++;
    game->entry_bytes += done->inputs.len;
    mode->turns++;
    mode->daemon->statistics.turns++;
    wn_histogram_add(&mode->daemon->statistics.turn_time, wn_now_us() - game->flight_us);
    if (done->has_wake_ms) { /* at once: the next turn is given out before this one is public */
        wn_turns_wake(game, done->wake_ms);
    }
    hold(mode->daemon, message);
    if (game->pending_count > 0 || game->commands_queued > 0 || game->wake_due) {
        wn_turns_due(game);
    }
    return true;
}

bool wn_turns_answer(wn_installed_mode *mode, Warren__Host__FromHost *message, wn_error *error)
{
    switch (message->body_case) {
    case WARREN__HOST__FROM_HOST__BODY_DONE:
        return take_done(mode, message, error);
    case WARREN__HOST__FROM_HOST__BODY_UPDATE:
        hold_of(mode, message->update->world, message);
        return true;
    case WARREN__HOST__FROM_HOST__BODY_CREATED:
        wn_loading_created(mode, message->created);
        return true;
    case WARREN__HOST__FROM_HOST__BODY_SAVED:
        hold_of(mode, message->saved->world, message);
        return true;
    case WARREN__HOST__FROM_HOST__BODY_REPLAYED:
        wn_loading_replayed(mode, message->replayed);
        return true;
    default:
        return true;
    }
}

/* commit */

static void committed(void *context, const wn_error *error)
{
    wn_daemon *daemon = context;
    if (error != NULL) {
        if (!daemon->commit_failing) {
            wn_log_line(WN_LEVEL_ERROR, "store", "worlds pause: the journal cannot be written: %s; trying again",
                        error->text);
            daemon->commit_failing = true;
            wn_service_journal(daemon);
        }
        wn_timer_set(daemon->commit_timer, COMMIT_RETRY_MS);
        return;
    }
    if (daemon->commit_began_us != 0) {
        wn_histogram_add(&daemon->statistics.commit_time, wn_now_us() - daemon->commit_began_us);
        daemon->commit_began_us = 0;
    }
    const bool failed = daemon->commit_failing;
    daemon->commit_failing = false;
    if (failed) {
        wn_log_line(WN_LEVEL_INFO, "store", "the journal can be written again: worlds go on");
        wn_service_journal(daemon);
    }
    for (size_t i = 0; i < daemon->held_count; i++) {
        wn_effects_publish(daemon, daemon->held[i]);
    }
    daemon->held_count = 0;
    wn_hosts_forget_answers(daemon);
    wn_arena_reset(daemon->host_arena);
    for (size_t i = 0; failed && i < daemon->mode_count; i++) {
        wn_loading_go_on(daemon->modes[i]);
    }
}

void wn_turns_commit(wn_daemon *daemon)
{
    if (daemon->commit_failing && wn_timer_armed(daemon->commit_timer)) {
        return;
    }
    if (wn_store_gathered(daemon->store) == 0) {
        committed(daemon, NULL);
        return;
    }
    daemon->commit_began_us = wn_now_us();
    wn_store_commit(daemon->store, committed, daemon);
}
