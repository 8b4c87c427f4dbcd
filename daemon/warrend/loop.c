/* loop.c: the event loop on epoll. Descriptors are epoll watches; ZeroMQ sockets and signals are watches of their own
 * kind; timers are a binary heap. It knows nothing of what its handlers do.
 */
#include "loop.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include <zmq.h>

#include "log.h"

enum {
    EVENTS_PER_WAIT = 64, /* the rest stays ready for the next pass: descriptors are level-triggered */
    NOT_ARMED = 0,        /* index 0 of the heap is unused, so that the parent of n is n / 2 */
    FIRST_HEAP_SIZE = 16
};

struct wn_watch {
    int fd;
    uint32_t events;
    wn_fd_handler *handler; /* NULL: removed; it stays in memory until the pass ends, its events may be in the batch */
    void *context;
    wn_watch *previous, *next;
};

typedef struct zmq_source {
    void *socket;
    wn_socket_handler *handler;
    void *context;
    bool woken; /* its descriptor was signalled: ask ZMQ_EVENTS once more after the wait */
    bool ready; /* ZMQ_EVENTS had ZMQ_POLLIN before the wait */
    bool used;  /* since it was last asked: a signal of its descriptor may have been swallowed */
    struct zmq_source *next;
} zmq_source;

struct wn_timer {
    wn_loop *loop; /* NULL: the loop is gone */
    wn_timer_handler *handler;
    void *context;
    uint64_t due_ms;
    uint64_t order; /* timers due at the same time run in the order in which they were set */
    uint64_t ran_in_pass, earliest_pass;
    size_t index; /* in the heap, or NOT_ARMED */
    wn_timer *previous, *next;
};

typedef struct signal_entry {
    wn_signal_handler *handler;
    void *context;
} signal_entry;

struct wn_loop {
    int epoll_fd, signal_fd;
    uint64_t now_ms, pass;
    bool stopping, handled, more;
    wn_watch *watches, *removed;
    zmq_source *sockets, **last_socket;
    wn_timer *timers; /* all of them; those that are armed are in the heap as well */
    wn_timer **heap;
    size_t timer_count, armed_count, heap_size;
    uint64_t next_order;
    sigset_t signals;
    signal_entry signal_table[_NSIG];
    wn_pass_end *pass_end;
    void *pass_end_context;
};

static uint64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

wn_loop *wn_loop_new(wn_error *error)
{
    wn_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory for the event loop");
        return NULL;
    }
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "cannot make the event loop: epoll_create1: %s",
                     strerror(errno));
        free(loop);
        return NULL;
    }
    loop->signal_fd = -1;
    sigemptyset(&loop->signals);
    loop->last_socket = &loop->sockets;
    loop->now_ms = clock_ms();
    loop->pass = 1;
    return loop;
}

uint64_t wn_loop_now_ms(const wn_loop *loop)
{
    return loop->now_ms;
}

/* descriptors */

static void link_watch(wn_watch **list, wn_watch *watch)
{
    watch->previous = NULL;
    watch->next = *list;
    if (*list != NULL) {
        (*list)->previous = watch;
    }
    *list = watch;
}

static void unlink_watch(wn_watch **list, wn_watch *watch)
{
    if (watch->previous != NULL) {
        watch->previous->next = watch->next;
    } else {
        *list = watch->next;
    }
    if (watch->next != NULL) {
        watch->next->previous = watch->previous;
    }
}

static void free_watches(wn_watch **list)
{
    while (*list != NULL) {
        wn_watch *watch = *list;
        *list = watch->next;
        free(watch);
    }
}

wn_watch *wn_loop_add_fd(wn_loop *loop, int fd, uint32_t events, wn_fd_handler *handler, void *context)
{
    wn_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return NULL;
    }
    watch->fd = fd;
    watch->events = events;
    watch->handler = handler;
    watch->context = context;
    struct epoll_event event = {.events = events, .data.ptr = watch};
    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        int saved = errno;
        free(watch);
        errno = saved;
        return NULL;
    }
    link_watch(&loop->watches, watch);
    return watch;
}

void wn_loop_change_fd(wn_loop *loop, wn_watch *watch, uint32_t events)
{
    if (watch->events == events) {
        return;
    }
    watch->events = events;
    struct epoll_event event = {.events = events, .data.ptr = watch};
    epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, watch->fd, &event);
}

void wn_loop_remove_fd(wn_loop *loop, wn_watch *watch)
{
    if (watch == NULL) {
        return;
    }
    epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
    unlink_watch(&loop->watches, watch);
    watch->handler = NULL;
    link_watch(&loop->removed, watch);
}

static void run_watches(wn_loop *loop, const struct epoll_event *events, int count)
{
    for (int i = 0; i < count; i++) {
        wn_watch *watch = events[i].data.ptr;
        /* An earlier handler of this batch may have removed it or lost interest. */
        uint32_t wanted = events[i].events & (watch->events | EPOLLERR | EPOLLHUP);
        if (watch->handler == NULL || wanted == 0) {
            continue;
        }
        loop->handled = true;
        watch->handler(watch->context, wanted);
    }
}

/* ZeroMQ sockets */

static void socket_woken(void *context, uint32_t events)
{
    (void)events;
    zmq_source *source = context;
    source->woken = true;
}

static bool socket_readable(void *socket)
{
    int events = 0;
    size_t size = sizeof events;
    return zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size) == 0 && (events & ZMQ_POLLIN) != 0;
}

bool wn_loop_add_socket(wn_loop *loop, void *socket, wn_socket_handler *handler, void *context, wn_error *error)
{
    int fd = -1;
    size_t size = sizeof fd;
    if (zmq_getsockopt(socket, ZMQ_FD, &fd, &size) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "cannot watch a ZeroMQ socket: %s",
                            zmq_strerror(zmq_errno()));
    }
    zmq_source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory to watch a ZeroMQ socket");
    }
    source->socket = socket;
    source->handler = handler;
    source->context = context;
    source->used = true;
    if (wn_loop_add_fd(loop, fd, EPOLLIN, socket_woken, source) == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "cannot watch a ZeroMQ socket: %s",
                     strerror(errno));
        free(source);
        return false;
    }
    *loop->last_socket = source;
    loop->last_socket = &source->next;
    return true;
}

void wn_loop_socket_used(wn_loop *loop, const void *socket)
{
    for (zmq_source *source = loop->sockets; source != NULL; source = source->next) {
        source->used = source->used || source->socket == socket;
    }
}

/* A send or a receive may take the signal from ZMQ_FD while it processes the socket's commands, so whether there is
 * something to read has to be asked before the next wait (zmq_getsockopt(3), ZMQ_FD). Of a socket that was not used
 * its descriptor tells; a socket whose descriptor ends the wait is asked then. */
static bool look_at_sockets(wn_loop *loop)
{
    bool any = false;
    for (zmq_source *source = loop->sockets; source != NULL; source = source->next) {
        source->woken = false;
        source->ready = source->used && socket_readable(source->socket);
        source->used = false;
        any = any || source->ready;
    }
    return any;
}

static void run_sockets(wn_loop *loop)
{
    for (zmq_source *source = loop->sockets; source != NULL; source = source->next) {
        if (!source->ready && !(source->woken && socket_readable(source->socket))) {
            continue;
        }
        source->ready = false;
        source->used = true;
        loop->handled = true;
        source->handler(source->context);
    }
}

/* timers */

static bool earlier(const wn_timer *a, const wn_timer *b)
{
    return a->due_ms != b->due_ms ? a->due_ms < b->due_ms : a->order < b->order;
}

static void place(wn_loop *loop, size_t index, wn_timer *timer)
{
    loop->heap[index] = timer;
    timer->index = index;
}

static void sift_up(wn_loop *loop, size_t index, wn_timer *timer)
{
    for (; index > 1 && earlier(timer, loop->heap[index / 2]); index /= 2) {
        place(loop, index, loop->heap[index / 2]);
    }
    place(loop, index, timer);
}

static void sift_down(wn_loop *loop, size_t index, wn_timer *timer)
{
    for (;;) {
        size_t child = 2 * index;
        if (child < loop->armed_count && earlier(loop->heap[child + 1], loop->heap[child])) {
            child++;
        }
        if (child > loop->armed_count || !earlier(loop->heap[child], timer)) {
            break;
        }
        place(loop, index, loop->heap[child]);
        index = child;
    }
    place(loop, index, timer);
}

/* The heap has room for every timer there is, so that arming one cannot fail. */
static bool reserve_heap(wn_loop *loop)
{
    size_t needed = loop->timer_count + 2;
    if (needed <= loop->heap_size) {
        return true;
    }
    size_t size = loop->heap_size == 0 ? FIRST_HEAP_SIZE : 2 * loop->heap_size;
    wn_timer **heap = realloc(loop->heap, size * sizeof *heap);
    if (heap == NULL) {
        return false;
    }
    loop->heap = heap;
    loop->heap_size = size;
    return true;
}

wn_timer *wn_timer_new(wn_loop *loop, wn_timer_handler *handler, void *context)
{
    wn_timer *timer = calloc(1, sizeof *timer);
    if (timer == NULL || !reserve_heap(loop)) {
        free(timer);
        return NULL;
    }
    timer->loop = loop;
    timer->handler = handler;
    timer->context = context;
    timer->next = loop->timers;
    if (loop->timers != NULL) {
        loop->timers->previous = timer;
    }
    loop->timers = timer;
    loop->timer_count++;
    return timer;
}

void wn_timer_set(wn_timer *timer, uint64_t after_ms)
{
    wn_loop *loop = timer->loop;
    wn_timer_stop(timer);
    /* Counted from now, not from the beginning of the pass: a long pass must not make a timer early. */
    uint64_t base = after_ms == 0 ? loop->now_ms : clock_ms();
    timer->due_ms = after_ms > UINT64_MAX - base ? UINT64_MAX : base + after_ms;
    timer->order = loop->next_order++;
    /* At most once a pass: a timer that sets itself to 0 must not keep the others waiting. */
    timer->earliest_pass = timer->ran_in_pass == loop->pass ? loop->pass + 1 : loop->pass;
    loop->armed_count++;
    sift_up(loop, loop->armed_count, timer);
}

void wn_timer_stop(wn_timer *timer)
{
    if (timer->index == NOT_ARMED) {
        return;
    }
    wn_loop *loop = timer->loop;
    size_t hole = timer->index;
    wn_timer *last = loop->heap[loop->armed_count];
    loop->armed_count--;
    timer->index = NOT_ARMED;
    if (last == timer) {
        return;
    }
    if (hole > 1 && earlier(last, loop->heap[hole / 2])) {
        sift_up(loop, hole, last);
    } else {
        sift_down(loop, hole, last);
    }
}

bool wn_timer_armed(const wn_timer *timer)
{
    return timer->index != NOT_ARMED;
}

void wn_timer_free(wn_timer *timer)
{
    if (timer == NULL) {
        return;
    }
    if (timer->loop != NULL) {
        wn_timer_stop(timer);
        if (timer->previous != NULL) {
            timer->previous->next = timer->next;
        } else {
            timer->loop->timers = timer->next;
        }
        if (timer->next != NULL) {
            timer->next->previous = timer->previous;
        }
        timer->loop->timer_count--;
    }
    free(timer);
}

static void run_timers(wn_loop *loop)
{
    while (loop->armed_count > 0) {
        wn_timer *timer = loop->heap[1];
        if (timer->due_ms > loop->now_ms || timer->earliest_pass > loop->pass) {
            return;
        }
        wn_timer_stop(timer);
        timer->ran_in_pass = loop->pass;
        loop->handled = true;
        timer->handler(timer->context);
    }
}

/* signals */

static void signal_arrived(void *context, uint32_t events)
{
    (void)events;
    wn_loop *loop = context;
    struct signalfd_siginfo info;
    while (read(loop->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        signal_entry entry = info.ssi_signo < _NSIG ? loop->signal_table[info.ssi_signo] : (signal_entry){0};
        if (entry.handler != NULL) {
            entry.handler(entry.context, (int)info.ssi_signo);
        }
    }
}

static bool signal_failed(wn_error *error, int signal, int number)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "cannot watch for signal %d: %s", signal,
                        strerror(number));
}

bool wn_loop_add_signal(wn_loop *loop, int signal, wn_signal_handler *handler, void *context, wn_error *error)
{
    if (signal <= 0 || signal >= _NSIG) {
        return signal_failed(error, signal, EINVAL);
    }
    sigset_t wanted = loop->signals;
    sigaddset(&wanted, signal);
    /* It stays blocked when the loop is gone: a second SIGTERM must not end the process in the middle of closing. */
    int blocked = pthread_sigmask(SIG_BLOCK, &wanted, NULL);
    if (blocked != 0) {
        return signal_failed(error, signal, blocked);
    }
    int fd = signalfd(loop->signal_fd, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0) {
        return signal_failed(error, signal, errno);
    }
    if (loop->signal_fd < 0 && wn_loop_add_fd(loop, fd, EPOLLIN, signal_arrived, loop) == NULL) {
        int number = errno;
        close(fd);
        return signal_failed(error, signal, number);
    }
    loop->signal_fd = fd;
    loop->signals = wanted;
    loop->signal_table[signal] = (signal_entry){.handler = handler, .context = context};
    return true;
}

/* passes */

void wn_loop_set_pass_end(wn_loop *loop, wn_pass_end *function, void *context)
{
    loop->pass_end = function;
    loop->pass_end_context = context;
}

void wn_loop_stop(wn_loop *loop)
{
    loop->stopping = true;
}

static int wait_ms(const wn_loop *loop)
{
    if (loop->armed_count == 0) {
        return -1;
    }
    uint64_t now = clock_ms(), due = loop->heap[1]->due_ms;
    if (due <= now) {
        return 0;
    }
    return due - now > INT_MAX ? INT_MAX : (int)(due - now);
}

static void run_pass(wn_loop *loop)
{
    struct epoll_event events[EVENTS_PER_WAIT];
    bool at_once = look_at_sockets(loop) || loop->more;
    int count = epoll_wait(loop->epoll_fd, events, EVENTS_PER_WAIT, at_once ? 0 : wait_ms(loop));
    if (count < 0 && errno != EINTR) {
        wn_log_line(WN_LEVEL_ERROR, "loop", "cannot wait for events, stopping: epoll_wait: %s", strerror(errno));
        loop->stopping = true;
    }
    loop->now_ms = clock_ms();
    loop->pass++;
    loop->handled = loop->more;
    run_watches(loop, events, count);
    run_sockets(loop);
    run_timers(loop);
    loop->more = loop->handled && loop->pass_end != NULL && loop->pass_end(loop->pass_end_context);
    free_watches(&loop->removed);
}

void wn_loop_run(wn_loop *loop)
{
    while (!loop->stopping) {
        run_pass(loop);
    }
    loop->stopping = false;
}

void wn_loop_free(wn_loop *loop)
{
    if (loop == NULL) {
        return;
    }
    free_watches(&loop->watches);
    free_watches(&loop->removed);
    while (loop->sockets != NULL) {
        zmq_source *source = loop->sockets;
        loop->sockets = source->next;
        free(source);
    }
    for (wn_timer *timer = loop->timers; timer != NULL; timer = timer->next) {
        timer->loop = NULL;
        timer->index = NOT_ARMED;
    }
    free(loop->heap);
    if (loop->signal_fd >= 0) {
        close(loop->signal_fd);
    }
    close(loop->epoll_fd);
    free(loop);
}
