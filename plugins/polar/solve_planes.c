/* solve_planes.c: see solve_planes.h. */
#include "solve_planes.h"

#include <string.h>

void planes_read(polar_planes *planes, const polar_board *board)
{
    memset(planes, 0, sizeof *planes);
    planes->width = board->width;
    planes->height = board->height;
    planes->inside = UINT64_MAX >> (64 - board->width);
    for (uint32_t y = 0; y < board->height; y++) {
        for (uint32_t x = 0; x < board->width; x++) {
            const uint8_t piece = board->cells[board_cell(board, x, y)];
            if (piece == PIECE_TREE || piece == PIECE_HOUSE) {
                planes_flip(planes, (polar_piece)piece, x, y);
            }
        }
    }
}

/* where the penguin can walk */

/* From bits of a row along the runs of `walk` that they are in. Upwards a sum carries them: a run that has a bit added
 * to it turns to zeros from there on. Downwards they go by steps that double (Kogge and Stone's prefix). */
static uint64_t spread(uint64_t row, uint64_t walk, uint32_t width)
{
    row |= walk & ~(walk + row);
    for (uint32_t step = 1; step < width; step *= 2) {
        row |= walk & row >> step;
        walk &= walk >> step;
    }
    return row;
}

/* Takes up what a neighbouring row brings. Does it change the row? */
static bool take_up(uint64_t *row, uint64_t neighbour, uint64_t walk, uint32_t width)
{
    const uint64_t brought = neighbour & walk & ~*row;
    if (brought == 0) {
        return false;
    }
    *row = spread(*row | brought, walk, width);
    return true;
}

void planes_reach(const polar_planes *planes, uint32_t x, uint32_t y, plane reach)
{
    const uint32_t width = planes->width, height = planes->height;
    plane walk;
    for (uint32_t row = 0; row < height; row++) {
        walk[row] = planes->inside & ~(planes->pieces[PIECE_MOUNTAIN][row] | planes->pieces[PIECE_HOUSE][row] |
                                       planes->pieces[PIECE_ICE][row] | planes->pieces[PIECE_HEART][row] |
                                       planes->pieces[PIECE_BOMB][row]);
        reach[row] = 0;
    }
    reach[y] = spread(UINT64_C(1) << x, walk[y], width);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t row = 1; row < height; row++) {
            changed |= take_up(&reach[row], reach[row - 1], walk[row], width);
        }
        for (uint32_t row = height - 1; row-- > 0;) {
            changed |= take_up(&reach[row], reach[row + 1], walk[row], width);
        }
    }
}

/* what can never move again */

/* Of the things in `row` those that can be pushed along an axis: one neighbour to stand on, the other to go to. */
static uint64_t pushable(uint64_t stand_before, uint64_t stand_behind, uint64_t go_before, uint64_t go_behind)
{
    return (stand_before & go_behind) | (stand_behind & go_before);
}

/* Suppose that all things stay for ever, and take out, again and again, what could be moved if the others stay. What is
 * left never moves: the first of it to do so would have to while all the others are still there. What could go is
 * judged kindly: a cell without anything that stays is free when it is needed. */
bool planes_heart_is_stuck(const polar_planes *planes, bool mountains_stay)
{
    const uint32_t height = planes->height;
    const uint64_t *hearts = planes->pieces[PIECE_HEART], *bombs = planes->pieces[PIECE_BOMB];
    const uint64_t *ice = planes->pieces[PIECE_ICE];
    /* A row of edge above and below. */
    uint64_t stay[BOARD_MAX_SIDE + 2], stand[BOARD_MAX_SIDE + 2], heart_goes[BOARD_MAX_SIDE + 2],
        bomb_goes[BOARD_MAX_SIDE + 2];
    stand[0] = heart_goes[0] = bomb_goes[0] = 0;
    stand[height + 1] = heart_goes[height + 1] = bomb_goes[height + 1] = 0;
    for (uint32_t y = 0; y < height; y++) {
        stay[y + 1] = hearts[y] | bombs[y] | ice[y];
    }
    for (bool changed = true; changed;) {
        uint64_t stuck = 0;
        for (uint32_t y = 0; y < height; y++) {
            const uint64_t mountains = planes->pieces[PIECE_MOUNTAIN][y], closed = mountains_stay ? mountains : 0;
            const uint64_t free = planes->inside & ~(stay[y + 1] | closed), houses = planes->pieces[PIECE_HOUSE][y];
            stand[y + 1] = free & ~houses;
            heart_goes[y + 1] = free & ~planes->pieces[PIECE_TREE][y];
            bomb_goes[y + 1] = (free & ~(planes->pieces[PIECE_TREE][y] | houses)) | mountains;
            stuck |= stay[y + 1] & hearts[y];
        }
        if (stuck == 0) {
            return false;
        }
        changed = false;
        for (uint32_t y = 1; y <= height; y++) {
            const uint64_t west = stand[y] << 1, east = stand[y] >> 1, north = stand[y - 1], south = stand[y + 1];
            const uint64_t heart_moves = pushable(west, east, heart_goes[y] << 1, heart_goes[y] >> 1) |
                                         pushable(north, south, heart_goes[y - 1], heart_goes[y + 1]);
            const uint64_t bomb_moves = pushable(west, east, bomb_goes[y] << 1, bomb_goes[y] >> 1) |
                                        pushable(north, south, bomb_goes[y - 1], bomb_goes[y + 1]);
            const uint64_t moves = (hearts[y - 1] & heart_moves) | (bombs[y - 1] & bomb_moves) |
                                   (ice[y - 1] & (west | east | north | south));
            changed |= (stay[y] & moves) != 0;
            stay[y] &= ~moves;
        }
    }
    return true;
}
