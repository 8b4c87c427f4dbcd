/* Drawn tiles: what a file may say, that every mistake is named with its line, and that the built-in ones are whole. */
#include <stdio.h>
#include <string.h>

#include "art.h"
#include "suite.h"

#define ROWS(sign)                                                                                                     \
    sign "...............\n" sign "...............\n" sign "...............\n" sign "...............\n" sign           \
         "...............\n" sign "...............\n" sign "...............\n" sign "...............\n" sign           \
         "...............\n" sign "...............\n" sign "...............\n" sign "...............\n" sign           \
         "...............\n" sign "...............\n" sign "...............\n" sign "...............\n"

static wn_art read_good(const char *text)
{
    wn_art art = {0};
    wn_error error = {0};
    ck_assert_msg(wn_art_read_text(&art, "x.tiles", text, &error), "%s", error.text);
    return art;
}

START_TEST(a_good_file_gives_its_pictures)
{
    wn_art art = read_good("# mine\ncolour b 8a5a2c\n\ntile red door\n" ROWS("b") "more red door\n" ROWS(
        "3") "face wall\n" ROWS("8") "same gate as red door\n");
    ck_assert_uint_eq(art.count, 5);
    ck_assert_str_eq(art.tiles[0].name, "red door");
    ck_assert_uint_eq(art.tiles[0].pixels[0], 0xff8a5a2c);
    ck_assert_uint_eq(art.tiles[0].pixels[1], 0);
    ck_assert_uint_eq(art.tiles[1].kind, WN_ART_MORE);
    ck_assert_uint_eq(art.tiles[1].pixels[0], WN_ART_INK + 3);
    ck_assert_uint_eq(art.tiles[2].kind, WN_ART_FACE);
    ck_assert_uint_eq(art.tiles[2].pixels[0], WN_ART_PAPER + 3);
    ck_assert_str_eq(art.tiles[3].name, "gate");
    ck_assert_str_eq(art.tiles[4].name, "gate");
    ck_assert_uint_eq(art.tiles[4].kind, WN_ART_MORE);
    wn_art_free(&art);
}
END_TEST

START_TEST(pictures_are_turned_to_the_right_and_mirrored)
{
    wn_art art = read_good("tile a, north\n" ROWS("3") "turn a, east from a, north\nmirror a, west from a, east\n");
    for (int i = 0; i < WN_ART_SIDE; i++) {
        ck_assert_uint_ne(art.tiles[0].pixels[i * WN_ART_SIDE], 0); /* the left column ... */
        ck_assert_uint_ne(art.tiles[1].pixels[i], 0);               /* is then the top row */
        ck_assert_uint_eq(art.tiles[1].pixels[i + WN_ART_SIDE], 0);
        ck_assert_uint_eq(art.tiles[2].pixels[i], art.tiles[1].pixels[WN_ART_SIDE - 1 - i]);
    }
    wn_art_free(&art);
}
END_TEST

START_TEST(each_mistake_is_named_with_its_line)
{
    static const struct {
        const char *text, *place, *what;
    } wrong[] = {
        {"tile a\n...\n", "x.tiles:2:", "has 3 characters; expected 16"},
        {"tile a\n" ROWS("q"), "x.tiles:2:", "\"q\" is no colour"},
        {"tile a\n................\n", "x.tiles:2:", "ends after 1 rows"},
        {"colour 7 ffffff\n", "x.tiles:1:", "colour LETTER RRGGBB"},
        {"colour a fffff\n", "x.tiles:1:", "colour LETTER RRGGBB"},
        {"colour a fffffg\n", "x.tiles:1:", "colour LETTER RRGGBB"},
        {"picture a\n", "x.tiles:1:", "\"picture\" is unknown"},
        {"tile\n", "x.tiles:1:", "what it is about"},
        {"same a as b\n", "x.tiles:1:", "no tile \"b\" above"},
        {"same a b\n", "x.tiles:1:", "same NAME as OTHER"},
        {"turn a from b\n", "x.tiles:1:", "no tile \"b\" above"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wn_art art = {0};
        wn_error error = {0};
        ck_assert(!wn_art_read_text(&art, "x.tiles", wrong[i].text, &error));
        ck_assert_msg(strncmp(error.text, wrong[i].place, strlen(wrong[i].place)) == 0 &&
                          strstr(error.text, wrong[i].what) != NULL,
                      "%zu: %s", i, error.text);
        ck_assert_uint_eq(art.count, 0); /* what is not whole is not kept */
        wn_art_free(&art);
    }
}
END_TEST

START_TEST(any_bytes_are_read_or_refused)
{
    unsigned seed = 1;
    for (int round = 0; round < 20000; round++) {
        static const char signs[] = "tile amorefcsuwn\n\n .0378qb=#";
        char text[200];
        size_t length = 0;
        for (; length < sizeof text - 1; length++) {
            seed = seed * 1103515245 + 12345;
            text[length] = signs[(seed >> 16) % (sizeof signs - 1)];
        }
        text[length] = '\0';
        wn_art art = {0};
        wn_error error;
        wn_art_read_text(&art, "x.tiles", text, &error);
        wn_art_free(&art);
    }
}
END_TEST

START_TEST(a_directory_that_is_not_there_has_no_tiles)
{
    wn_art art = {0};
    wn_error error;
    ck_assert(wn_art_read_directory(&art, "/nowhere/at/all", &error));
    ck_assert_uint_eq(art.count, 0);
    ck_assert(!wn_art_read(&art, "/nowhere/x.tiles", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/x.tiles"));
}
END_TEST

START_TEST(the_built_in_tiles_have_what_the_modes_name)
{
    static const char *const names[] = {"floor",  "wall",     "outside", "lichen", "bunny",       "silverfish",
                                        "player", "you",      "door",    "snow",   "sea",         "tree",
                                        "house",  "mountain", "ice",     "heart",  "bomb",        "penguin",
                                        "hint",   "monster",  "boulder", "gate",   "finale",      "runner",
                                        "lava",   "slime",    "drone",   "bullet", "explosion *", "reflecting wall /"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t at = 0;
        while (at < wn_art_built_in_count && strcmp(wn_art_built_in[at].name, names[i]) != 0) {
            at++;
        }
        ck_assert_msg(at < wn_art_built_in_count, "%s", names[i]);
    }
}
END_TEST

RUN("sdl art", a_good_file_gives_its_pictures, pictures_are_turned_to_the_right_and_mirrored,
    each_mistake_is_named_with_its_line, any_bytes_are_read_or_refused, a_directory_that_is_not_there_has_no_tiles,
    the_built_in_tiles_have_what_the_modes_name)
