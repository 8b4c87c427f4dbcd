/* messages.h: the last messages of a view, kept as they go over the wire. Not their way to a seat: calls.c finds whom
 * a message concerns.
 */
#ifndef WARREN_HOST_MESSAGES_H
#define WARREN_HOST_MESSAGES_H

#include <warren/mode.h>

#include "wire.h"

/* The last WN_MAX_MESSAGES. All zero is a valid empty one. */
typedef struct wn_message_log {
    uint8_t *data; /* entries: their size in 2 bytes, then an encoded warren.Message */
    uint32_t start, end, capacity;
    uint32_t count;
    uint32_t last; /* number of the last message; they count up by one */
} wn_message_log;

/* `text` and `from` (NULL: nobody) are cleaned and cut. */
void wn_messages_add(wn_message_log *log, Warren__MessageKind kind, const char *from, const char *text);
/* Appends those kept whose number is above `since` as fields `field`. */
void wn_messages_write(const wn_message_log *log, uint32_t since, wn_buffer *buffer, uint32_t field);
/* The entries as they are kept (NULL: none), for a snapshot; and back. false: they are not such entries, and `log` is
 * as it was. */
const uint8_t *wn_messages_borrow(const wn_message_log *log, uint32_t *size);
bool wn_messages_restore(wn_message_log *log, uint32_t last, uint32_t count, const uint8_t *bytes, uint32_t size);
void wn_messages_clear(wn_message_log *log); /* forgets them and begins anew with number 1 */

#endif
