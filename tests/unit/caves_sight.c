/* caves_sight.c: the setting `sight`: what players see of the cave by a line of sight, and what they remember. */
#include "caves_fixture.h"

#include <string.h>

#define PAINT(world, ...) fixture_paint(world, (const char *const[]){__VA_ARGS__, NULL})

static fixture *open_world(const char *settings)
{
    char text[256];
    snprintf(text, sizeof text, "width=40 height=20 lichens=0 overrun=100 %s", settings);
    fixture *world = fixture_open(fixture_seed(), text);
    join(world, 0, "ann");
    return world;
}

static void watch(fixture *world)
{
    fixture_watch(world, 0, true);
    fixture_watch(world, WN_SPECTATORS, true);
}

/* What a view shows in a row: '#' and '.' seen now, '%' and ',' remembered, ' ' unknown. */
static void expect_row(const fixture *world, int32_t seat_number, uint32_t y, const char *row)
{
    char is[64] = "";
    for (uint32_t x = 0; row[x] != '\0'; x++) {
        const uint16_t cell = fixture_cell(world, seat_number, x, y);
        is[x] = cell == WN_CELL(TILE_WALL)          ? '#'
                : cell == WN_CELL(TILE_FLOOR)       ? '.'
                : cell == WN_REMEMBERED(TILE_WALL)  ? '%'
                : cell == WN_REMEMBERED(TILE_FLOOR) ? ','
                : cell == WN_CELL(TILE_UNKNOWN)     ? ' '
                                                    : '?';
    }
    ck_assert_str_eq(is, row);
}

static uint32_t sprites_of(const fixture *world, int32_t seat_number)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat_number, &view);
    return view.sprite_count;
}

START_TEST(without_the_setting_everyone_sees_everything)
{
    fixture *world = open_world("");
    PAINT(world, "0.#.F");
    watch(world);
    expect_row(world, 0, 0, "..#..#");
    ck_assert_uint_eq(sprites_of(world, 0), 2);
    ck_assert_ptr_null(fixture_game(world)->visions);
    fixture_close(world);
}
END_TEST

START_TEST(with_it_players_see_by_a_line_of_sight_and_spectators_everything)
{
    fixture *world = open_world("sight=1000 growth_permille=0");
    PAINT(world, "0.#.F", "...#.");
    watch(world);
    expect_row(world, 0, 0, "..#   ");
    expect_row(world, 0, 1, "...#  ");
    expect_row(world, WN_SPECTATORS, 0, "..#..#");
    ck_assert_uint_eq(sprites_of(world, 0), 1);
    ck_assert_uint_eq(sprites_of(world, WN_SPECTATORS), 2);
    fixture_close(world);
}
END_TEST

START_TEST(what_is_dug_opens_the_view)
{
    fixture *world = open_world("sight=1000 growth_permille=0");
    PAINT(world, "0#.F");
    watch(world);
    expect_row(world, 0, 0, ".#  ");
    fixture_step(world, 0, WN_EAST);
    expect_row(world, 0, 0, "....#");
    ck_assert_uint_eq(sprites_of(world, 0), 2);
    fixture_close(world);
}
END_TEST

START_TEST(what_was_seen_is_remembered_as_it_was_and_creatures_are_not)
{
    fixture *world = open_world("sight=1000 growth_permille=0");
    join(world, 1, "bob");
    PAINT(world, "0#1F", ".###", ".###");
    watch(world);
    fixture_step(world, 0, WN_EAST); /* a window to bob and the lichen */
    expect_row(world, 0, 0, "....#");
    ck_assert_uint_eq(sprites_of(world, 0), 3);
    fixture_step(world, 0, WN_SOUTH);
    fixture_step(world, 0, WN_SOUTH);
    expect_row(world, 0, 0, "..,,%");
    expect_row(world, 0, 1, ".#%%%");
    ck_assert_uint_eq(sprites_of(world, 0), 1);
    fixture_step(world, 1, WN_SOUTH); /* digs, and nobody sees it */
    expect_row(world, 0, 1, ".#%%%");
    expect_row(world, WN_SPECTATORS, 1, ".#.##");
    ck_assert_uint_eq(sprites_of(world, WN_SPECTATORS), 3);
    fixture_close(world);
}
END_TEST

START_TEST(a_radius_ends_the_view)
{
    fixture *world = open_world("sight=3 growth_permille=0");
    PAINT(world, "0......F");
    watch(world);
    expect_row(world, 0, 0, "....    ");
    fixture_step(world, 0, WN_EAST);
    expect_row(world, 0, 0, ".....   ");
    for (int i = 0; i < 4; i++) {
        fixture_step(world, 0, WN_EAST);
    }
    expect_row(world, 0, 0, ",,......#");
    ck_assert_uint_eq(sprites_of(world, 0), 2);
    fixture_close(world);
}
END_TEST

START_TEST(what_happens_out_of_sight_is_not_shown)
{
    fixture *world = open_world("sight=1000 lichen_hp=9 growth_permille=0");
    join(world, 1, "bob");
    PAINT(world, "0.##1F");
    watch(world);
    fixture_watch(world, 1, true);
    fixture_step(world, 1, WN_EAST);
    ck_assert_uint_eq(saw(world, 1, "hit"), 1);
    ck_assert_uint_eq(saw(world, WN_SPECTATORS, "hit"), 1);
    ck_assert_uint_eq(saw(world, 0, "hit"), 0);
    fixture_close(world);
}
END_TEST

START_TEST(who_takes_a_seat_again_remembers_nothing)
{
    fixture *world = open_world("sight=1000 growth_permille=0");
    PAINT(world, "0..", "###", "#.#");
    leave(world, 0);
    join(world, 0, "bob");
    const caves *game = fixture_game(world);
    uint32_t known = 0;
    for (int32_t y = 0; y < 20; y++) {
        for (int32_t x = 0; x < 40; x++) {
            const position at = {x, y};
            known += vision_knows(game, 0, at);
            ck_assert(vision_knows(game, 0, at) == vision_sees(game, 0, at));
        }
    }
    ck_assert_uint_gt(known, 0);
    fixture_close(world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {without_the_setting_everyone_sees_everything,
                                  with_it_players_see_by_a_line_of_sight_and_spectators_everything,
                                  what_is_dug_opens_the_view,
                                  what_was_seen_is_remembered_as_it_was_and_creatures_are_not,
                                  a_radius_ends_the_view,
                                  what_happens_out_of_sight_is_not_shown,
                                  who_takes_a_seat_again_remembers_nothing};
    return suite_run("caves: sight", tests, sizeof tests / sizeof tests[0]);
}
