/* turn.c: what happens in a turn: commands in seat order, then every creature once, then the verdict. Rules 1 to 4 of a
 * step are step()'s four cases.
 */
#include "caves.h"

/* telling those who can hear */

static const char *name_of(const wn_world *world, const entity *who)
{
    const caves *game = caves_of(world);
    const char *player = who->kind == KIND_PLAYER ? wn_seat_name(world, who->seat) : NULL;
    return player != NULL ? player : game->kinds[who->kind].name;
}

static const char *title_of(const wn_world *world, const entity *who)
{
    const caves *game = caves_of(world);
    const char *player = who->kind == KIND_PLAYER ? wn_seat_name(world, who->seat) : NULL;
    return player != NULL ? player : game->kinds[who->kind].title;
}

static bool has(const caves *game, const entity *who, aspect wanted)
{
    return (game->kinds[who->kind].aspects & wanted) != 0;
}

/* To everyone who sees the cell, which without `sight` is everyone: how loud it is from afar is the frontend's choice.
 */
static void show(wn_world *world, position at, wn_effect_kind what, uint32_t tile, const char *cue)
{
    const caves *game = caves_of(world);
    const wn_effect effect = {.kind = what, .x = at.x, .y = at.y, .tile = tile, .cue = cue};
    if (game->sight == 0) {
        wn_show_effect(world, WN_EVERYONE, &effect);
        return;
    }
    wn_show_effect(world, WN_SPECTATORS, &effect);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken && vision_sees(game, (int32_t)i, at)) {
            wn_show_effect(world, (int32_t)i, &effect);
        }
    }
}

/* entities come, move and go */

/* Entities beyond those that a view's sprites have room for are drawn as cells. */
static void note_moved(caves *game, uint32_t index, position from)
{
    changes_add_cell(game, entity_at(&game->entities.all[index]));
    if (!caves_is_sprite(game, index)) {
        changes_add_cell(game, from);
    }
}

entity *caves_spawn(wn_world *world, kind_id what, position at)
{
    caves *game = caves_of(world);
    entity *who = entities_add(&game->entities, &game->map, world, what, at, 0);
    if (who != NULL) {
        who->hit_points = game->kinds[what].hit_points;
        changes_add_cell(game, at);
    }
    return who;
}

static void move(wn_world *world, uint32_t index, position to)
{
    caves *game = caves_of(world);
    const entity *who = &game->entities.all[index];
    const position from = entity_at(who);
    entities_move(&game->entities, &game->map, index, to);
    note_moved(game, index, from);
    if (who->kind == KIND_PLAYER) {
        caves_follow(world, who->seat);
    }
}

void caves_remove(wn_world *world, uint32_t index)
{
    caves *game = caves_of(world);
    const entity gone = game->entities.all[index];
    changes_add_cell(game, entity_at(&gone));
    if (caves_is_sprite(game, index)) {
        changes_add(game, CHANGE_GONE, gone.id);
    }
    if (gone.kind == KIND_PLAYER) {
        game->seats[gone.seat].entity = NOBODY;
    }
    entities_remove(&game->entities, &game->map, index);
    if (index < game->entities.count) { /* the last one has taken the place: a sprite now, if it was none */
        const entity *moved = &game->entities.all[index];
        if (moved->kind == KIND_PLAYER) {
            game->seats[moved->seat].entity = index;
        }
        note_moved(game, index, entity_at(moved));
    }
    if (gone.kind == KIND_PLAYER) {
        caves_follow_first(world);
    }
}

/* commands */

/* Without defence an attack does its full damage; with it, 1 plus a random number below what it exceeds defence by. */
static uint32_t damage_of(const caves *game, wn_world *world)
{
    if (game->defence == 0) {
        return game->attack;
    }
    return 1 + wn_random(world, game->attack > game->defence ? game->attack - game->defence : 0);
}

static void kill(wn_world *world, uint32_t killer, uint32_t victim)
{
    caves *game = caves_of(world);
    const entity by = game->entities.all[killer], dead = game->entities.all[victim];
    wn_say_near(world, dead.x, dead.y, EARSHOT, WN_INFO, "%s dies.", title_of(world, &dead));
    show(world, entity_at(&dead), WN_FLASH, game->kinds[dead.kind].tile, "die");
    if (by.kind == KIND_PLAYER) {
        game->seats[by.seat].kills++;
        changes_add(game, CHANGE_SEAT, by.seat);
    }
    if (dead.kind == KIND_PLAYER) {
        wn_end_seat(world, dead.seat, "killed by %s", name_of(world, &by));
    }
    caves_remove(world, victim);
}

static void strike(wn_world *world, uint32_t attacker, uint32_t target)
{
    caves *game = caves_of(world);
    const entity *by = &game->entities.all[attacker];
    entity *struck = &game->entities.all[target];
    const uint32_t damage = damage_of(game, world);
    if (has(game, by, ASPECT_RECEIVER)) {
        wn_say(world, by->seat, WN_GOOD, "You strike %s for %u damage!", name_of(world, struck), damage);
    }
    if (has(game, struck, ASPECT_RECEIVER)) {
        wn_say(world, struck->seat, WN_BAD, "%s strikes you for %u damage!", title_of(world, by), damage);
    }
    show(world, entity_at(struck), WN_FLASH, game->kinds[struck->kind].tile, "hit");
    if (game->kinds[struck->kind].hit_points == 0) {
        return;
    }
    if (struck->hit_points > damage) {
        struck->hit_points -= damage;
    } else {
        kill(world, attacker, target);
    }
}

static void dig(wn_world *world, position at)
{
    caves *game = caves_of(world);
    cave_dig(&game->map, at);
    vision_dug(game, at);
    changes_add_cell(game, at);
    show(world, at, WN_SOUND, TILE_WALL, "dig");
}

static void step(wn_world *world, uint32_t index, uint32_t direction)
{
    caves *game = caves_of(world);
    const entity *who = &game->entities.all[index];
    const position to = cave_neighbour(entity_at(who), direction);
    const uint32_t other = entities_find(&game->entities, &game->map, to);
    if (other != NOBODY) {
        if (has(game, who, ASPECT_ATTACKER) && has(game, &game->entities.all[other], ASPECT_DESTRUCTIBLE)) {
            strike(world, index, other);
        }
    } else if (cave_is_floor(&game->map, to)) {
        if (has(game, who, ASPECT_MOBILE)) {
            move(world, index, to);
        }
    } else if (cave_is_inside(&game->map, to) && has(game, who, ASPECT_DIGGER)) {
        dig(world, to);
    }
}

static bool anyone_shows_regions(const caves *game)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].shows_regions) {
            return true;
        }
    }
    return false;
}

/* Regions are kept only while someone looks at them. */
void caves_show_regions(wn_world *world, uint32_t seat_number, bool shown)
{
    caves *game = caves_of(world);
    struct seat *seat = &game->seats[seat_number];
    if (seat->shows_regions == shown) {
        return;
    }
    seat->shows_regions = shown;
    changes_add(game, CHANGE_TERRAIN, seat_number);
    if (!anyone_shows_regions(game)) {
        cave_drop_regions(&game->map, world);
    } else if (game->map.regions == NULL && !cave_make_regions(&game->map, world)) {
        wn_say(world, (int32_t)seat_number, WN_BAD, "There is no memory left to number the regions.");
    }
}

/* creatures */

static void grow(wn_world *world, uint32_t index)
{
    caves *game = caves_of(world);
    const entity *parent = &game->entities.all[index];
    const kind_id what = parent->kind;
    position at;
    if (!wn_chance(world, game->growth_permille, 1000) ||
        !cave_empty_neighbour(&game->map, world, entity_at(parent), &at) || caves_spawn(world, what, at) == NULL) {
        return;
    }
    wn_say_near(world, at.x, at.y, EARSHOT, WN_INFO, "%s grows.", game->kinds[what].title);
    show(world, at, WN_FLASH, game->kinds[what].tile, "grow");
}

/* In the table's order. Those born in this turn act from the next one on; nobody dies here. */
static void move_creatures(wn_world *world)
{
    caves *game = caves_of(world);
    const uint32_t count = game->entities.count;
    for (uint32_t i = 0; i < count; i++) {
        const entity *who = &game->entities.all[i];
        const struct kind *kind = &game->kinds[who->kind];
        position to;
        if (kind->aspects & ASPECT_GROWER) {
            grow(world, i);
        } else if (kind->wander != NULL && kind->wander(&game->map, world, entity_at(who), &to)) {
            move(world, i, to);
        }
    }
}

/* turns */

static void end(wn_world *world, enum outcome outcome)
{
    caves *game = caves_of(world);
    const bool won = outcome == OUTCOME_WON;
    const wn_effect effect = {.kind = WN_SOUND, .cue = won ? "win" : "lose"};
    game->outcome = outcome;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken) {
            caves_record_kills(world, i);
        }
    }
    wn_show_effect(world, WN_EVERYONE, &effect);
    if (won) {
        wn_end_world(world, "won: no lichen is left");
    } else {
        wn_end_world(world, "lost: lichens cover more than %u%% of the floor", game->overrun);
    }
}

static void judge(wn_world *world)
{
    const caves *game = caves_of(world);
    const uint32_t lichens = game->entities.of_kind[KIND_LICHEN];
    if (lichens == 0 && game->started_with_lichens) {
        end(world, OUTCOME_WON);
    } else if ((uint64_t)lichens * 100 > (uint64_t)game->overrun * game->map.floors) {
        end(world, OUTCOME_LOST);
    }
}

/* One turn of the game: what the seats hold, then the creatures. */
static void run(wn_world *world)
{
    caves *game = caves_of(world);
    const uint32_t floors = game->map.floors;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        struct seat *seat = &game->seats[i];
        const bool steps = seat->held == ACTION_STEP && seat->argument != WN_HERE;
        seat->held = 0;
        if (steps && seat->entity != NOBODY) { /* the seats before may have killed it */
            step(world, seat->entity, seat->argument);
        }
    }
    move_creatures(world);
    if (game->map.floors != floors && game->map.regions != NULL) {
        cave_make_regions(&game->map, world);
        changes_add(game, CHANGE_TERRAIN, EVERY_SEAT);
    }
    judge(world);
}

static bool anyone_holds(const caves *game)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].held != 0) {
            return true;
        }
    }
    return false;
}

bool caves_all_have_acted(const caves *game)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].entity != NOBODY && game->seats[i].held == 0) {
            return false;
        }
    }
    return anyone_holds(game);
}

/* Takes a seat's command; one that it holds already is of a turn that is over, which runs first. */
static void hold(wn_world *world, const wn_command *command)
{
    caves *game = caves_of(world);
    struct seat *seat = &game->seats[command->seat];
    if (seat->held != 0) {
        run(world);
        wn_wake(world, 0);
    }
    if (seat->entity != NOBODY && game->outcome == OUTCOME_OPEN) {
        seat->held = (uint8_t)command->action;
        seat->argument = (uint8_t)command->argument;
    }
}

/* `wait_ms` = 0: commands never wait. Otherwise until everyone has one, or the wake-up. */
static void run_or_wait(wn_world *world, bool waited_before, bool woken)
{
    caves *game = caves_of(world);
    if (!anyone_holds(game)) {
        return;
    }
    if (game->wait_ms == 0) {
        run(world);
    } else if (woken || caves_all_have_acted(game)) {
        run(world);
        wn_wake(world, 0);
    } else if (!waited_before) {
        wn_wake(world, game->wait_ms);
    }
}

void caves_take_turn(wn_world *world, const wn_turn *turn)
{
    caves *game = caves_of(world);
    changes_begin(game);
    vision_begin_turn(game);
    bool waited = anyone_holds(game), woken = turn->woken;
    for (size_t i = 0; i < turn->count; i++) {
        const wn_command *command = &turn->commands[i];
        struct seat *seat = &game->seats[command->seat];
        seat->begun = true;
        if (command->action == ACTION_REGIONS) {
            caves_show_regions(world, command->seat, !seat->shows_regions);
            continue;
        }
        if (seat->held != 0) { /* a new wait begins, which the wake-up is not about */
            waited = false;
            woken = false;
        }
        hold(world, command);
    }
    run_or_wait(world, waited, woken);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        vision_look(game, i);
    }
    changes_settle(game);
}
