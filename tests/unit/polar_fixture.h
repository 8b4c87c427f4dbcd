/* polar_fixture.h: what the tests of polar share: packs from files and random boards. */
#ifndef POLAR_FIXTURE_H
#define POLAR_FIXTURE_H

#include "board.h"
#include "moves.h"
#include "pack.h"

#include "suite.h"

enum { POLAR_SEED = 1990 }; /* without WARREN_SEED */

/* Reads a file of the levels folder, or fails. Free the text after the pack. */
char *fixture_read(const char *name, polar_pack *pack);
/* Plays moves in the notation; returns how many did something. */
uint32_t fixture_play(polar_board *board, const char *moves);
/* A board of random pieces. */
void fixture_random_board(uint64_t *state, polar_board *board);

#endif
