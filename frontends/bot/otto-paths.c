/* otto-paths.c: lets numbers spread from goals until none gets smaller: Bellman and Ford's algorithm with a queue. */
#include "otto-paths.h"

#include <stdlib.h>

void wn_paths_free(wn_paths *paths)
{
    free(paths->value);
    free(paths->cost);
    free(paths->queue);
    free(paths->queued);
    *paths = (wn_paths){0};
}

bool wn_paths_fit(wn_paths *paths, uint32_t width, uint32_t height)
{
    const uint32_t cells = width * height;
    if (paths->cells == cells && paths->width == width) {
        return true;
    }
    wn_paths_free(paths);
    paths->value = calloc(cells, sizeof *paths->value);
    paths->cost = calloc(cells, 1);
    paths->queue = calloc(cells, sizeof *paths->queue);
    paths->queued = calloc(cells, sizeof *paths->queued);
    if (paths->value == NULL || paths->cost == NULL || paths->queue == NULL || paths->queued == NULL) {
        wn_paths_free(paths);
        return false;
    }
    paths->width = width;
    paths->cells = cells;
    return true;
}

void wn_paths_clear(wn_paths *paths)
{
    for (uint32_t at = 0; at < paths->cells; at++) {
        paths->value[at] = WN_FAR;
    }
}

void wn_paths_goal(wn_paths *paths, uint32_t at, uint32_t value)
{
    if (value >= paths->value[at]) {
        return;
    }
    paths->value[at] = (uint16_t)value;
    if (!paths->queued[at]) {
        paths->queued[at] = true;
        paths->queue[(paths->first + paths->count++) % paths->cells] = at;
    }
}

void wn_paths_spread(wn_paths *paths)
{
    while (paths->count > 0) {
        const uint32_t at = paths->queue[paths->first];
        paths->first = (paths->first + 1) % paths->cells;
        paths->count--;
        paths->queued[at] = false;
        if (paths->cost[at] == WN_NO_ENTRY) {
            continue;
        }
        const uint32_t value = (uint32_t)paths->value[at] + paths->cost[at];
        const uint32_t around[] = {at - paths->width, at + 1, at + paths->width, at - 1};
        for (uint32_t way = 0; way < 4; way++) {
            if (around[way] < paths->cells && paths->cost[around[way]] != WN_NO_ENTRY) {
                wn_paths_goal(paths, around[way], value);
            }
        }
    }
}
