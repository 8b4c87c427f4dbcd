/* crowd.h: many bots in one process and one loop, and what they have seen in the end.
 */
#ifndef WARREN_BOT_CROWD_H
#define WARREN_BOT_CROWD_H

#include <stdio.h>

#include "bot.h"

typedef struct wn_crowd {
    wn_plan plan;
    wn_bot *bots;
    uint32_t count;
    uint64_t seed;
    int64_t run_us;     /* stop after that; 0: no end */
    int64_t timeout_us; /* for all of them to join */
    int64_t lasted_us;  /* how long it took, in the end */
    void *context;      /* ZeroMQ's: one, and its thread, for all of them */
    int leash;          /* a descriptor: when it ends, they leave; -1: none */
    bool company;       /* they rest while nobody else plays or watches */
    bool interrupted;
} wn_crowd;

/* Starts `count` bots called PLAYER, PLAYER-2, ... `plan`, `seed` and the times have been set. */
bool wn_crowd_start(wn_crowd *crowd, const wn_address *address, const char *player, uint32_t count, wn_error *error);
/* Until all are done, the time is over, or SIGINT or SIGTERM comes. false: the loop itself could not work. */
bool wn_crowd_run(wn_crowd *crowd, wn_error *error);
void wn_crowd_free(wn_crowd *crowd);

/* All joined, and every command that the mode was there for was executed. */
bool wn_crowd_succeeded(const wn_crowd *crowd);
void wn_crowd_summary(const wn_crowd *crowd, FILE *to);
void wn_crowd_json(const wn_crowd *crowd, FILE *to);
/* Each bot's view as it stands, as text. */
void wn_crowd_views(const wn_crowd *crowd, FILE *to);

#endif
