/* panel.h: what stands beside the map: status fields with gauges, the scoreboard, the small map. */
#ifndef WARREN_SDL_PANEL_H
#define WARREN_SDL_PANEL_H

#include <SDL.h>
#include <stdbool.h>

#include "board.h"
#include "client.h"
#include "ink.h"

typedef struct wn_minimap {
    SDL_Texture *texture;
    int width, height;
    bool stale; /* an update came since it was made */
} wn_minimap;

void wn_minimap_forget(wn_minimap *map);
/* As large as fits into the part of the window; what is in sight is framed. Returns where it is. */
SDL_Rect wn_minimap_draw(wn_minimap *map, const wn_ink *ink, const wn_replica *replica, const wn_board *board,
                         SDL_Rect rect);

/* How wide the panel should be in a window of that width; 0: there is no room beside the map. */
int wn_panel_width(const wn_ink *ink, int window);
/* One under the other with gauges as bars. Returns the height used. */
int wn_panel_status(const wn_ink *ink, const wn_replica *replica, SDL_Rect rect);
/* In one line, for narrow windows. Returns the height used. */
int wn_panel_status_line(const wn_ink *ink, const wn_replica *replica, SDL_Rect rect);
/* Rows that do not fit are left out. Returns the height used. */
int wn_panel_board(const wn_ink *ink, const wn_replica *replica, SDL_Rect rect);
/* The height that all of it takes. */
int wn_panel_board_height(const wn_ink *ink, const wn_replica *replica);

#endif
