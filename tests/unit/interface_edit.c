/* The line editor: what keys do to a line of UTF-8, and what never happens to it. */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "edit.h"
#include "key.h"
#include "suite.h"
#include "text.h"

static void type(wn_edit *edit, const char *text)
{
    uint32_t code;
    for (size_t step; (step = wn_utf8_next(text, &code)) > 0; text += step) {
        wn_edit_key(edit, code);
    }
}

static uint32_t control(char letter)
{
    return (uint32_t)letter - WN_KEY_CONTROL_BASE;
}

START_TEST(what_is_typed_goes_where_the_cursor_stands)
{
    wn_edit edit;
    wn_edit_start(&edit, "", 100);
    type(&edit, "h\xc3\xbcx");
    wn_edit_key(&edit, WN_KEY_LEFT);
    type(&edit, "\xe6\xb4\x9e");
    ck_assert_str_eq(edit.text, "h\xc3\xbc\xe6\xb4\x9ex");
    wn_edit_key(&edit, WN_KEY_HOME);
    type(&edit, ">");
    wn_edit_key(&edit, WN_KEY_END);
    type(&edit, "<");
    ck_assert_str_eq(edit.text, ">h\xc3\xbc\xe6\xb4\x9ex<");
}
END_TEST

START_TEST(backspace_and_delete_take_whole_characters_with_what_joins_them)
{
    wn_edit edit;
    wn_edit_start(&edit, "ae\xcc\x81z", 100);
    wn_edit_key(&edit, WN_KEY_LEFT);
    wn_edit_key(&edit, WN_KEY_BACKSPACE);
    ck_assert_str_eq(edit.text, "az");
    wn_edit_start(&edit, "ae\xcc\x81z", 100);
    wn_edit_key(&edit, WN_KEY_HOME);
    wn_edit_key(&edit, WN_KEY_RIGHT);
    wn_edit_key(&edit, WN_KEY_DELETE);
    ck_assert_str_eq(edit.text, "az");
    ck_assert_uint_eq(edit.cursor, 1);
}
END_TEST

START_TEST(words_and_ends_can_be_cut)
{
    wn_edit edit;
    wn_edit_start(&edit, "one two  three", 100);
    wn_edit_key(&edit, control('w'));
    ck_assert_str_eq(edit.text, "one two  ");
    wn_edit_key(&edit, control('w'));
    ck_assert_str_eq(edit.text, "one ");
    type(&edit, "four");
    wn_edit_key(&edit, control('a'));
    wn_edit_key(&edit, WN_KEY_RIGHT);
    wn_edit_key(&edit, control('k'));
    ck_assert_str_eq(edit.text, "o");
    wn_edit_key(&edit, control('u'));
    ck_assert_str_eq(edit.text, "");
}
END_TEST

START_TEST(the_limit_counts_bytes_and_never_cuts_a_character)
{
    wn_edit edit;
    wn_edit_start(&edit, "\xc3\xbc\xc3\xbc\xc3\xbc", 5);
    ck_assert_str_eq(edit.text, "\xc3\xbc\xc3\xbc");
    ck_assert(!wn_edit_key(&edit, 0xfc));
    ck_assert(wn_edit_key(&edit, 'u'));
    ck_assert_str_eq(edit.text, "\xc3\xbc\xc3\xbcu");
}
END_TEST

START_TEST(keys_that_mean_nothing_to_a_line_are_refused)
{
    static const uint32_t keys[] = {WN_KEY_ENTER, WN_KEY_ESCAPE, WN_KEY_F1, WN_KEY_UP, WN_KEY_MOUSE, 0x7f, 0xd800};
    wn_edit edit;
    wn_edit_start(&edit, "abc", 100);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ck_assert(!wn_edit_key(&edit, keys[i]));
    }
    ck_assert_str_eq(edit.text, "abc");
}
END_TEST

START_TEST(the_window_always_shows_the_cursor)
{
    wn_edit edit;
    wn_edit_start(&edit, "a\xe6\xb4\x9e quite long line \xe6\xb4\x9e\xe6\xb4\x9e of text", 100);
    for (int columns = 3; columns < 60; columns++) {
        wn_edit_key(&edit, WN_KEY_END);
        for (size_t left = edit.length; left > 0; left--) {
            size_t first;
            int column;
            wn_edit_window(&edit, columns, &first, &column);
            ck_assert_int_ge(column, 0);
            ck_assert_int_lt(column, columns);
            ck_assert_uint_le(first, edit.cursor);
            wn_edit_key(&edit, WN_KEY_LEFT);
        }
    }
}
END_TEST

static uint32_t random_key(void)
{
    static const uint32_t keys[] = {
        WN_KEY_LEFT, WN_KEY_RIGHT, WN_KEY_HOME, WN_KEY_END, WN_KEY_BACKSPACE, WN_KEY_DELETE, 'w' - WN_KEY_CONTROL_BASE,
        0x301,       0x6d1e,       0xfc,        ' ',        0x1f980};
    const size_t count = sizeof keys / sizeof *keys;
    const size_t choice = (size_t)rand() % (2 * count);
    return choice < count ? keys[choice] : 'a' + (uint32_t)rand() % 26;
}

START_TEST(no_row_of_keys_breaks_the_text)
{
    const uint64_t seed = suite_seed((uint64_t)time(NULL));
    srand((unsigned)seed);
    wn_edit edit;
    wn_edit_start(&edit, "", 40);
    for (int i = 0; i < 200000; i++) {
        wn_edit_key(&edit, random_key());
        bool whole = true, on_a_character = edit.cursor == edit.length;
        uint32_t code;
        for (size_t at = 0, step; (step = wn_utf8_next(edit.text + at, &code)) > 0; at += step) {
            whole = whole && code != 0xfffd;
            on_a_character = on_a_character || at == edit.cursor;
        }
        if (!whole || !on_a_character || edit.length > 40 || strlen(edit.text) != edit.length) {
            ck_abort_msg("after %d keys: \"%s\"", i, edit.text);
        }
    }
}
END_TEST

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    Suite *suite = suite_create("interface edit");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_is_typed_goes_where_the_cursor_stands);
    tcase_add_test(tests, backspace_and_delete_take_whole_characters_with_what_joins_them);
    tcase_add_test(tests, words_and_ends_can_be_cut);
    tcase_add_test(tests, the_limit_counts_bytes_and_never_cuts_a_character);
    tcase_add_test(tests, keys_that_mean_nothing_to_a_line_are_refused);
    tcase_add_test(tests, the_window_always_shows_the_cursor);
    tcase_add_test(tests, no_row_of_keys_breaks_the_text);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
