/* maze.h: a maze of cells, and the map of squares that it makes. Nothing of a game is in here, and nothing but the C
 * library is needed: a mode, a tool or a test makes its mazes with these two files.
 *
 *     uint16_t cell[10 * 10];
 *     struct maze maze = {.cells = 10, .cell = cell};
 *     maze_carve(&maze, MAZE_END_BOTTOM, &chance);
 *     const struct maze_shape shape = {.hall = 1, .wall = 1, .heights = 3};
 *     uint8_t *squares = malloc(maze_side(&maze, &shape) * maze_side(&maze, &shape));
 *     maze_draw(&maze, &shape, squares, &chance);
 *
 * The caller owns all memory; nothing here can fail. Time and memory grow with the number of cells and squares. The
 * same numbers from `chance` make the same maze.
 */
#ifndef MAZE_H
#define MAZE_H

#include <stdbool.h>
#include <stdint.h>

enum { MAZE_MIN_CELLS = 2, MAZE_MAX_CELLS = 256, MAZE_MAX_WIDTH = 8, MAZE_MAX_HEIGHTS = 9 };

/* Where random numbers come from: 64 bits at a time. */
struct maze_chance {
    uint64_t (*next)(void *context);
    void *context;
};

/* What a cell knows. An opening is there on both its sides; the edge of the maze has none. */
enum {
    MAZE_NORTH = 1,
    MAZE_EAST = 2,
    MAZE_SOUTH = 4,
    MAZE_WEST = 8,
    MAZE_OPENINGS = 15,
    MAZE_VISITED = 16,
    MAZE_OBSTACLE = 32,
    MAZE_WAY = 64,       /* on the way from the start to the end */
    MAZE_BACK_SHIFT = 8, /* in two bits above: the way back to the start begins north, east, south or west */
};

typedef enum maze_end {
    MAZE_END_BOTTOM,  /* in the bottom row */
    MAZE_END_SIDE,    /* in the western or the eastern column */
    MAZE_END_FARTHEST /* anywhere; it has no way out then */
} maze_end;

struct maze {
    uint32_t cells;      /* of a side, MAZE_MIN_CELLS .. MAZE_MAX_CELLS: set by the caller */
    uint16_t *cell;      /* cells * cells of them, row by row: the caller's */
    uint32_t start, end; /* cells, as indices */
    uint32_t length;     /* of the way between them, in cells */
    uint32_t exit;       /* MAZE_SOUTH, MAZE_WEST or MAZE_EAST: where the end opens to the outside; 0: nowhere */
};

/* Makes every cell reachable, by exactly one path from any other. The start is in the top row; the end is the cell,
 * among those that `end` allows, whose path from the start is longest. No cell has an obstacle. */
void maze_carve(struct maze *maze, maze_end end, const struct maze_chance *chance);
/* Puts an obstacle into so many of 100 of the cells that are not on the way; which ones is chance. */
void maze_place_obstacles(struct maze *maze, uint32_t percent, const struct maze_chance *chance);

/* The map: squares row by row, of which a cell takes hall + wall each way, with two cells' worth of wall before the
 * first and one behind the last. */
struct maze_shape {
    uint32_t hall, wall; /* squares, 1 .. MAZE_MAX_WIDTH */
    uint32_t heights;    /* of walls, 1 .. MAZE_MAX_HEIGHTS */
};

struct maze_square {
    int32_t x, y;
};

/* Squares of a side. */
uint32_t maze_side(const struct maze *maze, const struct maze_shape *shape);
/* Fills side * side squares: 0 where it is open, else the height of the wall there, from 1 on, each as likely. Outside
 * of the cells only the two openings are open, each as wide as a hall and as deep as a wall. */
void maze_draw(const struct maze *maze, const struct maze_shape *shape, uint8_t *squares,
               const struct maze_chance *chance);
/* The middle of a cell's hall: where an obstacle stands. */
struct maze_square maze_middle(const struct maze *maze, const struct maze_shape *shape, uint32_t cell);
/* The features: far out in the opening north of the start; likewise at the end, or in the middle of its hall if it has
 * no way out. */
struct maze_square maze_northern_feature(const struct maze *maze, const struct maze_shape *shape);
struct maze_square maze_finale(const struct maze *maze, const struct maze_shape *shape);

#endif
