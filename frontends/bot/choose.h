/* choose.h: chance, and commands chosen by it from what a mode's legend allows.
 */
#ifndef WARREN_BOT_CHOOSE_H
#define WARREN_BOT_CHOOSE_H

#include "wire.h"

/* 64 random bits: splitmix64 (Steele, Lea, Flood, 2014). Any state is a good one; the same state gives the same bits.
 */
uint64_t wn_chance_bits(uint64_t *state);
/* A number from 0 to below - 1; the bias is less than below / 2^32. */
uint32_t wn_chance_below(uint64_t *state, uint32_t below);

typedef struct wn_choice {
    uint32_t action, argument;
} wn_choice;

/* Any action, each as likely, with an argument that fits: a direction among those its keys give (all eight if it has
 * no keys), or a cell of a view of `cells` cells. false: the mode has no action that can be done. */
bool wn_choose(const Warren__Mode *mode, uint32_t cells, uint64_t *state, wn_choice *choice);

#endif
