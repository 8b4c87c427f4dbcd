/* player.c: see player.h. What the host is asked for a world is player-world.c's part.
 *
 * How a turn T comes to be shown: the host's world is brought to T - 1 without drawing anything, the chosen view is
 * watched there, which gives its keyframe, and T alone is played and shown, which gives its update as in live play.
 * When the turn after the shown one is wanted, only the last step is left to do.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "clock.h"
#include "find-mode.h"
#include "player-internal.h"
#include "replica.h"

enum { ANSWER_MS = 10000 };

/* the view */

static bool view_exists(const wn_player *player)
{
    return player->seat == WN_PLAYER_SPECTATOR || (player->taken >> player->seat & 1) != 0;
}

static bool clear_replica(wn_player *player, wn_error *error)
{
    wn_replica_free(player->replica);
    player->update = NULL;
    player->replica = wn_replica_new(player->mode);
    if (player->replica == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory left for a view.");
    }
    wn_replica_name(player->replica, WN_PLAYER_WORLD, player->header->world, player->seat);
    return true;
}

static bool apply_update(wn_player *player, const Warren__Host__ViewUpdate *view, uint64_t turn, wn_error *error)
{
    wn_arena_reset(player->update_arena);
    player->update = wn_update_decode(player->update_arena, view->update.data, view->update.len, error);
    if (player->update != NULL && wn_replica_apply(player->replica, player->update) == WN_APPLY_DONE) {
        return true;
    }
    player->update = NULL;
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, turn,
                        "The update of turn %" PRIu64 " does not fit the view that it is for.", turn);
}

static void unwatch(wn_player *player)
{
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__Watch watch = WARREN__HOST__WATCH__INIT;
    if (player->watching) {
        watch.world = WN_PLAYER_WORLD;
        watch.has_seat = player->seat != WN_PLAYER_SPECTATOR;
        watch.seat = (uint32_t)player->seat;
        message.body_case = WARREN__HOST__TO_HOST__BODY_WATCH;
        message.watch = &watch;
        wn_playback_tell(player->host, &message);
    }
    player->watching = false;
}

/* The chosen view at the turn that the host is at: its keyframe, or nothing while its seat is free. */
static bool watch(wn_player *player, wn_error *error)
{
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__Watch watch = WARREN__HOST__WATCH__INIT;
    if (!clear_replica(player, error)) {
        return false;
    }
    player->replica->turn = player->at;
    if (!view_exists(player)) {
        unwatch(player);
        return true;
    }
    watch.world = WN_PLAYER_WORLD;
    watch.has_seat = player->seat != WN_PLAYER_SPECTATOR;
    watch.seat = (uint32_t)player->seat;
    watch.on = true;
    message.body_case = WARREN__HOST__TO_HOST__BODY_WATCH;
    message.watch = &watch;
    const Warren__Host__FromHost *answer =
        wn_player_ask(player, &message, WARREN__HOST__FROM_HOST__BODY_UPDATE, "drew", player->at, error);
    if (answer == NULL || !apply_update(player, answer->update, player->at, error)) {
        return false;
    }
    player->update = NULL;
    player->watching = true;
    return true;
}

static const Warren__Host__ViewUpdate *find_update(const wn_player *player, const Warren__Host__Replayed *replayed)
{
    for (size_t i = 0; i < replayed->n_updates; i++) {
        const Warren__Host__ViewUpdate *update = replayed->updates[i];
        if ((update->has_seat ? (int32_t)update->seat : WN_PLAYER_SPECTATOR) == player->seat) {
            return update;
        }
    }
    return NULL;
}

/* Plays the next turn, and the replica becomes what the watched view is after it. */
static bool play_shown(wn_player *player, wn_error *error)
{
    const Warren__Host__Replayed *replayed = wn_player_show_turn(player, error);
    if (replayed == NULL) {
        return false;
    }
    const Warren__Host__ViewUpdate *update = player->watching ? find_update(player, replayed) : NULL;
    player->replica->turn = player->at;
    return update == NULL || apply_update(player, update, player->at, error);
}

/* The next turn as live play showed it. Whoever leaves in it sees it to its end. */
static bool show_next(wn_player *player, wn_error *error)
{
    const bool fresh = !player->shown || player->shown_turn != player->at;
    player->shown = false;
    player->update = NULL;
    if ((fresh || player->watching != view_exists(player)) && !watch(player, error)) {
        return false;
    }
    if (!play_shown(player, error) || (!player->watching && view_exists(player) && !watch(player, error))) {
        return false;
    }
    player->shown = true;
    player->shown_turn = player->at;
    return wn_player_save_point(player, error);
}

static bool show_first(wn_player *player, wn_error *error)
{
    player->shown = watch(player, error);
    player->shown_turn = player->at;
    return player->shown;
}

/* going somewhere */

/* The state to begin from, if the world's own is none: behind the goal, or so far before it that one that is kept is
 * nearer. */
static bool begin_elsewhere(const wn_player *player, const wn_seek_point **point)
{
    const uint64_t before =
        player->goal > wn_player_first_turn(player) ? player->goal - 1 : wn_player_first_turn(player);
    *point = player->goal > wn_player_first_turn(player) ? wn_seek_points_before(&player->points, before) : NULL;
    return !player->made || player->at > before || (*point != NULL && (*point)->turn > player->at);
}

static bool do_some(wn_player *player, wn_error *error)
{
    const wn_seek_point *point;
    if (player->host == NULL) {
        return wn_player_start_host(player, error);
    }
    if (begin_elsewhere(player, &point)) {
        return wn_player_restore(player, point, error);
    }
    if (player->at == player->goal) {
        return show_first(player, error);
    }
    if (player->at + 1 == player->goal) {
        return show_next(player, error);
    }
    unwatch(player);
    return wn_player_replay_some(player, player->goal - 1, error);
}

bool wn_player_arrived(const wn_player *player)
{
    return player->shown && player->shown_turn == player->goal;
}

void wn_player_go(wn_player *player, uint64_t turn)
{
    player->goal = turn < wn_player_first_turn(player)  ? wn_player_first_turn(player)
                   : turn > wn_player_last_turn(player) ? wn_player_last_turn(player)
                                                        : turn;
}

bool wn_player_work(wn_player *player, uint32_t budget_ms, wn_error *error)
{
    const uint64_t end = wn_clock_us() + budget_ms * UINT64_C(1000);
    do {
        if (wn_player_arrived(player)) {
            return true;
        }
        if (!do_some(player, error)) {
            player->shown = false;
            return false;
        }
    } while (wn_clock_us() < end);
    return true;
}

bool wn_player_seek(wn_player *player, uint64_t turn, wn_error *error)
{
    wn_player_go(player, turn);
    while (!wn_player_arrived(player)) {
        if (!wn_player_work(player, UINT32_MAX, error)) {
            return false;
        }
    }
    return true;
}

bool wn_player_look(wn_player *player, int32_t seat, wn_error *error)
{
    if (seat < WN_PLAYER_SPECTATOR || seat >= (int32_t)wn_player_seats(player)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "seat", wn_player_seats(player),
                            "The mode %s has no seat %" PRId32 ": its seats are 0 to %" PRIu32 ".",
                            player->header->mode, seat, wn_player_seats(player) - 1);
    }
    if (player->made) {
        unwatch(player);
    }
    player->seat = seat;
    player->shown = false;
    return true;
}

bool wn_player_choose(wn_player *player, int32_t seat, wn_error *error)
{
    return wn_player_look(player, seat, error) && wn_player_seek(player, player->goal, error);
}

/* verifying */

bool wn_player_verify(wn_player *player, wn_verdict *verdict, wn_error *error)
{
    bool good = player->host != NULL || wn_player_start_host(player, error);
    player->verdict = (wn_verdict){.agreed_turn = wn_player_first_turn(player)};
    player->verifying = true;
    player->shown = false;
    player->update = NULL;
    good = good && wn_player_restore(player, NULL, error);
    while (good && player->at < wn_player_last_turn(player)) {
        const uint64_t until = wn_player_last_turn(player);
        if (player->host == NULL) { /* it was lost, and the turn is sought */
            good = wn_player_start_host(player, error) && wn_player_restore(player, NULL, error);
            player->verdict = (wn_verdict){.agreed_turn = wn_player_first_turn(player)};
        }
        good = good && wn_player_replay_some(player, until, error);
    }
    player->verifying = false;
    if (good && !player->verdict.diverged && player->verdict.compared > 0) {
        player->verdict.agreed_turn = wn_player_agreed_before(player, wn_player_last_turn(player) + 1);
    }
    *verdict = player->verdict;
    return good;
}

/* asking, lifetime */

const char *wn_player_difference(const wn_player *player)
{
    return player->difference;
}

uint64_t wn_player_turn(const wn_player *player)
{
    return player->shown_turn;
}

uint64_t wn_player_goal(const wn_player *player)
{
    return player->goal;
}

uint64_t wn_player_working(const wn_player *player)
{
    return player->at;
}

int32_t wn_player_seat(const wn_player *player)
{
    return player->seat;
}

const char *wn_player_name(const wn_player *player, uint32_t seat)
{
    return seat < WN_SEATS && (player->taken >> seat & 1) != 0 ? player->names[seat] : NULL;
}

uint32_t wn_player_seats(const wn_player *player)
{
    return player->mode->max_seats < WN_SEATS ? player->mode->max_seats : WN_SEATS;
}

const char *wn_player_outcome(const wn_player *player)
{
    return player->outcome;
}

const wn_replica *wn_player_replica(const wn_player *player)
{
    return player->replica;
}

const Warren__Update *wn_player_update(const wn_player *player)
{
    return player->update;
}

static bool prepare(wn_player *player, const wn_player_options *options, wn_error *error)
{
    player->program = wn_find_host_program(options->host_program);
    player->mode_file = wn_find_mode(options->mode_path, player->header->mode, error);
    player->legend_arena = wn_arena_new(WN_ARENA_REPLY);
    player->update_arena = wn_arena_new(WN_ARENA_UPDATE);
    if (player->mode_file == NULL) {
        return false;
    }
    if (player->program == NULL || player->legend_arena == NULL || player->update_arena == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                            "There is no memory left to play a recording.");
    }
    player->options = (wn_playback_options){.program = player->program,
                                            .mode = player->mode_file,
                                            .answer_ms = options->answer_ms != 0 ? options->answer_ms : ANSWER_MS,
                                            .quiet = options->quiet,
                                            .log = options->log,
                                            .log_context = options->log_context};
    return true;
}

wn_player *wn_player_open(const wn_recording *recording, const wn_player_options *options, wn_error *error)
{
    wn_player *player = calloc(1, sizeof *player);
    if (player == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                     "There is no memory left to play a recording.");
        return NULL;
    }
    player->recording = recording;
    player->header = wn_recording_header(recording);
    player->seat = WN_PLAYER_SPECTATOR;
    player->chunk = WN_PLAYER_FIRST_CHUNK;
    if (!prepare(player, options, error) || !wn_player_seek(player, wn_player_first_turn(player), error)) {
        wn_player_free(player);
        return NULL;
    }
    return player;
}

void wn_player_free(wn_player *player)
{
    if (player == NULL) {
        return;
    }
    wn_playback_end(player->host);
    wn_replica_free(player->replica);
    wn_seek_points_free(&player->points);
    wn_arena_free(player->legend_arena);
    wn_arena_free(player->update_arena);
    free(player->mode_file);
    free(player->program);
    free(player);
}
