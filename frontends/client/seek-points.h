/* seek-points.h: states of a recording that a player passed and kept, so that it need not begin at the beginning to go
 * back. There are never many: when there are, every second one is dropped and the distance between them doubles.
 */
#ifndef WARREN_SEEK_POINTS_H
#define WARREN_SEEK_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WN_SEEK_DISTANCE = 64, WN_SEEK_POINTS = 128, WN_SEEK_BYTES = 128 << 20 };

typedef struct wn_seek_point {
    uint64_t turn;
    uint8_t *snapshot;
    size_t size;
} wn_seek_point;

/* All zero is valid: none. */
typedef struct wn_seek_points {
    wn_seek_point *items; /* by turn */
    size_t count, bytes;
    uint64_t distance; /* 0: WN_SEEK_DISTANCE */
} wn_seek_points;

/* The first turn after this one that should be kept. */
uint64_t wn_seek_points_next(const wn_seek_points *points, uint64_t turn);
/* Whether the state after this turn is to be kept, and is not yet. */
bool wn_seek_points_wants(const wn_seek_points *points, uint64_t turn);
/* Keeps a copy, if there is memory. Only what wn_seek_points_wants(). */
void wn_seek_points_add(wn_seek_points *points, uint64_t turn, const void *snapshot, size_t size);
/* The last one that is not after `turn`, or NULL. */
const wn_seek_point *wn_seek_points_before(const wn_seek_points *points, uint64_t turn);
void wn_seek_points_free(wn_seek_points *points);

#endif
