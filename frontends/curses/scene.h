/* scene.h: what a view looks like, whether it is played, watched or replayed: map, panel, messages on top, the mode's
 * banner, and the boxes that any of them can open. Whose view it is, and what keys do, is the screen's part. */
#ifndef WARREN_CURSES_SCENE_H
#define WARREN_CURSES_SCENE_H

#include "app.h"
#include "banner.h"
#include "layout.h"
#include "map.h"

typedef struct wn_banner_box {
    wn_banner banner;
    bool scrolls; /* it is higher than the window: Page Up and Down are for it */
    int top;
} wn_banner_box;

/* Where everything stands in the window as it is now. */
void wn_scene_place(wn_map *map, wn_layout *layout, const wn_replica *replica);
/* All but the top and the bottom line; in a tight layout all but the bottom one. `messages_key` shows all messages: it
 * is named where some are hidden. */
void wn_scene_draw(wn_app *app, wn_map *map, const wn_layout *layout, const wn_replica *replica,
                   const char *messages_key);
/* The banner over the map, unless there is none (or no replica) or it is put away. `footer` NULL: how to do that. */
void wn_scene_banner(wn_app *app, wn_banner_box *banner, const wn_map *map, wn_rect over, const wn_replica *replica,
                     const char *footer);
/* Puts it away. false: none is in sight. */
bool wn_scene_hide_banner(const wn_app *app, wn_banner_box *banner, const wn_replica *replica);
/* The newest message in a row, for a tight layout. false: there is none yet. */
bool wn_scene_last_message(wn_app *app, wn_rect row);
wn_style wn_scene_message_style(Warren__MessageKind kind);

/* Contents of boxes: all messages; what stands on the map. */
void wn_scene_messages(const wn_app *app, wn_lines *lines);
void wn_scene_legend(const wn_app *app, const Warren__Mode *mode, wn_lines *lines);

#endif
