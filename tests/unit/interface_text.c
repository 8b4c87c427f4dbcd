/* Text as a terminal shows it: UTF-8, widths, wrapping, ages. */
#include <check.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

START_TEST(every_code_point_survives_being_written_and_read)
{
    /* One assertion in the end: Check makes each of a million slow. */
    uint32_t wrong = 0;
    for (uint32_t code = 1; code <= 0x10ffff && wrong == 0; code++) {
        char bytes[5] = "";
        uint32_t read;
        const size_t size = wn_utf8_put(bytes, code);
        const bool surrogate = code >= 0xd800 && code < 0xe000;
        const bool good = surrogate
                              ? size == 0
                              : wn_utf8_next(bytes, &read) == size && read == code && wn_utf8_before(bytes, size) == 0;
        wrong = good ? 0 : code;
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(bytes_that_are_no_utf8_are_one_replacement_each)
{
    static const char *const bad[] = {"\x80", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t code;
        ck_assert_uint_eq(wn_utf8_next(bad[i], &code), 1);
        ck_assert_uint_eq(code, 0xfffd);
    }
}
END_TEST

START_TEST(widths_count_columns_and_not_bytes)
{
    ck_assert_int_eq(wn_text_width("abc"), 3);
    ck_assert_int_eq(wn_text_width("h\xc3\xbcx"), 3);
    ck_assert_int_eq(wn_text_width("e\xcc\x81"), 1);                /* e and a combining acute */
    ck_assert_int_eq(wn_text_width("\xe6\xb4\x9e\xe7\xaa\x9f"), 4); /* two wide characters */
    ck_assert_int_eq(wn_text_width("one\ntwo"), 3);
}
END_TEST

START_TEST(a_cut_never_splits_a_wide_character)
{
    int used;
    ck_assert_uint_eq(wn_text_fit("a\xe6\xb4\x9e", 2, &used), 1);
    ck_assert_int_eq(used, 1);
    ck_assert_uint_eq(wn_text_fit("a\xe6\xb4\x9e", 3, &used), 4);
    ck_assert_int_eq(used, 3);
}
END_TEST

START_TEST(lines_break_at_words_and_at_line_feeds)
{
    static const char *const expected[] = {"The lichen", "dies.", "", "It was", "averyverylo", "ngword"};
    const char *text = "The lichen dies.\n\nIt was averyverylongword";
    ck_assert_int_eq(wn_text_lines(text, 11), 6);
    for (size_t i = 0; i < 6; i++) {
        size_t bytes;
        const char *next = wn_text_line(text, 11, &bytes);
        ck_assert_uint_eq(bytes, strlen(expected[i]));
        ck_assert_int_eq(strncmp(text, expected[i], bytes), 0);
        text = next;
    }
    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(wrapping_ends_for_every_width_and_keeps_every_letter)
{
    const char *whole = "  a\xe6\xb4\x9e \xe6\xb4\x9e\xe6\xb4\x9e bb ccc dddd eeeee ffffff ";
    for (int columns = 1; columns < 60; columns++) {
        size_t letters = 0, bytes;
        int lines = 0;
        for (const char *text = whole; text != NULL; lines++) {
            const char *next = wn_text_line(text, columns, &bytes);
            for (size_t i = 0; i < bytes; i++) {
                letters += text[i] != ' ';
            }
            ck_assert_int_lt(lines, 200);
            text = next;
        }
        ck_assert_uint_eq(letters, 1 + 9 + 2 + 3 + 4 + 5 + 6);
        ck_assert_int_eq(wn_text_lines(whole, columns), lines);
    }
}
END_TEST

START_TEST(ages_use_the_largest_unit_that_is_full)
{
    static const struct {
        int64_t seconds;
        const char *text;
    } ages[] = {{-5, "0s"},   {0, "0s"},      {59, "59s"},   {60, "1m"},     {3599, "59m"},
                {3600, "1h"}, {86399, "23h"}, {86400, "1d"}, {864000, "10d"}};
    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++) {
        char text[32];
        wn_text_age(text, sizeof text, ages[i].seconds);
        ck_assert_str_eq(text, ages[i].text);
    }
}
END_TEST

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    Suite *suite = suite_create("interface text");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, every_code_point_survives_being_written_and_read);
    tcase_add_test(tests, bytes_that_are_no_utf8_are_one_replacement_each);
    tcase_add_test(tests, widths_count_columns_and_not_bytes);
    tcase_add_test(tests, a_cut_never_splits_a_wide_character);
    tcase_add_test(tests, lines_break_at_words_and_at_line_feeds);
    tcase_add_test(tests, wrapping_ends_for_every_width_and_keeps_every_letter);
    tcase_add_test(tests, ages_use_the_largest_unit_that_is_full);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
