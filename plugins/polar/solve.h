/* solve.h: the solver: pushes that clear a board, as few as it finds, or a proof that there are none. It tells
 * positions apart by what is on the board and by where the penguin can get without pushing, so walking costs it
 * nothing.
 */
#ifndef POLAR_SOLVE_H
#define POLAR_SOLVE_H

#include "board.h"

enum {
    SOLVE_MAX_PUSHES = 1000,     /* of a solution: longer ones are not looked for */
    SOLVE_LEAST_MEMORY = 1 << 20 /* bytes; with less it does not begin */
};

/* The cell of the thing that is pushed, and where to. */
typedef struct polar_push {
    uint16_t cell;
    uint8_t heading;
} polar_push;

typedef enum solve_result {
    SOLVE_CLEARED,    /* there are pushes that clear it */
    SOLVE_UNSOLVABLE, /* nothing clears it: proven */
    SOLVE_UNKNOWN     /* stopped, or a limit was reached */
} solve_result;

typedef struct polar_solution {
    solve_result result;
    bool fewest; /* cleared, and proven: there is no way with fewer pushes */
    bool full;   /* the memory was used up, or solutions were getting too long */
    uint32_t count;
    polar_push pushes[SOLVE_MAX_PUSHES];
} polar_solution;

/* How far it is. */
typedef struct solve_progress {
    uint64_t positions; /* met so far, those that were known already as well */
    size_t memory;      /* bytes that are in use, tables included */
    uint32_t width;     /* positions that are followed after each push; see solve.c */
    uint32_t pushes;    /* how many deep it looks now */
    uint32_t best;      /* pushes of the best solution so far; 0: none */
} solve_progress;

typedef struct solve_limits {
    size_t memory;      /* bytes from malloc(), all in all */
    uint64_t positions; /* 0: as many as it takes */
    bool any;           /* the first solution will do */
    uint32_t width;     /* positions that are followed after each push at first; 0: 1024 */
    /* Asked every few milliseconds: go on? NULL: always. */
    bool (*go_on)(void *context, const solve_progress *progress);
    void *context;
} solve_limits;

/* Goes on until the best solution is proven to be that, or a limit is reached. The same limits without go_on() give the
 * same answer on every machine. `progress`, if not NULL, is filled in at the end. */
void board_solve(const polar_board *board, const solve_limits *limits, polar_solution *solution,
                 solve_progress *progress);

/* The moves that make the pushes, with the fewest turns and steps between them: headings, as many as there is room for.
 * Returns how many there are; 0 if the penguin cannot make them. */
size_t solution_moves(const polar_board *board, const polar_push *pushes, uint32_t count, uint8_t *headings,
                      size_t room);

#endif
