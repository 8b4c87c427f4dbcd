/* requests-play.c: seats and what is done in them: join, watch, leave, commands, chat, keyframes.
 */
#include "requests/request.h"

#include "access/access.h"
#include "access/accounts.h"
#include "access/names.h"
#include "memory.h"
#include "network/control.h"
#include "network/publish.h"
#include "operation/stop.h"
#include "sessions/sessions.h"
#include "sessions/watchers.h"
#include "worlds/directory.h"
#include "worlds/effects.h"
#include "worlds/loading.h"
#include "worlds/turns.h"

enum { HERE = 8 }; /* the last of the directions */

/* seats */

static bool may_join(wn_context *at, const wn_game *game)
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
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE,
                               "worlds pause: the server cannot write its journal");
    }
    if (wn_session_has_seat(at->session, game, &held)) {
        return true;
    }
    if (!wn_access_may_return(at->daemon, at->session, game, &at->error)) {
        return false;
    }
    if (wn_accounts_seats(at->session) >= config->seats_per_player) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "seats_per_player", config->seats_per_player,
                            "you hold %u seats, as many as you may; leave a world first", config->seats_per_player);
    }
    return true;
}

/* A seat of that player which no session holds: one that was lost with a crash, or while its world was parked. The
 * journal knows its player by name alone, so it is given only to whom the name belongs; others could take what is
 * somebody else's, who borrowed the name as they do. */
static wn_seat *find_orphan(const wn_context *at, const wn_game *game, uint32_t *index)
{
    const wn_session *session = at->session;
    const char *owner = wn_name_owner(at->daemon, session->player);
    for (uint32_t i = 0; owner != NULL && strcmp(owner, session->identity) == 0 && i < game->seat_count; i++) {
        wn_seat *seat = &game->seats[i];
        if (seat->state == WN_SEAT_TAKEN && seat->session == NULL && strcmp(seat->player, session->player) == 0) {
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

/* Which of the mode's entries; counted, not named, so the legend has to be here. */
static bool known_entry(wn_context *at, const wn_game *game, uint32_t entry)
{
    const size_t count = game->mode->descriptor->n_entries;
    if (entry == 0 || entry < count) {
        return true;
    }
    return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "entry", count > 0 ? count - 1 : 0,
                        "there is no way %u to enter %s: its mode has %zu, counted from 0", entry, game->name, count);
}

static bool take_seat(wn_context *at, wn_game *game)
{
    const uint32_t entry = at->request->join->entry;
    uint32_t index = 0;
    if (!known_entry(at, game, entry) || wn_drain_refuses(at->daemon, &at->error) ||
        !wn_access_may_come_in(at->daemon, at->session, game, WN_OWN_JOIN, &at->error)) {
        return false;
    }
    wn_seat *seat = find_free_seat(game, &index);
    if (seat == NULL) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_WORLD_FULL, "max_players", game->seat_count,
                            "all %u seats of %s are taken; it can be watched", game->seat_count, game->name);
    }
    seat->state = WN_SEAT_JOINING;
    seat->session = at->session;
    seat->join_request = at->request->id;
    seat->view = wn_published_view_new(game, (int32_t)index);
    snprintf(seat->player, sizeof seat->player, "%s", at->session->player);
    game->seats_taken++;
    at->daemon->seats_taken++;
    game->seats_unsettled++;
    wn_session_add_seat(at->session, game, index);
    wn_turns_join(game, index, seat->player, entry);
    wn_loading_want(game);
    return true; /* Joined comes when the turn with it is in the journal */
}

/* Which seats are taken is known when the world is served for the first time. */
static bool wait_to_join(wn_context *at, wn_game *game)
{
    for (size_t i = 0; i < game->join_count; i++) {
        if (game->joins[i].session == at->session) {
            return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "you are joining this world already");
        }
    }
    WN_GROW(game->joins, game->join_count, game->join_capacity);
    at->session->asked_worlds = true;
    game->joins[game->join_count++] = (struct wn_waiting_join){at->session, at->request->id, at->request->join->entry};
    wn_loading_want(game);
    return true;
}

bool wn_request_join(wn_context *at)
{
    uint32_t index = 0;
    wn_game *game = wn_request_game(at, at->request->join->world);
    if (game == NULL || !may_join(at, game)) {
        return false;
    }
    if (!game->seats_known) {
        return wait_to_join(at, game);
    }
    if (wn_session_has_seat(at->session, game, &index)) {
        wn_seat *seat = &game->seats[index];
        if (seat->state == WN_SEAT_JOINING) {
            return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "you are joining this world already");
        }
        if (seat->state == WN_SEAT_LEAVING) {
            return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "you are leaving this world: try again");
        }
        wn_effects_tell_joined(game, index, at->session, at->request->id);
        return true;
    }
    wn_seat *orphan = find_orphan(at, game, &index);
    if (orphan != NULL) {
        orphan->session = at->session;
        wn_session_add_seat(at->session, game, index);
        wn_effects_tell_joined(game, index, at->session, at->request->id);
        return true;
    }
    return take_seat(at, game);
}

void wn_request_join_waiting(wn_game *game)
{
    const size_t count = game->join_count;
    game->join_count = 0;
    for (size_t i = 0; i < count; i++) {
        wn_session *session = game->joins[i].session;
        Warren__JoinWorld body = WARREN__JOIN_WORLD__INIT;
        Warren__Request request = WARREN__REQUEST__INIT;
        if (session->peer == NULL) {
            continue;
        }
        body.world = game->name;
        body.has_entry = true;
        body.entry = game->joins[i].entry;
        request.id = game->joins[i].request;
        request.body_case = WARREN__REQUEST__BODY_JOIN;
        request.join = &body;
        wn_context at = {.daemon = game->daemon, .peer = session->peer, .session = session, .request = &request};
        if (!wn_request_join(&at)) {
            wn_control_error(game->daemon, session->peer, request.id, &at.error);
        }
    }
}

void wn_request_refuse_waiting(wn_game *game, const wn_error *error)
{
    for (size_t i = 0; i < game->join_count; i++) {
        if (game->joins[i].session->peer != NULL) {
            wn_control_error(game->daemon, game->joins[i].session->peer, game->joins[i].request, error);
        }
    }
    game->join_count = 0;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        if (game->seats[i].state == WN_SEAT_JOINING) {
            wn_effects_refuse_join(game, i, error);
        }
    }
}

bool wn_request_watch(wn_context *at)
{
    wn_game *game = wn_request_game(at, at->request->watch->world);
    Warren__Joined joined = WARREN__JOINED__INIT;
    if (game == NULL) {
        return false;
    }
    if (game->state == WN_GAME_PARKED) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0, "%s is parked: %.400s",
                            game->name, game->outcome);
    }
    if (!wn_access_may_return(at->daemon, at->session, game, &at->error) ||
        !wn_access_may_come_in(at->daemon, at->session, game, WN_OWN_WATCH, &at->error)) {
        return false;
    }
    if (!wn_session_add_watch(at->session, game)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "watches", WN_SESSION_WATCHES,
                            "you watch %d worlds, as many as you may; leave one first", WN_SESSION_WATCHES);
    }
    wn_loading_want(game);
    joined.world = game->id;
    joined.name = game->name;
    joined.view_key.data = wn_session_watch_key(at->session, game);
    joined.view_key.len = WN_KEY_BYTES;
    joined.mode = game->mode->descriptor;
    wn_watchers_fill(game, &joined);
    wn_control_joined(at->daemon, at->peer, at->request->id, &joined);
    return true;
}

bool wn_request_leave(wn_context *at)
{
    uint32_t seat = 0;
    wn_game *game = wn_request_own_game(at, at->request->leave->world);
    if (game == NULL) {
        return false;
    }
    if (wn_session_has_seat(at->session, game, &seat)) {
        wn_sessions_refuse_join(game, seat, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "you left before you were in");
        wn_turns_leave(game, seat);
        wn_session_drop_seat(at->session, game, seat);
        game->seats[seat].session = NULL;
    } else {
        wn_session_drop_watch(at->session, game);
    }
    return wn_request_done(at);
}

/* play */

/* An Error about a command. With a seat it counts as executed. */
static bool refuse_command(wn_context *at, wn_seat *seat, Warren__ErrorCode code, const char *field, uint64_t limit,
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

/* What is wrong with the action or its argument; NULL: nothing. */
static const char *find_fault(const Warren__Action *action, const Warren__Command *command)
{
    if (action == NULL) {
        return "the mode has no such action";
    }
    if (action->argument != WARREN__ARGUMENT_KIND__ARGUMENT_NONE && !command->has_argument) {
        return "the action takes an argument and got none";
    }
    if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION && command->argument > HERE) {
        return "a direction is 0 (north) to 8 (here)";
    }
    return NULL;
}

/* The seat's next command, into its queue. */
static bool take_command(wn_context *at, wn_game *game, wn_seat *seat)
{
    const Warren__Command *command = at->request->command;
    const Warren__Action *action = find_action(game->mode->descriptor, command->action);
    const char *fault = find_fault(action, command);
    if (fault != NULL) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_BAD_ACTION, action == NULL ? "action" : "argument", 0,
                              fault);
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
    const wn_queued_command queued = {command->number, command->action, command->argument,
                                      action->argument != WARREN__ARGUMENT_KIND__ARGUMENT_NONE};
    if (!wn_turns_command(game, seat, &queued)) {
        return refuse_command(at, seat, WARREN__ERROR_CODE__ERROR_LIMIT, "queued_commands", wn_turns_type_ahead(game),
                              "too many of your commands are waiting: wait until some were executed");
    }
    seat->accepted = command->number;
    return true;
}

bool wn_request_command(wn_context *at)
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
    return take_command(at, game, seat);
}

bool wn_request_say(wn_context *at)
{
    const Warren__Say *say = at->request->say;
    const uint32_t chat_bytes = at->daemon->config->chat_bytes;
    wn_game *game = wn_game_by_id(at->daemon, say->world);
    uint32_t seat = 0;
    const bool inside =
        game != NULL && (wn_session_has_seat(at->session, game, &seat) || wn_session_watches(at->session, game));
    if (game == NULL || (!inside && !at->peer->admin)) {
        return wn_request_own_game(at, say->world) != NULL;
    }
    if (strlen(say->text) > chat_bytes) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "chat_bytes", chat_bytes,
                            "a message has at most %u bytes here", chat_bytes);
    }
    if (game->state == WN_GAME_PARKED) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0, "%s is parked: %.400s",
                            game->name, game->outcome);
    }
    if (!wn_turns_chat(game, inside ? at->session->player : "", say->text)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "chat", WN_PENDING_MOST,
                            "%d messages wait for the next turn of %s, as many as may: say it again in a moment",
                            WN_PENDING_MOST, game->name);
    }
    return wn_request_done(at);
}

bool wn_request_resync(wn_context *at)
{
    uint32_t seat = 0;
    wn_game *game = wn_request_own_game(at, at->request->resync->world);
    if (game == NULL) {
        return false;
    }
    at->daemon->statistics.resyncs++;
    wn_published_view_want_keyframe(wn_session_has_seat(at->session, game, &seat) ? game->seats[seat].view
                                                                                  : game->spectators);
    return wn_request_done(at);
}
