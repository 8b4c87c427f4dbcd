/* players.c: players come, are hurt, die, and go. Their commands are in turn.c and shots.c, what they see in sight.c.
 */
#include <string.h>

#include "hunt.h"

const char *players_name(const hunt *game, uint32_t seat)
{
    return game->idents[game->players[seat].ident].name;
}

uint8_t players_tile(const hunt *game, uint32_t seat, int32_t viewer)
{
    const struct player *who = &game->players[seat];
    if (who->flying > 0) {
        return TILE_FLYER;
    }
    if (viewer == (int32_t)seat) {
        return (uint8_t)(TILE_YOU + who->facing);
    }
    const uint8_t team = game->idents[who->ident].team;
    if (viewer >= 0 && team != ' ' && team == game->idents[game->players[viewer].ident].team) {
        return (uint8_t)(TILE_TEAM + team - '0');
    }
    return (uint8_t)(TILE_OTHER + who->facing);
}

/* Spectators look at the first player. */
void players_follow_first(wn_world *world)
{
    const hunt *game = hunt_of(world);
    if (game->playing != 0 && game->set[SETTING_MONITORS]) {
        const struct player *who = &game->players[__builtin_ctzll(game->playing)];
        wn_place(world, WN_SPECTATORS, cell_x(game, who->at), cell_y(game, who->at));
    }
}

void players_follow(wn_world *world, uint32_t seat)
{
    const hunt *game = hunt_of(world);
    const cell at = game->players[seat].at;
    wn_place(world, (int32_t)seat, cell_x(game, at), cell_y(game, at));
    if ((game->playing & (seat_bit(seat) - 1)) == 0) {
        players_follow_first(world);
    }
}

/* entering */

/* The newcomer's charges, and those that his coming brings the others. */
static void hand_out_charges(hunt *game, uint32_t seat)
{
    const uint32_t extra = (uint32_t)game->set[SETTING_NSHOTS];
    struct player *who = &game->players[seat];
    who->ammo = (uint32_t)game->set[SETTING_ISHOTS];
    for (uint64_t left = game->playing & ~seat_bit(seat); left != 0;) {
        game->players[next_seat(&left)].ammo += extra;
        who->ammo += extra;
    }
}

static uint32_t scan_length(const hunt *game)
{
    return (uint32_t)game->set[SETTING_SCANLEN] * (uint32_t)__builtin_popcountll(game->playing);
}

/* Players of one name and team share their score, those who are out of the game as well. */
static void score_changed(hunt *game, uint32_t ident)
{
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        if (game->players[seat].state != SEAT_FREE && game->players[seat].ident == ident) {
            game->board_changed |= seat_bit(seat);
        }
    }
}

/* Cloaked, scanning or flying, as the player chose. */
static void take_shape(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    const uint32_t enter = wn_seat_entry(world, seat);
    game->board_changed |= seat_bit(seat);
    who->cloak = enter == ENTER_CLOAKED ? (uint32_t)game->set[SETTING_CLOAKLEN] : 0;
    who->scan = enter == ENTER_SCANNING ? scan_length(game) : 0;
    if (enter == ENTER_FLYING) {
        flight_launch(world, seat);
    }
}

bool players_enter(wn_world *world, uint32_t seat, const char *name)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    const cell at = maze_random_empty(world, false);
    if (at == NO_CELL) {
        wn_fail(world, "there is no empty cell left in this maze for %s: join another world", name);
        return false;
    }
    const uint32_t index = hunt_equip(world, who) ? idents_find(world, name) : NO_IDENT;
    if (index == NO_IDENT) {
        wn_fail(world, "this maze has no memory left for one more player: join another world");
        return false;
    }
    who->state = SEAT_PLAYING;
    who->ident = (uint16_t)index;
    who->at = at;
    who->facing = (uint8_t)wn_random(world, DIRECTIONS);
    who->capacity = (uint32_t)game->set[SETTING_MAXDAM];
    who->fresh = true;
    game->player_at[at] = (uint8_t)(seat + 1);
    game->playing |= seat_bit(seat);
    idents_enter(game, index);
    score_changed(game, index);
    hand_out_charges(game, seat);
    maze_lay_mines(world);
    take_shape(world, seat);
    sight_begin(game, seat);
    sight_look(game, seat);
    players_follow(world, seat);
    return true;
}

/* walking */

/* Your cloak runs down with your own moves, a scan with everybody's. */
static void run_down(hunt *game, uint32_t seat)
{
    struct player *who = &game->players[seat];
    if (who->cloak > 0 && --who->cloak == 0) {
        game->board_changed |= seat_bit(seat);
    }
    for (uint64_t left = game->playing; left != 0;) {
        const uint32_t other = next_seat(&left);
        if (game->players[other].scan > 0 && --game->players[other].scan == 0) {
            game->board_changed |= seat_bit(other);
        }
    }
}

void players_walk(wn_world *world, uint32_t seat, cell to)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    const cell from = who->at;
    game->player_at[from] = 0;
    game->player_at[to] = (uint8_t)(seat + 1);
    who->at = to;
    if (who->heat > 0) {
        who->heat--;
    }
    players_follow(world, seat);
    sight_scanned(game, seat, from);
    run_down(game, seat);
}

/* damage and death */

static const char *const death_texts[CAUSES] = {
    [CAUSE_BULLET] = "Shot to death",
    [CAUSE_BOMB] = "Bombed",
    [CAUSE_MINE] = "Blown apart",
    [CAUSE_SLIME] = "Slimed",
    [CAUSE_LAVA] = "Baked",
    [CAUSE_DRONE] = "Eliminated",
    [CAUSE_KNIFE] = "Stabbed to death",
    [CAUSE_FALL] = "Killed on impact",
};

static bool same_team(const hunt *game, uint32_t one, uint32_t other)
{
    const uint8_t team = game->idents[one].team;
    return one == other || (team != ' ' && team == game->idents[other].team);
}

/* A kill of an enemy counts for the killer, one of a team mate or of oneself against. */
static void give_credit(hunt *game, uint32_t credit, uint32_t victim, cause what)
{
    struct ident *killer = &game->idents[credit];
    const bool friendly = same_team(game, credit, game->players[victim].ident);
    killer->kills += friendly ? -KILL : KILL;
    idents_count(game, credit, friendly ? STAT_FRIENDS : STAT_ENEMIES, 1);
    if (what == CAUSE_SLIME) {
        idents_count(game, credit, STAT_SLIME, 1);
    }
    score_changed(game, credit);
}

static void die(wn_world *world, uint32_t victim, uint32_t attacker, uint32_t credit, cause what)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[victim];
    const char *by = credit != NO_IDENT ? game->idents[credit].name : what == CAUSE_MINE ? "a mine" : "act of God";
    snprintf(who->death, sizeof who->death, "%s by %s", death_texts[what], by);
    idents_count(game, who->ident, STAT_DEATHS, 1);
    if (who->fresh) {
        idents_count(game, who->ident, STAT_STILL, 1);
    }
    if (what == CAUSE_KNIFE) {
        who->ammo = 0; /* does not go off */
    }
    if (credit != NO_IDENT) {
        give_credit(game, credit, victim, what);
    }
    if (attacker != NOBODY && game->players[attacker].state == SEAT_PLAYING) {
        struct player *killer = &game->players[attacker];
        const uint32_t gain = (uint32_t)game->set[SETTING_KILLGAIN];
        killer->capacity += gain;
        killer->damage -= killer->damage < gain ? killer->damage : gain;
    }
}

void players_hurt(wn_world *world, uint32_t victim, uint32_t attacker, uint32_t credit, int32_t damage, cause what)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[victim];
    if (who->state != SEAT_PLAYING || who->death[0] != '\0') {
        return;
    }
    if ((what == CAUSE_SLIME || what == CAUSE_DRONE) && who->boots > 0) {
        if (who->boots == BOOTS) {
            if (attacker != NOBODY) {
                wn_say(world, (int32_t)attacker, WN_INFO, "He has boots on!");
            }
            return;
        }
        damage = (damage + 1) / 2;
    }
    if (damage <= 0) {
        return;
    }
    who->damage += (uint32_t)damage;
    const wn_effect hurt = {
        .kind = WN_FLASH, .x = cell_x(game, who->at), .y = cell_y(game, who->at), .tile = TILE_BLAST, .cue = "hurt"};
    wn_show_effect(world, (int32_t)victim, &hurt);
    if (who->damage > who->capacity) {
        die(world, victim, attacker, credit, what);
    }
}

/* leaving */

void players_take_off_map(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    if (game->player_at[who->at] == seat + 1) {
        game->player_at[who->at] = 0;
    }
    game->playing &= ~seat_bit(seat);
    game->flyers &= ~seat_bit(seat);
    game->board_changed |= seat_bit(seat);
    who->state = SEAT_DEAD;
    who->flying = 0;
    who->cloak = 0;
    who->scan = 0;
    shots_forget_owner(game, seat);
    sight_forget_seat(game, seat);
    players_follow_first(world);
}

void players_leave(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    if (who->state == SEAT_PLAYING) {
        players_take_off_map(world, seat);
        flight_drop_boots(world, who->at, who->boots, false);
        who->boots = 0;
    }
    idents_record(world, seat);
    who->state = SEAT_FREE;
    game->board_changed |= seat_bit(seat);
}

/* The largest weapon or slime that so many charges pay for; its price, 0: none. */
static uint32_t price_of_largest(uint32_t charges, struct shot *shot, cell at)
{
    uint32_t price = 0;
    for (uint32_t i = 0; i < BOMBS && hunt_bomb_price[i] <= charges; i++) {
        price = hunt_bomb_price[i];
        *shot = shots_bomb(i, at, NORTH);
    }
    for (uint32_t i = 0; i < SLIMES && hunt_slime_price[i] <= charges; i++) {
        if (hunt_slime_price[i] > price) {
            price = hunt_slime_price[i];
            *shot = (struct shot){.kind = SHOT_SLIME, .cause = CAUSE_SLIME, .at = at, .charge = price};
        }
    }
    shot->owner = NOBODY;
    shot->credit = NO_IDENT;
    shot->exploding = true;
    return price;
}

/* What the dead carried goes off. Returns the charges that did. */
static uint32_t detonate(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    const struct player *who = &game->players[seat];
    const uint32_t one = wn_random(world, who->ammo), other = wn_random(world, who->ammo);
    struct shot shot = {0};
    const uint32_t price = price_of_largest(one > other ? one : other, &shot, who->at);
    if (price == 0) {
        return 0;
    }
    if (shot.kind == SHOT_SLIME) {
        shot.charge *= (uint32_t)game->set[SETTING_SLIMEFACTOR];
        shot.direction = who->facing;
    }
    shots_add(world, shot);
    char text[NAME_BYTES + 16];
    snprintf(text, sizeof text, "%s detonated.", players_name(game, seat));
    hunt_announce(world, text);
    return price;
}

static void erupt(wn_world *world)
{
    hunt *game = hunt_of(world);
    if (!wn_chance(world, game->volcano / (uint32_t)game->set[SETTING_VOLCANO_MAX], 100)) {
        return;
    }
    const cell at = maze_random_empty(world, true);
    if (at == NO_CELL || game->volcano == 0) {
        return;
    }
    shots_add(world, (struct shot){.kind = SHOT_LAVA,
                                   .cause = CAUSE_LAVA,
                                   .at = at,
                                   .charge = game->volcano < MOST_OOZE ? game->volcano : MOST_OOZE,
                                   .direction = WEST,
                                   .owner = NOBODY,
                                   .credit = NO_IDENT,
                                   .exploding = true});
    game->volcano = 0;
    hunt_announce(world, "Volcano eruption.");
}

static void send_drone(wn_world *world)
{
    hunt *game = hunt_of(world);
    if (!percent(world, game->set[SETTING_PDRONE])) {
        return;
    }
    const cell at = maze_random_empty(world, true);
    if (at == NO_CELL) {
        return;
    }
    const uint32_t direction = wn_random(world, DIRECTIONS);
    const uint32_t least = (uint32_t)game->set[SETTING_MINDSHOT];
    shots_add(world, (struct shot){.kind = SHOT_DRONE,
                                   .cause = CAUSE_DRONE,
                                   .at = at,
                                   .charge = hunt_bomb_price[least + wn_random(world, BOMBS - least)],
                                   .direction = (uint8_t)direction,
                                   .owner = NOBODY,
                                   .credit = NO_IDENT});
}

static void bury(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    struct player *who = &game->players[seat];
    players_take_off_map(world, seat);
    const uint32_t used = detonate(world, seat);
    flight_drop_boots(world, who->at, who->boots, used > 0);
    who->boots = 0;
    game->volcano += who->ammo - used;
    erupt(world);
    send_drone(world);
    const wn_effect effect = {.kind = WN_SOUND, .tile = TILE_BLAST, .cue = "die"};
    wn_show_effect(world, (int32_t)seat, &effect);
    wn_end_seat(world, seat, "%s", who->death);
}

static bool leaves(const struct player *who)
{
    return who->quits || who->death[0] != '\0';
}

void players_bury(wn_world *world)
{
    hunt *game = hunt_of(world);
    for (uint64_t left = game->playing; left != 0;) {
        const uint32_t seat = next_seat(&left);
        if (leaves(&game->players[seat])) {
            sight_look(game, seat); /* their last view */
        }
    }
    for (uint64_t left = game->playing; left != 0;) {
        const uint32_t seat = next_seat(&left);
        struct player *who = &game->players[seat];
        if (who->death[0] != '\0') {
            bury(world, seat);
        } else if (who->quits) {
            players_take_off_map(world, seat);
            flight_drop_boots(world, who->at, who->boots, false);
            who->boots = 0;
            wn_end_seat(world, seat, "Quit");
        }
    }
}
