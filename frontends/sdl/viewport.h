/* viewport.h: which part of the map is in sight, and how large: it follows a point, can be dragged away from it, and
 * is zoomed. Everything moves smoothly, in time that the caller counts. Only arithmetic. */
#ifndef WARREN_SDL_VIEWPORT_H
#define WARREN_SDL_VIEWPORT_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_ZOOM_LEAST = 6, WN_ZOOM_MOST = 128 };

typedef struct wn_viewport {
    int left, top, width, height; /* its place in the window, in pixels */
    uint32_t columns, rows;       /* of the map */
    uint32_t part_x, part_y;      /* what can be in sight of it */
    uint32_t part_columns, part_rows;
    double x, y; /* the point of the map in the middle, in cells */
    double zoom; /* pixels of a cell */
    double goal_x, goal_y, goal_zoom;
    double pan_x, pan_y; /* dragged so far from what is followed */
    bool placed;         /* it has been somewhere: from there it moves, not jumps */
    double wanted_zoom;  /* before it was made to fit */
    bool by_hand;        /* it was zoomed so by who looks: it is not to fit */
} wn_viewport;

void wn_viewport_place(wn_viewport *view, int left, int top, int width, int height, uint32_t columns, uint32_t rows);
/* Only that part of the map can be in sight; to be called after wn_viewport_place(). Until then, or with no columns, it
 * is all of it. */
void wn_viewport_part(wn_viewport *view, uint32_t x, uint32_t y, uint32_t columns, uint32_t rows);
/* What to keep in the middle, as far as the map's edges let it. */
void wn_viewport_follow(wn_viewport *view, double x, double y);
/* Goes on by so many milliseconds; `smooth` false: at once. Returns whether it still moves. */
bool wn_viewport_step(wn_viewport *view, int64_t milliseconds, bool smooth);

/* One step larger (1) or smaller (-1), about the middle: by hand. */
void wn_viewport_zoom(wn_viewport *view, int steps);
/* So many times larger, by hand as well; at once. */
void wn_viewport_scale(wn_viewport *view, double times);
/* At once; from now on it is made to fit, until it is zoomed by hand. */
void wn_viewport_set_zoom(wn_viewport *view, double zoom);
/* Larger than wanted, as long as all of a small map is in sight; a part of a map smaller, too, until it is. At once,
 * and not if it was zoomed by hand. */
void wn_viewport_fit(wn_viewport *view);
/* The map goes with the pointer, by so many pixels. */
void wn_viewport_drag(wn_viewport *view, int x, int y);
/* Some cells in a direction, from what is in sight, as far as the map's edges let it. WN_NOWHERE: back to what it
 * follows. */
void wn_viewport_pan_towards(wn_viewport *view, uint32_t direction);
void wn_viewport_recentre(wn_viewport *view);

/* The pixel at which a column or row begins; also of parts of one. */
int wn_viewport_column(const wn_viewport *view, double column);
int wn_viewport_row(const wn_viewport *view, double row);
/* Those that are at least partly in sight: from *first up to and without *end. */
void wn_viewport_columns(const wn_viewport *view, uint32_t *first, uint32_t *end);
void wn_viewport_rows(const wn_viewport *view, uint32_t *first, uint32_t *end);
/* The cell at a pixel. false: there is none. */
bool wn_viewport_cell(const wn_viewport *view, int x, int y, uint32_t *cell);

#endif
