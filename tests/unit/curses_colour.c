/* Colours: how many a terminal gets, and that each wanted one becomes the nearest it has. */
#include "colour.h"
#include "suite.h"

START_TEST(a_depth_asked_for_wins_over_everything)
{
    wn_depth depth;
    ck_assert(wn_depth_parse("24bit", &depth));
    ck_assert_int_eq(wn_depth_choose(depth, "1", "", 8), WN_DEPTH_24BIT);
    ck_assert(wn_depth_parse("none", &depth));
    ck_assert_int_eq(wn_depth_choose(depth, NULL, "truecolor", 256), WN_DEPTH_NONE);
    ck_assert(!wn_depth_parse("24", &depth));
}
END_TEST

START_TEST(the_depth_is_found_from_the_environment_and_terminfo)
{
    static const struct {
        const char *no_color, *colorterm;
        int terminfo;
        wn_depth depth;
    } cases[] = {
        {NULL, NULL, 256, WN_DEPTH_256},
        {NULL, NULL, 88, WN_DEPTH_16},
        {NULL, NULL, 8, WN_DEPTH_16},
        {NULL, NULL, -1, WN_DEPTH_NONE},
        {NULL, "truecolor", 256, WN_DEPTH_24BIT},
        {NULL, "24bit", 256, WN_DEPTH_24BIT},
        {NULL, "yes", 256, WN_DEPTH_256},
        {NULL, "truecolor", -1, WN_DEPTH_NONE},
        {"1", "truecolor", 256, WN_DEPTH_NONE},
        {"", "truecolor", 256, WN_DEPTH_24BIT},
        {NULL, NULL, 0x1000000, WN_DEPTH_24BIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(wn_depth_choose(WN_DEPTH_AUTO, cases[i].no_color, cases[i].colorterm, cases[i].terminfo),
                         cases[i].depth);
    }
}
END_TEST

START_TEST(colours_of_the_256_palette_map_to_themselves)
{
    static const int levels[] = {0, 95, 135, 175, 215, 255};
    for (int r = 0; r < 6; r++) {
        for (int g = 0; g < 6; g++) {
            for (int b = 0; b < 6; b++) {
                ck_assert_int_eq(wn_colour_256(levels[r] << 16 | levels[g] << 8 | levels[b]), 16 + 36 * r + 6 * g + b);
            }
        }
    }
    for (int step = 0; step < 24; step++) {
        const int level = 8 + 10 * step;
        ck_assert_int_eq(wn_colour_256(level << 16 | level << 8 | level), 232 + step);
    }
}
END_TEST

START_TEST(the_16_colours_map_to_themselves_and_others_to_the_like)
{
    ck_assert_int_eq(wn_colour_16(0x000000), 0);
    ck_assert_int_eq(wn_colour_16(0xcd0000), 1);
    ck_assert_int_eq(wn_colour_16(0xffffff), 15);
    ck_assert_int_eq(wn_colour_16(0x7f7f7f), 8);
    ck_assert_int_eq(wn_colour_16(0x10c010), 2);
    ck_assert_int_eq(wn_colour_16(0x1020d0), 4);
    for (int32_t rgb = 0; rgb < 0x1000000; rgb += 0x10307) {
        ck_assert_int_ge(wn_colour_16(rgb), 0);
        ck_assert_int_lt(wn_colour_16(rgb), 16);
        ck_assert_int_ge(wn_colour_256(rgb), 16);
        ck_assert_int_lt(wn_colour_256(rgb), 256);
    }
}
END_TEST

START_TEST(what_has_a_hue_keeps_it_with_16_colours)
{
    static const struct {
        int32_t rgb;
        int numbers[2];
    } cases[] = {
        {0x2c5a84, {4, 12}}, {0x145d92, {4, 12}}, {0x1f7a3d, {2, 10}}, {0x9a3b1e, {1, 9}},
        {0x8a1fc8, {5, 13}}, {0x8d939c, {7, 8}},  {0x3b4048, {0, 8}},  {0x3a3226, {0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int number = wn_colour_16(cases[i].rgb);
        ck_assert_msg(number == cases[i].numbers[0] || number == cases[i].numbers[1], "%06x is %d",
                      (unsigned)cases[i].rgb, number);
    }
}
END_TEST

START_TEST(the_terminals_own_colour_stays_its_own)
{
    for (int depth = WN_DEPTH_NONE; depth <= WN_DEPTH_24BIT; depth++) {
        ck_assert_int_eq(wn_colour_number(WN_COLOUR_OWN, (wn_depth)depth), WN_COLOUR_OWN);
    }
    ck_assert_int_eq(wn_colour_number(0x123456, WN_DEPTH_NONE), WN_COLOUR_OWN);
    ck_assert_int_eq(wn_colour_number(0x123456, WN_DEPTH_24BIT), 0x123456);
    ck_assert_int_eq(wn_colour_dim(WN_COLOUR_OWN), WN_COLOUR_OWN);
}
END_TEST

START_TEST(a_dimmed_colour_is_darker_in_every_part)
{
    ck_assert_int_eq(wn_colour_dim(0xffffff), 0x727272);
    ck_assert_int_eq(wn_colour_dim(0x000000), 0x000000);
    ck_assert_int_eq(wn_colour_dim(0xc80000), 0x5a0000);
}
END_TEST

RUN("curses colour", a_depth_asked_for_wins_over_everything, the_depth_is_found_from_the_environment_and_terminfo,
    colours_of_the_256_palette_map_to_themselves, the_16_colours_map_to_themselves_and_others_to_the_like,
    what_has_a_hue_keeps_it_with_16_colours, the_terminals_own_colour_stays_its_own,
    a_dimmed_colour_is_darker_in_every_part)
