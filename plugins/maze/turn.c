/* turn.c: a turn, in the order of the rules: commands, what everyone sees now, monsters, arrivals and new mazes as they
 * come; and the clock by which monsters move.
 */
#include "game.h"

/* With a tick, monsters go on for so long after the last command: then nobody is there, and nothing runs. */
enum { IDLE_MS = 60000 };

/* arriving, and what comes then */

static void record(wn_world *world, uint32_t seat)
{
    const game *state = game_of(world);
    char table[64], detail[64];
    snprintf(table, sizeof table, TABLE_TURNS "%ux%u hall %u wall %u", state->maze.cells, state->maze.cells,
             state->shape.hall, state->shape.wall);
    snprintf(detail, sizeof detail, "the way was %u cells long", state->maze.length + 1);
    wn_record_score(world, seat, table, state->runners[seat].turns, detail);
}

static void arrive(wn_world *world, uint32_t seat)
{
    game *state = game_of(world);
    struct runner *who = &state->runners[seat];
    const wn_effect effect = {.kind = WN_SOUND, .tile = TILE_FINALE, .cue = "win"};
    who->running = false;
    who->arrived = true;
    who->finish_seen = false;
    who->place = ++state->arrived;
    who->finishes++;
    who->wins += who->place == 1;
    who->best = who->best == 0 || who->turns < who->best ? who->turns : who->best;
    who->changed = (struct box){0, 0, state->side - 1, state->side - 1};
    state->board_changed |= UINT64_C(1) << seat;
    record(world, seat);
    wn_show_effect(world, (int32_t)seat, &effect);
    wn_say(world, WN_EVERYONE, WN_GOOD, "%s reaches the finale after %u turns%s.", wn_seat_name(world, seat),
           who->turns, who->place == 1 ? ", and wins" : "");
}

static bool others_run(const game *state, uint32_t seat)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (i != seat && state->runners[i].running) {
            return true;
        }
    }
    return false;
}

/* Who has arrived may have a new maze; while others are on the way only after asking twice. */
static void ask_for_new_maze(wn_world *world, uint32_t seat)
{
    game *state = game_of(world);
    struct runner *who = &state->runners[seat];
    if (!who->arrived) {
        wn_say(world, (int32_t)seat, WN_INFO, "Reach the finale first: then you can ask for a new maze.");
        return;
    }
    if (others_run(state, seat) && !who->asked) {
        who->asked = true;
        wn_say(world, WN_EVERYONE, WN_INFO, "%s would like a new maze; asked for once more, it comes.",
               wn_seat_name(world, seat));
        return;
    }
    game_new_maze(world);
    wn_say(world, WN_EVERYONE, WN_ALERT, "A new maze, the world's number %u.", state->number);
}

/* commands */

static void pass_turn(game *state, uint32_t seat)
{
    state->runners[seat].turns++;
    state->steps += state->tick == 0;
}

static void set_out(game *state, uint32_t seat)
{
    if (!state->runners[seat].running) {
        state->runners[seat].running = true;
        state->board_changed |= UINT64_C(1) << seat;
    }
}

/* Into a wall, or a boulder that stays: no turn passes. */
static void walk(wn_world *world, uint32_t seat, uint32_t direction)
{
    game *state = game_of(world);
    struct runner *who = &state->runners[seat];
    const struct maze_square to = next_to(who->at, direction);
    if (bit_of(state, state->boulders, to) && !boulders_push(state, to, direction)) {
        wn_say(world, (int32_t)seat, WN_INFO, "The boulder cannot be pushed on.");
        return;
    }
    if (!is_free(state, to)) {
        return;
    }
    who->at = to;
    who->moved = true;
    set_out(state, seat);
    pass_turn(state, seat);
    look_follow(world, seat);
    if (is_same(to, state->finale)) {
        arrive(world, seat);
    } else {
        monsters_touch(world, seat);
    }
}

/* As seen from where one faces: by so many quarters to the right. */
static const struct {
    uint8_t quarters;
    bool walks;
} by_facing[] = {
    [ACTION_FORWARD] = {0, true},    [ACTION_BACK] = {2, true},       [ACTION_SIDE_LEFT] = {3, true},
    [ACTION_SIDE_RIGHT] = {1, true}, [ACTION_TURN_LEFT] = {3, false}, [ACTION_TURN_RIGHT] = {1, false},
};

/* Diagonals are no directions here. */
static bool is_straight(uint32_t direction)
{
    return direction % 2 == 0 && direction < WN_HERE;
}

static void face(wn_world *world, uint32_t seat, uint32_t direction)
{
    game_of(world)->runners[seat].facing = (uint8_t)direction;
    look_follow(world, seat);
}

static void obey_runner(wn_world *world, const wn_command *command)
{
    game *state = game_of(world);
    const uint32_t seat = command->seat, action = command->action;
    if (action == ACTION_STEP || action == ACTION_FACE) {
        if (!is_straight(command->argument)) {
            return;
        }
        face(world, seat, command->argument / 2);
        if (action == ACTION_STEP) {
            walk(world, seat, command->argument / 2);
        }
    } else if (action == ACTION_REST) {
        if (state->runners[seat].running) {
            pass_turn(state, seat);
        }
    } else {
        const uint32_t direction = (state->runners[seat].facing + by_facing[action].quarters) % DIRECTIONS;
        if (by_facing[action].walks) {
            walk(world, seat, direction);
        } else {
            face(world, seat, direction);
        }
    }
}

static void obey(wn_world *world, const wn_command *command)
{
    struct runner *who = &game_of(world)->runners[command->seat];
    who->greeted = true;
    who->finish_seen = who->arrived;
    if (command->action == ACTION_NEW_MAZE) {
        ask_for_new_maze(world, command->seat);
    } else if (!who->arrived) {
        obey_runner(world, command);
    }
}

/* the clock */

static uint32_t count_running(const game *state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        count += state->runners[i].running;
    }
    return count;
}

static void look(game *state)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (state->runners[i].moved && state->runners[i].taken) {
            look_around(state, i);
        }
        state->runners[i].moved = false;
    }
}

/* Without a tick monsters move when everybody on the way has done so once, on the average. */
static void move_monsters(wn_world *world, bool woken)
{
    game *state = game_of(world);
    if (state->tick > 0) {
        if (woken) {
            monsters_move(world);
        }
        return;
    }
    const uint32_t running = count_running(state);
    if (running == 0) {
        state->steps = 0;
    } else if (state->steps >= running) {
        state->steps -= running;
        monsters_move(world);
    }
}

static void wind_clock(wn_world *world, const wn_turn *turn)
{
    game *state = game_of(world);
    if (state->tick == 0) {
        return;
    }
    if (turn->woken) {
        state->ticking = false;
        state->idle++;
    }
    if (turn->count > 0) {
        state->idle = 0;
    }
    if (!state->ticking && count_running(state) > 0 && (uint64_t)state->idle * state->tick < IDLE_MS) {
        state->ticking = true;
        wn_wake(world, state->tick);
    }
}

void game_take_turn(wn_world *world, const wn_turn *turn)
{
    game *state = game_of(world);
    state->board_changed = state->board_late;
    state->board_late = 0;
    box_empty(&state->changed);
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        box_empty(&state->runners[i].changed);
    }
    for (size_t i = 0; i < turn->count; i++) {
        obey(world, &turn->commands[i]);
    }
    look(state);
    move_monsters(world, turn->woken);
    wind_clock(world, turn);
}
