/* complete.h: what may come next on a command line of warrenctl, for the shells' completions, from the table of
 * commands itself.
 */
#ifndef WARREN_CTL_COMPLETE_H
#define WARREN_CTL_COMPLETE_H

#include "commands.h"

/* An option as completion needs to know it. */
typedef struct wn_ctl_option {
    const char *name;
    unsigned bit;   /* 0: every command takes it */
    bool has_value; /* the next word is not the command's */
} wn_ctl_option;

/* Prints, a line each, what the last of the words may become; it may be empty. "/" alone: a file. An offer that ends in
 * "=" is to be gone on with. Worlds, players, modes and the like are asked of the server, in silence. */
void wn_ctl_complete(const wn_ctl_option *options, size_t option_count, int count, char **words);

#endif
