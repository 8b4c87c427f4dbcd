/* wire.c: decoding, encoding, frames and the buffers they use. What makes a message valid stands in rules.c.
 */
#include "wire_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_HEADER = 4,
    FIRST_CAPACITY = 256,
    HOST_FIELDS = 1 << 18 /* of a FromHost, with those of all its parts: a mode's description may have half as many */
};

/* errors */

bool wn_fail_with(wn_error *error, Warren__ErrorCode code, const char *field, uint64_t limit, const char *format, ...)
{
    if (error == NULL) {
        return false;
    }
    error->code = code;
    error->limit = limit;
    snprintf(error->field, sizeof error->field, "%s", field == NULL ? "" : field);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    /* Both may quote what a peer sent, and are sent on as texts themselves. */
    wn_text_clean(error->text, WN_TEXT_BYTES, false);
    wn_text_clean(error->field, WN_NAME_BYTES, false);
    return false;
}

/* buffers */

void wn_buffer_free(wn_buffer *buffer)
{
    free(buffer->data);
    *buffer = (wn_buffer){0};
}

void wn_buffer_grow(wn_buffer *buffer, size_t more)
{
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : FIRST_CAPACITY;
    while (capacity - buffer->size < more && capacity <= SIZE_MAX / 2) {
        capacity *= 2;
    }
    uint8_t *data = capacity - buffer->size < more ? NULL : realloc(buffer->data, capacity);
    if (data == NULL) {
        fprintf(stderr, "out of memory: a buffer of %zu bytes cannot take %zu more\n", buffer->size, more);
        abort();
    }
    buffer->data = data;
    buffer->capacity = capacity;
}

void wn_buffer_append(wn_buffer *buffer, const void *bytes, size_t size)
{
    uint8_t *at = wn_buffer_reserve(buffer, size);
    if (size > 0) {
        memcpy(at, bytes, size);
        buffer->size += size;
    }
}

/* decoding */

/* A kind of message that comes from somebody else: its most bytes, and what that limit is called. */
typedef struct envelope {
    const ProtobufCMessageDescriptor *descriptor;
    size_t limit;
    const char *limit_name;
    const char *file; /* where it is described */
} envelope;

static const envelope request = {&warren__request__descriptor, WN_REQUEST_BYTES, "message_bytes", "warren.proto"};
static const envelope reply = {&warren__reply__descriptor, WN_REPLY_BYTES, "reply_bytes", "warren.proto"};
static const envelope update = {&warren__update__descriptor, WN_UPDATE_BYTES, "update_bytes", "warren.proto"};
static const envelope part = {&warren__export_part__descriptor, WN_REPLY_BYTES, "reply_bytes", "warren.proto"};
static const envelope to_host = {&warren__host__to_host__descriptor, WN_FRAME_BYTES, "frame_bytes", "host.proto"};
static const envelope from_host = {&warren__host__from_host__descriptor, WN_FRAME_BYTES, "frame_bytes", "host.proto"};
static const envelope inputs = {&warren__host__inputs__descriptor, WN_FRAME_BYTES, "frame_bytes", "host.proto"};

static void *decode(const envelope *kind, wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    const char *name = kind->descriptor->short_name;
    if (size > kind->limit) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, kind->limit_name, kind->limit,
                     "This %s has %zu bytes; the most is %zu (%s). Send less at once.", name, size, kind->limit,
                     kind->limit_name);
        return NULL;
    }
    ProtobufCMessage *message = protobuf_c_message_unpack(kind->descriptor, wn_arena_allocator(arena), size, bytes);
    if (message == NULL && wn_arena_refused(arena) > 0) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "decoded_bytes", wn_arena_limit(arena),
                     "This %s of %zu bytes needs more than %zu bytes of memory when decoded. Send less at once.", name,
                     size, wn_arena_limit(arena));
        return NULL;
    }
    if (message == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0,
                     "These %zu bytes are not a %s of protocol version %u: the encoding is broken or a required field "
                     "is missing. Compare with %s.",
                     size, name, WN_PROTOCOL_MAX, kind->file);
        return NULL;
    }
    return wn_message_check(message, error) ? message : NULL;
}

Warren__Request *wn_request_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return decode(&request, arena, bytes, size, error);
}

/* A varint at *at, which moves behind it. false: cut off, or longer than ten bytes. */
static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 70; shift += 7) {
        const uint8_t byte = *(*at)++;
        *value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

typedef struct wire_field {
    uint64_t number;
    bool varint;
    uint64_t value;       /* of a varint */
    const uint8_t *bytes; /* of what has a length; else NULL */
    size_t size;
} wire_field;

/* The field at *at, which moves behind it. false: it is cut off, or of a kind that there is not. */
static bool read_field(const uint8_t **at, const uint8_t *end, wire_field *field)
{
    enum { VARINT = 0, FIXED64 = 1, DELIMITED = 2, FIXED32 = 5 };
    uint64_t tag = 0, value = 0;
    if (!read_varint(at, end, &tag)) {
        return false;
    }
    const unsigned type = tag & 7;
    const bool prefixed = type == VARINT || type == DELIMITED;
    if ((!prefixed && type != FIXED64 && type != FIXED32) || (prefixed && !read_varint(at, end, &value))) {
        return false;
    }
    const uint64_t skip = type == DELIMITED ? value : type == FIXED64 ? 8 : type == FIXED32 ? 4 : 0;
    if (skip > (uint64_t)(end - *at)) {
        return false;
    }
    *field = (wire_field){.number = tag >> 3,
                          .varint = type == VARINT,
                          .value = value,
                          .bytes = type == DELIMITED ? *at : NULL,
                          .size = (size_t)skip};
    *at += skip;
    return true;
}

uint32_t wn_request_id(const void *bytes, size_t size)
{
    enum { ID = 1 };
    const uint8_t *at = bytes, *end = at + size;
    wire_field field;
    while (at < end && read_field(&at, end, &field)) {
        if (field.number == ID && field.varint) {
            return (uint32_t)field.value;
        }
    }
    return 0;
}

Warren__Reply *wn_reply_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return decode(&reply, arena, bytes, size, error);
}

Warren__Update *wn_update_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return decode(&update, arena, bytes, size, error);
}

Warren__ExportPart *wn_export_part_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return decode(&part, arena, bytes, size, error);
}

Warren__Host__ToHost *wn_to_host_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return decode(&to_host, arena, bytes, size, error);
}

/* Field for field, before anything is taken from the arena for it: a field takes two bytes on the way and a hundred
 * when decoded. What this build does not know is refused rather than kept and dropped: both sides are of one. */
static bool is_of_this_build(const ProtobufCMessageDescriptor *message, const uint8_t *at, const uint8_t *end,
                             size_t *fields, wn_error *error)
{
    wire_field field;
    while (at < end) {
        if (!read_field(&at, end, &field)) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0, "The encoding of a %s is broken.",
                                message->short_name);
        }
        const ProtobufCFieldDescriptor *known =
            field.number <= INT32_MAX ? protobuf_c_message_descriptor_get_field(message, (unsigned)field.number) : NULL;
        if (known == NULL) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0,
                                "A %s has a field %" PRIu64 ", which this build does not know.", message->short_name,
                                field.number);
        }
        const bool nested = field.bytes != NULL && known->type == PROTOBUF_C_TYPE_MESSAGE;
        const bool packed = field.bytes != NULL && !nested && known->type != PROTOBUF_C_TYPE_STRING &&
                            known->type != PROTOBUF_C_TYPE_BYTES;
        *fields += packed ? field.size : 1;
        if (*fields > HOST_FIELDS) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "fields", HOST_FIELDS,
                                "This FromHost has more than %d fields.", HOST_FIELDS);
        }
        if (nested && !is_of_this_build(known->descriptor, field.bytes, field.bytes + field.size, fields, error)) {
            return false;
        }
    }
    return true;
}

Warren__Host__FromHost *wn_from_host_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    size_t fields = 0;
    if (size > 0 && size <= WN_FRAME_BYTES &&
        !is_of_this_build(from_host.descriptor, bytes, (const uint8_t *)bytes + size, &fields, error)) {
        return NULL;
    }
    return decode(&from_host, arena, bytes, size, error);
}

Warren__Host__Inputs *wn_inputs_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return decode(&inputs, arena, bytes, size, error);
}

/* encoding */

size_t wn_encode(wn_buffer *buffer, const ProtobufCMessage *message)
{
    const size_t size = protobuf_c_message_get_packed_size(message);
    protobuf_c_message_pack(message, wn_buffer_reserve(buffer, size));
    buffer->size += size;
    return size;
}

void wn_frame_append(wn_buffer *buffer, const ProtobufCMessage *message)
{
    const size_t mark = wn_frame_begin(buffer);
    wn_encode(buffer, message);
    wn_frame_end(buffer, mark);
}

size_t wn_frame_begin(wn_buffer *buffer)
{
    wn_buffer_reserve(buffer, FRAME_HEADER);
    buffer->size += FRAME_HEADER;
    return buffer->size;
}

void wn_frame_end(wn_buffer *buffer, size_t mark)
{
    const size_t size = buffer->size - mark;
    for (size_t i = 0; i < FRAME_HEADER; i++) {
        buffer->data[mark - FRAME_HEADER + i] = (uint8_t)(size >> (8 * i));
    }
}

int wn_frame_next(const wn_buffer *stream, size_t *offset, const uint8_t **bytes, size_t *size)
{
    const size_t left = stream->size - *offset;
    if (left < FRAME_HEADER) {
        return 0;
    }
    const uint8_t *header = stream->data + *offset;
    const size_t length =
        (size_t)header[0] | (size_t)header[1] << 8 | (size_t)header[2] << 16 | (size_t)header[3] << 24;
    if (length > WN_FRAME_BYTES) {
        return -1;
    }
    if (left - FRAME_HEADER < length) {
        return 0;
    }
    *bytes = header + FRAME_HEADER;
    *size = length;
    *offset += FRAME_HEADER + length;
    return 1;
}
