/* print.h: a maze as text or as a picture: the formats of warren-maze. */
#ifndef MAZE_PRINT_H
#define MAZE_PRINT_H

#include <stdio.h>

#include "maze.h"

/* What is printed: a maze, its squares, and what made them. */
struct printed_maze {
    struct maze maze;
    struct maze_shape shape;
    const char *end; /* as it was asked for */
    uint64_t seed;
    uint32_t scale; /* pixels that a square takes in a picture */
    const uint8_t *squares;
};

/* Each is false if it could not be written. */
bool print_digits(const struct printed_maze *printed, FILE *to);
bool print_glyphs(const struct printed_maze *printed, FILE *to);
bool print_json(const struct printed_maze *printed, FILE *to);
bool print_png(const struct printed_maze *printed, FILE *to);

#endif
