/* sight.c: tests of warren/sight.h: what is seen from a cell, against an oracle that follows each line of sight by
 * itself.
 */
#include <warren/sight.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { SIGHT_SEED = 20200315 }; /* without WARREN_SEED */

/* maps */

static struct wn_sight map_new(uint32_t width, uint32_t height)
{
    const uint32_t stride = wn_sight_stride(width);
    uint64_t *opaque = calloc((size_t)stride * height, sizeof *opaque);
    uint64_t *visible = calloc((size_t)stride * height, sizeof *visible);
    REQUIRE(opaque != NULL && visible != NULL);
    return (struct wn_sight){width, height, stride, opaque, visible, 0, 0, 0, 0};
}

static void map_free(struct wn_sight *map)
{
    free((void *)map->opaque);
    free(map->visible);
}

static void set_opaque(struct wn_sight *map, int32_t x, int32_t y)
{
    uint64_t *opaque = (uint64_t *)map->opaque;
    opaque[(uint32_t)y * map->stride + (uint32_t)x / 64] |= UINT64_C(1) << (x % 64);
}

/* Outside of the map as well. */
static bool is_opaque(const struct wn_sight *map, int32_t x, int32_t y)
{
    if (x < 0 || y < 0 || x >= (int32_t)map->width || y >= (int32_t)map->height) {
        return true;
    }
    return (map->opaque[(uint32_t)y * map->stride + (uint32_t)x / 64] >> (x % 64) & 1) != 0;
}

/* So many of 100 cells are opaque, alone or in blocks; the bits behind the last column are what they may be. */
static struct wn_sight random_map(uint64_t *seed, uint32_t width, uint32_t height)
{
    struct wn_sight map = map_new(width, height);
    const uint32_t percent = suite_random(seed, 60), size = 1 + suite_random(seed, 3);
    for (int32_t y = 0; y < (int32_t)height; y++) {
        for (int32_t x = 0; x < (int32_t)width; x++) {
            if (suite_random(seed, 100 * size * size) < percent) {
                for (uint32_t i = 0; i < size * size; i++) {
                    const int32_t at_x = x + (int32_t)(i % size), at_y = y + (int32_t)(i / size);
                    if (!is_opaque(&map, at_x, at_y)) {
                        set_opaque(&map, at_x, at_y);
                    }
                }
            }
        }
        if (width % 64 != 0) {
            ((uint64_t *)map.opaque)[(uint32_t)y * map.stride + map.stride - 1] |= suite_random64(seed) << width % 64;
        }
    }
    return map;
}

/* the oracle */

/* A quarter's coordinates: `out` lines outwards, `across` to the side. */
static bool is_opaque_in(const struct wn_sight *map, int32_t x, int32_t y, int quarter, int32_t out, int32_t across)
{
    static const int32_t step_x[] = {0, 0, 1, -1}, step_y[] = {-1, 1, 0, 0};
    return is_opaque(map, x + step_x[quarter] * out + (quarter < 2 ? across : 0),
                     y + step_y[quarter] * out + (quarter < 2 ? 0 : across));
}

static int32_t floor_division(int32_t a, int32_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

/* Whether a line of slope over / under gets as far as line `out`; where it runs between two cells it is taken to be a
 * bit to that side (1 or -1). */
static bool gets_to(const struct wn_sight *map, int32_t x, int32_t y, int quarter, int32_t out, int32_t over,
                    int32_t under, int32_t side)
{
    for (int32_t i = 1; i < out; i++) {
        /* The nearest whole number to i * over / under. */
        const int32_t across = side > 0 ? floor_division(2 * i * over + under, 2 * under)
                                        : -floor_division(-2 * i * over + under, 2 * under);
        if (is_opaque_in(map, x, y, quarter, i, across)) {
            return false;
        }
    }
    return true;
}

/* What is seen through is visible if the line to its middle passes all that is before it, on the one side or the other.
 */
static bool sees_clear(const struct wn_sight *map, int32_t x, int32_t y, int quarter, int32_t out, int32_t across)
{
    return gets_to(map, x, y, quarter, out, across, out, 1) || gets_to(map, x, y, quarter, out, across, out, -1);
}

struct slope {
    int32_t over, under;
};

static int compare_slopes(const void *one, const void *other)
{
    const struct slope *a = one, *b = other;
    const int64_t difference = (int64_t)a->over * b->under - (int64_t)b->over * a->under;
    return (difference > 0) - (difference < 0);
}

/* What is opaque is visible if any line to it passes. Whether one does changes only where it runs between two cells of
 * a line: so one between each two such slopes is tried. */
static bool sees_opaque(const struct wn_sight *map, int32_t x, int32_t y, int quarter, int32_t out, int32_t across)
{
    struct slope slopes[4096];
    size_t count = 0;
    const struct slope ends[] = {{2 * across - 1, 2 * out}, {2 * across + 1, 2 * out}, {-1, 1}, {1, 1}};
    for (int32_t i = 1; i < out; i++) {
        for (int32_t column = -i; column <= i + 1; column++) {
            slopes[count++] = (struct slope){2 * column - 1, 2 * i};
            REQUIRE(count < 4000);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        slopes[count++] = ends[i];
    }
    qsort(slopes, count, sizeof *slopes, compare_slopes);
    for (size_t i = 1; i < count; i++) {
        const struct slope *a = &slopes[i - 1], *b = &slopes[i];
        const bool in_cell = compare_slopes(&ends[0], a) <= 0 && compare_slopes(b, &ends[1]) <= 0;
        const bool in_quarter = compare_slopes(&ends[2], a) <= 0 && compare_slopes(b, &ends[3]) <= 0;
        if (in_cell && in_quarter && compare_slopes(a, b) < 0 &&
            gets_to(map, x, y, quarter, out, a->over + b->over, a->under + b->under, 1)) {
            return true;
        }
    }
    return false;
}

static bool oracle_sees(const struct wn_sight *map, int32_t x, int32_t y, int32_t to_x, int32_t to_y, uint32_t radius)
{
    const int32_t dx = to_x - x, dy = to_y - y;
    if (radius > 0 && (uint32_t)(dx * dx + dy * dy) > radius * radius + radius) {
        return false;
    }
    if (dx == 0 && dy == 0) {
        return true;
    }
    const int32_t outs[] = {-dy, dy, dx, -dx}, acrosses[] = {dx, dx, dy, dy};
    for (int quarter = 0; quarter < 4; quarter++) {
        if (outs[quarter] < abs(acrosses[quarter])) {
            continue;
        }
        if (is_opaque(map, to_x, to_y) ? sees_opaque(map, x, y, quarter, outs[quarter], acrosses[quarter])
                                       : sees_clear(map, x, y, quarter, outs[quarter], acrosses[quarter])) {
            return true;
        }
    }
    return false;
}

static void compare_with_oracle(struct wn_sight *map, int32_t x, int32_t y, uint32_t radius)
{
    wn_sight_look(map, x, y, radius);
    for (int32_t to_y = 0; to_y < (int32_t)map->height; to_y++) {
        for (int32_t to_x = 0; to_x < (int32_t)map->width; to_x++) {
            const bool is = wn_sight_sees(map, to_x, to_y);
            if (is != oracle_sees(map, x, y, to_x, to_y, radius)) {
                ck_abort_msg("%ux%u, radius %u, from %d,%d: %d,%d is %svisible", map->width, map->height, radius, x, y,
                             to_x, to_y, is ? "" : "not ");
            }
            REQUIRE(!is || (to_x >= map->left && to_x <= map->right && to_y >= map->top && to_y <= map->bottom));
        }
        for (uint32_t bit = map->width; bit < map->stride * 64; bit++) {
            REQUIRE((map->visible[(uint32_t)to_y * map->stride + bit / 64] >> bit % 64 & 1) == 0);
        }
    }
}

START_TEST(a_look_equals_the_oracle_on_small_maps)
{
    uint64_t seed = suite_seed(SIGHT_SEED);
    for (int i = 0; i < 1500; i++) {
        const uint32_t width = 1 + suite_random(&seed, 20), height = 1 + suite_random(&seed, 16);
        struct wn_sight map = random_map(&seed, width, height);
        for (int look = 0; look < 3; look++) { /* one after another in the same map */
            compare_with_oracle(&map, (int32_t)suite_random(&seed, width), (int32_t)suite_random(&seed, height),
                                look == 0 ? 0 : suite_random(&seed, 12));
        }
        map_free(&map);
    }
}
END_TEST

/* Long in one direction, so that beams cross words, few of them and with gaps at words' ends. */
START_TEST(a_look_equals_the_oracle_across_words)
{
    uint64_t seed = suite_seed(SIGHT_SEED);
    for (int i = 0; i < 60; i++) {
        const uint32_t length = 60 + suite_random(&seed, 140), other = 1 + suite_random(&seed, 40);
        struct wn_sight map = map_new(i % 2 == 0 ? length : other, i % 2 == 0 ? other : length);
        for (uint32_t walls = suite_random(&seed, 40); walls > 0; walls--) {
            set_opaque(&map, (int32_t)suite_random(&seed, map.width), (int32_t)suite_random(&seed, map.height));
        }
        wn_sight_look(&map, (int32_t)suite_random(&seed, map.width), (int32_t)suite_random(&seed, map.height), 0);
        const int32_t x = (int32_t)suite_random(&seed, map.width), y = (int32_t)suite_random(&seed, map.height);
        wn_sight_look(&map, x, y, 0);
        for (int probe = 0; probe < 400; probe++) {
            const int32_t to_x = (int32_t)suite_random(&seed, map.width),
                          to_y = (int32_t)suite_random(&seed, map.height);
            if (!is_opaque(&map, to_x, to_y) || (abs(to_x - x) < 40 && abs(to_y - y) < 40)) {
                REQUIRE(wn_sight_sees(&map, to_x, to_y) == oracle_sees(&map, x, y, to_x, to_y, 0));
            }
        }
        map_free(&map);
    }
}
END_TEST

START_TEST(who_sees_is_seen)
{
    uint64_t seed = suite_seed(SIGHT_SEED);
    for (int i = 0; i < 200; i++) {
        struct wn_sight map = random_map(&seed, 2 + suite_random(&seed, 150), 2 + suite_random(&seed, 50));
        const uint32_t radius = i % 2 == 0 ? 0 : 1 + suite_random(&seed, 40);
        struct wn_sight back = map;
        back.visible = calloc((size_t)map.stride * map.height, sizeof *back.visible);
        REQUIRE(back.visible != NULL);
        const int32_t x = (int32_t)suite_random(&seed, map.width), y = (int32_t)suite_random(&seed, map.height);
        wn_sight_look(&map, x, y, radius);
        for (int probe = 0; probe < 60 && !is_opaque(&map, x, y); probe++) {
            const int32_t to_x = (int32_t)suite_random(&seed, map.width),
                          to_y = (int32_t)suite_random(&seed, map.height);
            if (!is_opaque(&map, to_x, to_y)) {
                wn_sight_look(&back, to_x, to_y, radius);
                REQUIRE(wn_sight_sees(&map, to_x, to_y) == wn_sight_sees(&back, x, y));
            }
        }
        free(back.visible);
        map_free(&map);
    }
}
END_TEST

START_TEST(the_largest_map_is_seen_from_end_to_end)
{
    struct wn_sight map = map_new(WN_SIGHT_MAX_SIDE, WN_SIGHT_MAX_SIDE);
    static const int32_t corners[] = {0, 511, WN_SIGHT_MAX_SIDE - 1};
    for (size_t i = 0; i < 9; i++) {
        wn_sight_look(&map, corners[i % 3], corners[i / 3], i % 2 == 0 ? 0 : UINT32_MAX);
        for (uint32_t word = 0; word < map.stride * map.height; word++) {
            REQUIRE(map.visible[word] == UINT64_MAX);
        }
    }
    map_free(&map);
}
END_TEST

/* Every second cell of a line is opaque, which makes as many beams as there can be, and then none goes on. */
START_TEST(as_many_beams_as_can_be)
{
    struct wn_sight map = map_new(WN_SIGHT_MAX_SIDE, WN_SIGHT_MAX_SIDE);
    for (int32_t line = 1; line < 1000; line += 100) {
        for (int32_t x = line / 100 % 2; x < WN_SIGHT_MAX_SIDE; x += 2) {
            set_opaque(&map, x, line);
            set_opaque(&map, line, x);
        }
    }
    for (int32_t at = 0; at < WN_SIGHT_MAX_SIDE; at += 33) {
        wn_sight_look(&map, at, 0, 0);
        wn_sight_look(&map, 0, at, 0);
        wn_sight_look(&map, at, at, 0);
        REQUIRE(wn_sight_sees(&map, at, at));
    }
    map_free(&map);
}
END_TEST

START_TEST(what_is_not_on_a_map_sees_nothing)
{
    struct wn_sight map = map_new(70, 5);
    static const int32_t outside[][2] = {{-1, 0}, {70, 0}, {0, -1}, {0, 5}, {INT32_MIN, INT32_MAX}};
    for (size_t i = 0; i < 5; i++) {
        wn_sight_look(&map, outside[i][0], outside[i][1], 0);
        for (uint32_t word = 0; word < map.stride * map.height; word++) {
            ck_assert_uint_eq(map.visible[word], 0);
        }
    }
    wn_sight_look(&map, 3, 3, 0);
    ck_assert(wn_sight_sees(&map, 69, 0));
    wn_sight_close(&map);
    for (uint32_t word = 0; word < map.stride * map.height; word++) {
        ck_assert_uint_eq(map.visible[word], 0);
    }
    map_free(&map);
}
END_TEST

START_TEST(a_column_hides_what_is_behind_it)
{
    static const char *const rows[] = {
        "..............", ".......#......", "......#.......", "@.............", "..............",
    };
    struct wn_sight map = map_new(14, 5);
    for (int32_t y = 0; y < 5; y++) {
        for (int32_t x = 0; x < 14; x++) {
            if (rows[y][x] == '#') {
                set_opaque(&map, x, y);
            }
        }
    }
    wn_sight_look(&map, 0, 3, 2);
    ck_assert(wn_sight_sees(&map, 2, 3) && !wn_sight_sees(&map, 3, 3) && wn_sight_sees(&map, 1, 1));
    wn_sight_look(&map, 0, 3, 0);
    ck_assert(wn_sight_sees(&map, 6, 2) && wn_sight_sees(&map, 13, 3) && !wn_sight_sees(&map, 13, 1));
    map_free(&map);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_look_equals_the_oracle_on_small_maps,
                                  a_look_equals_the_oracle_across_words,
                                  who_sees_is_seen,
                                  the_largest_map_is_seen_from_end_to_end,
                                  as_many_beams_as_can_be,
                                  what_is_not_on_a_map_sees_nothing,
                                  a_column_hides_what_is_behind_it};
    return suite_run("sight", tests, sizeof tests / sizeof tests[0]);
}
