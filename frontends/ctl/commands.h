/* commands.h: the commands of warrenctl: one table that drives dispatch, checks and help.
 */
#ifndef WARREN_CTL_COMMANDS_H
#define WARREN_CTL_COMMANDS_H

#include <stdio.h>

#include "session.h"

/* Options that only some commands take, as bits. */
enum {
    WN_CTL_SEED = 1,
    WN_CTL_ALL = 2,
    WN_CTL_SEAT = 4,
    WN_CTL_SPECTATOR = 8,
    WN_CTL_TURN = 16,
    WN_CTL_SPEED = 32,
    WN_CTL_MODE_PATH = 64,
    WN_CTL_FOR = 128,
    WN_CTL_REASON = 256,
    WN_CTL_NOW = 512,
    WN_CTL_UNDO = 1024,
    WN_CTL_COUNT = 2048
};

/* What the command line says; what was not given is 0. */
typedef struct wn_ctl_options {
    const char *server, *player, *mode_path;
    uint32_t timeout_ms;
    bool json, has_timeout;
    bool complete;  /* for a shell: what may come next */
    unsigned given; /* of the bits above */
    uint64_t seed, turn, samples;
    uint32_t seat;
    const char *reason;
    uint32_t seconds; /* of a ban or a kick */
    double speed;     /* HUGE_VAL: as fast as it goes */
} wn_ctl_options;

typedef struct wn_ctl {
    wn_session session; /* not open for a command that is `local` */
    const wn_ctl_options *options;
} wn_ctl;

typedef struct wn_ctl_command {
    const char *name;
    const char *arguments; /* as help shows them */
    const char *help;
    int least, most;     /* how many arguments; most -1: any number */
    unsigned takes;      /* options, as bits */
    bool local;          /* asks no daemon */
    bool slow;           /* an answer may take long: unless told otherwise, it is waited for */
    const char *goes_on; /* what the server does when that was not long enough; NULL: nothing more */
    int (*run)(wn_ctl *ctl, int count, char **arguments); /* returns the exit status */
} wn_ctl_command;

/* NULL: there is none of that name. */
const wn_ctl_command *wn_ctl_find(const char *name);
/* true if `count` arguments and the given options fit. Otherwise it has said on stderr what the command takes. */
bool wn_ctl_fits(const wn_ctl_command *command, int count, unsigned given);
void wn_ctl_list(FILE *to);
void wn_ctl_each(void (*take)(void *context, const wn_ctl_command *command), void *context);

/* Waits for the answer to a request that has only a Done. What was done is printed as JSON, if that is wanted: pairs of
 * a member and its value, then NULL; NULL values are left out. Returns the exit status. */
int wn_ctl_done(wn_ctl *ctl, uint32_t request, const char *const *pairs);
/* All that the server shows; they outlive the next answer. NULL: session.status says why. Free with
 * warren__world_list__free_unpacked(). */
Warren__WorldList *wn_ctl_worlds(wn_ctl *ctl);
/* Zeros; at least one of them. Without memory the program ends. */
void *wn_ctl_allocate(size_t count, size_t size);

#endif
