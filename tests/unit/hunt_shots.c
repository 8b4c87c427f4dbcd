/* Rules: shots, what stops and turns them, what explosions do, the gun's heat and prices, mines and boots underfoot.
 */
#include "hunt_fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *const hall[] = {"+---------------------+", //
                                   "|>                    |", //
                                   "+---------------------+", NULL};

/* Where the one shot is; -1: there is none. */
static int32_t shot_x(const fixture *world)
{
    const hunt *game = fixture_game(world);
    return game->shot_total == 1 ? cell_x(game, game->shots[0].at) : -1;
}

START_TEST(a_shot_flies_five_cells_a_turn)
{
    fixture *world = scene("", hall);
    act(world, 0, ACTION_FIRE);
    ck_assert_int_eq(shot_x(world), 6);
    pass(world, 1);
    ck_assert_int_eq(shot_x(world), 11);
    fixture_close(world);
}
END_TEST

START_TEST(bulspd_2_makes_it_two)
{
    fixture *world = scene("bulspd=2", hall);
    act(world, 0, ACTION_FIRE);
    ck_assert_int_eq(shot_x(world), 3);
    fixture_close(world);
}
END_TEST

START_TEST(nothing_moves_unless_someone_types)
{
    fixture *world = scene("", hall);
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
    world = scene("simstep=55", hall);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    act(world, 0, ACTION_FIRE);
    for (int turn = 0; turn < 8; turn++) { /* 4 turns of flight, then 4 of explosion */
        ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 55);
        pass(world, 1);
    }
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

START_TEST(a_shot_explodes_at_a_wall_and_opens_it)
{
    fixture *world = scene("", (const char *const[]){"+-----+", //
                                                     "|> |  |", //
                                                     "+-----+", NULL});
    act(world, 0, ACTION_FIRE);
    expect_maze(world, (const char *const[]){"+-----+", //
                                             "|     |", //
                                             "+-----+", NULL});
    expect_view(world, WN_SPECTATORS,
                (const char *const[]){"+-----+", //
                                      "|} *  |", //
                                      "+-----+", NULL});
    fixture_close(world);
}
END_TEST

START_TEST(the_border_stands)
{
    static const char *const room[] = {"+-------+", //
                                       "|       |", //
                                       "|       |", //
                                       "|       |", //
                                       "|       |", //
                                       "|   >   |", //
                                       "|       |", //
                                       "|       |", //
                                       "+-------+", NULL};
    fixture *world = scene("maxdam=1000 ishots=1000", room);
    act(world, 0, ACTION_FIRE + 10);
    ck_assert_uint_gt(player(world, 0)->damage, 0);
    for (int32_t i = 0; i < 9; i++) {
        ck_assert_int_ne(glyph(world, i, 0), ' ');
        ck_assert_int_ne(glyph(world, i, 8), ' ');
        ck_assert_int_ne(glyph(world, 0, i), ' ');
        ck_assert_int_ne(glyph(world, 8, i), ' ');
    }
    fixture_close(world);
}
END_TEST

/* A shot that comes to a wall in one direction leaves it in the other. */
START_TEST(a_reflecting_wall_turns_a_shot_and_flips)
{
    static const struct {
        char wall;
        uint32_t comes, leaves;
    } all[] = {
        {'/', EAST, NORTH},  {'/', WEST, SOUTH},  {'/', NORTH, EAST},  {'/', SOUTH, WEST},
        {'\\', EAST, SOUTH}, {'\\', WEST, NORTH}, {'\\', NORTH, WEST}, {'\\', SOUTH, EAST},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fixture *world = scene("bulspd=3", (const char *const[]){"+-------+", //
                                                                 "|       |", //
                                                                 "|       |", //
                                                                 "|       |", //
                                                                 "|       |", //
                                                                 "|       |", //
                                                                 "|       |", //
                                                                 "|>      |", //
                                                                 "+-------+", NULL});
        hunt *game = fixture_game(world);
        maze_set_terrain(game, cell_at(game, 4, 4), all[i].wall == '/' ? TILE_SLASH : TILE_BACKSLASH);
        const cell start = cell_at(game, 4 - hunt_dx[all[i].comes], 4 - hunt_dy[all[i].comes]);
        shots_add(fixture_world(world), shots_bomb(0, start, all[i].comes));
        pass(world, 1);
        ck_assert_int_eq(glyph(world, 4, 4), all[i].wall == '/' ? '\\' : '/');
        ck_assert_int_eq(glyph(world, 4 + 2 * hunt_dx[all[i].leaves], 4 + 2 * hunt_dy[all[i].leaves]), ':');
        fixture_close(world);
    }
}
END_TEST

START_TEST(players_stop_at_walls_and_walk_through_doors)
{
    fixture *world = scene("", (const char *const[]){"+-----+", //
                                                     "|>#/  |", //
                                                     "+-----+", NULL});
    const hunt *game = fixture_game(world);
    walk(world, 0, NORTH);
    ck_assert_int_eq(cell_y(game, player(world, 0)->at), 1);
    walk(world, 0, EAST);
    ck_assert_int_eq(cell_x(game, player(world, 0)->at), 2);
    walk(world, 0, EAST);
    ck_assert_int_eq(cell_x(game, player(world, 0)->at), 2);
    ck_assert_int_eq(glyph(world, 2, 1), '#');
    fixture_close(world);
}
END_TEST

/* Weapon by weapon: price, side of the explosion, damage in the middle. */
START_TEST(the_weapons_cost_and_reach_what_the_rule_book_says)
{
    static const struct {
        uint32_t price, side, damage;
    } rules[BOMBS] = {{1, 1, 5},     {9, 3, 10},    {25, 5, 15},   {49, 7, 20},   {81, 9, 25},  {121, 11, 30},
                      {169, 13, 35}, {225, 15, 40}, {289, 17, 45}, {361, 19, 50}, {441, 21, 55}};
    for (uint32_t i = 0; i < BOMBS; i++) {
        fixture *world = fixture_open(1, "width=51 height=23 ishots=500 mines=0 boots=no maxdam=100 nshots=0");
        join(world, 0, "ann");
        hunt *game = fixture_game(world);
        struct player *who = player(world, 0);
        game->player_at[who->at] = 0;
        who->at = cell_at(game, 25, 11);
        game->player_at[who->at] = 1;
        maze_set_terrain(game, who->at, TILE_FLOOR);
        who->facing = EAST;
        maze_set_terrain(game, cell_at(game, 26, 11), TILE_CROSS); /* goes off right here */
        fixture_watch(world, WN_SPECTATORS, true);
        act(world, 0, ACTION_FIRE + i);
        ck_assert_uint_eq(who->ammo, 500 - rules[i].price);
        ck_assert_uint_eq(game->blast_count, rules[i].side * rules[i].side);
        ck_assert_uint_eq(who->damage, i == 0 ? 0 : rules[i].damage - 5); /* one cell from the middle */
        for (uint32_t j = 0; j < game->blast_count; j++) {
            const int32_t dx = cell_x(game, game->blasts[j]) - 26, dy = cell_y(game, game->blasts[j]) - 11;
            const int32_t distance = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
            ck_assert_int_le(distance, (int32_t)rules[i].side / 2);
            const char sign = dx == 0 && dy == 0 ? '*'
                              : dx == 0          ? '|'
                              : dy == 0          ? '-'
                              : dx == dy         ? '\\'
                              : dx == -dy        ? '/'
                                                 : '*';
            ck_assert_int_eq(hunt_tiles[game->blast[game->blasts[j]]].ascii[0], sign);
        }
        fixture_close(world);
    }
}
END_TEST

/* bob stands `distance` cells beside the middle of an explosion, for each size and distance. */
START_TEST(damage_falls_by_five_with_each_cell_from_the_middle)
{
    for (uint32_t i = 0; i < BOMBS; i++) {
        for (int32_t distance = 0; distance <= 11; distance++) {
            fixture *world = fixture_open(1, "width=51 height=25 mines=0 boots=no maxdam=100 pmiss=0");
            join(world, 0, "ann");
            hunt *game = fixture_game(world);
            struct player *who = player(world, 0);
            const int32_t other = (int32_t)i * distance % (distance + 1); /* the smaller difference does not count */
            game->player_at[who->at] = 0;
            who->at = cell_at(game, 25 + (i % 2 ? distance : other), 12 - (i % 2 ? other : distance));
            game->player_at[who->at] = 1;
            maze_set_terrain(game, who->at, TILE_FLOOR);
            struct shot shot = shots_bomb(i, cell_at(game, 25, 12), EAST);
            shot.exploding = true;
            shots_add(fixture_world(world), shot);
            pass(world, 1);
            const int32_t damage = ((int32_t)i + 1 - distance) * 5;
            ck_assert_uint_eq(who->damage, damage > 0 ? (uint32_t)damage : 0);
            fixture_close(world);
        }
    }
}
END_TEST

START_TEST(who_cannot_afford_a_weapon_fires_the_largest_he_can)
{
    static const struct {
        uint32_t ammo, asked, left, kind;
    } all[] = {
        {15, 10, 6, SHOT_GRENADE}, {8, 1, 7, SHOT_BULLET}, {48, 3, 23, SHOT_SATCHEL}, {500, 0, 499, SHOT_BULLET}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fixture *world = scene("", hall);
        player(world, 0)->ammo = all[i].ammo;
        act(world, 0, ACTION_FIRE + all[i].asked);
        ck_assert_uint_eq(player(world, 0)->ammo, all[i].left);
        ck_assert_uint_eq(fixture_game(world)->shots[0].kind, all[i].kind);
        fixture_close(world);
    }
}
END_TEST

START_TEST(with_none_there_are_not_enough_charges)
{
    fixture *world = scene("ishots=0", hall);
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(heard(world, 0, "Not enough charges."), 1);
    act(world, 0, ACTION_OOZE + 3);
    ck_assert_uint_eq(heard(world, 0, "Not enough charges."), 1);
    act(world, 0, ACTION_SCAN);
    ck_assert_uint_eq(heard(world, 0, "Not enough charges."), 1);
    ck_assert_uint_eq(fixture_game(world)->shot_total, 0);
    fixture_close(world);
}
END_TEST

START_TEST(three_shots_in_a_row_then_a_step_cools_the_gun_by_one)
{
    fixture *world = scene("", hall);
    for (uint32_t i = 0; i < 5; i++) {
        act(world, 0, ACTION_FIRE);
    }
    ck_assert_uint_eq(player(world, 0)->ammo, 12);
    const char *gun = NULL;
    ck_assert(wn_hosted_status(world->hosted, 0, STATUS_GUN, NULL, NULL, &gun));
    ck_assert_str_eq(gun, "");
    walk(world, 0, EAST);
    ck_assert(wn_hosted_status(world->hosted, 0, STATUS_GUN, NULL, NULL, &gun));
    ck_assert_str_eq(gun, "ok");
    act(world, 0, ACTION_FIRE);
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(player(world, 0)->ammo, 11);
    walk(world, 0, NORTH); /* into a wall: no step */
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(player(world, 0)->ammo, 11);
    fixture_close(world);
}
END_TEST

START_TEST(reflecting_walls_and_doors_fall_to_explosions_next_to_them)
{
    fixture *world = scene("ishots=500 maxdam=100", (const char *const[]){"+-------+", //
                                                                          "|    #  |", //
                                                                          "|>    | |", //
                                                                          "|    /  |", //
                                                                          "+-------+", NULL});
    act(world, 0, ACTION_FIRE);                           /* a bullet opens the wall alone */
    expect_maze(world, (const char *const[]){"+-------+", //
                                             "|    #  |", //
                                             "|       |", //
                                             "|    /  |", //
                                             "+-------+", NULL});
    fixture_close(world);
    world = scene("ishots=500 maxdam=100", (const char *const[]){"+-------+", //
                                                                 "|    #  |", //
                                                                 "|>    | |", //
                                                                 "|    /  |", //
                                                                 "+-------+", NULL});
    act(world, 0, ACTION_FIRE + 1);
    expect_maze(world, (const char *const[]){"+-------+", //
                                             "|       |", //
                                             "|       |", //
                                             "|       |", //
                                             "+-------+", NULL});
    fixture_close(world);
}
END_TEST

START_TEST(mines_in_an_explosion_go_off_small_as_a_bullet_large_as_a_grenade)
{
    fixture *world = scene("ishots=500 maxdam=100", (const char *const[]){"+---------+", //
                                                                          "|     ;   |", //
                                                                          "|>    |   |", //
                                                                          "|      g  |", //
                                                                          "|         |", //
                                                                          "|         |", //
                                                                          "+---------+", NULL});
    act(world, 0, ACTION_FIRE + 1);
    pass(world, 1);
    /* The grenade's nine cells at (6, 2), then the large mine's nine at (7, 3), drawn over them, and the small one's.
     */
    expect_view(world, WN_SPECTATORS,
                (const char *const[]){"+---------+",  //
                                      "|    \\*/  |", //
                                      "|}   -\\|/ |", //
                                      "|    /-*- |",  //
                                      "|     /|\\ |", //
                                      "|         |",  //
                                      "+---------+", NULL});
    ck_assert_int_eq(glyph(world, 6, 1), ' ');
    ck_assert_int_eq(glyph(world, 7, 3), ' ');
    fixture_close(world);
}
END_TEST

START_TEST(an_explosion_shows_for_four_turns)
{
    fixture *world = scene("", (const char *const[]){"+-----+", //
                                                     "|> |  |", //
                                                     "+-----+", NULL});
    act(world, 0, ACTION_FIRE);
    for (int turn = 1; turn <= 4; turn++) {
        ck_assert_int_eq(view_glyph(world, 0, 3, 1), '*');
        pass(world, 1);
    }
    ck_assert_int_eq(view_glyph(world, 0, 3, 1), ' ');
    fixture_close(world);
}
END_TEST

START_TEST(walking_into_a_shot_sets_it_off)
{
    fixture *world = scene("", (const char *const[]){"+-------+", //
                                                     "|>      |", //
                                                     "+-------+", NULL});
    hunt *game = fixture_game(world);
    shots_add(fixture_world(world), shots_bomb(1, cell_at(game, 2, 1), WEST));
    walk(world, 0, EAST);
    ck_assert_int_eq(cell_x(game, player(world, 0)->at), 1);
    ck_assert_uint_eq(player(world, 0)->damage, 5);
    ck_assert_uint_eq(game->shot_total, 0);
    fixture_close(world);
}
END_TEST

START_TEST(a_shot_that_hits_a_player_goes_off_there)
{
    fixture *world = scene("", (const char *const[]){"+-------+", //
                                                     "|>   }  |", //
                                                     "+-------+", NULL});
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(player(world, 1)->damage, 5);
    ck_assert_uint_eq(ident(world, 1)->stats[STAT_SHOT], 1);
    ck_assert_uint_eq(ident(world, 1)->stats[STAT_FACED], 0);
    fixture_close(world);
}
END_TEST

START_TEST(who_faces_a_shot_may_absorb_its_charge)
{
    static const char *const rows[] = {"+-------+", //
                                       "|>   {  |", //
                                       "+-------+", NULL};
    fixture *world = scene("pgren_catch=100", rows);
    act(world, 0, ACTION_FIRE + 1);
    ck_assert_uint_eq(player(world, 1)->damage, 0);
    ck_assert_uint_eq(player(world, 1)->ammo, 24);
    ck_assert_uint_eq(heard(world, 1, "Absorbed charge (good shield!)"), 1);
    ck_assert_uint_eq(ident(world, 1)->stats[STAT_ABSORBED], 9);
    ck_assert_uint_eq(ident(world, 1)->stats[STAT_FACED], 9);
    ck_assert_uint_eq(ident(world, 0)->stats[STAT_ROBBED], 9);
    fixture_close(world);
    world = scene("pgren_catch=100", (const char *const[]){"+-------+", //
                                                           "|>   }  |", //
                                                           "+-------+", NULL});
    act(world, 0, ACTION_FIRE + 1); /* not faced: never absorbed */
    ck_assert_uint_eq(player(world, 1)->damage, 10);
    fixture_close(world);
}
END_TEST

START_TEST(a_shot_that_misses_flies_on)
{
    fixture *world = scene("pmiss=100 maxdam=5", (const char *const[]){"+---------+", //
                                                                       "|>  }     |", //
                                                                       "+---------+", NULL});
    player(world, 1)->damage = 3;
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(heard(world, 1, "Zing!"), 1);
    ck_assert_uint_eq(player(world, 1)->damage, 3);
    ck_assert_int_eq(shot_x(world), 6);
    ck_assert_uint_eq(ident(world, 1)->stats[STAT_DUCKED], 1);
    ck_assert_uint_eq(ident(world, 1)->stats[STAT_SAVED], 1);
    ck_assert_uint_eq(ident(world, 0)->stats[STAT_MISSED], 1);
    fixture_close(world);
}
END_TEST

START_TEST(shots_pass_a_flyer_with_a_zing)
{
    fixture *world = scene("flystep=0", (const char *const[]){"+---------+", //
                                                              "|>  }     |", //
                                                              "+---------+", NULL});
    scene_fly(world, 1, 9, 0, 0);
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(heard(world, 1, "Zing!"), 1);
    ck_assert_int_eq(shot_x(world), 6);
    walk(world, 0, EAST);
    walk(world, 0, EAST);
    walk(world, 0, EAST);
    ck_assert_uint_eq(heard(world, 0, "You couldn't quite reach him!"), 1);
    fixture_close(world);
}
END_TEST

START_TEST(shots_that_meet_may_both_go_off)
{
    fixture *world = scene("pshot_coll=100 maxdam=100", hall);
    hunt *game = fixture_game(world);
    shots_add(fixture_world(world), shots_bomb(0, cell_at(game, 9, 1), WEST));
    act(world, 0, ACTION_FIRE); /* the older one moves first, to x = 4; there the new one meets it */
    ck_assert_uint_eq(game->shot_total, 0);
    fixture_close(world);
    world = scene("pshot_coll=0 pgren_coll=100 pmiss=100", hall);
    game = fixture_game(world);
    shots_add(fixture_world(world), shots_bomb(0, cell_at(game, 9, 1), WEST));
    act(world, 0, ACTION_FIRE);
    ck_assert_uint_eq(game->shot_total, 2);
    fixture_close(world);
}
END_TEST

START_TEST(a_mine_not_tripped_is_worth_its_charges)
{
    fixture *world = scene("", (const char *const[]){"+-------+", //
                                                     "|>;g    |", //
                                                     "+-------+", NULL});
    walk(world, 0, EAST);
    ck_assert_uint_eq(player(world, 0)->ammo, 16);
    walk(world, 0, EAST);
    ck_assert_uint_eq(player(world, 0)->ammo, 25);
    ck_assert_uint_eq(player(world, 0)->damage, 0);
    fixture_close(world);
}
END_TEST

START_TEST(a_tripped_mine_costs_five_or_ten_points)
{
    static const struct {
        const char *setting;
        uint32_t facing;
    } ways[] = {
        {"ptrip_face=100", EAST}, {"ptrip_side=100", NORTH}, {"ptrip_side=100", SOUTH}, {"ptrip_back=100", WEST}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        fixture *world = scene(ways[i].setting, (const char *const[]){"+-------+", //
                                                                      "|>g     |", //
                                                                      "+-------+", NULL});
        player(world, 0)->facing = (uint8_t)ways[i].facing;
        walk(world, 0, EAST);
        ck_assert_uint_eq(player(world, 0)->damage, 10);
        ck_assert_uint_eq(player(world, 0)->ammo, 15);
        player(world, 0)->facing = (uint8_t)(ways[i].facing + 1) % DIRECTIONS; /* another way now: not this chance */
        maze_set_item(fixture_game(world), cell_at(fixture_game(world), 3, 1), TILE_SMALL_MINE);
        walk(world, 0, EAST);
        const bool again = i == 1 || i == 2 ? (ways[i].facing + 1) % 2 == 0 : false;
        ck_assert_uint_eq(player(world, 0)->damage, again ? 15 : 10);
        fixture_close(world);
    }
}
END_TEST

START_TEST(boots_are_picked_up_and_too_noisy_to_cloak)
{
    fixture *world = scene("boots=no", (const char *const[]){"+-------+", //
                                                             "|>bb    |", //
                                                             "+-------+", NULL});
    walk(world, 0, EAST);
    ck_assert_uint_eq(player(world, 0)->boots, 1);
    act(world, 0, ACTION_CLOAK);
    ck_assert_uint_eq(player(world, 0)->cloak, 0);
    ck_assert_uint_eq(player(world, 0)->ammo, 15);
    walk(world, 0, EAST);
    ck_assert_uint_eq(player(world, 0)->boots, 2);
    ck_assert_uint_eq(heard(world, 0, "Wow!  A pair of boots!"), 1);
    fixture_close(world);
}
END_TEST

START_TEST(explosions_kick_boots_about)
{
    fixture *world = scene("ishots=100", (const char *const[]){"+---------+", //
                                                               "|>     B  |", //
                                                               "|      |  |", //
                                                               "|         |", //
                                                               "+---------+", NULL});
    hunt *game = fixture_game(world);
    struct shot shot = shots_bomb(2, cell_at(game, 7, 2), EAST);
    shot.exploding = true;
    shots_add(fixture_world(world), shot);
    pass(world, 1);
    ck_assert(game->boots[0].flying || game->item[cell_at(game, 7, 1)] != TILE_BOOTS);
    pass(world, 30);
    uint32_t boots = 0;
    for (uint32_t at = 0; at < game->cells; at++) {
        boots += game->item[at] == TILE_BOOTS ? 2 : game->item[at] == TILE_BOOT;
    }
    ck_assert_uint_eq(boots, 2);
    fixture_close(world);
}
END_TEST

RUN("hunt: shots", a_shot_flies_five_cells_a_turn, bulspd_2_makes_it_two, nothing_moves_unless_someone_types,
    a_shot_explodes_at_a_wall_and_opens_it, the_border_stands, a_reflecting_wall_turns_a_shot_and_flips,
    players_stop_at_walls_and_walk_through_doors, the_weapons_cost_and_reach_what_the_rule_book_says,
    damage_falls_by_five_with_each_cell_from_the_middle, who_cannot_afford_a_weapon_fires_the_largest_he_can,
    with_none_there_are_not_enough_charges, three_shots_in_a_row_then_a_step_cools_the_gun_by_one,
    reflecting_walls_and_doors_fall_to_explosions_next_to_them,
    mines_in_an_explosion_go_off_small_as_a_bullet_large_as_a_grenade, an_explosion_shows_for_four_turns,
    walking_into_a_shot_sets_it_off, a_shot_that_hits_a_player_goes_off_there, who_faces_a_shot_may_absorb_its_charge,
    a_shot_that_misses_flies_on, shots_pass_a_flyer_with_a_zing, shots_that_meet_may_both_go_off,
    a_mine_not_tripped_is_worth_its_charges, a_tripped_mine_costs_five_or_ten_points,
    boots_are_picked_up_and_too_noisy_to_cloak, explosions_kick_boots_about)
