/* sessions-held.c: the seats and watches of a session, and whose a world is. See sessions.h.
 */
#include "access/admission.h"
#include "access/names.h"
#include "network/publish.h"
#include "sessions/sessions-internal.h"
#include "sessions/watchers.h"

const char *wn_session_owner(const wn_session *session)
{
    return session->named ? session->player : "";
}

bool wn_session_owns(wn_daemon *daemon, const wn_session *session, const wn_game *game)
{
    if (game->owner_identity[0] != '\0') {
        return session->identity[0] != '\0' ? strcmp(game->owner_identity, session->identity) == 0
                                            : strcmp(game->owner_identity, WN_NOBODY) == 0 && session->named &&
                                                  strcmp(game->owner, session->player) == 0;
    }
    const char *named = wn_name_owner(daemon, game->owner); /* a world from before identities were kept */
    return session->named && strcmp(game->owner, session->player) == 0 &&
           (named == NULL ? session->identity[0] == '\0' : strcmp(named, session->identity) == 0);
}

/* seats and watches */

bool wn_session_has_seat(const wn_session *session, const wn_game *game, uint32_t *seat)
{
    for (size_t i = 0; i < session->seat_count; i++) {
        if (session->seats[i].game == game) {
            *seat = session->seats[i].seat;
            return true;
        }
    }
    return false;
}

void wn_session_add_seat(wn_session *session, wn_game *game, uint32_t seat)
{
    session->seats[session->seat_count].game = game;
    session->seats[session->seat_count].seat = seat;
    session->seat_count++;
    wn_session_store(session, game->daemon);
}

void wn_session_drop_seat(wn_session *session, const wn_game *game, uint32_t seat)
{
    for (size_t i = 0; i < session->seat_count; i++) {
        if (session->seats[i].game == game && session->seats[i].seat == seat) {
            session->seats[i] = session->seats[--session->seat_count];
            if (!session->ending) {
                wn_session_store(session, game->daemon);
            }
            return;
        }
    }
}

bool wn_session_watches(const wn_session *session, const wn_game *game)
{
    for (size_t i = 0; i < session->watch_count; i++) {
        if (session->watches[i].game == game) {
            return true;
        }
    }
    return false;
}

bool wn_session_add_watch(wn_session *session, wn_game *game)
{
    if (wn_session_watches(session, game)) {
        return true;
    }
    if (session->watch_count == WN_SESSION_WATCHES) {
        return false;
    }
    session->watches[session->watch_count].game = game;
    session->watches[session->watch_count++].key = NULL;
    game->watchers++;
    wn_watchers_changed(game);
    wn_session_store(session, game->daemon);
    return true;
}

uint8_t *wn_session_watch_key(wn_session *session, const wn_game *game)
{
    for (size_t i = 0; i < session->watch_count; i++) {
        if (session->watches[i].game == game) {
            if (session->watches[i].key == NULL) {
                session->watches[i].key = wn_view_key_new(game->spectators, session);
            }
            return session->watches[i].key->bytes;
        }
    }
    return NULL;
}

/* What it knows of the view is void at once. When nobody watches any more, the view is not drawn any more either. */
void wn_session_drop_watch(wn_session *session, wn_game *game)
{
    for (size_t i = 0; i < session->watch_count; i++) {
        if (session->watches[i].game == game) {
            wn_view_key_free(session->watches[i].key);
            session->watches[i] = session->watches[--session->watch_count];
            wn_watchers_changed(game);
            if (--game->watchers == 0) {
                wn_published_view_free(game->spectators);
                game->spectators = wn_published_view_new(game, -1);
            }
            if (!session->ending) {
                wn_session_store(session, game->daemon);
            }
            return;
        }
    }
}

void wn_sessions_forget_game(wn_daemon *daemon, wn_game *game)
{
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        wn_session_drop_watch(session, game);
    }
    wn_sessions_forget_gone_bots(daemon, game->id);
}
