/* map.h: the map in its part of the window: the cells in sight, the sprites above them, names, effects, the cursor.
 * It remembers what it has put on the screen and touches only cells that look different now. */
#ifndef WARREN_CURSES_MAP_H
#define WARREN_CURSES_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"
#include "layout.h"
#include "paint.h"

enum { WN_MAP_EFFECTS = 64, WN_EFFECT_MS = 130 };

typedef struct wn_map_effect {
    Warren__EffectKind kind;
    uint32_t at, to, radius, tile;
    int64_t until; /* milliseconds */
} wn_map_effect;

typedef struct wn_map {
    wn_rect rect;
    wn_span across, down;    /* of the last drawing */
    wn_look *shown, *wanted; /* rect.height * rect.width */
    bool *labelled;          /* scratch: cells where a name must not go */
    size_t size;
    bool stale;       /* what `shown` says is not on the screen any more */
    bool names;       /* show sprites' labels */
    int pan_y, pan_x; /* the window is moved this far from the focus (spectators) */
    uint32_t region;  /* the only one in sight, counted from 1; 0: everything is */
    wn_rect part;     /* of the view, in cells: what could be in sight at the last drawing */
    uint32_t cursor;  /* a cell, or WN_NO_FOCUS */
    wn_map_effect effects[WN_MAP_EFFECTS];
    size_t effect_count;
} wn_map;

void wn_map_free(wn_map *map);
/* Forget what is on the screen: it was cleared, or something else was drawn there. */
void wn_map_forget(wn_map *map);
/* Draws on stdscr. Returns how many cells it touched. */
size_t wn_map_draw(wn_map *map, const wn_paint *paint, const wn_replica *replica, wn_rect rect);
/* Moves the window by hand in a direction, as far as the map's edges let it; it stays so far from the focus.
 * WN_NOWHERE: back to that. */
void wn_map_pan_towards(wn_map *map, const wn_replica *replica, uint32_t direction);
/* What can be in sight, in cells: the region, while there is one, or everything. */
wn_rect wn_map_part(const wn_map *map, const wn_replica *replica);
/* The next region there is, and after the last one everything again. Returns its title, NULL: everything. */
const char *wn_map_next_region(wn_map *map, const wn_replica *replica);
const char *wn_map_region_title(const wn_map *map, const wn_replica *replica);
/* Takes the effects of an update, to be over some time after `now`. */
void wn_map_effects(wn_map *map, const Warren__Update *update, int64_t now);
/* Removes those that are over. Returns when the next one will be, 0: there is none. */
int64_t wn_map_tick(wn_map *map, int64_t now);
/* Where a cell is shown: one row high and one column wide, or height 0: out of sight. */
wn_rect wn_map_place_of(const wn_map *map, const wn_replica *replica, uint32_t cell);
/* The cell that is shown at a place of the screen, or WN_NO_FOCUS. */
uint32_t wn_map_cell_at(const wn_map *map, const wn_replica *replica, int y, int x);

#endif
