/* top-sample.h: a server at one moment: its status and its worlds. Rates are differences of two samples over the
 * server's own time between them; the first sample is compared with an empty one, so that its rates are those since the
 * start.
 */
#ifndef WARREN_CTL_TOP_SAMPLE_H
#define WARREN_CTL_TOP_SAMPLE_H

#include "commands.h"

typedef struct wn_sample_process {
    char name[WN_NAME_BYTES + 1];
    bool runs;
    uint32_t pid, worlds, restarts;
    uint64_t memory, cpu_us, turns;
} wn_sample_process;

typedef struct wn_sample_world {
    uint32_t id, players, max_players;
    char name[WN_NAME_BYTES + 1], mode[WN_NAME_BYTES + 1];
    uint64_t turn;
    double rate; /* turns a second; NAN: there was no sample of it before */
} wn_sample_world;

typedef struct wn_sample {
    char software[WN_NAME_BYTES + 1];
    bool draining;
    uint64_t uptime_ms, turns, turn_us, commands, updates, update_bytes, keyframes, resyncs, refused, commits,
        commit_us;
    uint32_t world_total, sessions, seats;
    wn_sample_process *processes; /* the daemon first */
    size_t process_count;
    wn_sample_world *worlds; /* by number */
    size_t world_count;
} wn_sample;

/* What happened a second, as programs and people are told. */
enum { WN_SAMPLE_RATES = 7 };
typedef struct wn_sample_rate {
    const char *key, *title;
    double value; /* NAN: no time has passed */
} wn_sample_rate;

/* Asks the server. false: it has been said why; what was taken is to be freed all the same. */
bool wn_sample_take(wn_ctl *ctl, const wn_sample *before, wn_sample *taken);
void wn_sample_free(wn_sample *taken);

uint64_t wn_sample_elapsed_ms(const wn_sample *now, const wn_sample *before);
void wn_sample_rates(const wn_sample *now, const wn_sample *before, wn_sample_rate rates[WN_SAMPLE_RATES]);
/* Of the process of that index. NAN: it does not run, or ran as another process before. */
double wn_sample_cpu_percent(const wn_sample *now, const wn_sample *before, size_t index);
double wn_sample_turns(const wn_sample *now, const wn_sample *before, size_t index); /* a second */
/* Milliseconds of one, of those since the sample before. NAN: there were none. */
double wn_sample_mean_ms(uint64_t us, uint64_t us_before, uint64_t count, uint64_t count_before);
/* The busiest first; free it. */
wn_sample_world *wn_sample_sorted(const wn_sample *now);

#endif
