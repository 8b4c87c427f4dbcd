/* conduct.c: what each connection goes on doing, and the end of those that go too far. See conduct.h.
 */
#include "network/conduct.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "access/accounts.h"
#include "access/admission.h"
#include "memory.h"
#include "network/connections.h"
#include "network/unread.h"

enum {
    SUBSCRIPTIONS_BEFORE_CLOSING = 256,
    REQUESTS_BEFORE_CLOSING = 1000,
    SUBSCRIPTIONS_A_SECOND = 4096, /* who comes back may have all its views at once */
    SUBSCRIPTIONS_HELD = 4096
};

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

/* Of the connection that has this descriptor. */
typedef struct wn_conduct {
    uint64_t serial;     /* see connections.h; of another one nothing counts any more */
    unsigned refused;    /* subscriptions and requests */
    unsigned held;       /* subscriptions, however old, that were not taken back */
    wn_allowance frames; /* all zero: whole, since long ago */
    wn_unread *unread;   /* NULL: nothing was counted */
} wn_conduct;

static wn_conduct *conduct_of(wn_daemon *daemon, int fd)
{
    if (fd < 0) {
        return NULL;
    }
    if ((size_t)fd >= daemon->conduct_count) {
        const size_t count = (size_t)fd + 64;
        daemon->conducts = wn_must_resize(daemon->conducts, count * sizeof *daemon->conducts);
        memset(daemon->conducts + daemon->conduct_count, 0, (count - daemon->conduct_count) * sizeof *daemon->conducts);
        daemon->conduct_count = count;
    }
    wn_conduct *conduct = &daemon->conducts[fd];
    const uint64_t serial = wn_connections_serial(fd);
    if (conduct->serial != serial) {
        wn_unread_release(conduct->unread);
        *conduct = (wn_conduct){.serial = serial};
    }
    return conduct;
}

/* Returns whether it was closed. */
static bool count_refused(wn_daemon *daemon, const char *endpoints, int fd, unsigned most, const char *why)
{
    wn_conduct *conduct = conduct_of(daemon, fd);
    if (conduct == NULL || ++conduct->refused < most) {
        return false;
    }
    conduct->refused = 0;
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

/* Nor has libzmq a limit for those that it has read and not handed up yet. */
bool wn_subscription_may_come(wn_daemon *daemon, zmq_msg_t *message)
{
    char identity[WN_IDENTITY_BYTES], address[WN_ADDRESS_BYTES];
    const int fd = wn_connection_of(message);
    wn_conduct *conduct = conduct_of(daemon, fd);
    wn_admission_sender(message, identity, address);
    if (wn_accounts_shuns(daemon, identity, address)) { /* what is left of a flood; the descriptor may be another's */
        return false;
    }
    if (conduct == NULL || wn_allowance_take(&conduct->frames, SUBSCRIPTIONS_A_SECOND, wn_loop_now_ms(daemon->loop))) {
        return true;
    }
    if (count_refused(daemon, daemon->config->updates, fd, 1, "sent more to the updates socket than it may")) {
        wn_accounts_shun(daemon, message);
    }
    return false;
}

void wn_subscription_held(wn_daemon *daemon, int fd, bool more)
{
    wn_conduct *conduct = conduct_of(daemon, fd);
    if (conduct == NULL) {
        return;
    }
    if (more) {
        conduct->held++;
    } else if (conduct->held > 0) {
        conduct->held--;
    }
    if (conduct->held > SUBSCRIPTIONS_HELD) {
        count_refused(daemon, daemon->config->updates, fd, 1, "did not take back what it may not hear any more");
    }
}

wn_unread *wn_subscription_unread(wn_daemon *daemon, zmq_msg_t *message)
{
    wn_conduct *conduct = conduct_of(daemon, wn_connection_of(message));
    if (conduct != NULL && conduct->unread == NULL) {
        conduct->unread = wn_unread_new(wn_accounts_unread(daemon, message));
    }
    return conduct != NULL ? conduct->unread : NULL;
}

void wn_subscriptions_close(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->conduct_count; i++) {
        wn_unread_release(daemon->conducts[i].unread);
    }
    free(daemon->conducts);
}

void wn_request_refused(wn_daemon *daemon, zmq_msg_t *message)
{
    if (count_refused(daemon, daemon->config->control, wn_connection_of(message), REQUESTS_BEFORE_CLOSING,
                      "sent more than it may")) {
        wn_accounts_shun(daemon, message);
    }
}
