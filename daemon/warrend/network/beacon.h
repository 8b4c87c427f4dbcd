/* beacon.h: the daemon is found by frontends of the local network that ask by broadcast, if network.beacon says so. See
 * Beacon in warren.proto. It never says anything unasked: an idle server costs nobody anything.
 */
#ifndef WARREN_BEACON_H
#define WARREN_BEACON_H

#include "daemon.h"

/* true as well if it is not to be found. */
bool wn_beacon_open(wn_daemon *daemon, wn_error *error);
void wn_beacon_close(wn_daemon *daemon);

#endif
