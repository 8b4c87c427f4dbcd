/* suite.h: what the tests of many parts share: their chance, conditions that are asked often, and running a suite of
 * one case.
 */
#ifndef WARREN_TESTS_SUITE_H
#define WARREN_TESTS_SUITE_H

#include <stddef.h>
#include <stdint.h>

#include <check.h>

/* As ck_assert(), which notes each of its calls in a file: this one costs nothing where it is asked a million times. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            ck_abort_msg("%s", #condition);                                                                            \
        }                                                                                                              \
    } while (0)

/* WARREN_SEED, or `usual` if it is not set. suite_seed() prints it as well, so that a failure can be run again. */
uint64_t suite_given_seed(uint64_t usual);
uint64_t suite_seed(uint64_t usual);

/* Chance of the test's own: splitmix64, from any state. */
uint64_t suite_random64(uint64_t *state);
/* From 0 to below - 1. */
uint32_t suite_random(uint64_t *state, uint32_t below);

/* Runs the tests; the program's exit status. RUN("name", a_test, another_test) is a main() that does. */
int suite_run(const char *name, const TTest *const *tests, size_t count);
/* The same with what each test begins and ends with. */
int suite_run_with(const char *name, const TTest *const *tests, size_t count, void (*setup)(void),
                   void (*teardown)(void));
#define RUN(name, ...)                                                                                                 \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return suite_run(name, tests, sizeof tests / sizeof tests[0]);                                                 \
    }

#endif
