/* turn.c: a turn, in the order of the rules: commands, explosions grow older, shots move and go off, flyers move, the
 * dead leave, everyone looks.
 */
#include "hunt.h"

/* commands */

static void ring_bell(wn_world *world, uint32_t seat)
{
    const wn_effect bell = {.kind = WN_SOUND, .tile = TILE_FLOOR, .cue = "hit"};
    wn_show_effect(world, (int32_t)seat, &bell);
}

static bool walk_into_flyer(wn_world *world, uint32_t seat, cell to)
{
    const hunt *game = hunt_of(world);
    for (uint64_t left = game->flyers; left != 0;) {
        const uint32_t other = next_seat(&left);
        if (game->players[other].at == to) {
            wn_say(world, (int32_t)other, WN_INFO, "Oooh, there's a short guy waving at you!");
            wn_say(world, (int32_t)seat, WN_INFO, "You couldn't quite reach him!");
            return true;
        }
    }
    return false;
}

static void walk_into_player(wn_world *world, uint32_t seat, uint32_t other, uint32_t direction)
{
    const hunt *game = hunt_of(world);
    const struct player *who = &game->players[seat];
    if (who->facing == direction) {
        players_hurt(world, other, seat, who->ident, game->set[SETTING_STABDAM], CAUSE_KNIFE);
    } else {
        ring_bell(world, seat);
    }
}

static void step_on_mine(wn_world *world, uint32_t seat, cell to, uint32_t direction)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    const uint8_t mine = game->item[to];
    const uint32_t setting = who->facing == direction             ? SETTING_PTRIP_FACE
                             : who->facing == opposite(direction) ? SETTING_PTRIP_BACK
                                                                  : SETTING_PTRIP_SIDE;
    const struct shot shot = shots_mine(mine, to);
    maze_set_item(game, to, 0);
    if (percent(world, game->set[setting])) {
        shots_add(world, shot);
    } else {
        who->ammo += shot.charge;
    }
}

static void put_on_boots(wn_world *world, uint32_t seat, cell to)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    who->boots = (uint8_t)(who->boots + (game->item[to] == TILE_BOOTS ? 2 : 1));
    maze_set_item(game, to, 0);
    wn_say(world, (int32_t)seat, WN_GOOD,
           who->boots == BOOTS ? "Wow!  A pair of boots!" : "You can hobble around on one boot.");
}

static void move(wn_world *world, uint32_t seat, uint32_t direction)
{
    hunt *game = hunt_of(world);
    const cell to = neighbour(game, game->players[seat].at, direction);
    if (game->flyers != 0 && walk_into_flyer(world, seat, to)) {
        return;
    }
    if (game->player_at[to] != 0) {
        walk_into_player(world, seat, game->player_at[to] - 1u, direction);
        return;
    }
    if (game->shot_tile[to] != 0) {
        shots_set_off(game, to);
        return;
    }
    if (game->terrain[to] != TILE_FLOOR && game->terrain[to] != TILE_DOOR) {
        return;
    }
    const uint8_t item = game->item[to];
    if (item == TILE_SMALL_MINE || item == TILE_LARGE_MINE) {
        step_on_mine(world, seat, to, direction);
    } else if (item != 0) {
        put_on_boots(world, seat, to);
    }
    players_walk(world, seat, to);
}

static bool pay_one(wn_world *world, uint32_t seat)
{
    struct player *who = &hunt_of(world)->players[seat];
    if (who->ammo == 0) {
        wn_say(world, (int32_t)seat, WN_BAD, "Not enough charges.");
        return false;
    }
    who->ammo--;
    return true;
}

static void scan(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    if (pay_one(world, seat)) {
        who->scan += (uint32_t)game->set[SETTING_SCANLEN] * (uint32_t)__builtin_popcountll(game->playing);
        who->cloak = 0;
        game->board_changed |= seat_bit(seat);
    }
}

static void cloak(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    if (who->boots > 0) {
        wn_say(world, (int32_t)seat, WN_BAD, "Boots are too noisy to cloak!");
    } else if (pay_one(world, seat)) {
        who->cloak += (uint32_t)game->set[SETTING_CLOAKLEN];
        who->scan = 0;
        game->board_changed |= seat_bit(seat);
    }
}

static void obey_on_the_ground(wn_world *world, const wn_command *command)
{
    hunt *game = hunt_of(world);
    const uint32_t seat = command->seat, direction = command->argument / 2;
    const bool straight = command->argument < WN_HERE && command->argument % 2 == 0;
    if (command->action == ACTION_MOVE && straight) {
        move(world, seat, direction);
    } else if (command->action == ACTION_FACE && straight) {
        game->players[seat].facing = (uint8_t)direction;
    } else if (command->action >= ACTION_FIRE && command->action <= ACTION_FIRE_LAST) {
        shots_fire(world, seat, (int32_t)command->action - ACTION_FIRE);
    } else if (command->action >= ACTION_OOZE && command->action <= ACTION_OOZE_LAST) {
        shots_ooze(world, seat, (int32_t)command->action - ACTION_OOZE);
    } else if (command->action == ACTION_SCAN) {
        scan(world, seat);
    } else if (command->action == ACTION_CLOAK) {
        cloak(world, seat);
    }
}

static void obey(wn_world *world, const wn_command *command)
{
    struct player *who = &hunt_of(world)->players[command->seat];
    if (who->state != SEAT_PLAYING || who->death[0] != '\0') {
        return;
    }
    who->fresh = false;
    if (command->action == ACTION_QUIT) {
        who->quits = true;
    } else if (who->flying == 0) {
        obey_on_the_ground(world, command);
    }
}

/* turn */

static void begin(hunt *game)
{
    changes_begin(&game->touched);
    changes_begin(&game->flashed);
    for (uint64_t left = game->playing; left != 0;) {
        changes_begin(&game->players[next_seat(&left)].changes);
    }
    game->board_changed = game->board_late;
    game->board_late = 0;
}

static void settle(hunt *game)
{
    changes_settle(&game->touched);
    changes_settle(&game->flashed);
    for (uint64_t left = game->playing; left != 0;) {
        changes_settle(&game->players[next_seat(&left)].changes);
    }
}

void hunt_take_turn(wn_world *world, const wn_turn *turn)
{
    hunt *game = hunt_of(world);
    begin(game);
    for (size_t i = 0; i < turn->count; i++) {
        obey(world, &turn->commands[i]);
    }
    explosions_age(game);
    shots_move(world);
    explosions_take_effect(world);
    flight_move(world);
    players_bury(world);
    for (uint64_t left = game->playing; left != 0;) {
        sight_look(game, next_seat(&left));
    }
    settle(game);
    hunt_wake(world);
}
