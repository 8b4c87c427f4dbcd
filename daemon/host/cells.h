/* cells.h: the cells of a view as they are and as they were sent, and the operations of warren.proto that lead from the
 * one to the other. A change is noted where it is drawn; finding the changes costs what changed, not the whole map.
 */
#ifndef WARREN_HOST_CELLS_H
#define WARREN_HOST_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

/* All zero is a valid empty one. */
typedef struct wn_cells {
    uint16_t *now;
    uint16_t *sent;
    uint64_t *dirty;  /* a bit for each cell that was drawn differently since it was sent */
    uint64_t *groups; /* a bit for each word of `dirty` that is not zero */
    uint32_t count;
} wn_cells;

/* Consecutive cells of one value: what the encoder chooses operations for. */
typedef struct wn_segment {
    uint32_t count;
    uint16_t value;
    uint8_t kind;    /* changed, unchanged, or unchanged with values that were not looked at */
    uint8_t chosen;  /* the operation */
    uint8_t from[3]; /* for each operation, which one comes before it on the cheapest way here */
} wn_segment;

/* Memory for them, kept between uses. All zero is a valid empty one. */
typedef struct wn_segments {
    wn_segment *list;
    uint32_t count, capacity;
    uint32_t end; /* the cell behind the last one */
} wn_segments;
void wn_segments_free(wn_segments *segments);

void wn_cells_resize(wn_cells *cells, uint32_t count); /* all cells are 0 afterwards, and nothing is dirty */
void wn_cells_free(wn_cells *cells);

static inline void wn_cells_put(wn_cells *cells, uint32_t at, uint16_t value)
{
    if (cells->now[at] != value) {
        cells->now[at] = value;
        cells->dirty[at >> 6] |= UINT64_C(1) << (at & 63);
        cells->groups[at >> 12] |= UINT64_C(1) << (at >> 6 & 63);
    }
}

/* Append a packed field with the operations of what changed since it was sent (nothing if nothing did), or of all.
 * Afterwards everything counts as sent. */
void wn_cells_write_changes(wn_cells *cells, wn_segments *segments, wn_buffer *buffer, uint32_t field);
void wn_cells_write_all(wn_cells *cells, wn_segments *segments, wn_buffer *buffer, uint32_t field);

#endif
