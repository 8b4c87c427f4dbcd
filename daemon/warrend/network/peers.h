/* peers.h: connections of control sockets, by libzmq's routing ids: those that have sent something and were not silent
 * for too long. A session (sessions.h) is bound to one, and outlives it.
 */
#ifndef WARREN_PEERS_H
#define WARREN_PEERS_H

#include "daemon.h"

void wn_peers_open(wn_daemon *daemon);
void wn_peers_close(wn_daemon *daemon); /* after the sessions */

/* The peer that sent `message` on control socket `socket`. NULL: there are too many; if it may be told so, with the
 * error filled in. */
wn_peer *wn_peer_of(wn_daemon *daemon, size_t socket, zmq_msg_t *id, zmq_msg_t *message, wn_error *error);
/* Takes one request out of the allowances of the peer, its player and its address. false with the limit: none is left.
 */
bool wn_peer_may_send(wn_daemon *daemon, wn_peer *peer, wn_error *error);
/* Forgets those that were silent for too long. Their sessions are lost, from now on. */
void wn_peers_end_silent(wn_daemon *daemon);

#endif
