/* legend.c: what the signs on a map mean. See legend.h. */
#include "legend.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "key.h"
#include "wire.h"

static const char *text_of(const char *text)
{
    return text == NULL ? "" : text;
}

static bool is_listed(const Warren__Tile *tile)
{
    const char *glyph = text_of(tile->glyph);
    return glyph[0] != '\0' && strcmp(glyph, " ") != 0 && text_of(tile->name)[0] != '\0' &&
           (tile->flags & WARREN__TILE_FLAG__TILE_UNLISTED) == 0;
}

static bool is_direction(const char *word)
{
    for (uint32_t direction = 0; direction < WN_DIRECTIONS; direction++) {
        if (strcmp(word, wn_direction_name(direction)) == 0) {
            return true;
        }
    }
    return false;
}

/* How much of its name says what it is: all but a sign of its own, or a direction, at the end. */
static size_t name_length(const Warren__Tile *tile)
{
    const char *space = strrchr(tile->name, ' ');
    if (space == NULL || space <= tile->name + 1) {
        return strlen(tile->name);
    }
    if (strcmp(space + 1, text_of(tile->glyph)) == 0 || strcmp(space + 1, text_of(tile->ascii)) == 0) {
        return (size_t)(space - tile->name);
    }
    return space[-1] == ',' && is_direction(space + 1) ? (size_t)(space - 1 - tile->name) : strlen(tile->name);
}

static bool share_a_row(const Warren__Tile *one, const Warren__Tile *other)
{
    const size_t length = name_length(one);
    return length == name_length(other) && memcmp(one->name, other->name, length) == 0;
}

static bool look_alike(const Warren__Tile *one, const Warren__Tile *other)
{
    return strcmp(text_of(one->glyph), text_of(other->glyph)) == 0 &&
           strcmp(text_of(one->ascii), text_of(other->ascii)) == 0 && one->foreground == other->foreground &&
           one->background == other->background;
}

static void add_tile(wn_legend_row *row, const Warren__Mode *mode, uint32_t tile)
{
    for (size_t i = 0; i < row->count && i < WN_LEGEND_TILES; i++) {
        if (look_alike(mode->tiles[row->tiles[i]], mode->tiles[tile])) {
            return;
        }
    }
    if (row->count < WN_LEGEND_TILES) {
        row->tiles[row->count] = tile;
    }
    row->count++;
}

static bool has_been(const Warren__Mode *mode, size_t tile)
{
    for (size_t i = 0; i < tile; i++) {
        if (is_listed(mode->tiles[i]) && share_a_row(mode->tiles[i], mode->tiles[tile])) {
            return true;
        }
    }
    return false;
}

void wn_legend(const Warren__Mode *mode, void (*add)(void *context, const wn_legend_row *row), void *context)
{
    for (size_t i = 0; i < mode->n_tiles; i++) {
        const Warren__Tile *first = mode->tiles[i];
        wn_legend_row row = {.count = 0};
        if (!is_listed(first) || has_been(mode, i)) {
            continue;
        }
        snprintf(row.name, sizeof row.name, "%.*s", (int)name_length(first), first->name);
        for (size_t k = i; k < mode->n_tiles; k++) {
            if (is_listed(mode->tiles[k]) && share_a_row(first, mode->tiles[k])) {
                add_tile(&row, mode, (uint32_t)k);
            }
        }
        add(context, &row);
    }
}
