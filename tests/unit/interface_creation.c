/* A new world: choosing its mode, filling in its form, and what comes of it. The client is one whose server never
 * answers: events are made here. */
#include <string.h>

#include "creation.h"
#include "key.h"
#include "suite.h"

static wn_client *client;
static wn_creation creation;

static void setup(void)
{
    wn_error error;
    wn_address address;
    ck_assert(wn_address_parse(&address, "ipc:///nowhere/control", &error));
    client = wn_client_new(&(wn_client_options){.address = &address, .software = "test"}, &error);
    ck_assert_ptr_nonnull(client);
    wn_creation_begin(&creation, client);
}

static void teardown(void)
{
    wn_creation_free(&creation);
    wn_client_free(client);
}

static uint32_t reply(uint32_t request, const Warren__Reply *reply)
{
    return wn_creation_take(&creation, &(wn_event){.kind = WN_EVENT_REPLY, .request = request, .reply = reply});
}

static void refuse(uint32_t request, const char *field, const char *text)
{
    wn_event event = {.kind = WN_EVENT_ERROR, .request = request};
    strcpy(event.error.field, field);
    strcpy(event.error.text, text);
    ck_assert_uint_eq(wn_creation_take(&creation, &event), 0);
}

static void give_modes(size_t count)
{
    static Warren__Setting width;
    static Warren__Setting *settings[] = {&width};
    static Warren__Mode caves, hunt;
    static Warren__Mode *modes[] = {&caves, &hunt};
    Warren__ModeList list = WARREN__MODE_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    warren__setting__init(&width);
    warren__mode__init(&caves);
    warren__mode__init(&hunt);
    width.name = (char *)"width";
    width.help = (char *)"Columns of the cave";
    width.standard = (char *)"160";
    width.minimum = 16;
    width.maximum = 1024;
    width.has_minimum = width.has_maximum = true;
    caves.name = (char *)"caves";
    caves.summary = (char *)"A cave to dig through";
    caves.settings = settings;
    caves.n_settings = 1;
    hunt.name = (char *)"hunt";
    list.modes = modes;
    list.n_modes = count;
    message.body_case = WARREN__REPLY__BODY_MODES;
    message.modes = &list;
    reply(creation.modes_request, &message);
}

static void press(uint32_t key)
{
    ck_assert(wn_creation_key(&creation, key));
}

START_TEST(what_stands_in_place_of_the_modes_says_why)
{
    ck_assert_str_eq(wn_creation_no_modes(&creation), "asking for the modes");
    press(WN_KEY_ENTER); /* nothing to choose yet */
    give_modes(0);
    ck_assert_ptr_nonnull(strstr(wn_creation_no_modes(&creation), "no modes"));
    press(WN_KEY_ENTER);
    ck_assert_ptr_null(creation.form.mode);
}
END_TEST

START_TEST(a_mode_is_chosen_and_escape_goes_back_step_by_step)
{
    char text[600];
    give_modes(2);
    ck_assert_ptr_null(wn_creation_no_modes(&creation));
    ck_assert(!wn_creation_about(&creation, text, sizeof text));
    ck_assert_str_eq(text, "A cave to dig through");
    press('j');
    ck_assert_uint_eq(wn_creation_selected(&creation), 1);
    press(WN_KEY_ENTER);
    ck_assert_str_eq(creation.form.mode->name, "hunt");
    ck_assert_uint_eq(wn_creation_rows(&creation), 2);
    press('q'); /* a letter of the name */
    press(WN_KEY_ESCAPE);
    ck_assert_ptr_null(creation.form.mode);
    ck_assert_uint_eq(wn_creation_selected(&creation), 1);
    ck_assert(!wn_creation_key(&creation, WN_KEY_ESCAPE));
}
END_TEST

START_TEST(a_step_beyond_the_last_row_is_the_first_and_a_page_stops)
{
    give_modes(2);
    press(WN_KEY_UP);
    ck_assert_uint_eq(wn_creation_selected(&creation), 1);
    press('j');
    ck_assert_uint_eq(wn_creation_selected(&creation), 0);
    press(WN_KEY_ENTER); /* the form of caves: name, seed, width */
    press(WN_KEY_BACK_TAB);
    ck_assert_uint_eq(wn_creation_selected(&creation), 2);
    press(WN_KEY_WHEEL_DOWN);
    ck_assert_uint_eq(wn_creation_selected(&creation), 2);
    press(WN_KEY_DOWN);
    ck_assert_uint_eq(wn_creation_selected(&creation), 0);
    press(WN_KEY_PAGE_UP);
    ck_assert_uint_eq(wn_creation_selected(&creation), 0);
    press(WN_KEY_PAGE_DOWN);
    ck_assert_uint_eq(wn_creation_selected(&creation), 2);
}
END_TEST

START_TEST(the_help_stands_over_modes_and_form_and_a_question_mark_may_be_text)
{
    give_modes(2);
    press('?');
    ck_assert(creation.helps);
    ck_assert_str_eq(wn_creation_help(&creation, 3)->keys, "Esc q");
    press(WN_KEY_DOWN);
    ck_assert_uint_eq(wn_creation_selected(&creation), 0);
    press('q');
    ck_assert(!creation.helps);
    press(WN_KEY_ENTER);
    press('?');
    ck_assert_str_eq(creation.form.fields[0].value.text, "?");
    press(WN_KEY_F1);
    ck_assert(creation.helps);
    ck_assert_ptr_null(wn_creation_help(&creation, 99));
    wn_creation_pick(&creation, 1);
    ck_assert_uint_eq(wn_creation_selected(&creation), 0);
    press(WN_KEY_ESCAPE);
    ck_assert(!creation.helps);
    ck_assert_ptr_nonnull(creation.form.mode);
    press(WN_KEY_UP);
    press('?'); /* where a number is typed */
    ck_assert(creation.helps);
}
END_TEST

START_TEST(a_click_chooses_a_mode_and_then_selects_fields)
{
    give_modes(2);
    wn_creation_pick(&creation, 2); /* there is none */
    ck_assert_ptr_null(creation.form.mode);
    wn_creation_pick(&creation, 0);
    ck_assert_str_eq(creation.form.mode->name, "caves");
    wn_creation_pick(&creation, 2);
    ck_assert_uint_eq(creation.form.selected, 2);
}
END_TEST

START_TEST(while_the_world_is_on_its_way_only_escape_counts)
{
    give_modes(2);
    press(WN_KEY_ENTER);
    press(WN_KEY_ENTER);
    ck_assert(creation.busy);
    const uint32_t request = creation.create_request;
    press(WN_KEY_ENTER);
    press(WN_KEY_DOWN);
    wn_creation_pick(&creation, 1);
    ck_assert_uint_eq(creation.create_request, request);
    ck_assert_uint_eq(creation.form.selected, 0);
    press(WN_KEY_ESCAPE);
    ck_assert(!creation.busy);
}
END_TEST

START_TEST(what_the_server_objects_to_stands_in_the_form)
{
    char text[600];
    give_modes(2);
    press(WN_KEY_ENTER);
    press(WN_KEY_ENTER);
    refuse(creation.create_request, "width", "width = \"8\": from 16 to 1024");
    ck_assert(!creation.busy);
    ck_assert_uint_eq(wn_creation_selected(&creation), 2);
    ck_assert(wn_creation_about(&creation, text, sizeof text));
    ck_assert_str_eq(text, "width = \"8\": from 16 to 1024");
    press('9');
    ck_assert(!wn_creation_about(&creation, text, sizeof text));
    ck_assert_str_eq(text, "Columns of the cave (16 to 1024; default 160)");
}
END_TEST

static uint32_t give_world(uint32_t request)
{
    Warren__WorldInfo made = WARREN__WORLD_INFO__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    made.name = (char *)"caves-1";
    message.body_case = WARREN__REPLY__BODY_WORLD;
    message.world = &made;
    return reply(request, &message);
}

static uint32_t give_joined(uint32_t request)
{
    Warren__Joined joined = WARREN__JOINED__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    joined.world = 7;
    message.body_case = WARREN__REPLY__BODY_JOINED;
    message.joined = &joined;
    return reply(request, &message);
}

START_TEST(a_world_that_was_made_is_entered)
{
    give_modes(2);
    press(WN_KEY_ENTER);
    press(WN_KEY_ENTER);
    ck_assert_uint_eq(give_world(creation.create_request), 0);
    ck_assert_uint_ne(creation.join_request, 0);
    ck_assert_uint_eq(give_joined(creation.join_request), 7);
}
END_TEST

START_TEST(escape_gives_up_the_world_that_is_on_its_way)
{
    give_modes(2);
    press(WN_KEY_ENTER);
    press(WN_KEY_ENTER);
    const uint32_t create = creation.create_request;
    press(WN_KEY_ESCAPE);
    ck_assert_uint_eq(give_world(create), 0);
    ck_assert_uint_eq(creation.join_request, 0);
    refuse(create, "", "too late");
    ck_assert_str_eq(creation.form.trouble, "");
    press(WN_KEY_ENTER);
    press(WN_KEY_ENTER);
    give_world(creation.create_request);
    const uint32_t join = creation.join_request;
    press(WN_KEY_ESCAPE);
    ck_assert_uint_eq(give_joined(join), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_stands_in_place_of_the_modes_says_why,
        a_mode_is_chosen_and_escape_goes_back_step_by_step,
        a_click_chooses_a_mode_and_then_selects_fields,
        while_the_world_is_on_its_way_only_escape_counts,
        what_the_server_objects_to_stands_in_the_form,
        a_world_that_was_made_is_entered,
        escape_gives_up_the_world_that_is_on_its_way,
        a_step_beyond_the_last_row_is_the_first_and_a_page_stops,
        the_help_stands_over_modes_and_form_and_a_question_mark_may_be_text,
    };
    return suite_run_with("interface creation", tests, sizeof tests / sizeof *tests, setup, teardown);
}
