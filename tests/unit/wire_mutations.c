/* wire_mutations.c: bytes that nobody honest sends. Whatever they are, decoding ends well, and what it accepts keeps
 * every promise of wire.h; the promises are checked here in another way than the library does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suite.h"
#include "wire_fixture.h"

enum { CASES = 20000, SAMPLES = 256 };

typedef struct sample {
    const sample_root *root;
    uint8_t *bytes;
    size_t size;
} sample;

static sample samples[SAMPLES];
static size_t sample_count;

static void add_sample(const sample_root *root, const ProtobufCFieldDescriptor *body, bool full)
{
    ck_assert_uint_lt(sample_count, SAMPLES);
    wn_arena_reset(workshop);
    buffer.size = 0;
    sample_encode(&buffer, workshop, root, &(sample_options){.body = body, .full = full});
    sample *added = &samples[sample_count++];
    *added = (sample){root, malloc(buffer.size), buffer.size};
    ck_assert_ptr_nonnull(added->bytes);
    memcpy(added->bytes, buffer.data, buffer.size);
}

static void make_samples(void)
{
    for (const sample_root *root = sample_roots; root < sample_roots + SAMPLE_ROOTS; root++) {
        const ProtobufCFieldDescriptor *body;
        for (unsigned n = 0; (body = sample_body(root, n)) != NULL; n++) {
            add_sample(root, body, false);
            add_sample(root, body, true);
        }
    }
}

static void free_samples(void)
{
    for (size_t i = 0; i < sample_count; i++) {
        free(samples[i].bytes);
    }
    sample_count = 0;
}

static size_t below(uint64_t *state, size_t limit)
{
    return limit == 0 ? 0 : (size_t)(suite_random64(state) % limit);
}

/* promises */

static void check_message(const ProtobufCMessage *message);

static void check_value(const ProtobufCFieldDescriptor *field, const void *value)
{
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        ck_assert_ptr_nonnull(*(char *const *)value);
        ck_assert_msg(wn_text_valid(*(char *const *)value, WN_FILE_BYTES, true) || strcmp(field->name, "value") == 0,
                      "%s is no text", field->name);
    } else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        ck_assert_ptr_nonnull(*(ProtobufCMessage *const *)value);
        check_message(*(ProtobufCMessage *const *)value);
    } else if (field->type == PROTOBUF_C_TYPE_ENUM) {
        ck_assert_ptr_nonnull(protobuf_c_enum_descriptor_get_value(field->descriptor, *(const int *)value));
    } else if (field->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData *bytes = value;
        if (strcmp(field->name, "session") == 0 || strcmp(field->name, "view_key") == 0) {
            ck_assert_uint_eq(bytes->len, WN_KEY_BYTES);
        }
        for (size_t i = 0; i < bytes->len; i++) {
            (void)*(volatile uint8_t *)&bytes->data[i];
        }
    }
}

static size_t element_size(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    case PROTOBUF_C_TYPE_UINT64:
        return sizeof(uint64_t);
    default:
        return sizeof(uint32_t);
    }
}

/* Draws it, as a frontend would: sanitizers see every step past the end. */
static void check_cells(const uint32_t *numbers, size_t count, size_t cells)
{
    uint16_t *drawn = calloc(cells, sizeof *drawn);
    ck_assert_ptr_nonnull(drawn);
    size_t to = 0;
    for (size_t i = 0; i < count;) {
        const uint32_t kind = numbers[i] & 3;
        const uint32_t length = numbers[i++] >> 2;
        ck_assert_uint_le(kind, 2);
        ck_assert_uint_le(length, cells - to);
        for (uint32_t n = 0; kind > 0 && n < length; n++) {
            ck_assert_uint_lt(i, count);
            ck_assert_uint_le(numbers[i], UINT16_MAX);
            drawn[to + n] = (uint16_t)numbers[i];
            i += kind == 2;
        }
        i += kind == 1;
        to += length;
    }
    free(drawn);
}

static void check_update(const Warren__Update *update)
{
    if (update->body_case == WARREN__UPDATE__BODY_KEYFRAME) {
        const Warren__Keyframe *keyframe = update->keyframe;
        ck_assert(keyframe->width >= 1 && keyframe->width <= 1024);
        ck_assert(keyframe->height >= 1 && keyframe->height <= 1024);
        check_cells(keyframe->cells, keyframe->n_cells, (size_t)keyframe->width * keyframe->height);
    } else if (update->body_case == WARREN__UPDATE__BODY_DELTA) {
        check_cells(update->delta->cells, update->delta->n_cells, 1024 * 1024);
    }
}

static void check_message(const ProtobufCMessage *message)
{
    const char *base = (const char *)message;
    ck_assert(protobuf_c_message_check(message));
    ck_assert_uint_eq(message->n_unknown_fields, 0);
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        const void *value = base + field->offset;
        const void *quantifier = base + field->quantifier_offset;
        if (field->label == PROTOBUF_C_LABEL_REPEATED) {
            const char *values = *(char *const *)value;
            for (size_t n = 0; n < *(const size_t *)quantifier; n++) {
                check_value(field, values + n * element_size(field->type));
            }
        } else if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
            if (*(const uint32_t *)quantifier == field->id) {
                check_value(field, value);
            }
        } else if (field->label == PROTOBUF_C_LABEL_REQUIRED) {
            check_value(field, value);
        } else if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE) {
            if (*(void *const *)value != NULL) {
                check_value(field, value);
            }
        } else if (*(const protobuf_c_boolean *)quantifier) {
            check_value(field, value);
        }
    }
}

/* What is accepted is accepted again after it was encoded. */
static void check_again(const sample_root *root, const ProtobufCMessage *message)
{
    wn_buffer again = {0};
    wn_encode(&again, message);
    wn_arena_reset(workshop);
    wn_error why;
    ck_assert_msg(root->decode(workshop, again.data, again.size, &why) != NULL, "encoded again: %s", why.text);
    wn_buffer_free(&again);
}

/* Decodes a copy of exactly this size, so that sanitizers see every read past its end. */
static bool try_bytes(const sample_root *root, const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);
    ck_assert_ptr_nonnull(exact);
    if (size > 0) {
        memcpy(exact, bytes, size);
    }
    wn_arena_reset(arena);
    memset(&error, 0, sizeof error);
    const ProtobufCMessage *message = root->decode(arena, exact, size, &error);
    free(exact);
    if (message == NULL) {
        ck_assert_int_ne((int)error.code, WARREN__ERROR_CODE__ERROR_NONE);
        ck_assert(error.text[0] != '\0' && wn_text_valid(error.text, WN_TEXT_BYTES, false));
        return false;
    }
    check_message(message);
    if (root->message == &warren__update__descriptor) {
        check_update((const Warren__Update *)(const void *)message);
    }
    check_again(root, message);
    return true;
}

/* tests */

START_TEST(a_message_cut_anywhere_is_refused_or_valid)
{
    make_samples();
    for (size_t i = 0; i < sample_count; i++) {
        for (size_t size = 0; size < samples[i].size; size++) {
            try_bytes(samples[i].root, samples[i].bytes, size);
        }
        ck_assert(try_bytes(samples[i].root, samples[i].bytes, samples[i].size));
    }
    free_samples();
}
END_TEST

START_TEST(a_message_of_one_kind_read_as_another_is_refused_or_valid)
{
    make_samples();
    for (size_t i = 0; i < sample_count; i++) {
        for (size_t root = 0; root < SAMPLE_ROOTS; root++) {
            try_bytes(&sample_roots[root], samples[i].bytes, samples[i].size);
        }
    }
    free_samples();
}
END_TEST

/* The ways to spoil what is in `buffer`; each returns with it never longer than twice and a few bytes. */
static void flip_bit(uint64_t *state)
{
    buffer.data[below(state, buffer.size)] ^= (uint8_t)(1 << below(state, 8));
}

static void set_byte(uint64_t *state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff, '\n', 0x1b, 0xc2, 8, 18};
    buffer.data[below(state, buffer.size)] = values[below(state, sizeof values)];
}

static void remove_bytes(uint64_t *state)
{
    const size_t at = below(state, buffer.size);
    const size_t count = 1 + below(state, buffer.size - at < 8 ? buffer.size - at : 8);
    memmove(buffer.data + at, buffer.data + at + count, buffer.size - at - count);
    buffer.size -= count;
}

static void insert(size_t at, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    wn_buffer_reserve(&buffer, size);
    memmove(buffer.data + at + size, buffer.data + at, buffer.size - at);
    memcpy(buffer.data + at, copy, size);
    buffer.size += size;
    free(copy);
}

static void repeat_bytes(uint64_t *state)
{
    const size_t at = below(state, buffer.size);
    insert(below(state, buffer.size), buffer.data + at, 1 + below(state, buffer.size - at));
}

static void repeat_all(uint64_t *state)
{
    (void)state;
    insert(buffer.size, buffer.data, buffer.size);
}

static void add_another(uint64_t *state)
{
    const sample *other = &samples[below(state, sample_count)];
    if (other->size > 0) {
        insert(below(state, 2) * buffer.size, other->bytes, other->size);
    }
}

static void insert_long_number(uint64_t *state)
{
    static const uint8_t number[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    insert(below(state, buffer.size), number, 1 + below(state, sizeof number));
}

static void spoil(uint64_t *state)
{
    static void (*const ways[])(uint64_t *) = {flip_bit,   set_byte,    remove_bytes,      repeat_bytes,
                                               repeat_all, add_another, insert_long_number};
    for (size_t times = 1 + below(state, 3); times > 0 && buffer.size > 0; times--) {
        ways[below(state, sizeof ways / sizeof *ways)](state);
    }
}

START_TEST(a_spoiled_message_is_refused_or_valid)
{
    uint64_t state = suite_seed((uint64_t)time(NULL));
    make_samples();
    size_t accepted = 0;
    for (size_t i = 0; i < CASES; i++) {
        const sample *from = &samples[below(&state, sample_count)];
        buffer.size = 0;
        wn_buffer_append(&buffer, from->bytes, from->size);
        spoil(&state);
        accepted += try_bytes(from->root, buffer.data, buffer.size);
    }
    /* Both ends are reached: neither everything refused nor everything accepted. */
    ck_assert_uint_gt(accepted, CASES / 50);
    ck_assert_uint_lt(accepted, CASES - CASES / 50);
    free_samples();
}
END_TEST

START_TEST(random_bytes_are_refused_or_valid)
{
    uint64_t state = suite_seed((uint64_t)time(NULL));
    for (size_t i = 0; i < CASES; i++) {
        buffer.size = 0;
        for (size_t left = below(&state, 40); left > 0; left--) {
            const uint8_t byte = (uint8_t)suite_random64(&state);
            wn_buffer_append(&buffer, &byte, 1);
        }
        try_bytes(&sample_roots[i % SAMPLE_ROOTS], buffer.data, buffer.size);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_message_cut_anywhere_is_refused_or_valid,
        a_message_of_one_kind_read_as_another_is_refused_or_valid,
        a_spoiled_message_is_refused_or_valid,
        random_bytes_are_refused_or_valid,
    };
    return run_tests("wire mutations", tests, sizeof tests / sizeof *tests);
}
