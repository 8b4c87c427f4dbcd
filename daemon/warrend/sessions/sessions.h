/* sessions.h: who is connected: players, each on a peer (peers.h) that it outlives by the grace time.
 */
#ifndef WARREN_SESSIONS_H
#define WARREN_SESSIONS_H

#include "daemon.h"

void wn_sessions_open(wn_daemon *daemon);
void wn_sessions_close(wn_daemon *daemon);

/* A session for the peer: the one of `token` if there is such (then *resumed), else a new one, named as wanted or
 * nearly so. NULL with the error filled in: too many, a name that breaks the rules. */
wn_session *wn_session_hello(wn_daemon *daemon, wn_peer *peer, const Warren__Hello *hello, bool *resumed,
                             wn_error *error);
/* Sessions of the store, after a restart: lost, with the grace time before them. After the worlds are in the directory.
 */
bool wn_sessions_restore(wn_daemon *daemon, wn_error *error);
/* A seat of a world that was loaded: whose session it is. */
void wn_sessions_seat_found(wn_game *game, uint32_t seat);
/* A world is loaded, or will not be: who watches it and may not any more stops, and who waits for it with a Hello gets
 * the Welcome. */
void wn_sessions_world_settled(wn_daemon *daemon, wn_game *game);
/* Gives up its seats and forgets it. */
void wn_session_end(wn_daemon *daemon, wn_session *session);
/* The same for those of a world's bots whose process has ended. */
void wn_sessions_end_bots(wn_daemon *daemon, pid_t process);

/* What is shown as the owner of its worlds: its player's name, "" for guests. */
const char *wn_session_owner(const wn_session *session);
/* Is the world its player's? By identity, whatever the name; where nobody says who it is by name, and guests own none,
 * since any other may get their name. */
bool wn_session_owns(wn_daemon *daemon, const wn_session *session, const wn_game *game);
bool wn_session_has_seat(const wn_session *session, const wn_game *game, uint32_t *seat);
void wn_session_add_seat(wn_session *session, wn_game *game, uint32_t seat);
void wn_session_drop_seat(wn_session *session, const wn_game *game, uint32_t seat);
bool wn_session_watches(const wn_session *session, const wn_game *game);
bool wn_session_add_watch(wn_session *session, wn_game *game); /* false: too many */
/* By which it hears the spectators' view of a world that it watches; it is made when it is asked for first. */
uint8_t *wn_session_watch_key(wn_session *session, const wn_game *game);
void wn_session_drop_watch(wn_session *session, wn_game *game);
/* If the seat is being joined, the join is refused: its session is about to give it up. */
void wn_sessions_refuse_join(wn_game *game, uint32_t seat, Warren__ErrorCode code, const char *text);

/* A Notice to one session, to everyone in a world, to all. */
void wn_session_notice(wn_daemon *daemon, const wn_session *session, Warren__NoticeKind kind, const wn_game *game,
                       const char *text);
void wn_sessions_notice_game(wn_daemon *daemon, const wn_game *game, Warren__NoticeKind kind, const char *text);
void wn_sessions_send_notice(wn_daemon *daemon, const wn_game *game, Warren__Notice *notice); /* fills in `world` */
void wn_sessions_notice_all(wn_daemon *daemon, Warren__NoticeKind kind, const char *text);
/* The world is closed: nobody holds or watches it any more. */
void wn_sessions_forget_game(wn_daemon *daemon, wn_game *game);

#endif
