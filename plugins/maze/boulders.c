/* boulders.c: pushing boulders, so that none ever keeps anyone from anywhere it was not kept from before.
 *
 * Where halls are one square wide there is nothing to check. Boulders begin off the way from the start to the end. A
 * maze is a tree, so whoever pushes one comes from the start's side, and it goes away from the start, deeper into a
 * branch that is not the way: it never gets onto the way, and what lies behind it only becomes less. And nobody is
 * behind one: who is put back is put to the start.
 *
 * Where they are wider, a boulder can be walked around and pushed anywhere. There it may rest only where the open
 * squares next to it hang together around it, so that every walk that led over that square can lead around it.
 */
#include "game.h"

/* Whether the open ones of a square's four neighbours are connected by the ring of eight around it. */
static bool can_be_walked_around(const game *state, struct maze_square at)
{
    static const int8_t ring_x[8] = {0, 1, 1, 1, 0, -1, -1, -1}, ring_y[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    bool open[8];
    uint32_t neighbours = 0, joints = 0;
    for (uint32_t i = 0; i < 8; i++) {
        open[i] = is_free(state, (struct maze_square){at.x + ring_x[i], at.y + ring_y[i]});
    }
    for (uint32_t i = 0; i < 8; i += 2) {
        neighbours += open[i];
        joints += open[i] && open[i + 1] && open[(i + 2) % 8];
    }
    return neighbours <= joints + 1;
}

static bool is_taken(const game *state, struct maze_square at)
{
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (state->runners[i].taken && !state->runners[i].arrived && is_same(state->runners[i].at, at)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < state->monster_count; i++) {
        if (is_same(state->monsters[i].at, at)) {
            return true;
        }
    }
    return false;
}

static void move(game *state, struct maze_square from, struct maze_square to)
{
    const struct maze_square ends[] = {from, to};
    for (size_t i = 0; i < 2; i++) {
        const struct box square = {ends[i].x, ends[i].y, ends[i].x, ends[i].y};
        flip_bit(state, state->boulders, ends[i]);
        flip_bit(state, state->opaque, ends[i]);
        box_add(&state->changed, &square);
    }
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        state->runners[i].moved = true; /* it hides and shows other squares now */
    }
}

/* Pushes the boulder at `from`; false: it stays. */
bool boulders_push(game *state, struct maze_square from, uint32_t direction)
{
    const struct maze_square to = next_to(from, direction);
    if (!is_free(state, to) || is_same(to, state->finale) || is_same(to, state->north) || is_taken(state, to)) {
        return false;
    }
    if (state->shape.hall > 1) {
        flip_bit(state, state->opaque, from);
        const bool good = can_be_walked_around(state, to);
        flip_bit(state, state->opaque, from);
        if (!good) {
            return false;
        }
    }
    move(state, from, to);
    return true;
}
