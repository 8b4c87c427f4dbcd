/* box.h: a framed window over the rest of the screen, with lines of text in it: help, menu, messages, banners.
 * What the lines say and which keys it takes is up to who opens it. */
#ifndef WARREN_CURSES_BOX_H
#define WARREN_CURSES_BOX_H

#include <stdbool.h>
#include <stddef.h>

#include "client.h"
#include "layout.h"
#include "paint.h"

typedef struct wn_line {
    char *text;
    wn_style style;
    int key_columns; /* this many first columns are shown as a key; 0: none */
} wn_line;

typedef struct wn_lines {
    wn_line *items;
    size_t count, capacity;
} wn_lines;

void wn_lines_free(wn_lines *lines);
void wn_lines_add(wn_lines *lines, wn_style style, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "keys   what they do", the keys padded to `columns` and in the style of keys, the text wrapped beside them. */
void wn_lines_add_key(wn_lines *lines, int columns, const char *keys, const char *text);
/* A way to enter a world, with its key. */
void wn_lines_add_way(wn_lines *lines, const Warren__Mode *mode, size_t way);
/* Text wrapped to `width`. */
void wn_lines_wrap(wn_lines *lines, wn_style style, int width, const char *text);

typedef struct wn_box {
    WINDOW *window; /* NULL: closed */
} wn_box;

typedef struct wn_box_view {
    const char *title, *footer; /* may be NULL */
    int top;                    /* first line in sight; wn_box_draw() corrects it */
    int selected;               /* a line in the style of a selection, kept in sight; -1: none */
    bool centred;               /* the lines are, each by itself */
    bool tall;                  /* as high as the window allows, else as high as the lines */
    wn_rect over;               /* in the middle of this, if there is room; all zero: of the screen */
    wn_rect beside;             /* not over this, if there is room anywhere; height 0: nothing */
} wn_box_view;

/* The most columns and rows of text that a box can have now. */
int wn_box_columns(void);
int wn_box_rows(void);
void wn_box_draw(wn_box *box, const wn_paint *paint, const wn_lines *lines, wn_box_view *view);
/* How far a key scrolls in a box that is only read: lines, 0: it does not. */
int wn_box_scroll(uint32_t key);
void wn_box_close(wn_box *box);

#endif
