/* options.h: what the command line asks for. */
#ifndef WARREN_SDL_OPTIONS_H
#define WARREN_SDL_OPTIONS_H

#include <stdbool.h>

#include "command-line.h"
#include "window.h"

typedef struct wn_options {
    wn_command_line line;
    const char *font;  /* NULL: found */
    const char *tiles; /* a directory with a mode's own tiles; NULL: the usual places */
    int width, height; /* 0: as it was last time */
    wn_rendering rendering;
    bool full_screen, mute;
} wn_options;

/* Returns -1 to go on, or the exit status to end with; then what there is to say has been printed. */
int wn_options_parse(wn_options *options, int argc, char **argv);

#endif
