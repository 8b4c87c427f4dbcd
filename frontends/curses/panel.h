/* panel.h: a world's status fields and its scoreboard, beside or below the map. */
#ifndef WARREN_CURSES_PANEL_H
#define WARREN_CURSES_PANEL_H

#include "client.h"
#include "layout.h"
#include "paint.h"

/* What the panel would like to have in a window of so many columns. */
wn_needs wn_panel_needs(const wn_replica *replica, int columns);
/* One under the other with gauges as bars, or (not `beside`) one after the other. Draws on stdscr. */
void wn_panel_status(const wn_paint *paint, const wn_replica *replica, wn_rect rect, bool beside);
void wn_panel_board(const wn_paint *paint, const wn_replica *replica, WINDOW *window, wn_rect rect);

#endif
