/* The packs that are installed: every level can be cleared, by these moves at least; sizes and ideas differ. */
#include "polar_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const floe[] = {
    "E1",
    "E3 N4 W2",
    "N1 W3 N4 W2 N2 E2",
    "N4 E2 N2 E6 S2",
    "S2 E3 N2 E4 S2",
    "S4 E5 N4 W5 N2 E2 N2 E4 S2",
    "E5 W3 N3 W4 S3 E2",
    "S2 W5 S2 E2 N4 E2 S4 W2 S2 E2",
    "S1 E2 N2 E5 S2 E2 S2 E2 S4 W2",
    "N3 E2 N2 W2 S2 W3 N2 W2 N3 E3 N2 W2",
    "S1 E4 N2 E3 S3 W2 S2 E2 S2 E3 S2 E2 N2",
    "N3 E4 S2 E2 S3 W2 N2 W3 S2 E2 S3 W2 N3 W3 S2 E2 S3 W2",
    "E2 N6 W4 S2 W2 S5 W2 S2 E3 N6 W2 S6 W2 S2 E2",
    "S2 E6 N2 W2 S2 W4 N2 W2 N4 E3 N3 W4 S3 E2 N3 E2 N2 W2",
    "E2 S2 W3 S2 W3 N2 W3 S2 E6 S3 W2 N2 W6 S2",
    "N2 W5 N2 E2 N2 E12 S5 W4 N2 W9 S2 E2 S3 W2 N3 W3 S2 E2 S3 W2",
    "E2 S4 W2 E2 S3 W2 S2 W4 N4 E2 N2 W2 S2 W4 N2 W2 N2 S3 E2 N6 E2 N2 W2",
    "N2 W3 N5 W3 S6 W3 N6 E2 N2 W2 N2 W3 S2 E2 S5 W2 S2 W2 N6 W3 S2",
    "E6 S3 W2 S2 W4 N6 E2 N2 W2 S6 W3 N6 E2 N2 W2 E4 S4 W2 S2 W5 N5 E2 N2 W2",
    ("E4 S6 W2 S2 E2 S6 W2 N6 E2 N2 E9 S5 E2 N5 W2 N2 E2 N5 E3 S5 W2 S2 E10 S4 E5 S2 E2 N5 W2 N2 W17 N2 W7 S2 E2"),
    "S1 W2 S6 E4 N4 W3 S2 E3 S2 E3 N4 W2 N4 E2 N2 W4 S7 E2 N7 E2 N2 W3 S4 W5 N3 W2 N2 E4 N2 E5 S2",
    "N5 E2 N2 W2 S5 W4 N3 W6 N4 E3 N3 W2 S2 E2 S6 W2 S2 W4 N4 E8 N2 W2 S2 W7 N2",
    "E5 N3 E2 N3 E2 S6 W9 S2 E6 S2 E2 N5 W2 N2 E4 N2 E3 S3 W5 N2 E2 N2 E5 S2",
    "S1 E8 N2 W2 S2 W9 N4 E4 N2 W2 N2 W3 S3 W2 S2 W4 N3 E10 N2 W2 N2 W7 S2 E2 S7 W4 S2 W3 N2",
    "S1 E2 S3 E2 N4 E6 S3 W3 S4 E2 N5 W2 N2 E3 S2 E2 N2 W6 S2 E5 S2 E2 N4 W2 N2 E3 S2 E2 N2",
    ("S1 E2 S2 W5 N2 E2 N2 E3 S3 E2 S2 W4 S2 W3 N3 W2 E2 N3 W2 N3 W2 S6 W2 S2 E2 N3 E7 N2 W2 N2 W6 S5 W2 S2 E2"),
    "S2 W3 N2 E4 S2 W2 N5 W3 S5 W5 S2 E4 S3 W2 N3 W4 S2 E2 S2 N2 E4 S3 E2 W2 S2 E2 N2 W3 S2 E2 N3 E7 S2",
    ("S2 W6 N2 E2 W5 N2 E2 N2 E6 S3 W2 S2 E2 N3 E4 S5 W4 S2 E3 S2 E2 N4 E4 N2 W2 S2 W3 N2 W3 N2 E4 S2 E2 N2 S3 W2 N7 "
     "W2 N2 E2"),
    ("W3 N2 W4 S3 W2 S2 E2 S4 E3 N2 W3 N4 E5 N2 E2 S3 W2 S4 E3 N5 W3 S2 E2 N2 W4 S2 E2 N2 E5 S3 W2 S3 E3 N5 W5 N2 E2 "
     "N2 E4 S2"),
};

START_TEST(every_level_of_floe_is_cleared_by_its_moves)
{
    static polar_pack pack;
    char *text = fixture_read("floe.polar", &pack);
    ck_assert_uint_eq(pack.count, sizeof floe / sizeof floe[0]);
    ck_assert_uint_ge(pack.count, 20);
    for (uint32_t i = 0; i < pack.count; i++) {
        polar_board board;
        pack_board(&pack, i, &board);
        fixture_play(&board, floe[i]);
        ck_assert_msg(board.hearts == 0, "level %u, %.*s, has %u hearts left", i + 1, pack.levels[i].title.length,
                      pack.levels[i].title.text, board.hearts);
    }
    free(text);
}
END_TEST

RUN("polar_levels", every_level_of_floe_is_cleared_by_its_moves)
