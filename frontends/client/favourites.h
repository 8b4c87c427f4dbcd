/* favourites.h: the servers that a person wants to find again, one in each line of servers.conf beside the key file. */
#ifndef WARREN_CLIENT_FAVOURITES_H
#define WARREN_CLIENT_FAVOURITES_H

#include <stdbool.h>
#include <stddef.h>

#include "wire.h"

enum { WN_FAVOURITES = 16, WN_SERVER_ADDRESS_BYTES = 256 }; /* as a person writes it, with the NUL */

typedef struct wn_favourites {
    char items[WN_FAVOURITES][WN_SERVER_ADDRESS_BYTES];
    size_t count;
} wn_favourites;

/* A file that is not there has none. false with a sentence: not all that it holds is here, so that it must not be
 * written anew. */
bool wn_favourites_read(wn_favourites *favourites, const char *path, wn_error *error);
/* Writes it whole or not at all. false with a sentence. */
bool wn_favourites_write(const wn_favourites *favourites, const char *path, wn_error *error);
bool wn_favourites_has(const wn_favourites *favourites, const char *address);
/* Adds or removes a server. false with a sentence: there is no room for another. */
bool wn_favourites_turn(wn_favourites *favourites, const char *address, wn_error *error);

#endif
