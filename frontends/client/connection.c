/* connection.c: the sockets to the daemon: opening them, Hello and Welcome, noticing that the daemon is gone and
 * finding it again. What is joined over the connection stands in views.c.
 *
 * Each attempt has a fresh control socket, so that nothing said over an earlier one is delivered late.
 */
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <zmq.h>

#include "internal.h"

enum {
    HELLO_WAIT_FACTOR = 2, /* of reconnect_ms: for the first Welcome; doubles up to ... */
    HELLO_WAIT_MOST_FACTOR = 16,
    HEARTBEAT_LEAST_MS = 50,
    HEARTBEAT_MOST_MS = 60000,
    MESSAGES_QUEUED = 64, /* what is beyond waits at the server: a message has up to 8 MiB */
    MONITORED = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_CONNECT_DELAYED | ZMQ_EVENT_CONNECTED | ZMQ_EVENT_CLOSED |
                ZMQ_EVENT_CONNECT_RETRIED
};

typedef struct socket_option {
    int option, value;
} socket_option;

static const socket_option socket_options[] = {
    {ZMQ_HEARTBEAT_IVL, 2000},
    {ZMQ_HEARTBEAT_TIMEOUT, 6000},
    {ZMQ_SNDHWM, 0}, /* what is sent is bounded by what may wait for an answer */
    {ZMQ_RCVHWM, MESSAGES_QUEUED},
};

/* sockets */

static int descriptor_of(void *socket)
{
    int descriptor = -1;
    size_t size = sizeof descriptor;
    return zmq_getsockopt(socket, ZMQ_FD, &descriptor, &size) == 0 ? descriptor : -1;
}

int wn_connection_watch(wn_client *client, void *socket)
{
    const int descriptor = descriptor_of(socket);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return descriptor >= 0 && epoll_ctl(client->epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 ? descriptor : -1;
}

void wn_connection_close_socket(wn_client *client, void **socket, int linger_ms)
{
    if (*socket) {
        /* The descriptor lives on until ZeroMQ has closed the socket behind our back: it must not wake us. */
        epoll_ctl(client->epoll, EPOLL_CTL_DEL, descriptor_of(*socket), NULL);
        zmq_setsockopt(*socket, ZMQ_LINGER, &linger_ms, sizeof linger_ms);
        zmq_close(*socket);
        *socket = NULL;
    }
}

void wn_connection_monitor_end(wn_client *client)
{
    if (client->monitored && client->monitor) {
        zmq_socket_monitor(client->monitored, NULL, 0);
    }
    client->monitored = NULL;
    wn_connection_close_socket(client, &client->monitor, 0);
    client->monitor_fd = -1; /* the number may be another socket's next */
}

void wn_connection_close(wn_client *client, int linger_ms)
{
    wn_connection_monitor_end(client);
    wn_connection_close_socket(client, &client->control, linger_ms);
    wn_connection_close_socket(client, &client->updates, 0);
}

static bool set_keys(const wn_client *client, void *socket)
{
    const wn_curve_pair *own = &client->own_pair;
    return zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, client->server_key, WN_CURVE_BYTES) == 0 &&
           zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, own->public_key, WN_CURVE_BYTES) == 0 &&
           zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, own->secret_key, WN_CURVE_BYTES) == 0;
}

void *wn_connection_socket(wn_client *client, int type, int64_t message_bytes, bool keys)
{
    void *socket = zmq_socket(client->context, type);
    if (!socket) {
        return NULL;
    }
    if (keys && !set_keys(client, socket)) {
        zmq_close(socket);
        return NULL;
    }
    for (size_t i = 0; i < sizeof socket_options / sizeof socket_options[0]; i++) {
        zmq_setsockopt(socket, socket_options[i].option, &socket_options[i].value, sizeof socket_options[i].value);
    }
    /* Only for an address in brackets: with it on, libzmq looks a name up as IPv6 alone, and "localhost" would miss a
     * daemon that listens on 127.0.0.1. */
    const int ipv6 = strstr(client->control_endpoint, "://[") != NULL;
    zmq_setsockopt(socket, ZMQ_IPV6, &ipv6, sizeof ipv6);
    const int reconnect_ms = (int)(client->reconnect_us / 1000);
    zmq_setsockopt(socket, ZMQ_RECONNECT_IVL, &reconnect_ms, sizeof reconnect_ms);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &message_bytes, sizeof message_bytes);
    return socket;
}

static bool readable(void *socket)
{
    int events = 0;
    size_t size = sizeof events;
    return zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size) == 0 && events & ZMQ_POLLIN;
}

bool wn_connection_monitor_begin(wn_client *client, void *socket)
{
    char endpoint[64];
    snprintf(endpoint, sizeof endpoint, "inproc://warren-%p-%u", (void *)client, client->connection_count++);
    client->monitored = socket;
    client->monitor = zmq_socket(client->context, ZMQ_PAIR);
    if (!client->monitor || zmq_socket_monitor(socket, endpoint, MONITORED) != 0 ||
        zmq_connect(client->monitor, endpoint) != 0 || wn_connection_watch(client, client->monitor) < 0) {
        return false;
    }
    client->monitor_fd = descriptor_of(client->monitor);
    readable(client->monitor); /* connecting has left its descriptor without an edge to come; looking restores it */
    return true;
}

static bool open_control(wn_client *client, wn_error *error)
{
    client->control = wn_connection_socket(client, ZMQ_DEALER, WN_REPLY_BYTES, client->trust == WN_TRUST_KEY);
    if (!client->control || !wn_connection_monitor_begin(client, client->control)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                            "A socket for %s cannot be made: %s. Raise the limit of open files (ulimit -n) or close "
                            "something.",
                            client->control_endpoint, zmq_strerror(zmq_errno()));
    }
    if (zmq_connect(client->control, client->control_endpoint) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "address", 0,
                            "The address %s cannot be used: %s. Is the host's name right?", client->control_endpoint,
                            zmq_strerror(zmq_errno()));
    }
    return wn_connection_watch(client, client->control) >= 0;
}

/* Hello */

static void say_hello(wn_client *client)
{
    Warren__Hello hello = WARREN__HELLO__INIT;
    hello.protocol_min = WN_PROTOCOL_MIN;
    hello.protocol_max = WN_PROTOCOL_MAX;
    hello.software = client->software;
    hello.player = client->wanted_player[0] ? client->wanted_player : NULL;
    if (client->session_known) {
        hello.has_session = true;
        hello.session = (ProtobufCBinaryData){.data = client->session, .len = WN_KEY_BYTES};
    }
    Warren__Request request = WARREN__REQUEST__INIT;
    request.has_id = true;
    request.id = client->hello_id = ++client->last_id;
    request.body_case = WARREN__REQUEST__BODY_HELLO;
    request.hello = &hello;
    client->scratch.size = 0;
    wn_encode(&client->scratch, &request.base);
    wn_connection_send(client, &client->scratch);
}

bool wn_connection_open(wn_client *client, wn_error *error)
{
    const uint64_t least = client->reconnect_us * HELLO_WAIT_FACTOR;
    const uint64_t most = client->reconnect_us * HELLO_WAIT_MOST_FACTOR;
    client->hello_wait = client->hello_wait == 0         ? least
                         : client->hello_wait * 2 < most ? client->hello_wait * 2
                                                         : most;
    client->hello_due = wn_clock_us() + client->hello_wait;
    wn_client_schedule(client, client->hello_due);
    wn_connection_close(client, 0);
    wn_reach_begin(client);
    client->disconnected = false;
    if (client->trust == WN_TRUST_ASK) {
        return wn_introduction_open(client, error);
    }
    if (!open_control(client, error)) {
        wn_connection_close(client, 0);
        return false;
    }
    say_hello(client);
    return true;
}

static wn_queued_event *change_state(wn_client *client, wn_client_state state)
{
    client->state = state;
    return wn_event_queue(client, WN_EVENT_STATE);
}

void wn_connection_refuse(wn_client *client, const wn_error *error)
{
    client->hello_due = 0;
    wn_connection_close(client, 0);
    wn_introduction_close(client);
    change_state(client, WN_CLIENT_REFUSED)->error = *error;
    wn_requests_end(client, true, error);
}

void wn_connection_hello_failed(wn_client *client, const Warren__Error *from)
{
    const bool passing = from->code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE ||
                         from->code == WARREN__ERROR_CODE__ERROR_INTERNAL ||
                         from->code == WARREN__ERROR_CODE__ERROR_NO_SESSION ||
                         (from->field && strcmp(from->field, "requests_per_second") == 0);
    if (passing) { /* the timer tries again */
        wn_reach_turned_away(client, from->text);
    } else {
        wn_error error;
        wn_error_copy(&error, from);
        wn_connection_refuse(client, &error);
    }
}

/* Welcome */

/* Of the addresses that the daemon names, the one for us: ipc for ipc; for tcp its port on the host we reached. */
static bool choose_updates(const wn_client *client, const Warren__Welcome *welcome, char *endpoint, size_t size)
{
    const bool tcp = strncmp(client->control_endpoint, "tcp://", 6) == 0;
    for (size_t i = 0; i < welcome->n_updates; i++) {
        const char *announced = welcome->updates[i];
        const char *port = strrchr(announced, ':');
        if (strncmp(announced, tcp ? "tcp://" : "ipc://", 6) != 0 || !port) {
            continue;
        }
        const char *own_port = strrchr(client->control_endpoint, ':');
        if (tcp) {
            snprintf(endpoint, size, "%.*s%s", (int)(own_port - client->control_endpoint), client->control_endpoint,
                     port);
        } else {
            snprintf(endpoint, size, "%s", announced);
        }
        return true;
    }
    return false;
}

static bool open_updates(wn_client *client, const Warren__Welcome *welcome, wn_error *error)
{
    char endpoint[512];
    if (!choose_updates(client, welcome, endpoint, sizeof endpoint)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "updates", 0,
                            "The daemon at %s announces no address for updates that can be reached like itself. Its "
                            "configuration has to name one.",
                            client->control_endpoint);
    }
    client->updates = wn_connection_socket(client, ZMQ_SUB, WN_UPDATE_BYTES, client->trust == WN_TRUST_KEY);
    if (!client->updates || zmq_connect(client->updates, endpoint) != 0 ||
        wn_connection_watch(client, client->updates) < 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "updates", 0,
                            "The daemon's address for updates, %.200s, cannot be used: %s.", endpoint,
                            zmq_strerror(zmq_errno()));
    }
    return true;
}

/* libzmq does not reconnect a socket whose peer broke its rules (a message over the limit, say). */
void wn_connection_renew_updates(wn_client *client)
{
    wn_connection_close_socket(client, &client->updates, 0);
    open_updates(client, client->welcome, NULL); /* failing, it is tried again like this */
}

static bool take_welcome(wn_client *client, const void *bytes, size_t size, wn_error *error)
{
    wn_arena *arena = wn_arena_new(WN_CLIENT_LEGEND);
    const Warren__Reply *reply = arena ? wn_reply_decode(arena, bytes, size, error) : NULL;
    if (!reply) {
        wn_arena_free(arena);
        return false;
    }
    wn_arena_free(client->welcome_arena);
    client->welcome_arena = arena;
    client->welcome = reply->welcome;
    return true;
}

static uint64_t clamp_heartbeat_us(uint32_t heartbeat_ms)
{
    const uint32_t least = heartbeat_ms < HEARTBEAT_LEAST_MS ? HEARTBEAT_LEAST_MS : heartbeat_ms;
    return (least > HEARTBEAT_MOST_MS ? HEARTBEAT_MOST_MS : least) * UINT64_C(1000);
}

void wn_connection_welcome(wn_client *client, const void *bytes, size_t size)
{
    wn_error error = {.code = WARREN__ERROR_CODE__ERROR_INTERNAL};
    if (!take_welcome(client, bytes, size, &error)) {
        return; /* the timer tries again */
    }
    const Warren__Welcome *welcome = client->welcome;
    if (welcome->protocol < WN_PROTOCOL_MIN || welcome->protocol > WN_PROTOCOL_MAX) {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_VERSION, "protocol", WN_PROTOCOL_MAX,
                     "The daemon answers with protocol version %u, which this program does not speak (it speaks %u to "
                     "%u). Update the older of the two.",
                     welcome->protocol, WN_PROTOCOL_MIN, WN_PROTOCOL_MAX);
        wn_connection_refuse(client, &error);
        return;
    }
    if (!open_updates(client, welcome, &error)) {
        wn_connection_refuse(client, &error);
        return;
    }
    memcpy(client->session, welcome->session.data, WN_KEY_BYTES);
    client->session_known = true;
    client->disconnected = false; /* if it was, that was before this answer */
    client->hello_due = 0;
    client->hello_wait = 0;
    client->heartbeat_us = clamp_heartbeat_us(welcome->heartbeat_ms);
    wn_introduction_done(client);
    wn_reach_done(client);
    client->ping_due = wn_clock_us() + client->heartbeat_us;
    client->ping_id = 0;
    client->pings_missed = 0;
    wn_client_schedule(client, client->ping_due);
    change_state(client, WN_CLIENT_CONNECTED);
    wn_views_welcome(client);
    wn_requests_flush(client);
}

/* while it stands */

bool wn_connection_unread(wn_client *client)
{
    return client->control && readable(client->control);
}

bool wn_connection_send(wn_client *client, const wn_buffer *message)
{
    const bool sent = client->control && zmq_send(client->control, message->data, message->size, ZMQ_DONTWAIT) >= 0;
    if (wn_connection_unread(client)) {
        wn_client_kick(client);
    }
    return sent;
}

static void send_ping(wn_client *client, uint64_t now)
{
    Warren__Ping ping = WARREN__PING__INIT;
    Warren__Request request = WARREN__REQUEST__INIT;
    request.has_id = true;
    request.id = client->ping_id = ++client->last_id;
    request.body_case = WARREN__REQUEST__BODY_PING;
    request.ping = &ping;
    client->scratch.size = 0;
    wn_encode(&client->scratch, &request.base);
    client->ping_sent_us = now;
    client->ping_due = now + client->heartbeat_us;
    client->pings_missed++;
    wn_connection_send(client, &client->scratch);
}

void wn_connection_pong(wn_client *client)
{
    if (!client->command_measured) {
        wn_client_feed_delay(client, wn_clock_us() - client->ping_sent_us);
    }
    client->command_measured = false;
}

static void silent(wn_client *client)
{
    wn_error error;
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                 "The daemon at %s has not answered for %llu seconds; trying to reach it again.",
                 client->control_endpoint,
                 (unsigned long long)((client->heartbeat_us * WN_MISSED_PONGS + 500000) / 1000000));
    wn_connection_lost(client, &error);
}

void wn_connection_timers(wn_client *client, uint64_t now)
{
    if (client->hello_due && now >= client->hello_due) {
        wn_reach_given_up(client);
        wn_introduction_again(client);
        wn_connection_open(client, NULL); /* failing, it has set the next attempt */
    }
    if (client->state != WN_CLIENT_CONNECTED || now < client->ping_due) {
        return;
    }
    if (client->pings_missed < WN_MISSED_PONGS) {
        send_ping(client, now);
    } else if (!wn_connection_unread(client)) {
        silent(client);
    } else { /* it is the frontend that has not looked */
        client->ping_due = now + client->heartbeat_us;
        wn_client_kick(client);
    }
}

uint64_t wn_connection_due(const wn_client *client)
{
    const uint64_t hello = client->hello_due ? client->hello_due : UINT64_MAX;
    return client->state == WN_CLIENT_CONNECTED && client->ping_due < hello ? client->ping_due : hello;
}

/* loss */

void wn_connection_lost(wn_client *client, const wn_error *error)
{
    if (client->state != WN_CLIENT_CONNECTED) {
        return;
    }
    change_state(client, WN_CLIENT_LOST)->error = *error;
    wn_requests_end(client, false, error);
    wn_views_lost(client);
    wn_connection_open(client, NULL);
}

void wn_connection_check(wn_client *client)
{
    if (client->disconnected && client->state == WN_CLIENT_CONNECTED) {
        wn_error error;
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                     "The daemon at %s has closed the connection; trying to reach it again.", client->control_endpoint);
        wn_connection_lost(client, &error);
    }
}

/* The next event: its number and value. Its second frame, the address, is known. */
static bool take_event(void *monitor, uint16_t *event, uint32_t *value)
{
    zmq_msg_t frame;
    bool more = true;
    *event = 0;
    for (int i = 0; more; i++) {
        zmq_msg_init(&frame);
        if (zmq_msg_recv(&frame, monitor, ZMQ_DONTWAIT) < 0) {
            zmq_msg_close(&frame);
            return false;
        }
        if (i == 0 && zmq_msg_size(&frame) == sizeof *event + sizeof *value) {
            memcpy(event, zmq_msg_data(&frame), sizeof *event);
            memcpy(value, (const uint8_t *)zmq_msg_data(&frame) + sizeof *event, sizeof *value);
        }
        more = zmq_msg_more(&frame);
        zmq_msg_close(&frame);
    }
    return true;
}

/* Whatever is done about it may close the monitor. */
static void handle_event(wn_client *client, uint16_t event, uint32_t value)
{
    if (client->monitored != client->control) { /* the one that asks for a key, and tells nothing else */
        wn_reach_event(client, event);
    } else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH) {
        wn_introduction_unwelcome(client);
    } else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL && value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH) {
        wn_introduction_mismatch(client);
    } else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL || event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL) {
        wn_introduction_handshake_failed(client);
    } else if (event == ZMQ_EVENT_DISCONNECTED) {
        client->disconnected = true;
    } else {
        wn_reach_event(client, event);
    }
}

void wn_connection_monitor(wn_client *client)
{
    uint16_t event;
    uint32_t value;
    const void *monitor = client->monitor;
    while (monitor != NULL && monitor == client->monitor && take_event(client->monitor, &event, &value)) {
        handle_event(client, event, value);
    }
    if (client->disconnected && !wn_connection_unread(client)) {
        wn_connection_check(client);
    } else if (client->disconnected) {
        wn_client_kick(client);
    }
}
