/* requests.h: what each request does. One table: which it is, what it needs, who answers it.
 */
#ifndef WARREN_REQUESTS_H
#define WARREN_REQUESTS_H

#include "daemon.h"

void wn_requests_handle(wn_daemon *daemon, wn_peer *peer, const Warren__Request *request);
/* Refuses a request unheard. `request` NULL: it could not even be decoded. */
void wn_requests_refuse(wn_daemon *daemon, wn_peer *peer, const Warren__Request *request, const wn_error *error);

#endif
