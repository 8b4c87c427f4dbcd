/* caves_regions.c: the numbers that `R` shows, against a plain flood fill. */
#include "caves_fixture.h"

#include <stdlib.h>
#include <string.h>

/* Gives `number` to every floor cell that hangs together with `start`, by a stack of cells. */
static void flood(const cave *map, int32_t *numbers, int32_t start, int32_t number, int32_t *stack)
{
    const int32_t width = (int32_t)map->width;
    int32_t depth = 0;
    numbers[start] = number;
    stack[depth++] = start;
    while (depth > 0) {
        const int32_t cell = stack[--depth];
        for (int32_t i = 0; i < 9; i++) {
            const position at = {cell % width + i % 3 - 1, cell / width + i / 3 - 1};
            const int32_t next = at.y * width + at.x;
            if (cave_is_inside(map, at) && cave_is_floor(map, at) && numbers[next] < 0) {
                numbers[next] = number;
                stack[depth++] = next;
            }
        }
    }
}

/* Regions in the order of their first cells; -1 for wall. How many there are. */
static int32_t number_plainly(const cave *map, int32_t *numbers)
{
    const int32_t cells = (int32_t)(map->width * map->height);
    int32_t *stack = malloc((size_t)cells * sizeof *stack);
    int32_t regions = 0;
    ck_assert_ptr_nonnull(stack);
    for (int32_t i = 0; i < cells; i++) {
        numbers[i] = -1;
    }
    for (int32_t i = 0; i < cells; i++) {
        const position at = {i % (int32_t)map->width, i / (int32_t)map->width};
        if (numbers[i] < 0 && cave_is_floor(map, at)) {
            flood(map, numbers, i, regions++, stack);
        }
    }
    free(stack);
    return regions;
}

/* Fails unless the seat's view shows each cell's region. How many there are. */
static int32_t check_regions(const fixture *world, int32_t seat_number)
{
    const cave *map = &fixture_game(world)->map;
    const uint32_t cells = map->width * map->height;
    int32_t *numbers = malloc(cells * sizeof *numbers);
    REQUIRE(numbers != NULL);
    const int32_t regions = number_plainly(map, numbers);
    for (uint32_t i = 0; i < cells; i++) {
        const uint32_t tile = numbers[i] < 0 ? TILE_WALL : (uint32_t)(TILE_REGIONS + numbers[i] % 62);
        REQUIRE(fixture_cell(world, seat_number, i % map->width, i / map->width) == WN_CELL(tile));
    }
    free(numbers);
    return regions;
}

static void check_no_regions(const fixture *world, int32_t seat_number)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat_number, &view);
    for (uint32_t i = 0; i < view.width * view.height; i++) {
        REQUIRE(view.cells[i] < WN_CELL(TILE_REGIONS));
    }
}

static void check_cave(uint64_t seed, uint32_t width, uint32_t height, uint32_t smoothing)
{
    char settings[96];
    snprintf(settings, sizeof settings, "width=%u height=%u smoothing=%u lichens=0", width, height, smoothing);
    fixture *world = fixture_open(seed, settings);
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    fixture_act(world, 0, ACTION_REGIONS, 0);
    check_regions(world, 0);
    fixture_close(world);
}

START_TEST(regions_equal_a_flood_fill)
{
    uint64_t seed = fixture_seed();
    static const uint32_t widths[] = {16, 63, 64, 65, 127, 128, 129, 160};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (uint32_t smoothing = 0; smoothing < 4; smoothing++) {
            check_cave(suite_random64(&seed), widths[w], 50, smoothing);
        }
    }
    for (int i = 0; i < 20; i++) {
        const uint32_t width = 16 + suite_random(&seed, 240);
        check_cave(suite_random64(&seed), width, 16 + suite_random(&seed, 60), suite_random(&seed, 4));
    }
    check_cave(suite_random64(&seed), 1024, 512, 2);
}
END_TEST

/* A comb whose teeth meet only at the end, a spiral, and a frame: what one pass alone would number wrongly. */
START_TEST(regions_that_meet_late_are_one)
{
    static const char *const rows[] = {".#.#.#.#.#.#.#.#", ".#.#.#.#.#.#.#.#", ".#.#.#.#.#.#.#.0", "................",
                                       "################", "#.......########", "#.#####.#......#", "#.#...#.#.####.#",
                                       "#.#.#.#.#.#..#.#", "#.###.#.#.####.#", "#.....#.#......#", NULL};
    fixture *world = fixture_open(fixture_seed(), "width=16 height=16 lichens=0");
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    fixture_paint(world, rows);
    fixture_act(world, 0, ACTION_REGIONS, 0);
    ck_assert_int_eq(check_regions(world, 0), 4);
    fixture_close(world);
}
END_TEST

START_TEST(numbers_repeat_after_sixty_two)
{
    static char text[16][65];
    const char *rows[17] = {NULL};
    for (int y = 0; y < 16; y++) {
        memset(text[y], '#', 64);
        for (int x = 0; x < 64 && y % 2 == 0; x += 2) {
            text[y][x] = '.';
        }
        rows[y] = text[y];
    }
    text[0][0] = '0';
    fixture *world = fixture_open(fixture_seed(), "width=64 height=16 lichens=0");
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    fixture_paint(world, rows);
    fixture_act(world, 0, ACTION_REGIONS, 0);
    ck_assert_int_eq(check_regions(world, 0), 256);
    ck_assert_uint_eq(fixture_cell(world, 0, 0, 0), WN_CELL(TILE_REGIONS));
    ck_assert_uint_eq(fixture_cell(world, 0, 60, 2), fixture_cell(world, 0, 0, 0)); /* the 63rd */
    const wn_mode_descriptor *mode = wn_plugin_descriptor(world->plugin);
    static const char names[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (uint32_t i = 0; i < CAVE_REGION_NAMES; i++) {
        ck_assert_int_eq(mode->tiles[TILE_REGIONS + i].glyph[0], names[i]);
    }
    ck_assert_uint_eq(mode->tile_count, TILE_COUNT);
    fixture_close(world);
}
END_TEST

START_TEST(only_who_asked_sees_regions_until_asking_again)
{
    fixture *world = fixture_open(fixture_seed(), "lichens=0");
    join(world, 0, "ann");
    join(world, 1, "bob");
    fixture_watch(world, 0, true);
    fixture_watch(world, 1, true);
    fixture_watch(world, WN_SPECTATORS, true);
    fixture_act(world, 0, ACTION_REGIONS, 0);
    check_regions(world, 0);
    check_no_regions(world, 1);
    check_no_regions(world, WN_SPECTATORS);
    fixture_act(world, 1, ACTION_REGIONS, 0);
    fixture_act(world, 0, ACTION_REGIONS, 0);
    check_no_regions(world, 0);
    check_regions(world, 1);
    leave(world, 1);
    ck_assert_ptr_null(fixture_game(world)->map.regions); /* nobody looks: nothing is kept */
    join(world, 1, "eve");
    fixture_watch(world, 1, false);
    fixture_watch(world, 1, true);
    check_no_regions(world, 1);
    fixture_close(world);
}
END_TEST

START_TEST(digging_joins_regions)
{
    static const char *const rows[] = {"0#.#", "####", "..##", NULL};
    fixture *world = fixture_open(fixture_seed(), "lichens=0 width=70");
    join(world, 0, "ann");
    join(world, 1, "bob");
    fixture_watch(world, 0, true);
    fixture_watch(world, 1, true);
    leave(world, 1);
    fixture_paint(world, rows);
    fixture_act(world, 0, ACTION_REGIONS, 0);
    ck_assert_int_eq(check_regions(world, 0), 3);
    fixture_step(world, 0, WN_EAST);
    ck_assert_int_eq(check_regions(world, 0), 2);
    fixture_step(world, 0, WN_SOUTH);
    ck_assert_int_eq(check_regions(world, 0), 1);
    fixture_step(world, 0, WN_SOUTH); /* a walk */
    fixture_step(world, 0, WN_SOUTH);
    ck_assert_int_eq(check_regions(world, 0), 1);
    fixture_close(world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {regions_equal_a_flood_fill, regions_that_meet_late_are_one,
                                  numbers_repeat_after_sixty_two, only_who_asked_sees_regions_until_asking_again,
                                  digging_joins_regions};
    return suite_run("caves: regions", tests, sizeof tests / sizeof tests[0]);
}
