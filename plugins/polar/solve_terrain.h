/* solve_terrain.h: what the trees, houses and mountains of a board say about hearts and bombs, whatever the other
 * things do: how many pushes of its own a heart needs at least from each cell, and from where it never gets home.
 */
#ifndef POLAR_SOLVE_TERRAIN_H
#define POLAR_SOLVE_TERRAIN_H

#include "solve_planes.h"

enum { TERRAIN_NEVER = 255 };

/* Of the mountains as they stand. "Closed": no bomb will open any of them any more; else each is taken for open. */
typedef struct polar_terrain {
    const uint8_t *fewest[2]; /* [closed] by cell: pushes to a house, never too many; or TERRAIN_NEVER */
    const uint8_t *bomb;      /* the same for a bomb and a mountain */
} polar_terrain;

/* Terrains of a board, computed when they are first asked for and kept, as many as there is room for. */
typedef struct terrain_cache terrain_cache;

/* With at most `memory` bytes, or a little more for the few it cannot do without. NULL: malloc() has none. */
terrain_cache *terrain_cache_new(const polar_board *board, size_t memory);
void terrain_cache_free(terrain_cache *cache);

/* Good until the next call. */
polar_terrain terrain_get(terrain_cache *cache, const plane mountains);

#endif
