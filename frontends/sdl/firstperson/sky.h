/* sky.h: what is above the walls: a panorama that is generated once, all around and up to some 40 degrees. */
#ifndef WARREN_SKY_H
#define WARREN_SKY_H

#include <stdint.h>

typedef enum wn_sky_kind { WN_SKY_NIGHT, WN_SKY_DUSK, WN_SKY_DAY, WN_SKY_UNDERGROUND, WN_SKY_KINDS } wn_sky_kind;

typedef struct wn_sky wn_sky;

/* The same kind and seed give the same sky. NULL: no memory. */
wn_sky *wn_sky_new(wn_sky_kind kind, uint32_t seed);
void wn_sky_free(wn_sky *sky);

#endif
