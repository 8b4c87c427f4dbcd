/* hosted.h: a world as the files of this folder see it. Not for others: they use world.h.
 */
#ifndef WARREN_HOST_HOSTED_H
#define WARREN_HOST_HOSTED_H

#include "delay.h"
#include "heap.h"
#include "jobs.h"
#include "plugin.h"
#include "random.h"
#include "settings.h"
#include "view.h"
#include "world.h"

/* Which callback of the mode is running: what it may call depends on it. */
typedef enum wn_phase {
    WN_PHASE_NONE = 0,
    WN_PHASE_CREATE = 1,
    WN_PHASE_LOAD = 2,
    WN_PHASE_JOINED = 4,
    WN_PHASE_LEFT = 8,
    WN_PHASE_TURN = 16,
    WN_PHASE_DRAW = 32,
    WN_PHASE_SAVE = 64,
    WN_PHASE_ANSWERED = 128
} wn_phase;

/* The rules that a mode can break while it runs; each is logged once a world. */
typedef enum wn_rule {
    WN_RULE_PHASE,
    WN_RULE_NO_SIZE,
    WN_RULE_SIZE,
    WN_RULE_OUTSIDE,
    WN_RULE_TILE,
    WN_RULE_FACING,
    WN_RULE_SPRITES,
    WN_RULE_FIELD,
    WN_RULE_ROW,
    WN_RULE_SEAT,
    WN_RULE_PLACE,
    WN_RULE_EFFECTS,
    WN_RULE_SETTING,
    WN_RULE_MEMORY,
    WN_RULE_SCORE,
    WN_RULE_REGION,
    WN_RULE_DELAY,
    WN_RULE_ASK,
    WN_RULE_UNREAD
} wn_rule;

struct wn_hosted {
    wn_world handle; /* first: the mode's pointer to it is also one to this */
    wn_plugin *plugin;
    wn_view *views;                   /* the spectators', then one for each seat */
    char (*names)[WN_NAME_BYTES + 1]; /* of the seats' players */
    wn_setting_state *settings;
    wn_jobs jobs;          /* questions that wait for an answer */
    uint32_t asked_before; /* serial of the last before this turn */
    wn_delay delay;        /* of the spectators */
    wn_heap heap;
    wn_generator random;
    uint64_t turn;    /* number of the last one */
    uint64_t changed; /* number of the last whole one in which a callback of the mode ran */
    uint64_t taken;   /* a bit for each taken seat */
    uint64_t ended;   /* those that the mode has ended in this turn, or that are being left */
    wn_kept outcome;  /* when it is over */
    wn_host_log *log;
    void *log_context;
    uint32_t id;
    uint32_t wake_ms;
    uint32_t complained; /* a bit for each wn_rule that was logged */
    wn_phase phase;
    bool over;
    bool wake_asked;  /* in this turn */
    bool over_now;    /* in this turn */
    bool report_hash; /* in this turn's answer */
    bool called;      /* a callback, in this turn */
    bool unseen;      /* this turn was played before: it is neither drawn nor logged */
};

struct wn_writer {
    wn_buffer *buffer;
};

struct wn_reader {
    const uint8_t *at;
    size_t left;
    bool ok;
};

/* The table of functions that modes call. (calls.c) */
extern const wn_host wn_host_calls;

static inline wn_hosted *wn_hosted_of(const wn_world *world)
{
    return (wn_hosted *)(uintptr_t)world;
}

static inline wn_view *wn_hosted_seat_view(const wn_hosted *world, int32_t seat)
{
    return &world->views[seat + 1];
}

static inline bool wn_hosted_taken(const wn_hosted *world, int64_t seat)
{
    return seat >= 0 && seat < world->plugin->mode->max_seats && (world->taken >> seat & 1) != 0;
}

/* Somebody has the seat, or it is the spectators' view. */
static inline bool wn_hosted_present(const wn_hosted *world, int32_t seat)
{
    return seat == WN_SPECTATORS || wn_hosted_taken(world, seat);
}

void wn_world_log(wn_hosted *world, wn_log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The mode has broken a rule: logged once a world. */
void wn_world_complain(wn_hosted *world, wn_rule rule, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A message to every taken seat and to the spectators. */
void wn_hosted_tell_all(wn_hosted *world, Warren__MessageKind kind, const char *from, const char *text);

/* What a TurnDone tells of a seat; the values are its fields. Kept until the turn's answer is written. (turn.c) */
typedef enum wn_report { WN_REPORT_ENDED = 6, WN_REPORT_REFUSED = 9 } wn_report;
void wn_hosted_report(wn_hosted *world, wn_report report, uint32_t seat, const char *text);

/* Executes a turn, draws the watched views unless it is `unseen`, and makes no answer. (turn.c) */
void wn_hosted_execute(wn_hosted *world, uint64_t turn, const wn_inputs *inputs);
/* Draws the views that do not show the world as it stands. `drawn`: a bit for each seat whose view is not drawn. */
void wn_hosted_draw(wn_hosted *world, uint64_t drawn);
/* Appends for each watched view that has changed a field `field`, a ViewUpdate. */
void wn_hosted_write_updates(wn_hosted *world, wn_buffer *out, uint32_t field);

/* Makes the world from a snapshot. (save.c) */
bool wn_hosted_load(wn_hosted *world, const wn_world_options *options, wn_error *error);

#endif
