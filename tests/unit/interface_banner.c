/* What a mode shows over its map: until it is put away, and again once it is another one. */
#include <stdio.h>
#include <string.h>

#include "banner.h"
#include "suite.h"

static wn_banner banner;

static wn_replica showing(const char *text)
{
    const wn_replica replica = {.ready = true, .banner = text};
    wn_banner_take(&banner, &replica);
    return replica;
}

static void setup(void)
{
    banner = (wn_banner){0};
}

START_TEST(it_is_seen_until_it_is_put_away)
{
    const wn_replica replica = showing("Welcome");
    ck_assert(wn_banner_shows(&banner, &replica));
    ck_assert(wn_banner_hide(&banner, &replica));
    ck_assert(!wn_banner_shows(&banner, &replica));
    ck_assert(!wn_banner_hide(&banner, &replica));
    const wn_replica again = showing("Welcome");
    ck_assert(!wn_banner_shows(&banner, &again));
}
END_TEST

START_TEST(another_one_is_seen)
{
    const wn_replica first = showing("Welcome");
    ck_assert(wn_banner_hide(&banner, &first));
    const wn_replica other = showing("Well done");
    ck_assert(wn_banner_shows(&banner, &other));
}
END_TEST

START_TEST(the_same_words_after_none_are_a_new_one)
{
    const wn_replica first = showing("Level 1");
    ck_assert(wn_banner_hide(&banner, &first));
    const wn_replica none = showing("");
    ck_assert(!wn_banner_shows(&banner, &none));
    ck_assert(!wn_banner_hide(&banner, &none));
    const wn_replica second = showing("Level 1");
    ck_assert(wn_banner_shows(&banner, &second));
}
END_TEST

START_TEST(without_a_view_there_is_none)
{
    wn_replica replica = {.banner = NULL};
    wn_banner_take(&banner, &replica);
    ck_assert(!wn_banner_shows(&banner, &replica));
    ck_assert(!wn_banner_shows(&banner, NULL));
    ck_assert(!wn_banner_hide(&banner, NULL));
    replica.banner = "kept from before";
    ck_assert(!wn_banner_hide(&banner, &replica));
}
END_TEST

START_TEST(one_of_any_length_is_put_away)
{
    char text[WN_BANNER_BYTES + 1];
    memset(text, 'x', WN_BANNER_BYTES);
    text[WN_BANNER_BYTES] = '\0';
    const wn_replica replica = showing(text);
    ck_assert(wn_banner_hide(&banner, &replica));
    ck_assert(!wn_banner_shows(&banner, &replica));
}
END_TEST

START_TEST(its_first_line_is_its_title)
{
    static const struct {
        const char *text, *title, *rest;
    } cases[] = {{"Title\nfirst\n\nlast", "Title", "first\n\nlast"},
                 {"Title\n\nfirst", "Title", "first"},
                 {"Title", "Title", ""},
                 {"Title\n", "Title", ""},
                 {"\nfirst", "", "first"},
                 {"A title that has no room", "A title", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char title[8];
        ck_assert_str_eq(wn_banner_split(cases[i].text, title, sizeof title), cases[i].rest);
        ck_assert_str_eq(title, cases[i].title);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {it_is_seen_until_it_is_put_away,         another_one_is_seen,
                                  the_same_words_after_none_are_a_new_one, without_a_view_there_is_none,
                                  one_of_any_length_is_put_away,           its_first_line_is_its_title};
    return suite_run_with("interface banner", tests, sizeof tests / sizeof *tests, setup, NULL);
}
