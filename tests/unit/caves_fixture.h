/* caves_fixture.h: worlds of caves: tests may look into the mode's state and set a scene up in it. */
#ifndef CAVES_FIXTURE_H
#define CAVES_FIXTURE_H

#include "../../plugins/caves/caves.h"
#include "mode_fixture.h" /* last: Check has a macro named fail, which would change mode.h */

caves *fixture_game(const fixture *world);
/* The player's entity; NULL: it has none. */
entity *fixture_player(const fixture *world, uint32_t seat_number);
/* Who stands there; NULL: nobody. */
entity *fixture_find(const fixture *world, int32_t x, int32_t y);

/* One turn with one input. */
void fixture_act(fixture *world, uint32_t seat_number, uint32_t action, uint32_t argument);
void fixture_step(fixture *world, uint32_t seat_number, uint32_t direction);
void fixture_rest(fixture *world, uint32_t seat_number);

/* Sets a scene: the map becomes wall but for `rows`, drawn at its top left: '#' wall, '.' floor, F v ~ creatures on
 * floor, '=' a silverfish in rock, '0' to '9' the player of that seat, who must have joined. Everyone else is gone.
 * It ends with fixture_reload(). */
void fixture_paint(fixture *world, const char *const *rows);

/* Fails unless the state keeps the rules' invariants: one entity a cell, counts that agree, who may stand where. */
void fixture_check(const fixture *world);

#endif
