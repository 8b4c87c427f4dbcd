/* sight.c: bench-sight: a look around in a cave with warren/sight.h, beside libtcod's symmetric shadow casting in the
 * same caves from the same cells. What both show of the floor is compared as well: they follow the same rule.
 */
#include <inttypes.h>
#include <libtcod/fov.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warren/sight.h>

#include "measure.h"
#include "options.h"

enum { SMOOTHING = 3 };

typedef struct bench {
    uint32_t width, height, caves, looks, radius, seed;
    uint8_t *floor, *smoothed; /* a byte for a cell */
    struct wn_sight sight;
    TCOD_Map *map;
    uint64_t chance;
    wn_samples ours, theirs;
    uint64_t visible, looked, differences;
} bench;

static uint32_t draw(bench *run, uint32_t below)
{
    uint64_t z = run->chance += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((z ^ z >> 31) >> 32) * below >> 32);
}

/* A cave as the mode caves makes it: half of the cells are floor, then each becomes what most of its neighbours are. */
static void smooth(bench *run)
{
    const int32_t width = (int32_t)run->width, height = (int32_t)run->height;
    for (int32_t at = 0; at < width * height; at++) {
        int32_t floors = 0;
        for (int32_t i = 0; i < 9; i++) {
            const int32_t x = at % width + i % 3 - 1, y = at / width + i / 3 - 1;
            floors += x >= 0 && x < width && y >= 0 && y < height && run->floor[y * width + x];
        }
        run->smoothed[at] = floors >= 5;
    }
    memcpy(run->floor, run->smoothed, (size_t)width * (size_t)height);
}

static void make_cave(bench *run)
{
    const uint32_t cells = run->width * run->height;
    uint64_t *opaque = (uint64_t *)run->sight.opaque;
    for (uint32_t at = 0; at < cells; at++) {
        run->floor[at] = (uint8_t)draw(run, 2);
    }
    for (int i = 0; i < SMOOTHING; i++) {
        smooth(run);
    }
    memset(opaque, 0, (size_t)run->sight.stride * run->height * sizeof *opaque);
    for (uint32_t at = 0; at < cells; at++) {
        const uint32_t x = at % run->width, y = at / run->width;
        if (!run->floor[at]) {
            opaque[y * run->sight.stride + x / 64] |= UINT64_C(1) << x % 64;
        }
        TCOD_map_set_properties(run->map, (int)x, (int)y, run->floor[at] != 0, run->floor[at] != 0);
    }
}

static void compare(bench *run)
{
    for (uint32_t at = 0; at < run->width * run->height; at++) {
        const int32_t x = (int32_t)(at % run->width), y = (int32_t)(at / run->width);
        const bool seen = wn_sight_sees(&run->sight, x, y);
        run->visible += seen;
        run->differences += run->floor[at] && seen != TCOD_map_is_in_fov(run->map, x, y);
    }
    run->looked++;
}

/* All cells of a block by the one, then all by the other. */
static bool measure_cave(bench *run)
{
    int32_t *cells = malloc(run->looks * sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    make_cave(run);
    for (uint32_t i = 0; i < run->looks; i++) {
        do {
            cells[i] = (int32_t)draw(run, run->width * run->height);
        } while (!run->floor[cells[i]]);
    }
    const int32_t width = (int32_t)run->width;
    const double start = wn_clock_us();
    for (uint32_t i = 0; i < run->looks; i++) {
        wn_sight_look(&run->sight, cells[i] % width, cells[i] / width, run->radius);
    }
    const double middle = wn_clock_us();
    for (uint32_t i = 0; i < run->looks; i++) {
        TCOD_map_compute_fov(run->map, cells[i] % width, cells[i] / width, (int)run->radius, true,
                             FOV_SYMMETRIC_SHADOWCAST);
    }
    const double end = wn_clock_us();
    wn_samples_add(&run->ours, (middle - start) / run->looks);
    wn_samples_add(&run->theirs, (end - middle) / run->looks);
    if (run->radius == 0) { /* their circle is another one */
        compare(run);
    }
    free(cells);
    return true;
}

static void report(bench *run)
{
    const double ours = wn_samples_percentile(&run->ours, 50), theirs = wn_samples_percentile(&run->theirs, 50);
    printf("A look around, microseconds, median of %" PRIu32 " caves of %" PRIu32 "x%" PRIu32 ", radius %" PRIu32 "\n",
           run->caves, run->width, run->height, run->radius);
    printf("%-24s %9.3f\n%-24s %9.3f\n%-24s %9.2f\n", "warren/sight.h", ours, "libtcod, symmetric", theirs, "ratio",
           ours / theirs);
    if (run->looked == 0) {
        return;
    }
    printf("visible in the last look in each cave: %.0f cells on average\n"
           "of all floor in those looks %" PRIu64 " cells are visible by the one only: libtcod's slopes are rounded\n",
           (double)run->visible / (double)run->looked, run->differences);
}

int main(int count, char **words)
{
    static bench run = {.width = 160, .height = 50, .caves = 200, .looks = 200, .seed = 1};
    const wn_bench_option options[] = {
        {.name = "width", .number = &run.width, .least = 16, .most = WN_SIGHT_MAX_SIDE, .help = "columns of a cave"},
        {.name = "height", .number = &run.height, .least = 16, .most = WN_SIGHT_MAX_SIDE, .help = "rows of a cave"},
        {.name = "radius", .number = &run.radius, .least = 0, .most = 1000, .help = "how far to look; 0: no end"},
        {.name = "caves", .number = &run.caves, .least = 1, .most = 100000, .help = "caves to look around in"},
        {.name = "looks", .number = &run.looks, .least = 1, .most = 100000, .help = "looks in each"},
        {.name = "seed", .number = &run.seed, .least = 0, .most = UINT32_MAX, .help = "of all chance"},
        {0}};
    const int status = wn_bench_options_parse(options, "bench-sight", "A look around beside libtcod's.", count, words);
    if (status >= 0) {
        return status;
    }
    const uint32_t stride = wn_sight_stride(run.width);
    run.floor = malloc((size_t)run.width * run.height);
    run.smoothed = malloc((size_t)run.width * run.height);
    run.sight = (struct wn_sight){.width = run.width, .height = run.height, .stride = stride};
    run.sight.opaque = calloc((size_t)stride * run.height, sizeof(uint64_t));
    run.sight.visible = calloc((size_t)stride * run.height, sizeof(uint64_t));
    run.map = TCOD_map_new((int)run.width, (int)run.height);
    run.chance = run.seed;
    bool right = run.floor != NULL && run.smoothed != NULL && run.sight.opaque != NULL && run.sight.visible != NULL &&
                 run.map != NULL;
    for (uint32_t i = 0; right && i < run.caves; i++) {
        right = measure_cave(&run);
    }
    if (!right) {
        fputs("bench-sight: no memory for caves of that size\n", stderr);
        return EXIT_FAILURE;
    }
    wn_bench_options_print(options, "bench-sight");
    report(&run);
    return EXIT_SUCCESS;
}
