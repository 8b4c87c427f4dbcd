/* ctl.c: what warrenctl's JSON writer puts out, byte by byte. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "suite.h"

typedef struct page {
    char *text;
    size_t size;
    wn_json json;
} page;

static void page_start(page *written)
{
    FILE *to = open_memstream(&written->text, &written->size);
    ck_assert_ptr_nonnull(to);
    wn_json_start(&written->json, to);
}

static void page_expect(page *written, const char *expected)
{
    ck_assert_int_eq(fclose(written->json.to), 0);
    ck_assert_str_eq(written->text, expected);
    free(written->text);
}

START_TEST(members_are_separated_by_commas_and_named_by_their_keys)
{
    page written;
    page_start(&written);
    wn_json_object(&written.json, NULL);
    wn_json_string(&written.json, "a", "x");
    wn_json_uint(&written.json, "b", 7);
    wn_json_array(&written.json, "c");
    wn_json_int(&written.json, NULL, -1);
    wn_json_bool(&written.json, NULL, true);
    wn_json_null(&written.json, NULL);
    wn_json_end(&written.json);
    wn_json_bool(&written.json, "d", false);
    wn_json_end(&written.json);
    page_expect(&written, "{\"a\":\"x\",\"b\":7,\"c\":[-1,true,null],\"d\":false}\n");
}
END_TEST

START_TEST(empty_arrays_and_objects_stay_empty_and_do_not_disturb_their_neighbours)
{
    page written;
    page_start(&written);
    wn_json_array(&written.json, NULL);
    wn_json_object(&written.json, NULL);
    wn_json_end(&written.json);
    wn_json_array(&written.json, NULL);
    wn_json_end(&written.json);
    wn_json_end(&written.json);
    page_expect(&written, "[{},[]]\n");
}
END_TEST

START_TEST(what_is_not_seen_is_escaped_and_the_rest_is_not)
{
    page written;
    page_start(&written);
    wn_json_object(&written.json, NULL);
    wn_json_string(&written.json, "k", "\xc3\xbc\xe2\x80\xae\xf0\x9f\x90\x87\xf3\xa0\x81\xa1 cut\xe2\x80");
    wn_json_end(&written.json);
    page_expect(&written, "{\"k\":\"\xc3\xbc\\u202e\xf0\x9f\x90\x87\\udb40\\udc61 cut\xe2\x80\"}\n");
}
END_TEST

START_TEST(quotes_backslashes_and_control_characters_are_escaped_in_values_and_keys)
{
    page written;
    page_start(&written);
    wn_json_object(&written.json, NULL);
    wn_json_string(&written.json, "k\"", "\"\\/\b\f\n\r\t\x01\x1f\x7f");
    wn_json_end(&written.json);
    page_expect(&written, "{\"k\\\"\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"}\n");
}
END_TEST

START_TEST(text_beyond_ascii_passes_unchanged)
{
    page written;
    page_start(&written);
    wn_json_array(&written.json, NULL);
    wn_json_string(&written.json, NULL, "J\xc3\xb6rg \xe2\x98\x83");
    wn_json_end(&written.json);
    page_expect(&written, "[\"J\xc3\xb6rg \xe2\x98\x83\"]\n");
}
END_TEST

START_TEST(the_ends_of_the_number_ranges_are_written_in_full)
{
    page written;
    page_start(&written);
    wn_json_array(&written.json, NULL);
    wn_json_uint(&written.json, NULL, UINT64_MAX);
    wn_json_int(&written.json, NULL, INT64_MIN);
    wn_json_end(&written.json);
    page_expect(&written, "[18446744073709551615,-9223372036854775808]\n");
}
END_TEST

START_TEST(a_missing_text_is_null)
{
    page written;
    page_start(&written);
    wn_json_object(&written.json, NULL);
    wn_json_string(&written.json, "owner", NULL);
    wn_json_end(&written.json);
    page_expect(&written, "{\"owner\":null}\n");
}
END_TEST

START_TEST(values_nest_as_deep_as_promised)
{
    page written;
    page_start(&written);
    char expected[2 * WN_JSON_DEPTH + 2];
    for (int i = 0; i < WN_JSON_DEPTH; i++) {
        wn_json_array(&written.json, NULL);
        expected[i] = '[';
        expected[WN_JSON_DEPTH + i] = ']';
    }
    for (int i = 0; i < WN_JSON_DEPTH; i++) {
        wn_json_end(&written.json);
    }
    memcpy(expected + (size_t)2 * WN_JSON_DEPTH, "\n", 2);
    page_expect(&written, expected);
}
END_TEST

RUN("ctl", members_are_separated_by_commas_and_named_by_their_keys,
    empty_arrays_and_objects_stay_empty_and_do_not_disturb_their_neighbours,
    what_is_not_seen_is_escaped_and_the_rest_is_not,
    quotes_backslashes_and_control_characters_are_escaped_in_values_and_keys, text_beyond_ascii_passes_unchanged,
    the_ends_of_the_number_ranges_are_written_in_full, a_missing_text_is_null, values_nest_as_deep_as_promised)
