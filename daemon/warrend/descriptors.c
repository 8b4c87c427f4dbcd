/* descriptors.c: see descriptors.h.
 */
#include "descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

enum {
    EACH = 2, /* of a player: one for requests, one for updates */
    KEPT = 64,
    KEPT_OF_FEW = 4,   /* a quarter of them, if there are not many */
    SAID_EVERY_S = 60, /* in the log, while connections are refused */
};

/* Read by libzmq's threads. 0: not known yet. */
static atomic_uint_fast64_t limit, refused;
static atomic_int_fast64_t said_s;

static uint64_t for_connections(uint64_t all)
{
    const uint64_t few = all / KEPT_OF_FEW;
    return all - (few < KEPT ? few : KEPT);
}

void wn_descriptors_open(uint32_t sessions)
{
    struct rlimit own;
    if (getrlimit(RLIMIT_NOFILE, &own) != 0) {
        return;
    }
    if (own.rlim_cur < own.rlim_max) {
        const rlim_t before = own.rlim_cur;
        own.rlim_cur = own.rlim_max;
        own.rlim_cur = setrlimit(RLIMIT_NOFILE, &own) == 0 ? own.rlim_max : before;
    }
    atomic_store(&limit, own.rlim_cur);
    const uint64_t needed = (uint64_t)sessions * EACH;
    if (for_connections(own.rlim_cur) < needed) {
        wn_log_line(WN_LEVEL_WARNING, "daemon",
                    "%" PRIu64 " file descriptors are enough for %" PRIu64
                    " players and spectators, of limits.sessions "
                    "= %u: raise LimitNOFILE= of the unit (else ulimit -Hn) to %" PRIu64 ", or lower limits.sessions",
                    (uint64_t)own.rlim_cur, for_connections(own.rlim_cur) / EACH, sessions, needed + KEPT);
    }
}

uint64_t wn_descriptors_limit(void)
{
    return atomic_load(&limit);
}

uint64_t wn_descriptors_in_use(void)
{
    uint64_t count = 0;
    DIR *all = opendir("/proc/self/fd");
    while (all != NULL && readdir(all) != NULL) {
        count++;
    }
    if (all != NULL) {
        closedir(all);
    }
    return count > 3 ? count - 3 : 0; /* but for ".", ".." and that of the list */
}

uint64_t wn_descriptors_refused(void)
{
    return atomic_load(&refused);
}

/* One line a minute, from whichever thread. */
static void say_refused(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int_fast64_t before = atomic_load(&said_s);
    atomic_fetch_add(&refused, 1);
    if ((before == 0 || now.tv_sec - before >= SAID_EVERY_S) &&
        atomic_compare_exchange_strong(&said_s, &before, now.tv_sec > 0 ? now.tv_sec : 1)) {
        wn_log_line(WN_LEVEL_ERROR, "daemon",
                    "connections are refused: nearly all of the %" PRIu64 " file descriptors are in use. Raise "
                    "LimitNOFILE= of the unit (else ulimit -Hn), or see who has them (warrenctl sessions, ss -ap)",
                    wn_descriptors_limit());
    }
}

/* The lowest number that is free is given, so a high one means that few are. */
__attribute__((visibility("default"))) int accept4(int listener, __SOCKADDR_ARG address, socklen_t *restrict size,
                                                   int flags)
{
    const int made = (int)syscall(SYS_accept4, listener, address.__sockaddr__, size, flags);
    const uint64_t most = wn_descriptors_limit();
    if (made >= 0 && (most == 0 || (uint64_t)made < for_connections(most))) {
        return made;
    }
    if (made < 0 && errno != EMFILE) {
        return made;
    }
    if (made >= 0) {
        close(made);
    }
    say_refused();
    errno = ECONNABORTED; /* of all that accept() may say, what every library takes for the peer's fault */
    return -1;
}

__attribute__((visibility("default"))) int accept(int listener, __SOCKADDR_ARG address, socklen_t *restrict size)
{
    return accept4(listener, address, size, 0);
}
