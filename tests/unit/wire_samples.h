/* wire_samples.h: makes a valid sample of every kind of message from the descriptors alone, so that a field or message
 * that is added later is tested without a new line here.
 */
#ifndef WARREN_TESTS_WIRE_SAMPLES_H
#define WARREN_TESTS_WIRE_SAMPLES_H

#include "wire.h"

/* A message that is decoded by itself. */
typedef void *sample_decode(wn_arena *arena, const void *bytes, size_t size, wn_error *error);
typedef struct sample_root {
    const ProtobufCMessageDescriptor *message;
    const ProtobufCMessageDescriptor *chooser; /* the message in it whose oneof says what it is about */
    sample_decode *decode;
} sample_root;
enum { SAMPLE_ROOTS = 6 };
extern const sample_root sample_roots[SAMPLE_ROOTS];

/* The n-th body of a root; NULL behind the last. */
const ProtobufCFieldDescriptor *sample_body(const sample_root *root, unsigned n);

/* Something out of the ordinary: what a certain field of a certain message holds. */
typedef struct sample_change {
    const char *message; /* "warren.Hello" */
    const char *field;
    size_t size;      /* bytes of a string or bytes, elements of a list; or a number */
    bool element;     /* of a list of strings: the size of its elements */
    const char *text; /* a string itself, whatever `size` says; NULL: none */
} sample_change;

typedef struct sample_options {
    const ProtobufCFieldDescriptor *body;
    bool full; /* every field rather than the required ones */
    sample_change change;
} sample_options;

/* Encodes it behind what `buffer` holds. `arena` holds it meanwhile. */
void sample_encode(wn_buffer *buffer, wn_arena *arena, const sample_root *root, const sample_options *options);

/* Calls `visit` for every field of every message that a sample of this body may hold, once for each message. */
typedef void sample_visit(void *context, const ProtobufCMessageDescriptor *message,
                          const ProtobufCFieldDescriptor *field);
void sample_walk(const sample_root *root, const ProtobufCFieldDescriptor *body, sample_visit *visit, void *context);

#endif
