/* heap.h: the memory of one world's mode: counted against a limit, released all at once. Not a pool: the blocks are
 * malloc's, chained so that none is forgotten.
 */
#ifndef WARREN_HOST_HEAP_H
#define WARREN_HOST_HEAP_H

#include <stddef.h>

typedef struct wn_heap {
    struct wn_heap_block *first;
    size_t used;  /* bytes taken, the blocks' heads included */
    size_t limit; /* of `used` */
} wn_heap;

void *wn_heap_take(wn_heap *heap, size_t bytes); /* zeroed, aligned for any type; NULL: limit or memory */
void *wn_heap_resize(wn_heap *heap, void *memory, size_t bytes); /* as realloc(); NULL: `memory` is unchanged */
void wn_heap_release(wn_heap *heap, void *memory);
void wn_heap_free(wn_heap *heap); /* everything that was taken */

#endif
