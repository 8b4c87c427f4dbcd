/* client.h: the library that every frontend stands on. It connects to a daemon, keeps the session alive, heals what
 * the network breaks, and keeps a replica of each view that the frontend looks at.
 *
 * How to use it: wn_client_new(), add wn_client_fd() to your poll loop, call wn_client_dispatch() when it is readable,
 * then take events with wn_client_next() until there are none. Every request returns at once; what comes of it is an
 * event. Nothing blocks, nothing starts threads of yours, nothing prints; but where
 * memory is out for what is being sent, or for a list of its own, it says so on stderr and aborts (see wire.h).
 *
 * One thread at a time may use a client. A process may have many.
 */
#ifndef WARREN_CLIENT_H
#define WARREN_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "curve.h"
#include "wire.h"

typedef struct wn_client wn_client;

/* addresses */

/* Where a daemon is, and perhaps a world there. Accepted forms:
 *   warren://HOST[:PORT][/WORLD][?key=KEY]     tcp; PORT 7117 if absent; IPv6 hosts in brackets
 *   tcp://HOST:PORT[?key=KEY]                  the control socket itself
 *   ipc://PATH                       the control socket itself
 *   PATH (with a slash)              a directory with the daemon's `control` socket, or that socket
 *   "" or NULL                       the first that is served: $WARREN_SERVER, $XDG_RUNTIME_DIR/warren, /run/warren;
 * else warren://127.0.0.1 */
typedef struct wn_address {
    char control[256];             /* a ZeroMQ endpoint */
    char world[WN_NAME_BYTES + 1]; /* "": none named */
    /* KEY: the server's public key, 64 hexadecimal digits or Z85; `none`: it has none and is believed. If it is absent,
     * the key that is known from earlier counts; else, but on this machine, the server is asked for it. */
    enum { WN_ADDRESS_ANY_KEY, WN_ADDRESS_KEY, WN_ADDRESS_NO_KEY } trust;
    uint8_t key[WN_CURVE_BYTES];
} wn_address;
bool wn_address_parse(wn_address *address, const char *text, wn_error *error);

/* the client */

typedef struct wn_client_options {
    const wn_address *address;
    const char *player; /* wanted name; NULL: a guest's */
    /* WN_KEY_BYTES, the `session` of an earlier Welcome: the first Hello resumes it, so that a process that was killed
     * is followed by one in the same seats. Each world the session still holds comes as WN_EVENT_RESUMED, or as
     * WN_EVENT_GONE if it cannot be had; Welcome's `seats` tell beforehand which will come, and
     * wn_client_leave() gives up what is not wanted. A daemon that does not know the session begins a new one
     * (`resumed` false). NULL: none. */
    const uint8_t *session;
    const char *software;  /* "warren 0.1.0" */
    uint32_t reconnect_ms; /* between attempts; 0: 500 */
    void *zmq_context;     /* to share one (and its threads) between many clients; NULL: one of its own */
} wn_client_options;

/* Starts connecting. NULL with the error filled in: bad endpoint, no memory, no descriptors. */
wn_client *wn_client_new(const wn_client_options *options, wn_error *error);
/* Says Goodbye if connected (bounded wait, at most 200 ms) and releases everything, replicas too. NULL is fine. */
void wn_client_free(wn_client *client);

/* Over tcp with keys a player is a key: one pair for each user of this machine, made on first use. `hex` is its public
 * part, `path` (of `size` bytes) where it is kept. false with a sentence: it cannot be read or made. */
bool wn_client_own_key(char hex[WN_CURVE_HEX], char *path, size_t size, wn_error *error);
/* Has the server been asked for its key, and not told it? (While CONNECTING.) */
bool wn_client_asks_key(const wn_client *client);

typedef enum wn_client_state {
    WN_CLIENT_CONNECTING, /* no answer yet; it keeps trying */
    WN_CLIENT_CONNECTED,
    WN_CLIENT_LOST,   /* was connected; it keeps trying, views freeze, commands are kept (up to the queue limit) */
    WN_CLIENT_REFUSED /* the daemon will not talk to us (version, limit, ban), or its key is not the one that is known
                         for it: final; the event has the error */
} wn_client_state;

wn_client_state wn_client_get_state(const wn_client *client);
const char *wn_client_player(const wn_client *client);             /* as the daemon named us; "" before Welcome */
const Warren__Welcome *wn_client_welcome(const wn_client *client); /* NULL before it came; limits, software, admin.
                                                                      `session` is the token to resume it with */
/* The most bytes of a chat message: the daemon's limit, or before Welcome the protocol's. */
uint32_t wn_client_chat_bytes(const wn_client *client);
/* Time from a command to the update that shows it, microseconds, smoothed; while no command ran, of pings. 0: none. */
uint32_t wn_client_delay_us(const wn_client *client);

/* Why there is no connection: a sentence about the last attempt. "": that is not known, or there is one. */
const char *wn_client_trouble(const wn_client *client);

int wn_client_fd(const wn_client *client);  /* readable when there is something to dispatch, timers included */
void wn_client_dispatch(wn_client *client); /* never blocks */
/* Waits up to timeout_ms (-1: for ever) for the descriptor and dispatches: for tools without a loop of their own. */
void wn_client_wait(wn_client *client, int timeout_ms);

/* requests */

/* Each returns the request's id, which its WN_EVENT_REPLY or WN_EVENT_ERROR carries. Requests made before the
 * connection stands are sent when it does; requests lost with a connection end in an ERROR_UNAVAILABLE. 0, and nothing
 * asked: 1024 wait for an answer, or for their events to be taken. */
uint32_t wn_client_list_modes(wn_client *client);
uint32_t wn_client_list_worlds(wn_client *client);
uint32_t wn_client_list_players(wn_client *client, const char *world); /* NULL: of all */
uint32_t wn_client_list_scores(wn_client *client, const char *mode, const char *world,
                               const char *player); /* NULL: all */
uint32_t wn_client_status(wn_client *client);
/* `name` NULL: the server finds one; `seed` NULL: it draws one. `settings` is copied. */
uint32_t wn_client_create(wn_client *client, const char *mode, const char *name, const Warren__SettingValue *settings,
                          size_t setting_count, const uint64_t *seed);
uint32_t wn_client_change_world(wn_client *client, const char *world, const Warren__SettingValue *settings,
                                size_t setting_count); /* those that are `changeable`. Reply: WorldInfo */
uint32_t wn_client_close_world(wn_client *client, const char *world);
/* `entry`: which of Mode.entries, 0 if there are none. Reply: Joined; then view updates. */
uint32_t wn_client_join(wn_client *client, const char *world, uint32_t entry);
uint32_t wn_client_watch(wn_client *client, const char *world);
uint32_t wn_client_leave(wn_client *client, uint32_t world);
/* Nobody waits for the request's answer any more: it comes as no event, and a world that it joins or watches is left,
 * unless it is joined or watched by another request as well. What else was asked for is done. 0: nothing. */
void wn_client_forget(wn_client *client, uint32_t request);
uint32_t wn_client_say(wn_client *client, uint32_t world, const char *text);
/* The world's recording, part by part: `after` is 0, then the turn of the last entry that came. */
uint32_t wn_client_export(wn_client *client, const char *world, uint64_t after);
uint32_t wn_client_backup(wn_client *client, const char *directory); /* absolute, on the daemon's machine */
uint32_t wn_client_recover(wn_client *client, const char *world, Warren__RecoverHow how); /* of a parked world */

/* Running a server: for administrators. */
uint32_t wn_client_list_sessions(wn_client *client); /* reply: SessionList */
uint32_t wn_client_park(wn_client *client, const char *world);
uint32_t wn_client_unpark(wn_client *client, const char *world);
uint32_t wn_client_save(wn_client *client, const char *world); /* a snapshot; NULL: of all worlds */
uint32_t wn_client_reload(wn_client *client);
uint32_t wn_client_drain(wn_client *client, Warren__DrainHow how);
uint32_t wn_client_log_level(wn_client *client, Warren__LogLevel level);
uint32_t wn_client_stop(wn_client *client);

/* Rights and bans; see warren.proto for what `who` may be. `world`, `reason` and `seconds` may be NULL. */
uint32_t wn_client_grant(wn_client *client, const char *who, Warren__Role role, const char *world);
uint32_t wn_client_revoke(wn_client *client, const char *who, const char *world);
uint32_t wn_client_ban(wn_client *client, const char *who, const char *world, const char *reason,
                       const uint32_t *seconds);
uint32_t wn_client_unban(wn_client *client, const char *who, const char *world);
uint32_t wn_client_kick_player(wn_client *client, const char *player, const char *world, const char *reason,
                               const uint32_t *seconds);
uint32_t wn_client_release_name(wn_client *client, const char *player);
uint32_t wn_client_list_access(wn_client *client, const char *world); /* reply: AccessList */
uint32_t wn_client_introduce(wn_client *client); /* reply: Introduction, with the server's public key */

/* Plays. Returns the command's number, or 0: no seat there, or as many as the limit are waiting already. */
uint32_t wn_client_command(wn_client *client, uint32_t world, uint32_t action, uint32_t argument);
/* Commands sent whose effect has not come yet. */
uint32_t wn_client_pending(const wn_client *client, uint32_t world);

/* events */

typedef enum wn_event_kind {
    WN_EVENT_STATE,     /* wn_client_get_state() changed; `error` for LOST and REFUSED */
    WN_EVENT_UNREACHED, /* there is still no connection, and another reason for it than before: `error`. It keeps trying
                         */
    WN_EVENT_REPLY,     /* `request`, `reply` */
    WN_EVENT_ERROR,     /* `error`; `request`, or 0 and `world`, `command` for a refused command; or 0 and nothing */
    WN_EVENT_UPDATE,    /* the replica of `world` changed; `update` says what */
    WN_EVENT_NOTICE,    /* `reply` has the Notice; of WATCHERS the replica tells already. After SEAT_ENDED, WORLD_CLOSED
                           the world's replica is freed when the   next event is taken */
    WN_EVENT_REJOINED,  /* after a reconnection the session could not be resumed and the client joined `world` anew */
    WN_EVENT_GONE,      /* after a reconnection `world` could not be had again; `error` says why; replica as for NOTICE.
                           Or a world of the session in the options: there has been no replica of it */
    WN_EVENT_RESUMED /* `world`, which the session in the options holds, is joined or watched as by wn_client_join() or
                        wn_client_watch(): its replica tells the seat. It does not come if it was left before */
} wn_event_kind;

typedef struct wn_event {
    wn_event_kind kind;
    uint32_t request;
    uint32_t world;
    uint32_t command;
    const Warren__Reply *reply;
    const Warren__Update *update;
    wn_error error;
} wn_event;

/* The next event, or false. What it points to lives until the next call. */
bool wn_client_next(wn_client *client, wn_event *event);

/* replicas */

typedef struct wn_sprite_state {
    uint32_t id, at, tile, facing; /* facing WN_NOWHERE: none */
    char label[WN_TEXT_BYTES + 1];
} wn_sprite_state;

typedef struct wn_field_state {
    bool set;
    int64_t number, maximum;
    char text[WN_TEXT_BYTES + 1];
} wn_field_state;

typedef struct wn_message_state {
    uint32_t number;
    Warren__MessageKind kind;
    char from[WN_NAME_BYTES + 1];
    char text[WN_BANNER_BYTES + 1];
} wn_message_state;

typedef struct wn_row_state {
    uint32_t column_count; /* 0: no such row */
    char columns[WN_COLUMNS][WN_TEXT_BYTES + 1];
} wn_row_state;

typedef struct wn_region_state {
    uint32_t at, width, height; /* width 0: no such region */
    char title[WN_TEXT_BYTES + 1];
} wn_region_state;

enum { WN_CLIENT_MESSAGES = 1000, WN_CLIENT_WATCHERS = 64 };
#define WN_NO_FOCUS 0xffffffffu

/* A view as it stands here. Owned by the client; read only. Valid from its first keyframe until the world is left. */
typedef struct wn_replica {
    uint32_t world;
    const char *name;         /* of the world */
    int32_t seat;             /* -1: watching */
    const Warren__Mode *mode; /* the legend */
    bool ready;               /* the first keyframe has come */
    uint64_t sequence, turn;
    uint32_t executed;
    uint32_t width, height;
    const uint16_t *cells;          /* width * height */
    const wn_sprite_state *sprites; /* sorted by id */
    uint32_t sprite_count;
    const wn_field_state *fields; /* one for each of mode->status */
    const wn_row_state *rows;
    uint32_t row_count;
    const wn_region_state *regions; /* parts of the view with a name */
    uint32_t region_count;
    uint32_t focus;                   /* a cell, or WN_NO_FOCUS */
    uint32_t facing;                  /* where the seat's player looks, or WN_NOWHERE */
    const char *banner;               /* "": none */
    const wn_message_state *messages; /* oldest first, the last WN_CLIENT_MESSAGES */
    uint32_t message_count;
    char watchers[WN_CLIENT_WATCHERS][WN_NAME_BYTES + 1]; /* who watches the world; those above are not named */
    uint32_t watcher_count;
} wn_replica;

const wn_replica *wn_client_replica(const wn_client *client, uint32_t world); /* NULL: not joined */

/* The replica by itself, for tests and tools that have updates from elsewhere (a file). */
wn_replica *wn_replica_new(const Warren__Mode *mode); /* mode must outlive it */
typedef enum wn_apply { WN_APPLY_DONE, WN_APPLY_GAP, WN_APPLY_INVALID } wn_apply;
/* GAP: something before it is missing, nothing was changed. INVALID: it does not fit the view, likewise; ask for a
 * keyframe in both cases. */
wn_apply wn_replica_apply(wn_replica *replica, const Warren__Update *update);
void wn_replica_free(wn_replica *replica);

#endif
