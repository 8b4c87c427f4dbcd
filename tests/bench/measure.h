/* measure.h: what the bench programs measure with: the clock, samples and their percentiles, CPU time of processes.
 */
#ifndef WARREN_BENCH_MEASURE_H
#define WARREN_BENCH_MEASURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Microseconds of the monotonic clock. */
double wn_clock_us(void);

/* Numbers of which percentiles are wanted. All zero is a valid empty one. */
typedef struct wn_samples {
    double *values;
    size_t count, capacity;
} wn_samples;
void wn_samples_add(wn_samples *samples, double value);
/* The smallest value that `percent` of a hundred do not pass. Sorts. 0 if there are none. */
double wn_samples_percentile(wn_samples *samples, double percent);
void wn_samples_free(wn_samples *samples);

/* CPU time of all its threads so far, user and system, in microseconds, from the process's CPU clock
 * (clock_getcpuclockid(3)), which is finer than the ticks of /proc/PID/stat. 0 if there is no such process. */
double wn_cpu_us(pid_t process);
/* The same of all its children that are alive, together. */
double wn_cpu_of_children_us(pid_t process);

#endif
