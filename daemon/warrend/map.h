/* map.h: hash maps whose keys stand in the items themselves, so that they are neither copied nor freed.
 */
#ifndef WARREN_MAP_H
#define WARREN_MAP_H

#include <czmq.h>

/* For hashers. FNV-1a, 64 bit: http://www.isthe.com/chongo/tech/comp/fnv/ */
static inline size_t wn_map_hash(const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    size_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    }
    return hash;
}

static inline zhashx_t *wn_map_new(zhashx_hash_fn *hash, zhashx_comparator_fn *compare)
{
    zhashx_t *map = zhashx_new();
    zhashx_set_key_hasher(map, hash);
    zhashx_set_key_comparator(map, compare);
    zhashx_set_key_duplicator(map, NULL);
    zhashx_set_key_destructor(map, NULL);
    return map;
}

#endif
