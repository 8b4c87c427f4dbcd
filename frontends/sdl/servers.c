/* servers.c: the servers to choose from. See servers.h. */
#include "servers.h"

#include <stdio.h>
#include <string.h>

void wn_servers_add(wn_servers *servers, const char *address)
{
    for (size_t i = 0; i < servers->count; i++) {
        if (strcmp(servers->items[i].address, address) == 0)
            return;
    }
    if (servers->count == WN_SERVERS || address[0] == '\0')
        return;
    wn_server *server = &servers->items[servers->count++];
    *server = (wn_server){0};
    snprintf(server->address, sizeof server->address, "%s", address);
}

void wn_servers_list(wn_servers *servers, const wn_preferences *preferences, const char *current)
{
    servers->count = 0;
    wn_servers_add(servers, current);
    for (size_t i = 0; i < preferences->favourite_count; i++)
        wn_servers_add(servers, preferences->favourites[i]);
    for (size_t i = 0; i < servers->count; i++) {
        servers->items[i].current = strcmp(servers->items[i].address, current) == 0;
        servers->items[i].favourite = wn_preferences_favours(preferences, servers->items[i].address);
    }
}
