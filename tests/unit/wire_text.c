/* wire_text.c: which texts and names are valid, and that every string of every message is held against that.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "wire_fixture.h"

static const struct {
    const char *text;
    bool line, lines;
} texts[] = {
    {"", true, true},
    {"plain ~", true, true},
    {"two\nlines", false, true},
    {"tab\t", false, false},
    {"return\r", false, false},
    {"escape \x1b[31m", false, false},
    {"\x01", false, false},
    {"\x1f", false, false},
    {"\x7f", false, false},
    {"\xc2\x80", false, false},         /* U+0080, a control character */
    {"\xc2\x9f", false, false},         /* U+009F, the last one */
    {"\xc2\xa0", true, true},           /* U+00A0 */
    {"\xdf\xbf", true, true},           /* U+07FF */
    {"\xc0\x80", false, false},         /* NUL in two bytes */
    {"\xc1\xbf", false, false},         /* overlong */
    {"\xe0\x9f\xbf", false, false},     /* overlong */
    {"\xe0\xa0\x80", true, true},       /* U+0800 */
    {"\xe2\x94\x80", true, true},       /* U+2500 */
    {"\xed\x9f\xbf", true, true},       /* U+D7FF */
    {"\xed\xa0\x80", false, false},     /* a surrogate */
    {"\xee\x80\x80", true, true},       /* U+E000 */
    {"\xef\xbf\xbf", true, true},       /* U+FFFF */
    {"\xf0\x8f\xbf\xbf", false, false}, /* overlong */
    {"\xf0\x90\x80\x80", true, true},   /* U+10000 */
    {"\xf4\x8f\xbf\xbf", true, true},   /* U+10FFFF */
    {"\xf4\x90\x80\x80", false, false}, /* beyond */
    {"\xf5\x80\x80\x80", false, false},
    {"\xff", false, false},
    {"\x80", false, false},
    {"cut \xc3", false, false},
    {"cut \xe2\x94", false, false},
    {"cut \xf0\x9f\x90", false, false},
    {"\xe2\x94z", false, false},
    {"\xf0\x9f\x90\x87 in a warren", true, true},
};

static const struct {
    const char *text;
    bool seen;
    const char *clean;
} unseen[] = {
    {"plain ~", true, "plain ~"},
    {"gr\xc3\xbc\xc3\x9f", true, "gr\xc3\xbc\xc3\x9f"},
    {"\xf0\x9f\x90\x87", true, "\xf0\x9f\x90\x87"},
    {"a\xc2\xad"
     "b",
     false, "a?b"},                              /* U+00AD, soft hyphen */
    {"\xe2\x80\x8a", true, "\xe2\x80\x8a"},      /* U+200A, a thin space */
    {"\xe2\x80\x8b", false, "?"},                /* U+200B, zero width */
    {"x\xe2\x80\x8d", false, "x\xe2\x80\x8d"},   /* U+200D, joiner: of emoji */
    {"x\xef\xb8\x8f", false, "x\xef\xb8\x8f"},   /* U+FE0F, as an emoji */
    {"\xe2\x80\x8f", false, "?"},                /* U+200F, right to left */
    {"\xe2\x80\xa7", true, "\xe2\x80\xa7"},      /* U+2027 */
    {"1\xe2\x80\xa8\x32", false, "1?2"},         /* U+2028, line */
    {"\xe2\x80\xa9", false, "?"},                /* U+2029, paragraph */
    {"txt.\xe2\x80\xaegnp", false, "txt.?gnp"},  /* U+202E, override */
    {"\xe2\x80\xaf", true, "\xe2\x80\xaf"},      /* U+202F, narrow space */
    {"\xe2\x81\xa6 \xe2\x81\xa9", false, "? ?"}, /* U+2066, U+2069, isolates */
    {"\xef\xbb\xbf", false, "?"},                /* U+FEFF */
    {"\xf3\xa0\x81\x81", false, "?"},            /* U+E0041, a tag */
    {"\xef\xbf\xbc", true, "\xef\xbf\xbc"},      /* U+FFFC */
};

START_TEST(what_is_not_seen_is_told_and_cleaned_away)
{
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", unseen[i].text);
        ck_assert_msg(wn_text_seen(text) == unseen[i].seen, "seen %zu", i);
        ck_assert_uint_eq(wn_text_clean(text, sizeof text - 1, false), strlen(unseen[i].clean));
        ck_assert_str_eq(text, unseen[i].clean);
        ck_assert(wn_text_valid(text, sizeof text, false));
    }
    ck_assert(wn_text_seen("cut \xe2\x80"));
    ck_assert(wn_text_seen("cut \xf3"));
}
END_TEST

START_TEST(what_looks_like_a_space_is_found)
{
    ck_assert(!wn_text_blanks(""));
    ck_assert(!wn_text_blanks("a b gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x87"));
    ck_assert(wn_text_blanks("ann\xc2\xa0"));          /* U+00A0 */
    ck_assert(wn_text_blanks("\xe2\x80\x83x"));        /* U+2003 */
    ck_assert(wn_text_blanks("\xe3\x80\x80"));         /* U+3000 */
    ck_assert(wn_text_blanks("\xc3\xbc\xe2\xa0\x80")); /* U+2800 */
}
END_TEST

START_TEST(texts_are_utf8_without_control_characters)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(wn_text_valid(texts[i].text, WN_TEXT_BYTES, false) == texts[i].line, "line %zu", i);
        ck_assert_msg(wn_text_valid(texts[i].text, WN_TEXT_BYTES, true) == texts[i].lines, "lines %zu", i);
    }
    ck_assert(wn_text_valid("four", 4, false));
    ck_assert(!wn_text_valid("fives", 4, false));
}
END_TEST

START_TEST(a_bad_byte_is_found_wherever_it_stands)
{
    for (int byte = 1; byte < 256; byte++) {
        const bool good = byte >= 0x20 && byte <= 0x7e;
        for (size_t at = 0; at < 24; at++) {
            char text[] = "abcdefgh ijklmno~qrstuvw";
            text[at] = (char)byte;
            ck_assert_msg(wn_text_valid(text, 24, false) == good, "byte %d at %zu", byte, at);
            ck_assert_msg(wn_text_valid(text, 24, true) == (good || byte == '\n'), "byte %d at %zu", byte, at);
        }
    }
}
END_TEST

START_TEST(cleaning_makes_any_text_valid_and_leaves_valid_ones_alone)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t most = 0; most < 16; most++) {
            char text[64];
            strcpy(text, texts[i].text);
            const size_t size = wn_text_clean(text, most, true);
            ck_assert_uint_eq(size, strlen(text));
            ck_assert(wn_text_valid(text, most, true));
            if (texts[i].lines && strlen(texts[i].text) <= most) {
                ck_assert_str_eq(text, texts[i].text);
            }
        }
    }
    char text[] = "a\x1b\xe2\x94"
                  "b\n\xe2\x94\x80";
    ck_assert_uint_eq(wn_text_clean(text, 7, false), 6);
    ck_assert_str_eq(text, "a???b?");
}
END_TEST

static const struct {
    const char *text;
    bool name, player;
} names[] = {
    {"a", true, true},
    {"7", true, true},
    {"Ann-2_b.c", true, true},
    {"", false, false},
    {"-a", false, true},
    {".a", false, true},
    {"_a", false, true},
    {"a b", false, true},
    {" a", false, false},
    {"a ", false, false},
    {" ", false, false},
    {"a/b", false, true},
    {"a\nb", false, false},
    {"\xc3\x85sa", false, true},
    {"\xc3", false, false},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true, true},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false, false},
};

START_TEST(names_are_short_and_plain)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_msg(wn_name_valid(names[i].text) == names[i].name, "name \"%s\"", names[i].text);
        ck_assert_msg(wn_player_valid(names[i].text) == names[i].player, "player \"%s\"", names[i].text);
    }
}
END_TEST

/* Fields that hold several lines; all others hold one. */
static bool holds_lines(const char *field)
{
    return strcmp(field, "Keyframe.banner") == 0 || strcmp(field, "Delta.banner") == 0 ||
           strcmp(field, "Message.text") == 0;
}

static void try_text(const visited *at, const sample_change *change, bool accepted)
{
    const bool got = decode_sample(at->root, &(sample_options){.body = at->body, .full = true, .change = *change});
    ck_assert_msg(got == accepted, "%s.%s: \"%s\": %s", change->message, change->field, change->text, error.text);
    if (!accepted) {
        ck_assert_str_eq(error.field, change->field);
        ck_assert(error.code == WARREN__ERROR_CODE__ERROR_BAD_NAME ||
                  error.code == WARREN__ERROR_CODE__ERROR_MALFORMED);
    }
}

/* What no string of C can hold: the library must not take what is before the NUL for the whole. */
static void try_nul(const visited *at, sample_change change)
{
    change.text = "NUL@";
    decode_sample(at->root, &(sample_options){.body = at->body, .full = true, .change = change});
    for (uint8_t *found = buffer.data;
         (found = memmem(found, buffer.size - (size_t)(found - buffer.data), "NUL@", 4)) != NULL;) {
        found[3] = '\0';
    }
    wn_arena_reset(arena);
    ck_assert_msg(at->root->decode(arena, buffer.data, buffer.size, &error) == NULL, "%s.%s: NUL accepted",
                  change.message, change.field);
    ck_assert_str_eq(error.field, change.field);
}

static void visit_text(void *context, const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field)
{
    const visited *at = context;
    if (field->type != PROTOBUF_C_TYPE_STRING) {
        return;
    }
    sample_change change = {.message = message->name, .field = field->name};
    change.element = field->label == PROTOBUF_C_LABEL_REPEATED;
    const bool content = is_content(at, message, field);
    const bool lines = holds_lines(field_name(message, field));
    try_nul(at, change);
    change.text = "a\x1b";
    try_text(at, &change, content);
    change.text = "a\xff";
    try_text(at, &change, content);
    change.text = "a\nb";
    try_text(at, &change, content || lines);
}

START_TEST(every_string_of_every_message_is_checked)
{
    visit_bodies(visit_text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_looks_like_a_space_is_found,
        texts_are_utf8_without_control_characters,
        what_is_not_seen_is_told_and_cleaned_away,
        a_bad_byte_is_found_wherever_it_stands,
        cleaning_makes_any_text_valid_and_leaves_valid_ones_alone,
        names_are_short_and_plain,
        every_string_of_every_message_is_checked,
    };
    return run_tests("wire text", tests, sizeof tests / sizeof *tests);
}
