/* sessions-kept.c: what the store keeps of sessions, and how they come back after a restart. See sessions.h.
 */
#include "access/access.h"
#include "access/accounts.h"
#include "memory.h"
#include "requests/request.h"
#include "sessions/sessions-internal.h"
#include "worlds/directory.h"
#include "worlds/loading.h"
#include "worlds/turns.h"

/* In the store's list of a session's worlds: it has a seat there. World numbers never get that far. */
static const uint32_t SEATED = 0x80000000;

/* writing */

void wn_session_store(const wn_session *session, wn_daemon *daemon)
{
    size_t count = session->watch_count + session->seat_count + session->restored_count;
    uint32_t *worlds = wn_must_zero(count + 1, sizeof *worlds);
    count = 0;
    for (size_t i = 0; i < session->watch_count; i++) {
        worlds[count++] = session->watches[i].game->id;
    }
    for (size_t i = 0; i < session->seat_count; i++) {
        worlds[count++] = session->seats[i].game->id | SEATED;
    }
    for (size_t i = 0; i < session->restored_count; i++) {
        worlds[count++] = session->restored[i] | SEATED;
    }
    const wn_stored_session stored = {
        session->token, session->player, session->identity, session->named, session->bots != 0, worlds, count};
    wn_store_put_session(daemon->store, &stored);
    free(worlds);
}

/* bots of before */

/* Its process has ended with the daemon that it was started by, and another one comes: nobody will resume the session,
 * and its seats are given up as soon as their world is served. */
static void bury_bot(wn_daemon *daemon, const wn_stored_session *stored)
{
    for (size_t i = 0; i < stored->watch_count; i++) {
        wn_game *game = wn_game_by_id(daemon, stored->watches[i] & ~SEATED);
        if (game == NULL || game->state == WN_GAME_PARKED || (stored->watches[i] & SEATED) == 0) {
            continue;
        }
        WN_GROW(daemon->gone_bots, daemon->gone_bot_count, daemon->gone_bot_capacity);
        struct wn_gone_bot *gone = &daemon->gone_bots[daemon->gone_bot_count++];
        gone->world = game->id;
        snprintf(gone->player, sizeof gone->player, "%s", stored->player);
        wn_loading_want(game);
    }
    wn_store_delete_session(daemon->store, stored->token);
}

void wn_sessions_forget_gone_bots(wn_daemon *daemon, uint32_t world)
{
    size_t kept = 0;
    for (size_t i = 0; i < daemon->gone_bot_count; i++) {
        if (daemon->gone_bots[i].world != world) {
            daemon->gone_bots[kept++] = daemon->gone_bots[i];
        }
    }
    daemon->gone_bot_count = kept;
}

static bool take_gone_bot(wn_daemon *daemon, uint32_t world, const char *player)
{
    for (size_t i = 0; i < daemon->gone_bot_count; i++) {
        if (daemon->gone_bots[i].world == world && strcmp(daemon->gone_bots[i].player, player) == 0) {
            daemon->gone_bots[i] = daemon->gone_bots[--daemon->gone_bot_count];
            return true;
        }
    }
    return false;
}

static bool restore(void *context, const wn_stored_session *stored)
{
    wn_daemon *daemon = context;
    if (stored->bot) {
        bury_bot(daemon, stored);
        return true;
    }
    wn_session *session = wn_must_zero(1, sizeof *session);
    session->seats = wn_must_zero(daemon->config->seats_per_player, sizeof *session->seats);
    session->restored = wn_must_zero(stored->watch_count + 1, sizeof *session->restored);
    session->named = stored->named;
    snprintf(session->identity, sizeof session->identity, "%s", stored->identity);
    session->lost_ms = wn_loop_now_ms(daemon->loop);
    memcpy(session->token, stored->token, sizeof session->token);
    snprintf(session->player, sizeof session->player, "%s", stored->player);
    zhashx_insert(daemon->sessions, session->token, session);
    zhashx_insert(daemon->players, session->player, session);
    wn_accounts_attach(daemon, session, NULL);
    for (size_t i = 0; i < stored->watch_count; i++) {
        wn_game *game = wn_game_by_id(daemon, stored->watches[i] & ~SEATED);
        if (game == NULL || game->state == WN_GAME_PARKED) {
            continue;
        }
        if ((stored->watches[i] & SEATED) != 0) {
            session->restored[session->restored_count++] = game->id;
        } else if (session->watch_count < WN_SESSION_WATCHES) {
            session->watches[session->watch_count++].game = game;
            game->watchers++;
        }
        wn_loading_want(game);
    }
    return true;
}

bool wn_sessions_restore(wn_daemon *daemon, wn_error *error)
{
    const bool read = wn_store_list_sessions(daemon->store, restore, daemon, error);
    if (zhashx_size(daemon->sessions) > 0) {
        wn_sessions_sweep_soon(daemon);
    }
    return read;
}

static bool take_restored(wn_session *session, uint32_t world)
{
    for (size_t i = 0; i < session->restored_count; i++) {
        if (session->restored[i] == world) {
            session->restored[i] = session->restored[--session->restored_count];
            return true;
        }
    }
    return false;
}

void wn_sessions_seat_found(wn_game *game, uint32_t seat)
{
    wn_daemon *daemon = game->daemon;
    wn_session *session = zhashx_lookup(daemon->players, game->seats[seat].player);
    if (take_gone_bot(daemon, game->id, game->seats[seat].player)) {
        wn_turns_leave(game, seat);
        return;
    }
    if (session != NULL && session->seat_count < daemon->config->seats_per_player && take_restored(session, game->id)) {
        wn_error error;
        if (!wn_access_may_return(daemon, session, game, &error)) { /* the leave was not in the journal yet */
            wn_turns_leave(game, seat);
            return;
        }
        game->seats[seat].session = session;
        wn_session_add_seat(session, game, seat);
        return;
    }
    daemon->orphans = true;
    wn_sessions_sweep_soon(daemon);
}

void wn_sessions_world_settled(wn_daemon *daemon, wn_game *game)
{
    if (daemon->stopping) {
        return;
    }
    uint32_t seat = 0;
    wn_sessions_forget_gone_bots(daemon, game->id);
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        if (session->restored_count > 0) {
            take_restored(session, game->id); /* no seat of its was found there */
        }
        if (wn_session_watches(session, game) || wn_session_has_seat(session, game, &seat)) {
            wn_access_look_at_returned(daemon, session); /* now the mode is known, if it was not */
        }
        if (session->restored_count == 0 && session->welcome_waits) {
            session->welcome_waits = false;
            wn_request_welcome(daemon, session, session->welcome_request, true);
        }
    }
}

/* seats that nobody came back to */

bool wn_sessions_sweep_orphans(wn_daemon *daemon)
{
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    bool waits = false;
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        for (uint32_t i = 0; game->seats_taken > 0 && i < game->seat_count; i++) {
            const wn_seat *seat = &game->seats[i];
            if (seat->state != WN_SEAT_TAKEN || seat->session != NULL) {
                continue;
            }
            waits = true;
            if (now - seat->orphaned_ms >= daemon->config->grace_ms) {
                wn_turns_leave(game, i);
            }
        }
    }
    return waits;
}
