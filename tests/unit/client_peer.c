/* client_peer.c: see client_peer.h. */
#include "client_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

test_peer server;
wn_client *client;
seen_events events;

/* lifetime */

void peer_init(test_peer *peer)
{
    memset(peer, 0, sizeof *peer);
    strcpy(peer->directory, "/tmp/warren-client-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(peer->directory));
    snprintf(peer->control_endpoint, sizeof peer->control_endpoint, "ipc://%s/control", peer->directory);
    snprintf(peer->updates_endpoint, sizeof peer->updates_endpoint, "ipc://%s/updates", peer->directory);
    peer->context = zmq_ctx_new();
    peer->arena = wn_arena_new(1 << 20);
    peer->heartbeat_ms = 1000;
    peer->queued_commands = 8;
    peer->next_command = 1;
    memset(peer->key, 0x5a, sizeof peer->key);
}

static void *bind_socket(test_peer *peer, int type, const char *endpoint)
{
    const int linger = 0;
    void *socket = zmq_socket(peer->context, type);
    ck_assert_ptr_nonnull(socket);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    ck_assert_msg(zmq_bind(socket, endpoint) == 0, "%s: %s", endpoint, zmq_strerror(zmq_errno()));
    return socket;
}

void peer_start(test_peer *peer)
{
    const int each = 1;
    peer->updates = bind_socket(peer, ZMQ_XPUB, peer->updates_endpoint);
    zmq_setsockopt(peer->updates, ZMQ_XPUB_VERBOSER, &each, sizeof each); /* shows also the second of a kind */
    peer->control = bind_socket(peer, ZMQ_ROUTER, peer->control_endpoint);
}

void peer_stop(test_peer *peer)
{
    if (peer->control) {
        zmq_close(peer->control);
        zmq_close(peer->updates);
        peer->control = peer->updates = NULL;
        peer->subscribed = false;
        peer->subscribers = 0;
    }
}

void peer_free(test_peer *peer)
{
    peer_stop(peer);
    zmq_ctx_term(peer->context);
    wn_arena_free(peer->arena);
    wn_buffer_free(&peer->bytes);
    unlink(peer->control_endpoint + strlen("ipc://"));
    unlink(peer->updates_endpoint + strlen("ipc://"));
    rmdir(peer->directory);
}

/* sending */

void peer_reply(test_peer *peer, Warren__Reply *reply)
{
    peer->bytes.size = 0;
    wn_encode(&peer->bytes, &reply->base);
    zmq_send(peer->control, peer->identity, peer->identity_size, ZMQ_SNDMORE);
    zmq_send(peer->control, peer->bytes.data, peer->bytes.size, 0);
}

void peer_send_raw(test_peer *peer, bool updates, const void *bytes, size_t size, bool key_first)
{
    void *socket = updates ? peer->updates : peer->control;
    if (key_first) {
        zmq_send(socket, updates ? peer->key : peer->identity, updates ? sizeof peer->key : peer->identity_size,
                 ZMQ_SNDMORE);
    }
    zmq_send(socket, bytes, size, 0);
}

static void answer(test_peer *peer, uint32_t id, Warren__Reply__BodyCase body_case, ProtobufCMessage *body)
{
    Warren__Reply reply = WARREN__REPLY__INIT;
    reply.has_id = id != 0;
    reply.id = id;
    reply.body_case = body_case;
    reply.done = (Warren__Done *)body; /* a union of pointers to messages */
    peer_reply(peer, &reply);
}

void peer_fail(test_peer *peer, uint32_t id, Warren__ErrorCode code, uint32_t world, uint32_t command)
{
    Warren__Error error = WARREN__ERROR__INIT;
    error.code = code;
    error.text = (char *)"The peer of the test says no.";
    error.has_world = world != 0;
    error.world = world;
    error.has_command = command != 0;
    error.command = command;
    answer(peer, id, WARREN__REPLY__BODY_ERROR, &error.base);
}

void peer_notify(test_peer *peer, Warren__NoticeKind kind)
{
    Warren__Notice notice = WARREN__NOTICE__INIT;
    notice.kind = kind;
    notice.has_world = true;
    notice.world = PEER_WORLD;
    answer(peer, 0, WARREN__REPLY__BODY_NOTICE, &notice.base);
}

void peer_publish(test_peer *peer, Warren__Update *update)
{
    update->sequence = ++peer->sequence;
    update->has_executed = peer->executed > 0;
    update->executed = peer->executed;
    peer->bytes.size = 0;
    wn_encode(&peer->bytes, &update->base);
    peer_send_raw(peer, true, peer->bytes.data, peer->bytes.size, true);
}

void peer_publish_delta(test_peer *peer, uint32_t cell)
{
    uint32_t cells[] = {1 * 4 + 1, cell};
    Warren__Delta delta = WARREN__DELTA__INIT;
    Warren__Update update = WARREN__UPDATE__INIT;
    delta.n_cells = 2;
    delta.cells = cells;
    update.body_case = WARREN__UPDATE__BODY_DELTA;
    update.delta = &delta;
    peer->cell = cell < PEER_TILES * 2 ? cell : peer->cell; /* else a replica refuses it */
    peer_publish(peer, &update);
}

void peer_publish_keyframe(test_peer *peer)
{
    uint32_t cells[] = {1 * 4 + 1, peer->cell};
    Warren__Keyframe keyframe = WARREN__KEYFRAME__INIT;
    Warren__Update update = WARREN__UPDATE__INIT;
    keyframe.width = 10;
    keyframe.height = 4;
    keyframe.n_cells = 2;
    keyframe.cells = cells;
    update.body_case = WARREN__UPDATE__BODY_KEYFRAME;
    update.keyframe = &keyframe;
    peer->keyframes++;
    peer_publish(peer, &update);
}

void peer_execute(test_peer *peer, uint32_t number)
{
    peer->executed = number;
    peer_publish_delta(peer, number % PEER_TILES * 2);
}

/* answering */

static void joined_init(const test_peer *peer, Warren__Joined *joined, bool seat)
{
    warren__joined__init(joined);
    joined->world = PEER_WORLD;
    joined->name = (char *)"cave";
    joined->has_seat = seat;
    joined->seat = PEER_SEAT;
    joined->view_key = (ProtobufCBinaryData){.data = (uint8_t *)peer->key, .len = sizeof peer->key};
    joined->has_next_command = seat;
    joined->next_command = peer->next_command;
}

static void send_welcome(test_peer *peer, uint32_t id, bool resumed)
{
    char *updates[] = {(char *)"tcp://127.0.0.1:1", peer->updates_endpoint};
    Warren__Limits limits = WARREN__LIMITS__INIT;
    Warren__Welcome welcome = WARREN__WELCOME__INIT;
    Warren__Joined seat;
    Warren__Joined *seats[] = {&seat};
    joined_init(peer, &seat, !peer->watch_kept);
    limits.has_queued_commands = true;
    limits.queued_commands = peer->queued_commands;
    welcome.protocol = WN_PROTOCOL_MAX;
    welcome.software = (char *)"test 1";
    welcome.session = (ProtobufCBinaryData){.data = peer->session, .len = sizeof peer->session};
    welcome.player = (char *)"ann";
    welcome.resumed = resumed;
    welcome.n_seats = resumed && (peer->seat_kept || peer->watch_kept) ? 1 : 0;
    welcome.seats = seats;
    welcome.heartbeat_ms = peer->heartbeat_ms;
    welcome.grace_ms = 60000;
    welcome.limits = &limits;
    welcome.n_updates = 2;
    welcome.updates = updates;
    answer(peer, id, WARREN__REPLY__BODY_WELCOME, &welcome.base);
}

static void on_hello(test_peer *peer, const Warren__Request *request)
{
    peer->hellos++;
    if (peer->refuse_hello != WARREN__ERROR_CODE__ERROR_NONE) {
        peer_fail(peer, request->id, peer->refuse_hello, 0, 0);
        return;
    }
    const bool resumed = request->hello->has_session && peer->session_known &&
                         memcmp(request->hello->session.data, peer->session, sizeof peer->session) == 0;
    peer->resumed += resumed;
    if (!resumed) {
        peer->session[0]++;
        peer->session_known = true;
        peer->seat_kept = peer->watch_kept = false;
    }
    send_welcome(peer, request->id, resumed);
}

static void on_join(test_peer *peer, const Warren__Request *request)
{
    Warren__Tile tile = WARREN__TILE__INIT;
    Warren__Tile *tiles[PEER_TILES] = {&tile, &tile, &tile, &tile};
    Warren__Action plain = WARREN__ACTION__INIT, directed = WARREN__ACTION__INIT, aimed = WARREN__ACTION__INIT;
    Warren__Action *actions[] = {&plain, &directed, &aimed};
    Warren__Mode mode = WARREN__MODE__INIT;
    Warren__Joined joined;
    const bool seat = request->body_case == WARREN__REQUEST__BODY_JOIN;
    peer->joins += seat;
    peer->watches += !seat;
    if (peer->refuse_join != WARREN__ERROR_CODE__ERROR_NONE) {
        peer_fail(peer, request->id, peer->refuse_join, 0, 0);
        return;
    }
    tile.name = (char *)"floor";
    plain.id = 1;
    plain.name = (char *)"wait";
    directed.id = 2;
    directed.name = (char *)"step";
    directed.has_argument = true;
    directed.argument = WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION;
    aimed.id = 3;
    aimed.name = (char *)"throw";
    aimed.has_argument = true;
    aimed.argument = WARREN__ARGUMENT_KIND__ARGUMENT_POSITION;
    mode.name = (char *)"test";
    mode.title = (char *)"A legend that outlives its message";
    mode.n_tiles = PEER_TILES;
    mode.tiles = tiles;
    mode.n_actions = 3;
    mode.actions = actions;
    joined_init(peer, &joined, seat);
    joined.mode = &mode;
    peer->seat_kept = seat;
    answer(peer, request->id, WARREN__REPLY__BODY_JOINED, &joined.base);
}

static void on_command(test_peer *peer, const Warren__Request *request)
{
    ck_assert_uint_lt(peer->command_count, PEER_COMMANDS);
    peer->command_had_argument[peer->command_count] = request->command->has_argument;
    peer->commands[peer->command_count++] = request->command->number;
}

static void on_ping(test_peer *peer, const Warren__Request *request)
{
    Warren__Pong pong = WARREN__PONG__INIT;
    Warren__ViewPosition position = WARREN__VIEW_POSITION__INIT;
    Warren__ViewPosition *positions[] = {&position};
    peer->pings++;
    if (peer->pings_unknown) {
        peer->pings_unknown = false;
        peer_fail(peer, request->id, WARREN__ERROR_CODE__ERROR_NO_SESSION, 0, 0);
        return;
    }
    position.world = PEER_WORLD;
    position.sequence = peer->sequence;
    pong.n_views = peer->joins + peer->watches > peer->leaves ? 1 : 0;
    pong.views = positions;
    answer(peer, request->id, WARREN__REPLY__BODY_PONG, &pong.base);
}

static void on_done(test_peer *peer, const Warren__Request *request)
{
    Warren__Done done = WARREN__DONE__INIT;
    peer->resyncs += request->body_case == WARREN__REQUEST__BODY_RESYNC;
    peer->leaves += request->body_case == WARREN__REQUEST__BODY_LEAVE;
    peer->goodbyes += request->body_case == WARREN__REQUEST__BODY_GOODBYE;
    answer(peer, request->id, WARREN__REPLY__BODY_DONE, &done.base);
    if (request->body_case == WARREN__REQUEST__BODY_RESYNC && !peer->mute) {
        peer_publish_keyframe(peer);
    }
}

static void on_list(test_peer *peer, const Warren__Request *request)
{
    Warren__WorldList list = WARREN__WORLD_LIST__INIT;
    peer->lists++;
    answer(peer, request->id, WARREN__REPLY__BODY_WORLDS, &list.base);
}

static void on_request(test_peer *peer, const Warren__Request *request)
{
    switch (request->body_case) {
    case WARREN__REQUEST__BODY_HELLO:
        on_hello(peer, request);
        break;
    case WARREN__REQUEST__BODY_JOIN:
    case WARREN__REQUEST__BODY_WATCH:
        on_join(peer, request);
        break;
    case WARREN__REQUEST__BODY_COMMAND:
        on_command(peer, request);
        break;
    case WARREN__REQUEST__BODY_PING:
        on_ping(peer, request);
        break;
    case WARREN__REQUEST__BODY_LIST_WORLDS:
        on_list(peer, request);
        break;
    default:
        on_done(peer, request);
    }
}

static void serve_subscriptions(test_peer *peer)
{
    uint8_t frame[64];
    int size;
    while ((size = zmq_recv(peer->updates, frame, sizeof frame, ZMQ_DONTWAIT)) >= 0) {
        if (size == 1 + WN_KEY_BYTES && memcmp(frame + 1, peer->key, WN_KEY_BYTES) == 0) {
            peer->subscriptions += frame[0] == 1;
            peer->subscribers += frame[0] == 1 ? 1 : -1;
            peer->subscribed = peer->subscribers > 0;
            if (frame[0] == 1 && !peer->mute) {
                peer_publish_keyframe(peer);
            }
        }
    }
}

void peer_serve(test_peer *peer)
{
    static uint8_t frame[65536];
    wn_error error;
    int size;
    if (!peer->control) {
        return;
    }
    serve_subscriptions(peer);
    while (peer->control && (size = zmq_recv(peer->control, frame, sizeof frame, ZMQ_DONTWAIT)) >= 0) {
        memcpy(peer->identity, frame, (size_t)size);
        peer->identity_size = (size_t)size;
        size = zmq_recv(peer->control, frame, sizeof frame, 0);
        wn_arena_reset(peer->arena);
        const Warren__Request *request = wn_request_decode(peer->arena, frame, (size_t)size, &error);
        ck_assert_msg(request != NULL, "the client sent what is no request: %s", error.text);
        if (!peer->silent) {
            on_request(peer, request);
        }
    }
}

bool peer_wait(test_peer *peer, int timeout_ms)
{
    zmq_pollitem_t items[] = {{.socket = peer->control, .events = ZMQ_POLLIN},
                              {.socket = peer->updates, .events = ZMQ_POLLIN}};
    return zmq_poll(items, 2, timeout_ms) > 0;
}

/* the client */

uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool late(uint64_t *deadline)
{
    *deadline = *deadline ? *deadline : milliseconds() + 10000;
    return milliseconds() > *deadline;
}

static void see(const wn_event *event)
{
    switch (event->kind) {
    case WN_EVENT_STATE:
        events.states++;
        events.state = wn_client_get_state(client);
        break;
    case WN_EVENT_REPLY:
        events.replies++;
        events.request = event->request;
        events.reply = event->reply->body_case;
        break;
    case WN_EVENT_ERROR:
        events.errors++;
        events.error_request = event->request;
        events.error_command = event->command;
        break;
    case WN_EVENT_UPDATE:
        events.updates++;
        ck_assert_ptr_nonnull(event->update);
        ck_assert_uint_eq(event->update->sequence, wn_client_replica(client, event->world)->sequence);
        break;
    case WN_EVENT_NOTICE:
        events.notices++;
        ck_assert_ptr_nonnull(wn_client_replica(client, event->world));
        break;
    case WN_EVENT_REJOINED:
        events.rejoined++;
        break;
    case WN_EVENT_GONE:
        events.gone++;
        events.gone_with_replica += wn_client_replica(client, event->world) != NULL;
        break;
    case WN_EVENT_UNREACHED:
        events.unreached++;
        ck_assert_str_eq(event->error.text, wn_client_trouble(client));
        break;
    case WN_EVENT_RESUMED:
        events.resumed++;
        ck_assert_ptr_nonnull(wn_client_replica(client, event->world));
        break;
    }
    if (event->error.text[0] && event->kind != WN_EVENT_UNREACHED) {
        events.error = event->error;
    }
}

void pump(void)
{
    wn_event event;
    peer_serve(&server);
    wn_client_wait(client, 2);
    while (wn_client_next(client, &event)) {
        see(&event);
    }
}

void start_client(void)
{
    start_client_with(NULL);
}

void start_client_with(const uint8_t *session)
{
    wn_address address;
    wn_error error = {.text = ""};
    ck_assert_msg(wn_address_parse(&address, server.control_endpoint, &error), "%s", error.text);
    const wn_client_options options = {
        .address = &address, .player = "ann", .session = session, .software = "test 0", .reconnect_ms = 20};
    client = wn_client_new(&options, &error);
    ck_assert_msg(client != NULL, "%s", error.text);
}

void setup(void)
{
    peer_init(&server);
    client = NULL;
    memset(&events, 0, sizeof events);
}

void setup_joined(void)
{
    setup();
    peer_start(&server);
    start_client();
    PUMP_UNTIL(events.state == WN_CLIENT_CONNECTED);
    ck_assert_uint_gt(wn_client_join(client, "cave", 0), 0);
    PUMP_UNTIL(events.updates == 1);
    ck_assert(wn_client_replica(client, PEER_WORLD)->ready);
}

void teardown(void)
{
    wn_client_free(client);
    peer_free(&server);
}
