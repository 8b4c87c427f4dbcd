/* accounts.h: what all connections of one player, or from one network address, have in common: how much they may ask
 * for, which sessions there are. A player is a key or a user of this machine; where nobody says who it is, the address
 * stands for the player.
 */
#ifndef WARREN_ACCOUNTS_H
#define WARREN_ACCOUNTS_H

#include "daemon.h"

/* How much was taken of what there is so much of in a day: it comes back bit by bit. All zero: all is there. */
typedef struct wn_day {
    uint32_t taken;
    uint64_t as_of_ms;
} wn_day;

struct wn_account {
    char name[WN_IDENTITY_BYTES]; /* an identity as in admission.h, or "address:" and one */
    uint32_t peers, sessions;     /* it goes when both are 0, what it took has come back, and nothing waits for it */
    wn_session *first;            /* of a player: its sessions */
    bool unlimited;               /* administrators of this machine; addresses of this machine, which all share */
    wn_allowance requests;
    wn_allowance audited;        /* lines in audit.log about what it did */
    uint32_t unaudited;          /* requests left out there since it was told last */
    uint64_t unaudited_ms;       /* when that was */
    wn_allowance told;           /* lines in the log about sessions that began */
    uint32_t untold;             /* how many were left out there, */
    uint64_t untold_ms;          /* and since when */
    wn_budget budgets[WN_COSTS]; /* see requests.c */
    uint64_t shunned_ms;         /* until then no new connection is let in */
    uint32_t closings;           /* of an address: how many players were shunned there */
    wn_day worlds, names;        /* of an address: that were made there, and taken */
    struct wn_unread *unread;    /* see unread.h; NULL: nothing was counted yet */
};

void wn_accounts_open(wn_daemon *daemon);
void wn_accounts_close(wn_daemon *daemon);
/* Forgets those that nobody needs. false: the others stay for what was made from them today alone, so there is no hurry
 * with the next time. */
bool wn_accounts_sweep(wn_daemon *daemon);

/* The name of the account of an address, as wn_subject_address() has it: "address:192.0.2.1", "address:2001:db8::/64".
 */
void wn_accounts_name_address(char name[WN_IDENTITY_BYTES], const char *address);
/* Is it where everyone on this machine comes from, unless a program chooses another? */
bool wn_accounts_share(const char *address);

/* Keys cost nothing, and worlds and names are kept: those that come from one address are counted. false: of today's
 * none is left, of worlds with the limit. */
bool wn_accounts_may_make_world(wn_daemon *daemon, const wn_peer *peer, wn_error *error);
void wn_accounts_made_world(const wn_peer *peer);
bool wn_accounts_may_take_name(wn_daemon *daemon, const wn_peer *peer);
void wn_accounts_took_name(const wn_peer *peer);

/* Gives a new connection its accounts. false with the limit: as many connections as may be are there already. */
bool wn_accounts_enter(wn_daemon *daemon, wn_peer *peer, wn_error *error);
void wn_accounts_leave(wn_peer *peer);
/* Takes a request out of the allowances of player and address. false, with the limit: none is left. */
bool wn_accounts_may_send(wn_daemon *daemon, wn_peer *peer, wn_error *error);

/* One of its connections was closed, for it went on beyond what it may send: for WN_SHUN_MS there is no new one. The
 * same goes for an address when it has happened to so many of its players, for keys cost nothing. Not so for an account
 * that is unlimited. */
enum { WN_SHUN_MS = 5000, WN_SHUNNED_OF_ADDRESS = 4 };
void wn_accounts_shun(wn_daemon *daemon, zmq_msg_t *message);
bool wn_accounts_shuns(wn_daemon *daemon, const char *identity, const char *address);

/* May the peer begin another session? false with the error filled in. This machine's own addresses together leave one
 * of so many of limits.sessions to others. */
enum { WN_SESSIONS_OF_ALL = 4 };
bool wn_accounts_may_begin(wn_daemon *daemon, const wn_peer *peer, wn_error *error);
/* The session is the peer's player's from now on, and at its address. */
void wn_accounts_attach(wn_daemon *daemon, wn_session *session, const wn_peer *peer);
void wn_accounts_detach(wn_session *session);

/* The account of the player who sent the message; NULL: there is none. */
wn_account *wn_accounts_of(wn_daemon *daemon, zmq_msg_t *message);
/* What waits for whoever sent it, over all connections of its address or, if that is shared, of its player. NULL: those
 * have nothing in common. */
struct wn_unread *wn_accounts_unread(wn_daemon *daemon, zmq_msg_t *message);
/* How many seats its player holds, over all its sessions, those included whose worlds are not loaded yet. */
uint32_t wn_accounts_seats(const wn_session *session);

#endif
