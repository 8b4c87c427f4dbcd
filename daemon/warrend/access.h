/* access.h: who may do what: rights, bans, whose world is whose. They stand in the configuration and in the store, by
 * key, by user of this machine, and bans by address as well. Kicks are here too: bans from one world that no restart
 * outlives.
 */
#ifndef WARREN_ACCESS_H
#define WARREN_ACCESS_H

#include "daemon.h"
#include "subject.h"

typedef enum wn_rule_kind { WN_RULE_BAN, WN_RULE_SPECTATOR, WN_RULE_PLAYER, WN_RULE_HOST, WN_RULE_ADMIN } wn_rule_kind;

typedef struct wn_rule {
    wn_rule_kind kind;
    char subject[WN_SUBJECT_BYTES];
    uint32_t world; /* of a HOST */
    char *reason, *author;
    int64_t at, until; /* seconds since 1970; until 0: for ever */
    bool configured;   /* in warren.conf, not in the store */
} wn_rule;

/* Reads what the store and the configuration say. After the worlds are in the directory. */
bool wn_access_open(wn_daemon *daemon, wn_error *error);
void wn_access_close(wn_daemon *daemon);
/* The configuration was read again. */
void wn_access_configure(wn_daemon *daemon);

/* Sets what the peer may. */
void wn_access_set_role(wn_daemon *daemon, wn_peer *peer);
/* What somebody may; *ban (may be NULL) is set to the rule that turns it away, then it is NONE. */
wn_role wn_access_role(wn_daemon *daemon, const char *identity, const char *address, const wn_rule **ban);
/* May it close the world, have its recording, turn others out? Its owner may, those who were granted it, and admins. */
bool wn_access_manages(wn_daemon *daemon, const wn_peer *peer, const wn_game *game);
/* Is the address banned? Whoever comes from there is not even asked who it is. */
bool wn_access_shuns(wn_daemon *daemon, const char *address);
/* false with the error filled in: it is turned away, or may do nothing here. */
bool wn_access_may_enter(wn_daemon *daemon, const wn_peer *peer, wn_error *error);

/* A new world is its maker's. */
void wn_access_own(wn_daemon *daemon, wn_game *game, const wn_session *session);
/* It is closed. */
void wn_access_forget_world(wn_daemon *daemon, uint32_t world);

/* Adds a rule, or replaces that of the same kind, subject and world; of what a subject may everywhere it has one.
 * Strings are copied. Everyone who is there gets what is theirs now, or has to go. */
bool wn_access_add(wn_daemon *daemon, const wn_rule *rule, wn_error *error);
/* Takes rights away: all of them that are about everywhere (world 0), or those of a world; or the ban. false: there are
 * none that could be. */
bool wn_access_remove(wn_daemon *daemon, const char *subject, bool ban, uint32_t world, wn_error *error);

/* Who is meant: a subject as in subject.h, or the name of a player. */
bool wn_access_find_subject(wn_daemon *daemon, const char *who, char subject[WN_SUBJECT_BYTES], wn_error *error);

/* Out of the world (NULL: of all, and the session ends) for WN_KICK_S: whoever has a seat there, or watches. */
enum { WN_KICK_S = 300 };
void wn_access_kick(wn_daemon *daemon, wn_session *session, wn_game *game, const char *by, const char *reason);
/* false with the error filled in: it was kicked out of that world. */
bool wn_access_may_return(const wn_daemon *daemon, const wn_session *session, const wn_game *game, wn_error *error);

#endif
