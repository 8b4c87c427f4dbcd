/* warren/sight.h: what can be seen from a cell of a map: a line of sight for whoever writes a mode and wants one. It
 * stands on its own: it needs neither warren/mode.h nor anything to link, keeps nothing and allocates nothing.
 *
 *     struct wn_sight sight = {width, height, wn_sight_stride(width), opaque, visible, 0, 0, 0, 0};
 *     wn_sight_look(&sight, x, y, 0);
 *     if (wn_sight_sees(&sight, other_x, other_y)) ...
 *
 * A map is rows of bits, 64 cells a word, as for `opaque`: 1 where nothing can be seen through. `visible` is the same,
 * and is filled in: all zero at first, then left to this header. Both are the caller's; many seats can share one
 * `opaque`.
 *
 * The rule is symmetric shadow casting (Albert Ford, https://www.albertford.com/shadowcasting/): between cells that are
 * not opaque, who sees is seen. An opaque cell is visible where any part of it is. The map's edge is opaque.
 *
 * How it is fast: a quarter of the map is scanned line by line, outwards. What can be seen in a line is a list of
 * beams, each between two slopes; a beam looks at 64 cells in one word, and is split where something opaque is in it.
 * How far a slope has come is carried from line to line by one addition, as a whole number and a rest, so there is
 * neither division nor rounding. A look costs what is visible, not the size of the map.
 *
 * C17 and C++17.
 */
#ifndef WARREN_SIGHT_H
#define WARREN_SIGHT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WN_SIGHT_MAX_SIDE = 1024 }; /* width and height of a map; a look at the largest takes 32 KiB of stack */

struct wn_sight {
    uint32_t width, height;
    uint32_t stride; /* words of a row, at least wn_sight_stride(width) */
    const uint64_t *opaque;
    uint64_t *visible;
    int32_t left, top, right, bottom; /* of a box that holds all that is visible: itself included */
};

/* Words that hold a row. */
static inline uint32_t wn_sight_stride(uint32_t width)
{
    return (width + 63) / 64;
}

/* Whether the last look showed a cell of the map. */
static inline bool wn_sight_sees(const struct wn_sight *sight, int32_t x, int32_t y)
{
    return (sight->visible[(uint32_t)y * sight->stride + ((uint32_t)x >> 6)] >> (x & 63) & 1) != 0;
}

/* Nothing is visible any more. */
static inline void wn_sight_close(struct wn_sight *sight)
{
    for (int32_t y = sight->top; y <= sight->bottom; y++) {
        uint64_t *row = sight->visible + (uint32_t)y * sight->stride;
        for (int32_t word = sight->left >> 6; word <= sight->right >> 6; word++) {
            row[word] = 0;
        }
    }
    sight->left = sight->top = sight->right = sight->bottom = 0;
}

/* from here on: how it is done */

/* A slope, and where it is in the line at hand: the columns it has come, floor + rest / under, grow by over / under
 * from line to line. 0 <= rest < under, and |over| <= under. */
struct wn_sight_edge {
    int16_t floor, rest, over, under;
};

/* What can be seen between two slopes. Both count as seen through; there is always something between them. */
struct wn_sight_beam {
    struct wn_sight_edge from, to;
};

/* A quarter of the map as lines of cells, seen from the middle: north or south of it rows, west or east of it columns.
 */
struct wn_sight_quarter {
    struct wn_sight *sight;
    int32_t x, y;    /* the middle */
    int32_t outward; /* 1 or -1 */
    bool columns;
};

static inline uint32_t wn_sight_first_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t first = 0;
    while ((bits >> first & 1) == 0) {
        first++;
    }
    return first;
#endif
}

/* Bits first .. last, of those that a word has. */
static inline uint64_t wn_sight_bits(int32_t first, int32_t last)
{
    if (first > 63 || last < first || last < 0) {
        return 0;
    }
    const uint64_t up_to = last < 63 ? (UINT64_C(2) << last) - 1 : UINT64_MAX;
    return first > 0 ? up_to & UINT64_MAX << first : up_to;
}

/* The edge between the columns before and at `column`, of the line at hand. */
static inline struct wn_sight_edge wn_sight_edge_before(int32_t column, int32_t line)
{
    struct wn_sight_edge edge;
    edge.floor = (int16_t)(column - 1);
    edge.rest = (int16_t)line;
    edge.over = (int16_t)(2 * column - 1);
    edge.under = (int16_t)(2 * line);
    return edge;
}

static inline void wn_sight_advance(struct wn_sight_edge *edge)
{
    int32_t rest = edge->rest + edge->over, floor = edge->floor;
    if (rest < 0) {
        rest += edge->under;
        floor--;
    } else if (rest >= edge->under) {
        rest -= edge->under;
        floor++;
    }
    edge->rest = (int16_t)rest;
    edge->floor = (int16_t)floor;
}

/* What is opaque of `count` cells, at most 64, from `across` on, in the line that is so far out. Bits beyond those are
 * of any value. */
static inline uint64_t wn_sight_fetch(const struct wn_sight_quarter *quarter, int32_t line, int32_t across,
                                      int32_t count)
{
    const struct wn_sight *sight = quarter->sight;
    const uint32_t bit = (uint32_t)(quarter->columns ? line : across) & 63;
    if (!quarter->columns) {
        const uint64_t *words = sight->opaque + (uint32_t)line * sight->stride + ((uint32_t)across >> 6);
        return words[0] >> bit | (bit + (uint32_t)count > 64 ? words[1] << (64 - bit) : 0);
    }
    const uint64_t *word = sight->opaque + (uint32_t)across * sight->stride + ((uint32_t)line >> 6);
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i++, word += sight->stride) {
        bits |= (*word >> bit & 1) << i;
    }
    return bits;
}

/* The other way: shows the cells whose bits are set. */
static inline void wn_sight_show(const struct wn_sight_quarter *quarter, int32_t line, int32_t across, int32_t count,
                                 uint64_t bits)
{
    const struct wn_sight *sight = quarter->sight;
    const uint32_t bit = (uint32_t)(quarter->columns ? line : across) & 63;
    if (!quarter->columns) {
        uint64_t *words = sight->visible + (uint32_t)line * sight->stride + ((uint32_t)across >> 6);
        words[0] |= bits << bit;
        if (bit + (uint32_t)count > 64) {
            words[1] |= bits >> (64 - bit);
        }
        return;
    }
    uint64_t *word = sight->visible + (uint32_t)across * sight->stride + ((uint32_t)line >> 6);
    for (int32_t i = 0; i < count; i++, word += sight->stride) {
        *word |= (bits >> i & 1) << bit;
    }
}

/* The cells of the line at hand that a beam is in with any part of theirs, of those from `first` to `last`. */
static inline void wn_sight_clip(const struct wn_sight_beam *beam, int32_t *first, int32_t *last)
{
    const int32_t begin = beam->from.floor + (2 * beam->from.rest >= beam->from.under);
    const int32_t end = beam->to.floor + (2 * beam->to.rest > beam->to.under);
    *first = *first > begin ? *first : begin;
    *last = *last < end ? *last : end;
}

/* Shows what a beam meets in the columns first .. last of a line, `depth` lines out, and puts into `next` the beams
 * that go on behind it. Their number. */
static inline uint32_t wn_sight_scan(const struct wn_sight_quarter *quarter, const struct wn_sight_beam *beam,
                                     int32_t depth, int32_t first, int32_t last, struct wn_sight_beam *next)
{
    const int32_t middle = quarter->columns ? quarter->y : quarter->x;
    const int32_t line = (quarter->columns ? quarter->x : quarter->y) + quarter->outward * depth;
    /* What is not opaque is shown if its middle is in the beam. */
    const int32_t first_middle = beam->from.floor + (beam->from.rest > 0), last_middle = beam->to.floor;
    uint32_t beams = 0;
    bool open = false; /* a beam goes on that began in an earlier word */
    for (int32_t at = first; at <= last; at += 64) {
        const int32_t count = last - at < 63 ? last - at + 1 : 64;
        const uint64_t all = wn_sight_bits(0, count - 1);
        const uint64_t opaque = wn_sight_fetch(quarter, line, middle + at, count) & all;
        wn_sight_show(quarter, line, middle + at, count,
                      (opaque | wn_sight_bits(first_middle - at, last_middle - at)) & all);
        uint64_t clear = ~opaque & all;
        if (open && (clear & 1) == 0) {
            next[beams++].to = wn_sight_edge_before(at, depth);
            open = false;
        }
        while (clear != 0) {
            const uint32_t begin = wn_sight_first_bit(clear);
            const uint64_t carried = clear + (UINT64_C(1) << begin); /* the lowest run of ones becomes one behind it */
            const int32_t end = carried != 0 ? (int32_t)wn_sight_first_bit(carried) : 64;
            if (!open) {
                next[beams].from =
                    at + (int32_t)begin == first ? beam->from : wn_sight_edge_before(at + (int32_t)begin, depth);
            }
            open = end >= count;
            if (!open) {
                next[beams++].to = wn_sight_edge_before(at + end, depth);
            }
            clear &= carried;
        }
    }
    if (open) {
        next[beams++].to = beam->to;
    }
    return beams;
}

/* The box grows to hold the cells first .. last of a line. */
static inline void wn_sight_extend(const struct wn_sight_quarter *quarter, int32_t line, int32_t first, int32_t last)
{
    struct wn_sight *sight = quarter->sight;
    const int32_t left = quarter->columns ? line : first, right = quarter->columns ? line : last;
    const int32_t top = quarter->columns ? first : line, bottom = quarter->columns ? last : line;
    sight->left = sight->left < left ? sight->left : left;
    sight->right = sight->right > right ? sight->right : right;
    sight->top = sight->top < top ? sight->top : top;
    sight->bottom = sight->bottom > bottom ? sight->bottom : bottom;
}

/* `limit`: the square of the distance that is seen, 0: without end. Beams of one line have each a cell of their own in
 * the map, so there are never more than it has cells in a line. */
static inline void wn_sight_look_into(const struct wn_sight_quarter *quarter, uint32_t radius, uint32_t limit)
{
    struct wn_sight_beam lists[2][WN_SIGHT_MAX_SIDE];
    struct wn_sight *sight = quarter->sight;
    const int32_t width = (int32_t)sight->width, height = (int32_t)sight->height;
    const int32_t middle = quarter->columns ? quarter->y : quarter->x;
    const int32_t start = quarter->columns ? quarter->x : quarter->y;
    const int32_t across = quarter->columns ? height : width, lines = quarter->columns ? width : height;
    const int32_t lines_left = quarter->outward > 0 ? lines - 1 - start : start;
    const int32_t depths = limit != 0 && (int32_t)radius < lines_left ? (int32_t)radius : lines_left;
    int32_t least = -middle, most = across - 1 - middle, reach = (int32_t)radius;
    uint32_t count = 1, from = 0;
    struct wn_sight_beam *beam = lists[0];
    beam->from.floor = beam->from.rest = beam->to.floor = beam->to.rest = 0;
    beam->from.over = -1;
    beam->to.over = beam->from.under = beam->to.under = 1;
    for (int32_t depth = 1; depth <= depths && count > 0; depth++) {
        if (limit != 0) {
            while ((uint32_t)(reach * reach + depth * depth) > limit) {
                reach--;
            }
            least = least > -reach ? least : -reach;
            most = most < reach ? most : reach;
        }
        struct wn_sight_beam *next = lists[from ^ 1];
        uint32_t found = 0;
        int32_t left = most, right = least; /* of what is looked at */
        for (uint32_t i = 0; i < count; i++) {
            int32_t first = least, last = most; /* what they cut off is as far out in every line that follows */
            beam = &lists[from][i];
            wn_sight_advance(&beam->from);
            wn_sight_advance(&beam->to);
            wn_sight_clip(beam, &first, &last);
            if (first <= last) {
                found += wn_sight_scan(quarter, beam, depth, first, last, next + found);
                left = left < first ? left : first;
                right = right > last ? right : last;
            }
        }
        if (left <= right) {
            wn_sight_extend(quarter, start + quarter->outward * depth, middle + left, middle + right);
        }
        from ^= 1;
        count = found;
    }
}

/* Looks around from a cell of the map: `visible` becomes what can be seen from there, the cell itself always. With a
 * radius only what is at most that far away is seen, as the crow flies, to the next half cell; 0: as far as can be. It
 * does nothing where the cell is not on the map, or a side of the map is longer than WN_SIGHT_MAX_SIDE. */
static inline void wn_sight_look(struct wn_sight *sight, int32_t x, int32_t y, uint32_t radius)
{
    if ((uint32_t)x >= sight->width || (uint32_t)y >= sight->height || sight->width > WN_SIGHT_MAX_SIDE ||
        sight->height > WN_SIGHT_MAX_SIDE) {
        return;
    }
    wn_sight_close(sight);
    sight->left = sight->right = x;
    sight->top = sight->bottom = y;
    sight->visible[(uint32_t)y * sight->stride + ((uint32_t)x >> 6)] |= UINT64_C(1) << (x & 63);
    /* From so far away the whole of the largest map is seen. */
    const uint32_t limit = radius < 2 * WN_SIGHT_MAX_SIDE ? radius * radius + radius : 0;
    const struct wn_sight_quarter quarters[4] = {
        {sight, x, y, -1, false}, {sight, x, y, 1, false}, {sight, x, y, -1, true}, {sight, x, y, 1, true}};
    for (int i = 0; i < 4; i++) {
        wn_sight_look_into(&quarters[i], radius, limit);
    }
}

#ifdef __cplusplus
}
#endif

#endif
