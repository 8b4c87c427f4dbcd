/* explosions.c: shots go off: whom they hurt, what they open and set off, how that looks. Slime has its own file.
 */
#include <stdlib.h>

#include "hunt.h"

/* how it looks */

void explosions_show(hunt *game, cell at, uint8_t tile)
{
    if (game->blast_left[at] == 0) {
        game->blasts[game->blast_count++] = at;
    }
    game->blast_left[at] = (uint8_t)game->set[SETTING_EXPLEN];
    game->blast[at] = tile;
    changes_add(&game->flashed, at);
}

void explosions_age(hunt *game)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < game->blast_count; i++) {
        const cell at = game->blasts[i];
        if (--game->blast_left[at] > 0) {
            game->blasts[kept++] = at;
            continue;
        }
        game->blast[at] = 0;
        changes_add(&game->flashed, at);
        sight_learn(game, at);
    }
    game->blast_count = kept;
}

static uint8_t look_of(int32_t dx, int32_t dy)
{
    if (dx == 0 || dy == 0) {
        return dx == dy ? TILE_BLAST : dx == 0 ? TILE_BLAST_VERTICAL : TILE_BLAST_HORIZONTAL;
    }
    return dx == dy ? TILE_BLAST_BACKSLASH : dx == -dy ? TILE_BLAST_SLASH : TILE_BLAST;
}

/* what it does */

static void hurt_those_near(wn_world *world, const struct shot *shot)
{
    hunt *game = hunt_of(world);
    const int32_t x = cell_x(game, shot->at), y = cell_y(game, shot->at);
    for (uint64_t left = game->playing; left != 0;) {
        const uint32_t seat = next_seat(&left);
        const cell at = game->players[seat].at;
        const int32_t dx = abs(cell_x(game, at) - x), dy = abs(cell_y(game, at) - y);
        const int32_t distance = dx > dy ? dx : dy;
        if (distance < shot->size) {
            players_hurt(world, seat, shot->owner, shot->credit, (shot->size - distance) * game->set[SETTING_MINDAM],
                         (cause)shot->cause);
        }
    }
}

/* Mines go off, boots fly. */
static void shake_item(wn_world *world, cell at, uint32_t force)
{
    hunt *game = hunt_of(world);
    const uint8_t item = game->item[at];
    if (item == TILE_SMALL_MINE || item == TILE_LARGE_MINE) {
        maze_set_item(game, at, 0);
        shots_add(world, shots_mine(item, at));
    } else if (item != 0) {
        flight_kick_boots(world, at, force);
    }
}

static void explode(wn_world *world, const struct shot *shot)
{
    hunt *game = hunt_of(world);
    const int32_t x = cell_x(game, shot->at), y = cell_y(game, shot->at), reach = shot->size - 1;
    hurt_those_near(world, shot);
    for (int32_t dy = -reach; dy <= reach; dy++) {
        for (int32_t dx = -reach; dx <= reach; dx++) {
            if (x + dx < 0 || y + dy < 0 || x + dx >= game->width || y + dy >= game->height) {
                continue;
            }
            const cell at = cell_at(game, x + dx, y + dy);
            const int32_t distance = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
            if (game->item[at] != 0) {
                shake_item(world, at, (uint32_t)(shot->size - distance));
            }
            explosions_show(game, at, look_of(dx, dy));
            walls_open(world, at);
        }
    }
    if (reach > 0) { /* a bullet is one cell that shows already */
        const wn_effect effect = {
            .kind = WN_EXPLOSION, .x = x, .y = y, .radius = (uint32_t)reach, .tile = TILE_BLAST, .cue = "explode"};
        hunt_show(world, &effect);
    }
}

static void go_off(wn_world *world, struct shot shot)
{
    hunt *game = hunt_of(world);
    if (shot.kind <= SHOT_BOMB) {
        explode(world, &shot);
        return;
    }
    if (shot.kind == SHOT_DRONE || (shot.kind == SHOT_SLIME && shot.size == 1)) { /* it was on its way until now */
        shot.charge *= shot.kind == SHOT_SLIME ? (uint32_t)game->set[SETTING_SLIMEFACTOR] : 1;
        shot.kind = SHOT_SLIME;
        shot.size = 0;
    }
    slime_spread(world, shot);
}

static void compact(hunt *game)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < game->shot_total; i++) {
        if (!game->shots[i].dead) {
            game->shots[kept++] = game->shots[i];
        }
    }
    game->shot_total = kept;
}

/* What goes off because of others does in the next turn, unless its own place in the list is still to come. */
void explosions_take_effect(wn_world *world)
{
    hunt *game = hunt_of(world);
    const uint32_t count = game->shot_total;
    for (uint32_t i = 0; i < count; i++) {
        struct shot *shot = &game->shots[i];
        if (!shot->exploding || shot->dead) {
            continue;
        }
        shot->dead = true;
        shots_lift(game, shot);
        go_off(world, *shot);
    }
    compact(game);
}
