/* recording.c: a recording's content, packed into a file with a true checksum, since no guessing would make one. It is
 * packed without being made smaller: most of the time would go into that. */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "recording.h"
#include "wire.h"

static wn_buffer file;

void fuzz_start(void)
{
}

static void add_number(uint32_t number, int bytes)
{
    for (; bytes > 0; bytes--, number >>= 8) {
        const uint8_t byte = (uint8_t)number;
        wn_buffer_append(&file, &byte, 1);
    }
}

/* Of a deflated stream (RFC 1951, 3.2.4): u8 1 in the last block, else 0, u16 size, u16 ~size, the bytes. */
static void add_block(const void *data, size_t size, bool last)
{
    add_number(last, 1);
    add_number((uint32_t)size, 2);
    add_number(~(uint32_t)size, 2);
    wn_buffer_append(&file, data, size);
}

/* The bytes of a gzip file (RFC 1952): a head without a name or a time, the stream, u32 checksum, u32 size. */
static void pack(const char *line, const uint8_t *data, size_t size)
{
    static const uint8_t head[10] = {0x1f, 0x8b, Z_DEFLATED};
    const size_t line_size = strlen(line);
    uLong sum = crc32(0, (const Bytef *)line, (uInt)line_size);
    file.size = 0;
    wn_buffer_append(&file, head, sizeof head);
    add_block(line, line_size, false);
    size_t left = size;
    for (const uint8_t *at = data; left > 0;) {
        const size_t part = left < UINT16_MAX ? left : UINT16_MAX;
        sum = crc32(sum, at, (uInt)part);
        add_block(at, part, false);
        at += part;
        left -= part;
    }
    add_block("", 0, true);
    add_number((uint32_t)sum, 4);
    add_number((uint32_t)(line_size + size), 4);
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_error error = {0};
    fuzz_input input = {data, size};
    const bool whole = fuzz_byte(&input) % 2 == 0;
    pack(whole ? WN_RECORDING_LINE : "", input.data, input.size);
    fuzz_file_set(file.data, file.size);
    wn_recording *recording = wn_recording_read(fuzz_file_path(), &error);
    if (recording != NULL) {
        const uint64_t last = wn_recording_last(recording);
        FUZZ_REQUIRE(wn_recording_header(recording) != NULL && wn_recording_first(recording) <= last);
        FUZZ_REQUIRE(last == wn_recording_first(recording) || wn_recording_turn(recording, last) != NULL);
        FUZZ_REQUIRE(wn_recording_turn(recording, last + 1) == NULL);
    } else {
        FUZZ_REQUIRE(error.text[0] != '\0');
    }
    wn_recording_free(recording);
}
