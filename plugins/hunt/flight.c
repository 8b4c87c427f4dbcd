/* flight.c: what is in the air: players who entered flying or were thrown up by a wall, and boots that were kicked.
 */
#include "hunt.h"

static int8_t random_speed(wn_world *world, int32_t step)
{
    return (int8_t)(2 * (int32_t)wn_random(world, (uint32_t)step + 1) - step);
}

/* One coordinate's part of a move; what would leave the inner map bounces off. */
static int32_t fly(int32_t from, int8_t *speed, int32_t side)
{
    const int32_t to = from + *speed;
    if (to < 1 || to > side - 2) {
        *speed = (int8_t) - *speed;
        return to < 1 ? 1 : side - 2;
    }
    return to;
}

static cell flown(const hunt *game, cell from, int8_t *fly_x, int8_t *fly_y)
{
    return cell_at(game, fly(cell_x(game, from), fly_x, game->width), fly(cell_y(game, from), fly_y, game->height));
}

/* players */

void flight_launch(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    who->flying = (uint8_t)(1 + wn_random(world, (uint32_t)game->set[SETTING_FLYTIME]));
    who->fly_x = random_speed(world, game->set[SETTING_FLYSTEP]);
    who->fly_y = random_speed(world, game->set[SETTING_FLYSTEP]);
    game->player_at[who->at] = 0;
    game->flyers |= seat_bit(seat);
    game->board_changed |= seat_bit(seat);
}

static void land(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    who->flying = 0;
    who->facing = (uint8_t)wn_random(world, DIRECTIONS);
    game->player_at[who->at] = (uint8_t)(seat + 1);
    game->flyers &= ~seat_bit(seat);
    game->board_changed |= seat_bit(seat);
    const uint32_t most = who->damage / (uint32_t)game->set[SETTING_FALL_FRAC];
    players_hurt(world, seat, NOBODY, NO_IDENT, (int32_t)wn_random(world, most + 1), CAUSE_FALL);
}

static void move_player(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    const cell from = who->at;
    who->at = flown(game, from, &who->fly_x, &who->fly_y);
    players_follow(world, seat);
    sight_scanned(game, seat, from);
    who->flying--;
    if (who->flying == 0) {
        if (maze_is_empty(game, who->at)) {
            land(world, seat);
        } else {
            who->flying = 1; /* no place to land on: a turn more */
        }
    }
}

/* boots */

static struct boot *lying_boot(hunt *game)
{
    for (uint32_t i = 0; i < BOOTS; i++) {
        if (!game->boots[i].flying) {
            return &game->boots[i];
        }
    }
    return NULL;
}

static void throw_boot(wn_world *world, cell at, uint32_t turns, int32_t step)
{
    struct boot *boot = lying_boot(hunt_of(world));
    if (boot != NULL) {
        *boot = (struct boot){.flying = true, .left = (uint8_t)turns, .at = at};
        boot->fly_x = random_speed(world, step);
        boot->fly_y = random_speed(world, step);
    }
}

void flight_kick_boots(wn_world *world, cell at, uint32_t force)
{
    hunt *game = hunt_of(world);
    const uint32_t count = game->item[at] == TILE_BOOTS ? 2 : 1;
    maze_set_item(game, at, 0);
    for (uint32_t i = 0; i < count; i++) {
        throw_boot(world, at, 1 + wn_random(world, force), (int32_t)force);
    }
}

/* One lies where there was none, two where there was one. */
static bool boot_can_lie(const hunt *game, cell at)
{
    return maze_is_empty(game, at) ||
           (game->item[at] == TILE_BOOT && game->shot_tile[at] == 0 && game->player_at[at] == 0);
}

static void lay_boot(hunt *game, cell at)
{
    maze_set_item(game, at, game->item[at] == TILE_BOOT ? TILE_BOOTS : TILE_BOOT);
}

void flight_drop_boots(wn_world *world, cell at, uint32_t count, bool thrown)
{
    hunt *game = hunt_of(world);
    for (uint32_t i = 0; i < count; i++) {
        if (!thrown && boot_can_lie(game, at)) {
            lay_boot(game, at);
        } else {
            throw_boot(world, at, 1 + wn_random(world, (uint32_t)game->set[SETTING_FLYTIME]),
                       game->set[SETTING_FLYSTEP]);
        }
    }
}

static void move_boot(hunt *game, struct boot *boot)
{
    boot->at = flown(game, boot->at, &boot->fly_x, &boot->fly_y);
    boot->left--;
    if (boot->left > 0) {
        return;
    }
    if (boot_can_lie(game, boot->at)) {
        lay_boot(game, boot->at);
        *boot = (struct boot){0};
    } else {
        boot->left = 1;
    }
}

void flight_move(wn_world *world)
{
    hunt *game = hunt_of(world);
    for (uint64_t left = game->flyers; left != 0;) {
        move_player(world, next_seat(&left));
    }
    for (uint32_t i = 0; i < BOOTS; i++) {
        if (game->boots[i].flying) {
            move_boot(game, &game->boots[i]);
        }
    }
}
