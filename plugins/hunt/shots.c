/* shots.c: what flies: bullets, grenades, satchels, bombs, slime on its way, drones. What happens where they go off is
 * in explosions.c and slime.c.
 */
#include "hunt.h"

/* hunt(6); sizes and damage follow from the index: see shots_bomb(). */
const uint32_t hunt_bomb_price[BOMBS] = {1, 9, 25, 49, 81, 121, 169, 225, 289, 361, 441};
const uint32_t hunt_slime_price[SLIMES] = {5, 10, 15, 20};

static const uint8_t shot_tiles[SHOT_KINDS] = {
    [SHOT_BULLET] = TILE_BULLET, [SHOT_GRENADE] = TILE_GRENADE, [SHOT_SATCHEL] = TILE_SATCHEL, [SHOT_BOMB] = TILE_BOMB,
    [SHOT_SLIME] = TILE_SLIME,   [SHOT_LAVA] = TILE_LAVA,       [SHOT_DRONE] = TILE_DRONE,
};

struct shot shots_bomb(uint32_t index, cell at, uint32_t direction)
{
    return (struct shot){.kind = (uint8_t)(index < SHOT_BOMB ? index : SHOT_BOMB),
                         .cause = index == 0 ? CAUSE_BULLET : CAUSE_BOMB,
                         .at = at,
                         .direction = (uint8_t)direction,
                         .charge = hunt_bomb_price[index],
                         .size = (uint8_t)(index + 1),
                         .owner = NOBODY,
                         .credit = NO_IDENT};
}

struct shot shots_mine(uint8_t item, cell at)
{
    struct shot shot = shots_bomb(item == TILE_LARGE_MINE ? 1 : 0, at, WEST);
    shot.cause = CAUSE_MINE;
    shot.exploding = true;
    return shot;
}

/* in their cells */

/* Of several shots in a cell the last of the list shows: so it does after a load as well. */
static void retile(hunt *game, cell at, const struct shot *lifted)
{
    game->shot_tile[at] = 0;
    for (uint32_t i = game->shot_total; i > 0 && game->shot_tile[at] == 0; i--) {
        const struct shot *shot = &game->shots[i - 1];
        if (shot != lifted && shot->at == at && !shot->dead) {
            game->shot_tile[at] = shot_tiles[shot->kind];
        }
    }
}

void shots_rest(hunt *game, const struct shot *shot)
{
    if (game->shot_count[shot->at]++ > 0) {
        retile(game, shot->at, NULL);
    } else {
        game->shot_tile[shot->at] = shot_tiles[shot->kind];
    }
    maze_refresh(game, shot->at);
}

void shots_lift(hunt *game, const struct shot *shot)
{
    if (--game->shot_count[shot->at] > 0) {
        retile(game, shot->at, shot);
    } else {
        game->shot_tile[shot->at] = 0;
    }
    maze_refresh(game, shot->at);
}

void shots_add(wn_world *world, struct shot shot)
{
    hunt *game = hunt_of(world);
    if (game->shot_total == game->shot_capacity) {
        const uint32_t capacity = game->shot_capacity > 0 ? game->shot_capacity * 2 : 256;
        struct shot *grown = capacity <= SHOT_LIMIT ? wn_resize(world, game->shots, capacity * sizeof shot) : NULL;
        if (grown == NULL) {
            wn_log(world, WN_LOG_WARNING, "%u shots are in the air, and there is no room for one more: it is lost",
                   game->shot_total);
            return;
        }
        game->shots = grown;
        game->shot_capacity = capacity;
    }
    game->shots[game->shot_total++] = shot;
    shots_rest(game, &game->shots[game->shot_total - 1]);
}

void shots_set_off(hunt *game, cell at)
{
    for (uint32_t i = 0; i < game->shot_total; i++) {
        struct shot *shot = &game->shots[i];
        if (shot->at == at && !shot->dead) {
            shot->exploding = true;
        }
    }
}

void shots_forget_owner(hunt *game, uint32_t seat)
{
    for (uint32_t i = 0; i < game->shot_total; i++) {
        if (game->shots[i].owner == seat) {
            game->shots[i].owner = NOBODY;
        }
    }
}

/* firing */

/* The largest of the group up to `index` that the charges pay for, if the gun is cool enough; -1: none. */
static int32_t choose(wn_world *world, uint32_t seat, const uint32_t *prices, int32_t index)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    while (index >= 0 && who->ammo < prices[index]) {
        index--;
    }
    if (index < 0) {
        wn_say(world, (int32_t)seat, WN_BAD, "Not enough charges.");
        return -1;
    }
    if (who->heat > (uint32_t)game->set[SETTING_MAXNCSHOT]) {
        return -1;
    }
    who->heat++;
    who->ammo -= prices[index];
    const wn_effect effect = {.kind = WN_SOUND, .tile = TILE_BULLET, .cue = "shoot"};
    wn_show_effect(world, (int32_t)seat, &effect);
    return index;
}

static void launch(wn_world *world, uint32_t seat, struct shot shot)
{
    const struct player *who = &hunt_of(world)->players[seat];
    shot.owner = (uint8_t)seat;
    shot.credit = who->ident;
    shots_add(world, shot);
}

void shots_fire(wn_world *world, uint32_t seat, int32_t index)
{
    const struct player *who = &hunt_of(world)->players[seat];
    index = choose(world, seat, hunt_bomb_price, index);
    if (index >= 0) {
        launch(world, seat, shots_bomb((uint32_t)index, who->at, who->facing));
    }
}

void shots_ooze(wn_world *world, uint32_t seat, int32_t index)
{
    const struct player *who = &hunt_of(world)->players[seat];
    index = choose(world, seat, hunt_slime_price, index);
    if (index >= 0) {
        launch(world, seat,
               (struct shot){.kind = SHOT_SLIME,
                             .cause = CAUSE_SLIME,
                             .at = who->at,
                             .direction = who->facing,
                             .size = 1,
                             .charge = hunt_slime_price[index]});
    }
}

/* flying */

/* It would have killed, had it not been absorbed or ducked. */
static void count_saved(hunt *game, const struct player *who, const struct shot *shot)
{
    if (who->damage + shot->size * (uint32_t)game->set[SETTING_MINDAM] > who->capacity) {
        idents_count(game, who->ident, STAT_SAVED, 1);
    }
}

static void absorb(wn_world *world, struct shot *shot, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    if (shot->owner != NOBODY) {
        wn_say(world, shot->owner, WN_BAD, "Your charge was absorbed!");
    }
    wn_say(world, (int32_t)seat, WN_GOOD, "Absorbed charge (good shield!)");
    idents_count(game, shot->credit, STAT_ROBBED, shot->charge);
    idents_count(game, who->ident, STAT_ABSORBED, shot->charge);
    count_saved(game, who, shot);
    who->ammo += shot->charge;
    shot->dead = true;
}

static void miss(wn_world *world, const struct shot *shot, uint32_t seat)
{
    hunt *game = hunt_of(world);
    const struct player *who = &game->players[seat];
    idents_count(game, who->ident, STAT_DUCKED, shot->charge);
    idents_count(game, shot->credit, STAT_MISSED, shot->charge);
    count_saved(game, who, shot);
    wn_say(world, (int32_t)seat, WN_GOOD, "Zing!");
    if (shot->owner != NOBODY) {
        const bool often = (game->idents[shot->credit].stats[STAT_MISSED] & 7) == 7;
        wn_say(world, shot->owner, WN_INFO, "%s", often ? "My!  What a bad shot you are!" : "Missed him");
    }
}

static void meet_player(wn_world *world, struct shot *shot, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    const uint32_t charge = shot->charge;
    idents_count(game, who->ident, STAT_SHOT, charge);
    if (who->facing == opposite(shot->direction)) {
        idents_count(game, who->ident, STAT_FACED, charge);
        if (percent(world, game->set[SETTING_PGREN_CATCH])) {
            absorb(world, shot, seat);
            return;
        }
    }
    if (percent(world, game->set[SETTING_PMISS])) {
        miss(world, shot, seat);
    } else {
        shot->exploding = true;
    }
}

static void meet_shots(wn_world *world, struct shot *shot)
{
    hunt *game = hunt_of(world);
    const uint8_t other = game->shot_tile[shot->at];
    const int32_t chance = other == TILE_BULLET    ? game->set[SETTING_PSHOT_COLL]
                           : other == TILE_GRENADE ? game->set[SETTING_PGREN_COLL]
                                                   : 0;
    if (chance > 0 && percent(world, chance)) {
        shot->exploding = true;
        shots_set_off(game, shot->at);
    }
}

/* A diagonal turns the shot by 90 degrees and becomes the other diagonal. */
static void reflect(hunt *game, struct shot *shot)
{
    static const uint8_t by_slash[DIRECTIONS] = {[NORTH] = EAST, [EAST] = NORTH, [SOUTH] = WEST, [WEST] = SOUTH};
    const bool slash = game->terrain[shot->at] == TILE_SLASH;
    shot->direction = slash ? by_slash[shot->direction] : (uint8_t)opposite(by_slash[shot->direction]);
    maze_set_terrain(game, shot->at, slash ? TILE_BACKSLASH : TILE_SLASH);
}

static void meet_flyers(wn_world *world, const struct shot *shot)
{
    const hunt *game = hunt_of(world);
    for (uint64_t left = game->flyers; left != 0;) {
        const uint32_t seat = next_seat(&left);
        if (game->players[seat].at == shot->at) {
            wn_say(world, (int32_t)seat, WN_INFO, "Zing!");
        }
    }
}

static void meet_terrain(wn_world *world, struct shot *shot)
{
    hunt *game = hunt_of(world);
    if (is_border(game, shot->at)) {
        shot->exploding = true;
        return;
    }
    switch (game->terrain[shot->at]) {
    case TILE_HORIZONTAL:
    case TILE_VERTICAL:
    case TILE_CROSS:
        shot->exploding = true;
        break;
    case TILE_SLASH:
    case TILE_BACKSLASH:
        reflect(game, shot);
        break;
    case TILE_DOOR:
        shot->direction = (uint8_t)wn_random(world, DIRECTIONS);
        break;
    }
}

static void move_shot(wn_world *world, struct shot *shot)
{
    hunt *game = hunt_of(world);
    for (int32_t i = 0; i < game->set[SETTING_BULSPD] && !shot->exploding && !shot->dead; i++) {
        shot->at = neighbour(game, shot->at, shot->direction);
        if (game->shot_tile[shot->at] != 0) {
            meet_shots(world, shot);
        }
        if (game->flyers != 0) {
            meet_flyers(world, shot);
        }
        if (game->player_at[shot->at] != 0) {
            meet_player(world, shot, game->player_at[shot->at] - 1u);
        }
        if (!shot->dead && game->terrain[shot->at] != TILE_FLOOR) {
            meet_terrain(world, shot);
        }
    }
}

/* drones */

/* Towards a player next to it; else a random open way, back only if there is no other; DIRECTIONS: it is shut in. */
static uint32_t drone_way(wn_world *world, const struct shot *drone)
{
    const hunt *game = hunt_of(world);
    uint32_t ways[DIRECTIONS], count = 0;
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        if (game->player_at[neighbour(game, drone->at, i)] != 0) {
            return i;
        }
        if (i != opposite(drone->direction) && !slime_is_blocked(game, neighbour(game, drone->at, i))) {
            ways[count++] = i;
        }
    }
    if (count > 0) {
        return ways[wn_random(world, count)];
    }
    const uint32_t back = opposite(drone->direction);
    return slime_is_blocked(game, neighbour(game, drone->at, back)) ? DIRECTIONS : back;
}

static void move_drone(wn_world *world, struct shot *drone)
{
    hunt *game = hunt_of(world);
    const uint32_t way = drone_way(world, drone);
    if (drone->exploding || way == DIRECTIONS) {
        return;
    }
    drone->direction = (uint8_t)way;
    drone->at = neighbour(game, drone->at, way);
    if (game->player_at[drone->at] == 0) {
        return;
    }
    const uint32_t seat = game->player_at[drone->at] - 1u;
    struct player *who = &game->players[seat];
    if (who->facing == opposite(way) && percent(world, game->set[SETTING_PDRONEABSORB])) {
        who->ammo += drone->charge;
        drone->dead = true;
        wn_say(world, (int32_t)seat, WN_GOOD, "**** Absorbed drone ****");
        return;
    }
    drone->exploding = true;
}

void shots_move(wn_world *world)
{
    hunt *game = hunt_of(world);
    const uint32_t count = game->shot_total; /* nothing that moves adds one */
    for (uint32_t i = 0; i < count; i++) {
        struct shot *shot = &game->shots[i];
        if (shot->exploding) {
            continue;
        }
        shots_lift(game, shot);
        if (shot->kind == SHOT_DRONE) {
            move_drone(world, shot);
        } else {
            move_shot(world, shot);
        }
        if (!shot->dead) {
            shots_rest(game, shot);
        }
    }
}
