/* save.c: writes a world and reads it back, believing nothing that it reads. What settings determine, and what can be
 * found again (what is opaque, what is visible), is not written.
 *
 * Format 1: u32 format, side, start cell, end cell, exit, length of the way, number of the maze, arrived, idle, steps,
 * u8 ticking; a byte for each square; u64 words of the boulders; u32 monsters, for each u32 x | y << 16, the same of
 * its lair and of its goal, u8 hunts, facing, chased, rests; for each taken seat u8 number, flags, facing, u32 x | y <<
 * 16, turns, place, best, finishes, wins, u64 words of what it knows and of the boulders it remembers; u8 255.
 */
#include "game.h"

enum { SAVE_FORMAT = 1, END_OF_SEATS = 255 };
enum { FLAG_GREETED = 1, FLAG_RUNNING = 2, FLAG_ARRIVED = 4, FLAG_ASKED = 8, FLAG_FINISH_SEEN = 16, FLAG_ALL = 31 };

static uint32_t pack(struct maze_square at)
{
    return (uint32_t)at.x | (uint32_t)at.y << 16;
}

static struct maze_square unpack(uint32_t packed)
{
    return (struct maze_square){(int32_t)(packed & 0xffff), (int32_t)(packed >> 16)};
}

static void save_grid(const wn_world *world, wn_writer *writer, const uint64_t *grid)
{
    const uint32_t words = game_of(world)->words;
    for (uint32_t i = 0; i < words; i++) {
        wn_write_u64(writer, world, grid[i]);
    }
}

static void save_runner(const wn_world *world, wn_writer *writer, uint32_t seat)
{
    const struct runner *who = &game_of(world)->runners[seat];
    const uint32_t flags = (who->greeted ? FLAG_GREETED : 0u) | (who->running ? FLAG_RUNNING : 0u) |
                           (who->arrived ? FLAG_ARRIVED : 0u) | (who->asked ? FLAG_ASKED : 0u) |
                           (who->finish_seen ? FLAG_FINISH_SEEN : 0u);
    const uint32_t numbers[] = {pack(who->at), who->turns, who->place, who->best, who->finishes, who->wins};
    wn_write_u8(writer, world, (uint8_t)seat);
    wn_write_u8(writer, world, (uint8_t)flags);
    wn_write_u8(writer, world, who->facing);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        wn_write_u32(writer, world, numbers[i]);
    }
    save_grid(world, writer, who->known);
    save_grid(world, writer, who->boulders);
}

void game_save(wn_world *world, wn_writer *writer)
{
    const game *state = game_of(world);
    const uint32_t head[] = {SAVE_FORMAT,      (uint32_t)state->side, state->maze.start, state->maze.end,
                             state->maze.exit, state->maze.length,    state->number,     state->arrived,
                             state->idle,      state->steps};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
        wn_write_u32(writer, world, head[i]);
    }
    wn_write_u8(writer, world, state->ticking);
    wn_write_bytes(writer, world, state->squares, (size_t)state->side * (size_t)state->side);
    save_grid(world, writer, state->boulders);
    wn_write_u32(writer, world, state->monster_count);
    for (uint32_t i = 0; i < state->monster_count; i++) {
        const struct monster *monster = &state->monsters[i];
        wn_write_u32(writer, world, pack(monster->at));
        wn_write_u32(writer, world, pack(monster->lair));
        wn_write_u32(writer, world, pack(monster->goal));
        wn_write_u8(writer, world, monster->hunts);
        wn_write_u8(writer, world, monster->facing);
        wn_write_u8(writer, world, monster->chased);
        wn_write_u8(writer, world, monster->rests);
    }
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (state->runners[i].taken) {
            save_runner(world, writer, i);
        }
    }
    wn_write_u8(writer, world, END_OF_SEATS);
}

/* load */

static bool damaged(wn_world *world, const char *what)
{
    wn_fail(world, "the saved maze is damaged: %s", what);
    return false;
}

static void load_grid(const wn_world *world, wn_reader *reader, uint64_t *grid)
{
    const uint32_t words = game_of(world)->words;
    for (uint32_t i = 0; i < words; i++) {
        grid[i] = wn_read_u64(reader, world);
    }
}

static bool is_on_map(const game *state, struct maze_square at)
{
    return at.x < state->side && at.y < state->side;
}

static bool is_standable(const game *state, struct maze_square at)
{
    return is_on_map(state, at) && is_free(state, at);
}

static bool load_head(wn_world *world, wn_reader *reader)
{
    game *state = game_of(world);
    const uint32_t cells = state->maze.cells, format = wn_read_u32(reader, world), side = wn_read_u32(reader, world);
    if (format != SAVE_FORMAT) {
        return damaged(world, "its format is another one");
    }
    if (side != (uint32_t)state->side) {
        return damaged(world, "its size is not that of the settings");
    }
    uint32_t *const rest[] = {&state->maze.start, &state->maze.end, &state->maze.exit, &state->maze.length,
                              &state->number,     &state->arrived,  &state->idle,      &state->steps};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        *rest[i] = wn_read_u32(reader, world);
    }
    const uint8_t ticking = wn_read_u8(reader, world);
    state->ticking = ticking == 1;
    const uint32_t exit = state->maze.exit;
    if (state->maze.start >= cells || state->maze.end >= cells * cells || ticking > 1 ||
        (exit != 0 && exit != MAZE_SOUTH && exit != MAZE_EAST && exit != MAZE_WEST)) {
        return damaged(world, "its start, its end or its clock");
    }
    return true;
}

static bool is_edge(const game *state, struct maze_square at)
{
    return at.x == 0 || at.y == 0 || at.x == state->side - 1 || at.y == state->side - 1;
}

static bool load_squares(wn_world *world, wn_reader *reader)
{
    game *state = game_of(world);
    wn_read_bytes(reader, world, state->squares, (size_t)state->side * (size_t)state->side);
    load_grid(world, reader, state->boulders);
    struct maze_square at;
    for (at.y = 0; at.y < state->side; at.y++) {
        for (at.x = 0; at.x < (int32_t)state->stride * 64; at.x++) {
            const bool boulder = bit_of(state, state->boulders, at);
            if (at.x >= state->side ? boulder : boulder && height_at(state, at) > 0) {
                return damaged(world, "a boulder in a wall");
            }
            if (at.x < state->side &&
                (height_at(state, at) > state->shape.heights || (is_edge(state, at) && height_at(state, at) == 0))) {
                return damaged(world, "a wall that is too high, or an edge that is open");
            }
        }
    }
    game_survey(state);
    return (is_standable(state, state->north) && is_standable(state, state->finale)) ||
           damaged(world, "a feature in a wall or a boulder");
}

static bool load_monsters(wn_world *world, wn_reader *reader)
{
    game *state = game_of(world);
    const uint32_t count = wn_read_u32(reader, world);
    if (count > (uint32_t)wn_setting_value(world, SETTING_MONSTERS)) {
        return damaged(world, "more monsters than the settings say");
    }
    for (; state->monster_count < count; state->monster_count++) {
        struct monster *monster = &state->monsters[state->monster_count];
        monster->at = unpack(wn_read_u32(reader, world));
        monster->lair = unpack(wn_read_u32(reader, world));
        monster->goal = unpack(wn_read_u32(reader, world));
        const uint8_t hunts = wn_read_u8(reader, world);
        monster->facing = wn_read_u8(reader, world);
        monster->chased = wn_read_u8(reader, world);
        monster->rests = wn_read_u8(reader, world);
        monster->hunts = hunts == 1;
        if (!is_standable(state, monster->at) || !is_on_map(state, monster->lair) || !is_on_map(state, monster->goal) ||
            hunts > 1 || monster->facing >= DIRECTIONS) {
            return damaged(world, "a monster");
        }
    }
    return true;
}

static bool load_runner(wn_world *world, wn_reader *reader, uint32_t seat)
{
    game *state = game_of(world);
    struct runner *who = &state->runners[seat];
    if (!game_equip(world, seat)) {
        wn_fail(world, "what the saved maze's players have seen needs more memory than a world may have");
        return false;
    }
    const uint8_t flags = wn_read_u8(reader, world);
    who->taken = true;
    who->greeted = (flags & FLAG_GREETED) != 0;
    who->running = (flags & FLAG_RUNNING) != 0;
    who->arrived = (flags & FLAG_ARRIVED) != 0;
    who->asked = (flags & FLAG_ASKED) != 0;
    who->finish_seen = (flags & FLAG_FINISH_SEEN) != 0;
    who->facing = wn_read_u8(reader, world);
    who->at = unpack(wn_read_u32(reader, world));
    uint32_t *const numbers[] = {&who->turns, &who->place, &who->best, &who->finishes, &who->wins};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        *numbers[i] = wn_read_u32(reader, world);
    }
    load_grid(world, reader, who->known);
    load_grid(world, reader, who->boulders);
    if (flags > FLAG_ALL || (who->running && who->arrived) || who->facing >= DIRECTIONS || !wn_read_ok(reader, world)) {
        return damaged(world, "a seat");
    }
    if (!is_standable(state, who->at)) {
        return damaged(world, "a player in a wall");
    }
    look_around(state, seat);
    return true;
}

static bool load_runners(wn_world *world, wn_reader *reader)
{
    for (uint32_t next = 0;;) {
        const uint32_t seat = wn_read_u8(reader, world);
        if (seat == END_OF_SEATS) {
            return true;
        }
        if (seat >= WN_MAX_SEATS || seat < next) {
            return damaged(world, "a seat's number");
        }
        if (!load_runner(world, reader, seat)) {
            return false;
        }
        next = seat + 1;
    }
}

bool game_load(wn_world *world, wn_reader *reader)
{
    if (game_new(world) == NULL || !load_head(world, reader) || !load_squares(world, reader) ||
        !load_monsters(world, reader) || !load_runners(world, reader)) {
        return false;
    }
    return wn_read_ok(reader, world) || damaged(world, "it ends too early");
}
