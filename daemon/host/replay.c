/* replay.c: plays turns of a journal again, many in one go. How one turn goes is in turn.c.
 */
#include <inttypes.h>

#include "hosted.h"
#include "pb.h"

/* What a replay came to. */
typedef struct result {
    uint64_t diverged; /* the first turn whose hash was not the expected one; 0: none */
    wn_error error;    /* why it stopped */
    bool failed;
} result;

static void play(wn_hosted *world, const ProtobufCBinaryData *inputs, uint64_t hash, result *outcome)
{
    wn_scratch *scratch = &world->plugin->scratch;
    if (!wn_inputs_read(&scratch->inputs, scratch->arena, inputs->data, inputs->len, &outcome->error)) {
        outcome->failed = true;
        return;
    }
    wn_hosted_execute(world, world->turn + 1, &scratch->inputs);
    if (hash != 0 && outcome->diverged == 0 && hash != wn_hosted_hash(world)) {
        outcome->diverged = world->turn;
    }
}

/* The turns up to the last, or to the first that cannot be played. */
static void play_all(wn_hosted *world, const Warren__Host__Replay *replay, result *outcome)
{
    if (replay->first != world->turn + 1) {
        wn_fail_with(&outcome->error, WARREN__ERROR_CODE__ERROR_INTERNAL, "first", 0,
                     "world %u is at turn %" PRIu64 " and was told to go on with turn %" PRIu64, world->id, world->turn,
                     replay->first);
        outcome->failed = true;
        return;
    }
    for (size_t i = 0; i < replay->n_inputs && !outcome->failed; i++) {
        world->unseen = !(replay->show && i + 1 == replay->n_inputs);
        play(world, &replay->inputs[i], i < replay->n_hashes ? replay->hashes[i] : 0, outcome);
    }
    world->unseen = false;
}

/* FromHost { replayed = 8 }: Replayed { world = 1, turn = 2, seats = 3, wake_ms = 4 and over = 5 if a report is wanted,
 * diverged = 6 and error = 7 if so, updates = 8 if they are to be shown, asked = 9 with a report } */
void wn_hosted_replay(wn_hosted *world, const Warren__Host__Replay *replay, wn_buffer *out)
{
    result outcome = {0};
    world->plugin->scratch.effect_count = 0;
    play_all(world, replay, &outcome);
    const size_t frame = wn_frame_begin(out);
    const size_t mark = wn_pb_begin(out, 8);
    wn_pb_varint(out, 1, world->id);
    wn_pb_varint(out, 2, world->turn);
    if (replay->report) {
        wn_hosted_write_seats(world, out, 3);
        wn_pb_varint(out, 4, world->wake_ms);
        wn_hosted_write_over(world, out, 5);
        wn_hosted_write_asked(world, 0, out, 9);
    }
    if (outcome.diverged != 0) {
        wn_pb_varint(out, 6, outcome.diverged);
    }
    if (outcome.failed) {
        wn_pb_string(out, 7, outcome.error.text);
    }
    if (replay->show) {
        wn_hosted_draw(world, 0);
        wn_hosted_write_updates(world, out, 8);
    }
    wn_pb_end(out, mark);
    wn_frame_end(out, frame);
}
