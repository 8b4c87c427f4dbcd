/* daemon.h: what the parts of warrend know of each other: the daemon, its modes, worlds, seats, views and sessions.
 * Structures only; what can be done with each stands in the part's own header, and README.md tells which part is which.
 */
#ifndef WARREN_DAEMON_H
#define WARREN_DAEMON_H

#include <czmq.h>

#include "access/allowance.h"
#include "access/budget.h"
#include "configuration/config.h"
#include "curve.h"
#include "log.h"
#include "loop.h"
#include "modes/host-process.h"
#include "operation/measure.h"
#include "store/store.h"
#include "wire.h"

enum { WN_IDENTITY_BYTES = 72, WN_ADDRESS_BYTES = 64 }; /* of who a peer is and where, see admission.h */

typedef struct wn_daemon wn_daemon;
typedef struct wn_game wn_game;
typedef struct wn_session wn_session;
typedef struct wn_account wn_account;
typedef struct wn_listener wn_listener;

/* modes and hosts */

typedef enum wn_host_state { WN_HOST_STOPPED, WN_HOST_STARTING, WN_HOST_READY } wn_host_state;

/* What runs the worlds of a mode, while there are any. */
typedef struct wn_mode_host {
    wn_host_state state;
    wn_host_process process;
    bool stopping;        /* it was asked to */
    size_t frame;         /* of the message that is being written in place */
    uint32_t outstanding; /* messages that await an answer */
    uint64_t progress_ms; /* when the last answer came, or the first message of a busy time was sent */
    wn_timer *watchdog, *idle;
} wn_mode_host;

enum { WN_CRASHES_KEPT = 16 };

/* A mode as the daemon knows it. (What a mode exports is called wn_mode.) */
typedef struct wn_installed_mode {
    wn_daemon *daemon;
    char name[WN_NAME_BYTES + 1]; /* of the mode; of the file until the descriptor is known */
    char *path;
    Warren__Mode *descriptor; /* NULL until the first Ready */
    char build[WN_NAME_BYTES + 1];
    uint32_t own_settings; /* those of the table that are the daemon's: see own-settings.h */
    wn_mode_host host;
    struct wn_worker *worker; /* who answers the questions of its worlds; NULL: none was asked */
    bool given_up;
    char failure[WN_TEXT_BYTES + 1]; /* given up: why */
    bool again;                      /* given up: it is to be tried once more, when its process is gone */
    wn_timer *restart;
    uint64_t crashes_ms[WN_CRASHES_KEPT];
    uint32_t restarts; /* since the daemon started */
    uint64_t turns;    /* likewise */
    struct wn_mode_log *log;
    uint64_t saved_ms; /* when it answered last that a world is saved, or is not */
    wn_allowance scores;
    wn_game **games; /* its worlds */
    size_t game_count, game_capacity;
    uint32_t *wanted; /* ids of worlds that somebody waits for */
    size_t wanted_count, wanted_capacity;
    size_t load_next; /* index of the first of its worlds that may not be loaded yet */
    uint32_t loading; /* worlds its host was given and has not made yet */
} wn_installed_mode;

/* worlds, seats and views */

typedef struct wn_queued_command {
    uint32_t number, action, argument;
    bool has_argument; /* the action takes one */
} wn_queued_command;

/* By which one listener hears a view. */
typedef struct wn_view_key {
    uint8_t bytes[WN_KEY_BYTES];
    struct wn_published_view *view;
    const wn_session *watcher; /* whose it is; NULL: whoever has the seat */
    size_t at;                 /* index in the view's keys */
    bool subscribed;           /* somebody was, since it was made */
    struct wn_unread *unread;  /* of who subscribed last, see unread.h */
} wn_view_key;

/* What one seat, or the spectators, can be sent. */
typedef struct wn_published_view {
    wn_game *game;
    int32_t seat;       /* -1: the spectators' */
    wn_view_key **keys; /* of a seat: one */
    size_t key_count, key_capacity;
    bool subscribed;      /* somebody was, since it was made */
    uint64_t sequence;    /* of the last update published */
    uint64_t keyframe_ms; /* when the last keyframe was asked of the host */
    bool watched;         /* the host draws it */
    bool keyframe_waits;  /* in wn_daemon.keyframes_wait */
} wn_published_view;

enum { WN_PENDING_MOST = 512 }; /* inputs of a world that are not commands; chat beyond that is refused */

typedef enum wn_seat_state { WN_SEAT_FREE, WN_SEAT_JOINING, WN_SEAT_TAKEN, WN_SEAT_LEAVING } wn_seat_state;

typedef struct wn_seat {
    wn_seat_state state;
    wn_session *session;  /* NULL: nobody connected holds it (after a restart) */
    uint64_t orphaned_ms; /* since when */
    char player[WN_NAME_BYTES + 1];
    uint32_t join_request;          /* JOINING: the request that gets the Joined */
    uint64_t join_turn, leave_turn; /* the turn that carries its join, its leave; 0: not given out yet */
    uint32_t accepted;              /* number of the last command taken or refused */
    wn_published_view *view;
    wn_queued_command *queue; /* a ring of wn_config.queued_commands; allocated with the first command */
    uint32_t queue_head, queue_count;
} wn_seat;

/* An input that is not a seat's command: it goes into the world's next turn. */
typedef struct wn_pending_input {
    enum { WN_INPUT_JOIN, WN_INPUT_LEAVE, WN_INPUT_CHAT, WN_INPUT_ANSWER } kind;
    uint32_t seat;                /* of an answer: the question's serial */
    uint32_t entry;               /* of a join: the way to enter */
    char *text;                   /* of a chat or an answer; allocated. NULL: there is no answer */
    size_t size;                  /* of an answer */
    char name[WN_NAME_BYTES + 1]; /* player, or chat's sender */
} wn_pending_input;

typedef enum wn_game_state {
    WN_GAME_STARTING, /* its host is being started or it is being replayed */
    WN_GAME_RUNNING,
    WN_GAME_OVER, /* still shown, no turns but chat and leaves */
    WN_GAME_PARKED
} wn_game_state;

typedef enum wn_asked { WN_ASKED_NOTHING, WN_ASKED_CREATE, WN_ASKED_RECOVER, WN_ASKED_PARK } wn_asked;

/* Who waits for what takes longer than a pass. All zero: nobody. */
typedef struct wn_asker {
    wn_session *session; /* NULL: nobody, or it has ended since */
    uint32_t request;    /* under whose id the answer goes; 0: only a refusal is wanted */
} wn_asker;

/* A world as the daemon knows it. (The mode's handle is called wn_world.) */
struct wn_game {
    wn_daemon *daemon;
    wn_installed_mode *mode;
    uint32_t id;
    char name[WN_NAME_BYTES + 1];
    char owner[WN_NAME_BYTES + 1];
    char owner_identity[WN_IDENTITY_BYTES]; /* "": not known, then the name counts */
    zlistx_t *rules;                        /* its list of rights and bans; NULL: none yet. See access.h */
    struct wn_game_setting {
        char *name, *value, *file; /* file: the name of the file that `value` is the content of, or "" */
    } * settings;                  /* in the mode's order */
    size_t setting_count;
    uint64_t seed;
    int64_t created;
    wn_game_state state;
    char *outcome;    /* OVER, PARKED: a sentence */
    uint64_t turn;    /* last one executed */
    bool ending;      /* its last turn is done: no command is given out any more */
    bool seats_known; /* false until it was served for the first time: who holds which seat is not known */
    struct wn_waiting_join {
        wn_session *session;
        uint32_t request;
        uint32_t entry;
    } * joins; /* that wait for that */
    size_t join_count, join_capacity;
    wn_seat *seats; /* max_seats of the mode; allocated with the first join */
    uint32_t seat_count, seats_taken;
    uint32_t seats_unsettled; /* JOINING or LEAVING: the next turns decide */
    wn_published_view *spectators;
    uint32_t watchers;    /* sessions that watch */
    bool watchers_news;   /* in wn_daemon.watchers_news */
    struct wn_bots *bots; /* the process that fills seats; NULL: it is to have none */
    uint64_t bots_ms;     /* when one was started last; 0: never */
    wn_pending_input *pending;
    size_t pending_count, pending_capacity;
    uint32_t commands_queued; /* over all seats */
    bool in_flight;           /* a turn is at the host */
    uint64_t flight_us;       /* since when */
    wn_buffer flight;         /* its Inputs, for the turn to be asked for again after a crash */
    bool due;                 /* in wn_daemon.due */
    bool wake_due;
    wn_timer *wake; /* allocated with the first wake-up */
    wn_asked asked; /* what somebody waits for */
    wn_asker asker;
    char build[WN_NAME_BYTES + 1]; /* of the mode that made the journal's last entries */
    uint32_t entries;              /* of the journal, since the last snapshot */
    uint64_t entry_bytes;
    bool saving;
    uint64_t saving_ms;     /* when that was asked for */
    uint64_t unsaved_ms;    /* when it was answered that it cannot be saved; 0: it was not */
    uint64_t snapshot_turn; /* of the last snapshot made since the daemon started */
    bool park_saved;        /* ASKED_PARK: that snapshot was asked for */
    bool awaits_recovery;   /* PARKED: settle_build() in loading.c asks what to do */
    bool unsavable;         /* its mode crashed while it saved it: it goes on without snapshots */
    bool wanted;            /* in wn_installed_mode.wanted */
    bool sent;              /* STARTING: its host was told of it */
    uint32_t crashes;       /* of its turns, or while it was loaded, in a row */
    size_t mode_index;      /* in mode->games */
};

/* What costs the daemon much with one request: a list of all there is; a change that the store has before it is
 * answered. What costs nothing much has no budget. */
typedef enum wn_cost { WN_COST_NOTHING, WN_COST_LIST, WN_COST_WRITE, WN_COSTS } wn_cost;

/* sessions */

enum { WN_ROUTING_ID_BYTES = 64, WN_SESSION_WATCHES = 64 };

/* What somebody may, everywhere. More is more. (A world is managed by its owner and by those it was granted to.) */
typedef enum wn_role { WN_ROLE_NONE, WN_ROLE_SPECTATOR, WN_ROLE_PLAYER, WN_ROLE_ADMIN } wn_role;

/* One connection of a control socket. */
typedef struct wn_peer {
    uint8_t id[WN_ROUTING_ID_BYTES + 1]; /* first byte: index of the socket */
    size_t id_size;
    wn_session *session; /* NULL: no Hello yet */
    wn_role role;
    bool admin;                                                  /* it is that of administrators */
    char identity[WN_IDENTITY_BYTES], address[WN_ADDRESS_BYTES]; /* see admission.h */
    pid_t process;                                               /* on ipc; else 0 */
    int connection;                                              /* its descriptor, -1: not known; see connections.h */
    uint64_t connection_serial;
    wn_account *player, *from; /* see accounts.h; `from` NULL on ipc */
    wn_allowance requests;
    uint64_t seen_ms;
} wn_peer;

struct wn_session {
    uint8_t token[WN_KEY_BYTES];
    char player[WN_NAME_BYTES + 1];
    char identity[WN_IDENTITY_BYTES]; /* who may go on with it; "": whoever has the token */
    char address[WN_ADDRESS_BYTES];   /* where its connection is, or was last */
    bool named;                       /* it asked for a name */
    bool name_taken;                  /* which was somebody else's */
    bool name_borrowed;               /* which does not stay its identity's */
    pid_t bots;                       /* the process of a world's own bots that it is one of; else 0 */
    wn_account *player_account, *from_account;
    wn_session *next; /* of player_account */
    wn_peer *peer;    /* NULL: lost; it has until lost_ms + grace to come back */
    uint64_t lost_ms;
    struct {
        wn_game *game;
        uint32_t seat;
    } * seats; /* up to wn_config.seats_per_player */
    size_t seat_count;
    struct {
        wn_game *game;
        wn_view_key *key; /* NULL: it was not told yet */
    } watches[WN_SESSION_WATCHES];
    size_t watch_count;
    uint32_t *restored; /* after a restart: worlds that it has a seat in and that are not loaded yet */
    size_t restored_count;
    bool welcome_waits;       /* it came back before they were */
    uint32_t welcome_request; /* its Hello */
    bool ending;
    bool asked_worlds; /* it asked for what a world may answer later, once at least */
};

/* the daemon */

typedef struct wn_statistics {
    uint64_t turns, commands, updates, update_bytes, keyframes, resyncs, refused, subscriptions_refused;
    wn_histogram turn_time, commit_time;
} wn_statistics;

enum { WN_WATCHERS_NAMED = 64 }; /* of a world; the rest is a number in WorldInfo */
enum { WN_CONTROL_SOCKETS = 2 }; /* 0: ipc, where the kernel names the peer; 1: tcp */

struct wn_daemon {
    wn_config *config;
    const wn_config_source *source; /* to read it again */
    wn_loop *loop;
    wn_store *store;
    char *set_aside; /* where the store is that was found damaged at the start; NULL: it was not */
    void *zmq;
    void *control[WN_CONTROL_SOCKETS];
    void *updates;
    wn_listener *listeners; /* sockets that were handed over to us */
    size_t listener_count;
    void *zap, *introduction;
    wn_curve_pair key;
    wn_installed_mode **modes;
    size_t mode_count;
    uint32_t sandbox_lacks; /* bits of wn_lacking that the log tells of already */
    zhashx_t *games;        /* by id */
    zhashx_t *games_by_name;
    zhashx_t *view_keys;        /* by their bytes */
    zhashx_t *peers;            /* by id */
    zhashx_t *sessions;         /* by token */
    zhashx_t *players;          /* sessions by player name */
    zhashx_t *accounts;         /* by name */
    zhashx_t *claims;           /* whose name is whose, by name: see names.c */
    zlistx_t *claims_by_use;    /* the one that was not used for the longest time first */
    zhashx_t *claimants;        /* how many names an identity has */
    struct wn_metrics *metrics; /* NULL: they are told nowhere */
    struct wn_beacon *beacon;   /* NULL: it is not to be found */
    zlistx_t *rules;            /* rights and bans that are about everywhere */
    uint64_t audit_refused_ms;  /* when a refused request was written down last */
    uint32_t seats_taken;
    uint32_t bots, bots_leaving; /* seats of the processes there are, and of those whose world is gone */
    struct wn_bots *bots_left;   /* the first of those whose world is gone; see bots.c */
    wn_allowance bots_at_once;   /* for starting such processes without a wait */
    wn_game **due;               /* worlds with something for a turn; NULL where one was closed meanwhile */
    size_t due_count, due_capacity;
    struct wn_conduct *conducts; /* by descriptor; see conduct.c */
    size_t conduct_count;
    zlistx_t *keyframes_wait; /* views whose keyframe waits for its rate limit */
    uint32_t *watchers_news;  /* ids of worlds whose watchers have changed */
    size_t watchers_news_count, watchers_news_capacity;
    wn_timer *watchers_timer;
    char *watcher_names[WN_WATCHERS_NAMED]; /* while a message with them is made */
    wn_timer *keyframe_timer, *sweep_timer, *commit_timer, *stop_timer;
    wn_arena *request_arena, *host_arena;
    wn_buffer reply;
    Warren__Host__FromHost **held; /* answers of hosts that wait for the commit; they live in the hosts' arenas */
    size_t held_count, held_capacity;
    bool commit_failing;      /* nothing runs until the store takes entries again */
    uint64_t commit_began_us; /* 0: none is on its way */
    struct {
        wn_backup *copy; /* NULL: none is being made */
        wn_asker asker;
        wn_timer *step;
    } backup;
    wn_budget budgets[WN_COSTS]; /* of all players together: see requests.c */
    struct {
        bool asked; /* for snapshots of certain worlds, and it was not answered yet */
        wn_asker asker;
        uint32_t failed;
        struct wn_save_wait {
            uint32_t world;
            uint64_t turn;
        } * waits;
        size_t count, capacity;
    } saving;
    uint32_t *parking; /* ids of worlds that are saved and then parked */
    size_t parking_count, parking_capacity;
    bool orphans;        /* some seat is held by nobody connected */
    bool sweeps_slowly;  /* the sweep's timer is set for later than is usual */
    struct wn_gone_bot { /* one whose process ended with the daemon that started it */
        uint32_t world;
        char player[WN_NAME_BYTES + 1];
    } * gone_bots;
    size_t gone_bot_count, gone_bot_capacity;
    bool ready, draining, stopping, saved;
    int exit_status;
    uint64_t started_ms;
    wn_statistics statistics;
    struct {
        bool present, ready; /* there is a service manager; it was told that we serve */
        uint64_t watchdog_ms, told_ms;
        size_t worlds; /* as told */
        uint32_t seats;
        bool draining;
        wn_timer *watchdog, *status;
    } service;
};

/* What its mode says of itself is known: it has told so since the daemon started. */
static inline bool wn_game_knows_mode(const wn_game *game)
{
    return game->mode != NULL && game->mode->descriptor != NULL;
}

#endif
