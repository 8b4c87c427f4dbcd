/* map.c: the map in its part of the window. See map.h. */
#include "map.h"

#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "text.h"

static const wn_look nothing = {.glyph = ' ', .foreground = WN_COLOUR_OWN, .background = WN_COLOUR_OWN};

void wn_map_free(wn_map *map)
{
    free(map->shown);
    free(map->wanted);
    free(map->labelled);
    *map = (wn_map){.cursor = WN_NO_FOCUS};
}

void wn_map_forget(wn_map *map)
{
    map->stale = true;
}

/* regions */

static const wn_region_state *region_in_sight(const wn_map *map, const wn_replica *replica)
{
    if (map->region == 0 || map->region > replica->region_count || replica->width == 0) {
        return NULL;
    }
    const wn_region_state *region = &replica->regions[map->region - 1];
    return region->width > 0 && region->height > 0 ? region : NULL;
}

wn_rect wn_map_part(const wn_map *map, const wn_replica *replica)
{
    const wn_region_state *region = region_in_sight(map, replica);
    if (region == NULL) {
        return (wn_rect){0, 0, (int)replica->height, (int)replica->width};
    }
    return (wn_rect){(int)(region->at / replica->width), (int)(region->at % replica->width), (int)region->height,
                     (int)region->width};
}

const char *wn_map_region_title(const wn_map *map, const wn_replica *replica)
{
    const wn_region_state *region = region_in_sight(map, replica);
    return region == NULL ? NULL : region->title;
}

const char *wn_map_next_region(wn_map *map, const wn_replica *replica)
{
    map->pan_y = map->pan_x = 0;
    while (map->region < replica->region_count) {
        map->region++;
        if (region_in_sight(map, replica) != NULL) {
            return wn_map_region_title(map, replica);
        }
    }
    map->region = 0;
    return NULL;
}

/* looks */

static wn_look look_of_tile(const wn_paint *paint, const Warren__Mode *mode, uint32_t number)
{
    wn_look look = nothing;
    if (number >= mode->n_tiles) {
        return look;
    }
    const Warren__Tile *tile = mode->tiles[number];
    const char *glyph = paint->unicode || tile->ascii == NULL || tile->ascii[0] == '\0' ? tile->glyph : tile->ascii;
    if (glyph == NULL || wn_utf8_next(glyph, &look.glyph) == 0 || wn_code_width(look.glyph) != 1) {
        look.glyph = tile->ascii != NULL && tile->ascii[0] != '\0' ? (unsigned char)tile->ascii[0] : ' ';
    }
    if (tile->has_foreground) {
        look.foreground = (int32_t)(tile->foreground & 0xffffff);
    }
    if (tile->has_background) {
        look.background = (int32_t)(tile->background & 0xffffff);
    }
    if ((tile->flags & WARREN__TILE_FLAG__TILE_BOLD) != 0) {
        look.flags |= WN_LOOK_BOLD;
    }
    return look;
}

/* The screen's place for a cell of the view, or NULL. */
static wn_look *place(const wn_map *map, int cell_y, int cell_x)
{
    const int y = cell_y - map->down.first, x = cell_x - map->across.first;
    if (y < 0 || x < 0 || y >= map->down.count || x >= map->across.count) {
        return NULL;
    }
    return &map->wanted[(y + map->down.offset) * map->rect.width + x + map->across.offset];
}

static void compose_cells(wn_map *map, const wn_paint *paint, const wn_replica *replica)
{
    uint16_t last = 0xffff;
    wn_look look = nothing;
    for (int y = 0; y < map->down.count; y++) {
        const uint16_t *cells = replica->cells + (size_t)(map->down.first + y) * replica->width + map->across.first;
        wn_look *row = map->wanted + (y + map->down.offset) * map->rect.width + map->across.offset;
        for (int x = 0; x < map->across.count; x++) {
            if (cells[x] != last) {
                last = cells[x];
                look = look_of_tile(paint, replica->mode, last / 2u);
                look.flags |= last % 2u != 0 ? WN_LOOK_DIM : 0;
            }
            row[x] = look;
        }
    }
}

static void put_over(wn_look *below, wn_look look)
{
    if (look.background == WN_COLOUR_OWN) {
        look.background = below->background;
    }
    *below = look;
}

static void compose_sprites(wn_map *map, const wn_paint *paint, const wn_replica *replica)
{
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        wn_look *at = place(map, (int)(sprite->at / replica->width), (int)(sprite->at % replica->width));
        if (at == NULL) {
            continue;
        }
        put_over(at, look_of_tile(paint, replica->mode, sprite->tile));
        map->labelled[at - map->wanted] = true;
    }
}

/* A name goes right of its sprite, as far as there are neither sprites nor other names nor the edge. */
static void compose_name(wn_map *map, const wn_paint *paint, const wn_sprite_state *sprite, const wn_look *at)
{
    size_t index = (size_t)(at - map->wanted) + 1;
    const size_t width = (size_t)map->rect.width;
    const size_t end = (index - 1) / width * width + width;
    const char *text = sprite->label;
    uint32_t code;
    for (size_t step; index < end && (step = wn_utf8_next(text, &code)) > 0; text += step) {
        if (wn_code_width(code) == 0) {
            continue;
        }
        if (map->labelled[index]) {
            return;
        }
        map->labelled[index] = true;
        map->wanted[index] = (wn_look){.glyph = paint->unicode && wn_code_width(code) == 1 ? code
                                                : code < 0x80                              ? code
                                                                                           : '?',
                                       .foreground = 0x87d7ff,
                                       .background = WN_COLOUR_OWN};
        index++;
    }
}

static void compose_names(wn_map *map, const wn_paint *paint, const wn_replica *replica)
{
    for (uint32_t i = 0; map->names && i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        const wn_look *at = place(map, (int)(sprite->at / replica->width), (int)(sprite->at % replica->width));
        if (at != NULL && sprite->label[0] != '\0' && sprite->at != replica->focus) {
            compose_name(map, paint, sprite, at);
        }
    }
}

/* effects */

static void flash_cell(wn_map *map, wn_look look, int y, int x, bool keep_glyph)
{
    wn_look *at = place(map, y, x);
    if (at == NULL) {
        return;
    }
    look.flags = (look.flags | WN_LOOK_REVERSE | WN_LOOK_BOLD) & ~(uint32_t)WN_LOOK_DIM;
    if (keep_glyph) {
        look.glyph = at->glyph;
    }
    put_over(at, look);
}

/* Bresenham's line, the cell it starts from left out. */
static void flash_shot(wn_map *map, wn_look look, int y, int x, int to_y, int to_x)
{
    const int width = abs(to_x - x), height = abs(to_y - y);
    const int step_x = x < to_x ? 1 : -1, step_y = y < to_y ? 1 : -1;
    int error = width - height;
    while (x != to_x || y != to_y) {
        const int twice = 2 * error;
        if (twice > -height) {
            error -= height;
            x += step_x;
        }
        if (twice < width) {
            error += width;
            y += step_y;
        }
        flash_cell(map, look, y, x, false);
    }
}

static void compose_effect(wn_map *map, const wn_paint *paint, const wn_replica *replica, const wn_map_effect *effect)
{
    wn_look look = look_of_tile(paint, replica->mode, effect->tile);
    const int width = (int)replica->width;
    const int y = (int)effect->at / width, x = (int)effect->at % width;
    const int radius = effect->radius < WN_SIDE ? (int)effect->radius : WN_SIDE;
    if (effect->kind == WARREN__EFFECT_KIND__EFFECT_FLASH) {
        flash_cell(map, look, y, x, true);
    }
    if (effect->kind == WARREN__EFFECT_KIND__EFFECT_SHOT) {
        flash_shot(map, look, y, x, (int)effect->to / width, (int)effect->to % width);
    }
    if (effect->kind != WARREN__EFFECT_KIND__EFFECT_EXPLOSION) {
        return;
    }
    look.glyph = '*';
    for (int row = y - radius; row <= y + radius; row++) {
        for (int column = x - radius; column <= x + radius; column++) {
            flash_cell(map, look, row, column, false);
        }
    }
}

void wn_map_effects(wn_map *map, const Warren__Update *update, int64_t now)
{
    if (update->body_case != WARREN__UPDATE__BODY_DELTA) {
        return;
    }
    for (size_t i = 0; i < update->delta->n_effects && map->effect_count < WN_MAP_EFFECTS; i++) {
        const Warren__Effect *effect = update->delta->effects[i];
        if (effect->kind == WARREN__EFFECT_KIND__EFFECT_SOUND || !effect->has_at) {
            continue;
        }
        map->effects[map->effect_count++] = (wn_map_effect){.kind = effect->kind,
                                                            .at = effect->at,
                                                            .to = effect->to,
                                                            .radius = effect->radius,
                                                            .tile = effect->tile,
                                                            .until = now + WN_EFFECT_MS};
    }
}

int64_t wn_map_tick(wn_map *map, int64_t now)
{
    size_t kept = 0;
    int64_t next = 0;
    for (size_t i = 0; i < map->effect_count; i++) {
        if (map->effects[i].until <= now) {
            continue;
        }
        map->effects[kept] = map->effects[i];
        next = next == 0 || map->effects[kept].until < next ? map->effects[kept].until : next;
        kept++;
    }
    map->effect_count = kept;
    return next;
}

/* drawing */

static bool make_room(wn_map *map, wn_rect rect)
{
    const size_t size = (size_t)rect.height * (size_t)rect.width;
    map->stale = map->stale || memcmp(&rect, &map->rect, sizeof rect) != 0;
    map->rect = rect;
    if (size <= map->size) {
        return true;
    }
    wn_look *shown = realloc(map->shown, size * sizeof *shown);
    map->shown = shown == NULL ? map->shown : shown;
    wn_look *wanted = realloc(map->wanted, size * sizeof *wanted);
    map->wanted = wanted == NULL ? map->wanted : wanted;
    bool *labelled = realloc(map->labelled, size * sizeof *labelled);
    map->labelled = labelled == NULL ? map->labelled : labelled;
    if (shown == NULL || wanted == NULL || labelled == NULL) {
        return false;
    }
    map->size = size;
    map->stale = true;
    return true;
}

static int within(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static bool is_in(wn_rect part, uint32_t cell, uint32_t width)
{
    const int y = (int)(cell / width) - part.y, x = (int)(cell % width) - part.x;
    return y >= 0 && x >= 0 && y < part.height && x < part.width;
}

/* What the window is to follow: a cell of the part that can be in sight, always. */
static uint32_t followed(const wn_map *map, const wn_replica *replica)
{
    const wn_rect part = wn_map_part(map, replica);
    const uint32_t focus = map->cursor != WN_NO_FOCUS ? map->cursor : replica->focus;
    if (focus < replica->width * replica->height && is_in(part, focus, replica->width)) {
        return focus;
    }
    return (uint32_t)(part.y + part.height / 2) * replica->width + (uint32_t)(part.x + part.width / 2);
}

/* Of the cells from `start` on. */
static wn_span follow_axis(wn_span last, int window, int start, int cells, int focus, int pan)
{
    last.first -= start;
    wn_span span = pan != 0 ? wn_span_follow(window, cells, focus - start + pan)
                            : wn_span_scroll(last, window, cells, focus - start);
    span.first += start;
    return span;
}

static int panned(int pan, wn_span span, int start, int cells, int focus, int by)
{
    if (by == 0 || span.count >= cells) {
        return pan;
    }
    return within(span.first + by, start, start + cells - span.count) + span.count / 2 - focus;
}

void wn_map_pan_towards(wn_map *map, const wn_replica *replica, uint32_t direction)
{
    enum { ROWS = 4, COLUMNS = 8 }; /* as high as wide on most screens */
    const wn_step step = wn_direction_step(direction);
    if (direction == WN_NOWHERE) {
        map->pan_y = map->pan_x = 0;
        return;
    }
    if (!replica->ready || replica->width == 0 || replica->height == 0) {
        return;
    }
    const wn_rect part = wn_map_part(map, replica);
    const uint32_t focus = followed(map, replica);
    map->pan_y = panned(map->pan_y, map->down, part.y, part.height, (int)(focus / replica->width), step.down * ROWS);
    map->pan_x =
        panned(map->pan_x, map->across, part.x, part.width, (int)(focus % replica->width), step.right * COLUMNS);
}

static void follow(wn_map *map, const wn_replica *replica)
{
    const uint32_t focus = followed(map, replica);
    const int y = (int)(focus / replica->width), x = (int)(focus % replica->width);
    const wn_rect part = wn_map_part(map, replica);
    if (memcmp(&part, &map->part, sizeof part) != 0) {
        map->down = map->across = (wn_span){0};
    }
    map->part = part;
    map->pan_y = within(map->pan_y, part.y - y, part.y + part.height - 1 - y);
    map->pan_x = within(map->pan_x, part.x - x, part.x + part.width - 1 - x);
    map->down = follow_axis(map->down, map->rect.height, part.y, part.height, y, map->pan_y);
    map->across = follow_axis(map->across, map->rect.width, part.x, part.width, x, map->pan_x);
}

static size_t put_changed(wn_map *map, const wn_paint *paint)
{
    const size_t size = (size_t)map->rect.height * (size_t)map->rect.width;
    size_t touched = 0;
    for (size_t i = 0; i < size; i++) {
        if (!map->stale && memcmp(&map->shown[i], &map->wanted[i], sizeof *map->shown) == 0) {
            continue;
        }
        const int y = map->rect.y + (int)i / map->rect.width, x = map->rect.x + (int)i % map->rect.width;
        wn_paint_look(paint, stdscr, y, x, &map->wanted[i]);
        touched++;
    }
    wn_look *shown = map->shown;
    map->shown = map->wanted;
    map->wanted = shown;
    map->stale = false;
    return touched;
}

size_t wn_map_draw(wn_map *map, const wn_paint *paint, const wn_replica *replica, wn_rect rect)
{
    if (rect.height <= 0 || rect.width <= 0 || !make_room(map, rect)) {
        return 0;
    }
    const size_t size = (size_t)rect.height * (size_t)rect.width;
    for (size_t i = 0; i < size; i++) {
        map->wanted[i] = nothing;
    }
    memset(map->labelled, 0, size * sizeof *map->labelled);
    if (replica != NULL && replica->ready && replica->width > 0 && replica->height > 0) {
        follow(map, replica);
        compose_cells(map, paint, replica);
        compose_sprites(map, paint, replica);
        compose_names(map, paint, replica);
        for (size_t i = 0; i < map->effect_count; i++) {
            compose_effect(map, paint, replica, &map->effects[i]);
        }
        wn_look *cursor = map->cursor == WN_NO_FOCUS
                              ? NULL
                              : place(map, (int)(map->cursor / replica->width), (int)(map->cursor % replica->width));
        if (cursor != NULL) {
            cursor->flags = (cursor->flags | WN_LOOK_REVERSE) & ~(uint32_t)WN_LOOK_DIM;
        }
    }
    return put_changed(map, paint);
}

wn_rect wn_map_place_of(const wn_map *map, const wn_replica *replica, uint32_t cell)
{
    if (replica->width == 0 || cell >= replica->width * replica->height) {
        return (wn_rect){0};
    }
    const int row = (int)(cell / replica->width) - map->down.first;
    const int column = (int)(cell % replica->width) - map->across.first;
    if (row < 0 || column < 0 || row >= map->down.count || column >= map->across.count) {
        return (wn_rect){0};
    }
    return (wn_rect){map->rect.y + map->down.offset + row, map->rect.x + map->across.offset + column, 1, 1};
}

uint32_t wn_map_cell_at(const wn_map *map, const wn_replica *replica, int y, int x)
{
    const int row = y - map->rect.y - map->down.offset, column = x - map->rect.x - map->across.offset;
    if (y < map->rect.y || y >= map->rect.y + map->rect.height || x < map->rect.x ||
        x >= map->rect.x + map->rect.width || row < 0 || column < 0 || row >= map->down.count ||
        column >= map->across.count) {
        return WN_NO_FOCUS;
    }
    return (uint32_t)(map->down.first + row) * replica->width + (uint32_t)(map->across.first + column);
}
