/* internal.h: what the files of the client library share: the structures behind client.h and who does what with them.
 * It is not for frontends.
 *
 *   client.c      lifetime, the descriptor, the timers
 *   connection.c  sockets, Hello and Welcome, loss and return of the connection
 *   introduction.c  the server's key and ours; trust.c keeps them
 *   reach.c       why the daemon cannot be reached
 *   requests.c    requests and which of them wait for an answer
 *   commands.c    commands and which of them wait for their update
 *   views.c       the joined worlds: keys, keyframes asked for, coming back after a loss
 *   adoptions.c   worlds of a session that an earlier process began
 *   events.c      receives messages and makes events of them
 *   replica.c     a view as it stands here; replica-internal.h has its parts
 */
#ifndef WARREN_CLIENT_INTERNAL_H
#define WARREN_CLIENT_INTERNAL_H

#include "client.h"
#include "clock.h"
#include "replica.h"

enum {
    WN_CLIENT_REQUESTS = 1024,     /* waiting for an answer, and answers not taken yet */
    WN_CLIENT_COMMANDS = 4096,     /* most that are kept per seat, whatever the daemon allows */
    WN_CLIENT_ARENA = 64 << 20,    /* one decoded message */
    WN_CLIENT_LEGEND = 16 << 20,   /* one decoded Joined */
    WN_KEYFRAME_WAIT_US = 1000000, /* for a keyframe, before it is asked for again; doubles up to eight times that */
    WN_DOUBT_US = 200000,          /* what a Pong announced may still be under way for so long */
    WN_MISSED_PONGS = 3
};

typedef struct wn_pending_command {
    uint32_t number, action, argument;
    bool done;   /* refused while earlier ones still wait */
    bool resent; /* tells nothing about the delay */
    uint64_t sent_us;
} wn_pending_command;

/* A joined world. */
typedef struct wn_client_view {
    uint32_t world;
    char name[WN_NAME_BYTES + 1];
    int32_t seat; /* -1: watching */
    uint8_t key[WN_KEY_BYTES];
    bool subscribed;
    bool rejoining; /* the session that had joined it is gone */
    bool dying;     /* released when the next event is taken */
    wn_arena *legend_arena;
    wn_replica *replica;

    wn_pending_command *commands; /* a ring, oldest at `first` */
    uint32_t capacity, first, count;
    uint32_t waiting; /* of these, not done */
    uint32_t next_number;

    uint64_t keyframe_due; /* 0: none expected. Else ask (or join) again then */
    uint64_t keyframe_wait;
    uint64_t doubt_due; /* 0: none. Else compare with what the Pong said then */
    uint64_t doubt_announced;
    uint64_t overtaken; /* our sequence when the last Pong said less; 0: it did not */
} wn_client_view;

/* A world that is to be a view again. */
typedef struct wn_adoption {
    uint32_t world;
    char name[WN_NAME_BYTES + 1];
    bool seated;   /* else watched */
    uint64_t due;  /* 0: asked for, or there is no connection. Else ask (again) then */
    uint64_t wait; /* before the next attempt */
} wn_adoption;

/* What is known of the server's key. */
typedef enum wn_trust {
    WN_TRUST_NOBODY, /* no keys */
    WN_TRUST_ASK,    /* it is asked for its key first */
    WN_TRUST_KEY
} wn_trust;

/* How far an attempt to connect has come, by a socket's monitor. */
typedef struct wn_attempt {
    bool under_way, closed, reached;
    bool told;      /* why it failed */
    uint64_t since; /* it is under way */
} wn_attempt;

typedef enum wn_request_kind {
    WN_REQUEST_PLAIN,
    WN_REQUEST_JOIN, /* or watch */
    WN_REQUEST_LEAVE,
    WN_REQUEST_REJOIN, /* from here on: the client's own, whose answers the frontend does not see */
    WN_REQUEST_ADOPT,
    WN_REQUEST_OWN,
    WN_REQUEST_UNWANTED /* to join or watch, and forgotten since */
} wn_request_kind;

typedef struct wn_pending_request {
    uint32_t id;
    wn_request_kind kind;
    uint32_t world;
    char name[WN_NAME_BYTES + 1]; /* of the world to join or watch */
    wn_buffer bytes;              /* empty once sent */
} wn_pending_request;

typedef struct wn_queued_event {
    wn_event_kind kind;
    uint32_t request, world;
    wn_error error;
} wn_queued_event;

struct wn_client {
    char control_endpoint[256];
    char software[WN_TEXT_BYTES + 1];
    char wanted_player[WN_NAME_BYTES + 1]; /* "": a guest's */
    uint64_t reconnect_us;

    wn_client_state state;
    void *context;
    bool context_owned;
    void *control, *monitor, *updates; /* NULL: not open */
    int monitor_fd;
    void *monitored; /* the socket whose monitor that is */
    wn_attempt attempt;
    char trouble[WN_TEXT_BYTES + 1]; /* why there is no connection; "": not known, or there is one */
    wn_trust trust;
    bool keyless;  /* the address says that the server has no key */
    bool asks_key; /* it was asked for its key, which it has not told; it may be tried without meanwhile */
    bool known;    /* its key is kept: known_where says where */
    char known_where[4200];
    uint8_t server_key[WN_CURVE_BYTES];
    wn_curve_pair own_pair;
    void *introduction; /* NULL: it is not being asked for its key */
    int introduction_fd;
    uint32_t vain_handshakes;
    unsigned connection_count; /* names the monitors */
    bool disconnected;         /* the monitor said so; what came before is still read */
    int epoll, timer, kick;
    bool kicked;
    uint64_t armed_us; /* when the timer fires; UINT64_MAX: never */

    uint32_t hello_id;
    uint64_t hello_due, hello_wait; /* due 0: not waiting for Welcome */
    wn_arena *welcome_arena;
    const Warren__Welcome *welcome;
    uint8_t session[WN_KEY_BYTES];
    bool session_known;

    uint64_t ping_due, ping_sent_us, heartbeat_us;
    uint32_t ping_id, pings_missed;
    uint32_t delay_us;
    bool command_measured; /* since the last ping */

    uint32_t last_id;
    wn_pending_request *requests;
    uint32_t request_count, request_capacity;
    wn_buffer scratch; /* the message being sent */

    wn_client_view **views;
    uint32_t view_count, view_capacity;

    bool adopting; /* no Welcome has come yet to the session of the options */
    wn_adoption *adoptions;
    uint32_t adoption_count, adoption_capacity;

    wn_queued_event *queue; /* a ring, oldest at queue_first */
    uint32_t queue_capacity, queue_first, queue_count;
    wn_arena *arena;        /* of the event taken last */
    uint32_t updates_taken; /* since the control socket was looked at */
};

/* client.c */
void wn_client_kick(wn_client *client);                   /* makes the descriptor readable */
void wn_client_schedule(wn_client *client, uint64_t due); /* a deadline was set: the timer fires by then */
void *wn_client_grow(void *items, uint32_t *capacity, size_t item_size); /* as realloc, twice as many; never NULL */
void wn_client_feed_delay(wn_client *client, uint64_t sample_us);

/* connection.c */
bool wn_connection_open(wn_client *client, wn_error *error); /* afresh, with a Hello */
void wn_connection_close(wn_client *client, int linger_ms);
void wn_connection_refuse(wn_client *client, const wn_error *error);                       /* for good */
void *wn_connection_socket(wn_client *client, int type, int64_t message_bytes, bool keys); /* NULL: not to be had */
int wn_connection_watch(wn_client *client, void *socket); /* its descriptor; -1: it cannot be watched */
void wn_connection_close_socket(wn_client *client, void **socket, int linger_ms);
void wn_connection_timers(wn_client *client, uint64_t now);
uint64_t wn_connection_due(const wn_client *client);
bool wn_connection_monitor_begin(wn_client *client, void *socket);
void wn_connection_monitor_end(wn_client *client);
void wn_connection_monitor(wn_client *client); /* the monitor has something to read */
void wn_connection_check(wn_client *client);   /* all that came is read: was it the last? */
void wn_connection_lost(wn_client *client, const wn_error *error);
void wn_connection_welcome(wn_client *client, const void *bytes, size_t size);
void wn_connection_hello_failed(wn_client *client, const Warren__Error *error);
void wn_connection_renew_updates(wn_client *client); /* without subscriptions */
void wn_connection_pong(wn_client *client);
bool wn_connection_send(wn_client *client, const wn_buffer *message);
bool wn_connection_unread(wn_client *client); /* a control message is there */

/* introduction.c */
bool wn_introduction_begin(wn_client *client, const wn_address *address, wn_error *error);
void wn_introduction_done(wn_client *client); /* a Welcome came */
bool wn_introduction_open(wn_client *client, wn_error *error);
void wn_introduction_close(wn_client *client);
void wn_introduction_ready(wn_client *client); /* there may be an answer */
void wn_introduction_unwelcome(wn_client *client);
void wn_introduction_again(wn_client *client); /* before another attempt to connect */
void wn_introduction_mismatch(wn_client *client);
void wn_introduction_handshake_failed(wn_client *client);

/* reach.c */
void wn_reach_begin(wn_client *client);                        /* another attempt */
void wn_reach_event(wn_client *client, uint16_t event);        /* of the socket's monitor */
void wn_reach_given_up(wn_client *client);                     /* nothing has come of it for a while */
void wn_reach_turned_away(wn_client *client, const char *why); /* the daemon has answered, for now with that */
void wn_reach_done(wn_client *client);                         /* there is a connection */

/* requests.c. The message's id is filled in. Returns the id, or 0 if too many wait. */
uint32_t wn_request_submit(wn_client *client, wn_request_kind kind, uint32_t world, Warren__Request *request);
bool wn_request_take(wn_client *client, uint32_t id, wn_pending_request *taken); /* answered */
bool wn_request_joins(const wn_client *client, const char *name); /* is one to join that world waiting? */
void wn_requests_flush(wn_client *client);                        /* sends what waited for Welcome */
void wn_requests_end(wn_client *client, bool unsent_too, const wn_error *error); /* no answer will come */
void wn_requests_free(wn_client *client);

/* commands.c */
void wn_commands_limit(wn_client_view *view, uint32_t limit);
void wn_commands_executed(wn_client *client, wn_client_view *view, uint32_t number);
void wn_commands_refused(wn_client_view *view, uint32_t number);
void wn_commands_resume(wn_client *client, wn_client_view *view, uint32_t next_number);
bool wn_commands_continue(const wn_client_view *view, uint32_t next_number);
void wn_commands_restart(wn_client_view *view, uint32_t next_number); /* another seat: what waited is void */

/* views.c */
wn_client_view *wn_view_find(const wn_client *client, uint32_t world);
wn_client_view *wn_view_by_key(const wn_client *client, const void *key, size_t size);
bool wn_view_joined(wn_client *client, const void *bytes, size_t size, wn_error *error); /* an encoded Reply */
void wn_view_rejoined(wn_client *client, wn_client_view *view, const void *bytes, size_t size);
void wn_view_rejoin_failed(wn_client *client, wn_client_view *view, const Warren__Error *error);
void wn_view_send_leave(wn_client *client, uint32_t world); /* which needs no view */
void wn_view_end(wn_client *client, wn_client_view *view);  /* released when the next event is taken */
void wn_view_ask_keyframe(wn_client *client, wn_client_view *view);
void wn_view_keyframe_came(wn_client_view *view);
void wn_views_compare(wn_client *client, const Warren__Pong *pong);
void wn_views_welcome(wn_client *client); /* a connection stands: back to the worlds */
void wn_views_lost(wn_client *client);
void wn_views_timers(wn_client *client, uint64_t now);
uint64_t wn_views_due(const wn_client *client);
void wn_views_sweep(wn_client *client); /* releases the dying */
void wn_views_free(wn_client *client);

/* adoptions.c */
bool wn_adoption_waits(const wn_client *client, uint32_t world);
void wn_adoption_forget(wn_client *client, uint32_t world);
void wn_adoption_answered(wn_client *client, uint32_t world, const Warren__Reply *reply, const void *bytes,
                          size_t size); /* the encoded reply */
void wn_adoptions_welcome(wn_client *client);
void wn_adoptions_timers(wn_client *client, uint64_t now);
uint64_t wn_adoptions_due(const wn_client *client);

/* events.c; replica.c has replica.h */
wn_queued_event *wn_event_queue(wn_client *client, wn_event_kind kind);
void wn_error_copy(wn_error *error, const Warren__Error *from);

#endif
