/* crowd.c: the loop that turns many bots. What they do is theirs; what they saw is printed by report.c. */
#include "crowd.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <zmq.h>

#include "choose.h"

enum { SETTLE_US = 2000000, LOOK_ABOUT_US = 1000000, READY = 64 };

/* A client takes some descriptors, and a crowd may be large: use all that we may have. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

bool wn_crowd_start(wn_crowd *crowd, const wn_address *address, const char *player, uint32_t count, wn_error *error)
{
    raise_descriptor_limit();
    crowd->bots = calloc(count, sizeof *crowd->bots);
    crowd->context = zmq_ctx_new();
    if (crowd->context != NULL) {
        zmq_ctx_set(crowd->context, ZMQ_MAX_SOCKETS, zmq_ctx_get(crowd->context, ZMQ_SOCKET_LIMIT));
    }
    if (crowd->bots == NULL || crowd->context == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "No memory left for %u bots.", count);
    }
    uint64_t chance = crowd->seed;
    const int64_t now = wn_now_us();
    for (uint32_t i = 0; i < count; i++) {
        char name[WN_NAME_BYTES + 1];
        snprintf(name, sizeof name, i == 0 ? "%s" : "%s-%u", player, i + 1);
        /* They begin one after the other, so that the load is even from the start. */
        const int64_t due = now + crowd->plan.period_us * i / count;
        crowd->count = i + 1;
        const wn_client_options options = {.address = address,
                                           .player = name,
                                           .software = "warren-bot " WARREN_VERSION,
                                           .zmq_context = crowd->context};
        if (!wn_bot_start(&crowd->bots[i], &crowd->plan, &options, wn_chance_bits(&chance), due, error)) {
            return false;
        }
        crowd->bots[i].resting = crowd->company;
    }
    return true;
}

void wn_crowd_free(wn_crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count; i++) {
        wn_bot_free(&crowd->bots[i]);
    }
    free(crowd->bots);
    if (crowd->context != NULL) {
        zmq_ctx_term(crowd->context);
    }
    crowd->bots = NULL;
    crowd->context = NULL;
    crowd->count = 0;
}

/* the loop */

/* Opens the poll set: one entry for each bot, one for the leash, and one, without anything, for signals. */
static int open_poll(wn_crowd *crowd, int signals)
{
    const int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event entry = {.events = EPOLLIN};
    bool added = poll >= 0 && epoll_ctl(poll, EPOLL_CTL_ADD, signals, &entry) == 0;
    if (crowd->leash >= 0) {
        entry.data.ptr = &crowd->leash;
        added = added && epoll_ctl(poll, EPOLL_CTL_ADD, crowd->leash, &entry) == 0;
    }
    for (uint32_t i = 0; added && i < crowd->count; i++) {
        entry.data.ptr = &crowd->bots[i];
        added = epoll_ctl(poll, EPOLL_CTL_ADD, wn_client_fd(crowd->bots[i].client), &entry) == 0;
    }
    if (!added && poll >= 0) {
        close(poll);
        return -1;
    }
    return poll;
}

static void stop(wn_crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count; i++) {
        crowd->bots[i].stopping = true;
    }
}

static void give_up_joining(wn_crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count; i++) {
        wn_bot *bot = &crowd->bots[i];
        const bool connecting = bot->state == WN_BOT_CONNECTING;
        if (connecting || (bot->state == WN_BOT_JOINING && bot->counts.seats == 0)) {
            const char *trouble = connecting ? wn_client_trouble(bot->client) : "";
            bot->state = WN_BOT_FAILED;
            wn_fail_with(&bot->failure, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "No %s within %.3g s.%s%s",
                         connecting ? "server answered" : "view came", (double)crowd->timeout_us / 1e6,
                         trouble[0] == '\0' ? "" : " ", trouble);
        }
    }
}

/* Rests or goes on, by what the first bot heard of who is there. */
static void mind_company(wn_crowd *crowd)
{
    uint32_t own = 0;
    for (uint32_t i = 0; i < crowd->count; i++) {
        own += crowd->bots[i].state == WN_BOT_PLAYING;
    }
    const bool alone = crowd->bots[0].watchers == 0 && crowd->bots[0].players <= own;
    for (uint32_t i = 0; i < crowd->count; i++) {
        crowd->bots[i].resting = alone;
    }
}

typedef struct census {
    bool busy; /* someone is not done */
    int64_t due_us;
} census;

/* Lets everyone act and counts them. A pass costs the number of bots, so it is made when a time has come, not for
 * every update. */
static census visit_all(wn_crowd *crowd, int64_t now)
{
    census found = {.due_us = INT64_MAX};
    for (uint32_t i = 0; i < crowd->count; i++) {
        wn_bot *bot = &crowd->bots[i];
        wn_bot_act(bot, now);
        const int64_t due = wn_bot_due(bot, now);
        found.due_us = due < found.due_us ? due : found.due_us;
        found.busy |= bot->state != WN_BOT_DONE && bot->state != WN_BOT_FAILED;
    }
    return found;
}

static int64_t sooner(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* When what has to happen. INT64_MAX: not any more. */
typedef struct times {
    int64_t act;   /* somebody may have to act, or be done */
    int64_t look;  /* who else is there is asked */
    int64_t join;  /* those without a seat are given up */
    int64_t stop;  /* no more is sent */
    int64_t leave; /* what is still in flight is not waited for any longer */
} times;

/* Did who holds the other end let go? What comes over it says nothing. */
static bool leash_ended(wn_crowd *crowd, int poll)
{
    char ignored[64];
    const ssize_t count = read(crowd->leash, ignored, sizeof ignored);
    const bool ended = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
    if (ended) {
        epoll_ctl(poll, EPOLL_CTL_DEL, crowd->leash, NULL);
    }
    return ended;
}

/* Waits until something comes or `until`, and lets those it came for act. */
static void hear(wn_crowd *crowd, int poll, int signals, int64_t until, times *when)
{
    struct epoll_event ready[READY];
    const int64_t left_us = until == INT64_MAX ? 0 : until - wn_now_us();
    const struct timespec wait = {.tv_sec = left_us > 0 ? left_us / 1000000 : 0,
                                  .tv_nsec = left_us > 0 ? left_us % 1000000 * 1000 : 0};
    const int count = epoll_pwait2(poll, ready, READY, until == INT64_MAX ? NULL : &wait, NULL);
    const int64_t now = wn_now_us();
    for (int i = 0; i < count; i++) {
        if (ready[i].data.ptr == &crowd->leash) {
            when->stop = leash_ended(crowd, poll) ? now : when->stop;
            continue;
        }
        wn_bot *bot = ready[i].data.ptr;
        struct signalfd_siginfo signal;
        if (bot == NULL && read(signals, &signal, sizeof signal) == sizeof signal) {
            when->leave = crowd->interrupted ? now : when->leave;
            when->stop = now;
            crowd->interrupted = true;
        }
        if (bot == NULL) {
            continue;
        }
        const wn_bot_state before = bot->state;
        const bool asked = bot->question != 0;
        wn_bot_hear(bot, now);
        if (asked && bot->question == 0) {
            mind_company(crowd);
            when->act = now;
        }
        wn_bot_act(bot, now);
        when->act = bot->state != before ? now : sooner(when->act, wn_bot_due(bot, now));
    }
}

static void turn(wn_crowd *crowd, int poll, int signals)
{
    const int64_t start = wn_now_us();
    times when = {.act = start,
                  .look = crowd->company ? start : INT64_MAX,
                  .join = start + crowd->timeout_us,
                  .stop = crowd->run_us > 0 ? start + crowd->run_us : INT64_MAX,
                  .leave = INT64_MAX};
    for (int64_t now = start; now < when.leave; now = wn_now_us()) {
        if (now >= when.stop) {
            stop(crowd);
            when.leave = sooner(when.leave, now + SETTLE_US);
            when.stop = INT64_MAX;
            when.act = now;
        }
        if (now >= when.join) {
            give_up_joining(crowd);
            when.join = INT64_MAX;
            when.act = now;
        }
        if (now >= when.look) {
            wn_bot_ask(&crowd->bots[0]);
            when.look = now + LOOK_ABOUT_US;
        }
        if (now >= when.act) {
            const census found = visit_all(crowd, now);
            if (!found.busy) {
                return;
            }
            when.act = found.due_us;
        }
        const int64_t until = sooner(sooner(when.act, when.look), sooner(when.join, sooner(when.stop, when.leave)));
        hear(crowd, poll, signals, until, &when);
    }
}

bool wn_crowd_run(wn_crowd *crowd, wn_error *error)
{
    sigset_t mask, before;
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    sigprocmask(SIG_BLOCK, &mask, &before);
    const int signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    const int poll = signals < 0 ? -1 : open_poll(crowd, signals);
    if (poll < 0) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "No descriptors left for %u bots: %s.",
                     crowd->count, strerror(errno));
    } else {
        const int64_t start = wn_now_us();
        turn(crowd, poll, signals);
        crowd->lasted_us = wn_now_us() - start;
        close(poll);
    }
    if (signals >= 0) {
        close(signals);
    }
    return poll >= 0;
}
