/* wire.h: the thin library between bytes and messages: decoding with every check a message needs, encoding, framing,
 * limits. After a wn_..._decode() no other code has to distrust the message: required fields are there, oneofs are
 * set, strings are valid UTF-8 within their limits, counts and numbers are in range.
 *
 * What it does not know: sockets, sessions, worlds. A number that only makes sense for a certain world (a seat, an
 * action, a cell) is checked where that world is known.
 */
#ifndef WARREN_WIRE_H
#define WARREN_WIRE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.pb-c.h"
#include "warren.pb-c.h"

#define WN_PROTOCOL_MIN 1u
#define WN_PROTOCOL_MAX 1u

/* Sizes that both ends rely on. Settings of the daemon may be lower, never higher. Bytes without a final NUL. */
enum {
    WN_KEY_BYTES = 16,  /* view keys and session tokens */
    WN_NAME_BYTES = 32, /* players, worlds, modes, settings, actions */
    WN_CHAT_BYTES = 256,
    WN_TEXT_BYTES = 512, /* sentences, labels, status texts, setting values, columns */
    WN_BANNER_BYTES = 4096,
    WN_REQUEST_BYTES = 65536,  /* an encoded Request */
    WN_REPLY_BYTES = 4 << 20,  /* an encoded Reply */
    WN_UPDATE_BYTES = 8 << 20, /* an encoded Update */
    WN_FRAME_BYTES = 80 << 20, /* one message between daemon and host: a turn's updates of all seats */
    WN_SIDE = 1024,            /* width and height of a view */
    WN_SPRITES = 4096,
    WN_REGIONS = 64, /* of a view */
    WN_ROWS = 128,
    WN_COLUMNS = 8,
    WN_MESSAGES = 256, /* in one Update */
    WN_EFFECTS = 256,
    WN_SEATS = 64,   /* of a world */
    WN_TILES = 4096, /* of a mode, and so are the next ones */
    WN_ACTIONS = 256,
    WN_SETTINGS = 64,
    WN_FIELDS = 32, /* of the status */
    WN_ENTRIES = 16,
    WN_TABLES = 32, /* of scores */
    WN_CREATE_SETTINGS = 64,
    WN_JOBS = 64,             /* questions of a world that wait for a worker's answer */
    WN_WORK_BYTES = 64 << 10, /* of a question to a worker, and of an answer */
    WN_WORK_TIME = 60000,     /* milliseconds that one may take */
    WN_FILE_BYTES = 1 << 20   /* a setting's value on its way to the host, where a file's name became its content */
};

/* Directions: 0 is north, and so on clockwise. */
enum {
    WN_DIRECTIONS = 8,
    WN_NOWHERE = WN_DIRECTIONS /* none of them: here, or one who looks nowhere */
};

/* A cell operation of warren.proto is count << 2 | one of these. */
enum { WN_CELLS_SKIP, WN_CELLS_FILL, WN_CELLS_COPY };

/* Where a server is, unless it was told otherwise: tcp, and udp for those who look for servers. */
enum { WN_CONTROL_PORT = 7117, WN_UPDATES_PORT = 7118, WN_BEACON_PORT = 7119 };

/* A server tells its key so many ports above that of its control socket. */
enum { WN_INTRODUCTION_ABOVE = 2 };

/* errors */

/* What went wrong: the protocol's code and a sentence for a person that names the thing, the limit and what to do. */
typedef struct wn_error {
    Warren__ErrorCode code;
    uint64_t limit;                /* 0: none concerned */
    char field[WN_NAME_BYTES + 1]; /* "": none concerned */
    char text[WN_TEXT_BYTES + 1];
} wn_error;

/* Fills it in. Returns false, so that a check can end with `return wn_fail_with(...)`. `error` may be NULL. */
bool wn_fail_with(wn_error *error, Warren__ErrorCode code, const char *field, uint64_t limit, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* memory */

/* Memory for decoded messages: taken piece by piece, given back all at once. It keeps its blocks, so that after
 * warm-up decoding does not allocate. `limit` bounds what is taken between two resets (then decoding fails, cleanly);
 * the blocks come to at most twice that. The sizes are enough for whatever is within the limits above. */
enum {
    WN_ARENA_REQUEST = 256 << 10,
    WN_ARENA_REPLY = 64 << 20,
    WN_ARENA_UPDATE = 32 << 20,
    WN_ARENA_FRAME = 128 << 20
};
typedef struct wn_arena wn_arena;
wn_arena *wn_arena_new(size_t limit);             /* NULL: no memory */
void wn_arena_reset(wn_arena *arena);             /* everything taken from it is void */
void wn_arena_trim(wn_arena *arena, size_t keep); /* a reset that gives back blocks beyond `keep` bytes */
void wn_arena_free(wn_arena *arena);
void *wn_arena_take(wn_arena *arena, size_t size); /* not zeroed, aligned for any type; NULL: limit or memory */

/* Bytes that grow. All zero is a valid empty one. */
typedef struct wn_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
} wn_buffer;
void wn_buffer_free(wn_buffer *buffer);
void wn_buffer_grow(wn_buffer *buffer, size_t more); /* what wn_buffer_reserve() does when there is no room */
/* Room for `more` bytes after size; returns data + size. When memory is out it says so on stderr and aborts, as
 * all that encodes does: callers are daemons and frontends whose buffers are bounded by the limits above. */
static inline uint8_t *wn_buffer_reserve(wn_buffer *buffer, size_t more)
{
    if (buffer->data == NULL || buffer->capacity - buffer->size < more) {
        wn_buffer_grow(buffer, more);
    }
    return buffer->data + buffer->size;
}
void wn_buffer_append(wn_buffer *buffer, const void *bytes, size_t size);

/* decoding */

/* Each returns a message that lives in the arena until its next reset, or NULL with the error filled in. */
Warren__Request *wn_request_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);
/* The id of a Request that did not decode, as far as it can be read: so that its sender knows which was refused. 0:
 * none. */
uint32_t wn_request_id(const void *bytes, size_t size);
Warren__Reply *wn_reply_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);
Warren__Update *wn_update_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);
/* A part of a recording as it stands in a file, where wn_frame_next() finds it; in a Reply it is decoded with that. */
Warren__ExportPart *wn_export_part_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);
Warren__Host__ToHost *wn_to_host_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);
Warren__Host__FromHost *wn_from_host_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);
Warren__Host__Inputs *wn_inputs_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);

/* The checks themselves, for those who make messages. */
bool wn_text_valid(const char *text, size_t max_bytes, bool lines); /* UTF-8, no control characters (lines: but \n) */
bool wn_name_valid(const char *name); /* of worlds, modes, settings: [A-Za-z0-9][A-Za-z0-9._-]*, up to WN_NAME_BYTES */
/* The bytes of the character there, if it is not seen, or changes how others are: a zero-width or format
 * character, a separator of lines, a control of writing direction. 0 if it is seen. */
size_t wn_text_unseen(const char *at, uint32_t *character);
/* Is every character of the text seen? Names and titles, which tell people and worlds apart, are of such alone. */
bool wn_text_seen(const char *text);
/* Has it characters that look like a space and are not U+0020? */
bool wn_text_blanks(const char *text);
/* Makes a text of whatever source valid, in place: what is not valid becomes '?', and so does what is not seen, but for
 * joiners and variation selectors, which scripts and emoji need. What is too long is cut between two characters.
 * Returns its bytes. */
size_t wn_text_clean(char *text, size_t max_bytes, bool lines);
bool wn_player_valid(
    const char *name); /* one line of 1 to WN_NAME_BYTES bytes that does not begin or end with a space */

/* encoding */

/* Appends the encoded message. Returns its size. */
size_t wn_encode(wn_buffer *buffer, const ProtobufCMessage *message);

/* Frames of the stream between daemon and host, and of a recording's file: 4 bytes of length, little-endian, then the
 * message. */
void wn_frame_append(wn_buffer *buffer, const ProtobufCMessage *message);
size_t wn_frame_begin(wn_buffer *buffer); /* for a message that is written in place: returns a mark */
void wn_frame_end(wn_buffer *buffer, size_t mark);
/* The next whole frame of `stream` at *offset, which moves behind it. 1: there is one; 0: not all of it has come;
 * -1: it is longer than WN_FRAME_BYTES. */
int wn_frame_next(const wn_buffer *stream, size_t *offset, const uint8_t **bytes, size_t *size);

#endif
