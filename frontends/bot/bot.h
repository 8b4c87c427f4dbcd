/* bot.h: one player that nobody sits at: a client, what it is to do, and what it has seen. Many of them share a plan;
 * the loop that turns them is in crowd.h.
 */
#ifndef WARREN_BOT_BOT_H
#define WARREN_BOT_BOT_H

#include "brain.h"

/* What all bots are to do. */
typedef struct wn_plan {
    char world[WN_NAME_BYTES + 1];
    bool watch; /* look, do not play */
    bool print_updates;
    uint32_t window;     /* commands in flight, at most WN_BOT_WINDOW */
    int64_t period_us;   /* between two commands of a bot; 0: as fast as the window lets it */
    int64_t patience_us; /* so long it waits for a lost connection to come back */
    uint64_t commands;   /* stop after so many; 0: no end */
    uint64_t turns;      /* stop after so many of the world; 0: no end */
    const wn_brain *brain;
    wn_script *script; /* NULL but for the brain that follows one */
} wn_plan;

enum { WN_BOT_WINDOW = 4096, WN_BOT_DELAYS = 65536 };

typedef enum wn_bot_state {
    WN_BOT_CONNECTING,
    WN_BOT_JOINING, /* waits for its seat and its first keyframe */
    WN_BOT_PLAYING,
    WN_BOT_WAITING, /* there is no free seat for its next life: it asks again */
    WN_BOT_DONE,    /* all that was asked of it, or the world is over; it keeps its seat */
    WN_BOT_FAILED   /* `failure` says why */
} wn_bot_state;

typedef struct wn_bot_counts {
    uint64_t sent, executed, refused;
    uint64_t dropped;                   /* in flight when the mode ended the seat or the world */
    uint64_t seats;                     /* taken, over all lives */
    uint64_t updates, keyframes, bytes; /* bytes of updates as encoded, with their keys */
    uint64_t resyncs;                   /* keyframes after a seat's first */
    uint64_t losses;                    /* of the connection */
    uint64_t kills, deaths, turns; /* as the status says; seats that the mode ended; of the world, while it played */
} wn_bot_counts;

/* A command in flight. */
typedef struct wn_flight {
    uint32_t number;
    bool settled; /* refused: it is not waited for */
    int64_t sent_us;
} wn_flight;

typedef struct wn_bot {
    wn_client *client;
    const wn_plan *plan;
    char name[WN_NAME_BYTES + 1]; /* as wanted; the client knows the one given */
    wn_bot_state state;
    uint32_t request;  /* the join that is under way */
    uint32_t question; /* of wn_bot_ask(), or 0: it has been answered */
    uint32_t players, watchers;
    uint32_t world;  /* 0: no seat yet */
    void *mind;      /* of plan->brain */
    wn_deed deed;    /* decided and not done yet */
    int64_t due_us;  /* not before that; 0: nothing to wait for but answers */
    int64_t lost_us; /* since when the connection is gone; 0: it is not */
    bool resting;    /* send nothing for now */
    bool stopping;   /* send no more; it is done when what is in flight has been executed */
    bool seen;       /* the seat's first keyframe has come */
    uint64_t turn;   /* the last that it saw in this life */
    int64_t life_kills;
    wn_flight *flights; /* a ring of plan->window */
    uint32_t flight_first, flight_count;
    uint32_t *delays; /* of the last WN_BOT_DELAYS executed commands, microseconds */
    size_t delay_count, delay_capacity;
    wn_bot_counts counts;
    wn_error failure;
} wn_bot;

/* Starts connecting as `options` say. `chance` seeds what it does, `due_us` is when it may begin. */
bool wn_bot_start(wn_bot *bot, const wn_plan *plan, const wn_client_options *options, uint64_t chance, int64_t due_us,
                  wn_error *error);
/* Takes what has come. Call it when the client's descriptor is readable. */
void wn_bot_hear(wn_bot *bot, int64_t now_us);
/* Sends what is due. */
void wn_bot_act(wn_bot *bot, int64_t now_us);
/* When it next has to act without having heard anything, as seen after wn_bot_act(now_us). INT64_MAX: never. */
int64_t wn_bot_due(const wn_bot *bot, int64_t now_us);
/* Asks how many play and watch its world: `players` and `watchers` tell when `question` is 0 again. false: not now. */
bool wn_bot_ask(wn_bot *bot);
void wn_bot_free(wn_bot *bot);

/* Microseconds of the monotonic clock. */
int64_t wn_now_us(void);

#endif
