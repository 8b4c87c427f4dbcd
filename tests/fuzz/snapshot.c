/* snapshot.c: a saved world that may be damaged: refused, or a world that can be played and saved. The first byte
 * chooses the mode; the rest is the snapshot, whose turn is taken from where it stands in it.
 */
#include <string.h>

#include "fuzz.h"
#include "pb.h"
#include "worlds.h"

static wn_buffer out;

void fuzz_start(void)
{
    worlds_open();
}

/* Inputs{input{join{seat, player}}}, then a wake-up and some commands. */
static void play(wn_hosted *world)
{
    wn_error error = {0};
    static const uint8_t join[] = {0x0a, 0x09, 0x0a, 0x07, 0x08, 0x01, 0x12, 0x03, 'a', 'n', 'n'};
    static const uint8_t wake[] = {0x0a, 0x02, 0x22, 0x00};
    out.size = 0;
    wn_hosted_watch(world, WN_SPECTATORS, true, &out);
    wn_hosted_turn(world, wn_hosted_turn_number(world) + 1, join, sizeof join, &out, &error);
    wn_hosted_turn(world, wn_hosted_turn_number(world) + 1, wake, sizeof wake, &out, &error);
    for (uint8_t action = 1; action < 12; action++) {
        const uint8_t command[] = {0x0a, 0x0a, 0x1a, 0x08, 0x08, 0x01, 0x10, action, 0x18, action, 0x20, action % 9};
        wn_hosted_turn(world, wn_hosted_turn_number(world) + 1, command, sizeof command, &out, &error);
    }
    out.size = 0;
    wn_hosted_save(world, &out);
}

void fuzz(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const unsigned mode = fuzz_byte(&input) % FUZZ_MODES;
    uint64_t turn = 0;
    if (input.size >= 12) {
        memcpy(&turn, input.data + 4, sizeof turn); /* u32 magic, u64 turn */
    }
    if (turn > UINT64_MAX - 64) {
        return;
    }
    wn_hosted *world = worlds_make(mode, turn, input.data, input.size);
    if (world != NULL) {
        play(world);
        wn_hosted_free(world);
    }
}
