/* peer.c: the barest peer of a warrend. It decodes replies, and of updates only the fields before the body. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "measure.h"
#include "pb.h"

#define UNAVAILABLE WARREN__ERROR_CODE__ERROR_UNAVAILABLE

enum { WAIT_MS = 1000, ANSWER_MS = 15000, ARENA_BYTES = 64 << 20 };

static void *open_socket(void *context, int type, const wn_endpoint *endpoint)
{
    const int unlimited = 0, wait = type == ZMQ_SUB ? WAIT_MS : ANSWER_MS;
    void *socket = zmq_socket(context, type);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &wait, sizeof wait);
    zmq_setsockopt(socket, ZMQ_LINGER, &unlimited, sizeof unlimited);
    zmq_connect(socket, endpoint->text);
    return socket;
}

/* requests */

static void send_request(wn_peer *peer, Warren__Request *request)
{
    request->has_id = true;
    request->id = ++peer->last_request;
    peer->message.size = 0;
    wn_encode(&peer->message, &request->base);
    zmq_send(peer->control, peer->message.data, peer->message.size, 0);
}

static const Warren__Reply *receive_reply(wn_peer *peer, wn_arena *arena, int flags, wn_error *error)
{
    zmq_msg_t message;
    zmq_msg_init(&message);
    const Warren__Reply *reply = NULL;
    if (zmq_msg_recv(&message, peer->control, flags) >= 0) {
        wn_arena_reset(arena);
        reply = wn_reply_decode(arena, zmq_msg_data(&message), zmq_msg_size(&message), error);
    } else {
        wn_fail_with(error, UNAVAILABLE, NULL, 0, "No answer came within %d s.", ANSWER_MS / 1000);
    }
    zmq_msg_close(&message);
    return reply;
}

/* What came unasked: a command that was refused, a seat or a world that has ended. */
static void note(wn_peer *peer, const Warren__Reply *news)
{
    /* Without a seat is refused what crossed its end; the notice says so too. */
    if (news->body_case == WARREN__REPLY__BODY_ERROR && news->error->code != WARREN__ERROR_CODE__ERROR_NOT_FOUND) {
        snprintf(peer->trouble, sizeof peer->trouble, "A command was refused: %.400s", news->error->text);
    }
    if (news->body_case != WARREN__REPLY__BODY_NOTICE) {
        return;
    }
    if (news->notice->kind != WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED) {
        snprintf(peer->trouble, sizeof peer->trouble, "A world ended during the measurement (%.200s); see --settings.",
                 news->notice->text != NULL ? news->notice->text : "");
        return;
    }
    for (uint32_t i = 0; i < peer->seat_count; i++) {
        peer->seats[i].ended |= peer->seats[i].world == news->notice->world;
    }
}

/* Sends it and waits for its reply, which lives in the arena. NULL: an Error came instead, or nothing. */
static const Warren__Reply *request_reply(wn_peer *peer, Warren__Request *request, wn_arena *arena, wn_error *error)
{
    send_request(peer, request);
    const Warren__Reply *reply;
    while ((reply = receive_reply(peer, arena, 0, error)) != NULL && reply->id != peer->last_request) {
        note(peer, reply);
    }
    if (reply != NULL && reply->body_case == WARREN__REPLY__BODY_ERROR) {
        wn_fail_with(error, reply->error->code, NULL, 0, "%s", reply->error->text);
        return NULL;
    }
    return reply;
}

bool wn_peer_open(wn_peer *peer, void *context, const wn_server *server, wn_transport transport, wn_error *error)
{
    *peer = (wn_peer){.control = open_socket(context, ZMQ_DEALER, &server->control[transport]),
                      .updates = open_socket(context, ZMQ_SUB, &server->updates[transport]),
                      .arena = wn_arena_new(ARENA_BYTES),
                      .mode_arena = wn_arena_new(ARENA_BYTES)};
    Warren__Hello hello = WARREN__HELLO__INIT;
    hello.protocol_min = WN_PROTOCOL_MIN;
    hello.protocol_max = WN_PROTOCOL_MAX;
    hello.software = (char *)(uintptr_t) "warren-bench";
    Warren__Request request = WARREN__REQUEST__INIT;
    request.body_case = WARREN__REQUEST__BODY_HELLO;
    request.hello = &hello;
    return request_reply(peer, &request, peer->arena, error) != NULL;
}

void wn_peer_close(wn_peer *peer)
{
    if (peer->control != NULL) {
        Warren__Goodbye goodbye = WARREN__GOODBYE__INIT;
        Warren__Request request = WARREN__REQUEST__INIT;
        request.body_case = WARREN__REQUEST__BODY_GOODBYE;
        request.goodbye = &goodbye;
        request_reply(peer, &request, peer->arena, NULL);
        zmq_close(peer->control);
        zmq_close(peer->updates);
    }
    wn_arena_free(peer->arena);
    wn_arena_free(peer->mode_arena);
    wn_buffer_free(&peer->message);
    *peer = (wn_peer){0};
}

/* Cuts a copy of "NAME=VALUE NAME=VALUE" into settings. -1: something in it is no setting. */
static int cut_settings(char *text, Warren__SettingValue *settings, Warren__SettingValue **list)
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        if (equals == NULL || count == WN_CREATE_SETTINGS) {
            return -1;
        }
        *equals = '\0';
        settings[count] = (Warren__SettingValue)WARREN__SETTING_VALUE__INIT;
        settings[count].name = word;
        settings[count].value = equals + 1;
        list[count] = &settings[count];
        count++;
    }
    return count;
}

bool wn_peer_create(wn_peer *peer, const wn_game *game, uint64_t seed, char name[WN_NAME_BYTES + 1], wn_error *error)
{
    char text[1024];
    Warren__SettingValue settings[WN_CREATE_SETTINGS], *list[WN_CREATE_SETTINGS];
    snprintf(text, sizeof text, "%s", game->settings);
    const int count = cut_settings(text, settings, list);
    if (count < 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, NULL, 0,
                            "\"%.200s\" is not a list of NAME=VALUE, separated by spaces.", game->settings);
    }
    Warren__CreateWorld create = WARREN__CREATE_WORLD__INIT;
    create.mode = (char *)(uintptr_t)game->mode;
    create.n_settings = (size_t)count;
    create.settings = list;
    create.has_seed = true;
    create.seed = seed;
    Warren__Request request = WARREN__REQUEST__INIT;
    request.body_case = WARREN__REQUEST__BODY_CREATE;
    request.create = &create;
    const Warren__Reply *reply = request_reply(peer, &request, peer->arena, error);
    if (reply != NULL) {
        snprintf(name, WN_NAME_BYTES + 1, "%s", reply->world->name);
    }
    return reply != NULL;
}

/* seats */

static uint32_t slot_of(const wn_peer *peer, const uint8_t *key)
{
    uint64_t bits;
    memcpy(&bits, key, sizeof bits);
    uint32_t slot = (uint32_t)(bits % (2 * WN_PEER_SEATS));
    while (peer->hash[slot] != 0 && memcmp(peer->seats[peer->hash[slot] - 1].key, key, WN_KEY_BYTES) != 0) {
        slot = (slot + 1) % (2 * WN_PEER_SEATS);
    }
    return slot;
}

/* All keys anew: nothing can be taken out of such a table, and seats end seldom. */
static void hash_again(wn_peer *peer)
{
    memset(peer->hash, 0, sizeof peer->hash);
    for (uint32_t i = 0; i < peer->seat_count; i++) {
        peer->hash[slot_of(peer, peer->seats[i].key)] = i + 1;
    }
}

/* Leaves in the legend only the action that is used. */
static bool keep_action(wn_peer *peer, wn_error *error)
{
    Warren__Mode *mode = peer->mode;
    for (size_t i = 0; i < mode->n_actions; i++) {
        if (peer->action[0] == '\0' || strcmp(mode->actions[i]->name, peer->action) == 0) {
            mode->actions[0] = mode->actions[i];
            mode->n_actions = 1;
            return true;
        }
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_ACTION, NULL, 0, "%s has no action \"%s\".", mode->name,
                        peer->action);
}

static bool take_seat(wn_peer *peer, wn_peer_seat *seat, wn_error *error)
{
    Warren__JoinWorld join = WARREN__JOIN_WORLD__INIT;
    join.world = seat->name;
    Warren__Request request = WARREN__REQUEST__INIT;
    request.body_case = WARREN__REQUEST__BODY_JOIN;
    request.join = &join;
    const Warren__Reply *reply = request_reply(peer, &request, peer->mode_arena, error);
    if (reply == NULL) {
        return false;
    }
    const Warren__Joined *joined = reply->joined;
    seat->world = joined->world;
    seat->next = joined->has_next_command ? joined->next_command : 1;
    seat->executed = seat->next - 1;
    seat->ended = false;
    memcpy(seat->key, joined->view_key.data, WN_KEY_BYTES);
    peer->mode = joined->mode;
    zmq_setsockopt(peer->updates, ZMQ_SUBSCRIBE, seat->key, WN_KEY_BYTES);
    hash_again(peer);
    return keep_action(peer, error);
}

wn_peer_seat *wn_peer_join(wn_peer *peer, const char *world, const char *action, wn_error *error)
{
    wn_peer_seat *seat = &peer->seats[peer->seat_count++];
    snprintf(seat->name, sizeof seat->name, "%s", world);
    snprintf(peer->action, sizeof peer->action, "%s", action != NULL ? action : "");
    if (!take_seat(peer, seat, error)) {
        peer->seat_count--;
        return NULL;
    }
    for (double deadline = wn_clock_us() + ANSWER_MS * 1e3; wn_clock_us() < deadline;) {
        if (wn_peer_hear(peer, true) == seat) {
            return seat;
        }
    }
    wn_fail_with(error, UNAVAILABLE, NULL, 0, "No keyframe of %s came within %d s.", world, ANSWER_MS / 1000);
    return NULL;
}

/* commands and updates */

enum { REQUEST_COMMAND = 3, COMMAND_WORLD = 1, COMMAND_NUMBER = 2, COMMAND_ACTION = 3, COMMAND_ARGUMENT = 4 };

void wn_peer_command(wn_peer *peer, wn_peer_seat *seat, uint64_t *chance)
{
    wn_choice choice = {0};
    wn_choose(peer->mode, 1, chance, &choice);
    wn_buffer *message = &peer->message;
    message->size = 0;
    const size_t mark = wn_pb_begin(message, REQUEST_COMMAND);
    wn_pb_varint(message, COMMAND_WORLD, seat->world);
    wn_pb_varint(message, COMMAND_NUMBER, seat->next++);
    wn_pb_varint(message, COMMAND_ACTION, choice.action);
    if (peer->mode->actions[0]->argument != WARREN__ARGUMENT_KIND__ARGUMENT_NONE) {
        wn_pb_varint(message, COMMAND_ARGUMENT, choice.argument);
    }
    wn_pb_end(message, mark);
    zmq_send(peer->control, message->data, message->size, 0);
    peer->request_bytes += message->size;
    peer->requests++;
}

/* Update.executed if it stands before the body, as everything we know writes it; `before` if it is absent. */
static uint32_t executed_in(const uint8_t *at, const uint8_t *end, uint32_t before)
{
    enum { SEQUENCE = 1 << 3, TURN = 2 << 3, EXECUTED = 3 << 3 };
    while (at < end && (*at == SEQUENCE || *at == TURN || *at == EXECUTED)) {
        const uint8_t tag = *at++;
        uint64_t value = 0;
        for (uint32_t shift = 0; at < end && shift < 64; shift += 7) {
            value |= (uint64_t)(*at & 0x7f) << shift;
            if ((*at++ & 0x80) == 0) {
                break;
            }
        }
        if (tag == EXECUTED) {
            return (uint32_t)value;
        }
    }
    return before;
}

wn_peer_seat *wn_peer_hear(wn_peer *peer, bool wait)
{
    zmq_msg_t key, update;
    zmq_msg_init(&key);
    zmq_msg_init(&update);
    wn_peer_seat *seat = NULL;
    if (zmq_msg_recv(&key, peer->updates, wait ? 0 : ZMQ_DONTWAIT) == WN_KEY_BYTES &&
        zmq_msg_recv(&update, peer->updates, 0) >= 0) {
        const uint8_t *bytes = zmq_msg_data(&update);
        const size_t size = zmq_msg_size(&update);
        peer->update_bytes += WN_KEY_BYTES + size;
        peer->updates_heard++;
        const uint32_t found = peer->hash[slot_of(peer, zmq_msg_data(&key))];
        seat = found != 0 ? &peer->seats[found - 1] : NULL;
        if (seat != NULL) {
            const uint32_t executed = executed_in(bytes, bytes + size, seat->executed);
            peer->executed_now = executed - seat->executed;
            seat->executed = executed;
        }
    }
    zmq_msg_close(&key);
    zmq_msg_close(&update);
    return seat;
}

bool wn_peer_mend(wn_peer *peer, wn_error *error)
{
    const Warren__Reply *news;
    while ((news = receive_reply(peer, peer->arena, ZMQ_DONTWAIT, NULL)) != NULL) {
        note(peer, news);
    }
    if (peer->trouble[0] != '\0') {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "%s", peer->trouble);
    }
    for (uint32_t i = 0; i < peer->seat_count; i++) {
        wn_peer_seat *seat = &peer->seats[i];
        if (!seat->ended) {
            continue;
        }
        zmq_setsockopt(peer->updates, ZMQ_UNSUBSCRIBE, seat->key, WN_KEY_BYTES);
        if (!take_seat(peer, seat, error)) {
            return false;
        }
    }
    return true;
}

uint32_t wn_peer_request_size(const wn_peer *peer)
{
    return peer->requests > 0 ? (uint32_t)(peer->request_bytes / peer->requests) : 0;
}

uint32_t wn_peer_update_size(const wn_peer *peer)
{
    return peer->updates_heard > 0 ? (uint32_t)(peer->update_bytes / peer->updates_heard) : 0;
}

void wn_peer_forget_sizes(wn_peer *peer)
{
    peer->request_bytes = peer->requests = peer->update_bytes = peer->updates_heard = 0;
}
