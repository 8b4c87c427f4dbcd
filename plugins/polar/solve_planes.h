/* solve_planes.h: a board as bits, a word for each row and each kind of piece: what the solver asks of every position
 * it meets is then a few operations for a whole row. Bit x of word y is the cell in column x of row y.
 */
#ifndef POLAR_SOLVE_PLANES_H
#define POLAR_SOLVE_PLANES_H

#include "board.h"

typedef uint64_t plane[BOARD_MAX_SIDE];

typedef struct polar_planes {
    uint32_t width, height;
    uint64_t inside;           /* the columns that there are */
    plane pieces[PIECE_COUNT]; /* those of PIECE_EMPTY and PIECE_EDGE are not kept */
} polar_planes;

/* A board without things and mountains: trees and houses, which nothing changes. */
void planes_read(polar_planes *planes, const polar_board *board);

static inline void planes_flip(polar_planes *planes, polar_piece piece, uint32_t x, uint32_t y)
{
    planes->pieces[piece][y] ^= UINT64_C(1) << x;
}

/* Where a penguin at (x, y) can walk to without pushing; the rows of the board are filled in. */
void planes_reach(const polar_planes *planes, uint32_t x, uint32_t y, plane reach);

/* Is there a heart that can never be moved again? `mountains_stay`: no mountain will be blown up any more. */
bool planes_heart_is_stuck(const polar_planes *planes, bool mountains_stay);

/* A guess at the pushes that bring all hearts home: neither too many nor too few, but good to compare positions by.
 * No further than is needed to know that it is more than `most`. */
uint32_t planes_guess(const polar_planes *planes, bool mountains_stay, uint32_t most);

#endif
