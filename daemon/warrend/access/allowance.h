/* allowance.h: how many requests somebody may send: so many a second, and what was not used is kept for a moment. */
#ifndef WARREN_ALLOWANCE_H
#define WARREN_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_ALLOWANCE_SECONDS = 2 }; /* for so long it is kept: a burst has as many times the rate */

typedef struct wn_allowance {
    uint64_t tokens; /* thousandths of a request */
    uint64_t as_of_ms;
} wn_allowance;

/* One of which nothing was used yet. */
wn_allowance wn_allowance_whole(uint64_t now_ms);
/* Takes a request out of it, at `rate` requests a second. false: there is none left. */
bool wn_allowance_take(wn_allowance *allowance, uint32_t rate, uint64_t now_ms);
/* Has nothing been taken for so long that it is whole again, whatever the rate? */
bool wn_allowance_is_whole(const wn_allowance *allowance, uint64_t now_ms);

#endif
