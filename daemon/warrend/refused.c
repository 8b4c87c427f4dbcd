/* refused.c: connections that go on asking for what they do not get. See refused.h.
 */
#include "refused.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "accounts.h"
#include "memory.h"

enum { SUBSCRIPTIONS_BEFORE_CLOSING = 256, REQUESTS_BEFORE_CLOSING = 1000 };

/* Is it a connection of one of these endpoints? libzmq may have closed it since it handed up the message, and the
 * number may be that of something else by now. */
static bool serves(const char *endpoints, int fd)
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
    const char *found = end[0] != '\0' ? strstr(endpoints, end) : NULL;
    return found != NULL && (found[strlen(end)] == '\0' || found[strlen(end)] == ' ');
}

int wn_connection_of(zmq_msg_t *message)
{
    const char *fd = zmq_msg_gets(message, "__fd");
    return fd != NULL ? atoi(fd) : -1;
}

void wn_connection_close(const char *endpoints, int fd)
{
    if (fd >= 0 && serves(endpoints, fd)) {
        shutdown(fd, SHUT_RDWR); /* libzmq has no call for it; this looks to it like the peer's doing */
    }
}

/* Of one connection. The number of a descriptor is given to the next when it is closed; an inode of a socket is not,
 * for the next four thousand million. */
typedef struct wn_refusals {
    ino_t socket;
    unsigned count;
} wn_refusals;

static unsigned *counter_of(wn_daemon *daemon, int fd)
{
    struct stat status;
    if ((size_t)fd >= daemon->refused_by_fd_count) {
        const size_t count = (size_t)fd + 64;
        daemon->refused_by_fd = wn_must_resize(daemon->refused_by_fd, count * sizeof *daemon->refused_by_fd);
        memset(daemon->refused_by_fd + daemon->refused_by_fd_count, 0,
               (count - daemon->refused_by_fd_count) * sizeof *daemon->refused_by_fd);
        daemon->refused_by_fd_count = count;
    }
    wn_refusals *refusals = &daemon->refused_by_fd[fd];
    if (fstat(fd, &status) == 0 && status.st_ino != refusals->socket) {
        *refusals = (wn_refusals){.socket = status.st_ino};
    }
    return &refusals->count;
}

/* Returns whether it was closed. */
static bool count_refused(wn_daemon *daemon, const char *endpoints, int fd, unsigned most, const char *why)
{
    unsigned *count = fd >= 0 ? counter_of(daemon, fd) : NULL;
    if (count == NULL || ++*count < most) {
        return false;
    }
    *count = 0;
    wn_connection_close(endpoints, fd);
    wn_log_line(WN_LEVEL_DEBUG, "control", "a connection is closed: it %s %u times", why, most);
    return true;
}

/* libzmq remembers every subscription of a manual XPUB, refused or not, until its connection is gone. */
void wn_subscription_refused(wn_daemon *daemon, int fd)
{
    daemon->statistics.subscriptions_refused++;
    count_refused(daemon, daemon->config->updates, fd, SUBSCRIPTIONS_BEFORE_CLOSING,
                  "asked for views it was not given");
}

void wn_request_refused(wn_daemon *daemon, zmq_msg_t *message)
{
    if (count_refused(daemon, daemon->config->control, wn_connection_of(message), REQUESTS_BEFORE_CLOSING,
                      "sent more than it may")) {
        wn_accounts_shun(daemon, message);
    }
}
