/* activation.c: see activation.h. libzmq's part of it is ZMQ_USE_FD.
 */
#include "activation.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>

#include "memory.h"

enum { ENDPOINT_BYTES = sizeof(((struct sockaddr_un *)0)->sun_path) + sizeof "ipc://" };

struct wn_listener {
    int fd;
    bool used;
    char endpoint[ENDPOINT_BYTES]; /* as libzmq would write it */
};

/* endpoints */

typedef union address {
    struct sockaddr any;
    struct sockaddr_un path;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} address;

static void write_path(const struct sockaddr_un *path, socklen_t size, char *endpoint)
{
    const bool abstract = path->sun_path[0] == '\0';
    const int most = (int)size - (int)offsetof(struct sockaddr_un, sun_path) - (abstract ? 1 : 0);
    snprintf(endpoint, ENDPOINT_BYTES, "ipc://%s%.*s", abstract ? "@" : "", most, path->sun_path + (abstract ? 1 : 0));
}

/* Any address of the machine is "*", for both families: one socket of the newer takes connections of both. */
static void write_number(int family, const void *number, uint16_t port, char *endpoint)
{
    static const struct in6_addr any = IN6ADDR_ANY_INIT; /* its first bytes are INADDR_ANY as well */
    char text[INET6_ADDRSTRLEN];
    const bool four = family == AF_INET;
    if (memcmp(number, &any, four ? sizeof(struct in_addr) : sizeof any) == 0) {
        snprintf(endpoint, ENDPOINT_BYTES, "tcp://*:%u", port);
        return;
    }
    inet_ntop(family, number, text, sizeof text);
    snprintf(endpoint, ENDPOINT_BYTES, four ? "tcp://%s:%u" : "tcp://[%s]:%u", text, port);
}

static void write_endpoint(int fd, char *endpoint)
{
    address at = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof at;
    endpoint[0] = '\0';
    if (getsockname(fd, &at.any, &size) != 0 || sd_is_socket(fd, AF_UNSPEC, SOCK_STREAM, 1) <= 0) {
        snprintf(endpoint, ENDPOINT_BYTES, "nothing that listens for streams");
    } else if (at.any.sa_family == AF_UNIX) {
        write_path(&at.path, size, endpoint);
    } else if (at.any.sa_family == AF_INET) {
        write_number(AF_INET, &at.four.sin_addr, ntohs(at.four.sin_port), endpoint);
    } else if (at.any.sa_family == AF_INET6) {
        write_number(AF_INET6, &at.six.sin6_addr, ntohs(at.six.sin6_port), endpoint);
    }
}

/* The same for an endpoint of the configuration: an address can be written in several ways. */
static void normalise(const char *endpoint, char *normal)
{
    char text[INET6_ADDRSTRLEN + 2];
    struct in6_addr number;
    const char *colon = strrchr(endpoint, ':');
    const size_t length = (size_t)(colon - endpoint) - strlen("tcp://");
    snprintf(normal, ENDPOINT_BYTES, "%s", endpoint);
    if (strncmp(endpoint, "tcp://", strlen("tcp://")) != 0 || length >= sizeof text) {
        return;
    }
    const bool brackets = endpoint[strlen("tcp://")] == '[';
    snprintf(text, sizeof text, "%.*s", (int)length - (brackets ? 2 : 0), endpoint + strlen("tcp://") + brackets);
    const int family = brackets ? AF_INET6 : AF_INET;
    if (inet_pton(family, text, &number) == 1) {
        write_number(family, &number, (uint16_t)atoi(colon + 1), normal);
    }
}

static wn_listener *find(const wn_daemon *daemon, const char *endpoint)
{
    char normal[ENDPOINT_BYTES];
    normalise(endpoint, normal);
    for (size_t i = 0; i < daemon->listener_count; i++) {
        if (strcmp(daemon->listeners[i].endpoint, normal) == 0) {
            return &daemon->listeners[i];
        }
    }
    return NULL;
}

/* what was handed over */

void wn_activation_open(wn_daemon *daemon)
{
    const int count = sd_listen_fds(1);
    daemon->listeners = wn_must_zero((size_t)(count > 0 ? count : 0) + 1, sizeof *daemon->listeners);
    for (int i = 0; i < count; i++) {
        wn_listener *listener = &daemon->listeners[daemon->listener_count++];
        listener->fd = SD_LISTEN_FDS_START + i;
        write_endpoint(listener->fd, listener->endpoint);
    }
}

bool wn_activation_use(wn_daemon *daemon, void *socket, const char *endpoint)
{
    wn_listener *listener = find(daemon, endpoint);
    const int fd = listener != NULL && !listener->used ? listener->fd : -1;
    zmq_setsockopt(socket, ZMQ_USE_FD, &fd, sizeof fd);
    if (fd >= 0) {
        listener->used = true; /* libzmq closes it */
        wn_log_line(WN_LEVEL_DEBUG, "control", "the service manager's socket serves %s", endpoint);
    }
    return fd >= 0;
}

bool wn_activation_holds(const wn_daemon *daemon, const char *endpoint)
{
    return find(daemon, endpoint) != NULL;
}

void wn_activation_warn(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->listener_count; i++) {
        if (!daemon->listeners[i].used) {
            wn_log_line(WN_LEVEL_WARNING, "control",
                        "the service manager listens on %s and nobody answers there: add it to network.control or "
                        "network.updates, or take it out of the socket unit",
                        daemon->listeners[i].endpoint);
        }
    }
}

void wn_activation_close(wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->listener_count; i++) {
        if (!daemon->listeners[i].used) {
            close(daemon->listeners[i].fd);
        }
    }
    free(daemon->listeners);
}
