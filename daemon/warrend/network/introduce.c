/* introduce.c: tells the server's public key. See introduce.h.
 */
#include "network/introduce.h"

#include "access/admission.h"
#include "configuration/endpoint.h"
#include "memory.h"
#include "network/activation.h"
#include "network/conduct.h"
#include "network/connections.h"
#include "wire.h"

enum { ASKED_A_PASS = 32, QUEUE = 100, MESSAGE_BYTES = 64 };

/* Of the first control address that is for other machines and takes keys; 0: there is none, or nobody knows its port.
 */
static uint32_t port_for_others(const wn_config *config)
{
    char one[WN_ENDPOINT_BYTES];
    uint32_t port = 0;
    for (const char *rest = config->control; port == 0 && wn_endpoint_next(&rest, one);) {
        if (wn_config_takes_keys(config, one) && !wn_endpoint_is_loopback(one)) {
            port = wn_endpoint_port(one);
        }
    }
    return port;
}

static void fill(const wn_daemon *daemon, Warren__Reply *reply, Warren__Introduction *introduction)
{
    warren__introduction__init(introduction);
    introduction->curve_key.data = (uint8_t *)(uintptr_t)daemon->key.public_key;
    introduction->curve_key.len = sizeof daemon->key.public_key;
    introduction->software = (char *)(uintptr_t) "warrend " WARREN_VERSION;
    introduction->port = port_for_others(daemon->config);
    introduction->has_port = introduction->port != 0;
    reply->body_case = WARREN__REPLY__BODY_INTRODUCTION;
    reply->introduction = introduction;
}

bool wn_request_introduce(wn_context *at)
{
    Warren__Reply reply = WARREN__REPLY__INIT;
    Warren__Introduction introduction;
    fill(at->daemon, &reply, &introduction);
    return wn_request_reply(at, &reply);
}

static void answer(wn_daemon *daemon, zmq_msg_t *id, zmq_msg_t *body)
{
    Warren__Reply reply = WARREN__REPLY__INIT;
    Warren__Introduction introduction;
    wn_arena_reset(daemon->request_arena);
    const Warren__Request *request =
        wn_request_decode(daemon->request_arena, zmq_msg_data(body), zmq_msg_size(body), NULL);
    if (request == NULL || request->body_case != WARREN__REQUEST__BODY_INTRODUCE) {
        return; /* nothing else is told here, not even what is wrong */
    }
    fill(daemon, &reply, &introduction);
    reply.has_id = true;
    reply.id = request->id;
    daemon->reply.size = 0;
    wn_encode(&daemon->reply, &reply.base);
    if (zmq_msg_send(id, daemon->introduction, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0) {
        zmq_send(daemon->introduction, daemon->reply.data, daemon->reply.size, ZMQ_DONTWAIT);
    }
}

static void asked(void *context)
{
    wn_daemon *daemon = context;
    bool got = true;
    for (int i = 0; got && i < ASKED_A_PASS; i++) {
        zmq_msg_t id, body;
        zmq_msg_init(&id);
        zmq_msg_init(&body);
        got = zmq_msg_recv(&id, daemon->introduction, ZMQ_DONTWAIT) >= 0;
        wn_connections_heard(got ? wn_connection_of(&id) : -1);
        if (got && zmq_msg_more(&id) && zmq_msg_recv(&body, daemon->introduction, ZMQ_DONTWAIT) >= 0) {
            bool more = zmq_msg_more(&body);
            if (!more) {
                answer(daemon, &id, &body);
            }
            while (more && zmq_msg_recv(&body, daemon->introduction, ZMQ_DONTWAIT) >= 0) {
                more = zmq_msg_more(&body);
            }
        }
        zmq_msg_close(&id);
        zmq_msg_close(&body);
    }
}

bool wn_introduce_open(wn_daemon *daemon, wn_error *error)
{
    const int linger = 0, queue = QUEUE;
    const int64_t most = MESSAGE_BYTES;
    daemon->introduction = zmq_socket(daemon->zmq, ZMQ_ROUTER);
    if (daemon->introduction == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "no socket for introductions: %s",
                            zmq_strerror(errno));
    }
    zmq_setsockopt(daemon->introduction, ZMQ_LINGER, &linger, sizeof linger);
    zmq_setsockopt(daemon->introduction, ZMQ_SNDHWM, &queue, sizeof queue);
    zmq_setsockopt(daemon->introduction, ZMQ_RCVHWM, &queue, sizeof queue);
    zmq_setsockopt(daemon->introduction, ZMQ_MAXMSGSIZE, &most, sizeof most);
    return wn_loop_add_socket(daemon->loop, daemon->introduction, asked, daemon, error);
}

bool wn_introduce_bind(wn_daemon *daemon, const char *control, wn_error *error)
{
    char endpoint[WN_ENDPOINT_BYTES];
    const char *colon = strrchr(control, ':');
    const int port = wn_endpoint_port(control);
    if (!daemon->config->introduce || !wn_config_takes_keys(daemon->config, control) || port == 0) {
        return true; /* any free port: nobody could know which */
    }
    snprintf(endpoint, sizeof endpoint, "%.*s:%d", (int)(colon - control), control, port + WN_INTRODUCTION_ABOVE);
    wn_activation_use(daemon, daemon->introduction, endpoint);
    if (port + WN_INTRODUCTION_ABOVE > UINT16_MAX ||
        !wn_admission_prepare(daemon, daemon->introduction, endpoint, false, error) ||
        zmq_bind(daemon->introduction, endpoint) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "introduce", 0,
                            "cannot tell the server's key on %s: %s; choose another port for %s, or say introduce = no "
                            "in [security]",
                            endpoint,
                            port + WN_INTRODUCTION_ABOVE > UINT16_MAX ? "there is no such port" : zmq_strerror(errno),
                            control);
    }
    wn_loop_socket_used(daemon->loop, daemon->introduction);
    wn_log_line(WN_LEVEL_INFO, "security", "tells its key to whoever asks on %s", endpoint);
    return true;
}

void wn_introduce_close(wn_daemon *daemon)
{
    if (daemon->introduction != NULL) {
        zmq_close(daemon->introduction);
    }
}
