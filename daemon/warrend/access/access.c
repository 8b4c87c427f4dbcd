/* access.c: who may do what. See access.h.
 */
#include "access/access.h"

#include <time.h>

#include "access/admission.h"
#include "access/names.h"
#include "memory.h"
#include "network/control.h"
#include "sessions/sessions.h"
#include "worlds/directory.h"
#include "worlds/turns.h"

/* Of a kind: how the store calls it, and what it gives. */
static const struct kind_entry {
    const char *word;
    wn_role role;
} kinds[] = {
    [WN_RULE_BAN] = {"banned", WN_ROLE_NONE},      [WN_RULE_SPECTATOR] = {"spectator", WN_ROLE_SPECTATOR},
    [WN_RULE_PLAYER] = {"player", WN_ROLE_PLAYER}, [WN_RULE_HOST] = {"host", WN_ROLE_NONE},
    [WN_RULE_ADMIN] = {"admin", WN_ROLE_ADMIN},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* In the store, a world's owner is a rule, too; here it stands with the world. And there, a ban from a world that an
 * administrator made is of a kind of its own. */
static const char owner_word[] = "owner", admins_ban_word[] = "banned by an administrator";

static int64_t now_s(void)
{
    return (int64_t)time(NULL);
}

/* the list */

static void free_rule(void **item)
{
    wn_rule *rule = *item;
    free(rule->reason);
    free(rule->author);
    free(rule);
    *item = NULL;
}

static zlistx_t *list_new(void)
{
    zlistx_t *list = zlistx_new();
    zlistx_set_destructor(list, free_rule);
    return list;
}

zlistx_t *wn_access_rules(wn_daemon *daemon, uint32_t world)
{
    wn_game *game = wn_game_by_id(daemon, world);
    if (game != NULL && game->rules == NULL) {
        game->rules = list_new();
    }
    return world == 0 ? daemon->rules : game != NULL ? game->rules : NULL;
}

static void keep(wn_daemon *daemon, const wn_rule *from)
{
    zlistx_t *list = wn_access_rules(daemon, from->world);
    if (list == NULL) {
        return; /* its world is gone */
    }
    wn_rule *rule = wn_must_zero(1, sizeof *rule);
    *rule = *from;
    rule->reason = wn_must_copy(from->reason != NULL ? from->reason : "");
    rule->author = wn_must_copy(from->author != NULL ? from->author : "");
    zlistx_add_end(list, rule);
}

int64_t wn_rule_end(uint32_t seconds)
{
    return now_s() + 1 + seconds; /* a part of the second that it is has gone */
}

bool wn_rule_holds(const wn_rule *rule)
{
    return rule->until == 0 || rule->until > now_s();
}

static const char *stored_word(const wn_rule *rule)
{
    const bool apart = rule->kind == WN_RULE_BAN && rule->world != 0 && rule->by_admin;
    return apart ? admins_ban_word : kinds[rule->kind].word;
}

static bool take_stored(void *context, const wn_stored_rule *stored)
{
    wn_daemon *daemon = context;
    wn_game *game = wn_game_by_id(daemon, stored->world);
    if (strcmp(stored->role, owner_word) == 0 && game != NULL) {
        snprintf(game->owner_identity, sizeof game->owner_identity, "%s", stored->subject);
        return true;
    }
    wn_rule rule = {.world = stored->world, .at = stored->at, .until = stored->until};
    rule.reason = (char *)(uintptr_t)stored->reason;
    rule.author = (char *)(uintptr_t)stored->author;
    snprintf(rule.subject, sizeof rule.subject, "%s", stored->subject);
    for (size_t i = 0; i < KINDS; i++) {
        rule.kind = (wn_rule_kind)i;
        rule.by_admin = i == WN_RULE_BAN && strcmp(stored->role, admins_ban_word) == 0;
        const bool fits = stored->world != 0 ? i != WN_RULE_ADMIN : i != WN_RULE_HOST;
        if (strcmp(stored->role, stored_word(&rule)) == 0 && wn_rule_holds(&rule) && fits) {
            keep(daemon, &rule);
        }
    }
    return true;
}

static void configure(wn_daemon *daemon, const char *list, wn_rule_kind kind)
{
    char *copy = wn_must_copy(list), *rest = NULL;
    for (char *one = strtok_r(copy, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest)) {
        wn_rule rule = {.kind = kind, .configured = true};
        if (wn_subject_parse(rule.subject, one)) {
            keep(daemon, &rule);
        }
    }
    free(copy);
}

/* Returns how many those were. */
static size_t forget_where(zlistx_t *rules, bool (*fits)(const wn_rule *rule, const wn_rule *pattern),
                           const wn_rule *pattern)
{
    size_t count = 0;
    for (wn_rule *rule = zlistx_first(rules); rule != NULL;) {
        void *at = zlistx_cursor(rules);
        wn_rule *next = zlistx_next(rules);
        if (fits(rule, pattern)) {
            zlistx_delete(rules, at);
            count++;
        }
        rule = next;
    }
    return count;
}

static bool is_over(const wn_rule *rule, const wn_rule *pattern)
{
    (void)pattern;
    return !wn_rule_holds(rule);
}

void wn_access_forget_old(wn_daemon *daemon)
{
    size_t over = forget_where(daemon->rules, is_over, NULL);
    wn_error error;
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        over += game->rules != NULL ? forget_where(game->rules, is_over, NULL) : 0;
    }
    if (over > 0 && !wn_store_delete_old_rules(daemon->store, now_s(), &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "bans that are over stay: %s", error.text);
    }
}

static bool is_configured(const wn_rule *rule, const wn_rule *pattern)
{
    (void)pattern;
    return rule->configured;
}

static void read_configuration(wn_daemon *daemon)
{
    const wn_config *config = daemon->config;
    forget_where(daemon->rules, is_configured, NULL);
    configure(daemon, config->admins, WN_RULE_ADMIN);
    configure(daemon, config->players, WN_RULE_PLAYER);
    configure(daemon, config->spectators, WN_RULE_SPECTATOR);
    configure(daemon, config->banned, WN_RULE_BAN);
}

bool wn_access_open(wn_daemon *daemon, wn_error *error)
{
    daemon->rules = list_new();
    read_configuration(daemon);
    return wn_store_list_rules(daemon->store, take_stored, daemon, error);
}

void wn_access_close(wn_daemon *daemon)
{
    zlistx_destroy(&daemon->rules);
}

/* asking */

static wn_role role_of_newcomers(const wn_daemon *daemon)
{
    static const wn_role roles[] = {[WN_NEWCOMERS_NONE] = WN_ROLE_NONE,
                                    [WN_NEWCOMERS_SPECTATOR] = WN_ROLE_SPECTATOR,
                                    [WN_NEWCOMERS_PLAYER] = WN_ROLE_PLAYER};
    return roles[daemon->config->newcomers];
}

wn_role wn_access_role(wn_daemon *daemon, const char *identity, const char *address, const wn_rule **ban)
{
    wn_role role = WN_ROLE_NONE;
    bool listed = false;
    if (wn_is_local_admin(identity)) { /* who could edit the list anyway */
        return WN_ROLE_ADMIN;
    }
    for (const wn_rule *rule = zlistx_first(daemon->rules); rule != NULL; rule = zlistx_next(daemon->rules)) {
        if (!wn_rule_holds(rule) || !wn_subject_is(rule->subject, identity, address)) {
            continue;
        }
        if (rule->kind == WN_RULE_BAN) {
            if (ban != NULL) {
                *ban = rule;
            }
            return WN_ROLE_NONE;
        }
        listed = true;
        role = kinds[rule->kind].role > role ? kinds[rule->kind].role : role;
    }
    return listed ? role : role_of_newcomers(daemon);
}

bool wn_access_shuns(wn_daemon *daemon, const char *address)
{
    const wn_rule *ban = NULL;
    if (address[0] != '\0') {
        wn_access_role(daemon, "", address, &ban);
    }
    return ban != NULL;
}

wn_role wn_access_role_of(wn_daemon *daemon, const wn_session *session)
{
    return session->peer != NULL ? session->peer->role
                                 : wn_access_role(daemon, session->identity, session->address, NULL);
}

void wn_access_set_role(wn_daemon *daemon, wn_peer *peer)
{
    peer->role = wn_access_role(daemon, peer->identity, peer->address, NULL);
    peer->admin = peer->role == WN_ROLE_ADMIN;
}

static bool fail_banned(const wn_rule *ban, wn_error *error)
{
    char until[64] = "for good";
    const time_t end = (time_t)ban->until;
    struct tm parts;
    if (ban->until != 0 && gmtime_r(&end, &parts) != NULL) {
        strftime(until, sizeof until, "until %Y-%m-%d %H:%M UTC", &parts);
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BANNED, "ban", 0, "you are banned from this server %s%s%.200s",
                        until, ban->reason != NULL && ban->reason[0] != '\0' ? ": " : "",
                        ban->reason != NULL ? ban->reason : "");
}

bool wn_access_may_enter(wn_daemon *daemon, const wn_peer *peer, wn_error *error)
{
    const wn_rule *ban = NULL;
    const wn_role role = wn_access_role(daemon, peer->identity, peer->address, &ban);
    if (ban != NULL) {
        return fail_banned(ban, error);
    }
    return role != WN_ROLE_NONE ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "newcomers", 0,
                        "this server is for those on its list, and %s is not: ask its administrator to say "
                        "\"warrenctl grant %s player\"",
                        peer->identity[0] != '\0' ? peer->identity : "a player without a key",
                        peer->identity[0] != '\0' ? peer->identity : "KEY");
}

/* who is there, after a change */

static void turn_out(wn_daemon *daemon, wn_peer *peer, const wn_error *error)
{
    wn_session *session = peer->session;
    if (session != NULL) {
        wn_control_error(daemon, peer, 0, error);
        wn_session_end(daemon, session);
    }
}

/* Not with zhashx_first() and _next() alone: ending a session changes the map. */
static wn_session *next_banned(wn_daemon *daemon)
{
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        const wn_rule *ban = NULL;
        wn_access_role(daemon, session->identity, session->address, &ban);
        if (session->peer == NULL && ban != NULL) {
            return session;
        }
    }
    return NULL;
}

static void settle_all(wn_daemon *daemon)
{
    wn_session *lost = NULL;
    zlistx_t *leaving = zlistx_new();
    for (wn_peer *peer = zhashx_first(daemon->peers); peer != NULL; peer = zhashx_next(daemon->peers)) {
        wn_access_set_role(daemon, peer);
        if (peer->role == WN_ROLE_NONE) {
            zlistx_add_end(leaving, peer);
        }
    }
    for (wn_peer *peer = zlistx_first(leaving); peer != NULL; peer = zlistx_next(leaving)) {
        wn_error error;
        if (!wn_access_may_enter(daemon, peer, &error)) {
            turn_out(daemon, peer, &error);
        }
    }
    zlistx_destroy(&leaving);
    while ((lost = next_banned(daemon)) != NULL) {
        wn_session_end(daemon, lost); /* it could hear its views until its grace time is over */
    }
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        wn_access_look_again(daemon, game); /* an administrator watches whatever there is */
    }
}

void wn_access_configure(wn_daemon *daemon)
{
    read_configuration(daemon);
    settle_all(daemon);
}

/* After a rule of a world (0: of everywhere) has changed. */
static void settle(wn_daemon *daemon, uint32_t world)
{
    wn_game *game = world != 0 ? wn_game_by_id(daemon, world) : NULL;
    if (world == 0) {
        settle_all(daemon);
    } else if (game != NULL) {
        wn_access_look_again(daemon, game);
    }
}

/* changing */

/* Of what a subject may everywhere, or in a world, there is one rule; bans are apart. */
static bool is_replaced(const wn_rule *rule, const wn_rule *by)
{
    return !rule->configured && strcmp(rule->subject, by->subject) == 0 && rule->world == by->world &&
           (rule->kind == WN_RULE_BAN) == (by->kind == WN_RULE_BAN);
}

static const wn_rule *find(wn_daemon *daemon, const wn_rule *pattern)
{
    zlistx_t *rules = wn_access_rules(daemon, pattern->world);
    for (const wn_rule *rule = rules != NULL ? zlistx_first(rules) : NULL; rule != NULL; rule = zlistx_next(rules)) {
        if (is_replaced(rule, pattern)) {
            return rule;
        }
    }
    return NULL;
}

/* What an administrator decided about a world is not for its owner or hosts to change. */
static bool may_replace(wn_daemon *daemon, const wn_rule *by, wn_error *error)
{
    const wn_rule *old = find(daemon, by);
    return old == NULL || old->kind != WN_RULE_BAN || !old->by_admin || by->by_admin ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "who", 0,
                        "an administrator put %s out of that world: only administrators may change that", old->subject);
}

static bool unstore(wn_daemon *daemon, const wn_rule *pattern, wn_error *error)
{
    const wn_rule *old = find(daemon, pattern);
    return old == NULL || wn_store_delete_rule(daemon->store, old->subject, stored_word(old), old->world, error);
}

/* Those about everywhere and those of each world are counted apart, so that no world fills the list of others. Nor can
 * who keeps the list of a world fill it against administrators. */
static bool has_room(wn_daemon *daemon, const wn_rule *rule, wn_error *error)
{
    const wn_config *config = daemon->config;
    const uint32_t most = rule->world != 0 ? config->rules_per_world : config->rules;
    zlistx_t *rules = wn_access_rules(daemon, rule->world);
    const bool limited = rule->world == 0 || !rule->by_admin;
    return !limited || zlistx_size(rules) < most || find(daemon, rule) != NULL ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, rule->world != 0 ? "rules_per_world" : "rules", most,
                        "there are %u rights and bans %s, as many as may be: take some back", most,
                        rule->world != 0 ? "of that world" : "of the server");
}

bool wn_access_add(wn_daemon *daemon, const wn_rule *rule, wn_error *error)
{
    wn_access_forget_old(daemon);
    const wn_stored_rule stored = {.subject = rule->subject,
                                   .role = stored_word(rule),
                                   .reason = rule->reason != NULL ? rule->reason : "",
                                   .author = rule->author != NULL ? rule->author : "",
                                   .world = rule->world,
                                   .at = rule->at,
                                   .until = rule->until};
    if (!may_replace(daemon, rule, error) || !has_room(daemon, rule, error) || !unstore(daemon, rule, error) ||
        !wn_store_put_rule(daemon->store, &stored, error)) {
        return false;
    }
    forget_where(wn_access_rules(daemon, rule->world), is_replaced, rule);
    keep(daemon, rule);
    settle(daemon, rule->world);
    return true;
}

bool wn_access_remove(wn_daemon *daemon, const wn_rule *pattern, wn_error *error)
{
    if (find(daemon, pattern) == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "who", 0,
                            pattern->kind != WN_RULE_BAN ? "%s has no such right, or by warren.conf"
                            : pattern->world != 0        ? "%s was not put out of that world, or only of the server"
                                                         : "%s is not banned, or only by warren.conf",
                            pattern->subject);
    }
    if (!may_replace(daemon, pattern, error) || !unstore(daemon, pattern, error)) {
        return false;
    }
    forget_where(wn_access_rules(daemon, pattern->world), is_replaced, pattern);
    settle(daemon, pattern->world);
    return true;
}

/* worlds */

void wn_access_own(wn_daemon *daemon, wn_game *game, const wn_session *session)
{
    const char *identity = session->identity[0] != '\0' ? session->identity : WN_NOBODY;
    const wn_stored_rule stored = {
        .subject = identity, .role = owner_word, .reason = "", .author = "", .world = game->id, .at = now_s()};
    wn_error error;
    snprintf(game->owner_identity, sizeof game->owner_identity, "%s", identity);
    if (!wn_store_put_rule(daemon->store, &stored, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "the owner is not written down: %s world=%s", error.text, game->name);
    }
}

void wn_access_forget_world(wn_daemon *daemon, wn_game *game)
{
    wn_error error;
    zlistx_destroy(&game->rules);
    if (!wn_store_delete_rules_of_world(daemon->store, game->id, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "rights of a closed world stay: %s", error.text);
    }
}

/* whom */

bool wn_access_find_subject(wn_daemon *daemon, const char *who, char subject[WN_SUBJECT_BYTES], wn_error *error)
{
    if (wn_subject_parse(subject, who)) {
        return true;
    }
    const char *owner = wn_name_owner(daemon, who);
    const wn_session *session = zhashx_lookup(daemon->players, who);
    if (owner == NULL && session != NULL && session->identity[0] != '\0') {
        owner = session->identity;
    }
    if (owner != NULL) {
        snprintf(subject, WN_SUBJECT_BYTES, "%s", owner);
        return true;
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "who", 0,
                        session != NULL
                            ? "%.64s plays without a key: nothing says who that is. Name a network address, "
                              "or kick the player"
                            : "%.64s is no player's name that belongs to a key or a user, and no key, "
                              "uid:NUMBER up to 4294967295, or ADDRESS or ADDRESS/BITS with 32 bits at most, 128 "
                              "of IPv6",
                        who);
}
