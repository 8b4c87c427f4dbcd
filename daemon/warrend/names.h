/* names.h: whose name is whose. A name belongs to the first key, or user of this machine, that plays under it; where
 * nobody says who it is, names are only borrowed.
 */
#ifndef WARREN_NAMES_H
#define WARREN_NAMES_H

#include "daemon.h"

/* A name and the identity that it belongs to. */
typedef struct wn_claim {
    char name[WN_NAME_BYTES + 1], identity[WN_IDENTITY_BYTES];
} wn_claim;

/* Reads the claims of the store. */
bool wn_names_open(wn_daemon *daemon, wn_error *error);
void wn_names_close(wn_daemon *daemon);

/* The identity that the name belongs to; NULL: nobody yet. */
const char *wn_name_owner(wn_daemon *daemon, const char *name);
/* The wanted name (NULL: a guest's), or the first of NAME-2, NAME-3, ... that nobody else has and no session uses. A
 * session that was lost keeps its name until its grace time is over, since it may come back. `name` has
 * WN_NAME_BYTES + 1. true: the wanted one is somebody else's. */
bool wn_name_choose(wn_daemon *daemon, const char *wanted, const char *identity, char *name);
/* It is the identity's from now on, as far as its number of names and the server's allow. */
void wn_name_claim(wn_daemon *daemon, const char *name, const char *identity);
/* Nobody's again. false: it was. */
bool wn_name_release(wn_daemon *daemon, const char *name, wn_error *error);

#endif
