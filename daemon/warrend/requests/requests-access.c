/* requests-access.c: rights, bans, kicks, and whose name is whose.
 */
#include "requests/request.h"

#include <time.h>

#include "access/access.h"
#include "access/names.h"
#include "configuration/subject.h"
#include "memory.h"
#include "network/control.h"
#include "sessions/sessions.h"
#include "worlds/directory.h"

static const Warren__Role roles[] = {[WN_ROLE_NONE] = WARREN__ROLE__ROLE_NONE,
                                     [WN_ROLE_SPECTATOR] = WARREN__ROLE__ROLE_SPECTATOR,
                                     [WN_ROLE_PLAYER] = WARREN__ROLE__ROLE_PLAYER,
                                     [WN_ROLE_ADMIN] = WARREN__ROLE__ROLE_ADMIN};

Warren__Role wn_request_role(wn_role role)
{
    return roles[role];
}

/* The author of a rule, as lists show it: guests are all called the same. */
static const char *author_of(const wn_context *at)
{
    const wn_session *session = at->session;
    return !session->named && wn_identity_is_user(session->identity) ? session->identity : session->player;
}

/* As who is put out is told. */
static const char *shown_name(const wn_context *at)
{
    return at->peer->role == WN_ROLE_ADMIN && !at->session->named ? "an administrator" : at->session->player;
}

static bool needs_admin(wn_context *at)
{
    return at->peer->role == WN_ROLE_ADMIN ||
           wn_request_fail(at, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "only administrators may do that");
}

/* The world that a right is about, which the peer has to manage; without a name the peer has to be an administrator. */
static bool find_world(wn_context *at, const char *name, uint32_t *world)
{
    *world = 0;
    if (name == NULL) {
        return needs_admin(at);
    }
    const wn_game *game = wn_request_game(at, name);
    if (game == NULL) {
        return false;
    }
    *world = game->id;
    return wn_access_manages(at->daemon, at->peer, game) ||
           wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "world", 0,
                        "only who owns or hosts %s, and administrators, may do that", game->name);
}

static bool is_admin(const wn_context *at)
{
    return at->peer->role == WN_ROLE_ADMIN;
}

/* Whoever owns the world is put out of it by administrators alone. */
static bool fail_owner(wn_context *at, const wn_game *game)
{
    return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "who", 0,
                        "that is who owns %s: only administrators may put its owner out", game->name);
}

bool wn_request_grant(wn_context *at)
{
    static const wn_rule_kind kinds[] = {[WARREN__ROLE__ROLE_SPECTATOR] = WN_RULE_SPECTATOR,
                                         [WARREN__ROLE__ROLE_PLAYER] = WN_RULE_PLAYER,
                                         [WARREN__ROLE__ROLE_HOST] = WN_RULE_HOST,
                                         [WARREN__ROLE__ROLE_ADMIN] = WN_RULE_ADMIN};
    const Warren__Grant *grant = at->request->grant;
    wn_rule rule = {.author = (char *)(uintptr_t)author_of(at), .at = (int64_t)time(NULL), .by_admin = is_admin(at)};
    const Warren__Role never = grant->world != NULL ? WARREN__ROLE__ROLE_ADMIN : WARREN__ROLE__ROLE_HOST;
    if (grant->role == WARREN__ROLE__ROLE_NONE || grant->role == never) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MALFORMED, "role", 0,
                            "a right is spectator, player or admin, everywhere, or spectator, player or host, of a "
                            "world");
    }
    if (!find_world(at, grant->world, &rule.world) ||
        !wn_access_find_subject(at->daemon, grant->who, rule.subject, &at->error)) {
        return false;
    }
    rule.kind = kinds[grant->role];
    if (wn_subject_is_address(rule.subject) && grant->role >= WARREN__ROLE__ROLE_HOST) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "who", 0,
                            "%.64s is a network address, which anyone may come from: name a key or a user", grant->who);
    }
    return wn_access_add(at->daemon, &rule, &at->error) && wn_request_done(at);
}

bool wn_request_revoke(wn_context *at)
{
    const Warren__Revoke *revoke = at->request->revoke;
    wn_rule pattern = {.kind = WN_RULE_PLAYER, .by_admin = is_admin(at)};
    return find_world(at, revoke->world, &pattern.world) &&
           wn_access_find_subject(at->daemon, revoke->who, pattern.subject, &at->error) &&
           wn_access_remove(at->daemon, &pattern, &at->error) && wn_request_done(at);
}

bool wn_request_ban(wn_context *at)
{
    const Warren__Ban *ban = at->request->ban;
    wn_rule rule = {.kind = WN_RULE_BAN,
                    .reason = ban->reason,
                    .author = (char *)(uintptr_t)author_of(at),
                    .at = (int64_t)time(NULL),
                    .until = ban->has_seconds ? wn_rule_end(ban->seconds) : 0,
                    .by_admin = is_admin(at)};
    if (!find_world(at, ban->world, &rule.world) ||
        !wn_access_find_subject(at->daemon, ban->who, rule.subject, &at->error)) {
        return false;
    }
    if (wn_subject_is(rule.subject, at->peer->identity, at->peer->address)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "who", 0,
                            "%.100s is you: you would have no way back", rule.subject);
    }
    wn_game *game = rule.world != 0 ? wn_game_by_id(at->daemon, rule.world) : NULL;
    if (game != NULL && !is_admin(at) && strcmp(rule.subject, game->owner_identity) == 0) {
        return fail_owner(at, game);
    }
    if (!wn_access_add(at->daemon, &rule, &at->error)) {
        return false;
    }
    if (game != NULL) {
        wn_access_put_out(at->daemon, game, &rule, shown_name(at));
    }
    return wn_request_done(at);
}

/* Whom a ban is about: as ListAccess shows it, who is known by name alone included. */
static bool find_banned(wn_context *at, const char *who, uint32_t world, char subject[WN_SUBJECT_BYTES])
{
    zlistx_t *rules = wn_access_rules(at->daemon, world);
    for (const wn_rule *rule = zlistx_first(rules); rule != NULL; rule = zlistx_next(rules)) {
        const char *name = wn_subject_name(rule->subject);
        if (rule->kind == WN_RULE_BAN && name != NULL && (strcmp(rule->subject, who) == 0 || strcmp(name, who) == 0)) {
            snprintf(subject, WN_SUBJECT_BYTES, "%s", rule->subject);
            return true;
        }
    }
    return wn_access_find_subject(at->daemon, who, subject, &at->error);
}

bool wn_request_unban(wn_context *at)
{
    const Warren__Unban *unban = at->request->unban;
    wn_rule pattern = {.kind = WN_RULE_BAN, .by_admin = is_admin(at)};
    return find_world(at, unban->world, &pattern.world) &&
           find_banned(at, unban->who, pattern.world, pattern.subject) &&
           wn_access_remove(at->daemon, &pattern, &at->error) && wn_request_done(at);
}

bool wn_request_kick(wn_context *at)
{
    const Warren__Kick *kick = at->request->kick;
    wn_game *game = NULL;
    uint32_t world = 0, seat = 0;
    if (!find_world(at, kick->world, &world)) {
        return false;
    }
    wn_session *session = zhashx_lookup(at->daemon->players, kick->player);
    game = world != 0 ? wn_game_by_id(at->daemon, world) : NULL;
    if (session == NULL ||
        (game != NULL && !wn_session_has_seat(session, game, &seat) && !wn_session_watches(session, game))) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "player", 0,
                            game != NULL ? "there is nobody named %s in %s" : "there is nobody named %s here",
                            kick->player, game != NULL ? game->name : "");
    }
    if (session == at->session) {
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "that is you: leave instead");
    }
    if (!is_admin(at) && session->bots != 0) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "player", 0,
                            "that is one of the server's own bots: %s has as many as its setting bots says",
                            game->name);
    }
    if (!is_admin(at) && wn_access_role_of(at->daemon, session) == WN_ROLE_ADMIN) {
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "that is an administrator");
    }
    if (!is_admin(at) && wn_session_owns(at->daemon, session, game)) {
        return fail_owner(at, game);
    }
    const wn_kick how = {.by = shown_name(at),
                         .author = author_of(at),
                         .reason = kick->reason != NULL ? kick->reason : "",
                         .seconds = kick->has_seconds ? kick->seconds : WN_KICK_S,
                         .by_admin = is_admin(at)};
    return wn_access_kick(at->daemon, session, game, &how, &at->error) && wn_request_done(at);
}

bool wn_request_release_name(wn_context *at)
{
    return wn_name_release(at->daemon, at->request->release_name->player, &at->error) && wn_request_done(at);
}

/* the list */

enum { ELEMENTS = 65536 }; /* that a list of the protocol may have: see rules.c */

static void fill_rule(const wn_game *game, const wn_rule *rule, Warren__AccessRule *into)
{
    static const Warren__Role shown[] = {[WN_RULE_BAN] = WARREN__ROLE__ROLE_NONE,
                                         [WN_RULE_SPECTATOR] = WARREN__ROLE__ROLE_SPECTATOR,
                                         [WN_RULE_PLAYER] = WARREN__ROLE__ROLE_PLAYER,
                                         [WN_RULE_HOST] = WARREN__ROLE__ROLE_HOST,
                                         [WN_RULE_ADMIN] = WARREN__ROLE__ROLE_ADMIN};
    warren__access_rule__init(into);
    into->who = (char *)(uintptr_t)rule->subject;
    into->role = shown[rule->kind];
    into->world = game != NULL ? (char *)(uintptr_t)game->name : NULL;
    into->reason = rule->reason[0] != '\0' ? rule->reason : NULL;
    into->author = rule->author[0] != '\0' ? rule->author : NULL;
    into->has_since = rule->at != 0;
    into->since = rule->at;
    into->has_until = rule->until != 0;
    into->until = rule->until;
    into->has_configured = rule->configured;
    into->configured = rule->configured;
}

static void fill_claim(const wn_claim *claim, Warren__NameOwner *into)
{
    warren__name_owner__init(into);
    into->player = (char *)(uintptr_t)claim->name;
    into->who = (char *)(uintptr_t)claim->identity;
}

/* Those of the game; NULL: those about everywhere. */
static void list_rules(wn_daemon *daemon, const wn_game *game, Warren__AccessRule *rule, Warren__AccessList *list)
{
    zlistx_t *rules = game != NULL ? game->rules : daemon->rules;
    for (const wn_rule *from = rules != NULL ? zlistx_first(rules) : NULL; from != NULL; from = zlistx_next(rules)) {
        fill_rule(game, from, &rule[list->n_rules]);
        list->rules[list->n_rules] = &rule[list->n_rules];
        list->n_rules++;
    }
}

/* Those of the world; 0: those about everywhere and those of all worlds. */
static size_t count_rules(wn_daemon *daemon, uint32_t world)
{
    size_t count = zlistx_size(wn_access_rules(daemon, world));
    for (wn_game *game = zhashx_first(daemon->games); world == 0 && game != NULL; game = zhashx_next(daemon->games)) {
        count += game->rules != NULL ? zlistx_size(game->rules) : 0;
    }
    return count;
}

static void list_names(wn_daemon *daemon, Warren__NameOwner *name, Warren__AccessList *list)
{
    for (const wn_claim *from = zhashx_first(daemon->claims); from != NULL; from = zhashx_next(daemon->claims)) {
        fill_claim(from, &name[list->n_names]);
        list->names[list->n_names] = &name[list->n_names];
        list->n_names++;
    }
}

/* Of what does not fit into a reply, the names go first: who may do what matters more. */
static void cut(Warren__Reply *message, Warren__AccessList *list)
{
    const size_t all = list->n_names + list->n_rules;
    list->n_names = list->n_names < ELEMENTS ? list->n_names : ELEMENTS;
    list->n_rules = list->n_rules < ELEMENTS ? list->n_rules : ELEMENTS;
    while (list->n_names + list->n_rules > 0 && warren__reply__get_packed_size(message) > WN_REPLY_BYTES) {
        size_t *count = list->n_names > 0 ? &list->n_names : &list->n_rules;
        *count -= *count / 8 + 1;
    }
    list->left_out = (uint32_t)(all - list->n_names - list->n_rules);
    list->has_left_out = list->left_out > 0;
}

bool wn_request_list_access(wn_context *at)
{
    wn_daemon *daemon = at->daemon;
    Warren__AccessList list = WARREN__ACCESS_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    uint32_t world = 0;
    if (!find_world(at, at->request->list_access->world, &world)) {
        return false;
    }
    wn_access_forget_old(daemon);
    const size_t rules = count_rules(daemon, world), names = zhashx_size(daemon->claims);
    Warren__AccessRule *rule = wn_must_zero(rules + 1, sizeof *rule);
    Warren__NameOwner *name = wn_must_zero(names + 1, sizeof *name);
    list.rules = wn_must_zero(rules + 1, sizeof *list.rules);
    list.names = wn_must_zero(names + 1, sizeof *list.names);
    list_rules(daemon, wn_game_by_id(daemon, world), rule, &list);
    if (world == 0) {
        for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
            list_rules(daemon, game, rule, &list);
        }
        list_names(daemon, name, &list);
    }
    message.body_case = WARREN__REPLY__BODY_ACCESS;
    message.access = &list;
    cut(&message, &list);
    wn_request_reply(at, &message);
    free(list.rules);
    free(list.names);
    free(rule);
    free(name);
    return true;
}
