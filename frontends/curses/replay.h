/* replay.h: the state of the screen that plays a recording, shared by its two files: replay.c (the recording, going to
 * turns, pace) and screen-replay.c (drawing and keys). */
#ifndef WARREN_CURSES_REPLAY_H
#define WARREN_CURSES_REPLAY_H

#include "app.h"
#include "edit.h"
#include "pace.h"
#include "player.h"
#include "scene.h"

typedef enum wn_replay_focus {
    WN_REPLAY_WATCHING,
    WN_REPLAY_HELP,
    WN_REPLAY_MESSAGES,
    WN_REPLAY_GOING
} wn_replay_focus;

typedef struct wn_replay {
    wn_recording *recording;
    wn_player *player;
    wn_pace pace;
    bool playing;
    bool under_way; /* to a turn that is not shown yet */
    int64_t began;  /* when it was set out for */
    uint64_t shown_turn;
    int32_t shown_seat;
    bool retreating; /* a turn could not be played: back to the one that is shown */
    bool blank;      /* the view has nothing to show */
    wn_map map;
    wn_layout layout;
    wn_banner banner;
    wn_replay_focus focus;
    wn_box_view view; /* of the box that is open */
    wn_edit edit;     /* the turn to go to */
} wn_replay;

/* Reads the recording and starts its mode. NULL: it has been said why, and *status is the exit status. */
wn_replay *wn_replay_load(const wn_options *options, int *status);
void wn_replay_free(wn_replay *replay);
void wn_replay_open(wn_app *app, wn_replay *replay);

/* Going to a turn takes as many passes of the loop as it needs; wn_replay_tick() does the work. */
void wn_replay_go(wn_app *app, uint64_t turn);
void wn_replay_move(wn_app *app, int64_t turns); /* from where it is, or is on its way to */
void wn_replay_next_view(wn_app *app, bool back);
void wn_replay_play(wn_app *app, bool on);
void wn_replay_tick(wn_app *app);

#endif
