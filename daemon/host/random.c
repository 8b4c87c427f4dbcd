/* random.c: see random.h. */
#include "random.h"

uint64_t wn_splitmix64(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = *state;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

void wn_generator_seed(wn_generator *generator, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        generator->state[i] = wn_splitmix64(&seed);
    }
}

bool wn_generator_valid(const wn_generator *generator)
{
    const uint64_t *s = generator->state;
    return (s[0] | s[1] | s[2] | s[3]) != 0;
}
