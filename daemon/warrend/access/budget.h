/* budget.h: time of the daemon's that requests of one kind may take, so that whoever asks for what is costly, as often
 * as one may ask, leaves the rest to others: so much in a row, and a share of the time that passes.
 */
#ifndef WARREN_BUDGET_H
#define WARREN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: nothing was spent yet. */
typedef struct wn_budget {
    int64_t spent_us, as_of_us;
} wn_budget;

typedef struct wn_budget_limit {
    int64_t most_us; /* in a row */
    int64_t share;   /* one part in so many of the time that passes comes back */
} wn_budget_limit;

/* Is some of it left? Else `wait_us` is how long it takes until there is. */
bool wn_budget_has(wn_budget *budget, const wn_budget_limit *limit, int64_t now_us, int64_t *wait_us);
void wn_budget_spend(wn_budget *budget, int64_t us);

#endif
