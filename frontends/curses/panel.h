/* panel.h: a world's status fields, its scoreboard and who watches, beside or below the map. */
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
void wn_panel_watchers(const wn_paint *paint, const wn_replica *replica, wn_rect rect);
/* The same in a tight layout. */
void wn_panel_tight_status(const wn_paint *paint, const wn_replica *replica, wn_rect rect);
void wn_panel_tight_board(const wn_paint *paint, const wn_replica *replica, wn_rect rect);
void wn_panel_tight_watchers(const wn_paint *paint, const wn_replica *replica, wn_rect rect);

/* Where the player looks, "NE", if neither the map nor the status shows it; else NULL. */
const char *wn_panel_facing(const wn_replica *replica);
/* Headings, the mode's or the usual ones. */
const char *wn_panel_players(const Warren__Mode *mode);
const char *wn_panel_spectators(const Warren__Mode *mode);
void wn_panel_clear(const wn_paint *paint, WINDOW *window, wn_rect rect);

#endif
