/* activation.c: see activation.h. libzmq's part of it is ZMQ_USE_FD.
 */
#include "network/activation.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>

#include "configuration/endpoint.h"
#include "memory.h"

enum { ENDPOINT_BYTES = sizeof(((struct sockaddr_un *)0)->sun_path) + sizeof "ipc://", BARRIER_US = 5000000 };

struct wn_listener {
    int fd;
    bool used;
    bool kept;                     /* the daemon made it, and left a copy with the service manager */
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

static void write_address(const address *at, socklen_t size, char *endpoint)
{
    endpoint[0] = '\0';
    if (at->any.sa_family == AF_UNIX) {
        write_path(&at->path, size, endpoint);
    } else if (at->any.sa_family == AF_INET) {
        write_number(AF_INET, &at->four.sin_addr, ntohs(at->four.sin_port), endpoint);
    } else if (at->any.sa_family == AF_INET6) {
        write_number(AF_INET6, &at->six.sin6_addr, ntohs(at->six.sin6_port), endpoint);
    }
}

/* Fills in family, address and port. false: it is no tcp endpoint, or one that only libzmq can make something of: the
 * name of an interface, any free port. */
static bool read_address(const char *endpoint, address *at)
{
    char text[WN_ENDPOINT_ADDRESS_BYTES];
    const uint16_t port = wn_endpoint_port(endpoint);
    memset(at, 0, sizeof *at);
    if (port == 0 || !wn_endpoint_split(wn_endpoint_tcp(endpoint), text)) {
        return false;
    }
    const bool six = strchr(text, ':') != NULL;
    at->any.sa_family = six ? AF_INET6 : AF_INET;
    if (six) {
        at->six.sin6_port = htons(port);
        return inet_pton(AF_INET6, text, &at->six.sin6_addr) == 1;
    }
    at->four.sin_port = htons(port);
    return strcmp(text, "*") == 0 || inet_pton(AF_INET, text, &at->four.sin_addr) == 1;
}

/* An address can be written in several ways. */
static wn_listener *find(const wn_daemon *daemon, const char *endpoint)
{
    char normal[ENDPOINT_BYTES];
    address at;
    snprintf(normal, sizeof normal, "%s", endpoint);
    if (read_address(endpoint, &at)) {
        write_address(&at, sizeof at, normal);
    }
    for (size_t i = 0; i < daemon->listener_count; i++) {
        if (strcmp(daemon->listeners[i].endpoint, normal) == 0) {
            return &daemon->listeners[i];
        }
    }
    return NULL;
}

static wn_listener *add(wn_daemon *daemon, int fd)
{
    address at = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof at;
    daemon->listeners = wn_must_resize(daemon->listeners, (daemon->listener_count + 1) * sizeof *daemon->listeners);
    wn_listener *listener = &daemon->listeners[daemon->listener_count++];
    *listener = (wn_listener){.fd = fd};
    if (sd_is_socket(fd, AF_UNSPEC, SOCK_STREAM, 1) > 0 && getsockname(fd, &at.any, &size) == 0) {
        write_address(&at, size, listener->endpoint);
    } else {
        snprintf(listener->endpoint, ENDPOINT_BYTES, "nothing that listens for streams");
    }
    return listener;
}

/* sockets that are kept */

static const char kept_prefix[] = "kept-";

/* FDNAME= takes no colons. */
static void write_name(const wn_listener *listener, char *name, size_t size)
{
    snprintf(name, size, "%s%s", kept_prefix, listener->endpoint);
    for (char *colon = strchr(name, ':'); colon != NULL; colon = strchr(colon, ':')) {
        *colon = '_';
    }
}

/* A tcp socket for the endpoint, of which the service manager keeps a copy for the next start: its queue takes whoever
 * connects in between. NULL: let libzmq try, and say why it cannot. */
static wn_listener *make_and_keep(wn_daemon *daemon, const char *endpoint)
{
    const int on = 1, off = 0;
    char name[ENDPOINT_BYTES + sizeof kept_prefix], message[sizeof name + 32];
    address at;
    if (!daemon->service.present || !read_address(endpoint, &at)) {
        return NULL;
    }
    const bool six = at.any.sa_family == AF_INET6;
    const int fd = socket(at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (six) {
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    if (fd < 0 || bind(fd, &at.any, six ? sizeof at.six : sizeof at.four) != 0 || listen(fd, SOMAXCONN) != 0) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    wn_listener *listener = add(daemon, fd);
    listener->kept = true;
    write_name(listener, name, sizeof name);
    snprintf(message, sizeof message, "FDSTORE=1\nFDNAME=%s", name);
    sd_pid_notify_with_fds(0, 0, message, &fd, 1);
    return listener;
}

/* It is of an earlier configuration. When this returns its address is free. */
static void forget(wn_listener *listener)
{
    char name[ENDPOINT_BYTES + sizeof kept_prefix];
    write_name(listener, name, sizeof name);
    sd_notifyf(0, "FDSTOREREMOVE=1\nFDNAME=%s", name);
    sd_notify_barrier(0, BARRIER_US);
    close(listener->fd);
    listener->used = true;
    listener->endpoint[0] = '\0';
}

/* Only one socket can have a port, if one of them has it for every address. */
static void forget_port(wn_daemon *daemon, const char *endpoint)
{
    for (size_t i = 0; i < daemon->listener_count; i++) {
        wn_listener *listener = &daemon->listeners[i];
        if (listener->kept && !listener->used &&
            strcmp(strrchr(listener->endpoint, ':'), strrchr(endpoint, ':')) == 0) {
            forget(listener);
        }
    }
}

/* what was handed over */

void wn_activation_open(wn_daemon *daemon)
{
    char **names = NULL;
    const int count = sd_listen_fds_with_names(1, &names);
    for (int i = 0; i < count; i++) {
        wn_listener *listener = add(daemon, SD_LISTEN_FDS_START + i);
        listener->kept =
            strncmp(names[i], kept_prefix, strlen(kept_prefix)) == 0 && wn_endpoint_tcp(listener->endpoint) != NULL;
        free(names[i]);
    }
    free(names);
}

bool wn_activation_use(wn_daemon *daemon, void *socket, const char *endpoint)
{
    wn_listener *listener = find(daemon, endpoint);
    const bool handed = listener != NULL && !listener->used;
    if (!handed) {
        forget_port(daemon, endpoint);
        listener = make_and_keep(daemon, endpoint);
    }
    const int fd = listener != NULL ? listener->fd : -1;
    zmq_setsockopt(socket, ZMQ_USE_FD, &fd, sizeof fd);
    if (listener != NULL) {
        listener->used = true; /* libzmq closes it */
    }
    if (handed) {
        wn_log_line(WN_LEVEL_DEBUG, "control", "the service manager's socket serves %s", endpoint);
    }
    return fd >= 0;
}

bool wn_activation_holds(const wn_daemon *daemon, const char *endpoint)
{
    return find(daemon, endpoint) != NULL;
}

void wn_activation_settle(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->listener_count; i++) {
        if (daemon->listeners[i].kept && !daemon->listeners[i].used) {
            forget(&daemon->listeners[i]);
        } else if (!daemon->listeners[i].used) {
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
