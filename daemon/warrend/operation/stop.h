/* stop.h: how the daemon ends: at once, worlds saved first; or drained, which is when the last seat is left.
 */
#ifndef WARREN_STOP_H
#define WARREN_STOP_H

#include "daemon.h"

void wn_stop_open(wn_daemon *daemon);
void wn_stop_close(wn_daemon *daemon);

/* Everyone is told, and nothing is taken any more. `why` is for the log: "signal=TERM". */
void wn_stop_begin(wn_daemon *daemon, const char *why);
/* At the end of each pass while daemon->stopping: turns in flight, snapshots, hosts, then the loop. */
void wn_stop_go_on(wn_daemon *daemon);

/* No new sessions, worlds and seats from now on; the daemon's own bots leave. Everyone who plays or watches is told. */
void wn_drain_begin(wn_daemon *daemon);
void wn_drain_undo(wn_daemon *daemon);
/* At the end of each pass: stops if it drains and nobody plays any more. */
void wn_drain_pass(wn_daemon *daemon);
/* What somebody wants who is not here yet is refused then: true with the error filled in. */
bool wn_drain_refuses(const wn_daemon *daemon, wn_error *error);

#endif
