/* bot.c: the scripts of warren-bot, as they are parsed and stepped through, and the commands it chooses by chance. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "choose.h"
#include "script.h"
#include "suite.h"

/* A mode with one action of each kind, two keys for north and one for south-west. */
static const Warren__Mode *legend(void)
{
    static Warren__Key north = WARREN__KEY__INIT, up = WARREN__KEY__INIT, south_west = WARREN__KEY__INIT;
    static Warren__Key *keys[] = {&north, &up, &south_west};
    static Warren__Action step = WARREN__ACTION__INIT, aim = WARREN__ACTION__INIT, rest = WARREN__ACTION__INIT,
                          say = WARREN__ACTION__INIT;
    static Warren__Action *actions[] = {&step, &aim, &rest, &say};
    static Warren__Mode mode = WARREN__MODE__INIT;
    north.key = "k", up.key = "up", south_west.key = "b";
    south_west.has_argument = true, south_west.argument = 5;
    step.id = 10, step.name = "step", step.argument = WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION;
    step.n_keys = 3, step.keys = keys;
    aim.id = 20, aim.name = "aim", aim.argument = WARREN__ARGUMENT_KIND__ARGUMENT_POSITION;
    rest.id = 30, rest.name = "rest", rest.argument = WARREN__ARGUMENT_KIND__ARGUMENT_NONE;
    say.id = 40, say.name = "say", say.argument = WARREN__ARGUMENT_KIND__ARGUMENT_NONE;
    mode.name = "test", mode.n_actions = 4, mode.actions = actions;
    return &mode;
}

static bool parse(wn_script *script, const char *text, wn_error *error)
{
    FILE *from = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    ck_assert_ptr_nonnull(from);
    const bool right = wn_script_read(script, "walk.txt", from, error);
    fclose(from);
    return right;
}

/* What a script does, in short: "10.0 20.7 p500 s:hello". */
static void expect_steps(const char *text, const char *expected)
{
    wn_script script;
    wn_error error = {0};
    ck_assert_msg(parse(&script, text, &error), "%s", error.text);
    ck_assert_msg(wn_script_resolve(&script, legend(), &error), "%s", error.text);
    char *done = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&done, &size);
    wn_cursor cursor = {0};
    for (const wn_script_step *step; (step = wn_script_next(&script, &cursor)) != NULL;) {
        if (step->kind == WN_STEP_SAY) {
            fprintf(to, "s:%s ", step->text);
        } else if (step->kind == WN_STEP_PAUSE) {
            fprintf(to, "p%" PRIu32 " ", step->number);
        } else if (step->given == WN_GIVEN_PLACE) {
            fprintf(to, "%" PRIu32 "@%" PRIu32 ",%" PRIu32 " ", step->action, step->x, step->y);
        } else {
            fprintf(to, "%" PRIu32 ".%" PRIu32 " ", step->action, step->number);
        }
    }
    fclose(to);
    ck_assert_str_eq(done, expected);
    free(done);
    wn_script_free(&script);
}

static void expect_complaint(const char *text, const char *place, const char *expected)
{
    wn_script script;
    wn_error error = {0};
    ck_assert_msg(!parse(&script, text, &error) || !wn_script_resolve(&script, legend(), &error),
                  "nothing wrong was found in: %s", text);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "\"%s\" does not begin with %s", error.text, place);
    ck_assert_msg(strstr(error.text, expected) != NULL, "\"%s\" does not say: %s", error.text, expected);
    wn_script_free(&script);
}

START_TEST(directions_have_names_and_numbers)
{
    expect_steps("step north\nstep north-east\nstep south-west\nstep north-west\nstep here\nstep 3\n",
                 "10.0 10.1 10.5 10.7 10.8 10.3 ");
}
END_TEST

START_TEST(places_are_cells_or_columns_and_rows)
{
    expect_steps("aim 77\naim 4,2\n", "20.77 20@4,2 ");
}
END_TEST

START_TEST(comments_empty_lines_and_spaces_say_nothing)
{
    expect_steps("\n  # a walk\n\t rest # and that is all\r\n\n   \nrest", "30.0 30.0 ");
}
END_TEST

START_TEST(a_text_is_said_as_it_stands)
{
    expect_steps("say  good # morning, all  \n", "s:good # morning, all ");
}
END_TEST

START_TEST(an_action_named_like_a_word_is_done_with_do)
{
    expect_steps("do say\ndo step 2\n", "40.0 10.2 ");
}
END_TEST

START_TEST(repeats_nest_and_begin_anew_each_time)
{
    expect_steps("repeat 2\nrest\nrepeat 2\npause 5\nend\nend\nrest\n", "30.0 p5 p5 30.0 p5 p5 30.0 ");
}
END_TEST

START_TEST(nothing_is_done_in_a_repeat_of_0_whatever_is_inside)
{
    expect_steps("repeat 0\nrepeat 3\nrest\nend\nrest\nend\nsay x\n", "s:x ");
}
END_TEST

START_TEST(repeats_nest_as_deep_as_promised_and_no_deeper)
{
    char text[256] = "";
    char end[64] = "";
    for (int i = 0; i < WN_SCRIPT_DEPTH; i++) {
        strcat(text, "repeat 1\n");
        strcat(end, "end\n");
    }
    char script[512];
    snprintf(script, sizeof script, "%srest\n%s", text, end);
    expect_steps(script, "30.0 ");
    snprintf(script, sizeof script, "%srepeat 1\nrest\nend\n%s", text, end);
    expect_complaint(script, "walk.txt:9:", "nested 8 deep");
}
END_TEST

START_TEST(complaints_name_the_line_and_what_is_expected)
{
    expect_complaint("rest\npause soon\n", "walk.txt:2:", "expected a number of milliseconds, found \"soon\"");
    expect_complaint("pause\n", "walk.txt:1:", "found the end of the line");
    expect_complaint("pause 1 2\n", "walk.txt:1:", "expected the end of the line, found \"2\"");
    expect_complaint("pause 1000000001\n", "walk.txt:1:", "number of milliseconds");
    expect_complaint("repeat often\nend\n", "walk.txt:1:", "how many times");
    expect_complaint("step upwards\n", "walk.txt:1:", "expected a direction");
    expect_complaint("aim 4,\n", "walk.txt:1:", "expected a direction");
    expect_complaint("say\n", "walk.txt:1:", "a text of 1 to 256 bytes");
    expect_complaint("do\n", "walk.txt:1:", "the name of an action");
    expect_complaint("end\n", "walk.txt:1:", "no repeat before it");
    expect_complaint("rest\nrepeat 3\nrest\n", "walk.txt:2:", "no end");
}
END_TEST

START_TEST(complaints_of_the_mode_name_the_line_too)
{
    expect_complaint("rest\nfly\n", "walk.txt:2:", "test has no action \"fly\"; it has: step aim rest say.");
    expect_complaint("step\n", "walk.txt:1:", "step takes a direction");
    expect_complaint("step 9\n", "walk.txt:1:", "step takes a direction");
    expect_complaint("aim north\n", "walk.txt:1:", "aim takes a place");
    expect_complaint("rest 3\n", "walk.txt:1:", "rest takes no argument");
}
END_TEST

START_TEST(a_line_may_be_as_long_as_promised_and_no_longer)
{
    char text[WN_SCRIPT_LINE + 8];
    memset(text, ' ', sizeof text);
    memcpy(text, "rest", 4);
    memcpy(text + WN_SCRIPT_LINE, "\nrest\n", 7);
    expect_steps(text, "30.0 30.0 ");
    memcpy(text + WN_SCRIPT_LINE, " \n", 3);
    expect_complaint(text, "walk.txt:1:", "1024 bytes");
}
END_TEST

START_TEST(chance_chooses_every_action_with_arguments_that_its_keys_allow)
{
    enum { CELLS = 10, TRIES = 20000 };
    uint64_t chance = suite_seed((uint64_t)time(NULL));
    uint32_t directions[9] = {0}, cells[CELLS] = {0}, others = 0;
    for (int i = 0; i < TRIES; i++) {
        wn_choice choice;
        ck_assert(wn_choose(legend(), CELLS, &chance, &choice));
        if (choice.action == 10) {
            ck_assert_uint_le(choice.argument, 8);
            directions[choice.argument]++;
        } else if (choice.action == 20) {
            ck_assert_uint_lt(choice.argument, CELLS);
            cells[choice.argument]++;
        } else {
            ck_assert_uint_eq(choice.argument, 0);
            others++;
        }
    }
    /* A quarter of the commands each, half of the steps for each direction: more than ten deviations are allowed. */
    ck_assert_uint_gt(directions[0], TRIES / 8 - 500);
    ck_assert_uint_gt(directions[5], TRIES / 8 - 500);
    ck_assert_uint_le(directions[0] + directions[5], TRIES / 4 + 620);
    ck_assert_uint_eq(directions[1] + directions[2] + directions[3] + directions[4] + directions[6] + directions[7] +
                          directions[8],
                      0);
    for (int i = 0; i < CELLS; i++) {
        ck_assert_uint_gt(cells[i], TRIES / 4 / CELLS - 230);
    }
    ck_assert_uint_gt(others, TRIES / 2 - 710);
}
END_TEST

START_TEST(the_same_seed_chooses_the_same_commands)
{
    uint64_t one = suite_seed((uint64_t)time(NULL)), other = one;
    for (int i = 0; i < 1000; i++) {
        wn_choice first, second;
        ck_assert(wn_choose(legend(), 100, &one, &first));
        ck_assert(wn_choose(legend(), 100, &other, &second));
        ck_assert_uint_eq(first.action, second.action);
        ck_assert_uint_eq(first.argument, second.argument);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bot");
    TCase *script = tcase_create("script");
    tcase_add_test(script, directions_have_names_and_numbers);
    tcase_add_test(script, places_are_cells_or_columns_and_rows);
    tcase_add_test(script, comments_empty_lines_and_spaces_say_nothing);
    tcase_add_test(script, a_text_is_said_as_it_stands);
    tcase_add_test(script, an_action_named_like_a_word_is_done_with_do);
    tcase_add_test(script, repeats_nest_and_begin_anew_each_time);
    tcase_add_test(script, nothing_is_done_in_a_repeat_of_0_whatever_is_inside);
    tcase_add_test(script, repeats_nest_as_deep_as_promised_and_no_deeper);
    tcase_add_test(script, complaints_name_the_line_and_what_is_expected);
    tcase_add_test(script, complaints_of_the_mode_name_the_line_too);
    tcase_add_test(script, a_line_may_be_as_long_as_promised_and_no_longer);
    suite_add_tcase(suite, script);
    TCase *chance = tcase_create("chance");
    tcase_add_test(chance, chance_chooses_every_action_with_arguments_that_its_keys_allow);
    tcase_add_test(chance, the_same_seed_chooses_the_same_commands);
    suite_add_tcase(suite, chance);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
