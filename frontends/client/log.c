/* log.c: the messages that were shown. See log.h. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wn_log_entry *newest(wn_log *log)
{
    return log->count == 0 ? NULL : &log->entries[(log->first + log->count - 1) % WN_LOG_ENTRIES];
}

static void add_text(wn_log *log, Warren__MessageKind kind, const char *text)
{
    wn_log_entry *last = newest(log);
    if (last != NULL && last->kind == kind && kind != WARREN__MESSAGE_KIND__MESSAGE_CHAT &&
        strcmp(last->text, text) == 0 && last->number > log->read_number) {
        last->times++;
        return;
    }
    char *copy = strdup(text);
    if (copy == NULL) {
        return;
    }
    if (log->count == WN_LOG_ENTRIES) {
        free(log->entries[log->first].text);
        log->first = (log->first + 1) % WN_LOG_ENTRIES;
        log->count--;
    }
    log->count++;
    *newest(log) = (wn_log_entry){.kind = kind, .times = 1, .number = ++log->last_number, .text = copy};
}

void wn_log_add(wn_log *log, Warren__MessageKind kind, const char *from, const char *text)
{
    char whole[WN_BANNER_BYTES + WN_NAME_BYTES + 4];
    if (from == NULL || from[0] == '\0') {
        add_text(log, kind, text);
        return;
    }
    snprintf(whole, sizeof whole, "%s: %s", from, text);
    add_text(log, kind, whole);
}

void wn_log_format(wn_log *log, Warren__MessageKind kind, const char *format, ...)
{
    char text[WN_TEXT_BYTES + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(log, kind, text);
}

/* A world joined anew numbers its messages anew, unless it remembers them all. */
static bool numbers_go_on(const wn_log *log, const wn_replica *replica)
{
    for (uint32_t i = replica->message_count; i-- > 0;) {
        const wn_message_state *message = &replica->messages[i];
        if (message->number <= log->taken) {
            return message->number == log->taken && strcmp(message->text, log->taken_text) == 0;
        }
    }
    return true;
}

void wn_log_skip(wn_log *log, const wn_replica *replica)
{
    const wn_message_state *last = replica->message_count == 0 ? NULL : &replica->messages[replica->message_count - 1];
    log->taken = last == NULL ? 0 : last->number;
    snprintf(log->taken_text, sizeof log->taken_text, "%s", last == NULL ? "" : last->text);
}

bool wn_log_take(wn_log *log, const wn_replica *replica)
{
    bool alert = false;
    const uint32_t count = replica->message_count;
    if (!numbers_go_on(log, replica)) {
        log->taken = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const wn_message_state *message = &replica->messages[i];
        if (message->number <= log->taken) {
            continue;
        }
        wn_log_add(log, message->kind, message->from, message->text);
        alert = alert || message->kind == WARREN__MESSAGE_KIND__MESSAGE_ALERT;
    }
    if (count > 0 && replica->messages[count - 1].number != log->taken) {
        wn_log_skip(log, replica);
    }
    return alert;
}

const wn_log_entry *wn_log_entry_at(const wn_log *log, size_t back)
{
    return back < log->count ? &log->entries[(log->first + log->count - 1 - back) % WN_LOG_ENTRIES] : NULL;
}

bool wn_log_is_fresh(const wn_log *log, const wn_log_entry *entry)
{
    return entry->number > log->read_number;
}

void wn_log_entry_text(const wn_log_entry *entry, char *text, size_t size)
{
    if (entry->times > 1) {
        snprintf(text, size, "%s (x%u)", entry->text, entry->times);
    } else {
        snprintf(text, size, "%s", entry->text);
    }
}

void wn_log_clear(wn_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        free(log->entries[(log->first + i) % WN_LOG_ENTRIES].text);
    }
    *log = (wn_log){0};
}
