/* random.h: the generator behind wn_random(): xoshiro256** 1.0 by David Blackman and Sebastiano Vigna
 * (https://prng.di.unimi.it/), seeded by splitmix64. Not for secrets.
 */
#ifndef WARREN_HOST_RANDOM_H
#define WARREN_HOST_RANDOM_H

#include <stdint.h>

typedef struct wn_generator {
    uint64_t state[4];
} wn_generator;

uint64_t wn_splitmix64(uint64_t *state);
void wn_generator_seed(wn_generator *generator, uint64_t seed);
uint64_t wn_generator_next(wn_generator *generator);

#endif
