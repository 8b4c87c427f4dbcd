/* worlds.c: worlds are made and seats are taken and given up; the account of what changed is kept. What happens in a
 * turn is in turn.c.
 */
#include <string.h>

#include "hunt.h"

/* changes */

/* Joins and leaves of the same turn came before, and do not know whether turn() ran since: so only what the last turn()
 * listed is dropped here, and what came after it stays. */
void changes_begin(struct changes *changes)
{
    const uint32_t fresh = changes->count - changes->settled;
    if (fresh > 0) {
        memmove(changes->cells, changes->cells + changes->settled, fresh * sizeof *changes->cells);
    }
    changes->count = fresh;
    changes->settled = 0;
    changes->overflow = changes->late_overflow;
}

void changes_settle(struct changes *changes)
{
    changes->settled = changes->count;
    changes->late_overflow = false;
}

/* memory */

/* Takes pieces out of one block. */
static void *carve(uint8_t **block, size_t bytes)
{
    void *piece = *block;
    *block += (bytes + 15) & ~(size_t)15;
    return piece;
}

static bool equip_changes(wn_world *world, struct changes *changes)
{
    changes->cells = wn_alloc(world, CHANGE_LIMIT * sizeof *changes->cells);
    return changes->cells != NULL;
}

static bool equip_world(wn_world *world, hunt *game)
{
    const size_t grid = game->cells + 16u;
    uint8_t *block = wn_alloc(world, grid * (7 + 2 * sizeof(uint16_t) + sizeof(struct place)) + 64);
    game->opened = wn_alloc(world, ((size_t)game->set[SETTING_MAXREMOVE] + 1) * sizeof *game->opened);
    if (block == NULL || game->opened == NULL || !equip_changes(world, &game->touched) ||
        !equip_changes(world, &game->flashed)) {
        return false;
    }
    uint8_t **const grids[] = {&game->terrain,   &game->item,  &game->shot_tile, &game->truth,
                               &game->player_at, &game->blast, &game->blast_left};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        *grids[i] = carve(&block, game->cells);
    }
    game->shot_count = carve(&block, game->cells * sizeof *game->shot_count);
    game->blasts = carve(&block, game->cells * sizeof *game->blasts);
    game->places = carve(&block, game->cells * sizeof *game->places);
    for (int32_t y = 0; y < game->height; y++) {
        for (int32_t x = 0; x < game->width; x++) {
            game->places[cell_at(game, x, y)] = (struct place){
                (uint8_t)x, (uint8_t)y, x == 0 || y == 0 || x == game->width - 1 || y == game->height - 1};
        }
    }
    return true;
}

bool hunt_equip(wn_world *world, struct player *who)
{
    const hunt *game = hunt_of(world);
    const int32_t side = game->width > game->height ? game->width : game->height;
    const size_t most = 12 * (size_t)side + 128; /* three cells wide in four directions; and whom a scanner shows */
    struct player kept = {0};
    kept.known = who->known;
    kept.sees = who->sees;
    kept.saw = who->saw;
    kept.changes.cells = who->changes.cells;
    if (kept.known == NULL) {
        kept.known = wn_alloc(world, game->cells);
        kept.sees = wn_alloc(world, most * sizeof(cell));
        kept.saw = wn_alloc(world, most * sizeof(cell));
        if (kept.known == NULL || kept.sees == NULL || kept.saw == NULL || !equip_changes(world, &kept.changes)) {
            return false; /* what it got is released with the world */
        }
    }
    *who = kept;
    return true;
}

hunt *hunt_new(wn_world *world)
{
    hunt *game = wn_alloc(world, sizeof *game);
    if (game != NULL) {
        for (uint32_t i = 0; i < SETTING_COUNT; i++) {
            game->set[i] = (int32_t)wn_setting_value(world, i);
        }
        game->width = game->set[SETTING_WIDTH] | 1; /* halls lie between walls */
        game->height = game->set[SETTING_HEIGHT] | 1;
        game->cells = (uint32_t)(game->width * game->height);
        for (uint32_t i = 0; i < DIRECTIONS; i++) {
            game->step[i] = hunt_dy[i] * game->width + hunt_dx[i];
        }
    }
    if (game == NULL || !equip_world(world, game)) {
        wn_fail(world, "a maze of %lld by %lld cells needs more memory than a world may have: lower width or height",
                (long long)wn_setting_value(world, SETTING_WIDTH), (long long)wn_setting_value(world, SETTING_HEIGHT));
        return NULL;
    }
    world->state = game;
    wn_delay_spectators(world, (uint32_t)game->set[SETTING_SPECTATOR_DELAY]);
    return game;
}

void hunt_wake(wn_world *world)
{
    const hunt *game = hunt_of(world);
    const bool moving = game->shot_total > 0 || game->blast_count > 0 || game->flyers != 0 || game->boots[0].flying ||
                        game->boots[1].flying;
    if (game->set[SETTING_SIMSTEP] > 0 && moving) {
        wn_wake(world, (uint32_t)game->set[SETTING_SIMSTEP]);
    }
}

/* The seats that are taken. */
static uint64_t audience(const hunt *game)
{
    uint64_t seats = 0;
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        seats |= game->players[seat].state != SEAT_FREE ? seat_bit(seat) : 0;
    }
    return seats;
}

void hunt_announce(wn_world *world, const char *text)
{
    const hunt *game = hunt_of(world);
    if (game->set[SETTING_MONITORS]) {
        wn_say(world, WN_EVERYONE, WN_INFO, "%s", text);
        return;
    }
    for (uint64_t left = audience(game); left != 0;) {
        wn_say(world, (int32_t)next_seat(&left), WN_INFO, "%s", text);
    }
}

void hunt_show(wn_world *world, const wn_effect *effect)
{
    const hunt *game = hunt_of(world);
    if (game->set[SETTING_MONITORS]) {
        wn_show_effect(world, WN_EVERYONE, effect);
        return;
    }
    for (uint64_t left = audience(game); left != 0;) {
        wn_show_effect(world, (int32_t)next_seat(&left), effect);
    }
}

/* callbacks */

static bool create(wn_world *world)
{
    hunt *game = hunt_new(world);
    if (game == NULL) {
        return false;
    }
    maze_generate(world);
    if (game->set[SETTING_BOOTS]) {
        const cell at = maze_random_empty(world, false);
        if (at != NO_CELL) {
            maze_set_item(game, at, TILE_BOOTS);
        }
    }
    wn_place(world, WN_SPECTATORS, game->width / 2, game->height / 2);
    return true;
}

static bool joined(wn_world *world, uint32_t seat, const char *player)
{
    hunt *game = hunt_of(world);
    const uint64_t before = game->board_changed;
    game->board_changed = 0;
    const bool welcome = players_enter(world, seat, player);
    game->board_late |= game->board_changed;
    game->board_changed |= before;
    hunt_wake(world);
    return welcome;
}

static void left(wn_world *world, uint32_t seat)
{
    hunt *game = hunt_of(world);
    const uint64_t before = game->board_changed;
    game->board_changed = 0;
    players_leave(world, seat);
    game->board_late |= game->board_changed;
    game->board_changed |= before;
    hunt_wake(world);
}

const wn_mode_descriptor *wn_mode(void)
{
    static const wn_mode_descriptor descriptor = {
        .abi = WN_ABI_VERSION,
        .size = sizeof(wn_mode_descriptor),
        .name = "hunt",
        .title = "Hunt",
        .summary = "Players hunt each other in a maze whose walls come down",
        .version = "0.1.0",
        .authors = "The Warren authors, after Conrad Huang's, Ken Arnold's and Greg Couch's hunt",
        .licence = "MIT",
        .max_seats = WN_MAX_SEATS,
        .tiles = hunt_tiles,
        .tile_count = TILE_COUNT,
        .actions = hunt_actions,
        .action_count = HUNT_ACTION_COUNT,
        .settings = hunt_settings,
        .setting_count = SETTING_COUNT,
        .status = hunt_status,
        .status_count = STATUS_COUNT,
        .columns = hunt_columns,
        .column_count = COLUMN_COUNT,
        .entries = hunt_entries,
        .entry_count = ENTER_COUNT,
        .tables = hunt_tables,
        .table_count = TABLE_COUNT,
        .type_ahead = TYPE_AHEAD,
        .players_title = "Player",
        .spectators_title = "Monitor",
        .create = create,
        .joined = joined,
        .left = left,
        .turn = hunt_take_turn,
        .draw = hunt_draw,
        .save = hunt_save,
        .load = hunt_load,
    };
    return &descriptor;
}
