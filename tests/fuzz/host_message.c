/* host_message.c: what daemon and hosts send each other; the first byte chooses the direction, or inputs of a turn,
 * which are read in two ways that have to agree.
 */
#include "fuzz.h"
#include "inputs.h"
#include "wire.h"

static wn_arena *arena, *second;
static wn_inputs inputs;

void fuzz_start(void)
{
    arena = wn_arena_new(WN_ARENA_FRAME);
    second = wn_arena_new(WN_ARENA_FRAME);
}

void fuzz(const uint8_t *data, size_t size)
{
    wn_error error;
    fuzz_input input = {data, size};
    const uint8_t which = fuzz_byte(&input) % 3;
    wn_arena_reset(arena);
    if (which == 0) {
        wn_to_host_decode(arena, input.data, input.size, &error);
    } else if (which == 1) {
        wn_from_host_decode(arena, input.data, input.size, &error);
    } else {
        wn_arena_reset(second);
        const Warren__Host__Inputs *decoded = wn_inputs_decode(second, input.data, input.size, &error);
        const bool read = wn_inputs_read(&inputs, arena, input.data, input.size, &error);
        FUZZ_REQUIRE(read == (decoded != NULL));
        FUZZ_REQUIRE(!read || inputs.count == decoded->n_input);
    }
}
