/* conversation.c: see conversation.h. */
#include "conversation.h"

#include <malloc.h>
#include <stdio.h>

#include "pb.h"

enum { DECODE_MEMORY = 2 * WN_FRAME_BYTES, SNAPSHOT_MARGIN = 65536 };

typedef bool handle_message(wn_conversation *host, const Warren__Host__ToHost *message);

/* FromHost { log = 6 }: LogLine { level = 1, text = 2, world = 3 } */
static void write_log(void *context, uint32_t world, wn_log_level level, const char *text)
{
    wn_conversation *host = context;
    const size_t frame = wn_frame_begin(&host->logs);
    const size_t mark = wn_pb_begin(&host->logs, 6);
    wn_pb_varint(&host->logs, 1, level);
    wn_pb_string(&host->logs, 2, text);
    wn_pb_varint(&host->logs, 3, world);
    wn_pb_end(&host->logs, mark);
    wn_frame_end(&host->logs, frame);
}

static void blame(wn_conversation *host, uint32_t world)
{
    atomic_store_explicit(&host->blame->world, world, memory_order_release);
}

/* The world, or NULL with a log line: it could not be created, and what was asked of it meanwhile is void. */
static wn_hosted *find_world(wn_conversation *host, uint32_t id, const char *what)
{
    wn_hosted *world = wn_registry_find(&host->worlds, id);
    if (!world) {
        char text[WN_TEXT_BYTES + 1];
        snprintf(text, sizeof text, "there is no world %u in this host; %s is ignored", id, what);
        write_log(host, id, WN_LOG_DEBUG, text);
    }
    return world;
}

/* messages */

/* FromHost { created = 3 }: WorldCreated { world = 1, error = 2 if it failed, wake_ms = 3, seats = 4, over = 5 if it
 * is, asked = 6 } */
static void write_created(wn_conversation *host, uint32_t id, const wn_hosted *world, const char *error)
{
    const size_t frame = wn_frame_begin(&host->out);
    const size_t mark = wn_pb_begin(&host->out, 3);
    wn_pb_varint(&host->out, 1, id);
    if (world) {
        wn_pb_varint(&host->out, 3, wn_hosted_wake_ms(world));
        wn_hosted_write_seats(world, &host->out, 4);
        wn_hosted_write_over(world, &host->out, 5);
        wn_hosted_write_asked(world, 0, &host->out, 6);
    } else {
        wn_pb_string(&host->out, 2, error);
    }
    wn_pb_end(&host->out, mark);
    wn_frame_end(&host->out, frame);
}

/* A quarter is for the worlds that there are: one that is given no more crashes, and the others with it. */
static bool has_room(const wn_conversation *host, wn_error *error)
{
    const struct mallinfo2 now = mallinfo2();
    const size_t used = now.uordblks + now.hblkhd;
    return host->memory == 0 || used < host->memory - host->memory / 4 ||
           wn_fail_with(
               error, WARREN__ERROR_CODE__ERROR_LIMIT, "memory_mib", host->memory >> 20,
               "the worlds of this mode take %zu MiB of the %zu that they may (hosts.memory_mib), and the rest is "
               "theirs to grow: close one first",
               used >> 20, host->memory >> 20);
}

static bool create_world(wn_conversation *host, const Warren__Host__ToHost *message)
{
    const Warren__Host__CreateWorld *create = message->create;
    const wn_world_options options = {
        .id = create->world,
        .seed = create->seed,
        .settings = (const Warren__SettingValue *const *)create->settings,
        .setting_count = create->n_settings,
        .snapshot_turn = create->turn,
        .snapshot = create->has_snapshot ? create->snapshot.data : NULL,
        .snapshot_size = create->snapshot.len,
        .memory_limit = host->world_memory,
        .log = write_log,
        .log_context = host,
    };
    wn_error error = {0};
    wn_hosted *world = NULL;
    if (wn_registry_find(&host->worlds, create->world)) {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_INTERNAL, "world", 0, "world %u exists already", create->world);
    } else if (!create->fresh || has_room(host, &error)) {
        blame(host, create->world);
        world = wn_hosted_new(host->plugin, &options, &error);
    }
    if (world) {
        wn_registry_add(&host->worlds, create->world, world);
    }
    write_created(host, create->world, world, error.text);
    return true;
}

static bool destroy_world(wn_conversation *host, const Warren__Host__ToHost *message)
{
    blame(host, message->destroy->world);
    wn_registry_remove(&host->worlds, message->destroy->world);
    return true;
}

static bool execute_turn(wn_conversation *host, const Warren__Host__ToHost *message)
{
    const Warren__Host__Turn *turn = message->turn;
    wn_hosted *world = find_world(host, turn->world, "a turn");
    wn_error error = {0};
    if (!world) {
        return true;
    }
    if (turn->hash) {
        wn_hosted_report_hash(world);
    }
    blame(host, turn->world);
    if (!wn_hosted_turn(world, turn->turn, turn->inputs.data, turn->inputs.len, &host->out, &error)) {
        fprintf(stderr, "warren-host: the daemon sent a turn that cannot be executed: %s\n", error.text);
        return false;
    }
    return true;
}

static bool replay_turns(wn_conversation *host, const Warren__Host__ToHost *message)
{
    wn_hosted *world = find_world(host, message->replay->world, "a replay");
    if (world) {
        blame(host, message->replay->world);
        wn_hosted_replay(world, message->replay, &host->out);
    }
    return true;
}

static bool watch_view(wn_conversation *host, const Warren__Host__ToHost *message)
{
    const Warren__Host__Watch *watch = message->watch;
    wn_hosted *world = find_world(host, watch->world, "a watch");
    if (world && (!watch->has_seat || watch->seat < WN_MAX_SEATS)) {
        blame(host, watch->world);
        const int32_t seat = watch->has_seat ? (int32_t)watch->seat : WN_SPECTATORS;
        wn_hosted_continue(world, seat, watch->after);
        wn_hosted_watch(world, seat, watch->on, &host->out);
    }
    return true;
}

/* Saved { world = 1, turn = 2, snapshot = 3 }, written in place: it may be large. */
static bool save_world(wn_conversation *host, const Warren__Host__ToHost *message)
{
    const uint32_t id = message->save->world;
    wn_hosted *world = find_world(host, id, "a save");
    const size_t frame = wn_frame_begin(&host->out);
    const size_t mark = wn_pb_begin(&host->out, 5);
    wn_pb_varint(&host->out, 1, id);
    wn_pb_varint(&host->out, 2, world ? wn_hosted_turn_number(world) : 0);
    const size_t fields = host->out.size;
    if (world) {
        blame(host, id);
        atomic_store_explicit(&host->blame->saving, 1, memory_order_release);
        const size_t snapshot = wn_pb_begin(&host->out, 3);
        wn_hosted_save(world, &host->out);
        wn_pb_end(&host->out, snapshot);
        atomic_store_explicit(&host->blame->saving, 0, memory_order_release);
    }
    if (!world || host->out.size - fields > WN_FRAME_BYTES - SNAPSHOT_MARGIN) {
        host->out.size = fields;
        wn_pb_string(&host->out, 4, world ? "the snapshot is larger than a frame may be: save less" : "no such world");
    }
    wn_pb_end(&host->out, mark);
    wn_frame_end(&host->out, frame);
    return true;
}

/* FromHost { worked = 9 }: Worked { ticket = 1, answer = 2 }; work() writes the answer in place. */
static bool do_work(wn_conversation *host, const Warren__Host__ToHost *message)
{
    const wn_mode_descriptor *mode = wn_plugin_descriptor(host->plugin);
    const size_t frame = wn_frame_begin(&host->out);
    const size_t mark = wn_pb_begin(&host->out, 9);
    wn_pb_varint(&host->out, 1, message->work->ticket);
    if (mode->work) {
        const size_t answer = wn_pb_begin(&host->out, 2);
        uint8_t *room = wn_buffer_reserve(&host->out, WN_MAX_QUESTION);
        const ProtobufCBinaryData *question = &message->work->question;
        const size_t size = mode->work(question->data, question->len, room, WN_MAX_QUESTION);
        host->out.size += size <= WN_MAX_QUESTION ? size : 0;
        wn_pb_end(&host->out, answer);
    }
    wn_pb_end(&host->out, mark);
    wn_frame_end(&host->out, frame);
    host->at_once = true;
    return true;
}

static bool stop(wn_conversation *host, const Warren__Host__ToHost *message)
{
    (void)message;
    host->stopped = true;
    return true;
}

static handle_message *const handlers[] = {
    [WARREN__HOST__TO_HOST__BODY_TURN] = execute_turn,     [WARREN__HOST__TO_HOST__BODY_CREATE] = create_world,
    [WARREN__HOST__TO_HOST__BODY_DESTROY] = destroy_world, [WARREN__HOST__TO_HOST__BODY_WATCH] = watch_view,
    [WARREN__HOST__TO_HOST__BODY_SAVE] = save_world,       [WARREN__HOST__TO_HOST__BODY_STOP] = stop,
    [WARREN__HOST__TO_HOST__BODY_REPLAY] = replay_turns,   [WARREN__HOST__TO_HOST__BODY_WORK] = do_work,
};

/* FromHost { ready = 2 }: Ready { mode = 1, build = 2 } */
static void write_ready(wn_conversation *host)
{
    const size_t frame = wn_frame_begin(&host->out);
    const size_t ready = wn_pb_begin(&host->out, 2);
    const size_t mode = wn_pb_begin(&host->out, 1);
    wn_plugin_describe(host->plugin, &host->out);
    wn_pb_end(&host->out, mode);
    wn_pb_string(&host->out, 2, wn_plugin_build(host->plugin));
    wn_pb_end(&host->out, ready);
    wn_frame_end(&host->out, frame);
}

bool wn_conversation_begin(wn_conversation *host, wn_plugin *plugin, wn_blame *page)
{
    static wn_blame nobody;
    *host = (wn_conversation){.plugin = plugin, .blame = page ? page : &nobody, .arena = wn_arena_new(DECODE_MEMORY)};
    if (!host->arena) {
        return false;
    }
    write_ready(host);
    return true;
}

bool wn_conversation_take(wn_conversation *host, const uint8_t *bytes, size_t size)
{
    wn_error error = {0};
    wn_arena_reset(host->arena);
    const Warren__Host__ToHost *message = wn_to_host_decode(host->arena, bytes, size, &error);
    if (!message) {
        fprintf(stderr, "warren-host: the daemon sent a message that is not valid: %s\n", error.text);
        return false;
    }
    const bool good = handlers[message->body_case](host, message);
    blame(host, 0);
    if (host->logs.size > 0) {
        wn_buffer_append(&host->out, host->logs.data, host->logs.size);
        host->logs.size = 0;
    }
    return good;
}

void wn_conversation_end(wn_conversation *host)
{
    wn_registry_free(&host->worlds);
    wn_arena_free(host->arena);
    wn_buffer_free(&host->out);
    wn_buffer_free(&host->logs);
}

void wn_conversation_refuse(wn_buffer *out, const char *sentence)
{
    const size_t frame = wn_frame_begin(out);
    const size_t mark = wn_pb_begin(out, 7);
    wn_pb_string(out, 1, sentence);
    wn_pb_end(out, mark);
    wn_frame_end(out, frame);
}
