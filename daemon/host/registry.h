/* registry.h: the worlds of this process by their id. A hash table with open addressing; it owns its worlds.
 */
#ifndef WARREN_HOST_REGISTRY_H
#define WARREN_HOST_REGISTRY_H

#include "world.h"

typedef struct wn_registry_entry {
    uint32_t id;
    wn_hosted *world; /* NULL: the place is free */
} wn_registry_entry;

/* All zero is a valid empty one. */
typedef struct wn_registry {
    wn_registry_entry *entries;
    uint32_t count;
    uint32_t capacity; /* a power of two, or 0 */
} wn_registry;

wn_hosted *wn_registry_find(const wn_registry *registry, uint32_t id);      /* NULL: not there */
void wn_registry_add(wn_registry *registry, uint32_t id, wn_hosted *world); /* the id is not there yet */
void wn_registry_remove(wn_registry *registry, uint32_t id);                /* and frees the world */
void wn_registry_free(wn_registry *registry);                               /* with its worlds */

#endif
