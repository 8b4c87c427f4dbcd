/* refused.c: connections that ask for views they were not given. See refused.h.
 */
#include "refused.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "memory.h"

enum { REFUSED_BEFORE_CLOSING = 256 };

/* Is it a connection of the update socket? libzmq may have closed it since it handed up the message, and the number may
 * be that of something else by now. */
static bool serves_updates(const wn_daemon *daemon, int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_un local;
        struct sockaddr_in ip4;
        struct sockaddr_in6 ip6;
    } name = {0};
    socklen_t size = sizeof name;
    char end[sizeof name.local.sun_path + 8] = "";
    if (getsockname(fd, &name.any, &size) != 0) {
        return false;
    }
    if (name.any.sa_family == AF_UNIX && name.local.sun_path[0] != '\0') {
        snprintf(end, sizeof end, "ipc://%.*s", (int)sizeof name.local.sun_path, name.local.sun_path);
    } else if (name.any.sa_family == AF_INET) {
        snprintf(end, sizeof end, ":%u", ntohs(name.ip4.sin_port));
    } else if (name.any.sa_family == AF_INET6) {
        snprintf(end, sizeof end, ":%u", ntohs(name.ip6.sin6_port));
    }
    const char *found = end[0] != '\0' ? strstr(daemon->config->updates, end) : NULL;
    return found != NULL && (found[strlen(end)] == '\0' || found[strlen(end)] == ' ');
}

/* libzmq remembers every subscription of a manual XPUB, refused or not, until its connection is gone, and has no call
 * to close one. Shutting the descriptor down looks to it like the peer's doing. */
void wn_subscription_refused(wn_daemon *daemon, int fd)
{
    daemon->statistics.subscriptions_refused++;
    if (fd < 0) {
        return;
    }
    if ((size_t)fd >= daemon->refused_by_fd_count) {
        const size_t count = (size_t)fd + 64;
        daemon->refused_by_fd = wn_must_resize(daemon->refused_by_fd, count * sizeof *daemon->refused_by_fd);
        memset(daemon->refused_by_fd + daemon->refused_by_fd_count, 0,
               (count - daemon->refused_by_fd_count) * sizeof *daemon->refused_by_fd);
        daemon->refused_by_fd_count = count;
    }
    if (++daemon->refused_by_fd[fd] >= REFUSED_BEFORE_CLOSING) {
        daemon->refused_by_fd[fd] = 0;
        if (serves_updates(daemon, fd)) {
            shutdown(fd, SHUT_RDWR);
            wn_log_line(WN_LEVEL_DEBUG, "publish", "a connection is closed: it asked for %d views it was not given",
                        REFUSED_BEFORE_CLOSING);
        }
    }
}
