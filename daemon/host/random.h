/* random.h: the generator behind wn_random(): xoshiro256** 1.0 by David Blackman and Sebastiano Vigna
 * (https://prng.di.unimi.it/), seeded by splitmix64. Not for secrets.
 */
#ifndef WARREN_HOST_RANDOM_H
#define WARREN_HOST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wn_generator {
    uint64_t state[4];
} wn_generator;

uint64_t wn_splitmix64(uint64_t *state);
void wn_generator_seed(wn_generator *generator, uint64_t seed);
/* Can a state that was read be one? From all zero the generator gives zeros for ever, and who draws until a number fits
 * would never end. */
bool wn_generator_valid(const wn_generator *generator);

/* Here, because a mode may ask for a number for each of thousands of creatures in a turn. */
static inline uint64_t wn_generator_next(wn_generator *generator)
{
    uint64_t *s = generator->state;
    const uint64_t five = s[1] * 5;
    const uint64_t result = (five << 7 | five >> 57) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

#endif
