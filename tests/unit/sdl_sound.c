/* sdl_sound.c: the built-in cues, and SDL's device: one that plays nowhere, and none at all. */
#include <SDL.h>
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sound.h"
#include "synth.h"

/* Those that warren.proto and warren/mode.h name. */
static const char *const cues[] = {"step",  "dig",     "hit", "hurt", "die", "grow",
                                   "shoot", "explode", "win", "lose", "pick"};

enum { CUES = sizeof cues / sizeof *cues };

static const wn_sample *find(const char *name)
{
    for (size_t i = 0; i < wn_sample_count; i++) {
        if (!strcmp(wn_cue_samples[i].name, name)) {
            return &wn_cue_samples[i];
        }
    }
    return NULL;
}

START_TEST(every_cue_can_be_heard_and_neither_clips_nor_clicks)
{
    const wn_sample *sample = find(cues[_i]);
    ck_assert_ptr_nonnull(sample);
    ck_assert_uint_ge(sample->length, WN_SAMPLE_RATE / 50);
    ck_assert_uint_le(sample->length, WN_SAMPLE_RATE * 2);
    int32_t most = 0;
    uint64_t energy = 0;
    for (size_t i = 0; i < sample->length; i++) {
        const int32_t size = abs(sample->samples[i]);
        most = size > most ? size : most;
        energy += (uint64_t)size * (uint64_t)size;
    }
    ck_assert_int_le(most, 32767 * 8 / 10);
    ck_assert_int_ge(most, 3000);
    ck_assert_uint_ge(energy / sample->length, 300 * 300);
    ck_assert_int_eq(sample->samples[0], 0);
    for (size_t i = 0; i < 4; i++) { /* less than a 60th of full scale, both ways in */
        ck_assert_int_le(abs(sample->samples[sample->length - 1 - i]), 500);
    }
}
END_TEST

START_TEST(every_cue_of_the_file_is_one_that_modes_may_name)
{
    ck_assert_uint_eq(wn_sample_count, CUES);
}
END_TEST

START_TEST(sdl_takes_what_the_mixer_makes)
{
    ck_assert_int_eq(setenv("SDL_AUDIODRIVER", "dummy", 1), 0);
    wn_sound *sound = wn_sound_new(70);
    ck_assert_ptr_nonnull(sound);
    ck_assert_msg(!wn_sound_why_silent(sound), "%s", wn_sound_why_silent(sound));
    for (size_t round = 0; round < 20; round++) {
        for (size_t i = 0; i < CUES; i++) {
            wn_sound_play(sound, cues[i], wn_hear((float)i, 0, 0));
        }
        wn_sound_set_volume(sound, round % 2 == 0 ? 0 : 70);
        SDL_PumpEvents();
    }
    wn_sound_set_volume(sound, 1000);
    wn_sound_play(sound, "step", wn_hear(0, 0, 0));
    wn_sound_free(sound);
}
END_TEST

START_TEST(without_a_device_all_is_silent_and_says_why)
{
    ck_assert_int_eq(setenv("SDL_AUDIODRIVER", "no such driver", 1), 0);
    wn_sound *sound = wn_sound_new(70);
    ck_assert_ptr_nonnull(sound);
    ck_assert_ptr_nonnull(wn_sound_why_silent(sound));
    ck_assert_int_eq(strncmp(wn_sound_why_silent(sound), "No sound: ", 10), 0);
    wn_sound_play(sound, "step", wn_hear(0, 0, 0));
    wn_sound_set_volume(sound, 0);
    wn_sound_free(sound);
    wn_sound_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sdl sound");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, every_cue_can_be_heard_and_neither_clips_nor_clicks, 0, CUES);
    tcase_add_test(tests, every_cue_of_the_file_is_one_that_modes_may_name);
    tcase_add_test(tests, sdl_takes_what_the_mixer_makes);
    tcase_add_test(tests, without_a_device_all_is_silent_and_says_why);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
