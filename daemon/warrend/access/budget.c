/* budget.c: see budget.h.
 */
#include "access/budget.h"

bool wn_budget_has(wn_budget *budget, const wn_budget_limit *limit, int64_t now_us, int64_t *wait_us)
{
    const int64_t back = (now_us - budget->as_of_us) / limit->share;
    budget->spent_us = back < budget->spent_us ? budget->spent_us - back : 0;
    budget->as_of_us += back * limit->share; /* what is too little to come back yet is not lost */
    *wait_us = (budget->spent_us - limit->most_us + 1) * limit->share;
    return budget->spent_us < limit->most_us;
}

void wn_budget_spend(wn_budget *budget, int64_t us)
{
    budget->spent_us += us > 0 ? us : 0;
}
