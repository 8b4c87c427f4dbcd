/* A frontend's link to its server: what the first connection, its loss and its return mean, and what is said of them.
 * The server is the peer of the client's tests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client_peer.h"
#include "link.h"
#include "suite.h"

enum { NOW = 5000 };

static wn_command_line line;
static wn_link to_server;
static wn_log told;
static bool stands;

static void setup_link(void)
{
    wn_error error;
    setup();
    peer_start(&server);
    setenv("XDG_RUNTIME_DIR", server.directory, 1); /* where the session is kept */
    line = (wn_command_line){.player = "ann"};
    stands = false;
    ck_assert(wn_address_parse(&line.address, server.control_endpoint, &error));
    strcpy(line.shown_address, "here");
    ck_assert(wn_link_open(&to_server, &line, "test", &error));
}

static void teardown_link(void)
{
    char kept[80];
    wn_link_close(&to_server);
    wn_log_clear(&told);
    snprintf(kept, sizeof kept, "%s/warren/sessions", server.directory);
    rmdir(kept);
    *strrchr(kept, '/') = '\0';
    rmdir(kept);
    teardown();
}

/* Both sides work for a moment. */
static void work(void)
{
    wn_event event;
    peer_serve(&server);
    wn_client_wait(to_server.client, 2);
    while (wn_client_next(to_server.client, &event)) {
        stands = wn_link_take(&to_server, &event, &told, NOW) || stands;
    }
}

#define WORK_UNTIL(condition)                                                                                          \
    do {                                                                                                               \
        uint64_t deadline_ = 0;                                                                                        \
        while (!(condition)) {                                                                                         \
            ck_assert_msg(!late(&deadline_), "this never came: %s", #condition);                                       \
            work();                                                                                                    \
        }                                                                                                              \
    } while (0)

static bool is_told(const char *text)
{
    const wn_log_entry *entry = wn_log_entry_at(&told, 0);
    return entry != NULL && strcmp(entry->text, text) == 0;
}

START_TEST(the_first_connection_is_told_once)
{
    ck_assert_str_eq(wn_link_server(&to_server), "here");
    WORK_UNTIL(stands);
    ck_assert_str_eq(wn_link_server(&to_server), "test 1");
    ck_assert_int_eq(wn_link_get_state(&to_server, NOW), WN_LINK_STANDS);
    ck_assert_str_eq(wn_link_text(&to_server, NOW), "");
    ck_assert_uint_eq(told.count, 0);
}
END_TEST

START_TEST(a_loss_and_the_return_are_said_and_written_down)
{
    WORK_UNTIL(stands);
    stands = false;
    peer_stop(&server);
    WORK_UNTIL(is_told("The connection was lost."));
    ck_assert_int_eq(wn_link_get_state(&to_server, NOW), WN_LINK_AWAY);
    ck_assert_str_eq(wn_link_text(&to_server, NOW), "connection lost, retrying");
    peer_start(&server);
    WORK_UNTIL(is_told("Connected again."));
    ck_assert(!stands);
    ck_assert_int_eq(wn_link_get_state(&to_server, NOW), WN_LINK_BACK);
    ck_assert_str_eq(wn_link_text(&to_server, NOW), "connected again");
    ck_assert_int_eq(wn_link_get_state(&to_server, to_server.back_until), WN_LINK_STANDS);
}
END_TEST

START_TEST(a_server_that_says_that_it_stops_is_away_until_it_is_heard_of)
{
    WORK_UNTIL(stands);
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_STOPPING);
    WORK_UNTIL(to_server.stopping);
    ck_assert_str_eq(wn_link_text(&to_server, NOW), "the server has stopped, waiting for it");
    ck_assert_uint_ne(wn_client_list_worlds(to_server.client), 0);
    WORK_UNTIL(!to_server.stopping);
    ck_assert_int_eq(wn_link_get_state(&to_server, NOW), WN_LINK_STANDS);
}
END_TEST

START_TEST(why_a_server_refuses_stays_in_sight)
{
    server.refuse_hello = WARREN__ERROR_CODE__ERROR_LIMIT;
    WORK_UNTIL(wn_link_get_state(&to_server, NOW) == WN_LINK_REFUSED);
    ck_assert_str_eq(wn_link_text(&to_server, NOW), "The peer of the test says no.");
    ck_assert(!stands);
}
END_TEST

START_TEST(the_next_link_goes_on_with_the_session_of_one_that_was_cut)
{
    wn_error error;
    WORK_UNTIL(stands);
    ck_assert(to_server.session.kept);
    peer_stop(&server);
    WORK_UNTIL(wn_link_get_state(&to_server, NOW) == WN_LINK_AWAY);
    wn_link_close(&to_server); /* it could not say goodbye */
    ck_assert(wn_link_open(&to_server, &line, "test", &error));
    ck_assert(to_server.session.kept);
    stands = false;
    peer_start(&server);
    WORK_UNTIL(stands);
    ck_assert_uint_eq(server.resumed, 1);
    wn_link_close(&to_server);
    ck_assert(wn_link_open(&to_server, &line, "test", &error));
    ck_assert(!to_server.session.kept);
}
END_TEST

START_TEST(who_moves_to_another_server_can_go_back)
{
    wn_error error;
    wn_address nowhere;
    ck_assert(wn_address_parse(&nowhere, "ipc:///nowhere/control", &error));
    WORK_UNTIL(stands);
    ck_assert(wn_link_move(&to_server, &nowhere, "nowhere", &error));
    ck_assert(to_server.asked && !to_server.started);
    ck_assert_str_eq(to_server.shown_address, "nowhere");
    ck_assert_str_eq(to_server.before, "here");
    ck_assert(wn_link_move(&to_server, &nowhere, "elsewhere", &error));
    ck_assert_str_eq(to_server.before, "here"); /* nowhere never answered */
    stands = false;
    ck_assert(wn_link_move(&to_server, &line.address, "here", &error));
    ck_assert_str_eq(to_server.before, "");
    WORK_UNTIL(stands);
}
END_TEST

START_TEST(a_session_that_cannot_be_kept_is_told_once)
{
    strcpy(to_server.problem.text, "There is no room to keep the session.");
    wn_link_tell_problem(&to_server, &told);
    ck_assert(is_told("There is no room to keep the session."));
    wn_link_tell_problem(&to_server, &told);
    ck_assert_uint_eq(told.count, 1);
    ck_assert_uint_eq(wn_log_entry_at(&told, 0)->times, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_first_connection_is_told_once,
        a_loss_and_the_return_are_said_and_written_down,
        a_server_that_says_that_it_stops_is_away_until_it_is_heard_of,
        why_a_server_refuses_stays_in_sight,
        the_next_link_goes_on_with_the_session_of_one_that_was_cut,
        who_moves_to_another_server_can_go_back,
        a_session_that_cannot_be_kept_is_told_once,
    };
    return suite_run_with("interface link", tests, sizeof tests / sizeof *tests, setup_link, teardown_link);
}
