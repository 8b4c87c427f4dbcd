/* wire_limits.c: what a field may hold at most and at least, from both sides, for every field of every message.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "wire_fixture.h"

enum { KEY = WN_KEY_BYTES, NAME = WN_NAME_BYTES, TEXT = WN_TEXT_BYTES, BANNER = WN_BANNER_BYTES, MANY = 65536 };
enum { UNTRIED = 0 }; /* as the most: only the size of the whole message is the limit */

/* What fields may hold that is not what their type says: see expected(). Numbers are here only where they are limited.
 * Written out a second time rather than shared with the library: a slip there has to show. */
typedef struct limit {
    const char *field; /* "message.field", without "warren." */
    size_t least, most;
    const char *name; /* NULL: that of the field */
} limit;

static const limit limits[] = {
    {"Hello.player", 1, NAME, "name_bytes"},
    {"CreateWorld.mode", 1, NAME, "name_bytes"},
    {"CreateWorld.name", 1, NAME, "name_bytes"},
    {"CreateWorld.settings", 0, 64, NULL},
    {"ChangeWorld.world", 1, NAME, "name_bytes"},
    {"ChangeWorld.settings", 0, 64, NULL},
    {"SettingValue.name", 1, NAME, "name_bytes"},
    {"SettingValue.file", 0, NAME, NULL},
    {"JoinWorld.world", 1, NAME, "name_bytes"},
    {"JoinWorld.entry", 0, 15, NULL},
    {"ListScores.mode", 1, NAME, "name_bytes"},
    {"ListScores.world", 1, NAME, "name_bytes"},
    {"ListScores.player", 1, NAME, "name_bytes"},
    {"WatcherInfo.player", 1, NAME, "name_bytes"},
    {"WatcherInfo.world", 1, NAME, "name_bytes"},
    {"ScoreList.tables", 0, 4096, NULL},
    {"PlayerScores.player", 1, NAME, "name_bytes"},
    {"PlayerScores.values", 0, 4096, NULL},
    {"ScoreValue.table", 0, 4095, NULL},
    {"Region.region", 0, 63, NULL},
    {"Region.width", 1, 1024, NULL},
    {"Region.height", 1, 1024, NULL},
    {"Keyframe.facing", 0, 8, NULL},
    {"Keyframe.regions", 0, 64, NULL},
    {"Delta.facing", 0, 8, NULL},
    {"Delta.regions", 0, 64, NULL},
    {"Mode.entries", 0, 16, NULL},
    {"Mode.players_title", 0, NAME, NULL},
    {"Mode.spectators_title", 0, NAME, NULL},
    {"Mode.tables", 0, 32, NULL},
    {"Mode.max_seats", 1, 64, NULL},
    {"Entry.name", 1, NAME, NULL},
    {"Entry.key", 0, NAME, NULL},
    {"ScoreTable.name", 1, TEXT, NULL},
    {"ScoreTable.decimals", 0, 6, NULL},
    {"host.TurnDone.asked", 0, 64, NULL},
    {"host.Replayed.asked", 0, 64, NULL},
    {"host.WorldCreated.asked", 0, 64, NULL},
    {"host.SeatJoins.entry", 0, 15, NULL},
    {"host.Answer.answer", 0, 64 << 10, NULL},
    {"host.Asked.question", 0, 64 << 10, NULL},
    {"host.Asked.milliseconds", 1, 60000, NULL},
    {"host.Work.question", 0, 64 << 10, NULL},
    {"host.Worked.answer", 0, 64 << 10, NULL},
    {"WatchWorld.world", 1, NAME, "name_bytes"},
    {"CloseWorld.world", 1, NAME, "name_bytes"},
    {"ListPlayers.world", 1, NAME, "name_bytes"},
    {"ExportWorld.world", 1, NAME, "name_bytes"},
    {"Backup.directory", 1, TEXT, NULL},
    {"RecoverWorld.world", 1, NAME, "name_bytes"},
    {"ParkWorld.world", 1, NAME, "name_bytes"},
    {"UnparkWorld.world", 1, NAME, "name_bytes"},
    {"SaveWorlds.world", 1, NAME, "name_bytes"},
    {"SessionInfo.player", 1, NAME, "name_bytes"},
    {"Beacon.name", 1, NAME, NULL},
    {"Beacon.port", 1, 65535, NULL},
    {"Beacon.software", 0, NAME, NULL},
    {"Beacon.curve_key", 32, 32, NULL},
    {"Grant.who", 1, 80, NULL},
    {"Grant.world", 1, NAME, "name_bytes"},
    {"Revoke.who", 1, 80, NULL},
    {"Revoke.world", 1, NAME, "name_bytes"},
    {"Ban.who", 1, 80, NULL},
    {"Ban.reason", 0, 200, NULL},
    {"Ban.world", 1, NAME, "name_bytes"},
    {"Unban.who", 1, 80, NULL},
    {"Unban.world", 1, NAME, "name_bytes"},
    {"Kick.player", 1, NAME, "name_bytes"},
    {"Kick.world", 1, NAME, "name_bytes"},
    {"Kick.reason", 0, 200, NULL},
    {"ListAccess.world", 1, NAME, "name_bytes"},
    {"ReleaseName.player", 1, NAME, "name_bytes"},
    {"AccessRule.world", 1, NAME, "name_bytes"},
    {"AccessRule.author", 0, NAME, NULL},
    {"NameOwner.player", 1, NAME, "name_bytes"},
    {"Say.text", 1, WN_CHAT_BYTES, "chat_bytes"},
    {"Error.field", 0, NAME, NULL},
    {"Welcome.player", 1, NAME, "name_bytes"},
    {"Welcome.seats", 0, 4096, NULL},
    {"Welcome.updates", 0, 256, NULL},
    {"Introduction.curve_key", 32, 32, NULL},
    {"Introduction.port", 1, 65535, NULL},
    {"Pong.views", 0, 4096, NULL},
    {"ModeList.modes", 0, 4096, NULL},
    {"WorldInfo.name", 1, NAME, "name_bytes"},
    {"WorldInfo.mode", 1, NAME, "name_bytes"},
    {"WorldInfo.owner", 0, NAME, NULL},
    {"WorldInfo.settings", 0, 64, NULL},
    {"Joined.name", 1, NAME, "name_bytes"},
    {"PlayerInfo.player", 1, NAME, "name_bytes"},
    {"PlayerInfo.world", 1, NAME, "name_bytes"},
    {"ServerStatus.hosts", 0, 4096, NULL},
    {"HostInfo.mode", 1, NAME, "name_bytes"},
    {"RecordingHeader.world", 1, NAME, "name_bytes"},
    {"RecordingHeader.mode", 1, NAME, "name_bytes"},
    {"RecordingHeader.settings", 0, 64, NULL},
    {"RecordingHeader.snapshot", 0, UNTRIED, NULL},
    {"RecordedTurn.inputs", 0, UNTRIED, NULL},
    {"Mode.name", 1, NAME, "name_bytes"},
    {"Mode.tiles", 0, 4096, NULL},
    {"Mode.actions", 0, 256, NULL},
    {"Mode.settings", 0, 64, NULL},
    {"Mode.status", 0, 32, NULL},
    {"Mode.board", 0, 8, NULL},
    {"Tile.name", 1, NAME, NULL},
    {"Tile.glyph", 0, NAME, NULL},
    {"Tile.ascii", 0, NAME, NULL},
    {"Tile.foreground", 0, 0xffffff, NULL},
    {"Tile.background", 0, 0xffffff, NULL},
    {"Action.name", 1, NAME, NULL},
    {"Action.keys", 0, 64, NULL},
    {"Key.key", 1, NAME, NULL},
    {"Setting.name", 1, NAME, "name_bytes"},
    {"Setting.choices", 0, 256, NULL},
    {"StatusField.name", 1, NAME, NULL},
    {"Keyframe.width", 1, 1024, NULL},
    {"Keyframe.height", 1, 1024, NULL},
    {"Keyframe.cells", 0, UNTRIED, NULL}, /* has a test of its own */
    {"Keyframe.sprites", 0, 4096, NULL},
    {"Keyframe.fields", 0, 32, NULL},
    {"Keyframe.board", 0, 128, NULL},
    {"Keyframe.banner", 0, BANNER, NULL},
    {"Keyframe.messages", 0, 256, NULL},
    {"Delta.cells", 0, 2 << 20, NULL},
    {"Delta.sprites", 0, 4096, NULL},
    {"Delta.gone", 0, 4096, NULL},
    {"Delta.fields", 0, 32, NULL},
    {"Delta.board", 0, 128, NULL},
    {"Delta.banner", 0, BANNER, NULL},
    {"Delta.messages", 0, 256, NULL},
    {"Delta.effects", 0, 256, NULL},
    {"Sprite.tile", 0, 0x7fff, NULL},
    {"Sprite.facing", 0, 8, NULL},
    {"FieldValue.field", 0, 31, NULL},
    {"BoardRow.row", 0, 127, NULL},
    {"BoardRow.columns", 0, 8, NULL},
    {"Message.from", 0, NAME, NULL},
    {"Effect.radius", 0, 1024, NULL},
    {"Effect.tile", 0, 0x7fff, NULL},
    {"Effect.cue", 0, NAME, NULL},
    {"host.CreateWorld.settings", 0, 64, NULL},
    {"host.CreateWorld.snapshot", 0, UNTRIED, NULL},
    {"host.Turn.inputs", 0, UNTRIED, NULL},
    {"host.Replay.inputs", 0, UNTRIED, NULL}, /* these two have a test of their own */
    {"host.Replay.hashes", 0, UNTRIED, NULL},
    {"host.Replayed.seats", 0, 4096, NULL},
    {"host.Replayed.updates", 0, 256, NULL},
    {"host.SeatJoins.player", 1, NAME, "name_bytes"},
    {"host.SeatState.player", 1, NAME, "name_bytes"},
    {"host.Chat.from", 1, NAME, "name_bytes"},
    {"host.TurnDone.inputs", 0, UNTRIED, NULL},
    {"host.TurnDone.updates", 0, 256, NULL},
    {"host.TurnDone.ended", 0, 4096, NULL},
    {"host.TurnDone.scores", 0, 4096, NULL},
    {"host.TurnDone.refused", 0, 4096, NULL},
    {"host.WorldCreated.seats", 0, 4096, NULL},
    {"host.ViewUpdate.update", 0, WN_UPDATE_BYTES, NULL},
    {"host.Saved.snapshot", 0, UNTRIED, NULL},
};

/* false: there is no limit to be tried. */
static bool expected(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field, limit *result)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (strcmp(limits[i].field, field_name(message, field)) == 0) {
            *result = limits[i];
            return limits[i].most != UNTRIED;
        }
    }
    const limit list = {NULL, 0, MANY, NULL};
    const limit text = {NULL, 0, TEXT, NULL};
    const limit key = {NULL, KEY, KEY, NULL};
    *result = field->label == PROTOBUF_C_LABEL_REPEATED ? list : field->type == PROTOBUF_C_TYPE_BYTES ? key : text;
    return field->label == PROTOBUF_C_LABEL_REPEATED || field->type == PROTOBUF_C_TYPE_BYTES ||
           field->type == PROTOBUF_C_TYPE_STRING;
}

static void try_size(const visited *at, const sample_change *change, bool accepted)
{
    const bool got = decode_sample(at->root, &(sample_options){.body = at->body, .full = true, .change = *change});
    ck_assert_msg(got == accepted, "%s.%s: %zu was %s (in %s.%s): %s", change->message, change->field, change->size,
                  got ? "accepted" : "turned down", at->root->message->short_name, at->body->name, error.text);
}

static void try_both_sides(const visited *at, const limit *range, sample_change change)
{
    const char *name = range->name == NULL ? change.field : range->name;
    change.size = range->least;
    try_size(at, &change, true);
    change.size = range->most;
    try_size(at, &change, true);
    change.size = range->most + 1;
    try_size(at, &change, false);
    assert_error(WARREN__ERROR_CODE__ERROR_LIMIT, name, range->most);
    if (range->least > 0) {
        change.size = range->least - 1;
        try_size(at, &change, false);
        assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, name, range->least);
    }
}

static void visit_limit(void *context, const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field)
{
    limit range;
    const visited *at = context;
    if (is_content(at, message, field) || !expected(message, field, &range)) {
        return;
    }
    sample_change change = {.message = message->name, .field = field->name};
    try_both_sides(at, &range, change);
    if (field->label == PROTOBUF_C_LABEL_REPEATED && field->type == PROTOBUF_C_TYPE_STRING) {
        change.element = true;
        try_both_sides(at, &(limit){NULL, 0, TEXT, NULL}, change);
    }
}

START_TEST(every_field_is_accepted_up_to_its_limit_and_not_beyond)
{
    visit_bodies(visit_limit);
}
END_TEST

START_TEST(a_message_longer_than_its_kind_may_be_is_refused_unread)
{
    static const struct {
        const char *name;
        size_t most;
    } sizes[SAMPLE_ROOTS] = {
        {"message_bytes", WN_REQUEST_BYTES}, {"reply_bytes", WN_REPLY_BYTES}, {"update_bytes", WN_UPDATE_BYTES},
        {"frame_bytes", WN_FRAME_BYTES},     {"frame_bytes", WN_FRAME_BYTES}, {"frame_bytes", WN_FRAME_BYTES},
    };
    for (size_t i = 0; i < SAMPLE_ROOTS; i++) {
        uint8_t *bytes = calloc(1, sizes[i].most + 1);
        ck_assert_ptr_nonnull(bytes);
        ck_assert_ptr_null(sample_roots[i].decode(arena, bytes, sizes[i].most, &error));
        assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0);
        ck_assert_ptr_null(sample_roots[i].decode(arena, bytes, sizes[i].most + 1, &error));
        assert_error(WARREN__ERROR_CODE__ERROR_LIMIT, sizes[i].name, sizes[i].most);
        free(bytes);
    }
}
END_TEST

START_TEST(a_message_that_needs_more_than_the_arena_allows_is_refused)
{
    wn_arena *small = wn_arena_new(1 << 20);
    for (int i = 0; i < 20000; i++) {
        wn_pb_varint(&buffer, 1000, 1);
    }
    ck_assert_ptr_null(wn_request_decode(small, buffer.data, buffer.size, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_LIMIT, "decoded_bytes", 1 << 20);
    wn_arena_reset(small);
    ck_assert_ptr_null(wn_request_decode(small, "\xff", 1, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0);
    wn_arena_reset(small);
    buffer.size = 0;
    wn_pb_bytes(&buffer, 4, "", 0);
    ck_assert_ptr_nonnull(wn_request_decode(small, buffer.data, buffer.size, &error));
    wn_arena_free(small);
}
END_TEST

static visited find_body(const sample_root *root, const char *name)
{
    visited at = {.root = root};
    for (unsigned n = 0; (at.body = sample_body(root, n)) != NULL && strcmp(at.body->name, name) != 0;) {
        n++;
    }
    ck_assert_ptr_nonnull(at.body);
    return at;
}

START_TEST(the_content_of_a_file_reaches_the_host_and_a_recording_whole)
{
    const visited at[] = {find_body(&sample_roots[3], "create"), find_body(&sample_roots[1], "export")};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        try_both_sides(&at[i], &(limit){NULL, 0, WN_FILE_BYTES, NULL},
                       (sample_change){.message = "warren.SettingValue", .field = "value"});
    }
}
END_TEST

/* ToHost { replay = 7 } of so many turns with so many hashes. */
static bool decode_replay(size_t turns, size_t hashes)
{
    buffer.size = 0;
    const size_t replay = wn_pb_begin(&buffer, 7);
    wn_pb_varint(&buffer, 1, 1);
    wn_pb_varint(&buffer, 2, 1);
    for (size_t i = 0; i < turns; i++) {
        wn_pb_bytes(&buffer, 3, "", 0);
    }
    const size_t packed = wn_pb_begin(&buffer, 4);
    for (size_t i = 0; i < hashes; i++) {
        wn_pb_raw(&buffer, UINT64_MAX - i);
    }
    wn_pb_end(&buffer, packed);
    wn_pb_end(&buffer, replay);
    wn_arena_reset(arena);
    return wn_to_host_decode(arena, buffer.data, buffer.size, &error) != NULL;
}

START_TEST(a_replay_has_a_hash_for_each_turn_or_none)
{
    ck_assert_msg(decode_replay(MANY, MANY), "%s", error.text);
    ck_assert_msg(decode_replay(MANY, 0), "%s", error.text);
    ck_assert_msg(decode_replay(0, 0), "%s", error.text);
    ck_assert(!decode_replay(MANY + 1, 0));
    assert_error(WARREN__ERROR_CODE__ERROR_LIMIT, "inputs", MANY);
    ck_assert(!decode_replay(MANY, MANY + 1));
    assert_error(WARREN__ERROR_CODE__ERROR_LIMIT, "hashes", MANY);
    ck_assert(!decode_replay(3, 2));
    assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "hashes", 0);
    ck_assert(!decode_replay(3, 4));
    assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "hashes", 0);
}
END_TEST

/* A part of a recording that fills a reply but for a few bytes with a snapshot or with a turn's inputs. */
START_TEST(a_part_of_a_recording_may_fill_a_reply)
{
    uint8_t *bytes = calloc(1, WN_REPLY_BYTES);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < 2; i++) {
        const size_t least = 64;
        buffer.size = 0;
        const size_t reply = wn_pb_begin(&buffer, 13);
        const size_t entry = wn_pb_begin(&buffer, i == 0 ? 1 : 2);
        if (i == 0) {
            for (uint32_t field = 1; field <= 4; field++) {
                wn_pb_string(&buffer, field, "a");
            }
            wn_pb_varint(&buffer, 5, 1);
            wn_pb_bytes(&buffer, 9, bytes, WN_REPLY_BYTES - least);
        } else {
            wn_pb_varint(&buffer, 1, 1);
            wn_pb_bytes(&buffer, 2, bytes, WN_REPLY_BYTES - least);
        }
        wn_pb_end(&buffer, entry);
        wn_pb_end(&buffer, reply);
        ck_assert_uint_le(buffer.size, WN_REPLY_BYTES);
        ck_assert_msg(wn_reply_decode(arena, buffer.data, buffer.size, &error) != NULL, "%s", error.text);
    }
    free(bytes);
}
END_TEST

/* Settings with values as long as they may be. */
static void put_settings(uint32_t field, const char *text)
{
    for (int i = 0; i < WN_CREATE_SETTINGS; i++) {
        const size_t mark = wn_pb_begin(&buffer, field);
        wn_pb_bytes(&buffer, 1, text, WN_NAME_BYTES);
        wn_pb_bytes(&buffer, 2, text, WN_TEXT_BYTES);
        wn_pb_end(&buffer, mark);
    }
}

/* As many cells, sprites, messages and rows as there may be. */
static void put_largest_delta(const char *text)
{
    const size_t cells = wn_pb_begin(&buffer, 1);
    for (int i = 0; i < WN_SIDE * WN_SIDE; i++) {
        wn_pb_raw(&buffer, 1 << 2 | 1);
        wn_pb_raw(&buffer, 0xffff);
    }
    wn_pb_end(&buffer, cells);
    for (uint32_t i = 0; i < WN_SPRITES; i++) {
        const size_t mark = wn_pb_begin(&buffer, 2);
        wn_pb_varint(&buffer, 1, i);
        wn_pb_bytes(&buffer, 5, text, i % 4 == 0 ? WN_TEXT_BYTES : 16);
        wn_pb_end(&buffer, mark);
    }
    for (uint32_t i = 0; i < WN_ROWS; i++) {
        const size_t mark = wn_pb_begin(&buffer, 6);
        wn_pb_varint(&buffer, 1, i);
        for (int column = 0; column < WN_COLUMNS; column++) {
            wn_pb_bytes(&buffer, 2, text, WN_TEXT_BYTES);
        }
        wn_pb_end(&buffer, mark);
    }
    for (uint32_t i = 0; i < WN_MESSAGES; i++) {
        const size_t mark = wn_pb_begin(&buffer, 8);
        wn_pb_varint(&buffer, 1, i);
        wn_pb_bytes(&buffer, 2, text, WN_TEXT_BYTES);
        wn_pb_end(&buffer, mark);
    }
}

START_TEST(the_arena_sizes_are_enough_for_the_largest_messages)
{
    char text[WN_TEXT_BYTES];
    memset(text, 'x', sizeof text);
    wn_arena *small = wn_arena_new(WN_ARENA_REQUEST);
    size_t body = wn_pb_begin(&buffer, 7);
    wn_pb_string(&buffer, 1, "caves");
    put_settings(3, text);
    wn_pb_end(&buffer, body);
    ck_assert_msg(wn_request_decode(small, buffer.data, buffer.size, &error) != NULL, "%s", error.text);
    wn_arena_free(small);

    small = wn_arena_new(WN_ARENA_UPDATE);
    buffer.size = 0;
    wn_pb_varint(&buffer, 1, 1);
    body = wn_pb_begin(&buffer, 5);
    put_largest_delta(text);
    wn_pb_end(&buffer, body);
    ck_assert_msg(wn_update_decode(small, buffer.data, buffer.size, &error) != NULL, "%s", error.text);
    wn_arena_free(small);

    small = wn_arena_new(WN_ARENA_REPLY);
    buffer.size = 0;
    body = wn_pb_begin(&buffer, 6);
    for (uint32_t i = 0; i < MANY; i++) {
        const size_t mark = wn_pb_begin(&buffer, 1);
        wn_pb_varint(&buffer, 1, i);
        wn_pb_bytes(&buffer, 2, text, WN_NAME_BYTES / 2);
        wn_pb_string(&buffer, 3, "caves");
        wn_pb_bytes(&buffer, 10, text, WN_NAME_BYTES / 2);
        wn_pb_end(&buffer, mark);
    }
    wn_pb_end(&buffer, body);
    ck_assert_msg(wn_reply_decode(small, buffer.data, buffer.size, &error) != NULL, "%s", error.text);
    wn_arena_free(small);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_field_is_accepted_up_to_its_limit_and_not_beyond,
        a_message_longer_than_its_kind_may_be_is_refused_unread,
        a_message_that_needs_more_than_the_arena_allows_is_refused,
        the_arena_sizes_are_enough_for_the_largest_messages,
        the_content_of_a_file_reaches_the_host_and_a_recording_whole,
        a_replay_has_a_hash_for_each_turn_or_none,
        a_part_of_a_recording_may_fill_a_reply,
    };
    return run_tests("wire limits", tests, sizeof tests / sizeof *tests);
}
