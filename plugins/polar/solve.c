/* solve.c: see solve.h. Beam search (Lowerre 1976; on puzzles: Zhou and Hansen's beam-stack and breadth-first heuristic
 * search): positions are looked at layer by layer, a push to a layer. Of each layer only the `width` most promising are
 * followed. When that is all over it begins anew with a width four times as large, and looks only for solutions that
 * have fewer pushes than the best so far. A search that left nothing out proves what it found: that the solution has
 * the fewest pushes, or that there is none.
 *
 * What is cut is cut for good: positions with a heart that never gets home (solve_terrain.h) or never moves again
 * (solve_planes.h), and those from where the hearts need, each for itself, more pushes than the best solution leaves.
 */
#include "solve.h"

#include "solve_terrain.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_WIDTH = 1024,
    WIDTH_FACTOR = 4,
    MAX_WIDTH = 1 << 30,
    RANKS = 1024,        /* ranks are 0 to RANKS - 1 */
    ASK_INTERVAL = 1024, /* positions between two questions whether to go on */
    MAX_WORDS = (2 * BOARD_MAX_SIDE * BOARD_MAX_SIDE + BOARD_MAX_SIDE * BOARD_MAX_SIDE) / 32,
    LEAST_SLOTS = 1 << 10
};

/* A position that was met; its words follow. */
struct node {
    uint32_t before; /* the number of the one it came from */
    uint16_t corner; /* the first cell that the penguin can get to: the same for all it can */
    uint16_t push;   /* that led here: cell * 4 + heading */
    uint32_t rank;   /* small: promising */
};

struct solver {
    const solve_limits *limits;
    polar_solution *solution;
    solve_progress progress;
    uint64_t asked_at; /* positions when it was last asked whether to go on */
    bool left_out;     /* of this search, for being less promising */

    /* the position that is looked at */
    polar_board board;
    polar_planes planes;
    uint32_t words[MAX_WORDS];

    /* what does not change */
    polar_board ground; /* trees, houses and the edge */
    polar_planes ground_planes;
    terrain_cache *terrains;
    uint32_t word_count;
    uint32_t live_count, mountain_count;
    uint16_t live[BOARD_MAX_CELLS];      /* cells that things can be in */
    uint16_t mountains[BOARD_MAX_CELLS]; /* cells that mountains are in at first */
    uint32_t thing_bit[BOARD_MAX_CELLS]; /* by cell: where words have two bits: 0 nothing, else thing - PIECE_ICE + 1 */
    uint32_t mountain_bit[BOARD_MAX_CELLS];

    /* nodes, one behind the other, and their numbers by hash */
    uint8_t *nodes;
    size_t stride;
    uint32_t count, limit;
    uint32_t *slots; /* 0: free; else the number plus one, and above it, as far as there is room, bits of the hash */
    uint32_t slot_count, slot_limit;
    uint32_t number_mask;

    /* the layer that is being made */
    uint32_t depth;
    uint32_t ranks[RANKS]; /* how many there are of each */
    uint32_t taken;        /* how many up to the worst that is let in */
    uint32_t worst;
};

static struct node *node_at(const struct solver *solver, uint32_t number)
{
    return (struct node *)(void *)(solver->nodes + number * solver->stride);
}

/* positions in words */

static void flip_thing(struct solver *solver, polar_piece thing, uint32_t cell)
{
    const uint32_t bit = solver->thing_bit[cell];
    solver->words[bit / 32] ^= (uint32_t)(thing - PIECE_ICE + 1) << bit % 32;
    planes_flip(&solver->planes, thing, board_x(&solver->board, cell), board_y(&solver->board, cell));
}

static void flip_mountain(struct solver *solver, uint32_t cell)
{
    const uint32_t bit = solver->mountain_bit[cell];
    solver->words[bit / 32] ^= UINT32_C(1) << bit % 32;
    planes_flip(&solver->planes, PIECE_MOUNTAIN, board_x(&solver->board, cell), board_y(&solver->board, cell));
}

/* Bits and planes after a push, and, the other way round, after it was taken back. */
static void flip_push(struct solver *solver, uint32_t cell, const polar_move *move)
{
    const int32_t stride = board_stride(&solver->board, move->heading);
    const uint32_t end = (uint32_t)((int32_t)cell + move->distance * stride);
    flip_thing(solver, (polar_piece)move->thing, cell);
    if (move->outcome == OUTCOME_STOPS) {
        flip_thing(solver, (polar_piece)move->thing, end);
    } else if (move->outcome == OUTCOME_BLOWS_UP) {
        flip_mountain(solver, (uint32_t)((int32_t)end + stride));
    }
}

static void put_thing(struct solver *solver, uint32_t cell, polar_piece piece)
{
    board_set(&solver->board, cell, piece);
    planes_flip(&solver->planes, piece, board_x(&solver->board, cell), board_y(&solver->board, cell));
}

static void load(struct solver *solver, const struct node *node)
{
    const uint32_t cells = (solver->ground.width + 2u) * (solver->ground.height + 2u);
    memcpy(&solver->board, &solver->ground, offsetof(polar_board, cells) + cells);
    solver->planes = solver->ground_planes;
    memcpy(solver->words, node + 1, solver->word_count * sizeof *solver->words);
    for (uint32_t i = 0; i < solver->word_count; i++) {
        for (uint32_t word = solver->words[i]; word != 0;) {
            const uint32_t bit = (uint32_t)__builtin_ctz(word), at = i * 32 + bit;
            if (at >= 2 * solver->live_count) {
                put_thing(solver, solver->mountains[at - 2 * solver->live_count], PIECE_MOUNTAIN);
                word &= word - 1;
            } else {
                const uint32_t low = bit & ~1u, thing = word >> low & 3;
                put_thing(solver, solver->live[at / 2], (polar_piece)(PIECE_ICE + thing - 1));
                word &= ~(UINT32_C(3) << low);
            }
        }
    }
    solver->board.penguin = node->corner;
}

/* nodes and their table */

static uint32_t hash_of(const struct solver *solver, const struct node *node)
{
    const uint32_t *words = (const uint32_t *)(node + 1);
    uint64_t hash = node->corner;
    for (uint32_t i = 0; i < solver->word_count; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

/* Where the node is in the table, or the free place for it. */
static uint32_t find_slot(const struct solver *solver, const struct node *node, uint32_t hash)
{
    const uint32_t tag = hash & ~solver->number_mask;
    uint32_t slot = hash & (solver->slot_count - 1);
    for (; solver->slots[slot] != 0; slot = (slot + 1) & (solver->slot_count - 1)) {
        if ((solver->slots[slot] & ~solver->number_mask) != tag) {
            continue;
        }
        const struct node *other = node_at(solver, (solver->slots[slot] & solver->number_mask) - 1);
        if (other->corner == node->corner && memcmp(other + 1, node + 1, solver->word_count * sizeof(uint32_t)) == 0) {
            break;
        }
    }
    return slot;
}

static void fill_slots(struct solver *solver, uint32_t slot_count)
{
    solver->slot_count = slot_count;
    memset(solver->slots, 0, slot_count * sizeof *solver->slots);
    for (uint32_t i = 0; i < solver->count; i++) {
        const uint32_t hash = hash_of(solver, node_at(solver, i));
        solver->slots[find_slot(solver, node_at(solver, i), hash)] = (hash & ~solver->number_mask) | (i + 1);
    }
}

/* what a position is worth */

/* Fills in the least number of pushes that the hearts need, and whether mountains may still be blown up. false: the
 * position cannot be cleared. */
static bool judge(struct solver *solver, uint32_t *fewest, bool *mountains_stay)
{
    const polar_planes *planes = &solver->planes;
    const polar_terrain terrain = terrain_get(solver->terrains, planes->pieces[PIECE_MOUNTAIN]);
    bool closed = true;
    for (uint32_t y = 0; y < planes->height; y++) {
        for (uint64_t row = planes->pieces[PIECE_BOMB][y]; row != 0; row &= row - 1) {
            closed &= terrain.bomb[board_cell(&solver->board, (uint32_t)__builtin_ctzll(row), y)] == TERRAIN_NEVER;
        }
    }
    *fewest = 0;
    for (uint32_t y = 0; y < planes->height; y++) {
        for (uint64_t row = planes->pieces[PIECE_HEART][y]; row != 0; row &= row - 1) {
            const uint32_t cell = board_cell(&solver->board, (uint32_t)__builtin_ctzll(row), y);
            const uint32_t pushes = terrain.fewest[closed][cell];
            if (pushes == TERRAIN_NEVER) {
                return false;
            }
            *fewest += pushes;
        }
    }
    *mountains_stay = closed;
    return !planes_heart_is_stuck(planes, closed);
}

/* layers */

/* Lets in no more than `width`, by leaving out the worst ranks; one is always left. */
static void narrow(struct solver *solver, uint32_t width)
{
    while (solver->taken > width && solver->taken > solver->ranks[solver->worst]) {
        solver->left_out |= solver->ranks[solver->worst] > 0;
        solver->taken -= solver->ranks[solver->worst];
        solver->worst--;
    }
}

/* Is there anything in it for this search? Writes no node: the one behind the last is made to be judged. */
static bool is_wanted(struct solver *solver, struct node *node)
{
    uint32_t fewest;
    bool mountains_stay;
    if (!judge(solver, &fewest, &mountains_stay)) {
        return false;
    }
    if (solver->solution->count > 0 && solver->depth + fewest >= solver->solution->count) {
        return false;
    }
    const uint32_t rank = planes_guess(&solver->planes, mountains_stay, solver->worst);
    node->rank = rank < RANKS ? rank : RANKS - 1;
    if (node->rank > solver->worst) {
        solver->left_out = true;
        return false;
    }
    return true;
}

static void keep(struct solver *solver, const struct node *node, uint32_t slot, uint32_t hash)
{
    solver->slots[slot] = (hash & ~solver->number_mask) | (solver->count + 1);
    solver->count++;
    solver->ranks[node->rank]++;
    solver->taken++;
    if (solver->taken > 2 * solver->progress.width) {
        narrow(solver, solver->progress.width);
    }
    if (solver->count > solver->slot_count / 4 * 3 && solver->slot_count < solver->slot_limit) {
        fill_slots(solver, solver->slot_count * 2);
    }
}

/* The position as it is now, as a node behind the last one; kept if it is new and good for something. */
static void add(struct solver *solver, uint32_t before, uint32_t push)
{
    plane reach;
    struct node *node = node_at(solver, solver->count);
    const uint32_t penguin = solver->board.penguin;
    planes_reach(&solver->planes, board_x(&solver->board, penguin), board_y(&solver->board, penguin), reach);
    uint32_t y = 0;
    while (reach[y] == 0) {
        y++;
    }
    *node = (struct node){.before = before,
                          .corner = board_cell(&solver->board, (uint32_t)__builtin_ctzll(reach[y]), y),
                          .push = (uint16_t)push};
    memcpy(node + 1, solver->words, solver->word_count * sizeof *solver->words);
    solver->progress.positions++;
    const uint32_t hash = hash_of(solver, node), slot = find_slot(solver, node, hash);
    if (solver->slots[slot] == 0 && is_wanted(solver, node)) {
        keep(solver, node, slot, hash);
    }
}

/* The pushes that lead to the last node are a solution, better than any before. */
static void trace(struct solver *solver, uint32_t last, uint32_t push)
{
    polar_solution *solution = solver->solution;
    solution->result = SOLVE_CLEARED;
    solution->count = solver->depth;
    solver->progress.best = solver->depth;
    for (uint32_t i = solver->depth; i-- > 0;) {
        solution->pushes[i] = (polar_push){(uint16_t)(push >> 2), push & 3};
        push = node_at(solver, last)->push;
        last = node_at(solver, last)->before;
    }
}

/* Makes a push that the penguin can get to, looks at where it leads, and takes it back. true: the board is cleared. */
static bool try_push(struct solver *solver, uint32_t number, uint32_t cell, uint32_t heading)
{
    polar_board *board = &solver->board;
    board->penguin = (uint16_t)((int32_t)cell - board_stride(board, heading));
    board->facing = (uint8_t)heading;
    const polar_move move = board_move(board, (polar_heading)heading);
    if (move.deed != DEED_PUSH) {
        return false;
    }
    const uint32_t push = cell << 2 | heading;
    if (board->hearts == 0) {
        trace(solver, number, push);
        return true;
    }
    flip_push(solver, cell, &move);
    add(solver, number, push);
    flip_push(solver, cell, &move);
    board_undo(board, &move);
    return false;
}

/* Where in row y are things that can be pushed that way? */
static uint64_t pushable(const struct solver *solver, const plane reach, uint32_t y, uint32_t heading)
{
    const polar_planes *planes = &solver->planes;
    const uint64_t things =
        planes->pieces[PIECE_ICE][y] | planes->pieces[PIECE_HEART][y] | planes->pieces[PIECE_BOMB][y];
    switch (heading) {
    case HEADING_EAST:
        return things & reach[y] << 1;
    case HEADING_WEST:
        return things & reach[y] >> 1;
    case HEADING_SOUTH:
        return y > 0 ? things & reach[y - 1] : 0;
    default:
        return y + 1 < planes->height ? things & reach[y + 1] : 0;
    }
}

/* All pushes from a position. true: one of them cleared the board. */
static bool expand(struct solver *solver, uint32_t number)
{
    plane reach;
    load(solver, node_at(solver, number));
    const uint32_t penguin = solver->board.penguin;
    planes_reach(&solver->planes, board_x(&solver->board, penguin), board_y(&solver->board, penguin), reach);
    for (uint32_t y = 0; y < solver->planes.height; y++) {
        for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
            for (uint64_t row = pushable(solver, reach, y, heading); row != 0; row &= row - 1) {
                const uint32_t cell = board_cell(&solver->board, (uint32_t)__builtin_ctzll(row), y);
                if (solver->count < solver->limit && try_push(solver, number, cell, heading)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool may_go_on(struct solver *solver)
{
    const solve_limits *limits = solver->limits;
    solver->progress.memory =
        sizeof *solver + solver->count * solver->stride + solver->slot_count * sizeof *solver->slots;
    if (solver->count == solver->limit) {
        solver->solution->full = true;
        return false;
    }
    if (limits->positions > 0 && solver->progress.positions >= limits->positions) {
        return false;
    }
    if (limits->go_on != NULL && solver->progress.positions - solver->asked_at >= ASK_INTERVAL) {
        solver->asked_at = solver->progress.positions;
        return limits->go_on(limits->context, &solver->progress);
    }
    return true;
}

/* A layer that was made and is to be followed, as far as its width goes. */
struct layer {
    uint32_t first, end;
    uint32_t worst, of_worst; /* ranks up to that, and how many of the last one */
};

static void begin_layer(struct solver *solver)
{
    memset(solver->ranks, 0, sizeof solver->ranks);
    solver->taken = 0;
    solver->worst = RANKS - 1;
}

/* Closes the layer from `first` on, and begins the next. */
static struct layer close_layer(struct solver *solver, uint32_t first)
{
    const uint32_t width = solver->progress.width;
    narrow(solver, width);
    struct layer layer = {first, solver->count, solver->worst, solver->ranks[solver->worst]};
    if (solver->taken > width) {
        solver->left_out = true;
        layer.of_worst -= solver->taken - width;
    }
    begin_layer(solver);
    solver->progress.pushes = ++solver->depth;
    return layer;
}

typedef enum { FOUND, ENDED, STOPPED } search_end;

static search_end follow(struct solver *solver, struct layer *layer)
{
    for (uint32_t number = layer->first; number < layer->end; number++) {
        const uint32_t rank = node_at(solver, number)->rank;
        if (rank > layer->worst || (rank == layer->worst && layer->of_worst-- == 0)) {
            layer->of_worst += rank == layer->worst;
            continue;
        }
        if (expand(solver, number)) {
            return FOUND;
        }
        if (!may_go_on(solver)) {
            return STOPPED;
        }
    }
    return ENDED;
}

/* The first position, as the first layer. */
static void start(struct solver *solver, const polar_board *board)
{
    solver->board = *board;
    solver->planes = solver->ground_planes;
    memset(solver->words, 0, sizeof solver->words);
    for (uint32_t i = 0; i < solver->live_count; i++) {
        const uint16_t cell = solver->live[i];
        if (piece_is_movable((polar_piece)board->cells[cell])) {
            flip_thing(solver, (polar_piece)board->cells[cell], cell);
        } else if (board->cells[cell] == PIECE_MOUNTAIN) {
            flip_mountain(solver, cell);
        }
    }
    add(solver, 0, 0);
}

/* One search with the width that is set. `complete`: nothing was left out on the way to its end. */
static search_end search(struct solver *solver, const polar_board *board, bool *complete)
{
    search_end end = ENDED;
    solver->count = 0;
    solver->depth = 0;
    solver->left_out = false;
    fill_slots(solver, LEAST_SLOTS);
    begin_layer(solver);
    start(solver, board);
    for (uint32_t first = 0; end == ENDED && first < solver->count;) {
        struct layer layer = close_layer(solver, first);
        *complete = !solver->left_out;
        if (solver->depth > SOLVE_MAX_PUSHES) {
            solver->solution->full = true;
            return STOPPED;
        }
        end = follow(solver, &layer);
        first = layer.end;
    }
    *complete = end == FOUND ? *complete : !solver->left_out;
    return end;
}

/* all of it */

static void read_board(struct solver *solver, const polar_board *board)
{
    solver->ground = *board;
    solver->ground.hearts = 0;
    for (uint32_t y = 0; y < board->height; y++) {
        for (uint32_t x = 0; x < board->width; x++) {
            const uint16_t cell = board_cell(board, x, y);
            const polar_piece piece = (polar_piece)board->cells[cell];
            if (piece == PIECE_TREE || piece == PIECE_HOUSE) {
                continue;
            }
            solver->ground.cells[cell] = PIECE_EMPTY;
            solver->thing_bit[cell] = 2 * solver->live_count;
            solver->live[solver->live_count++] = cell;
            if (piece == PIECE_MOUNTAIN) {
                solver->mountains[solver->mountain_count++] = cell;
            }
        }
    }
    for (uint32_t i = 0; i < solver->mountain_count; i++) {
        solver->mountain_bit[solver->mountains[i]] = 2 * solver->live_count + i;
    }
    solver->word_count = (2 * solver->live_count + solver->mountain_count + 31) / 32;
    solver->stride = sizeof(struct node) + solver->word_count * sizeof(uint32_t);
    planes_read(&solver->ground_planes, &solver->ground);
}

/* Shares the memory out: the terrains get a little, the table as much as it needs for the nodes. */
static bool make_room(struct solver *solver, const polar_board *board)
{
    const size_t memory = solver->limits->memory;
    solver->terrains = terrain_cache_new(board, memory / 16);
    if (memory < SOLVE_LEAST_MEMORY || solver->terrains == NULL) {
        return false;
    }
    const size_t room = memory - memory / 16 - sizeof *solver;
    for (size_t slots = LEAST_SLOTS; slots <= UINT32_MAX / 2 && slots * sizeof(uint32_t) < room; slots *= 2) {
        const size_t nodes = (room - slots * sizeof(uint32_t)) / solver->stride - 1;
        const size_t limit = nodes < slots / 4 * 3 ? nodes : slots / 4 * 3;
        if (limit > solver->limit) {
            solver->limit = (uint32_t)limit;
            solver->slot_limit = (uint32_t)slots;
        }
    }
    while (solver->number_mask < solver->limit) {
        solver->number_mask = solver->number_mask << 1 | 1;
    }
    solver->nodes = malloc((solver->limit + (size_t)1) * solver->stride);
    solver->slots = malloc(solver->slot_limit * sizeof *solver->slots);
    return solver->nodes != NULL && solver->slots != NULL;
}

static void run(struct solver *solver, const polar_board *board)
{
    polar_solution *solution = solver->solution;
    search_end end = ENDED;
    bool complete = false;
    uint64_t width = solver->limits->width > 0 ? solver->limits->width : FIRST_WIDTH;
    for (; end != STOPPED && !complete; width *= WIDTH_FACTOR) {
        solver->progress.width = width < MAX_WIDTH ? (uint32_t)width : MAX_WIDTH;
        end = search(solver, board, &complete);
        if (end == FOUND && solver->limits->any) {
            break;
        }
    }
    if (complete && end != STOPPED) {
        solution->fewest = solution->count > 0;
        solution->result = solution->fewest ? SOLVE_CLEARED : SOLVE_UNSOLVABLE;
    }
}

void board_solve(const polar_board *board, const solve_limits *limits, polar_solution *solution,
                 solve_progress *progress)
{
    *solution = (polar_solution){.result = SOLVE_UNKNOWN};
    struct solver *solver = NULL;
    if (board->hearts == 0) {
        solution->result = SOLVE_CLEARED;
        solution->fewest = true;
    } else if ((solver = calloc(1, sizeof *solver)) != NULL) {
        solver->limits = limits;
        solver->solution = solution;
        read_board(solver, board);
        if (make_room(solver, board)) {
            run(solver, board);
        } else {
            solution->full = true;
        }
    }
    if (progress != NULL) {
        *progress = solver != NULL ? solver->progress : (solve_progress){0};
    }
    if (solver != NULL) {
        terrain_cache_free(solver->terrains);
        free(solver->nodes);
        free(solver->slots);
        free(solver);
    }
}
