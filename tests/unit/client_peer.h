/* client_peer.h: the other end for tests of the client: a ROUTER and an XPUB that speak warren.proto for one session
 * and one world, and do wrong what a test tells them to. It is no daemon: nothing runs behind it.
 */
#ifndef WARREN_TESTS_CLIENT_PEER_H
#define WARREN_TESTS_CLIENT_PEER_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

#include "client.h"

enum { PEER_COMMANDS = 64, PEER_WORLD = 7, PEER_TILES = 4, PEER_SEAT = 2 };

typedef struct test_peer {
    char directory[64];
    char control_endpoint[128], updates_endpoint[128];
    void *context, *control, *updates; /* sockets NULL: stopped */
    uint8_t identity[256];             /* of who spoke last */
    size_t identity_size;
    wn_arena *arena;
    wn_buffer bytes;

    /* How it behaves. */
    uint32_t heartbeat_ms, queued_commands;
    bool silent;                    /* answers nothing */
    bool mute;                      /* sends no keyframes */
    bool pings_unknown;             /* answers the next Ping with NO_SESSION */
    Warren__ErrorCode refuse_hello; /* ERROR_NONE: it is welcome */
    Warren__ErrorCode refuse_join;  /* likewise */
    bool session_known;             /* else no session is resumed */
    uint8_t session[WN_KEY_BYTES];  /* its token; each has another */
    bool seat_kept;                 /* the resumed session still has its seat */
    bool watch_kept;                /* it watches, instead */
    uint32_t next_command;

    /* The view. */
    uint8_t key[WN_KEY_BYTES];
    uint64_t sequence;
    uint32_t executed;
    uint32_t cell; /* the view's first */
    bool subscribed;
    int subscribers;

    /* What was asked of it. */
    unsigned hellos, resumed, pings, joins, watches, leaves, resyncs, goodbyes, lists, keyframes, subscriptions;
    uint32_t commands[PEER_COMMANDS];
    bool command_had_argument[PEER_COMMANDS];
    unsigned command_count;
} test_peer;

void peer_init(test_peer *peer); /* stopped, in a temporary directory */
void peer_start(test_peer *peer);
void peer_stop(test_peer *peer);
void peer_free(test_peer *peer);
void peer_serve(test_peer *peer);                /* answers all that has come */
bool peer_wait(test_peer *peer, int timeout_ms); /* for something to serve; false: nothing came */

void peer_publish(test_peer *peer, Warren__Update *update); /* as the next of the view; `sequence` is filled in */
void peer_publish_delta(test_peer *peer, uint32_t cell);    /* the view's first cell becomes `cell` */
void peer_publish_keyframe(test_peer *peer);
void peer_execute(test_peer *peer, uint32_t number);    /* a delta that says so */
void peer_reply(test_peer *peer, Warren__Reply *reply); /* to who spoke last */
void peer_fail(test_peer *peer, uint32_t id, Warren__ErrorCode code, uint32_t world, uint32_t command);
void peer_notify(test_peer *peer, Warren__NoticeKind kind);
void peer_send_raw(test_peer *peer, bool updates, const void *bytes, size_t size, bool key_first);

/* a client and what it reports */

typedef struct seen_events {
    unsigned states, replies, errors, updates, notices, rejoined, gone, gone_with_replica, resumed, unreached;
    wn_client_state state;
    uint32_t request, error_request, error_command;
    wn_error error;
    Warren__Reply__BodyCase reply;
} seen_events;

extern test_peer server;
extern wn_client *client;
extern seen_events events;

void setup(void);        /* a stopped server, no client */
void setup_joined(void); /* server and client are running, the world is joined, its first keyframe has come */
void teardown(void);
void start_client(void);
void start_client_with(const uint8_t *session); /* which it is to resume */
void pump(void);                                /* lets both sides work for a moment */
bool late(uint64_t *deadline);                  /* a test waits for at most ten seconds */
uint64_t milliseconds(void);

#define PUMP_UNTIL(condition)                                                                                          \
    do {                                                                                                               \
        uint64_t deadline_ = 0;                                                                                        \
        while (!(condition)) {                                                                                         \
            ck_assert_msg(!late(&deadline_), "this never came: %s", #condition);                                       \
            pump();                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif
