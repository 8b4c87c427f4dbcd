/* map.h: hash maps whose keys stand in the items themselves, so that they are neither copied nor freed.
 */
#ifndef WARREN_MAP_H
#define WARREN_MAP_H

#include <czmq.h>

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
