/* host-process.h: warren-host as a child process that speaks frames: of a mode's host, or of its worker. It is started
 * with a socket to the daemon and a page of memory that both see, heard, written to, ended, and seen to be gone. When
 * and why is the part of hosts.c and worker.c. Nothing waits for its end but wn_host_process_kill().
 */
#ifndef WARREN_HOST_PROCESS_H
#define WARREN_HOST_PROCESS_H

#include <sys/types.h>

#include "blame.h"
#include "loop.h"
#include "wire.h"

struct wn_daemon;

/* How a process came to its end. */
typedef struct wn_host_process_ending {
    pid_t pid;
    bool forbidden; /* its sandbox ended it */
    uint32_t world; /* whose callback ran; 0: none's */
    bool saving;    /* and it was save() */
    char why[WN_TEXT_BYTES + 1];
} wn_host_process_ending;

/* What whoever has such a process gives for it: how much it may say, and what hears it. */
typedef struct wn_host_process_handlers {
    size_t read_bytes;   /* at a time */
    size_t unread_bytes; /* that may have come and not been taken; 0: what a frame may have */
    size_t arena_bytes;  /* of its messages, decoded */
    bool keeps;          /* a message lives until wn_host_process_forget(); else until the next */
    /* false: nothing more is to be taken of what came with it. So it has to say when it ended the process. */
    bool (*take)(void *context, Warren__Host__FromHost *message);
    /* It has closed its socket: `what` is NULL; or it sent what may not be, and `detail` says more, or is "". It is to
     * be ended. */
    void (*failed)(void *context, const char *what, const char *detail);
    /* It was ended, and is gone by now. Another may be started at once. */
    void (*gone)(void *context, const wn_host_process_ending *end);
} wn_host_process_handlers;

typedef struct wn_host_process {
    struct wn_daemon *daemon;
    const char *path; /* of the mode */
    const wn_host_process_handlers *handlers;
    void *context;

    pid_t pid; /* 0: there is none */
    int fd;
    wn_watch *watch;
    bool writing;               /* waits for EPOLLOUT */
    wn_blame *blame;            /* shared with it */
    struct wn_mode_log *log;    /* of the mode */
    struct wn_printed *printed; /* by it */
    wn_buffer out, in;
    size_t out_sent;
    wn_arena *arena; /* what it said, decoded */
    struct {
        bool begun; /* it was killed, and is not gone yet */
        char *why;  /* NULL: as it tells itself */
        wn_timer *look;
        uint64_t look_ms;
    } end;
} wn_host_process;

/* Path, log, handlers and context live as long. */
void wn_host_process_init(wn_host_process *process, struct wn_daemon *daemon, const char *path, struct wn_mode_log *log,
                          const wn_host_process_handlers *handlers, void *context);
/* Ends it first. */
void wn_host_process_free(wn_host_process *process);

/* Fills in pid, fd and blame. false, with errno: there is no process. */
bool wn_host_process_start(wn_host_process *process);
/* Writes what is in `out`, as far as the socket takes it, and the rest when it does. */
void wn_host_process_flush(wn_host_process *process);
/* What it said is done with: nothing of it is used any more. */
void wn_host_process_forget(wn_host_process *process);
/* Closes its socket and kills it. Both, always: a mode can close its end and go on. gone() comes when it is gone, which
 * is mostly before this returns; until then it is not heard. `why` NULL: as it tells itself. If there is none, nothing
 * happens. */
void wn_host_process_end(wn_host_process *process, const char *why);
/* The same, and waits for it; gone() does not come. For when the daemon ends. */
void wn_host_process_kill(wn_host_process *process);

#endif
