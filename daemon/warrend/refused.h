/* refused.h: what is done about a connection that asks for views it was not given.
 */
#ifndef WARREN_REFUSED_H
#define WARREN_REFUSED_H

#include "daemon.h"

/* Counts a refused subscription of a connection (its descriptor, -1: not known); it is closed when there were too many.
 */
void wn_subscription_refused(wn_daemon *daemon, int fd);

#endif
