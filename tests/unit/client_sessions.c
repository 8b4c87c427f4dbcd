/* The client library with a session that an earlier process began: its seats come back, or it is said why not. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "client_peer.h"

static uint8_t token[WN_KEY_BYTES];

static const wn_replica *replica(void)
{
    return wn_client_replica(client, PEER_WORLD);
}

/* The peer has a session with a seat whose client is gone. */
static void setup_kept(void)
{
    setup();
    memset(token, 0x42, sizeof token);
    memcpy(server.session, token, sizeof token);
    server.session_known = true;
    server.seat_kept = true;
    server.next_command = 6;
    server.executed = 5;
    server.sequence = 40;
}

START_TEST(kept_seat_comes_back_with_legend_picture_and_number)
{
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(events.resumed == 1);
    ck_assert_uint_eq(server.resumed, server.hellos);
    ck_assert_uint_eq(server.joins, 1);
    ck_assert_uint_eq(events.replies, 0);
    ck_assert_int_eq(replica()->seat, PEER_SEAT);
    ck_assert_str_eq(replica()->name, "cave");
    ck_assert_str_eq(replica()->mode->title, "A legend that outlives its message");
    PUMP_UNTIL(replica()->ready);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 6);
    PUMP_UNTIL(server.command_count == 1);
    peer_execute(&server, 6);
    PUMP_UNTIL(wn_client_pending(client, PEER_WORLD) == 0);
    ck_assert_uint_eq(server.leaves, 0);
}
END_TEST

START_TEST(watched_world_is_watched_on)
{
    server.seat_kept = false;
    server.watch_kept = true;
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(events.resumed == 1 && replica()->ready);
    ck_assert_uint_eq(server.watches, 1);
    ck_assert_uint_eq(server.joins, 0);
    ck_assert_int_eq(replica()->seat, -1);
}
END_TEST

START_TEST(unknown_session_is_followed_by_a_new_one)
{
    server.session_known = false;
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
    ck_assert(!wn_client_welcome(client)->resumed);
    ck_assert_int_ne(memcmp(wn_client_welcome(client)->session.data, token, sizeof token), 0);
    ck_assert_uint_gt(wn_client_join(client, "cave", 0), 0);
    PUMP_UNTIL(events.replies == 1 && replica()->ready);
    ck_assert_uint_eq(events.resumed + events.gone + events.errors, 0);
}
END_TEST

START_TEST(world_that_is_still_starting_is_asked_for_again)
{
    server.refuse_join = WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(server.joins == 2);
    ck_assert_uint_eq(events.errors + events.gone, 0);
    server.refuse_join = WARREN__ERROR_CODE__ERROR_NONE;
    PUMP_UNTIL(events.resumed == 1 && replica()->ready);
}
END_TEST

START_TEST(world_that_cannot_be_had_is_said_to_be_gone)
{
    server.refuse_join = WARREN__ERROR_CODE__ERROR_WORLD_OVER;
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(events.gone == 1);
    ck_assert_int_eq(events.error.code, WARREN__ERROR_CODE__ERROR_WORLD_OVER);
    ck_assert_ptr_null(replica());
    ck_assert_uint_eq(server.joins, 1);
}
END_TEST

START_TEST(connection_lost_before_the_legend_came_loses_no_seat)
{
    server.refuse_join = WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(server.joins == 1);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.refuse_join = WARREN__ERROR_CODE__ERROR_NONE;
    peer_start(&server);
    PUMP_UNTIL(events.resumed == 1 && replica()->ready);
    ck_assert_int_eq(replica()->seat, PEER_SEAT);
    ck_assert_uint_eq(server.leaves, 0);
}
END_TEST

START_TEST(seat_that_ended_before_the_legend_came_is_gone)
{
    server.refuse_join = WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(server.joins == 1);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    server.session_known = _i == 0; /* or the whole session ended */
    server.seat_kept = false;
    peer_start(&server);
    PUMP_UNTIL(events.gone == 1);
    ck_assert_ptr_nonnull(strstr(events.error.text, "cave"));
    ck_assert_uint_eq(server.joins, 1);
}
END_TEST

START_TEST(adopted_seat_survives_a_lost_connection_like_any_other)
{
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(events.resumed == 1 && replica()->ready);
    peer_stop(&server);
    PUMP_UNTIL(events.state == WN_CLIENT_LOST);
    ck_assert_uint_eq(wn_client_command(client, PEER_WORLD, 1, 0), 6);
    peer_start(&server);
    PUMP_UNTIL(server.command_count == 1);
    ck_assert_uint_eq(server.commands[0], 6);
    ck_assert_uint_eq(server.joins, 1);
    ck_assert_uint_eq(events.resumed, 1);
}
END_TEST

START_TEST(adopted_seat_that_is_not_wanted_can_be_left)
{
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(events.resumed == 1);
    wn_client_leave(client, PEER_WORLD);
    PUMP_UNTIL(events.replies == 1);
    ck_assert_uint_eq(server.leaves, 1);
    ck_assert_ptr_null(replica());
}
END_TEST

START_TEST(seat_that_is_left_at_once_is_not_adopted)
{
    server.refuse_join = _i == 0 ? WARREN__ERROR_CODE__ERROR_NONE : WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    peer_start(&server);
    start_client_with(token);
    PUMP_UNTIL(wn_client_welcome(client) != NULL);
    wn_client_leave(client, PEER_WORLD);
    PUMP_UNTIL(events.replies == 1);
    const uint32_t id = wn_client_list_worlds(client);
    PUMP_UNTIL(events.request == id);
    ck_assert_uint_eq(server.leaves, 1);
    ck_assert_uint_eq(server.joins, 1);
    ck_assert_uint_eq(events.resumed + events.gone + events.errors, 0);
    ck_assert_ptr_null(replica());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_sessions");
    TCase *kept = tcase_create("kept");
    tcase_set_timeout(kept, 60);
    tcase_add_checked_fixture(kept, setup_kept, teardown);
    tcase_add_test(kept, kept_seat_comes_back_with_legend_picture_and_number);
    tcase_add_test(kept, watched_world_is_watched_on);
    tcase_add_test(kept, unknown_session_is_followed_by_a_new_one);
    tcase_add_test(kept, world_that_is_still_starting_is_asked_for_again);
    tcase_add_test(kept, world_that_cannot_be_had_is_said_to_be_gone);
    tcase_add_test(kept, connection_lost_before_the_legend_came_loses_no_seat);
    tcase_add_loop_test(kept, seat_that_ended_before_the_legend_came_is_gone, 0, 2);
    tcase_add_test(kept, adopted_seat_survives_a_lost_connection_like_any_other);
    tcase_add_test(kept, adopted_seat_that_is_not_wanted_can_be_left);
    tcase_add_loop_test(kept, seat_that_is_left_at_once_is_not_adopted, 0, 2);
    suite_add_tcase(suite, kept);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
