/* The solver: against a search of all boards step by step, on the levels that are installed, and at its limits. */
#include "polar_fixture.h"
#include "solve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a search that knows no tricks */

enum { SMALL_CELLS = 64, STATE_LIMIT = 1 << 16, SLOTS = STATE_LIMIT * 2, NO_WAY = -1, TOO_MANY = -2 };

struct state {
    uint8_t cells[SMALL_CELLS]; /* edge included */
    uint16_t penguin, hearts;
};

struct plain {
    struct state states[STATE_LIMIT];
    int32_t lists[2][STATE_LIMIT]; /* numbers of states: of this many pushes, of one more */
    bool cleared;
    int32_t slots[SLOTS];
    int32_t count;
};

static int32_t plain_number(struct plain *plain, const polar_board *board, bool *is_new)
{
    struct state state = {.penguin = board->penguin, .hearts = board->hearts};
    memcpy(state.cells, board->cells, SMALL_CELLS);
    uint32_t slot = (uint32_t)(board_hash(board) >> 20) % SLOTS;
    for (; plain->slots[slot] >= 0; slot = (slot + 1) % SLOTS) {
        if (memcmp(&plain->states[plain->slots[slot]], &state, sizeof state) == 0) {
            *is_new = false;
            return plain->slots[slot];
        }
    }
    *is_new = true;
    plain->states[plain->count] = state;
    return plain->slots[slot] = plain->count++;
}

/* Facing is of no account: the penguin can always turn. */
static int32_t plain_add(struct plain *plain, polar_board *board, int32_t *list, int32_t length)
{
    bool is_new;
    board->facing = HEADING_NORTH;
    const int32_t number = plain_number(plain, board, &is_new);
    if (is_new) {
        list[length] = number;
    }
    return length + is_new;
}

/* All moves of one kind from the boards of a list. Returns the length of the list they are added to. */
static int32_t plain_go(struct plain *plain, polar_board *board, polar_deed deed, int32_t *from, int32_t *count,
                        int32_t *to, int32_t length)
{
    for (int32_t i = 0; i < *count && plain->count < STATE_LIMIT; i++) {
        for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
            const struct state *state = &plain->states[from[i]];
            memcpy(board->cells, state->cells, SMALL_CELLS);
            board->penguin = state->penguin;
            board->hearts = state->hearts;
            board->facing = (uint8_t)heading;
            if (board_move(board, (polar_heading)heading).deed == deed && plain->count < STATE_LIMIT) {
                length = plain_add(plain, board, to, length);
                *count = from == to ? length : *count;
            }
            plain->cleared |= board->hearts == 0;
        }
    }
    return length;
}

/* The fewest pushes, or NO_WAY; TOO_MANY boards to know. All that can be walked to comes before the next push. */
static int32_t plain_solve(struct plain *plain, const polar_board *first)
{
    memset(plain->slots, 0xff, sizeof plain->slots);
    plain->count = 0;
    plain->cleared = false;
    polar_board board = *first;
    int32_t now = plain_add(plain, &board, plain->lists[0], 0);
    for (int32_t pushes = 1; now > 0; pushes++) {
        int32_t *list = plain->lists[pushes % 2 == 0], *next = plain->lists[pushes % 2];
        plain_go(plain, &board, DEED_WALK, list, &now, list, now);
        if (plain->cleared) {
            return pushes;
        }
        now = plain_go(plain, &board, DEED_PUSH, list, &now, next, 0);
        if (plain->count == STATE_LIMIT) {
            return TOO_MANY;
        }
    }
    return NO_WAY;
}

/* random boards */

static void put_some(uint64_t *random, polar_board *board, polar_piece piece, uint32_t least, uint32_t most)
{
    for (uint32_t left = least + suite_random(random, most - least + 1); left > 0; left--) {
        const uint32_t cell =
            board_cell(board, suite_random(random, board->width), suite_random(random, board->height));
        if (board->cells[cell] == PIECE_EMPTY && cell != board->penguin) {
            board_set(board, cell, piece);
        }
    }
}

static void small_board(uint64_t *random, polar_board *board)
{
    board_clear(board, 3 + suite_random(random, 4), 3 + suite_random(random, 3));
    board->penguin = board_cell(board, suite_random(random, board->width), suite_random(random, board->height));
    put_some(random, board, PIECE_HOUSE, 1, 2);
    /* Most of the hearts away from the edge: along it few get home. */
    for (uint32_t left = 1 + suite_random(random, 3); left > 0; left--) {
        const uint32_t cell = board_cell(board, 1 + suite_random(random, board->width - 2u),
                                         1 + suite_random(random, board->height - 2u));
        if (board->cells[cell] == PIECE_EMPTY && cell != board->penguin) {
            board_set(board, cell, PIECE_HEART);
        }
    }
    put_some(random, board, PIECE_HEART, board->hearts == 0, 1);
    put_some(random, board, PIECE_BOMB, 0, 2);
    put_some(random, board, PIECE_ICE, 0, 2);
    put_some(random, board, PIECE_TREE, 0, 3);
    put_some(random, board, PIECE_MOUNTAIN, 0, 2);
}

static void require_clears(const polar_board *first, const polar_solution *solution)
{
    enum { ROOM = 20000 };
    static uint8_t headings[ROOM];
    polar_board board = *first;
    uint32_t pushes = 0;
    const size_t count = solution_moves(&board, solution->pushes, solution->count, headings, ROOM);
    REQUIRE(count <= ROOM);
    for (size_t i = 0; i < count; i++) {
        const polar_move move = board_move(&board, (polar_heading)headings[i]);
        REQUIRE(move.deed != DEED_NOTHING);
        pushes += move.deed == DEED_PUSH;
    }
    REQUIRE(board.hearts == 0);
    REQUIRE(pushes == solution->count);
}

START_TEST(small_boards_are_solved_with_as_few_pushes_as_a_plain_search_finds_or_proven_unsolvable_as_there)
{
    enum { BOARDS = 500, MEMORY = 8 << 20 };
    uint64_t random = suite_seed(POLAR_SEED);
    struct plain *plain = malloc(sizeof *plain);
    uint32_t cleared = 0, unsolvable = 0;
    for (uint32_t i = 0; i < BOARDS; i++) {
        const uint64_t seed = random;
        polar_board board;
        polar_solution solution;
        small_board(&random, &board);
        /* A width that is soon too small: what was left out must not be taken for looked at. */
        const solve_limits limits = {.memory = MEMORY, .width = 1 + i % 5};
        const int32_t expected = plain_solve(plain, &board);
        if (board.hearts == 0 || expected == TOO_MANY) {
            continue;
        }
        board_solve(&board, &limits, &solution, NULL);
        ck_assert_msg(solution.result == (expected == NO_WAY ? SOLVE_UNSOLVABLE : SOLVE_CLEARED) &&
                          (expected == NO_WAY || (solution.fewest && (int32_t)solution.count == expected)),
                      "board %u, state of chance %#" PRIx64 ": %d pushes, but the solver has %d and %u", i, seed,
                      expected, solution.result, solution.count);
        if (solution.result == SOLVE_CLEARED) {
            require_clears(&board, &solution);
        }
        cleared += expected > 0;
        unsolvable += expected == NO_WAY;
    }
    ck_assert_uint_ge(cleared, BOARDS / 10);
    ck_assert_uint_ge(unsolvable, BOARDS / 10);
    free(plain);
}
END_TEST

/* levels */

/* What stands behind the title: "; 12 pushes at least". */
static uint32_t promised(const polar_level *level)
{
    unsigned pushes = 0;
    ck_assert_int_eq(sscanf(level->title.text + level->title.length, " ; %u push", &pushes), 1);
    return pushes;
}

START_TEST(every_level_of_floe_is_cleared_in_as_few_pushes_as_it_says)
{
    static polar_pack pack;
    char *text = fixture_read("floe.polar", &pack);
    for (uint32_t i = 0; i < pack.count; i++) {
        const solve_limits limits = {.memory = 64 << 20};
        polar_board board;
        polar_solution solution;
        pack_board(&pack, i, &board);
        board_solve(&board, &limits, &solution, NULL);
        ck_assert_int_eq(solution.result, SOLVE_CLEARED);
        ck_assert(solution.fewest);
        ck_assert_msg(solution.count == promised(&pack.levels[i]), "level %u takes %u pushes", i + 1, solution.count);
        require_clears(&board, &solution);
    }
    free(text);
}
END_TEST

/* 8 hearts, 10 ice blocks, 4 bombs, 8 mountains on 24 by 4: seconds for all of them, on a machine of today. */
START_TEST(crowded_boards_of_the_original_s_size_are_cleared)
{
    static polar_pack pack;
    char *text = fixture_read("../../../tests/bench/crowded.polar", &pack);
    ck_assert_uint_eq(pack.count, 7);
    for (uint32_t i = 0; i < pack.count; i++) {
        const solve_limits limits = {.memory = 64 << 20, .any = true};
        polar_board board;
        polar_solution solution;
        pack_board(&pack, i, &board);
        ck_assert_uint_eq(board.hearts, 8);
        board_solve(&board, &limits, &solution, NULL);
        ck_assert_msg(solution.result == SOLVE_CLEARED, "level %u: %d", i + 1, solution.result);
        require_clears(&board, &solution);
    }
    free(text);
}
END_TEST

static void read_first(const char *rows, polar_board *board)
{
    static polar_pack pack;
    char text[1000], error[PACK_ERROR_SIZE];
    const int size = snprintf(text, sizeof text, "title: x\n%s", rows);
    ck_assert_msg(pack_read(&pack, "p", text, (size_t)size, error), "%s", error);
    pack_board(&pack, 0, board);
}

/* The first level of the original. */
static const char original[] = "100000000000000100000400\n"
                               "106020545000000000100100\n"
                               "100000000000000050002300\n"
                               "110000100000000000000000\n";

START_TEST(the_first_level_of_the_original_takes_14_pushes)
{
    const solve_limits limits = {.memory = 64 << 20};
    polar_board board;
    polar_solution solution;
    read_first(original, &board);
    board_solve(&board, &limits, &solution, NULL);
    ck_assert(solution.result == SOLVE_CLEARED && solution.fewest);
    ck_assert_uint_eq(solution.count, 14);
    require_clears(&board, &solution);
}
END_TEST

/* Boards that nothing clears, and why. */
static const struct {
    const char *why, *rows;
} hopeless[] = {
    {"a heart in a corner", "000005\n000000\n000300\n000000\n"},
    {"a heart on an edge without a house", "000500\n000000\n000300\n000000\n"},
    {"two hearts side by side on the edge of their house", "start: 1 0 south\n3005500\n0000000\n0000000\n"},
    {"a heart on the edge below", "000000\n000000\n003000\n000050\n"},
    {"a heart on the edge to the left", "000000\n500000\n003000\n000000\n"},
    {"a heart on the edge to the right", "000000\n000005\n003000\n000000\n"},
    {"nothing stops the heart in the middle", "000000\n050000\n000000\n003000\n000000\n"},
    {"nobody can get behind the heart", "start: 1 0 east\n500003\n000000\n000000\n"},
    {"a mountain before the house, and no bomb", "0022230\n0522220\n0022220\n"},
    {"the bomb is in a corner", "start: 1 0 south\n6022230\n0522220\n0022220\n"},
    {"the penguin is shut in", "020000\n205030\n020000\n"},
    {"four hearts that hold each other", "0000000\n0002200\n0025520\n0025520\n0002200\n0000003\n"},
};

START_TEST(what_cannot_be_cleared_is_proven)
{
    const solve_limits limits = {.memory = 4 << 20};
    polar_board board;
    polar_solution solution;
    read_first(hopeless[_i].rows, &board);
    board_solve(&board, &limits, &solution, NULL);
    ck_assert_msg(solution.result == SOLVE_UNSOLVABLE, "%s: %d", hopeless[_i].why, solution.result);
    ck_assert_uint_eq(solution.count, 0);
}
END_TEST

/* limits */

static const char hard[] = "start: 2 1 south\n"
                           "100100010400440204004000\n"
                           "000500000260640600500051\n"
                           "004005315024005505020060\n"
                           "000000021020240000201014\n";

START_TEST(what_does_not_fit_into_the_memory_is_not_known)
{
    polar_board board;
    polar_solution solution;
    solve_progress progress;
    read_first(hard, &board);
    solve_limits limits = {.memory = SOLVE_LEAST_MEMORY};
    board_solve(&board, &limits, &solution, &progress);
    ck_assert_int_eq(solution.result, SOLVE_UNKNOWN);
    ck_assert(solution.full);
    ck_assert_uint_gt(progress.memory, SOLVE_LEAST_MEMORY / 2);
    ck_assert_uint_le(progress.memory, SOLVE_LEAST_MEMORY);
    limits.memory = SOLVE_LEAST_MEMORY - 1;
    board_solve(&board, &limits, &solution, &progress);
    ck_assert_int_eq(solution.result, SOLVE_UNKNOWN);
    ck_assert(solution.full);
    ck_assert_uint_eq(progress.positions, 0);
}
END_TEST

START_TEST(a_limit_of_positions_ends_it_in_the_same_way_every_time)
{
    enum { POSITIONS = 20000 };
    const solve_limits limits = {.memory = 16 << 20, .positions = POSITIONS};
    polar_board board;
    polar_solution solution;
    solve_progress progress[2];
    read_first(hard, &board);
    for (uint32_t i = 0; i < 2; i++) {
        board_solve(&board, &limits, &solution, &progress[i]);
        ck_assert_int_eq(solution.result, SOLVE_UNKNOWN);
        ck_assert(!solution.full);
        ck_assert_uint_ge(progress[i].positions, POSITIONS);
        ck_assert_uint_lt(progress[i].positions, POSITIONS + 100);
    }
    ck_assert_mem_eq(&progress[0], &progress[1], sizeof progress[0]);
}
END_TEST

struct witness {
    uint32_t asked;
    solve_progress last;
};

/* Until there is a solution. */
static bool go_on(void *context, const solve_progress *progress)
{
    struct witness *witness = context;
    witness->asked++;
    witness->last = *progress;
    return progress->best == 0;
}

START_TEST(who_is_asked_whether_to_go_on_hears_how_far_it_is_and_can_stop_it)
{
    struct witness witness = {0};
    const solve_limits limits = {.memory = 64 << 20, .go_on = go_on, .context = &witness, .width = 8};
    polar_board board;
    polar_solution solution;
    solve_progress progress;
    read_first(original, &board);
    board_solve(&board, &limits, &solution, &progress);
    ck_assert_int_eq(solution.result, SOLVE_CLEARED);
    ck_assert(!solution.fewest && !solution.full);
    ck_assert_uint_gt(witness.asked, 0);
    ck_assert_uint_eq(witness.last.best, solution.count);
    ck_assert_uint_gt(witness.last.memory, 0);
    ck_assert_uint_eq(progress.positions, witness.last.positions);
    require_clears(&board, &solution);
}
END_TEST

START_TEST(any_solution_is_the_first_one)
{
    const solve_limits limits = {.memory = 64 << 20, .any = true, .width = 8};
    polar_board board;
    polar_solution solution;
    read_first(original, &board);
    board_solve(&board, &limits, &solution, NULL);
    ck_assert_int_eq(solution.result, SOLVE_CLEARED);
    ck_assert(!solution.fewest);
    require_clears(&board, &solution);
}
END_TEST

START_TEST(a_cleared_board_takes_no_push)
{
    const solve_limits limits = {.memory = SOLVE_LEAST_MEMORY};
    polar_board board;
    polar_solution solution;
    board_clear(&board, 3, 3);
    board_solve(&board, &limits, &solution, NULL);
    ck_assert(solution.result == SOLVE_CLEARED && solution.fewest);
    ck_assert_uint_eq(solution.count, 0);
}
END_TEST

START_TEST(boards_of_any_size_are_solved)
{
    static const uint32_t sides[] = {3, 31, 32, 33, 63, 64};
    enum { SIDES = sizeof sides / sizeof sides[0] };
    const solve_limits limits = {.memory = 16 << 20};
    for (uint32_t i = 0; i < SIDES * SIDES; i++) {
        const uint32_t width = sides[i % SIDES], height = sides[i / SIDES];
        polar_board board;
        polar_solution solution;
        board_clear(&board, width, height);
        board_set(&board, board_cell(&board, 1, height - 1), PIECE_HEART);
        board_set(&board, board_cell(&board, width - 1, height - 1), PIECE_HOUSE);
        board_solve(&board, &limits, &solution, NULL);
        ck_assert(solution.result == SOLVE_CLEARED && solution.fewest);
        ck_assert_uint_eq(solution.count, 1);
        require_clears(&board, &solution);
        board_set(&board, board_cell(&board, width - 1, 1), PIECE_HEART);
        board_solve(&board, &limits, &solution, NULL);
        ck_assert_int_eq(solution.result, SOLVE_CLEARED);
        ck_assert_uint_eq(solution.count, 2);
        board_set(&board, board_cell(&board, 0, 0), PIECE_HEART);
        board_solve(&board, &limits, &solution, NULL);
        ck_assert_int_eq(solution.result, SOLVE_UNSOLVABLE);
    }
}
END_TEST

/* walking */

START_TEST(between_pushes_the_penguin_takes_the_fewest_turns_and_steps)
{
    static const polar_push pushes[] = {{0, HEADING_WEST}, {0, HEADING_SOUTH}};
    polar_push made[2];
    polar_board board;
    uint8_t headings[64];
    char text[64];
    read_first("start: 2 0 north\n00000\n00400\n00000\n10003\n00005\n", &board);
    memcpy(made, pushes, sizeof made);
    made[0].cell = board_cell(&board, 2, 1);
    made[1].cell = board_cell(&board, 0, 1);
    const size_t count = solution_moves(&board, made, 2, headings, 64);
    moves_write(headings, count, text, sizeof text);
    /* Round the ice, not over it; and what it would take is told where there is no room. */
    ck_assert_str_eq(text, "E4 N2 W2 N2 W4 S2");
    ck_assert_uint_eq(solution_moves(&board, made, 2, headings, 3), count);
    made[1].heading = HEADING_EAST; /* from the edge */
    ck_assert_uint_eq(solution_moves(&board, made, 2, headings, 64), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("polar_solve");
    TCase *tcase = tcase_create("polar_solve");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, what_cannot_be_cleared_is_proven, 0, sizeof hopeless / sizeof hopeless[0]);
    tcase_add_test(tcase, every_level_of_floe_is_cleared_in_as_few_pushes_as_it_says);
    tcase_add_test(tcase, crowded_boards_of_the_original_s_size_are_cleared);
    tcase_add_test(tcase, the_first_level_of_the_original_takes_14_pushes);
    tcase_add_test(tcase,
                   small_boards_are_solved_with_as_few_pushes_as_a_plain_search_finds_or_proven_unsolvable_as_there);
    tcase_add_test(tcase, what_does_not_fit_into_the_memory_is_not_known);
    tcase_add_test(tcase, a_limit_of_positions_ends_it_in_the_same_way_every_time);
    tcase_add_test(tcase, who_is_asked_whether_to_go_on_hears_how_far_it_is_and_can_stop_it);
    tcase_add_test(tcase, any_solution_is_the_first_one);
    tcase_add_test(tcase, a_cleared_board_takes_no_push);
    tcase_add_test(tcase, boards_of_any_size_are_solved);
    tcase_add_test(tcase, between_pushes_the_penguin_takes_the_fewest_turns_and_steps);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
