/* replay.h: the state of the screen that plays a recording, shared by its two files: replay.c (what a turn brings) and
 * screen-replay.c (drawing and keys). Going to turns and the pace are playback.h's part. */
#ifndef WARREN_CURSES_REPLAY_H
#define WARREN_CURSES_REPLAY_H

#include "app.h"
#include "edit.h"
#include "playback.h"
#include "scene.h"

typedef enum wn_replay_focus {
    WN_REPLAY_WATCHING,
    WN_REPLAY_HELP,
    WN_REPLAY_MESSAGES,
    WN_REPLAY_GOING
} wn_replay_focus;

typedef struct wn_replay {
    wn_playback playback;
    bool blank; /* the view has nothing to show */
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
void wn_replay_tick(wn_app *app);

#endif
