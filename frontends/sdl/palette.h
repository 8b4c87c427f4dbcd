/* palette.h: the colours of the window's own parts, and palettes for eyes that see some colours alike. Only arithmetic.
 */
#ifndef WARREN_SDL_PALETTE_H
#define WARREN_SDL_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

/* 0xRRGGBB everywhere. */
enum {
    WN_INK_NIGHT = 0x14151a,    /* behind everything */
    WN_INK_PANEL = 0x1c1e25,    /* boxes, bars, the panel beside the map */
    WN_INK_RAISED = 0x272a34,   /* buttons, the line under the pointer */
    WN_INK_EDGE = 0x3a3e4c,     /* lines between parts */
    WN_INK_SELECTED = 0x3b4a68, /* the line that is chosen */
    WN_INK_TEXT = 0xe7e3d8,
    WN_INK_DIM = 0x9296a3,
    WN_INK_KEY = 0xecb964,
    WN_INK_TITLE = 0xf4ead2,
    WN_INK_GOOD = 0x93c973,
    WN_INK_BAD = 0xec8176,
    WN_INK_ALERT = 0xff6b5b,
    WN_INK_CHAT = 0x86bdf0,
    WN_INK_SYSTEM = 0xaab2c4,
    WN_INK_INPUT = 0x0d0e12
};

typedef enum wn_palette {
    WN_PALETTE_STANDARD,
    WN_PALETTE_PROTAN, /* for eyes without red cones */
    WN_PALETTE_DEUTAN, /* without green ones */
    WN_PALETTE_TRITAN, /* without blue ones */
    WN_PALETTE_CONTRAST,
    WN_PALETTES
} wn_palette;

const char *wn_palette_name(wn_palette palette);  /* in preferences: "deuteranopia" */
const char *wn_palette_title(wn_palette palette); /* for people */
bool wn_palette_parse(const char *name, wn_palette *palette);
/* The colour to show for this one. */
uint32_t wn_palette_map(wn_palette palette, uint32_t colour);
/* Between two colours, `part` of 256 towards `to`. */
uint32_t wn_palette_mix(uint32_t from, uint32_t to, uint32_t part);

#endif
