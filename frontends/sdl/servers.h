/* servers.h: the servers to choose from: where one is, the favourites, and those that answer on this network: who finds
 * them adds them with wn_servers_add(). */
#ifndef WARREN_SDL_SERVERS_H
#define WARREN_SDL_SERVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "preferences.h"

enum { WN_SERVERS = 64 };

typedef struct wn_server {
    char address[WN_ADDRESS_BYTES];
    bool current, favourite;
} wn_server;

typedef struct wn_servers {
    wn_server items[WN_SERVERS];
    size_t count;
} wn_servers;

/* The list anew: `current` first, then the favourites. */
void wn_servers_list(wn_servers *servers, const wn_preferences *preferences, const char *current);
/* One more, unless it is there already or there are too many. */
void wn_servers_add(wn_servers *servers, const char *address);

#endif
