/* measure.c: see measure.h.
 */
#include "operation/measure.h"

#include <stdio.h>
#include <unistd.h>

const uint32_t wn_histogram_bounds_us[WN_HISTOGRAM_BOUNDS] = {50,    100,   250,   500,    1000,   2500,    5000,
                                                              10000, 25000, 50000, 100000, 250000, 1000000, 2500000};

void wn_histogram_add(wn_histogram *histogram, uint64_t microseconds)
{
    size_t bucket = 0;
    while (bucket < WN_HISTOGRAM_BOUNDS && microseconds > wn_histogram_bounds_us[bucket]) {
        bucket++;
    }
    histogram->counts[bucket]++;
    histogram->count++;
    histogram->sum_us += microseconds;
}

uint64_t wn_process_memory(pid_t pid)
{
    char path[64];
    unsigned long long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return 0;
    }
    const int read = fscanf(file, "%*u %llu", &pages);
    fclose(file);
    return read == 1 ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

uint64_t wn_process_cpu_us(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0;
    }
    return (uint64_t)used.tv_sec * 1000000u + (uint64_t)used.tv_nsec / 1000u;
}
