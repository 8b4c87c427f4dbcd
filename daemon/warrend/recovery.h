/* recovery.h: worlds into their hosts: new ones, those of the store when the daemon starts, those of a host that died.
 * A world is its seed, settings and journal: it is made anew, or from its last snapshot, and its journal played again.
 */
#ifndef WARREN_RECOVERY_H
#define WARREN_RECOVERY_H

#include "daemon.h"

/* Takes every world of the store into the directory. */
bool wn_recovery_read_store(wn_daemon *daemon, wn_error *error);
/* true when no world is being loaded. */
bool wn_recovery_settled(wn_daemon *daemon);

/* Sends a STARTING world to its host: snapshot, then journal. The host is started if need be; while it waits to be
 * started again, so does the world. */
void wn_recovery_load(wn_game *game);
/* Every STARTING world that its running host was not told of yet. */
void wn_recovery_load_games(wn_host_process *host);

/* Answers of hosts. */
void wn_recovery_created(wn_host_process *host, const Warren__Host__WorldCreated *created);
void wn_recovery_replayed(wn_game *game, const Warren__Host__TurnDone *done);
void wn_recovery_saved(wn_host_process *host, const Warren__Host__Saved *saved);

/* A host died while it ran a callback of world `blamed` (0: of none), perhaps its save(); or will not be started
 * again. */
void wn_recovery_host_died(wn_host_process *host, uint32_t blamed, bool saving);
void wn_recovery_host_failed(wn_host_process *host);

/* Asks for a snapshot if the journal has grown long; or of every world that has a journal at all. */
void wn_recovery_maybe_save(wn_game *game);
void wn_recovery_save_all(wn_daemon *daemon);
bool wn_recovery_all_saved(wn_daemon *daemon);

#endif
