/* sessions.c: who is connected. See sessions.h.
 */
#include <sys/random.h>

#include "access/access.h"
#include "access/accounts.h"
#include "access/audit.h"
#include "access/names.h"
#include "map.h"
#include "memory.h"
#include "network/control.h"
#include "network/peers.h"
#include "operation/stop.h"
#include "sessions/sessions-internal.h"
#include "worlds/bots.h"
#include "worlds/turns.h"

enum {
    SWEEP_MS = 1000,
    SLOWLY_MS = 60000,      /* while there is nobody */
    FOR_ADMINISTRATORS = 16 /* sessions beyond limits.sessions that only they have */
};

/* by token */

static size_t token_hash(const void *key)
{
    return wn_map_hash(key, WN_KEY_BYTES);
}

static int token_compare(const void *one, const void *other)
{
    /* In constant time: a token is a secret. */
    const uint8_t *a = one, *b = other;
    int difference = 0;
    for (size_t i = 0; i < WN_KEY_BYTES; i++) {
        difference |= a[i] ^ b[i];
    }
    return difference;
}

/* beginning */

static void bind_peer(wn_daemon *daemon, wn_session *session, wn_peer *peer)
{
    wn_accounts_attach(daemon, session, peer);
    if (session->peer != NULL) {
        session->peer->session = NULL;
    }
    session->peer = peer;
    peer->session = session;
    snprintf(session->address, sizeof session->address, "%s", peer->address);
}

static wn_session *session_new(wn_daemon *daemon, const wn_peer *peer, const char *wanted, wn_error *error)
{
    if (!peer->admin && wn_drain_refuses(daemon, error)) {
        error->code = WARREN__ERROR_CODE__ERROR_NOT_ALLOWED; /* else frontends go on trying, and say nothing */
        return NULL;
    }
    if (zhashx_size(daemon->sessions) >= daemon->config->sessions + (peer->admin ? FOR_ADMINISTRATORS : 0)) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "sessions", daemon->config->sessions,
                     "the server holds %u sessions, as many as it may; try again later", daemon->config->sessions);
        return NULL;
    }
    if (!wn_accounts_may_begin(daemon, peer, error)) {
        return NULL;
    }
    wn_session *session = wn_must_zero(1, sizeof *session);
    session->seats = wn_must_zero(daemon->config->seats_per_player, sizeof *session->seats);
    session->named = wanted != NULL;
    session->bots = wn_bots_is_process(daemon, peer->process) ? peer->process : 0;
    snprintf(session->identity, sizeof session->identity, "%s", peer->identity);
    session->name_taken = wn_name_choose(daemon, wanted, session->identity, session->player);
    if (wanted != NULL && session->identity[0] != '\0') {
        const bool known = wn_name_owner(daemon, session->player) != NULL;
        session->name_borrowed = (!known && !wn_accounts_may_take_name(daemon, peer)) ||
                                 !wn_name_claim(daemon, session->player, session->identity);
        if (!known && !session->name_borrowed) {
            wn_accounts_took_name(peer);
        }
    }
    if (getrandom(session->token, sizeof session->token, 0) != (ssize_t)sizeof session->token) {
        wn_log_line(WN_LEVEL_ERROR, "session", "the kernel gives no random numbers for a token: %s", strerror(errno));
        abort();
    }
    zhashx_insert(daemon->sessions, session->token, session);
    zhashx_insert(daemon->players, session->player, session);
    wn_session_store(session, daemon);
    return session;
}

wn_session *wn_session_hello(wn_daemon *daemon, wn_peer *peer, const Warren__Hello *hello, bool *resumed,
                             wn_error *error)
{
    wn_session *session = hello->has_session ? zhashx_lookup(daemon->sessions, hello->session.data) : NULL;
    if (session != NULL && strcmp(session->identity, peer->identity) != 0) {
        wn_log_text player;
        wn_log_line(WN_LEVEL_WARNING, "session", "a token is not its bearer's player=%s bearer=%s",
                    wn_log_value(&player, session->player), peer->identity);
        session = NULL;
    }
    *resumed = session != NULL;
    if (session == NULL && peer->session != NULL) {
        wn_session_end(daemon, peer->session); /* a second Hello without a token begins anew */
    }
    if (session == NULL) {
        session = session_new(daemon, peer, hello->player, error);
    }
    if (session == NULL) {
        return NULL;
    }
    if (peer->session != NULL && peer->session != session) {
        wn_session_end(daemon, peer->session);
    }
    bind_peer(daemon, session, peer);
    wn_access_look_at_returned(daemon, session);
    return session;
}

/* the end */

static const char session_over[] = "your session was over before you were in";

static void refuse_join(wn_daemon *daemon, const wn_session *session, uint32_t request, Warren__ErrorCode code,
                        const char *text)
{
    wn_error error;
    if (session != NULL && session->peer != NULL && request != 0) {
        wn_fail_with(&error, code, "world", 0, "%s", text);
        wn_control_error(daemon, session->peer, request, &error);
    }
}

void wn_sessions_refuse_join(wn_game *game, uint32_t seat, Warren__ErrorCode code, const char *text)
{
    const wn_seat *joining = &game->seats[seat];
    if (joining->state == WN_SEAT_JOINING) {
        refuse_join(game->daemon, joining->session, joining->join_request, code, text);
    }
}

static void forget_asker(wn_asker *asker, const wn_session *session)
{
    if (asker->session == session) {
        *asker = (wn_asker){0};
    }
}

/* What it asked for and has not got yet. */
static void forget_requests(wn_daemon *daemon, const wn_session *session)
{
    for (wn_game *game = session->asked_worlds ? zhashx_first(daemon->games) : NULL; game != NULL;
         game = zhashx_next(daemon->games)) {
        forget_asker(&game->asker, session);
        size_t kept = 0;
        for (size_t i = 0; i < game->join_count; i++) {
            if (game->joins[i].session != session) {
                game->joins[kept++] = game->joins[i];
            } else if (!daemon->stopping) {
                refuse_join(daemon, session, game->joins[i].request, WARREN__ERROR_CODE__ERROR_NO_SESSION,
                            session_over);
            }
        }
        game->join_count = kept;
    }
    forget_asker(&daemon->backup.asker, session);
    forget_asker(&daemon->saving.asker, session);
}

static void session_free(wn_daemon *daemon, wn_session *session)
{
    forget_requests(daemon, session);
    wn_accounts_detach(session);
    for (size_t i = 0; i < session->seat_count; i++) {
        session->seats[i].game->seats[session->seats[i].seat].session = NULL;
    }
    if (session->peer != NULL) {
        session->peer->session = NULL;
    }
    zhashx_delete(daemon->players, session->player);
    zhashx_delete(daemon->sessions, session->token);
    free(session->restored);
    free(session->seats);
    free(session);
}

void wn_session_end(wn_daemon *daemon, wn_session *session)
{
    session->ending = true;
    for (size_t i = 0; i < session->seat_count; i++) {
        wn_game *game = session->seats[i].game;
        wn_sessions_refuse_join(game, session->seats[i].seat, WARREN__ERROR_CODE__ERROR_NO_SESSION, session_over);
        game->seats[session->seats[i].seat].session = NULL;
        wn_turns_leave(game, session->seats[i].seat);
    }
    while (session->watch_count > 0) {
        wn_session_drop_watch(session, session->watches[0].game);
    }
    wn_log_text player;
    wn_log_line(WN_LEVEL_DEBUG, "session", "ended player=%s", wn_log_value(&player, session->player));
    wn_store_delete_session(daemon->store, session->token);
    session_free(daemon, session);
}

/* the lost and silent */

/* Not with zhashx_first() and _next() alone: ending a session changes the map. */
static wn_session *next_expired(wn_daemon *daemon, uint64_t now)
{
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        if (session->peer == NULL && now - session->lost_ms >= daemon->config->grace_ms) {
            return session;
        }
    }
    return NULL;
}

static wn_session *next_bot(wn_daemon *daemon, pid_t process)
{
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        if (session->bots == process) {
            return session;
        }
    }
    return NULL;
}

void wn_sessions_end_bots(wn_daemon *daemon, pid_t process)
{
    wn_session *session = NULL;
    while ((session = next_bot(daemon, process)) != NULL) {
        wn_session_end(daemon, session);
    }
}

static void sweep(void *context)
{
    wn_daemon *daemon = context;
    wn_session *expired = NULL;
    wn_peers_end_silent(daemon);
    while ((expired = next_expired(daemon, wn_loop_now_ms(daemon->loop))) != NULL) {
        wn_session_end(daemon, expired);
    }
    wn_audit_left_out(daemon, false);
    const bool busy = wn_accounts_sweep(daemon);
    daemon->orphans = daemon->orphans && wn_sessions_sweep_orphans(daemon);
    daemon->sweeps_slowly =
        !busy && !daemon->orphans && zhashx_size(daemon->peers) == 0 && zhashx_size(daemon->sessions) == 0;
    if (!daemon->sweeps_slowly || zhashx_size(daemon->accounts) > 0) {
        wn_timer_set(daemon->sweep_timer, daemon->sweeps_slowly ? SLOWLY_MS : SWEEP_MS);
    }
}

void wn_sessions_sweep_soon(wn_daemon *daemon)
{
    if (!wn_timer_armed(daemon->sweep_timer) || daemon->sweeps_slowly) {
        daemon->sweeps_slowly = false;
        wn_timer_set(daemon->sweep_timer, SWEEP_MS);
    }
}

void wn_sessions_open(wn_daemon *daemon)
{
    wn_peers_open(daemon);
    daemon->sessions = wn_map_new(token_hash, token_compare);
    daemon->players = zhashx_new();
    wn_accounts_open(daemon);
    daemon->sweep_timer = wn_timer_new(daemon->loop, sweep, daemon);
}

void wn_sessions_close(wn_daemon *daemon)
{
    wn_session *session = NULL;
    while (daemon->sessions != NULL && (session = zhashx_first(daemon->sessions)) != NULL) {
        session_free(daemon, session); /* the store keeps it for the next start */
    }
    wn_peers_close(daemon);
    zhashx_destroy(&daemon->sessions);
    zhashx_destroy(&daemon->players);
    wn_accounts_close(daemon);
    free(daemon->gone_bots);
    wn_timer_free(daemon->sweep_timer);
}
