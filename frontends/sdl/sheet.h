/* sheet.h: a box with lines over the rest of the window: help, menu, messages, banners, questions. What its lines say
 * is up to who opens it; it is filled anew for every frame, and remembers only what is chosen and how far it is
 * scrolled. */
#ifndef WARREN_SDL_SHEET_H
#define WARREN_SDL_SHEET_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"
#include "ink.h"

enum { WN_SHEET_PICTURES = 6 };

typedef struct wn_sheet_line {
    char *text;
    char *keys;  /* stands before it; NULL: nothing */
    char *value; /* stands at the right; NULL: nothing */
    wn_style style;
    uint32_t colour;
    int pick;                        /* what choosing it means, from 0 on; -1: it cannot be chosen */
    int pictures[WN_SHEET_PICTURES]; /* of tiles: the first before it, the others behind it */
    size_t picture_count;
    int least;     /* pixels that it is high, at least */
    int y, height; /* of the last drawing */
} wn_sheet_line;

typedef struct wn_sheet {
    char title[128], footer[128];
    wn_sheet_line *lines;
    size_t count, capacity;
    int selected;         /* which of the lines that can be chosen, from 0 on */
    int top;              /* pixels that are scrolled away */
    int wanted_width;     /* in unscaled pixels */
    bool centred;         /* its text */
    int height, room;     /* of the text, and of the place it has; of the last drawing */
    bool to_end;          /* scroll there when it is drawn next */
    bool reveal;          /* scroll so that the chosen line is in sight */
    SDL_Rect rect, inner; /* where it was drawn last */
} wn_sheet;

enum { WN_SHEET_NOTHING = -1, WN_SHEET_CLOSED = -2 };

/* Opens: nothing is chosen or scrolled yet. */
void wn_sheet_open(wn_sheet *sheet, const char *title, const char *footer, int width);
void wn_sheet_free(wn_sheet *sheet);
void wn_sheet_clear(wn_sheet *sheet); /* its lines */

wn_sheet_line *wn_sheet_add(wn_sheet *sheet, wn_style style, uint32_t colour, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void wn_sheet_add_key(wn_sheet *sheet, const char *keys, const char *text);
void wn_sheet_add_pick(wn_sheet *sheet, int pick, const char *text, const char *value);
/* A way to enter a world: its pick is its key. One without a key is left out. */
void wn_sheet_add_way(wn_sheet *sheet, const Warren__Mode *mode, size_t way);
void wn_sheet_gap(wn_sheet *sheet);
/* An empty line, so many pixels high, for what its owner draws there. */
void wn_sheet_add_space(wn_sheet *sheet, int height);

/* In the middle of that part of the window. `picture` draws a tile into a square; NULL: there are none. */
void wn_sheet_draw(wn_sheet *sheet, const wn_ink *ink, SDL_Rect over,
                   void (*picture)(void *context, int tile, SDL_Rect rect), void *context);
/* How high it would be in that part of the window, with all its lines in sight. */
int wn_sheet_wanted(const wn_sheet *sheet, const wn_ink *ink, SDL_Rect over);
/* What a key means: a pick, WN_SHEET_CLOSED, or WN_SHEET_NOTHING. */
int wn_sheet_key(wn_sheet *sheet, uint32_t key);
/* A click at a pixel: a pick, WN_SHEET_CLOSED (beside it), or WN_SHEET_NOTHING. */
int wn_sheet_click(wn_sheet *sheet, int x, int y);
/* The pointer is there: the line under it is chosen. */
void wn_sheet_hover(wn_sheet *sheet, int x, int y);
void wn_sheet_wheel(wn_sheet *sheet, const wn_ink *ink, float lines);
/* Where the sheet's first line was drawn, whole: parts of it may be scrolled out of `inner`. */
SDL_Rect wn_sheet_first(const wn_sheet *sheet);
int wn_sheet_selected(const wn_sheet *sheet); /* the pick of the chosen line, or WN_SHEET_NOTHING */

#endif
