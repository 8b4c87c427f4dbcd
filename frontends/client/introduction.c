/* introduction.c: keys between the client and its server: which there is to be, asking a server for its key, and what
 * is said when something about them is wrong.
 *
 * A server's key comes from the address, from an earlier time, or, on the first, from whoever answers two ports above
 * the control address. A server on this machine is tried without keys first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <zmq.h>

#include "internal.h"
#include "trust.h"

enum { MESSAGE_BYTES = 1024, VAIN_HANDSHAKES = 8 };

/* which */

static bool refuse_changed(const wn_client *client, const uint8_t *known, const uint8_t *other, const char *who_says,
                           wn_error *error)
{
    char before[WN_CURVE_HEX], now[WN_CURVE_HEX];
    wn_curve_hex(before, known);
    wn_curve_hex(now, other);
    if (!client->known) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "key", 0,
                            "The key of %.80s is not the one in the address! That is %.12s..., %s %s. The server was "
                            "set up anew, or somebody is in between: ask who runs it for its address.",
                            client->control_endpoint, before, who_says, now);
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "key", 0,
                        "The key of %.80s has changed! Known is %.12s... (%.150s), %s %s. The server was set up anew, "
                        "or somebody is in between: ask who runs it. If it is right, remove that line.",
                        client->control_endpoint, before, client->known_where, who_says, now);
}

static bool use_keys(wn_client *client, const uint8_t *server, wn_error *error)
{
    memcpy(client->server_key, server, WN_CURVE_BYTES);
    client->trust = WN_TRUST_KEY;
    client->asks_key = false;
    return wn_trust_own_pair(&client->own_pair, NULL, 0, error);
}

bool wn_introduction_begin(wn_client *client, const wn_address *address, wn_error *error)
{
    uint8_t known[WN_CURVE_BYTES];
    const bool tcp = strncmp(client->control_endpoint, "tcp://", 6) == 0;
    client->keyless = address->trust == WN_ADDRESS_NO_KEY;
    client->trust = WN_TRUST_NOBODY;
    if (!tcp || client->keyless) {
        return true;
    }
    const wn_trust_met met =
        wn_trust_find(client->control_endpoint, known, client->known_where, sizeof client->known_where, error);
    if (met == WN_TRUST_UNREADABLE) {
        return false;
    }
    client->known = met == WN_TRUST_MET;
    if (address->trust == WN_ADDRESS_KEY && client->known && memcmp(known, address->key, WN_CURVE_BYTES) != 0) {
        return refuse_changed(client, known, address->key, "the address says", error);
    }
    if (client->known || address->trust == WN_ADDRESS_KEY) {
        return use_keys(client, client->known ? known : address->key, error);
    }
    client->asks_key = !wn_trust_is_loopback(client->control_endpoint);
    client->trust = client->asks_key ? WN_TRUST_ASK : WN_TRUST_NOBODY;
    return true;
}

/* After the server has proved that the key is its own. */
void wn_introduction_done(wn_client *client)
{
    wn_introduction_close(client);
    client->vain_handshakes = 0;
    if (client->trust != WN_TRUST_KEY || client->known) {
        return;
    }
    wn_error error;
    if (!wn_trust_remember(client->control_endpoint, client->server_key, &error)) {
        wn_event_queue(client, WN_EVENT_ERROR)->error = error; /* or the next one would be believed again */
        return;
    }
    client->known = wn_trust_find(client->control_endpoint, client->server_key, client->known_where,
                                  sizeof client->known_where, &error) == WN_TRUST_MET;
}

/* asking */

static bool endpoint_above(const wn_client *client, char *endpoint, size_t size)
{
    const char *colon = strrchr(client->control_endpoint, ':');
    const int port = atoi(colon + 1);
    errno = EINVAL;
    return port > 0 && snprintf(endpoint, size, "%.*s:%d", (int)(colon - client->control_endpoint),
                                client->control_endpoint, port + WN_INTRODUCTION_ABOVE) < (int)size;
}

static void ask(wn_client *client)
{
    Warren__Introduce introduce = WARREN__INTRODUCE__INIT;
    Warren__Request request = WARREN__REQUEST__INIT;
    request.has_id = true;
    request.id = 1;
    request.body_case = WARREN__REQUEST__BODY_INTRODUCE;
    request.introduce = &introduce;
    client->scratch.size = 0;
    wn_encode(&client->scratch, &request.base);
    zmq_send(client->introduction, client->scratch.data, client->scratch.size, ZMQ_DONTWAIT);
}

bool wn_introduction_open(wn_client *client, wn_error *error)
{
    char endpoint[sizeof client->control_endpoint + 8];
    wn_introduction_close(client);
    client->introduction = wn_connection_socket(client, ZMQ_DEALER, MESSAGE_BYTES, false);
    if (client->introduction == NULL || !endpoint_above(client, endpoint, sizeof endpoint) ||
        zmq_connect(client->introduction, endpoint) != 0) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "address", 0,
                     "The server at %s cannot be asked for its key: %s. Is the host's name right?",
                     client->control_endpoint, zmq_strerror(zmq_errno()));
        wn_introduction_close(client);
        return false;
    }
    client->introduction_fd = wn_connection_watch(client, client->introduction);
    if (client->monitored == NULL) { /* there is no control socket that tells how far it comes */
        wn_connection_monitor_begin(client, client->introduction);
    }
    ask(client);
    wn_introduction_ready(client); /* sending may have swallowed the edge of what came */
    return true;
}

void wn_introduction_close(wn_client *client)
{
    if (client->introduction != NULL && client->monitored == client->introduction) {
        wn_connection_monitor_end(client);
    }
    wn_connection_close_socket(client, &client->introduction, 0);
    client->introduction_fd = -1;
}

static void take_key(wn_client *client, const uint8_t *key)
{
    wn_error error;
    wn_introduction_close(client);
    if (client->trust == WN_TRUST_KEY) { /* it was asked since the server does not know the key we have for it */
        if (memcmp(key, client->server_key, WN_CURVE_BYTES) != 0) {
            refuse_changed(client, client->server_key, key, "now it says", &error);
            wn_connection_refuse(client, &error);
        }
        return;
    }
    if (!use_keys(client, key, &error) || !wn_connection_open(client, &error)) {
        wn_connection_refuse(client, &error);
    }
}

void wn_introduction_ready(wn_client *client)
{
    zmq_msg_t frame;
    wn_arena *arena = wn_arena_new(WN_ARENA_REQUEST);
    uint8_t key[WN_CURVE_BYTES];
    bool told = false;
    zmq_msg_init(&frame);
    while (arena != NULL && client->introduction != NULL && !told &&
           zmq_msg_recv(&frame, client->introduction, ZMQ_DONTWAIT) >= 0) {
        const Warren__Reply *reply = wn_reply_decode(arena, zmq_msg_data(&frame), zmq_msg_size(&frame), NULL);
        told = reply != NULL && reply->body_case == WARREN__REPLY__BODY_INTRODUCTION;
        if (told) {
            memcpy(key, reply->introduction->curve_key.data, sizeof key);
        }
        wn_arena_reset(arena);
    }
    zmq_msg_close(&frame);
    wn_arena_free(arena);
    if (told) {
        take_key(client, key);
    }
}

/* what went wrong, as libzmq tells it */

void wn_introduction_unwelcome(wn_client *client)
{
    wn_error error;
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "key", 0,
                 "The server at %.200s turns you away before you can say who you are: your address or your key is "
                 "banned there. Ask who runs it.",
                 client->control_endpoint);
    wn_connection_refuse(client, &error);
}

/* A server of this machine, without keys at first. */
static void ask_instead(wn_client *client)
{
    wn_error error;
    client->trust = WN_TRUST_ASK;
    client->asks_key = true;
    if (!wn_connection_open(client, &error)) {
        wn_connection_refuse(client, &error);
    }
}

/* Nobody has told a key for a while: the server of this machine may have none after all. */
void wn_introduction_again(wn_client *client)
{
    if (client->trust == WN_TRUST_ASK && wn_trust_is_loopback(client->control_endpoint)) {
        wn_introduction_close(client);
        client->trust = WN_TRUST_NOBODY;
    }
}

/* One of us takes keys and the other does not. */
void wn_introduction_mismatch(wn_client *client)
{
    wn_error error;
    if (client->trust == WN_TRUST_NOBODY && !client->keyless) {
        ask_instead(client);
        return;
    }
    if (client->keyless) {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "key", 0,
                     "The server at %.200s takes nobody without a key, and the address says that it has none: leave "
                     "key=none out.",
                     client->control_endpoint);
    } else {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "key", 0,
                     "The server at %.100s has no key any more, though one is known for it (%.200s)! Either it was set "
                     "up anew, or somebody is in between. Ask who runs it; if it is right, remove that line and add "
                     "?key=none to the address.",
                     client->control_endpoint, client->known ? client->known_where : "in the address");
    }
    wn_connection_refuse(client, &error);
}

/* The connection ended before it stood: the server hangs up on who has a wrong key for it, or none (and sometimes
 * before we have read that it takes keys), or it was stopped. */
void wn_introduction_handshake_failed(wn_client *client)
{
    wn_error error;
    if (client->trust == WN_TRUST_NOBODY && !client->keyless && wn_trust_is_loopback(client->control_endpoint)) {
        ask_instead(client);
        return;
    }
    if (client->trust != WN_TRUST_KEY) {
        return;
    }
    if (client->introduction == NULL) {
        wn_introduction_open(client, NULL); /* nobody may be there to ask */
    }
    if (++client->vain_handshakes >= VAIN_HANDSHAKES && client->state == WN_CLIENT_CONNECTING) {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "key", 0,
                     "The server at %.100s hangs up again and again while keys are exchanged: the key you have for it "
                     "(%.200s) is not its own, or it has no key any more, or it is not a warrend. Ask who runs it.",
                     client->control_endpoint, client->known ? client->known_where : "from the address");
        wn_connection_refuse(client, &error);
    }
}
