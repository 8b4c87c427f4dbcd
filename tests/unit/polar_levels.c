/* The packs that are installed: every level can be cleared, by these moves at least; sizes and ideas differ. */
#include "polar_fixture.h"
#include "search.h"

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

/* What stands behind the title: "; 12 pushes at least". */
static uint32_t promised(const polar_level *level)
{
    unsigned pushes = 0;
    ck_assert_int_eq(sscanf(level->title.text + level->title.length, " ; %u push", &pushes), 1);
    return pushes;
}

/* As a penguin would that has walked there. */
static void make_push(polar_board *board, const polar_push *push)
{
    board->penguin = (uint16_t)(push->cell - board_stride(board, push->heading));
    board->facing = push->heading;
    ck_assert_int_eq(board_move(board, (polar_heading)push->heading).deed, DEED_PUSH);
}

START_TEST(searching_clears_every_level_of_floe_in_as_many_pushes_as_it_says)
{
    enum { ROOM = 100 };
    static polar_pack pack;
    char *text = fixture_read("floe.polar", &pack);
    for (uint32_t i = 0; i < pack.count; i++) {
        polar_board board;
        polar_push pushes[ROOM];
        uint32_t count;
        pack_board(&pack, i, &board);
        ck_assert_int_eq(board_search(&board, 64 << 20, pushes, ROOM, &count), SEARCH_CLEARED);
        ck_assert_msg(count == promised(&pack.levels[i]), "level %u takes %u pushes", i + 1, count);
        for (uint32_t j = 0; j < count; j++) {
            make_push(&board, &pushes[j]);
        }
        ck_assert_uint_eq(board.hearts, 0);
    }
    free(text);
}
END_TEST

START_TEST(searching_ends_the_original_s_first_level)
{
    static polar_pack pack;
    char *text = fixture_read("original.polar", &pack);
    polar_board board;
    polar_push pushes[9];
    uint32_t count;
    pack_board(&pack, 0, &board);
    fixture_play(&board, "E4 S2 W2 N2 W3 S2 E20 S2 E3 N2 W2 S4 W7 N3 W15 N2 W3 S2 E2"); /* to when the bomb went off */
    ck_assert_int_eq(board_search(&board, 40 << 20, pushes, 9, &count), SEARCH_CLEARED);
    ck_assert_uint_eq(count, 9);
    for (uint32_t i = 0; i < count; i++) {
        make_push(&board, &pushes[i]);
    }
    ck_assert_uint_eq(board.hearts, 0);
    ck_assert_int_eq(board_search(&board, 10, NULL, 0, &count), SEARCH_CLEARED); /* nothing is left to do */
    ck_assert_uint_eq(count, 0);
    pack_board(&pack, 0, &board);
    ck_assert_int_eq(board_search(&board, 1 << 20, NULL, 0, &count), SEARCH_GAVE_UP);
    ck_assert_int_eq(board_search(&board, 10, NULL, 0, &count), SEARCH_GAVE_UP);
    free(text);
}
END_TEST

static search_result search_text(const char *text)
{
    static polar_pack pack;
    char error[PACK_ERROR_SIZE];
    polar_board board;
    uint32_t count;
    ck_assert_msg(pack_read(&pack, "p", text, strlen(text), error), "%s", error);
    pack_board(&pack, 0, &board);
    return board_search(&board, 1 << 20, NULL, 0, &count);
}

START_TEST(searching_knows_what_cannot_be_cleared)
{
    /* lost at an edge, in all four; nothing to stop it in the middle; at an edge with a house, but no way to push */
    ck_assert_int_eq(search_text("title: x\n000500\n000000\n003000\n000000\n"), SEARCH_UNSOLVABLE);
    ck_assert_int_eq(search_text("title: x\n000000\n000000\n003000\n000050\n"), SEARCH_UNSOLVABLE);
    ck_assert_int_eq(search_text("title: x\n000000\n500000\n003000\n000000\n"), SEARCH_UNSOLVABLE);
    ck_assert_int_eq(search_text("title: x\n000000\n000005\n003000\n000000\n"), SEARCH_UNSOLVABLE);
    ck_assert_int_eq(search_text("title: x\n000000\n050000\n000000\n003000\n000000\n"), SEARCH_UNSOLVABLE);
    ck_assert_int_eq(search_text("title: x\nstart: 1 0 east\n500003\n000000\n000000\n"), SEARCH_UNSOLVABLE);
    ck_assert_int_eq(search_text("title: x\n050003\n000000\n000000\n"), SEARCH_CLEARED);
}
END_TEST

RUN("polar_levels", every_level_of_floe_is_cleared_by_its_moves,
    searching_clears_every_level_of_floe_in_as_many_pushes_as_it_says, searching_ends_the_original_s_first_level,
    searching_knows_what_cannot_be_cleared)
