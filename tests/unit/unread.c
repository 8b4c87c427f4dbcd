/* unread.c: what waits for those who do not read, counted while threads of libzmq's, here of the test's, let go of it.
 */
#include "network/unread.h"

#include <pthread.h>
#include <string.h>

#include "suite.h"

enum { MEBIBYTE = 1 << 20, HELD = 64 };

static zmq_msg_t held[HELD];
static size_t held_count;

/* Holds it as libzmq does a message that nobody has read. false: it is not given out. */
static bool queue(wn_body *body, wn_unread *unread)
{
    ck_assert_uint_lt(held_count, HELD);
    const bool given = wn_body_message(body, unread, &held[held_count]);
    held_count += given ? 1 : 0;
    return given;
}

static void read_all(void)
{
    while (held_count > 0) {
        zmq_msg_close(&held[--held_count]);
    }
}

static wn_body *body_of(size_t size)
{
    static uint8_t bytes[WN_UNREAD_OF_ONE];
    wn_body *body = wn_body_new(bytes, size);
    ck_assert_ptr_nonnull(body);
    return body;
}

START_TEST(a_connection_has_so_many_bytes_unread_and_no_more)
{
    wn_unread *one = wn_unread_new(NULL);
    wn_body *body = body_of(MEBIBYTE), *tiny = body_of(1);
    for (int i = 0; i < WN_UNREAD_BYTES / MEBIBYTE; i++) {
        ck_assert(queue(body, one));
    }
    ck_assert_uint_eq(wn_unread_waits(one), WN_UNREAD_BYTES);
    ck_assert(!queue(tiny, one));
    ck_assert_uint_eq(wn_unread_waits(one), WN_UNREAD_BYTES);
    read_all();
    ck_assert_uint_eq(wn_unread_waits(one), 0);
    ck_assert(queue(tiny, one));
    read_all();
    wn_body_release(body);
    wn_body_release(tiny);
    wn_unread_release(one);
}
END_TEST

START_TEST(all_connections_of_one_are_counted_together_but_who_has_read_all_gets_the_next)
{
    wn_unread *all = wn_unread_new(NULL);
    wn_unread *first = wn_unread_new(all), *second = wn_unread_new(all), *third = wn_unread_new(all);
    wn_body *body = body_of(WN_UNREAD_BYTES), *small = body_of(MEBIBYTE);
    ck_assert(queue(body, first));
    ck_assert(queue(body, second));
    ck_assert_uint_eq(wn_unread_waits(all), WN_UNREAD_OF_ONE);
    ck_assert(queue(small, third));
    ck_assert(!queue(small, third));
    read_all();
    ck_assert_uint_eq(wn_unread_waits(all), 0);
    wn_body_release(body);
    wn_body_release(small);
    wn_unread_release(first);
    wn_unread_release(second);
    wn_unread_release(third);
    wn_unread_release(all);
}
END_TEST

START_TEST(one_that_is_larger_than_all_that_may_wait_comes_when_nothing_waits)
{
    wn_unread *one = wn_unread_new(NULL);
    wn_body *body = body_of(WN_UNREAD_BYTES + 1);
    ck_assert(queue(body, one));
    ck_assert(!queue(body, one));
    read_all();
    ck_assert(queue(body, one));
    read_all();
    wn_body_release(body);
    wn_unread_release(one);
}
END_TEST

START_TEST(nobody_s_updates_are_not_bound)
{
    wn_body *body = body_of(WN_UNREAD_BYTES);
    for (int i = 0; i < 4; i++) {
        ck_assert(queue(body, NULL));
    }
    read_all();
    wn_body_release(body);
    ck_assert_uint_eq(wn_unread_waits(NULL), 0);
}
END_TEST

/* A thread that lets go of messages after everybody else has: the connection, its address, the update. */
static void *let_go(void *context)
{
    (void)context;
    read_all();
    return NULL;
}

START_TEST(what_was_counted_for_outlives_whoever_is_gone)
{
    pthread_t thread;
    wn_unread *all = wn_unread_new(NULL), *one = wn_unread_new(all);
    wn_body *body = body_of(MEBIBYTE);
    for (int i = 0; i < 8; i++) {
        ck_assert(queue(body, one));
    }
    ck_assert_mem_eq(zmq_msg_data(&held[0]), zmq_msg_data(&held[7]), MEBIBYTE);
    ck_assert_ptr_eq(zmq_msg_data(&held[0]), zmq_msg_data(&held[7])); /* one copy for all of them */
    ck_assert_int_eq(pthread_create(&thread, NULL, let_go, NULL), 0);
    wn_unread_release(all);
    wn_unread_release(one);
    wn_body_release(body);
    pthread_join(thread, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_connection_has_so_many_bytes_unread_and_no_more,
                                  all_connections_of_one_are_counted_together_but_who_has_read_all_gets_the_next,
                                  one_that_is_larger_than_all_that_may_wait_comes_when_nothing_waits,
                                  nobody_s_updates_are_not_bound, what_was_counted_for_outlives_whoever_is_gone};
    return suite_run("unread", tests, sizeof tests / sizeof *tests);
}
