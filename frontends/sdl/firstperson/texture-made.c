/* texture-made.c: generated pictures for what has none: bricks, flagstones, a figure and a glow. */
#include "texture-internal.h"

#include <math.h>

enum { SIDE = WN_TEXTURE_SIDE };

/* A stone's colour: mostly the foreground, each stone a little lighter or darker, and grainy. */
static uint32_t stone(uint32_t colour, uint32_t number, uint32_t x, uint32_t y, uint32_t seed)
{
    const uint32_t tone = 160 + wn_texture_chance(number, 0, seed) % 56;
    return wn_texel_lit(colour | 0xff000000, tone + wn_texture_chance(x, y, seed) % 28);
}

/* Light falls from above on the left: upper and left edges are brighter. `x`, `y`: within the stone. */
static uint32_t edge(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    if (y == 0 || x == 0) {
        return 304;
    }
    return y + 1 == height || x + 1 == width ? 200 : 256;
}

void wn_texture_bricks(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground, uint32_t background, uint32_t seed)
{
    enum { HEIGHT = 8, WIDTH = 16 };
    const uint32_t mortar = wn_texel_mix(background, foreground, 56) | 0xff000000;
    for (uint32_t y = 0; y < SIDE; y++) {
        const uint32_t course = y / HEIGHT, within_y = y % HEIGHT;
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t moved = (x + course % 2 * WIDTH / 2) % SIDE, within_x = moved % WIDTH;
            uint32_t *pixel = &pixels[y * SIDE + x];
            if (within_y == HEIGHT - 1 || within_x == WIDTH - 1) {
                *pixel = wn_texel_lit(mortar, 216 + wn_texture_chance(x, y, seed) % 40);
                continue;
            }
            *pixel = wn_texel_lit(stone(foreground, course * 2 + moved / WIDTH, x, y, seed),
                                  edge(within_x, within_y, WIDTH - 1, HEIGHT - 1));
        }
    }
}

void wn_texture_flagstones(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground, uint32_t background, uint32_t seed)
{
    enum { FLAG = 16 };
    const uint32_t colour = wn_texel_mix(background, foreground, 96);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t *pixel = &pixels[y * SIDE + x];
            if (x % FLAG == FLAG - 1 || y % FLAG == FLAG - 1) {
                *pixel = wn_texel_lit(background | 0xff000000, 160 + wn_texture_chance(x, y, seed) % 32);
                continue;
            }
            *pixel = wn_texel_lit(stone(colour, y / FLAG * 2 + x / FLAG, x, y, seed),
                                  edge(x % FLAG, y % FLAG, FLAG - 1, FLAG - 1));
        }
    }
}

/* Lumps of three sizes, each lit a little differently. */
void wn_texture_rock(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t colour, uint32_t seed)
{
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t large = wn_texture_chance(x / 8, (y + x / 8 * 3) % SIDE / 8, seed) % 72;
            const uint32_t middle = wn_texture_chance((x + y / 4) % SIDE / 4, y / 4, seed + 1) % 56;
            const uint32_t small = wn_texture_chance(x, y, seed + 2) % 40;
            pixels[y * SIDE + x] = wn_texel_lit(colour | 0xff000000, 176 + large + middle + small);
        }
    }
}

/* How far a pawn reaches to either side of its axis, in texels, at each height from the top. */
static float pawn(float y)
{
    if (y < 12) {
        const float off = y - 7.5F, within = 4.5F * 4.5F - off * off;
        return within > 0 ? sqrtf(within) : 0;
    }
    if (y < 14) {
        return 5.5F;
    }
    return y < 28 ? 2.5F + (y - 14) * (y - 14) * 0.022F : 8.5F;
}

void wn_texture_figure(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground)
{
    for (uint32_t y = 0; y < SIDE; y++) {
        const float half = pawn((float)y + 0.5F);
        for (uint32_t x = 0; x < SIDE; x++) {
            const float off = (float)x + 0.5F - SIDE / 2.0F;
            uint32_t *pixel = &pixels[y * SIDE + x];
            *pixel = 0;
            if (fabsf(off) < half) {
                const float side = off / half + 0.35F; /* the light comes from the left */
                const uint32_t light = (uint32_t)(300.0F - 150.0F * side * side * 0.8F);
                *pixel = wn_texel_lit(foreground | 0xff000000, light);
            } else if (fabsf(off) < half + 1.0F && half > 0) {
                *pixel = wn_texel_lit(foreground | 0xff000000, 60);
            }
        }
    }
}

void wn_texture_glow(uint32_t pixels[WN_TEXTURE_PIXELS], uint32_t foreground)
{
    for (uint32_t i = 0; i < WN_TEXTURE_PIXELS; i++) {
        const float x = (float)(i % SIDE) + 0.5F - SIDE / 2.0F, y = (float)(i / SIDE) + 0.5F - SIDE / 2.0F;
        const float left = 1 - sqrtf(x * x + y * y) / (SIDE / 2.0F);
        const float inside = left > 0 ? left : 0;
        const uint32_t alpha = (uint32_t)(fminf(inside * 1.8F, 1) * 255), white = (uint32_t)(inside * inside * 255);
        pixels[i] = (wn_texel_mix(foreground, 0xffffff, white) & 0xffffff) | alpha << 24;
    }
}
