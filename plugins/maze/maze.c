/* maze.c: see maze.h. */
#include "maze.h"

#include <string.h>

enum { DIRECTIONS = 4 }; /* north, east, south, west */

static uint32_t opposite(uint32_t direction)
{
    return direction ^ 2;
}

/* A number from 0 to count - 1, each exactly as likely (Lemire's multiplication with rejection). */
static uint32_t below(const struct maze_chance *chance, uint32_t count)
{
    if (count < 2) {
        return 0;
    }
    uint64_t product = (chance->next(chance->context) >> 32) * count;
    if ((uint32_t)product < count) {
        const uint32_t unfair = (0u - count) % count;
        while ((uint32_t)product < unfair) {
            product = (chance->next(chance->context) >> 32) * count;
        }
    }
    return (uint32_t)(product >> 32);
}

/* cells */

static uint32_t neighbour(uint32_t cells, uint32_t at, uint32_t direction)
{
    const uint32_t step[DIRECTIONS] = {0u - cells, 1, cells, UINT32_MAX};
    return at + step[direction];
}

/* The directions to neighbours inside of the maze that nobody has visited. */
static uint32_t find_unvisited(const struct maze *maze, uint32_t at, uint32_t directions[DIRECTIONS])
{
    const uint32_t cells = maze->cells, x = at % cells, y = at / cells;
    const bool inside[DIRECTIONS] = {y > 0, x + 1 < cells, y + 1 < cells, x > 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        if (inside[i] && (maze->cell[neighbour(cells, at, i)] & MAZE_VISITED) == 0) {
            directions[count++] = i;
        }
    }
    return count;
}

static uint32_t back_from(const struct maze *maze, uint32_t at)
{
    return neighbour(maze->cells, at, maze->cell[at] >> MAZE_BACK_SHIFT & 3u);
}

/* Where a cell would open to the outside as an end, if it may be one. */
static bool may_end(const struct maze *maze, maze_end end, uint32_t at, uint32_t *exit)
{
    const uint32_t cells = maze->cells, x = at % cells;
    switch (end) {
    case MAZE_END_BOTTOM:
        *exit = MAZE_SOUTH;
        return at / cells == cells - 1;
    case MAZE_END_SIDE:
        *exit = x == 0 ? MAZE_WEST : MAZE_EAST;
        return x == 0 || x == cells - 1;
    case MAZE_END_FARTHEST:
        break;
    }
    *exit = 0;
    return true;
}

/* Depth-first. The stack lies in the cells: each knows from where it was come to, and that is where to go on when it
 * has no unvisited neighbour left. So how deep the stack is tells how far a cell is from the start. */
void maze_carve(struct maze *maze, maze_end end, const struct maze_chance *chance)
{
    memset(maze->cell, 0, (size_t)maze->cells * maze->cells * sizeof *maze->cell);
    uint32_t at = maze->start = below(chance, maze->cells), depth = 0;
    maze->cell[at] = MAZE_VISITED;
    maze->length = 0;
    for (;;) {
        uint32_t directions[DIRECTIONS], exit;
        const uint32_t count = find_unvisited(maze, at, directions);
        if (count > 0) {
            const uint32_t direction = directions[below(chance, count)];
            maze->cell[at] |= (uint16_t)(1u << direction);
            at = neighbour(maze->cells, at, direction);
            maze->cell[at] =
                (uint16_t)(MAZE_VISITED | 1u << opposite(direction) | opposite(direction) << MAZE_BACK_SHIFT);
            depth++;
            if (depth > maze->length && may_end(maze, end, at, &exit)) {
                maze->end = at;
                maze->length = depth;
                maze->exit = exit;
            }
        } else if (depth > 0) {
            at = back_from(maze, at);
            depth--;
        } else {
            break;
        }
    }
    for (at = maze->end; at != maze->start; at = back_from(maze, at)) {
        maze->cell[at] |= MAZE_WAY;
    }
    maze->cell[at] |= MAZE_WAY;
}

void maze_place_obstacles(struct maze *maze, uint32_t percent, const struct maze_chance *chance)
{
    for (uint32_t at = 0; percent > 0 && at < maze->cells * maze->cells; at++) {
        if ((maze->cell[at] & MAZE_WAY) == 0 && below(chance, 100) < percent) {
            maze->cell[at] |= MAZE_OBSTACLE;
        }
    }
}

/* squares */

uint32_t maze_side(const struct maze *maze, const struct maze_shape *shape)
{
    return (maze->cells + 3) * (shape->hall + shape->wall);
}

/* The north-western square of a cell. */
static struct maze_square corner(const struct maze *maze, const struct maze_shape *shape, uint32_t cell)
{
    const uint32_t pitch = shape->hall + shape->wall;
    return (struct maze_square){(int32_t)((cell % maze->cells + 2) * pitch),
                                (int32_t)((cell / maze->cells + 2) * pitch)};
}

struct maze_square maze_middle(const struct maze *maze, const struct maze_shape *shape, uint32_t cell)
{
    struct maze_square at = corner(maze, shape, cell);
    at.x += (int32_t)(shape->hall - 1) / 2;
    at.y += (int32_t)(shape->hall - 1) / 2;
    return at;
}

struct maze_square maze_northern_feature(const struct maze *maze, const struct maze_shape *shape)
{
    struct maze_square at = maze_middle(maze, shape, maze->start);
    at.y = corner(maze, shape, maze->start).y - (int32_t)shape->wall;
    return at;
}

struct maze_square maze_finale(const struct maze *maze, const struct maze_shape *shape)
{
    const int32_t hall = (int32_t)shape->hall, wall = (int32_t)shape->wall;
    const struct maze_square first = corner(maze, shape, maze->end);
    struct maze_square at = maze_middle(maze, shape, maze->end);
    switch (maze->exit) {
    case MAZE_SOUTH:
        at.y = first.y + hall + wall - 1;
        break;
    case MAZE_EAST:
        at.x = first.x + hall + wall - 1;
        break;
    case MAZE_WEST:
        at.x = first.x - wall;
        break;
    }
    return at;
}

/* A cell's hall, and what leads from it in the directions of `openings`. */
static void open_cell(const struct maze *maze, const struct maze_shape *shape, uint8_t *squares, uint32_t cell,
                      uint32_t openings)
{
    const int32_t hall = (int32_t)shape->hall, wall = (int32_t)shape->wall;
    const struct {
        uint32_t opening;
        int32_t x, y, width, height;
    } parts[] = {{0, 0, 0, hall, hall},
                 {MAZE_NORTH, 0, -wall, hall, wall},
                 {MAZE_EAST, hall, 0, wall, hall},
                 {MAZE_SOUTH, 0, hall, hall, wall},
                 {MAZE_WEST, -wall, 0, wall, hall}};
    const struct maze_square first = corner(maze, shape, cell);
    const size_t side = maze_side(maze, shape);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if ((parts[i].opening & ~openings) != 0) {
            continue;
        }
        uint8_t *row = squares + (size_t)(first.y + parts[i].y) * side + (size_t)(first.x + parts[i].x);
        for (int32_t y = 0; y < parts[i].height; y++, row += side) {
            memset(row, 0, (size_t)parts[i].width);
        }
    }
}

void maze_draw(const struct maze *maze, const struct maze_shape *shape, uint8_t *squares,
               const struct maze_chance *chance)
{
    const size_t side = maze_side(maze, shape);
    memset(squares, 1, side * side);
    for (uint32_t at = 0; at < maze->cells * maze->cells; at++) {
        open_cell(maze, shape, squares, at, maze->cell[at] & (MAZE_EAST | MAZE_SOUTH)); /* a cell's other two are its
                                                                                         * neighbours' */
    }
    open_cell(maze, shape, squares, maze->start, MAZE_NORTH);
    open_cell(maze, shape, squares, maze->end, maze->exit);
    for (size_t i = 0; i < side * side; i++) {
        if (squares[i] != 0) {
            squares[i] = (uint8_t)(1 + below(chance, shape->heights));
        }
    }
}
