/* requests.c: the requests a frontend can make, and which of them wait for an answer. What an answer does stands in
 * events.c; commands, which have no answer, in commands.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* those that wait */

static void fail_request(wn_client *client, const wn_pending_request *pending, const wn_error *error)
{
    if (pending->kind < WN_REQUEST_REJOIN) {
        wn_queued_event *event = wn_event_queue(client, WN_EVENT_ERROR);
        event->request = pending->id;
        event->world = pending->world;
        event->error = *error;
    }
}

static bool fits(const wn_client *client, size_t size, wn_error *error)
{
    const Warren__Limits *limits = client->welcome ? client->welcome->limits : NULL;
    const uint32_t limit = limits && limits->has_message_bytes ? limits->message_bytes : WN_REQUEST_BYTES;
    return size <= limit ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "message_bytes", limit,
                        "The request has %zu bytes; the most is %u (message_bytes). Send less at once.", size, limit);
}

static void send_pending(wn_client *client, wn_pending_request *pending)
{
    wn_connection_send(client, &pending->bytes);
    wn_buffer_free(&pending->bytes);
}

uint32_t wn_request_submit(wn_client *client, wn_request_kind kind, uint32_t world, Warren__Request *request)
{
    wn_error error;
    const uint32_t most = kind < WN_REQUEST_REJOIN ? WN_CLIENT_REQUESTS : 2 * WN_CLIENT_REQUESTS;
    if (client->request_count + client->queue_count >= most) {
        return 0;
    }
    client->last_id += client->last_id == UINT32_MAX ? 2 : 1; /* 0 would ask for no answer */
    request->has_id = true;
    request->id = client->last_id;
    wn_pending_request pending = {.id = request->id, .kind = kind, .world = world};
    if (client->state == WN_CLIENT_REFUSED) {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                     "The daemon at %s has refused this client; nothing can be asked of it.", client->control_endpoint);
        fail_request(client, &pending, &error);
        return pending.id;
    }
    wn_encode(&pending.bytes, &request->base);
    if (!fits(client, pending.bytes.size, &error)) {
        fail_request(client, &pending, &error);
        wn_buffer_free(&pending.bytes);
        return pending.id;
    }
    if (client->state == WN_CLIENT_CONNECTED) {
        send_pending(client, &pending);
    }
    if (client->request_count == client->request_capacity) {
        client->requests = wn_client_grow(client->requests, &client->request_capacity, sizeof *client->requests);
    }
    client->requests[client->request_count++] = pending;
    return pending.id;
}

static void drop(wn_client *client, uint32_t at)
{
    wn_buffer_free(&client->requests[at].bytes);
    client->request_count--;
    memmove(client->requests + at, client->requests + at + 1, (client->request_count - at) * sizeof *client->requests);
}

bool wn_request_take(wn_client *client, uint32_t id, wn_pending_request *taken)
{
    for (uint32_t i = 0; i < client->request_count; i++) {
        if (client->requests[i].id == id && client->requests[i].bytes.size == 0) {
            *taken = client->requests[i];
            drop(client, i);
            return true;
        }
    }
    return false;
}

bool wn_request_joins(const wn_client *client, const char *name)
{
    uint32_t i = 0;
    while (i < client->request_count &&
           (client->requests[i].kind != WN_REQUEST_JOIN || strcmp(client->requests[i].name, name) != 0)) {
        i++;
    }
    return i < client->request_count;
}

void wn_client_forget(wn_client *client, uint32_t request)
{
    uint32_t at = 0;
    while (request != 0 && at < client->request_count && client->requests[at].id != request) {
        at++;
    }
    if (request == 0 || at == client->request_count || client->requests[at].kind >= WN_REQUEST_REJOIN) {
        return;
    }
    wn_pending_request *pending = &client->requests[at];
    if (pending->bytes.size > 0) {
        drop(client, at); /* it was never sent */
    } else {
        pending->kind = pending->kind == WN_REQUEST_JOIN ? WN_REQUEST_UNWANTED : WN_REQUEST_OWN;
    }
}

void wn_requests_flush(wn_client *client)
{
    for (uint32_t i = 0; i < client->request_count; i++) {
        if (client->requests[i].bytes.size > 0) {
            send_pending(client, &client->requests[i]);
        }
    }
}

void wn_requests_end(wn_client *client, bool unsent_too, const wn_error *error)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < client->request_count; i++) {
        wn_pending_request *pending = &client->requests[i];
        if (pending->bytes.size > 0 && !unsent_too) {
            client->requests[kept++] = *pending;
            continue;
        }
        wn_buffer_free(&pending->bytes);
        fail_request(client, pending, error);
    }
    client->request_count = kept;
}

void wn_requests_free(wn_client *client)
{
    for (uint32_t i = 0; i < client->request_count; i++) {
        wn_buffer_free(&client->requests[i].bytes);
    }
    free(client->requests);
}

/* those one can make */
/* (The casts to char *: protobuf-c's structures have no const, but encoding does not write through them.) */

static uint32_t submit(wn_client *client, wn_request_kind kind, uint32_t world, Warren__Request__BodyCase body_case,
                       ProtobufCMessage *body)
{
    Warren__Request request = WARREN__REQUEST__INIT;
    request.body_case = body_case;
    request.hello = (Warren__Hello *)body; /* a union of pointers to messages */
    return wn_request_submit(client, kind, world, &request);
}

uint32_t wn_client_list_modes(wn_client *client)
{
    Warren__ListModes body = WARREN__LIST_MODES__INIT;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_LIST_MODES, &body.base);
}

uint32_t wn_client_list_worlds(wn_client *client)
{
    Warren__ListWorlds body = WARREN__LIST_WORLDS__INIT;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_LIST_WORLDS, &body.base);
}

uint32_t wn_client_list_players(wn_client *client, const char *world)
{
    Warren__ListPlayers body = WARREN__LIST_PLAYERS__INIT;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_LIST_PLAYERS, &body.base);
}

uint32_t wn_client_list_scores(wn_client *client, const char *mode, const char *world, const char *player)
{
    Warren__ListScores body = WARREN__LIST_SCORES__INIT;
    body.mode = (char *)mode;
    body.world = (char *)world;
    body.player = (char *)player;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_LIST_SCORES, &body.base);
}

uint32_t wn_client_status(wn_client *client)
{
    Warren__GetStatus body = WARREN__GET_STATUS__INIT;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_GET_STATUS, &body.base);
}

/* Settings as a list of a message's; both to be freed. NULL: no memory. */
static Warren__SettingValue **point_at(const Warren__SettingValue *settings, size_t count,
                                       Warren__SettingValue **copies)
{
    Warren__SettingValue **pointers = calloc(count + 1, sizeof *pointers);
    *copies = calloc(count + 1, sizeof **copies);
    if (pointers == NULL || *copies == NULL) {
        free(pointers);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        (*copies)[i] = settings[i];
        pointers[i] = &(*copies)[i];
    }
    return pointers;
}

uint32_t wn_client_create(wn_client *client, const char *mode, const char *name, const Warren__SettingValue *settings,
                          size_t setting_count, const uint64_t *seed)
{
    Warren__CreateWorld body = WARREN__CREATE_WORLD__INIT;
    Warren__SettingValue *copies = NULL;
    Warren__SettingValue **pointers = point_at(settings, setting_count, &copies);
    uint32_t id = 0;
    if (pointers != NULL) {
        body.mode = (char *)mode;
        body.name = (char *)name;
        body.n_settings = setting_count;
        body.settings = pointers;
        body.has_seed = seed != NULL;
        body.seed = seed ? *seed : 0;
        id = submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_CREATE, &body.base);
    }
    free(copies);
    free(pointers);
    return id;
}

uint32_t wn_client_change_world(wn_client *client, const char *world, const Warren__SettingValue *settings,
                                size_t setting_count)
{
    Warren__ChangeWorld body = WARREN__CHANGE_WORLD__INIT;
    Warren__SettingValue *copies = NULL;
    Warren__SettingValue **pointers = point_at(settings, setting_count, &copies);
    uint32_t id = 0;
    if (pointers != NULL) {
        body.world = (char *)world;
        body.n_settings = setting_count;
        body.settings = pointers;
        id = submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_CHANGE, &body.base);
    }
    free(copies);
    free(pointers);
    return id;
}

uint32_t wn_client_close_world(wn_client *client, const char *world)
{
    Warren__CloseWorld body = WARREN__CLOSE_WORLD__INIT;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_CLOSE, &body.base);
}

static uint32_t submit_join(wn_client *client, const char *world, Warren__Request__BodyCase body_case,
                            ProtobufCMessage *body)
{
    const uint32_t id = submit(client, WN_REQUEST_JOIN, 0, body_case, body);
    wn_pending_request *last = client->request_count > 0 ? &client->requests[client->request_count - 1] : NULL;
    if (id != 0 && last != NULL && last->id == id) {
        snprintf(last->name, sizeof last->name, "%s", world);
    }
    return id;
}

uint32_t wn_client_join(wn_client *client, const char *world, uint32_t entry)
{
    Warren__JoinWorld body = WARREN__JOIN_WORLD__INIT;
    body.world = (char *)world;
    body.has_entry = entry > 0;
    body.entry = entry;
    return submit_join(client, world, WARREN__REQUEST__BODY_JOIN, &body.base);
}

uint32_t wn_client_watch(wn_client *client, const char *world)
{
    Warren__WatchWorld body = WARREN__WATCH_WORLD__INIT;
    body.world = (char *)world;
    return submit_join(client, world, WARREN__REQUEST__BODY_WATCH, &body.base);
}

uint32_t wn_client_leave(wn_client *client, uint32_t world)
{
    Warren__LeaveWorld body = WARREN__LEAVE_WORLD__INIT;
    body.world = world;
    wn_adoption_forget(client, world);
    return submit(client, WN_REQUEST_LEAVE, world, WARREN__REQUEST__BODY_LEAVE, &body.base);
}

uint32_t wn_client_say(wn_client *client, uint32_t world, const char *text)
{
    Warren__Say body = WARREN__SAY__INIT;
    body.world = world;
    body.text = (char *)text;
    return submit(client, WN_REQUEST_PLAIN, world, WARREN__REQUEST__BODY_SAY, &body.base);
}

uint32_t wn_client_export(wn_client *client, const char *world, uint64_t after)
{
    Warren__ExportWorld body = WARREN__EXPORT_WORLD__INIT;
    body.world = (char *)world;
    body.has_after = after > 0;
    body.after = after;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_EXPORT, &body.base);
}

uint32_t wn_client_backup(wn_client *client, const char *directory)
{
    Warren__Backup body = WARREN__BACKUP__INIT;
    body.directory = (char *)directory;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_BACKUP, &body.base);
}

uint32_t wn_client_recover(wn_client *client, const char *world, Warren__RecoverHow how)
{
    Warren__RecoverWorld body = WARREN__RECOVER_WORLD__INIT;
    body.world = (char *)world;
    body.how = how;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_RECOVER, &body.base);
}

uint32_t wn_client_list_sessions(wn_client *client)
{
    Warren__ListSessions body = WARREN__LIST_SESSIONS__INIT;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_LIST_SESSIONS, &body.base);
}

uint32_t wn_client_park(wn_client *client, const char *world)
{
    Warren__ParkWorld body = WARREN__PARK_WORLD__INIT;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_PARK, &body.base);
}

uint32_t wn_client_unpark(wn_client *client, const char *world)
{
    Warren__UnparkWorld body = WARREN__UNPARK_WORLD__INIT;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_UNPARK, &body.base);
}

uint32_t wn_client_save(wn_client *client, const char *world)
{
    Warren__SaveWorlds body = WARREN__SAVE_WORLDS__INIT;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_SAVE, &body.base);
}

uint32_t wn_client_reload(wn_client *client)
{
    Warren__Reload body = WARREN__RELOAD__INIT;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_RELOAD, &body.base);
}

uint32_t wn_client_drain(wn_client *client, Warren__DrainHow how)
{
    Warren__Drain body = WARREN__DRAIN__INIT;
    body.how = how;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_DRAIN, &body.base);
}

uint32_t wn_client_log_level(wn_client *client, Warren__LogLevel level)
{
    Warren__SetLogLevel body = WARREN__SET_LOG_LEVEL__INIT;
    body.level = level;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_LOG_LEVEL, &body.base);
}

uint32_t wn_client_stop(wn_client *client)
{
    Warren__Stop body = WARREN__STOP__INIT;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_STOP, &body.base);
}

uint32_t wn_client_grant(wn_client *client, const char *who, Warren__Role role, const char *world)
{
    Warren__Grant body = WARREN__GRANT__INIT;
    body.who = (char *)who;
    body.role = role;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_GRANT, &body.base);
}

uint32_t wn_client_revoke(wn_client *client, const char *who, const char *world)
{
    Warren__Revoke body = WARREN__REVOKE__INIT;
    body.who = (char *)who;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_REVOKE, &body.base);
}

uint32_t wn_client_ban(wn_client *client, const char *who, const char *world, const char *reason,
                       const uint32_t *seconds)
{
    Warren__Ban body = WARREN__BAN__INIT;
    body.who = (char *)who;
    body.world = (char *)world;
    body.reason = (char *)reason;
    body.has_seconds = seconds != NULL;
    body.seconds = seconds ? *seconds : 0;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_BAN, &body.base);
}

uint32_t wn_client_unban(wn_client *client, const char *who, const char *world)
{
    Warren__Unban body = WARREN__UNBAN__INIT;
    body.who = (char *)who;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_UNBAN, &body.base);
}

uint32_t wn_client_kick_player(wn_client *client, const char *player, const char *world, const char *reason,
                               const uint32_t *seconds)
{
    Warren__Kick body = WARREN__KICK__INIT;
    body.player = (char *)player;
    body.world = (char *)world;
    body.reason = (char *)reason;
    body.has_seconds = seconds != NULL;
    body.seconds = seconds ? *seconds : 0;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_KICK, &body.base);
}

uint32_t wn_client_release_name(wn_client *client, const char *player)
{
    Warren__ReleaseName body = WARREN__RELEASE_NAME__INIT;
    body.player = (char *)player;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_RELEASE_NAME, &body.base);
}

uint32_t wn_client_introduce(wn_client *client)
{
    Warren__Introduce body = WARREN__INTRODUCE__INIT;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_INTRODUCE, &body.base);
}

uint32_t wn_client_list_access(wn_client *client, const char *world)
{
    Warren__ListAccess body = WARREN__LIST_ACCESS__INIT;
    body.world = (char *)world;
    return submit(client, WN_REQUEST_PLAIN, 0, WARREN__REQUEST__BODY_LIST_ACCESS, &body.base);
}
