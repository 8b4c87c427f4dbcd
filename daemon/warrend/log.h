/* log.h: lines for whoever runs the daemon: level, sentence, context as key=value.
 *
 * To a terminal or a file: "2026-01-02T03:04:05.678Z warning host: ... mode=caves pid=12". Under systemd
 * (JOURNAL_STREAM names our stderr): "<4>host: ... mode=caves", so that journald knows the level and adds its own time.
 *
 * Any thread may write lines and set the level, at any time (libzmq's do, by descriptors.c), once wn_log_open() was
 * called, which is for the first.
 */
#ifndef WARREN_LOG_H
#define WARREN_LOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum wn_level { WN_LEVEL_ERROR, WN_LEVEL_WARNING, WN_LEVEL_INFO, WN_LEVEL_DEBUG } wn_level;

void wn_log_open(wn_level level); /* to stderr */
void wn_log_set_level(wn_level level);
bool wn_log_enabled(wn_level level);
/* `part` is the noun that speaks: "store", "host", "control". Text from peers is escaped: a line stays one line. Nobody
 * waits for who reads the lines: those that do not find room are counted, and how many they were stands before the next
 * that does. */
void wn_log_line(wn_level level, const char *part, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same of a text whose backslashes are the caller's, who has put what is not theirs in quotes. */
void wn_log_quoted(wn_level level, const char *part, const char *text);

/* What a peer has chosen, as the value of a key=value: in quotes if it has spaces or is empty, so that it cannot look
 * like other keys; with ' for each " of its own. What does not fit is left out. */
typedef struct wn_log_text {
    char text[256];
} wn_log_text;
const char *wn_log_value(wn_log_text *into, const char *text);

/* When something was said last that is not to be said often. All zero: never. */
typedef struct wn_log_pace {
    atomic_int_fast64_t said_s;
} wn_log_pace;

/* Is it to be said again? It counts as said then. One thread only gets a yes within so many seconds. */
bool wn_log_again(wn_log_pace *pace, unsigned seconds);

#endif
