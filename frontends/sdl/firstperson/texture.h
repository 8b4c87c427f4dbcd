/* texture.h: the pictures that the raycaster puts on walls, floors and billboards, each in every size it needs, and
 * generated ones for what has no picture. Pixels are 0xAARRGGBB.
 */
#ifndef WARREN_TEXTURE_H
#define WARREN_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_TEXTURE_SIDE = 32, WN_TEXTURE_PIXELS = WN_TEXTURE_SIDE * WN_TEXTURE_SIDE };

/* A set of textures, numbered from 0. */
typedef struct wn_textures wn_textures;

wn_textures *wn_textures_new(uint32_t capacity); /* NULL: no memory */
void wn_textures_free(wn_textures *textures);

bool wn_textures_has(const wn_textures *textures, uint32_t number);

/* Copies a picture of side * side pixels, row by row, scaled to WN_TEXTURE_SIDE (16 and 32 stay crisp). On walls and
 * floors its alpha is of no account. false: no memory, a number past the capacity, or side is not 1 to 256. */
bool wn_textures_set(wn_textures *textures, uint32_t number, const uint32_t *pixels, uint32_t side);

/* Generated pictures of WN_TEXTURE_SIDE, in a thing's two colours (0xRRGGBB); `seed` varies them. */
void wn_texture_bricks(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground, uint32_t background, uint32_t seed);
void wn_texture_flagstones(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground, uint32_t background, uint32_t seed);
/* Rough rock without seams, in one colour. */
void wn_texture_rock(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t colour, uint32_t seed);
/* A figure on a transparent ground. */
void wn_texture_figure(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground);
/* A ball of light, transparent at its edge. */
void wn_texture_glow(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground);

#endif
