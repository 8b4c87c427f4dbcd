/* caves_generation.c: the cave as it is made, against a plain automaton with a byte for a cell. */
#include "caves_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rule as the book has it: floor if at least 5 of the 9 cells are floor; outside is neither. */
static void smooth_plainly(uint8_t *cells, int32_t width, int32_t height)
{
    uint8_t *before = malloc((size_t)width * (size_t)height);
    ck_assert_ptr_nonnull(before);
    memcpy(before, cells, (size_t)width * (size_t)height);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            int32_t floors = 0;
            for (int32_t i = 0; i < 9; i++) {
                const int32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;
                if (nx >= 0 && nx < width && ny >= 0 && ny < height) {
                    floors += before[ny * width + nx];
                }
            }
            cells[y * width + x] = floors >= 5;
        }
    }
    free(before);
}

/* A new cave without creatures, a byte for a cell. */
static uint8_t *cave_bytes(uint64_t seed, int32_t width, int32_t height, int32_t smoothing)
{
    char settings[128];
    snprintf(settings, sizeof settings, "width=%d height=%d smoothing=%d lichens=0", width, height, smoothing);
    fixture *world = fixture_open(seed, settings);
    fixture_check(world);
    const cave *map = &fixture_game(world)->map;
    uint8_t *cells = malloc((size_t)width * (size_t)height);
    ck_assert_ptr_nonnull(cells);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            cells[y * width + x] = cave_is_floor(map, (position){x, y});
        }
    }
    fixture_close(world);
    return cells;
}

static void compare_with_oracle(uint64_t seed, int32_t width, int32_t height, int32_t passes)
{
    uint8_t *expected = cave_bytes(seed, width, height, 0);
    uint8_t *smoothed = cave_bytes(seed, width, height, passes);
    for (int32_t i = 0; i < passes; i++) {
        smooth_plainly(expected, width, height);
    }
    const bool rock = memchr(expected, 1, (size_t)width * (size_t)height) == NULL; /* the mode then draws again */
    ck_assert_msg(rock || memcmp(expected, smoothed, (size_t)width * (size_t)height) == 0, "%dx%d after %d passes",
                  width, height, passes);
    free(expected);
    free(smoothed);
}

START_TEST(smoothing_equals_the_plain_rule_at_every_width_and_edge)
{
    uint64_t seed = fixture_seed();
    static const int32_t widths[] = {16, 17, 63, 64, 65, 127, 128, 129, 160, 191, 192, 193, 255, 320, 1024};
    static const int32_t heights[] = {16, 17, 50, 64};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            compare_with_oracle(suite_random64(&seed), widths[w], heights[h], 3);
        }
    }
    for (int32_t passes = 0; passes <= 10; passes++) {
        compare_with_oracle(suite_random64(&seed), 97, 41, passes);
    }
    compare_with_oracle(suite_random64(&seed), 33, 1024, 3);
    for (int i = 0; i < 60; i++) {
        const int32_t width = 16 + (int32_t)suite_random(&seed, 300);
        compare_with_oracle(suite_random64(&seed), width, 16 + (int32_t)suite_random(&seed, 60),
                            (int32_t)suite_random(&seed, 6));
    }
}
END_TEST

/* Far from the edges floor and wall are alike, so half of it; outside counts as neither, which costs the edges floor: a
 * plain automaton makes 46.28% of 20,000 caves floor, give or take 2.2 for one, so 0.2 for the mean of 120.
 */
START_TEST(a_usual_cave_is_a_little_less_than_half_floor)
{
    uint64_t seed = fixture_seed();
    enum { CAVES = 120 };
    double sum = 0;
    for (int i = 0; i < CAVES; i++) {
        fixture *world = fixture_open(suite_random64(&seed), "lichens=0");
        ck_assert_uint_eq(fixture_game(world)->map.width, 160);
        ck_assert_uint_eq(fixture_game(world)->map.height, 50);
        sum += fixture_game(world)->map.floors / 8000.0;
        fixture_close(world);
    }
    printf("mean share of floor %.4f\n", sum / CAVES);
    ck_assert_double_gt(sum / CAVES, 0.455);
    ck_assert_double_lt(sum / CAVES, 0.471);
}
END_TEST

/* Each column on its own, and each cell against its neighbour to the east and the one below. */
START_TEST(the_first_fill_is_fair_and_independent)
{
    uint64_t seed = fixture_seed();
    enum { CAVES = 200, WIDTH = 160, HEIGHT = 50 };
    uint32_t columns[WIDTH] = {0}, east = 0, south = 0;
    for (int i = 0; i < CAVES; i++) {
        uint8_t *cells = cave_bytes(suite_random64(&seed), WIDTH, HEIGHT, 0);
        for (uint32_t at = 0; at < WIDTH * HEIGHT; at++) {
            columns[at % WIDTH] += cells[at];
            east += at % WIDTH + 1 < WIDTH && cells[at] == cells[at + 1];
            south += at / WIDTH + 1 < HEIGHT && cells[at] == cells[at + WIDTH];
        }
        free(cells);
    }
    const double per_column = CAVES * HEIGHT, spread = 6 * sqrt(per_column) / 2;
    for (uint32_t x = 0; x < WIDTH; x++) {
        ck_assert_double_lt(fabs(columns[x] - per_column / 2), spread);
    }
    const double pairs_east = (double)CAVES * (WIDTH - 1) * HEIGHT, pairs_south = (double)CAVES * WIDTH * (HEIGHT - 1);
    ck_assert_double_lt(fabs(east - pairs_east / 2), 6 * sqrt(pairs_east) / 2);
    ck_assert_double_lt(fabs(south - pairs_south / 2), 6 * sqrt(pairs_south) / 2);
}
END_TEST

START_TEST(a_world_starts_with_the_creatures_of_its_settings)
{
    fixture *world = fixture_open(fixture_seed(), "lichens=20 bunnies=21 silverfish=4 lichen_hp=6");
    const caves *game = fixture_game(world);
    ck_assert_uint_eq(game->entities.of_kind[KIND_LICHEN], 20);
    ck_assert_uint_eq(game->entities.of_kind[KIND_BUNNY], 21);
    ck_assert_uint_eq(game->entities.of_kind[KIND_SILVERFISH], 4);
    static const uint32_t hit_points[KIND_COUNT] = {0, 6, 4, 15};
    for (uint32_t i = 0; i < game->entities.count; i++) {
        ck_assert_uint_eq(game->entities.all[i].hit_points, hit_points[game->entities.all[i].kind]);
        ck_assert(cave_is_floor(&game->map, entity_at(&game->entities.all[i])));
    }
    fixture_check(world);
    fixture_close(world);

    world = fixture_open(fixture_seed(), "");
    ck_assert_uint_eq(fixture_game(world)->entities.of_kind[KIND_LICHEN], 30);
    ck_assert_uint_eq(fixture_game(world)->entities.count, 30);
    fixture_close(world);
}
END_TEST

START_TEST(creatures_fill_every_empty_cell_and_not_one_more)
{
    const uint64_t seed = fixture_seed();
    fixture *world = fixture_open(seed, "width=40 height=20 lichens=0");
    const uint32_t floors = fixture_game(world)->map.floors;
    fixture_close(world);

    char settings[96];
    snprintf(settings, sizeof settings, "width=40 height=20 lichens=%u", floors);
    world = fixture_open(seed, settings);
    ck_assert_uint_eq(fixture_game(world)->entities.of_kind[KIND_LICHEN], floors);
    fixture_check(world);
    fixture_close(world);

    wn_error error = {0};
    /* Of as many cells as creatures, some are rock however often they are drawn. */
    ck_assert_ptr_null(fixture_try(seed, "width=40 height=20 lichens=799 bunnies=1", &error));
    ck_assert_msg(strstr(error.text, "no empty cell") != NULL, "%s", error.text);
}
END_TEST

/* One in a hundred of the first drawings has no floor; in more there is no room for so many. */
START_TEST(a_cave_without_room_is_drawn_again)
{
    uint64_t seed = fixture_seed();
    for (int i = 0; i < 600; i++) {
        fixture *world = fixture_open(suite_random64(&seed), "width=16 height=16 smoothing=10 lichens=20");
        ck_assert_uint_eq(fixture_game(world)->entities.of_kind[KIND_LICHEN], 20);
        fixture_check(world);
        fixture_close(world);
        world = fixture_open(suite_random64(&seed), "width=16 height=16 smoothing=10 lichens=0");
        ck_assert_uint_gt(fixture_game(world)->map.floors, 0);
        fixture_close(world);
    }
}
END_TEST

START_TEST(settings_out_of_range_are_refused_by_name)
{
    static const struct {
        const char *name;
        int64_t minimum, maximum;
    } ranges[] = {{"width", 16, 1024},          {"height", 16, 1024},   {"smoothing", 0, 10},
                  {"growth_permille", 0, 1000}, {"lichen_hp", 1, 1000}, {"attack", 1, 1000},
                  {"defence", 0, 1000},         {"wait_ms", 0, 10000},  {"overrun", 1, 100}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        for (int side = 0; side < 4; side++) {
            const int64_t edge = side < 2 ? ranges[i].minimum - (side == 0) : ranges[i].maximum + (side == 2);
            char settings[64];
            wn_error error = {0};
            snprintf(settings, sizeof settings, "lichens=0 %s=%d", ranges[i].name, (int)edge);
            fixture *world = fixture_try(1, settings, &error);
            ck_assert_msg((world != NULL) == (side % 2 == 1), "%s", settings);
            if (world != NULL) {
                fixture_close(world);
            } else {
                ck_assert_str_eq(error.field, ranges[i].name);
            }
        }
    }
}
END_TEST

START_TEST(an_idle_world_is_small)
{
    wn_error error = {0};
    wn_plugin *plugin = wn_plugin_open(CAVES_MODE, &error);
    ck_assert_msg(plugin != NULL, "%s", error.text);
    const wn_world_options roomy = {.id = 1, .seed = 1, .memory_limit = 16 << 10};
    const wn_world_options tight = {.id = 1, .seed = 1, .memory_limit = 2 << 10};
    wn_hosted *world = wn_hosted_new(plugin, &roomy, &error);
    ck_assert_msg(world != NULL, "a usual world needs more than 16 KiB: %s", error.text);
    wn_hosted_free(world);
    ck_assert_ptr_null(wn_hosted_new(plugin, &tight, &error));
    ck_assert_msg(strstr(error.text, "memory") != NULL, "%s", error.text);
    wn_plugin_close(plugin);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {smoothing_equals_the_plain_rule_at_every_width_and_edge,
                                  a_usual_cave_is_a_little_less_than_half_floor,
                                  the_first_fill_is_fair_and_independent,
                                  a_world_starts_with_the_creatures_of_its_settings,
                                  creatures_fill_every_empty_cell_and_not_one_more,
                                  a_cave_without_room_is_drawn_again,
                                  settings_out_of_range_are_refused_by_name,
                                  an_idle_world_is_small};
    return suite_run("caves: generation", tests, sizeof tests / sizeof tests[0]);
}
