/* interface_pace.c: how many turns of a recording are due, at every speed and in every rhythm of asking. */
#include "pace.h"
#include "suite.h"

/* Turns that were due within so many milliseconds, asked whenever it says. */
static uint64_t played(wn_pace *pace, int64_t milliseconds)
{
    uint64_t turns = 0;
    int64_t now = 1000;
    wn_pace_start(pace, now);
    while (now < 1000 + milliseconds) {
        const int64_t next = wn_pace_next(pace, now);
        ck_assert_int_ge(next, now);
        now = next > now ? next : now + 1;
        turns += wn_pace_due(pace, now);
    }
    return turns;
}

START_TEST(every_speed_plays_its_turns_in_a_second)
{
    static const double rates[] = {0.25, 0.5, 1, 2, 4, 8, 16, 32, 64};
    wn_pace pace;
    wn_pace_init(&pace);
    ck_assert_str_eq(wn_pace_name(&pace), "1x");
    while (wn_pace_slower(&pace)) {
    }
    ck_assert_str_eq(wn_pace_name(&pace), "0.25x");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const double expected = rates[i] * WN_PACE_TURNS * 10;
        const double turns = (double)played(&pace, 10000);
        ck_assert_msg(turns >= expected * 0.98 - 1 && turns <= expected * 1.02 + 1, "%s: %g turns in 10 s, not %g",
                      wn_pace_name(&pace), turns, expected);
        ck_assert(wn_pace_faster(&pace));
    }
    ck_assert_str_eq(wn_pace_name(&pace), "max");
    ck_assert(!wn_pace_faster(&pace));
}
END_TEST

START_TEST(a_pause_of_the_machine_is_not_made_good)
{
    wn_pace pace;
    wn_pace_init(&pace);
    wn_pace_start(&pace, 0);
    ck_assert_uint_le(wn_pace_due(&pace, 3600 * 1000), 3);
}
END_TEST

START_TEST(nothing_is_due_before_its_time)
{
    wn_pace pace;
    wn_pace_init(&pace);
    wn_pace_start(&pace, 0);
    ck_assert_uint_eq(wn_pace_due(&pace, 100), 0);
    ck_assert_uint_eq(wn_pace_due(&pace, 126), 1);
    ck_assert_uint_eq(wn_pace_due(&pace, 126), 0);
}
END_TEST

START_TEST(as_fast_as_it_goes_takes_as_many_turns_as_a_frame_holds)
{
    wn_pace pace;
    wn_pace_init(&pace);
    while (wn_pace_faster(&pace)) {
    }
    const uint64_t first = wn_pace_due(&pace, 0);
    wn_pace_took(&pace, 1);
    wn_pace_took(&pace, 1);
    ck_assert_uint_eq(wn_pace_due(&pace, 0), first * 4);
    wn_pace_took(&pace, 1000);
    ck_assert_uint_eq(wn_pace_due(&pace, 0), first * 2);
    for (int i = 0; i < 100; i++) {
        wn_pace_took(&pace, 1000);
    }
    ck_assert_uint_eq(wn_pace_due(&pace, 0), 1);
}
END_TEST

RUN("interface_pace", every_speed_plays_its_turns_in_a_second, a_pause_of_the_machine_is_not_made_good,
    nothing_is_due_before_its_time, as_fast_as_it_goes_takes_as_many_turns_as_a_frame_holds)
