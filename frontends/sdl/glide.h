/* glide.h: where sprites are between two cells: each goes in a short time to where an update puts it, and fades when it
 * is gone. It draws nothing. */
#ifndef WARREN_SDL_GLIDE_H
#define WARREN_SDL_GLIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"

enum { WN_GLIDE_MS = 120, WN_FADE_MS = 160 };

typedef struct wn_glide {
    uint32_t id, tile, facing;
    float from_x, from_y, to_x, to_y;
    int64_t start;
    int64_t gone; /* since when; 0: it is there */
} wn_glide;

/* All zero is an empty one. */
typedef struct wn_glides {
    wn_glide *items; /* sorted by id */
    size_t count, capacity;
    uint32_t width, height; /* of the view they are in */
} wn_glides;

/* What the replica shows now. `smooth` false: everything is there at once. */
void wn_glides_take(wn_glides *glides, const wn_replica *replica, int64_t now, bool smooth);
void wn_glides_free(wn_glides *glides);
/* Where it is; the corner of its cell, in cells. */
void wn_glide_place(const wn_glide *glide, int64_t now, float *x, float *y);
/* How much of it is there: 255, or less while it fades. */
uint8_t wn_glide_opacity(const wn_glide *glide, int64_t now);
const wn_glide *wn_glides_find(const wn_glides *glides, uint32_t id); /* or NULL */
bool wn_glides_move(const wn_glides *glides, int64_t now);

#endif
