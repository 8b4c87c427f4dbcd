/* request.c: what a frontend may send to the daemon. What is accepted can be encoded, and is then accepted again. */
#include "fuzz.h"
#include "wire.h"

static wn_arena *arena, *second;
static wn_buffer buffer;

void fuzz_start(void)
{
    arena = wn_arena_new(WN_ARENA_REQUEST);
    second = wn_arena_new(WN_ARENA_REQUEST);
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_error error;
    wn_arena_reset(arena);
    wn_request_id(data, size);
    Warren__Request *request = wn_request_decode(arena, data, size, &error);
    if (request == NULL) {
        FUZZ_REQUIRE(error.code != WARREN__ERROR_CODE__ERROR_NONE && error.text[0] != '\0');
        FUZZ_REQUIRE(wn_text_valid(error.text, WN_TEXT_BYTES, false));
        return;
    }
    buffer.size = 0;
    wn_encode(&buffer, &request->base);
    wn_arena_reset(second);
    FUZZ_REQUIRE(buffer.size > WN_REQUEST_BYTES || wn_request_decode(second, buffer.data, buffer.size, &error) != NULL);
}
