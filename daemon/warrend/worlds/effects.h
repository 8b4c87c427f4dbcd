/* effects.h: what a turn's answer means for everyone outside its world: updates, seats won and lost, the end of a
 * world. Runs after the turn's journal entry is durable, never before.
 */
#ifndef WARREN_EFFECTS_H
#define WARREN_EFFECTS_H

#include "daemon.h"

void wn_effects_publish(wn_daemon *daemon, const Warren__Host__FromHost *message);

/* A seat that was being joined is free again, and whoever asked for it hears why. */
void wn_effects_refuse_join(wn_game *game, uint32_t seat, const wn_error *error);
/* Tells whoever joined a seat, with the legend, under the request's id. */
void wn_effects_tell_joined(wn_game *game, uint32_t seat, wn_session *session, uint32_t request);

#endif
