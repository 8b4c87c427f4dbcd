/* options.h: what the command line asks for. */
#ifndef WARREN_CURSES_OPTIONS_H
#define WARREN_CURSES_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"
#include "colour.h"

typedef struct wn_options {
    wn_address address;
    char shown_address[256]; /* as it was given, or what was found */
    char player[WN_NAME_BYTES + 1];
    const char *world;      /* to join at once, or the name of the one to create; NULL */
    const char *create;     /* a mode; NULL */
    const char *print_keys; /* a mode; NULL */
    const char *replay;     /* a recording; NULL */
    const char *mode_path;  /* where the mode of a recording is sought; NULL: the usual places */
    const char *keys;       /* a key file; NULL: the usual one, if there is one */
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    size_t setting_count;
    bool has_seed;
    uint64_t seed;
    bool new_session; /* a kept one is left alone */
    bool watch, list, ascii, names, bell, no_mouse;
    wn_depth depth;
} wn_options;

/* Returns -1 to go on, or the exit status to end with; then what there is to say has been printed. The options point
 * into argv. */
int wn_options_parse(wn_options *options, int argc, char **argv);

#endif
