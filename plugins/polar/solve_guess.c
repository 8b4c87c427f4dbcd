/* solve_guess.c: planes_guess(), see solve_planes.h: how promising a position is. For each number of pushes, from one
 * on, the cells from which a heart would get home by so many, whole rows at a time: a flood from the houses backwards.
 * Each thing in the way, each stop that is not there yet and each mountain counts as some pushes more.
 */
#include "solve_planes.h"

#include <string.h>

enum {
    THING_COST = 1, /* pushes, at a guess, to get a thing out of the way */
    STOP_COST = 2,  /* to bring something that stops a heart */
    OPEN_COST = 4,  /* to blow up a mountain */
    MOST_COST = 64, /* no heart is taken to be farther away */
    KEPT = 8        /* costs that are remembered, a power of two: more than the greatest above */
};

/* Planes with as many rows as the board has, one behind the other: all of them are near one another. */
struct guess {
    uint32_t width, height;
    uint64_t inside;
    uint64_t *house, *free, *thing, *mountain; /* of the cells that a heart can come to: without anything, with what */
    uint64_t *stops[HEADING_COUNT];            /* where a heart that moves so would stop as things are */
    uint64_t *stands[HEADING_COUNT];           /* from where it can be pushed so, if the penguin can get there */
    uint64_t *home[KEPT];                      /* [cost]: from where it gets home */
    uint64_t *moving[KEPT][HEADING_COUNT];     /* [cost]: where it still may, if it comes there moving so */
};

/* Row y of where the neighbour in a direction is in the plane; `outside` is what lies beyond the edge. */
static inline __attribute__((always_inline)) uint64_t neighbours(const struct guess *guess, const uint64_t *cells,
                                                                 uint32_t y, uint32_t heading, bool outside)
{
    const uint64_t beyond = outside ? guess->inside : 0;
    switch (heading) {
    case HEADING_EAST:
        return cells[y] >> 1 | (outside ? guess->inside & ~(guess->inside >> 1) : 0);
    case HEADING_WEST:
        return (cells[y] << 1 & guess->inside) | outside;
    case HEADING_SOUTH:
        return y + 1 < guess->height ? cells[y + 1] : beyond;
    default:
        return y > 0 ? cells[y - 1] : beyond;
    }
}

static void share_out(struct guess *guess, uint64_t *rows)
{
    const uint32_t height = guess->height;
    uint64_t **const planes[] = {&guess->house, &guess->free, &guess->thing, &guess->mountain};
    for (uint32_t i = 0; i < 4; i++, rows += height) {
        *planes[i] = rows;
    }
    for (uint32_t heading = 0; heading < HEADING_COUNT; heading++, rows += 2 * height) {
        guess->stops[heading] = rows;
        guess->stands[heading] = rows + height;
    }
    memset(rows, 0, (size_t)KEPT * (1 + HEADING_COUNT) * height * sizeof *rows);
    for (uint32_t cost = 0; cost < KEPT; cost++) {
        guess->home[cost] = rows;
        rows += height;
        for (uint32_t heading = 0; heading < HEADING_COUNT; heading++, rows += height) {
            guess->moving[cost][heading] = rows;
        }
    }
}

static void prepare(struct guess *guess, const polar_planes *planes, bool mountains_stay)
{
    plane stop, stand;
    for (uint32_t y = 0; y < planes->height; y++) {
        const uint64_t mountains = planes->pieces[PIECE_MOUNTAIN][y], trees = planes->pieces[PIECE_TREE][y];
        const uint64_t things =
            planes->pieces[PIECE_ICE][y] | planes->pieces[PIECE_HEART][y] | planes->pieces[PIECE_BOMB][y];
        guess->house[y] = planes->pieces[PIECE_HOUSE][y];
        guess->thing[y] = things;
        guess->mountain[y] = mountains_stay ? 0 : mountains;
        guess->free[y] = planes->inside & ~(things | mountains | trees | guess->house[y]);
        stop[y] = things | mountains | trees;
        stand[y] = planes->inside & ~(guess->house[y] | (mountains & ~guess->mountain[y]));
    }
    for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
        for (uint32_t y = 0; y < planes->height; y++) {
            guess->stops[heading][y] = guess->free[y] & neighbours(guess, stop, y, heading, true);
            guess->stands[heading][y] = neighbours(guess, stand, y, heading ^ 2, false);
        }
    }
}

/* Against the direction of the motion through free cells: what leads to where it may still get home, may as well. */
static inline __attribute__((always_inline)) void flow_back(const struct guess *guess, uint64_t *moving,
                                                            uint32_t heading)
{
    const uint32_t height = guess->height;
    switch (heading) {
    case HEADING_EAST:
        for (uint32_t y = 0; y < height; y++) {
            uint64_t free = guess->free[y];
            for (uint32_t step = 1; step < guess->width; step *= 2) {
                moving[y] |= free & moving[y] >> step;
                free &= free >> step;
            }
        }
        break;
    case HEADING_WEST:
        for (uint32_t y = 0; y < height; y++) {
            /* A sum carries each bit through the run of ones that begins beside it or in which it is. */
            const uint64_t from = (moving[y] | moving[y] << 1) & guess->free[y];
            moving[y] |= guess->free[y] & ~(guess->free[y] + from);
            moving[y] |= from;
        }
        break;
    case HEADING_SOUTH:
        for (uint32_t y = height - 1; y-- > 0;) {
            moving[y] |= moving[y + 1] & guess->free[y];
        }
        break;
    default:
        for (uint32_t y = 1; y < height; y++) {
            moving[y] |= moving[y - 1] & guess->free[y];
        }
    }
}

/* Cells from where a heart gets home by a push in one direction and `cost` more. Inlined for each direction, with which
 * the cases above fall away: most of the solver's time is spent here. */
static inline __attribute__((always_inline)) void flood(const struct guess *guess, uint32_t cost, uint32_t heading)
{
    const uint32_t height = guess->height;
    const uint64_t *stop = guess->home[cost % KEPT], *brought = guess->home[(cost - STOP_COST) % KEPT];
    const uint64_t *past_thing = guess->moving[(cost - THING_COST) % KEPT][heading];
    const uint64_t *past_mountain = guess->moving[(cost - OPEN_COST) % KEPT][heading];
    uint64_t *home = guess->home[(cost + 1) % KEPT], *moving = guess->moving[cost % KEPT][heading];
    for (uint32_t y = 0; y < height; y++) {
        moving[y] = guess->house[y] | (stop[y] & guess->stops[heading][y]) |
                    (brought[y] & (guess->free[y] | guess->thing[y] | guess->mountain[y])) |
                    (guess->thing[y] & neighbours(guess, past_thing, y, heading, false)) |
                    (guess->mountain[y] & neighbours(guess, past_mountain, y, heading, false));
    }
    flow_back(guess, moving, heading);
    for (uint32_t y = 0; y < height; y++) {
        home[y] |= guess->stands[heading][y] & neighbours(guess, moving, y, heading, false);
    }
}

static uint32_t count_bits(uint64_t row)
{
    uint32_t count = 0;
    for (; row != 0; row &= row - 1) {
        count++;
    }
    return count;
}

uint32_t planes_guess(const polar_planes *planes, bool mountains_stay, uint32_t most)
{
    struct guess guess = {.width = planes->width, .height = planes->height, .inside = planes->inside};
    uint64_t rows[(4 + 2 * HEADING_COUNT + KEPT * (1 + HEADING_COUNT)) * BOARD_MAX_SIDE];
    uint32_t result = 0;
    share_out(&guess, rows);
    prepare(&guess, planes, mountains_stay);
    for (uint32_t cost = 0; cost < MOST_COST && result <= most; cost++) {
        const uint64_t *home = guess.home[cost % KEPT];
        uint32_t left = 0;
        for (uint32_t y = 0; y < planes->height; y++) {
            left += count_bits(planes->pieces[PIECE_HEART][y] & ~home[y]);
        }
        if (left == 0) {
            break;
        }
        result += left;
        memcpy(guess.home[(cost + 1) % KEPT], home, planes->height * sizeof *home);
        flood(&guess, cost, HEADING_NORTH);
        flood(&guess, cost, HEADING_EAST);
        flood(&guess, cost, HEADING_SOUTH);
        flood(&guess, cost, HEADING_WEST);
    }
    return result;
}
