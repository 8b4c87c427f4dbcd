/* host-process.h: a host's process: started with a socket to the daemon and a page of memory that both see.
 * When and why is hosts.c's part.
 */
#ifndef WARREN_HOST_PROCESS_H
#define WARREN_HOST_PROCESS_H

#include "daemon.h"

/* Fills in pid, fd and blame. false, with errno: there is no process; what there is of the rest is to be released. */
bool wn_host_process_start(wn_host_process *host);
/* Waits for its end and says how that came. true: its sandbox ended it. */
bool wn_host_process_end(const wn_host_process *host, char *how, size_t size);
/* After its end: gives back what it had. */
void wn_host_process_release(wn_host_process *host);

#endif
