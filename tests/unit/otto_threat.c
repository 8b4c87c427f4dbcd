/* otto_threat.c: where otto sees danger, and where his shots would end. */
#include <stdio.h>
#include <string.h>

#include "otto_fixture.h"
#include "suite.h"

static wn_otto shown(const char *before, const char *now)
{
    wn_otto otto;
    otto_born(&otto, 1);
    if (before != NULL) {
        otto_shown(&otto, before, (otto_state){.ammo = 5});
    }
    otto_shown(&otto, now, (otto_state){.ammo = 5});
    return otto;
}

/* The dangers of a row, in bullets' damage, rounded up: 0 nothing, 1 up to a bullet... */
static void expect_row(const wn_otto *otto, uint32_t y, const char *expected)
{
    char text[128] = "";
    for (uint32_t x = 1; x < otto->scene.width - 1; x++) {
        const uint32_t hurt = otto->threats.hurt[otto_cell(otto, x, y)];
        text[x - 1] = (char)('0' + (hurt + WN_BULLET_HURTS - 1) / WN_BULLET_HURTS);
        text[x] = '\0';
    }
    ck_assert_str_eq(text, expected);
}

START_TEST(a_bullet_endangers_its_line_ahead_and_nothing_else)
{
    wn_otto otto = shown("+-----------------+\n"
                         "|                 |\n"
                         "|:               ^|\n"
                         "|                 |\n"
                         "+-----------------+\n",
                         "+-----------------+\n"
                         "|                 |\n"
                         "|     :          ^|\n"
                         "|                 |\n"
                         "+-----------------+\n");
    expect_row(&otto, 1, "00000000000000000");
    expect_row(&otto, 2, "00000011111111111");
    expect_row(&otto, 3, "00000000000000000");
    /* The nearer, the likelier. */
    ck_assert_uint_gt(otto.threats.hurt[otto_cell(&otto, 10, 2)], otto.threats.hurt[otto_cell(&otto, 13, 2)]);
    ck_assert_uint_eq(otto.threats.from[otto_cell(&otto, 10, 2)], 3);
    wn_otto_free(&otto);
}
END_TEST

START_TEST(a_bullet_of_unknown_origin_may_fly_either_way)
{
    wn_otto otto = shown(NULL, "+-----------+\n"
                               "+-----------+\n"
                               "|     :    ^|\n"
                               "+-----------+\n"
                               "+-----------+\n");
    expect_row(&otto, 2, "11111011111");
    wn_otto_free(&otto);
}
END_TEST

START_TEST(a_grenade_endangers_what_is_around_the_wall_that_it_hits)
{
    wn_otto otto = shown("+--------+\n"
                         "|        |\n"
                         "|o       |\n"
                         "|       ^|\n"
                         "+--------+\n",
                         "+--------+\n"
                         "|        |\n"
                         "|     o  |\n"
                         "|       ^|\n"
                         "+--------+\n");
    expect_row(&otto, 1, "00000001");
    expect_row(&otto, 2, "00000023");
    expect_row(&otto, 3, "00000001");
    wn_otto_free(&otto);
}
END_TEST

START_TEST(mirrors_turn_what_flies)
{
    wn_otto otto = shown("+---------+\n"
                         "|         |\n"
                         "|        /|\n"
                         "|         |\n"
                         "|  }     v|\n"
                         "+---------+\n",
                         "+---------+\n"
                         "|         |\n"
                         "|   :    /|\n"
                         "|         |\n"
                         "|        v|\n"
                         "+---------+\n");
    ck_assert_uint_gt(otto.threats.hurt[otto_cell(&otto, 9, 1)], 0);
    ck_assert_uint_eq(otto.threats.hurt[otto_cell(&otto, 9, 3)], 0);
    wn_otto_free(&otto);
}
END_TEST

START_TEST(fresh_slime_endangers_the_cells_that_it_may_reach)
{
    static const char *const picture = "+---------+\n"
                                       "|$  |    ^|\n"
                                       "| + +     |\n"
                                       "|         |\n"
                                       "+---------+\n";
    wn_otto otto = shown(NULL, picture);
    ck_assert_uint_gt(otto.threats.hurt[otto_cell(&otto, 2, 1)], otto.threats.hurt[otto_cell(&otto, 3, 1)]);
    ck_assert_uint_gt(otto.threats.hurt[otto_cell(&otto, 3, 1)], 0);
    ck_assert_uint_eq(otto.threats.hurt[otto_cell(&otto, 5, 1)], 0);
    /* It shows for some turns after it has gone by: then it does nothing any more. */
    otto_shown(&otto, picture, (otto_state){.ammo = 5});
    otto_shown(&otto, picture, (otto_state){.ammo = 5});
    ck_assert_uint_eq(otto.threats.hurt[otto_cell(&otto, 2, 1)], 0);
    wn_otto_free(&otto);
    /* A pair of boots keeps it out. */
    wn_otto shod = shown("+----+\n|^B  |\n|    |\n+----+\n", "+----+\n| ^ $|\n|    |\n+----+\n");
    ck_assert_uint_eq(shod.scene.boots, 2);
    ck_assert_uint_eq(shod.threats.hurt[otto_cell(&shod, 2, 1)], 0);
    wn_otto_free(&shod);
}
END_TEST

START_TEST(a_shot_ends_at_the_first_player_or_wall)
{
    wn_otto otto = shown(NULL, "+-------+\n"
                               "|  + {  |\n"
                               "|       |\n"
                               "|  >  i |\n"
                               "|  #    |\n"
                               "+-------+\n");
    const wn_aim east = wn_aim_from(&otto.scene, 1), north = wn_aim_from(&otto.scene, 0);
    const wn_aim south = wn_aim_from(&otto.scene, 2), west = wn_aim_from(&otto.scene, 3);
    ck_assert(east.sure && east.foe != NULL && east.steps == 3);
    ck_assert(north.sure && north.foe == NULL && north.at == otto_cell(&otto, 3, 1));
    ck_assert(!south.sure && south.at == otto_cell(&otto, 3, 4));
    ck_assert(west.sure && west.steps == 3 && wn_otto_scene_on_border(&otto.scene, west.at));
    wn_otto_free(&otto);
}
END_TEST

START_TEST(a_shot_goes_around_corners_by_mirrors)
{
    wn_otto otto = shown(NULL, "+-------+\n"
                               "|    i  |\n"
                               "|       |\n"
                               "|>   /  |\n"
                               "+-------+\n");
    const wn_aim aim = wn_aim_from(&otto.scene, 1);
    ck_assert(aim.sure && aim.foe != NULL && aim.steps == 6 && !aim.returns);
    wn_otto_free(&otto);
}
END_TEST

START_TEST(walls_that_burn_are_open)
{
    wn_otto otto = shown("+-----+\n|> | {|\n+-----+\n", "+-----+\n|> * {|\n+-----+\n");
    const wn_aim aim = wn_aim_from(&otto.scene, 1);
    ck_assert(aim.foe != NULL);
    wn_otto_free(&otto);
}
END_TEST

RUN("otto_threat", a_bullet_endangers_its_line_ahead_and_nothing_else, a_bullet_of_unknown_origin_may_fly_either_way,
    a_grenade_endangers_what_is_around_the_wall_that_it_hits, mirrors_turn_what_flies,
    fresh_slime_endangers_the_cells_that_it_may_reach, a_shot_ends_at_the_first_player_or_wall,
    a_shot_goes_around_corners_by_mirrors, walls_that_burn_are_open)
