/* The rules of the board, row by row of the rule book; taking moves back; the original's first level. */
#include "polar_fixture.h"

#include <stdlib.h>
#include <string.h>

/* A strip is what lies before the penguin, from the next cell to the edge of the board. */
static polar_board strip(const char *digits, polar_heading heading)
{
    const uint32_t length = (uint32_t)strlen(digits);
    const uint32_t side = length + 1 < BOARD_MIN_SIDE ? BOARD_MIN_SIDE : length + 1;
    const uint32_t back = side - 1 - length;
    const uint32_t places[HEADING_COUNT][2] = {
        {1, length}, {back, 1}, {1, back}, {length, 1}}; /* x, y, for each heading */
    polar_board board;
    board_clear(&board, side, side);
    board.penguin = board_cell(&board, places[heading][0], places[heading][1]);
    board.facing = (uint8_t)heading;
    for (uint32_t i = 0; i < length; i++) {
        board_set(&board, (uint32_t)(board.penguin + ((int32_t)i + 1) * board_stride(&board, heading)),
                  (polar_piece)(digits[i] - '0'));
    }
    return board;
}

/* One move in every direction makes the strip look so, and touches nothing else. */
static void expect(const char *before, const char *after, polar_deed deed, polar_outcome outcome)
{
    for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
        polar_board board = strip(before, (polar_heading)heading), wanted = strip(after, (polar_heading)heading);
        const polar_board start = board;
        if (deed == DEED_WALK) {
            wanted.penguin = (uint16_t)(wanted.penguin + board_stride(&wanted, heading));
        }
        const polar_move move = board_move(&board, (polar_heading)heading);
        ck_assert_msg(move.deed == deed, "%s: deed %d, not %d", before, move.deed, deed);
        ck_assert_msg(move.outcome == outcome, "%s: outcome %d, not %d", before, move.outcome, outcome);
        ck_assert_msg(board.hearts == wanted.hearts, "%s: %d hearts left, not %d", before, board.hearts, wanted.hearts);
        ck_assert_msg(memcmp(&board, &wanted, sizeof board) == 0, "%s does not become %s", before, after);
        board_undo(&board, &move);
        ck_assert_msg(memcmp(&board, &start, sizeof board) == 0, "%s is not what it was after undo", before);
    }
}

START_TEST(the_penguin_walks_on_empty_cells_and_trees_and_is_stopped_by_the_rest)
{
    expect("0", "0", DEED_WALK, OUTCOME_STOPS);
    expect("1", "1", DEED_WALK, OUTCOME_STOPS);
    expect("2", "2", DEED_NOTHING, OUTCOME_STOPS);
    expect("3", "3", DEED_NOTHING, OUTCOME_STOPS);
    expect("", "", DEED_NOTHING, OUTCOME_STOPS);
}
END_TEST

START_TEST(turning_is_a_move_of_its_own)
{
    for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
        polar_board board = strip("5003", HEADING_EAST);
        const uint16_t at = board.penguin;
        const polar_move move = board_move(&board, (polar_heading)heading);
        ck_assert_int_eq(move.deed, heading == HEADING_EAST ? DEED_PUSH : DEED_TURN);
        ck_assert_uint_eq(board.facing, heading);
        ck_assert_uint_eq(board.penguin, at);
    }
}
END_TEST

START_TEST(every_pair_of_a_pushed_thing_and_what_is_behind_it)
{
    expect("40", "04", DEED_PUSH, OUTCOME_STOPS);
    expect("41", "01", DEED_PUSH, OUTCOME_CRUSHED);
    expect("42", "02", DEED_PUSH, OUTCOME_CRUSHED);
    expect("43", "03", DEED_PUSH, OUTCOME_CRUSHED);
    expect("44", "04", DEED_PUSH, OUTCOME_CRUSHED);
    expect("45", "05", DEED_PUSH, OUTCOME_CRUSHED);
    expect("46", "06", DEED_PUSH, OUTCOME_CRUSHED);
    expect("4", "0", DEED_PUSH, OUTCOME_CRUSHED);

    expect("50", "05", DEED_PUSH, OUTCOME_STOPS);
    expect("51", "51", DEED_NOTHING, OUTCOME_STOPS);
    expect("52", "52", DEED_NOTHING, OUTCOME_STOPS);
    expect("53", "03", DEED_PUSH, OUTCOME_GOES_HOME);
    expect("54", "54", DEED_NOTHING, OUTCOME_STOPS);
    expect("55", "55", DEED_NOTHING, OUTCOME_STOPS);
    expect("56", "56", DEED_NOTHING, OUTCOME_STOPS);
    expect("5", "5", DEED_NOTHING, OUTCOME_STOPS);

    expect("60", "06", DEED_PUSH, OUTCOME_STOPS);
    expect("61", "61", DEED_NOTHING, OUTCOME_STOPS);
    expect("62", "00", DEED_PUSH, OUTCOME_BLOWS_UP);
    expect("63", "63", DEED_NOTHING, OUTCOME_STOPS);
    expect("64", "64", DEED_NOTHING, OUTCOME_STOPS);
    expect("65", "65", DEED_NOTHING, OUTCOME_STOPS);
    expect("66", "66", DEED_NOTHING, OUTCOME_STOPS);
    expect("6", "6", DEED_NOTHING, OUTCOME_STOPS);
}
END_TEST

/* What slides stops before what it meets, but for a heart at a house and a bomb at a mountain. */
static void expect_slide(char thing, uint32_t distance, char behind)
{
    char before[BOARD_MAX_SIDE] = "", after[BOARD_MAX_SIDE] = "";
    memset(before, '0', distance + 1);
    memset(after, '0', distance + 1);
    before[0] = after[distance] = thing;
    before[distance + 1] = after[distance + 1] = behind; /* a zero byte: the edge */
    polar_outcome outcome = OUTCOME_STOPS;
    if (thing == '5' && behind == '3') {
        after[distance] = '0';
        outcome = OUTCOME_GOES_HOME;
    } else if (thing == '6' && behind == '2') {
        after[distance] = after[distance + 1] = '0';
        outcome = OUTCOME_BLOWS_UP;
    }
    expect(before, after, DEED_PUSH, outcome);
}

START_TEST(everything_slides_over_every_distance_into_everything)
{
    for (const char *thing = "456"; *thing != '\0'; thing++) {
        for (uint32_t distance = 1; distance <= BOARD_MAX_SIDE - 3; distance++) {
            for (char behind = '1'; behind <= '6'; behind++) {
                expect_slide(*thing, distance, behind);
            }
        }
        for (uint32_t distance = 1; distance <= BOARD_MAX_SIDE - 2; distance++) {
            expect_slide(*thing, distance, '\0');
        }
    }
}
END_TEST

START_TEST(a_house_takes_all_hearts_and_stays)
{
    polar_board board = strip("553", HEADING_EAST);
    ck_assert_uint_eq(fixture_play(&board, "E1"), 0); /* two in a row cannot be pushed */
    board.cells[board.penguin + 1] = PIECE_EMPTY;
    ck_assert_uint_eq(fixture_play(&board, "E2"), 2);
    ck_assert_uint_eq(board.hearts, 1);
    ck_assert_int_eq(board.cells[board.penguin + 2], PIECE_HOUSE);
}
END_TEST

START_TEST(packed_moves_unpack_to_what_they_were)
{
    uint64_t state = suite_seed(POLAR_SEED);
    polar_board board;
    for (uint32_t i = 0; i < 300; i++) {
        fixture_random_board(&state, &board);
        for (uint32_t j = 0; j < 300; j++) {
            const polar_move move = board_move(&board, (polar_heading)suite_random(&state, HEADING_COUNT));
            const polar_move again = move_unpack(move_pack(&move));
            if (memcmp(&move, &again, sizeof move) != 0) {
                ck_abort_msg("deed %d, thing %d, outcome %d is changed by packing", move.deed, move.thing,
                             move.outcome);
            }
        }
    }
}
END_TEST

START_TEST(undoing_everything_gives_the_start_and_playing_it_again_the_same_board)
{
    enum { MOVES = 2000 };
    static packed_move moves[MOVES];
    uint64_t state = suite_seed(POLAR_SEED);
    for (uint32_t i = 0; i < 200; i++) {
        polar_board board;
        fixture_random_board(&state, &board);
        const polar_board start = board;
        for (uint32_t j = 0; j < MOVES; j++) {
            /* mostly on in one direction: else it hardly leaves the place */
            const uint32_t heading = suite_random(&state, 3) ? board.facing : suite_random(&state, HEADING_COUNT);
            const polar_move move = board_move(&board, (polar_heading)heading);
            moves[j] = move_pack(&move);
        }
        const polar_board end = board;
        for (uint32_t j = MOVES; j > 0; j--) {
            const polar_move move = move_unpack(moves[j - 1]);
            board_undo(&board, &move);
        }
        ck_assert_mem_eq(&board, &start, sizeof board);
        for (uint32_t j = 0; j < MOVES; j++) {
            board_move(&board, (polar_heading)move_unpack(moves[j]).heading);
        }
        ck_assert_uint_eq(board_hash(&board), board_hash(&end));
        ck_assert_mem_eq(&board, &end, sizeof board);
    }
}
END_TEST

START_TEST(the_hash_tells_boards_apart_by_all_they_are)
{
    const polar_board board = strip("5003", HEADING_EAST);
    polar_board other = board;
    ck_assert_uint_eq(board_hash(&board), board_hash(&other));
    other.facing = HEADING_WEST;
    ck_assert_uint_ne(board_hash(&board), board_hash(&other));
    other = board;
    other.penguin++;
    ck_assert_uint_ne(board_hash(&board), board_hash(&other));
    other = board;
    other.cells[other.penguin + 3] = PIECE_TREE;
    ck_assert_uint_ne(board_hash(&board), board_hash(&other));
}
END_TEST

START_TEST(the_original_s_first_level_ends_as_its_author_printed_it)
{
    static polar_pack pack;
    char *file = fixture_read("original.polar", &pack);
    polar_board board;
    pack_board(&pack, 0, &board);
    ck_assert_uint_eq(board.hearts, 3);
    fixture_play(&board, "E4 S2 W2 N2 W3 S2"         /* the bomb into the row of the house's mountain */
                         " E20 S2 E3 N2 W2"          /* ice, as a stop */
                         " S4 W7 N3 W15 N2 W3 S2 E2" /* for a heart that is in the bomb's way: boom */
                         " N3 E8 S2"                 /* ice again, below the hearts */
                         " E3 S2 W2 N2 W3 S2 W3 S3 E14"
                         " N2 W11 N2 W2 S2 W3 S3 E3"
                         " W2 N3 E2 S2 W2 S3 E2");
    ck_assert_uint_eq(board.hearts, 0);
    char text[BOARD_TEXT_SIZE];
    ck_assert_uint_eq(board_text(&board, text), strlen(text));
    ck_assert_str_eq(text, "tre__________________________________________treice_____________________\n"
                           "tre_________mtn_______________________________________tre______tre______\n"
                           "tre____________________________________________________________hou______\n"
                           "tretre____________treice________________________________________________\n");
    free(file);
}
END_TEST

/* the notation */

static void expect_moves(const char *text, const char *headings)
{
    polar_moves moves = {.text = text};
    polar_heading heading;
    char found[64] = "";
    size_t count = 0;
    while (moves_next(&moves, &heading) == MOVES_ONE) {
        found[count++] = "NESW"[heading];
    }
    ck_assert_str_eq(found, headings);
    ck_assert_ptr_null(moves.expected);
}

static void expect_no_moves(const char *text, size_t at, const char *expected)
{
    polar_moves moves = {.text = text};
    polar_heading heading;
    moves_status status;
    while ((status = moves_next(&moves, &heading)) == MOVES_ONE) {
    }
    ck_assert_int_eq(status, MOVES_ERROR);
    ck_assert_uint_eq(moves.at, at);
    ck_assert_str_eq(moves.expected, expected);
}

START_TEST(moves_are_read_as_letters_with_numbers)
{
    expect_moves("", "");
    expect_moves("E3 S2", "EEESS");
    expect_moves(" n,W2\ne ", "NWWE");
    expect_moves("E1S1E01", "ESE");
    expect_no_moves("E2 X1", 3, "N, E, S or W");
    expect_no_moves("3", 0, "N, E, S or W");
    expect_no_moves("E0", 1, "a number from 1 to 1000000");
    expect_no_moves("S1 E99999999999999999999", 4, "a number from 1 to 1000000");
}
END_TEST

START_TEST(moves_that_are_written_are_read_again)
{
    uint64_t state = suite_seed(POLAR_SEED);
    for (uint32_t i = 0; i < 500; i++) {
        uint8_t headings[40];
        const uint32_t count = suite_random(&state, 41);
        for (uint32_t j = 0; j < count; j++) {
            headings[j] = (uint8_t)suite_random(&state, HEADING_COUNT);
        }
        char text[256], cut[256];
        const size_t length = moves_write(headings, count, text, sizeof text);
        ck_assert_uint_eq(length, strlen(text));
        polar_moves moves = {.text = text};
        polar_heading heading;
        for (uint32_t j = 0; j < count; j++) {
            ck_assert_int_eq(moves_next(&moves, &heading), MOVES_ONE);
            ck_assert_uint_eq(heading, headings[j]);
        }
        ck_assert_int_eq(moves_next(&moves, &heading), MOVES_END);
        const uint32_t size = suite_random(&state, 20);
        ck_assert_uint_eq(moves_write(headings, count, cut, size), length);
        ck_assert(size == 0 || (strlen(cut) < size && strncmp(cut, text, strlen(cut)) == 0));
    }
}
END_TEST

RUN("polar_rules", the_penguin_walks_on_empty_cells_and_trees_and_is_stopped_by_the_rest, turning_is_a_move_of_its_own,
    every_pair_of_a_pushed_thing_and_what_is_behind_it, everything_slides_over_every_distance_into_everything,
    a_house_takes_all_hearts_and_stays, packed_moves_unpack_to_what_they_were,
    undoing_everything_gives_the_start_and_playing_it_again_the_same_board, the_hash_tells_boards_apart_by_all_they_are,
    the_original_s_first_level_ends_as_its_author_printed_it, moves_are_read_as_letters_with_numbers,
    moves_that_are_written_are_read_again)
