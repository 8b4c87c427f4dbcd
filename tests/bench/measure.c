/* measure.c: the clock, percentiles, and CPU time of other processes. It knows nothing of what is measured. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double wn_clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

void wn_samples_add(wn_samples *samples, double value)
{
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity == 0 ? 4096 : samples->capacity * 2;
        samples->values = realloc(samples->values, samples->capacity * sizeof *samples->values);
        if (samples->values == NULL) {
            fputs("bench: no memory left for samples\n", stderr);
            abort();
        }
    }
    samples->values[samples->count++] = value;
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

double wn_samples_percentile(wn_samples *samples, double percent)
{
    if (samples->count == 0) {
        return 0;
    }
    qsort(samples->values, samples->count, sizeof *samples->values, compare);
    const size_t rank = (size_t)((double)samples->count * percent / 100);
    return samples->values[rank < samples->count ? rank : samples->count - 1];
}

void wn_samples_free(wn_samples *samples)
{
    free(samples->values);
    *samples = (wn_samples){0};
}

double wn_cpu_us(pid_t process)
{
    clockid_t clock;
    struct timespec spent;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &spent) != 0) {
        return 0;
    }
    return (double)spent.tv_sec * 1e6 + (double)spent.tv_nsec / 1e3;
}

double wn_cpu_of_children_us(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *from = fopen(path, "re");
    if (from == NULL) {
        return 0;
    }
    double sum = 0;
    int child;
    while (fscanf(from, "%d", &child) == 1) {
        sum += wn_cpu_us(child);
    }
    fclose(from);
    return sum;
}
