/* hosts.h: a host process for each mode that is needed: start on demand, talk in batches, notice crashes and hangs.
 * Which modes there are, and when one is given up on, is modes.h's part.
 */
#ifndef WARREN_HOSTS_H
#define WARREN_HOSTS_H

#include "daemon.h"

/* With the mode, whose path and log are there. */
void wn_host_init(wn_installed_mode *mode);
void wn_host_free(wn_installed_mode *mode);

/* Starts it unless it runs, or the mode was given up on. Messages may be sent at once; they wait for it. */
void wn_host_start(wn_installed_mode *mode);
/* Sends a message; `answered`: an answer will come, within the turn limit. */
void wn_host_send(wn_installed_mode *mode, const Warren__Host__ToHost *message, bool answered);
/* The same for a message that is written in place, without the frame: into the buffer between the two calls. The
 * process must be there (pid). */
wn_buffer *wn_host_begin(wn_installed_mode *mode);
void wn_host_end(wn_installed_mode *mode);
/* Writes what was gathered for all hosts: one system call each. */
void wn_hosts_flush(wn_daemon *daemon);
/* What hosts said is done with: nothing of it is used any more. */
void wn_hosts_forget_answers(wn_daemon *daemon);
/* Without worlds it is stopped after a while, unless it gets one. */
void wn_host_set_idle(wn_installed_mode *mode, bool idle);
/* Asks all to finish and exit. */
void wn_hosts_stop(wn_daemon *daemon);
bool wn_hosts_stopped(const wn_daemon *daemon);
/* Its mode was given up on: it is not heard any more, and ended. */
void wn_host_abandon(wn_installed_mode *mode);
/* Ends it at once and waits for that. */
void wn_host_kill(wn_installed_mode *mode);

#endif
