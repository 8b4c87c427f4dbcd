/* wire.c: every kind of message survives encoding and decoding, numbers and cells are checked, and encodings stay as
 * they are. Limits are in wire_limits.c, texts in wire_text.c, hostile bytes in wire_mutations.c, memory and frames in
 * wire_bytes.c.
 *
 * The golden file is written anew by WARREN_GOLDEN=write test-wire. Look at the difference before committing it: a line
 * that changed is a message that older peers may not understand; new lines are fine.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "wire_fixture.h"

/* every kind at all */

static void check_round_trip(const sample_root *root, const sample_options *options)
{
    const char *name = options->body == NULL ? "no body" : options->body->name;
    const ProtobufCMessage *message = decode_sample(root, options);
    ck_assert_msg(message != NULL, "%s, %s: %s", root->message->name, name, error.text);
    wn_buffer again = {0};
    const size_t size = wn_encode(&again, message);
    ck_assert_uint_eq(size, again.size);
    ck_assert_uint_eq(size, buffer.size);
    ck_assert_mem_eq(again.data, buffer.data, size);
    wn_buffer_free(&again);
}

START_TEST(every_kind_of_message_survives_a_round_trip)
{
    for (const sample_root *root = sample_roots; root < sample_roots + SAMPLE_ROOTS; root++) {
        const ProtobufCFieldDescriptor *body;
        for (unsigned n = 0; (body = sample_body(root, n)) != NULL; n++) {
            check_round_trip(root, &(sample_options){.body = body, .full = true});
            check_round_trip(root, &(sample_options){.body = body});
        }
    }
}
END_TEST

START_TEST(a_body_is_required_except_in_an_update)
{
    for (const sample_root *root = sample_roots; root < sample_roots + SAMPLE_ROOTS; root++) {
        const bool accepted = decode_sample(root, &(sample_options){.full = true}) != NULL;
        if (root->message == &warren__update__descriptor) {
            ck_assert_msg(accepted, "%s", error.text);
        } else {
            ck_assert_msg(!accepted, "%s", root->message->name);
            assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "body", 0);
        }
    }
}
END_TEST

START_TEST(a_missing_required_field_is_malformed)
{
    wn_pb_varint(&buffer, 1, 7);
    const size_t mark = wn_pb_begin(&buffer, 3);
    wn_pb_varint(&buffer, 1, 1); /* a command with a world and an action, without a number */
    wn_pb_varint(&buffer, 3, 1);
    wn_pb_end(&buffer, mark);
    ck_assert_ptr_null(wn_request_decode(arena, buffer.data, buffer.size, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0);
}
END_TEST

START_TEST(a_broken_request_still_tells_its_id_unless_that_is_cut_off_too)
{
    buffer.size = 0;
    const size_t mark = wn_pb_begin(&buffer, 9); /* watch{world="-"}: a name that breaks the rules, before the id */
    wn_pb_string(&buffer, 1, "-");
    wn_pb_end(&buffer, mark);
    const size_t before = buffer.size;
    wn_pb_varint(&buffer, 1, 4000000000);
    ck_assert_ptr_null(wn_request_decode(arena, buffer.data, buffer.size, &error));
    ck_assert_uint_eq(wn_request_id(buffer.data, buffer.size), 4000000000);
    for (size_t size = 0; size < buffer.size; size++) {
        ck_assert_uint_eq(wn_request_id(buffer.data, size), 0);
    }
    memset(buffer.data + before, 0xff, buffer.size - before); /* a tag that never ends */
    ck_assert_uint_eq(wn_request_id(buffer.data, buffer.size), 0);
    ck_assert_uint_eq(wn_request_id("\x4a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11), 0); /* a huge length */
}
END_TEST

START_TEST(a_command_is_decoded_with_absent_and_zero_told_apart)
{
    for (int with = 0; with < 2; with++) {
        buffer.size = 0;
        const size_t mark = wn_pb_begin(&buffer, 3);
        wn_pb_varint(&buffer, 1, 4000000000);
        wn_pb_varint(&buffer, 2, UINT32_MAX);
        wn_pb_varint(&buffer, 3, 0);
        if (with) {
            wn_pb_varint(&buffer, 4, 0);
        }
        wn_pb_end(&buffer, mark);
        const Warren__Request *request = wn_request_decode(arena, buffer.data, buffer.size, &error);
        ck_assert_msg(request != NULL, "%s", error.text);
        ck_assert(!request->has_id);
        ck_assert_int_eq((int)request->body_case, WARREN__REQUEST__BODY_COMMAND);
        ck_assert_uint_eq(request->command->world, 4000000000);
        ck_assert_uint_eq(request->command->number, UINT32_MAX);
        ck_assert_uint_eq(request->command->action, 0);
        ck_assert_int_eq(request->command->has_argument, with);
    }
}
END_TEST

START_TEST(unknown_fields_are_ignored_and_not_passed_on)
{
    const sample_options options = {.body = sample_body(&sample_roots[0], 0), .full = true};
    ck_assert_ptr_nonnull(decode_sample(&sample_roots[0], &options));
    const size_t size = buffer.size;
    wn_pb_varint(&buffer, 1000, 1);
    wn_pb_string(&buffer, 1001, "of a newer peer\n");
    const Warren__Request *request = wn_request_decode(arena, buffer.data, buffer.size, &error);
    ck_assert_msg(request != NULL, "%s", error.text);
    ck_assert_int_eq((int)request->body_case, WARREN__REQUEST__BODY_HELLO);
    wn_buffer again = {0};
    ck_assert_uint_eq(wn_encode(&again, &request->base), size);
    wn_buffer_free(&again);
}
END_TEST

/* A field of a host's takes two bytes on the way: what is not known costs nothing, and there are not too many. */
START_TEST(unknown_fields_of_a_host_are_refused_before_they_take_memory)
{
    enum { MANY_FIELDS = 1 << 18 };
    wn_buffer frame = {0};
    const size_t done = wn_pb_begin(&frame, 1);
    wn_pb_varint(&frame, 1, 7);
    wn_pb_varint(&frame, 2, 1);
    wn_pb_end(&frame, done);
    ck_assert_ptr_nonnull(wn_from_host_decode(arena, frame.data, frame.size, &error));
    wn_pb_varint(&frame, 99, 1);
    ck_assert_ptr_null(wn_from_host_decode(arena, frame.data, frame.size, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0);
    ck_assert_ptr_nonnull(strstr(error.text, "a field 99, which this build does not know"));
    frame.size = 0;
    const size_t again = wn_pb_begin(&frame, 1);
    for (int i = 0; i <= MANY_FIELDS; i++) {
        wn_pb_varint(&frame, 1, 7);
    }
    wn_pb_end(&frame, again);
    ck_assert_ptr_null(wn_from_host_decode(arena, frame.data, frame.size, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_LIMIT, "fields", MANY_FIELDS);
    wn_buffer_free(&frame);
}
END_TEST

START_TEST(an_arena_that_is_trimmed_takes_as_much_as_before)
{
    enum { LIMIT = 1 << 20 };
    wn_arena *trimmed = wn_arena_new(LIMIT);
    for (int i = 0; i < 3; i++) {
        size_t taken = 0;
        for (; wn_arena_take(trimmed, 1024) != NULL; taken += 1024) {
        }
        ck_assert_uint_eq(taken, LIMIT);
        wn_arena_trim(trimmed, i == 0 ? 0 : LIMIT / 4);
    }
    wn_arena_free(trimmed);
}
END_TEST

/* recordings */

/* The body of a Reply of this name, as a sample. */
static const sample_options *reply_sample(const char *name)
{
    static sample_options options;
    const ProtobufCFieldDescriptor *body;
    for (unsigned n = 0; (body = sample_body(&sample_roots[1], n)) != NULL; n++) {
        if (strcmp(body->name, name) == 0) {
            options = (sample_options){.body = body, .full = true};
        }
    }
    ck_assert_ptr_nonnull(options.body);
    return &options;
}

START_TEST(a_recording_is_read_from_a_file_part_by_part_as_it_came_in_replies)
{
    wn_buffer file = {0};
    for (int i = 0; i < 3; i++) {
        Warren__Reply *reply = decode_sample(&sample_roots[1], reply_sample("export"));
        ck_assert_msg(reply != NULL, "%s", error.text);
        reply->export->turns[0]->turn = (uint64_t)i + 1;
        wn_frame_append(&file, &reply->export->base);
    }
    size_t offset = 0, size = 0;
    const uint8_t *bytes = NULL;
    for (uint64_t i = 1; i <= 3; i++) {
        ck_assert_int_eq(wn_frame_next(&file, &offset, &bytes, &size), 1);
        wn_arena_reset(arena);
        const Warren__ExportPart *part = wn_export_part_decode(arena, bytes, size, &error);
        ck_assert_msg(part != NULL, "%s", error.text);
        ck_assert_uint_eq(part->turns[0]->turn, i);
        ck_assert_ptr_nonnull(part->header);
        ck_assert(part->has_last && part->turns[1]->has_hash);
    }
    ck_assert_int_eq(wn_frame_next(&file, &offset, &bytes, &size), 0);
    wn_buffer_free(&file);
}
END_TEST

START_TEST(a_part_of_a_recording_is_held_against_the_same_rules_in_a_file)
{
    size_t mark = wn_pb_begin(&buffer, 2); /* a turn without inputs */
    wn_pb_varint(&buffer, 1, 1);
    wn_pb_end(&buffer, mark);
    ck_assert_ptr_null(wn_export_part_decode(arena, buffer.data, buffer.size, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, "", 0);
    buffer.size = 0;
    mark = wn_pb_begin(&buffer, 1); /* a header of a mode whose name is none */
    wn_pb_string(&buffer, 1, "w1");
    wn_pb_string(&buffer, 2, "../caves");
    wn_pb_string(&buffer, 3, "1");
    wn_pb_string(&buffer, 4, "b");
    wn_pb_varint(&buffer, 5, 1);
    wn_pb_end(&buffer, mark);
    ck_assert_ptr_null(wn_export_part_decode(arena, buffer.data, buffer.size, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_BAD_NAME, "mode", 0);
    uint8_t *large = calloc(1, WN_REPLY_BYTES + 1);
    ck_assert_ptr_nonnull(large);
    ck_assert_ptr_null(wn_export_part_decode(arena, large, WN_REPLY_BYTES + 1, &error));
    assert_error(WARREN__ERROR_CODE__ERROR_LIMIT, "reply_bytes", WN_REPLY_BYTES);
    free(large);
}
END_TEST

/* numbers and cells */

/* What becomes of a value that only a newer peer knows; -1: the message is turned down. */
static const struct {
    const char *field;
    int taken_for;
} newer[] = {
    {"Error.code", WARREN__ERROR_CODE__ERROR_INTERNAL},
    {"WorldInfo.state", WARREN__WORLD_STATE__WORLD_RUNNING},
    {"Action.argument", WARREN__ARGUMENT_KIND__ARGUMENT_NONE},
    {"Action.purpose", WARREN__PURPOSE__PURPOSE_OTHER},
    {"ScoreTable.kind", WARREN__SCORE_KIND__SCORE_HIGHEST},
    {"Setting.type", WARREN__SETTING_TYPE__SETTING_TEXT},
    {"StatusField.kind", WARREN__STATUS_KIND__STATUS_TEXT},
    {"Message.kind", WARREN__MESSAGE_KIND__MESSAGE_INFO},
    {"Effect.kind", WARREN__EFFECT_KIND__EFFECT_SOUND},
    {"Notice.kind", -1},
    {"Grant.role", -1},
    {"Welcome.role", WARREN__ROLE__ROLE_NONE},
    {"AccessRule.role", WARREN__ROLE__ROLE_SPECTATOR},
    {"RecoverWorld.how", -1},
    {"Drain.how", -1},
    {"SetLogLevel.level", -1},
    {"ServerStatus.log_level", WARREN__LOG_LEVEL__LOG_INFO},
    {"SessionInfo.role", WARREN__ROLE__ROLE_NONE},
    {"host.LogLine.level", -1},
};

static int taken_for(const char *field)
{
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        if (strcmp(newer[i].field, field) == 0) {
            return newer[i].taken_for;
        }
    }
    ck_abort_msg("%s is an enum: say in the table above what a newer value of it is taken for", field);
    return -1;
}

static void visit_enum(void *context, const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field)
{
    const visited *at = context;
    if (field->type != PROTOBUF_C_TYPE_ENUM) {
        return;
    }
    const int expect = taken_for(field_name(message, field));
    sample_options options = {.body = at->body, .full = true};
    options.change = (sample_change){.message = message->name, .field = field->name, .size = 9999};
    const ProtobufCMessage *decoded = decode_sample(at->root, &options);
    ck_assert_msg((decoded != NULL) == (expect >= 0), "%s: %s", field_name(message, field), error.text);
    if (decoded == NULL) {
        assert_error(WARREN__ERROR_CODE__ERROR_MALFORMED, field->name, 0);
        return;
    }
    /* Encoded again, it is what a sample with the value itself is. */
    wn_buffer again = {0};
    wn_encode(&again, decoded);
    options.change.size = (size_t)expect;
    ck_assert_ptr_nonnull(decode_sample(at->root, &options));
    ck_assert_uint_eq(again.size, buffer.size);
    ck_assert_mem_eq(again.data, buffer.data, again.size);
    wn_buffer_free(&again);
}

START_TEST(enum_values_of_newer_peers_become_known_ones_or_are_refused)
{
    visit_bodies(visit_enum);
}
END_TEST

/* A keyframe of so many cells, or with a height of 0 a delta, with these numbers. */
static const Warren__Update *decode_cells(uint32_t width, uint32_t height, const uint32_t *numbers, size_t count)
{
    buffer.size = 0;
    wn_pb_varint(&buffer, 1, 1);
    const size_t body = wn_pb_begin(&buffer, height > 0 ? 4 : 5);
    if (height > 0) {
        wn_pb_varint(&buffer, 1, width);
        wn_pb_varint(&buffer, 2, height);
    }
    const size_t cells = wn_pb_begin(&buffer, height > 0 ? 3 : 1);
    for (size_t i = 0; i < count; i++) {
        wn_pb_raw(&buffer, numbers[i]);
    }
    wn_pb_end(&buffer, cells);
    wn_pb_end(&buffer, body);
    wn_arena_reset(arena);
    return wn_update_decode(arena, buffer.data, buffer.size, &error);
}

#define SKIP(count) ((uint32_t)(count) << 2 | 0)
#define FILL(count) ((uint32_t)(count) << 2 | 1)
#define COPY(count) ((uint32_t)(count) << 2 | 2)

START_TEST(cell_operations_stay_within_the_view_and_the_list)
{
    static const struct {
        bool keyframe, delta; /* fits a keyframe of 4 x 3, a delta */
        size_t count;
        uint32_t numbers[8];
    } cases[] = {
        {true, true, 0, {0}},
        {true, true, 1, {SKIP(12)}},
        {false, true, 1, {SKIP(13)}},
        {true, true, 2, {FILL(12), 0xffff}},
        {false, true, 2, {FILL(13), 7}},
        {false, false, 2, {FILL(12), 0x10000}},
        {false, false, 1, {FILL(12)}},
        {true, true, 4, {COPY(3), 1, 2, 0xffff}},
        {false, false, 4, {COPY(3), 1, 2, 0x10000}},
        {false, false, 3, {COPY(3), 1, 2}},
        {true, true, 7, {SKIP(2), FILL(5), 1, COPY(2), 2, 3, SKIP(3)}},
        {false, true, 7, {SKIP(2), FILL(5), 1, COPY(2), 2, 3, SKIP(4)}},
        {false, false, 1, {SKIP(1) | 3}},
        {false, true, 1, {SKIP(1 << 20)}},
        {false, false, 1, {SKIP((1 << 20) + 1)}},
        {false, false, 3, {SKIP(1 << 20), FILL(1), 1}},
        {false, false, 1, {UINT32_MAX - 3}},
        {false, false, 2, {COPY(0x3fffffff), 1}},
        {true, true, 3, {SKIP(0), COPY(0), SKIP(12)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool keyframe = decode_cells(4, 3, cases[i].numbers, cases[i].count) != NULL;
        ck_assert_msg(keyframe == cases[i].keyframe, "keyframe %zu: %s", i, error.text);
        if (!keyframe) {
            ck_assert_str_eq(error.field, "cells");
        }
        const bool delta = decode_cells(0, 0, cases[i].numbers, cases[i].count) != NULL;
        ck_assert_msg(delta == cases[i].delta, "delta %zu: %s", i, error.text);
    }
}
END_TEST

START_TEST(the_largest_view_may_come_cell_by_cell)
{
    enum { CELLS = 1024 * 1024 };
    uint32_t *numbers = calloc(CELLS + 1, sizeof *numbers);
    ck_assert_ptr_nonnull(numbers);
    numbers[0] = COPY(CELLS);
    memset(numbers + 1, 0, CELLS * sizeof *numbers);
    numbers[CELLS] = 0xffff;
    const Warren__Update *update = decode_cells(1024, 1024, numbers, CELLS + 1);
    ck_assert_msg(update != NULL, "%s", error.text);
    ck_assert_uint_eq(update->keyframe->n_cells, CELLS + 1);
    ck_assert_uint_eq(update->keyframe->cells[CELLS], 0xffff);
    ck_assert_ptr_null(decode_cells(1024, 1023, numbers, CELLS + 1));
    free(numbers);
}
END_TEST

/* the encoding */

static void write_golden(FILE *file, const sample_root *root, const ProtobufCFieldDescriptor *body, bool full)
{
    buffer.size = 0;
    wn_arena_reset(workshop);
    sample_encode(&buffer, workshop, root, &(sample_options){.body = body, .full = full});
    fprintf(file, "%s.%s %s ", root->message->name, body == NULL ? "-" : body->name, full ? "full" : "least");
    for (size_t i = 0; i < buffer.size; i++) {
        fprintf(file, "%02x", buffer.data[i]);
    }
    fputc('\n', file);
}

static void write_all_golden(FILE *file)
{
    for (const sample_root *root = sample_roots; root < sample_roots + SAMPLE_ROOTS; root++) {
        const ProtobufCFieldDescriptor *body;
        for (unsigned n = 0; (body = sample_body(root, n)) != NULL; n++) {
            write_golden(file, root, body, false);
            write_golden(file, root, body, true);
        }
    }
    write_golden(file, &sample_roots[2], NULL, true);
}

START_TEST(encodings_are_those_of_the_golden_file)
{
    const char *mode = getenv("WARREN_GOLDEN");
    char *now = NULL;
    size_t now_size = 0;
    FILE *file = open_memstream(&now, &now_size);
    ck_assert_ptr_nonnull(file);
    write_all_golden(file);
    fclose(file);
    file = fopen(WIRE_GOLDEN, mode != NULL && strcmp(mode, "write") == 0 ? "w+" : "r");
    ck_assert_msg(file != NULL, "cannot open " WIRE_GOLDEN);
    if (mode != NULL && strcmp(mode, "write") == 0) {
        fputs(now, file);
        rewind(file);
    }
    char *line = NULL;
    size_t capacity = 0;
    const char *at = now;
    for (ssize_t size; (size = getline(&line, &capacity, file)) > 0; at += size) {
        ck_assert_msg(strncmp(at, line, (size_t)size) == 0,
                      "An encoding changed. The golden file has\n%sand the library makes\n%.*s\nIf older peers still "
                      "understand it, run WARREN_GOLDEN=write test-wire.",
                      line, (int)strcspn(at, "\n"), at);
    }
    ck_assert_msg(*at == '\0', "The golden file ends before\n%sRun WARREN_GOLDEN=write test-wire.", at);
    free(line);
    free(now);
    fclose(file);
}
END_TEST

START_TEST(messages_of_the_golden_file_are_still_understood)
{
    FILE *file = fopen(WIRE_GOLDEN, "r");
    ck_assert_ptr_nonnull(file);
    char *line = NULL;
    size_t capacity = 0;
    size_t count = 0;
    while (getline(&line, &capacity, file) > 0) {
        char *rest = NULL;
        const char *name = strtok_r(line, " ", &rest);
        strtok_r(NULL, " ", &rest);
        buffer.size = 0;
        for (const char *hex = rest; hex[0] != '\n' && hex[0] != '\0'; hex += 2) {
            const uint8_t byte = (uint8_t)strtoul((char[]){hex[0], hex[1], '\0'}, NULL, 16);
            wn_buffer_append(&buffer, &byte, 1);
        }
        for (const sample_root *root = sample_roots; root < sample_roots + SAMPLE_ROOTS; root++) {
            const size_t size = strlen(root->message->name);
            if (strncmp(root->message->name, name, size) == 0 && name[size] == '.') {
                wn_arena_reset(arena);
                ck_assert_msg(root->decode(arena, buffer.data, buffer.size, &error) != NULL, "%s: %s", name,
                              error.text);
                count++;
            }
        }
    }
    ck_assert_uint_gt(count, 60);
    free(line);
    fclose(file);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_kind_of_message_survives_a_round_trip,
        a_body_is_required_except_in_an_update,
        a_missing_required_field_is_malformed,
        a_broken_request_still_tells_its_id_unless_that_is_cut_off_too,
        a_command_is_decoded_with_absent_and_zero_told_apart,
        unknown_fields_are_ignored_and_not_passed_on,
        unknown_fields_of_a_host_are_refused_before_they_take_memory,
        an_arena_that_is_trimmed_takes_as_much_as_before,
        a_recording_is_read_from_a_file_part_by_part_as_it_came_in_replies,
        a_part_of_a_recording_is_held_against_the_same_rules_in_a_file,
        enum_values_of_newer_peers_become_known_ones_or_are_refused,
        cell_operations_stay_within_the_view_and_the_list,
        the_largest_view_may_come_cell_by_cell,
        encodings_are_those_of_the_golden_file,
        messages_of_the_golden_file_are_still_understood,
    };
    return run_tests("wire", tests, sizeof tests / sizeof *tests);
}
