/* playback.h: a recording being watched: playing and pausing, going to turns, choosing a view, with a screen to be kept
 * alive meanwhile. What a turn looks like is the frontend's part. */
#ifndef WARREN_CLIENT_PLAYBACK_H
#define WARREN_CLIENT_PLAYBACK_H

#include "log.h"
#include "pace.h"
#include "player.h"

typedef struct wn_playback {
    wn_recording *recording;
    wn_player *player;
    wn_pace pace;
    bool playing;
    bool under_way; /* to a turn that is not shown yet */
    int64_t began;  /* when it was set out for */
    uint64_t shown_turn;
    int32_t shown_seat;
    char followed[WN_NAME_BYTES + 1]; /* the player whose view was chosen, whatever seat he has; "": the spectators' */
    bool retreating;                  /* a turn could not be played: back to the one that is shown */
} wn_playback;

/* Reads the recording and starts its mode. Returns 0, or the exit status with a sentence. */
int wn_playback_load(wn_playback *playback, const char *path, const char *mode_path, wn_error *error);
void wn_playback_free(wn_playback *playback);

/* Going to a turn takes as many calls of wn_playback_work() as it needs. Times are milliseconds of any clock that only
 * goes forward. */
void wn_playback_go(wn_playback *playback, uint64_t turn, int64_t now);
void wn_playback_move(wn_playback *playback, int64_t turns, int64_t now); /* from where it is, or is on its way to */
/* Text as a person types it: "120", "+20", "-20". false: it is none of these. */
bool wn_playback_go_typed(wn_playback *playback, const char *text, int64_t now);
/* The spectators' view, then each player's. A player is followed to other turns: to the seat that he has there, and to
 * the spectators' view while he has none. */
void wn_playback_next_view(wn_playback *playback, bool back, int64_t now);
void wn_playback_play(wn_playback *playback, bool on, int64_t now);
void wn_playback_change_speed(wn_playback *playback, bool faster, int64_t now);

typedef enum wn_playback_news {
    WN_PLAYBACK_SAME,
    WN_PLAYBACK_ON_ITS_WAY, /* call again at once */
    WN_PLAYBACK_SHOWN,      /* another turn, or view, is to be shown */
    WN_PLAYBACK_FAILED      /* the sentence says in which turn; it goes back to the one that is shown */
} wn_playback_news;
/* Does what is due. *next gets when to call it again, 0: not by itself. */
wn_playback_news wn_playback_work(wn_playback *playback, int64_t now, int64_t *next, wn_error *error);

/* Brings the messages up to the turn that is shown; after each WN_PLAYBACK_SHOWN. */
void wn_playback_log(wn_playback *playback, wn_log *log);

/* "ann", "spectators", "ann: no seat", "seat 3 (free)"; `long_form`: "ann (seat 3)", "ann (no seat here)". */
void wn_playback_view_name(const wn_playback *playback, bool long_form, char *text, size_t size);
const char *wn_playback_motion(const wn_playback *playback); /* "playing", "paused", "end" */

#endif
