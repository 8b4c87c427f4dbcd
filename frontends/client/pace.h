/* pace.h: how fast a recording is played: the speeds there are, and how many turns are due by now. A turn has no clock:
 * at speed 1 there are WN_PACE_TURNS of them in a second, whatever time passed between them when they were played. */
#ifndef WARREN_CLIENT_PACE_H
#define WARREN_CLIENT_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_PACE_TURNS = 8, WN_PACE_FRAME_MS = 33 };

typedef struct wn_pace {
    uint32_t speed; /* index of the speed; the last is "as fast as it goes" */
    int64_t since;  /* milliseconds: until when turns have been counted */
    double owed;    /* a part of a turn is kept for the next time */
    uint64_t burst; /* turns in a frame, when there is no speed to keep */
} wn_pace;

/* Speed 1. */
void wn_pace_init(wn_pace *pace);
/* Turns are counted from now on: playing begins, or goes on at another place. */
void wn_pace_start(wn_pace *pace, int64_t now);
/* One speed up or down. false: it is the last already. */
bool wn_pace_faster(wn_pace *pace);
bool wn_pace_slower(wn_pace *pace);
const char *wn_pace_name(const wn_pace *pace); /* "0.25x", "max" */

/* How many turns are due. What a slow game cannot keep up with is forgotten, not made good. */
uint64_t wn_pace_due(wn_pace *pace, int64_t now);
/* When to ask again. */
int64_t wn_pace_next(const wn_pace *pace, int64_t now);
/* How long the turns took that were due. */
void wn_pace_took(wn_pace *pace, int64_t milliseconds);

#endif
