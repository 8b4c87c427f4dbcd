/* pb.h: writes protobuf fields in place, for the messages on the path of every command, where filling a structure and
 * packing it would cost more than the message. Encoding per https://protobuf.dev/programming-guides/encoding/.
 */
#ifndef WARREN_PB_H
#define WARREN_PB_H

#include <string.h>

#include "wire.h"

enum { WN_PB_VARINT = 0, WN_PB_FIXED64 = 1, WN_PB_BYTES = 2, WN_PB_VARINT_MAX = 10 };

static inline uint8_t *wn_pb_put(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

/* A bare varint: an element of a packed field. */
static inline void wn_pb_raw(wn_buffer *buffer, uint64_t value)
{
    uint8_t *start = wn_buffer_reserve(buffer, WN_PB_VARINT_MAX);
    buffer->size += (size_t)(wn_pb_put(start, value) - start);
}

/* A field of type uint32, uint64, bool or enum. */
static inline void wn_pb_varint(wn_buffer *buffer, uint32_t field, uint64_t value)
{
    uint8_t *start = wn_buffer_reserve(buffer, 2 * WN_PB_VARINT_MAX);
    uint8_t *at = wn_pb_put(start, (uint64_t)field << 3 | WN_PB_VARINT);
    buffer->size += (size_t)(wn_pb_put(at, value) - start);
}

/* A field of type sint64. */
static inline void wn_pb_sint(wn_buffer *buffer, uint32_t field, int64_t value)
{
    wn_pb_varint(buffer, field, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

/* A field of type fixed64. */
static inline void wn_pb_fixed64(wn_buffer *buffer, uint32_t field, uint64_t value)
{
    uint8_t *start = wn_buffer_reserve(buffer, WN_PB_VARINT_MAX + sizeof value);
    uint8_t *at = wn_pb_put(start, (uint64_t)field << 3 | WN_PB_FIXED64);
    for (unsigned shift = 0; shift < 64; shift += 8) {
        *at++ = (uint8_t)(value >> shift);
    }
    buffer->size += (size_t)(at - start);
}

/* A field of type bytes or string. */
static inline void wn_pb_bytes(wn_buffer *buffer, uint32_t field, const void *bytes, size_t size)
{
    uint8_t *start = wn_buffer_reserve(buffer, 2 * WN_PB_VARINT_MAX + size);
    uint8_t *at = wn_pb_put(start, (uint64_t)field << 3 | WN_PB_BYTES);
    at = wn_pb_put(at, size);
    if (size > 0) {
        memcpy(at, bytes, size);
    }
    buffer->size += (size_t)(at - start) + size;
}

static inline void wn_pb_string(wn_buffer *buffer, uint32_t field, const char *text)
{
    wn_pb_bytes(buffer, field, text, strlen(text));
}

/* A submessage or packed field written in place: begin, write its fields, end. One byte is left for its length; a
 * longer one moves what was written. Returns a mark for wn_pb_end(). */
static inline size_t wn_pb_begin(wn_buffer *buffer, uint32_t field)
{
    uint8_t *start = wn_buffer_reserve(buffer, WN_PB_VARINT_MAX + 1);
    buffer->size += (size_t)(wn_pb_put(start, (uint64_t)field << 3 | WN_PB_BYTES) - start) + 1;
    return buffer->size;
}

static inline void wn_pb_end(wn_buffer *buffer, size_t mark)
{
    const size_t size = buffer->size - mark;
    if (size < 0x80) {
        buffer->data[mark - 1] = (uint8_t)size;
        return;
    }
    uint8_t length[WN_PB_VARINT_MAX];
    const size_t bytes = (size_t)(wn_pb_put(length, size) - length);
    wn_buffer_reserve(buffer, bytes - 1);
    memmove(buffer->data + mark + bytes - 1, buffer->data + mark, size);
    memcpy(buffer->data + mark - 1, length, bytes);
    buffer->size += bytes - 1;
}

#endif
