/* requests-operation.c: what an operator does with a server that runs: who is there, worlds parked and saved, the
 * configuration read again, the end.
 */
#include "requests/request.h"

#include "memory.h"
#include "modes/hosts.h"
#include "network/control.h"
#include "operation/reload.h"
#include "operation/stop.h"
#include "worlds/directory.h"
#include "worlds/loading.h"
#include "worlds/snapshots.h"
#include "worlds/turns.h"

/* who is there */

static void fill_session(const wn_daemon *daemon, const wn_session *session, Warren__SessionInfo *info)
{
    const wn_peer *peer = session->peer;
    const uint64_t heard_ms = peer != NULL ? peer->seen_ms : session->lost_ms;
    warren__session_info__init(info);
    info->player = (char *)(uintptr_t)session->player;
    info->identity = session->identity[0] != '\0' ? (char *)(uintptr_t)session->identity : NULL;
    info->address = peer != NULL && peer->address[0] != '\0' ? (char *)(uintptr_t)peer->address : NULL;
    info->has_connected = info->has_seats = info->has_watches = info->has_silent_ms = true;
    info->connected = peer != NULL;
    info->has_role = peer != NULL;
    info->role = peer != NULL ? wn_request_role(peer->role) : WARREN__ROLE__ROLE_NONE;
    info->seats = (uint32_t)session->seat_count;
    info->watches = (uint32_t)session->watch_count;
    info->silent_ms = wn_loop_now_ms(daemon->loop) - heard_ms;
}

bool wn_request_list_sessions(wn_context *at)
{
    wn_daemon *daemon = at->daemon;
    const size_t count = zhashx_size(daemon->sessions);
    Warren__SessionList list = WARREN__SESSION_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__SessionInfo *infos = wn_must_zero(count + 1, sizeof *infos);
    list.sessions = wn_must_zero(count + 1, sizeof *list.sessions);
    for (const wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        fill_session(daemon, session, &infos[list.n_sessions]);
        list.sessions[list.n_sessions] = &infos[list.n_sessions];
        list.n_sessions++;
    }
    message.body_case = WARREN__REPLY__BODY_SESSIONS;
    message.sessions = &list;
    wn_request_cut(&message, &list.n_sessions);
    wn_request_reply(at, &message);
    free(list.sessions);
    free(infos);
    return true;
}

/* parked worlds */

/* false: it is not parked, and `error` says why. */
static bool park(wn_game *game, wn_error *error)
{
    char outcome[WN_TEXT_BYTES];
    snprintf(outcome, sizeof outcome, "by its administrator; \"warrenctl unpark %s\" has it go on", game->name);
    if (!wn_store_set_outcome(game->daemon->store, game->id, outcome, true, error)) {
        return false;
    }
    wn_loading_tell_asker(game, NULL);
    wn_loading_park(game, outcome);
    if (game->mode != NULL) {
        wn_loading_go_on(game->mode);
    }
    return true;
}

enum { TURN_PATIENCE_MS = 60000 }; /* a host can answer others and not that one */

/* A world that is to be parked gets no turns. true: it is saved as far as it can be, or not served anyway. */
static bool is_saved(wn_game *game)
{
    if (game->daemon->commit_failing || !wn_game_is_served(game)) {
        return true;
    }
    if (wn_snapshots_awaited(game) ||
        (game->in_flight && wn_now_us() - game->flight_us < (uint64_t)TURN_PATIENCE_MS * 1000)) {
        return false;
    }
    if (!game->park_saved) {
        game->park_saved = true; /* once: if that fails, the journal has to do */
        if (wn_snapshots_ask(game)) {
            wn_hosts_flush(game->daemon);
            return false;
        }
    }
    return true;
}

static void park_pass(wn_daemon *daemon)
{
    size_t kept = 0;
    for (size_t i = 0; i < daemon->parking_count; i++) {
        wn_game *game = wn_game_by_id(daemon, daemon->parking[i]);
        wn_error error;
        if (game == NULL || game->asked != WN_ASKED_PARK) {
            continue; /* closed, or parked for another reason: whoever asked was told */
        }
        if (!is_saved(game)) {
            daemon->parking[kept++] = game->id;
        } else if (!park(game, &error)) {
            wn_loading_tell_asker(game, &error);
            wn_turns_due(game);
        }
    }
    daemon->parking_count = kept;
}

bool wn_request_park(wn_context *at)
{
    wn_daemon *daemon = at->daemon;
    wn_game *game = wn_request_game(at, at->request->park->world);
    if (game == NULL) {
        return false;
    }
    if (game->state == WN_GAME_PARKED || game->state == WN_GAME_OVER) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_PRECONDITION, "world", 0, "%s is %s already: %.300s",
                            game->name, game->state == WN_GAME_PARKED ? "parked" : "over", game->outcome);
    }
    if (game->asked != WN_ASKED_NOTHING) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "world", 0,
                            game->asked == WN_ASKED_PARK ? "%s is being parked already"
                                                         : "%s is being made or recovered: wait until it is served",
                            game->name);
    }
    wn_request_wait_for(at, game, WN_ASKED_PARK);
    game->park_saved = false;
    WN_GROW(daemon->parking, daemon->parking_count, daemon->parking_capacity);
    daemon->parking[daemon->parking_count++] = game->id;
    return true;
}

bool wn_request_unpark(wn_context *at)
{
    wn_game *game = wn_request_game(at, at->request->unpark->world);
    return game != NULL && wn_request_serve_again(at, game);
}

/* snapshots */

/* Worlds whose snapshots somebody waits for, in wn_daemon.saving. */
static void await_snapshot(wn_daemon *daemon, wn_game *game)
{
    const uint64_t turn = wn_snapshots_awaited(game) ? 0 : game->turn; /* one that is being made is good enough */
    if (!wn_snapshots_ask(game)) {
        return;
    }
    WN_GROW(daemon->saving.waits, daemon->saving.count, daemon->saving.capacity);
    daemon->saving.waits[daemon->saving.count++] = (struct wn_save_wait){game->id, turn};
}

static bool may_save(wn_context *at, const wn_game *game)
{
    if (!wn_game_is_served(game)) {
        const bool parked = game->state == WN_GAME_PARKED;
        return wn_fail_with(&at->error,
                            parked ? WARREN__ERROR_CODE__ERROR_PRECONDITION : WARREN__ERROR_CODE__ERROR_UNAVAILABLE,
                            "world", 0,
                            parked ? "%s is parked: what it is stands in its last snapshot and the journal"
                                   : "%s is being loaded: try again when it is served",
                            game->name);
    }
    return !game->unsavable ||
           wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0,
                        "the mode of %s crashed while it saved it: it goes on with its journal alone", game->name);
}

bool wn_request_save(wn_context *at)
{
    wn_daemon *daemon = at->daemon;
    const char *world = at->request->save->world;
    wn_game *only = world != NULL ? wn_request_game(at, world) : NULL;
    if (world != NULL && (only == NULL || !may_save(at, only))) {
        return false;
    }
    if (daemon->commit_failing) {
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE,
                               "nothing can be saved while the journal cannot be written: the log says why");
    }
    if (daemon->saving.asked) {
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE,
                               "other snapshots are being made: try again when they are done");
    }
    daemon->saving.asked = true;
    daemon->saving.asker = wn_request_asker(at);
    daemon->saving.failed = 0;
    if (only != NULL) {
        await_snapshot(daemon, only);
        return true;
    }
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        await_snapshot(daemon, game);
    }
    return true;
}

/* A world that was closed meanwhile needs no snapshot; one that is not served any more has got none. */
static bool is_settled(wn_daemon *daemon, const struct wn_save_wait *wait)
{
    const wn_game *game = wn_game_by_id(daemon, wait->world);
    if (game != NULL && wn_snapshots_awaited(game)) {
        return false;
    }
    daemon->saving.failed += game != NULL && game->snapshot_turn < wait->turn ? 1 : 0;
    return true;
}

void wn_request_save_pass(wn_daemon *daemon)
{
    Warren__Done done = WARREN__DONE__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    wn_error error;
    park_pass(daemon);
    while (daemon->saving.count > 0 && is_settled(daemon, &daemon->saving.waits[daemon->saving.count - 1])) {
        daemon->saving.count--;
    }
    if (!daemon->saving.asked || daemon->saving.count > 0) {
        return;
    }
    daemon->saving.asked = false;
    message.body_case = WARREN__REPLY__BODY_DONE;
    message.done = &done;
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                 "%u of the worlds could not be saved: the log says why", daemon->saving.failed);
    wn_control_answer(daemon, &daemon->saving.asker, daemon->saving.failed > 0 ? &error : NULL, &message);
}

/* the daemon */

_Static_assert(WN_LEVEL_ERROR == (int)WARREN__LOG_LEVEL__LOG_ERROR &&
                   WN_LEVEL_DEBUG == (int)WARREN__LOG_LEVEL__LOG_DEBUG,
               "levels have the numbers of the protocol");

/* Whoever asked may be turned out by what is read: the session may be over afterwards. */
bool wn_request_reload(wn_context *at)
{
    return wn_reload(at->daemon, &at->error) && wn_request_done(at);
}

bool wn_request_log_level(wn_context *at)
{
    at->daemon->config->log_level = (wn_level)at->request->log_level->level;
    wn_log_set_level(at->daemon->config->log_level);
    return wn_request_done(at);
}

bool wn_request_drain(wn_context *at)
{
    if (at->request->drain->how == WARREN__DRAIN_HOW__DRAIN_BEGIN) {
        wn_drain_begin(at->daemon);
    } else {
        wn_drain_undo(at->daemon);
    }
    return wn_request_done(at);
}

bool wn_request_stop(wn_context *at)
{
    wn_request_done(at);
    wn_stop_begin(at->daemon, "asked to");
    return true;
}
