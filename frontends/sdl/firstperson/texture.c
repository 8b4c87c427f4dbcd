/* texture.c: the set of textures: scaling, half sizes, and the remembered variant of each. */
#include "texture-internal.h"

#include <stdlib.h>

struct wn_textures {
    uint32_t capacity;
    wn_texture *all[];
};

wn_textures *wn_textures_new(uint32_t capacity)
{
    wn_textures *textures = calloc(1, sizeof *textures + capacity * sizeof *textures->all);
    if (textures) {
        textures->capacity = capacity;
    }
    return textures;
}

void wn_textures_free(wn_textures *textures)
{
    if (!textures) {
        return;
    }
    for (uint32_t i = 0; i < textures->capacity; i++) {
        free(textures->all[i]);
    }
    free(textures);
}

const wn_texture *wn_textures_find(const wn_textures *textures, uint32_t number)
{
    return number < textures->capacity ? textures->all[number] : NULL;
}

bool wn_textures_has(const wn_textures *textures, uint32_t number)
{
    return wn_textures_find(textures, number) != NULL;
}

uint32_t wn_texel_mix(uint32_t a, uint32_t b, uint32_t part)
{
    uint32_t mixed = 0;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        const uint32_t x = a >> shift & 0xff, y = b >> shift & 0xff;
        mixed |= ((x * (256 - part) + y * part) >> 8) << shift;
    }
    return mixed;
}

uint32_t wn_texel_lit(uint32_t colour, uint32_t light)
{
    uint32_t lit = colour & 0xff000000;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        const uint32_t part = (colour >> shift & 0xff) * light >> 8;
        lit |= (part > 0xff ? 0xff : part) << shift;
    }
    return lit;
}

uint32_t wn_texel_remembered(uint32_t colour)
{
    const uint32_t red = colour >> 16 & 0xff, green = colour >> 8 & 0xff, blue = colour & 0xff;
    const uint32_t grey = (red * 77 + green * 151 + blue * 28) >> 8;
    const uint32_t cool = (colour & 0xff000000) | grey << 16 | grey << 8 | (grey * 240 + 255 * 16) >> 8;
    return wn_texel_lit(wn_texel_mix(colour, cool, 208) | (colour & 0xff000000), 132);
}

uint32_t wn_texture_chance(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ (seed + 1) * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

/* The mean of some pixels, those that are more opaque counting more, so that edges do not take on the colour that
 * stands, unseen, in what is transparent. */
static uint32_t mean(const uint32_t *pixels, uint32_t count)
{
    uint32_t alpha = 0, red = 0, green = 0, blue = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t weight = pixels[i] >> 24;
        alpha += weight;
        red += (pixels[i] >> 16 & 0xff) * weight;
        green += (pixels[i] >> 8 & 0xff) * weight;
        blue += (pixels[i] & 0xff) * weight;
    }
    if (alpha == 0) {
        return 0;
    }
    return alpha / count << 24 | red / alpha << 16 | green / alpha << 8 | blue / alpha;
}

/* The texel's colour in a picture of another size: the pixel there, or the mean of the up to 8 x 8 that it covers. */
static uint32_t scaled(const uint32_t *pixels, uint32_t side, uint32_t u, uint32_t v)
{
    const uint32_t left = u * side / WN_TEXTURE_SIDE, top = v * side / WN_TEXTURE_SIDE;
    uint32_t right = (u + 1) * side / WN_TEXTURE_SIDE, bottom = (v + 1) * side / WN_TEXTURE_SIDE;
    right = right > left ? right : left + 1;
    bottom = bottom > top ? bottom : top + 1;
    uint32_t found[64], count = 0;
    for (uint32_t y = top; y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) {
            found[count++] = pixels[y * side + x];
        }
    }
    return count == 1 ? found[0] : mean(found, count);
}

static void make_levels(uint32_t texels[WN_TEXTURE_TEXELS])
{
    for (uint32_t level = 1; level < WN_TEXTURE_LEVELS; level++) {
        const uint32_t *finer = texels + wn_texture_level[level - 1];
        uint32_t *coarser = texels + wn_texture_level[level];
        const uint32_t side = WN_TEXTURE_SIDE >> level;
        for (uint32_t u = 0; u < side; u++) {
            for (uint32_t v = 0; v < side; v++) {
                const uint32_t *at = finer + u * 2 * side * 2 + v * 2;
                const uint32_t four[] = {at[0], at[1], at[side * 2], at[side * 2 + 1]};
                coarser[u * side + v] = mean(four, 4);
            }
        }
    }
}

bool wn_textures_set(wn_textures *textures, uint32_t number, const uint32_t *pixels, uint32_t side)
{
    if (number >= textures->capacity || side < 1 || side > 256) {
        return false;
    }
    wn_texture *texture = textures->all[number];
    if (!texture && !(texture = malloc(sizeof *texture))) {
        return false;
    }
    for (uint32_t u = 0; u < WN_TEXTURE_SIDE; u++) {
        for (uint32_t v = 0; v < WN_TEXTURE_SIDE; v++) {
            texture->seen[u * WN_TEXTURE_SIDE + v] = scaled(pixels, side, u, v);
        }
    }
    make_levels(texture->seen);
    for (uint32_t i = 0; i < WN_TEXTURE_TEXELS; i++) {
        texture->remembered[i] = wn_texel_remembered(texture->seen[i]);
    }
    textures->all[number] = texture;
    return true;
}
