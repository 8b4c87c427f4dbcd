/* pace.c: how fast a recording is played. See pace.h. */
#include "pace.h"

enum { MOST_BURST = 4096, SHORT_MS = 20, LONG_MS = 60 };

static const double longest_arrears = 0.25; /* seconds */

/* rate 0: as fast as it goes. */
static const struct {
    const char *name;
    double rate;
} speeds[] = {{"0.25x", 0.25}, {"0.5x", 0.5}, {"1x", 1},   {"2x", 2},   {"4x", 4},
              {"8x", 8},       {"16x", 16},   {"32x", 32}, {"64x", 64}, {"max", 0}};
enum { SPEEDS = sizeof speeds / sizeof *speeds, USUAL = 2 };

static double turns_per_ms(const wn_pace *pace)
{
    return speeds[pace->speed].rate * WN_PACE_TURNS / 1000;
}

void wn_pace_init(wn_pace *pace)
{
    *pace = (wn_pace){.speed = USUAL, .burst = 1};
}

void wn_pace_start(wn_pace *pace, int64_t now)
{
    pace->since = now;
    pace->owed = 0;
}

bool wn_pace_faster(wn_pace *pace)
{
    const bool can = pace->speed + 1 < SPEEDS;
    pace->speed += can;
    return can;
}

bool wn_pace_slower(wn_pace *pace)
{
    const bool can = pace->speed > 0;
    pace->speed -= can;
    return can;
}

const char *wn_pace_name(const wn_pace *pace)
{
    return speeds[pace->speed].name;
}

uint64_t wn_pace_due(wn_pace *pace, int64_t now)
{
    const double rate = turns_per_ms(pace), most = rate * 1000 * longest_arrears + 1;
    if (rate <= 0) {
        pace->since = now;
        return pace->burst;
    }
    pace->owed += (double)(now - pace->since) * rate;
    pace->owed = pace->owed > most ? most : pace->owed;
    pace->since = now;
    const uint64_t due = (uint64_t)pace->owed;
    pace->owed -= (double)due;
    return due;
}

int64_t wn_pace_next(const wn_pace *pace, int64_t now)
{
    const double rate = turns_per_ms(pace);
    if (rate <= 0) {
        return now;
    }
    const int64_t whole = pace->since + (int64_t)((1 - pace->owed) / rate) + 1;
    return whole < now + WN_PACE_FRAME_MS ? now + WN_PACE_FRAME_MS : whole;
}

void wn_pace_took(wn_pace *pace, int64_t milliseconds)
{
    if (milliseconds < SHORT_MS && pace->burst < MOST_BURST) {
        pace->burst *= 2;
    } else if (milliseconds > LONG_MS && pace->burst > 1) {
        pace->burst /= 2;
    }
}
