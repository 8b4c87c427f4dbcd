/* turns.c: inputs of turns as a journal or a recording may hold them, played by a mode whose views are watched. The
 * first byte chooses the mode, then come pieces of up to 255 * 4 bytes: a turn each.
 */
#include "fuzz.h"
#include "worlds.h"

static wn_buffer out, saved;

void fuzz_start(void)
{
    worlds_open();
}

void fuzz(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    wn_error error = {0};
    const unsigned mode = fuzz_byte(&input) % FUZZ_MODES;
    wn_hosted *world = worlds_make(mode, 0, NULL, 0);
    FUZZ_REQUIRE(world != NULL);
    out.size = 0;
    wn_hosted_watch(world, WN_SPECTATORS, true, &out);
    for (int turn = 0; input.size > 0 && turn < 64; turn++) {
        size_t length;
        const uint8_t *piece = fuzz_piece(&input, 4, &length);
        out.size = 0;
        wn_hosted_turn(world, wn_hosted_turn_number(world) + 1, piece, length, &out, &error);
        if (turn % 4 == 1) { /* a view costs more than a turn: what else there is to try shall not wait for them */
            wn_hosted_watch(world, turn / 4 % 4, turn < 32, &out);
        }
    }
    /* However it went, what it saves can be loaded, and is the same world. */
    saved.size = 0;
    wn_hosted_save(world, &saved);
    wn_hosted *again = worlds_make(mode, wn_hosted_turn_number(world), saved.data, saved.size);
    FUZZ_REQUIRE(again != NULL && wn_hosted_hash(again) == wn_hosted_hash(world));
    wn_hosted_free(again);
    wn_hosted_free(world);
}
