/* suite.c: see suite.h. */
#include "suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEST_SECONDS = 100 }; /* as long as one test may take on a slow machine, with sanitizers */

uint64_t suite_given_seed(uint64_t usual)
{
    const char *given = getenv("WARREN_SEED");
    return given != NULL ? strtoull(given, NULL, 0) : usual;
}

uint64_t suite_seed(uint64_t usual)
{
    const uint64_t seed = suite_given_seed(usual);
    printf("WARREN_SEED=%" PRIu64 "\n", seed);
    fflush(stdout); /* before a test that kills its process */
    return seed;
}

uint64_t suite_random64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t suite_random(uint64_t *state, uint32_t below)
{
    return (uint32_t)((suite_random64(state) >> 32) * below >> 32);
}

int suite_run(const char *name, const TTest *const *tests, size_t count)
{
    return suite_run_with(name, tests, count, NULL, NULL);
}

int suite_run_with(const char *name, const TTest *const *tests, size_t count, void (*setup)(void),
                   void (*teardown)(void))
{
    Suite *suite = suite_create(name);
    TCase *all = tcase_create(name);
    tcase_set_timeout(all, TEST_SECONDS);
    tcase_add_checked_fixture(all, setup, teardown);
    for (size_t i = 0; i < count; i++) {
        tcase_add_test(all, tests[i]);
    }
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
