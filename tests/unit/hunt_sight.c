/* Rules: what a player sees and remembers. That his view holds nothing else: hunt_privacy.c.
 */
#include "hunt_fixture.h"

#include <string.h>

START_TEST(you_see_ahead_left_and_right_and_around_you_but_not_behind)
{
    fixture *world = scene("", (const char *const[]){"+-----------+", //
                                                     "|;         ;|", //
                                                     "|           |", //
                                                     "|;    >    ;|", //
                                                     "|           |", //
                                                     "|;         ;|", //
                                                     "+-----------+", NULL});
    expect_view(world, 0,
                (const char *const[]){"+-----------+", //
                                      "|           |", //
                                      "|           |", //
                                      "|     >    ;|", //
                                      "|           |", //
                                      "|           |", //
                                      "+-----------+", NULL});
    face(world, 0, WEST);
    expect_view(world, 0,
                (const char *const[]){"+-----------+", //
                                      "|           |", //
                                      "|           |", //
                                      "|;    <    ;|", //
                                      "|           |", //
                                      "|           |", //
                                      "+-----------+", NULL});
    wn_view_state view;
    wn_hosted_view(world->hosted, 0, &view);
    ck_assert_uint_eq(view.cells[3 * 13 + 1], WN_CELL(TILE_SMALL_MINE));
    ck_assert_uint_eq(view.cells[3 * 13 + 11], WN_REMEMBERED(TILE_SMALL_MINE));
    ck_assert_uint_eq(view.cells[1 * 13 + 1], WN_CELL(TILE_UNKNOWN));
    ck_assert_uint_eq(view.cells[0], WN_CELL(TILE_CROSS));
    fixture_close(world);
}
END_TEST

START_TEST(sight_ends_with_the_first_wall_or_door_and_the_cells_beside_it)
{
    fixture *world = scene("", (const char *const[]){"+-----------+", //
                                                     "|     |;    |", //
                                                     "|>    #;    |", //
                                                     "|     /;    |", //
                                                     "+-----------+", NULL});
    expect_view(world, 0,
                (const char *const[]){"+-----------+", //
                                      "|     |     |", //
                                      "|>    #     |", //
                                      "|     /     |", //
                                      "+-----------+", NULL});
    fixture_close(world);
}
END_TEST

START_TEST(players_look_as_the_rule_book_says)
{
    static const char *const names[] = {"ann/4", "bob", "cid/4", "dan/5", "eve", NULL};
    fixture *world = scene_named(names, "flystep=0",
                                 (const char *const[]){"+-----------+", //
                                                       "|^ i } ! {  |", //
                                                       "+-----------+", NULL});
    face(world, 0, EAST);
    expect_view(world, 0,
                (const char *const[]){"+-----------+", //
                                      "|> i 4 ! {  |", //
                                      "+-----------+", NULL});
    expect_view(world, WN_SPECTATORS,
                (const char *const[]){"+-----------+", //
                                      "|} i } ! {  |", //
                                      "+-----------+", NULL});
    scene_fly(world, 4, 9, 0, 0);
    for (uint32_t way = 0; way < DIRECTIONS; way++) {
        face(world, 0, way);
        ck_assert_int_eq(view_glyph(world, 0, 1, 1), "^>v<"[way]);
    }
    face(world, 0, EAST);
    expect_view(world, 0,
                (const char *const[]){"+-----------+", //
                                      "|> i 4 ! &  |", //
                                      "+-----------+", NULL});
    fixture_close(world);
}
END_TEST

START_TEST(you_remember_players_who_left_and_walls_that_are_gone)
{
    fixture *world = scene("ishots=100", (const char *const[]){"+-----------+", //
                                                               "|>      }   |", //
                                                               "|-----------|", //
                                                               "|           |", //
                                                               "|           |", //
                                                               "|           |", //
                                                               "+-----------+", NULL});
    face(world, 0, WEST);
    walk(world, 1, EAST);
    walk(world, 1, EAST);
    ck_assert_int_eq(view_glyph(world, 0, 8, 1), '}'); /* a cell now, no sprite */
    wn_view_state view;
    wn_hosted_view(world->hosted, 0, &view);
    ck_assert_uint_eq(view.cells[13 + 8] & 1, 1);
    ck_assert_uint_eq(view.sprite_count, 1);
    face(world, 0, EAST);
    ck_assert_int_eq(view_glyph(world, 0, 8, 1), ' ');
    ck_assert_int_eq(view_glyph(world, 0, 10, 1), '}');
    fixture_close(world);
}
END_TEST

START_TEST(explosions_are_seen_everywhere_and_leave_the_terrain_but_nobody_in_it)
{
    fixture *world = scene("maxdam=100", (const char *const[]){"+-----------+", //
                                                               "|>          |", //
                                                               "|-----------|", //
                                                               "|      }|   |", //
                                                               "|           |", //
                                                               "|           |", //
                                                               "+-----------+", NULL});
    hunt *game = fixture_game(world);
    struct shot shot = shots_bomb(1, cell_at(game, 7, 4), EAST);
    shot.exploding = true;
    shots_add(fixture_world(world), shot);
    pass(world, 1);
    static const char *const burning[] = {"+-----------+",  //
                                          "|>          |",  //
                                          "|-----------|",  //
                                          "|     \\|/   |", //
                                          "|     -*-   |",  //
                                          "|     /|\\   |", //
                                          "+-----------+",  NULL};
    expect_view(world, 0, burning);
    pass(world, 3);
    expect_view(world, 0, burning);
    pass(world, 1);
    expect_view(world, 0,
                (const char *const[]){"+-----------+", //
                                      "|>          |", //
                                      "|-----------|", //
                                      "|           |", //
                                      "|           |", //
                                      "|           |", //
                                      "+-----------+", NULL});
    fixture_close(world);
}
END_TEST

START_TEST(who_scans_sees_those_who_move_without_a_cloak)
{
    static const char *const cellar[] = {"+-----------+", //
                                         "|>          |", //
                                         "|-----------|", //
                                         "|           |", //
                                         "|   }     } |", //
                                         "|           |", //
                                         "+-----------+", NULL};
    fixture *world = scene("", cellar);
    act(world, 0, ACTION_SCAN);
    act(world, 2, ACTION_CLOAK);
    ck_assert_int_eq(view_glyph(world, 0, 4, 4), ' '); /* did not move */
    fixture_add(world, 1, ACTION_MOVE, WN_EAST);
    fixture_add(world, 2, ACTION_MOVE, WN_WEST);
    fixture_turn(world);
    ck_assert_int_eq(view_glyph(world, 0, 5, 4), '}');
    ck_assert_int_eq(view_glyph(world, 0, 9, 4), ' ');
    ck_assert_int_eq(view_glyph(world, 0, 10, 4), ' ');
    walk(world, 1, EAST);
    ck_assert_int_eq(view_glyph(world, 0, 5, 4), ' ');
    ck_assert_int_eq(view_glyph(world, 0, 6, 4), '}');
    pass(world, 1); /* stands: it stays where it was seen last, as a memory */
    wn_view_state view;
    wn_hosted_view(world->hosted, 0, &view);
    ck_assert_uint_eq(view.sprite_count, 1);
    ck_assert_uint_eq(view.cells[4 * 13 + 6], WN_REMEMBERED(TILE_OTHER + EAST));
    fixture_close(world);
}
END_TEST

RUN("hunt: sight", you_see_ahead_left_and_right_and_around_you_but_not_behind,
    sight_ends_with_the_first_wall_or_door_and_the_cells_beside_it, players_look_as_the_rule_book_says,
    you_remember_players_who_left_and_walls_that_are_gone,
    explosions_are_seen_everywhere_and_leave_the_terrain_but_nobody_in_it,
    who_scans_sees_those_who_move_without_a_cloak)
