/* walls.c: walls that explosions open, and that come back in the order in which they were opened.
 */
#include "hunt.h"

/* Never on anything but an empty cell or a player. */
static bool may_come_back(const hunt *game, cell at)
{
    return game->truth[at] == TILE_FLOOR;
}

/* Some come back as something else. */
static uint8_t returning(wn_world *world, uint8_t tile)
{
    const hunt *game = hunt_of(world);
    const int32_t roll = (int32_t)wn_random(world, 100);
    if (roll < game->set[SETTING_PRANDOM]) {
        return TILE_DOOR;
    }
    if (roll < game->set[SETTING_PRANDOM] + game->set[SETTING_PREFLECT] && game->set[SETTING_REFLECT]) {
        return wn_chance(world, 1, 2) ? TILE_SLASH : TILE_BACKSLASH;
    }
    return tile;
}

/* The oldest that can. false: none can. */
static bool bring_back(wn_world *world)
{
    hunt *game = hunt_of(world);
    uint32_t i = 0;
    while (i < game->opened_count && !may_come_back(game, game->opened[i].at)) {
        i++;
    }
    if (i == game->opened_count) {
        return false;
    }
    const struct opened wall = game->opened[i];
    for (game->opened_count--; i < game->opened_count; i++) {
        game->opened[i] = game->opened[i + 1];
    }
    maze_set_terrain(game, wall.at, returning(world, wall.tile));
    if (game->player_at[wall.at] != 0) {
        flight_launch(world, game->player_at[wall.at] - 1u);
    }
    return true;
}

void walls_open(wn_world *world, cell at)
{
    hunt *game = hunt_of(world);
    if (game->terrain[at] == TILE_FLOOR || is_border(game, at)) {
        return;
    }
    if (game->opened_count >= (uint32_t)game->set[SETTING_MAXREMOVE] && !bring_back(world)) {
        return; /* as many are open as may be, and none can come back: this one stays */
    }
    game->opened[game->opened_count++] = (struct opened){at, game->terrain[at]};
    maze_set_terrain(game, at, TILE_FLOOR);
}
