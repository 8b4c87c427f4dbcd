/* wire_samples.c: see wire_samples.h. Values are made from field numbers, so that they differ and stay the same.
 */
#include "wire_samples.h"

#include <stdlib.h>
#include <string.h>

enum { LIST = 2 }; /* elements, if nothing else is said */

static void *request(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return wn_request_decode(arena, bytes, size, error);
}
static void *reply(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return wn_reply_decode(arena, bytes, size, error);
}
static void *update(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return wn_update_decode(arena, bytes, size, error);
}
static void *to_host(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return wn_to_host_decode(arena, bytes, size, error);
}
static void *from_host(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return wn_from_host_decode(arena, bytes, size, error);
}
static void *inputs(wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    return wn_inputs_decode(arena, bytes, size, error);
}

const sample_root sample_roots[SAMPLE_ROOTS] = {
    {&warren__request__descriptor, &warren__request__descriptor, request},
    {&warren__reply__descriptor, &warren__reply__descriptor, reply},
    {&warren__update__descriptor, &warren__update__descriptor, update},
    {&warren__host__to_host__descriptor, &warren__host__to_host__descriptor, to_host},
    {&warren__host__from_host__descriptor, &warren__host__from_host__descriptor, from_host},
    {&warren__host__inputs__descriptor, &warren__host__input__descriptor, inputs},
};

static bool in_oneof(const ProtobufCFieldDescriptor *field)
{
    return (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
}

const ProtobufCFieldDescriptor *sample_body(const sample_root *root, unsigned n)
{
    for (unsigned i = 0; i < root->chooser->n_fields; i++) {
        if (in_oneof(&root->chooser->fields[i]) && n-- == 0) {
            return &root->chooser->fields[i];
        }
    }
    return NULL;
}

static size_t value_size(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        return sizeof(uint64_t);
    default:
        return sizeof(uint32_t);
    }
}

static void *take(wn_arena *arena, size_t size)
{
    void *taken = wn_arena_take(arena, size);
    if (taken == NULL) {
        abort();
    }
    return memset(taken, 0, size);
}

static ProtobufCMessage *make(wn_arena *arena, const ProtobufCMessageDescriptor *message,
                              const sample_options *options);

static char *make_text(wn_arena *arena, uint32_t id, const sample_change *change, bool changed)
{
    if (changed && change->text != NULL) {
        return strcpy(take(arena, strlen(change->text) + 1), change->text);
    }
    const size_t size = changed ? change->size : 2 + (id >= 10);
    char *text = take(arena, size + 1);
    memset(text, 'a', size);
    if (!changed) {
        text[size - 1] = (char)('0' + id % 10);
    }
    return text;
}

static void make_value(wn_arena *arena, const ProtobufCFieldDescriptor *field, void *value,
                       const sample_options *options, bool changed)
{
    const sample_change *change = &options->change;
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        *(char **)value = make_text(arena, field->id, change, changed);
        break;
    case PROTOBUF_C_TYPE_BYTES: {
        const size_t whole = strcmp(field->name, "curve_key") == 0 ? 32 : WN_KEY_BYTES;
        const size_t size = changed ? change->size : whole;
        *(ProtobufCBinaryData *)value = (ProtobufCBinaryData){size, memset(take(arena, size), (int)field->id, size)};
        break;
    }
    case PROTOBUF_C_TYPE_MESSAGE:
        *(ProtobufCMessage **)value = make(arena, field->descriptor, options);
        break;
    case PROTOBUF_C_TYPE_ENUM: {
        const ProtobufCEnumDescriptor *codes = field->descriptor;
        *(int *)value = changed ? (int)change->size : codes->values[codes->n_values - 1].value;
        break;
    }
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
        *(int64_t *)value = -(int64_t)field->id;
        break;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        *(uint64_t *)value = 1000000000000 + field->id;
        break;
    case PROTOBUF_C_TYPE_BOOL:
        *(protobuf_c_boolean *)value = 1;
        break;
    default:
        *(uint32_t *)value = changed ? (uint32_t)change->size : (field->id - 1) % 8 + 1; /* in range of all limits */
        break;
    }
}

/* A list of numbers is one operation on one cell, again and again: "fill 1 with 7". */
static void make_list(wn_arena *arena, const ProtobufCFieldDescriptor *field, char *base, const sample_options *options,
                      bool changed)
{
    static const uint32_t numbers[] = {1 << 2 | 1, 7};
    const bool elements_changed = changed && options->change.element;
    const size_t count = changed && !elements_changed ? options->change.size : LIST;
    const size_t size = value_size(field->type);
    sample_options simple = *options;
    if (changed) {
        simple.full = false;
    }
    char *values = take(arena, count * size + 1);
    for (size_t i = 0; i < count; i++) {
        if (field->type == PROTOBUF_C_TYPE_UINT32) {
            memcpy(values + i * size, &numbers[i % 2], size);
        } else {
            make_value(arena, field, values + i * size, &simple, elements_changed);
        }
    }
    *(size_t *)(void *)(base + field->quantifier_offset) = count;
    *(void **)(void *)(base + field->offset) = values;
}

static ProtobufCMessage *make(wn_arena *arena, const ProtobufCMessageDescriptor *message, const sample_options *options)
{
    char *base = take(arena, message->sizeof_message);
    const sample_change *change = &options->change;
    const bool here = change->message != NULL && strcmp(change->message, message->name) == 0;
    protobuf_c_message_init(message, base);
    for (unsigned i = 0; i < message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        const bool changed = here && strcmp(change->field, field->name) == 0;
        void *quantifier = base + field->quantifier_offset;
        if (in_oneof(field) && field != options->body) {
            continue;
        }
        if (field->label == PROTOBUF_C_LABEL_REPEATED && (options->full || changed || field->id == 1)) {
            make_list(arena, field, base, options, changed);
        } else if (field->label == PROTOBUF_C_LABEL_REQUIRED || in_oneof(field) || options->full || changed) {
            make_value(arena, field, base + field->offset, options, changed);
            if (in_oneof(field)) {
                *(uint32_t *)quantifier = field->id;
            } else if (field->label == PROTOBUF_C_LABEL_OPTIONAL && field->type != PROTOBUF_C_TYPE_STRING &&
                       field->type != PROTOBUF_C_TYPE_MESSAGE) {
                *(protobuf_c_boolean *)quantifier = 1;
            }
        }
    }
    return (ProtobufCMessage *)(void *)base;
}

void sample_encode(wn_buffer *buffer, wn_arena *arena, const sample_root *root, const sample_options *options)
{
    wn_encode(buffer, make(arena, root->message, options));
}

/* The messages seen so far. */
typedef struct seen {
    const ProtobufCMessageDescriptor *messages[128];
    size_t count;
} seen;

static void walk(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *body, seen *before,
                 sample_visit *visit, void *context)
{
    for (size_t i = 0; i < before->count; i++) {
        if (before->messages[i] == message) {
            return;
        }
    }
    before->messages[before->count++] = message;
    for (unsigned i = 0; i < message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        if (in_oneof(field) && field != body) {
            continue;
        }
        visit(context, message, field);
        if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            walk(field->descriptor, body, before, visit, context);
        }
    }
}

void sample_walk(const sample_root *root, const ProtobufCFieldDescriptor *body, sample_visit *visit, void *context)
{
    seen before = {.count = 0};
    walk(root->message, body, &before, visit, context);
}
