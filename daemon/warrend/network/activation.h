/* activation.h: listening sockets that a service manager holds and hands over (sd_listen_fds(3)), so that clients can
 * connect while the daemon starts again. The configuration says where the daemon serves all the same: a socket that was
 * handed over takes the place of the one that would be made for its address.
 *
 * They come from a socket unit; or, tcp ones, from the daemon itself, which leaves a copy of what it made with the
 * service manager (FDSTORE in sd_notify(3)).
 */
#ifndef WARREN_ACTIVATION_H
#define WARREN_ACTIVATION_H

#include "daemon.h"

void wn_activation_open(wn_daemon *daemon);
void wn_activation_close(wn_daemon *daemon);

/* Before each zmq_bind() of the socket: has it use what was handed over for the endpoint, or what is made here for the
 * service manager to keep. false: neither, and it makes one itself. */
bool wn_activation_use(wn_daemon *daemon, void *socket, const char *endpoint);
/* Is the endpoint's socket the service manager's? */
bool wn_activation_holds(const wn_daemon *daemon, const char *endpoint);
/* After the last of them: gives up what was kept and no endpoint has use for any more, and names those of socket units
 * that none has use for. */
void wn_activation_settle(const wn_daemon *daemon);

#endif
