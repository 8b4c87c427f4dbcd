/* descriptors.c: see descriptors.h.
 */
#include "network/descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log.h"
#include "network/connections.h"

enum {
    EACH = 2, /* of a player: one for requests, one for updates */
    KEPT = 64,
    KEPT_OF_FEW = 4,   /* a quarter of them, if there are not many */
    SAID_EVERY_S = 60, /* in the log, while connections are refused */
};

/* Read by libzmq's threads. 0: not known yet. */
static atomic_uint_fast64_t limit, refused;

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

uint64_t wn_descriptors_for_connections(void)
{
    return for_connections(wn_descriptors_limit());
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

static void say_refused(void)
{
    static wn_log_pace pace;
    atomic_fetch_add(&refused, 1);
    if (wn_log_again(&pace, SAID_EVERY_S)) {
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
    if (made < 0 && errno != EMFILE) {
        return made;
    }
    if (made < 0 || (most != 0 && (uint64_t)made >= wn_descriptors_for_connections())) {
        say_refused();
    } else if (wn_connections_let_in(made)) {
        return made;
    }
    if (made >= 0) {
        close(made);
    }
    errno = ECONNABORTED; /* of all that accept() may say, what every library takes for the peer's fault */
    return -1;
}

__attribute__((visibility("default"))) int accept(int listener, __SOCKADDR_ARG address, socklen_t *restrict size)
{
    return accept4(listener, address, size, 0);
}
