/* requests.c: from a request to who answers it. See requests.h.
 */
#include "requests.h"

#include "control.h"
#include "directory.h"
#include "introduce.h"
#include "request.h"
#include "sessions.h"

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

bool wn_request_may_manage(const wn_context *at, const wn_game *game)
{
    const char *owner = wn_session_owner(at->session);
    return at->peer->admin || (owner[0] != '\0' && strcmp(game->owner, owner) == 0);
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

/* By Request.body: who answers. All but Hello and Introduce need a session. */
static wn_request_handler *const handlers[] = {
    [WARREN__REQUEST__BODY_HELLO] = wn_request_hello,
    [WARREN__REQUEST__BODY_COMMAND] = wn_request_command,
    [WARREN__REQUEST__BODY_PING] = wn_request_ping,
    [WARREN__REQUEST__BODY_LIST_MODES] = wn_request_list_modes,
    [WARREN__REQUEST__BODY_LIST_WORLDS] = wn_request_list_worlds,
    [WARREN__REQUEST__BODY_CREATE] = wn_request_create,
    [WARREN__REQUEST__BODY_JOIN] = wn_request_join,
    [WARREN__REQUEST__BODY_WATCH] = wn_request_watch,
    [WARREN__REQUEST__BODY_LEAVE] = wn_request_leave,
    [WARREN__REQUEST__BODY_SAY] = wn_request_say,
    [WARREN__REQUEST__BODY_RESYNC] = wn_request_resync,
    [WARREN__REQUEST__BODY_CLOSE] = wn_request_close_world,
    [WARREN__REQUEST__BODY_LIST_PLAYERS] = wn_request_list_players,
    [WARREN__REQUEST__BODY_GET_STATUS] = wn_request_get_status,
    [WARREN__REQUEST__BODY_GOODBYE] = wn_request_goodbye,
    [WARREN__REQUEST__BODY_EXPORT] = wn_request_export,
    [WARREN__REQUEST__BODY_BACKUP] = wn_request_backup,
    [WARREN__REQUEST__BODY_RECOVER] = wn_request_recover,
    [WARREN__REQUEST__BODY_INTRODUCE] = wn_request_introduce,
    [WARREN__REQUEST__BODY_LIST_SCORES] = wn_request_list_scores,
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

void wn_requests_handle(wn_daemon *daemon, wn_peer *peer, const Warren__Request *request)
{
    wn_context at = {.daemon = daemon, .peer = peer, .session = peer->session, .request = request};
    bool answered = false;
    if (daemon->stopping) {
        wn_request_fail(&at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "the server is stopping: connect again later");
    } else if (peer->session == NULL && request->body_case != WARREN__REQUEST__BODY_HELLO &&
               request->body_case != WARREN__REQUEST__BODY_INTRODUCE) {
        wn_request_fail(&at, WARREN__ERROR_CODE__ERROR_NO_SESSION, "say Hello first");
    } else {
        answered = handlers[request->body_case](&at);
    }
    if (!answered) {
        wn_requests_refuse(daemon, peer, request, &at.error);
    }
}
