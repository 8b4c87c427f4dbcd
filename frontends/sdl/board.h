/* board.h: a view seen from above: cells, sprites that glide over them, effects, names, grid, and the cursor. What it
 * shows is the replica's; where the pictures come from is atlas.h's part. */
#ifndef WARREN_SDL_BOARD_H
#define WARREN_SDL_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "atlas.h"
#include "client.h"
#include "glide.h"
#include "ink.h"
#include "viewport.h"

enum { WN_BOARD_EFFECTS = 128 };

typedef struct wn_board_effect {
    Warren__EffectKind kind;
    uint32_t at, to, radius, tile;
    int64_t start;
} wn_board_effect;

typedef struct wn_board {
    wn_atlas *atlas;
    wn_viewport view;
    wn_glides glides;
    wn_board_effect effects[WN_BOARD_EFFECTS];
    size_t effect_count;
    bool names, grid, regions, smooth;
    uint32_t region; /* the only one in sight, counted from 1; 0: everything is */
    uint32_t cursor; /* a cell that is being chosen, or WN_NO_FOCUS */
    uint32_t hover;  /* the cell under the pointer, or WN_NO_FOCUS */
    int64_t drawn;   /* when it was drawn last */
    bool travels;    /* the view had not arrived then */
} wn_board;

void wn_board_init(wn_board *board);
void wn_board_free(wn_board *board);
/* The legend to draw from. `own`: drawn tiles of the mode, or NULL. */
void wn_board_set_mode(wn_board *board, const Warren__Mode *mode, const wn_art *own, wn_palette palette);
/* An update came (NULL: the view began anew). */
void wn_board_take(wn_board *board, const wn_replica *replica, const Warren__Update *update, int64_t now);
/* Draws into that part of the window. */
void wn_board_draw(wn_board *board, const wn_ink *ink, const wn_replica *replica, SDL_Rect rect, int64_t now);
/* The next region there is is the only one in sight, and after the last one everything again. */
void wn_board_next_region(wn_board *board, const wn_replica *replica);
/* The region that is shown alone, or NULL. */
const wn_region_state *wn_board_region(const wn_board *board, const wn_replica *replica);
const char *wn_board_region_title(const wn_board *board, const wn_replica *replica); /* NULL: everything is */
/* Will it look different in a moment, by itself? */
bool wn_board_moves(const wn_board *board, int64_t now);
/* The place of a cell in the window. */
SDL_Rect wn_board_place(const wn_board *board, uint32_t cell);
/* One tile in a square: for legends. */
void wn_board_tile(const wn_board *board, const wn_ink *ink, const Warren__Mode *mode, uint32_t tile, SDL_Rect rect);

#endif
