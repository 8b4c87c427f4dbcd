/* worlds.c: worlds are made and seats are taken and given up; mazes are made and everyone is put to their start. What
 * happens in a turn is in turn.c.
 */
#include <string.h>

#include "game.h"

/* memory */

static uint32_t setting(const wn_world *world, uint32_t index)
{
    return (uint32_t)wn_setting_value(world, index);
}

static bool equip_world(wn_world *world, game *state)
{
    const uint32_t cells = state->maze.cells;
    state->maze.cell = wn_alloc(world, (size_t)cells * cells * sizeof *state->maze.cell);
    state->squares = wn_alloc(world, (size_t)state->side * (size_t)state->side);
    state->opaque = wn_alloc(world, state->words * sizeof *state->opaque);
    state->boulders = wn_alloc(world, state->words * sizeof *state->boulders);
    return state->maze.cell != NULL && state->squares != NULL && state->opaque != NULL && state->boulders != NULL;
}

bool game_equip(wn_world *world, uint32_t seat)
{
    const game *state = game_of(world);
    struct runner *who = &game_of(world)->runners[seat];
    if (who->known == NULL) { /* in one piece, so that a seat has all of it or nothing */
        uint64_t *grids = wn_alloc(world, 3 * (size_t)state->words * sizeof *grids);
        if (grids == NULL) {
            return false;
        }
        who->known = grids;
        who->boulders = grids + state->words;
        who->sight.visible = grids + 2 * (size_t)state->words;
    }
    wn_sight_close(&who->sight);
    const struct runner fresh = {.facing = SOUTH,
                                 .known = who->known,
                                 .boulders = who->boulders,
                                 .sight = {.width = (uint32_t)state->side,
                                           .height = (uint32_t)state->side,
                                           .stride = state->stride,
                                           .opaque = state->opaque,
                                           .visible = who->sight.visible}};
    *who = fresh;
    return true;
}

game *game_new(wn_world *world)
{
    game *state = wn_alloc(world, sizeof *state);
    if (state == NULL) {
        wn_fail(world, "a maze needs more memory than a world may have");
        return NULL;
    }
    state->maze.cells = setting(world, SETTING_CELLS);
    state->shape.hall = setting(world, SETTING_HALL);
    state->shape.wall = setting(world, SETTING_WALL);
    state->shape.heights = setting(world, SETTING_WALL_HEIGHTS);
    state->tick = setting(world, SETTING_TICK);
    const uint32_t side = maze_side(&state->maze, &state->shape);
    if (side > WN_MAX_SIDE) {
        wn_fail(world,
                "a maze of %u cells a side, with halls of %u and walls of %u squares, has %u squares a side, and %u "
                "is the most: lower cells, hall or wall",
                state->maze.cells, state->shape.hall, state->shape.wall, side, (unsigned)WN_MAX_SIDE);
        return NULL;
    }
    state->side = (int32_t)side;
    state->stride = wn_sight_stride(side);
    state->words = state->stride * side;
    if (!equip_world(world, state)) {
        wn_fail(world, "a maze of %u squares a side needs more memory than a world may have: lower cells, hall or wall",
                side);
        return NULL;
    }
    world->state = state;
    return state;
}

/* mazes */

static uint64_t next_random(void *world)
{
    return wn_random_bits(world);
}

/* The opening north of the start, and the hall of its cell. */
static struct box find_sanctuary(const game *state)
{
    const int32_t hall = (int32_t)state->shape.hall;
    const int32_t left = maze_middle(&state->maze, &state->shape, state->maze.start).x - (hall - 1) / 2;
    const int32_t bottom = state->north.y + (int32_t)state->shape.wall + hall - 1;
    return (struct box){left, state->north.y, left + hall - 1, bottom};
}

void game_survey(game *state)
{
    state->north = maze_northern_feature(&state->maze, &state->shape);
    state->finale = maze_finale(&state->maze, &state->shape);
    state->sanctuary = find_sanctuary(state);
    memcpy(state->opaque, state->boulders, state->words * sizeof *state->opaque);
    struct maze_square at;
    for (at.y = 0; at.y < state->side; at.y++) {
        for (at.x = 0; at.x < state->side; at.x++) {
            if (height_at(state, at) > 0) {
                flip_bit(state, state->opaque, at);
            }
        }
    }
}

void game_put_at_start(wn_world *world, uint32_t seat)
{
    game *state = game_of(world);
    state->runners[seat].at = state->north;
    state->runners[seat].facing = SOUTH;
    look_around(state, seat);
    look_follow(world, seat);
}

static void begin_anew(wn_world *world, uint32_t seat)
{
    game *state = game_of(world);
    struct runner *who = &state->runners[seat];
    who->running = who->arrived = who->asked = false;
    who->turns = who->place = 0;
    look_forget(state, seat);
    game_put_at_start(world, seat);
    state->board_changed |= UINT64_C(1) << seat;
}

void game_new_maze(wn_world *world)
{
    game *state = game_of(world);
    const struct maze_chance chance = {next_random, world};
    maze_carve(&state->maze, (maze_end)setting(world, SETTING_END), &chance);
    maze_place_obstacles(&state->maze, setting(world, SETTING_OBSTACLES), &chance);
    maze_draw(&state->maze, &state->shape, state->squares, &chance);
    memset(state->boulders, 0, state->words * sizeof *state->boulders);
    for (uint32_t cell = 0; cell < state->maze.cells * state->maze.cells; cell++) {
        if ((state->maze.cell[cell] & MAZE_OBSTACLE) != 0) {
            flip_bit(state, state->boulders, maze_middle(&state->maze, &state->shape, cell));
        }
    }
    game_survey(state);
    monsters_place(world);
    state->number++;
    state->arrived = state->steps = 0;
    state->changed = (struct box){0, 0, state->side - 1, state->side - 1};
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (state->runners[i].taken) {
            begin_anew(world, i);
        }
    }
}

/* callbacks */

static bool create(wn_world *world)
{
    game *state = game_new(world);
    if (state == NULL) {
        return false;
    }
    game_new_maze(world);
    wn_place(world, WN_SPECTATORS, state->side / 2, state->side / 2);
    return true;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    game *state = game_of(world);
    if (!game_equip(world, seat)) {
        wn_fail(world, "this maze has no memory left for what %s sees: join another world", player);
        return false;
    }
    state->runners[seat].taken = true;
    look_forget(state, seat);
    game_put_at_start(world, seat);
    state->board_late |= UINT64_C(1) << seat;
    return true;
}

static void left(wn_world *world, uint32_t seat)
{
    game *state = game_of(world);
    game_equip(world, seat); /* it has its memory already */
    state->board_late |= UINT64_C(1) << seat;
    look_follow_first(world);
}

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof(wn_mode_descriptor),
        .name = "maze",
        .title = "Maze",
        .summary = "Race through a maze that you know only by what you have seen of it",
        .version = "0.1.0",
        .authors = "The Warren authors",
        .licence = "MIT",
        .max_seats = WN_MAX_SEATS,
        .tiles = maze_tiles,
        .tile_count = TILE_COUNT,
        .actions = maze_actions,
        .action_count = ACTION_COUNT,
        .settings = maze_settings,
        .setting_count = SETTING_COUNT,
        .status = maze_status,
        .status_count = STATUS_COUNT,
        .columns = maze_columns,
        .column_count = COLUMN_COUNT,
        .create = create,
        .joined = joined,
        .left = left,
        .turn = game_take_turn,
        .draw = game_draw,
        .save = game_save,
        .load = game_load,
        .tables = maze_tables,
        .table_count = TABLE_COUNT,
    };
    return &descriptor;
}
