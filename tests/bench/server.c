/* server.c: starts and ends a private warrend. It speaks no protocol. */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

#define UNAVAILABLE WARREN__ERROR_CODE__ERROR_UNAVAILABLE

const char *const wn_transport_names[WN_TRANSPORTS] = {"ipc", "tcp"};

enum { START_US = 15000000, STOP_US = 10000000, POLL_NS = 10000000 };

bool wn_server_directory(wn_server *server, wn_error *error)
{
    const char *parent = getenv("TMPDIR");
    const bool fits = parent != NULL && *parent == '/' && strlen(parent) < sizeof server->directory - 24;
    snprintf(server->directory, sizeof server->directory, "%s/warren-bench-XXXXXX", fits ? parent : "/tmp");
    if (mkdtemp(server->directory) == NULL) {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0,
                            "No directory %s can be made: %s. Set TMPDIR to another place.", server->directory,
                            strerror(errno));
    }
    return true;
}

static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool bound = probe >= 0 && bind(probe, (struct sockaddr *)&address, size) == 0 &&
                       getsockname(probe, (struct sockaddr *)&address, &size) == 0;
    if (probe >= 0) {
        close(probe);
    }
    return bound ? ntohs(address.sin_port) : -1;
}

bool wn_server_endpoint(const wn_server *server, wn_transport transport, const char *name, wn_endpoint *endpoint,
                        wn_error *error)
{
    if (transport == WN_IPC) {
        snprintf(endpoint->text, sizeof endpoint->text, "ipc://%s/%s", server->directory, name);
        return true;
    }
    const int port = free_port();
    if (port < 0) {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "No free port on 127.0.0.1: %s.", strerror(errno));
    }
    snprintf(endpoint->text, sizeof endpoint->text, "tcp://127.0.0.1:%d", port);
    return true;
}

/* starting */

/* The directory of the build: this program is in its bin/. */
static bool find_build(char *build, size_t room, wn_error *error)
{
    const ssize_t length = readlink("/proc/self/exe", build, room - 1);
    if (length <= 0) {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "/proc/self/exe cannot be read: %s.", strerror(errno));
    }
    build[length] = '\0';
    for (int i = 0; i < 2; i++) {
        *strrchr(build, '/') = '\0';
    }
    return true;
}

static bool write_configuration(const wn_server *server, const char *build, const char *path, wn_error *error)
{
    static const char no_limits[] =
        "[limits]\nrequests_per_second = 1000000\nrequests_per_player = 1000000\nsessions_per_player = 1000000\n"
        "queued_commands = 4096\nworlds_per_player = 1000000\nseats_per_player = 1024\nkeyframes_per_second = 1000\n";
    FILE *to = fopen(path, "we");
    if (to == NULL) {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "%s cannot be written: %s.", path, strerror(errno));
    }
    fprintf(to,
            "[daemon]\nruntime_dir = %s\nstate_dir = %s\nmode_path = %s/modes\n"
            "[network]\ncontrol = %s %s\nupdates = %s %s\n%s",
            server->directory, server->directory, build, server->control[WN_IPC].text, server->control[WN_TCP].text,
            server->updates[WN_IPC].text, server->updates[WN_TCP].text, server->limited ? "" : no_limits);
    if (fclose(to) != 0) {
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "%s cannot be written: %s.", path, strerror(errno));
    }
    return true;
}

static void become_server(const wn_server *server, const char *warrend, const char *configuration)
{
    char log[128];
    snprintf(log, sizeof log, "%s/log", server->directory);
    const int to = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (to >= 0) {
        dup2(to, STDOUT_FILENO);
        dup2(to, STDERR_FILENO);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execl(warrend, warrend, "--config", configuration, (char *)NULL);
    fprintf(stderr, "%s cannot be run: %s\n", warrend, strerror(errno));
    _exit(127);
}

static bool listens(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool accepted = probe >= 0 && connect(probe, (struct sockaddr *)&address, sizeof address) == 0;
    if (probe >= 0) {
        close(probe);
    }
    return accepted;
}

static void copy_log(const wn_server *server)
{
    char path[128], text[4096];
    snprintf(path, sizeof path, "%s/log", server->directory);
    FILE *from = fopen(path, "re");
    if (from == NULL) {
        return;
    }
    size_t size;
    while ((size = fread(text, 1, sizeof text, from)) > 0) {
        fwrite(text, 1, size, stderr);
    }
    fclose(from);
}

static bool wait_until_it_listens(wn_server *server, wn_error *error)
{
    const double deadline = wn_clock_us() + START_US;
    for (;;) {
        if (listens(server->control[WN_IPC].text + strlen("ipc://")) &&
            listens(server->updates[WN_IPC].text + strlen("ipc://"))) {
            return true;
        }
        const bool ended = waitpid(server->process, NULL, WNOHANG) != 0;
        if (ended || wn_clock_us() > deadline) {
            server->process = ended ? 0 : server->process;
            copy_log(server);
            return wn_fail_with(error, UNAVAILABLE, NULL, 0, "warrend %s; its log is above.",
                                ended ? "ended at once" : "does not listen after 15 s");
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    }
}

bool wn_server_start(wn_server *server, const char *warrend, wn_error *error)
{
    char build[2048], beside[2064], configuration[128];
    if (!find_build(build, sizeof build, error)) {
        return false;
    }
    for (int i = 0; i < WN_TRANSPORTS; i++) {
        if (!wn_server_endpoint(server, (wn_transport)i, "control", &server->control[i], error) ||
            !wn_server_endpoint(server, (wn_transport)i, "updates", &server->updates[i], error)) {
            return false;
        }
    }
    snprintf(beside, sizeof beside, "%s/bin/warrend", build);
    snprintf(configuration, sizeof configuration, "%s/warren.conf", server->directory);
    if (!write_configuration(server, build, configuration, error)) {
        return false;
    }
    fflush(NULL);
    server->process = fork();
    if (server->process == 0) {
        become_server(server, warrend != NULL ? warrend : beside, configuration);
    }
    if (server->process < 0) {
        server->process = 0;
        return wn_fail_with(error, UNAVAILABLE, NULL, 0, "No process for warrend: %s.", strerror(errno));
    }
    return wait_until_it_listens(server, error);
}

/* ending */

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

void wn_server_stop(wn_server *server)
{
    if (server->process > 0) {
        kill(server->process, SIGTERM);
        const double deadline = wn_clock_us() + STOP_US;
        while (waitpid(server->process, NULL, WNOHANG) == 0) {
            if (wn_clock_us() > deadline) {
                kill(server->process, SIGKILL);
            }
            nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
        }
        server->process = 0;
    }
    if (server->directory[0] != '\0') {
        nftw(server->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        server->directory[0] = '\0';
    }
}
