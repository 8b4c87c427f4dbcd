/* connections.h: what each connection costs: how many there are of whom, whether they ever say a word or not; how much
 * one has sent that is no whole message yet; how much waits for one that does not read. libzmq tells none of it, and
 * has no limit for it, so accept() (descriptors.c), recv(), send() and close() stand in place of libc's, for all
 * libraries of the process. The limits of sessions and requests (accounts.c) come later, when it is known who speaks.
 *
 * Whose a connection is: a user's of this machine on ipc, else an address's, which is an IPv4 address or 64 bits of an
 * IPv6 one. This machine's own addresses are shared by all its users, so together they have a share of the descriptors.
 * Root and the daemon's own user, on ipc, have as many connections as they like.
 *
 * All of it may be called from any thread.
 */
#ifndef WARREN_CONNECTIONS_H
#define WARREN_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "configuration/config.h"

enum {
    WN_CONNECTIONS_A_SESSION = 4, /* that may be there for each session that may: two, and two that were just lost */
    WN_CONNECTIONS_OF_ALL = 4,    /* this machine's own addresses have all descriptors but one in so many */
    WN_UNHEARD_BYTES = 1 << 20,   /* read from one since a message of it was handed up */
    WN_UNHEARD_A_SECOND = 64,     /* in addition: its libzmq may say that it is there */
    WN_UNSENT_BYTES = 12 << 20,   /* for one: three of the largest replies */
    WN_UNSENT_OF_ONE = 32 << 20   /* for all of one user or address */
};

/* Before anything is accepted, once. Until then nothing is counted. `most`: descriptors. */
void wn_connections_open(uint64_t most);
/* The limits from now on: of sessions_per_player, sessions_per_address, and of how many connections there may be. */
void wn_connections_allow(const wn_config *config, uint64_t most);

/* `fd` is a connection that was just accepted. false: it is one too many, and the log says whose. */
bool wn_connections_let_in(int fd);
uint64_t wn_connections_refused(void); /* since the process started */

/* Which of all that ever had this descriptor has it now; 0: it is none that is counted. */
uint64_t wn_connections_serial(int fd);
/* A whole message of the connection was handed up. -1: of which is not known. */
void wn_connections_heard(int fd);
/* So much was given to libzmq for it. false: more waits than may, and it should be closed. */
bool wn_connections_queued(int fd, uint64_t serial, size_t bytes);

#endif
