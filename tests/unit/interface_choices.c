/* What is chosen before a game: in the form for a new world the settings whose value is one of the files there are, and
 * numbers that can be a word; the way to enter. */
#include "form.h"
#include "key.h"
#include "suite.h"
#include "ways.h"

enum { PACK = 2, DELAY, EMPTY }; /* fields, behind name and seed */

static Warren__Setting pack, delay, empty;
static Warren__Setting *settings[] = {&pack, &delay, &empty};
static char *packs[] = {(char *)"hard.pack", (char *)"easy.pack"};
static char *words[] = {(char *)"off"};

static void start(wn_form *form)
{
    static Warren__Mode mode;
    warren__mode__init(&mode);
    warren__setting__init(&pack);
    warren__setting__init(&delay);
    warren__setting__init(&empty);
    pack.name = (char *)"pack";
    pack.type = WARREN__SETTING_TYPE__SETTING_FILE;
    pack.standard = (char *)"";
    pack.choices = packs;
    pack.n_choices = 2;
    delay.name = (char *)"delay";
    delay.type = WARREN__SETTING_TYPE__SETTING_INTEGER;
    delay.maximum = 100;
    delay.standard = (char *)"20";
    delay.choices = words;
    delay.n_choices = 1;
    empty.name = (char *)"empty";
    empty.type = WARREN__SETTING_TYPE__SETTING_FILE;
    mode.name = (char *)"mode";
    mode.settings = settings;
    mode.n_settings = 3;
    *form = (wn_form){0};
    wn_form_start(form, &mode);
}

static void type(wn_form *form, const char *text)
{
    for (; *text != '\0'; text++) {
        wn_form_key(form, (uint32_t)*text);
    }
}

START_TEST(files_go_round_with_the_default_among_them)
{
    static const char *const expected[] = {"hard.pack", "easy.pack", "", "hard.pack"};
    wn_form form;
    char text[80];
    start(&form);
    ck_assert(wn_form_chooses(&form.fields[PACK]));
    wn_form_move(&form, PACK);
    for (size_t i = 0; i < 4; i++) {
        wn_form_key(&form, i % 2 == 0 ? ' ' : WN_KEY_RIGHT);
        ck_assert_str_eq(form.fields[PACK].value.text, expected[i]);
    }
    wn_form_key(&form, WN_KEY_LEFT);
    ck_assert_str_eq(form.fields[PACK].value.text, "");
    wn_form_range(&form.fields[PACK], text, sizeof text);
    ck_assert_str_eq(text, "hard.pack, easy.pack");
    pack.standard = packs[1];
    for (size_t i = 0; i < 4; i++) {
        wn_form_key(&form, WN_KEY_LEFT);
        ck_assert_str_ne(form.fields[PACK].value.text, "");
    }
    wn_form_free(&form);
}
END_TEST

START_TEST(where_there_are_no_files_a_name_is_typed)
{
    wn_form form;
    start(&form);
    ck_assert(!wn_form_chooses(&form.fields[EMPTY]));
    wn_form_move(&form, EMPTY);
    type(&form, "my own");
    ck_assert_str_eq(form.fields[EMPTY].value.text, "my own");
    wn_form_free(&form);
}
END_TEST

START_TEST(a_number_can_be_the_word_for_its_least)
{
    wn_form form;
    char text[80];
    start(&form);
    ck_assert(!wn_form_chooses(&form.fields[DELAY]));
    wn_form_range(&form.fields[DELAY], text, sizeof text);
    ck_assert_str_eq(text, "off, or 1 to 100");
    wn_form_move(&form, DELAY);
    type(&form, "off");
    ck_assert_str_eq(form.fields[DELAY].value.text, "off");
    wn_form_move(&form, 0);
    type(&form, "12");
    ck_assert_str_eq(form.fields[DELAY].value.text, "12");
    wn_form_key(&form, ' ');
    ck_assert_str_eq(form.fields[DELAY].value.text, "off");
    type(&form, "7");
    ck_assert_str_eq(form.fields[DELAY].value.text, "7");
    wn_form_free(&form);
}
END_TEST

/* ways to enter */

static const Warren__Mode *mode_with_ways(void)
{
    static Warren__Mode mode;
    static Warren__Entry plain, flying;
    static Warren__Entry *entries[] = {&plain, &flying};
    warren__mode__init(&mode);
    warren__entry__init(&plain);
    warren__entry__init(&flying);
    plain.name = (char *)"plain";
    flying.name = (char *)"flying";
    flying.help = (char *)"Over walls";
    flying.key = (char *)"f5";
    mode.name = (char *)"hunt";
    mode.entries = entries;
    mode.n_entries = 2;
    return &mode;
}

START_TEST(a_way_is_found_by_its_name_or_those_there_are_are_named)
{
    Warren__Mode none = WARREN__MODE__INIT;
    wn_error error = {0};
    ck_assert_int_eq(wn_way_by_name(mode_with_ways(), "flying", &error), 1);
    ck_assert_int_eq(wn_way_by_name(mode_with_ways(), "Plain", &error), WN_NO_WAY);
    ck_assert_str_eq(error.text, "hunt has no way to enter that is called \"Plain\"; those there are: plain, flying.");
    none.name = (char *)"caves";
    ck_assert_int_eq(wn_way_by_name(&none, "plain", &error), WN_NO_WAY);
    ck_assert_str_eq(error.text, "caves has only one way to enter, and no name for it: leave out \"plain\".");
}
END_TEST

START_TEST(a_way_without_a_key_has_its_number)
{
    char text[80];
    const Warren__Mode *mode = mode_with_ways();
    ck_assert_int_eq(wn_way_by_key(mode, '1'), 0);
    ck_assert_int_eq(wn_way_by_key(mode, WN_KEY_F1 + 4), 1);
    ck_assert_int_eq(wn_way_by_key(mode, '2'), WN_NO_WAY);
    ck_assert_int_eq(wn_way_by_key(mode, WN_KEY_NONE), WN_NO_WAY);
    wn_way_text(mode, 0, text, sizeof text);
    ck_assert_str_eq(text, "plain");
    wn_way_text(mode, 1, text, sizeof text);
    ck_assert_str_eq(text, "flying: Over walls");
}
END_TEST

RUN("interface choices", files_go_round_with_the_default_among_them, where_there_are_no_files_a_name_is_typed,
    a_number_can_be_the_word_for_its_least, a_way_is_found_by_its_name_or_those_there_are_are_named,
    a_way_without_a_key_has_its_number)
