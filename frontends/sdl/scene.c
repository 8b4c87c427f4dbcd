/* scene.c: what a view looks like. See scene.h. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "legend.h"

static const uint32_t message_colours[] = {
    [WARREN__MESSAGE_KIND__MESSAGE_INFO] = WN_INK_TEXT, [WARREN__MESSAGE_KIND__MESSAGE_GOOD] = WN_INK_GOOD,
    [WARREN__MESSAGE_KIND__MESSAGE_BAD] = WN_INK_BAD,   [WARREN__MESSAGE_KIND__MESSAGE_ALERT] = WN_INK_ALERT,
    [WARREN__MESSAGE_KIND__MESSAGE_CHAT] = WN_INK_CHAT, [WARREN__MESSAGE_KIND__MESSAGE_SYSTEM] = WN_INK_SYSTEM,
};

uint32_t wn_scene_message_colour(Warren__MessageKind kind)
{
    return (size_t)kind < sizeof message_colours / sizeof *message_colours ? message_colours[kind] : WN_INK_TEXT;
}

void wn_scene_init(wn_scene_view *view)
{
    *view = (wn_scene_view){.minimap.stale = true};
    wn_board_init(&view->board);
}

void wn_scene_free(wn_scene_view *view)
{
    wn_board_free(&view->board);
    wn_minimap_forget(&view->minimap);
    wn_sheet_free(&view->banner);
    wn_inside_free(&view->inside);
    wn_art_free(&view->own_art);
}

/* the mode's own tiles */

/* DIRECTORY/warren/tiles/MODE in the directories for data, MODE beside the installed modes; --tiles before all. */
static void read_own_art(wn_art *art, wn_app *app, const char *mode)
{
    const char *home = getenv("XDG_DATA_HOME"), *user = getenv("HOME"), *shared = getenv("XDG_DATA_DIRS");
    char directories[4096], path[512];
    wn_error error = {0};
    snprintf(directories, sizeof directories, "%s%s:%s",
             home != NULL && home[0] == '/' ? home
             : user == NULL                 ? ""
                                            : user,
             home != NULL && home[0] == '/' ? "" : "/.local/share",
             shared == NULL || shared[0] == '\0' ? "/usr/local/share:/usr/share" : shared);
    bool done = app->options->tiles == NULL || wn_art_read_directory(art, app->options->tiles, &error);
    char *rest = directories;
    for (const char *each; done && (each = strsep(&rest, ":")) != NULL;) {
        snprintf(path, sizeof path, "%.400s/warren/tiles/%s", each, mode);
        done = wn_art_read_directory(art, path, &error);
    }
    snprintf(path, sizeof path, "%s/%s", WARREN_MODE_DIR, mode);
    done = done && wn_art_read_directory(art, path, &error);
    if (!done) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, error.text);
    }
}

static void take_preferences(wn_scene_view *view, const wn_app *app)
{
    view->board.names = app->preferences.names;
    view->board.grid = app->preferences.grid;
    view->board.regions = app->preferences.regions;
    view->board.smooth = app->preferences.motion;
    wn_inside_set_smooth(&view->inside, app->preferences.motion);
}

/* Walls of one name in several heights are made for being looked at from inside. */
static bool is_labyrinth(const Warren__Mode *mode)
{
    for (size_t i = 0; i < mode->n_tiles; i++) {
        const Warren__Tile *tile = mode->tiles[i];
        for (size_t k = 0; tile->height > 0 && k < i; k++) {
            const Warren__Tile *other = mode->tiles[k];
            if (other->height > 0 && other->height != tile->height && strcmp(tile->name, other->name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Figures, and walls that are more than masonry, look from inside as they do from above; bricks and flagstones in the
 * tile's colours are made by the view itself, which is nearer to them. */
static const uint32_t *picture_of(void *user, const Warren__Tile *tile, wn_picture_use use, uint32_t *side)
{
    const wn_scene_view *view = user;
    uint32_t number = 0;
    while (number < view->mode->n_tiles && view->mode->tiles[number] != tile) {
        number++;
    }
    *side = WN_ART_SIDE;
    if (use != WN_PICTURE_UPRIGHT && wn_atlas_pixels(view->board.atlas, number, WN_ATLAS_FACE) != NULL) {
        return NULL;
    }
    return wn_atlas_pixels(view->board.atlas, number, use == WN_PICTURE_UPRIGHT ? WN_ATLAS_SPRITE : WN_ATLAS_CELL);
}

void wn_scene_begin(wn_scene_view *view, wn_app *app, const Warren__Mode *mode)
{
    wn_art_free(&view->own_art);
    read_own_art(&view->own_art, app, mode->name);
    wn_scene_forget(view, app, mode);
    if (strcmp(view->mode_name, mode->name) == 0) {
        return;
    }
    snprintf(view->mode_name, sizeof view->mode_name, "%s", mode->name);
    view->first_person = wn_first_person_suits(mode) && is_labyrinth(mode);
    wn_viewport_set_zoom(&view->board.view, (double)wn_ink_units(&app->ink, app->preferences.zoom));
}

void wn_scene_forget(wn_scene_view *view, wn_app *app, const Warren__Mode *mode)
{
    wn_minimap_forget(&view->minimap);
    wn_inside_forget(&view->inside);
    view->mode = mode;
    if (mode == NULL) {
        return;
    }
    wn_board_set_mode(&view->board, mode, view->own_art.count == 0 ? NULL : &view->own_art, app->ink.palette);
    wn_inside_begin(&view->inside, mode, picture_of, view);
}

static bool is_in(const wn_replica *replica, const wn_region_state *part, uint32_t cell)
{
    const uint32_t x = cell % replica->width, y = cell / replica->width;
    const uint32_t left = part->at % replica->width, top = part->at / replica->width;
    return x >= left && y >= top && x < left + part->width && y < top + part->height;
}

/* Whose eyes a spectator looks through: of the part of the map that he has chosen, if he has. */
static uint32_t eyes_of(const wn_replica *replica, const wn_region_state *part)
{
    uint32_t found = WN_NO_FOCUS;
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        if (sprite->label[0] == '\0' || (part != NULL && !is_in(replica, part, sprite->at))) {
            continue;
        }
        if (part != NULL && strcmp(sprite->label, part->title) == 0) {
            return sprite->at;
        }
        found = found == WN_NO_FOCUS ? sprite->at : found;
    }
    if (found == WN_NO_FOCUS && part != NULL) {
        found = part->at + part->height / 2 * replica->width + part->width / 2;
    }
    return found;
}

/* The view as it is to be seen from inside. */
static wn_replica from_inside(const wn_scene_view *view, const wn_replica *replica)
{
    wn_replica seen = *replica;
    const wn_region_state *part = wn_board_region(&view->board, replica);
    const bool stands = replica->focus < replica->width * replica->height;
    if (replica->ready && (!stands || (part != NULL && !is_in(replica, part, replica->focus)))) {
        seen.focus = eyes_of(replica, part);
    }
    return seen;
}

/* What is heard comes from where it happens, if who plays is anywhere. */
static void hear(const wn_scene_view *view, wn_app *app, const wn_replica *replica, const Warren__Update *update)
{
    const bool placed = replica->focus < replica->width * replica->height;
    for (size_t i = 0; update->body_case == WARREN__UPDATE__BODY_DELTA && i < update->delta->n_effects; i++) {
        const Warren__Effect *effect = update->delta->effects[i];
        float x = 0, y = 0, angle = 0;
        if (effect->cue == NULL || effect->cue[0] == '\0') {
            continue;
        }
        if (placed && effect->has_at) {
            x = (float)(effect->at % replica->width) - (float)(replica->focus % replica->width);
            y = (float)(effect->at / replica->width) - (float)(replica->focus / replica->width);
        }
        if (view->first_person && view->inside.view != NULL) {
            angle = wn_first_person_camera(view->inside.view, app->now).angle;
        }
        wn_app_hear(app, effect->cue, wn_hear(x, y, angle));
    }
}

void wn_scene_take(wn_scene_view *view, wn_app *app, const wn_replica *replica, const Warren__Update *update)
{
    if (replica->mode != view->mode) { /* the world was joined anew, and brought its legend again */
        wn_scene_forget(view, app, replica->mode);
    }
    take_preferences(view, app);
    view->minimap.stale = true;
    wn_banner_take(&view->put_away, replica);
    wn_board_take(&view->board, replica, update, app->now);
    const wn_replica seen = from_inside(view, replica);
    if (view->first_person) {
        wn_inside_take(&view->inside, &seen, update, app->now);
    } else {
        wn_inside_skip(&view->inside);
    }
    if (update != NULL) {
        hear(view, app, replica, update);
    }
}

bool wn_scene_turn_view(wn_scene_view *view, const wn_replica *replica, int64_t now)
{
    view->first_person = !view->first_person && view->mode != NULL && wn_first_person_suits(view->mode);
    if (view->first_person && replica != NULL) { /* keys may come before it is drawn */
        const wn_replica seen = from_inside(view, replica);
        wn_inside_catch_up(&view->inside, &seen, now);
    }
    return view->mode != NULL && wn_first_person_suits(view->mode);
}

void wn_scene_next_region(wn_scene_view *view, const wn_app *app, const wn_replica *replica)
{
    wn_board_next_region(&view->board, replica);
    wn_inside_skip(&view->inside); /* it is looked at from elsewhere now */
    wn_viewport_recentre(&view->board.view);
    wn_viewport_set_zoom(&view->board.view, (double)wn_ink_units(&app->ink, app->preferences.zoom));
}

/* messages over the map */

/* The newest stands lowest. Those that the player's last command came after are dim; without fresh ones, two remain. */
static void draw_messages(const wn_app *app, SDL_Rect over)
{
    enum { MOST = 6, LEAST = 2 };
    const wn_ink *ink = &app->ink;
    const int pad = wn_ink_units(ink, 8), line = wn_ink_line(ink, WN_STYLE_BODY);
    int y = over.y + over.h - pad;
    for (size_t back = 0; back < MOST; back++) {
        char text[WN_BANNER_BYTES + 64];
        const wn_log_entry *entry = wn_log_entry_at(&app->log, back);
        if (entry == NULL || (back >= LEAST && !wn_log_is_fresh(&app->log, entry))) {
            return;
        }
        wn_log_entry_text(entry, text, sizeof text);
        text[strcspn(text, "\n")] = '\0';
        int width = wn_ink_width(ink, WN_STYLE_BODY, text);
        width = width > over.w - 4 * pad ? over.w - 4 * pad : width;
        y -= line + wn_ink_units(ink, 2);
        if (y < over.y + over.h / 2) {
            return;
        }
        wn_ink_area(ink, (SDL_Rect){over.x + pad, y, width + 2 * pad, line + wn_ink_units(ink, 1)}, WN_INK_NIGHT,
                    wn_log_is_fresh(&app->log, entry) ? 215 : 150);
        wn_ink_text(ink, WN_STYLE_BODY, over.x + 2 * pad, y, width + 1,
                    wn_log_is_fresh(&app->log, entry) ? wn_scene_message_colour(entry->kind) : WN_INK_DIM, text);
    }
}

/* the scene */

static void draw_panel(wn_scene_view *view, wn_app *app, const wn_replica *replica)
{
    const wn_ink *ink = &app->ink;
    const int pad = wn_ink_units(ink, 16), gap = wn_ink_units(ink, 14);
    SDL_Rect rect = view->panel;
    wn_ink_area(ink, rect, WN_INK_PANEL, 255);
    wn_ink_area(ink, (SDL_Rect){rect.x, rect.y, 1, rect.h}, WN_INK_EDGE, 255);
    rect = (SDL_Rect){rect.x + pad, rect.y + pad, rect.w - 2 * pad, rect.h - 2 * pad};
    view->minimap_rect = (SDL_Rect){0};
    if (app->preferences.minimap) {
        const int most = rect.h / 3 < rect.w ? rect.h / 3 : rect.w;
        view->minimap_rect = wn_minimap_draw(&view->minimap, ink, replica, &view->board,
                                             (SDL_Rect){rect.x, rect.y + rect.h - most, rect.w, most});
        rect.h -= view->minimap_rect.h + gap;
    }
    int used = wn_panel_status(ink, replica, rect);
    if (replica->mode->n_board == 0) {
        return;
    }
    if (used > 0) {
        used += gap / 2;
        wn_ink_area(ink, (SDL_Rect){rect.x, rect.y + used, rect.w, 1}, WN_INK_EDGE, 255);
        used += gap;
    }
    wn_panel_board(ink, replica, (SDL_Rect){rect.x, rect.y + used, rect.w, rect.h - used});
}

/* Without room beside the map the status stands in one line below it, and the small map in its corner. */
static void draw_narrow(wn_scene_view *view, wn_app *app, const wn_replica *replica)
{
    const int pad = wn_ink_units(&app->ink, 8), height = wn_ink_line(&app->ink, WN_STYLE_BODY) + pad;
    view->map.h -= height;
    const SDL_Rect line = {view->map.x, view->map.y + view->map.h, view->map.w, height};
    wn_ink_area(&app->ink, line, WN_INK_PANEL, 255);
    wn_panel_status_line(&app->ink, replica, (SDL_Rect){line.x + pad, line.y + pad / 2, line.w - 2 * pad, height});
}

/* Through the player's eyes, with the view from above in a corner. */
static void draw_inside(wn_scene_view *view, wn_app *app, const wn_replica *replica)
{
    const wn_ink *ink = &app->ink;
    const int side = view->map.h / 3 < view->map.w / 4 ? view->map.h / 3 : view->map.w / 4, pad = wn_ink_units(ink, 12);
    const SDL_Rect inset = {view->map.x + view->map.w - side - pad, view->map.y + pad, side, side};
    const wn_viewport above = view->board.view;
    const wn_replica seen = from_inside(view, replica);
    wn_inside_catch_up(&view->inside, &seen, app->now);
    if (!wn_inside_draw(&view->inside, ink->renderer, view->map, app->now)) {
        view->first_person = false;
        return;
    }
    view->board.view = view->inset;
    if (view->inset.goal_zoom < WN_ZOOM_LEAST) {
        wn_viewport_set_zoom(&view->board.view, (double)wn_ink_units(ink, 16));
    }
    wn_ink_area(ink, inset, WN_INK_NIGHT, 255);
    wn_board_draw(&view->board, ink, replica, inset, app->now);
    wn_ink_frame(ink, (SDL_Rect){inset.x - 1, inset.y - 1, side + 2, side + 2}, WN_INK_EDGE);
    view->inset = view->board.view;
    view->board.view = above;
}

static void draw_view(wn_scene_view *view, wn_app *app, const wn_replica *replica)
{
    if (view->first_person) {
        draw_inside(view, app, replica);
    }
    if (!view->first_person) {
        wn_board_draw(&view->board, &app->ink, replica, view->map, app->now);
    }
}

void wn_scene_draw(wn_scene_view *view, wn_app *app, const wn_replica *replica, int top, int bottom)
{
    const int width = app->window.width, height = app->window.height - top - bottom;
    const int panel = wn_panel_width(&app->ink, width);
    take_preferences(view, app);
    view->map = (SDL_Rect){0, top, width - panel, height};
    view->panel = (SDL_Rect){width - panel, top, panel, height};
    if (!replica->ready) {
        return;
    }
    if (panel == 0) {
        draw_narrow(view, app, replica);
    }
    draw_view(view, app, replica);
    if (panel > 0) {
        draw_panel(view, app, replica);
    }
    draw_messages(app, view->map);
    if (view->first_person ? wn_inside_moves(&view->inside, app->now) : wn_board_moves(&view->board, app->now)) {
        wn_app_move_on(app);
    }
}

/* over it */

bool wn_scene_hide_banner(wn_scene_view *view, const wn_replica *replica)
{
    if (!view->banner_shown || !wn_banner_hide(&view->put_away, replica)) {
        return false;
    }
    view->banner_shown = false;
    return true;
}

void wn_scene_banner(wn_scene_view *view, wn_app *app, const wn_replica *replica, const char *footer)
{
    if (!wn_banner_shows(&view->put_away, replica)) {
        view->banner_shown = false;
        return;
    }
    char title[128];
    const char *text = wn_banner_split(replica->banner, title, sizeof title);
    if (!view->banner_shown || strcmp(view->banner.title, title) != 0) {
        wn_sheet_open(&view->banner, title, "", 460);
    }
    snprintf(view->banner.footer, sizeof view->banner.footer, "%s", footer != NULL ? footer : "Esc hides this");
    wn_sheet_clear(&view->banner);
    /* In columns of their own, as the mode wrote it. */
    wn_sheet_add(&view->banner, WN_STYLE_MONO, WN_INK_TEXT, "%s", text);
    /* Below or above who plays, if there is room; from inside that is nowhere. */
    SDL_Rect over = view->map;
    const SDL_Rect you = wn_board_place(&view->board, replica->focus);
    if (!view->first_person && replica->focus < replica->width * replica->height &&
        wn_sheet_wanted(&view->banner, &app->ink, over) + wn_ink_units(&app->ink, 20) < over.h / 2) {
        const bool below = you.y + you.h / 2 < over.y + over.h / 2;
        over.y += below ? over.h / 2 : 0;
        over.h /= 2;
    }
    wn_sheet_draw(&view->banner, &app->ink, over, NULL, NULL);
    view->banner_shown = true;
}

void wn_scene_messages(const wn_app *app, wn_sheet *sheet)
{
    char text[WN_BANNER_BYTES + 64];
    for (size_t back = app->log.count; back-- > 0;) {
        const wn_log_entry *entry = wn_log_entry_at(&app->log, back);
        wn_log_entry_text(entry, text, sizeof text);
        wn_sheet_add(sheet, WN_STYLE_BODY, wn_scene_message_colour(entry->kind), "%s", text);
    }
    if (app->log.count == 0) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_DIM, "nothing has been said yet");
    }
}

static void add_legend(void *context, const wn_legend_row *row)
{
    wn_sheet_line *line = wn_sheet_add(context, WN_STYLE_BODY, WN_INK_TEXT, "%s", row->name);
    while (line->picture_count < WN_SHEET_PICTURES && line->picture_count < row->count) {
        line->pictures[line->picture_count] = (int)row->tiles[line->picture_count];
        line->picture_count++;
    }
}

void wn_scene_legend(const Warren__Mode *mode, wn_sheet *sheet)
{
    wn_legend(mode, add_legend, sheet);
}

void wn_scene_picture(void *context, int tile, SDL_Rect rect)
{
    const wn_scene_pictures *with = context;
    wn_board_tile(&with->view->board, &with->app->ink, with->mode, (uint32_t)tile, rect);
}
