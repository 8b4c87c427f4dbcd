/* view.c: see view.h. */
#include "view.h"

#include <stdlib.h>

#include "hosted.h"

wn_picture *wn_picture_new(uint32_t field_count, uint32_t tile_count)
{
    wn_picture *picture = wn_must_allocate(sizeof *picture);
    picture->fields = wn_must_allocate(field_count * sizeof *picture->fields);
    picture->field_count = field_count;
    picture->tile_count = tile_count;
    wn_picture_empty(picture, 0);
    return picture;
}

void wn_picture_free(wn_picture *picture)
{
    if (!picture) {
        return;
    }
    for (uint32_t i = 0; i < picture->field_count; i++) {
        wn_kept_free(&picture->fields[i].text);
    }
    for (uint32_t i = 0; i < picture->row_count; i++) {
        for (uint32_t column = 0; column < WN_MAX_COLUMNS; column++) {
            wn_kept_free(&picture->rows[i].columns[column]);
        }
    }
    wn_cells_free(&picture->cells);
    wn_sprites_free(&picture->sprites);
    for (uint32_t i = 0; i < picture->region_count; i++) {
        wn_kept_free(&picture->regions[i].title);
    }
    wn_kept_free(&picture->banner_text);
    free(picture->regions);
    free(picture->fields);
    free(picture->rows);
    free(picture);
}

void wn_picture_empty(wn_picture *picture, uint32_t cells)
{
    wn_cells_resize(&picture->cells, cells);
    wn_sprites_clear(&picture->sprites);
    for (uint32_t i = 0; i < picture->field_count; i++) {
        picture->fields[i] = (wn_field){.text = picture->fields[i].text};
    }
    for (uint32_t i = 0; i < picture->row_count; i++) {
        picture->rows[i].presence = (wn_presence){0};
    }
    for (uint32_t i = 0; i < picture->region_count; i++) {
        picture->regions[i].presence = (wn_presence){0};
    }
    picture->banner = (wn_presence){0};
    picture->regions_dirty = 0;
    picture->facing = WN_HERE;
    picture->sent_facing = WN_HERE;
    picture->fields_dirty = 0;
    picture->rows_dirty[0] = 0;
    picture->rows_dirty[1] = 0;
    picture->focus = UINT32_MAX;
    picture->sent_focus = UINT32_MAX;
    picture->keyframe_due = true;
}

/* drawing */

void wn_picture_number(wn_picture *picture, uint32_t at, int64_t number, int64_t maximum)
{
    wn_field *field = &picture->fields[at];
    if (!field->set || field->number != number || field->maximum != maximum) {
        field->set = true;
        field->number = number;
        field->maximum = maximum;
        picture->fields_dirty |= 1u << at;
    }
}

void wn_picture_text(wn_picture *picture, uint32_t at, const char *text)
{
    wn_field *field = &picture->fields[at];
    const bool changed = wn_kept_set(&field->text, text, WN_MAX_TEXT, false);
    if (changed || !field->set) {
        field->set = true;
        field->text_changed = true;
        picture->fields_dirty |= 1u << at;
    }
}

static void grow_rows(wn_picture *picture, uint32_t count)
{
    picture->rows = wn_must_resize(picture->rows, count * sizeof *picture->rows);
    while (picture->row_count < count) {
        picture->rows[picture->row_count++] = (wn_row){0};
    }
}

void wn_picture_row(wn_picture *picture, uint32_t at, const char *const *columns, uint32_t count)
{
    if (at >= picture->row_count) {
        if (!columns) {
            return;
        }
        grow_rows(picture, at + 1);
    }
    wn_row *row = &picture->rows[at];
    bool changed = row->presence.shown != (columns != NULL);
    row->presence.shown = columns != NULL;
    for (uint32_t i = 0; columns && i < count; i++) {
        if (wn_kept_set(&row->columns[i], columns[i], WN_MAX_TEXT, false)) {
            row->presence.changed = true;
            changed = true;
        }
    }
    if (changed) {
        picture->rows_dirty[at / 64] |= UINT64_C(1) << at % 64;
    }
}

void wn_picture_banner(wn_picture *picture, const char *text)
{
    picture->banner.shown = text && text[0];
    if (picture->banner.shown && wn_kept_set(&picture->banner_text, text, WN_MAX_BANNER, true)) {
        picture->banner.changed = true;
    }
}

static void grow_regions(wn_picture *picture, uint32_t count)
{
    picture->regions = wn_must_resize(picture->regions, count * sizeof *picture->regions);
    while (picture->region_count < count) {
        picture->regions[picture->region_count++] = (wn_named){0};
    }
}

void wn_picture_region(wn_picture *picture, uint32_t number, uint32_t at, const wn_region *area)
{
    if (number >= picture->region_count) {
        if (!area) {
            return;
        }
        grow_regions(picture, number + 1);
    }
    wn_named *region = &picture->regions[number];
    bool changed = region->presence.shown != (area != NULL);
    region->presence.shown = area != NULL;
    if (area && (wn_kept_set(&region->title, area->title, WN_MAX_TEXT, false) || region->at != at ||
                 region->width != area->width || region->height != area->height)) {
        region->at = at;
        region->width = area->width;
        region->height = area->height;
        region->presence.changed = true;
        changed = true;
    }
    if (changed) {
        picture->regions_dirty |= UINT64_C(1) << number;
    }
}

bool wn_presence_flush(wn_presence *presence)
{
    const bool due = presence->shown != presence->sent_shown || (presence->shown && presence->changed);
    presence->sent_shown = presence->shown;
    presence->changed = false;
    return due;
}

/* views */

static void call_draw(wn_view *view, wn_draw what)
{
    wn_hosted *world = view->world;
    const wn_phase before = world->phase;
    world->phase = WN_PHASE_DRAW;
    view->drawing = true;
    world->plugin->mode->draw(&world->handle, view, view->seat, what);
    view->drawing = false;
    world->phase = before;
    if (view->picture) {
        wn_sprites_settle(&view->picture->sprites);
    }
}

/* The focus is where the seat was placed, while that is in the view; a place outside leaves it where it was. */
static void set_focus(wn_view *view)
{
    if (view->x >= 0 && (uint32_t)view->x < view->width && (uint32_t)view->y < view->height) {
        view->picture->focus = (uint32_t)view->y * view->width + (uint32_t)view->x;
    }
    view->picture->facing = view->facing;
}

void wn_view_draw(wn_view *view, wn_draw what)
{
    wn_picture *picture = view->picture;
    call_draw(view, what);
    if (what == WN_DRAW_CHANGES && picture->keyframe_due) {
        /* It changed its size: what it knew of the old picture is void, and part of it may be drawn into the new. */
        wn_picture_empty(picture, view->width * view->height);
        call_draw(view, WN_DRAW_ALL);
    }
    if (picture->cells.count == 0) {
        wn_world_complain(view->world, WN_RULE_NO_SIZE, "draw() did not say the view's size: it is 1 by 1 cells");
        view->width = 1;
        view->height = 1;
        wn_picture_empty(picture, 1);
    }
    set_focus(view);
    picture->drawn = view->world->turn;
}

uint32_t wn_view_measure(wn_hosted *world, int32_t seat)
{
    wn_view probe = {.world = world, .seat = seat, .probe = true};
    call_draw(&probe, WN_DRAW_ALL);
    return probe.width * probe.height;
}

void wn_view_watch(wn_view *view, bool on)
{
    wn_picture_free(view->picture);
    const wn_mode_descriptor *mode = view->world->plugin->mode;
    view->picture = on ? wn_picture_new(mode->status_count, mode->tile_count) : NULL;
    view->width = 0;
    view->height = 0;
}

void wn_view_vacate(wn_view *view)
{
    wn_messages_clear(&view->messages);
    view->x = -1;
    view->y = -1;
    view->facing = WN_HERE;
    view->entry = 0;
    view->executed = 0;
    view->executed_sent = 0;
    view->width = 0;
    view->height = 0;
    if (view->picture) {
        wn_picture_empty(view->picture, 0);
    }
}

void wn_view_free(wn_view *view)
{
    wn_picture_free(view->picture);
    wn_messages_clear(&view->messages);
}
