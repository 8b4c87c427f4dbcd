/* The client library when the network or the daemon fails: lost updates, lost connections, lost sessions. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_peer.h"

static const wn_replica *replica(void)
{
    return wn_client_replica(client, PEER_WORLD);
}

/* lost updates */

START_TEST(dropped_update_is_healed_by_one_keyframe)
{
    server.sequence++; /* one that nobody got */
    for (uint32_t i = 0; i < 10; i++) {
        peer_publish_delta(&server, 2);
    }
    PUMP_UNTIL(server.resyncs == 1 && replica()->sequence == server.sequence);
    peer_publish_delta(&server, 4);
    PUMP_UNTIL(replica()->cells[0] == 4);
    ck_assert_uint_eq(server.resyncs, 1);
    ck_assert_uint_eq(server.keyframes, 2);
}
END_TEST

START_TEST(keyframe_is_asked_for_again_while_none_comes)
{
    server.mute = true;
    server.sequence++;
    peer_publish_delta(&server, 2);
    PUMP_UNTIL(server.resyncs == 2);
    ck_assert_uint_eq(events.updates, 1);
    server.mute = false;
    PUMP_UNTIL(replica()->sequence == server.sequence);
    ck_assert_uint_eq(server.subscriptions, 2); /* over a fresh socket */
    ck_assert_uint_eq(server.resyncs, 2);
}
END_TEST

START_TEST(update_that_does_not_fit_is_healed_by_a_keyframe)
{
    peer_publish_delta(&server, PEER_TILES * 2);
    PUMP_UNTIL(server.resyncs == 1 && replica()->sequence == server.sequence);
    ck_assert_uint_eq(replica()->cells[0], 0);
}
END_TEST

START_TEST(view_that_began_anew_unseen_is_noticed_by_the_pongs)
{
    server.heartbeat_ms = 50;
    peer_start(&server);
    start_client();
    wn_client_join(client, "cave", 0);
    PUMP_UNTIL(events.updates == 1);
    for (int i = 0; i < 5; i++) {
        peer_publish_delta(&server, 2);
    }
    PUMP_UNTIL(events.updates == 6);
    server.sequence = 1;
    PUMP_UNTIL(server.resyncs == 1 && replica()->sequence == 2);
}
END_TEST

START_TEST(lost_tail_is_noticed_by_the_pong)
{
    server.heartbeat_ms = 50;
    peer_start(&server);
    start_client();
    wn_client_join(client, "cave", 0);
    PUMP_UNTIL(events.updates == 1);
    server.sequence += 3; /* and then nothing any more */
    PUMP_UNTIL(replica()->sequence == server.sequence && server.keyframes == 2);
    ck_assert_uint_eq(server.resyncs, 1);
    const unsigned pings = server.pings;
    PUMP_UNTIL(server.pings > pings + 10); /* and it stays at that */
    ck_assert_uint_eq(server.resyncs, 1);
}
END_TEST

/* lost connections */

static void play(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        ck_assert_uint_gt(wn_client_command(client, PEER_WORLD, 1, 0), 0);
    }
    PUMP_UNTIL(server.command_count == count);
}

START_TEST(closed_connection_is_noticed_at_once)
{
    const uint64_t start = milliseconds();
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    ck_assert_uint_lt(milliseconds() - start, 500);
    ck_assert_int_eq(events.error.code, WARREN__ERROR_CODE__ERROR_UNAVAILABLE);
    ck_assert(replica()->ready); /* the view freezes */
}
END_TEST

START_TEST(silent_peer_is_lost_after_three_missed_pongs)
{
    server.heartbeat_ms = 50;
    peer_start(&server);
    start_client();
    PUMP_UNTIL(server.pings == 1);
    server.silent = true;
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.silent = false;
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
    ck_assert_uint_ge(server.resumed, 1);
}
END_TEST

START_TEST(frontend_that_was_stopped_is_not_taken_for_a_lost_connection)
{
    server.heartbeat_ms = 50;
    peer_start(&server);
    start_client();
    PUMP_UNTIL(server.pings == 1);
    const uint64_t start = milliseconds();
    while (milliseconds() < start + 500) { /* timers run, but nobody takes the Pongs */
        peer_serve(&server);
        wn_client_wait(client, 2);
    }
    PUMP_UNTIL(server.pings > 8);
    ck_assert_uint_eq(events.states, 1);
}
END_TEST

START_TEST(resumed_seat_gets_exactly_the_commands_it_has_not_had)
{
    play(6);
    peer_execute(&server, 2);
    PUMP_UNTIL(wn_client_pending(client, PEER_WORLD) == 4);
    peer_fail(&server, 0, WARREN__ERROR_CODE__ERROR_BAD_ACTION, PEER_WORLD, 5);
    PUMP_UNTIL(events.errors == 1);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 7); /* kept until it is back */
    server.command_count = 0;
    server.executed = 3;
    server.next_command = 4;
    memset(server.key, 0x66, sizeof server.key); /* a restarted daemon has new keys */
    server.sequence = 1000;
    peer_start(&server);
    PUMP_UNTIL(server.command_count == 3 && replica()->sequence == 1001);
    ck_assert_uint_eq(server.commands[0], 4);
    ck_assert_uint_eq(server.commands[1], 6);
    ck_assert_uint_eq(server.commands[2], 7);
    ck_assert_uint_eq(server.joins, 1);
    ck_assert_uint_eq(events.rejoined, 0);
    ck_assert_uint_eq(wn_client_pending(client, PEER_WORLD), 3);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 8);
    peer_execute(&server, 7);
    PUMP_UNTIL(wn_client_pending(client, PEER_WORLD) == 1);
    ck_assert_str_eq(replica()->mode->title, "A legend that outlives its message");
}
END_TEST

START_TEST(request_lost_with_the_connection_ends_in_an_error)
{
    server.silent = true;
    const uint32_t id = wn_client_list_worlds(client);
    for (int i = 0; i < 10; i++) {
        pump();
    }
    server.silent = false;
    peer_stop(&server);
    PUMP_UNTIL(events.errors == 1);
    ck_assert_uint_eq(events.error_request, id);
    ck_assert_int_eq(events.error.code, WARREN__ERROR_CODE__ERROR_UNAVAILABLE);
    const uint32_t later = wn_client_list_worlds(client);
    const unsigned replies = events.replies;
    peer_start(&server);
    PUMP_UNTIL(events.replies == replies + 1);
    ck_assert_uint_eq(events.request, later);
    ck_assert_uint_eq(server.lists, 1);
}
END_TEST

START_TEST(seat_that_ended_meanwhile_is_gone)
{
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.seat_kept = false;
    peer_start(&server);
    PUMP_UNTIL(events.gone_with_replica == 1);
    ck_assert_ptr_nonnull(strstr(events.error.text, "cave"));
    pump();
    ck_assert_ptr_null(replica());
    ck_assert_uint_eq(server.joins, 1);
}
END_TEST

START_TEST(seat_whose_joined_was_lost_is_given_back)
{
    start_client();
    peer_start(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.seat_kept = true;
    peer_start(&server);
    PUMP_UNTIL(server.leaves == 1);
    ck_assert_ptr_null(replica());
}
END_TEST

/* lost sessions */

START_TEST(unknown_session_joins_its_worlds_again)
{
    play(3);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.session_known = false;
    server.command_count = 0;
    server.next_command = 1;
    server.sequence = 0;
    peer_start(&server);
    PUMP_UNTIL(events.rejoined == 1 && replica()->ready);
    ck_assert_uint_eq(server.joins, 2);
    ck_assert_uint_eq(wn_client_pending(client, PEER_WORLD), 0);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 1);
    PUMP_UNTIL(server.command_count == 1);
}
END_TEST

START_TEST(seat_given_back_to_a_new_session_gets_the_commands_it_has_not_had)
{
    play(4);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.session_known = false;
    server.command_count = 0;
    server.next_command = 3;
    peer_start(&server);
    PUMP_UNTIL(events.rejoined == 1 && server.command_count == 2);
    ck_assert_uint_eq(server.commands[0], 3);
    ck_assert_uint_eq(server.commands[1], 4);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 5);
}
END_TEST

START_TEST(world_that_is_gone_is_said_to_be)
{
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.session_known = false;
    server.refuse_join = WARREN__ERROR_CODE__ERROR_NOT_FOUND;
    peer_start(&server);
    PUMP_UNTIL(events.gone_with_replica == 1);
    ck_assert_int_eq(events.error.code, WARREN__ERROR_CODE__ERROR_NOT_FOUND);
    pump();
    ck_assert_ptr_null(replica());
}
END_TEST

START_TEST(world_that_is_still_starting_is_tried_again)
{
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.session_known = false;
    server.refuse_join = WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    peer_start(&server);
    PUMP_UNTIL(server.joins == 2);
    server.refuse_join = WARREN__ERROR_CODE__ERROR_NONE;
    PUMP_UNTIL(events.rejoined == 1 && replica()->ready);
    ck_assert_uint_eq(events.gone, 0);
}
END_TEST

START_TEST(watched_world_is_watched_again)
{
    peer_start(&server);
    start_client();
    wn_client_watch(client, "cave");
    PUMP_UNTIL(events.updates == 1);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    peer_start(&server); /* the session is known, but nobody keeps a spectator's place */
    PUMP_UNTIL(events.rejoined == 1 && events.updates == 2);
    ck_assert_uint_eq(server.watches, 2);
    ck_assert_uint_eq(server.joins, 0);
}
END_TEST

START_TEST(forgotten_session_says_hello_again)
{
    server.heartbeat_ms = 50;
    peer_start(&server);
    start_client();
    PUMP_UNTIL(server.pings == 1);
    const unsigned hellos = server.hellos;
    server.pings_unknown = true;
    server.session_known = false;
    PUMP_UNTIL(events.states == 3 && events.state == WN_CLIENT_CONNECTED);
    ck_assert_uint_gt(server.hellos, hellos);
}
END_TEST

/* refused */

START_TEST(refused_version_is_final)
{
    server.refuse_hello = WARREN__ERROR_CODE__ERROR_VERSION;
    peer_start(&server);
    start_client();
    const uint32_t id = wn_client_list_worlds(client);
    PUMP_UNTIL(events.state == WN_CLIENT_REFUSED && events.errors == 1);
    ck_assert_uint_eq(events.error_request, id);
    ck_assert_int_eq(events.error.code, WARREN__ERROR_CODE__ERROR_VERSION);
    const unsigned hellos = server.hellos;
    const uint64_t start = milliseconds();
    while (milliseconds() < start + 200) {
        pump();
    }
    ck_assert_uint_eq(server.hellos, hellos);
    ck_assert_uint_gt(wn_client_list_worlds(client), 0);
    PUMP_UNTIL(events.errors == 2);
}
END_TEST

START_TEST(daemon_that_is_not_ready_is_asked_again)
{
    server.refuse_hello = WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    peer_start(&server);
    start_client();
    PUMP_UNTIL(server.hellos == 3);
    ck_assert_int_eq(wn_client_get_state(client), WN_CLIENT_CONNECTING);
    server.refuse_hello = WARREN__ERROR_CODE__ERROR_NONE;
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
}
END_TEST

/* leaks */

static unsigned descriptor_count(void)
{
    DIR *directory = opendir("/proc/self/fd");
    unsigned count = 0;
    ck_assert_ptr_nonnull(directory);
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}

START_TEST(fifty_reconnections_leak_no_descriptor)
{
    PUMP_UNTIL(server.subscribed);
    const unsigned before = descriptor_count();
    for (unsigned i = 0; i < 50; i++) {
        peer_stop(&server);
        PUMP_UNTIL(events.state == WN_CLIENT_LOST);
        peer_start(&server);
        const unsigned updates = events.updates;
        PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED && events.updates > updates);
    }
    PUMP_UNTIL(descriptor_count() <= before); /* sockets close a moment after they were told to */
    ck_assert_uint_eq(server.joins, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_healing");
    TCase *alone = tcase_create("alone");
    tcase_set_timeout(alone, 60);
    tcase_add_checked_fixture(alone, setup, teardown);
    tcase_add_test(alone, view_that_began_anew_unseen_is_noticed_by_the_pongs);
    tcase_add_test(alone, lost_tail_is_noticed_by_the_pong);
    tcase_add_test(alone, silent_peer_is_lost_after_three_missed_pongs);
    tcase_add_test(alone, frontend_that_was_stopped_is_not_taken_for_a_lost_connection);
    tcase_add_test(alone, seat_whose_joined_was_lost_is_given_back);
    tcase_add_test(alone, watched_world_is_watched_again);
    tcase_add_test(alone, forgotten_session_says_hello_again);
    tcase_add_test(alone, refused_version_is_final);
    tcase_add_test(alone, daemon_that_is_not_ready_is_asked_again);
    suite_add_tcase(suite, alone);
    TCase *joined = tcase_create("joined");
    tcase_set_timeout(joined, 60);
    tcase_add_checked_fixture(joined, setup_joined, teardown);
    tcase_add_test(joined, dropped_update_is_healed_by_one_keyframe);
    tcase_add_test(joined, keyframe_is_asked_for_again_while_none_comes);
    tcase_add_test(joined, update_that_does_not_fit_is_healed_by_a_keyframe);
    tcase_add_test(joined, closed_connection_is_noticed_at_once);
    tcase_add_test(joined, resumed_seat_gets_exactly_the_commands_it_has_not_had);
    tcase_add_test(joined, request_lost_with_the_connection_ends_in_an_error);
    tcase_add_test(joined, seat_that_ended_meanwhile_is_gone);
    tcase_add_test(joined, unknown_session_joins_its_worlds_again);
    tcase_add_test(joined, seat_given_back_to_a_new_session_gets_the_commands_it_has_not_had);
    tcase_add_test(joined, world_that_is_gone_is_said_to_be);
    tcase_add_test(joined, world_that_is_still_starting_is_tried_again);
    tcase_add_test(joined, fifty_reconnections_leak_no_descriptor);
    suite_add_tcase(suite, joined);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
