/* The client library against a peer that sends gibberish: it must not crash, and must still be right afterwards. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

#include "client_peer.h"
#include "suite.h"

enum { ROUNDS = 400, MESSAGES_A_ROUND = 8, GIBBERISH = 300 };

static uint64_t random_state;

static uint32_t chance(uint32_t below)
{
    return suite_random(&random_state, below);
}

static void seed(void)
{
    random_state = suite_seed((uint64_t)time(NULL));
}

/* Random bytes, or the last proper message with some of its bits turned. */
static size_t make_gibberish(uint8_t *bytes)
{
    size_t size = chance(GIBBERISH);
    if (chance(2) && server.bytes.size > 0 && server.bytes.size < GIBBERISH) {
        size = server.bytes.size;
        memcpy(bytes, server.bytes.data, size);
        for (uint32_t turns = 1 + chance(4); turns > 0; turns--) {
            bytes[chance((uint32_t)size)] ^= (uint8_t)(1 << chance(8));
        }
        return size;
    }
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)chance(256);
    }
    return size;
}

static void send_gibberish(void)
{
    uint8_t bytes[GIBBERISH];
    const size_t size = make_gibberish(bytes);
    switch (chance(5)) {
    case 0:
        peer_send_raw(&server, false, bytes, size, true);
        break;
    case 1: /* one frame where there should be two */
        peer_send_raw(&server, true, server.key, sizeof server.key, false);
        break;
    case 2: /* three frames */
        peer_send_raw(&server, true, server.key, sizeof server.key, true);
        peer_send_raw(&server, true, bytes, size, true);
        break;
    default:
        peer_send_raw(&server, true, bytes, size, true);
    }
}

START_TEST(gibberish_is_survived)
{
    seed();
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < MESSAGES_A_ROUND; k++) {
            send_gibberish();
            if (server.subscribed && chance(3) == 0) {
                peer_publish_delta(&server, chance(PEER_TILES) * 2);
            }
        }
        pump();
    }
    /* Whatever it took the gibberish for, a keyframe or joining afresh makes it right again. */
    for (uint64_t deadline = 0; !wn_client_replica(client, PEER_WORLD);) {
        ck_assert(!late(&deadline));
        wn_client_join(client, "cave", 0);
        pump();
    }
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED && server.subscribed);
    peer_publish_keyframe(&server);
    peer_publish_delta(&server, 6);
    PUMP_UNTIL(wn_client_replica(client, PEER_WORLD)->cells[0] == 6);
}
END_TEST

START_TEST(oversized_message_is_survived)
{
    uint8_t *bytes = calloc(1, WN_UPDATE_BYTES + 1);
    ck_assert_ptr_nonnull(bytes);
    peer_send_raw(&server, true, bytes, WN_UPDATE_BYTES + 1, true);
    peer_publish_delta(&server, 6);
    PUMP_UNTIL(wn_client_replica(client, PEER_WORLD)->sequence == server.sequence);
    peer_send_raw(&server, false, bytes, WN_REPLY_BYTES + 1, true);
    PUMP_UNTIL(events.states == 3 && events.state == WN_CLIENT_CONNECTED);
    free(bytes);
}
END_TEST

/* Not in the memory of a client that is busy: each may have 8 MiB. */
START_TEST(updates_that_are_not_taken_wait_at_the_server)
{
    enum { SIZE = 64 << 10, MOST = 3000, SERVER_KEEPS = 1000 /* of libzmq's own */, PATIENCE_MS = 500 };
    const int nodrop = 1, patience_ms = PATIENCE_MS;
    uint8_t *bytes = calloc(1, SIZE);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_int_eq(zmq_setsockopt(server.updates, ZMQ_XPUB_NODROP, &nodrop, sizeof nodrop), 0);
    ck_assert_int_eq(zmq_setsockopt(server.updates, ZMQ_SNDTIMEO, &patience_ms, sizeof patience_ms), 0);
    int sent = 0;
    while (sent < MOST && zmq_send(server.updates, server.key, sizeof server.key, ZMQ_SNDMORE) >= 0) {
        ck_assert_int_eq(zmq_send(server.updates, bytes, SIZE, 0), SIZE);
        sent++;
    }
    ck_assert_int_ge(sent, SERVER_KEEPS / 2);
    ck_assert_int_lt(sent, 2 * SERVER_KEEPS);
    free(bytes);
}
END_TEST

START_TEST(gibberish_instead_of_a_welcome_is_survived)
{
    uint8_t bytes[GIBBERISH];
    seed();
    server.silent = true;
    peer_start(&server);
    start_client();
    for (int i = 0; i < 200; i++) {
        pump();
        if (server.identity_size > 0) {
            peer_send_raw(&server, false, bytes, make_gibberish(bytes), true);
        }
    }
    server.silent = false;
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_hostile");
    TCase *joined = tcase_create("joined");
    tcase_set_timeout(joined, 60);
    tcase_add_checked_fixture(joined, setup_joined, teardown);
    tcase_add_test(joined, gibberish_is_survived);
    tcase_add_test(joined, oversized_message_is_survived);
    tcase_add_test(joined, updates_that_are_not_taken_wait_at_the_server);
    suite_add_tcase(suite, joined);
    TCase *alone = tcase_create("alone");
    tcase_set_timeout(alone, 60);
    tcase_add_checked_fixture(alone, setup, teardown);
    tcase_add_test(alone, gibberish_instead_of_a_welcome_is_survived);
    suite_add_tcase(suite, alone);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
