/* atlas.h: a mode's tiles as one texture: for each tile of the legend the drawn pictures of its name, in its colours.
 * Tiles that nobody drew are not in it: the board shows their glyphs. */
#ifndef WARREN_SDL_ATLAS_H
#define WARREN_SDL_ATLAS_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

#include "art.h"
#include "client.h"
#include "palette.h"

typedef struct wn_atlas wn_atlas;

typedef enum wn_atlas_use {
    WN_ATLAS_CELL,   /* fills its cell: transparent parts show the ground */
    WN_ATLAS_SHADED, /* the same, with the shadow of a wall north of it */
    WN_ATLAS_FACE,   /* a wall above an open cell */
    WN_ATLAS_SPRITE, /* transparent where nothing was drawn */
    WN_ATLAS_USES
} wn_atlas_use;

/* `own`: tiles of the mode itself, which win over the built-in ones; may be NULL. NULL: no memory. */
wn_atlas *wn_atlas_new(const Warren__Mode *mode, const wn_art *own, wn_palette palette);
void wn_atlas_free(wn_atlas *atlas);

/* Its texture, for drawing in whole multiples of its pixels, or `smooth` for other sizes; made when it is first wanted,
 * and anew after wn_atlas_forget(). NULL: it cannot be made, or it is empty. */
SDL_Texture *wn_atlas_texture(wn_atlas *atlas, SDL_Renderer *renderer, bool smooth);
void wn_atlas_forget(wn_atlas *atlas);

/* Where in the texture the picture of that tile is; `place` (any number) chooses among several. false: nobody drew it.
 */
bool wn_atlas_find(const wn_atlas *atlas, uint32_t tile, wn_atlas_use use, uint32_t place, SDL_Rect *from);
/* The tile's picture for a sprite that faces there (0 to 7; else any); *own says whether the picture shows the facing.
 */
bool wn_atlas_facing(const wn_atlas *atlas, uint32_t tile, uint32_t facing, SDL_Rect *from, bool *own);
/* WN_ART_PIXELS pixels 0xAARRGGBB, or NULL: nobody drew it. They live as long as the atlas. */
const uint32_t *wn_atlas_pixels(const wn_atlas *atlas, uint32_t tile, wn_atlas_use use);

#endif
