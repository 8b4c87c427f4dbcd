/* raw.c: raw ZeroMQ, driven as Warren is: DEALER to ROUTER, XPUB to SUB, two processes. */
#include "raw.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#define UNAVAILABLE WARREN__ERROR_CODE__ERROR_UNAVAILABLE

enum { WAIT_MS = 1000, MOST_BYTES = 1 << 20, BATCH = 64, IDENTITY_BYTES = 256 };

static void *open_socket(void *context, int type)
{
    const int unlimited = 0, wait = WAIT_MS;
    void *socket = zmq_socket(context, type);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &wait, sizeof wait);
    zmq_setsockopt(socket, ZMQ_LINGER, &unlimited, sizeof unlimited);
    return socket;
}

/* server */

/* A request begins with the size of the answer it wants. */
static void answer(void *requests, void *updates, char *buffer)
{
    char identity[IDENTITY_BYTES];
    for (int i = 0; i < BATCH; i++) {
        if (zmq_recv(requests, identity, sizeof identity, ZMQ_DONTWAIT) < 0) {
            return;
        }
        uint32_t bytes;
        zmq_recv(requests, buffer, MOST_BYTES, 0);
        memcpy(&bytes, buffer, sizeof bytes);
        zmq_send(updates, buffer, bytes < MOST_BYTES ? bytes : MOST_BYTES, 0);
    }
}

static void serve(const wn_raw *raw)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    void *context = zmq_ctx_new();
    void *requests = open_socket(context, ZMQ_ROUTER), *updates = open_socket(context, ZMQ_XPUB);
    char *buffer = calloc(1, MOST_BYTES);
    if (buffer == NULL || zmq_bind(requests, raw->control.text) != 0 || zmq_bind(updates, raw->updates.text) != 0) {
        _exit(1);
    }
    zmq_pollitem_t items[2] = {{requests, 0, ZMQ_POLLIN, 0}, {updates, 0, ZMQ_POLLIN, 0}};
    while (zmq_poll(items, 2, -1) >= 0 || errno == EINTR) {
        if (items[1].revents != 0) {
            zmq_recv(updates, buffer, MOST_BYTES, 0);
        }
        if (items[0].revents != 0) {
            answer(requests, updates, buffer);
        }
    }
    _exit(1);
}

bool wn_raw_start(wn_raw *raw, const wn_server *server, wn_transport transport, wn_error *error)
{
    *raw = (wn_raw){0};
    if (!wn_server_endpoint(server, transport, "raw-control", &raw->control, error) ||
        !wn_server_endpoint(server, transport, "raw-updates", &raw->updates, error)) {
        return false;
    }
    raw->process = fork();
    if (raw->process == 0) {
        serve(raw);
    }
    if (raw->process < 0) {
        raw->process = 0;
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "No process for the raw echo: %s.", strerror(errno));
    }
    return true;
}

void wn_raw_stop(wn_raw *raw)
{
    wn_raw_disconnect(raw);
    if (raw->process > 0) {
        kill(raw->process, SIGKILL);
        waitpid(raw->process, NULL, 0);
        raw->process = 0;
    }
}

/* client */

static void ask(wn_raw *raw)
{
    char request[256] = {0};
    memcpy(request, &raw->answer_bytes, sizeof raw->answer_bytes);
    zmq_send(raw->requests, request, raw->request_bytes, 0);
}

static bool hear(wn_raw *raw)
{
    char bytes[4096];
    return zmq_recv(raw->answers, bytes, sizeof bytes, 0) >= 0;
}

bool wn_raw_connect(wn_raw *raw, void *context, uint32_t request_bytes, uint32_t answer_bytes, wn_error *error)
{
    enum { TRIES = 100, SHORT_WAIT_MS = 50 };
    const int short_wait = SHORT_WAIT_MS, wait = WAIT_MS;
    raw->request_bytes = request_bytes < 4 ? 4 : request_bytes > 256 ? 256 : request_bytes;
    raw->answer_bytes = answer_bytes;
    raw->requests = open_socket(context, ZMQ_DEALER);
    raw->answers = open_socket(context, ZMQ_SUB);
    zmq_setsockopt(raw->answers, ZMQ_SUBSCRIBE, "", 0);
    zmq_setsockopt(raw->answers, ZMQ_RCVTIMEO, &short_wait, sizeof short_wait);
    if (zmq_connect(raw->requests, raw->control.text) != 0 || zmq_connect(raw->answers, raw->updates.text) != 0) {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "%s: %s.", raw->control.text, zmq_strerror(errno));
    }
    /* Until the subscription has arrived, answers go nowhere. */
    bool heard = false;
    for (int i = 0; i < TRIES && !heard; i++) {
        ask(raw);
        heard = hear(raw);
    }
    while (hear(raw)) {
        continue;
    }
    zmq_setsockopt(raw->answers, ZMQ_RCVTIMEO, &wait, sizeof wait);
    return heard || wn_fail_with(error, UNAVAILABLE, NULL, 0, "The raw echo does not answer.");
}

void wn_raw_disconnect(wn_raw *raw)
{
    if (raw->requests != NULL) {
        zmq_close(raw->requests);
        zmq_close(raw->answers);
        raw->requests = raw->answers = NULL;
    }
}

bool wn_raw_round_trip(wn_raw *raw)
{
    ask(raw);
    return hear(raw);
}

bool wn_raw_pipeline(wn_raw *raw, uint64_t count, uint64_t window)
{
    uint64_t asked = 0;
    for (uint64_t heard = 0; heard < count; heard++) {
        for (; asked < count && asked - heard < window; asked++) {
            ask(raw);
        }
        if (!hear(raw)) {
            return false;
        }
    }
    return true;
}
