/* fonts.h: where the fonts are, and their glyphs as textures: each is drawn once for its size and then copied. */
#ifndef WARREN_SDL_FONTS_H
#define WARREN_SDL_FONTS_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

typedef enum wn_face { WN_FACE_PLAIN, WN_FACE_BOLD, WN_FACE_MONO, WN_FACES } wn_face;

typedef struct wn_glyph {
    SDL_Rect from; /* in the texture; width 0: nothing to draw */
    SDL_Texture *texture;
    int left;    /* from the pen to the texture's edge */
    int advance; /* to the next pen */
} wn_glyph;

typedef struct wn_fonts wn_fonts;

/* `file`: a font to use for everything, or NULL: DejaVu, or what fontconfig has. NULL with a sentence. */
wn_fonts *wn_fonts_new(SDL_Renderer *renderer, const char *file, wn_error *error);
void wn_fonts_free(wn_fonts *fonts);
/* Textures were lost. */
void wn_fonts_forget(wn_fonts *fonts);

wn_glyph wn_fonts_glyph(wn_fonts *fonts, wn_face face, int pixels, uint32_t code);
int wn_fonts_kerning(wn_fonts *fonts, wn_face face, int pixels, uint32_t before, uint32_t code);
int wn_fonts_height(wn_fonts *fonts, wn_face face, int pixels); /* of a line */

#endif
