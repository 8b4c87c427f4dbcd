/* audit.h: what administrators, and hosts of worlds, did or tried to do: a line each in audit.log in the state
 * directory and in the log. It is only ever added to; it may be moved away at any time, and is to be, now and then.
 */
#ifndef WARREN_AUDIT_H
#define WARREN_AUDIT_H

#include "requests/request.h"

/* "2026-01-02T03:04:05Z key:HEX ann done kick player=bob world=caves-1": when, who, under which name, done or refused,
 * what, with which fields. So that nobody fills the disk, a few a second are written of each player who is no
 * administrator, and of what was refused ten a second in all, short ones; the others are counted. From 64 MiB on
 * only what administrators do is added. */
void wn_audit(const wn_context *at, const char *player, bool done);
/* From time to time, and at the end: "2026-01-02T03:04:05Z key:HEX left out 37", how many were not written; in the log,
 * how many sessions began of which it does not tell. */
void wn_audit_left_out(wn_daemon *daemon, bool all);

#endif
