/* Rules: slime and lava.
 */
#include "hunt_fixture.h"

static uint32_t covered(const fixture *world)
{
    return fixture_game(world)->blast_count;
}

static const char *const dead_end[] = {"+-----------------------------------------------------------------------+",
                                       "|>                                                                      |",
                                       "+-----------------------------------------------------------------------+",
                                       NULL};

/* It lands at the far wall and comes back: one cell for each of three a charge. */
START_TEST(slime_oozes_over_three_cells_a_charge_five_a_turn)
{
    for (uint32_t i = 0; i < SLIMES; i++) {
        static const uint32_t charges[SLIMES] = {5, 10, 15, 20};
        fixture *world = scene("ishots=20 explen=100 slimedam=0", dead_end);
        act(world, 0, ACTION_OOZE + i);
        ck_assert_uint_eq(player(world, 0)->ammo, 20 - charges[i]);
        while (covered(world) == 0) {
            pass(world, 1);
        }
        for (uint32_t turn = 1; turn <= charges[i] * 3 / 5; turn++) {
            ck_assert_uint_eq(covered(world), turn * 5);
            pass(world, 1);
        }
        ck_assert_uint_eq(covered(world), charges[i] * 3);
        ck_assert_uint_eq(fixture_game(world)->shot_total, 0);
        fixture_close(world);
    }
}
END_TEST

START_TEST(slime_goes_around_walls_and_not_through_them)
{
    fixture *world = scene("ishots=20 explen=100 maxdam=100 slimefactor=20", //
                           (const char *const[]){"+-----------+",            //
                                                 "|>  +       |",            //
                                                 "|           |",            //
                                                 "|-----#-----|",            //
                                                 "|           |",            //
                                                 "|           |",            //
                                                 "+-----------+", NULL});
    act(world, 0, ACTION_OOZE + 3);
    pass(world, 60);
    expect_view(world, WN_SPECTATORS,
                (const char *const[]){"+-----------+", //
                                      "|}??+???????|", //
                                      "|$$$$$$$$$$$|", //
                                      "|-----#-----|", //
                                      "|           |", //
                                      "|           |", //
                                      "+-----------+", NULL});
    ck_assert_int_eq(view_glyph(world, WN_SPECTATORS, 11, 1), '$');
    ck_assert_int_eq(view_glyph(world, WN_SPECTATORS, 5, 1), '$');
    fixture_close(world);
}
END_TEST

/* bob in the way, with so many boots. */
START_TEST(slime_does_five_each_time_half_with_a_boot_nothing_with_two)
{
    static const uint32_t damage[] = {5, 3, 0};
    for (uint32_t boots = 0; boots <= BOOTS; boots++) {
        fixture *world = scene("ishots=20 maxdam=100", (const char *const[]){"+-------------+", //
                                                                             "|>  }         |", //
                                                                             "+-------------+", NULL});
        player(world, 1)->boots = (uint8_t)boots;
        act(world, 0, ACTION_OOZE);
        ck_assert_uint_eq(player(world, 1)->damage, damage[boots]);
        ck_assert_uint_eq(heard(world, 1, "You've been slimed."), 1);
        fixture_close(world);
    }
}
END_TEST

START_TEST(a_slime_kill_is_counted)
{
    fixture *world = scene("ishots=20", (const char *const[]){"+-------------+", //
                                                              "|>  }         |", //
                                                              "+-------------+", NULL});
    player(world, 1)->damage = 10;
    act(world, 0, ACTION_OOZE);
    ck_assert_str_eq(ended(world, 1), "Slimed by ann");
    ck_assert_uint_eq(ident(world, 0)->stats[STAT_SLIME], 1);
    fixture_close(world);
}
END_TEST

START_TEST(slime_detonates_shots_it_meets)
{
    fixture *world = scene("ishots=20 bulspd=1 maxdam=100", (const char *const[]){"+-------------+", //
                                                                                  "|>  |         |", //
                                                                                  "+-------------+", NULL});
    hunt *game = fixture_game(world);
    struct shot slime = {.kind = SHOT_SLIME,
                         .cause = CAUSE_SLIME,
                         .charge = 9,
                         .at = cell_at(game, 6, 1),
                         .direction = EAST,
                         .owner = NOBODY,
                         .credit = NO_IDENT,
                         .exploding = true};
    shots_add(fixture_world(world), slime);
    shots_add(fixture_world(world), shots_bomb(1, cell_at(game, 9, 1), EAST)); /* moves to 10, the slime comes there */
    fixture_watch(world, WN_SPECTATORS, true);
    pass(world, 1);
    ck_assert_int_eq(view_glyph(world, WN_SPECTATORS, 10, 2), '|');
    fixture_close(world);
}
END_TEST

START_TEST(lava_spreads_one_cell_a_turn)
{
    fixture *world = scene("explen=100 maxdam=100", dead_end);
    hunt *game = fixture_game(world);
    shots_add(fixture_world(world), (struct shot){.kind = SHOT_LAVA,
                                                  .cause = CAUSE_LAVA,
                                                  .charge = 30,
                                                  .at = cell_at(game, 30, 1),
                                                  .direction = WEST,
                                                  .owner = NOBODY,
                                                  .credit = NO_IDENT,
                                                  .exploding = true});
    fixture_watch(world, 0, true);
    for (uint32_t turn = 1; turn <= 40; turn++) {
        pass(world, 1);
        ck_assert_uint_eq(covered(world), turn < 30 ? turn : 30);
    }
    ck_assert_int_eq(view_glyph(world, 0, 20, 1), '~');
    ck_assert_uint_eq(player(world, 0)->damage, 5); /* the thirtieth cell is his */
    fixture_close(world);
}
END_TEST

RUN("hunt: slime", slime_oozes_over_three_cells_a_charge_five_a_turn, slime_goes_around_walls_and_not_through_them,
    slime_does_five_each_time_half_with_a_boot_nothing_with_two, a_slime_kill_is_counted,
    slime_detonates_shots_it_meets, lava_spreads_one_cell_a_turn)
