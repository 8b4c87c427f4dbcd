/* cells.c: see cells.h.
 *
 * The encoder goes over the changed cells once and makes segments of them and of the gaps between. Which operation
 * (skip, fill, copy) each segment takes is found by dynamic programming over the three, which gives the fewest bytes
 * but for two simplifications: an operation's count is weighed by its first segment, and a gap of more than NEAR cells
 * is always skipped.
 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "pb.h"
#include "text.h"

enum { SKIP, FILL, COPY, OPERATIONS };
enum { CHANGED, UNCHANGED, FAR };
enum { NEAR = 32, NEVER = 1 << 29 };

void wn_segments_free(wn_segments *segments)
{
    free(segments->list);
    *segments = (wn_segments){0};
}

static uint32_t words_of(uint32_t bits)
{
    return (bits + 63) / 64;
}

void wn_cells_resize(wn_cells *cells, uint32_t count)
{
    const uint32_t words = words_of(count);
    const uint32_t groups = words_of(words);
    if (count != cells->count) {
        cells->now = wn_must_resize(cells->now, count * sizeof *cells->now);
        cells->sent = wn_must_resize(cells->sent, count * sizeof *cells->sent);
        cells->dirty = wn_must_resize(cells->dirty, words * sizeof *cells->dirty);
        cells->groups = wn_must_resize(cells->groups, groups * sizeof *cells->groups);
        cells->count = count;
    }
    if (count > 0) {
        memset(cells->now, 0, count * sizeof *cells->now);
        memset(cells->sent, 0, count * sizeof *cells->sent);
        memset(cells->dirty, 0, words * sizeof *cells->dirty);
        memset(cells->groups, 0, groups * sizeof *cells->groups);
    }
}

void wn_cells_free(wn_cells *cells)
{
    free(cells->now);
    free(cells->sent);
    free(cells->dirty);
    free(cells->groups);
    *cells = (wn_cells){0};
}

/* segments */

static void add_segment(wn_segments *segments, uint8_t kind, uint16_t value, uint32_t count)
{
    if (segments->count > 0) {
        wn_segment *last = &segments->list[segments->count - 1];
        if (last->kind == kind && last->value == value) {
            last->count += count;
            return;
        }
    }
    if (segments->count == segments->capacity) {
        segments->capacity = segments->capacity ? segments->capacity * 2 : 64;
        segments->list = wn_must_resize(segments->list, segments->capacity * sizeof *segments->list);
    }
    segments->list[segments->count++] = (wn_segment){.count = count, .value = value, .kind = kind};
}

/* How many cells from `at` on, before `end`, have one value. */
static uint32_t run_length(const uint16_t *now, uint32_t at, uint32_t end)
{
    uint32_t next = at + 1;
    while (next < end && now[next] == now[at]) {
        next++;
    }
    return next - at;
}

/* The next `count` changed cells, of one value; those between them and the last ones are unchanged. */
static void add_changed(wn_segments *segments, const uint16_t *now, uint32_t at, uint32_t count)
{
    if (at - segments->end > NEAR) {
        add_segment(segments, FAR, 0, at - segments->end);
    } else {
        for (uint32_t i = segments->end; i < at;) {
            const uint32_t run = run_length(now, i, at);
            add_segment(segments, UNCHANGED, now[i], run);
            i += run;
        }
    }
    add_segment(segments, CHANGED, now[at], count);
    segments->end = at + count;
}

/* Segments of the cells that are dirty and differ from what was sent; they count as sent afterwards. */
static void collect_changes(wn_cells *cells, wn_segments *segments)
{
    const uint32_t groups = words_of(words_of(cells->count));
    for (uint32_t group = 0; group < groups; group++) {
        for (uint64_t words = cells->groups[group]; words; words &= words - 1) {
            const uint32_t word = group * 64 + (uint32_t)__builtin_ctzll(words);
            for (uint64_t bits = cells->dirty[word]; bits; bits &= bits - 1) {
                const uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(bits);
                if (cells->now[at] != cells->sent[at]) {
                    add_changed(segments, cells->now, at, 1);
                    cells->sent[at] = cells->now[at];
                }
            }
            cells->dirty[word] = 0;
        }
        cells->groups[group] = 0;
    }
}

/* Segments of the cells that are not 0. */
static void collect_all(wn_cells *cells, wn_segments *segments)
{
    for (uint32_t at = 0; at < cells->count;) {
        const uint32_t run = run_length(cells->now, at, cells->count);
        if (cells->now[at] != 0) {
            add_changed(segments, cells->now, at, run);
        }
        at += run;
    }
}

/* operations */

static uint32_t bytes_of(uint32_t number)
{
    return number < 1u << 7 ? 1 : number < 1u << 14 ? 2 : number < 1u << 21 ? 3 : 4;
}

static uint8_t cheapest_of(const uint32_t costs[OPERATIONS])
{
    const uint8_t best = costs[FILL] <= costs[COPY] ? FILL : COPY;
    return costs[SKIP] < costs[best] ? SKIP : best;
}

/* From the costs of the cheapest ways to the segment before, by their last operation, to those to this one: going on
 * with the same operation where that is possible, or beginning one after the cheapest way. */
static void step(const wn_segment *before, wn_segment *segment, uint32_t costs[OPERATIONS])
{
    const uint32_t head = bytes_of(segment->count * 4);
    const uint32_t cell = bytes_of(segment->value);
    const uint8_t cheapest = cheapest_of(costs);
    const uint32_t begun = costs[cheapest] + head;
    const bool same = before && before->value == segment->value;
    const uint32_t joined[OPERATIONS] = {costs[SKIP], same ? costs[FILL] : NEVER, costs[COPY] + segment->count * cell};
    const uint32_t anew[OPERATIONS] = {begun, begun + cell, begun + segment->count * cell};
    for (uint8_t operation = 0; operation < OPERATIONS; operation++) {
        const bool join = joined[operation] <= anew[operation];
        const bool possible = operation == SKIP ? segment->kind != CHANGED : segment->kind != FAR;
        costs[operation] = possible ? (join ? joined[operation] : anew[operation]) : NEVER;
        segment->from[operation] = join ? operation : cheapest;
    }
}

/* Chooses each segment's operation. */
static void choose(wn_segments *segments)
{
    uint32_t costs[OPERATIONS] = {NEVER, 0, NEVER}; /* nothing to go on with: a fill needs one of the same value */
    for (uint32_t i = 0; i < segments->count; i++) {
        step(i > 0 ? &segments->list[i - 1] : NULL, &segments->list[i], costs);
    }
    uint8_t last = cheapest_of(costs);
    for (uint32_t i = segments->count; i-- > 0;) {
        segments->list[i].chosen = last;
        last = segments->list[i].from[last];
    }
}

static bool goes_on(const wn_segment *segment, const wn_segment *next)
{
    return next->chosen == segment->chosen && (segment->chosen != FILL || next->value == segment->value);
}

/* One operation over `count` cells from `at`. */
static void write_operation(const uint16_t *now, uint8_t operation, uint32_t at, uint32_t count, wn_buffer *buffer)
{
    const size_t values = operation == COPY ? count : operation == FILL;
    uint8_t *start = wn_buffer_reserve(buffer, WN_PB_VARINT_MAX + 3 * values);
    uint8_t *end = wn_pb_put(start, (uint64_t)count << 2 | operation);
    for (size_t i = 0; i < values; i++) {
        end = wn_pb_put(end, now[at + i]);
    }
    buffer->size += (size_t)(end - start);
}

static void write_segments(const uint16_t *now, wn_segments *segments, wn_buffer *buffer, uint32_t field)
{
    if (segments->count == 0) {
        return;
    }
    choose(segments);
    const size_t mark = wn_pb_begin(buffer, field);
    uint32_t at = 0;
    for (uint32_t i = 0; i < segments->count;) {
        const wn_segment *first = &segments->list[i];
        uint32_t count = first->count;
        while (++i < segments->count && goes_on(first, &segments->list[i])) {
            count += segments->list[i].count;
        }
        write_operation(now, first->chosen, at, count, buffer);
        at += count;
    }
    wn_pb_end(buffer, mark);
}

static void begin_segments(wn_segments *segments)
{
    segments->count = 0;
    segments->end = 0;
}

void wn_cells_write_changes(wn_cells *cells, wn_segments *segments, wn_buffer *buffer, uint32_t field)
{
    begin_segments(segments);
    collect_changes(cells, segments);
    write_segments(cells->now, segments, buffer, field);
}

void wn_cells_write_all(wn_cells *cells, wn_segments *segments, wn_buffer *buffer, uint32_t field)
{
    begin_segments(segments);
    collect_all(cells, segments);
    write_segments(cells->now, segments, buffer, field);
    if (cells->count > 0) {
        const uint32_t words = words_of(cells->count);
        memcpy(cells->sent, cells->now, cells->count * sizeof *cells->sent);
        memset(cells->dirty, 0, words * sizeof *cells->dirty);
        memset(cells->groups, 0, words_of(words) * sizeof *cells->groups);
    }
}
