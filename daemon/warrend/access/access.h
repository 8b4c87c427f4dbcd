/* access.h: who may do what: rights, bans, whose world is whose. They stand in the configuration and in the store, by
 * key, by user of this machine, and bans by address as well. A rule is about everywhere (access.c) or about one world
 * (access-worlds.c), whose list it is on: hosts of it, who was invited, and who was put out, which is a ban from it.
 */
#ifndef WARREN_ACCESS_H
#define WARREN_ACCESS_H

#include "configuration/subject.h"
#include "daemon.h"
#include "worlds/own-settings.h"

typedef enum wn_rule_kind { WN_RULE_BAN, WN_RULE_SPECTATOR, WN_RULE_PLAYER, WN_RULE_HOST, WN_RULE_ADMIN } wn_rule_kind;

typedef struct wn_rule {
    wn_rule_kind kind;
    char subject[WN_SUBJECT_BYTES];
    uint32_t world; /* of a HOST, and perhaps of the others but ADMIN; 0: it is about everywhere */
    char *reason, *author;
    int64_t at, until; /* seconds since 1970; until 0: for ever */
    bool configured;   /* in warren.conf, not in the store */
    bool by_admin; /* an administrator made it. Of bans from a world it is written down, of others not needed later */
} wn_rule;

/* Reads what the store and the configuration say. After the worlds are in the directory. */
bool wn_access_open(wn_daemon *daemon, wn_error *error);
void wn_access_close(wn_daemon *daemon);
/* The configuration was read again. */
void wn_access_configure(wn_daemon *daemon);

/* The rules about everywhere (world 0), or those of a world: a list of wn_rule. NULL: there is no such world. */
zlistx_t *wn_access_rules(wn_daemon *daemon, uint32_t world);

/* Sets what the peer may. */
void wn_access_set_role(wn_daemon *daemon, wn_peer *peer);
/* What somebody may; *ban (may be NULL) is set to the rule that turns it away, then it is NONE. */
wn_role wn_access_role(wn_daemon *daemon, const char *identity, const char *address, const wn_rule **ban);
/* What a session may, one that has lost its connection as well. */
wn_role wn_access_role_of(wn_daemon *daemon, const wn_session *session);
/* Is the address banned? Whoever comes from there is not even asked who it is. */
bool wn_access_shuns(wn_daemon *daemon, const char *address);
/* false with the error filled in: it is turned away, or may do nothing here. */
bool wn_access_may_enter(wn_daemon *daemon, const wn_peer *peer, wn_error *error);

/* A new world is its maker's. */
void wn_access_own(wn_daemon *daemon, wn_game *game, const wn_session *session);
/* It is closed. */
void wn_access_forget_world(wn_daemon *daemon, wn_game *game);

/* The `until` of a rule that begins now and holds so long at least. */
int64_t wn_rule_end(uint32_t seconds);
/* Does the rule hold still? */
bool wn_rule_holds(const wn_rule *rule);
/* Rules that have run out are gone, from the store as well. */
void wn_access_forget_old(wn_daemon *daemon);
/* Adds a rule, or replaces that of the same subject and world; bans are apart. Strings are copied. Everyone who is
 * there gets what is theirs now, or has to go. false with the error filled in: the list is full, which that of a world
 * never is for administrators, or cannot be written, or an administrator's ban would be replaced by another's. */
bool wn_access_add(wn_daemon *daemon, const wn_rule *rule, wn_error *error);
/* Takes away the ban, or whatever right there is, of the pattern's subject and world. false with the error filled in:
 * there is none that could be, or it is the ban of an administrator, which the pattern (`by_admin`) is not of. */
bool wn_access_remove(wn_daemon *daemon, const wn_rule *pattern, wn_error *error);

/* Who is meant: a subject as in subject.h, or the name of a player. */
bool wn_access_find_subject(wn_daemon *daemon, const char *who, char subject[WN_SUBJECT_BYTES], wn_error *error);

/* one world: access-worlds.c */

/* May it close the world, have its recording, turn others out? Its owner may, those who were granted it, and admins. */
bool wn_access_manages(wn_daemon *daemon, const wn_peer *peer, const wn_game *game);
/* Do lists show the world to the peer, which has a session? */
bool wn_access_sees(wn_daemon *daemon, const wn_peer *peer, const wn_game *game);
/* false with the error filled in: the session was put out of that world, and may neither join nor watch it. The bans of
 * an owner or host keep out no owner and no administrator, and no ban does the server's own bots but one of their name,
 * by a kick: how many bots there are is a setting of the world. */
bool wn_access_may_return(wn_daemon *daemon, const wn_session *session, const wn_game *game, wn_error *error);
/* false with the error filled in: the world is for those who were invited to join, or to watch (`door`: JOIN or WATCH),
 * and the session was not. */
bool wn_access_may_come_in(wn_daemon *daemon, const wn_session *session, const wn_game *game, wn_own door,
                           wn_error *error);
/* The world is for fewer now: who watches it and may not any more stops. Who plays goes on. Nothing happens while its
 * mode is not known. */
void wn_access_look_again(wn_daemon *daemon, wn_game *game);
/* The session is back, from another address or after a restart perhaps, and with it its seats and what it watched: of
 * that it keeps what it may, as far as the modes are known. Without a connection nothing is decided: it may be the
 * address that was invited. */
void wn_access_look_at_returned(wn_daemon *daemon, wn_session *session);

/* What is said to who is put out, and what stands in the world's list. */
typedef struct wn_kick {
    const char *by, *author, *reason; /* as the player is told; as lists show it; "": no reason */
    uint32_t seconds;
    bool by_admin;
} wn_kick;
enum { WN_KICK_S = 300 }; /* unless something else is asked for */

/* Out of the world: whoever has a seat there, or watches, and may not come back for a while. false with the error
 * filled in: the list is full, or cannot be written, and nothing was done. With NULL, which is for administrators, out
 * of all, and the session ends, whatever cannot be written: the error is of that. */
bool wn_access_kick(wn_daemon *daemon, wn_session *session, wn_game *game, const wn_kick *kick, wn_error *error);
/* The same for everyone whom a rule keeps out that was added: a ban from its world. */
void wn_access_put_out(wn_daemon *daemon, wn_game *game, const wn_rule *ban, const char *by);

#endif
