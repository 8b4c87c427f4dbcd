/* sky.c: paints panoramas: a gradient, stars, and clouds of value noise in several sizes. */
#include "sky-internal.h"
#include "texture-internal.h"

#include <stdlib.h>

/* What the kinds differ in. Colours are 0xRRGGBB. */
static const struct palette {
    uint32_t zenith, middle, haze; /* far above, half way down, at the horizon */
    uint32_t cloud;
    uint32_t stars; /* one in so many pixels; 0: none */
    float cover;    /* how much noise makes no cloud yet, 0 to 1 */
    uint32_t thick; /* how much of its colour a cloud can have, of 256 */
} palettes[WN_SKY_KINDS] = {
    [WN_SKY_NIGHT] = {0x05070f, 0x0c1226, 0x1c2438, 0x2a3450, 420, 0.50F, 150},
    [WN_SKY_DUSK] = {0x1a1838, 0x4a3358, 0x7c5050, 0x6a4560, 1500, 0.46F, 190},
    [WN_SKY_DAY] = {0x2f66b0, 0x6ba0d8, 0xb9cfdf, 0xf2f6fa, 0, 0.48F, 220},
    [WN_SKY_UNDERGROUND] = {0x030303, 0x0b0a09, 0x14110f, 0x1b1613, 0, 0.42F, 200},
};

/* Smooth noise 0 to 1 on a lattice of `period` columns, which closes around the circle. */
static float noise(float x, float y, uint32_t period, uint32_t seed)
{
    const uint32_t column = (uint32_t)x, row = (uint32_t)y;
    float u = x - (float)column, v = y - (float)row;
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    const uint32_t left = column % period, right = (left + 1) % period, top = row;
    const float a = (float)(wn_texture_chance(left, top, seed) & 0xffff);
    const float b = (float)(wn_texture_chance(right, top, seed) & 0xffff);
    const float c = (float)(wn_texture_chance(left, top + 1, seed) & 0xffff);
    const float d = (float)(wn_texture_chance(right, top + 1, seed) & 0xffff);
    return ((a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v) / 65535.0F;
}

static float clouds(uint32_t column, uint32_t row, uint32_t seed)
{
    float sum = 0, weight = 0.5F;
    uint32_t period = 24;
    for (uint32_t octave = 0; octave < 5; octave++, period *= 2, weight /= 2) {
        const float x = (float)column * (float)period / WN_SKY_COLUMNS;
        const float y = (float)row * (float)period * 2.2F / WN_SKY_COLUMNS;
        sum += noise(x, y, period, seed + octave) * weight;
    }
    return sum / 0.97F;
}

static uint32_t gradient(const struct palette *palette, uint32_t row)
{
    const uint32_t half = WN_SKY_ROWS / 2;
    if (row < half) {
        return wn_texel_mix(palette->zenith, palette->middle, row * 256 / half);
    }
    return wn_texel_mix(palette->middle, palette->haze, (row - half) * 256 / (half - 1));
}

static uint32_t star(uint32_t colour, uint32_t one_in, uint32_t column, uint32_t row, uint32_t seed)
{
    const uint32_t chance = wn_texture_chance(column, row, seed ^ 0x57a5);
    if (one_in == 0 || chance % one_in != 0) {
        return colour;
    }
    const uint32_t bright = (chance >> 16 & 0x7f) + 40;
    const uint32_t low = row * 256 / WN_SKY_ROWS; /* those near the horizon drown in the haze */
    return wn_texel_mix(colour, chance & 0x1000000 ? 0xfff0d8 : 0xdce8ff, bright * (256 - low) >> 8);
}

/* Half a step of brightness, here and there: without it the gradient shows as bands. */
static uint32_t grain(uint32_t colour, uint32_t column, uint32_t row)
{
    const uint32_t chance = wn_texture_chance(column, row, 0x96a1);
    uint32_t grained = 0;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        const uint32_t part = (colour >> shift & 0xff) + (chance >> shift & 1);
        grained |= (part > 0xff ? 0xff : part) << shift;
    }
    return grained;
}

static uint32_t paint(const struct palette *palette, uint32_t column, uint32_t row, uint32_t seed)
{
    uint32_t colour = star(gradient(palette, row), palette->stars, column, row, seed);
    const float cover = (clouds(column, row, seed) - palette->cover) * 3.2F;
    if (cover > 0) {
        const float low = (float)row / WN_SKY_ROWS, fade = 1 - low * low * low;
        const float part = (cover > 1 ? 1 : cover) * fade * (float)palette->thick;
        colour = wn_texel_mix(colour, palette->cloud, (uint32_t)part);
    }
    return grain(colour, column, row) | 0xff000000;
}

wn_sky *wn_sky_new(wn_sky_kind kind, uint32_t seed)
{
    wn_sky *sky = malloc(sizeof *sky);
    if (!sky) {
        return NULL;
    }
    const struct palette *palette = &palettes[kind < WN_SKY_KINDS ? kind : WN_SKY_NIGHT];
    sky->haze = palette->haze | 0xff000000;
    for (uint32_t column = 0; column < WN_SKY_COLUMNS; column++) {
        for (uint32_t row = 0; row < WN_SKY_ROWS; row++) {
            sky->pixels[column][row] = paint(palette, column, row, seed);
        }
    }
    return sky;
}

void wn_sky_free(wn_sky *sky)
{
    free(sky);
}
