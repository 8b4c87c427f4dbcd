/* maze_generator.c: mazes as they are carved and drawn, against what the rules say of them. */
#include "maze.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { GENERATOR_SEED = 19970401 }; /* without WARREN_SEED */

static uint64_t next_number(void *context)
{
    return suite_random64(context);
}

static const uint32_t openings[4] = {MAZE_NORTH, MAZE_EAST, MAZE_SOUTH, MAZE_WEST};
static const int32_t dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};

static struct maze carve(uint32_t cells, maze_end end, uint64_t seed)
{
    struct maze maze = {.cells = cells, .cell = malloc(cells * cells * sizeof(uint16_t))};
    REQUIRE(maze.cell != NULL);
    const struct maze_chance chance = {next_number, &seed};
    maze_carve(&maze, end, &chance);
    return maze;
}

static uint8_t *draw(const struct maze *maze, struct maze_shape shape, uint64_t seed)
{
    const uint32_t side = maze_side(maze, &shape);
    uint8_t *squares = malloc((size_t)side * side);
    REQUIRE(squares != NULL);
    const struct maze_chance chance = {next_number, &seed};
    maze_draw(maze, &shape, squares, &chance);
    return squares;
}

/* Breadth first through the openings: how far each cell is from the start. */
static uint32_t *measure(const struct maze *maze)
{
    const uint32_t count = maze->cells * maze->cells;
    uint32_t *distance = malloc(count * sizeof *distance), *queue = malloc(count * sizeof *queue);
    REQUIRE(distance != NULL && queue != NULL);
    memset(distance, 0xff, count * sizeof *distance);
    uint32_t head = 0, tail = 0;
    queue[tail++] = maze->start;
    distance[maze->start] = 0;
    while (head < tail) {
        const uint32_t at = queue[head++];
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t to = at + (uint32_t)(dy[i] * (int32_t)maze->cells + dx[i]);
            if ((maze->cell[at] & openings[i]) != 0 && distance[to] == UINT32_MAX) {
                distance[to] = distance[at] + 1;
                queue[tail++] = to;
            }
        }
    }
    REQUIRE(tail == count);
    free(queue);
    return distance;
}

/* Every opening is there on both sides and leads to a cell; with all cells reached, one less than cells makes a tree.
 */
static void check_tree(const struct maze *maze)
{
    const uint32_t cells = maze->cells;
    uint32_t sides = 0;
    for (uint32_t at = 0; at < cells * cells; at++) {
        REQUIRE((maze->cell[at] & MAZE_VISITED) != 0);
        for (uint32_t i = 0; i < 4; i++) {
            if ((maze->cell[at] & openings[i]) == 0) {
                continue;
            }
            const int32_t x = (int32_t)(at % cells) + dx[i], y = (int32_t)(at / cells) + dy[i];
            REQUIRE(x >= 0 && x < (int32_t)cells && y >= 0 && y < (int32_t)cells);
            REQUIRE((maze->cell[y * (int32_t)cells + x] & openings[(i + 2) % 4]) != 0);
            sides++;
        }
    }
    REQUIRE(sides == 2 * (cells * cells - 1));
}

static bool may_be_end(const struct maze *maze, maze_end end, uint32_t at)
{
    const uint32_t x = at % maze->cells;
    return end == MAZE_END_FARTHEST || (end == MAZE_END_BOTTOM && at / maze->cells == maze->cells - 1) ||
           (end == MAZE_END_SIDE && (x == 0 || x == maze->cells - 1));
}

static void check_ends(const struct maze *maze, maze_end end)
{
    uint32_t *distance = measure(maze), farthest = 0;
    for (uint32_t at = 0; at < maze->cells * maze->cells; at++) {
        if (may_be_end(maze, end, at) && distance[at] > farthest) {
            farthest = distance[at];
        }
    }
    REQUIRE(maze->start < maze->cells);
    REQUIRE(may_be_end(maze, end, maze->end));
    REQUIRE(distance[maze->end] == farthest && maze->length == farthest);
    static const uint32_t exits[] = {MAZE_SOUTH, MAZE_WEST | MAZE_EAST, 0};
    REQUIRE((maze->exit & ~exits[end]) == 0 && (maze->exit != 0) == (end != MAZE_END_FARTHEST));
    free(distance);
}

/* The cells marked as the way are a path from the end to the start. */
static void check_way(const struct maze *maze)
{
    uint32_t marked = 0;
    for (uint32_t at = 0; at < maze->cells * maze->cells; at++) {
        marked += (maze->cell[at] & MAZE_WAY) != 0;
    }
    REQUIRE(marked == maze->length + 1);
    uint32_t at = maze->end;
    for (uint32_t steps = 0; steps < maze->length; steps++) {
        const uint32_t back = maze->cell[at] >> MAZE_BACK_SHIFT;
        REQUIRE((maze->cell[at] & MAZE_WAY) != 0 && (maze->cell[at] & openings[back]) != 0);
        at += (uint32_t)(dy[back] * (int32_t)maze->cells + dx[back]);
    }
    REQUIRE(at == maze->start);
}

START_TEST(every_maze_is_a_spanning_tree_with_its_end_as_far_as_can_be)
{
    uint64_t seed = suite_seed(GENERATOR_SEED);
    static const uint32_t sizes[] = {2, 3, 4, 5, 7, 10, 16, 31, 64, 100, 255, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int repeat = 0; repeat < (sizes[i] < 40 ? 60 : 4); repeat++) {
            for (uint32_t end = MAZE_END_BOTTOM; end <= MAZE_END_FARTHEST; end++) {
                const struct maze maze = carve(sizes[i], (maze_end)end, suite_random64(&seed));
                check_tree(&maze);
                check_ends(&maze, (maze_end)end);
                check_way(&maze);
                free(maze.cell);
            }
        }
    }
}
END_TEST

/* In three cells of the top row, and from a corner of a 2x2 maze in both directions, each equally often: 6 sigma. */
START_TEST(the_start_and_the_turns_are_fair)
{
    uint64_t seed = suite_seed(GENERATOR_SEED);
    enum { MAZES = 6000 };
    uint32_t starts[3] = {0}, souths = 0;
    for (uint32_t i = 0; i < MAZES; i++) {
        struct maze maze = carve(3, MAZE_END_BOTTOM, suite_random64(&seed));
        starts[maze.start]++;
        free(maze.cell);
        maze = carve(2, MAZE_END_BOTTOM, suite_random64(&seed));
        souths += (maze.cell[maze.start] & MAZE_SOUTH) != 0;
        free(maze.cell);
    }
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_double_lt(fabs(starts[i] - MAZES / 3.0), 6 * sqrt(MAZES * 2.0 / 9));
    }
    ck_assert_double_lt(fabs(souths - MAZES / 2.0), 6 * sqrt(MAZES / 4.0));
}
END_TEST

START_TEST(the_same_numbers_make_the_same_maze_and_others_another)
{
    const uint64_t seed = suite_seed(GENERATOR_SEED);
    const struct maze one = carve(40, MAZE_END_BOTTOM, seed), same = carve(40, MAZE_END_BOTTOM, seed),
                      other = carve(40, MAZE_END_BOTTOM, seed + 1);
    ck_assert(memcmp(one.cell, same.cell, 1600 * sizeof *one.cell) == 0);
    ck_assert(memcmp(one.cell, other.cell, 1600 * sizeof *one.cell) != 0);
    free(one.cell);
    free(same.cell);
    free(other.cell);
}
END_TEST

/* What the rules say of a square: which cell it is in, and whether in the hall or the wall part of it. */
static bool is_open(const struct maze *maze, const struct maze_shape *shape, int32_t x, int32_t y)
{
    const int32_t hall = (int32_t)shape->hall, wall = (int32_t)shape->wall, pitch = hall + wall;
    const int32_t cells = (int32_t)maze->cells;
    const int32_t cell_x = x / pitch - 2, cell_y = y / pitch - 2, in_x = x % pitch, in_y = y % pitch;
    if (cell_x >= 0 && cell_x < cells && cell_y >= 0 && cell_y < cells) {
        const uint32_t at = (uint32_t)(cell_y * cells + cell_x);
        uint32_t open = maze->cell[at];
        if (at == maze->end) {
            open |= maze->exit;
        }
        if (in_x >= hall) {
            return in_y < hall && (open & MAZE_EAST) != 0;
        }
        return in_y < hall || (open & MAZE_SOUTH) != 0;
    }
    const int32_t start_x = (int32_t)maze->start, end_y = (int32_t)maze->end / cells;
    if (cell_y == -1 && cell_x == start_x) {
        return in_x < hall && in_y >= hall; /* the wall north of the start */
    }
    return maze->exit == MAZE_WEST && cell_x == -1 && cell_y == end_y && in_y < hall && in_x >= hall;
}

START_TEST(the_map_agrees_with_the_cells_for_every_width_of_hall_and_wall)
{
    uint64_t seed = suite_seed(GENERATOR_SEED);
    for (uint32_t i = 0; i < 3 * 4 * 4 * 4; i++) {
        const struct maze_shape shape = {.hall = 1 + i / 3 % 4, .wall = 1 + i / 12 % 4, .heights = 1 + i % 9};
        const uint32_t cells = 2 + i / 48 * 5;
        const struct maze maze = carve(cells, (maze_end)(i % 3), suite_random64(&seed));
        const uint32_t side = maze_side(&maze, &shape);
        ck_assert_uint_eq(side, (cells + 3) * (shape.hall + shape.wall));
        uint8_t *squares = draw(&maze, shape, suite_random64(&seed));
        for (uint32_t at = 0; at < side * side; at++) {
            REQUIRE((squares[at] == 0) == is_open(&maze, &shape, (int32_t)(at % side), (int32_t)(at / side)));
            REQUIRE(squares[at] <= shape.heights);
        }
        free(squares);
        free(maze.cell);
    }
}
END_TEST

/* Nothing in the padding is open but the two openings, and each feature stands in an open square, far out: the square
 * beyond it is wall. */
START_TEST(the_padding_is_solid_but_for_the_features)
{
    uint64_t seed = suite_seed(GENERATOR_SEED);
    for (uint32_t i = 0; i < 300; i++) {
        const struct maze_shape shape = {.hall = 1 + i % 8, .wall = 1 + i / 8 % 8, .heights = 1};
        const maze_end end = (maze_end)(i % 3);
        const struct maze maze = carve(2 + i % 9, end, suite_random64(&seed));
        const int32_t side = (int32_t)maze_side(&maze, &shape), pitch = (int32_t)(shape.hall + shape.wall);
        uint8_t *squares = draw(&maze, shape, 1);
        uint32_t open = 0;
        for (int32_t at = 0; at < side * side; at++) {
            const int32_t x = at % side, y = at / side;
            if (x < 2 * pitch || y < 2 * pitch || x >= side - pitch || y >= side - pitch) {
                open += squares[at] == 0;
            }
        }
        const uint32_t opening = shape.hall * shape.wall;
        ck_assert_uint_eq(open, opening + (maze.exit == MAZE_WEST ? opening : 0));
        const struct maze_square north = maze_northern_feature(&maze, &shape), finale = maze_finale(&maze, &shape);
        ck_assert_uint_eq(squares[north.y * side + north.x], 0);
        ck_assert_uint_eq(squares[(north.y - 1) * side + north.x], 1);
        ck_assert_uint_eq(squares[finale.y * side + finale.x], 0);
        if (maze.exit != 0) {
            const uint32_t exit = maze.exit == MAZE_SOUTH ? 2 : maze.exit == MAZE_EAST ? 1 : 3;
            ck_assert_uint_eq(squares[(finale.y + dy[exit]) * side + finale.x + dx[exit]], 1);
        }
        free(squares);
        free(maze.cell);
    }
}
END_TEST

START_TEST(a_default_maze_has_26_squares_a_side)
{
    const struct maze maze = {.cells = 10};
    const struct maze_shape shape = {.hall = 1, .wall = 1, .heights = 3};
    ck_assert_uint_eq(maze_side(&maze, &shape), 26);
}
END_TEST

START_TEST(heights_are_in_range_and_uniform)
{
    uint64_t seed = suite_seed(GENERATOR_SEED);
    for (uint32_t heights = 1; heights <= MAZE_MAX_HEIGHTS; heights++) {
        const struct maze maze = carve(60, MAZE_END_BOTTOM, suite_random64(&seed));
        const struct maze_shape shape = {.hall = 1, .wall = 2, .heights = heights};
        const uint32_t side = maze_side(&maze, &shape);
        uint8_t *squares = draw(&maze, shape, suite_random64(&seed));
        uint32_t counts[MAZE_MAX_HEIGHTS + 1] = {0};
        for (uint32_t at = 0; at < side * side; at++) {
            REQUIRE(squares[at] <= heights);
            counts[squares[at]]++;
        }
        const double walls = side * side - counts[0], share = walls / heights;
        for (uint32_t i = 1; i <= heights; i++) {
            ck_assert_double_le(fabs(counts[i] - share), 6 * sqrt(share * (1 - 1.0 / heights)));
        }
        free(squares);
        free(maze.cell);
    }
}
END_TEST

START_TEST(obstacles_are_off_the_way_and_as_many_as_asked_for)
{
    uint64_t seed = suite_seed(GENERATOR_SEED);
    for (uint32_t percent = 0; percent <= 100; percent += 20) {
        struct maze maze = carve(100, MAZE_END_BOTTOM, suite_random64(&seed));
        uint64_t state = suite_random64(&seed);
        const struct maze_chance chance = {next_number, &state};
        maze_place_obstacles(&maze, percent, &chance);
        uint32_t obstacles = 0, off = 0;
        for (uint32_t at = 0; at < 100 * 100; at++) {
            obstacles += (maze.cell[at] & MAZE_OBSTACLE) != 0;
            off += (maze.cell[at] & MAZE_WAY) == 0;
            REQUIRE((maze.cell[at] & MAZE_OBSTACLE) == 0 || (maze.cell[at] & MAZE_WAY) == 0);
        }
        const double share = percent / 100.0;
        ck_assert_double_le(fabs(obstacles - off * share), 6 * sqrt(off * share * (1 - share)));
        free(maze.cell);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {every_maze_is_a_spanning_tree_with_its_end_as_far_as_can_be,
                                  the_start_and_the_turns_are_fair,
                                  the_same_numbers_make_the_same_maze_and_others_another,
                                  the_map_agrees_with_the_cells_for_every_width_of_hall_and_wall,
                                  the_padding_is_solid_but_for_the_features,
                                  a_default_maze_has_26_squares_a_side,
                                  heights_are_in_range_and_uniform,
                                  obstacles_are_off_the_way_and_as_many_as_asked_for};
    return suite_run("maze: generator", tests, sizeof tests / sizeof tests[0]);
}
