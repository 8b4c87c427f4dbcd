/* legend.h: what the signs on a map mean: a mode's tiles as rows of a legend, one for each name. */
#ifndef WARREN_CLIENT_LEGEND_H
#define WARREN_CLIENT_LEGEND_H

#include <stddef.h>
#include <stdint.h>

#include "warren.pb-c.h"

enum { WN_LEGEND_TILES = 64 };

typedef struct wn_legend_row {
    char name[256];
    uint32_t tiles[WN_LEGEND_TILES]; /* indices, in the order of the mode; no two of them look alike */
    size_t count;                    /* of all; those above WN_LEGEND_TILES are not in `tiles` */
} wn_legend_row;

/* Calls `add` for each row, in the order of the mode's tiles. Tiles of the same name share one; what a name says of
 * the tile's own sign ("region 0") or of a direction ("player, north") does not count. Tiles without a name or a sign,
 * and those that the mode wants in no legend, are left out. */
void wn_legend(const Warren__Mode *mode, void (*add)(void *context, const wn_legend_row *row), void *context);

#endif
