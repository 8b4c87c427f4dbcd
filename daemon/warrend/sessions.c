/* sessions.c: who is connected. See sessions.h.
 */
#include "sessions.h"

#include <sys/random.h>
#include <unistd.h>

#include "access.h"
#include "accounts.h"
#include "admission.h"
#include "audit.h"
#include "bots.h"
#include "connections.h"
#include "control.h"
#include "directory.h"
#include "loading.h"
#include "map.h"
#include "memory.h"
#include "names.h"
#include "publish.h"
#include "refused.h"
#include "request.h"
#include "stop.h"
#include "turns.h"
#include "watchers.h"

enum {
    SWEEP_MS = 1000,
    MISSED_HEARTBEATS = 3,   /* then a session counts as lost */
    WN_SESSION_SEATS = 1024, /* the most that limits.seats_per_player can be */
    PEERS_REMEMBERED = 4     /* connections without a session that are remembered, for each allowed session */
};

/* In the store's list of a session's worlds: it has a seat there. World numbers never get that far. */
static const uint32_t SEATED = 0x80000000;

/* maps */

static size_t peer_hash(const void *key)
{
    const wn_peer *peer = key;
    return wn_map_hash(peer->id, peer->id_size);
}

static int peer_compare(const void *one, const void *other)
{
    const wn_peer *a = one, *b = other;
    return a->id_size == b->id_size ? memcmp(a->id, b->id, a->id_size) : 1;
}

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

/* peers */

static void peer_forget(wn_daemon *daemon, wn_peer *peer)
{
    zhashx_delete(daemon->peers, peer);
    wn_accounts_leave(peer);
    free(peer);
}

wn_peer *wn_peer_of(wn_daemon *daemon, size_t socket, zmq_msg_t *id, zmq_msg_t *message, wn_error *error)
{
    wn_peer sought = {.id_size = 1 + zmq_msg_size(id)};
    sought.id[0] = (uint8_t)socket;
    memcpy(sought.id + 1, zmq_msg_data(id), zmq_msg_size(id));
    wn_peer *peer = zhashx_lookup(daemon->peers, &sought);
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    if (peer != NULL) {
        peer->seen_ms = now;
        return peer;
    }
    if (zhashx_size(daemon->peers) >= (size_t)daemon->config->sessions * PEERS_REMEMBERED) {
        return NULL;
    }
    peer = wn_must_zero(1, sizeof *peer);
    memcpy(peer->id, sought.id, sought.id_size);
    peer->id_size = sought.id_size;
    wn_admission_sender(message, peer->identity, peer->address);
    peer->process = wn_admission_process(message);
    peer->connection = wn_connection_of(message);
    peer->connection_serial = wn_connections_serial(peer->connection);
    if (!wn_accounts_enter(daemon, peer, error)) {
        free(peer);
        return NULL;
    }
    wn_access_set_role(daemon, peer);
    peer->seen_ms = now;
    peer->requests = wn_allowance_whole(now);
    zhashx_insert(daemon->peers, peer, peer);
    if (!wn_timer_armed(daemon->sweep_timer)) {
        wn_timer_set(daemon->sweep_timer, SWEEP_MS);
    }
    return peer;
}

bool wn_peer_may_send(wn_daemon *daemon, wn_peer *peer, wn_error *error)
{
    const uint32_t rate = daemon->config->requests_per_second;
    if (!wn_allowance_take(&peer->requests, rate, wn_loop_now_ms(daemon->loop))) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "requests_per_second", rate,
                            "too many requests: the server takes %u a second from each connection; slow down", rate);
    }
    return wn_accounts_may_send(daemon, peer, error);
}

/* seats and watches */

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

/* What the store keeps of a session: token, name, and the worlds that it has to do with. */
static void store(wn_daemon *daemon, const wn_session *session)
{
    uint32_t worlds[WN_SESSION_WATCHES + WN_SESSION_SEATS];
    size_t count = 0;
    for (size_t i = 0; i < session->watch_count; i++) {
        worlds[count++] = session->watches[i]->id;
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
}

void wn_session_add_seat(wn_session *session, wn_game *game, uint32_t seat)
{
    session->seats[session->seat_count].game = game;
    session->seats[session->seat_count].seat = seat;
    session->seat_count++;
    store(game->daemon, session);
}

void wn_session_drop_seat(wn_session *session, const wn_game *game, uint32_t seat)
{
    for (size_t i = 0; i < session->seat_count; i++) {
        if (session->seats[i].game == game && session->seats[i].seat == seat) {
            session->seats[i] = session->seats[--session->seat_count];
            if (!session->ending) {
                store(game->daemon, session);
            }
            return;
        }
    }
}

bool wn_session_watches(const wn_session *session, const wn_game *game)
{
    for (size_t i = 0; i < session->watch_count; i++) {
        if (session->watches[i] == game) {
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
    session->watches[session->watch_count++] = game;
    game->watchers++;
    wn_watchers_changed(game);
    store(game->daemon, session);
    return true;
}

/* What it knows of the view is void at once. When nobody watches any more, the view is not drawn any more either. */
void wn_session_drop_watch(wn_session *session, wn_game *game)
{
    for (size_t i = 0; i < session->watch_count; i++) {
        if (session->watches[i] == game) {
            session->watches[i] = session->watches[--session->watch_count];
            wn_published_view_forget_key(game->spectators, session);
            wn_watchers_changed(game);
            if (--game->watchers == 0) {
                wn_published_view_free(game->spectators);
                game->spectators = wn_published_view_new(game, -1);
            }
            if (!session->ending) {
                store(game->daemon, session);
            }
            return;
        }
    }
}

/* sessions */

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
    if (zhashx_size(daemon->sessions) >= daemon->config->sessions) {
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
    if (wanted != NULL) {
        wn_name_claim(daemon, session->player, session->identity);
    }
    if (getrandom(session->token, sizeof session->token, 0) != (ssize_t)sizeof session->token) {
        wn_log_line(WN_LEVEL_ERROR, "session", "the kernel gives no random numbers for a token: %s", strerror(errno));
        abort();
    }
    zhashx_insert(daemon->sessions, session->token, session);
    zhashx_insert(daemon->players, session->player, session);
    store(daemon, session);
    return session;
}

wn_session *wn_session_hello(wn_daemon *daemon, wn_peer *peer, const Warren__Hello *hello, bool *resumed,
                             wn_error *error)
{
    wn_session *session = hello->has_session ? zhashx_lookup(daemon->sessions, hello->session.data) : NULL;
    if (session != NULL && strcmp(session->identity, peer->identity) != 0) {
        wn_log_line(WN_LEVEL_WARNING, "session", "a token is not its bearer's player=%s bearer=%s", session->player,
                    peer->identity);
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

/* What it asked for and has not got yet. */
static void forget_requests(wn_daemon *daemon, const wn_session *session)
{
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        if (game->asker == session) {
            game->asker = NULL;
        }
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
    if (daemon->backup.asker == session) {
        daemon->backup.asker = NULL;
    }
    if (daemon->saving.asker == session) {
        daemon->saving.asker = NULL;
    }
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
        wn_session_drop_watch(session, session->watches[0]);
    }
    wn_log_line(WN_LEVEL_DEBUG, "session", "ended player=%s", session->player);
    wn_store_delete_session(daemon->store, session->token);
    session_free(daemon, session);
}

/* after a restart */

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

static void forget_gone_bots(wn_daemon *daemon, uint32_t world)
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
            session->watches[session->watch_count++] = game;
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
        wn_timer_set(daemon->sweep_timer, SWEEP_MS);
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
    if (!wn_timer_armed(daemon->sweep_timer)) {
        wn_timer_set(daemon->sweep_timer, SWEEP_MS);
    }
}

void wn_sessions_world_settled(wn_daemon *daemon, wn_game *game)
{
    if (daemon->stopping) {
        return;
    }
    uint32_t seat = 0;
    forget_gone_bots(daemon, game->id);
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

/* notices */

static void send_notice(wn_daemon *daemon, const wn_session *session, Warren__Notice *notice)
{
    Warren__Reply reply = WARREN__REPLY__INIT;
    if (session->peer != NULL) {
        reply.body_case = WARREN__REPLY__BODY_NOTICE;
        reply.notice = notice;
        wn_control_reply(daemon, session->peer, 0, &reply);
    }
}

void wn_session_notice(wn_daemon *daemon, const wn_session *session, Warren__NoticeKind kind, const wn_game *game,
                       const char *text)
{
    Warren__Notice notice = WARREN__NOTICE__INIT;
    notice.kind = kind;
    notice.has_world = game != NULL;
    notice.world = game != NULL ? game->id : 0;
    notice.text = (char *)(uintptr_t)text;
    send_notice(daemon, session, &notice);
}

void wn_sessions_send_notice(wn_daemon *daemon, const wn_game *game, Warren__Notice *notice)
{
    uint32_t seat = 0;
    notice->has_world = true;
    notice->world = game->id;
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        if (wn_session_has_seat(session, game, &seat) || wn_session_watches(session, game)) {
            send_notice(daemon, session, notice);
        }
    }
}

void wn_sessions_notice_game(wn_daemon *daemon, const wn_game *game, Warren__NoticeKind kind, const char *text)
{
    Warren__Notice notice = WARREN__NOTICE__INIT;
    notice.kind = kind;
    notice.text = (char *)(uintptr_t)text;
    wn_sessions_send_notice(daemon, game, &notice);
}

void wn_sessions_notice_all(wn_daemon *daemon, Warren__NoticeKind kind, const char *text)
{
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        wn_session_notice(daemon, session, kind, NULL, text);
    }
}

void wn_sessions_forget_game(wn_daemon *daemon, wn_game *game)
{
    for (wn_session *session = zhashx_first(daemon->sessions); session != NULL;
         session = zhashx_next(daemon->sessions)) {
        wn_session_drop_watch(session, game);
    }
    forget_gone_bots(daemon, game->id);
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

static wn_peer *next_silent(wn_daemon *daemon, uint64_t now)
{
    const uint64_t patience = (uint64_t)daemon->config->heartbeat_ms * MISSED_HEARTBEATS;
    for (wn_peer *peer = zhashx_first(daemon->peers); peer != NULL; peer = zhashx_next(daemon->peers)) {
        if (now - peer->seen_ms >= patience) {
            return peer;
        }
    }
    return NULL;
}

/* Seats that nobody connected holds. Returns whether any still waits. */
static bool sweep_orphans(wn_daemon *daemon, uint64_t now)
{
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

static void sweep(void *context)
{
    wn_daemon *daemon = context;
    const uint64_t now = wn_loop_now_ms(daemon->loop);
    wn_peer *silent = NULL;
    wn_session *expired = NULL;
    while ((silent = next_silent(daemon, now)) != NULL) {
        if (silent->session != NULL) {
            wn_log_line(WN_LEVEL_INFO, "session", "lost player=%s", silent->session->player);
            silent->session->peer = NULL;
            silent->session->lost_ms = now;
        }
        peer_forget(daemon, silent);
    }
    while ((expired = next_expired(daemon, now)) != NULL) {
        wn_session_end(daemon, expired);
    }
    wn_audit_left_out(daemon, false);
    wn_accounts_sweep(daemon);
    daemon->orphans = daemon->orphans && sweep_orphans(daemon, now);
    if (zhashx_size(daemon->peers) > 0 || zhashx_size(daemon->sessions) > 0 || zhashx_size(daemon->accounts) > 0 ||
        daemon->orphans) {
        wn_timer_set(daemon->sweep_timer, SWEEP_MS);
    }
}

void wn_sessions_open(wn_daemon *daemon)
{
    daemon->peers = wn_map_new(peer_hash, peer_compare);
    daemon->sessions = wn_map_new(token_hash, token_compare);
    daemon->players = zhashx_new();
    wn_accounts_open(daemon);
    daemon->sweep_timer = wn_timer_new(daemon->loop, sweep, daemon);
}

void wn_sessions_close(wn_daemon *daemon)
{
    wn_session *session = NULL;
    wn_peer *peer = NULL;
    while (daemon->sessions != NULL && (session = zhashx_first(daemon->sessions)) != NULL) {
        session_free(daemon, session); /* the store keeps it for the next start */
    }
    while (daemon->peers != NULL && (peer = zhashx_first(daemon->peers)) != NULL) {
        peer_forget(daemon, peer);
    }
    zhashx_destroy(&daemon->sessions);
    zhashx_destroy(&daemon->players);
    zhashx_destroy(&daemon->peers);
    wn_accounts_close(daemon);
    free(daemon->gone_bots);
    wn_timer_free(daemon->sweep_timer);
}
