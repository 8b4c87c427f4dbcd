/* servers.h: the servers to choose from: the one where somebody is, the favourites, and those that answer on this
 * network while they are listened to. */
#ifndef WARREN_CLIENT_SERVERS_H
#define WARREN_CLIENT_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "discovery.h"
#include "favourites.h"

enum { WN_SERVERS = 64 };

typedef struct wn_server {
    char address[WN_SERVER_ADDRESS_BYTES];
    bool current, favourite;
    char found[WN_NAME_BYTES + 48]; /* "on this network: attic, 3 worlds"; "": it has not answered */
} wn_server;

typedef struct wn_servers {
    wn_server items[WN_SERVERS];
    size_t count;
    size_t selected;         /* `count`: none of them, another address */
    wn_discovery *discovery; /* while they are listened to; NULL: no network to ask */
    int64_t next_question;
} wn_servers;

/* The list anew: the one where somebody is, then the favourites. */
void wn_servers_begin(wn_servers *servers, const char *current, const wn_favourites *favourites);
/* The server of that address, new at the end if it is not there yet. NULL: there are too many, or it is "". */
wn_server *wn_servers_add(wn_servers *servers, const char *address);
void wn_servers_move(wn_servers *servers, long by);
/* What stands beside the address: "here, favourite", or what it said on this network. */
const char *wn_server_about(const wn_server *server);

/* Asks the network now and then, and takes what has answered. Returns when it is to be called again. */
int64_t wn_servers_listen(wn_servers *servers, int64_t now);
/* The network hears nothing any more. */
void wn_servers_stop(wn_servers *servers);

#endif
