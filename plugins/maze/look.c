/* look.c: what each seat sees and remembers of the maze. Until it has arrived, nothing else gets onto its view. */
#include <string.h>

#include "game.h"

void box_empty(struct box *box)
{
    *box = (struct box){0, 0, -1, -1};
}

void box_add(struct box *box, const struct box *other)
{
    if (other->right < other->left) {
        return;
    }
    if (box->right < box->left) {
        *box = *other;
        return;
    }
    box->left = box->left < other->left ? box->left : other->left;
    box->top = box->top < other->top ? box->top : other->top;
    box->right = box->right > other->right ? box->right : other->right;
    box->bottom = box->bottom > other->bottom ? box->bottom : other->bottom;
}

static struct box box_of(const struct wn_sight *sight)
{
    return (struct box){sight->left, sight->top, sight->right, sight->bottom};
}

/* Words are whole: what is left and right of the box in them is not visible, and stays as it was. */
static void remember(const game *state, struct runner *who)
{
    for (int32_t y = who->sight.top; y <= who->sight.bottom; y++) {
        for (int32_t x = who->sight.left >> 6; x <= who->sight.right >> 6; x++) {
            const size_t word = (size_t)y * state->stride + (size_t)x;
            const uint64_t visible = who->sight.visible[word];
            who->known[word] |= visible;
            who->boulders[word] = (who->boulders[word] & ~visible) | (state->boulders[word] & visible);
        }
    }
}

/* Before it looks again. */
void look_forget(game *state, uint32_t seat)
{
    struct runner *who = &state->runners[seat];
    memset(who->known, 0, state->words * sizeof *who->known);
    memset(who->boulders, 0, state->words * sizeof *who->boulders);
    who->changed = (struct box){0, 0, state->side - 1, state->side - 1};
}

void look_around(game *state, uint32_t seat)
{
    struct runner *who = &state->runners[seat];
    const struct box before = box_of(&who->sight);
    wn_sight_look(&who->sight, who->at.x, who->at.y, 0);
    const struct box now = box_of(&who->sight);
    box_add(&who->changed, &before);
    box_add(&who->changed, &now);
    remember(state, who);
    who->moved = false;
}

/* Spectators look at the first of those who are on the way, or at the first of all. */
void look_follow_first(wn_world *world)
{
    const game *state = game_of(world);
    const struct runner *first = NULL;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        const struct runner *who = &state->runners[i];
        if (who->taken && (first == NULL || (who->running && !first->running))) {
            first = who;
        }
    }
    if (first != NULL) {
        wn_place(world, WN_SPECTATORS, first->at.x, first->at.y);
    }
}

void look_follow(wn_world *world, uint32_t seat)
{
    const struct runner *who = &game_of(world)->runners[seat];
    wn_place(world, (int32_t)seat, who->at.x, who->at.y);
    wn_face(world, (int32_t)seat, who->facing * 2u);
    look_follow_first(world);
}
