/* host-process.c: warren-host as a child process. See host-process.h.
 */
#include "modes/host-process.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon.h"
#include "memory.h"
#include "modes/child.h"
#include "modes/mode-log.h"

enum {
    HOST_SOCKET = 3, /* descriptors in the host */
    HOST_PAGE = 4,
    PAGE_BYTES = 4096,
    LONGEST_LOOK_MS = 100,
    KEEP_BYTES = 1 << 20 /* of memory that a long message took; what is more is given back */
};

/* starting */

/* The process itself, with its end of the socket and the shared page as descriptors 3 and 4, and a pipe for what it
 * prints. 0 or an errno. */
static int spawn(wn_host_process *process, int socket_end, int page, int output)
{
    static const char *const sandboxes[] = {
        [WN_SANDBOX_NO] = "no", [WN_SANDBOX_YES] = "yes", [WN_SANDBOX_REQUIRE] = "require"};
    const wn_config *config = process->daemon->config;
    char world_memory[32], memory[32];
    snprintf(world_memory, sizeof world_memory, "%u", config->world_memory_mib);
    snprintf(memory, sizeof memory, "%u", config->memory_mib);
    char *const arguments[] = {(char *)"warren-host",
                               (char *)"--fd",
                               (char *)"3",
                               (char *)"--page",
                               (char *)"4",
                               (char *)"--world-memory",
                               world_memory,
                               (char *)"--memory",
                               memory,
                               (char *)"--sandbox",
                               (char *)sandboxes[config->sandbox],
                               (char *)(uintptr_t)process->path,
                               NULL};
    const wn_child_descriptor given[] = {
        {socket_end, HOST_SOCKET}, {page, HOST_PAGE}, {output, STDOUT_FILENO}, {output, STDERR_FILENO}};
    return wn_child_start(&process->pid, config->host_program, arguments, given, sizeof given / sizeof given[0]);
}

/* Descriptors above those that the host gets, so that dup2() in the child never meets one of them. */
static int move_up(int fd)
{
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    close(fd);
    return moved;
}

/* What the two sides share. All -1 or all there. */
typedef struct shared {
    int ours, theirs; /* of the socket */
    int page;
    int heard, output; /* of the pipe */
} shared;

static void close_all(const int *descriptors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (descriptors[i] >= 0) {
            close(descriptors[i]);
        }
    }
}

/* A page that stays as large as it is. false: errno tells. */
static bool make_shared(shared *made)
{
    enum { DESCRIPTORS = 5 };
    int all[DESCRIPTORS] = {-1, -1, -1, -1, -1};
    int *const sockets = all, *const pipes = all + 2, *const page = all + 4;
    bool good = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 && pipe2(pipes, O_CLOEXEC) == 0 &&
                (*page = memfd_create("warren-host", MFD_CLOEXEC | MFD_ALLOW_SEALING)) >= 0 &&
                ftruncate(*page, PAGE_BYTES) == 0 &&
                fcntl(*page, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
    for (size_t i = 0; good && i < DESCRIPTORS; i++) {
        all[i] = move_up(all[i]);
        good = all[i] >= 0;
    }
    if (!good) {
        const int failure = errno;
        close_all(all, DESCRIPTORS);
        errno = failure;
        return false;
    }
    *made = (shared){.ours = all[0], .theirs = all[1], .heard = all[2], .output = all[3], .page = all[4]};
    return true;
}

static void release(wn_host_process *process);
static void socket_ready(void *context, uint32_t events);

bool wn_host_process_start(wn_host_process *process)
{
    shared made;
    if (!make_shared(&made)) {
        return false;
    }
    void *mapped = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, made.page, 0);
    fcntl(made.ours, F_SETFL, O_NONBLOCK);
    const int failure = mapped == MAP_FAILED ? errno : spawn(process, made.theirs, made.page, made.output);
    close_all((int[]){made.page, made.theirs, made.output}, 3);
    process->blame = mapped != MAP_FAILED ? mapped : NULL;
    process->fd = made.ours;
    process->printed = wn_mode_log_hear(process->log, made.heard);
    if (failure != 0) {
        release(process);
        errno = failure;
        return false;
    }
    process->watch = wn_loop_add_fd(process->daemon->loop, process->fd, EPOLLIN, socket_ready, process);
    return true;
}

/* talking */

/* Everything whole that has come. Whoever takes it may end the process, and start another. */
static void take_frames(wn_host_process *process)
{
    const wn_host_process_handlers *handlers = process->handlers;
    size_t offset = 0;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    int got = 0;
    wn_error error = {.text = "a frame that is too long"};
    while ((got = wn_frame_next(&process->in, &offset, &bytes, &size)) == 1) {
        if (!handlers->keeps) {
            wn_arena_reset(process->arena);
        }
        Warren__Host__FromHost *message = wn_from_host_decode(process->arena, bytes, size, &error);
        if (message == NULL) {
            got = -1;
            break;
        }
        if (!handlers->take(process->context, message)) {
            return;
        }
    }
    if (got < 0) {
        handlers->failed(process->context, "it sent what is no message of ours", error.text);
        return;
    }
    memmove(process->in.data, process->in.data + offset, process->in.size - offset);
    process->in.size -= offset;
    if (process->in.size == 0 && process->in.capacity > KEEP_BYTES) {
        wn_buffer_free(&process->in);
    }
}

static void socket_ready(void *context, uint32_t events)
{
    wn_host_process *process = context;
    const wn_host_process_handlers *handlers = process->handlers;
    if ((events & EPOLLOUT) != 0) {
        wn_host_process_flush(process);
    }
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0 || process->fd < 0) {
        return;
    }
    uint8_t *room = wn_buffer_reserve(&process->in, handlers->read_bytes);
    const ssize_t got = read(process->fd, room, handlers->read_bytes);
    if (got > 0) {
        process->in.size += (size_t)got;
        if (handlers->unread_bytes > 0 && process->in.size > handlers->unread_bytes) {
            handlers->failed(process->context, "it sends more than an answer can have", "");
        } else {
            take_frames(process);
        }
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        handlers->failed(process->context, NULL, "");
    }
}

void wn_host_process_flush(wn_host_process *process)
{
    while (process->fd >= 0 && process->out_sent < process->out.size) {
        const ssize_t sent = send(process->fd, process->out.data + process->out_sent,
                                  process->out.size - process->out_sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            break; /* full, or dead: then reading tells */
        }
        process->out_sent += (size_t)sent;
    }
    const bool more = process->out_sent < process->out.size;
    if (!more) {
        process->out.size = process->out_sent = 0;
    }
    if (process->watch != NULL && more != process->writing) {
        process->writing = more;
        wn_loop_change_fd(process->daemon->loop, process->watch, more ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
}

void wn_host_process_forget(wn_host_process *process)
{
    wn_arena_trim(process->arena, KEEP_BYTES);
}

/* its end */

static void name_call(uint32_t call, char *name, size_t size)
{
    char *known = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)call);
    snprintf(name, size, "%s", known != NULL ? known : "one without a name");
    free(known);
}

static void describe_status(int status, uint32_t call, char *text, size_t size)
{
    char name[64];
    if (call != 0) {
        name_call(call - 1, name, sizeof name);
        snprintf(text, size, "the mode tried something a mode may not do (system call %u, %s)", call - 1, name);
    } else if (WIFSIGNALED(status)) {
        snprintf(text, size, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(text, size, "exit status %d", WEXITSTATUS(status));
    }
}

/* Has it ended since? Never waits for that: true once, and then it is to be released. */
static bool has_ended(const wn_host_process *process, wn_host_process_ending *end)
{
    int status = 0;
    const wn_blame *blame = process->blame;
    const pid_t got = waitpid(process->pid, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) {
        return false;
    }
    const uint32_t call = blame != NULL ? atomic_load(&blame->forbidden) : 0;
    end->pid = process->pid;
    end->forbidden = call != 0;
    end->world = blame != NULL ? atomic_load(&blame->world) : 0;
    end->saving = blame != NULL && atomic_load(&blame->saving) != 0;
    if (process->end.why != NULL) {
        snprintf(end->why, sizeof end->why, "%s", process->end.why);
    } else {
        describe_status(status, call, end->why, sizeof end->why);
    }
    return true;
}

static void close_socket(wn_host_process *process)
{
    if (process->watch != NULL) {
        wn_loop_remove_fd(process->daemon->loop, process->watch);
        process->watch = NULL;
    }
    if (process->fd >= 0) {
        close(process->fd);
        process->fd = -1;
    }
}

static void close_and_kill(wn_host_process *process)
{
    close_socket(process);
    kill(process->pid, SIGKILL);
}

/* After its end, or a start that failed. What it still printed is logged. */
static void release(wn_host_process *process)
{
    close_socket(process);
    wn_mode_log_hear_out(process->printed);
    process->printed = NULL;
    if (process->blame != NULL) {
        munmap(process->blame, PAGE_BYTES);
        process->blame = NULL;
    }
    process->pid = 0;
    wn_timer_stop(process->end.look);
    free(process->end.why);
    process->end.why = NULL;
    process->end.begun = false;
    process->writing = false;
    process->out.size = process->out_sent = process->in.size = 0;
}

static void look(void *context)
{
    wn_host_process *process = context;
    uint64_t *after = &process->end.look_ms;
    wn_host_process_ending end;
    if (has_ended(process, &end)) {
        release(process);
        process->handlers->gone(process->context, &end);
        return;
    }
    *after = *after == 0 ? 1 : *after < LONGEST_LOOK_MS ? 2 * *after : LONGEST_LOOK_MS;
    wn_timer_set(process->end.look, *after);
}

void wn_host_process_end(wn_host_process *process, const char *why)
{
    if (process->pid == 0 || process->end.begun) {
        return;
    }
    process->end.begun = true;
    process->end.why = why != NULL ? wn_must_copy(why) : NULL;
    process->end.look_ms = 0;
    close_and_kill(process);
    look(process);
}

void wn_host_process_kill(wn_host_process *process)
{
    if (process->pid == 0) {
        return;
    }
    close_and_kill(process);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    release(process);
}

/* made and freed with the mode, or its worker */

void wn_host_process_init(wn_host_process *process, wn_daemon *daemon, const char *path, struct wn_mode_log *log,
                          const wn_host_process_handlers *handlers, void *context)
{
    *process = (wn_host_process){
        .daemon = daemon, .path = path, .log = log, .handlers = handlers, .context = context, .fd = -1};
    process->arena = wn_must(wn_arena_new(handlers->arena_bytes));
    process->end.look = wn_timer_new(daemon->loop, look, process);
}

void wn_host_process_free(wn_host_process *process)
{
    wn_host_process_kill(process);
    wn_timer_free(process->end.look);
    wn_arena_free(process->arena);
    wn_buffer_free(&process->out);
    wn_buffer_free(&process->in);
}
