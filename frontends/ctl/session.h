/* session.h: one question after the other to a daemon, waiting for each answer, with every failure as a sentence and
 * an exit status. What the answers mean is not its business.
 */
#ifndef WARREN_CTL_SESSION_H
#define WARREN_CTL_SESSION_H

#include "client.h"

/* Exit statuses, from USAGE on as in sysexits.h. UNAVAILABLE: there is no server, or it gave no answer; what a server
 * has refused is one of the others. */
enum {
    WN_EXIT_DONE = 0,
    WN_EXIT_REFUSED = 1,
    WN_EXIT_USAGE = 64,
    WN_EXIT_UNAVAILABLE = 69,
    WN_EXIT_LATER = 75,
    WN_EXIT_NOT_ALLOWED = 77
};

typedef struct wn_session {
    wn_client *client;
    wn_address address;
    uint32_t timeout_ms; /* for the connection, and for each answer */
    const char *goes_on; /* a sentence: what the server goes on with when nobody waits for it any more; NULL */
    uint32_t paced;      /* requests that wn_session_pace() let through */
    int status;          /* why the last call failed; it has been said on stderr */
} wn_session;

/* Connects to `server` (any form client.h takes; NULL: the default). false: session->status says why. */
bool wn_session_open(wn_session *session, const char *server, const char *player, uint32_t timeout_ms);
/* Waits for the answer to a request, which has the body `kind`. It lives until the next call. NULL: refused or lost;
 * session->status says which. */
const Warren__Reply *wn_session_answer(wn_session *session, uint32_t request, Warren__Reply__BodyCase kind);
/* Before each of very many requests: waits as the server's limits want it, so that none is refused for them. */
void wn_session_pace(wn_session *session);
void wn_session_close(wn_session *session);

#endif
