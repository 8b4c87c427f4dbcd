/* colour.c: which colours a terminal gets. See colour.h. */
#include "colour.h"

#include <stddef.h>
#include <string.h>

enum { CLEAR_CHROMA = 64 };

static int red(int32_t rgb)
{
    return rgb >> 16 & 0xff;
}

static int green(int32_t rgb)
{
    return rgb >> 8 & 0xff;
}

static int blue(int32_t rgb)
{
    return rgb & 0xff;
}

/* Weighted squares: the eye sees differences of green most, of blue least. The "redmean" weights of Thiadmer
 * Riemersma's "Colour metric" without their dependence on the red level, which is enough for so few colours. */
static int distance(int32_t a, int32_t b)
{
    const int r = red(a) - red(b), g = green(a) - green(b), b2 = blue(a) - blue(b);
    return 3 * r * r + 4 * g * g + 2 * b2 * b2;
}

bool wn_depth_parse(const char *text, wn_depth *depth)
{
    static const char *const names[] = {"none", "16", "256", "24bit", "auto"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            *depth = (wn_depth)i;
            return true;
        }
    }
    return false;
}

wn_depth wn_depth_choose(wn_depth wanted, const char *no_color, const char *colorterm, int terminfo_colours)
{
    if (wanted != WN_DEPTH_AUTO) {
        return wanted;
    }
    if (no_color != NULL && no_color[0] != '\0') {
        return WN_DEPTH_NONE;
    }
    if (terminfo_colours > 0x10000) {
        return WN_DEPTH_24BIT;
    }
    if (colorterm != NULL && terminfo_colours >= 8 &&
        (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0)) {
        return WN_DEPTH_24BIT;
    }
    return terminfo_colours >= 256 ? WN_DEPTH_256 : terminfo_colours >= 8 ? WN_DEPTH_16 : WN_DEPTH_NONE;
}

/* The cube's levels are 0, 95, 135, 175, 215, 255. */
static int cube_level(int value)
{
    return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

static int32_t cube_rgb(int r, int g, int b)
{
    static const int levels[] = {0, 95, 135, 175, 215, 255};
    return levels[r] << 16 | levels[g] << 8 | levels[b];
}

int wn_colour_256(int32_t rgb)
{
    const int r = cube_level(red(rgb)), g = cube_level(green(rgb)), b = cube_level(blue(rgb));
    /* The greys are 8, 18, ... 238. */
    const int mean = (red(rgb) + green(rgb) + blue(rgb)) / 3;
    const int step = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    const int level = 8 + 10 * step;
    const int32_t grey = level << 16 | level << 8 | level;
    return distance(rgb, grey) < distance(rgb, cube_rgb(r, g, b)) ? 232 + step : 16 + 36 * r + 6 * g + b;
}

static int greatest(int a, int b, int c)
{
    return a > b ? (a > c ? a : c) : b > c ? b : c;
}

/* How far it is from grey. */
static int chroma(int32_t rgb)
{
    return greatest(red(rgb), green(rgb), blue(rgb)) + greatest(-red(rgb), -green(rgb), -blue(rgb));
}

/* Of so few, a grey is often the nearest to a colour that anybody would call blue. */
static bool has_hue(int32_t rgb)
{
    return chroma(rgb) >= CLEAR_CHROMA && 2 * chroma(rgb) >= greatest(red(rgb), green(rgb), blue(rgb));
}

int wn_colour_16(int32_t rgb)
{
    static const int32_t palette[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
                                        0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    const bool hue = has_hue(rgb);
    int best = hue ? 1 : 0;
    for (int i = 1; i < 16; i++) {
        if ((!hue || chroma(palette[i]) > 0) && distance(rgb, palette[i]) < distance(rgb, palette[best])) {
            best = i;
        }
    }
    return best;
}

int wn_colour_number(int32_t rgb, wn_depth depth)
{
    if (rgb == WN_COLOUR_OWN || depth == WN_DEPTH_NONE) {
        return WN_COLOUR_OWN;
    }
    return depth == WN_DEPTH_24BIT ? (int)rgb : depth == WN_DEPTH_256 ? wn_colour_256(rgb) : wn_colour_16(rgb);
}

int32_t wn_colour_dim(int32_t rgb)
{
    if (rgb == WN_COLOUR_OWN) {
        return rgb;
    }
    return (red(rgb) * 9 / 20) << 16 | (green(rgb) * 9 / 20) << 8 | blue(rgb) * 9 / 20;
}
