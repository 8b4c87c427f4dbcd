/* monsters.c: monsters wander through the halls, go for a player they see, and send back whom they touch. They see as
 * players do: since sight is symmetric, a monster sees a player where the player sees the monster. They pass each
 * other.
 *
 * In a maze with narrow halls there is no way round a monster, so a careful player needs a way to be rid of it: a hunt
 * lasts CHASE moves, then the monster turns away and hunts nobody for REST moves; and when it has sent somebody back it
 * goes home, or it would wait before the start for who comes out.
 */
#include "game.h"

enum { CHASE = 12, REST = 20 };

/* In the lower half, so not at the start; a cell with an obstacle, or that of the end, is none. */
static bool find_cell(wn_world *world, uint32_t *cell)
{
    const game *state = game_of(world);
    const uint32_t cells = state->maze.cells, rows = (cells + 1) / 2, count = cells * rows;
    const uint32_t first = wn_random(world, count);
    for (uint32_t i = 0; i < count; i++) {
        *cell = cells * (cells - rows) + (first + i) % count;
        if ((state->maze.cell[*cell] & MAZE_OBSTACLE) == 0 && *cell != state->maze.end) {
            return true;
        }
    }
    return false;
}

/* The smallest mazes may have no room for any. */
void monsters_place(wn_world *world)
{
    game *state = game_of(world);
    const uint32_t wanted = (uint32_t)wn_setting_value(world, SETTING_MONSTERS);
    state->monster_count = 0;
    uint32_t cell;
    while (state->monster_count < wanted && find_cell(world, &cell)) {
        struct monster *monster = &state->monsters[state->monster_count++];
        *monster = (struct monster){.facing = (uint8_t)wn_random(world, DIRECTIONS)};
        monster->at = monster->lair = maze_middle(&state->maze, &state->shape, cell);
    }
}

static bool can_enter(const game *state, struct maze_square to)
{
    return is_free(state, to) && !is_in(&state->sanctuary, to) && !is_same(to, state->finale);
}

/* touching */

static void send_back(wn_world *world, uint32_t seat)
{
    const wn_effect effect = {.kind = WN_SOUND, .tile = TILE_MONSTER, .cue = "hurt"};
    game_put_at_start(world, seat);
    wn_show_effect(world, (int32_t)seat, &effect);
    wn_say(world, (int32_t)seat, WN_BAD, "A monster touches you, and you are back at the start.");
}

static bool can_be_touched(const game *state, const struct runner *who)
{
    return who->taken && !who->arrived && !is_in(&state->sanctuary, who->at);
}

/* Unless there is a boulder or a player by now: then it stays where it is. */
static void go_home(const game *state, struct monster *monster)
{
    bool vacant = can_enter(state, monster->lair);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        vacant = vacant && !(state->runners[i].taken && is_same(state->runners[i].at, monster->lair));
    }
    if (vacant) {
        monster->at = monster->lair;
    }
    monster->hunts = false;
    monster->rests = REST;
}

bool monsters_touch(wn_world *world, uint32_t seat)
{
    game *state = game_of(world);
    const struct runner *who = &state->runners[seat];
    for (uint32_t i = 0; i < state->monster_count; i++) {
        if (can_be_touched(state, who) && is_same(state->monsters[i].at, who->at)) {
            send_back(world, seat);
            go_home(state, &state->monsters[i]);
            return true;
        }
    }
    return false;
}

/* moving */

static int32_t distance(struct maze_square one, struct maze_square other)
{
    const int32_t dx = one.x - other.x, dy = one.y - other.y;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

/* The nearest of those it sees becomes its goal. */
static void look_for_prey(const game *state, struct monster *monster)
{
    int32_t nearest = INT32_MAX;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        const struct runner *who = &state->runners[i];
        if (!can_be_touched(state, who) || !wn_sight_sees(&who->sight, monster->at.x, monster->at.y)) {
            continue;
        }
        if (distance(who->at, monster->at) < nearest) {
            nearest = distance(who->at, monster->at);
            monster->goal = who->at;
            monster->hunts = true;
        }
    }
}

static bool step(const game *state, struct monster *monster, uint32_t direction)
{
    const struct maze_square to = next_to(monster->at, direction);
    if (!can_enter(state, to)) {
        return false;
    }
    monster->at = to;
    monster->facing = (uint8_t)direction;
    return true;
}

/* Straight for the goal, the longer way of the two first. false: it is there, or something is in the way. */
static bool hunt(const game *state, struct monster *monster)
{
    const int32_t dx = monster->goal.x - monster->at.x, dy = monster->goal.y - monster->at.y;
    const uint32_t across = dx > 0 ? EAST : WEST, down = dy > 0 ? SOUTH : NORTH;
    const bool across_first = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
    if (across_first) {
        return (dx != 0 && step(state, monster, across)) || (dy != 0 && step(state, monster, down));
    }
    return (dy != 0 && step(state, monster, down)) || (dx != 0 && step(state, monster, across));
}

/* On, or to a side, each as likely; back only from a dead end. In wide halls mostly on, or it would get nowhere. */
static void wander(wn_world *world, struct monster *monster)
{
    const game *state = game_of(world);
    if (state->shape.hall > 1 && wn_chance(world, 3, 4) && step(state, monster, monster->facing)) {
        return;
    }
    uint32_t ways[DIRECTIONS], count = 0;
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        if (i != opposite(monster->facing) && can_enter(state, next_to(monster->at, i))) {
            ways[count++] = i;
        }
    }
    step(state, monster, count > 0 ? ways[wn_random(world, count)] : opposite(monster->facing));
}

static void let_go(struct monster *monster)
{
    monster->hunts = false;
    monster->rests = REST;
    monster->facing = (uint8_t)opposite(monster->facing);
}

static void move(wn_world *world, struct monster *monster)
{
    const game *state = game_of(world);
    if (monster->rests > 0) {
        monster->rests--;
    } else {
        look_for_prey(state, monster);
    }
    monster->chased = monster->hunts ? monster->chased + 1 : 0;
    if (monster->chased > CHASE) {
        let_go(monster);
    }
    if (!monster->hunts || !hunt(state, monster)) {
        monster->hunts = false;
        wander(world, monster);
    }
}

void monsters_move(wn_world *world)
{
    game *state = game_of(world);
    for (uint32_t i = 0; i < state->monster_count; i++) {
        move(world, &state->monsters[i]);
        for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
            monsters_touch(world, seat);
        }
    }
}
