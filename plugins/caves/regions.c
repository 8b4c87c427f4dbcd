/* regions.c: which floor cells hang together by steps in eight directions, numbered by their first cell, row by row.
 * Union-find over runs of floor cells (Rosenfeld and Pfaltz 1966, in two passes): no recursion, and time that goes with
 * the number of runs.
 */
#include <string.h>

#include "caves.h"

typedef struct run {
    uint16_t begin, end; /* columns; end is behind the last */
    uint32_t parent;     /* an earlier run of the same region, or itself */
} run;

/* The first column of `row` from `x` on whose floor bit is `wanted`. The spare bits end a search for wall; one for
 * floor ends at the row's last word. */
static uint32_t next_column(const uint64_t *row, uint32_t stride, uint32_t x, bool wanted)
{
    const uint64_t flip = wanted ? 0 : ~UINT64_C(0);
    uint32_t word = x / 64;
    uint64_t bits = (row[word] ^ flip) & ~UINT64_C(0) << x % 64;
    while (bits == 0) {
        word++;
        if (word == stride) {
            return stride * 64;
        }
        bits = row[word] ^ flip;
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

static size_t count_runs(const cave *map)
{
    size_t count = 0;
    const size_t words = cave_words(map);
    for (size_t i = map->stride; i < words; i++) {
        count += (size_t)__builtin_popcountll(map->floor[i] & ~(map->floor[i] << 1 | map->floor[i - 1] >> 63));
    }
    return count;
}

/* Halves the path on the way up (Tarjan and van Leeuwen). */
static uint32_t root_of(run *runs, uint32_t index)
{
    while (runs[index].parent != index) {
        runs[index].parent = runs[runs[index].parent].parent;
        index = runs[index].parent;
    }
    return index;
}

/* The earlier root stays one: so a region's root is its first run, by which it gets its number. */
static void join_runs(run *runs, uint32_t first, uint32_t second)
{
    const uint32_t one = root_of(runs, first), other = root_of(runs, second);
    if (one < other) {
        runs[other].parent = one;
    } else {
        runs[one].parent = other;
    }
}

/* Joins the runs [here, end) of a row with those of the row above, [above, here), that touch them. */
static void join_rows(run *runs, uint32_t above, uint32_t here, uint32_t end)
{
    uint32_t upper = above, lower = here;
    while (upper < here && lower < end) {
        if (runs[upper].begin <= runs[lower].end && runs[lower].begin <= runs[upper].end) {
            join_runs(runs, upper, lower);
        }
        if (runs[upper].end < runs[lower].end) {
            upper++;
        } else {
            lower++;
        }
    }
}

/* Fills in `runs`, and in `row_first` where each row's begin. */
static void find_runs(const cave *map, run *runs, uint32_t *row_first)
{
    uint32_t count = 0, above = 0;
    for (uint32_t y = 0; y < map->height; y++) {
        const uint64_t *row = map->floor + (size_t)map->stride * (y + 1);
        const uint32_t here = count;
        row_first[y] = here;
        uint32_t x = next_column(row, map->stride, 0, true);
        while (x < map->width) {
            const uint32_t end = next_column(row, map->stride, x, false);
            runs[count] = (run){.begin = (uint16_t)x, .end = (uint16_t)end, .parent = count};
            count++;
            x = next_column(row, map->stride, end, true);
        }
        join_rows(runs, above, here, count);
        above = here;
    }
    row_first[map->height] = count;
}

/* A run's parent comes before it, so numbering in order finds the parent numbered. */
static void number_runs(cave *map, run *runs, const uint32_t *row_first)
{
    uint32_t regions = 0;
    memset(map->regions, CAVE_NO_REGION, (size_t)map->width * map->height);
    for (uint32_t y = 0; y < map->height; y++) {
        uint8_t *row = map->regions + (size_t)map->width * y;
        for (uint32_t i = row_first[y]; i < row_first[y + 1]; i++) {
            const bool first = runs[i].parent == i;
            runs[i].parent = first ? regions++ : runs[runs[i].parent].parent;
            memset(row + runs[i].begin, (int)(runs[i].parent % CAVE_REGION_NAMES),
                   (size_t)(runs[i].end - runs[i].begin));
        }
    }
}

void cave_drop_regions(cave *map, wn_world *world)
{
    wn_release(world, map->regions);
    map->regions = NULL;
}

bool cave_make_regions(cave *map, wn_world *world)
{
    if (map->regions == NULL) {
        map->regions = wn_alloc(world, (size_t)map->width * map->height);
    }
    run *runs = wn_alloc(world, (count_runs(map) + 1) * sizeof *runs);
    uint32_t *row_first = wn_alloc(world, (map->height + 1) * sizeof *row_first);
    const bool made = map->regions != NULL && runs != NULL && row_first != NULL;
    if (made) {
        find_runs(map, runs, row_first);
        number_runs(map, runs, row_first);
    } else {
        cave_drop_regions(map, world);
    }
    wn_release(world, runs);
    wn_release(world, row_first);
    return made;
}
