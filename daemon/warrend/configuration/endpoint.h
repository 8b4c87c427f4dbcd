/* endpoint.h: addresses of sockets, as the settings and libzmq have them: ipc:///PATH, ipc://@NAME (without a file),
 * tcp://ADDRESS:PORT and tcp://[ADDRESS]:PORT, with * for any address or any free port.
 */
#ifndef WARREN_ENDPOINT_H
#define WARREN_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WN_ENDPOINT_BYTES = 1024,        /* of one in a list, with its NUL; a longer one is cut, and is none then */
    WN_ENDPOINT_ADDRESS_BYTES = 256, /* of an address, with its NUL */
};

/* Takes the next from a list that spaces separate. false: there is none any more. */
bool wn_endpoint_next(const char **list, char endpoint[static WN_ENDPOINT_BYTES]);

/* What follows the scheme; NULL: it is of another kind. */
const char *wn_endpoint_ipc(const char *endpoint); /* /PATH or @NAME */
const char *wn_endpoint_tcp(const char *endpoint); /* ADDRESS:PORT */

/* Of a tcp endpoint; 0: any free port, or it is no such endpoint. */
uint16_t wn_endpoint_port(const char *endpoint);
/* Is it a tcp endpoint that is served on this machine alone? */
bool wn_endpoint_is_loopback(const char *endpoint);

/* Splits ADDRESS:PORT or [ADDRESS]:PORT. false: it is neither, or the port is none. */
bool wn_endpoint_split(const char *place, char address[static WN_ENDPOINT_ADDRESS_BYTES]);
/* Is that address, in numbers or the name of an interface, one of this machine's own? */
bool wn_address_is_loopback(const char *address);

#endif
