/* otto-paths.h: which way to go: every cell gets the cost of the cheapest way from it to something that is worth going
 * to. Walking to ever smaller numbers leads there. These are the "Dijkstra maps" of roguelike games.
 */
#ifndef WARREN_BOT_OTTO_PATHS_H
#define WARREN_BOT_OTTO_PATHS_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_FAR = 0xffff, WN_NO_ENTRY = 0 };

typedef struct wn_paths {
    uint32_t width, cells;
    uint16_t *value; /* WN_FAR: nothing to go to can be reached from there */
    uint8_t *cost;   /* of a step onto a cell, or WN_NO_ENTRY. The border must be without entry */
    uint32_t *queue;
    bool *queued;
    uint32_t first, count;
} wn_paths;

/* false: no memory. Free it in any case. */
bool wn_paths_fit(wn_paths *paths, uint32_t width, uint32_t height);
void wn_paths_free(wn_paths *paths);
/* No goals any more; costs stay. */
void wn_paths_clear(wn_paths *paths);
/* Something to go to; the less `value`, the better it is. */
void wn_paths_goal(wn_paths *paths, uint32_t at, uint32_t value);
/* Works the numbers out. The time grows with the cells and, at worst, with how much the goals differ. */
void wn_paths_spread(wn_paths *paths);

#endif
