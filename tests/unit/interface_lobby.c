/* Where somebody is who is in no world: what keys mean there, what has the focus, what is told. The client is one whose
 * server never answers: events are made here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "key.h"
#include "lobby.h"
#include "suite.h"

static wn_command_line line;
static wn_link server;
static wn_lobby lobby;

static void setup(void)
{
    wn_error error;
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1); /* no session is kept */
    setenv("XDG_CONFIG_HOME", "/nowhere", 1); /* and there are no favourites */
    line = (wn_command_line){.player = "ann"};
    ck_assert(wn_address_parse(&line.address, "ipc:///nowhere/control", &error));
    strcpy(line.shown_address, "ipc:///nowhere/control");
    ck_assert(wn_link_open(&server, &line, "test", &error));
    server.asked = true;
    wn_lobby_begin(&lobby, &server, NULL, 1000);
}

static void teardown(void)
{
    wn_lobby_free(&lobby);
    wn_link_close(&server);
}

static wn_entered reply(uint32_t request, Warren__Reply *reply)
{
    return wn_lobby_take(&lobby, &(wn_event){.kind = WN_EVENT_REPLY, .request = request, .reply = reply});
}

static wn_entered refuse(uint32_t request, const char *text)
{
    wn_event event = {.kind = WN_EVENT_ERROR, .request = request};
    strcpy(event.error.text, text);
    return wn_lobby_take(&lobby, &event);
}

static void give_worlds(void)
{
    static Warren__WorldInfo attic, burrow;
    static Warren__WorldInfo *worlds[] = {&attic, &burrow};
    static Warren__SettingValue title, join;
    static Warren__SettingValue *values[] = {&title, &join};
    Warren__WorldList list = WARREN__WORLD_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    warren__world_info__init(&attic);
    warren__world_info__init(&burrow);
    warren__setting_value__init(&title);
    warren__setting_value__init(&join);
    title.name = (char *)"title";
    title.value = (char *)"Friday's round";
    join.name = (char *)"join";
    join.value = (char *)"invited";
    attic.settings = burrow.settings = values;
    attic.n_settings = burrow.n_settings = 2;
    attic.name = (char *)"attic";
    attic.mode = (char *)"caves";
    attic.owner = (char *)"bob";
    burrow.name = (char *)"burrow";
    burrow.mode = (char *)"hunt";
    burrow.outcome = (char *)"ann has won";
    list.worlds = worlds;
    list.n_worlds = 2;
    message.body_case = WARREN__REPLY__BODY_WORLDS;
    message.worlds = &list;
    reply(lobby.list_request, &message);
}

static void give_modes(void)
{
    static Warren__Mode caves, hunt;
    static Warren__Mode *modes[] = {&caves, &hunt};
    static Warren__Entry plain, cloaked;
    static Warren__Entry *entries[] = {&plain, &cloaked};
    static Warren__Setting names[4];
    static Warren__Setting *settings[] = {&names[0], &names[1], &names[2], &names[3]};
    Warren__ModeList list = WARREN__MODE_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    warren__mode__init(&caves);
    warren__mode__init(&hunt);
    warren__entry__init(&plain);
    warren__entry__init(&cloaked);
    for (size_t i = 0; i < 4; i++) { /* the server's, then the mode's */
        warren__setting__init(&names[i]);
        names[i].name = (char *)(i % 2 == 0 ? "title" : "join");
        names[i].type = WARREN__SETTING_TYPE__SETTING_TEXT;
        names[i].has_changeable = names[i].changeable = i < 2;
        names[i].standard = (char *)"";
    }
    caves.settings = settings;
    hunt.settings = settings + 2;
    caves.n_settings = hunt.n_settings = 2;
    plain.name = (char *)"plain";
    cloaked.name = (char *)"cloaked";
    caves.name = (char *)"caves";
    hunt.name = (char *)"hunt";
    hunt.entries = entries;
    hunt.n_entries = 2;
    list.modes = modes;
    list.n_modes = 2;
    message.body_case = WARREN__REPLY__BODY_MODES;
    message.modes = &list;
    reply(lobby.modes_request, &message);
}

static wn_lobby_wish type(const char *text)
{
    wn_lobby_wish wish = WN_LOBBY_STAYS;
    for (; *text != '\0'; text++) {
        wish = wn_lobby_key(&lobby, (uint32_t)*text);
    }
    return wish;
}

START_TEST(the_line_above_the_list_tells_of_the_selected_world_of_the_filter_and_of_what_is_waited_for)
{
    char text[200];
    ck_assert_str_eq(wn_lobby_no_rows(&lobby), "asking for the worlds");
    give_worlds();
    ck_assert_int_eq(wn_lobby_get_about(&lobby, text, sizeof text), WN_LOBBY_ABOUT_WORLD);
    ck_assert_str_eq(text, "attic was created by bob");
    type("j");
    wn_lobby_get_about(&lobby, text, sizeof text);
    ck_assert_str_eq(text, "burrow: ann has won");
    type("/zz");
    ck_assert_int_eq(wn_lobby_get_about(&lobby, text, sizeof text), WN_LOBBY_ABOUT_FILTER);
    ck_assert_str_eq(wn_lobby_no_rows(&lobby), "no world matches; Esc shows all");
    wn_lobby_key(&lobby, WN_KEY_ESCAPE);
    ck_assert_uint_eq(lobby.list.row_count, 2);
    wn_lobby_key(&lobby, WN_KEY_ENTER);
    ck_assert_int_eq(wn_lobby_get_about(&lobby, text, sizeof text), WN_LOBBY_ABOUT_BUSY);
    ck_assert_ptr_nonnull(strstr(text, "joining"));
}
END_TEST

START_TEST(who_made_a_world_is_told_for_a_while_after_it_was_selected)
{
    char text[200];
    give_worlds();
    wn_lobby_tick(&lobby, 2000, true);
    ck_assert_int_eq(wn_lobby_get_about(&lobby, text, sizeof text), WN_LOBBY_ABOUT_WORLD);
    wn_lobby_tick(&lobby, 60000, true);
    ck_assert_int_eq(wn_lobby_get_about(&lobby, text, sizeof text), WN_LOBBY_ABOUT_NOTHING);
    ck_assert_str_eq(text, "");
    type("jk");
    wn_lobby_tick(&lobby, 60001, true);
    ck_assert_int_eq(wn_lobby_get_about(&lobby, text, sizeof text), WN_LOBBY_ABOUT_WORLD);
    type("j");
    wn_lobby_tick(&lobby, 120000, true);
    wn_lobby_tick(&lobby, 180000, true);
    wn_lobby_get_about(&lobby, text, sizeof text);
    ck_assert_str_eq(text, "burrow: ann has won"); /* this is what it is for */
}
END_TEST

START_TEST(the_list_begins_with_the_world_one_comes_from)
{
    give_worlds();
    type("jc");
    ck_assert_str_eq(server.last_world, "burrow");
    wn_lobby_free(&lobby);
    wn_lobby_begin(&lobby, &server, NULL, 1000);
    ck_assert_str_eq(server.last_world, "");
    give_worlds();
    ck_assert_str_eq(wn_world_list_selected(&lobby.list)->name, "burrow");
    type("k");
    give_worlds();
    ck_assert_str_eq(wn_world_list_selected(&lobby.list)->name, "attic");
}
END_TEST

START_TEST(what_was_lost_with_the_connection_is_no_trouble_unless_somebody_waits_for_it)
{
    const uint32_t older = lobby.list_request;
    give_worlds();
    wn_lobby_tick(&lobby, 1000000, true);
    lobby.list_request += 100; /* the list is asked for again and again */
    refuse(older, "The connection was lost.");
    refuse(lobby.list_request, "The connection was lost.");
    refuse(0, "The connection was lost.");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
    type("e");
    refuse(lobby.modes_request, "The modes were lost.");
    ck_assert_str_eq(lobby.entry.trouble, "The modes were lost.");
}
END_TEST

START_TEST(while_the_filter_is_typed_letters_are_no_commands)
{
    give_worlds();
    ck_assert_int_eq(type("/cq"), WN_LOBBY_STAYS);
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_FILTER);
    ck_assert_str_eq(lobby.list.filter.text, "cq");
    wn_lobby_key(&lobby, WN_KEY_ENTER);
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
    ck_assert_int_eq(type("c"), WN_LOBBY_CREATES);
    ck_assert_int_eq(type("q"), WN_LOBBY_QUITS);
    ck_assert_int_eq(wn_lobby_key(&lobby, WN_KEY_F12), WN_LOBBY_UNKNOWN);
}
END_TEST

START_TEST(the_help_tells_the_keys_and_closes_by_what_opened_it)
{
    static const uint32_t closing[] = {WN_KEY_F1, WN_KEY_ESCAPE, 'q', '?', WN_KEY_ENTER};
    give_worlds();
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(wn_lobby_key(&lobby, i % 2 == 0 ? '?' : WN_KEY_F1), WN_LOBBY_STAYS);
        ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_HELP);
        ck_assert_int_eq(wn_lobby_key(&lobby, WN_KEY_DOWN), WN_LOBBY_UNKNOWN); /* scrolls */
        ck_assert_int_eq(wn_lobby_key(&lobby, 'c'), WN_LOBBY_UNKNOWN);
        ck_assert_int_eq(wn_lobby_key(&lobby, closing[i]), WN_LOBBY_STAYS);
        ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
    }
    ck_assert_uint_eq(lobby.list.selected, 0);
    ck_assert_str_eq(wn_lobby_help(1)->keys, "Enter");
    ck_assert_ptr_null(wn_lobby_help(99));
}
END_TEST

START_TEST(a_page_is_as_long_as_what_is_in_sight)
{
    give_worlds();
    lobby.page = 1;
    wn_lobby_key(&lobby, WN_KEY_PAGE_DOWN);
    ck_assert_uint_eq(lobby.list.selected, 1);
    wn_lobby_key(&lobby, WN_KEY_HOME);
    ck_assert_uint_eq(lobby.list.selected, 0);
}
END_TEST

START_TEST(who_asks_how_to_enter_gets_the_ways_once_the_modes_are_known)
{
    give_worlds();
    type("je");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
    give_modes();
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_WAYS);
    ck_assert_int_eq(type("9"), WN_LOBBY_UNKNOWN);
    wn_lobby_key(&lobby, WN_KEY_ESCAPE);
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
    ck_assert_uint_eq(lobby.entry.join_request, 0);
    type("e2");
    ck_assert_uint_ne(lobby.entry.join_request, 0);
    ck_assert_uint_eq(lobby.entry.way, 1);
    ck_assert_str_eq(lobby.entry.busy, "joining burrow");
}
END_TEST

static const char *column(size_t row, wn_world_column which)
{
    static char text[WN_WORLD_COLUMN_BYTES];
    wn_world_column_text(&lobby.list, lobby.list.rows[row], which, text, sizeof text);
    return text;
}

/* Both worlds have a title and are by invitation, but hunt's settings of these names are its own. */
START_TEST(a_title_and_an_invitation_are_told_where_they_are_settings_of_the_server)
{
    char text[200];
    give_worlds();
    ck_assert_str_eq(column(0, WN_WORLD_NAME), "attic"); /* it is not known yet whose they are */
    give_modes();
    ck_assert_str_eq(column(0, WN_WORLD_NAME), "attic  Friday's round");
    ck_assert_str_eq(column(0, WN_WORLD_STATE), "invited");
    ck_assert_str_eq(column(1, WN_WORLD_NAME), "burrow");
    ck_assert_str_eq(column(1, WN_WORLD_STATE), "running");
    wn_lobby_tick(&lobby, 2000, true);
    wn_lobby_tick(&lobby, 60000, true); /* it has been said long enough who made it */
    wn_lobby_get_about(&lobby, text, sizeof text);
    ck_assert_str_eq(text, "attic: Friday's round");
    type("/friday");
    ck_assert_uint_eq(lobby.list.row_count, 1);
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_FILTER); /* nobody has asked how to enter */
}
END_TEST

START_TEST(the_ways_are_those_of_the_world_that_was_asked_about)
{
    give_worlds();
    type("jek"); /* the list goes on being looked at */
    give_modes();
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_WAYS);
    type("2");
    ck_assert_str_eq(lobby.entry.busy, "joining burrow");
    ck_assert_uint_eq(lobby.entry.way, 1);
}
END_TEST

START_TEST(why_there_is_no_list_is_told_until_one_comes)
{
    refuse(lobby.list_request, "Your requests come too fast.");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
    ck_assert_str_eq(wn_lobby_no_rows(&lobby), "Your requests come too fast.");
    give_worlds();
    ck_assert_uint_eq(lobby.list.row_count, 2);
    type("/zz");
    ck_assert_str_eq(wn_lobby_no_rows(&lobby), "no world matches; Esc shows all");
}
END_TEST

START_TEST(modes_that_did_not_come_are_asked_for_again)
{
    give_worlds();
    type("je");
    const uint32_t first = lobby.modes_request;
    refuse(first, "The modes were lost.");
    type(" e");
    ck_assert_uint_ne(lobby.modes_request, 0);
    ck_assert_uint_ne(lobby.modes_request, first);
}
END_TEST

static wn_entered give_joined(uint32_t request)
{
    Warren__Joined joined = WARREN__JOINED__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    joined.world = 7;
    message.body_case = WARREN__REPLY__BODY_JOINED;
    message.joined = &joined;
    return reply(request, &message);
}

START_TEST(another_world_takes_the_place_of_the_one_that_was_on_its_way)
{
    give_worlds();
    wn_lobby_key(&lobby, WN_KEY_ENTER);
    const uint32_t attic = lobby.entry.join_request;
    wn_lobby_key(&lobby, WN_KEY_ENTER); /* the same once more: the server would refuse it */
    ck_assert_uint_eq(lobby.entry.join_request, attic);
    type("w");
    ck_assert_uint_ne(lobby.entry.join_request, attic);
    type("j");
    wn_lobby_key(&lobby, WN_KEY_ENTER);
    ck_assert_uint_eq(give_joined(attic).world, 0);
    ck_assert_uint_eq(give_joined(lobby.entry.join_request).world, 7);
}
END_TEST

START_TEST(what_the_command_line_asks_for_ends_with_the_first_refusal)
{
    line.world = "burrow";
    line.enter = "cloaked";
    lobby.entry.line = &line;
    lobby.entry.worlds_request = wn_client_list_worlds(server.client);
    const uint32_t modes = lobby.entry.modes_request = wn_client_list_modes(server.client);
    refuse(lobby.entry.worlds_request, "The worlds were lost.");
    ck_assert_str_eq(lobby.entry.trouble, "The worlds were lost.");
    Warren__ModeList list = WARREN__MODE_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    message.body_case = WARREN__REPLY__BODY_MODES;
    message.modes = &list;
    reply(modes, &message);
    ck_assert_uint_eq(lobby.entry.join_request, 0);
}
END_TEST

START_TEST(where_there_is_one_way_nobody_is_asked)
{
    give_worlds();
    type("e");
    give_modes();
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
    ck_assert_str_eq(lobby.entry.busy, "joining attic");
}
END_TEST

START_TEST(a_world_that_was_joined_is_told_with_the_way)
{
    give_worlds();
    type("je");
    give_modes();
    type("2");
    ck_assert_uint_eq(give_joined(lobby.list_request).world, 0);
    const wn_entered entered = give_joined(lobby.entry.join_request);
    ck_assert_uint_eq(entered.world, 7);
    ck_assert_uint_eq(entered.way, 1);
}
END_TEST

START_TEST(trouble_is_read_until_a_key_which_does_nothing_else)
{
    give_worlds();
    wn_lobby_key(&lobby, WN_KEY_ENTER);
    refuse(lobby.entry.join_request, "attic is full");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_TROUBLE);
    ck_assert_str_eq(lobby.entry.trouble, "attic is full");
    ck_assert_int_eq(type("q"), WN_LOBBY_STAYS);
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
}
END_TEST

START_TEST(another_server_is_chosen_or_typed_and_a_wrong_address_can_be_mended)
{
    type("s");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_SERVERS);
    wn_servers_add(&lobby.servers, "warren://attic:7117");
    type("j");
    ck_assert_uint_eq(lobby.servers.selected, 1);
    ck_assert_int_eq(wn_lobby_key(&lobby, WN_KEY_ENTER), WN_LOBBY_CONNECTS);
    ck_assert_str_eq(lobby.address.text, "warren://attic:7117");
    ck_assert_int_eq(type("j "), WN_LOBBY_STAYS);
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_ADDRESS);
    type("attic:q");
    ck_assert_int_eq(wn_lobby_key(&lobby, WN_KEY_ENTER), WN_LOBBY_CONNECTS);
    wn_lobby_fail(&lobby, "that is no address");
    type(" ");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_ADDRESS);
    ck_assert_str_eq(lobby.address.text, "warren://attic:q");
    wn_lobby_key(&lobby, WN_KEY_ESCAPE);
    wn_lobby_key(&lobby, WN_KEY_ESCAPE);
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_LIST);
}
END_TEST

START_TEST(a_favourite_is_kept_or_it_is_said_why_not)
{
    char directory[] = "/tmp/warren-lobby-XXXXXX", path[96];
    ck_assert_ptr_nonnull(mkdtemp(directory));
    setenv("XDG_CONFIG_HOME", directory, 1);
    type("sf");
    ck_assert_str_eq(wn_server_about(&lobby.servers.items[0]), "here, favourite");
    wn_lobby_key(&lobby, WN_KEY_ESCAPE);
    type("s");
    ck_assert(lobby.servers.items[0].favourite);
    type("f");
    ck_assert(!lobby.servers.items[0].favourite);
    snprintf(path, sizeof path, "%s/warren/servers.conf", directory);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(directory);
    setenv("XDG_CONFIG_HOME", "/proc/none", 1);
    type("f");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_TROUBLE);
    ck_assert(!lobby.servers.items[0].favourite);
}
END_TEST

START_TEST(favourites_that_could_not_all_be_read_are_not_written_anew)
{
    char directory[] = "/tmp/warren-lobby-XXXXXX", path[96], row[64];
    unsigned lines = 0;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    setenv("XDG_CONFIG_HOME", directory, 1);
    type("sf");
    snprintf(path, sizeof path, "%s/warren/servers.conf", directory);
    FILE *file = fopen(path, "w");
    for (unsigned i = 0; i <= WN_FAVOURITES; i++) {
        fprintf(file, "warren://host-%u\n", i);
    }
    fclose(file);
    type("f");
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_TROUBLE);
    ck_assert_ptr_nonnull(strstr(lobby.entry.trouble, path));
    file = fopen(path, "r");
    while (fgets(row, sizeof row, file) != NULL) {
        lines++;
    }
    fclose(file);
    ck_assert_uint_eq(lines, WN_FAVOURITES + 1);
    wn_lobby_key(&lobby, WN_KEY_ESCAPE);
    wn_lobby_key(&lobby, WN_KEY_ESCAPE);
    type("s"); /* those that are not here are not missed in silence */
    ck_assert_int_eq(wn_lobby_get_focus(&lobby), WN_LOBBY_TROUBLE);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(directory);
}
END_TEST

START_TEST(without_a_connection_the_list_waits)
{
    const uint32_t first = lobby.list_request;
    ck_assert_int_eq(wn_lobby_tick(&lobby, 1100, true), 1400);
    ck_assert_int_eq(wn_lobby_tick(&lobby, 1400, true), 4400);
    ck_assert_uint_eq(lobby.list_request, first);
    type("r");
    ck_assert_int_eq(wn_lobby_tick(&lobby, 1500, true), 4500);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_line_above_the_list_tells_of_the_selected_world_of_the_filter_and_of_what_is_waited_for,
        while_the_filter_is_typed_letters_are_no_commands,
        a_page_is_as_long_as_what_is_in_sight,
        who_asks_how_to_enter_gets_the_ways_once_the_modes_are_known,
        where_there_is_one_way_nobody_is_asked,
        the_ways_are_those_of_the_world_that_was_asked_about,
        a_title_and_an_invitation_are_told_where_they_are_settings_of_the_server,
        why_there_is_no_list_is_told_until_one_comes,
        modes_that_did_not_come_are_asked_for_again,
        another_world_takes_the_place_of_the_one_that_was_on_its_way,
        what_the_command_line_asks_for_ends_with_the_first_refusal,
        a_world_that_was_joined_is_told_with_the_way,
        trouble_is_read_until_a_key_which_does_nothing_else,
        another_server_is_chosen_or_typed_and_a_wrong_address_can_be_mended,
        a_favourite_is_kept_or_it_is_said_why_not,
        favourites_that_could_not_all_be_read_are_not_written_anew,
        without_a_connection_the_list_waits,
        the_help_tells_the_keys_and_closes_by_what_opened_it,
        who_made_a_world_is_told_for_a_while_after_it_was_selected,
        the_list_begins_with_the_world_one_comes_from,
        what_was_lost_with_the_connection_is_no_trouble_unless_somebody_waits_for_it,
    };
    return suite_run_with("interface lobby", tests, sizeof tests / sizeof *tests, setup, teardown);
}
