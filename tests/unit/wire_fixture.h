/* wire_fixture.h: what the tests of the wire library stand on: memory that is there for each test, samples decoded, and
 * the main() they share.
 */
#ifndef WARREN_TESTS_WIRE_FIXTURE_H
#define WARREN_TESTS_WIRE_FIXTURE_H

#include <check.h>

#include "wire_samples.h"

extern wn_arena *arena;    /* of what is decoded */
extern wn_arena *workshop; /* of what is encoded */
extern wn_buffer buffer;   /* empty at first */
extern wn_error error;

/* Makes a sample in `buffer` and decodes it. */
void *decode_sample(const sample_root *root, const sample_options *options);

void assert_error(Warren__ErrorCode code, const char *field, uint64_t limit);

/* Calls `visit` with a `visited` for every field of every message of every body of every root. */
typedef struct visited {
    const sample_root *root;
    const ProtobufCFieldDescriptor *body;
} visited;
void visit_bodies(sample_visit *visit);

/* "Hello.player", until the next call. */
const char *field_name(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field);

/* Whether it is a setting's value on its way to the host or in a recording, where it may be the content of a file. */
bool is_content(const visited *at, const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field);

/* Each returns an exit status. The second is for tests that pass by ending their process with abort(). */
int run_tests(const char *name, const TTest *const *tests, size_t count);
int run_aborting_tests(const char *name, const TTest *const *tests, size_t count);

#endif
