/* cells.h: the cells of a view as they are, what of them was not sent yet, and the operations of warren.proto that lead
 * from what was sent to what is. A change is noted where it is drawn; finding the changes costs what changed, not the
 * whole map.
 */
#ifndef WARREN_HOST_CELLS_H
#define WARREN_HOST_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

/* What was sent of a cell that was drawn differently since. */
typedef struct wn_sent_cell {
    uint32_t at;
    uint16_t value;
} wn_sent_cell;

/* All zero is a valid empty one. */
typedef struct wn_cells {
    uint16_t *now;
    uint64_t *dirty;    /* a bit for each cell that was drawn differently since it was sent */
    uint64_t *groups;   /* a bit for each word of `dirty` that is not zero */
    wn_sent_cell *sent; /* the dirty cells, in the order in which they were drawn first */
    uint32_t count, sent_count, sent_capacity;
} wn_cells;

void wn_cells_resize(wn_cells *cells, uint32_t count); /* all cells are 0 afterwards, and nothing is dirty */
void wn_cells_free(wn_cells *cells);

/* What wn_cells_put() does with a dirty cell when `sent` is full. */
void wn_cells_grow(wn_cells *cells, uint32_t at, uint16_t value) __attribute__((cold));

static inline void wn_cells_put(wn_cells *cells, uint32_t at, uint16_t value)
{
    const uint64_t bit = UINT64_C(1) << (at & 63);
    const uint16_t before = cells->now[at];
    if (before == value) {
        return;
    }
    cells->now[at] = value;
    if ((cells->dirty[at >> 6] & bit) != 0) {
        return;
    }
    cells->dirty[at >> 6] |= bit;
    cells->groups[at >> 12] |= UINT64_C(1) << (at >> 6 & 63);
    if (cells->sent_count < cells->sent_capacity) {
        cells->sent[cells->sent_count++] = (wn_sent_cell){at, before};
    } else {
        wn_cells_grow(cells, at, before);
    }
}

/* Append a packed field with the operations of what changed since it was sent (nothing if nothing did), or of all.
 * Afterwards everything counts as sent. */
void wn_cells_write_changes(wn_cells *cells, wn_buffer *buffer, uint32_t field);
void wn_cells_write_all(wn_cells *cells, wn_buffer *buffer, uint32_t field);

#endif
