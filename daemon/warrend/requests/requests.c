/* requests.c: from a request to who answers it. See requests.h.
 */
#include "requests/requests.h"

#include <inttypes.h>

#include "access/access.h"
#include "access/accounts.h"
#include "access/audit.h"
#include "network/control.h"
#include "network/introduce.h"
#include "requests/request.h"
#include "sessions/sessions.h"
#include "worlds/directory.h"

wn_asker wn_request_asker(const wn_context *at)
{
    return (wn_asker){at->session, at->request->id};
}

void wn_request_wait_for(const wn_context *at, wn_game *game, wn_asked asked)
{
    game->asked = asked;
    game->asker = wn_request_asker(at);
    at->session->asked_worlds = true;
}

bool wn_request_fail(wn_context *at, Warren__ErrorCode code, const char *text)
{
    return wn_fail_with(&at->error, code, NULL, 0, "%s", text);
}

bool wn_request_reply(wn_context *at, Warren__Reply *reply)
{
    if (at->request->id != 0) {
        wn_control_reply(at->daemon, at->peer, at->request->id, reply);
    }
    return true;
}

bool wn_request_done(wn_context *at)
{
    Warren__Done done = WARREN__DONE__INIT;
    Warren__Reply reply = WARREN__REPLY__INIT;
    reply.body_case = WARREN__REPLY__BODY_DONE;
    reply.done = &done;
    return wn_request_reply(at, &reply);
}

bool wn_request_fits(const Warren__Reply *reply)
{
    enum { MORE = 32 }; /* what is filled in later: its id, how much is left out */
    return warren__reply__get_packed_size(reply) + MORE <= WN_REPLY_BYTES;
}

uint32_t wn_request_cut(const Warren__Reply *reply, size_t *count)
{
    enum { ELEMENTS = 65536 }; /* of a list of the protocol: proto/rules.c */
    const size_t all = *count;
    *count = all < ELEMENTS ? all : ELEMENTS;
    while (*count > 0 && !wn_request_fits(reply)) {
        *count -= *count / 16 + 1;
    }
    return (uint32_t)(all - *count);
}

bool wn_request_may_manage(const wn_context *at, const wn_game *game)
{
    return wn_access_manages(at->daemon, at->peer, game);
}

wn_game *wn_request_game(wn_context *at, const char *name)
{
    wn_game *game = wn_game_by_name(at->daemon, name);
    if (game == NULL) {
        wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0, "there is no world named %s", name);
    }
    return game;
}

/* A world that the session has a seat in or watches. */
wn_game *wn_request_own_game(wn_context *at, uint32_t id)
{
    uint32_t seat = 0;
    wn_game *game = wn_game_by_id(at->daemon, id);
    if (game == NULL || (!wn_session_has_seat(at->session, game, &seat) && !wn_session_watches(at->session, game))) {
        wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0,
                     "you have no seat in world %u and do not watch it", id);
        return NULL;
    }
    return game;
}

/* the table */

/* By Request.body: who answers, what the peer has to be at least, whether it is written down, and what it costs. All
 * that needs a role needs a session. */
static const struct {
    wn_request_handler *handle;
    wn_role least;
    bool audited;
    wn_cost cost;
} table[] = {
    [WARREN__REQUEST__BODY_HELLO] = {wn_request_hello, WN_ROLE_NONE, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_COMMAND] = {wn_request_command, WN_ROLE_PLAYER, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_PING] = {wn_request_ping, WN_ROLE_SPECTATOR, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_LIST_MODES] = {wn_request_list_modes, WN_ROLE_SPECTATOR, false, WN_COST_LIST},
    [WARREN__REQUEST__BODY_LIST_WORLDS] = {wn_request_list_worlds, WN_ROLE_SPECTATOR, false, WN_COST_LIST},
    [WARREN__REQUEST__BODY_CREATE] = {wn_request_create, WN_ROLE_PLAYER, false, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_JOIN] = {wn_request_join, WN_ROLE_PLAYER, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_WATCH] = {wn_request_watch, WN_ROLE_SPECTATOR, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_LEAVE] = {wn_request_leave, WN_ROLE_SPECTATOR, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_SAY] = {wn_request_say, WN_ROLE_PLAYER, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_RESYNC] = {wn_request_resync, WN_ROLE_SPECTATOR, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_CLOSE] = {wn_request_close_world, WN_ROLE_PLAYER, true, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_LIST_PLAYERS] = {wn_request_list_players, WN_ROLE_SPECTATOR, false, WN_COST_LIST},
    [WARREN__REQUEST__BODY_GET_STATUS] = {wn_request_get_status, WN_ROLE_SPECTATOR, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_GOODBYE] = {wn_request_goodbye, WN_ROLE_SPECTATOR, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_EXPORT] = {wn_request_export, WN_ROLE_PLAYER, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_BACKUP] = {wn_request_backup, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_RECOVER] = {wn_request_recover, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_LIST_SCORES] = {wn_request_list_scores, WN_ROLE_SPECTATOR, false, WN_COST_LIST},
    [WARREN__REQUEST__BODY_CHANGE] = {wn_request_change_world, WN_ROLE_PLAYER, true, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_INTRODUCE] = {wn_request_introduce, WN_ROLE_NONE, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_GRANT] = {wn_request_grant, WN_ROLE_PLAYER, true, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_REVOKE] = {wn_request_revoke, WN_ROLE_PLAYER, true, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_BAN] = {wn_request_ban, WN_ROLE_PLAYER, true, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_UNBAN] = {wn_request_unban, WN_ROLE_PLAYER, true, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_KICK] = {wn_request_kick, WN_ROLE_PLAYER, true, WN_COST_WRITE},
    [WARREN__REQUEST__BODY_LIST_ACCESS] = {wn_request_list_access, WN_ROLE_PLAYER, false, WN_COST_LIST},
    [WARREN__REQUEST__BODY_RELEASE_NAME] = {wn_request_release_name, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_LIST_SESSIONS] = {wn_request_list_sessions, WN_ROLE_ADMIN, false, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_PARK] = {wn_request_park, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_UNPARK] = {wn_request_unpark, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_SAVE] = {wn_request_save, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_RELOAD] = {wn_request_reload, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_DRAIN] = {wn_request_drain, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_LOG_LEVEL] = {wn_request_log_level, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
    [WARREN__REQUEST__BODY_STOP] = {wn_request_stop, WN_ROLE_ADMIN, true, WN_COST_NOTHING},
};

void wn_requests_refuse(wn_daemon *daemon, wn_peer *peer, const Warren__Request *request, const wn_error *error)
{
    uint32_t seat = 0;
    if (request == NULL || request->body_case != WARREN__REQUEST__BODY_COMMAND) {
        wn_control_error(daemon, peer, request != NULL ? request->id : 0, error);
        return;
    }
    /* A refused command counts as executed, so that the seat's next one is in order. One that was taken before and is
     * sent again is not refused: it is executed or on its way. */
    const Warren__Command *refused = request->command;
    wn_game *game = wn_game_by_id(daemon, refused->world);
    if (game != NULL && peer->session != NULL && wn_session_has_seat(peer->session, game, &seat)) {
        uint32_t *accepted = &game->seats[seat].accepted;
        if (refused->number <= *accepted) {
            return;
        }
        *accepted += refused->number == *accepted + 1 ? 1 : 0;
    }
    wn_control_refuse_command(daemon, peer, refused->world, refused->number, error);
}

/* costs */

/* Of all players together a fifth of the daemon's time for each kind, and of one of them, or of one address, a quarter
 * of that: who takes all of it has to be many. */
static const wn_budget_limit of_all = {.most_us = 500000, .share = 5}, of_one = {.most_us = 250000, .share = 20};

enum { BUDGETS = 3 };

static void find_budgets(const wn_context *at, wn_cost cost, wn_budget *budgets[BUDGETS])
{
    wn_account *const accounts[] = {at->peer->player, at->peer->from};
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        budgets[i] = accounts[i] != NULL && !accounts[i]->unlimited ? &accounts[i]->budgets[cost] : NULL;
    }
    budgets[2] = &at->daemon->budgets[cost];
}

static bool has_budget(wn_context *at, wn_cost cost)
{
    static const char *const texts[] = {[WN_COST_LIST] = "lists were asked for", [WN_COST_WRITE] = "changes were made"};
    const int64_t now = (int64_t)wn_now_us();
    wn_budget *budgets[BUDGETS];
    find_budgets(at, cost, budgets);
    for (size_t i = 0; i < BUDGETS; i++) {
        int64_t wait = 0;
        if (budgets[i] != NULL && !wn_budget_has(budgets[i], i == 2 ? &of_all : &of_one, now, &wait)) {
            return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                                "%s so often%s that the server is behind: try again in %" PRId64 " seconds",
                                texts[cost], i == 2 ? "" : " by you", wait / 1000000 + 1);
        }
    }
    return true;
}

static void charge(const wn_context *at, wn_cost cost, int64_t us)
{
    wn_budget *budgets[BUDGETS];
    find_budgets(at, cost, budgets);
    for (size_t i = 0; i < BUDGETS; i++) {
        if (budgets[i] != NULL && (i != 1 || budgets[1] != budgets[0])) {
            wn_budget_spend(budgets[i], us);
        }
    }
}

/* Of administrators nobody keeps count. */
static bool handle(wn_context *at)
{
    const wn_cost cost = at->peer->role < WN_ROLE_ADMIN ? table[at->request->body_case].cost : WN_COST_NOTHING;
    if (cost == WN_COST_NOTHING) {
        return table[at->request->body_case].handle(at);
    }
    if (!has_budget(at, cost)) {
        return false;
    }
    const uint64_t begun = wn_now_us();
    const bool answered = table[at->request->body_case].handle(at);
    charge(at, cost, (int64_t)(wn_now_us() - begun));
    return answered;
}

static bool may_ask(wn_context *at)
{
    const wn_role least = table[at->request->body_case].least;
    if (least == WN_ROLE_NONE) {
        return true;
    }
    if (at->session == NULL) {
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_NO_SESSION, "say Hello first");
    }
    if (at->peer->role >= least) {
        return true;
    }
    return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED,
                           least == WN_ROLE_ADMIN ? "only administrators may do that"
                                                  : "you may only watch here: its administrator can grant you to play");
}

void wn_requests_handle(wn_daemon *daemon, wn_peer *peer, const Warren__Request *request)
{
    wn_context at = {.daemon = daemon, .peer = peer, .session = peer->session, .request = request};
    char player[WN_NAME_BYTES + 1] = ""; /* the session may be over afterwards */
    bool answered = false;
    if (table[request->body_case].audited && peer->session != NULL) {
        snprintf(player, sizeof player, "%s", peer->session->player);
    }
    if (daemon->stopping) {
        wn_request_fail(&at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "the server is stopping: connect again later");
    } else if (may_ask(&at)) {
        answered = handle(&at);
    }
    if (player[0] != '\0' && !at.unchanged) {
        wn_audit(&at, player, answered);
    }
    if (!answered) {
        wn_requests_refuse(daemon, peer, request, &at.error);
    }
}
