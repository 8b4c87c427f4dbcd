/* scene.h: what a view looks like, whether it is played, watched or replayed: map, panel, messages, the mode's banner.
 * Whose view it is, and what keys do, is the screen's part. */
#ifndef WARREN_SDL_SCENE_H
#define WARREN_SDL_SCENE_H

#include "app.h"
#include "banner.h"
#include "board.h"
#include "firstperson/inside.h"
#include "panel.h"
#include "sheet.h"

typedef struct wn_scene_view {
    wn_board board;
    wn_minimap minimap;
    wn_inside inside;
    bool first_person; /* through the player's eyes, else from above */
    wn_viewport inset; /* of the view from above, in a corner of that */
    const Warren__Mode *mode;
    char mode_name[WN_NAME_BYTES + 1];
    wn_art own_art;                    /* the mode's own tiles */
    SDL_Rect map, panel, minimap_rect; /* where they were drawn last */
    wn_sheet banner;
    wn_banner put_away;
    bool banner_shown;
} wn_scene_view;

void wn_scene_init(wn_scene_view *view);
void wn_scene_free(wn_scene_view *view);
/* A view of that mode is to be shown. The same mode again, after a lost connection: it is looked at as before. */
void wn_scene_begin(wn_scene_view *view, wn_app *app, const Warren__Mode *mode);
/* An update came. */
void wn_scene_take(wn_scene_view *view, wn_app *app, const wn_replica *replica, const Warren__Update *update);
/* Colours have changed, or textures were lost. */
void wn_scene_forget(wn_scene_view *view, wn_app *app, const Warren__Mode *mode);
/* The other view, from above or through the player's eyes. false: the mode has nothing to see from inside. */
bool wn_scene_turn_view(wn_scene_view *view, const wn_replica *replica, int64_t now);
/* Only the next region is in sight, or everything again: as large as it can be. */
void wn_scene_next_region(wn_scene_view *view, const wn_app *app, const wn_replica *replica);
/* Between the bars of those heights. */
void wn_scene_draw(wn_scene_view *view, wn_app *app, const wn_replica *replica, int top, int bottom);
/* `footer` NULL: how to put it away. */
void wn_scene_banner(wn_scene_view *view, wn_app *app, const wn_replica *replica, const char *footer);
/* Puts the banner away. false: there was none. */
bool wn_scene_hide_banner(wn_scene_view *view, const wn_replica *replica);
uint32_t wn_scene_message_colour(Warren__MessageKind kind);

/* Lines of sheets: all messages; what stands on the map. */
void wn_scene_messages(const wn_app *app, wn_sheet *sheet);
void wn_scene_legend(const Warren__Mode *mode, wn_sheet *sheet);
/* For the pictures of a legend's lines: wn_sheet_draw()'s `picture`, with a wn_scene_pictures as context. */
typedef struct wn_scene_pictures {
    const wn_scene_view *view;
    const wn_app *app;
    const Warren__Mode *mode;
} wn_scene_pictures;
void wn_scene_picture(void *context, int tile, SDL_Rect rect);

#endif
