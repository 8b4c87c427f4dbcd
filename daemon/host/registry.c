/* registry.c: see registry.h. Linear probing; removing moves the entries behind into the gap (Knuth, The Art of
 * Computer Programming, volume 3, 6.4, algorithm R), so that there are no marks of what was removed.
 */
#include "registry.h"

#include <stdlib.h>

#include "text.h"

enum { SMALLEST = 16 };

static uint32_t home_of(const wn_registry *registry, uint32_t id)
{
    return id * UINT32_C(2654435769) & (registry->capacity - 1);
}

/* The entry of the id, or the free one where it belongs. */
static wn_registry_entry *entry_of(const wn_registry *registry, uint32_t id)
{
    uint32_t at = home_of(registry, id);
    while (registry->entries[at].world && registry->entries[at].id != id) {
        at = (at + 1) & (registry->capacity - 1);
    }
    return &registry->entries[at];
}

wn_hosted *wn_registry_find(const wn_registry *registry, uint32_t id)
{
    return registry->capacity > 0 ? entry_of(registry, id)->world : NULL;
}

static void grow(wn_registry *registry)
{
    const wn_registry old = *registry;
    registry->capacity = old.capacity ? old.capacity * 2 : SMALLEST;
    registry->entries = wn_must_allocate(registry->capacity * sizeof *registry->entries);
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].world) {
            *entry_of(registry, old.entries[i].id) = old.entries[i];
        }
    }
    free(old.entries);
}

void wn_registry_add(wn_registry *registry, uint32_t id, wn_hosted *world)
{
    if ((registry->count + 1) * 4 > registry->capacity * 3) {
        grow(registry);
    }
    *entry_of(registry, id) = (wn_registry_entry){id, world};
    registry->count++;
}

void wn_registry_remove(wn_registry *registry, uint32_t id)
{
    if (!wn_registry_find(registry, id)) {
        return;
    }
    const uint32_t mask = registry->capacity - 1;
    uint32_t gap = (uint32_t)(entry_of(registry, id) - registry->entries);
    wn_hosted_free(registry->entries[gap].world);
    registry->entries[gap].world = NULL;
    registry->count--;
    for (uint32_t at = (gap + 1) & mask; registry->entries[at].world; at = (at + 1) & mask) {
        const uint32_t from_home = (at - home_of(registry, registry->entries[at].id)) & mask;
        if (from_home >= ((at - gap) & mask)) {
            registry->entries[gap] = registry->entries[at];
            registry->entries[at].world = NULL;
            gap = at;
        }
    }
}

void wn_registry_free(wn_registry *registry)
{
    for (uint32_t i = 0; i < registry->capacity; i++) {
        wn_hosted_free(registry->entries[i].world);
    }
    free(registry->entries);
    *registry = (wn_registry){0};
}
