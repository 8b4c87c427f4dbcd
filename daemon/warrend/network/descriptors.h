/* descriptors.h: file descriptors. Each connection takes one, so a daemon has as many as the system lets it have, and
 * never gives the last ones to connections: its hosts, bots and files need some, and libzmq ends the process when it
 * accepts a connection on ipc and none is left (4.3.4, ipc_listener.cpp: it does not expect EMFILE).
 *
 * So accept() and accept4() stand here, in place of libc's, for all libraries of the process: beyond the limit a
 * connection is closed as soon as it is there, and so is one too many of somebody (connections.h). Who comes then is
 * refused at once, and may try again.
 */
#ifndef WARREN_DESCRIPTORS_H
#define WARREN_DESCRIPTORS_H

#include <stdint.h>

/* Raises the limit to the most that is allowed, and says so in the log if that is too few for so many sessions. */
void wn_descriptors_open(uint32_t sessions);

uint64_t wn_descriptors_limit(void);           /* 0: not known yet */
uint64_t wn_descriptors_for_connections(void); /* of these */
uint64_t wn_descriptors_in_use(void);
uint64_t wn_descriptors_refused(void); /* connections for which there were none, since the process started */

#endif
