/* bots.h: the players that a world's setting `bots` asks for (own-settings.h): a warren-bot for each such world, which
 * plays through the public protocol like anyone else.
 */
#ifndef WARREN_BOTS_H
#define WARREN_BOTS_H

#include "daemon.h"

/* May the peer have so many in that world (NULL: make one with so many)? All bots of the world's owner count, and only
 * administrators may have more than limits.bots_per_player. false with the error filled in. */
bool wn_bots_allowed(wn_daemon *daemon, const wn_peer *peer, const wn_game *for_game, uint32_t count, wn_error *error);
/* The world is served: starts its bots, if it is to have any. One that dies is started again after a while. */
void wn_bots_start(wn_game *game);
/* Is it the process of the bots of a world? */
bool wn_bots_is_process(wn_daemon *daemon, pid_t process);
/* The world is to have another number of them, by its setting: who is there leaves, and as many come. */
void wn_bots_change(wn_game *game);
/* The world is over, parked or closed: they leave. */
void wn_bots_stop(wn_game *game);
/* The daemon ends, and with it the leashes of those that are still on their way out: nothing waits for them. */
void wn_bots_close(wn_daemon *daemon);

#endif
