/* log.h: the messages that were shown, the world's and the frontend's own, oldest first. How they are shown is not its
 * business. */
#ifndef WARREN_CLIENT_LOG_H
#define WARREN_CLIENT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"

enum { WN_LOG_ENTRIES = 1000 };

typedef struct wn_log_entry {
    Warren__MessageKind kind;
    uint32_t times;  /* it came this often in a row */
    uint64_t number; /* counts up from 1 */
    char *text;      /* with who said it before it */
} wn_log_entry;

typedef struct wn_log {
    wn_log_entry entries[WN_LOG_ENTRIES];
    size_t first, count;
    uint64_t last_number; /* of the newest entry */
    uint64_t read_number; /* entries after it came since the player's last command */
    uint32_t taken;       /* number of the replica's newest message that is in here, and its text: */
    char taken_text[WN_BANNER_BYTES + 1];
} wn_log;

/* `from` NULL or "": nobody. */
void wn_log_add(wn_log *log, Warren__MessageKind kind, const char *from, const char *text);
void wn_log_format(wn_log *log, Warren__MessageKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes the replica's messages that are new. Returns whether one of them is an alert. */
bool wn_log_take(wn_log *log, const wn_replica *replica);
/* Counts what the replica has as taken. */
void wn_log_skip(wn_log *log, const wn_replica *replica);
/* The entry `back` before the newest, 0 being that; NULL: there are not so many. */
const wn_log_entry *wn_log_entry_at(const wn_log *log, size_t back);
/* Did it come after the player's last command? */
bool wn_log_is_fresh(const wn_log *log, const wn_log_entry *entry);
/* The entry as one text: with "x3" behind it, if it came three times. */
void wn_log_entry_text(const wn_log_entry *entry, char *text, size_t size);
void wn_log_clear(wn_log *log);

#endif
