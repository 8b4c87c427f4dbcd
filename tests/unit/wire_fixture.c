/* wire_fixture.c: see wire_fixture.h.
 */
#include "wire_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 256 << 20 };

wn_arena *arena;
wn_arena *workshop;
wn_buffer buffer;
wn_error error;

static void setup(void)
{
    arena = wn_arena_new(ARENA);
    workshop = wn_arena_new(ARENA);
    ck_assert_ptr_nonnull(arena);
    ck_assert_ptr_nonnull(workshop);
}

static void teardown(void)
{
    wn_arena_free(arena);
    wn_arena_free(workshop);
    wn_buffer_free(&buffer);
}

void *decode_sample(const sample_root *root, const sample_options *options)
{
    wn_arena_reset(arena);
    wn_arena_reset(workshop);
    buffer.size = 0;
    sample_encode(&buffer, workshop, root, options);
    memset(&error, 0, sizeof error);
    return root->decode(arena, buffer.data, buffer.size, &error);
}

void assert_error(Warren__ErrorCode code, const char *field, uint64_t limit)
{
    ck_assert_msg(error.code == code, "code %d instead of %d: %s", (int)error.code, (int)code, error.text);
    ck_assert_str_eq(error.field, field);
    ck_assert_uint_eq(error.limit, limit);
    ck_assert(error.text[0] != '\0' && wn_text_valid(error.text, WN_TEXT_BYTES, false));
}

void visit_bodies(sample_visit *visit)
{
    for (const sample_root *root = sample_roots; root < sample_roots + SAMPLE_ROOTS; root++) {
        const ProtobufCFieldDescriptor *body;
        for (unsigned n = 0; (body = sample_body(root, n)) != NULL; n++) {
            sample_walk(root, body, visit, &(visited){root, body});
        }
    }
}

const char *field_name(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field)
{
    static char name[128];
    snprintf(name, sizeof name, "%s.%s", message->name + strlen("warren."), field->name);
    return name;
}

bool is_content(const visited *at, const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *field)
{
    const bool whole =
        at->root->message == &warren__host__to_host__descriptor ||
        (at->body->type == PROTOBUF_C_TYPE_MESSAGE && at->body->descriptor == &warren__export_part__descriptor);
    return whole && message == &warren__setting_value__descriptor && strcmp(field->name, "value") == 0;
}

static int run(const char *name, const TTest *const *tests, size_t count, int signal)
{
    Suite *suite = suite_create(name);
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, setup, teardown);
    for (size_t i = 0; i < count; i++) {
        tcase_add_test_raise_signal(all, tests[i], signal);
    }
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run_tests(const char *name, const TTest *const *tests, size_t count)
{
    return run(name, tests, count, 0);
}

int run_aborting_tests(const char *name, const TTest *const *tests, size_t count)
{
    return run(name, tests, count, SIGABRT);
}
