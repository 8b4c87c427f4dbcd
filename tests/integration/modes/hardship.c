/* hardship.c: no mode but a library to be preloaded into the daemon: a wall clock that jumps a day at every look, and a
 * disk that takes a while for every write. Each only if its variable is set in the environment.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400 };

static void nap(void)
{
    const char *milliseconds = getenv("WARREN_TEST_SLOW_WRITES_MS");
    if (milliseconds != NULL) {
        const struct timespec length = {.tv_nsec = atol(milliseconds) * 1000000L};
        nanosleep(&length, NULL);
    }
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    ssize_t (*real)(int, const void *, size_t, off64_t) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
    nap();
    return real(file, bytes, size, at);
}

/* Forth by a day, back by two, and so on. */
static time_t jump(void)
{
    static int looks;
    looks++;
    return getenv("WARREN_TEST_CLOCK_JUMPS") != NULL ? (looks % 2 == 0 ? -looks : looks) * (time_t)DAY : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*real)(clockid_t, struct timespec *) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    const int result = real(clock, now);
    if (clock == CLOCK_REALTIME) {
        now->tv_sec += jump();
    }
    return result;
}

time_t time(time_t *now)
{
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    if (now != NULL) {
        *now = wall.tv_sec;
    }
    return wall.tv_sec;
}
