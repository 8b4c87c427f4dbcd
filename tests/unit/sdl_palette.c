/* Palettes: what they leave alone, and that eyes that see red and green alike can tell them apart afterwards. */
#include <stdlib.h>
#include <string.h>

#include "palette.h"
#include "suite.h"

static int channel(uint32_t colour, int shift)
{
    return (int)(colour >> shift & 0xff);
}

START_TEST(the_standard_palette_changes_nothing)
{
    for (uint32_t colour = 0; colour < 0x1000000; colour += 0x010307) {
        ck_assert_uint_eq(wn_palette_map(WN_PALETTE_STANDARD, colour), colour);
    }
}
END_TEST

START_TEST(greys_stay_as_they_are)
{
    for (int palette = 0; palette < WN_PALETTE_CONTRAST; palette++) {
        for (uint32_t grey = 0; grey < 256; grey++) {
            const uint32_t shown = wn_palette_map((wn_palette)palette, grey << 16 | grey << 8 | grey);
            for (int shift = 0; shift <= 16; shift += 8) {
                ck_assert_int_le(abs(channel(shown, shift) - (int)grey), 2);
            }
        }
    }
}
END_TEST

START_TEST(red_and_green_differ_in_blue_for_eyes_that_mix_them)
{
    static const wn_palette palettes[] = {WN_PALETTE_PROTAN, WN_PALETTE_DEUTAN};
    for (size_t i = 0; i < 2; i++) {
        const uint32_t red = wn_palette_map(palettes[i], 0xc04040), green = wn_palette_map(palettes[i], 0x40a040);
        ck_assert_int_gt(abs(channel(red, 0) - channel(green, 0)), 40);
    }
}
END_TEST

START_TEST(high_contrast_spreads_light_and_dark)
{
    ck_assert_uint_lt(wn_palette_map(WN_PALETTE_CONTRAST, 0x303030), 0x303030);
    ck_assert_uint_gt(wn_palette_map(WN_PALETTE_CONTRAST, 0xa0a0a0), 0xa0a0a0);
}
END_TEST

START_TEST(each_has_a_name_to_be_found_by)
{
    wn_palette found;
    for (int palette = 0; palette < WN_PALETTES; palette++) {
        ck_assert(wn_palette_parse(wn_palette_name((wn_palette)palette), &found));
        ck_assert_int_eq(found, palette);
    }
    ck_assert(!wn_palette_parse("rainbow", &found));
}
END_TEST

START_TEST(a_mixture_goes_from_one_to_the_other)
{
    ck_assert_uint_eq(wn_palette_mix(0x102030, 0xffffff, 0), 0x102030);
    ck_assert_uint_eq(wn_palette_mix(0x102030, 0xf0e0d0, 256), 0xf0e0d0);
    ck_assert_uint_eq(wn_palette_mix(0x000000, 0x804020, 128), 0x402010);
}
END_TEST

RUN("sdl palette", the_standard_palette_changes_nothing, greys_stay_as_they_are,
    red_and_green_differ_in_blue_for_eyes_that_mix_them, high_contrast_spreads_light_and_dark,
    each_has_a_name_to_be_found_by, a_mixture_goes_from_one_to_the_other)
