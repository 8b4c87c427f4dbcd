/* access-worlds.c: who may do what in one world: who manages it, and who was put out of it. See access.h.
 */
#include "access/access.h"

#include <inttypes.h>
#include <time.h>

#include "access/admission.h"
#include "sessions/sessions.h"
#include "worlds/turns.h"

/* Users of the daemon and root stand for many: whoever administers the server, and its own bots. */
static bool is_one(const char *identity)
{
    return identity[0] != '\0' && !wn_is_local_admin(identity);
}

static bool is_about(const wn_rule *rule, const wn_session *session)
{
    const char *name = wn_subject_name(rule->subject);
    if (name != NULL) {
        return !is_one(session->identity) && strcmp(name, session->player) == 0;
    }
    return wn_subject_is(rule->subject, session->identity, session->address);
}

static const wn_rule *first_of(const wn_game *game)
{
    return game->rules != NULL ? zlistx_first(game->rules) : NULL;
}

static bool owns_or_administers(wn_daemon *daemon, const wn_session *session, const wn_game *game)
{
    return wn_access_role_of(daemon, session) == WN_ROLE_ADMIN || wn_session_owns(daemon, session, game);
}

/* Does the ban keep the session out? */
static bool keeps_out(wn_daemon *daemon, const wn_rule *ban, const wn_session *session, const wn_game *game)
{
    if (ban->kind != WN_RULE_BAN || !wn_rule_holds(ban) || !is_about(ban, session)) {
        return false;
    }
    return session->bots != 0 ? wn_subject_name(ban->subject) != NULL
                              : ban->by_admin || !owns_or_administers(daemon, session, game);
}

bool wn_access_manages(wn_daemon *daemon, const wn_peer *peer, const wn_game *game)
{
    if (peer->role == WN_ROLE_ADMIN || (peer->session != NULL && wn_session_owns(daemon, peer->session, game))) {
        return true;
    }
    for (const wn_rule *rule = first_of(game); rule != NULL; rule = zlistx_next(game->rules)) {
        if (rule->kind == WN_RULE_HOST && strcmp(rule->subject, peer->identity) == 0) {
            return true;
        }
    }
    return false;
}

/* "for 240 s", "until 2026-01-02 03:04 UTC", "for good" */
static void describe_end(const wn_rule *ban, char *text, size_t size, uint64_t *left)
{
    enum { SOON_S = 3600 };
    const time_t end = (time_t)ban->until;
    struct tm parts;
    const int64_t seconds = ban->until - (int64_t)time(NULL);
    *left = ban->until != 0 && seconds > 0 ? (uint64_t)seconds : 0;
    if (ban->until == 0 || gmtime_r(&end, &parts) == NULL) {
        snprintf(text, size, "for good");
    } else if (*left <= SOON_S) {
        snprintf(text, size, "for %" PRIu64 " s", *left);
    } else {
        strftime(text, size, "until %Y-%m-%d %H:%M UTC", &parts);
    }
}

bool wn_access_may_return(wn_daemon *daemon, const wn_session *session, const wn_game *game, wn_error *error)
{
    for (const wn_rule *rule = first_of(game); rule != NULL; rule = zlistx_next(game->rules)) {
        if (keeps_out(daemon, rule, session, game)) {
            char until[64];
            uint64_t left = 0;
            describe_end(rule, until, sizeof until, &left);
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "kick", left,
                                "you were put out of %s %s%s%.200s", game->name, until,
                                rule->reason[0] != '\0' ? ": " : "", rule->reason);
        }
    }
    return true;
}

/* invitations */

/* Its hosts are, too; who may play may watch. */
static bool is_invited(wn_daemon *daemon, const wn_session *session, const wn_game *game, wn_own door)
{
    const wn_rule_kind least = door == WN_OWN_JOIN ? WN_RULE_PLAYER : WN_RULE_SPECTATOR;
    for (const wn_rule *rule = first_of(game); rule != NULL; rule = zlistx_next(game->rules)) {
        if (rule->kind != WN_RULE_BAN && rule->kind >= least && is_about(rule, session)) {
            return true;
        }
    }
    return owns_or_administers(daemon, session, game);
}

bool wn_access_may_come_in(wn_daemon *daemon, const wn_session *session, const wn_game *game, wn_own door,
                           wn_error *error)
{
    return !wn_own_by_invitation(game, door) || is_invited(daemon, session, game, door) ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, door == WN_OWN_JOIN ? "join" : "watch", 0,
                        "%s is for those who were invited to %s it: ask %s to say \"warrenctl grant %s %s %s\"",
                        game->name, door == WN_OWN_JOIN ? "join" : "watch",
                        game->owner[0] != '\0' ? game->owner : "its owner",
                        session->identity[0] != '\0' ? session->identity : "KEY",
                        door == WN_OWN_JOIN ? "player" : "spectator", game->name);
}

static bool is_there(const wn_session *session, const wn_game *game)
{
    uint32_t seat = 0;
    return wn_session_has_seat(session, game, &seat) || wn_session_watches(session, game);
}

bool wn_access_sees(wn_daemon *daemon, const wn_peer *peer, const wn_game *game)
{
    return wn_own_is(game, WN_OWN_LISTED, "yes") || is_there(peer->session, game) ||
           is_invited(daemon, peer->session, game, WN_OWN_WATCH);
}

static void stop_watching(wn_daemon *daemon, wn_session *session, wn_game *game, const char *text)
{
    wn_session_notice(daemon, session, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED, game, text);
    wn_session_drop_watch(session, game);
}

void wn_access_look_again(wn_daemon *daemon, wn_game *game)
{
    if (game->watchers == 0 || !wn_game_knows_mode(game)) {
        return;
    }
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        wn_error error;
        if (wn_session_watches(session, game) && !wn_access_may_come_in(daemon, session, game, WN_OWN_WATCH, &error)) {
            stop_watching(daemon, session, game, "Only who was invited may watch it now.");
        }
    }
}

/* kicks */

/* What it knows of the views is void from then on. */
static void put_out(wn_daemon *daemon, wn_session *session, wn_game *game, const char *text)
{
    uint32_t seat = 0;
    wn_session_notice(daemon, session, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED, game, text);
    if (wn_session_has_seat(session, game, &seat)) {
        wn_sessions_refuse_join(game, seat, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, text);
        wn_turns_leave(game, seat);
        wn_session_drop_seat(session, game, seat);
        game->seats[seat].session = NULL;
    }
    if (wn_session_watches(session, game)) {
        wn_session_drop_watch(session, game);
    }
}

void wn_access_look_at_returned(wn_daemon *daemon, wn_session *session)
{
    for (size_t i = session->seat_count; session->peer != NULL && i-- > 0;) {
        wn_game *game = session->seats[i].game;
        wn_error error;
        if (!wn_access_may_return(daemon, session, game, &error)) {
            put_out(daemon, session, game, error.text);
        }
    }
    for (size_t i = session->watch_count; session->peer != NULL && i-- > 0;) {
        wn_game *game = session->watches[i].game;
        wn_error error;
        if (wn_game_knows_mode(game) && (!wn_access_may_return(daemon, session, game, &error) ||
                                         !wn_access_may_come_in(daemon, session, game, WN_OWN_WATCH, &error))) {
            stop_watching(daemon, session, game, error.text);
        }
    }
}

static void compose(char text[WN_TEXT_BYTES + 1], const char *by, const char *reason)
{
    snprintf(text, WN_TEXT_BYTES + 1, "You were put out by %.64s%s%.300s", by, reason[0] != '\0' ? ": " : ".", reason);
    wn_text_clean(text, WN_TEXT_BYTES, false);
}

static bool keep_out(wn_daemon *daemon, const wn_session *session, const wn_game *game, const wn_kick *kick,
                     wn_error *error)
{
    wn_rule ban = {.kind = WN_RULE_BAN, .world = game->id, .at = (int64_t)time(NULL), .by_admin = kick->by_admin};
    ban.until = wn_rule_end(kick->seconds);
    ban.reason = (char *)(uintptr_t)kick->reason;
    ban.author = (char *)(uintptr_t)kick->author;
    snprintf(ban.subject, sizeof ban.subject, "%s%s", is_one(session->identity) ? "" : WN_SUBJECT_NAME,
             is_one(session->identity) ? session->identity : session->player);
    return wn_access_add(daemon, &ban, error);
}

static bool kick_from_all(wn_daemon *daemon, wn_session *session, const wn_kick *kick, const char *text,
                          wn_error *error)
{
    bool kept_out = true;
    while (session->seat_count > 0 || session->watch_count > 0) {
        wn_game *game = session->seat_count > 0 ? session->seats[0].game : session->watches[0].game;
        kept_out = keep_out(daemon, session, game, kick, error) && kept_out;
        put_out(daemon, session, game, text);
    }
    wn_session_end(daemon, session);
    return kept_out;
}

bool wn_access_kick(wn_daemon *daemon, wn_session *session, wn_game *game, const wn_kick *kick, wn_error *error)
{
    char text[WN_TEXT_BYTES + 1];
    compose(text, kick->by, kick->reason);
    if (game == NULL) {
        return kick_from_all(daemon, session, kick, text, error);
    }
    if (!keep_out(daemon, session, game, kick, error)) {
        return false;
    }
    put_out(daemon, session, game, text);
    return true;
}

void wn_access_put_out(wn_daemon *daemon, wn_game *game, const wn_rule *ban, const char *by)
{
    char text[WN_TEXT_BYTES + 1];
    compose(text, by, ban->reason != NULL ? ban->reason : "");
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        if (is_there(session, game) && keeps_out(daemon, ban, session, game)) {
            put_out(daemon, session, game, text);
        }
    }
}
