/* store-record.c: a journal entry as bytes, in batches and in chunks. It knows no database.
 *
 *   varint turn | varint size * 2 + has_hash | 8 bytes of hash, little-endian, if there is one | the entry's bytes
 *
 * In a batch a varint with the world's number stands before each. Varints are those of protobuf.
 */
#include "store/store-internal.h"

#include <string.h>

#include "pb.h"

enum { HASH_BYTES = 8 };

void wn_record_put(wn_buffer *buffer, const wn_record *record)
{
    uint8_t *start = wn_buffer_reserve(buffer, 2 * WN_PB_VARINT_MAX + HASH_BYTES + record->size);
    uint8_t *at = wn_pb_put(start, record->turn);
    at = wn_pb_put(at, (uint64_t)record->size << 1 | (record->hash != 0));
    for (int i = 0; record->hash != 0 && i < HASH_BYTES; i++) {
        *at++ = (uint8_t)(record->hash >> 8 * i);
    }
    if (record->size > 0) {
        memcpy(at, record->bytes, record->size);
    }
    buffer->size += (size_t)(at - start) + record->size;
}

static bool take_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 64 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

bool wn_record_world(const uint8_t **at, const uint8_t *end, uint32_t *world)
{
    uint64_t value;
    bool good = take_varint(at, end, &value) && value <= UINT32_MAX;
    *world = (uint32_t)value;
    return good;
}

bool wn_record_next(const uint8_t **at, const uint8_t *end, wn_record *record)
{
    uint64_t size;
    if (!take_varint(at, end, &record->turn) || !take_varint(at, end, &size)) {
        return false;
    }
    record->hash = 0;
    if ((size & 1) != 0) {
        if (end - *at < HASH_BYTES) {
            return false;
        }
        for (int i = 0; i < HASH_BYTES; i++) {
            record->hash |= (uint64_t) * (*at)++ << 8 * i;
        }
    }
    size >>= 1;
    if (size > (uint64_t)(end - *at)) {
        return false;
    }
    record->bytes = *at;
    record->size = (size_t)size;
    *at += size;
    return true;
}
