/* conduct.h: what a connection goes on doing: asking for views that it was not given, sending more than it may, keeping
 * void subscriptions, leaving updates unread. One that goes too far is closed; who comes next under its number has
 * nothing to do with it.
 */
#ifndef WARREN_CONDUCT_H
#define WARREN_CONDUCT_H

#include "daemon.h"

/* Counts a refused subscription of a connection (its descriptor, -1: not known); it is closed when there were too many.
 */
void wn_subscription_refused(wn_daemon *daemon, int fd);
/* Counts a frame of the updates socket. false: there are too many, and the connection is closed; its player is not let
 * in again for a while. */
bool wn_subscription_may_come(wn_daemon *daemon, zmq_msg_t *message);
/* A connection got a subscription, or took one back. libzmq remembers each until then, though it be void: it is closed
 * when there are too many. */
void wn_subscription_held(wn_daemon *daemon, int fd, bool more);
/* What waits of what was published for the connection that it came on, see unread.h. Who keeps it holds it. NULL: which
 * that is is not known. */
struct wn_unread *wn_subscription_unread(wn_daemon *daemon, zmq_msg_t *message);
void wn_subscriptions_close(wn_daemon *daemon);
/* Counts a request for which there was no allowance, likewise; its player is not let in again for a while. */
void wn_request_refused(wn_daemon *daemon, zmq_msg_t *message);

/* The connection that a message came on, by libzmq's name for its property; -1 where there is none. */
int wn_connection_of(zmq_msg_t *message);
/* Closes a connection of one of these endpoints; nothing if it is none (any more). */
void wn_connection_close(const char *endpoints, int fd);

#endif
