/* sessions-internal.h: what the files of sessions know of each other.
 *
 *   sessions.c          who is connected: from Hello to the end
 *   sessions-held.c     the seats and watches of one
 *   sessions-kept.c     what the store keeps of them, and how they come back after a restart
 *   sessions-notices.c  what they are told without having asked
 */
#ifndef WARREN_SESSIONS_INTERNAL_H
#define WARREN_SESSIONS_INTERNAL_H

#include "sessions/sessions.h"

/* Within a second it is looked who is gone, and each second until nobody is left. */
void wn_sessions_sweep_soon(wn_daemon *daemon);
/* Gathers for the store what it keeps: token, name, and the worlds that it has to do with. */
void wn_session_store(const wn_session *session, wn_daemon *daemon);
/* Gives up the seats that have waited for their player for long enough. Returns whether any still waits. */
bool wn_sessions_sweep_orphans(wn_daemon *daemon);
/* The world is gone, or all its seats are known: no bot of before the restart is looked for there any more. */
void wn_sessions_forget_gone_bots(wn_daemon *daemon, uint32_t world);

#endif
