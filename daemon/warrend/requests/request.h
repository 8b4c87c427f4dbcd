/* request.h: a request being answered, for the files that answer requests. Handlers answer and return true, or fill in
 * `error` and return false: then the request is refused with it.
 */
#ifndef WARREN_REQUEST_H
#define WARREN_REQUEST_H

#include "daemon.h"

typedef struct wn_context {
    wn_daemon *daemon;
    wn_peer *peer;
    wn_session *session;
    const Warren__Request *request;
    wn_error error;
    bool unchanged; /* all was as the request asks for: nothing to write down */
} wn_context;

typedef bool wn_request_handler(wn_context *at);

bool wn_request_fail(wn_context *at, Warren__ErrorCode code, const char *text); /* false */
bool wn_request_reply(wn_context *at, Warren__Reply *reply);                    /* true */
bool wn_request_done(wn_context *at);                                           /* true */
/* May the reply go as it is, or is it longer than one may be? */
bool wn_request_fits(const Warren__Reply *reply);
/* Takes away from the end of one of its lists, whose length `count` is, until it may. How many it took. */
uint32_t wn_request_cut(const Warren__Reply *reply, size_t *count);
/* The world of that name; one that the session has a seat in or watches. NULL with the error filled in. */
wn_game *wn_request_game(wn_context *at, const char *name);
wn_game *wn_request_own_game(wn_context *at, uint32_t id);

/* Whoever waits for the answer to this request, if that takes longer; for what becomes of the world. */
wn_asker wn_request_asker(const wn_context *at);
void wn_request_wait_for(const wn_context *at, wn_game *game, wn_asked asked);

/* May the peer close the world and have its recording and its seed? Its owner, its hosts and administrators may. */
bool wn_request_may_manage(const wn_context *at, const wn_game *game);
Warren__Role wn_request_role(wn_role role);

/* requests-session.c; `request`: the Hello's id */
void wn_request_welcome(wn_daemon *daemon, wn_session *session, uint32_t request, bool resumed);
wn_request_handler wn_request_hello, wn_request_ping, wn_request_goodbye;
/* requests-worlds.c */
wn_request_handler wn_request_list_modes, wn_request_list_worlds, wn_request_create, wn_request_close_world;
/* requests-change.c */
wn_request_handler wn_request_change_world;
/* requests-play.c */
wn_request_handler wn_request_join, wn_request_watch, wn_request_leave, wn_request_command, wn_request_say,
    wn_request_resync;
/* requests-keep.c; the timer that makes a copy go on */
wn_request_handler wn_request_export, wn_request_backup, wn_request_recover;
void wn_request_backup_step(void *daemon);
/* Has a parked world loaded; it is answered when the world is served, or is not. false: that cannot be. */
bool wn_request_serve_again(wn_context *at, wn_game *game);
/* The world is served: the joins that waited for that; or it will not be: they are refused. */
void wn_request_join_waiting(wn_game *game);
void wn_request_refuse_waiting(wn_game *game, const wn_error *error);
/* requests-scores.c */
wn_request_handler wn_request_list_scores;
/* requests-access.c */
wn_request_handler wn_request_grant, wn_request_revoke, wn_request_ban, wn_request_unban, wn_request_kick,
    wn_request_list_access, wn_request_release_name;
/* requests-operation.c; what goes on at the end of each pass until snapshots that were asked for are there */
wn_request_handler wn_request_list_sessions, wn_request_park, wn_request_unpark, wn_request_save, wn_request_reload,
    wn_request_drain, wn_request_log_level, wn_request_stop;
void wn_request_save_pass(wn_daemon *daemon);
/* requests-status.c */
wn_request_handler wn_request_list_players, wn_request_get_status;

#endif
