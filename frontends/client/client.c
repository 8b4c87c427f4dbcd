/* client.c: a client's lifetime, its one descriptor and its timers. What comes over the sockets is taken in events.c.
 *
 * The descriptor is an epoll set of ZeroMQ's descriptors, a timer and a "kick". ZeroMQ's are edge-triggered: any call
 * on a socket may swallow the edge of a message that has come meanwhile. wn_client_next() reads until there is nothing
 * left, and whatever else touches a socket looks whether it left something unread and kicks.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <zmq.h>

#include "internal.h"
#include "trust.h"

enum { DEFAULT_RECONNECT_MS = 500, GOODBYE_MS = 200, FIRST_ITEMS = 8, DELAY_SHARE = 8 };

/* lifetime */

static bool watch(wn_client *client, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return descriptor >= 0 && epoll_ctl(client->epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

static bool open_descriptors(wn_client *client, void *context)
{
    client->epoll = epoll_create1(EPOLL_CLOEXEC);
    client->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    client->kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    client->context = context ? context : zmq_ctx_new();
    client->context_owned = !context;
    client->arena = wn_arena_new(WN_CLIENT_ARENA);
    client->welcome_arena = wn_arena_new(WN_CLIENT_LEGEND);
    return client->epoll >= 0 && watch(client, client->timer) && watch(client, client->kick) && client->context &&
           client->arena && client->welcome_arena;
}

static void copy_options(wn_client *client, const wn_client_options *options)
{
    snprintf(client->control_endpoint, sizeof client->control_endpoint, "%s", options->address->control);
    snprintf(client->software, sizeof client->software, "%s",
             options->software ? options->software : "warren-client " WARREN_VERSION);
    snprintf(client->wanted_player, sizeof client->wanted_player, "%s", options->player ? options->player : "");
    if (options->session) {
        memcpy(client->session, options->session, WN_KEY_BYTES);
        client->session_known = true;
        client->adopting = true;
    }
    client->reconnect_us = (options->reconnect_ms ? options->reconnect_ms : DEFAULT_RECONNECT_MS) * UINT64_C(1000);
}

wn_client *wn_client_new(const wn_client_options *options, wn_error *error)
{
    if (options->player && !wn_player_valid(options->player)) {
        wn_fail_with(
            error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "player", WN_NAME_BYTES,
            "The player name \"%.64s\" is not valid: it is one line of 1 to %d bytes that does not begin or end "
            "with a space.",
            options->player, WN_NAME_BYTES);
        return NULL;
    }
    wn_client *client = calloc(1, sizeof *client);
    if (!client) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory for a client.");
        return NULL;
    }
    client->epoll = client->timer = client->kick = client->monitor_fd = client->introduction_fd = -1;
    client->armed_us = UINT64_MAX;
    copy_options(client, options);
    if (!open_descriptors(client, options->zmq_context)) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                     "A client cannot be set up: %s. Raise the limit of open files (ulimit -n) or close something.",
                     strerror(errno));
        wn_client_free(client);
        return NULL;
    }
    if (!wn_introduction_begin(client, options->address, error) || !wn_connection_open(client, error)) {
        wn_client_free(client);
        return NULL;
    }
    return client;
}

static void say_goodbye(wn_client *client)
{
    if (client->state == WN_CLIENT_CONNECTED) {
        Warren__Goodbye goodbye = WARREN__GOODBYE__INIT;
        Warren__Request request = WARREN__REQUEST__INIT;
        request.body_case = WARREN__REQUEST__BODY_GOODBYE;
        request.goodbye = &goodbye;
        wn_request_submit(client, WN_REQUEST_OWN, 0, &request);
    }
}

static void close_descriptor(int descriptor)
{
    if (descriptor >= 0) {
        close(descriptor);
    }
}

void wn_client_free(wn_client *client)
{
    if (!client) {
        return;
    }
    say_goodbye(client);
    wn_introduction_close(client);
    wn_connection_close(client, client->state == WN_CLIENT_CONNECTED ? GOODBYE_MS : 0);
    if (client->context_owned && client->context) {
        while (zmq_ctx_term(client->context) != 0 && errno == EINTR) {
        }
    }
    wn_views_free(client);
    wn_requests_free(client);
    close_descriptor(client->timer);
    close_descriptor(client->kick);
    close_descriptor(client->epoll);
    wn_arena_free(client->arena);
    wn_arena_free(client->welcome_arena);
    wn_buffer_free(&client->scratch);
    explicit_bzero(&client->own_pair, sizeof client->own_pair);
    free(client->adoptions);
    free(client->queue);
    free(client);
}

void *wn_client_grow(void *items, uint32_t *capacity, size_t item_size)
{
    const uint32_t wanted = *capacity ? *capacity * 2 : FIRST_ITEMS;
    void *grown = realloc(items, wanted * item_size);
    if (!grown) {
        fprintf(stderr, "out of memory: a list of %u entries cannot grow\n", *capacity);
        abort();
    }
    *capacity = wanted;
    return grown;
}

/* its state */

wn_client_state wn_client_get_state(const wn_client *client)
{
    return client->state;
}

const char *wn_client_player(const wn_client *client)
{
    return client->welcome ? client->welcome->player : "";
}

const Warren__Welcome *wn_client_welcome(const wn_client *client)
{
    return client->welcome;
}

bool wn_client_own_key(char hex[WN_CURVE_HEX], char *path, size_t size, wn_error *error)
{
    wn_curve_pair pair;
    if (!wn_trust_own_pair(&pair, path, size, error)) {
        return false;
    }
    wn_curve_hex(hex, pair.public_key);
    explicit_bzero(&pair, sizeof pair);
    return true;
}

bool wn_client_asks_key(const wn_client *client)
{
    return client->asks_key;
}

uint32_t wn_client_chat_bytes(const wn_client *client)
{
    const Warren__Limits *limits = client->welcome ? client->welcome->limits : NULL;
    return limits && limits->has_chat_bytes ? limits->chat_bytes : WN_CHAT_BYTES;
}

uint32_t wn_client_delay_us(const wn_client *client)
{
    return client->delay_us;
}

/* A mean that forgets: each new sample has an eighth of the weight, as in TCP's estimate (RFC 6298). */
void wn_client_feed_delay(wn_client *client, uint64_t sample_us)
{
    const uint32_t sample = sample_us < 1 ? 1 : sample_us > UINT32_MAX ? UINT32_MAX : (uint32_t)sample_us;
    const int64_t difference = (int64_t)sample - (int64_t)client->delay_us;
    client->delay_us = client->delay_us ? (uint32_t)((int64_t)client->delay_us + difference / DELAY_SHARE) : sample;
}

/* the descriptor and the timers */

int wn_client_fd(const wn_client *client)
{
    return client->epoll;
}

void wn_client_kick(wn_client *client)
{
    if (!client->kicked) {
        const uint64_t one = 1;
        client->kicked = write(client->kick, &one, sizeof one) == sizeof one;
    }
}

static void arm(wn_client *client, uint64_t due)
{
    const struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(due / 1000000), .tv_nsec = (long)(due % 1000000 * 1000)}};
    timerfd_settime(client->timer, TFD_TIMER_ABSTIME, &when, NULL);
    client->armed_us = due;
}

void wn_client_schedule(wn_client *client, uint64_t due)
{
    if (due < client->armed_us) {
        arm(client, due);
    }
}

static void run_timers(wn_client *client)
{
    uint64_t expirations;
    if (read(client->timer, &expirations, sizeof expirations) != sizeof expirations) {
        return;
    }
    client->armed_us = UINT64_MAX;
    const uint64_t now = wn_clock_us();
    wn_connection_timers(client, now);
    wn_views_timers(client, now);
    wn_adoptions_timers(client, now);
    wn_client_schedule(client, wn_connection_due(client));
    wn_client_schedule(client, wn_views_due(client));
    wn_client_schedule(client, wn_adoptions_due(client));
}

static void take_kick(wn_client *client)
{
    uint64_t count;
    if (read(client->kick, &count, sizeof count) == sizeof count) {
        client->kicked = false;
    }
}

/* Messages are left to wn_client_next(): their descriptors stay readable until it has taken them. */
void wn_client_dispatch(wn_client *client)
{
    struct epoll_event ready[8];
    const int count = epoll_wait(client->epoll, ready, 8, 0);
    for (int i = 0; i < count; i++) {
        if (ready[i].data.fd == client->timer) {
            run_timers(client);
        } else if (ready[i].data.fd == client->kick) {
            take_kick(client);
        } else if (ready[i].data.fd == client->monitor_fd) {
            wn_connection_monitor(client);
        } else if (ready[i].data.fd == client->introduction_fd) {
            wn_introduction_ready(client);
        }
    }
}

void wn_client_wait(wn_client *client, int timeout_ms)
{
    struct pollfd descriptor = {.fd = client->epoll, .events = POLLIN};
    if (poll(&descriptor, 1, timeout_ms) > 0) {
        wn_client_dispatch(client);
    }
}
