/* What a mode's tiles become: drawn ones in the mode's colours, with ground under them; undrawn ones are left to their
 * glyphs; a mode's own pictures win. */
#include <string.h>

#include "atlas.h"
#include "suite.h"

static Warren__Tile tiles[4];
static Warren__Tile *pointers[4];

static const Warren__Mode *legend(const char *a, const char *b, const char *c, const char *d)
{
    static Warren__Mode mode;
    const char *const names[] = {a, b, c, d};
    warren__mode__init(&mode);
    for (size_t i = 0; i < 4; i++) {
        warren__tile__init(&tiles[i]);
        tiles[i].name = (char *)names[i];
        tiles[i].has_foreground = tiles[i].has_background = true;
        tiles[i].foreground = 0x808080;
        tiles[i].background = 0x203040;
        pointers[i] = &tiles[i];
    }
    mode.name = (char *)"test";
    mode.tiles = pointers;
    mode.n_tiles = 4;
    return &mode;
}

START_TEST(what_nobody_drew_is_left_to_its_glyph)
{
    wn_atlas *atlas = wn_atlas_new(legend("floor", "wall", "no such thing", "player"), NULL, WN_PALETTE_STANDARD);
    SDL_Rect from;
    ck_assert(wn_atlas_find(atlas, 0, WN_ATLAS_CELL, 0, &from));
    ck_assert(wn_atlas_find(atlas, 1, WN_ATLAS_FACE, 0, &from));
    ck_assert(!wn_atlas_find(atlas, 0, WN_ATLAS_FACE, 0, &from));
    ck_assert(!wn_atlas_find(atlas, 2, WN_ATLAS_CELL, 0, &from));
    ck_assert_ptr_null(wn_atlas_pixels(atlas, 2, WN_ATLAS_SPRITE));
    ck_assert(!wn_atlas_find(atlas, 4, WN_ATLAS_CELL, 0, &from)); /* no such tile */
    wn_atlas_free(atlas);
}
END_TEST

START_TEST(cells_are_filled_and_sprites_have_holes)
{
    wn_atlas *atlas = wn_atlas_new(legend("floor", "wall", "bunny", "player"), NULL, WN_PALETTE_STANDARD);
    const uint32_t *cell = wn_atlas_pixels(atlas, 2, WN_ATLAS_CELL),
                   *sprite = wn_atlas_pixels(atlas, 2, WN_ATLAS_SPRITE);
    const uint32_t *ground = wn_atlas_pixels(atlas, 0, WN_ATLAS_CELL);
    int holes = 0;
    for (int i = 0; i < WN_ART_PIXELS; i++) {
        ck_assert_uint_eq(cell[i] >> 24, 0xff);
        holes += sprite[i] == 0;
        if (sprite[i] == 0) {
            ck_assert_uint_eq(cell[i], ground[i]);
        }
    }
    ck_assert_int_gt(holes, 20);
    wn_atlas_free(atlas);
}
END_TEST

START_TEST(the_colours_are_the_modes_and_the_palettes)
{
    const Warren__Mode *mode = legend("floor", "wall", "bunny", "player");
    wn_atlas *plain = wn_atlas_new(mode, NULL, WN_PALETTE_STANDARD),
             *contrast = wn_atlas_new(mode, NULL, WN_PALETTE_CONTRAST);
    tiles[0].background = 0x604020;
    wn_atlas *other = wn_atlas_new(mode, NULL, WN_PALETTE_STANDARD);
    ck_assert_mem_ne(wn_atlas_pixels(plain, 0, WN_ATLAS_CELL), wn_atlas_pixels(other, 0, WN_ATLAS_CELL), 64);
    ck_assert_mem_ne(wn_atlas_pixels(plain, 0, WN_ATLAS_CELL), wn_atlas_pixels(contrast, 0, WN_ATLAS_CELL), 64);
    wn_atlas_free(plain);
    wn_atlas_free(contrast);
    wn_atlas_free(other);
}
END_TEST

START_TEST(a_modes_own_pictures_win_as_a_whole)
{
    wn_art_tile own_tile = {.name = "floor", .kind = WN_ART_TILE};
    wn_art own = {.tiles = &own_tile, .count = 1};
    SDL_Rect first, second;
    for (int i = 0; i < WN_ART_PIXELS; i++) {
        own_tile.pixels[i] = 0xff123456;
    }
    wn_atlas *atlas = wn_atlas_new(legend("floor", "wall", "bunny", "player"), &own, WN_PALETTE_STANDARD);
    ck_assert_uint_eq(wn_atlas_pixels(atlas, 0, WN_ATLAS_CELL)[0], 0xff123456);
    for (uint32_t place = 0; place < 100; place++) { /* none of the built-in variants is among them */
        ck_assert(wn_atlas_find(atlas, 0, WN_ATLAS_CELL, 0, &first));
        ck_assert(wn_atlas_find(atlas, 0, WN_ATLAS_CELL, place, &second));
        ck_assert_mem_eq(&first, &second, sizeof first);
    }
    wn_atlas_free(atlas);
}
END_TEST

START_TEST(a_figure_that_faces_somewhere_is_shown_so)
{
    wn_atlas *atlas = wn_atlas_new(legend("floor", "player", "bunny", "you, east"), NULL, WN_PALETTE_STANDARD);
    SDL_Rect north, south;
    bool own;
    ck_assert(wn_atlas_facing(atlas, 1, 0, &north, &own));
    ck_assert(own);
    ck_assert(wn_atlas_facing(atlas, 1, 4, &south, &own));
    ck_assert_mem_ne(&north, &south, sizeof north);
    ck_assert(wn_atlas_facing(atlas, 1, 1, &south, &own)); /* nobody drew it looking north-east */
    ck_assert(!own);
    ck_assert(wn_atlas_facing(atlas, 2, 0, &south, &own));
    ck_assert(!own);
    ck_assert(wn_atlas_facing(atlas, 3, 2, &south, &own)); /* its name says it */
    ck_assert(own);
    wn_atlas_free(atlas);
}
END_TEST

RUN("sdl atlas", what_nobody_drew_is_left_to_its_glyph, cells_are_filled_and_sprites_have_holes,
    the_colours_are_the_modes_and_the_palettes, a_modes_own_pictures_win_as_a_whole,
    a_figure_that_faces_somewhere_is_shown_so)
