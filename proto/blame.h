/* blame.h: what a host and warrend share besides their socket: a page of memory in which the host says whose callback
 * it is about to run, so that after a crash the daemon knows whom to blame.
 */
#ifndef WARREN_BLAME_H
#define WARREN_BLAME_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct wn_blame {
    _Atomic uint32_t world;  /* whose callbacks are running; 0: none */
    _Atomic uint32_t saving; /* 1 while the world's snapshot is made, which no turn is to blame for */
} wn_blame;

#endif
