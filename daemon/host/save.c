/* save.c: a world as a snapshot and back: the host's own part, then what the mode's save() wrote. Little-endian:
 *
 *   u32 magic, u64 turn, u64[4] generator, u32 wake_ms, u8 over, text outcome, u64 taken, then for the spectators' view
 *   and for each taken seat: i32 x, i32 y, u8 facing, u32 entry, u32 executed, u32 number of the last message, u32 how
 * many are kept, u32 their bytes, the bytes as in messages.h, and for seats: text player (text: u32 bytes, the bytes).
 *   Then u32 serial of the last question, u32 how many wait, and for each: u32 serial, u32 job, u32 milliseconds, u32
 * bytes, the question
 */
#include <inttypes.h>
#include <string.h>

#include "hash.h"
#include "hosted.h"

enum { MAGIC = 0x32534e57, MESSAGE_BYTES = 64 << 10 }; /* "WNS2"; more than 50 messages take */

static void write_text(wn_hosted *world, wn_writer *writer, const char *text)
{
    const size_t size = strlen(text);
    wn_write_u32(writer, &world->handle, (uint32_t)size);
    wn_write_bytes(writer, &world->handle, text, size);
}

static void write_view(wn_hosted *world, wn_writer *writer, int32_t seat)
{
    const wn_view *view = wn_hosted_seat_view(world, seat);
    wn_write_u32(writer, &world->handle, (uint32_t)view->x);
    wn_write_u32(writer, &world->handle, (uint32_t)view->y);
    wn_write_u8(writer, &world->handle, (uint8_t)view->facing);
    wn_write_u32(writer, &world->handle, view->entry);
    wn_write_u32(writer, &world->handle, view->executed);
    uint32_t size = 0;
    const uint8_t *messages = wn_messages_borrow(&view->messages, &size);
    wn_write_u32(writer, &world->handle, view->messages.last);
    wn_write_u32(writer, &world->handle, view->messages.count);
    wn_write_u32(writer, &world->handle, size);
    wn_write_bytes(writer, &world->handle, messages, size);
    if (seat != WN_SPECTATORS) {
        write_text(world, writer, world->names[seat]);
    }
}

static void write_jobs(wn_hosted *world, wn_writer *writer)
{
    wn_write_u32(writer, &world->handle, world->jobs.last);
    wn_write_u32(writer, &world->handle, world->jobs.count);
    for (uint32_t i = 0; i < world->jobs.count; i++) {
        const wn_job *job = &world->jobs.list[i];
        wn_write_u32(writer, &world->handle, job->serial);
        wn_write_u32(writer, &world->handle, job->number);
        wn_write_u32(writer, &world->handle, job->milliseconds);
        wn_write_u32(writer, &world->handle, (uint32_t)job->size);
        wn_write_bytes(writer, &world->handle, job->question, job->size);
    }
}

static void write_own(wn_hosted *world, wn_writer *writer)
{
    wn_write_u32(writer, &world->handle, MAGIC);
    wn_write_u64(writer, &world->handle, world->turn);
    for (int i = 0; i < 4; i++) {
        wn_write_u64(writer, &world->handle, world->random.state[i]);
    }
    wn_write_u32(writer, &world->handle, world->wake_ms);
    wn_write_u8(writer, &world->handle, world->over);
    write_text(world, writer, wn_kept_text(&world->outcome));
    wn_write_u64(writer, &world->handle, world->taken);
    write_view(world, writer, WN_SPECTATORS);
    for (uint64_t left = world->taken; left; left &= left - 1) {
        write_view(world, writer, __builtin_ctzll(left));
    }
    write_jobs(world, writer);
}

void wn_hosted_save(wn_hosted *world, wn_buffer *snapshot)
{
    wn_writer writer = {snapshot};
    write_own(world, &writer);
    world->phase = WN_PHASE_SAVE;
    world->plugin->mode->save(&world->handle, &writer);
    world->phase = WN_PHASE_NONE;
}

uint64_t wn_hosted_hash(wn_hosted *world)
{
    wn_buffer *saved = &world->plugin->scratch.saved;
    saved->size = 0;
    wn_hosted_save(world, saved);
    return wn_hash(saved->data, saved->size);
}

/* loading */

static bool read_text(wn_hosted *world, wn_reader *reader, char *text, size_t limit)
{
    const uint32_t size = wn_read_u32(reader, &world->handle);
    if (size > limit || !wn_read_bytes(reader, &world->handle, text, size)) {
        return false;
    }
    text[size] = '\0';
    return strlen(text) == size && wn_text_valid(text, limit, false);
}

static bool read_messages(wn_hosted *world, wn_reader *reader, wn_view *view)
{
    uint8_t bytes[MESSAGE_BYTES];
    const uint32_t last = wn_read_u32(reader, &world->handle);
    const uint32_t count = wn_read_u32(reader, &world->handle);
    const uint32_t size = wn_read_u32(reader, &world->handle);
    return size <= sizeof bytes && wn_read_bytes(reader, &world->handle, bytes, size) &&
           wn_messages_restore(&view->messages, last, count, bytes, size);
}

static bool read_view(wn_hosted *world, wn_reader *reader, int32_t seat)
{
    wn_view *view = wn_hosted_seat_view(world, seat);
    view->x = (int32_t)wn_read_u32(reader, &world->handle);
    view->y = (int32_t)wn_read_u32(reader, &world->handle);
    view->facing = wn_read_u8(reader, &world->handle);
    view->entry = wn_read_u32(reader, &world->handle);
    view->executed = wn_read_u32(reader, &world->handle);
    if (view->facing > WN_HERE || view->entry >= WN_MAX_ENTRIES || !read_messages(world, reader, view)) {
        return false;
    }
    const bool placed = view->x >= -1 && view->y >= -1 && view->x < WN_MAX_SIDE && view->y < WN_MAX_SIDE;
    return placed && (seat == WN_SPECTATORS || read_text(world, reader, world->names[seat], WN_NAME_BYTES));
}

static bool read_jobs(wn_hosted *world, wn_reader *reader)
{
    const uint32_t last = wn_read_u32(reader, &world->handle);
    for (uint32_t left = wn_read_u32(reader, &world->handle); left > 0; left--) {
        world->jobs.last = wn_read_u32(reader, &world->handle) - 1;
        const uint32_t number = wn_read_u32(reader, &world->handle);
        const uint32_t milliseconds = wn_read_u32(reader, &world->handle);
        const uint32_t size = wn_read_u32(reader, &world->handle);
        if (size > reader->left || size > WN_MAX_QUESTION || milliseconds < 1 || milliseconds > WN_MAX_JOB_TIME ||
            !wn_jobs_add(&world->jobs, number, reader->at, size, milliseconds)) {
            return false;
        }
        reader->at += size;
        reader->left -= size;
    }
    world->jobs.last = last;
    return wn_read_ok(reader, &world->handle);
}

static bool read_own(wn_hosted *world, wn_reader *reader)
{
    char outcome[WN_MAX_TEXT + 1];
    const bool ours = wn_read_u32(reader, &world->handle) == MAGIC;
    world->turn = wn_read_u64(reader, &world->handle);
    for (int i = 0; i < 4; i++) {
        world->random.state[i] = wn_read_u64(reader, &world->handle);
    }
    world->wake_ms = wn_read_u32(reader, &world->handle);
    world->over = wn_read_u8(reader, &world->handle) != 0;
    if (!ours || !wn_generator_valid(&world->random) || !read_text(world, reader, outcome, WN_MAX_TEXT)) {
        return false;
    }
    wn_kept_set(&world->outcome, outcome, WN_MAX_TEXT, false);
    const uint64_t taken = wn_read_u64(reader, &world->handle);
    const uint32_t seats = world->plugin->mode->max_seats;
    if ((seats < 64 && taken >> seats != 0) || !read_view(world, reader, WN_SPECTATORS)) {
        return false;
    }
    for (uint64_t left = taken; left; left &= left - 1) {
        if (!read_view(world, reader, __builtin_ctzll(left))) {
            return false;
        }
    }
    world->taken = taken;
    return read_jobs(world, reader);
}

bool wn_hosted_load(wn_hosted *world, const wn_world_options *options, wn_error *error)
{
    wn_reader reader = {options->snapshot, options->snapshot_size, true};
    if (!read_own(world, &reader)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0,
                            "the snapshot of world %u is damaged or of another version: play its journal from the "
                            "start or from an older one",
                            world->id);
    }
    if (world->turn != options->snapshot_turn) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0,
                            "the snapshot of world %u is of turn %" PRIu64 ", not of turn %" PRIu64, world->id,
                            world->turn, options->snapshot_turn);
    }
    char *failure = world->plugin->scratch.failure;
    failure[0] = '\0';
    world->phase = WN_PHASE_LOAD;
    const bool loaded = world->plugin->mode->load(&world->handle, &reader);
    world->phase = WN_PHASE_NONE;
    if (!loaded || !reader.ok) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "", 0, "mode %s cannot load world %u: %.400s",
                            world->plugin->mode->name, world->id,
                            failure[0] ? failure : "its saved data ended too early or is damaged");
    }
    if (reader.left > 0) {
        wn_world_complain(world, WN_RULE_UNREAD, "load() left %zu bytes of what save() wrote", reader.left);
    }
    return true;
}
