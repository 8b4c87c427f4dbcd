/* search.c: see search.h. Boards that were found lie one behind the other, each with the number of the one it came
 * from, and are found again by a hash table of their numbers; they are compared whole, so none is taken for another.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING UINT32_MAX /* no state */
enum { LEAST_STATES = 64 };

/* A board that was found. Its cells follow, two in a byte. */
struct state {
    uint32_t before;  /* the state it came from */
    uint16_t penguin; /* after the push */
    uint16_t corner;  /* the first cell that the penguin can get to: the same for all it can */
    uint16_t hearts;
    uint16_t cell; /* the push that led here */
    uint8_t heading;
};

struct search {
    polar_board board; /* the one that is looked at */
    uint32_t cells;    /* of it, edge included */
    int32_t strides[HEADING_COUNT];
    bool walkable[PIECE_COUNT];
    size_t stride; /* bytes of a state with its cells */
    uint8_t *states;
    uint32_t count, limit;
    uint32_t *table; /* numbers of states; NOTHING: free */
    uint32_t mask;
    /* where the penguin can get, in the order in which it was found */
    uint16_t reached[BOARD_MAX_CELLS];
    uint8_t seen[BOARD_MAX_CELLS];
    polar_push pushes[BOARD_MAX_CELLS * HEADING_COUNT];
    uint8_t lost[BOARD_MAX_CELLS]; /* where a heart never comes home from */
};

static struct state *state_at(const struct search *search, uint32_t number)
{
    return (struct state *)(void *)(search->states + number * search->stride);
}

/* What lies at an edge is only ever pushed along it, for nobody can stand outside: where there is no house along it, a
 * heart is lost. */
static void find_lost_cells(struct search *search)
{
    const polar_board *board = &search->board;
    uint64_t rows = 0, columns = 0; /* with a house in them */
    for (uint32_t cell = 0; cell < search->cells; cell++) {
        if (board->cells[cell] == PIECE_HOUSE) {
            rows |= UINT64_C(1) << board_y(board, cell);
            columns |= UINT64_C(1) << board_x(board, cell);
        }
    }
    for (uint32_t y = 0; y < board->height; y++) {
        for (uint32_t x = 0; x < board->width; x++) {
            const bool row = y == 0 || y == board->height - 1u, column = x == 0 || x == board->width - 1u;
            search->lost[board_cell(board, x, y)] =
                (row && (rows >> y & 1) == 0) || (column && (columns >> x & 1) == 0);
        }
    }
}

static bool is_lost(const struct search *search, uint32_t cell)
{
    return search->board.cells[cell] == PIECE_HEART && search->lost[cell];
}

/* Fills in what the penguin can reach; returns the first cell of it. */
static uint16_t look_around(struct search *search)
{
    const uint8_t *cells = search->board.cells;
    uint8_t *seen = search->seen;
    uint16_t *reached = search->reached;
    uint16_t corner = search->board.penguin;
    bool walkable[PIECE_COUNT]; /* here, for this is where the time goes */
    int32_t strides[HEADING_COUNT];
    memcpy(walkable, search->walkable, sizeof walkable);
    memcpy(strides, search->strides, sizeof strides);
    memset(seen, 0, search->cells);
    seen[corner] = 1;
    reached[0] = corner;
    for (uint32_t i = 0, count = 1; i < count; i++) {
        for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
            const uint16_t cell = (uint16_t)(reached[i] + strides[heading]);
            if (!seen[cell] && walkable[cells[cell]]) {
                seen[cell] = 1;
                reached[count++] = cell;
                corner = cell < corner ? cell : corner;
            }
        }
    }
    return corner;
}

static void pack_cells(const struct search *search, uint8_t *packed)
{
    const uint8_t *cells = search->board.cells;
    for (uint32_t i = 0; i < search->cells; i += 2) {
        packed[i / 2] = (uint8_t)(cells[i] | cells[i + 1] << 4);
    }
}

static void unpack_cells(struct search *search, const uint8_t *packed)
{
    uint8_t *cells = search->board.cells;
    for (uint32_t i = 0; i < search->cells; i += 2) {
        cells[i] = packed[i / 2] & 15;
        cells[i + 1] = packed[i / 2] >> 4;
    }
}

static uint32_t hash_of(const struct search *search, const struct state *state)
{
    const uint32_t *words = (const uint32_t *)(const void *)(state + 1);
    const size_t count = (search->stride - sizeof *state) / sizeof *words;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ state->corner;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* Adds the state that was written behind the last one, unless it is there already. */
static void keep(struct search *search)
{
    const struct state *added = state_at(search, search->count);
    uint32_t slot = hash_of(search, added) & search->mask;
    for (; search->table[slot] != NOTHING; slot = (slot + 1) & search->mask) {
        const struct state *other = state_at(search, search->table[slot]);
        if (other->corner == added->corner && memcmp(other + 1, added + 1, search->stride - sizeof *added) == 0) {
            return;
        }
    }
    search->table[slot] = search->count++;
}

/* The board after a push as a state behind the last one. */
static void add(struct search *search, uint32_t before, const polar_push *push)
{
    struct state *added = state_at(search, search->count);
    memset(added, 0, search->stride);
    *added = (struct state){.before = before,
                            .penguin = search->board.penguin,
                            .hearts = search->board.hearts,
                            .cell = push->cell,
                            .heading = push->heading};
    pack_cells(search, (uint8_t *)(added + 1));
    added->corner = look_around(search);
    keep(search);
}

/* The pushes that the penguin can get to. Returns how many. */
static uint32_t list_pushes(const struct search *search, polar_push *pushes)
{
    const polar_board *board = &search->board;
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < search->cells; cell++) {
        if (!piece_is_movable((polar_piece)board->cells[cell])) {
            continue;
        }
        for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
            if (search->seen[(int32_t)cell - search->strides[heading]]) {
                pushes[count++] = (polar_push){(uint16_t)cell, (uint8_t)heading};
            }
        }
    }
    return count;
}

/* All pushes from a state. true: one of them cleared the board; it is the last state. */
static bool expand(struct search *search, uint32_t number)
{
    polar_board *board = &search->board;
    const struct state *from = state_at(search, number);
    board->penguin = from->penguin;
    board->hearts = from->hearts;
    unpack_cells(search, (const uint8_t *)(from + 1));
    look_around(search);
    const uint32_t count = list_pushes(search, search->pushes);
    for (uint32_t i = 0; i < count && search->count < search->limit; i++) {
        const polar_push *push = &search->pushes[i];
        board->penguin = (uint16_t)(push->cell - search->strides[push->heading]);
        board->facing = push->heading;
        const polar_move move = board_move(board, (polar_heading)push->heading);
        if (move.deed != DEED_PUSH) {
            continue;
        }
        if (!is_lost(search, (uint32_t)(push->cell + move.distance * search->strides[push->heading]))) {
            add(search, number, push);
        }
        if (board->hearts == 0) {
            return true;
        }
        board_undo(board, &move);
    }
    return false;
}

/* The pushes on the way to the last state, as many as there is room for from the first. Returns how many there are. */
static uint32_t trace(const struct search *search, polar_push *pushes, uint32_t room)
{
    uint32_t count = 0, left;
    for (uint32_t number = search->count - 1; number != 0; number = state_at(search, number)->before) {
        count++;
    }
    left = count;
    for (uint32_t number = search->count - 1; number != 0; number = state_at(search, number)->before) {
        if (--left < room) {
            pushes[left] = (polar_push){state_at(search, number)->cell, state_at(search, number)->heading};
        }
    }
    return count;
}

static search_result run(struct search *search, polar_push *pushes, uint32_t room, uint32_t *count)
{
    memset(search->table, 0xff, (search->mask + 1) * sizeof *search->table);
    find_lost_cells(search);
    for (uint32_t cell = 0; cell < search->cells; cell++) {
        if (is_lost(search, cell)) {
            return SEARCH_UNSOLVABLE;
        }
    }
    const polar_push none = {0};
    add(search, 0, &none);
    for (uint32_t number = 0; number < search->count; number++) {
        if (expand(search, number)) {
            *count = trace(search, pushes, room);
            return SEARCH_CLEARED;
        }
        if (search->count == search->limit) {
            return SEARCH_GAVE_UP;
        }
    }
    return SEARCH_UNSOLVABLE;
}

search_result board_search(const polar_board *board, size_t memory, polar_push *pushes, uint32_t room, uint32_t *count)
{
    *count = 0;
    if (board->hearts == 0) {
        return SEARCH_CLEARED;
    }
    struct search *search = malloc(sizeof *search);
    if (search == NULL) {
        return SEARCH_GAVE_UP;
    }
    search->board = *board;
    search->cells = ((board->width + 2u) * (board->height + 2u) + 1) & ~1u;
    search->stride = (sizeof(struct state) + search->cells / 2 + _Alignof(struct state) - 1) / _Alignof(struct state) *
                     _Alignof(struct state);
    search->count = 0;
    for (uint32_t i = 0; i < HEADING_COUNT; i++) {
        search->strides[i] = board_stride(board, i);
    }
    for (uint32_t i = 0; i < PIECE_COUNT; i++) {
        search->walkable[i] = piece_is_walkable((polar_piece)i);
    }
    /* A table of at least twice as many places as there are states, a power of two. */
    search->mask = 1;
    while (search->mask < UINT32_MAX / 4 &&
           (size_t)search->mask * (search->stride / 2 + sizeof(uint32_t)) * 2 <= memory) {
        search->mask *= 2;
    }
    search->limit = search->mask / 2;
    search->mask--;
    search->states = malloc(search->limit * search->stride + search->stride);
    search->table = malloc(((size_t)search->mask + 1) * sizeof *search->table);
    const bool good = search->states != NULL && search->table != NULL && search->limit >= LEAST_STATES;
    const search_result result = good ? run(search, pushes, room, count) : SEARCH_GAVE_UP;
    free(search->states);
    free(search->table);
    free(search);
    return result;
}
