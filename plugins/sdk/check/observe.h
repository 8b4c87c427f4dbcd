/* observe.h: stands between the host and a mode: notes which callback runs, how long it takes, what it allocates, how
 * much it saves.
 */
#ifndef WARREN_CHECK_OBSERVE_H
#define WARREN_CHECK_OBSERVE_H

#include "check.h"

/* CPU time in steps of an eighth of a power of two: quantiles without keeping each value. */
typedef struct time_steps {
    uint32_t steps[64 * 8];
    uint64_t longest;
    uint32_t count;
} time_steps;

void times_add(time_steps *times, uint64_t nanoseconds);
uint64_t times_quantile(const time_steps *times, double part);

typedef struct observation {
    time_steps turn, draw, save, load;
    uint64_t allocations;       /* calls of wn_alloc() and wn_resize() */
    bool counting;              /* the next turns are counted */
    uint64_t turns, allocating; /* calls of turn(), and those of them that allocated */
    size_t saved;               /* bytes that the last save() wrote */
    bool showing;               /* the mode shows an effect with which nothing is wrong */
    bool late;                  /* spectators see the world late */
    bool logging;               /* the mode is in wn_log(): what is logged is its own word */
} observation;

/* From here on the plugin's worlds are observed. There is one observation in the process. */
observation *observe(checker *check);

#endif
