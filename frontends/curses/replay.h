/* replay.h: the state of the screen that plays a recording, shared by its two files: replay.c (what a turn brings) and
 * screen-replay.c (drawing and keys). What is watched, and what keys mean, is viewing.h's part. */
#ifndef WARREN_CURSES_REPLAY_H
#define WARREN_CURSES_REPLAY_H

#include "app.h"
#include "scene.h"
#include "viewing.h"

typedef struct wn_replay {
    wn_viewing viewing;
    bool blank; /* the view has nothing to show */
    wn_map map;
    wn_layout layout;
    wn_banner_box banner;
    wn_box_view view; /* of the box that is open */
    unsigned opened;  /* viewing.opened, as the box was opened for it */
} wn_replay;

/* Reads the recording and starts its mode. NULL: it has been said why, and *status is the exit status. */
wn_replay *wn_replay_load(const wn_options *options, int *status);
void wn_replay_free(wn_replay *replay);
void wn_replay_open(wn_app *app, wn_replay *replay);
void wn_replay_tick(wn_app *app);

#endif
