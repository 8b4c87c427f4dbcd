/* allowance.c: see allowance.h. A token bucket. */
#include "access/allowance.h"

enum { REQUEST_TOKENS = 1000 }; /* so a request a second is one token a millisecond */

wn_allowance wn_allowance_whole(uint64_t now_ms)
{
    return (wn_allowance){.tokens = UINT64_MAX, .as_of_ms = now_ms}; /* cut down to the rate when it is looked at */
}

bool wn_allowance_take(wn_allowance *allowance, uint32_t rate, uint64_t now_ms)
{
    const uint64_t most = (uint64_t)rate * WN_ALLOWANCE_SECONDS * REQUEST_TOKENS;
    if (allowance->tokens < most) {
        allowance->tokens += (now_ms - allowance->as_of_ms) * rate;
    }
    if (allowance->tokens > most) {
        allowance->tokens = most;
    }
    allowance->as_of_ms = now_ms;
    if (allowance->tokens < REQUEST_TOKENS) {
        return false;
    }
    allowance->tokens -= REQUEST_TOKENS;
    return true;
}

bool wn_allowance_is_whole(const wn_allowance *allowance, uint64_t now_ms)
{
    return now_ms - allowance->as_of_ms >= WN_ALLOWANCE_SECONDS * 1000;
}
