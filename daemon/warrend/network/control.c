/* control.c: the control sockets. See control.h.
 */
#include "network/control.h"

#include <sys/stat.h>
#include <unistd.h>

#include "access/admission.h"
#include "configuration/endpoint.h"
#include "memory.h"
#include "network/activation.h"
#include "network/conduct.h"
#include "network/connections.h"
#include "network/introduce.h"
#include "network/peers.h"
#include "requests/requests.h"

enum { REQUESTS_A_PASS = 256, REPLY_QUEUE = 1000, IGNORED_LOG_S = 10 };

/* Everyone on this machine may connect, as over loopback; administrators are told by the kernel (sessions.c). Who is to
 * keep others out gives daemon.runtime_dir a mode that does. */
enum { SOCKET_MODE = 0666 };

/* replies */

void wn_control_reply(wn_daemon *daemon, const wn_peer *peer, uint32_t id, Warren__Reply *reply)
{
    void *socket = daemon->control[peer->id[0]];
    reply->has_id = id != 0;
    reply->id = id;
    daemon->reply.size = 0;
    wn_encode(&daemon->reply, &reply->base);
    if (zmq_send(socket, peer->id + 1, peer->id_size - 1, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0 &&
        zmq_send(socket, daemon->reply.data, daemon->reply.size, ZMQ_DONTWAIT) >= 0 &&
        !wn_connections_queued(peer->connection, peer->connection_serial, daemon->reply.size)) {
        wn_log_line(WN_LEVEL_INFO, "control", "a connection is closed: it does not read what it asked for identity=%s",
                    peer->identity);
        wn_connection_close(daemon->config->control, peer->connection);
    }
    wn_loop_socket_used(daemon->loop, socket);
}

static void fill_error(Warren__Error *message, const wn_error *error)
{
    warren__error__init(message);
    message->code = error->code;
    message->text = (char *)(uintptr_t)error->text;
    message->field = error->field[0] != '\0' ? (char *)(uintptr_t)error->field : NULL;
    message->has_limit = error->limit != 0;
    message->limit = error->limit;
}

void wn_control_error(wn_daemon *daemon, const wn_peer *peer, uint32_t id, const wn_error *error)
{
    Warren__Error message;
    Warren__Reply reply = WARREN__REPLY__INIT;
    fill_error(&message, error);
    reply.body_case = WARREN__REPLY__BODY_ERROR;
    reply.error = &message;
    daemon->statistics.refused++;
    wn_control_reply(daemon, peer, id, &reply);
}

void wn_control_answer(wn_daemon *daemon, wn_asker *asker, const wn_error *error, Warren__Reply *reply)
{
    const wn_asker to = *asker;
    *asker = (wn_asker){0};
    if (to.session == NULL || to.session->peer == NULL) {
        return;
    }
    if (error != NULL) {
        wn_control_error(daemon, to.session->peer, to.request, error);
    } else if (to.request != 0) {
        wn_control_reply(daemon, to.session->peer, to.request, reply);
    }
}

void wn_control_joined(wn_daemon *daemon, const wn_peer *peer, uint32_t id, Warren__Joined *joined)
{
    Warren__Reply reply = WARREN__REPLY__INIT;
    reply.body_case = WARREN__REPLY__BODY_JOINED;
    reply.joined = joined;
    if (id != 0) {
        wn_control_reply(daemon, peer, id, &reply);
    }
}

void wn_control_refuse_command(wn_daemon *daemon, const wn_peer *peer, uint32_t world, uint32_t number,
                               const wn_error *error)
{
    Warren__Error message;
    Warren__Reply reply = WARREN__REPLY__INIT;
    if (peer == NULL) {
        return;
    }
    fill_error(&message, error);
    message.has_world = true;
    message.world = world;
    message.has_command = true;
    message.command = number;
    reply.body_case = WARREN__REPLY__BODY_ERROR;
    reply.error = &message;
    daemon->statistics.refused++;
    wn_control_reply(daemon, peer, 0, &reply);
}

/* requests */

static const Warren__Request *decode(wn_daemon *daemon, zmq_msg_t *message, wn_error *error)
{
    const uint32_t most = daemon->config->request_bytes;
    wn_arena_reset(daemon->request_arena);
    if (zmq_msg_size(message) > most) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "message_bytes", most,
                     "a request of %zu bytes is too large: the server takes up to %u", zmq_msg_size(message), most);
        return NULL;
    }
    return wn_request_decode(daemon->request_arena, zmq_msg_data(message), zmq_msg_size(message), error);
}

static void take_request(wn_daemon *daemon, wn_peer *peer, zmq_msg_t *message)
{
    wn_error error;
    const Warren__Request *request = decode(daemon, message, &error);
    wn_error spent;
    if (!wn_peer_may_send(daemon, peer, &spent)) {
        wn_requests_refuse(daemon, peer, request, &spent);
        wn_request_refused(daemon, message);
        return;
    }
    if (request == NULL) {
        wn_control_error(daemon, peer, wn_request_id(zmq_msg_data(message), zmq_msg_size(message)), &error);
        return;
    }
    wn_requests_handle(daemon, peer, request);
}

/* A message is a routing id and one frame. Reads both; false: nothing is there. More frames than that are read away,
 * and the message counts as malformed, as an empty one. */
static bool receive(void *socket, zmq_msg_t *id, zmq_msg_t *body)
{
    if (zmq_msg_recv(id, socket, ZMQ_DONTWAIT) < 0) {
        return false;
    }
    if (!zmq_msg_more(id) || zmq_msg_recv(body, socket, ZMQ_DONTWAIT) < 0) {
        return true;
    }
    bool clean = true;
    while (zmq_msg_more(body)) {
        clean = false;
        if (zmq_msg_recv(body, socket, ZMQ_DONTWAIT) < 0) {
            break;
        }
    }
    if (!clean) {
        zmq_msg_close(body);
        zmq_msg_init(body);
    }
    return true;
}

/* Ids that libzmq makes are five bytes and begin with 0. One that a client chose would be that of whoever chooses it
 * next, with all that was granted to the first. */
static bool is_own_id(zmq_msg_t *id)
{
    return zmq_msg_size(id) == 5 && *(const uint8_t *)zmq_msg_data(id) == 0;
}

static void refuse_unknown(wn_daemon *daemon, size_t socket, zmq_msg_t *id, zmq_msg_t *body, const wn_error *error)
{
    wn_peer nobody = {.id_size = 1 + zmq_msg_size(id)};
    if (nobody.id_size > sizeof nobody.id) {
        return;
    }
    nobody.id[0] = (uint8_t)socket;
    memcpy(nobody.id + 1, zmq_msg_data(id), zmq_msg_size(id));
    wn_control_error(daemon, &nobody, wn_request_id(zmq_msg_data(body), zmq_msg_size(body)), error);
    wn_request_refused(daemon, body);
}

/* Not for each message: whoever is ignored must not fill the log. */
static void log_ignored(const wn_daemon *daemon)
{
    static wn_log_pace pace;
    if (wn_log_again(&pace, IGNORED_LOG_S)) {
        wn_log_line(
            WN_LEVEL_WARNING, "control",
            "connections are ignored: limits.sessions = %u, sessions_per_player and sessions_per_address allow no more",
            daemon->config->sessions);
    }
}

/* NULL with the error filled in: whoever sent it is not listened to. */
static wn_peer *find_peer(wn_daemon *daemon, size_t socket, zmq_msg_t *id, zmq_msg_t *body, wn_error *error)
{
    if (!is_own_id(id)) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "ZMQ_ROUTING_ID", 0,
                     "leave ZMQ_ROUTING_ID of your socket unset: the server tells connections apart by its own");
        return NULL;
    }
    wn_peer *peer = wn_peer_of(daemon, socket, id, body, error);
    if (peer == NULL) {
        log_ignored(daemon);
    }
    return peer;
}

static void take_requests(wn_daemon *daemon, size_t socket)
{
    for (int i = 0; i < REQUESTS_A_PASS; i++) {
        zmq_msg_t id, body;
        zmq_msg_init(&id);
        zmq_msg_init(&body);
        const bool got = receive(daemon->control[socket], &id, &body);
        wn_error error = {.code = WARREN__ERROR_CODE__ERROR_NONE};
        wn_connections_heard(got ? wn_connection_of(&body) : -1);
        wn_peer *peer = got ? find_peer(daemon, socket, &id, &body, &error) : NULL;
        if (peer != NULL) {
            take_request(daemon, peer, &body);
        } else if (got && error.code != WARREN__ERROR_CODE__ERROR_NONE) {
            refuse_unknown(daemon, socket, &id, &body, &error);
        }
        zmq_msg_close(&id);
        zmq_msg_close(&body);
        if (!got) {
            return;
        }
    }
}

static void local_ready(void *context)
{
    take_requests(context, 0);
}

static void network_ready(void *context)
{
    take_requests(context, 1);
}

/* sockets */

bool wn_control_open(wn_daemon *daemon, wn_error *error)
{
    static wn_socket_handler *const handlers[WN_CONTROL_SOCKETS] = {local_ready, network_ready};
    const int linger = 200, mandatory = 1, queue = REPLY_QUEUE;
    const int heartbeat = (int)daemon->config->heartbeat_ms, timeout = 3 * heartbeat;
    const int64_t most = 2 * WN_REQUEST_BYTES; /* what is larger is not even read: libzmq closes the connection */
    for (size_t i = 0; i < WN_CONTROL_SOCKETS; i++) {
        void *socket = zmq_socket(daemon->zmq, ZMQ_ROUTER);
        if (socket == NULL) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "no control socket: %s",
                                zmq_strerror(errno));
        }
        daemon->control[i] = socket;
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
        zmq_setsockopt(socket, ZMQ_ROUTER_MANDATORY, &mandatory, sizeof mandatory);
        zmq_setsockopt(socket, ZMQ_SNDHWM, &queue, sizeof queue);
        zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most);
        zmq_setsockopt(socket, ZMQ_HEARTBEAT_IVL, &heartbeat, sizeof heartbeat);
        zmq_setsockopt(socket, ZMQ_HEARTBEAT_TIMEOUT, &timeout, sizeof timeout);
        if (!wn_loop_add_socket(daemon->loop, socket, handlers[i], daemon, error)) {
            return false;
        }
    }
    return true;
}

/* The file of an ipc address; NULL for others, and for abstract ones, which have none. */
static const char *path_of(const char *address)
{
    const char *path = wn_endpoint_ipc(address);
    return path != NULL && path[0] != '@' ? path : NULL;
}

static const char *advice_on(int number, bool tcp)
{
    switch (number) {
    case EADDRINUSE:
        return "something else serves there: stop it, or choose another address";
    case EACCES:
        return tcp ? "ports below 1024 are not for its user: choose another port" : "choose another address";
    case ENODEV:
        return "there is no interface of that name, and other names are not looked up: choose another address";
    default:
        return "choose another address";
    }
}

static bool bind_one(wn_daemon *daemon, void *socket, const char *address, wn_error *error)
{
    const char *path = path_of(address);
    if (!wn_admission_prepare(daemon, socket, address, wn_config_takes_keys(daemon->config, address), error)) {
        return false;
    }
    const bool held = wn_activation_use(daemon, socket, address);
    if (zmq_bind(socket, address) == 0 && (held || path == NULL || chmod(path, SOCKET_MODE) == 0)) {
        return true;
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "network", 0, "cannot serve on %s: %s; %s",
                        address, zmq_strerror(errno), advice_on(errno, wn_endpoint_tcp(address) != NULL));
}

/* `socket` for ipc addresses, `network` for the others. */
static bool bind_all(wn_daemon *daemon, const char *addresses, void *socket, void *network, wn_error *error)
{
    char address[WN_ENDPOINT_BYTES];
    bool bound = true;
    while (bound && wn_endpoint_next(&addresses, address)) {
        bound = bind_one(daemon, wn_endpoint_ipc(address) != NULL ? socket : network, address, error);
    }
    return bound;
}

static bool bind_introductions(wn_daemon *daemon, wn_error *error)
{
    const char *rest = daemon->config->control;
    char address[WN_ENDPOINT_BYTES];
    bool bound = true;
    while (bound && wn_endpoint_next(&rest, address)) {
        bound = wn_introduce_bind(daemon, address, error);
    }
    return bound;
}

bool wn_control_bind(wn_daemon *daemon, wn_error *error)
{
    const bool bound = bind_all(daemon, daemon->config->updates, daemon->updates, daemon->updates, error) &&
                       bind_all(daemon, daemon->config->control, daemon->control[0], daemon->control[1], error) &&
                       bind_introductions(daemon, error);
    wn_activation_settle(daemon);
    wn_loop_socket_used(daemon->loop, daemon->updates);
    for (size_t i = 0; i < WN_CONTROL_SOCKETS; i++) {
        wn_loop_socket_used(daemon->loop, daemon->control[i]);
    }
    return bound;
}

/* Else clients that look for a daemon would find its socket and wait. Those at a service manager's are meant to. */
static void remove_sockets(const wn_daemon *daemon, const char *addresses)
{
    char address[WN_ENDPOINT_BYTES];
    while (wn_endpoint_next(&addresses, address)) {
        if (path_of(address) != NULL && !wn_activation_holds(daemon, address)) {
            unlink(path_of(address));
        }
    }
}

void wn_control_close(wn_daemon *daemon)
{
    if (daemon->ready) { /* then they are ours */
        remove_sockets(daemon, daemon->config->control);
        remove_sockets(daemon, daemon->config->updates);
    }
    for (size_t i = 0; i < WN_CONTROL_SOCKETS; i++) {
        if (daemon->control[i] != NULL) {
            zmq_close(daemon->control[i]);
        }
    }
}
