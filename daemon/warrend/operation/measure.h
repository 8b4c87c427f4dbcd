/* measure.h: how long things take, and what processes use. Nothing here makes a system call on the path of a turn: the
 * clock is read without one.
 */
#ifndef WARREN_MEASURE_H
#define WARREN_MEASURE_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum { WN_HISTOGRAM_BOUNDS = 14 };

/* How many took how long. `counts` are of each bucket alone; the last is for what is above every bound. */
typedef struct wn_histogram {
    uint64_t counts[WN_HISTOGRAM_BOUNDS + 1];
    uint64_t count, sum_us;
} wn_histogram;

extern const uint32_t wn_histogram_bounds_us[WN_HISTOGRAM_BOUNDS];

void wn_histogram_add(wn_histogram *histogram, uint64_t microseconds);

static inline uint64_t wn_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/* Of a process of ours that runs: resident memory, and processor time of all its threads. 0: not to be known. */
uint64_t wn_process_memory(pid_t pid);
uint64_t wn_process_cpu_us(pid_t pid);

#endif
