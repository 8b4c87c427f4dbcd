/* maze.c: the maze, made and looked at, and what lies in it: terrain, items, and which of them shows in a cell.
 */
#include "hunt.h"

const int32_t hunt_dx[DIRECTIONS] = {0, 1, 0, -1}, hunt_dy[DIRECTIONS] = {-1, 0, 1, 0};

/* changes */

void maze_refresh(hunt *game, cell at)
{
    const uint8_t tile = game->shot_tile[at] ? game->shot_tile[at]
                         : game->item[at]    ? game->item[at]
                                             : game->terrain[at];
    if (tile != game->truth[at]) {
        game->truth[at] = tile;
        changes_add(&game->touched, at);
    }
}

void maze_set_terrain(hunt *game, cell at, uint8_t tile)
{
    game->terrain[at] = tile;
    maze_refresh(game, at);
    if (game->player_at[at] != 0 || game->flyers != 0) {
        changes_add(&game->touched, at); /* what is under a player shows, too */
    }
}

void maze_set_item(hunt *game, cell at, uint8_t tile)
{
    game->item[at] = tile;
    maze_refresh(game, at);
}

/* looking for cells */

bool maze_is_empty(const hunt *game, cell at)
{
    return game->truth[at] == TILE_FLOOR && game->player_at[at] == 0;
}

/* A random one of all empty cells, for when guessing did not find one. */
static cell count_empty(wn_world *world)
{
    const hunt *game = hunt_of(world);
    uint32_t empty = 0;
    for (uint32_t at = 0; at < game->cells; at++) {
        empty += maze_is_empty(game, (cell)at);
    }
    if (empty == 0) {
        return NO_CELL;
    }
    uint32_t chosen = wn_random(world, empty);
    for (uint32_t at = 0; at < game->cells; at++) {
        if (maze_is_empty(game, (cell)at) && chosen-- == 0) {
            return (cell)at;
        }
    }
    return NO_CELL;
}

cell maze_random_empty(wn_world *world, bool middle)
{
    enum { GUESSES = 64 };
    const hunt *game = hunt_of(world);
    const int32_t left = middle ? game->width / 4 : 1, top = middle ? game->height / 4 : 1;
    const int32_t across = middle ? game->width / 2 : game->width - 2;
    const int32_t down = middle ? game->height / 2 : game->height - 2;
    for (int i = 0; i < GUESSES; i++) {
        const int32_t x = left + (int32_t)wn_random(world, (uint32_t)across);
        const int32_t y = top + (int32_t)wn_random(world, (uint32_t)down);
        if (maze_is_empty(game, cell_at(game, x, y))) {
            return cell_at(game, x, y);
        }
    }
    return count_empty(world);
}

void maze_lay_mines(wn_world *world)
{
    hunt *game = hunt_of(world);
    for (int32_t i = 0; i < game->set[SETTING_MINES]; i++) {
        for (uint8_t tile = TILE_SMALL_MINE; tile <= TILE_LARGE_MINE; tile++) {
            const cell at = maze_random_empty(world, false);
            if (at != NO_CELL) {
                maze_set_item(game, at, tile);
            }
        }
    }
}

/* generation */

static bool is_wall(const hunt *game, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < game->width && y < game->height && game->terrain[cell_at(game, x, y)] != TILE_FLOOR;
}

static uint8_t look_of(wn_world *world, int32_t x, int32_t y)
{
    const hunt *game = hunt_of(world);
    const bool across = is_wall(game, x - 1, y) || is_wall(game, x + 1, y);
    const bool down = is_wall(game, x, y - 1) || is_wall(game, x, y + 1);
    if (across && down) {
        return TILE_CROSS;
    }
    if (across || down) {
        return across ? TILE_HORIZONTAL : TILE_VERTICAL;
    }
    if (game->set[SETTING_REFLECT]) {
        return wn_chance(world, 1, 2) ? TILE_SLASH : TILE_BACKSLASH;
    }
    return TILE_DOOR;
}

void maze_dress(wn_world *world)
{
    hunt *game = hunt_of(world);
    for (int32_t y = 0; y < game->height; y++) {
        for (int32_t x = 0; x < game->width; x++) {
            if (is_wall(game, x, y)) {
                maze_set_terrain(game, cell_at(game, x, y), look_of(world, x, y));
            }
        }
    }
}

/* The four directions in random order, two bits each. */
static uint8_t random_order(wn_world *world)
{
    uint32_t order[DIRECTIONS] = {NORTH, EAST, SOUTH, WEST};
    for (uint32_t i = DIRECTIONS - 1; i > 0; i--) {
        const uint32_t other = wn_random(world, i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    return (uint8_t)(order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6);
}

/* The way of the digger: per cell the order of its directions and how many of them were tried; and whence it came. It
 * walks by these notes instead of recursion, which a large maze would make deep. They are kept where nothing else is
 * yet: the order in `blast`, the number tried in `blast_left`, the direction that led there in `player_at`. */
static void dig(wn_world *world, cell start)
{
    hunt *game = hunt_of(world);
    cell at = start;
    game->terrain[at] = TILE_FLOOR;
    game->blast[at] = random_order(world);
    for (;;) {
        if (game->blast_left[at] == DIRECTIONS) {
            if (at == start) {
                return;
            }
            const uint32_t back = opposite(game->player_at[at]);
            at = (cell)(at + 2 * game->step[back]);
            continue;
        }
        const uint32_t direction = game->blast[at] >> 2 * game->blast_left[at]++ & 3;
        const int32_t x = cell_x(game, at) + 2 * hunt_dx[direction], y = cell_y(game, at) + 2 * hunt_dy[direction];
        if (x < 0 || y < 0 || x >= game->width || y >= game->height || !is_wall(game, x, y)) {
            continue;
        }
        game->terrain[neighbour(game, at, direction)] = TILE_FLOOR;
        at = cell_at(game, x, y);
        game->terrain[at] = TILE_FLOOR;
        game->blast[at] = random_order(world);
        game->player_at[at] = (uint8_t)direction;
    }
}

void maze_generate(wn_world *world)
{
    hunt *game = hunt_of(world);
    for (uint32_t at = 0; at < game->cells; at++) {
        game->terrain[at] = TILE_CROSS;
    }
    const int32_t x = 1 + 2 * (int32_t)wn_random(world, (uint32_t)game->width / 2);
    const int32_t y = 1 + 2 * (int32_t)wn_random(world, (uint32_t)game->height / 2);
    dig(world, cell_at(game, x, y));
    for (uint32_t at = 0; at < game->cells; at++) {
        game->blast[at] = 0;
        game->blast_left[at] = 0;
        game->player_at[at] = 0;
    }
    maze_dress(world);
    for (uint32_t at = 0; at < game->cells; at++) {
        maze_refresh(game, (cell)at);
    }
}
