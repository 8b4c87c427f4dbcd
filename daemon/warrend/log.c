/* log.c: makes one line of level, sentence and context and writes it to stderr with one system call. It keeps no file
 * and rotates nothing: that is for whoever owns stderr.
 */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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
 * level write lines, too; `journal` is set before there are any. */
static struct {
    _Atomic(wn_level) level;
    bool journal;
} output = {.level = WN_LEVEL_INFO};

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

void wn_log_open(wn_level level)
{
    wn_log_set_level(level);
    output.journal = stderr_is_journal();
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
 * control characters (C0, DEL and C1: terminals obey them), the backslash, and what is not UTF-8. */
static size_t printable(const unsigned char *text)
{
    if (text[0] < 0x80) {
        return text[0] >= 0x20 && text[0] != 0x7f && text[0] != '\\' ? 1 : 0;
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
    return c1 ? 0 : size;
}

/* Writes the escaped text at `to`, which has room for ESCAPE_BYTES for every byte of it. Returns the end. */
static char *escape(char *to, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *from = (const unsigned char *)text;
    while (*from != '\0') {
        size_t size = printable(from);
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

void wn_log_line(wn_level level, const char *part, const char *format, ...)
{
    if (!wn_log_enabled(level)) {
        return;
    }
    int saved = errno;
    char text[TEXT_BYTES], line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text[0] = '\0';
    }
    char *end = escape(line + begin_line(line, sizeof line, level, part), text);
    if (length >= TEXT_BYTES) {
        memcpy(end, "...", 3);
        end += 3;
    }
    *end++ = '\n';
    /* One write, so that lines of several processes on one stderr do not mix. A reader that is gone or does not keep up
     * loses lines; it must not stop the daemon. */
    while (write(STDERR_FILENO, line, (size_t)(end - line)) < 0 && errno == EINTR) {
        continue;
    }
    errno = saved;
}

bool wn_log_again(wn_log_pace *pace, unsigned seconds)
{
    struct timespec now;
    int_fast64_t before = atomic_load(&pace->said_s);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (before == 0 || now.tv_sec - before >= seconds) &&
           atomic_compare_exchange_strong(&pace->said_s, &before, now.tv_sec > 0 ? now.tv_sec : 1);
}
