/* host_pieces.c: the small parts of the host: the generator, and the choice of operations for cells.
 */
#include "host_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "hash.h"
#include "random.h"
#include "suite.h"

START_TEST(the_hash_is_xxh64)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } known[] = {{"", UINT64_C(0xef46db3751d8e999)},
                 {"a", UINT64_C(0xd24ec4f1a98c6e5b)},
                 {"abc", UINT64_C(0x44bc2cf5ad770999)},
                 {"Nobody inspects the spammish repetition", UINT64_C(0xfbcea83c8a378bf1)}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ck_assert_uint_eq(wn_hash(known[i].text, strlen(known[i].text)), known[i].hash);
    }
}
END_TEST

START_TEST(every_byte_counts_in_the_hash_wherever_it_stands)
{
    uint8_t bytes[200] = {0};
    for (size_t size = 1; size <= sizeof bytes; size++) {
        const uint64_t hash = wn_hash(bytes, size);
        ck_assert_uint_ne(hash, wn_hash(bytes, size - 1));
        for (size_t at = 0; at < size; at++) {
            bytes[at] ^= 0x80;
            ck_assert_uint_ne(hash, wn_hash(bytes, size));
            bytes[at] ^= 0x80;
        }
    }
}
END_TEST

START_TEST(the_generator_gives_the_published_values)
{
    /* splitmix64 of seed 1234567, and xoshiro256** of the state 1, 2, 3, 4, as published with other implementations. */
    static const uint64_t split[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                     UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                     UINT64_C(16408922859458223821)};
    static const uint64_t xoshiro[] = {UINT64_C(11520),
                                       UINT64_C(0),
                                       UINT64_C(1509978240),
                                       UINT64_C(1215971899390074240),
                                       UINT64_C(1216172134540287360),
                                       UINT64_C(607988272756665600),
                                       UINT64_C(16172922978634559625),
                                       UINT64_C(8476171486693032832),
                                       UINT64_C(10595114339597558777),
                                       UINT64_C(2904607092377533576)};
    uint64_t state = 1234567;
    for (size_t i = 0; i < sizeof split / sizeof split[0]; i++) {
        ck_assert_uint_eq(wn_splitmix64(&state), split[i]);
    }
    wn_generator generator = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof xoshiro / sizeof xoshiro[0]; i++) {
        ck_assert_uint_eq(wn_generator_next(&generator), xoshiro[i]);
    }
    wn_generator_seed(&generator, 1234567);
    ck_assert_uint_eq(generator.state[0], split[0]);
    ck_assert_uint_eq(generator.state[3], split[3]);
}
END_TEST

/* Draws `text` over `before`, a character a cell ('.': 0), and gives the packed numbers. */
static size_t encode(const char *before, const char *text, uint8_t numbers[256])
{
    wn_cells cells = {0};
    wn_buffer buffer = {0};
    const uint32_t count = (uint32_t)strlen(text);
    wn_cells_resize(&cells, count);
    for (uint32_t at = 0; at < count; at++) {
        wn_cells_put(&cells, at, before[at] == '.' ? 0 : (uint16_t)before[at]);
    }
    wn_cells_write_changes(&cells, &buffer, 1);
    buffer.size = 0;
    for (uint32_t at = 0; at < count; at++) {
        wn_cells_put(&cells, at, text[at] == '.' ? 0 : (uint16_t)text[at]);
    }
    wn_cells_write_changes(&cells, &buffer, 1);
    const size_t size = buffer.size > 2 ? buffer.size - 2 : 0;
    ck_assert_uint_lt(size, 128);
    if (size > 0) {
        memcpy(numbers, buffer.data + 2, size);
    }
    wn_cells_free(&cells);
    wn_buffer_free(&buffer);
    return size;
}

#define SKIP(count) ((count)*4)
#define FILL(count) ((count)*4 + 1)
#define COPY(count) ((count)*4 + 2)

START_TEST(the_operations_for_cells_take_the_fewest_bytes)
{
    static const struct {
        const char *before, *after;
        uint8_t size, numbers[16];
    } cases[] = {
        {"........", "........", 0, {0}},
        {"........", "..a.....", 3, {SKIP(2), COPY(1), 'a'}},
        {"........", "aaaaaaaa", 2, {FILL(8), 'a'}},
        {"........", "abcdefgh", 9, {COPY(8), 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}},
        {"........", "abbc....", 5, {COPY(4), 'a', 'b', 'b', 'c'}},
        {"........", "abbbbbc.", 6, {0}}, /* fill in the middle: its place is not unique */
        {"........", "aaabbbcc", 6, {FILL(3), 'a', FILL(3), 'b', FILL(2), 'c'}},
        {"........", "ab.cd...", 6, {COPY(5), 'a', 'b', 0, 'c', 'd'}}, /* an unchanged cell costs less than an end */
        {"........", "a.......", 2, {COPY(1), 'a'}},
        {"..aa....", "aaaaaa..", 2, {FILL(6), 'a'}}, /* a fill goes over what is the same already */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t numbers[256];
        const size_t size = encode(cases[i].before, cases[i].after, numbers);
        ck_assert_msg(size == cases[i].size, "%s takes %zu bytes", cases[i].after, size);
        if (size > 0 && cases[i].numbers[0]) {
            ck_assert_mem_eq(numbers, cases[i].numbers, size);
        }
    }
}
END_TEST

/* The fewest bytes of any operations that lead from the one to the other, where counts and values take a byte each: for
 * each cell the cheapest way to it that ends with a skip, a fill or a copy. */
static uint32_t fewest_bytes(const char *before, const char *after)
{
    enum { NEVER = 1000 };
    uint32_t skip = 0, fill = NEVER, copy = NEVER, fewest = 0;
    for (size_t at = 0; after[at]; at++) {
        const uint32_t skipped = at == 0 ? NEVER : skip; /* a skip is open only behind a cell */
        const uint32_t cheapest = skip < fill ? (skip < copy ? skip : copy) : fill < copy ? fill : copy;
        const uint32_t anew = cheapest + 2;
        const bool same = at > 0 && after[at] == after[at - 1];
        const uint32_t joined = same && fill < anew ? fill : anew;
        skip = before[at] != after[at] ? NEVER : skipped < cheapest + 1 ? skipped : cheapest + 1;
        copy = copy + 1 < anew ? copy + 1 : anew;
        fill = joined;
        if (before[at] != after[at]) {
            fewest = fill < copy ? fill : copy;
        }
    }
    return fewest;
}

START_TEST(operations_for_random_rows_take_hardly_more_than_the_fewest_bytes)
{
    enum { ROWS = 200000, MOST = 24 };
    uint64_t seed = suite_seed(19720513);
    size_t taken = 0, needed = 0;
    for (int row = 0; row < ROWS; row++) {
        char before[MOST + 1], after[MOST + 1];
        uint8_t numbers[256];
        const uint64_t values = 2 + wn_splitmix64(&seed) % 3, changed = 1 + wn_splitmix64(&seed) % 8;
        const size_t count = 1 + wn_splitmix64(&seed) % MOST;
        for (size_t at = 0; at < count; at++) {
            before[at] = (char)('a' + wn_splitmix64(&seed) % values);
            after[at] = before[at];
            if (wn_splitmix64(&seed) % 8 < changed) {
                after[at] = (char)('a' + wn_splitmix64(&seed) % values);
            }
        }
        before[count] = after[count] = '\0';
        const size_t size = encode(before, after, numbers);
        const uint32_t fewest = fewest_bytes(before, after);
        if (size < fewest || size > fewest + 2) {
            ck_abort_msg("from %s to %s takes %zu bytes, the fewest are %u", before, after, size, fewest);
        }
        taken += size;
        needed += fewest;
    }
    printf("%zu bytes, the fewest are %zu\n", taken, needed);
    ck_assert_uint_le(taken, needed + needed / 100);
}
END_TEST

START_TEST(a_cell_that_changes_back_is_not_sent)
{
    wn_cells cells = {0};
    wn_buffer buffer = {0};
    wn_cells_resize(&cells, 5000);
    wn_cells_put(&cells, 4097, 8);
    wn_cells_put(&cells, 4097, 0);
    wn_cells_write_changes(&cells, &buffer, 1);
    ck_assert_uint_eq(buffer.size, 0);
    wn_cells_free(&cells);
    wn_buffer_free(&buffer);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        the_hash_is_xxh64,
        every_byte_counts_in_the_hash_wherever_it_stands,
        the_generator_gives_the_published_values,
        the_operations_for_cells_take_the_fewest_bytes,
        operations_for_random_rows_take_hardly_more_than_the_fewest_bytes,
        a_cell_that_changes_back_is_not_sent,
    };
    return run_cases("host_pieces", cases, sizeof cases / sizeof cases[0]);
}
