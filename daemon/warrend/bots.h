/* bots.h: the players that a world's setting `bots` asks for: a warren-bot for each such world, which plays through the
 * public protocol like anyone else. The mode knows nothing of it; the setting is the daemon's own, in every mode that
 * has no setting of that name.
 */
#ifndef WARREN_BOTS_H
#define WARREN_BOTS_H

#include "daemon.h"

extern const char wn_bots_setting[]; /* its name */

/* Adds the setting to the mode's. Taken from the arena. false: the mode has its own, or no room for another. */
bool wn_bots_add_setting(Warren__Mode *mode, wn_arena *arena);
/* May the player make a world with so many? An administrator may have more than the limit of a player. */
bool wn_bots_allowed(wn_daemon *daemon, const wn_session *session, bool admin, uint32_t count, wn_error *error);
/* The world is served: starts its bots, if it is to have any. One that dies is started again after a while. */
void wn_bots_start(wn_game *game);
/* The world is over, parked or closed: they leave. */
void wn_bots_stop(wn_game *game);

#endif
