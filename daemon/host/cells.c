/* cells.c: see cells.h.
 *
 * The encoder goes over the changed cells once and writes operations as it goes; only the last one stays open, so that
 * what comes next can lengthen it. Its choices, for operations of less than 32 cells whose values take one byte:
 * - a copy takes in a run of up to two equal cells, and an unchanged cell between two changed ones;
 * - a longer run is a fill, and so is one of two where no copy is open;
 * - what is of one value also goes over unchanged cells of that value, if that saves a skip.
 * On random rows that takes a thousandth more than the fewest bytes there are (tests/unit/host_pieces.c).
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "text.h"

enum { NEAR = 32 }; /* how many unchanged cells are looked at before they are skipped */

static uint32_t words_of(uint32_t bits)
{
    return (bits + 63) / 64;
}

/* Nothing is to be sent any more. */
static void settle(wn_cells *cells)
{
    const uint32_t words = words_of(cells->count);
    if (cells->count > 0) {
        memset(cells->dirty, 0, words * sizeof *cells->dirty);
        memset(cells->groups, 0, words_of(words) * sizeof *cells->groups);
    }
    cells->sent_count = 0;
}

void wn_cells_resize(wn_cells *cells, uint32_t count)
{
    if (count != cells->count) {
        const uint32_t words = words_of(count);
        cells->now = wn_must_resize(cells->now, count * sizeof *cells->now);
        cells->dirty = wn_must_resize(cells->dirty, words * sizeof *cells->dirty);
        cells->groups = wn_must_resize(cells->groups, words_of(words) * sizeof *cells->groups);
        cells->count = count;
    }
    if (count > 0) {
        memset(cells->now, 0, count * sizeof *cells->now);
    }
    settle(cells);
}

void wn_cells_grow(wn_cells *cells, uint32_t at, uint16_t value)
{
    cells->sent_capacity = cells->sent_capacity ? cells->sent_capacity * 2 : 64;
    cells->sent = wn_must_resize(cells->sent, cells->sent_capacity * sizeof *cells->sent);
    cells->sent[cells->sent_count++] = (wn_sent_cell){at, value};
}

void wn_cells_free(wn_cells *cells)
{
    free(cells->now);
    free(cells->dirty);
    free(cells->groups);
    free(cells->sent);
    *cells = (wn_cells){0};
}

/* operations */

/* The operation that is open: on the cells from `from` to `to`, where it may go on. `begin` is the end of the one
 * before: what is between is skipped. All before is written. */
typedef struct wn_encoder {
    const uint16_t *now;
    wn_buffer *buffer;
    uint32_t begin, from, to;
    uint8_t operation; /* WN_CELLS_SKIP: there is none yet */
} wn_encoder;

/* packed: count << 2 | WN_CELLS_SKIP if cells are skipped, then count << 2 | WN_CELLS_FILL and one value, or count << 2
 * | WN_CELLS_COPY and as many */
static void write_operation(wn_encoder *encoder)
{
    const uint32_t count = encoder->to - encoder->from;
    const uint32_t values = encoder->operation == WN_CELLS_COPY ? count : 1;
    const uint16_t *value = encoder->now + encoder->from;
    uint8_t *const start = wn_buffer_reserve(encoder->buffer, 2 * WN_PB_VARINT_MAX + 3 * (size_t)values);
    uint8_t *end = start;
    if (encoder->from > encoder->begin) {
        end = wn_pb_put(end, (uint64_t)(encoder->from - encoder->begin) << 2 | WN_CELLS_SKIP);
    }
    end = wn_pb_put(end, (uint64_t)count << 2 | encoder->operation);
    for (uint32_t i = 0; i < values; i++) {
        end = wn_pb_put(end, value[i]);
    }
    encoder->buffer->size += (size_t)(end - start);
}

static void close_operation(wn_encoder *encoder)
{
    if (encoder->operation != WN_CELLS_SKIP) {
        write_operation(encoder);
    }
}

static void open_operation(wn_encoder *encoder, uint8_t operation, uint32_t from, uint32_t to)
{
    close_operation(encoder);
    encoder->operation = operation;
    encoder->begin = encoder->to;
    encoder->from = from;
    encoder->to = to;
}

/* From the end of the open operation to a changed cell at `at`, near, over cells that are unchanged: lengthens the
 * operation if that reaches it. Returns where the next operation has to begin. */
static uint32_t cross(wn_encoder *encoder, uint32_t at)
{
    const uint16_t *now = encoder->now;
    const bool one_value = encoder->operation == WN_CELLS_FILL ||
                           (encoder->operation == WN_CELLS_COPY && encoder->to - encoder->from == 1);
    uint32_t end = encoder->to, begin = at;
    while (one_value && end < at && now[end] == now[encoder->from]) {
        end++;
    }
    while (begin > end && now[begin - 1] == now[at]) {
        begin--;
    }
    if (begin == end) {
        encoder->operation = end > encoder->to ? WN_CELLS_FILL : encoder->operation;
        encoder->to = end;
        return begin;
    }
    if (encoder->operation == WN_CELLS_COPY && at - encoder->to == 1 && now[encoder->to] < 0x80) {
        encoder->to = at;
    }
    return at;
}

/* Cells from `at` to `end` that have one value: the first and the last of them have changed. */
static void add_run(wn_encoder *encoder, uint32_t at, uint32_t end)
{
    const uint16_t value = encoder->now[at];
    if (at > encoder->to && at - encoder->to <= NEAR) {
        at = cross(encoder, at);
    }
    const uint32_t count = end - at;
    const bool joins =
        at == encoder->to && (encoder->operation == WN_CELLS_COPY   ? count == 1 || (count == 2 && value < 0x80)
                              : encoder->operation == WN_CELLS_FILL ? encoder->now[encoder->from] == value
                                                                    : false);
    if (joins) {
        encoder->to = end;
    } else {
        open_operation(encoder, count == 1 ? WN_CELLS_COPY : WN_CELLS_FILL, at, end);
    }
}

/* Do the cells from `at` up to and including `last` have one value? Only those near are looked at. */
static bool are_equal(const uint16_t *now, uint32_t at, uint32_t last)
{
    if (now[at] != now[last] || last - at > NEAR) {
        return false;
    }
    while (++at < last) {
        if (now[at] != now[last]) {
            return false;
        }
    }
    return true;
}

/* Cells that were drawn back to what was sent are not dirty any more. */
static void drop_unchanged(wn_cells *cells)
{
    for (uint32_t i = 0; i < cells->sent_count; i++) {
        const uint32_t at = cells->sent[i].at;
        if (cells->now[at] == cells->sent[i].value) {
            cells->dirty[at >> 6] &= ~(UINT64_C(1) << (at & 63));
        }
    }
    cells->sent_count = 0;
}

/* The dirty cells, which count as sent afterwards. */
static void add_changes(wn_cells *cells, wn_encoder *encoder)
{
    const uint32_t groups = words_of(words_of(cells->count));
    uint32_t run = 0, end = 0; /* of the changed cells that were found last */
    for (uint32_t group = 0; group < groups; group++) {
        for (uint64_t words = cells->groups[group]; words; words &= words - 1) {
            const uint32_t word = group * 64 + (uint32_t)__builtin_ctzll(words);
            for (uint64_t bits = cells->dirty[word]; bits; bits &= bits - 1) {
                const uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(bits);
                if (end == 0 || !are_equal(cells->now, end - 1, at)) {
                    if (end > 0) {
                        add_run(encoder, run, end);
                    }
                    run = at;
                }
                end = at + 1;
            }
            cells->dirty[word] = 0;
        }
        cells->groups[group] = 0;
    }
    if (end > 0) {
        add_run(encoder, run, end);
    }
}

/* The cells that are not 0. */
static void add_all(const wn_cells *cells, wn_encoder *encoder)
{
    const uint16_t *now = cells->now;
    for (uint32_t at = 0, end; at < cells->count; at = end) {
        for (end = at + 1; end < cells->count && now[end] == now[at];) {
            end++;
        }
        if (now[at] != 0) {
            add_run(encoder, at, end);
        }
    }
}

void wn_cells_write_changes(wn_cells *cells, wn_buffer *buffer, uint32_t field)
{
    const size_t before = buffer->size;
    const size_t mark = wn_pb_begin(buffer, field);
    wn_encoder encoder = {.now = cells->now, .buffer = buffer};
    drop_unchanged(cells);
    add_changes(cells, &encoder);
    close_operation(&encoder);
    if (buffer->size == mark) {
        buffer->size = before;
        return;
    }
    wn_pb_end(buffer, mark);
}

void wn_cells_write_all(wn_cells *cells, wn_buffer *buffer, uint32_t field)
{
    const size_t before = buffer->size;
    const size_t mark = wn_pb_begin(buffer, field);
    wn_encoder encoder = {.now = cells->now, .buffer = buffer};
    add_all(cells, &encoder);
    close_operation(&encoder);
    if (buffer->size == mark) {
        buffer->size = before;
    } else {
        wn_pb_end(buffer, mark);
    }
    settle(cells);
}
