/* texture-internal.h: how textures lie in memory, for those who draw with them. */
#ifndef WARREN_TEXTURE_INTERNAL_H
#define WARREN_TEXTURE_INTERNAL_H

#include "texture.h"

/* Level 0 has 32 * 32 texels, each further one half as many both ways, down to level 5 with one. In a level, columns
 * follow each other, and each goes from the top down: drawing a wall reads along them. */
enum { WN_TEXTURE_LEVELS = 6, WN_TEXTURE_TEXELS = 1365 };

typedef struct wn_texture {
    uint32_t seen[WN_TEXTURE_TEXELS];
    uint32_t remembered[WN_TEXTURE_TEXELS];
} wn_texture;

/* Where each level begins. */
static const uint16_t wn_texture_level[WN_TEXTURE_LEVELS] = {0, 1024, 1280, 1344, 1360, 1364};

/* NULL: not set. */
const wn_texture *wn_textures_find(const wn_textures *textures, uint32_t number);

/* A colour as it is remembered: dim and nearly grey. Alpha stays. */
uint32_t wn_texel_remembered(uint32_t colour);

/* A number that looks like chance, the same for the same arguments. */
uint32_t wn_texture_chance(uint32_t x, uint32_t y, uint32_t seed);

/* The colour with each part times light / 256 (0 to 512), alpha as it is. */
uint32_t wn_texel_lit(uint32_t colour, uint32_t light);

/* From `a` (0 of 256) to `b` (256 of 256), each part by itself, alpha too. */
uint32_t wn_texel_mix(uint32_t a, uint32_t b, uint32_t part);

#endif
