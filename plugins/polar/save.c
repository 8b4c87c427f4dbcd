/* save.c: writes a world and reads it back, believing nothing that it reads. Boards are not written: they are played
 * again from the moves.
 *
 * Format 2: u32 format, u32 levels of the pack; u32 waking; u32 runners, each u8 length and bytes of the name, u32
 * reached, and u32 moves and u32 pushes of every level; the taken seats, each u8 number, u32 runner, u32 level, u32
 * chosen, u8 choosing, u8 sliding, u8 shown, u32 calm, u32 hint, u8 hint_heading, u32 length, u32 made, and a byte with
 * the heading of each move; u8 255. Format 1 had neither waking nor calm.
 */
#include "polar.h"

#include <string.h>

enum { SAVE_FORMAT = 2, OLDEST_FORMAT = 1, END_OF_SEATS = 255 };

static void save_runner(const wn_world *world, wn_writer *writer, const polar_runner *runner)
{
    const size_t length = strlen(runner->name);
    wn_write_u8(writer, world, (uint8_t)length);
    wn_write_bytes(writer, world, runner->name, length);
    wn_write_u32(writer, world, runner->reached);
    for (uint32_t i = 0; i < polar_of(world)->pack.count; i++) {
        wn_write_u32(writer, world, runner->best[i].moves);
        wn_write_u32(writer, world, runner->best[i].pushes);
    }
}

static void save_seat(const wn_world *world, wn_writer *writer, const polar_seat *seat)
{
    wn_write_u32(writer, world, seat->runner);
    wn_write_u32(writer, world, seat->level);
    wn_write_u32(writer, world, seat->chosen);
    wn_write_u8(writer, world, seat->choosing);
    wn_write_u8(writer, world, seat->sliding);
    wn_write_u8(writer, world, seat->sliding ? seat->shown : 0);
    wn_write_u32(writer, world, seat->calm);
    wn_write_u32(writer, world, seat->hint);
    wn_write_u8(writer, world, seat->hint != 0 ? seat->hint_heading : 0);
    wn_write_u32(writer, world, seat->length);
    wn_write_u32(writer, world, seat->made);
    for (uint32_t i = 0; i < seat->length; i++) {
        wn_write_u8(writer, world, move_unpack(seat->moves[i]).heading);
    }
}

void polar_save(wn_world *world, wn_writer *writer)
{
    const polar *game = polar_of(world);
    wn_write_u32(writer, world, SAVE_FORMAT);
    wn_write_u32(writer, world, game->pack.count);
    wn_write_u32(writer, world, game->waking);
    wn_write_u32(writer, world, game->runner_count);
    for (uint32_t i = 0; i < game->runner_count; i++) {
        save_runner(world, writer, &game->runners[i]);
    }
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken) {
            wn_write_u8(writer, world, (uint8_t)i);
            save_seat(world, writer, &game->seats[i]);
        }
    }
    wn_write_u8(writer, world, END_OF_SEATS);
}

/* load */

static bool damaged(wn_world *world, const char *what)
{
    wn_fail(world, "the saved game is damaged: %s", what);
    return false;
}

static bool load_runner(wn_world *world, wn_reader *reader)
{
    polar *game = polar_of(world);
    char name[WN_MAX_NAME + 1] = "";
    const uint8_t length = wn_read_u8(reader, world);
    if (length == 0 || length > WN_MAX_NAME || !wn_read_bytes(reader, world, name, length) || strlen(name) != length) {
        return damaged(world, "a player without a name");
    }
    const uint32_t before = game->runner_count, index = polar_find_runner(world, name);
    if (index != before || index == RUNNER_LIMIT) {
        return damaged(world, "one player twice, or no memory for all");
    }
    polar_runner *runner = &game->runners[index];
    runner->reached = wn_read_u32(reader, world);
    for (uint32_t i = 0; i < game->pack.count; i++) {
        runner->best[i] = (polar_best){wn_read_u32(reader, world), wn_read_u32(reader, world)};
        if (runner->best[i].pushes > runner->best[i].moves ||
            (runner->best[i].pushes == 0) != (runner->best[i].moves == 0)) {
            return damaged(world, "a level cleared in fewer moves than pushes");
        }
        runner->cleared += runner->best[i].moves > 0;
    }
    return runner->reached < game->pack.count || damaged(world, "a level that is not in the pack was reached");
}

/* Plays the moves; at the end the board is as it was after those that were made. */
static bool load_moves(wn_world *world, wn_reader *reader, polar_seat *seat)
{
    for (uint32_t i = 0; i < seat->length; i++) {
        const uint8_t heading = wn_read_u8(reader, world);
        if (heading >= HEADING_COUNT || seat->board.hearts == 0) {
            return damaged(world, "a move that nobody can have made");
        }
        const polar_move move = board_move(&seat->board, (polar_heading)heading);
        if (move.deed == DEED_NOTHING) {
            return damaged(world, "a move that does nothing");
        }
        seat->moves[i] = move_pack(&move);
        seat->pushes += move.deed == DEED_PUSH && i < seat->made;
    }
    for (uint32_t i = seat->length; i > seat->made; i--) {
        const polar_move move = move_unpack(seat->moves[i - 1]);
        board_undo(&seat->board, &move);
    }
    return true;
}

static bool load_slide(wn_world *world, polar_seat *seat, uint8_t sliding, uint8_t shown)
{
    if (sliding == 0 && shown == 0) {
        return true;
    }
    if (sliding != 1 || seat->made == 0 || seat_last_move(seat).deed != DEED_PUSH ||
        shown >= seat_last_move(seat).distance) {
        return damaged(world, "a slide of nothing");
    }
    seat->sliding = true;
    seat->shown = shown;
    return true;
}

static bool load_hint(wn_world *world, polar_seat *seat, uint32_t hint, uint8_t heading)
{
    if (hint >= BOARD_MAX_CELLS || heading >= HEADING_COUNT ||
        (hint != 0 && !piece_is_movable((polar_piece)seat->board.cells[hint]))) {
        return damaged(world, "a hint to push nothing");
    }
    seat->hint = (uint16_t)hint;
    seat->hint_heading = heading;
    return true;
}

static bool load_seat(wn_world *world, wn_reader *reader, uint32_t format, uint32_t number)
{
    polar *game = polar_of(world);
    polar_seat *seat = &game->seats[number];
    seat->runner = wn_read_u32(reader, world);
    const uint32_t level = wn_read_u32(reader, world), chosen = wn_read_u32(reader, world);
    const uint8_t choosing = wn_read_u8(reader, world), sliding = wn_read_u8(reader, world);
    const uint8_t shown = wn_read_u8(reader, world);
    const uint32_t calm = format >= 2 ? wn_read_u32(reader, world) : 0;
    const uint32_t hint = wn_read_u32(reader, world);
    const uint8_t hint_heading = wn_read_u8(reader, world);
    const uint32_t length = wn_read_u32(reader, world), made = wn_read_u32(reader, world);
    if (seat->runner >= game->runner_count || !polar_may_play(game, seat, level) ||
        !polar_may_play(game, seat, chosen) || choosing > 1) {
        return damaged(world, "a seat in a level that its player has not reached");
    }
    if (calm > game->calm_ms) {
        return damaged(world, "a calm longer than there is");
    }
    if (made > length || length > wn_read_left(reader, world)) {
        return damaged(world, "moves are missing");
    }
    if (!polar_reserve_moves(world, seat, length)) {
        wn_fail(world, "there is no memory for %u moves of one seat", length);
        return false;
    }
    seat->taken = true;
    polar_start_level(game, seat, level);
    seat->chosen = chosen;
    seat->choosing = choosing != 0;
    seat->calm = calm;
    seat->length = length;
    seat->made = made;
    if (format < 2 && sliding) {
        game->waking = game->slide_ms;
    }
    return load_moves(world, reader, seat) && load_slide(world, seat, sliding, shown) &&
           load_hint(world, seat, hint, hint_heading);
}

static bool load_seats(wn_world *world, wn_reader *reader, uint32_t format)
{
    for (uint32_t next = 0;;) {
        const uint32_t number = wn_read_u8(reader, world);
        if (number == END_OF_SEATS) {
            return true;
        }
        if (number < next || number >= WN_MAX_SEATS || !wn_read_ok(reader, world)) {
            return damaged(world, "a seat that there is not");
        }
        if (wn_seat_name(world, number) == NULL) {
            return damaged(world, "a seat that nobody has");
        }
        if (!load_seat(world, reader, format, number)) {
            return false;
        }
        next = number + 1;
    }
}

static bool all_seats_are_there(wn_world *world)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (wn_seat_name(world, i) != NULL && !polar_of(world)->seats[i].taken) {
            return damaged(world, "the board of a player is missing");
        }
    }
    return true;
}

bool polar_load(wn_world *world, wn_reader *reader)
{
    const uint32_t format = wn_read_u32(reader, world);
    if (format < OLDEST_FORMAT || format > SAVE_FORMAT) {
        wn_fail(world, "the game was saved in format %u; this version of polar reads %d to %d", format, OLDEST_FORMAT,
                SAVE_FORMAT);
        return false;
    }
    polar *game = polar_new(world);
    if (game == NULL) {
        return false;
    }
    if (wn_read_u32(reader, world) != game->pack.count) {
        wn_fail(world, "the game was saved with another pack of levels than it has now");
        return false;
    }
    game->waking = format >= 2 ? wn_read_u32(reader, world) : 0;
    if (game->waking > game->slide_ms && game->waking > CALM_TICK_MS) {
        return damaged(world, "a wake-up later than there is");
    }
    const uint32_t runners = wn_read_u32(reader, world);
    if (runners > RUNNER_LIMIT) {
        return damaged(world, "too many players");
    }
    for (uint32_t i = 0; i < runners; i++) {
        if (!load_runner(world, reader)) {
            return false;
        }
    }
    return load_seats(world, reader, format) && all_seats_are_there(world) &&
           (wn_read_ok(reader, world) || damaged(world, "it ends early"));
}
