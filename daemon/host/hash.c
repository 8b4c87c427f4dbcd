/* hash.c: see hash.h. The names are those of the specification; numbers in brackets are its steps.
 */
#include "hash.h"

#include <endian.h>
#include <string.h>

enum { LANES = 4, STRIPE = 8 * LANES };

static const uint64_t PRIME_1 = UINT64_C(0x9e3779b185ebca87);
static const uint64_t PRIME_2 = UINT64_C(0xc2b2ae3d27d4eb4f);
static const uint64_t PRIME_3 = UINT64_C(0x165667b19e3779f9);
static const uint64_t PRIME_4 = UINT64_C(0x85ebca77c2b2ae63);
static const uint64_t PRIME_5 = UINT64_C(0x27d4eb2f165667c5);

static uint64_t read64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

static uint32_t read32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static uint64_t rotate_left(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t round_of(uint64_t accumulator, uint64_t lane)
{
    return rotate_left(accumulator + lane * PRIME_2, 31) * PRIME_1;
}

/* Whole stripes [1, 2], then the lanes together [3]. Moves *at behind the stripes. */
static uint64_t hash_stripes(const uint8_t **at, size_t stripes)
{
    uint64_t lanes[LANES] = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1};
    for (; stripes > 0; stripes--, *at += STRIPE) {
        for (int i = 0; i < LANES; i++) {
            lanes[i] = round_of(lanes[i], read64(*at + 8 * i));
        }
    }
    uint64_t hash =
        rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) + rotate_left(lanes[2], 12) + rotate_left(lanes[3], 18);
    for (int i = 0; i < LANES; i++) {
        hash = (hash ^ round_of(0, lanes[i])) * PRIME_1 + PRIME_4;
    }
    return hash;
}

/* What is left of the last stripe [5]. */
static uint64_t hash_rest(uint64_t hash, const uint8_t *at, size_t left)
{
    for (; left >= 8; left -= 8, at += 8) {
        hash = rotate_left(hash ^ round_of(0, read64(at)), 27) * PRIME_1 + PRIME_4;
    }
    if (left >= 4) {
        hash = rotate_left(hash ^ read32(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        left -= 4;
        at += 4;
    }
    for (; left > 0; left--, at++) {
        hash = rotate_left(hash ^ *at * PRIME_5, 11) * PRIME_1;
    }
    return hash;
}

/* Each bit of the input may change each bit of the result [6]. */
static uint64_t avalanche(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}

uint64_t wn_hash(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    const uint64_t begun = size >= STRIPE ? hash_stripes(&at, size / STRIPE) : PRIME_5;
    return avalanche(hash_rest(begun + size, at, size % STRIPE));
}
