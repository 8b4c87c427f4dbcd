/* clock.h: the time that only goes forward, for the files of the client libraries. */
#ifndef WARREN_CLIENT_CLOCK_H
#define WARREN_CLIENT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* In microseconds, from some beginning. */
static inline uint64_t wn_clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

#endif
