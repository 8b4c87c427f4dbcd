/* The legend of a map: a row for each name, whatever a mode needs its tiles for. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "legend.h"
#include "suite.h"

enum { TILES_MOST = 200 };

static Warren__Tile tiles[TILES_MOST];
static Warren__Tile *all[TILES_MOST];
static char names[TILES_MOST][32], signs[TILES_MOST][8];
static Warren__Mode mode;
static char told[4096];

static void setup(void)
{
    warren__mode__init(&mode);
    mode.tiles = all;
    told[0] = '\0';
}

static void add(const char *name, const char *glyph, const char *ascii)
{
    Warren__Tile *tile = all[mode.n_tiles] = &tiles[mode.n_tiles];
    warren__tile__init(tile);
    snprintf(names[mode.n_tiles], sizeof names[0], "%s", name);
    snprintf(signs[mode.n_tiles], sizeof signs[0], "%s", glyph);
    tile->name = names[mode.n_tiles];
    tile->glyph = signs[mode.n_tiles];
    tile->ascii = (char *)ascii;
    mode.n_tiles++;
}

static void tell(void *context, const wn_legend_row *row)
{
    (void)context;
    snprintf(told + strlen(told), sizeof told - strlen(told), "%s:", row->name);
    for (size_t i = 0; i < row->count && i < WN_LEGEND_TILES; i++) {
        snprintf(told + strlen(told), sizeof told - strlen(told), "%s", mode.tiles[row->tiles[i]]->glyph);
    }
    snprintf(told + strlen(told), sizeof told - strlen(told), "\n");
}

START_TEST(tiles_of_one_name_share_a_row_in_the_order_of_the_mode)
{
    add("floor", ".", ".");
    add("penguin", "^", "^");
    add("sea", "~", "~");
    add("penguin", ">", ">");
    add("penguin", "v", "v");
    wn_legend(&mode, tell, NULL);
    ck_assert_str_eq(told, "floor:.\npenguin:^>v\nsea:~\n");
}
END_TEST

START_TEST(tiles_that_look_alike_are_one)
{
    for (unsigned height = 0; height < 9; height++) {
        add("wall", "#", "#");
        tiles[height].has_height = true;
        tiles[height].height = height;
    }
    add("wall", "#", "#");
    tiles[9].has_foreground = true;
    tiles[9].foreground = 0xff0000;
    wn_legend(&mode, tell, NULL);
    ck_assert_str_eq(told, "wall:##\n");
}
END_TEST

START_TEST(what_a_name_says_of_its_sign_or_of_a_direction_does_not_count)
{
    add("region 0", "0", "0");
    add("region Z", "Z", "Z");
    add("reflecting wall /", "\xe2\x95\xb1", "/");
    add("player, north", "i", "i");
    add("player, south-west", "!", "!");
    add("house, large", "H", "H");
    add("box A", "B", "B");
    wn_legend(&mode, tell, NULL);
    ck_assert_str_eq(told, "region:0Z\nreflecting wall:\xe2\x95\xb1\nplayer:i!\nhouse, large:H\nbox A:B\n");
}
END_TEST

START_TEST(what_the_mode_wants_in_no_legend_is_left_out)
{
    add("wall", "#", "#");
    add("text a", "a", "a");
    tiles[1].has_flags = true;
    tiles[1].flags = WARREN__TILE_FLAG__TILE_UNLISTED;
    wn_legend(&mode, tell, NULL);
    ck_assert_str_eq(told, "wall:#\n");
}
END_TEST

START_TEST(what_has_no_name_or_shows_nothing_is_left_out)
{
    add("", "x", "x");
    add("nothing", " ", " ");
    add("void", "", NULL);
    add("x", "x", "x");
    wn_legend(&mode, tell, NULL);
    ck_assert_str_eq(told, "x:x\n");
}
END_TEST

START_TEST(more_tiles_than_a_row_has_are_counted)
{
    for (int i = 0; i < TILES_MOST; i++) {
        char sign[8];
        snprintf(sign, sizeof sign, "%d", i);
        add("number", sign, NULL);
    }
    wn_legend(&mode, tell, NULL);
    ck_assert(strncmp(told, "number:0123456", 14) == 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {tiles_of_one_name_share_a_row_in_the_order_of_the_mode,
                                  tiles_that_look_alike_are_one,
                                  what_a_name_says_of_its_sign_or_of_a_direction_does_not_count,
                                  what_has_no_name_or_shows_nothing_is_left_out,
                                  what_the_mode_wants_in_no_legend_is_left_out,
                                  more_tiles_than_a_row_has_are_counted};
    return suite_run_with("interface legend", tests, sizeof tests / sizeof *tests, setup, NULL);
}
