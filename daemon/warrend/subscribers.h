/* subscribers.h: who is subscribed to a view, by connection, and what is done about a connection that asks for what it
 * was not given.
 */
#ifndef WARREN_SUBSCRIBERS_H
#define WARREN_SUBSCRIBERS_H

#include "daemon.h"

/* Never less than there are. */
uint32_t wn_subscribers_count(const wn_subscribers *subscribers);
void wn_subscribers_add(wn_subscribers *subscribers, int fd);
/* A connection asked to be unsubscribed. false: it was not subscribed. */
bool wn_subscribers_remove(wn_subscribers *subscribers, int fd);
/* Some connection that was subscribed is gone. */
void wn_subscribers_closed(wn_subscribers *subscribers);
void wn_subscribers_free(wn_subscribers *subscribers);

/* Counts a refused subscription of a connection; the connection is closed when there were too many. */
void wn_subscription_refused(wn_daemon *daemon, int fd);

#endif
