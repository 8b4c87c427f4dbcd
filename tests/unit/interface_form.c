/* The form for a new world: what its fields hold, what keys do in them, and where errors go. */
#include <string.h>

#include "form.h"
#include "key.h"
#include "suite.h"

static Warren__Setting width, mortal, size;
static Warren__Setting *settings[] = {&width, &mortal, &size};
static char *sizes[] = {(char *)"small", (char *)"large"};

static const Warren__Mode *mode(void)
{
    static Warren__Mode caves;
    warren__mode__init(&caves);
    warren__setting__init(&width);
    warren__setting__init(&mortal);
    warren__setting__init(&size);
    width.name = (char *)"width";
    width.type = WARREN__SETTING_TYPE__SETTING_INTEGER;
    width.minimum = 16;
    width.maximum = 1024;
    width.standard = (char *)"160";
    width.help = (char *)"Columns of the cave";
    mortal.name = (char *)"mortal";
    mortal.type = WARREN__SETTING_TYPE__SETTING_BOOLEAN;
    mortal.standard = (char *)"no";
    size.name = (char *)"size";
    size.type = WARREN__SETTING_TYPE__SETTING_CHOICE;
    size.standard = (char *)"small";
    size.choices = sizes;
    size.n_choices = 2;
    caves.name = (char *)"caves";
    caves.settings = settings;
    caves.n_settings = 3;
    return &caves;
}

static void type(wn_form *form, const char *text)
{
    for (; *text != '\0'; text++) {
        wn_form_key(form, (uint32_t)*text);
    }
}

START_TEST(a_form_begins_with_the_defaults)
{
    wn_form form = {0};
    char text[160];
    wn_form_start(&form, mode());
    ck_assert_uint_eq(form.count, 5);
    ck_assert_str_eq(form.fields[0].label, "name");
    ck_assert_str_eq(form.fields[1].label, "seed");
    ck_assert_str_eq(form.fields[2].value.text, "160");
    wn_form_range(&form.fields[2], text, sizeof text);
    ck_assert_str_eq(text, "16 to 1024");
    wn_form_range(&form.fields[4], text, sizeof text);
    ck_assert_str_eq(text, "small, large");
    wn_form_help(&form.fields[2], text, sizeof text);
    ck_assert_str_eq(text, "Columns of the cave (16 to 1024; default 160)");
    wn_form_free(&form);
}
END_TEST

START_TEST(what_the_server_has_for_each_world_stands_where_it_is_looked_for)
{
    static const char *const order[] = {"name", "bots", "title", "seed", "width", "mortal", "size", "join"};
    static Warren__Setting own[3];
    static Warren__Setting *all[] = {&width, &mortal, &size, &own[0], &own[1], &own[2]};
    static const char *const names[] = {"join", "title", "bots"}; /* as the server has them, behind the mode's */
    Warren__Mode caves = *mode();
    wn_form form = {0};
    for (size_t i = 0; i < 3; i++) {
        warren__setting__init(&own[i]);
        own[i].name = (char *)(uintptr_t)names[i];
        own[i].changeable = true;
    }
    caves.settings = all;
    caves.n_settings = 6;
    wn_form_start(&form, &caves);
    ck_assert_uint_eq(form.count, 8);
    for (size_t i = 0; i < form.count; i++) {
        ck_assert_str_eq(form.fields[i].label, order[i]);
    }
    wn_form_move(&form, 3);
    type(&form, "x");
    ck_assert_uint_eq(wn_form_submit(&form, NULL), 0);
    ck_assert_ptr_nonnull(strstr(form.fields[3].error, "number"));
    wn_form_free(&form);
}
END_TEST

START_TEST(what_is_typed_first_replaces_a_number_and_then_goes_on)
{
    wn_form form = {0};
    wn_form_start(&form, mode());
    wn_form_move(&form, 2);
    type(&form, "64");
    ck_assert_str_eq(form.fields[2].value.text, "64");
    wn_form_move(&form, 0); /* reached anew */
    type(&form, "8");
    ck_assert_str_eq(form.fields[2].value.text, "8");
    wn_form_key(&form, 'r' - WN_KEY_CONTROL_BASE);
    ck_assert_str_eq(form.fields[2].value.text, "160");
    wn_form_free(&form);
}
END_TEST

START_TEST(what_is_chosen_goes_round)
{
    wn_form form = {0};
    wn_form_start(&form, mode());
    wn_form_move(&form, 3);
    wn_form_key(&form, ' ');
    ck_assert_str_eq(form.fields[3].value.text, "yes");
    wn_form_move(&form, 1);
    wn_form_key(&form, WN_KEY_LEFT);
    ck_assert_str_eq(form.fields[4].value.text, "large");
    wn_form_key(&form, WN_KEY_RIGHT);
    ck_assert_str_eq(form.fields[4].value.text, "small");
    wn_form_move(&form, 99);
    ck_assert_uint_eq(form.selected, 4);
    wn_form_move(&form, -99);
    ck_assert_uint_eq(form.selected, 0);
    wn_form_free(&form);
}
END_TEST

START_TEST(an_error_goes_to_the_field_it_names)
{
    wn_form form = {0};
    wn_error error = {.field = "width", .text = "width = \"8\": from 16 to 1024"};
    wn_form_start(&form, mode());
    wn_form_fail(&form, &error);
    ck_assert_uint_eq(form.selected, 2);
    ck_assert_str_eq(form.fields[2].error, error.text);
    wn_form_key(&form, '9'); /* whoever mends it does not want to be told any more */
    ck_assert_str_eq(form.fields[2].error, "");
    strcpy(error.field, "worlds");
    wn_form_fail(&form, &error);
    ck_assert_str_eq(form.trouble, error.text);
    wn_form_free(&form);
}
END_TEST

START_TEST(a_name_or_seed_that_cannot_be_is_not_sent)
{
    wn_form form = {0};
    wn_form_start(&form, mode());
    type(&form, "no spaces");
    ck_assert_uint_eq(wn_form_submit(&form, NULL), 0); /* NULL: nothing is asked of a client */
    ck_assert_uint_eq(form.selected, 0);
    ck_assert_ptr_nonnull(strstr(form.fields[0].error, "letter"));
    wn_edit_start(&form.fields[0].value, "", 32);
    wn_form_move(&form, 1);
    type(&form, "99999999999999999999");
    ck_assert_uint_eq(wn_form_submit(&form, NULL), 0);
    ck_assert_uint_eq(form.selected, 1);
    ck_assert_ptr_nonnull(strstr(form.fields[1].error, "18446744073709551615"));
    wn_form_free(&form);
}
END_TEST

RUN("interface form", a_form_begins_with_the_defaults, what_the_server_has_for_each_world_stands_where_it_is_looked_for,
    what_is_typed_first_replaces_a_number_and_then_goes_on, what_is_chosen_goes_round,
    an_error_goes_to_the_field_it_names, a_name_or_seed_that_cannot_be_is_not_sent)
