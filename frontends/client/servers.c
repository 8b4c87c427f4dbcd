/* servers.c: the servers to choose from. See servers.h. */
#include "servers.h"

#include <stdio.h>
#include <string.h>

enum { ASK_MS = 3000, LISTEN_MS = 250 };

void wn_servers_begin(wn_servers *servers, const char *current, const wn_favourites *favourites)
{
    wn_servers_stop(servers);
    servers->count = servers->selected = 0;
    wn_server *here = wn_servers_add(servers, current);
    if (here != NULL) {
        here->current = true;
    }
    for (size_t i = 0; i < favourites->count; i++) {
        wn_server *server = wn_servers_add(servers, favourites->items[i]);
        if (server != NULL) {
            server->favourite = true;
        }
    }
}

wn_server *wn_servers_add(wn_servers *servers, const char *address)
{
    for (size_t i = 0; i < servers->count; i++) {
        if (strcmp(servers->items[i].address, address) == 0) {
            return &servers->items[i];
        }
    }
    if (servers->count == WN_SERVERS || address[0] == '\0') {
        return NULL;
    }
    wn_server *server = &servers->items[servers->count++];
    *server = (wn_server){0};
    snprintf(server->address, sizeof server->address, "%s", address);
    return server;
}

void wn_servers_move(wn_servers *servers, long by)
{
    const long wanted = (long)servers->selected + by, last = (long)servers->count;
    servers->selected = wanted < 0 ? 0 : wanted > last ? (size_t)last : (size_t)wanted;
}

const char *wn_server_about(const wn_server *server)
{
    if (server->current) {
        return server->favourite ? "here, favourite" : "here";
    }
    return server->favourite ? "favourite" : server->found;
}

/* the network */

static void keep_found(wn_servers *servers, const wn_found_server *found)
{
    const bool another = servers->selected == servers->count; /* stays selected */
    wn_server *server = wn_servers_add(servers, found->address);
    if (another) {
        servers->selected = servers->count;
    }
    if (server != NULL) {
        snprintf(server->found, sizeof server->found, "on this network: %s, %u world%s", found->name, found->worlds,
                 found->worlds == 1 ? "" : "s");
    }
}

int64_t wn_servers_listen(wn_servers *servers, int64_t now)
{
    wn_found_server found;
    wn_error error;
    if (servers->discovery == NULL) {
        servers->discovery = wn_discovery_new(&error);
        servers->next_question = now + ASK_MS;
    }
    if (servers->discovery == NULL) {
        return servers->next_question;
    }
    while (wn_discovery_next(servers->discovery, &found)) {
        keep_found(servers, &found);
    }
    if (now >= servers->next_question) {
        wn_discovery_ask(servers->discovery);
        servers->next_question = now + ASK_MS;
    }
    return now + LISTEN_MS;
}

void wn_servers_stop(wn_servers *servers)
{
    wn_discovery_free(servers->discovery);
    servers->discovery = NULL;
}
