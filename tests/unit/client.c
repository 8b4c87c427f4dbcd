/* The client library when all goes well: connecting, asking, joining, playing, leaving. */
#include <check.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "client_peer.h"

START_TEST(client_waits_for_a_server_that_starts_later)
{
    start_client();
    for (int i = 0; i < 30; i++) {
        pump();
    }
    ck_assert_int_eq(wn_client_get_state(client), WN_CLIENT_CONNECTING);
    ck_assert_ptr_null(wn_client_welcome(client));
    ck_assert_str_eq(wn_client_player(client), "");
    peer_start(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
    ck_assert_uint_eq(events.states, 1);
    ck_assert_str_eq(wn_client_player(client), "ann");
    ck_assert_str_eq(wn_client_welcome(client)->software, "test 1");
}
END_TEST

START_TEST(request_made_before_the_connection_stands_is_sent_then)
{
    start_client();
    const uint32_t id = wn_client_list_worlds(client);
    pump();
    peer_start(&server);
    PUMP_UNTIL(events.replies == 1);
    ck_assert_uint_eq(events.request, id);
    ck_assert_int_eq(events.reply, WARREN__REPLY__BODY_WORLDS);
    ck_assert_uint_eq(server.lists, 1);
}
END_TEST

START_TEST(too_many_requests_at_once_are_not_taken)
{
    start_client();
    unsigned taken = 0;
    while (taken < 2000 && wn_client_list_worlds(client) != 0) {
        taken++;
    }
    ck_assert_uint_eq(taken, 1024);
    peer_start(&server);
    PUMP_UNTIL(events.replies == taken);
    ck_assert_uint_gt(wn_client_list_worlds(client), 0);
}
END_TEST

START_TEST(request_over_the_limit_ends_in_an_error_and_harms_nothing)
{
    peer_start(&server);
    start_client();
    char *text = calloc(1, WN_REQUEST_BYTES + 1);
    memset(text, 'x', WN_REQUEST_BYTES);
    const uint32_t id = wn_client_say(client, PEER_WORLD, text);
    PUMP_UNTIL(events.errors == 1);
    ck_assert_uint_eq(events.error_request, id);
    ck_assert_int_eq(events.error.code, WARREN__ERROR_CODE__ERROR_LIMIT);
    ck_assert_uint_eq(events.error.limit, WN_REQUEST_BYTES);
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
    free(text);
}
END_TEST

START_TEST(joined_world_has_a_replica_and_its_legend)
{
    const wn_replica *replica = wn_client_replica(client, PEER_WORLD);
    ck_assert_int_eq(replica->seat, PEER_SEAT);
    ck_assert_uint_eq(replica->world, PEER_WORLD);
    ck_assert_str_eq(replica->name, "cave");
    ck_assert_uint_eq(replica->width, 10);
    for (int i = 0; i < 100; i++) {
        peer_publish_delta(&server, (uint32_t)i % PEER_TILES * 2);
    }
    PUMP_UNTIL(events.updates == 101);
    ck_assert_ptr_eq(wn_client_replica(client, PEER_WORLD), replica);
    ck_assert_uint_eq(replica->cells[0], 99 % PEER_TILES * 2);
    ck_assert_str_eq(replica->mode->title, "A legend that outlives its message");
    ck_assert_str_eq(replica->mode->tiles[3]->name, "floor");
    ck_assert_ptr_null(wn_client_replica(client, PEER_WORLD + 1));
}
END_TEST

START_TEST(command_waits_until_an_update_shows_it)
{
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 1);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 2, 3), 2);
    ck_assert_uint_eq(wn_client_pending(client, PEER_WORLD), 2);
    PUMP_UNTIL(server.command_count == 2);
    ck_assert_uint_eq(server.commands[0], 1);
    ck_assert_uint_eq(server.commands[1], 2);
    ck_assert(!server.command_had_argument[0]); /* the legend says that it takes none */
    ck_assert(server.command_had_argument[1]);
    peer_execute(&server, 1);
    PUMP_UNTIL(wn_client_pending(client, PEER_WORLD) == 1);
    ck_assert_uint_gt(wn_client_delay_us(client), 0);
    peer_execute(&server, 2);
    PUMP_UNTIL(wn_client_pending(client, PEER_WORLD) == 0);
    ck_assert_uint_eq(wn_client_replica(client, PEER_WORLD)->executed, 2);
}
END_TEST

START_TEST(no_more_commands_wait_than_the_daemon_takes)
{
    for (uint32_t i = 1; i <= server.queued_commands; i++) {
        ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), i);
    }
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 0);
    PUMP_UNTIL(server.command_count == server.queued_commands);
    peer_execute(&server, 1);
    PUMP_UNTIL(events.updates == 2);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), server.queued_commands + 1);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 0);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD + 1, 1, 0), 0);
}
END_TEST

START_TEST(refused_command_counts_as_executed)
{
    for (int i = 0; i < 3; i++) {
        wn_client_command(client, PEER_WORLD, 1, 0);
    }
    PUMP_UNTIL(server.command_count == 3);
    peer_fail(&server, 0, WARREN__ERROR_CODE__ERROR_BAD_ACTION, PEER_WORLD, 2);
    PUMP_UNTIL(events.errors == 1);
    ck_assert_uint_eq(events.error_command, 2);
    ck_assert_uint_eq(events.error_request, 0);
    ck_assert_uint_eq(wn_client_pending(client, PEER_WORLD), 2);
    peer_execute(&server, 3);
    PUMP_UNTIL(wn_client_pending(client, PEER_WORLD) == 0);
}
END_TEST

START_TEST(watcher_has_no_commands)
{
    peer_start(&server);
    start_client();
    wn_client_watch(client, "cave");
    PUMP_UNTIL(events.updates == 1);
    ck_assert_int_eq(wn_client_replica(client, PEER_WORLD)->seat, -1);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 0);
    ck_assert_uint_eq(wn_client_pending(client, PEER_WORLD), 0);
}
END_TEST

START_TEST(pings_measure_the_delay_while_nobody_plays)
{
    server.heartbeat_ms = 50;
    peer_start(&server);
    start_client();
    PUMP_UNTIL(server.pings >= 3 && wn_client_delay_us(client) > 0);
    ck_assert_int_eq(wn_client_get_state(client), WN_CLIENT_CONNECTED);
}
END_TEST

START_TEST(left_world_is_forgotten)
{
    wn_client_leave(client, PEER_WORLD);
    PUMP_UNTIL(events.replies == 2 && !server.subscribed);
    ck_assert_ptr_null(wn_client_replica(client, PEER_WORLD));
    ck_assert_uint_eq(server.leaves, 1);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 0);
    wn_client_join(client, "cave", 0);
    PUMP_UNTIL(wn_client_replica(client, PEER_WORLD) && wn_client_replica(client, PEER_WORLD)->ready);
}
END_TEST

START_TEST(world_that_nobody_waits_for_any_more_is_left_when_it_was_joined)
{
    wn_client_leave(client, PEER_WORLD);
    PUMP_UNTIL(events.replies == 2 && !server.subscribed);
    wn_client_forget(client, wn_client_join(client, "cave", 0));
    wn_client_forget(client, wn_client_watch(client, "cave"));
    wn_client_forget(client, wn_client_list_worlds(client));
    wn_client_forget(client, 0);
    PUMP_UNTIL(server.leaves == 3);
    wn_client_list_worlds(client);
    PUMP_UNTIL(events.replies == 3);
    ck_assert_uint_eq(events.errors, 0);
    ck_assert_ptr_null(wn_client_replica(client, PEER_WORLD));
}
END_TEST

START_TEST(world_that_is_joined_by_another_request_as_well_stays)
{
    const unsigned replies = events.replies;
    wn_client_forget(client, wn_client_join(client, "cave", 0)); /* there is a view of it */
    wn_client_list_worlds(client);
    PUMP_UNTIL(events.replies == replies + 1);
    wn_client_leave(client, PEER_WORLD);
    PUMP_UNTIL(events.replies == replies + 2 && !server.subscribed);
    wn_client_forget(client, wn_client_watch(client, "cave"));
    wn_client_join(client, "cave", 0); /* it is on its way */
    PUMP_UNTIL(wn_client_replica(client, PEER_WORLD) && wn_client_replica(client, PEER_WORLD)->ready);
    wn_client_list_worlds(client);
    PUMP_UNTIL(events.replies == replies + 4);
    ck_assert_uint_eq(server.leaves, 1);
}
END_TEST

START_TEST(request_forgotten_before_the_connection_stands_is_not_sent)
{
    start_client();
    wn_client_forget(client, wn_client_join(client, "cave", 0));
    wn_client_list_worlds(client);
    peer_start(&server);
    PUMP_UNTIL(events.replies == 1);
    ck_assert_uint_eq(server.joins, 0);
}
END_TEST

START_TEST(replica_stays_for_the_notice_that_ends_it)
{
    wn_event event;
    const Warren__NoticeKind kinds[] = {WARREN__NOTICE_KIND__NOTICE_WORLD_OVER, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED};
    peer_notify(&server, kinds[_i]);
    PUMP_UNTIL(events.notices == 1); /* pump() looks whether the replica is there */
    ck_assert(!wn_client_next(client, &event));
    ck_assert_int_eq(wn_client_replica(client, PEER_WORLD) != NULL, _i == 0);
}
END_TEST

START_TEST(last_update_is_seen_before_the_notice)
{
    wn_event event;
    peer_publish_delta(&server, 6);
    for (uint64_t start = milliseconds(); milliseconds() < start + 50;) {
        peer_serve(&server); /* so that both have certainly arrived */
    }
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED);
    struct pollfd descriptor = {.fd = wn_client_fd(client), .events = POLLIN};
    ck_assert_int_eq(poll(&descriptor, 1, 5000), 1);
    ck_assert(wn_client_next(client, &event));
    ck_assert_int_eq(event.kind, WN_EVENT_UPDATE);
    ck_assert_uint_eq(wn_client_replica(client, PEER_WORLD)->cells[0], 6);
}
END_TEST

START_TEST(freeing_says_goodbye_within_its_time)
{
    const uint64_t start = milliseconds();
    wn_client_free(client);
    client = NULL;
    ck_assert_uint_lt(milliseconds() - start, 1000);
    for (uint64_t deadline = 0; server.goodbyes == 0;) {
        ck_assert(!late(&deadline));
        peer_wait(&server, 10);
        peer_serve(&server);
    }
}
END_TEST

START_TEST(freeing_does_not_wait_for_a_server_that_is_not_there)
{
    start_client();
    wn_client_list_worlds(client);
    const uint64_t start = milliseconds();
    wn_client_free(client);
    client = NULL;
    ck_assert_uint_lt(milliseconds() - start, 500);
}
END_TEST

/* the descriptor */

enum { ROUNDS = 3000 };

static void *serve_commands(void *nothing)
{
    for (uint32_t executed = 0; executed < ROUNDS;) {
        if (!peer_wait(&server, 5000)) {
            return nothing; /* the client is stuck; its side says so */
        }
        peer_serve(&server);
        for (; server.command_count > 0; server.command_count--) {
            peer_execute(&server, ++executed);
        }
    }
    return nothing;
}

/* ZeroMQ's descriptors are edge-triggered: if one edge is swallowed, this waits in vain. */
START_TEST(descriptor_is_readable_whenever_something_came)
{
    pthread_t thread;
    wn_event event;
    ck_assert_int_eq(pthread_create(&thread, NULL, serve_commands, NULL), 0);
    unsigned unanswered = 0;
    for (uint32_t number = 1; number <= ROUNDS && unanswered == 0; number++) {
        wn_client_command(client, PEER_WORLD, 1, 0);
        while (wn_client_pending(client, PEER_WORLD) > 0 && unanswered == 0) {
            struct pollfd descriptor = {.fd = wn_client_fd(client), .events = POLLIN};
            unanswered += poll(&descriptor, 1, 4000) == 0;
            wn_client_dispatch(client);
            while (wn_client_next(client, &event)) {
            }
        }
    }
    pthread_join(thread, NULL);
    ck_assert_uint_eq(unanswered, 0);
    ck_assert_uint_eq(wn_client_replica(client, PEER_WORLD)->executed, ROUNDS);
}
END_TEST

START_TEST(idle_client_does_not_wake_up)
{
    wn_event event;
    struct pollfd descriptor = {.fd = wn_client_fd(client), .events = POLLIN};
    const uint64_t start = milliseconds();
    unsigned woken = 0;
    while (milliseconds() < start + 600) {
        if (poll(&descriptor, 1, 50) > 0) {
            woken++;
            wn_client_dispatch(client);
            while (wn_client_next(client, &event)) {
            }
        }
    }
    ck_assert_uint_le(woken, 5);
}
END_TEST

START_TEST(clients_can_share_a_context)
{
    wn_client *clients[3];
    wn_address address;
    wn_event event;
    wn_error error;
    void *context = zmq_ctx_new();
    peer_start(&server);
    ck_assert(wn_address_parse(&address, server.control_endpoint, &error));
    const wn_client_options options = {.address = &address, .reconnect_ms = 20, .zmq_context = context};
    for (int i = 0; i < 3; i++) {
        clients[i] = wn_client_new(&options, &error);
        ck_assert_ptr_nonnull(clients[i]);
        for (uint64_t deadline = 0; wn_client_get_state(clients[i]) != WN_CLIENT_CONNECTED;) {
            ck_assert(!late(&deadline));
            peer_serve(&server);
            wn_client_wait(clients[i], 2);
            wn_client_next(clients[i], &event);
        }
    }
    for (int i = 0; i < 3; i++) {
        wn_client_free(clients[i]);
    }
    ck_assert_int_eq(zmq_ctx_term(context), 0);
}
END_TEST

START_TEST(bad_options_are_told)
{
    wn_error error = {.text = ""};
    const wn_address address = {.control = "tcp://:::"};
    wn_client_options options = {.address = &address};
    ck_assert_ptr_null(wn_client_new(&options, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "tcp://:::"));
    options.player = " ann";
    ck_assert_ptr_null(wn_client_new(&options, &error));
    ck_assert_ptr_nonnull(strstr(error.text, " ann"));
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_BAD_NAME);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client");
    TCase *alone = tcase_create("alone");
    tcase_set_timeout(alone, 60);
    tcase_add_checked_fixture(alone, setup, teardown);
    tcase_add_test(alone, client_waits_for_a_server_that_starts_later);
    tcase_add_test(alone, request_made_before_the_connection_stands_is_sent_then);
    tcase_add_test(alone, request_forgotten_before_the_connection_stands_is_not_sent);
    tcase_add_test(alone, too_many_requests_at_once_are_not_taken);
    tcase_add_test(alone, request_over_the_limit_ends_in_an_error_and_harms_nothing);
    tcase_add_test(alone, watcher_has_no_commands);
    tcase_add_test(alone, pings_measure_the_delay_while_nobody_plays);
    tcase_add_test(alone, freeing_does_not_wait_for_a_server_that_is_not_there);
    tcase_add_test(alone, clients_can_share_a_context);
    tcase_add_test(alone, bad_options_are_told);
    suite_add_tcase(suite, alone);
    TCase *joined = tcase_create("joined");
    tcase_set_timeout(joined, 60);
    tcase_add_checked_fixture(joined, setup_joined, teardown);
    tcase_add_test(joined, joined_world_has_a_replica_and_its_legend);
    tcase_add_test(joined, command_waits_until_an_update_shows_it);
    tcase_add_test(joined, no_more_commands_wait_than_the_daemon_takes);
    tcase_add_test(joined, refused_command_counts_as_executed);
    tcase_add_test(joined, left_world_is_forgotten);
    tcase_add_test(joined, world_that_nobody_waits_for_any_more_is_left_when_it_was_joined);
    tcase_add_test(joined, world_that_is_joined_by_another_request_as_well_stays);
    tcase_add_loop_test(joined, replica_stays_for_the_notice_that_ends_it, 0, 2);
    tcase_add_test(joined, last_update_is_seen_before_the_notice);
    tcase_add_test(joined, freeing_says_goodbye_within_its_time);
    tcase_add_test(joined, descriptor_is_readable_whenever_something_came);
    tcase_add_test(joined, idle_client_does_not_wake_up);
    suite_add_tcase(suite, joined);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
