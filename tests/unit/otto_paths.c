/* otto_paths.c: the ways that otto finds, on drawn maps and, against the definition, on random ones. */
#include <stdio.h>
#include <string.h>

#include "choose.h"
#include "otto_fixture.h"
#include "suite.h"

/* A digit is a goal of that value, a . costs 1 to enter, a , costs 5, a # cannot be entered. */
static void read_map(wn_paths *paths, const char *map)
{
    const uint32_t width = (uint32_t)strcspn(map, "\n");
    ck_assert(wn_paths_fit(paths, width, (uint32_t)strlen(map) / (width + 1)));
    wn_paths_clear(paths);
    for (uint32_t at = 0; at < paths->cells; at++) {
        const char sign = map[at / width * (width + 1) + at % width];
        paths->cost[at] = sign == '#' ? WN_NO_ENTRY : sign == ',' ? 5 : 1;
    }
    for (uint32_t at = 0; at < paths->cells; at++) {
        const char sign = map[at / width * (width + 1) + at % width];
        if (sign >= '0' && sign <= '9') {
            wn_paths_goal(paths, at, (uint32_t)(sign - '0'));
        }
    }
    wn_paths_spread(paths);
}

/* The numbers of a row, from its first cell that can be entered. */
static void expect_row(const wn_paths *paths, uint32_t row, const char *expected)
{
    char text[256] = "";
    for (uint32_t x = 1; x < paths->width - 1; x++) {
        const uint32_t at = row * paths->width + x;
        snprintf(text + strlen(text), sizeof text - strlen(text), paths->value[at] == WN_FAR ? "- " : "%u ",
                 paths->value[at]);
    }
    ck_assert_str_eq(text, expected);
}

START_TEST(numbers_grow_with_the_steps_to_a_goal)
{
    wn_paths paths = {0};
    read_map(&paths, "#######\n"
                     "#0....#\n"
                     "####..#\n"
                     "#.....#\n"
                     "#######\n");
    expect_row(&paths, 1, "0 1 2 3 4 ");
    expect_row(&paths, 2, "- - - 4 5 ");
    expect_row(&paths, 3, "8 7 6 5 6 ");
    wn_paths_free(&paths);
}
END_TEST

START_TEST(a_better_goal_far_away_beats_a_worse_one_near)
{
    wn_paths paths = {0};
    read_map(&paths, "########\n"
                     "#9....2#\n"
                     "########\n");
    expect_row(&paths, 1, "7 6 5 4 3 2 ");
    wn_paths_free(&paths);
}
END_TEST

START_TEST(dear_cells_are_gone_around_if_that_is_cheaper)
{
    wn_paths paths = {0};
    read_map(&paths, "######\n"
                     "#0,..#\n"
                     "#.##.#\n"
                     "#....#\n"
                     "######\n");
    expect_row(&paths, 1, "0 1 6 7 ");
    wn_paths_free(&paths);
}
END_TEST

START_TEST(what_cannot_be_reached_is_far)
{
    wn_paths paths = {0};
    read_map(&paths, "######\n"
                     "#0#..#\n"
                     "######\n");
    expect_row(&paths, 1, "0 - - - ");
    wn_paths_clear(&paths);
    wn_paths_spread(&paths);
    expect_row(&paths, 1, "- - - - ");
    wn_paths_free(&paths);
}
END_TEST

/* Every cell is a goal of its own value, or a step and the number of its best neighbour; the way down ends at a goal.
 */
START_TEST(random_maps_follow_the_definition)
{
    uint64_t chance = otto_seed();
    for (int round = 0; round < 200; round++) {
        const uint32_t width = 4 + wn_chance_below(&chance, 30), height = 4 + wn_chance_below(&chance, 30);
        uint16_t goal[34 * 34];
        wn_paths paths = {0};
        ck_assert(wn_paths_fit(&paths, width, height));
        wn_paths_clear(&paths);
        for (uint32_t at = 0; at < paths.cells; at++) {
            const uint32_t x = at % width, y = at / width;
            const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            paths.cost[at] =
                (uint8_t)(border || wn_chance_below(&chance, 3) == 0 ? WN_NO_ENTRY : 1 + wn_chance_below(&chance, 9));
            goal[at] = WN_FAR;
        }
        for (uint32_t at = 0; at < paths.cells; at++) {
            if (paths.cost[at] != WN_NO_ENTRY && wn_chance_below(&chance, 20) == 0) {
                goal[at] = (uint16_t)wn_chance_below(&chance, 90);
                wn_paths_goal(&paths, at, goal[at]);
            }
        }
        wn_paths_spread(&paths);
        for (uint32_t at = width; at < paths.cells - width; at++) {
            if (paths.cost[at] == WN_NO_ENTRY) {
                continue;
            }
            uint32_t least = goal[at];
            const uint32_t around[] = {at - width, at + 1, at + width, at - 1};
            for (int way = 0; way < 4; way++) {
                const uint32_t next = around[way];
                if (paths.cost[next] != WN_NO_ENTRY && paths.value[next] != WN_FAR) {
                    const uint32_t value = (uint32_t)paths.value[next] + paths.cost[next];
                    least = value < least ? value : least;
                }
            }
            ck_assert_uint_eq(paths.value[at], least);
        }
        wn_paths_free(&paths);
    }
}
END_TEST

RUN("otto_paths", numbers_grow_with_the_steps_to_a_goal, a_better_goal_far_away_beats_a_worse_one_near,
    dear_cells_are_gone_around_if_that_is_cheaper, what_cannot_be_reached_is_far, random_maps_follow_the_definition)
