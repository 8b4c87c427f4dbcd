/* sight.c: what each seat sees and remembers. Nothing else of the world gets onto its view: draw.c shows what is noted
 * here, explosions, and what everybody may know.
 */
#include <string.h>

#include "hunt.h"

void sight_begin(hunt *game, uint32_t seat)
{
    struct player *who = &game->players[seat];
    memset(who->known, TILE_UNKNOWN, game->cells);
    who->mark = MARK;
    who->sees_count = 0;
    for (int32_t x = 0; x < game->width; x++) {
        const cell top = cell_at(game, x, 0), bottom = cell_at(game, x, game->height - 1);
        who->known[top] = game->terrain[top];
        who->known[bottom] = game->terrain[bottom];
    }
    for (int32_t y = 0; y < game->height; y++) {
        const cell left = cell_at(game, 0, y), right = cell_at(game, game->width - 1, y);
        who->known[left] = game->terrain[left];
        who->known[right] = game->terrain[right];
    }
}

/* The eight cells around, and along rows and columns up to and including the first wall or door, with the cells on both
 * sides. Each comes once. Returns how many there are. */
static uint32_t cells_in_sight(const hunt *game, const struct player *who, cell *cells)
{
    const uint8_t *const terrain = game->terrain;
    uint32_t count = 0;
    for (int32_t dy = -game->width; dy <= game->width; dy += game->width) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            cells[count++] = (cell)(who->at + dy + dx);
        }
    }
    for (uint32_t direction = 0; direction < DIRECTIONS; direction++) {
        if (direction == opposite(who->facing) && who->flying == 0) {
            continue;
        }
        const int32_t step = game->step[direction], side = game->step[(direction + 1) % DIRECTIONS];
        cell at = (cell)(who->at + step); /* one of the eight */
        while (terrain[at] == TILE_FLOOR) {
            at = (cell)(at + step);
            cells[count++] = (cell)(at - side);
            cells[count++] = at;
            cells[count++] = (cell)(at + side);
        }
    }
    return count;
}

/* What lies or stands in them. Half of what a turn costs the mode is spent here. */
static void see_cells(const hunt *game, struct player *who, uint32_t seat)
{
    const uint8_t *const truth = game->truth, *const player_at = game->player_at;
    uint8_t *const known = who->known;
    const cell *const sees = who->sees;
    const uint32_t count = who->sees_count;
    const uint8_t mark = who->mark, before = mark ^ MARKS;
    for (uint32_t i = 0; i < count; i++) {
        const cell at = sees[i];
        uint8_t tile = truth[at];
        if (player_at[at] != 0) {
            tile = players_tile(game, player_at[at] - 1u, (int32_t)seat);
            who->sighted |= seat_bit(player_at[at] - 1u);
        }
        if (known[at] != (tile | before) || tile >= TILE_YOU) {
            changes_add(&who->changes, at);
        }
        known[at] = tile | mark;
    }
}

static void see_player(const hunt *game, struct player *who, uint32_t seat, uint32_t other)
{
    const cell at = game->players[other].at;
    if ((who->known[at] & who->mark) == 0) {
        who->sees[who->sees_count++] = at;
    }
    who->known[at] = players_tile(game, other, (int32_t)seat) | who->mark;
    who->sighted |= seat_bit(other);
    changes_add(&who->changes, at);
}

/* Those in the air over what is seen, and those who moved without a cloak while this seat scanned. */
static void see_others(const hunt *game, struct player *who, uint32_t seat)
{
    for (uint64_t left = game->flyers; left != 0;) {
        const uint32_t other = next_seat(&left);
        if ((who->known[game->players[other].at] & who->mark) != 0) {
            see_player(game, who, seat, other);
        }
    }
    for (uint64_t left = who->scanned & game->playing & ~who->sighted; left != 0;) {
        see_player(game, who, seat, next_seat(&left));
    }
    who->scanned = 0;
}

/* What is not seen any more. */
static void lose_sight(struct player *who, const cell *before, uint32_t count)
{
    uint8_t *const known = who->known;
    const uint8_t mark = who->mark;
    for (uint32_t i = 0; i < count; i++) {
        const cell at = before[i];
        if ((known[at] & mark) == 0) {
            known[at] &= KNOWN_TILE;
            changes_add(&who->changes, at);
        }
    }
}

void sight_look(hunt *game, uint32_t seat)
{
    struct player *who = &game->players[seat];
    cell *const before = who->sees;
    const uint32_t count = who->sees_count;
    who->sees = who->saw;
    who->saw = before;
    who->sighted = 0;
    who->mark ^= MARKS;
    who->sees_count = cells_in_sight(game, who, who->sees);
    see_cells(game, who, seat);
    see_others(game, who, seat);
    lose_sight(who, before, count);
}

/* Whether the cell is seen stays as it was. */
static void know(struct player *who, cell at, uint8_t tile)
{
    who->known[at] = (uint8_t)((who->known[at] & MARKS) | tile);
}

void sight_scanned(hunt *game, uint32_t seat, cell from)
{
    if (game->players[seat].cloak > 0) {
        return;
    }
    for (uint64_t left = game->playing & ~seat_bit(seat); left != 0;) {
        struct player *who = &game->players[next_seat(&left)];
        if (who->scan == 0) {
            continue;
        }
        who->scanned |= seat_bit(seat);
        if (known_tile(who, from) >= TILE_YOU) { /* it is not there any more */
            know(who, from, game->terrain[from]);
            changes_add(&who->changes, from);
        }
    }
}

void sight_learn(hunt *game, cell at)
{
    for (uint64_t left = game->playing; left != 0;) {
        know(&game->players[next_seat(&left)], at, game->terrain[at]);
    }
}

void sight_forget_seat(hunt *game, uint32_t seat)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        game->players[i].sighted &= ~seat_bit(seat);
        game->players[i].scanned &= ~seat_bit(seat);
    }
}
