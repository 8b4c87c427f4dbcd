/* snapshots.h: when a world is saved: when its journal has grown long or large, when an
 * administrator says so, and when the daemon stops.
 */
#ifndef WARREN_SNAPSHOTS_H
#define WARREN_SNAPSHOTS_H

#include "daemon.h"

/* A turn was made public: asks for a snapshot if there is enough to save. A world that has much more is parked. */
void wn_snapshots_after_turn(wn_game *game);
/* One was asked for, and may still come. */
bool wn_snapshots_awaited(const wn_game *game);
/* Asks for one, unless one is awaited. false: there is nothing to save, or it cannot be. */
bool wn_snapshots_ask(wn_game *game);
/* Asks for a snapshot of every world that has a journal. */
void wn_snapshots_ask_all(wn_daemon *daemon);
/* No host is at work on a turn or a snapshot. */
bool wn_snapshots_all_there(wn_daemon *daemon);
/* A host's answer, once what was gathered before it is committed. */
void wn_snapshots_saved(wn_daemon *daemon, const Warren__Host__Saved *saved);

#endif
