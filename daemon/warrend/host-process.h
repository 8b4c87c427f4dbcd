/* host-process.h: a host's process: started with a socket to the daemon and a page of memory that both see.
 * When and why is hosts.c's part.
 */
#ifndef WARREN_HOST_PROCESS_H
#define WARREN_HOST_PROCESS_H

#include "daemon.h"

/* Fills in pid, fd and blame. false, with errno: there is no process; what there is of the rest is to be released. */
bool wn_host_process_start(wn_host_process *host);
/* How a process came to its end. */
typedef struct wn_process_end {
    bool forbidden; /* its sandbox ended it */
    char how[160];
} wn_process_end;

/* Closes its socket and kills it. Both, always: a mode can close its end and go on. */
void wn_host_process_kill(wn_host_process *host);
/* Has it ended since? Never waits for that: true once, and then it is to be released. */
bool wn_host_process_ended(const wn_host_process *host, wn_process_end *end);
/* In how many milliseconds to ask again, if it was asked after so many last time; 0: never yet. */
uint64_t wn_host_process_next_look(uint64_t waited_ms);
/* Waits for that after all: for when the daemon ends. */
void wn_host_process_wait(const wn_host_process *host);
/* After its end: gives back what it had. */
void wn_host_process_release(wn_host_process *host);

#endif
