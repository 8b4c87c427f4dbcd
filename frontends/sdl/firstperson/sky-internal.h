/* sky-internal.h: how a sky lies in memory, for who draws it. */
#ifndef WARREN_SKY_INTERNAL_H
#define WARREN_SKY_INTERNAL_H

#include "sky.h"

/* Columns go once around, clockwise from north; each goes from the top down to the horizon. A row is 1 / WN_SKY_SCALE
 * of the eye's distance from the picture: rows of the picture map to rows of the sky by one multiplication. */
enum { WN_SKY_COLUMNS = 2048, WN_SKY_ROWS = 256, WN_SKY_SCALE = 326 };

struct wn_sky {
    uint32_t haze;
    uint32_t pixels[WN_SKY_COLUMNS][WN_SKY_ROWS];
};

#endif
