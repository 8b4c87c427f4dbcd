/* connections.h: how many connections each user of this machine, and each network address, has open at a time, whether
 * they ever say a word or not. They are counted where they are accepted (descriptors.c), in libzmq's threads, before
 * anything is read from them; the limits of sessions (accounts.h) come later, when it is known who speaks.
 *
 * An address is an IPv4 address, or 64 bits of an IPv6 one. This machine's own addresses are shared by all its users,
 * so together they have a share of the descriptors. Root and the daemon's own user, on ipc, have as many as they like.
 */
#ifndef WARREN_CONNECTIONS_H
#define WARREN_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

enum {
    WN_CONNECTIONS_A_SESSION = 4, /* that may be there for each session that may: two, and two that were just lost */
    WN_CONNECTIONS_OF_ALL = 4     /* this machine's own addresses have all descriptors but one in so many */
};

/* The limits from now on: of sessions_per_player, sessions_per_address, and of how many connections there may be in all
 * (0: it is not known). Until it is called, everybody may have as many as they like. */
void wn_connections_allow(const wn_config *config, uint64_t all);

/* `fd` is a connection that was just accepted. false: it is one too many, and the log says whose. */
bool wn_connections_let_in(int fd);

uint64_t wn_connections_refused(void); /* by this, since the process started */

#endif
