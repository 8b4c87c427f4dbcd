/* loop.c: what the event loop promises: order of timers, safety of removals, no lost ZeroMQ message, no idle work. */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <zmq.h>

#include "loop.h"
#include "suite.h"

enum { DEADLINE_MS = 20000 };

static wn_loop *new_loop(void)
{
    wn_error error = {0};
    wn_loop *loop = wn_loop_new(&error);
    ck_assert_msg(loop != NULL, "%s", error.text);
    return loop;
}

static void stop(void *context)
{
    wn_loop_stop(context);
}

static void too_late(void *context)
{
    (void)context;
    ck_abort_msg("nothing more happened before the deadline");
}

/* Fails the test if the loop still runs after DEADLINE_MS. */
static wn_timer *set_deadline(wn_loop *loop)
{
    wn_timer *timer = wn_timer_new(loop, too_late, NULL);
    wn_timer_set(timer, DEADLINE_MS);
    return timer;
}

static void run_for(wn_loop *loop, uint64_t ms)
{
    wn_timer *timer = wn_timer_new(loop, stop, loop);
    wn_timer_set(timer, ms);
    wn_loop_run(loop);
    wn_timer_free(timer);
}

static unsigned seed_of_run(void)
{
    return (unsigned)suite_seed((uint64_t)time(NULL) ^ (uint64_t)getpid());
}

/* A pipe with one byte in it, so that its reading end is ready. */
typedef struct ready_pipe {
    int in, out;
} ready_pipe;

static ready_pipe new_ready_pipe(void)
{
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    ck_assert_int_eq(write(ends[1], "x", 1), 1);
    return (ready_pipe){.in = ends[0], .out = ends[1]};
}

static void close_pipe(ready_pipe pipe)
{
    close(pipe.in);
    close(pipe.out);
}

/* timers */

struct trace {
    wn_loop *loop;
    wn_timer *timer;
    char *text;
    char letter;
    bool free_itself, again;
    int runs;
};

static void note(void *context)
{
    struct trace *trace = context;
    size_t length = strlen(trace->text);
    trace->text[length] = trace->letter;
    trace->text[length + 1] = '\0';
    trace->runs++;
    if (trace->again) {
        wn_timer_set(trace->timer, 0);
    }
    if (trace->free_itself) {
        wn_timer_free(trace->timer);
        trace->timer = NULL;
    }
}

START_TEST(timers_run_in_order_of_their_time_and_then_of_setting)
{
    wn_loop *loop = new_loop();
    char text[16] = "";
    struct trace traces[] = {{.letter = 'd'}, {.letter = 'a'}, {.letter = 'c'}, {.letter = 'b'}, {.letter = 'e'}};
    const uint64_t after[] = {20, 0, 5, 0, 20};
    for (size_t i = 0; i < 5; i++) {
        traces[i].text = text;
        traces[i].timer = wn_timer_new(loop, note, &traces[i]);
        wn_timer_set(traces[i].timer, after[i]);
        ck_assert(wn_timer_armed(traces[i].timer));
    }
    run_for(loop, 30);
    ck_assert_str_eq(text, "abcde");
    for (size_t i = 0; i < 5; i++) {
        ck_assert(!wn_timer_armed(traces[i].timer));
        wn_timer_free(traces[i].timer);
    }
    wn_loop_free(loop);
}
END_TEST

START_TEST(a_timer_is_never_early)
{
    wn_loop *loop = new_loop();
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    run_for(loop, 40);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double ms = 1e3 * (double)(end.tv_sec - start.tv_sec) + 1e-6 * (double)(end.tv_nsec - start.tv_nsec);
    ck_assert_double_ge(ms, 39.0); /* its unit is one millisecond */
    wn_loop_free(loop);
}
END_TEST

START_TEST(a_timer_may_free_itself_in_its_handler)
{
    wn_loop *loop = new_loop();
    char text[16] = "";
    struct trace traces[2] = {{.text = text, .letter = 'a', .free_itself = true}, {.text = text, .letter = 'b'}};
    for (size_t i = 0; i < 2; i++) {
        traces[i].timer = wn_timer_new(loop, note, &traces[i]);
        wn_timer_set(traces[i].timer, 1);
    }
    run_for(loop, 5);
    ck_assert_str_eq(text, "ab");
    ck_assert_ptr_null(traces[0].timer);
    wn_timer_free(traces[1].timer);
    wn_loop_free(loop);
}
END_TEST

START_TEST(a_stopped_timer_does_not_run)
{
    wn_loop *loop = new_loop();
    char text[16] = "";
    struct trace stopped = {.text = text, .letter = 's'};
    stopped.timer = wn_timer_new(loop, note, &stopped);
    wn_timer_set(stopped.timer, 1);
    wn_timer_stop(stopped.timer);
    wn_timer_stop(stopped.timer);
    run_for(loop, 5);
    ck_assert_str_eq(text, "");
    wn_timer_free(stopped.timer);
    wn_timer_free(NULL);
    wn_loop_free(loop);
}
END_TEST

struct setter {
    wn_timer *other;
    int passes, ran_after_passes;
};

static void set_other(void *context, uint32_t events)
{
    (void)events;
    struct setter *setter = context;
    wn_timer_set(setter->other, 0);
}

static void ran(void *context)
{
    struct setter *setter = context;
    setter->ran_after_passes = setter->passes;
}

static bool count_pass(void *context)
{
    struct setter *setter = context;
    setter->passes++;
    return false;
}

START_TEST(a_timer_set_to_0_by_a_handler_runs_in_the_same_pass)
{
    wn_loop *loop = new_loop();
    ready_pipe pipe = new_ready_pipe();
    struct setter setter = {.ran_after_passes = -1};
    setter.other = wn_timer_new(loop, ran, &setter);
    wn_watch *watch = wn_loop_add_fd(loop, pipe.in, EPOLLIN, set_other, &setter);
    wn_loop_set_pass_end(loop, count_pass, &setter);
    wn_loop_stop(loop);
    wn_loop_run(loop); /* stopped before it began: no pass */
    ck_assert_int_eq(setter.passes, 0);
    wn_timer *timer = wn_timer_new(loop, stop, loop);
    wn_timer_set(timer, 0);
    wn_loop_run(loop); /* one pass: the pipe's handler, then both timers */
    ck_assert_int_eq(setter.ran_after_passes, 0);
    ck_assert_int_eq(setter.passes, 1);
    wn_loop_remove_fd(loop, watch);
    wn_timer_free(setter.other);
    wn_timer_free(timer);
    wn_loop_free(loop);
    close_pipe(pipe);
}
END_TEST

static void drain_and_stop(void *context, uint32_t events)
{
    (void)events;
    wn_loop_stop(context);
}

START_TEST(a_timer_that_always_sets_itself_to_0_keeps_nobody_waiting)
{
    wn_loop *loop = new_loop();
    char *text = calloc(1, 1 << 20);
    struct trace eager = {.text = text, .letter = 'x', .again = true};
    eager.timer = wn_timer_new(loop, note, &eager);
    wn_timer_set(eager.timer, 0);
    ready_pipe pipe = new_ready_pipe();
    wn_watch *watch = wn_loop_add_fd(loop, pipe.in, EPOLLIN, drain_and_stop, loop);
    wn_loop_run(loop);
    ck_assert_int_le(eager.runs, 2);
    wn_loop_remove_fd(loop, watch);
    wn_timer_free(eager.timer);
    wn_loop_free(loop);
    close_pipe(pipe);
    free(text);
}
END_TEST

START_TEST(timers_may_be_freed_after_the_loop)
{
    wn_loop *loop = new_loop();
    wn_timer *armed = wn_timer_new(loop, stop, loop), *idle = wn_timer_new(loop, stop, loop);
    wn_timer_set(armed, 1000);
    wn_loop_free(loop);
    ck_assert(!wn_timer_armed(armed));
    wn_timer_free(armed);
    wn_timer_free(idle);
}
END_TEST

/* Many timers set, moved, stopped and freed at random run exactly as a sorted list says. */
enum { MANY = 2000 };

struct many {
    struct planned {
        wn_timer *timer;
        struct many *all;
        uint64_t due;
        unsigned order;
        bool wanted, ran;
    } planned[MANY];
    uint64_t last_due;
    unsigned last_order, ran_count;
    bool in_order;
};

static void planned_ran(void *context)
{
    struct planned *one = context;
    struct many *all = one->all;
    one->ran = true;
    all->ran_count++;
    if (one->due < all->last_due || (one->due == all->last_due && one->order < all->last_order)) {
        all->in_order = false;
    }
    all->last_due = one->due;
    all->last_order = one->order;
}

START_TEST(thousands_of_timers_set_moved_and_stopped_at_random_run_in_order)
{
    unsigned seed = seed_of_run(), order = 0, wanted = 0;
    wn_loop *loop = new_loop();
    struct many *all = calloc(1, sizeof *all);
    all->in_order = true;
    for (size_t i = 0; i < MANY; i++) {
        all->planned[i].all = all;
        all->planned[i].timer = wn_timer_new(loop, planned_ran, &all->planned[i]);
    }
    for (size_t i = 0; i < 4 * MANY; i++) {
        struct planned *one = &all->planned[(size_t)rand_r(&seed) % MANY];
        if (one->timer == NULL) {
            continue;
        }
        int what = rand_r(&seed) % 10;
        /* Far enough apart that the milliseconds which pass between the settings do not reorder them. */
        one->due = what < 7 ? 100000 * (uint64_t)(1 + rand_r(&seed) % 4) : 0;
        one->order = ++order;
        one->wanted = what < 7;
        if (what < 7) {
            wn_timer_set(one->timer, one->due);
        } else if (what < 9) {
            wn_timer_stop(one->timer);
        } else {
            wn_timer_free(one->timer), one->timer = NULL;
        }
    }
    for (size_t i = 0; i < MANY; i++) {
        struct planned *one = &all->planned[i];
        wanted += one->wanted;
        ck_assert_int_eq(one->timer != NULL && wn_timer_armed(one->timer), one->wanted);
        if (one->wanted) { /* the same order, a thousand times faster */
            wn_timer_set(one->timer, one->due = one->due / 1000), one->order = ++order;
        }
    }
    run_for(loop, 1000);
    ck_assert_uint_eq(all->ran_count, wanted);
    ck_assert(all->in_order);
    for (size_t i = 0; i < MANY; i++) {
        ck_assert_int_eq(all->planned[i].ran, all->planned[i].wanted);
        wn_timer_free(all->planned[i].timer);
    }
    free(all);
    wn_loop_free(loop);
}
END_TEST

/* descriptors */

struct rivals {
    wn_loop *loop;
    wn_watch *watches[2];
    int calls[2];
    bool close_too;
    ready_pipe pipes[2];
};

static void remove_the_other(struct rivals *rivals, int self)
{
    int other = 1 - self;
    rivals->calls[self]++;
    wn_loop_remove_fd(rivals->loop, rivals->watches[other]);
    wn_loop_remove_fd(rivals->loop, rivals->watches[self]);
    if (rivals->close_too) {
        close_pipe(rivals->pipes[other]);
        close_pipe(rivals->pipes[self]);
    }
    wn_loop_stop(rivals->loop);
}

static void first_ready(void *context, uint32_t events)
{
    ck_assert_uint_eq(events, EPOLLIN);
    remove_the_other(context, 0);
}

static void second_ready(void *context, uint32_t events)
{
    ck_assert_uint_eq(events, EPOLLIN);
    remove_the_other(context, 1);
}

START_TEST(a_descriptor_removed_while_its_event_is_in_the_batch_is_not_called)
{
    for (int round = 0; round < 2; round++) {
        struct rivals rivals = {.loop = new_loop(), .close_too = round == 1};
        for (int i = 0; i < 2; i++) {
            rivals.pipes[i] = new_ready_pipe();
        }
        rivals.watches[0] = wn_loop_add_fd(rivals.loop, rivals.pipes[0].in, EPOLLIN, first_ready, &rivals);
        rivals.watches[1] = wn_loop_add_fd(rivals.loop, rivals.pipes[1].in, EPOLLIN, second_ready, &rivals);
        wn_timer *deadline = set_deadline(rivals.loop);
        wn_loop_run(rivals.loop);
        ck_assert_int_eq(rivals.calls[0] + rivals.calls[1], 1);
        wn_timer_free(deadline);
        wn_loop_free(rivals.loop);
        if (round == 0) {
            close_pipe(rivals.pipes[0]);
            close_pipe(rivals.pipes[1]);
        }
    }
}
END_TEST

struct writer {
    wn_loop *loop;
    wn_watch *watch;
    int writable, readable;
};

static void writer_ready(void *context, uint32_t events)
{
    struct writer *writer = context;
    writer->writable += (events & EPOLLOUT) != 0;
    writer->readable += (events & EPOLLIN) != 0;
    if (writer->writable == 3) {
        wn_loop_change_fd(writer->loop, writer->watch, EPOLLIN);
    }
}

START_TEST(what_is_watched_can_be_changed)
{
    struct writer writer = {.loop = new_loop()};
    ready_pipe pipe = new_ready_pipe();
    writer.watch = wn_loop_add_fd(writer.loop, pipe.out, EPOLLOUT, writer_ready, &writer);
    run_for(writer.loop, 20);
    ck_assert_int_eq(writer.writable, 3);
    ck_assert_int_eq(writer.readable, 0);
    wn_loop_remove_fd(writer.loop, writer.watch);
    wn_loop_free(writer.loop);
    close_pipe(pipe);
}
END_TEST

START_TEST(a_descriptor_that_cannot_be_watched_is_refused)
{
    wn_loop *loop = new_loop();
    ck_assert_ptr_null(wn_loop_add_fd(loop, -1, EPOLLIN, first_ready, NULL));
    wn_loop_free(loop);
}
END_TEST

/* passes */

struct passes {
    wn_loop *loop;
    int count, again;
};

static bool end_pass(void *context)
{
    struct passes *passes = context;
    passes->count++;
    return passes->again-- > 0;
}

START_TEST(more_to_do_at_the_end_of_a_pass_is_done_without_waiting)
{
    struct passes passes = {.loop = new_loop(), .again = 100};
    wn_loop_set_pass_end(passes.loop, end_pass, &passes);
    wn_timer *deadline = set_deadline(passes.loop);
    wn_timer *end = wn_timer_new(passes.loop, stop, passes.loop), *begin = wn_timer_new(passes.loop, stop, passes.loop);
    wn_timer_set(begin, 0);
    wn_loop_run(passes.loop);
    ck_assert_int_eq(passes.count, 1);
    wn_timer_set(end, 50);
    wn_loop_run(passes.loop);
    /* 100 times more at once, and once for the timer that ended it. */
    ck_assert_int_eq(passes.count, 1 + 100 + 1);
    wn_timer_free(begin);
    wn_timer_free(end);
    wn_timer_free(deadline);
    wn_loop_free(passes.loop);
}
END_TEST

static void never(void *context)
{
    (void)context;
    ck_abort_msg("an idle socket was called");
}

START_TEST(an_idle_loop_does_nothing)
{
    struct passes passes = {.loop = new_loop()};
    wn_loop_set_pass_end(passes.loop, end_pass, &passes);
    void *zmq = zmq_ctx_new(), *socket = zmq_socket(zmq, ZMQ_ROUTER);
    ck_assert_int_eq(zmq_bind(socket, "inproc://idle"), 0);
    ck_assert(wn_loop_add_socket(passes.loop, socket, never, NULL, NULL));
    struct timespec before, after;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    run_for(passes.loop, 200);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    double ms = 1e3 * (double)(after.tv_sec - before.tv_sec) + 1e-6 * (double)(after.tv_nsec - before.tv_nsec);
    ck_assert_int_le(passes.count, 3);
    ck_assert_double_lt(ms, 50.0);
    wn_loop_free(passes.loop);
    zmq_close(socket);
    zmq_ctx_term(zmq);
}
END_TEST

/* ZeroMQ */

enum { STORM = 20000, IN_FLIGHT = 100 };

/* Two DEALERs and a ROUTER in one loop. Messages are sent from handlers, from a timer and from the end of the pass, so
 * that sends take each other's signals away; were one lost, the storm would stop. */
struct storm {
    wn_loop *loop;
    void *dealers[2], *router;
    unsigned sent[2], received[2];
    bool in_order;
    wn_timer *kick;
};

static void send_some(struct storm *storm, int which, unsigned most)
{
    while (most-- > 0 && storm->sent[which] < STORM && storm->sent[which] - storm->received[which] < IN_FLIGHT) {
        ck_assert_int_ne(zmq_send(storm->dealers[which], &storm->sent[which], sizeof(unsigned), ZMQ_DONTWAIT), -1);
        wn_loop_socket_used(storm->loop, storm->dealers[which]);
        storm->sent[which]++;
    }
}

static void router_ready(void *context)
{
    struct storm *storm = context;
    char peer[64];
    unsigned number;
    /* A few of what is there: the loop has to come back for the rest. */
    for (int i = 0; i < 3; i++) {
        int size = zmq_recv(storm->router, peer, sizeof peer, ZMQ_DONTWAIT);
        if (size < 0) {
            return;
        }
        ck_assert_int_eq(zmq_recv(storm->router, &number, sizeof number, ZMQ_DONTWAIT), (int)sizeof number);
        zmq_send(storm->router, peer, (size_t)size, ZMQ_SNDMORE | ZMQ_DONTWAIT);
        ck_assert_int_ne(zmq_send(storm->router, &number, sizeof number, ZMQ_DONTWAIT), -1);
    }
}

static void dealer_ready(struct storm *storm, int which)
{
    unsigned number;
    if (zmq_recv(storm->dealers[which], &number, sizeof number, ZMQ_DONTWAIT) < 0) {
        return;
    }
    if (number != storm->received[which]++) {
        storm->in_order = false;
    }
    send_some(storm, which, 1);
    if (storm->received[0] == STORM && storm->received[1] == STORM) {
        wn_loop_stop(storm->loop);
    }
}

static void first_dealer_ready(void *context)
{
    dealer_ready(context, 0);
}

static void second_dealer_ready(void *context)
{
    dealer_ready(context, 1);
}

static void kick(void *context)
{
    struct storm *storm = context;
    send_some(storm, 0, 2);
    wn_timer_set(storm->kick, 1);
}

static bool storm_pass_end(void *context)
{
    send_some(context, 1, 1);
    return false;
}

static void run_storm(const char *endpoint)
{
    struct storm storm = {.loop = new_loop(), .in_order = true};
    void *zmq = zmq_ctx_new();
    int linger = 0;
    storm.router = zmq_socket(zmq, ZMQ_ROUTER);
    ck_assert_int_eq(zmq_bind(storm.router, endpoint), 0);
    char bound[256];
    size_t size = sizeof bound;
    zmq_getsockopt(storm.router, ZMQ_LAST_ENDPOINT, bound, &size);
    for (int i = 0; i < 2; i++) {
        storm.dealers[i] = zmq_socket(zmq, ZMQ_DEALER);
        zmq_setsockopt(storm.dealers[i], ZMQ_LINGER, &linger, sizeof linger);
        ck_assert_int_eq(zmq_connect(storm.dealers[i], bound), 0);
    }
    ck_assert(wn_loop_add_socket(storm.loop, storm.router, router_ready, &storm, NULL));
    ck_assert(wn_loop_add_socket(storm.loop, storm.dealers[0], first_dealer_ready, &storm, NULL));
    ck_assert(wn_loop_add_socket(storm.loop, storm.dealers[1], second_dealer_ready, &storm, NULL));
    storm.kick = wn_timer_new(storm.loop, kick, &storm);
    wn_timer_set(storm.kick, 0);
    wn_loop_set_pass_end(storm.loop, storm_pass_end, &storm);
    wn_timer *deadline = set_deadline(storm.loop);
    wn_loop_run(storm.loop);
    ck_assert_uint_eq(storm.received[0], STORM);
    ck_assert_uint_eq(storm.received[1], STORM);
    ck_assert(storm.in_order);
    wn_timer_free(storm.kick);
    wn_timer_free(deadline);
    wn_loop_free(storm.loop);
    for (int i = 0; i < 2; i++) {
        zmq_close(storm.dealers[i]);
    }
    zmq_close(storm.router);
    zmq_ctx_term(zmq);
}

START_TEST(a_storm_of_messages_within_one_loop_loses_none)
{
    run_storm("inproc://storm");
    run_storm("tcp://127.0.0.1:*");
}
END_TEST

/* A message that was announced before a send took the signal: the one send is all that happens in the pass. */
struct lonely {
    wn_loop *loop;
    void *left, *right;
    bool came;
};

static void left_ready(void *context)
{
    struct lonely *lonely = context;
    char byte;
    ck_assert_int_eq(zmq_recv(lonely->left, &byte, 1, ZMQ_DONTWAIT), 1);
    lonely->came = true;
    wn_loop_stop(lonely->loop);
}

static void send_both_ways(void *context)
{
    struct lonely *lonely = context;
    ck_assert_int_eq(zmq_send(lonely->right, "r", 1, 0), 1);
    ck_assert_int_eq(zmq_send(lonely->left, "l", 1, 0), 1);
    int events; /* asking takes the signal from ZMQ_FD, as a send may */
    size_t size = sizeof events;
    ck_assert_int_eq(zmq_getsockopt(lonely->left, ZMQ_EVENTS, &events, &size), 0);
    wn_loop_socket_used(lonely->loop, lonely->left);
}

START_TEST(a_message_whose_signal_was_taken_by_a_send_is_still_delivered)
{
    struct lonely lonely = {.loop = new_loop()};
    void *zmq = zmq_ctx_new();
    lonely.left = zmq_socket(zmq, ZMQ_PAIR);
    lonely.right = zmq_socket(zmq, ZMQ_PAIR);
    ck_assert_int_eq(zmq_bind(lonely.left, "inproc://lonely"), 0);
    ck_assert_int_eq(zmq_connect(lonely.right, "inproc://lonely"), 0);
    ck_assert(wn_loop_add_socket(lonely.loop, lonely.left, left_ready, &lonely, NULL));
    wn_timer *timer = wn_timer_new(lonely.loop, send_both_ways, &lonely), *deadline = set_deadline(lonely.loop);
    wn_timer_set(timer, 1);
    wn_loop_run(lonely.loop);
    ck_assert(lonely.came);
    wn_timer_free(timer);
    wn_timer_free(deadline);
    wn_loop_free(lonely.loop);
    zmq_close(lonely.left);
    zmq_close(lonely.right);
    zmq_ctx_term(zmq);
}
END_TEST

START_TEST(what_is_no_socket_is_refused)
{
    wn_loop *loop = new_loop();
    wn_error error = {0};
    ck_assert(!wn_loop_add_socket(loop, NULL, never, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "cannot watch a ZeroMQ socket"));
    wn_loop_free(loop);
}
END_TEST

/* signals */

struct caught {
    wn_loop *loop;
    int usr1, child;
};

static void signal_came(void *context, int signal)
{
    struct caught *caught = context;
    caught->usr1 += signal == SIGUSR1;
    if (signal == SIGCHLD && waitpid(-1, NULL, WNOHANG) > 0) {
        caught->child++;
    }
    if (caught->usr1 > 0 && caught->child > 0) {
        wn_loop_stop(caught->loop);
    }
}

static void raise_signal(void *context)
{
    (void)context;
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
}

START_TEST(signals_arrive_as_events)
{
    struct caught caught = {.loop = new_loop()};
    ck_assert(wn_loop_add_signal(caught.loop, SIGUSR1, signal_came, &caught, NULL));
    ck_assert(wn_loop_add_signal(caught.loop, SIGCHLD, signal_came, &caught, NULL));
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    wn_timer *timer = wn_timer_new(caught.loop, raise_signal, NULL), *deadline = set_deadline(caught.loop);
    wn_timer_set(timer, 0);
    wn_loop_run(caught.loop);
    ck_assert_int_eq(caught.usr1, 1);
    ck_assert_int_eq(caught.child, 1);
    wn_timer_free(timer);
    wn_timer_free(deadline);
    wn_loop_free(caught.loop);
}
END_TEST

START_TEST(what_is_no_signal_is_refused)
{
    wn_loop *loop = new_loop();
    wn_error error = {0};
    ck_assert(!wn_loop_add_signal(loop, 0, signal_came, NULL, &error));
    ck_assert(!wn_loop_add_signal(loop, 1000, signal_came, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "signal 1000"));
    wn_loop_free(loop);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loop");
    TCase *timers = tcase_create("timers"), *descriptors = tcase_create("descriptors"),
          *passes = tcase_create("passes"), *sockets = tcase_create("sockets"), *signals = tcase_create("signals");
    tcase_add_test(timers, timers_run_in_order_of_their_time_and_then_of_setting);
    tcase_add_test(timers, a_timer_is_never_early);
    tcase_add_test(timers, a_timer_may_free_itself_in_its_handler);
    tcase_add_test(timers, a_stopped_timer_does_not_run);
    tcase_add_test(timers, a_timer_set_to_0_by_a_handler_runs_in_the_same_pass);
    tcase_add_test(timers, a_timer_that_always_sets_itself_to_0_keeps_nobody_waiting);
    tcase_add_test(timers, timers_may_be_freed_after_the_loop);
    tcase_add_test(timers, thousands_of_timers_set_moved_and_stopped_at_random_run_in_order);
    tcase_add_test(descriptors, a_descriptor_removed_while_its_event_is_in_the_batch_is_not_called);
    tcase_add_test(descriptors, what_is_watched_can_be_changed);
    tcase_add_test(descriptors, a_descriptor_that_cannot_be_watched_is_refused);
    tcase_add_test(passes, more_to_do_at_the_end_of_a_pass_is_done_without_waiting);
    tcase_add_test(passes, an_idle_loop_does_nothing);
    tcase_add_test(sockets, a_storm_of_messages_within_one_loop_loses_none);
    tcase_add_test(sockets, a_message_whose_signal_was_taken_by_a_send_is_still_delivered);
    tcase_add_test(sockets, what_is_no_socket_is_refused);
    tcase_add_test(signals, signals_arrive_as_events);
    tcase_add_test(signals, what_is_no_signal_is_refused);
    tcase_set_timeout(timers, 60);
    tcase_set_timeout(sockets, 60);
    TCase *cases[] = {timers, descriptors, passes, sockets, signals};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        suite_add_tcase(suite, cases[i]);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
