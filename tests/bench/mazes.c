/* mazes.c: bench-mazes: how long the generator of the mode maze takes for a maze: its cells, and its squares. */
#include <inttypes.h>
#include <maze.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "options.h"

static uint64_t splitmix64(void *context)
{
    uint64_t *state = context;
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int main(int count, char **words)
{
    static uint32_t cells = MAZE_MAX_CELLS, hall = 1, wall = 1, mazes = 50, seed = 1;
    const wn_bench_option options[] = {
        {.name = "cells", .number = &cells, .least = MAZE_MIN_CELLS, .most = MAZE_MAX_CELLS, .help = "cells of a side"},
        {.name = "hall", .number = &hall, .least = 1, .most = MAZE_MAX_WIDTH, .help = "squares that a hall is wide"},
        {.name = "wall", .number = &wall, .least = 1, .most = MAZE_MAX_WIDTH, .help = "squares that a wall is thick"},
        {.name = "mazes", .number = &mazes, .least = 1, .most = 100000, .help = "mazes to make"},
        {.name = "seed", .number = &seed, .least = 0, .most = UINT32_MAX, .help = "of all chance"},
        {0}};
    const int status = wn_bench_options_parse(options, "bench-mazes", "Time to make a maze.", count, words);
    if (status >= 0) {
        return status;
    }
    uint64_t state = seed;
    const struct maze_chance chance = {splitmix64, &state};
    const struct maze_shape shape = {hall, wall, 3};
    struct maze maze = {.cells = cells, .cell = malloc((size_t)cells * cells * sizeof(uint16_t))};
    const size_t side = maze_side(&maze, &shape);
    uint8_t *squares = malloc(side * side);
    if (maze.cell == NULL || squares == NULL) {
        fputs("bench-mazes: no memory for a maze of that size\n", stderr);
        return EXIT_FAILURE;
    }
    wn_samples carving = {0}, drawing = {0};
    for (uint32_t i = 0; i < mazes; i++) {
        const double start = wn_clock_us();
        maze_carve(&maze, MAZE_END_BOTTOM, &chance);
        const double middle = wn_clock_us();
        maze_draw(&maze, &shape, squares, &chance);
        wn_samples_add(&drawing, wn_clock_us() - middle);
        wn_samples_add(&carving, middle - start);
    }
    wn_bench_options_print(options, "bench-mazes");
    printf("A maze of %" PRIu32 "x%" PRIu32 " cells, %zux%zu squares, microseconds, median of %" PRIu32 "\n", cells,
           cells, side, side, mazes);
    printf("cells   %9.1f\nsquares %9.1f\n", wn_samples_percentile(&carving, 50), wn_samples_percentile(&drawing, 50));
    wn_samples_free(&carving);
    wn_samples_free(&drawing);
    free(squares);
    free(maze.cell);
    return EXIT_SUCCESS;
}
