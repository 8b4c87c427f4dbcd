/* atlas.c: a mode's tiles as one texture. See atlas.h. */
#include "atlas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

/* Around each picture its edge is repeated, so that scaling does not mix it with its neighbours. */
enum { SLOT = WN_ART_SIDE + 2, ACROSS = 64, WAYS = 8, NONE = 0, MOST_PICTURES = 8 };

typedef struct pictures {
    uint32_t first[WN_ATLAS_USES]; /* a slot; NONE: none */
    uint32_t count[WN_ATLAS_USES]; /* slots from there on */
    uint32_t facing[WAYS];         /* slots of sprites that face there */
    bool faces_itself;             /* its name says where it faces */
} pictures;

struct wn_atlas {
    pictures *tiles;
    uint32_t tile_count;
    uint32_t (*slots)[WN_ART_PIXELS]; /* the first is empty */
    uint32_t slot_count, slot_capacity;
    SDL_Texture *textures[2]; /* crisp and smooth */
};

/* what is made of what */

typedef struct making {
    wn_atlas *atlas;
    const Warren__Mode *mode;
    const wn_art *own;
    wn_palette palette;
    const wn_art_tile *ground; /* what shows under tiles with holes; NULL: only their background */
    const Warren__Tile *ground_tile;
} making;

/* The number-th picture of that name and kind, or NULL. The mode's own win as a whole. */
static const wn_art_tile *find_in(const wn_art_tile *tiles, size_t count, const char *name, wn_art_kind kind,
                                  uint32_t number)
{
    for (size_t i = 0; i < count; i++) {
        if (tiles[i].kind == kind && strcmp(tiles[i].name, name) == 0 && number-- == 0) {
            return &tiles[i];
        }
    }
    return NULL;
}

static const wn_art_tile *find(const making *with, const char *name, wn_art_kind kind, uint32_t number)
{
    if (with->own != NULL && find_in(with->own->tiles, with->own->count, name, WN_ART_TILE, 0) != NULL) {
        return find_in(with->own->tiles, with->own->count, name, kind, number);
    }
    return find_in(wn_art_built_in, wn_art_built_in_count, name, kind, number);
}

/* Steps 0 to 4 of a colour, from dark to light; 3 is the colour itself. What a ground is made of differs less than what
 * stands out from it. */
static uint32_t step_of(uint32_t colour, uint32_t kind, uint32_t step)
{
    static const uint32_t ink[] = {186, 128, 64, 0}, paper[] = {120, 70, 34, 0};
    if (step > 3) {
        return wn_palette_mix(colour, 0xffffff, kind == WN_ART_INK ? 100 : 16);
    }
    return wn_palette_mix(colour, 0x101018, kind == WN_ART_INK ? ink[step] : paper[step]);
}

static uint32_t pixel_of(const making *with, const Warren__Tile *tile, uint32_t pixel)
{
    const uint32_t kind = pixel & 0xff000000u, step = pixel & 0xff;
    if (kind == 0) {
        return 0;
    }
    if (kind == WN_ART_PAPER && !tile->has_background) {
        return 0;
    }
    uint32_t colour = pixel & 0xffffff;
    if (kind == WN_ART_INK) {
        colour = step_of(tile->has_foreground ? tile->foreground : 0xb0b0b8, kind, step);
    } else if (kind == WN_ART_PAPER) {
        colour = step_of(tile->background, kind, step);
    }
    return 0xff000000u | wn_palette_map(with->palette, colour & 0xffffff);
}

/* A new slot, or NONE: no memory. */
static uint32_t new_slot(wn_atlas *atlas)
{
    if (atlas->slot_count == atlas->slot_capacity) {
        const uint32_t capacity = atlas->slot_capacity == 0 ? 128 : atlas->slot_capacity * 2;
        void *slots = realloc(atlas->slots, capacity * sizeof *atlas->slots);
        if (slots == NULL) {
            return NONE;
        }
        atlas->slots = slots;
        atlas->slot_capacity = capacity;
    }
    memset(atlas->slots[atlas->slot_count], 0, sizeof *atlas->slots);
    return atlas->slot_count++;
}

static void paint(const making *with, uint32_t slot, const Warren__Tile *tile, const wn_art_tile *art)
{
    for (int i = 0; i < WN_ART_PIXELS; i++) {
        const uint32_t pixel = pixel_of(with, tile, art->pixels[i]);
        if (pixel != 0) {
            with->atlas->slots[slot][i] = pixel;
        }
    }
}

static void paint_ground(const making *with, uint32_t slot, const Warren__Tile *tile)
{
    const uint32_t colour = tile->has_background ? tile->background : 0x000000;
    for (int i = 0; i < WN_ART_PIXELS; i++) {
        with->atlas->slots[slot][i] = 0xff000000u | wn_palette_map(with->palette, colour & 0xffffff);
    }
    if (with->ground != NULL) {
        paint(with, slot, with->ground_tile, with->ground);
    }
}

/* A wall's shadow falls on the upper part of what lies south of it. */
static void paint_shadow(wn_atlas *atlas, uint32_t slot)
{
    static const uint32_t depth[] = {150, 130, 104, 72, 36};
    for (uint32_t i = 0; i < sizeof depth / sizeof *depth * WN_ART_SIDE; i++) {
        uint32_t *pixel = &atlas->slots[slot][i];
        *pixel = (*pixel & 0xff000000u) | wn_palette_mix(*pixel & 0xffffff, 0x08080c, depth[i / WN_ART_SIDE]);
    }
}

static void add_use(const making *with, uint32_t number, wn_atlas_use use, const wn_art_tile *art)
{
    const Warren__Tile *tile = with->mode->tiles[number];
    pictures *of = &with->atlas->tiles[number];
    const uint32_t slot = new_slot(with->atlas);
    if (slot == NONE) {
        return;
    }
    if (of->count[use]++ == 0) {
        of->first[use] = slot;
    }
    if (use != WN_ATLAS_SPRITE) {
        paint_ground(with, slot, tile);
    }
    paint(with, slot, tile, art);
    if (use == WN_ATLAS_SHADED) {
        paint_shadow(with->atlas, slot);
    }
}

/* All pictures of one use stand beside each other. */
static void add_uses(const making *with, uint32_t number, wn_atlas_use use)
{
    const char *name = with->mode->tiles[number]->name;
    const wn_art_tile *art = find(with, name, use == WN_ATLAS_FACE ? WN_ART_FACE : WN_ART_TILE, 0);
    if (art != NULL) {
        add_use(with, number, use, art);
    }
    if (use == WN_ATLAS_SPRITE || use == WN_ATLAS_FACE) {
        return;
    }
    for (uint32_t i = 0; i < MOST_PICTURES && (art = find(with, name, WN_ART_MORE, i)) != NULL; i++) {
        add_use(with, number, use, art);
    }
}

static void add_facings(const making *with, uint32_t number)
{
    const Warren__Tile *tile = with->mode->tiles[number];
    pictures *of = &with->atlas->tiles[number];
    const char *comma = strstr(tile->name, ", ");
    for (uint32_t way = 0; way < WAYS; way++) {
        char name[WN_ART_NAME_BYTES + 1];
        snprintf(name, sizeof name, "%.48s, %s", tile->name, wn_direction_name(way));
        const wn_art_tile *art = find(with, name, WN_ART_TILE, 0);
        of->faces_itself = of->faces_itself || (comma != NULL && strcmp(comma + 2, wn_direction_name(way)) == 0);
        of->facing[way] = art == NULL ? NONE : new_slot(with->atlas);
        if (of->facing[way] != NONE) {
            paint(with, of->facing[way], tile, art);
        }
    }
}

/* The ground is the first tile that lies flat, can be walked on, and was drawn without holes. */
static void choose_ground(making *with)
{
    for (size_t i = 0; i < with->mode->n_tiles; i++) {
        const Warren__Tile *tile = with->mode->tiles[i];
        const wn_art_tile *art = tile->flags == 0 && tile->height == 0 ? find(with, tile->name, WN_ART_TILE, 0) : NULL;
        if (art == NULL) {
            continue;
        }
        int holes = 0;
        for (int k = 0; k < WN_ART_PIXELS; k++) {
            holes += art->pixels[k] == 0;
        }
        if (holes == 0) {
            with->ground = art;
            with->ground_tile = tile;
            return;
        }
    }
}

wn_atlas *wn_atlas_new(const Warren__Mode *mode, const wn_art *own, wn_palette palette)
{
    wn_atlas *atlas = calloc(1, sizeof *atlas);
    if (atlas == NULL) {
        return NULL;
    }
    atlas->tiles = calloc(mode->n_tiles + 1, sizeof *atlas->tiles);
    atlas->tile_count = atlas->tiles == NULL ? 0 : (uint32_t)mode->n_tiles;
    new_slot(atlas);
    making with = {.atlas = atlas, .mode = mode, .own = own, .palette = palette};
    choose_ground(&with);
    for (uint32_t i = 0; i < atlas->tile_count; i++) {
        for (int use = 0; use < WN_ATLAS_USES; use++) {
            add_uses(&with, i, (wn_atlas_use)use);
        }
        add_facings(&with, i);
    }
    return atlas;
}

void wn_atlas_forget(wn_atlas *atlas)
{
    for (int i = 0; i < 2; i++) {
        if (atlas->textures[i] != NULL) {
            SDL_DestroyTexture(atlas->textures[i]);
        }
        atlas->textures[i] = NULL;
    }
}

void wn_atlas_free(wn_atlas *atlas)
{
    if (atlas == NULL) {
        return;
    }
    wn_atlas_forget(atlas);
    free(atlas->tiles);
    free(atlas->slots);
    free(atlas);
}

/* the texture */

static void copy_slot(const wn_atlas *atlas, uint32_t slot, uint32_t *pixels, uint32_t width)
{
    const uint32_t left = slot % ACROSS * SLOT, top = slot / ACROSS * SLOT;
    for (uint32_t y = 0; y < SLOT; y++) {
        for (uint32_t x = 0; x < SLOT; x++) {
            const uint32_t from_y = y == 0 ? 0 : y > WN_ART_SIDE ? WN_ART_SIDE - 1 : y - 1;
            const uint32_t from_x = x == 0 ? 0 : x > WN_ART_SIDE ? WN_ART_SIDE - 1 : x - 1;
            pixels[(top + y) * width + left + x] = atlas->slots[slot][from_y * WN_ART_SIDE + from_x];
        }
    }
}

/* How it is scaled is said by the hint when it is made, not by SDL_SetTextureScaleMode(): after that, SDL 2.26 may draw
 * with it what was to be drawn with another texture. */
SDL_Texture *wn_atlas_texture(wn_atlas *atlas, SDL_Renderer *renderer, bool smooth)
{
    SDL_Texture **texture = &atlas->textures[smooth];
    if (*texture != NULL || atlas->slot_count < 2) {
        return *texture;
    }
    const uint32_t width = ACROSS * SLOT, height = (atlas->slot_count + ACROSS - 1) / ACROSS * SLOT;
    uint32_t *pixels = calloc((size_t)width * height, sizeof *pixels);
    if (pixels == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < atlas->slot_count; i++) {
        copy_slot(atlas, i, pixels, width);
    }
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, smooth ? "linear" : "nearest");
    *texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, (int)width, (int)height);
    if (*texture != NULL) {
        SDL_UpdateTexture(*texture, NULL, pixels, (int)(width * sizeof *pixels));
        SDL_SetTextureBlendMode(*texture, SDL_BLENDMODE_BLEND);
    }
    free(pixels);
    return *texture;
}

static SDL_Rect rect_of(uint32_t slot)
{
    return (SDL_Rect){(int)(slot % ACROSS * SLOT) + 1, (int)(slot / ACROSS * SLOT) + 1, WN_ART_SIDE, WN_ART_SIDE};
}

bool wn_atlas_find(const wn_atlas *atlas, uint32_t tile, wn_atlas_use use, uint32_t place, SDL_Rect *from)
{
    if (tile >= atlas->tile_count || atlas->tiles[tile].count[use] == 0) {
        return false;
    }
    const uint32_t count = atlas->tiles[tile].count[use];
    /* The first picture is the usual one: it is shown for half of the places. */
    const uint32_t chance = (place * 2654435761u) >> 16;
    const uint32_t which = count == 1 || chance % 2 == 0 ? 0 : 1 + chance / 2 % (count - 1);
    *from = rect_of(atlas->tiles[tile].first[use] + which);
    return true;
}

bool wn_atlas_facing(const wn_atlas *atlas, uint32_t tile, uint32_t facing, SDL_Rect *from, bool *own)
{
    if (tile < atlas->tile_count && facing < WAYS && atlas->tiles[tile].facing[facing] != NONE) {
        *from = rect_of(atlas->tiles[tile].facing[facing]);
        *own = true;
        return true;
    }
    *own = tile < atlas->tile_count && atlas->tiles[tile].faces_itself;
    return wn_atlas_find(atlas, tile, WN_ATLAS_SPRITE, 0, from);
}

const uint32_t *wn_atlas_pixels(const wn_atlas *atlas, uint32_t tile, wn_atlas_use use)
{
    if (tile >= atlas->tile_count || atlas->tiles[tile].count[use] == 0) {
        return NULL;
    }
    return atlas->slots[atlas->tiles[tile].first[use]];
}
