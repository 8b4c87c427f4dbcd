/* Budgets of time: so much in a row, then a share of what passes.
 */
#include "access/budget.h"
#include "suite.h"

static const wn_budget_limit limit = {.most_us = 1000, .share = 5};

START_TEST(so_much_in_a_row_and_then_a_share_of_the_time_that_passes)
{
    wn_budget budget = {0};
    int64_t wait = 0;
    ck_assert(wn_budget_has(&budget, &limit, 1000000, &wait));
    wn_budget_spend(&budget, 999);
    ck_assert(wn_budget_has(&budget, &limit, 1000000, &wait));
    wn_budget_spend(&budget, 501);
    ck_assert(!wn_budget_has(&budget, &limit, 1000000, &wait));
    ck_assert_int_eq(wait, 501 * 5);
    ck_assert(!wn_budget_has(&budget, &limit, 1000000 + wait - 1, &wait));
    ck_assert_int_eq(wait, 5);
    ck_assert(wn_budget_has(&budget, &limit, 1000000 + 501 * 5, &wait));
    ck_assert(wn_budget_has(&budget, &limit, 100000000, &wait));
    ck_assert_int_eq(budget.spent_us, 0); /* no more is saved up than there was */
}
END_TEST

START_TEST(who_asks_all_the_time_gets_the_share_and_not_more)
{
    wn_budget budget = {0};
    int64_t wait = 0, spent = 0;
    enum { PASSING_US = 1000000, EACH_US = 70 };
    for (int64_t now = 0; now < PASSING_US; now++) {
        if (wn_budget_has(&budget, &limit, now, &wait)) {
            wn_budget_spend(&budget, EACH_US);
            spent += EACH_US;
        }
    }
    ck_assert_int_ge(spent, PASSING_US / limit.share);
    ck_assert_int_le(spent, PASSING_US / limit.share + limit.most_us + EACH_US);
}
END_TEST

RUN("budget", so_much_in_a_row_and_then_a_share_of_the_time_that_passes,
    who_asks_all_the_time_gets_the_share_and_not_more)
