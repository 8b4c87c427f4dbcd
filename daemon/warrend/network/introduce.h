/* introduce.h: the sockets that tell the server's public key to whoever asks, without keys: a frontend needs it before
 * it can connect for the first time. Two ports above each control address that takes keys.
 */
#ifndef WARREN_INTRODUCE_H
#define WARREN_INTRODUCE_H

#include "requests/request.h"

bool wn_introduce_open(wn_daemon *daemon, wn_error *error);
/* For a control address: the one beside it is bound, if it needs to be. */
bool wn_introduce_bind(wn_daemon *daemon, const char *control, wn_error *error);
void wn_introduce_close(wn_daemon *daemon);

/* The same over a control socket, where no Hello has to come before it. */
wn_request_handler wn_request_introduce;

#endif
