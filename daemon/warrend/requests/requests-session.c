/* requests-session.c: Hello, Ping, Goodbye.
 */
#include "requests/request.h"

#include "access/access.h"
#include "access/accounts.h"
#include "configuration/endpoint.h"
#include "configuration/subject.h"
#include "memory.h"
#include "network/control.h"
#include "network/publish.h"
#include "sessions/sessions.h"

enum { TOLD_A_SECOND = 5 };

static void fill_limits(const wn_config *config, Warren__Limits *limits)
{
    warren__limits__init(limits);
#define FILL(field, value) (limits->has_##field = true, limits->field = (value))
    FILL(message_bytes, config->request_bytes);
    FILL(requests_per_second, config->requests_per_second);
    FILL(name_bytes, config->name_bytes);
    FILL(chat_bytes, config->chat_bytes);
    FILL(queued_commands, config->queued_commands);
    FILL(worlds_per_player, config->worlds_per_player);
    FILL(seats_per_player, config->seats_per_player);
    FILL(worlds, config->worlds);
    FILL(sessions, config->sessions);
    FILL(keyframes_per_second, config->keyframes_per_second);
    FILL(requests_per_player, config->requests_per_player);
    FILL(requests_per_address, config->requests_per_address);
    FILL(sessions_per_player, config->sessions_per_player);
    FILL(sessions_per_address, config->sessions_per_address);
    FILL(names_per_player, config->names_per_player);
    FILL(bots, config->bots);
    FILL(bots_per_player, config->bots_per_player);
#undef FILL
}

/* What a resumed session still holds: its seats, and the worlds it watches. */
static size_t fill_seats(wn_session *session, Warren__Joined *joined)
{
    size_t count = 0;
    for (size_t i = 0; i < session->seat_count; i++) {
        const wn_game *game = session->seats[i].game;
        const wn_seat *seat = &game->seats[session->seats[i].seat];
        Warren__Joined *entry = &joined[count++];
        warren__joined__init(entry);
        entry->world = game->id;
        entry->name = (char *)(uintptr_t)game->name;
        entry->has_seat = true;
        entry->seat = session->seats[i].seat;
        entry->view_key.data = wn_published_view_key(seat->view);
        entry->view_key.len = WN_KEY_BYTES;
        entry->has_next_command = true;
        entry->next_command = seat->accepted + 1;
    }
    for (size_t i = 0; i < session->watch_count; i++) {
        wn_game *game = session->watches[i].game;
        Warren__Joined *entry = &joined[count++];
        warren__joined__init(entry);
        entry->world = game->id;
        entry->name = (char *)(uintptr_t)game->name;
        entry->view_key.data = wn_session_watch_key(session, game);
        entry->view_key.len = WN_KEY_BYTES;
    }
    return count;
}

/* Those that the peer can use like the one it came by: of tcp those with keys, or those without. */
static size_t list_updates(const wn_config *config, const wn_peer *peer, char *addresses, char **list, size_t most)
{
    const bool network = peer->address[0] != '\0', keys = wn_identity_is_key(peer->identity);
    char *rest = NULL;
    size_t count = 0;
    for (char *address = strtok_r(addresses, " ", &rest); address != NULL && count < most;
         address = strtok_r(NULL, " ", &rest)) {
        const bool tcp = wn_endpoint_tcp(address) != NULL;
        if (!network || !tcp || wn_config_takes_keys(config, address) == keys) {
            list[count++] = address;
        }
    }
    return count;
}

void wn_request_welcome(wn_daemon *daemon, wn_session *session, uint32_t request, bool resumed)
{
    enum { ADDRESSES = 16 };
    Warren__Welcome welcome = WARREN__WELCOME__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__Limits limits;
    if (session->peer == NULL || request == 0) {
        return;
    }
    const size_t held = session->seat_count + session->watch_count;
    Warren__Joined *joined = wn_must_zero(held + 1, sizeof *joined);
    Warren__Joined **seats = wn_must_zero(held + 1, sizeof *seats);
    char *addresses = wn_must_copy(daemon->config->updates);
    char *list[ADDRESSES];
    fill_limits(daemon->config, &limits);
    welcome.protocol = WN_PROTOCOL_MAX;
    welcome.software = (char *)(uintptr_t) "warrend " WARREN_VERSION;
    welcome.session.data = (uint8_t *)(uintptr_t)session->token;
    welcome.session.len = WN_KEY_BYTES;
    welcome.player = (char *)(uintptr_t)session->player;
    welcome.resumed = resumed;
    welcome.n_seats = fill_seats(session, joined);
    for (size_t i = 0; i < held; i++) {
        seats[i] = &joined[i];
    }
    welcome.seats = seats;
    welcome.heartbeat_ms = daemon->config->heartbeat_ms;
    welcome.grace_ms = daemon->config->grace_ms;
    welcome.limits = &limits;
    welcome.n_updates = list_updates(daemon->config, session->peer, addresses, list, ADDRESSES);
    welcome.updates = list;
    welcome.has_admin = true;
    welcome.admin = session->peer->admin;
    welcome.identity = session->identity[0] != '\0' ? (char *)(uintptr_t)session->identity : NULL;
    welcome.has_name_taken = session->name_taken;
    welcome.name_taken = session->name_taken;
    welcome.has_name_borrowed = session->name_borrowed;
    welcome.name_borrowed = session->name_borrowed;
    welcome.has_role = true;
    welcome.role = wn_request_role(session->peer->role);
    message.body_case = WARREN__REPLY__BODY_WELCOME;
    message.welcome = &welcome;
    wn_control_reply(daemon, session->peer, request, &message);
    free(addresses);
    free(seats);
    free(joined);
}

/* Whoever may say Hello may do so often: the log gets some of each address, and of each user of this machine. */
static void tell(const wn_context *at, bool resumed)
{
    const Warren__Hello *hello = at->request->hello;
    const wn_peer *peer = at->peer;
    wn_account *account = peer->from != NULL ? peer->from : peer->player;
    const uint64_t now = wn_loop_now_ms(at->daemon->loop);
    wn_log_text player, software;
    if (account != NULL && !wn_allowance_take(&account->told, TOLD_A_SECOND, now)) {
        account->untold_ms = account->untold == 0 ? now : account->untold_ms;
        account->untold++;
        return;
    }
    wn_log_line(WN_LEVEL_INFO, "session", "%s player=%s software=%s identity=%s address=%s",
                resumed ? "resumed" : "connected", wn_log_value(&player, at->session->player),
                wn_log_value(&software, hello->software != NULL ? hello->software : "?"), peer->identity,
                peer->address);
}

bool wn_request_hello(wn_context *at)
{
    const Warren__Hello *hello = at->request->hello;
    const uint32_t name_bytes = at->daemon->config->name_bytes;
    bool resumed = false;
    if (hello->protocol_min > WN_PROTOCOL_MAX || hello->protocol_max < WN_PROTOCOL_MIN) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_VERSION, "protocol", 0,
                            "warrend %s speaks protocol versions %u to %u, you %u to %u: use a frontend of its time",
                            WARREN_VERSION, WN_PROTOCOL_MIN, WN_PROTOCOL_MAX, hello->protocol_min, hello->protocol_max);
    }
    if (hello->player != NULL && strlen(hello->player) > name_bytes) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "name_bytes", name_bytes,
                            "a player's name has at most %u bytes here", name_bytes);
    }
    if (hello->player != NULL && !wn_text_seen(hello->player)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "player", 0,
                            "a player's name has no invisible characters, nor any that change how others are seen");
    }
    if (hello->player != NULL && wn_text_blanks(hello->player)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "player", 0,
                            "a player's name has no blanks but spaces: with others it would look like somebody else's");
    }
    if (hello->player != NULL && wn_subject_written(hello->player)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "player", 0,
                            "%s is how users, keys and addresses are written in lists of rights and bans: choose "
                            "another name",
                            hello->player);
    }
    if (!wn_access_may_enter(at->daemon, at->peer, &at->error)) {
        return false;
    }
    at->session = wn_session_hello(at->daemon, at->peer, hello, &resumed, &at->error);
    if (at->session == NULL) {
        return false;
    }
    tell(at, resumed);
    if (at->session->restored_count > 0) {
        at->session->welcome_waits = true; /* for the worlds it has seats in, which are being loaded first */
        at->session->welcome_request = at->request->id;
        return true;
    }
    wn_request_welcome(at->daemon, at->session, at->request->id, resumed);
    return true;
}

bool wn_request_ping(wn_context *at)
{
    Warren__Pong pong = WARREN__PONG__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    const size_t held = at->session->seat_count + at->session->watch_count;
    Warren__ViewPosition *positions = wn_must_zero(held + 1, sizeof *positions);
    Warren__ViewPosition **views = wn_must_zero(held + 1, sizeof *views);
    for (size_t i = 0; i < held; i++) {
        const bool seated = i < at->session->seat_count;
        const wn_game *game =
            seated ? at->session->seats[i].game : at->session->watches[i - at->session->seat_count].game;
        const wn_published_view *view = seated ? game->seats[at->session->seats[i].seat].view : game->spectators;
        warren__view_position__init(&positions[i]);
        positions[i].world = game->id;
        positions[i].sequence = view->sequence;
        views[i] = &positions[i];
    }
    pong.n_views = held;
    pong.views = views;
    message.body_case = WARREN__REPLY__BODY_PONG;
    message.pong = &pong;
    wn_request_reply(at, &message);
    free(views);
    free(positions);
    return true;
}

bool wn_request_goodbye(wn_context *at)
{
    wn_request_done(at);
    wn_session_end(at->daemon, at->session);
    return true;
}
