/* bots.h: the players that a world's setting `bots` asks for (own-settings.h): a warren-bot for each such world, which
 * plays through the public protocol like anyone else.
 */
#ifndef WARREN_BOTS_H
#define WARREN_BOTS_H

#include "daemon.h"

/* May the peer make a world with so many, or have so many in that one? An administrator may have more than the limit of
 * a player, which is the owner of the world. */
bool wn_bots_allowed(const wn_peer *peer, const wn_game *for_game, wn_daemon *daemon, uint32_t count, wn_error *error);
/* The world is served: starts its bots, if it is to have any. One that dies is started again after a while. */
void wn_bots_start(wn_game *game);
/* Is it the process of the bots of a world? */
bool wn_bots_is_process(wn_daemon *daemon, pid_t process);
/* The world is to have another number of them, by its setting: who is there leaves, and as many come. */
void wn_bots_change(wn_game *game);
/* The world is over, parked or closed: they leave. */
void wn_bots_stop(wn_game *game);

#endif
