/* loading.h: worlds into their hosts: new ones, those of the store when the daemon starts, those of a host that died.
 * A world is its seed, settings and journal: it is made anew, or from its last snapshot, and its journal played again.
 *
 * A host is given a few worlds at a time, those that somebody waits for first.
 */
#ifndef WARREN_LOADING_H
#define WARREN_LOADING_H

#include "daemon.h"

/* Takes every world of the store into the directory. */
bool wn_loading_read_store(wn_daemon *daemon, wn_error *error);

/* A STARTING world is to be loaded; its host is started if need be. While that waits to be started again, so does the
 * world. */
void wn_loading_begin(wn_game *game);
/* Somebody waits for it: before the others, if it is not loaded yet. */
void wn_loading_want(wn_game *game);
/* Is every world served, or parked? */
bool wn_loading_done(const wn_daemon *daemon);
/* Gives a host that is ready as many worlds as it may work on. Not while the store takes no entries: those that are
 * gathered are not in the journals yet. */
void wn_loading_go_on(wn_installed_mode *mode);
/* The world is no longer being loaded: its host may take another. */
void wn_loading_forget(wn_game *game);
/* What a host that died was given is to be given again. */
void wn_loading_start_over(wn_installed_mode *mode);

/* Answers of hosts. */
void wn_loading_created(wn_installed_mode *mode, const Warren__Host__WorldCreated *created);
void wn_loading_replayed(wn_installed_mode *mode, const Warren__Host__Replayed *replayed);

/* No turn comes any more, until somebody does something about it; `outcome` says what. Whoever waits for the world
 * hears so. */
void wn_loading_park(wn_game *game, const char *outcome);
/* Whoever asked for the world to be made or recovered; `error` NULL: it is served. */
void wn_loading_tell_asker(wn_game *game, const wn_error *error);
/* Back to its last snapshot, which is of `turn`: what came after is forgotten, and seats are as they were then; who
 * held one hears that it ended. */
bool wn_loading_go_back(wn_game *game, uint64_t turn, wn_error *error);
/* A world that its mode would not make: a new one is forgotten, an old one parked. */
void wn_loading_failed(wn_game *game, const char *text);

#endif
