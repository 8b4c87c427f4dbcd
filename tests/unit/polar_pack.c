/* Level packs: what is read, and where and how an error is told. */
#include "polar_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static polar_pack pack;

#define ROWS "000\n053\n000\n"

START_TEST(levels_are_read_with_all_that_may_stand_in_them)
{
    static const char good[] = "; a pack\n"
                               "\n\r\n"
                               "title: One ; not this\r\n"
                               "start: 2 1 west\n"
                               "  000 \n"
                               "; between rows\n"
                               "053;\n"
                               "\t014\n"
                               "   \n\n"
                               "note: n\nauthor: \xc3\x84nn\ntitle:Two\n"
                               "0053\n0000\n1234";
    char error[PACK_ERROR_SIZE];
    ck_assert_msg(pack_read(&pack, "p", good, strlen(good), error), "%s", error);
    ck_assert_uint_eq(pack.count, 2);
    const polar_level *one = &pack.levels[0], *two = &pack.levels[1];
    ck_assert_int_eq(one->title.length, 3);
    ck_assert_mem_eq(one->title.text, "One", 3);
    ck_assert_ptr_null(one->author.text);
    ck_assert_int_eq(two->author.length, 4);
    ck_assert_mem_eq(two->title.text, "Two", 3);
    ck_assert_mem_eq(two->note.text, "n", 1);

    polar_board board;
    char drawing[BOARD_TEXT_SIZE];
    pack_board(&pack, 0, &board);
    board_text(&board, drawing);
    ck_assert_str_eq(drawing, "_________\n___heahou\n___treice\n");
    ck_assert_uint_eq(board.penguin, board_cell(&board, 1, 2));
    ck_assert_uint_eq(board.facing, HEADING_WEST);
    ck_assert_uint_eq(board.hearts, 1);
    pack_board(&pack, 1, &board);
    board_text(&board, drawing);
    ck_assert_str_eq(drawing, "______heahou\n____________\ntremtnhouice\n");
    ck_assert_uint_eq(board.penguin, board_cell(&board, 0, 0));
    ck_assert_uint_eq(board.facing, HEADING_SOUTH);
}
END_TEST

/* the errors, each with line, column, what was expected and what was found */

static const struct {
    const char *text, *error;
} refused[] = {
    {"", "p:1:1: expected a level, found none"},
    {"; only this\n\n", "p:3:1: expected a level, found none"},
    {"hello\n", "p:1:1: expected title:, author:, note:, start: or a row of digits from 0 to 6, found 'h'"},
    {"title: a\ntitel: b\n",
     "p:2:1: expected title:, author:, note:, start: or a row of digits from 0 to 6, found 't'"},
    {"title: a\ntitle: b\n", "p:2:1: expected one title in a level, found another: a blank line ends a level"},
    {"start: 0 0 n\nstart: 0 0 n\n", "p:2:1: expected one start in a level, found another: a blank line ends a level"},
    {"title:\n", "p:1:7: expected some text after the colon, found nothing"},
    {"title: a\x01z\n", "p:1:9: expected text without control characters, found byte 0x01"},
    {"title: \xc3\xa4\xc3\xa4\x7f\n", "p:1:10: expected text without control characters, found byte 0x7f"},
    {"start: 0\n", "p:1:9: expected the column, a number from 0 to 63, found nothing"},
    {"start: x\n", "p:1:8: expected the row, a number from 0 to 63, found 'x'"},
    {"start: 5x 3 n\n", "p:1:8: expected the row, a number from 0 to 63, found 'x'"},
    {"start: 64 0 n\n", "p:1:8: expected the row, a number from 0 to 63, found '6'"},
    {"start: 1 99999999999999999999 n\n", "p:1:10: expected the column, a number from 0 to 63, found '9'"},
    {"start: 1 2 up\n", "p:1:12: expected north, east, south or west, found 'u'"},
    {"start: 1 2\n", "p:1:11: expected north, east, south or west, found nothing"},
    {ROWS, "p:3:4: expected a title: line before the level's rows, found none"},
    {"title: a\n000\n0x0\n", "p:3:2: expected a digit from 0 to 6, found 'x'"},
    {"title: a\n0070\n", "p:2:3: expected a digit from 0 to 6, found '7'"},
    {"title: a\n000\n00 0\n", "p:3:3: expected a digit from 0 to 6, found byte 0x20"},
    {"title: a\n00\n", "p:2:3: expected at least 3 digits in a row, found 2"},
    {"title: a\n0000\n000\n", "p:3:4: expected 4 digits as in the level's first row, found 3"},
    {"title: a\n0000\n00000\n", "p:3:5: expected 4 digits as in the level's first row, found 5"},
    {"title: a\n053\n000\n\n", "p:3:4: expected at least 3 rows of digits, found 2"},
    {"title: a\n", "p:1:9: expected at least 3 rows of digits, found 0"},
    {"title: a\n000\n003\n000", "p:4:4: expected a heart (5) in the level's rows, found none"},
    {"title: a\n000\n005\n000 ; end\n", "p:4:4: expected a house (3) in the level's rows, found none"},
    {"title: a\nstart: 3 0 e\n" ROWS, "p:2:1: expected a start inside of the 3 rows and 3 columns, found 3 0"},
    {"title: a\nstart: 0 3 e\n" ROWS, "p:2:1: expected a start inside of the 3 rows and 3 columns, found 0 3"},
    {"title: a\nstart: 1 2 e\n" ROWS, "p:2:1: expected a start on an empty cell or a tree, found a 3 at 1 2"},
    {"title: a\n500\n003\n000\n", "p:4:4: expected a start on an empty cell or a tree, found a 5 at 0 0"},
    {"title: a\n" ROWS "title: b\n", "p:5:1: expected a digit from 0 to 6, found 't'"},
    {"title: a\n" ROWS "\n\ntitle: b\n000\n", "p:8:4: expected at least 3 rows of digits, found 1"},
};

START_TEST(errors_name_line_and_column_and_what_was_expected)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char error[PACK_ERROR_SIZE] = "";
        const bool read = pack_read(&pack, "p", refused[i].text, strlen(refused[i].text), error);
        ck_assert_msg(!read, "was read: %s", refused[i].text);
        ck_assert_str_eq(error, refused[i].error);
    }
}
END_TEST

static void repeat(char *text, const char *piece, uint32_t times)
{
    char *end = text + strlen(text);
    for (uint32_t i = 0; i < times; i++) {
        end = stpcpy(end, piece);
    }
}

static void expect_error(const char *text, const char *wanted)
{
    char error[PACK_ERROR_SIZE] = "";
    const bool read = pack_read(&pack, "p", text, strlen(text), error);
    ck_assert_str_eq(read ? "read" : error, wanted);
}

START_TEST(every_limit_is_kept_from_both_sides)
{
    static char text[100000];
    strcpy(text, "title: "); /* the longest title */
    repeat(text, "t", PACK_MAX_LINE);
    repeat(text, "\n053", 1);
    repeat(text, "\n000", BOARD_MAX_SIDE - 1); /* and the most rows */
    strcat(text, "\n\n");
    expect_error(strcat(text, "start: 0 0 n\n"), "p:67:13: expected a title: line before the level's rows, found none");
    strcpy(strstr(text, "\n\nstart"), "\n000\n");
    expect_error(text, "p:66:1: expected a blank line: a level has at most 64 rows");
    strcpy(text, "title: ");
    repeat(text, "t", PACK_MAX_LINE + 1);
    expect_error(text, "p:1:108: expected a line feed: a text has at most 100 bytes");

    strcpy(text, "title: wide\n05");
    repeat(text, "3", BOARD_MAX_SIDE - 1);
    expect_error(text, "p:2:65: expected a line feed: a row has at most 64 digits");
    strcpy(strrchr(text, '3'), "\n000");
    expect_error(text, "p:3:4: expected 64 digits as in the level's first row, found 3");

    strcpy(text, "");
    repeat(text, "title: t\n" ROWS "\n", PACK_MAX_LEVELS);
    char error[PACK_ERROR_SIZE];
    ck_assert_msg(pack_read(&pack, "p", text, strlen(text), error), "%s", error);
    ck_assert_uint_eq(pack.count, PACK_MAX_LEVELS);
    expect_error(strcat(text, "title: t\n" ROWS), "p:2504:4: expected the end: a pack has at most 500 levels");
}
END_TEST

/* Mutations: a pack with random damage is read or refused with a place inside of it, and what is read keeps the
 * limits. */

static void check_error(const char *error, const char *text, size_t size)
{
    unsigned line = 0, column = 0;
    int used = 0;
    REQUIRE(sscanf(error, "p:%u:%u: %n", &line, &column, &used) == 2 && used > 0);
    REQUIRE(strncmp(error + used, "expected ", 9) == 0);
    for (const char *c = error; *c != '\0'; c++) {
        if ((uint8_t)*c < ' ' || *c == 0x7f) {
            ck_abort_msg("a control character in: %s", error);
        }
    }
    unsigned lines = 1;
    const char *start = text;
    for (const char *c = text; c < text + size && lines < line; c++) {
        if (*c == '\n') {
            lines++;
            start = c + 1;
        }
    }
    REQUIRE(line >= 1 && line <= lines + 1);
    const char *end = start;
    while (end < text + size && *end != '\n') {
        end++;
    }
    REQUIRE(column >= 1 && (size_t)column <= (size_t)(end - start) + 1);
}

static void check_levels(void)
{
    REQUIRE(pack.count >= 1);
    for (uint32_t i = 0; i < pack.count; i++) {
        const polar_level *level = &pack.levels[i];
        REQUIRE(level->width >= BOARD_MIN_SIDE && level->width <= BOARD_MAX_SIDE);
        REQUIRE(level->height >= BOARD_MIN_SIDE && level->height <= BOARD_MAX_SIDE);
        REQUIRE(level->title.length > 0 && level->title.length <= PACK_MAX_LINE);
        polar_board board;
        pack_board(&pack, i, &board);
        REQUIRE(board.hearts == level->hearts);
        REQUIRE(piece_is_walkable((polar_piece)board.cells[board.penguin]));
    }
}

static size_t mutate(uint64_t *state, char *text, size_t size, size_t limit)
{
    static const char likely[] = "0123456789 \n\r\t;:xn\xc3\xa4\x01";
    for (uint32_t left = 1 + suite_random(state, 4); left > 0 && size > 1; left--) {
        const size_t at = suite_random(state, (uint32_t)size);
        const char c =
            suite_random(state, 8) ? likely[suite_random(state, sizeof likely - 1)] : (char)suite_random(state, 256);
        const size_t length = 1 + suite_random(state, 30);
        switch (suite_random(state, 4)) {
        case 0:
            text[at] = c;
            break;
        case 1: /* one more */
            if (size < limit) {
                memmove(text + at + 1, text + at, size - at);
                text[at] = c;
                size++;
            }
            break;
        case 2: /* a piece less */
            if (at + length < size) {
                memmove(text + at, text + at + length, size - at - length);
                size -= length;
            }
            break;
        default: /* cut off */
            size = suite_random(state, 8) ? size : at + 1;
            break;
        }
    }
    return size;
}

START_TEST(damaged_packs_are_refused_with_a_place_or_read_within_the_limits)
{
    enum { LIMIT = 4096, TRIES = 20000 };
    static const char good[] =
        "; a pack\n\ntitle: One\nauthor: Somebody\nnote: A note.\nstart: 1 0 east\n000\n053\n000\n\n"
        "title: Two; (2)\n01234560\n00000000\n; so\n05300000\n\n";
    uint64_t state = suite_seed(POLAR_SEED);
    uint32_t read = 0;
    for (uint32_t i = 0; i < TRIES; i++) {
        char *text = malloc(LIMIT); /* exactly as large as the text below, so that a read beyond it is seen */
        memcpy(text, good, sizeof good - 1);
        const size_t size = mutate(&state, text, sizeof good - 1, LIMIT);
        text = realloc(text, size);
        char error[PACK_ERROR_SIZE] = "";
        if (pack_read(&pack, "p", text, size, error)) {
            read++;
            check_levels();
        } else {
            check_error(error, text, size);
        }
        free(text);
    }
    ck_assert(read > TRIES / 50 && read < TRIES - TRIES / 50); /* both happen */
}
END_TEST

START_TEST(the_packs_that_are_installed_can_be_read)
{
    free(fixture_read("original.polar", &pack));
    ck_assert_uint_eq(pack.count, 1);
}
END_TEST

RUN("polar_pack", levels_are_read_with_all_that_may_stand_in_them, errors_name_line_and_column_and_what_was_expected,
    every_limit_is_kept_from_both_sides, damaged_packs_are_refused_with_a_place_or_read_within_the_limits,
    the_packs_that_are_installed_can_be_read)
