/* peer.h: the barest peer of a warrend: a DEALER and a SUB that speak the protocol and look at nothing in an update but
 * the number executed. What it measures is the daemon and the hosts, not a client.
 */
#ifndef WARREN_BENCH_PEER_H
#define WARREN_BENCH_PEER_H

#include "choose.h"
#include "server.h"

enum { WN_PEER_SEATS = 1024, WN_PEER_PATIENCE = 10 /* silent seconds, after which a measurement has failed */ };

typedef struct wn_peer_seat {
    uint32_t world;
    uint8_t key[WN_KEY_BYTES];
    uint32_t next;                /* number of its next command */
    uint32_t executed;            /* number of the last one executed */
    bool ended;                   /* by the mode; it has to be taken anew */
    char name[WN_NAME_BYTES + 1]; /* of the world */
} wn_peer_seat;

typedef struct wn_peer {
    void *control, *updates;
    wn_arena *arena; /* of replies */
    wn_arena *mode_arena;
    Warren__Mode *mode;             /* of the world joined last, cut down to the one action that is used */
    char action[WN_NAME_BYTES + 1]; /* that one's name */
    wn_buffer message;
    uint32_t last_request;
    uint32_t hash[2 * WN_PEER_SEATS]; /* of seats by key, 1 + index; 0: free */
    wn_peer_seat seats[WN_PEER_SEATS];
    uint32_t seat_count;
    uint64_t request_bytes, requests;     /* commands sent, as encoded */
    uint64_t update_bytes, updates_heard; /* both frames; keyframes too */
    uint32_t executed_now;                /* how many commands the last update was about */
    char trouble[WN_TEXT_BYTES + 1];      /* why going on makes no sense; "": it does */
} wn_peer;

/* Connects and says Hello. Close it in any case. */
bool wn_peer_open(wn_peer *peer, void *context, const wn_server *server, wn_transport transport, wn_error *error);
void wn_peer_close(wn_peer *peer);

/* What is played. */
typedef struct wn_game {
    const char *mode;
    const char *settings; /* NAME=VALUE, separated by spaces */
    const char *action;   /* the one that is used */
} wn_game;

/* Makes a world; its name goes to `name`. */
bool wn_peer_create(wn_peer *peer, const wn_game *game, uint64_t seed, char name[WN_NAME_BYTES + 1], wn_error *error);
/* Takes a seat and waits for its first keyframe. */
wn_peer_seat *wn_peer_join(wn_peer *peer, const char *world, const char *action, wn_error *error);

/* Sends the action with an argument by chance. */
void wn_peer_command(wn_peer *peer, wn_peer_seat *seat, uint64_t *chance);
/* Takes the next update and brings its seat's `executed` up to date; `executed_now` says by how much. NULL: none came
 * (within a second, or at once if not `wait`), or it is of a seat that has ended. */
wn_peer_seat *wn_peer_hear(wn_peer *peer, bool wait);
/* Reads what came on control, and takes those seats anew that have ended (in the same structure; what they had under
 * way is gone, so `executed` is next - 1 again). Call it after a silence, and now and then. false: that failed, a
 * command was refused, or a world is over. */
bool wn_peer_mend(wn_peer *peer, wn_error *error);
/* Mean sizes since the peer was opened or told to forget them, as one does after the keyframes of joining. */
uint32_t wn_peer_request_size(const wn_peer *peer);
uint32_t wn_peer_update_size(const wn_peer *peer);
void wn_peer_forget_sizes(wn_peer *peer);

#endif
