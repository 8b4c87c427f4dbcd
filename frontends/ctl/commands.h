/* commands.h: the commands of warrenctl: one table that drives dispatch, checks and help.
 */
#ifndef WARREN_CTL_COMMANDS_H
#define WARREN_CTL_COMMANDS_H

#include <stdio.h>

#include "session.h"

typedef struct wn_ctl {
    wn_session session;
    bool json;
    bool all;             /* --all */
    const uint64_t *seed; /* --seed, or NULL */
} wn_ctl;

typedef struct wn_ctl_command {
    const char *name;
    const char *arguments; /* as help shows them */
    const char *help;
    int least, most; /* how many arguments; most -1: any number */
    bool takes_seed, takes_all;
    int (*run)(wn_ctl *ctl, int count, char **arguments); /* returns the exit status */
} wn_ctl_command;

/* NULL: there is none of that name. */
const wn_ctl_command *wn_ctl_find(const char *name);
/* true if `count` arguments and the given options fit. Otherwise it has said on stderr what the command takes. */
bool wn_ctl_fits(const wn_ctl_command *command, int count, bool seed, bool all);
void wn_ctl_list(FILE *to);

#endif
