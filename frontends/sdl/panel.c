/* panel.c: what stands beside the map. See panel.h. */
#include "panel.h"

#include <stdio.h>
#include <stdlib.h>

#include "fields.h"

/* the small map */

enum { CELL_MOST = 8 };

void wn_minimap_forget(wn_minimap *map)
{
    if (map->texture != NULL) {
        SDL_DestroyTexture(map->texture);
    }
    *map = (wn_minimap){.stale = true};
}

/* One colour for a tile: what blocks sight stands out, the rest is its background with a little of its sign. */
static uint32_t colour_of(const wn_ink *ink, const Warren__Tile *tile, bool remembered)
{
    const uint32_t paper = tile->has_background ? tile->background : WN_INK_NIGHT;
    const uint32_t sign = tile->has_foreground ? tile->foreground : paper;
    const bool stands_out = (tile->flags & (WARREN__TILE_FLAG__TILE_OPAQUE | WARREN__TILE_FLAG__TILE_BLOCKS)) != 0;
    uint32_t colour = wn_palette_mix(paper, sign, stands_out ? 190 : 56);
    if (remembered) {
        colour = wn_palette_mix(colour, WN_INK_NIGHT, 120);
    }
    return 0xff000000u | wn_palette_map(ink->palette, colour);
}

static bool make_texture(wn_minimap *map, const wn_ink *ink, const wn_replica *replica)
{
    const int width = (int)replica->width, height = (int)replica->height;
    if (map->texture == NULL || map->width != width || map->height != height) {
        wn_minimap_forget(map);
        map->texture =
            SDL_CreateTexture(ink->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, width, height);
        map->width = width;
        map->height = height;
        map->stale = true;
    }
    return map->texture != NULL;
}

static void fill(wn_minimap *map, const wn_ink *ink, const wn_replica *replica)
{
    void *pixels;
    int pitch;
    if (!map->stale || SDL_LockTexture(map->texture, NULL, &pixels, &pitch) != 0) {
        return;
    }
    uint16_t last = 0xffff;
    uint32_t colour = 0;
    for (uint32_t y = 0; y < replica->height; y++) {
        uint32_t *row = (uint32_t *)(void *)((char *)pixels + (size_t)pitch * y);
        for (uint32_t x = 0; x < replica->width; x++) {
            const uint16_t cell = replica->cells[(size_t)y * replica->width + x];
            if (cell != last && cell / 2u < replica->mode->n_tiles) {
                colour = colour_of(ink, replica->mode->tiles[cell / 2u], cell % 2u != 0);
            }
            last = cell;
            row[x] = colour;
        }
    }
    SDL_UnlockTexture(map->texture);
    map->stale = false;
}

static void draw_spot(const wn_ink *ink, const wn_replica *replica, SDL_Rect map, uint32_t cell, uint32_t colour,
                      int size)
{
    const int x = map.x + (int)((2 * (cell % replica->width) + 1) * (uint32_t)map.w / (2 * replica->width));
    const int y = map.y + (int)((2 * (cell / replica->width) + 1) * (uint32_t)map.h / (2 * replica->height));
    wn_ink_area(ink, (SDL_Rect){x - size / 2, y - size / 2, size, size}, colour, 255);
}

SDL_Rect wn_minimap_draw(wn_minimap *map, const wn_ink *ink, const wn_replica *replica, const wn_board *board,
                         SDL_Rect rect)
{
    if (!replica->ready || replica->width == 0 || !make_texture(map, ink, replica)) {
        return (SDL_Rect){0};
    }
    fill(map, ink, replica);
    SDL_Rect to = {rect.x, rect.y, rect.w, rect.w * map->height / map->width};
    if (to.h > rect.h) {
        to = (SDL_Rect){rect.x, rect.y, rect.h * map->width / map->height, rect.h};
    }
    const int most = map->width * wn_ink_units(ink, CELL_MOST);
    if (to.w > most) {
        to = (SDL_Rect){rect.x, rect.y, most, map->height * wn_ink_units(ink, CELL_MOST)};
    }
    to.x = rect.x + (rect.w - to.w) / 2;
    to.y = rect.y + rect.h - to.h;
    SDL_RenderCopy(ink->renderer, map->texture, NULL, &to);
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        const bool you = sprite->at == replica->focus;
        const Warren__Tile *tile = sprite->tile < replica->mode->n_tiles ? replica->mode->tiles[sprite->tile] : NULL;
        draw_spot(ink, replica, to, sprite->at,
                  you                                    ? 0xffffff
                  : tile != NULL && tile->has_foreground ? tile->foreground
                                                         : WN_INK_CHAT,
                  wn_ink_units(ink, you ? 4 : 3));
    }
    const wn_viewport *view = &board->view;
    if (view->placed && view->columns == replica->width) {
        const double half_x = view->width / view->zoom / 2, half_y = view->height / view->zoom / 2;
        const SDL_Rect sight = {to.x + (int)((view->x - half_x) * to.w / replica->width),
                                to.y + (int)((view->y - half_y) * to.h / replica->height),
                                (int)(2 * half_x * to.w / replica->width), (int)(2 * half_y * to.h / replica->height)};
        SDL_Rect shown;
        if (SDL_IntersectRect(&sight, &to, &shown) && (shown.w < to.w || shown.h < to.h)) {
            wn_ink_frame(ink, shown, WN_INK_DIM);
        }
    }
    wn_ink_frame(ink, (SDL_Rect){to.x - 1, to.y - 1, to.w + 2, to.h + 2}, WN_INK_EDGE);
    return to;
}

/* status */

int wn_panel_width(const wn_ink *ink, int window)
{
    const int wanted = wn_ink_units(ink, 250), share = window * 35 / 100;
    return window < wn_ink_units(ink, 640) ? 0 : share < wanted ? share : wanted;
}

static void draw_gauge(const wn_ink *ink, SDL_Rect rect, const wn_field_state *state, bool low)
{
    const int64_t most = state->maximum > 0 ? state->maximum : 1;
    const int64_t number = state->number < 0 ? 0 : state->number > most ? most : state->number;
    wn_ink_area(ink, rect, WN_INK_INPUT, 255);
    rect.w = (int)(rect.w * number / most);
    wn_ink_area(ink, rect, low ? WN_INK_ALERT : WN_INK_GOOD, 255);
    wn_ink_area(ink, (SDL_Rect){rect.x, rect.y, rect.w, rect.h / 2}, 0xffffff, 36);
}

int wn_panel_status(const wn_ink *ink, const wn_replica *replica, SDL_Rect rect)
{
    const int line = wn_ink_line(ink, WN_STYLE_BODY), gap = wn_ink_units(ink, 5), bar = wn_ink_units(ink, 7);
    int y = rect.y;
    for (uint32_t i = 0; i < replica->mode->n_status; i++) {
        char value[WN_FIELD_BYTES];
        wn_field_value(replica, i, value, sizeof value);
        if (!wn_field_is_shown(replica, i) || y + line > rect.y + rect.h) {
            continue;
        }
        const bool low = wn_field_is_low(replica, i);
        const int used =
            wn_ink_text(ink, WN_STYLE_BODY, rect.x, y, rect.w, WN_INK_DIM, wn_field_title(replica, i)) + gap;
        wn_ink_right(ink, WN_STYLE_BOLD, rect.x + used, y, rect.w - used, low ? WN_INK_ALERT : WN_INK_TEXT, value);
        y += line + gap;
        if (!wn_field_is_gauge(replica, i)) {
            continue;
        }
        draw_gauge(ink, (SDL_Rect){rect.x, y - wn_ink_units(ink, 2), rect.w, bar}, &replica->fields[i], low);
        y += bar + gap;
    }
    return y - rect.y;
}

int wn_panel_status_line(const wn_ink *ink, const wn_replica *replica, SDL_Rect rect)
{
    const int gap = wn_ink_units(ink, 6), pad = wn_ink_units(ink, 18), line = wn_ink_line(ink, WN_STYLE_BODY);
    int x = rect.x;
    for (uint32_t i = 0; i < replica->mode->n_status; i++) {
        char value[WN_FIELD_BYTES];
        wn_field_value(replica, i, value, sizeof value);
        if (value[0] == '\0' || x >= rect.x + rect.w) {
            continue;
        }
        x += wn_ink_text(ink, WN_STYLE_BODY, x, rect.y, rect.x + rect.w - x, WN_INK_DIM, wn_field_title(replica, i)) +
             gap;
        if (x < rect.x + rect.w) {
            x += wn_ink_text(ink, WN_STYLE_BOLD, x, rect.y, rect.x + rect.w - x,
                             wn_field_is_low(replica, i) ? WN_INK_ALERT : WN_INK_TEXT, value) +
                 pad;
        }
    }
    return line;
}

/* the scoreboard */

enum { APART = 3 /* rows from each other */, GAP = 10 /* columns */, NAME_LEAST = 56 };

static int widest(const wn_ink *ink, const wn_replica *replica, uint32_t column)
{
    int width = wn_ink_width(ink, WN_STYLE_SMALL, replica->mode->board[column]->title);
    for (uint32_t row = 0; row < replica->row_count; row++) {
        if (column >= replica->rows[row].column_count) {
            continue;
        }
        const int other = wn_ink_width(ink, WN_STYLE_BODY, replica->rows[row].columns[column]);
        width = other > width ? other : width;
    }
    return width;
}

/* Every column as wide as its widest text, and the widest of texts as wide as is left. When that is not enough for a
 * name to be told from others, numbers are left out, from the right: their width is 0. */
static uint32_t measure(const wn_ink *ink, const wn_replica *replica, int room, int *widths)
{
    const uint32_t count = replica->mode->n_board < WN_COLUMNS ? (uint32_t)replica->mode->n_board : WN_COLUMNS;
    const int gap = wn_ink_units(ink, GAP), least = wn_ink_units(ink, NAME_LEAST);
    uint32_t most = count;
    int left = room + gap;
    for (uint32_t i = 0; i < count; i++) {
        left -= gap + (widths[i] = widest(ink, replica, i));
        const bool text = !replica->mode->board[i]->right;
        if (text && (most == count || widths[i] > widths[most])) {
            most = i;
        }
    }
    most = most == count ? 0 : most;
    for (uint32_t i = count; i-- > 0 && left < 0 && widths[most] + left < least;) {
        if (!replica->mode->board[i]->right || i == most) {
            continue;
        }
        left += gap + widths[i];
        widths[i] = 0;
    }
    if (count > 0) {
        widths[most] += left;
    }
    return count;
}

static void draw_text(const wn_ink *ink, wn_style style, int x, int y, int width, bool right, uint32_t colour,
                      const char *text)
{
    if (right) {
        wn_ink_right(ink, style, x, y, width, colour, text);
    } else {
        wn_ink_text(ink, style, x, y, width, colour, text);
    }
}

int wn_panel_board_height(const wn_ink *ink, const wn_replica *replica)
{
    int rows = 0;
    for (uint32_t row = 0; row < replica->row_count; row++) {
        rows += replica->rows[row].column_count > 0;
    }
    return wn_ink_line(ink, WN_STYLE_BODY) * (1 + rows) + wn_ink_units(ink, APART) * rows;
}

int wn_panel_board(const wn_ink *ink, const wn_replica *replica, SDL_Rect rect)
{
    const int line = wn_ink_line(ink, WN_STYLE_BODY), gap = wn_ink_units(ink, GAP), apart = wn_ink_units(ink, APART);
    int widths[WN_COLUMNS], x = rect.x, used = line;
    const uint32_t count = measure(ink, replica, rect.w, widths);
    for (uint32_t column = 0; column < count; column++) {
        const Warren__BoardColumn *heading = replica->mode->board[column];
        if (widths[column] <= 0) {
            continue;
        }
        draw_text(ink, WN_STYLE_SMALL, x, rect.y, widths[column], heading->right, WN_INK_DIM, heading->title);
        int y = rect.y + line;
        for (uint32_t row = 0; row < replica->row_count && y + line <= rect.y + rect.h; row++) {
            if (replica->rows[row].column_count == 0) {
                continue;
            }
            if (column < replica->rows[row].column_count) {
                draw_text(ink, WN_STYLE_BODY, x, y, widths[column], heading->right, WN_INK_TEXT,
                          replica->rows[row].columns[column]);
            }
            y += line + apart;
        }
        used = y - rect.y > used ? y - rect.y : used;
        x += widths[column] + gap;
    }
    return count == 0 ? 0 : used;
}
