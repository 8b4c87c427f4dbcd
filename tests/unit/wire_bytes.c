/* wire_bytes.c: what is below the messages: arenas, buffers, frames, and fields written in place.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "wire_fixture.h"

/* allocation */

/* The linker sends the library's calls here. */
void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *memory, size_t size);

static size_t allocations;
static bool out_of_memory;

void *__wrap_malloc(size_t size)
{
    allocations++;
    return out_of_memory ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return out_of_memory ? NULL : __real_realloc(memory, size);
}

START_TEST(decoding_does_not_allocate_after_warm_up)
{
    wn_buffer bytes[SAMPLE_ROOTS] = {{0}};
    for (size_t i = 0; i < SAMPLE_ROOTS; i++) {
        const ProtobufCFieldDescriptor *body = sample_body(&sample_roots[i], 0);
        sample_encode(&bytes[i], workshop, &sample_roots[i], &(sample_options){.body = body, .full = true});
    }
    for (int pass = 0; pass < 100; pass++) {
        for (size_t i = 0; i < SAMPLE_ROOTS; i++) {
            wn_arena_reset(arena);
            const size_t before = allocations;
            const void *message = sample_roots[i].decode(arena, bytes[i].data, bytes[i].size, &error);
            const size_t made = allocations - before;
            ck_assert_ptr_nonnull(message);
            ck_assert(pass == 0 || made == 0);
        }
    }
    for (size_t i = 0; i < SAMPLE_ROOTS; i++) {
        wn_buffer_free(&bytes[i]);
    }
}
END_TEST

START_TEST(an_arena_stops_allocating_whatever_the_sizes)
{
    const size_t at_first = allocations;
    wn_arena *small = wn_arena_new(1 << 20);
    size_t made = allocations - at_first;
    uint32_t state = 1;
    for (int pass = 0; pass < 2000; pass++) {
        const size_t before = allocations;
        wn_arena_reset(small);
        for (size_t size = 1; wn_arena_take(small, size) != NULL;) {
            state = state * 1664525 + 1013904223;
            size = state >> (12 + pass % 16);
        }
        const size_t now = allocations - before;
        ck_assert_msg(pass < 1000 || now == 0, "pass %d allocates", pass);
        made += now;
    }
    ck_assert_uint_lt(made, 16); /* 16 KiB, doubled up to the limit */
    wn_arena_free(small);
}
END_TEST

START_TEST(pieces_are_aligned_apart_and_writable_up_to_the_limit)
{
    enum { LIMIT = 1 << 16, PIECE = 1000, ROUNDED = 1008 };
    wn_arena *small = wn_arena_new(LIMIT);
    for (int pass = 0; pass < 3; pass++) {
        size_t count = 0;
        uint8_t *pieces[LIMIT / ROUNDED + 1];
        for (uint8_t *piece; (piece = wn_arena_take(small, PIECE)) != NULL; count++) {
            ck_assert_uint_eq((uintptr_t)piece % 16, 0);
            memset(piece, (int)count, PIECE);
            pieces[count] = piece;
        }
        ck_assert_uint_eq(count, LIMIT / ROUNDED);
        for (size_t i = 0; i < count; i++) {
            ck_assert_uint_eq(pieces[i][0], (uint8_t)i);
            ck_assert_uint_eq(pieces[i][PIECE - 1], (uint8_t)i);
        }
        wn_arena_reset(small);
    }
    ck_assert_ptr_nonnull(wn_arena_take(small, 0));
    ck_assert_ptr_null(wn_arena_take(small, LIMIT));
    ck_assert_ptr_null(wn_arena_take(small, SIZE_MAX));
    ck_assert_ptr_null(wn_arena_take(small, SIZE_MAX - 8));
    wn_arena_reset(small);
    ck_assert_ptr_nonnull(wn_arena_take(small, LIMIT));
    ck_assert_ptr_null(wn_arena_take(small, 1));
    wn_arena_free(small);
    wn_arena_free(NULL);
}
END_TEST

START_TEST(decoding_without_memory_is_refused)
{
    wn_arena *empty = wn_arena_new(16 << 20);
    ck_assert_ptr_nonnull(empty);
    for (int i = 0; i < 20000; i++) {
        wn_pb_varint(&buffer, 1000, 1);
    }
    wn_pb_bytes(&buffer, 4, "", 0);
    out_of_memory = true;
    const bool refused = wn_request_decode(empty, buffer.data, buffer.size, &error) == NULL;
    const wn_arena *none = wn_arena_new(1 << 20);
    out_of_memory = false;
    ck_assert(refused);
    ck_assert_ptr_null(none);
    ck_assert_int_eq((int)error.code, WARREN__ERROR_CODE__ERROR_LIMIT);
    wn_arena_reset(empty);
    ck_assert_ptr_nonnull(wn_request_decode(empty, buffer.data, buffer.size, &error));
    wn_arena_free(empty);
}
END_TEST

/* buffers */

START_TEST(a_buffer_grows_and_keeps_what_it_holds)
{
    wn_buffer_append(&buffer, NULL, 0);
    ck_assert_uint_eq(buffer.size, 0);
    ck_assert_ptr_nonnull(wn_buffer_reserve(&buffer, 0));
    for (uint32_t i = 0; i < 100000; i++) {
        wn_buffer_append(&buffer, &i, sizeof i);
    }
    ck_assert_uint_eq(buffer.size, 400000);
    for (uint32_t i = 0; i < 100000; i++) {
        ck_assert_mem_eq(buffer.data + i * sizeof i, &i, sizeof i);
    }
    wn_buffer_free(&buffer);
    ck_assert(buffer.data == NULL && buffer.size == 0 && buffer.capacity == 0);
}
END_TEST

START_TEST(a_buffer_without_memory_ends_the_process)
{
    out_of_memory = true;
    wn_buffer_reserve(&buffer, 1 << 20);
}
END_TEST

START_TEST(a_buffer_of_more_than_there_can_be_ends_the_process)
{
    wn_buffer_append(&buffer, "x", 1);
    wn_buffer_reserve(&buffer, SIZE_MAX);
}
END_TEST

START_TEST(an_error_holds_a_valid_sentence_whatever_went_in)
{
    char text[2 * WN_TEXT_BYTES] = "";
    while (strlen(text) < sizeof text - 4) {
        strcat(text, "\xe2\x94\x80");
    }
    ck_assert(!wn_fail_with(NULL, WARREN__ERROR_CODE__ERROR_LIMIT, NULL, 0, "nobody cares"));
    ck_assert(!wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_LIMIT, text, 7, "\x1b%s", text));
    ck_assert(wn_text_valid(error.text, WN_TEXT_BYTES, false));
    ck_assert(wn_text_valid(error.field, WN_NAME_BYTES, false));
    ck_assert_uint_eq(error.limit, 7);
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_LIMIT, NULL, 0, "%d worlds", 3);
    ck_assert_str_eq(error.text, "3 worlds");
    ck_assert_str_eq(error.field, "");
}
END_TEST

/* frames */

START_TEST(frames_come_out_as_they_went_in_wherever_the_stream_is_cut)
{
    Warren__Host__SaveWorld save = WARREN__HOST__SAVE_WORLD__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_SAVE;
    message.save = &save;
    wn_buffer whole = {0};
    size_t ends[4];
    for (uint32_t i = 0; i < 3; i++) {
        save.world = 1000 * i;
        wn_frame_append(&whole, &message.base);
        ends[i] = whole.size;
    }
    const size_t mark = wn_frame_begin(&whole); /* an empty one, written in place */
    wn_frame_end(&whole, mark);
    ends[3] = whole.size;
    for (size_t cut = 0; cut <= whole.size; cut++) {
        size_t offset = 0;
        uint32_t count = 0;
        const uint8_t *bytes;
        size_t size;
        buffer.size = 0;
        for (int part = 0; part < 2; part++) {
            wn_buffer_append(&buffer, whole.data + (part == 0 ? 0 : cut), part == 0 ? cut : whole.size - cut);
            for (int next; (next = wn_frame_next(&buffer, &offset, &bytes, &size)) != 0; count++) {
                ck_assert_int_eq(next, 1);
                ck_assert_uint_eq(offset, ends[count]);
                wn_arena_reset(arena);
                const Warren__Host__ToHost *decoded = wn_to_host_decode(arena, bytes, size, &error);
                ck_assert_int_eq(decoded != NULL, count < 3);
                ck_assert(decoded == NULL || decoded->save->world == 1000 * count);
            }
            ck_assert(part == 1 || count == 4 || ends[count] > cut);
        }
        ck_assert_uint_eq(count, 4);
        ck_assert_uint_eq(offset, buffer.size);
    }
    wn_buffer_free(&whole);
}
END_TEST

START_TEST(a_frame_is_at_most_as_long_as_the_limit)
{
    size_t offset = 0;
    const uint8_t *bytes;
    size_t size;
    const uint32_t most = WN_FRAME_BYTES;
    uint8_t header[4] = {(uint8_t)most, (uint8_t)(most >> 8), (uint8_t)(most >> 16), (uint8_t)(most >> 24)};
    wn_buffer_append(&buffer, header, sizeof header);
    ck_assert_int_eq(wn_frame_next(&buffer, &offset, &bytes, &size), 0);
    buffer.data[0]++;
    ck_assert_int_eq(wn_frame_next(&buffer, &offset, &bytes, &size), -1);
    memset(buffer.data, 0xff, 4);
    ck_assert_int_eq(wn_frame_next(&buffer, &offset, &bytes, &size), -1);
    ck_assert_uint_eq(offset, 0);
}
END_TEST

/* written in place */

static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX};
static const int64_t signed_numbers[] = {0, -1, 1, -64, 64, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX};

static void assert_same_as(const ProtobufCMessage *message)
{
    wn_buffer packed = {0};
    wn_encode(&packed, message);
    ck_assert_uint_eq(packed.size, buffer.size);
    ck_assert_mem_eq(packed.data, buffer.data, packed.size);
    wn_buffer_free(&packed);
    buffer.size = 0;
}

START_TEST(numbers_written_in_place_are_those_of_protobuf_c)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Warren__ViewPosition position = WARREN__VIEW_POSITION__INIT;
        position.world = (uint32_t)numbers[i];
        position.sequence = numbers[i];
        wn_pb_varint(&buffer, 1, (uint32_t)numbers[i]);
        wn_pb_varint(&buffer, 2, numbers[i]);
        assert_same_as(&position.base);
    }
    for (size_t i = 0; i < sizeof signed_numbers / sizeof *signed_numbers; i++) {
        Warren__FieldValue value = WARREN__FIELD_VALUE__INIT;
        value.has_number = value.has_maximum = 1;
        value.number = signed_numbers[i];
        value.maximum = ~signed_numbers[i];
        wn_pb_varint(&buffer, 1, 0);
        wn_pb_sint(&buffer, 2, value.number);
        wn_pb_sint(&buffer, 3, value.maximum);
        assert_same_as(&value.base);
    }
}
END_TEST

START_TEST(bytes_and_texts_written_in_place_are_those_of_protobuf_c)
{
    static const size_t sizes[] = {0, 1, 127, 128, 16383, 16384, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = calloc(1, sizes[i] + 1);
        ck_assert_ptr_nonnull(text);
        memset(text, 'x', sizes[i]);
        Warren__Host__ViewUpdate view = WARREN__HOST__VIEW_UPDATE__INIT;
        view.update = (ProtobufCBinaryData){sizes[i], (uint8_t *)text};
        wn_pb_varint(&buffer, 1, 0);
        wn_pb_varint(&buffer, 3, 0);
        wn_pb_bytes(&buffer, 4, sizes[i] > 0 ? text : NULL, sizes[i]);
        assert_same_as(&view.base);
        Warren__SettingValue setting = WARREN__SETTING_VALUE__INIT;
        setting.name = text;
        setting.value = text;
        wn_pb_string(&buffer, 1, text);
        wn_pb_string(&buffer, 2, text);
        assert_same_as(&setting.base);
        free(text);
    }
}
END_TEST

START_TEST(submessages_written_in_place_are_those_of_protobuf_c)
{
    static const size_t sizes[] = {0,     1,     100,   118,   119,   120,    121,     122,    123,
                                   124,   125,   126,   127,   128,   129,    130,     16370,  16375,
                                   16380, 16381, 16382, 16383, 16384, 100000, 2097140, 2097152};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = calloc(1, sizes[i] + 1);
        ck_assert_ptr_nonnull(text);
        memset(text, 'x', sizes[i]);
        uint32_t cells[] = {1, UINT32_MAX, 300};
        Warren__Update update = WARREN__UPDATE__INIT;
        Warren__Delta delta = WARREN__DELTA__INIT;
        Warren__Sprite sprite = WARREN__SPRITE__INIT;
        update.body_case = WARREN__UPDATE__BODY_DELTA;
        update.delta = &delta;
        delta.sprites = (Warren__Sprite *[]){&sprite, &sprite};
        delta.n_sprites = 2;
        delta.cells = cells;
        delta.n_cells = 3;
        delta.banner = text;
        sprite.label = text;
        wn_pb_varint(&buffer, 1, 0);
        const size_t body = wn_pb_begin(&buffer, 5);
        const size_t packed = wn_pb_begin(&buffer, 1);
        for (size_t cell = 0; cell < 3; cell++) {
            wn_pb_raw(&buffer, cells[cell]);
        }
        wn_pb_end(&buffer, packed);
        for (int n = 0; n < 2; n++) {
            const size_t mark = wn_pb_begin(&buffer, 2);
            wn_pb_varint(&buffer, 1, 0);
            wn_pb_string(&buffer, 5, text);
            wn_pb_end(&buffer, mark);
        }
        wn_pb_string(&buffer, 7, text);
        wn_pb_end(&buffer, body);
        assert_same_as(&update.base);
        free(text);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        decoding_does_not_allocate_after_warm_up,
        an_arena_stops_allocating_whatever_the_sizes,
        pieces_are_aligned_apart_and_writable_up_to_the_limit,
        decoding_without_memory_is_refused,
        a_buffer_grows_and_keeps_what_it_holds,
        an_error_holds_a_valid_sentence_whatever_went_in,
        frames_come_out_as_they_went_in_wherever_the_stream_is_cut,
        a_frame_is_at_most_as_long_as_the_limit,
        numbers_written_in_place_are_those_of_protobuf_c,
        bytes_and_texts_written_in_place_are_those_of_protobuf_c,
        submessages_written_in_place_are_those_of_protobuf_c,
    };
    const TTest *const aborting[] = {
        a_buffer_without_memory_ends_the_process,
        a_buffer_of_more_than_there_can_be_ends_the_process,
    };
    const int failed = run_tests("wire bytes", tests, sizeof tests / sizeof *tests);
    return failed | run_aborting_tests("wire bytes, aborting", aborting, sizeof aborting / sizeof *aborting);
}
