/* ink.h: what everything in the window is drawn with: areas, lines and text, in colours of the chosen palette and in
 * sizes that follow the display. Textures of tiles are the board's own. */
#ifndef WARREN_SDL_INK_H
#define WARREN_SDL_INK_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fonts.h"
#include "palette.h"

typedef enum wn_style {
    WN_STYLE_SMALL,
    WN_STYLE_BODY,
    WN_STYLE_BOLD,
    WN_STYLE_MONO,
    WN_STYLE_HEADING,
    WN_STYLE_TITLE,
    WN_STYLES
} wn_style;

typedef struct wn_ink {
    SDL_Renderer *renderer;
    wn_fonts *fonts;
    float scale; /* pixels for what has one pixel on an old display */
    wn_palette palette;
} wn_ink;

/* So many pixels, scaled; at least one. */
int wn_ink_units(const wn_ink *ink, int pixels);

void wn_ink_area(const wn_ink *ink, SDL_Rect rect, uint32_t colour, uint8_t opacity);
void wn_ink_frame(const wn_ink *ink, SDL_Rect rect, uint32_t colour);
void wn_ink_clip(const wn_ink *ink, const SDL_Rect *rect); /* NULL: no more */

int wn_ink_line(const wn_ink *ink, wn_style style); /* height of a line of text */
int wn_ink_width(const wn_ink *ink, wn_style style, const char *text);
/* Draws the first line of the text, cut with an ellipsis if it is wider than `room`. Returns its width. */
int wn_ink_text(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text);
int wn_ink_right(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text);
int wn_ink_centre(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text);
/* Text wrapped at words, and at its line feeds. Returns its height; only measures when `colour` is WN_INK_NONE. */
enum { WN_INK_NONE = 0x1000000 };
int wn_ink_wrap(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text);
/* Where the line that begins at `text` ends, wrapped; the next begins at *next (NULL: that was the last). */
size_t wn_ink_break(const wn_ink *ink, wn_style style, int room, const char *text, const char **next);
/* One character in the middle of a square. */
void wn_ink_glyph(const wn_ink *ink, SDL_FRect rect, uint32_t code, bool bold, uint32_t colour, uint8_t opacity);

#endif
