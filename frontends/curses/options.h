/* options.h: what the command line asks for. */
#ifndef WARREN_CURSES_OPTIONS_H
#define WARREN_CURSES_OPTIONS_H

#include <stdbool.h>

#include "colour.h"
#include "command-line.h"

typedef struct wn_options {
    wn_command_line line;
    const char *print_keys; /* a mode; NULL */
    bool list, ascii, names, bell, no_mouse;
    wn_depth depth;
} wn_options;

/* Returns -1 to go on, or the exit status to end with; then what there is to say has been printed. The options point
 * into argv. */
int wn_options_parse(wn_options *options, int argc, char **argv);

#endif
