/* polar_fixture.h: what the tests of polar share: chance, packs from files and from strings, strips of a board. */
#ifndef POLAR_FIXTURE_H
#define POLAR_FIXTURE_H

#include "board.h"
#include "moves.h"
#include "pack.h"

#include <check.h>

/* As ck_assert(), which notes each of its calls in a file: this one costs nothing where it is asked a million times. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            ck_abort_msg("%s", #condition);                                                                            \
        }                                                                                                              \
    } while (0)

/* From WARREN_SEED, or a fixed one; printed, so that a failure can be run again. */
uint64_t fixture_seed(void);
/* Chance of the test's own (splitmix64). */
uint32_t fixture_random(uint64_t *state, uint32_t below);

/* Reads a file of the levels folder, or fails. Free the text after the pack. */
char *fixture_read(const char *name, polar_pack *pack);
/* Plays moves in the notation; returns how many did something. */
uint32_t fixture_play(polar_board *board, const char *moves);
/* A board of random pieces. */
void fixture_random_board(uint64_t *state, polar_board *board);

int fixture_run(const char *name, const TTest *const *tests, size_t count);
#define RUN(name, ...)                                                                                                 \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return fixture_run(name, tests, sizeof tests / sizeof tests[0]);                                               \
    }

#endif
