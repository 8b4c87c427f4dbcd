/* server.h: a private warrend for one run, in a directory of its own, on ipc and tcp, with limits out of the way,
 * unless they are what is measured.
 */
#ifndef WARREN_BENCH_SERVER_H
#define WARREN_BENCH_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "wire.h"

typedef enum wn_transport { WN_IPC, WN_TCP } wn_transport;
enum { WN_TRANSPORTS = 2 };
extern const char *const wn_transport_names[WN_TRANSPORTS];

typedef struct wn_endpoint {
    char text[128];
} wn_endpoint;

typedef struct wn_server {
    pid_t process; /* 0: not running */
    char directory[64];
    wn_endpoint control[WN_TRANSPORTS], updates[WN_TRANSPORTS];
    bool limited; /* the limits are those that a daemon has by default */
} wn_server;

/* A fresh directory in $TMPDIR or /tmp. */
bool wn_server_directory(wn_server *server, wn_error *error);
/* An endpoint that nobody has: a socket called `name` in the directory, or a free port of 127.0.0.1. */
bool wn_server_endpoint(const wn_server *server, wn_transport transport, const char *name, wn_endpoint *endpoint,
                        wn_error *error);
/* Starts `warrend` (NULL: the one beside this program) and waits until it listens. Its log is DIRECTORY/log. */
bool wn_server_start(wn_server *server, const char *warrend, wn_error *error);
/* Ends it and removes the directory. */
void wn_server_stop(wn_server *server);

#endif
