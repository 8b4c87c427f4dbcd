/* sdl_synth.c: what a text of cues may say, what is said about one that is wrong, and that waves sound as it says. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth.h"

static wn_cues cues;
static char why[320];

START_TEST(a_text_becomes_cues_with_their_layers)
{
    ck_assert(
        wn_cues_parse(&cues,
                      "# sounds\n\ncue knock # on wood\n sine from 200 for 50\n"
                      "noise\tfrom 900 to 300 at 20 for 40 volume 7 attack 9 fade 30\ncue tick\nsquare from 99 for 5",
                      why, sizeof why));
    ck_assert_uint_eq(cues.count, 2);
    ck_assert_str_eq(cues.all[0].name, "knock");
    ck_assert_uint_eq(cues.all[0].count, 2);
    const wn_layer first = cues.all[0].layers[0], second = cues.all[0].layers[1];
    ck_assert(first.wave == WN_WAVE_SINE && first.from == 200 && first.to == 200 && first.at == 0 &&
              first.length == 50);
    ck_assert(first.volume == 50 && first.attack == 3 && first.fade == 20);
    ck_assert(second.wave == WN_WAVE_NOISE && second.from == 900 && second.to == 300 && second.at == 20);
    ck_assert(second.length == 40 && second.volume == 7 && second.attack == 9 && second.fade == 30);
    ck_assert_uint_eq(wn_cue_length(&cues.all[0]), WN_SAMPLE_RATE * 60 / 1000);
    ck_assert_uint_eq(wn_cue_length(&cues.all[1]), WN_SAMPLE_RATE * 5 / 1000);
}
END_TEST

static const struct wrong {
    const char *text, *why;
} wrong[] = {
    {"", "line 0: the last cue has no layers."},
    {"cue a\n", "line 1: the last cue has no layers."},
    {"cue a\ncue b\nsine from 99 for 9", "line 2: the cue a has no layers."},
    {"cue\n", "line 1: a cue needs a name of at most 32 letters."},
    {"cue abcdefghijklmnopqrstuvwxyz0123456", "line 1: a cue needs a name of at most 32 letters."},
    {"cue a\nsine from 99 for 9\ncue a", "line 3: there is a cue a already."},
    {"sine from 99 for 9", "line 1: a line \"cue NAME\" comes first."},
    {"cue a\nsaw from 99 for 9", "line 2: \"saw\" is neither cue nor a wave: sine, triangle, square, noise."},
    {"cue a\nsine from 19 for 9", "line 2: from needs a number from 20 to 10000."},
    {"cue a\nsine from 10001 for 9", "line 2: from needs a number from 20 to 10000."},
    {"cue a\nsine from -50 for 9", "line 2: from needs a number from 20 to 10000."},
    {"cue a\nsine from 99 for 4", "line 2: for needs a number from 5 to 3000."},
    {"cue a\nsine from 99 for 3001", "line 2: for needs a number from 5 to 3000."},
    {"cue a\nsine from 99 for 9 volume", "line 2: volume needs a number from 1 to 100."},
    {"cue a\nsine from 99 for 9x", "line 2: for needs a number from 5 to 3000."},
    {"cue a\nsine from 99", "line 2: a layer needs from and for."},
    {"cue a\nsine for 99", "line 2: a layer needs from and for."},
    {"cue a\nsine from 99 for 9 loud 9", "line 2: \"loud\" is none of from, to, at, for, volume, attack, fade."},
};

START_TEST(what_is_wrong_is_said_with_its_line)
{
    ck_assert(!wn_cues_parse(&cues, wrong[_i].text, why, sizeof why));
    ck_assert_str_eq(why, wrong[_i].why);
}
END_TEST

START_TEST(there_are_so_many_cues_and_layers_and_no_more)
{
    char text[8192] = "";
    size_t used = 0;
    for (int cue = 0; cue < WN_CUES; cue++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "cue c%d\nsine from 99 for 9\n", cue);
    }
    ck_assert(wn_cues_parse(&cues, text, why, sizeof why));
    snprintf(text + used, sizeof text - used, "cue more\nsine from 99 for 9\n");
    ck_assert(!wn_cues_parse(&cues, text, why, sizeof why));
    ck_assert_str_eq(why, "line 65: there can be 32 cues.");
    used = (size_t)snprintf(text, sizeof text, "cue c\n");
    for (int layer = 0; layer < WN_CUE_LAYERS; layer++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "sine from 99 for 9\n");
    }
    ck_assert(wn_cues_parse(&cues, text, why, sizeof why));
    snprintf(text + used, sizeof text - used, "sine from 99 for 9\n");
    ck_assert(!wn_cues_parse(&cues, text, why, sizeof why));
    ck_assert_str_eq(why, "line 10: a cue can have 8 layers.");
}
END_TEST

/* How often it goes from below zero to zero or above. */
static uint32_t rises(const int16_t *samples, size_t length)
{
    uint32_t count = 0;
    for (size_t i = 1; i < length; i++) {
        count += samples[i - 1] < 0 && samples[i] >= 0;
    }
    return count;
}

START_TEST(a_wave_has_the_pitch_that_it_was_given)
{
    static int16_t samples[WN_SAMPLE_RATE];
    static const char *const pitched[] = {"sine", "triangle", "square"};
    for (size_t i = 0; i < sizeof pitched / sizeof *pitched; i++) {
        char text[128];
        snprintf(text, sizeof text, "cue c\n%s from 440 for 1000 fade 10\n", pitched[i]);
        ck_assert(wn_cues_parse(&cues, text, why, sizeof why));
        ck_assert_uint_eq(wn_cue_length(&cues.all[0]), WN_SAMPLE_RATE);
        wn_cue_render(&cues.all[0], samples);
        const uint32_t count = rises(samples, WN_SAMPLE_RATE);
        ck_assert_msg(count >= 436 && count <= 441, "%s: %u", pitched[i], count);
    }
}
END_TEST

START_TEST(layers_that_are_too_loud_together_do_not_clip)
{
    static int16_t samples[WN_SAMPLE_RATE];
    char text[1024] = "cue c\n";
    for (int layer = 0; layer < WN_CUE_LAYERS; layer++) {
        strcat(text, "square from 50 for 500 volume 100 attack 1\n");
    }
    ck_assert(wn_cues_parse(&cues, text, why, sizeof why));
    wn_cue_render(&cues.all[0], samples);
    int32_t most = 0;
    for (size_t i = 0; i < wn_cue_length(&cues.all[0]); i++) {
        most = abs(samples[i]) > most ? abs(samples[i]) : most;
    }
    ck_assert_int_le(most, 32767 * 8 / 10);
    ck_assert_int_ge(most, 32767 * 8 / 10 - 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sdl synth");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, a_text_becomes_cues_with_their_layers);
    tcase_add_loop_test(tests, what_is_wrong_is_said_with_its_line, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(tests, there_are_so_many_cues_and_layers_and_no_more);
    tcase_add_test(tests, a_wave_has_the_pitch_that_it_was_given);
    tcase_add_test(tests, layers_that_are_too_loud_together_do_not_clip);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
