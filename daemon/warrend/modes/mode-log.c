/* mode-log.c: see mode-log.h. A pipe is read however much comes, for a mode that prints must not wait; what is too much
 * is counted and forgotten.
 */
#include "modes/mode-log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "memory.h"

enum {
    LINES_A_SECOND = 50,
    LEFT_OUT_MS = 1000, /* between two lines about what was left out */
    LINE_BYTES = 512,   /* of a line that is printed; longer ones are cut */
    READ_BYTES = 16 << 10,
    READS_AT_END = 8 /* more than there can be in a pipe, unless somebody still writes */
};

typedef struct wn_mode_log {
    wn_daemon *daemon;
    const char *mode;
    wn_allowance lines;
    uint64_t left_out;
    wn_timer *timer;
} wn_mode_log;

typedef struct wn_printed {
    wn_mode_log *log;
    int fd; /* -1: its end has come */
    wn_watch *watch;
    size_t size;
    char line[LINE_BYTES + 1];
} wn_printed;

static void tell_left_out(void *context)
{
    wn_mode_log *log = context;
    if (log->left_out > 0) {
        wn_log_line(WN_LEVEL_WARNING, "mode", "left out %" PRIu64 " lines: it says more than %d a second mode=%s",
                    log->left_out, LINES_A_SECOND, log->mode);
    }
    log->left_out = 0;
}

wn_mode_log *wn_mode_log_new(wn_daemon *daemon, const char *mode)
{
    wn_mode_log *log = wn_must_zero(1, sizeof *log);
    log->daemon = daemon;
    log->mode = mode;
    log->lines = wn_allowance_whole(wn_loop_now_ms(daemon->loop));
    log->timer = wn_must(wn_timer_new(daemon->loop, tell_left_out, log));
    return log;
}

void wn_mode_log_free(wn_mode_log *log)
{
    if (log == NULL) {
        return;
    }
    tell_left_out(log);
    wn_timer_free(log->timer);
    free(log);
}

void wn_mode_log_line(wn_mode_log *log, wn_level level, const char *text, uint32_t world)
{
    if (!wn_log_enabled(level)) {
        return;
    }
    if (wn_allowance_take(&log->lines, LINES_A_SECOND, wn_loop_now_ms(log->daemon->loop))) {
        wn_log_line(level, "mode", "%s mode=%s world=%u", text, log->mode, world);
        return;
    }
    if (log->left_out++ == 0) {
        wn_timer_set(log->timer, LEFT_OUT_MS);
    }
}

/* what is printed */

static void end_line(wn_printed *printed)
{
    printed->line[printed->size] = '\0';
    if (printed->size > 0) {
        wn_mode_log_line(printed->log, WN_LEVEL_INFO, printed->line, 0);
    }
    printed->size = 0;
}

static void take(wn_printed *printed, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n' || printed->size == LINE_BYTES) {
            end_line(printed);
        }
        if (bytes[i] != '\n') {
            printed->line[printed->size++] = (char)(bytes[i] != '\0' ? bytes[i] : '?');
        }
    }
}

static void stop_hearing(wn_printed *printed)
{
    wn_loop_remove_fd(printed->log->daemon->loop, printed->watch);
    close(printed->fd);
    printed->watch = NULL;
    printed->fd = -1;
    end_line(printed);
}

/* false: there is nothing more, for now or for ever. */
static bool read_some(wn_printed *printed)
{
    char bytes[READ_BYTES];
    const ssize_t got = read(printed->fd, bytes, sizeof bytes);
    if (got > 0) {
        take(printed, bytes, (size_t)got);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        stop_hearing(printed);
    }
    return got > 0;
}

static void readable(void *context, uint32_t events)
{
    (void)events;
    read_some(context);
}

wn_printed *wn_mode_log_hear(wn_mode_log *log, int fd)
{
    wn_printed *printed = wn_must_zero(1, sizeof *printed);
    printed->log = log;
    printed->fd = fd;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    printed->watch = wn_loop_add_fd(log->daemon->loop, fd, EPOLLIN, readable, printed);
    if (printed->watch == NULL) {
        close(fd);
        free(printed);
        return NULL;
    }
    return printed;
}

void wn_mode_log_hear_out(wn_printed *printed)
{
    if (printed == NULL) {
        return;
    }
    for (int i = 0; i < READS_AT_END && printed->fd >= 0 && read_some(printed); i++) {
    }
    if (printed->fd >= 0) {
        stop_hearing(printed);
    }
    free(printed);
}
