/* art.h: drawn tiles as they stand in *.tiles files: squares of 16 by 16 pixels with a name. Which of them a mode's
 * legend gets, and in which colours, is atlas.h's part. What such a file may say is in tiles/README.md. */
#ifndef WARREN_SDL_ART_H
#define WARREN_SDL_ART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum { WN_ART_SIDE = 16, WN_ART_PIXELS = WN_ART_SIDE * WN_ART_SIDE, WN_ART_NAME_BYTES = 63, WN_ART_TILES = 4096 };

/* A pixel: 0xffRRGGBB; 0, where what is behind shows; or one of these and a step from 0 (dark) to 4 (light): the tile's
 * own colours, as the legend has them. */
enum { WN_ART_INK = 0x01000000, WN_ART_PAPER = 0x02000000, WN_ART_STEPS = 5 };

typedef enum wn_art_kind {
    WN_ART_TILE,
    WN_ART_MORE, /* another picture of the same: which one is shown depends on the place */
    WN_ART_FACE  /* of a wall, where one looks at its front: below it is no wall */
} wn_art_kind;

typedef struct wn_art_tile {
    char name[WN_ART_NAME_BYTES + 1];
    wn_art_kind kind;
    uint32_t pixels[WN_ART_PIXELS];
} wn_art_tile;

/* All zero is an empty one. */
typedef struct wn_art {
    wn_art_tile *tiles;
    size_t count, capacity;
} wn_art;

/* What is built into the program, from tiles/. */
extern const wn_art_tile wn_art_built_in[];
extern const size_t wn_art_built_in_count;

/* Adds what the file has. false with a sentence that names file, line and what is expected; what was right before is
 * kept. */
bool wn_art_read(wn_art *art, const char *path, wn_error *error);
bool wn_art_read_text(wn_art *art, const char *path, const char *text, wn_error *error);
/* Adds all *.tiles in that directory, by name. A directory that is not there has none. */
bool wn_art_read_directory(wn_art *art, const char *path, wn_error *error);
void wn_art_free(wn_art *art);

#endif
