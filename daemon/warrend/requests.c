/* requests.c: what each request does. See requests.h.
 */
#include "requests.h"

#include <sys/random.h>
#include <time.h>

#include "control.h"
#include "directory.h"
#include "effects.h"
#include "hosts.h"
#include "memory.h"
#include "publish.h"
#include "recovery.h"
#include "sessions.h"
#include "settings.h"
#include "turns.h"

/* A request being answered. Handlers fill in `error` and return false, or answer and return true. */
typedef struct context {
    wn_daemon *daemon;
    wn_peer *peer;
    wn_session *session;
    const Warren__Request *request;
    wn_error error;
} context;

static bool refuse(context *at, Warren__ErrorCode code, const char *text)
{
    return wn_fail_with(&at->error, code, NULL, 0, "%s", text);
}

static bool reply(context *at, Warren__Reply *reply)
{
    wn_control_reply(at->daemon, at->peer, at->request->id, reply);
    return true;
}

static bool done(context *at)
{
    wn_control_done(at->daemon, at->peer, at->request->id);
    return true;
}

static wn_game *find_game(context *at, const char *name)
{
    wn_game *game = wn_game_by_name(at->daemon, name);
    if (game == NULL) {
        wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0, "there is no world named %s", name);
    }
    return game;
}

/* A world that the session has a seat in or watches. */
static wn_game *find_own_game(context *at, uint32_t id)
{
    uint32_t seat = 0;
    wn_game *game = wn_game_by_id(at->daemon, id);
    if (game == NULL || (!wn_session_has_seat(at->session, game, &seat) && !wn_session_watches(at->session, game))) {
        wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0,
                     "you have no seat in world %u and do not watch it", id);
        return NULL;
    }
    return game;
}

/* --------------------------------------------------------------------------------------------------------- connection */

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
#undef FILL
}

/* What a resumed session still holds: its seats, and the worlds it watches. */
static size_t fill_seats(const wn_session *session, Warren__Joined *joined)
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
        entry->view_key.data = seat->view->key;
        entry->view_key.len = WN_KEY_BYTES;
        entry->has_next_command = true;
        entry->next_command = seat->accepted + 1;
    }
    for (size_t i = 0; i < session->watch_count; i++) {
        const wn_game *game = session->watches[i];
        Warren__Joined *entry = &joined[count++];
        warren__joined__init(entry);
        entry->world = game->id;
        entry->name = (char *)(uintptr_t)game->name;
        entry->view_key.data = game->spectators->key;
        entry->view_key.len = WN_KEY_BYTES;
    }
    return count;
}

static size_t split_addresses(char *addresses, char **list, size_t most)
{
    char *rest = NULL;
    size_t count = 0;
    for (char *address = strtok_r(addresses, " ", &rest); address != NULL && count < most;
         address = strtok_r(NULL, " ", &rest)) {
        list[count++] = address;
    }
    return count;
}

static bool welcome(context *at, bool resumed)
{
    enum { ADDRESSES = 16 };
    Warren__Welcome welcome = WARREN__WELCOME__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__Limits limits;
    const size_t held = at->session->seat_count + at->session->watch_count;
    Warren__Joined *joined = wn_must_zero(held + 1, sizeof *joined);
    Warren__Joined **seats = wn_must_zero(held + 1, sizeof *seats);
    char *addresses = wn_must_copy(at->daemon->config->updates);
    char *list[ADDRESSES];
    fill_limits(at->daemon->config, &limits);
    welcome.protocol = WN_PROTOCOL_MAX;
    welcome.software = (char *)(uintptr_t) "warrend " WARREN_VERSION;
    welcome.session.data = at->session->token;
    welcome.session.len = WN_KEY_BYTES;
    welcome.player = at->session->player;
    welcome.resumed = resumed;
    welcome.n_seats = fill_seats(at->session, joined);
    for (size_t i = 0; i < held; i++) {
        seats[i] = &joined[i];
    }
    welcome.seats = seats;
    welcome.heartbeat_ms = at->daemon->config->heartbeat_ms;
    welcome.grace_ms = at->daemon->config->grace_ms;
    welcome.limits = &limits;
    welcome.n_updates = split_addresses(addresses, list, ADDRESSES);
    welcome.updates = list;
    welcome.has_admin = true;
    welcome.admin = at->peer->admin;
    message.body_case = WARREN__REPLY__BODY_WELCOME;
    message.welcome = &welcome;
    reply(at, &message);
    free(addresses);
    free(seats);
    free(joined);
    return true;
}

static bool hello(context *at)
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
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "player", name_bytes,
                            "a player's name has at most %u bytes here", name_bytes);
    }
    at->session = wn_session_hello(at->daemon, at->peer, hello, &resumed, &at->error);
    if (at->session == NULL) {
        return false;
    }
    wn_log_line(WN_LEVEL_INFO, "session", "%s player=%s software=%s", resumed ? "resumed" : "connected",
                at->session->player, hello->software != NULL ? hello->software : "?");
    return welcome(at, resumed);
}

static bool ping(context *at)
{
    Warren__Pong pong = WARREN__PONG__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    const size_t held = at->session->seat_count + at->session->watch_count;
    Warren__ViewPosition *positions = wn_must_zero(held + 1, sizeof *positions);
    Warren__ViewPosition **views = wn_must_zero(held + 1, sizeof *views);
    for (size_t i = 0; i < held; i++) {
        const bool seated = i < at->session->seat_count;
        const wn_game *game = seated ? at->session->seats[i].game : at->session->watches[i - at->session->seat_count];
        const wn_published_view *view =
            seated ? game->seats[at->session->seats[i].seat].view : game->spectators;
        warren__view_position__init(&positions[i]);
        positions[i].world = game->id;
        positions[i].sequence = view->sequence;
        views[i] = &positions[i];
    }
    pong.n_views = held;
    pong.views = views;
    message.body_case = WARREN__REPLY__BODY_PONG;
    message.pong = &pong;
    reply(at, &message);
    free(views);
    free(positions);
    return true;
}

static bool goodbye(context *at)
{
    done(at);
    wn_session_end(at->daemon, at->session);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------- worlds */

static bool list_modes(context *at)
{
    Warren__ModeList list = WARREN__MODE_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__Mode **modes = wn_must_zero(at->daemon->host_count + 1, sizeof *modes);
    for (size_t i = 0; i < at->daemon->host_count; i++) {
        const wn_host_process *host = at->daemon->hosts[i];
        if (host->mode != NULL && host->state != WN_HOST_FAILED) {
            modes[list.n_modes++] = host->mode;
        }
    }
    list.modes = modes;
    message.body_case = WARREN__REPLY__BODY_MODES;
    message.modes = &list;
    reply(at, &message);
    free(modes);
    return true;
}

static bool list_worlds(context *at)
{
    const size_t count = zhashx_size(at->daemon->games);
    Warren__WorldList list = WARREN__WORLD_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__WorldInfo *infos = wn_must_zero(count + 1, sizeof *infos);
    Warren__WorldInfo **worlds = wn_must_zero(count + 1, sizeof *worlds);
    for (const wn_game *game = zhashx_first(at->daemon->games); game != NULL; game = zhashx_next(at->daemon->games)) {
        wn_game_describe(game, &infos[list.n_worlds]);
        worlds[list.n_worlds] = &infos[list.n_worlds];
        list.n_worlds++;
    }
    list.worlds = worlds;
    message.body_case = WARREN__REPLY__BODY_WORLDS;
    message.worlds = &list;
    reply(at, &message);
    free(worlds);
    free(infos);
    return true;
}

static bool check_create(context *at, wn_host_process **host)
{
    const Warren__CreateWorld *create = at->request->create;
    const wn_config *config = at->daemon->config;
    *host = wn_hosts_lookup(at->daemon, create->mode);
    if (*host == NULL) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "mode", 0,
                            "there is no mode named %s; \"warrenctl modes\" lists those there are", create->mode);
    }
    if ((*host)->state == WN_HOST_FAILED) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "mode", 0, "mode %s is out of order: %.400s",
                            create->mode, (*host)->failure);
    }
    if ((*host)->mode == NULL) {
        return refuse(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "the mode is being loaded: try again in a moment");
    }
    if (create->name != NULL && wn_game_by_name(at->daemon, create->name) != NULL) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NAME_TAKEN, "name", 0,
                            "there is a world named %s already; choose another name", create->name);
    }
    if (zhashx_size(at->daemon->games) >= config->worlds) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "worlds", config->worlds,
                            "the server holds %u worlds, as many as it may; close one first", config->worlds);
    }
    if (!at->peer->admin && wn_games_owned(at->daemon, at->session->player) >= config->worlds_per_player) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "worlds_per_player",
                            config->worlds_per_player, "you own %u worlds, as many as you may; close one first",
                            config->worlds_per_player);
    }
    return true;
}

/* MODE-N with the first N that is free from the number of worlds on. */
static void choose_world_name(wn_daemon *daemon, const char *mode, char *name)
{
    size_t number = 1;
    do {
        snprintf(name, WN_NAME_BYTES + 1, "%.20s-%zu", mode, number++);
    } while (wn_game_by_name(daemon, name) != NULL);
}

static uint64_t draw_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        seed = (uint64_t)time(NULL);
    }
    return seed;
}

/* Writes the world down, takes it into the directory and sends it to its host. The WorldInfo is sent when the host has
 * made it. */
static bool make_world(context *at, wn_host_process *host, char **values)
{
    const Warren__CreateWorld *create = at->request->create;
    const size_t count = host->mode->n_settings;
    wn_stored_setting *settings = wn_must_zero(count + 1, sizeof *settings);
    char name[WN_NAME_BYTES + 1];
    for (size_t i = 0; i < count; i++) {
        settings[i].name = host->mode->settings[i]->name;
        settings[i].value = values[i];
    }
    choose_world_name(at->daemon, host->name, name);
    wn_stored_world stored = {
        .name = create->name != NULL ? create->name : name,
        .mode = host->name,
        .owner = at->session->player,
        .seed = create->has_seed ? create->seed : draw_seed(),
        .created = (int64_t)time(NULL),
        .settings = settings,
        .setting_count = count,
    };
    const bool made = wn_store_create_world(at->daemon->store, &stored, &at->error);
    if (made) {
        wn_game *game = wn_game_new(at->daemon, &stored, host);
        game->creator = at->session;
        game->create_request = at->request->id != 0 ? at->request->id : UINT32_MAX;
        wn_log_line(WN_LEVEL_INFO, "world", "created world=%s mode=%s owner=%s", game->name, host->name, game->owner);
        wn_recovery_load(game);
    }
    free(settings);
    return made;
}

static bool create(context *at)
{
    wn_host_process *host = NULL;
    if (!check_create(at, &host)) {
        return false;
    }
    char **values = wn_settings_resolve(host->mode, at->request->create->settings, at->request->create->n_settings,
                                        &at->error);
    if (values == NULL) {
        return false;
    }
    const bool made = make_world(at, host, values);
    wn_settings_free(values, host->mode->n_settings);
    return made;
}

static bool close_world(context *at)
{
    wn_game *game = find_game(at, at->request->close->world);
    if (game == NULL) {
        return false;
    }
    if (!at->peer->admin && strcmp(game->owner, at->session->player) != 0) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "world", 0,
                            "only %s, who owns %s, and the administrator may close it",
                            game->owner[0] != '\0' ? game->owner : "nobody", game->name);
    }
    if (!wn_store_delete_world(at->daemon->store, game->id, &at->error)) {
        return false;
    }
    wn_log_line(WN_LEVEL_INFO, "world", "closed world=%s player=%s", game->name, at->session->player);
    wn_sessions_notice_game(at->daemon, game, WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED, "the world was closed");
    wn_sessions_forget_game(at->daemon, game);
    wn_game_free(game);
    return done(at);
}

/* -------------------------------------------------------------------------------------------------------------- seats */

static bool may_join(context *at, const wn_game *game)
{
    const wn_config *config = at->daemon->config;
    uint32_t held = 0;
    if (game->state == WN_GAME_OVER) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_WORLD_OVER, "world", 0,
                            "%s is over (%.300s); it can be watched", game->name, game->outcome);
    }
    if (game->state == WN_GAME_PARKED) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0, "%s is parked: %.400s",
                            game->name, game->outcome);
    }
    if (at->daemon->commit_failing) {
        return refuse(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "worlds pause: the server cannot write its journal");
    }
    if (wn_session_has_seat(at->session, game, &held)) {
        return true;
    }
    if (at->session->seat_count >= config->seats_per_player) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "seats_per_player", config->seats_per_player,
                            "you hold %u seats, as many as you may; leave a world first", config->seats_per_player);
    }
    return true;
}

/* A seat of that player which nobody connected holds: after a restart of the daemon players find theirs again. */
static wn_seat *find_orphan(const wn_game *game, const char *player, uint32_t *index)
{
    for (uint32_t i = 0; i < game->seat_count; i++) {
        wn_seat *seat = &game->seats[i];
        if (seat->state == WN_SEAT_TAKEN && seat->session == NULL && strcmp(seat->player, player) == 0) {
            *index = i;
            return seat;
        }
    }
    return NULL;
}

static wn_seat *find_free_seat(wn_game *game, uint32_t *index)
{
    for (uint32_t i = 0; wn_seat_at(game, i) != NULL; i++) {
        if (game->seats[i].state == WN_SEAT_FREE) {
            *index = i;
            return &game->seats[i];
        }
    }
    return NULL;
}

static bool take_seat(context *at, wn_game *game)
{
    uint32_t index = 0;
    wn_seat *seat = find_free_seat(game, &index);
    if (seat == NULL) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_WORLD_FULL, "max_players", game->seat_count,
                            "all %u seats of %s are taken; it can be watched", game->seat_count, game->name);
    }
    seat->state = WN_SEAT_JOINING;
    seat->session = at->session;
    seat->join_request = at->request->id;
    seat->view = wn_view_new(game, (int32_t)index);
    snprintf(seat->player, sizeof seat->player, "%s", at->session->player);
    game->seats_taken++;
    game->seats_unsettled++;
    wn_session_add_seat(at->session, game, index);
    wn_turns_join(game, index, seat->player);
    return true; /* Joined comes when the turn with it is in the journal */
}

static bool join(context *at)
{
    uint32_t index = 0;
    wn_game *game = find_game(at, at->request->join->world);
    if (game == NULL || !may_join(at, game)) {
        return false;
    }
    if (wn_session_has_seat(at->session, game, &index)) {
        wn_seat *seat = &game->seats[index];
        if (seat->state == WN_SEAT_JOINING) {
            return refuse(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "you are joining this world already");
        }
        if (seat->state == WN_SEAT_LEAVING) {
            return refuse(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "you are leaving this world: try again");
        }
        wn_effects_tell_joined(game, index, at->session, at->request->id);
        return true;
    }
    wn_seat *orphan = find_orphan(game, at->session->player, &index);
    if (orphan != NULL) {
        orphan->session = at->session;
        wn_session_add_seat(at->session, game, index);
        wn_effects_tell_joined(game, index, at->session, at->request->id);
        return true;
    }
    return take_seat(at, game);
}

static bool watch(context *at)
{
    wn_game *game = find_game(at, at->request->watch->world);
    Warren__Joined joined = WARREN__JOINED__INIT;
    if (game == NULL) {
        return false;
    }
    if (game->state == WN_GAME_PARKED) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0, "%s is parked: %.400s",
                            game->name, game->outcome);
    }
    if (!wn_session_add_watch(at->session, game)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "watches", WN_SESSION_WATCHES,
                            "you watch %d worlds, as many as you may; leave one first", WN_SESSION_WATCHES);
    }
    joined.world = game->id;
    joined.name = game->name;
    joined.view_key.data = game->spectators->key;
    joined.view_key.len = WN_KEY_BYTES;
    joined.mode = game->host->mode;
    wn_control_joined(at->daemon, at->peer, at->request->id, &joined);
    return true;
}

static bool leave(context *at)
{
    uint32_t seat = 0;
    wn_game *game = find_own_game(at, at->request->leave->world);
    if (game == NULL) {
        return false;
    }
    if (wn_session_has_seat(at->session, game, &seat)) {
        wn_turns_leave(game, seat);
        wn_session_drop_seat(at->session, game, seat);
        game->seats[seat].session = NULL;
    } else {
        wn_session_drop_watch(at->session, game);
    }
    return done(at);
}

/* --------------------------------------------------------------------------------------------------------------- play */

/* Like refuse(), about a command: it counts as executed. */
static bool refuse_command(context *at, wn_seat *seat, Warren__ErrorCode code, const char *field, uint64_t limit,
                           const char *text)
{
    const Warren__Command *command = at->request->command;
    wn_fail_with(&at->error, code, field, limit, "%s", text);
    if (seat != NULL) {
        seat->accepted = command->number;
    }
    wn_control_refuse_command(at->daemon, at->peer, command->world, command->number, &at->error);
    return true;
}

static const Warren__Action *find_action(const Warren__Mode *mode, uint32_t id)
{
    for (size_t i = 0; i < mode->n_actions; i++) {
        if (mode->actions[i]->id == id) {
            return mode->actions[i];
        }
    }
    return NULL;
}

static bool command(context *at)
{
    const Warren__Command *command = at->request->command;
    uint32_t index = 0;
    wn_game *game = wn_game_by_id(at->daemon, command->world);
    if (game == NULL || !wn_session_has_seat(at->session, game, &index)) {
        return refuse_command(at, NULL, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0,
                              "you have no seat in that world: join it first");
    }
    wn_seat *seat = &game->seats[index];
    if (command->number <= seat->accepted) {
        return true; /* resent after a reconnection: it is executed or on its way */
    }
    if (command->number != seat->accepted + 1) {
        char text[96];
        snprintf(text, sizeof text, "command %u is out of order: %u comes next", command->number, seat->accepted + 1);
        return refuse_command(at, NULL, WARREN__ERROR_CODE__ERROR_MALFORMED, "number", seat->accepted + 1, text);
    }
    const Warren__Action *action = find_action(game->host->mode, command->action);
    if (action == NULL) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_BAD_ACTION, "action", 0,
                              "the mode has no such action");
    }
    if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION && command->argument > 8) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_BAD_ACTION, "argument", 8,
                              "a direction is 0 (north) to 8 (here)");
    }
    if (game->state == WN_GAME_OVER) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_WORLD_OVER, "world", 0, game->outcome);
    }
    if (game->state == WN_GAME_PARKED) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0, game->outcome);
    }
    if (seat->state != WN_SEAT_TAKEN) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "seat", 0, "your seat is not there (yet)");
    }
    const wn_queued_command queued = {command->number, command->action, command->argument};
    if (!wn_turns_command(game, seat, &queued)) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_LIMIT, "queued_commands",
                              at->daemon->config->queued_commands,
                              "too many of your commands are waiting: wait until some were executed");
    }
    seat->accepted = command->number;
    return true;
}

static bool say(context *at)
{
    const Warren__Say *say = at->request->say;
    const uint32_t chat_bytes = at->daemon->config->chat_bytes;
    wn_game *game = wn_game_by_id(at->daemon, say->world);
    uint32_t seat = 0;
    const bool inside = game != NULL && (wn_session_has_seat(at->session, game, &seat) ||
                                         wn_session_watches(at->session, game));
    if (game == NULL || (!inside && !at->peer->admin)) {
        return find_own_game(at, say->world) != NULL;
    }
    if (strlen(say->text) > chat_bytes) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "chat_bytes", chat_bytes,
                            "a message has at most %u bytes here", chat_bytes);
    }
    if (game->state == WN_GAME_PARKED) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0, "%s is parked: %.400s",
                            game->name, game->outcome);
    }
    wn_turns_chat(game, inside ? at->session->player : "", say->text);
    return done(at);
}

static bool resync(context *at)
{
    uint32_t seat = 0;
    wn_game *game = find_own_game(at, at->request->resync->world);
    if (game == NULL) {
        return false;
    }
    wn_view_want_keyframe(wn_session_has_seat(at->session, game, &seat) ? game->seats[seat].view : game->spectators);
    return done(at);
}

/* --------------------------------------------------------------------------------------------------------------- tell */

static size_t fill_players(const wn_game *game, Warren__PlayerInfo *infos, Warren__PlayerInfo **list)
{
    size_t count = 0;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        const wn_seat *seat = &game->seats[i];
        if (seat->state == WN_SEAT_FREE) {
            continue;
        }
        warren__player_info__init(&infos[count]);
        infos[count].player = (char *)(uintptr_t)seat->player;
        infos[count].world = (char *)(uintptr_t)game->name;
        infos[count].seat = i;
        infos[count].has_connected = true;
        infos[count].connected = seat->session != NULL && seat->session->peer != NULL;
        list[count] = &infos[count];
        count++;
    }
    return count;
}

static bool list_players(context *at)
{
    Warren__PlayerList players = WARREN__PLAYER_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    const char *wanted = at->request->list_players->world;
    size_t count = 0;
    if (wanted != NULL && find_game(at, wanted) == NULL) {
        return false;
    }
    for (const wn_game *game = zhashx_first(at->daemon->games); game != NULL; game = zhashx_next(at->daemon->games)) {
        count += game->seats_taken;
    }
    Warren__PlayerInfo *infos = wn_must_zero(count + 1, sizeof *infos);
    Warren__PlayerInfo **list = wn_must_zero(count + 1, sizeof *list);
    for (const wn_game *game = zhashx_first(at->daemon->games); game != NULL; game = zhashx_next(at->daemon->games)) {
        if (wanted == NULL || strcmp(wanted, game->name) == 0) {
            players.n_players += fill_players(game, infos + players.n_players, list + players.n_players);
        }
    }
    players.players = list;
    message.body_case = WARREN__REPLY__BODY_PLAYERS;
    message.players = &players;
    reply(at, &message);
    free(list);
    free(infos);
    return true;
}

static void fill_host(const wn_host_process *host, Warren__HostInfo *info)
{
    warren__host_info__init(info);
    info->mode = (char *)(uintptr_t)host->name;
    info->has_pid = host->pid != 0;
    info->pid = (uint32_t)host->pid;
    info->has_worlds = true;
    info->worlds = (uint32_t)host->game_count;
    info->has_restarts = true;
    info->restarts = host->restarts;
    info->failure = host->state == WN_HOST_FAILED ? (char *)(uintptr_t)host->failure : NULL;
}

static uint32_t count_seats(wn_daemon *daemon)
{
    uint32_t seats = 0;
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        seats += game->seats_taken;
    }
    return seats;
}

static bool get_status(context *at)
{
    wn_daemon *daemon = at->daemon;
    const wn_statistics *statistics = &daemon->statistics;
    Warren__ServerStatus status = WARREN__SERVER_STATUS__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__HostInfo *infos = wn_must_zero(daemon->host_count + 1, sizeof *infos);
    Warren__HostInfo **hosts = wn_must_zero(daemon->host_count + 1, sizeof *hosts);
    for (size_t i = 0; i < daemon->host_count; i++) {
        fill_host(daemon->hosts[i], &infos[i]);
        hosts[i] = &infos[i];
    }
    status.software = (char *)(uintptr_t) "warrend " WARREN_VERSION;
    status.n_hosts = daemon->host_count;
    status.hosts = hosts;
#define FILL(field, value) (status.has_##field = true, status.field = (value))
    FILL(uptime_seconds, (wn_loop_now_ms(daemon->loop) - daemon->started_ms) / 1000);
    FILL(worlds, (uint32_t)zhashx_size(daemon->games));
    FILL(sessions, (uint32_t)zhashx_size(daemon->sessions));
    FILL(seats, count_seats(daemon));
    FILL(turns, statistics->turns);
    FILL(commands, statistics->commands);
    FILL(updates, statistics->updates);
    FILL(update_bytes, statistics->update_bytes);
    FILL(keyframes, statistics->keyframes);
    FILL(refused, statistics->refused);
    FILL(subscriptions_refused, statistics->subscriptions_refused);
#undef FILL
    message.body_case = WARREN__REPLY__BODY_STATUS;
    message.status = &status;
    reply(at, &message);
    free(hosts);
    free(infos);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- the table */

typedef bool handler_function(context *at);

/* By Request.body: who answers. All but Hello need a session. */
static handler_function *const handlers[] = {
    [WARREN__REQUEST__BODY_HELLO] = hello,
    [WARREN__REQUEST__BODY_COMMAND] = command,
    [WARREN__REQUEST__BODY_PING] = ping,
    [WARREN__REQUEST__BODY_LIST_MODES] = list_modes,
    [WARREN__REQUEST__BODY_LIST_WORLDS] = list_worlds,
    [WARREN__REQUEST__BODY_CREATE] = create,
    [WARREN__REQUEST__BODY_JOIN] = join,
    [WARREN__REQUEST__BODY_WATCH] = watch,
    [WARREN__REQUEST__BODY_LEAVE] = leave,
    [WARREN__REQUEST__BODY_SAY] = say,
    [WARREN__REQUEST__BODY_RESYNC] = resync,
    [WARREN__REQUEST__BODY_CLOSE] = close_world,
    [WARREN__REQUEST__BODY_LIST_PLAYERS] = list_players,
    [WARREN__REQUEST__BODY_GET_STATUS] = get_status,
    [WARREN__REQUEST__BODY_GOODBYE] = goodbye,
};

void wn_requests_refuse(wn_daemon *daemon, wn_peer *peer, const Warren__Request *request, const wn_error *error)
{
    uint32_t seat = 0;
    if (request == NULL || request->body_case != WARREN__REQUEST__BODY_COMMAND) {
        wn_control_error(daemon, peer, request != NULL ? request->id : 0, error);
        return;
    }
    /* A refused command counts as executed, so that the seat's next one is in order. */
    const Warren__Command *refused = request->command;
    wn_game *game = wn_game_by_id(daemon, refused->world);
    if (game != NULL && peer->session != NULL && wn_session_has_seat(peer->session, game, &seat) &&
        refused->number == game->seats[seat].accepted + 1) {
        game->seats[seat].accepted = refused->number;
    }
    wn_control_refuse_command(daemon, peer, refused->world, refused->number, error);
}

void wn_requests_handle(wn_daemon *daemon, wn_peer *peer, const Warren__Request *request)
{
    context at = {.daemon = daemon, .peer = peer, .session = peer->session, .request = request};
    bool answered = false;
    if (daemon->stopping) {
        refuse(&at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "the server is stopping: connect again later");
    } else if (peer->session == NULL && request->body_case != WARREN__REQUEST__BODY_HELLO) {
        refuse(&at, WARREN__ERROR_CODE__ERROR_NO_SESSION, "say Hello first");
    } else {
        answered = handlers[request->body_case](&at);
    }
    if (!answered) {
        wn_requests_refuse(daemon, peer, request, &at.error);
    }
}
