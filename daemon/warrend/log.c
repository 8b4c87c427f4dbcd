/* log.c: makes one line of level, sentence and context and writes it to stderr. It keeps no file and rotates nothing:
 * that is for whoever owns stderr. Nor does it wait for them.
 */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

enum {
    TEXT_BYTES = 4096, /* a sentence with its context; what is longer ends in "..." */
    ESCAPE_BYTES = 4,  /* \xNN */
    LINE_BYTES = TEXT_BYTES * ESCAPE_BYTES + 256
};

static const struct level_entry {
    const char *name;
    int priority; /* of sd-daemon(3) */
} level_table[] = {
    [WN_LEVEL_ERROR] = {"error", 3},
    [WN_LEVEL_WARNING] = {"warning", 4},
    [WN_LEVEL_INFO] = {"info", 6},
    [WN_LEVEL_DEBUG] = {"debug", 7},
};

/* The one thing here that is of the process and not of a caller, as stderr is. Other threads than the one that sets the
 * level write lines, too; what stderr is was found out before there are any. What is below `writing` is of the thread
 * that holds it. */
static struct {
    _Atomic(wn_level) level;
    bool journal;
    mode_t kind; /* of file that stderr is */
    int fd;      /* stderr, or the same terminal once more */
    pthread_mutex_t writing;
    uint64_t lost; /* lines, since it was said how many */
    bool cut;      /* the last line is there in part */
} output = {.level = WN_LEVEL_INFO, .kind = S_IFREG, .fd = STDERR_FILENO, .writing = PTHREAD_MUTEX_INITIALIZER};

/* $JOURNAL_STREAM is "device:inode" of what stderr was when systemd started us; it names ours only if stderr was not
 * redirected since (systemd.exec(5)). */
static bool stderr_is_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    if (stream == NULL) {
        return false;
    }
    unsigned long long device, inode;
    char rest;
    struct stat status;
    if (sscanf(stream, "%llu:%llu%c", &device, &inode, &rest) != 2 || fstat(STDERR_FILENO, &status) != 0) {
        return false;
    }
    return device == (unsigned long long)status.st_dev && inode == (unsigned long long)status.st_ino;
}

/* Once more, so that it can be non-blocking for us alone. */
static int open_terminal(void)
{
    const int own = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return own >= 0 ? own : STDERR_FILENO;
}

void wn_log_open(wn_level level)
{
    struct stat status;
    wn_log_set_level(level);
    output.journal = stderr_is_journal();
    output.kind = fstat(STDERR_FILENO, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG;
    output.fd = isatty(STDERR_FILENO) ? open_terminal() : STDERR_FILENO;
}

void wn_log_set_level(wn_level level)
{
    atomic_store_explicit(&output.level, level, memory_order_relaxed);
}

bool wn_log_enabled(wn_level level)
{
    return level <= atomic_load_explicit(&output.level, memory_order_relaxed);
}

/* How many bytes of `text` are one character that is safe to print as it is; 0: escape the first byte. Not safe are
 * control characters (C0, DEL and C1: terminals obey them), what is not seen or turns the direction of writing, the
 * backslash (unless it is the caller's own), and what is not UTF-8. */
static size_t printable(const unsigned char *text, bool own_backslashes)
{
    uint32_t character;
    if (text[0] < 0x80) {
        return text[0] >= 0x20 && text[0] != 0x7f && (text[0] != '\\' || own_backslashes) ? 1 : 0;
    }
    size_t size = text[0] >= 0xf0 && text[0] <= 0xf4   ? 4
                  : text[0] >= 0xe0 && text[0] <= 0xef ? 3
                  : text[0] >= 0xc2 && text[0] <= 0xdf ? 2
                                                       : 0;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool c1 = text[0] == 0xc2 && text[1] < 0xa0;
    return c1 || (size > 0 && wn_text_unseen((const char *)text, &character) > 0) ? 0 : size;
}

/* Writes the escaped text at `to`, which has room for ESCAPE_BYTES for every byte of it. Returns the end. */
static char *escape(char *to, const char *text, bool own_backslashes)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *from = (const unsigned char *)text;
    while (*from != '\0') {
        size_t size = printable(from, own_backslashes);
        if (size > 0) {
            memcpy(to, from, size);
            to += size;
            from += size;
            continue;
        }
        const char *letter = strchr("\nn\tt\rr\\\\", *from);
        *to++ = '\\';
        if (letter != NULL) {
            *to++ = letter[1];
        } else {
            *to++ = 'x';
            *to++ = hex[*from >> 4];
            *to++ = hex[*from & 15];
        }
        from++;
    }
    return to;
}

static int begin_line(char *line, size_t size, wn_level level, const char *part)
{
    if (output.journal) {
        return snprintf(line, size, "<%d>%.64s: ", level_table[level].priority, part);
    }
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    return snprintf(line, size, "%s.%03ldZ %s %.64s: ", date, now.tv_nsec / 1000000, level_table[level].name, part);
}

/* writing */

/* What is written now, without waiting for room. stderr may be other processes' as well, so it is not made
 * non-blocking: each write to a socket or a pipe is (pipes can since Linux 6.4), and a terminal was opened once more.
 * Where that cannot be, this waits only if another process takes the room that there is: a pipe that has any takes
 * PIPE_BUF. */
static ssize_t write_now(const char *bytes, size_t size)
{
    struct pollfd room = {.fd = output.fd, .events = POLLOUT};
    const struct iovec whole = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = size};
    ssize_t written = -1;
    switch (output.kind) {
    case S_IFREG:
        return write(output.fd, bytes, size);
    case S_IFSOCK:
        return send(output.fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    case S_IFIFO:
        written = pwritev2(output.fd, &whole, 1, -1, RWF_NOWAIT);
        if (written >= 0 || errno != EOPNOTSUPP) {
            return written;
        }
        break;
    default:
        break;
    }
    return poll(&room, 1, 0) > 0 ? write(output.fd, bytes, size < PIPE_BUF ? size : PIPE_BUF) : -1;
}

/* How much of it is written. */
static size_t write_whole(const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        errno = 0; /* poll() finds no room without a word */
        const ssize_t written = write_now(bytes + done, size - done);
        if (written <= 0 && errno != EINTR) {
            break;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return done;
}

/* A line, or what there is room for; the next begins a new line then. */
static bool write_line(const char *line, size_t size)
{
    if (output.cut && write_whole("\n", 1) != 1) {
        return false;
    }
    const size_t written = write_whole(line, size);
    output.cut = written > 0 && written < size;
    return written + 1 >= size; /* the next brings its end */
}

/* A reader that is gone or does not keep up loses lines; it must not stop the daemon. It is told how many when it goes
 * on. One line at a time, in one write if there is room for all of it, so that those of several threads and processes
 * do not mix. */
static void deliver(const char *line, size_t size)
{
    pthread_mutex_lock(&output.writing);
    bool heard = true;
    if (output.lost > 0) {
        char told[256];
        int length = begin_line(told, sizeof told, WN_LEVEL_WARNING, "log");
        length += snprintf(told + length, sizeof told - (size_t)length,
                           "%" PRIu64 " lines are lost: who reads them did not keep up\n", output.lost);
        heard = write_line(told, (size_t)length);
        output.lost = heard ? 0 : output.lost;
    }
    output.lost += heard && write_line(line, size) ? 0 : 1;
    pthread_mutex_unlock(&output.writing);
}

static void write_text(wn_level level, const char *part, const char *text, bool all, bool own_backslashes)
{
    char line[LINE_BYTES];
    char *end = escape(line + begin_line(line, sizeof line, level, part), text, own_backslashes);
    if (!all) {
        memcpy(end, "...", 3);
        end += 3;
    }
    *end++ = '\n';
    deliver(line, (size_t)(end - line));
}

void wn_log_line(wn_level level, const char *part, const char *format, ...)
{
    if (!wn_log_enabled(level)) {
        return;
    }
    int saved = errno;
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text[0] = '\0';
    }
    write_text(level, part, text, length < TEXT_BYTES, false);
    errno = saved;
}

void wn_log_quoted(wn_level level, const char *part, const char *text)
{
    char most[TEXT_BYTES];
    int saved = errno;
    if (wn_log_enabled(level)) {
        const int length = snprintf(most, sizeof most, "%s", text);
        write_text(level, part, most, length < TEXT_BYTES, true);
    }
    errno = saved;
}

const char *wn_log_value(wn_log_text *into, const char *text)
{
    const bool plain = text[0] != '\0' && strpbrk(text, " \"") == NULL;
    size_t length = 0;
    if (plain) {
        snprintf(into->text, sizeof into->text, "%s", text);
        return into->text;
    }
    into->text[length++] = '"';
    for (; *text != '\0' && length < sizeof into->text - 2; text++) {
        into->text[length++] = *text == '"' ? '\'' : *text;
    }
    into->text[length++] = '"';
    into->text[length] = '\0';
    return into->text;
}

bool wn_log_again(wn_log_pace *pace, unsigned seconds)
{
    struct timespec now;
    int_fast64_t before = atomic_load(&pace->said_s);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (before == 0 || now.tv_sec - before >= seconds) &&
           atomic_compare_exchange_strong(&pace->said_s, &before, now.tv_sec > 0 ? now.tv_sec : 1);
}
