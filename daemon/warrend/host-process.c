/* host-process.c: a host's process. See host-process.h.
 */
#include "host-process.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "mode-log.h"

enum {
    HOST_SOCKET = 3, /* descriptors in the host */
    HOST_PAGE = 4,
    PAGE_BYTES = 4096,
    LONGEST_LOOK_MS = 100
};

/* The process itself, with its end of the socket and the shared page as descriptors 3 and 4, and a pipe for what it
 * prints. 0 or an errno. */
static int spawn(wn_host_process *host, int socket_end, int page, int output)
{
    static const char *const sandboxes[] = {
        [WN_SANDBOX_NO] = "no", [WN_SANDBOX_YES] = "yes", [WN_SANDBOX_REQUIRE] = "require"};
    const wn_config *config = host->daemon->config;
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
                               host->path,
                               NULL};
    const wn_child_descriptor given[] = {
        {socket_end, HOST_SOCKET}, {page, HOST_PAGE}, {output, STDOUT_FILENO}, {output, STDERR_FILENO}};
    return wn_child_start(&host->pid, config->host_program, arguments, given, sizeof given / sizeof given[0]);
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

bool wn_host_process_start(wn_host_process *host)
{
    shared made;
    if (!make_shared(&made)) {
        return false;
    }
    void *mapped = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, made.page, 0);
    fcntl(made.ours, F_SETFL, O_NONBLOCK);
    const int failure = mapped == MAP_FAILED ? errno : spawn(host, made.theirs, made.page, made.output);
    close_all((int[]){made.page, made.theirs, made.output}, 3);
    host->blame = mapped != MAP_FAILED ? mapped : NULL;
    host->fd = made.ours;
    host->printed = wn_mode_log_hear(host->log, made.heard);
    errno = failure;
    return failure == 0;
}

static void name_call(uint32_t call, char *name, size_t size)
{
    char *known = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)call);
    snprintf(name, size, "%s", known != NULL ? known : "one without a name");
    free(known);
}

void wn_host_process_kill(wn_host_process *host)
{
    if (host->fd >= 0) {
        close(host->fd);
        host->fd = -1;
    }
    kill(host->pid, SIGKILL);
}

bool wn_host_process_ended(const wn_host_process *host, wn_process_end *end)
{
    char name[64];
    int status = 0;
    const pid_t got = waitpid(host->pid, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) {
        return false;
    }
    const uint32_t call = host->blame != NULL ? atomic_load(&host->blame->forbidden) : 0;
    end->forbidden = call != 0;
    if (end->forbidden) {
        name_call(call - 1, name, sizeof name);
        snprintf(end->how, sizeof end->how, "the mode tried something a mode may not do (system call %u, %s)", call - 1,
                 name);
    } else if (WIFSIGNALED(status)) {
        snprintf(end->how, sizeof end->how, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(end->how, sizeof end->how, "exit status %d", WEXITSTATUS(status));
    }
    return true;
}

void wn_host_process_wait(const wn_host_process *host)
{
    while (waitpid(host->pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

uint64_t wn_host_process_next_look(uint64_t waited_ms)
{
    return waited_ms == 0 ? 1 : waited_ms < LONGEST_LOOK_MS ? 2 * waited_ms : LONGEST_LOOK_MS;
}

void wn_host_process_release(wn_host_process *host)
{
    wn_mode_log_hear_out(host->printed);
    host->printed = NULL;
    if (host->fd >= 0) {
        close(host->fd);
        host->fd = -1;
    }
    if (host->blame != NULL) {
        munmap(host->blame, PAGE_BYTES);
        host->blame = NULL;
    }
    host->pid = 0;
}
