/* polar_world.h: worlds of polar with a pack from a string. Tests may look into the mode's state. */
#ifndef POLAR_WORLD_H
#define POLAR_WORLD_H

#include "../../plugins/polar/polar.h"
#include "mode_fixture.h" /* before any header that includes Check, which has a macro named fail */
#include "polar_fixture.h"

/* A world with the pack's text, which has to stay, and no calm after a level. NULL with the error: it cannot be made.
 */
fixture *world_try(const char *pack, uint32_t slide_ms, bool open, size_t memory_limit, wn_error *error);
/* The same; fails where that does. */
fixture *world_open(const char *pack, uint32_t slide_ms, bool open);
fixture *world_open_calm(const char *pack, uint32_t slide_ms, uint32_t calm_ms);

polar *fixture_game(const fixture *world);
polar_seat *world_seat(const fixture *world, uint32_t seat);

/* A turn for every move in the notation. */
void play(fixture *world, uint32_t seat, const char *moves);

/* A watched view as text, a line a row, with its sprites: see polar_tiles for the letters. */
const char *picture(const fixture *world, int32_t seat);
const char *status(const fixture *world, int32_t seat, uint32_t field);
int64_t number(const fixture *world, int32_t seat, uint32_t field);
const char *banner(const fixture *world, int32_t seat);

#endif
