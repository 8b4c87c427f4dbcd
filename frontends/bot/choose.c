/* choose.c: commands chosen by chance from a mode's legend. Whether they are wise is nobody's business. */
#include "choose.h"

uint64_t wn_chance_bits(uint64_t *state)
{
    uint64_t bits = *state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

uint32_t wn_chance_below(uint64_t *state, uint32_t below)
{
    return (uint32_t)((wn_chance_bits(state) >> 32) * below >> 32);
}

enum { EIGHT_DIRECTIONS = 0xff, ALL_DIRECTIONS = 9 };

static uint32_t choose_direction(const Warren__Action *action, uint64_t *state)
{
    uint32_t usable = 0;
    for (size_t i = 0; i < action->n_keys; i++) {
        if (action->keys[i]->argument < ALL_DIRECTIONS) {
            usable |= 1u << action->keys[i]->argument;
        }
    }
    usable = usable != 0 ? usable : EIGHT_DIRECTIONS;
    uint32_t skip = wn_chance_below(state, (uint32_t)__builtin_popcount(usable));
    for (; skip > 0; skip--) {
        usable &= usable - 1;
    }
    return (uint32_t)__builtin_ctz(usable);
}

bool wn_choose(const Warren__Mode *mode, uint32_t cells, uint64_t *state, wn_choice *choice)
{
    if (mode->n_actions == 0) {
        return false;
    }
    const Warren__Action *action = mode->actions[wn_chance_below(state, (uint32_t)mode->n_actions)];
    *choice = (wn_choice){.action = action->id};
    if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION) {
        choice->argument = choose_direction(action, state);
    } else if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
        choice->argument = wn_chance_below(state, cells);
    }
    return true;
}
