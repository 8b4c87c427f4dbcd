/* replay.h: a recording instead of a server. */
#ifndef WARREN_SDL_REPLAY_H
#define WARREN_SDL_REPLAY_H

#include "app.h"

/* Reads the recording that the command line names, starts its mode and shows it. false: it has been said why, and
 * *status is the exit status. */
bool wn_replay_open(wn_app *app, int *status);

#endif
