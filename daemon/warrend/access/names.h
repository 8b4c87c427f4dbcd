/* names.h: whose name is whose. A name belongs to the first key, or user of this machine, that plays under it; where
 * nobody says who it is, names are only borrowed. When there are as many as may be, those that nobody has played under
 * for 90 days are given away, the one that was not used for the longest time first.
 */
#ifndef WARREN_NAMES_H
#define WARREN_NAMES_H

#include "daemon.h"

enum { WN_NAME_KEEP_DAYS = 90 };

/* A name and the identity that it belongs to. */
typedef struct wn_claim {
    char name[WN_NAME_BYTES + 1], identity[WN_IDENTITY_BYTES];
    int64_t used; /* when a session began under it, to the day; seconds since 1970 */
    void *by_use; /* where it is in wn_daemon.claims_by_use */
} wn_claim;

/* Reads the claims of the store. */
bool wn_names_open(wn_daemon *daemon, wn_error *error);
void wn_names_close(wn_daemon *daemon);

/* The identity that the name belongs to; NULL: nobody yet. */
const char *wn_name_owner(wn_daemon *daemon, const char *name);
/* The wanted name (NULL: a guest's), or the first of NAME-2 to NAME-9 that nobody else has and no session uses, or NAME
 * and any number. A session that was lost keeps its name until its grace time is over, since it may come back. `name`
 * has WN_NAME_BYTES + 1. true: the wanted one is somebody else's. */
bool wn_name_choose(wn_daemon *daemon, const char *wanted, const char *identity, char *name);
/* A session of the identity begins under the name, which is nobody else's: it is the identity's from now on. false: it
 * is only borrowed, for the identity, or the server, has as many names as may be. */
bool wn_name_claim(wn_daemon *daemon, const char *name, const char *identity);
/* Nobody's again. false: it was. */
bool wn_name_release(wn_daemon *daemon, const char *name, wn_error *error);

#endif
