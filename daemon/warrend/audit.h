/* audit.h: what administrators, and hosts of worlds, did or tried to do: a line each in audit.log in the state
 * directory and in the log. It is only ever added to; it may be moved away at any time.
 */
#ifndef WARREN_AUDIT_H
#define WARREN_AUDIT_H

#include "request.h"

/* "2026-01-02T03:04:05Z key:HEX ann done kick player=bob world=caves-1": when, who, under which name, done or refused,
 * what, with which fields. */
void wn_audit(const wn_context *at, const char *player, bool done);

#endif
