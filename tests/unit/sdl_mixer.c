/* sdl_mixer.c: many voices together, volume, places, and two threads; on samples of its own, as loud as can be. */
#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "mixer.h"

enum { LENGTH = 20000, BLOCK = WN_MIXER_SAME };

static int16_t high[LENGTH], low[LENGTH], soft[LENGTH];
const wn_sample wn_cue_samples[] = {{"high", high, LENGTH}, {"low", low, LENGTH}, {"soft", soft, 1000}};
const size_t wn_sample_count = 3;

static wn_mixer mixer;
static int16_t pairs[BLOCK * 2];
static const wn_hearing loud = {255, 255};

static void setup(void)
{
    for (size_t i = 0; i < LENGTH; i++) {
        high[i] = 32767;
        low[i] = -32768;
        soft[i] = 1000;
    }
    mixer = (wn_mixer){0};
    wn_mixer_set_volume(&mixer, 100);
    wn_mixer_mix(&mixer, pairs, BLOCK); /* the volume has come up */
}

START_TEST(silence_is_silent)
{
    wn_mixer_mix(&mixer, pairs, BLOCK);
    for (size_t i = 0; i < BLOCK * 2; i++) {
        ck_assert_int_eq(pairs[i], 0);
    }
    ck_assert(!wn_mixer_play(&mixer, "nothing like it", loud));
}
END_TEST

START_TEST(a_cue_sounds_once_as_it_is)
{
    ck_assert(wn_mixer_play(&mixer, "soft", loud));
    for (size_t block = 0, heard = 0; block < 3; block++) {
        wn_mixer_mix(&mixer, pairs, BLOCK);
        for (size_t i = 0; i < BLOCK; i++, heard++) {
            ck_assert_int_eq(pairs[i * 2], heard < 1000 ? 1000 : 0);
            ck_assert_int_eq(pairs[i * 2 + 1], pairs[i * 2]);
        }
    }
}
END_TEST

START_TEST(many_voices_are_pressed_and_do_not_overflow)
{
    static const char *const cues[] = {"high", "low"};
    int32_t before = 0;
    for (size_t voice = 0; voice < WN_VOICES * 2; voice++) {
        ck_assert(wn_mixer_play(&mixer, cues[_i], loud));
        wn_mixer_mix(&mixer, pairs, BLOCK);
        const int32_t size = _i == 0 ? pairs[BLOCK] : -pairs[BLOCK];
        ck_assert_int_gt(size, 24000);
        ck_assert_int_le(size, 32767);
        ck_assert_int_ge(size, before);
        before = size;
    }
}
END_TEST

START_TEST(the_same_cue_again_at_once_is_one_sound)
{
    for (size_t i = 0; i < 12; i++) {
        ck_assert(wn_mixer_play(&mixer, "soft", (wn_hearing){(uint8_t)(i * 20), (uint8_t)(255 - i * 20)}));
    }
    wn_mixer_mix(&mixer, pairs, 1);
    ck_assert_int_eq(pairs[0], 1000 * 220 / 255); /* as loud in each ear as the loudest of them */
    ck_assert_int_eq(pairs[1], 1000);
}
END_TEST

START_TEST(more_than_can_wait_is_not_heard)
{
    for (size_t i = 0; i < WN_MIXER_WAITING; i++) {
        ck_assert(wn_mixer_play(&mixer, "soft", loud));
    }
    ck_assert(!wn_mixer_play(&mixer, "soft", loud));
    wn_mixer_mix(&mixer, pairs, 1);
    ck_assert(wn_mixer_play(&mixer, "soft", loud));
}
END_TEST

START_TEST(the_volume_glides)
{
    ck_assert(wn_mixer_play(&mixer, "high", loud));
    wn_mixer_mix(&mixer, pairs, BLOCK);
    int32_t before = pairs[BLOCK * 2 - 1];
    wn_mixer_set_volume(&mixer, 0);
    wn_mixer_mix(&mixer, pairs, BLOCK);
    for (size_t i = 0; i < BLOCK; i++) {
        ck_assert_int_le(pairs[i * 2], before);
        ck_assert_int_le(before - pairs[i * 2], 400);
        before = pairs[i * 2];
    }
    ck_assert_int_eq(before, 0);
    wn_mixer_set_volume(&mixer, 50);
    wn_mixer_mix(&mixer, pairs, BLOCK);
    ck_assert_int_eq(pairs[BLOCK * 2 - 1], 32767 / 4);
}
END_TEST

START_TEST(what_is_on_the_right_is_louder_there_and_what_is_far_is_soft)
{
    const wn_hearing here = wn_hear(0, 0, 0), east = wn_hear(4, 0, 0), west = wn_hear(-4, 0, 0),
                     far = wn_hear(40, 0, 0);
    ck_assert(here.left == 255 && here.right == 255);
    ck_assert(east.right > east.left && west.left > west.right);
    ck_assert(east.right == west.left && east.left == west.right);
    ck_assert(far.right < east.right / 4);
    const wn_hearing turned = wn_hear(4, 0, 3.14159265F); /* looking south, the east is on the left */
    ck_assert(turned.left > turned.right);
    const wn_hearing ahead = wn_hear(4, 0, 1.57079633F);
    ck_assert_int_le(abs(ahead.left - ahead.right), 1);
    const wn_hearing nowhere = wn_hear(NAN, 0, 0);
    ck_assert(nowhere.left == 0 && nowhere.right == 0);
}
END_TEST

static void *play_many(void *done)
{
    for (int i = 0; i < 20000; i++) {
        wn_mixer_play(&mixer, i % 2 ? "soft" : "high", loud);
        wn_mixer_set_volume(&mixer, (uint32_t)i % 101);
    }
    atomic_store((atomic_bool *)done, true);
    return NULL;
}

START_TEST(two_threads_need_not_wait_for_each_other)
{
    atomic_bool done = false;
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, play_many, &done), 0);
    while (!atomic_load(&done)) {
        wn_mixer_mix(&mixer, pairs, BLOCK);
    }
    pthread_join(thread, NULL);
    wn_mixer_mix(&mixer, pairs, BLOCK);
    ck_assert_uint_eq(atomic_load(&mixer.asked), atomic_load(&mixer.taken));
    ck_assert_uint_gt(atomic_load(&mixer.taken), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sdl mixer");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, silence_is_silent);
    tcase_add_test(tests, a_cue_sounds_once_as_it_is);
    tcase_add_loop_test(tests, many_voices_are_pressed_and_do_not_overflow, 0, 2);
    tcase_add_test(tests, the_same_cue_again_at_once_is_one_sound);
    tcase_add_test(tests, more_than_can_wait_is_not_heard);
    tcase_add_test(tests, the_volume_glides);
    tcase_add_test(tests, what_is_on_the_right_is_louder_there_and_what_is_far_is_soft);
    tcase_add_test(tests, two_threads_need_not_wait_for_each_other);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
