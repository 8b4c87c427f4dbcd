/* sight.c: what each seat sees and remembers. Nothing else of the world gets onto its view: draw.c shows what is noted
 * here, explosions, and what everybody may know.
 */
#include <string.h>

#include "hunt.h"

void sight_begin(hunt *game, uint32_t seat)
{
    struct player *who = &game->players[seat];
    memset(who->memory, TILE_UNKNOWN, game->cells);
    memset(who->seen, UNSEEN, game->cells);
    who->sees_count = 0;
    for (int32_t x = 0; x < game->width; x++) {
        const cell top = cell_at(game, x, 0), bottom = cell_at(game, x, game->height - 1);
        who->memory[top] = game->terrain[top];
        who->memory[bottom] = game->terrain[bottom];
    }
    for (int32_t y = 0; y < game->height; y++) {
        const cell left = cell_at(game, 0, y), right = cell_at(game, game->width - 1, y);
        who->memory[left] = game->terrain[left];
        who->memory[right] = game->terrain[right];
    }
}

static void note(struct player *who, cell at, uint8_t tile)
{
    if (who->seen[at] != SEEN_BEFORE || who->memory[at] != tile || tile >= TILE_YOU) {
        changes_add(&who->changes, at);
    }
    who->memory[at] = tile;
    who->seen[at] = SEEN;
    who->sees[who->sees_count++] = at;
}

static void see(const hunt *game, struct player *who, uint32_t seat, cell at)
{
    if (who->seen[at] == SEEN) {
        return;
    }
    uint8_t tile = game->truth[at];
    if (game->player_at[at] != 0) {
        const uint32_t other = game->player_at[at] - 1u;
        tile = players_tile(game, other, (int32_t)seat);
        who->sighted |= seat_bit(other);
    }
    for (uint64_t left = game->flyers; left != 0;) {
        const uint32_t other = next_seat(&left);
        if (game->players[other].at == at) {
            tile = TILE_FLYER;
            who->sighted |= seat_bit(other);
        }
    }
    note(who, at, tile);
}

/* Along a row or column, up to and including the first wall or door, with the cells on both sides. */
static void see_along(const hunt *game, struct player *who, uint32_t seat, uint32_t direction)
{
    const int32_t step = game->step[direction], side = game->step[(direction + 1) % DIRECTIONS];
    cell at = who->at;
    if (is_border(game, at)) {
        return;
    }
    do {
        at = (cell)(at + step);
        see(game, who, seat, at);
        see(game, who, seat, (cell)(at + side));
        see(game, who, seat, (cell)(at - side));
    } while (game->terrain[at] == TILE_FLOOR);
}

/* Those who moved without a cloak while this seat scanned. */
static void see_scanned(const hunt *game, struct player *who, uint32_t seat)
{
    who->scanned &= game->playing;
    who->sighted |= who->scanned;
    for (uint64_t left = who->scanned; left != 0;) {
        const uint32_t other = next_seat(&left);
        if (who->seen[game->players[other].at] != SEEN) {
            note(who, game->players[other].at, players_tile(game, other, (int32_t)seat));
        }
    }
    who->scanned = 0;
}

void sight_look(hunt *game, uint32_t seat)
{
    struct player *who = &game->players[seat];
    cell *const before = who->sees;
    const uint32_t count = who->sees_count;
    for (uint32_t i = 0; i < count; i++) {
        who->seen[before[i]] = SEEN_BEFORE;
    }
    who->sees = who->saw;
    who->saw = before;
    who->sees_count = 0;
    who->sighted = 0;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            see(game, who, seat, (cell)(who->at + dy * game->width + dx));
        }
    }
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        if (i != opposite(who->facing) || who->flying > 0) {
            see_along(game, who, seat, i);
        }
    }
    see_scanned(game, who, seat);
    for (uint32_t i = 0; i < count; i++) {
        if (who->seen[before[i]] == SEEN_BEFORE) {
            who->seen[before[i]] = UNSEEN;
            changes_add(&who->changes, before[i]);
        }
    }
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
        if (who->memory[from] >= TILE_YOU) { /* it is not there any more */
            who->memory[from] = game->terrain[from];
            changes_add(&who->changes, from);
        }
    }
}

void sight_learn(hunt *game, cell at)
{
    for (uint64_t left = game->playing; left != 0;) {
        game->players[next_seat(&left)].memory[at] = game->terrain[at];
    }
}

void sight_forget_seat(hunt *game, uint32_t seat)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        game->players[i].sighted &= ~seat_bit(seat);
        game->players[i].scanned &= ~seat_bit(seat);
    }
}
