/* polar.c: worlds, seats, and whom a world remembers. What a command does is in play.c.
 */
#include "polar.h"

#include <stdio.h>
#include <string.h>

/* worlds */

polar *polar_new(wn_world *world)
{
    polar *game = wn_alloc(world, sizeof *game);
    if (game == NULL) {
        wn_fail(world, "there is no memory for a game of polar");
        return NULL;
    }
    const char *text = wn_setting_string(world, SETTING_PACK);
    char error[PACK_ERROR_SIZE];
    const char *file = wn_setting_file(world, SETTING_PACK);
    if (!pack_read(&game->pack, file[0] != '\0' ? file : "pack", text, strlen(text), error)) {
        wn_fail(world, "%s", error);
        return NULL;
    }
    game->open = wn_setting_value(world, SETTING_OPEN) != 0;
    game->slide_ms = (uint32_t)wn_setting_value(world, SETTING_SLIDE);
    game->calm_ms = (uint32_t)wn_setting_value(world, SETTING_CALM);
    world->state = game;
    return game;
}

static bool create(wn_world *world)
{
    return polar_new(world) != NULL;
}

void polar_mark(polar *game, uint64_t seats)
{
    game->changed |= seats;
    game->fresh |= seats;
}

/* runners */

static bool is_here(const polar *game, uint32_t runner)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken && game->seats[i].runner == runner) {
            return true;
        }
    }
    return false;
}

/* Whom to forget: who is away and has reached the least. There are more runners than seats, so there is one. */
static uint32_t least_of_those_away(const polar *game)
{
    uint32_t least = RUNNER_LIMIT;
    for (uint32_t i = 0; i < game->runner_count; i++) {
        if (!is_here(game, i) && (least == RUNNER_LIMIT || game->runners[i].reached < game->runners[least].reached)) {
            least = i;
        }
    }
    return least;
}

uint32_t polar_find_runner(wn_world *world, const char *name)
{
    polar *game = polar_of(world);
    for (uint32_t i = 0; i < game->runner_count; i++) {
        if (strcmp(game->runners[i].name, name) == 0) {
            return i;
        }
    }
    const uint32_t index = game->runner_count < RUNNER_LIMIT ? game->runner_count : least_of_those_away(game);
    polar_runner *runner = &game->runners[index];
    if (index == game->runner_count) {
        runner->best = wn_alloc(world, game->pack.count * sizeof *runner->best);
        if (runner->best == NULL) {
            return RUNNER_LIMIT;
        }
        game->runner_count++;
    }
    memset(runner->best, 0, game->pack.count * sizeof *runner->best);
    runner->reached = runner->cleared = 0;
    memset(runner->name, 0, sizeof runner->name);
    snprintf(runner->name, sizeof runner->name, "%s", name);
    return index;
}

bool polar_may_play(const polar *game, const polar_seat *seat, uint32_t level)
{
    return level < game->pack.count && (game->open || level <= game->runners[seat->runner].reached);
}

/* seats */

void polar_place(wn_world *world, uint32_t number)
{
    const polar *game = polar_of(world);
    const polar_board *board = &game->seats[number].board;
    const int32_t x = (int32_t)board_x(board, board->penguin) + 1, y = (int32_t)board_y(board, board->penguin) + 1;
    wn_place(world, (int32_t)number, x, y);
    wn_face(world, (int32_t)number, board->facing * 2u);
    if (number == polar_first_seat(game)) { /* its board is the first in the spectators' view as well */
        wn_place(world, WN_SPECTATORS, x, y);
    }
}

uint32_t polar_first_seat(const polar *game)
{
    uint32_t first = 0;
    while (first < WN_MAX_SEATS && !game->seats[first].taken) {
        first++;
    }
    return first;
}

static bool joined(wn_world *world, uint32_t number, const char *player)
{
    polar *game = polar_of(world);
    const uint32_t runner = polar_find_runner(world, player);
    if (runner == RUNNER_LIMIT) {
        wn_fail(world, "this world has no memory left for one more player: join another");
        return false;
    }
    polar_seat *seat = &game->seats[number];
    *seat = (polar_seat){.taken = true, .runner = runner};
    polar_mark(game, ALL_SEATS); /* the boards of all move in the spectators' view */
    const uint32_t last = game->pack.count - 1, reached = game->runners[runner].reached;
    polar_enter_level(world, number, reached < last ? reached : last);
    return true;
}

static void left(wn_world *world, uint32_t number)
{
    polar *game = polar_of(world);
    polar_end_slide(world, number);
    wn_release(world, game->seats[number].moves);
    game->seats[number] = (polar_seat){.taken = false};
    polar_mark(game, ALL_SEATS);
    if (polar_first_seat(game) < WN_MAX_SEATS) {
        polar_place(world, polar_first_seat(game));
    }
}

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof(wn_mode_descriptor),
        .name = "polar",
        .title = "Polar",
        .summary = "A penguin pushes hearts over the ice and into houses; things slide until something stops them",
        .version = "0.1.0",
        .authors = "The Warren authors, after Polar by Go Endo, as decoded by Paul R. Potts",
        .licence = "MIT",
        .max_seats = WN_MAX_SEATS,
        .tiles = polar_tiles,
        .tile_count = TILE_COUNT,
        .actions = polar_actions,
        .action_count = POLAR_ACTION_COUNT,
        .settings = polar_settings,
        .setting_count = SETTING_COUNT,
        .status = polar_status,
        .status_count = STATUS_COUNT,
        .columns = polar_columns,
        .column_count = COLUMN_COUNT,
        .create = create,
        .joined = joined,
        .left = left,
        .turn = polar_take_turn,
        .draw = polar_draw,
        .save = polar_save,
        .load = polar_load,
        .tables = polar_tables,
        .table_count = POLAR_TABLE_COUNT,
        .work = polar_work,
        .answered = polar_answered,
    };
    return &descriptor;
}
