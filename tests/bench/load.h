/* load.h: other players: a process that plays in many worlds at a steady rate, while something else is measured.
 */
#ifndef WARREN_BENCH_LOAD_H
#define WARREN_BENCH_LOAD_H

#include <stdatomic.h>

#include "peer.h"

typedef struct wn_load {
    pid_t process;          /* 0: none */
    _Atomic uint64_t *sent; /* commands so far; shared with the process */
} wn_load;

typedef struct wn_load_plan {
    wn_game game;
    uint32_t players, rate; /* commands a second, each */
} wn_load_plan;

/* Starts it and waits until all have joined. Call it before this process has any ZeroMQ context, for it forks. */
bool wn_load_start(wn_load *load, const wn_server *server, const wn_load_plan *plan, wn_error *error);
uint64_t wn_load_sent(const wn_load *load);
void wn_load_stop(wn_load *load);

#endif
