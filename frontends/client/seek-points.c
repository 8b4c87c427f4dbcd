/* seek-points.c: see seek-points.h. */
#include "seek-points.h"

#include <stdlib.h>
#include <string.h>

static uint64_t distance(const wn_seek_points *points)
{
    return points->distance == 0 ? WN_SEEK_DISTANCE : points->distance;
}

uint64_t wn_seek_points_next(const wn_seek_points *points, uint64_t turn)
{
    return turn + distance(points) - turn % distance(points);
}

/* Those that are there end at the furthest turn that was reached: what is missing comes after the last. */
bool wn_seek_points_wants(const wn_seek_points *points, uint64_t turn)
{
    return turn % distance(points) == 0 && (points->count == 0 || turn > points->items[points->count - 1].turn);
}

static void drop_every_second(wn_seek_points *points)
{
    size_t kept = 0;
    points->distance = distance(points) * 2;
    for (size_t i = 0; i < points->count; i++) {
        if (points->items[i].turn % points->distance == 0) {
            points->items[kept++] = points->items[i];
        } else {
            points->bytes -= points->items[i].size;
            free(points->items[i].snapshot);
        }
    }
    points->count = kept;
}

void wn_seek_points_add(wn_seek_points *points, uint64_t turn, const void *snapshot, size_t size)
{
    while (points->count > 0 && (points->count == WN_SEEK_POINTS || points->bytes + size > WN_SEEK_BYTES)) {
        drop_every_second(points);
    }
    if (points->items == NULL) {
        points->items = calloc(WN_SEEK_POINTS, sizeof *points->items);
    }
    uint8_t *copy = malloc(size + 1);
    if (points->items == NULL || copy == NULL || !wn_seek_points_wants(points, turn)) {
        free(copy);
        return;
    }
    if (size > 0) {
        memcpy(copy, snapshot, size);
    }
    points->items[points->count++] = (wn_seek_point){.turn = turn, .snapshot = copy, .size = size};
    points->bytes += size;
}

const wn_seek_point *wn_seek_points_before(const wn_seek_points *points, uint64_t turn)
{
    const wn_seek_point *found = NULL;
    for (size_t i = 0; i < points->count && points->items[i].turn <= turn; i++) {
        found = &points->items[i];
    }
    return found;
}

void wn_seek_points_free(wn_seek_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        free(points->items[i].snapshot);
    }
    free(points->items);
    *points = (wn_seek_points){0};
}
