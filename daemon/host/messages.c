/* messages.c: see messages.h. */
#include "messages.h"

#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "text.h"

enum { HEAD = 2, GROWTH = 256, BODY_MAX = WN_TEXT_BYTES + WN_NAME_BYTES + 4 * WN_PB_VARINT_MAX };

static uint32_t entry_size(const uint8_t *entry)
{
    return HEAD + (uint32_t)(entry[0] | entry[1] << 8);
}

static uint8_t *put_text(uint8_t *at, uint32_t field, const char *text, size_t size)
{
    at = wn_pb_put(at, field << 3 | WN_PB_BYTES);
    at = wn_pb_put(at, size);
    memcpy(at, text, size);
    return at + size;
}

/* Message { number = 1, text = 2, kind = 3 unless INFO, from = 4 if anybody }. Returns its size. */
static uint32_t encode(uint8_t body[BODY_MAX], uint32_t number, Warren__MessageKind kind, const char *from,
                       const char *text)
{
    char clean[WN_TEXT_BYTES + 1];
    uint8_t *at = wn_pb_put(body, 1 << 3 | WN_PB_VARINT);
    at = wn_pb_put(at, number);
    at = put_text(at, 2, clean, wn_text_copy(clean, WN_TEXT_BYTES, text, true));
    if (kind != WARREN__MESSAGE_KIND__MESSAGE_INFO) {
        at = wn_pb_put(at, 3 << 3 | WN_PB_VARINT);
        at = wn_pb_put(at, (uint64_t)kind);
    }
    if (from && from[0]) {
        at = put_text(at, 4, clean, wn_text_copy(clean, WN_NAME_BYTES, from, false));
    }
    return (uint32_t)(at - body);
}

/* Room for `size` bytes at the end: moves what is kept to the front, grows if that is not enough. */
static uint8_t *make_room(wn_message_log *log, uint32_t size)
{
    if (log->end + size > log->capacity) {
        const uint32_t live = log->end - log->start;
        if (live > 0) {
            memmove(log->data, log->data + log->start, live);
        }
        log->start = 0;
        log->end = live;
        if (live + size > log->capacity) {
            log->capacity = (live + size + GROWTH - 1) / GROWTH * GROWTH;
            log->data = wn_must_resize(log->data, log->capacity);
        }
    }
    return log->data + log->end;
}

void wn_messages_add(wn_message_log *log, Warren__MessageKind kind, const char *from, const char *text)
{
    uint8_t body[BODY_MAX];
    const uint32_t size = encode(body, ++log->last, kind, from, text);
    if (log->count == WN_MAX_MESSAGES) {
        log->start += entry_size(log->data + log->start);
        log->count--;
    }
    uint8_t *entry = make_room(log, HEAD + size);
    entry[0] = (uint8_t)size;
    entry[1] = (uint8_t)(size >> 8);
    memcpy(entry + HEAD, body, size);
    log->end += HEAD + size;
    log->count++;
}

void wn_messages_write(const wn_message_log *log, uint32_t since, wn_buffer *buffer, uint32_t field)
{
    if (log->count == 0) {
        return;
    }
    const uint8_t *entry = log->data + log->start;
    uint32_t number = log->last - log->count;
    for (uint32_t i = 0; i < log->count; i++, entry += entry_size(entry)) {
        if (++number > since) {
            wn_pb_bytes(buffer, field, entry + HEAD, entry_size(entry) - HEAD);
        }
    }
}

const uint8_t *wn_messages_borrow(const wn_message_log *log, uint32_t *size)
{
    *size = log->end - log->start;
    return *size > 0 ? log->data + log->start : NULL;
}

bool wn_messages_restore(wn_message_log *log, uint32_t last, uint32_t count, const uint8_t *bytes, uint32_t size)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (size - at < HEAD || size - at < entry_size(bytes + at)) {
            return false;
        }
        at += entry_size(bytes + at);
    }
    if (at != size || count > WN_MAX_MESSAGES || count > last) {
        return false;
    }
    log->start = log->end = 0;
    if (size > 0) {
        memcpy(make_room(log, size), bytes, size);
    }
    log->end = size;
    log->count = count;
    log->last = last;
    return true;
}

void wn_messages_clear(wn_message_log *log)
{
    free(log->data);
    *log = (wn_message_log){0};
}
