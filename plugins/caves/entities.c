/* entities.c: the table of entities and the answer to "who stands at x, y?". It knows no rule but one: at most one in a
 * cell.
 */
#include "caves.h"

enum { FIRST_CAPACITY = 64, SLOTS_PER_ENTITY = 2 };

/* Where the search for a cell begins (Knuth's multiplicative hashing). */
static uint32_t home_slot(const entities *list, uint32_t x, uint32_t y)
{
    return ((x | y << 10) * UINT32_C(2654435769) >> 7) & list->slot_mask;
}

/* The slot that holds the entity at a cell, or the empty one where it would stand. */
static uint32_t slot_of(const entities *list, uint32_t x, uint32_t y)
{
    uint32_t slot = home_slot(list, x, y);
    while (list->slots[slot] != 0) {
        const entity *who = &list->all[list->slots[slot] - 1];
        if (who->x == x && who->y == y) {
            break;
        }
        slot = (slot + 1) & list->slot_mask;
    }
    return slot;
}

/* Empties a slot and moves up what was pushed past it. */
static void clear_slot(entities *list, uint32_t slot)
{
    uint32_t next = slot;
    for (;;) {
        next = (next + 1) & list->slot_mask;
        if (list->slots[next] == 0) {
            break;
        }
        const entity *who = &list->all[list->slots[next] - 1];
        const uint32_t home = home_slot(list, who->x, who->y);
        if (((next - home) & list->slot_mask) >= ((next - slot) & list->slot_mask)) {
            list->slots[slot] = list->slots[next];
            slot = next;
        }
    }
    list->slots[slot] = 0;
}

/* Room for one more, by doubling. */
static bool make_room(entities *list, wn_world *world)
{
    if (list->count < list->capacity) {
        return true;
    }
    const uint32_t capacity = list->capacity > 0 ? list->capacity * 2 : FIRST_CAPACITY;
    entity *all = wn_resize(world, list->all, capacity * sizeof *all);
    if (all == NULL) {
        return false;
    }
    list->all = all;
    uint32_t *slots = wn_alloc(world, capacity * SLOTS_PER_ENTITY * sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    wn_release(world, list->slots);
    list->slots = slots;
    list->slot_mask = capacity * SLOTS_PER_ENTITY - 1;
    list->capacity = capacity;
    for (uint32_t i = 0; i < list->count; i++) {
        list->slots[slot_of(list, all[i].x, all[i].y)] = i + 1;
    }
    return true;
}

uint32_t entities_find(const entities *list, const cave *map, position at)
{
    if (!cave_is_taken(map, at)) {
        return NOBODY;
    }
    return list->slots[slot_of(list, (uint32_t)at.x, (uint32_t)at.y)] - 1;
}

entity *entities_add(entities *list, cave *map, wn_world *world, kind_id what, position at, uint32_t id)
{
    if (!make_room(list, world)) {
        return NULL;
    }
    const uint32_t slot = slot_of(list, (uint32_t)at.x, (uint32_t)at.y);
    entity *who = &list->all[list->count];
    *who = (entity){.id = id, .x = (uint16_t)at.x, .y = (uint16_t)at.y, .kind = (uint8_t)what};
    if (id == 0) {
        who->id = ++list->last_id;
    }
    list->slots[slot] = ++list->count;
    list->of_kind[what]++;
    map->taken[cave_word(map, at)] |= cave_bit(at);
    return who;
}

void entities_move(entities *list, cave *map, uint32_t index, position to)
{
    entity *who = &list->all[index];
    const position from = entity_at(who);
    clear_slot(list, slot_of(list, who->x, who->y));
    map->taken[cave_word(map, from)] &= ~cave_bit(from);
    list->slots[slot_of(list, (uint32_t)to.x, (uint32_t)to.y)] = index + 1;
    map->taken[cave_word(map, to)] |= cave_bit(to);
    who->x = (uint16_t)to.x;
    who->y = (uint16_t)to.y;
}

void entities_remove(entities *list, cave *map, uint32_t index)
{
    entity *who = &list->all[index];
    const entity *last = &list->all[list->count - 1];
    const position at = entity_at(who);
    clear_slot(list, slot_of(list, who->x, who->y));
    map->taken[cave_word(map, at)] &= ~cave_bit(at);
    list->of_kind[who->kind]--;
    list->count--;
    if (who != last) {
        list->slots[slot_of(list, last->x, last->y)] = index + 1;
        *who = *last;
    }
}
