/* heap.c: see heap.h. */
#include "heap.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct wn_heap_block {
    alignas(max_align_t) struct wn_heap_block *next;
    struct wn_heap_block *previous;
    size_t bytes;
} block;

/* Puts the block at the head of the chain. */
static void link_block(wn_heap *heap, block *taken)
{
    taken->previous = NULL;
    taken->next = heap->first;
    if (heap->first) {
        heap->first->previous = taken;
    }
    heap->first = taken;
}

static void unlink_block(wn_heap *heap, block *given)
{
    if (given->next) {
        given->next->previous = given->previous;
    }
    if (given->previous) {
        given->previous->next = given->next;
    } else {
        heap->first = given->next;
    }
}

static bool fits(const wn_heap *heap, size_t used, size_t bytes)
{
    const size_t left = heap->limit - used;
    return left >= sizeof(block) && bytes <= left - sizeof(block);
}

void *wn_heap_take(wn_heap *heap, size_t bytes)
{
    if (!fits(heap, heap->used, bytes)) {
        return NULL;
    }
    block *taken = calloc(1, sizeof *taken + bytes);
    if (!taken) {
        return NULL;
    }
    taken->bytes = bytes;
    heap->used += sizeof *taken + bytes;
    link_block(heap, taken);
    return taken + 1;
}

void *wn_heap_resize(wn_heap *heap, void *memory, size_t bytes)
{
    if (!memory) {
        return wn_heap_take(heap, bytes);
    }
    block *old = (block *)memory - 1;
    const size_t others = heap->used - sizeof *old - old->bytes;
    if (!fits(heap, others, bytes)) {
        return NULL;
    }
    unlink_block(heap, old);
    block *moved = realloc(old, sizeof *moved + bytes);
    if (!moved) {
        link_block(heap, old);
        return NULL;
    }
    moved->bytes = bytes;
    heap->used = others + sizeof *moved + bytes;
    link_block(heap, moved);
    return moved + 1;
}

void wn_heap_release(wn_heap *heap, void *memory)
{
    if (!memory) {
        return;
    }
    block *given = (block *)memory - 1;
    heap->used -= sizeof *given + given->bytes;
    unlink_block(heap, given);
    free(given);
}

void wn_heap_free(wn_heap *heap)
{
    block *next = heap->first;
    while (next) {
        block *given = next;
        next = given->next;
        free(given);
    }
    heap->first = NULL;
    heap->used = 0;
}
