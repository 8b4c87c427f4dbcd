/* raw.h: the floor that Warren is measured against: a process that answers each message on a ROUTER with one on an XPUB
 * and does nothing else, and a DEALER and a SUB that drive it.
 */
#ifndef WARREN_BENCH_RAW_H
#define WARREN_BENCH_RAW_H

#include "server.h"

typedef struct wn_raw {
    pid_t process; /* the server's */
    wn_endpoint control, updates;
    void *requests, *answers; /* the client's sockets */
    uint32_t request_bytes, answer_bytes;
} wn_raw;

/* Starts the server process, with sockets in the directory of `server`. Call it before this process has any ZeroMQ
 * context, for it forks. */
bool wn_raw_start(wn_raw *raw, const wn_server *server, wn_transport transport, wn_error *error);
/* Connects to it. From then on each request has the one size and each answer the other. */
bool wn_raw_connect(wn_raw *raw, void *context, uint32_t request_bytes, uint32_t answer_bytes, wn_error *error);
/* Closes the client's sockets. */
void wn_raw_disconnect(wn_raw *raw);
void wn_raw_stop(wn_raw *raw);

/* One request and its answer. false: none came within a second. */
bool wn_raw_round_trip(wn_raw *raw);
/* `count` requests with at most `window` of them under way. */
bool wn_raw_pipeline(wn_raw *raw, uint64_t count, uint64_t window);

#endif
