/* playback-host.c: see playback-host.h. The conversation is that of proto/host.proto. */
#include "playback-host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    HOST_SOCKET = 3, /* its descriptor in the host */
    READ_BYTES = 256 << 10
};

extern char **environ;

struct wn_playback_host {
    wn_playback_options options;
    pid_t pid;
    int fd;
    wn_buffer in, out;
    size_t taken; /* of `in`: decoded already */
    wn_arena *arena;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* the process */

/* Without input, without signals blocked, without any descriptor of ours but its socket. */
static int spawn(wn_playback_host *host, int socket)
{
    char number[16];
    char *arguments[] = {(char *)host->options.program, "--fd", number, (char *)host->options.mode, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    snprintf(number, sizeof number, "%d", HOST_SOCKET);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    if (host->options.quiet) {
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    }
    posix_spawn_file_actions_adddup2(&files, socket, HOST_SOCKET);
    posix_spawn_file_actions_addclosefrom_np(&files, HOST_SOCKET + 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    const int status = posix_spawn(&host->pid, arguments[0], &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (status != 0) {
        host->pid = 0;
    }
    return status;
}

/* Waits for its end and says how that came. */
static void reap(wn_playback_host *host, char *how, size_t size)
{
    int status = 0;
    while (host->pid != 0 && waitpid(host->pid, &status, 0) < 0 && errno == EINTR) {
    }
    host->pid = 0;
    if (WIFSIGNALED(status)) {
        snprintf(how, size, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(how, size, "ended with exit status %d", WEXITSTATUS(status));
    }
}

static void kill_host(wn_playback_host *host)
{
    char how[128];
    if (host->pid != 0) {
        kill(host->pid, SIGKILL);
        reap(host, how, sizeof how);
    }
}

static bool fail_ended(wn_playback_host *host, wn_error *error)
{
    char how[128];
    reap(host, how, sizeof how);
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, 0, "%s", how);
}

static bool fail_silent(wn_playback_host *host, wn_error *error)
{
    kill_host(host);
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, host->options.answer_ms,
                        "gave no answer for %u ms, the most that a turn may take, and was ended",
                        host->options.answer_ms);
}

/* the conversation */

static void drop_front(wn_buffer *buffer, size_t size)
{
    if (size > 0) {
        memmove(buffer->data, buffer->data + size, buffer->size - size);
        buffer->size -= size;
    }
}

static bool send_some(wn_playback_host *host)
{
    const ssize_t sent = send(host->fd, host->out.data, host->out.size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    drop_front(&host->out, (size_t)sent);
    return true;
}

static bool receive_some(wn_playback_host *host)
{
    const ssize_t got = recv(host->fd, wn_buffer_reserve(&host->in, READ_BYTES), READ_BYTES, MSG_DONTWAIT);
    if (got < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    host->in.size += (size_t)got;
    return got > 0;
}

static bool exchange(wn_playback_host *host, int64_t deadline, wn_error *error)
{
    const int64_t left = deadline - now_ms();
    struct pollfd fd = {.fd = host->fd, .events = (short)(host->out.size > 0 ? POLLIN | POLLOUT : POLLIN)};
    if (left <= 0) {
        return fail_silent(host, error);
    }
    if (poll(&fd, 1, (int)left) < 0) {
        return true;
    }
    if ((fd.revents & POLLOUT) != 0 && !send_some(host)) {
        host->out.size = 0; /* it is gone, but what it said before is still to be read */
    }
    if ((fd.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !receive_some(host)) {
        return fail_ended(host, error);
    }
    return true;
}

static void take_log(const wn_playback_host *host, const Warren__Host__LogLine *line)
{
    if (host->options.log != NULL) {
        host->options.log(host->options.log_context, line->level, line->text);
    }
}

/* The next message that has come and is no log line; NULL: none yet, or (`*failed`) one that is not valid. */
static const Warren__Host__FromHost *next_message(wn_playback_host *host, bool *failed, wn_error *error)
{
    const uint8_t *bytes;
    size_t size;
    int next;
    while ((next = wn_frame_next(&host->in, &host->taken, &bytes, &size)) > 0) {
        wn_arena_reset(host->arena);
        const Warren__Host__FromHost *message = wn_from_host_decode(host->arena, bytes, size, error);
        if (message == NULL || message->body_case != WARREN__HOST__FROM_HOST__BODY_LOG) {
            *failed = message == NULL;
            return message;
        }
        take_log(host, message->log);
    }
    *failed = next < 0;
    drop_front(&host->in, host->taken);
    host->taken = 0;
    return NULL;
}

static const Warren__Host__FromHost *wait_for(wn_playback_host *host, wn_error *error)
{
    const int64_t deadline = now_ms() + host->options.answer_ms;
    bool failed = false;
    for (;;) {
        const Warren__Host__FromHost *message = next_message(host, &failed, error);
        if (message != NULL) {
            return message;
        }
        if (failed) {
            kill_host(host);
            wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                         "said something that is not understood; is it a warren-host %s?", WARREN_VERSION);
            return NULL;
        }
        if (!exchange(host, deadline, error)) {
            return NULL;
        }
    }
}

void wn_playback_tell(wn_playback_host *host, const Warren__Host__ToHost *message)
{
    wn_frame_append(&host->out, &message->base);
}

const Warren__Host__FromHost *wn_playback_ask(wn_playback_host *host, const Warren__Host__ToHost *message,
                                              Warren__Host__FromHost__BodyCase wanted, wn_error *error)
{
    wn_playback_tell(host, message);
    const Warren__Host__FromHost *answer = wait_for(host, error);
    if (answer != NULL && answer->body_case != wanted) {
        kill_host(host);
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                     "answered something that was not asked; is it a warren-host %s?", WARREN_VERSION);
        return NULL;
    }
    return answer;
}

/* beginning and end */

static bool cannot_run(const wn_playback_host *host, int reason, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                        "%.300s cannot be run: %s. Install Warren, or build it.", host->options.program,
                        strerror(reason));
}

static bool start(wn_playback_host *host, wn_error *error)
{
    int sockets[2];
    if (access(host->options.program, X_OK) != 0) {
        return cannot_run(host, errno, error);
    }
    host->arena = wn_arena_new(WN_ARENA_FRAME);
    if (host->arena == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                            "There are no descriptors or memory left to start a host.");
    }
    host->fd = sockets[0];
    const int status = spawn(host, sockets[1]);
    close(sockets[1]);
    return status == 0 || cannot_run(host, status, error);
}

static const Warren__Host__Ready *wait_ready(wn_playback_host *host, wn_error *error)
{
    wn_error how = {0};
    const Warren__Host__FromHost *message = wait_for(host, &how);
    if (message == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, 0, "The host of %.200s %.200s.",
                     host->options.mode, how.text);
        return NULL;
    }
    if (message->body_case == WARREN__HOST__FROM_HOST__BODY_REFUSED) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, 0, "%s", message->refused->text);
        return NULL;
    }
    if (message->body_case != WARREN__HOST__FROM_HOST__BODY_READY) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "%.300s is not a warren-host %s.",
                     host->options.program, WARREN_VERSION);
        return NULL;
    }
    return message->ready;
}

wn_playback_host *wn_playback_start(const wn_playback_options *options, const Warren__Host__Ready **ready,
                                    wn_error *error)
{
    wn_playback_host *host = calloc(1, sizeof *host);
    if (host == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory left to start a host.");
        return NULL;
    }
    host->options = *options;
    host->fd = -1;
    *ready = start(host, error) ? wait_ready(host, error) : NULL;
    if (*ready == NULL) {
        wn_playback_end(host);
        return NULL;
    }
    return host;
}

void wn_playback_end(wn_playback_host *host)
{
    if (host == NULL) {
        return;
    }
    kill_host(host); /* it has no files and nothing to finish */
    if (host->fd >= 0) {
        close(host->fd);
    }
    wn_arena_free(host->arena);
    wn_buffer_free(&host->in);
    wn_buffer_free(&host->out);
    free(host);
}
