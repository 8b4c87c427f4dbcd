/* paint.h: text and map cells on an ncurses window, in colours the terminal has. What stands where is not its business.
 */
#ifndef WARREN_CURSES_PAINT_H
#define WARREN_CURSES_PAINT_H

#include <stdbool.h>
#include <stdint.h>

#define NCURSES_NOMACROS
#include <curses.h>

#include "colour.h"

typedef enum wn_style {
    WN_STYLE_PLAIN,
    WN_STYLE_DIM,
    WN_STYLE_BOLD,
    WN_STYLE_TITLE, /* the top line */
    WN_STYLE_HEADING,
    WN_STYLE_FRAME,
    WN_STYLE_SELECTED,
    WN_STYLE_KEY,
    WN_STYLE_INPUT, /* where something can be typed */
    WN_STYLE_GOOD,
    WN_STYLE_BAD,
    WN_STYLE_ALERT,
    WN_STYLE_CHAT,
    WN_STYLE_SYSTEM,
    WN_STYLE_LOST_BAR,
    WN_STYLE_BACK_BAR,
    WN_STYLES
} wn_style;

enum { WN_LOOK_BOLD = 1, WN_LOOK_DIM = 2, WN_LOOK_REVERSE = 4 };

/* How one cell looks. No padding, so that looks can be compared as bytes. */
typedef struct wn_look {
    uint32_t glyph;
    int32_t foreground, background; /* 0xRRGGBB or WN_COLOUR_OWN */
    uint32_t flags;
} wn_look;

typedef struct wn_paint {
    wn_depth depth;
    bool unicode; /* else everything outside of ASCII is a question mark */
} wn_paint;

void wn_paint_look(const wn_paint *paint, WINDOW *window, int y, int x, const wn_look *look);
/* Text cut at `width` columns (or a line feed). Returns the columns it took. */
int wn_paint_text(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *text);
/* The same, with the rest of the width filled with spaces. */
void wn_paint_line(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *text);
void wn_paint_right(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *text);
int wn_paint_format(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *format,
                    ...) __attribute__((format(printf, 7, 8)));
/* A frame around the window, with a title in it (NULL: none), and a line at the bottom (NULL: none). */
void wn_paint_frame(const wn_paint *paint, WINDOW *window, const char *title, const char *footer);
void wn_paint_vertical(const wn_paint *paint, WINDOW *window, int y, int x, int height);
/* A bar of `width` columns, `number` of `maximum` full. */
void wn_paint_gauge(const wn_paint *paint, WINDOW *window, int y, int x, int width, int64_t number, int64_t maximum);
const char *wn_paint_dots(const wn_paint *paint); /* "…" or "..." */

#endif
