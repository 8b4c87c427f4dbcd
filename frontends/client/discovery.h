/* discovery.h: servers of the local network that are to be found (network.beacon in their warren.conf). It asks by
 * broadcast, and once more after a while for what was lost; servers answer at once.
 *
 * How to use it: wn_discovery_new(), add wn_discovery_fd() to your poll loop, and when it is readable call
 * wn_discovery_next() until it returns false. Whoever keeps a list calls wn_discovery_ask() now and then. Nothing
 * blocks.
 */
#ifndef WARREN_CLIENT_DISCOVERY_H
#define WARREN_CLIENT_DISCOVERY_H

#include "curve.h"
#include "wire.h"

typedef struct wn_discovery wn_discovery;

typedef struct wn_found_server {
    char address[64];             /* "warren://192.0.2.7:7117", for wn_address_parse() */
    char name[WN_NAME_BYTES + 1]; /* of its machine */
    char software[WN_NAME_BYTES + 1];
    /* What it says is its key. Anybody can answer a broadcast: show it, but let the client ask and compare with the key
     * that it knows from earlier, as it does with the address alone. */
    bool has_key;
    uint8_t key[WN_CURVE_BYTES];
    uint32_t worlds, seats;
} wn_found_server;

/* Asks on every network of this machine, and this machine itself; if $WARREN_DISCOVERY is set the addresses in it
 * alone, ADDRESS[:PORT] separated by spaces. NULL with the error filled in. */
wn_discovery *wn_discovery_new(wn_error *error);
void wn_discovery_free(wn_discovery *discovery); /* NULL is fine */
/* Asks again. Servers that were found before are told again as well, with what has changed. */
void wn_discovery_ask(wn_discovery *discovery);
int wn_discovery_fd(const wn_discovery *discovery);
/* The next server that answered, each once for each time it was asked. false: none has come. */
bool wn_discovery_next(wn_discovery *discovery, wn_found_server *found);

#endif
