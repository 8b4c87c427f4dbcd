/* host_inputs.c: inputs are read the short way as they are the long way: the same turns are accepted, and mean the
 * same.
 */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "host_fixture.h"
#include "pb.h"

enum { CASES = 60000, MEMORY = 128 << 20 };

static void same(const wn_input *mine, const Warren__Host__Input *theirs)
{
    switch (theirs->body_case) {
    case WARREN__HOST__INPUT__BODY_JOIN:
        ck_assert(mine->kind == WN_INPUT_JOIN && mine->seat == theirs->join->seat);
        ck_assert_str_eq(mine->name, theirs->join->player);
        break;
    case WARREN__HOST__INPUT__BODY_LEAVE:
        ck_assert(mine->kind == WN_INPUT_LEAVE && mine->seat == theirs->leave->seat);
        break;
    case WARREN__HOST__INPUT__BODY_COMMAND:
        ck_assert(mine->kind == WN_INPUT_COMMAND && mine->seat == theirs->command->seat);
        ck_assert(mine->number == theirs->command->number && mine->action == theirs->command->action);
        ck_assert_int_eq(mine->has_argument, theirs->command->has_argument);
        ck_assert(!mine->has_argument || mine->argument == theirs->command->argument);
        break;
    case WARREN__HOST__INPUT__BODY_WAKE:
        ck_assert(mine->kind == WN_INPUT_WAKE);
        break;
    default:
        ck_assert(mine->kind == WN_INPUT_CHAT);
        ck_assert_str_eq(mine->text, theirs->chat->text);
        ck_assert((mine->name == NULL) == (theirs->chat->from == NULL));
        ck_assert(!mine->name || strcmp(mine->name, theirs->chat->from) == 0);
        break;
    }
}

/* Reads them both ways, the short one from memory of exactly their size, so that sanitizers see every step past it.
 * Returns whether they were accepted. */
static bool compare(wn_inputs *inputs, wn_arena *mine, wn_arena *theirs, const wn_buffer *bytes)
{
    wn_error short_error = {0}, long_error = {0};
    wn_arena_reset(theirs);
    const Warren__Host__Inputs *decoded = wn_inputs_decode(theirs, bytes->data, bytes->size, &long_error);
    uint8_t *exact = malloc(bytes->size > 0 ? bytes->size : 1);
    ck_assert_ptr_nonnull(exact);
    if (bytes->size > 0) {
        memcpy(exact, bytes->data, bytes->size);
    }
    const bool read = wn_inputs_read(inputs, mine, exact, bytes->size, &short_error);
    free(exact);
    ck_assert_msg(read == (decoded != NULL), "short: %s; long: %s", short_error.text, long_error.text);
    if (!read) {
        ck_assert_str_eq(short_error.text, long_error.text);
        return false;
    }
    ck_assert_uint_eq(inputs->count, decoded->n_input);
    for (size_t i = 0; i < inputs->count; i++) {
        same(&inputs->list[i], decoded->input[i]);
    }
    return true;
}

static uint32_t any_number(uint64_t *chance)
{
    return (uint32_t)(pick(chance, UINT32_MAX) >> pick(chance, 32));
}

static void add_any(scene *fixture, uint64_t *chance)
{
    switch (pick(chance, 12)) {
    case 0:
        input_join(fixture, any_number(chance), "ann");
        break;
    case 1:
        input_chat(fixture, pick(chance, 2) ? "ann" : NULL, "hello");
        break;
    case 2:
    case 3:
        input_leave(fixture, any_number(chance));
        break;
    case 4:
    case 5:
        input_wake(fixture);
        break;
    default:
        input_command(fixture, any_number(chance), any_number(chance), any_number(chance),
                      pick(chance, 3) ? (int64_t)any_number(chance) : -1);
        break;
    }
}

/* Changes, removes or adds a few bytes. */
static void spoil(wn_buffer *bytes, uint64_t *chance)
{
    static const uint8_t values[] = {0, 1, 2, 8, 10, 16, 18, 24, 26, 32, 34, 0x7f, 0x80, 0xff};
    for (uint32_t times = 1 + pick(chance, 3); times > 0 && bytes->size > 0; times--) {
        const size_t at = pick(chance, (uint32_t)bytes->size);
        const uint8_t value = values[pick(chance, sizeof values)];
        switch (pick(chance, 3)) {
        case 0:
            bytes->data[at] = value;
            break;
        case 1:
            memmove(bytes->data + at, bytes->data + at + 1, bytes->size - at - 1);
            bytes->size--;
            break;
        default:
            wn_buffer_reserve(bytes, 1);
            memmove(bytes->data + at + 1, bytes->data + at, bytes->size - at);
            bytes->data[at] = value;
            bytes->size++;
            break;
        }
    }
}

START_TEST(any_bytes_are_read_the_short_way_as_they_are_decoded_the_long_way)
{
    scene fixture = {0};
    wn_inputs inputs = {0};
    wn_arena *mine = wn_arena_new(MEMORY), *theirs = wn_arena_new(MEMORY);
    uint64_t chance = property_seed("host_inputs", 99);
    uint32_t accepted = 0, spoiled = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        fixture.inputs.size = 0;
        for (uint32_t left = pick(&chance, 4); left > 0; left--) {
            add_any(&fixture, &chance);
        }
        if (i % 4 == 0) {
            ck_assert(compare(&inputs, mine, theirs, &fixture.inputs));
        } else {
            spoil(&fixture.inputs, &chance);
            spoiled++;
            accepted += compare(&inputs, mine, theirs, &fixture.inputs);
        }
    }
    /* Both ends are reached. */
    ck_assert_uint_gt(accepted, spoiled / 20);
    ck_assert_uint_lt(accepted, spoiled - spoiled / 20);
    wn_inputs_free(&inputs);
    wn_arena_free(mine);
    wn_arena_free(theirs);
    wn_buffer_free(&fixture.inputs);
}
END_TEST

START_TEST(a_turn_has_at_most_so_many_inputs)
{
    enum { MOST = 65536 };
    scene fixture = {0};
    wn_inputs inputs = {0};
    wn_arena *mine = wn_arena_new(MEMORY), *theirs = wn_arena_new(MEMORY);
    for (uint32_t i = 0; i < MOST; i++) {
        input_wake(&fixture);
    }
    ck_assert(compare(&inputs, mine, theirs, &fixture.inputs));
    ck_assert_uint_eq(inputs.count, MOST);
    input_wake(&fixture);
    ck_assert(!compare(&inputs, mine, theirs, &fixture.inputs));
    wn_inputs_free(&inputs);
    wn_arena_free(mine);
    wn_arena_free(theirs);
    wn_buffer_free(&fixture.inputs);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        any_bytes_are_read_the_short_way_as_they_are_decoded_the_long_way,
        a_turn_has_at_most_so_many_inputs,
    };
    return run_cases("host_inputs", cases, sizeof cases / sizeof cases[0]);
}
