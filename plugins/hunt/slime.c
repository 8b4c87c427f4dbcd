/* slime.c: slime and lava: they spread a few cells a turn, around walls, until their charge is used up.
 */
#include "hunt.h"

/* Walls, doors, and slime or lava that waits. */
bool slime_is_blocked(const hunt *game, cell at)
{
    const uint8_t shot = game->shot_tile[at];
    return game->terrain[at] != TILE_FLOOR || shot == TILE_SLIME || shot == TILE_LAVA;
}

static void cover_player(wn_world *world, const struct shot *slime, uint32_t seat)
{
    const hunt *game = hunt_of(world);
    wn_say(world, (int32_t)seat, WN_ALERT, "You've been slimed.");
    players_hurt(world, seat, slime->owner, slime->credit,
                 game->set[slime->kind == SHOT_LAVA ? SETTING_LAVADAM : SETTING_SLIMEDAM], (cause)slime->cause);
}

static void cover(wn_world *world, const struct shot *slime)
{
    hunt *game = hunt_of(world);
    explosions_show(game, slime->at, slime->kind == SHOT_LAVA ? TILE_LAVA : TILE_SLIME);
    if (game->player_at[slime->at] != 0) {
        cover_player(world, slime, game->player_at[slime->at] - 1u);
    }
    for (uint64_t left = game->flyers; left != 0;) {
        const uint32_t seat = next_seat(&left);
        if (game->players[seat].at == slime->at) {
            cover_player(world, slime, seat);
        }
    }
    if (game->shot_tile[slime->at] != 0) {
        shots_set_off(game, slime->at);
    }
}

/* Where it can go on: ahead and to the sides; back only if there is no other way. */
static uint32_t ways_of(const hunt *game, const struct shot *slime, uint32_t ways[DIRECTIONS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        if (i != opposite(slime->direction) && !slime_is_blocked(game, neighbour(game, slime->at, i))) {
            ways[count++] = i;
        }
    }
    if (count == 0 && !slime_is_blocked(game, neighbour(game, slime->at, opposite(slime->direction)))) {
        ways[count++] = opposite(slime->direction);
    }
    return count;
}

/* Covers a cell, which takes one of its charge, and shares the rest among the ways from there. As deep as the slime is
 * quick (slimespeed), and no wider than its charge. */
static void ooze(wn_world *world, struct shot slime, int32_t steps)
{
    hunt *game = hunt_of(world);
    if (steps == 0) {
        shots_add(world, slime);
        return;
    }
    cover(world, &slime);
    if (--slime.charge == 0) {
        return;
    }
    uint32_t ways[DIRECTIONS];
    uint32_t count = ways_of(game, &slime, ways);
    if (count == 0) {
        shots_add(world, slime); /* waits for a way */
        return;
    }
    count = count < slime.charge ? count : slime.charge;
    for (uint32_t i = 0; i < count; i++) {
        struct shot part = slime;
        part.direction = (uint8_t)ways[i];
        part.at = neighbour(game, slime.at, ways[i]);
        part.charge = slime.charge / count + (i < slime.charge % count ? 1 : 0);
        ooze(world, part, steps - 1);
    }
}

void slime_spread(wn_world *world, struct shot slime)
{
    const hunt *game = hunt_of(world);
    if (game->terrain[slime.at] != TILE_FLOOR) { /* it has hit a wall: it begins in front of it */
        slime.at = neighbour(game, slime.at, opposite(slime.direction));
        if (game->terrain[slime.at] != TILE_FLOOR || is_border(game, slime.at)) {
            return;
        }
    }
    slime.exploding = true;
    slime.dead = false;
    if (slime.charge > 0) {
        ooze(world, slime, game->set[slime.kind == SHOT_LAVA ? SETTING_LAVASPEED : SETTING_SLIMESPEED]);
    }
}
