/* Rules: the maze, how it is made and looks, and walls that come back.
 */
#include "hunt_fixture.h"

#include <stdlib.h>

START_TEST(it_is_51_by_23_with_a_border)
{
    fixture *world = fixture_open(fixture_seed(), "");
    const hunt *game = fixture_game(world);
    ck_assert_int_eq(game->width, 51);
    ck_assert_int_eq(game->height, 23);
    for (uint32_t at = 0; at < game->cells; at++) {
        ck_assert(!is_border(game, (cell)at) || game->terrain[at] != TILE_FLOOR);
    }
    fixture_close(world);
}
END_TEST

/* Every odd cell is open, and the ways between them are a tree: one less than there are cells, and all can be reached.
 */
START_TEST(its_halls_are_a_tree_over_the_odd_cells)
{
    uint64_t seed = fixture_seed();
    static const char *const sizes[] = {"", "width=52 height=24", "width=5 height=3", "width=255 height=255",
                                        "width=9 height=101"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        fixture *world = fixture_open(suite_random64(&seed), sizes[i]);
        const hunt *game = fixture_game(world);
        uint32_t odd = 0, between = 0, reached = 0;
        for (uint32_t at = 0; at < game->cells; at++) {
            const bool open = game->terrain[at] == TILE_FLOOR;
            const int32_t x = cell_x(game, (cell)at), y = cell_y(game, (cell)at);
            if (x % 2 == 1 && y % 2 == 1) {
                ck_assert(open);
                odd++;
            } else if (open) {
                ck_assert((x + y) % 2 == 1);
                between++;
            }
        }
        ck_assert_uint_eq(between, odd - 1);
        uint8_t *seen = calloc(game->cells, 1);
        cell *stack = calloc(game->cells, sizeof *stack);
        uint32_t depth = 0;
        stack[depth++] = cell_at(game, 1, 1);
        seen[stack[0]] = 1;
        while (depth > 0) {
            const cell at = stack[--depth];
            reached++;
            for (uint32_t way = 0; way < DIRECTIONS; way++) {
                const cell next = neighbour(game, at, way);
                if (game->terrain[next] == TILE_FLOOR && !seen[next]) {
                    seen[next] = 1;
                    stack[depth++] = next;
                }
            }
        }
        ck_assert_uint_eq(reached, odd + between);
        free(seen);
        free(stack);
        fixture_close(world);
    }
}
END_TEST

START_TEST(a_wall_looks_as_its_wall_neighbours_make_it)
{
    fixture *world = fixture_open(fixture_seed(), "");
    const hunt *game = fixture_game(world);
    for (int32_t y = 0; y < game->height; y++) {
        for (int32_t x = 0; x < game->width; x++) {
            const cell at = cell_at(game, x, y);
            if (game->terrain[at] == TILE_FLOOR) {
                continue;
            }
            const bool west = x > 0 && game->terrain[at - 1] != TILE_FLOOR;
            const bool east = x < game->width - 1 && game->terrain[at + 1] != TILE_FLOOR;
            const bool north = y > 0 && game->terrain[at - game->width] != TILE_FLOOR;
            const bool south = y < game->height - 1 && game->terrain[at + game->width] != TILE_FLOOR;
            const char look = (west || east) && (north || south) ? '+' : west || east ? '-' : '|';
            ck_assert(west || east || north || south);
            ck_assert_int_eq(hunt_tiles[game->terrain[at]].ascii[0], look);
        }
    }
    fixture_close(world);
}
END_TEST

START_TEST(a_wall_that_stands_alone_is_a_door_without_reflect)
{
    static const char *const pillars[] = {"+-------+", //
                                          "|> + +  |", //
                                          "|       |", //
                                          "| + + + |", //
                                          "+-------+", NULL};
    fixture *world = scene("reflect=no", pillars);
    maze_dress(fixture_world(world));
    ck_assert_int_eq(glyph(world, 3, 1), '|'); /* the border is its neighbour */
    fixture_close(world);
    world = scene("reflect=no", (const char *const[]){"+-------+", //
                                                      "|>      |", //
                                                      "|  + -  |", //
                                                      "|       |", //
                                                      "+-------+", NULL});
    maze_dress(fixture_world(world));
    ck_assert_int_eq(glyph(world, 3, 2), '#');
    ck_assert_int_eq(glyph(world, 5, 2), '#');
    fixture_close(world);
}
END_TEST

/* Opens walls one after the other, in the row of them at y = 1, from x = 2 on. */
static void open_walls(fixture *world, uint32_t count)
{
    hunt *game = fixture_game(world);
    for (uint32_t i = 0; i < count; i++) {
        struct shot shot = shots_bomb(0, cell_at(game, 2 + (int32_t)i, 1), EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
    }
}

static const char *const walls[] = {"+-----------------------------------------------------------+", //
                                    "|>----------------------------------------------------------|", //
                                    "|                                                           |", //
                                    "|                                                           |", //
                                    "+-----------------------------------------------------------+", NULL};

START_TEST(at_most_forty_walls_are_open_and_the_oldest_comes_back)
{
    fixture *world = scene("", walls);
    open_walls(world, 40);
    for (int32_t x = 2; x < 42; x++) {
        ck_assert_int_eq(glyph(world, x, 1), ' ');
    }

    hunt *game = fixture_game(world);
    for (int32_t i = 0; i < 10; i++) {
        struct shot shot = shots_bomb(0, cell_at(game, 42 + i, 1), EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        ck_assert_int_eq(glyph(world, 42 + i, 1), ' ');
        ck_assert_int_eq(glyph(world, 2 + i, 1), '-');
        ck_assert_int_eq(glyph(world, 3 + i, 1), ' ');
        ck_assert_uint_eq(game->opened_count, 40);
    }
    fixture_close(world);
}
END_TEST

START_TEST(a_wall_comes_back_on_nothing_but_an_empty_cell)
{
    static const uint8_t items[] = {TILE_SMALL_MINE, TILE_LARGE_MINE, TILE_BOOT};
    for (size_t i = 0; i < sizeof items; i++) {
        fixture *world = scene("maxremove=3", walls);
        hunt *game = fixture_game(world);
        open_walls(world, 3);
        maze_set_item(game, cell_at(game, 2, 1), items[i]);
        struct shot shot = shots_bomb(0, cell_at(game, 5, 1), EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        ck_assert_int_eq(glyph(world, 3, 1), '-'); /* the next one instead */
        ck_assert_int_eq(glyph(world, 2, 1), hunt_tiles[items[i]].ascii[0]);
        fixture_close(world);
    }
}
END_TEST

START_TEST(a_player_caught_under_a_wall_is_thrown_into_the_air)
{
    fixture *world = scene("maxremove=3", walls);
    hunt *game = fixture_game(world);
    open_walls(world, 3);
    walk(world, 0, EAST);
    ck_assert_int_eq(cell_x(game, player(world, 0)->at), 2);
    struct shot shot = shots_bomb(0, cell_at(game, 5, 1), EAST);
    shot.exploding = true;
    shots_add(fixture_world(world), shot);
    bool flew = false;
    for (uint32_t turn = 0; turn < 30; turn++) {
        pass(world, 1);
        flew = flew || player(world, 0)->flying > 0 || player(world, 0)->at != cell_at(game, 2, 1);
    }
    ck_assert(flew);
    ck_assert_int_eq(glyph(world, 2, 1), '-');
    fixture_check(world);
    fixture_close(world);
}
END_TEST

RUN("hunt: maze", it_is_51_by_23_with_a_border, its_halls_are_a_tree_over_the_odd_cells,
    a_wall_looks_as_its_wall_neighbours_make_it, a_wall_that_stands_alone_is_a_door_without_reflect,
    at_most_forty_walls_are_open_and_the_oldest_comes_back, a_wall_comes_back_on_nothing_but_an_empty_cell,
    a_player_caught_under_a_wall_is_thrown_into_the_air)
