/* layout.h: where everything stands in a window of a given size, and which part of the map is in sight. Only
 * arithmetic. */
#ifndef WARREN_CURSES_LAYOUT_H
#define WARREN_CURSES_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_LEAST_COLUMNS = 40, WN_LEAST_ROWS = 12, WN_TIGHT_PANEL = 20 /* columns */ };

typedef struct wn_rect {
    int y, x, height, width; /* height or width 0: not there */
} wn_rect;

typedef struct wn_needs {
    int status_rows;           /* one under the other: a gauge takes two */
    int flowing_rows;          /* the status fields one after the other, in lines as wide as the window */
    int board_rows;            /* with its heading; 0: the mode has none */
    int watcher_rows;          /* those who watch, with their heading; 0: nobody does */
    int fields;                /* rows of the status in a tight panel */
    int map_rows, map_columns; /* of the map, or its part in sight; 0: the layout must not be tight */
} wn_needs;

typedef struct wn_layout {
    bool fits;   /* false: the window is too small, and nothing below is set */
    bool beside; /* the panel is right of the map, else below it */
    /* The map fits only without title and messages above it: it begins in the window's corner, with a narrow panel at
     * the window's right edge, and the bottom line has the newest message. */
    bool tight;
    bool may_tighten; /* set by who asks for the layout (wn_scene_place()), and kept */
    wn_rect title, messages, map, status, board, watchers, bottom;
    int divider; /* column of the line between map and panel; 0: none */
} wn_layout;

wn_layout wn_layout_make(int rows, int columns, wn_needs needs);

/* One axis of the map in the window. */
typedef struct wn_span {
    int first;  /* cell at the window's edge */
    int count;  /* cells in sight */
    int offset; /* of the first cell from the window's edge: a map smaller than the window stands in its middle */
} wn_span;

/* The window with `focus` in its middle, but for the map's edges, where it stops. */
wn_span wn_span_follow(int window, int cells, int focus);
/* The same, but `last` stands until `focus` comes near its end: a map that moves with every step is drawn anew with
 * every step, which is slow on a slow line and restless everywhere. Small windows follow at once. */
wn_span wn_span_scroll(wn_span last, int window, int cells, int focus);

#endif
