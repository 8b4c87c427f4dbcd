/* effects.c: what a turn's answer means outside its world. See effects.h.
 */
#include "worlds/effects.h"

#include "modes/hosts.h"
#include "modes/worker.h"
#include "network/control.h"
#include "network/publish.h"
#include "sessions/sessions.h"
#include "sessions/watchers.h"
#include "worlds/directory.h"
#include "worlds/snapshots.h"
#include "worlds/turns.h"

/* seats */

void wn_effects_refuse_join(wn_game *game, uint32_t seat, const wn_error *error)
{
    wn_seat *refused = wn_seat_at(game, seat);
    if (refused == NULL || refused->state == WN_SEAT_FREE) {
        return;
    }
    if (refused->session != NULL && refused->session->peer != NULL && refused->join_request != 0) {
        wn_control_error(game->daemon, refused->session->peer, refused->join_request, error);
    }
    wn_seat_free(game, seat);
}

void wn_effects_tell_joined(wn_game *game, uint32_t seat, wn_session *session, uint32_t request)
{
    const wn_seat *taken = &game->seats[seat];
    Warren__Joined joined = WARREN__JOINED__INIT;
    if (session->peer == NULL) {
        return;
    }
    joined.world = game->id;
    joined.name = game->name;
    joined.has_seat = true;
    joined.seat = seat;
    joined.view_key.data = wn_published_view_key(taken->view);
    joined.view_key.len = WN_KEY_BYTES;
    joined.has_next_command = true;
    joined.next_command = taken->accepted + 1;
    joined.mode = game->mode->descriptor;
    wn_watchers_fill(game, &joined);
    wn_control_joined(game->daemon, session->peer, request, &joined);
}

static void settle_join(wn_game *game, uint32_t index, uint64_t turn)
{
    wn_seat *seat = wn_seat_at(game, index);
    if (seat != NULL && seat->state == WN_SEAT_JOINING && seat->join_turn == turn) {
        seat->state = WN_SEAT_TAKEN;
        game->seats_unsettled--;
        wn_effects_tell_joined(game, index, seat->session, seat->join_request);
    }
}

/* Not if the seat was ended, and perhaps taken again, since the leave was given out. */
static void settle_leave(wn_game *game, uint32_t index, uint64_t turn)
{
    const wn_seat *seat = wn_seat_at(game, index);
    if (seat != NULL && seat->leave_turn == turn) {
        wn_seat_free(game, index);
    }
}

/* Seats that this turn's inputs were to take or give up. */
static void settle_seats(wn_game *game, const Warren__Host__TurnDone *done)
{
    wn_error error;
    const Warren__Host__Inputs *inputs =
        wn_inputs_decode(game->daemon->host_arena, done->inputs.data, done->inputs.len, &error);
    for (size_t i = 0; i < done->n_refused; i++) {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_WORLD_FULL, NULL, 0, "%s", done->refused[i]->text);
        wn_effects_refuse_join(game, done->refused[i]->seat, &error);
    }
    for (size_t i = 0; inputs != NULL && i < inputs->n_input; i++) {
        const Warren__Host__Input *input = inputs->input[i];
        if (input->body_case == WARREN__HOST__INPUT__BODY_LEAVE) {
            settle_leave(game, input->leave->seat, done->turn);
        } else if (input->body_case == WARREN__HOST__INPUT__BODY_JOIN) {
            settle_join(game, input->join->seat, done->turn);
        }
    }
}

static void end_seats(wn_game *game, const Warren__Host__TurnDone *done)
{
    for (size_t i = 0; i < done->n_ended; i++) {
        const wn_seat *seat = wn_seat_at(game, done->ended[i]->seat);
        if (seat == NULL || seat->state == WN_SEAT_FREE) {
            continue;
        }
        if (seat->session != NULL) {
            wn_session_notice(game->daemon, seat->session, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED, game,
                              done->ended[i]->text);
        }
        wn_seat_free(game, done->ended[i]->seat);
    }
}

/* public */

static void publish_view(const wn_game *game, const Warren__Host__ViewUpdate *update)
{
    wn_published_view *view = game->spectators;
    if (update->has_seat) {
        view = update->seat < game->seat_count ? game->seats[update->seat].view : NULL;
    }
    if (view != NULL) {
        wn_publish(view, update);
    }
}

static void publish_turn(wn_daemon *daemon, const Warren__Host__TurnDone *done)
{
    wn_game *game = wn_game_by_id(daemon, done->world);
    if (game == NULL) {
        return; /* closed between its turn and the commit */
    }
    for (size_t i = 0; i < done->n_updates; i++) {
        publish_view(game, done->updates[i]);
    }
    if (game->seats_unsettled > 0) {
        settle_seats(game, done);
    }
    end_seats(game, done);
    wn_worker_ask(game, done->asked, done->n_asked);
    if (done->over != NULL && game->state == WN_GAME_RUNNING) {
        wn_game_set_over(game, WN_GAME_OVER, done->over->outcome, true);
    }
    wn_snapshots_after_turn(game);
}

void wn_effects_publish(wn_daemon *daemon, const Warren__Host__FromHost *message)
{
    if (message->body_case == WARREN__HOST__FROM_HOST__BODY_DONE) {
        publish_turn(daemon, message->done);
    } else if (message->body_case == WARREN__HOST__FROM_HOST__BODY_UPDATE) {
        const wn_game *game = wn_game_by_id(daemon, message->update->world);
        if (game != NULL) {
            publish_view(game, message->update);
        }
    } else if (message->body_case == WARREN__HOST__FROM_HOST__BODY_SAVED) {
        wn_snapshots_saved(daemon, message->saved);
    }
}
