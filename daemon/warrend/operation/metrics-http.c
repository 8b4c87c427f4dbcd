/* metrics-http.c: metrics and health over HTTP. The library has an epoll descriptor of its own, which the daemon's loop
 * watches: it is run when that is readable or its timeout is over, and starts no thread.
 */
#include "operation/metrics.h"

#include <microhttpd.h>
#include <netdb.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "memory.h"
#include "network/connections.h"

enum { CONNECTIONS = 16, PATIENCE_S = 10, CONNECTION_BYTES = 16 << 10, BACKLOG = 16, SOCKET_MODE = 0666 };

typedef struct wn_metrics {
    wn_daemon *daemon;
    struct MHD_Daemon *http;
    wn_watch *watch;
    wn_timer *timer;
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* of the unix socket; "": none */
} wn_metrics;

/* answering */

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type, char *text,
                              size_t size)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        free(text);
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    }
    const enum MHD_Result queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **state)
{
    static const char plain[] = "text/plain; charset=utf-8";
    wn_metrics *metrics = context;
    char *text = NULL;
    size_t size = 0;
    const char *type = plain;
    unsigned status = MHD_HTTP_OK;
    (void)version, (void)upload, (void)upload_size, (void)state;
    const union MHD_ConnectionInfo *from = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    wn_connections_heard(from != NULL ? from->connect_fd : -1);
    FILE *page = wn_must(open_memstream(&text, &size));
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) {
        status = MHD_HTTP_METHOD_NOT_ALLOWED;
        fputs("There is only something to read here.\n", page);
    } else if (strcmp(url, "/metrics") == 0) {
        type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        wn_metrics_write(metrics->daemon, page);
    } else if (strcmp(url, "/health") == 0) {
        status = wn_health_write(metrics->daemon, page) ? MHD_HTTP_OK : MHD_HTTP_SERVICE_UNAVAILABLE;
    } else {
        status = MHD_HTTP_NOT_FOUND;
        fputs("There are /metrics and /health.\n", page);
    }
    fclose(page);
    return answer(connection, status, type, text, size);
}

/* the loop */

static void run(wn_metrics *metrics)
{
    MHD_UNSIGNED_LONG_LONG wait_ms = 0;
    MHD_run(metrics->http);
    if (MHD_get_timeout(metrics->http, &wait_ms) == MHD_YES) {
        wn_timer_set(metrics->timer, wait_ms);
    } else {
        wn_timer_stop(metrics->timer);
    }
}

static void is_readable(void *context, uint32_t events)
{
    (void)events;
    run(context);
}

static void is_due(void *context)
{
    run(context);
}

/* opening */

static bool fail(const char *listen_on, const char *why, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "listen", 0,
                        "cannot tell metrics on %.200s: %s; choose another place (metrics.listen)", listen_on, why);
}

/* A socket that nobody serves is left over from a process that was killed. */
static bool take_path(const struct sockaddr_un *address)
{
    struct stat status;
    if (lstat(address->sun_path, &status) != 0 || !S_ISSOCK(status.st_mode)) {
        return true; /* bind says what is wrong, if anything is */
    }
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool served = connect(probe, (const struct sockaddr *)address, sizeof *address) == 0;
    close(probe);
    if (!served) {
        unlink(address->sun_path);
    }
    return !served;
}

/* Whoever may enter its directory may ask, as at a port: the daemon's umask is not about it. */
static bool open_to_all(const struct sockaddr *address)
{
    const struct sockaddr_un *path = (const struct sockaddr_un *)(const void *)address;
    return address->sa_family != AF_UNIX || chmod(path->sun_path, SOCKET_MODE) == 0;
}

/* Binds it and listens; -1 with errno. */
static int serve_on(int fd, const struct sockaddr *address, socklen_t size)
{
    if (fd >= 0 && (bind(fd, address, size) != 0 || !open_to_all(address) || listen(fd, BACKLOG) != 0)) {
        const int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

static int listen_path(wn_metrics *metrics, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (!take_path(&address)) {
        errno = EADDRINUSE;
        return -1;
    }
    const int fd = serve_on(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                            (const struct sockaddr *)&address, sizeof address);
    snprintf(metrics->path, sizeof metrics->path, "%s", fd >= 0 ? path : "");
    return fd;
}

/* ADDRESS:PORT or [ADDRESS]:PORT, numeric and of this machine: the configuration was checked. */
static int listen_port(const char *text)
{
    const char *colon = strrchr(text, ':');
    const bool brackets = text[0] == '[';
    char host[64];
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int on = 1;
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * brackets, text + brackets);
    if (getaddrinfo(host, colon + 1, &hints, &found) != 0) {
        errno = EADDRNOTAVAIL;
        return -1;
    }
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        fd = serve_on(fd, found->ai_addr, found->ai_addrlen);
    }
    freeaddrinfo(found);
    return fd;
}

static void complain(void *context, const char *format, va_list arguments)
{
    char text[256];
    (void)context;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    wn_log_line(WN_LEVEL_DEBUG, "metrics", "%s", text);
}

bool wn_metrics_open(wn_daemon *daemon, wn_error *error)
{
    const char *listen_on = daemon->config->listen;
    if (listen_on[0] == '\0') {
        return true;
    }
    wn_metrics *metrics = daemon->metrics = wn_must_zero(1, sizeof *metrics);
    metrics->daemon = daemon;
    const int fd = listen_on[0] == '/' ? listen_path(metrics, listen_on) : listen_port(listen_on);
    if (fd < 0) {
        return fail(listen_on, strerror(errno), error);
    }
    metrics->http =
        MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, metrics, MHD_OPTION_LISTEN_SOCKET,
                         fd, MHD_OPTION_EXTERNAL_LOGGER, complain, NULL, MHD_OPTION_CONNECTION_LIMIT,
                         (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_S,
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_END);
    if (metrics->http == NULL) {
        close(fd);
        return fail(listen_on, "no HTTP server can be made", error);
    }
    metrics->timer = wn_must(wn_timer_new(daemon->loop, is_due, metrics));
    metrics->watch =
        wn_must(wn_loop_add_fd(daemon->loop, MHD_get_daemon_info(metrics->http, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
                               EPOLLIN, is_readable, metrics));
    wn_log_line(WN_LEVEL_INFO, "metrics", "told on %s", listen_on);
    return true;
}

void wn_metrics_close(wn_daemon *daemon)
{
    wn_metrics *metrics = daemon->metrics;
    if (metrics == NULL) {
        return;
    }
    wn_loop_remove_fd(daemon->loop, metrics->watch);
    wn_timer_free(metrics->timer);
    if (metrics->http != NULL) {
        MHD_stop_daemon(metrics->http);
    }
    if (metrics->path[0] != '\0') {
        unlink(metrics->path);
    }
    free(metrics);
    daemon->metrics = NULL;
}
