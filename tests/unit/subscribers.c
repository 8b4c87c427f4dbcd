/* subscribers.c: the count of a view's subscribers is never too low, whatever connections do, and right while they behave.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "subscribers.h"

enum { CONNECTIONS = 6, ROUNDS = 300, ACTS = 200 };

static wn_subscribers subscribers;

static void start(void)
{
    subscribers = (wn_subscribers){0};
}

static void stop(void)
{
    wn_subscribers_free(&subscribers);
}

START_TEST(one_who_subscribes_twice_counts_once)
{
    wn_subscribers_add(&subscribers, 7);
    wn_subscribers_add(&subscribers, 7);
    ck_assert_uint_eq(wn_subscribers_count(&subscribers), 1);
    wn_subscribers_closed(&subscribers);
    ck_assert_uint_eq(wn_subscribers_count(&subscribers), 0);
}
END_TEST

START_TEST(one_who_was_not_subscribed_takes_nothing_away)
{
    wn_subscribers_add(&subscribers, 7);
    ck_assert(!wn_subscribers_remove(&subscribers, 8));
    ck_assert_uint_eq(wn_subscribers_count(&subscribers), 1);
}
END_TEST

START_TEST(a_descriptor_used_again_counts_again)
{
    wn_subscribers_add(&subscribers, 7);
    wn_subscribers_add(&subscribers, 8);
    wn_subscribers_closed(&subscribers);
    wn_subscribers_add(&subscribers, 7);
    ck_assert_uint_eq(wn_subscribers_count(&subscribers), 2);
}
END_TEST

/* Connections open, close, subscribe (twice, too) and unsubscribe (without having subscribed, too) as chance has it;
 * descriptors are used again. */
START_TEST(the_count_is_never_less_than_the_subscribers_there_are)
{
    const char *given = getenv("WARREN_SEED");
    unsigned seed = given != NULL ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    printf("WARREN_SEED=%u\n", seed);
    srandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
        bool subscribed[CONNECTIONS] = {false};
        start();
        for (int act = 0; act < ACTS; act++) {
            const int fd = (int)(random() % CONNECTIONS);
            const long what = random() % 3;
            if (what == 0) {
                wn_subscribers_add(&subscribers, fd);
                subscribed[fd] = true;
            } else if (what == 1) {
                wn_subscribers_remove(&subscribers, fd);
                subscribed[fd] = false;
            } else if (subscribed[fd]) {
                wn_subscribers_closed(&subscribers);
                subscribed[fd] = false;
            }
            uint32_t live = 0;
            for (int i = 0; i < CONNECTIONS; i++) {
                live += subscribed[i] ? 1 : 0;
            }
            ck_assert_uint_ge(wn_subscribers_count(&subscribers), live);
        }
        stop();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("subscribers");
    TCase *tests = tcase_create("counting");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, one_who_subscribes_twice_counts_once);
    tcase_add_test(tests, one_who_was_not_subscribed_takes_nothing_away);
    tcase_add_test(tests, a_descriptor_used_again_counts_again);
    tcase_add_test(tests, the_count_is_never_less_than_the_subscribers_there_are);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
