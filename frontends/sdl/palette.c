/* palette.c: palettes for eyes that see some colours alike. See palette.h.
 *
 * What such eyes lose of a colour is moved to where they see it: "daltonizing", after Fidaner, Lin and Ozguven,
 * "Analysis of Color Blindness" (2005), with the simulation matrices of Vienot, Brettel and Mollon (1999) for red and
 * green, and of Brettel and others (1997), in one plane, for blue. The matrices are meant for linear light; on sRGB
 * values, as here, they are near enough for telling colours apart. */
#include "palette.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *title;
    float seen[3][3];  /* what is left of a colour */
    float moved[3][3]; /* where what was lost goes */
} palettes[WN_PALETTES] = {
    [WN_PALETTE_STANDARD] = {"standard", "Standard", {{0}}, {{0}}},
    [WN_PALETTE_PROTAN] = {"protanopia",
                           "No red cones (protanopia)",
                           {{0.11F, 0.89F, 0}, {0.11F, 0.89F, 0}, {0, 0, 1}},
                           {{0, 0, 0}, {0.7F, 1, 0}, {0.7F, 0, 1}}},
    [WN_PALETTE_DEUTAN] = {"deuteranopia",
                           "No green cones (deuteranopia)",
                           {{0.29F, 0.71F, 0}, {0.29F, 0.71F, 0}, {-0.02F, 0.02F, 1}},
                           {{1, 0.7F, 0}, {0, 0, 0}, {0, 0.7F, 1}}},
    [WN_PALETTE_TRITAN] = {"tritanopia",
                           "No blue cones (tritanopia)",
                           {{1, 0.13F, -0.13F}, {0, 0.87F, 0.13F}, {0, 0.67F, 0.33F}},
                           {{1, 0, 0.7F}, {0, 1, 0.7F}, {0, 0, 0}}},
    [WN_PALETTE_CONTRAST] = {"contrast", "High contrast", {{0}}, {{0}}},
};

const char *wn_palette_name(wn_palette palette)
{
    return palettes[palette].name;
}

const char *wn_palette_title(wn_palette palette)
{
    return palettes[palette].title;
}

bool wn_palette_parse(const char *name, wn_palette *palette)
{
    for (int i = 0; i < WN_PALETTES; i++) {
        if (strcmp(palettes[i].name, name) == 0) {
            *palette = (wn_palette)i;
            return true;
        }
    }
    return false;
}

static void split(uint32_t colour, float rgb[3])
{
    for (int i = 0; i < 3; i++) {
        rgb[i] = (float)(colour >> (16 - 8 * i) & 0xff);
    }
}

static uint32_t join(const float rgb[3])
{
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++) {
        const float value = rgb[i] < 0 ? 0 : rgb[i] > 255 ? 255 : rgb[i];
        colour = colour << 8 | (uint32_t)(value + 0.5F);
    }
    return colour;
}

static void multiply(const float matrix[3][3], const float in[3], float out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = matrix[i][0] * in[0] + matrix[i][1] * in[1] + matrix[i][2] * in[2];
    }
}

/* Light becomes lighter and dark darker, around the middle of what screens show of both. */
static uint32_t contrast(uint32_t colour)
{
    float rgb[3];
    split(colour, rgb);
    for (int i = 0; i < 3; i++) {
        rgb[i] = (rgb[i] - 96) * 1.5F + 110;
    }
    return join(rgb);
}

uint32_t wn_palette_map(wn_palette palette, uint32_t colour)
{
    float rgb[3], seen[3], moved[3];
    if (palette == WN_PALETTE_STANDARD) {
        return colour;
    }
    if (palette == WN_PALETTE_CONTRAST) {
        return contrast(colour);
    }
    split(colour, rgb);
    multiply(palettes[palette].seen, rgb, seen);
    for (int i = 0; i < 3; i++) {
        seen[i] = rgb[i] - seen[i];
    }
    multiply(palettes[palette].moved, seen, moved);
    for (int i = 0; i < 3; i++) {
        rgb[i] += moved[i];
    }
    return join(rgb);
}

uint32_t wn_palette_mix(uint32_t from, uint32_t to, uint32_t part)
{
    uint32_t mixed = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const uint32_t a = from >> shift & 0xff, b = to >> shift & 0xff;
        mixed = mixed << 8 | ((a * (256 - part) + b * part) >> 8 & 0xff);
    }
    return mixed;
}
