/* reply.c: what a daemon may send to a frontend. */
#include "fuzz.h"
#include "wire.h"

static wn_arena *arena;

void fuzz_start(void)
{
    arena = wn_arena_new(WN_ARENA_REPLY);
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_error error;
    wn_arena_reset(arena);
    if (wn_reply_decode(arena, data, size, &error) == NULL) {
        FUZZ_REQUIRE(error.code != WARREN__ERROR_CODE__ERROR_NONE && error.text[0] != '\0');
    }
}
