/* arena.c: memory for decoded messages, a chain of blocks that is filled from the front and kept over resets. Not a
 * general allocator: pieces are never given back one by one.
 */
#include "wire_internal.h"

#include <stdalign.h>
#include <stdlib.h>

enum { FIRST_BLOCK = 16384 };

typedef struct block {
    struct block *next;
    size_t size; /* of data */
    size_t used;
    alignas(max_align_t) uint8_t data[];
} block;

/* In front of every piece that protobuf-c takes. */
typedef struct piece {
    alignas(max_align_t) size_t size;
} piece;

struct wn_arena {
    block *first;
    block *current;
    size_t limit;
    size_t taken;
    size_t refused;
    ProtobufCAllocator allocator;
};

static void *take_piece(void *context, size_t size)
{
    if (size > SIZE_MAX - sizeof(piece)) {
        return NULL;
    }
    piece *taken = wn_arena_take(context, sizeof(piece) + size);
    if (taken == NULL) {
        return NULL;
    }
    taken->size = size;
    return taken + 1;
}

static void keep_piece(void *context, void *memory)
{
    (void)context;
    (void)memory;
}

static block *block_new(size_t size)
{
    block *made = malloc(sizeof *made + size);
    if (made != NULL) {
        *made = (block){.size = size};
    }
    return made;
}

wn_arena *wn_arena_new(size_t limit)
{
    wn_arena *arena = malloc(sizeof *arena);
    block *first = block_new(limit < FIRST_BLOCK ? limit : FIRST_BLOCK);
    if (arena == NULL || first == NULL) {
        free(arena);
        free(first);
        return NULL;
    }
    *arena = (wn_arena){.first = first,
                        .current = first,
                        .limit = limit,
                        .allocator = {.alloc = take_piece, .free = keep_piece, .allocator_data = arena}};
    return arena;
}

void wn_arena_reset(wn_arena *arena)
{
    arena->current = arena->first;
    arena->first->used = 0;
    arena->taken = 0;
    arena->refused = 0;
}

void wn_arena_trim(wn_arena *arena, size_t keep)
{
    wn_arena_reset(arena);
    block *last = arena->first;
    for (size_t kept = last->size; last->next != NULL && kept + last->next->size <= keep; last = last->next) {
        kept += last->next->size;
    }
    for (block *next, *old = last->next; old != NULL; old = next) {
        next = old->next;
        free(old);
    }
    last->next = NULL;
}

void wn_arena_free(wn_arena *arena)
{
    if (arena == NULL) {
        return;
    }
    for (block *next, *old = arena->first; old != NULL; old = next) {
        next = old->next;
        free(old);
    }
    free(arena);
}

/* Makes a block with room for `size` bytes the current one: a kept one further on, or a new one of at least twice the
 * last one's size. Doubling up to the limit keeps the sum of all blocks under twice the limit: once there is one of
 * the limit's size, everything that may still be taken fits in it. */
static bool move_on(wn_arena *arena, size_t size)
{
    block *last = arena->current;
    while (last->next != NULL) {
        last = last->next;
        if (last->size >= size) {
            last->used = 0;
            arena->current = last;
            return true;
        }
    }
    size_t room = last->size < arena->limit / 2 ? last->size * 2 : arena->limit;
    room = room < size ? size : room;
    last->next = block_new(room);
    if (last->next == NULL) {
        return false;
    }
    arena->current = last->next;
    return true;
}

void *wn_arena_take(wn_arena *arena, size_t size)
{
    const size_t unit = alignof(max_align_t);
    const size_t rounded = size == 0 ? unit : (size + unit - 1) / unit * unit;
    if (rounded < size || rounded > arena->limit - arena->taken) {
        arena->refused = size;
        return NULL;
    }
    if (rounded > arena->current->size - arena->current->used && !move_on(arena, rounded)) {
        arena->refused = size;
        return NULL;
    }
    void *taken = arena->current->data + arena->current->used;
    arena->current->used += rounded;
    arena->taken += rounded;
    return taken;
}

ProtobufCAllocator *wn_arena_allocator(wn_arena *arena)
{
    return &arena->allocator;
}

size_t wn_arena_piece_size(const void *memory)
{
    return ((const piece *)memory)[-1].size;
}

size_t wn_arena_refused(const wn_arena *arena)
{
    return arena->refused;
}

size_t wn_arena_limit(const wn_arena *arena)
{
    return arena->limit;
}
