/* caves_steps.c: what a step does (rules 1 to 4), attacks, and who hears of them. */
#include "caves_fixture.h"

#include <stdlib.h>

static const position players_place = {2, 2};

/* A small cave with the player of seat 0, watched, in a scene. */
static fixture *open_scene(const char *settings, const char *const *rows)
{
    char all[256];
    snprintf(all, sizeof all, "width=40 height=20 lichens=0 growth_permille=0 overrun=100 %s", settings);
    fixture *world = fixture_open(fixture_seed(), all);
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    fixture_watch(world, WN_SPECTATORS, true);
    fixture_paint(world, rows);
    return world;
}

static void check_player_at(const fixture *world, uint32_t seat_number, int32_t x, int32_t y)
{
    const entity *player = fixture_player(world, seat_number);
    ck_assert_ptr_nonnull(player);
    ck_assert_int_eq(player->x, x);
    ck_assert_int_eq(player->y, y);
}

START_TEST(a_step_to_an_empty_cell_moves_there)
{
    static const char *const rows[] = {"#####", "#...#", "#.0.#", "#...#", NULL};
    for (uint32_t direction = 0; direction < 8; direction++) {
        fixture *world = open_scene("", rows);
        fixture_step(world, 0, direction);
        const position to = cave_neighbour(players_place, direction);
        check_player_at(world, 0, to.x, to.y);
        ck_assert(!cave_is_taken(&fixture_game(world)->map, players_place));
        wn_view_state view;
        wn_hosted_view(world->hosted, 0, &view);
        ck_assert_uint_eq(view.focus, (uint32_t)(to.y * 40 + to.x));
        fixture_close(world);
    }
}
END_TEST

START_TEST(a_step_into_a_wall_digs_and_stays)
{
    static const char *const rows[] = {"#####", "#####", "##0##", "#####", NULL};
    for (uint32_t direction = 0; direction < 8; direction++) {
        fixture *world = open_scene("", rows);
        const position to = cave_neighbour(players_place, direction);
        fixture_step(world, 0, direction);
        check_player_at(world, 0, 2, 2);
        ck_assert(cave_is_floor(&fixture_game(world)->map, to));
        ck_assert_uint_eq(fixture_game(world)->map.floors, 2);
        ck_assert_uint_eq(fixture_cell(world, 0, (uint32_t)to.x, (uint32_t)to.y), WN_CELL(TILE_FLOOR));
        ck_assert_uint_eq(saw(world, 0, "dig"), 1);
        fixture_step(world, 0, direction);
        check_player_at(world, 0, to.x, to.y);
        fixture_close(world);
    }
}
END_TEST

START_TEST(a_step_out_of_the_map_does_nothing_but_pass_the_turn)
{
    static const char *const corner[] = {"0#", "##", NULL};
    static const uint32_t outward[] = {WN_NORTH, WN_WEST, WN_NORTH_WEST, WN_NORTH_EAST, WN_SOUTH_WEST};
    fixture *world = open_scene("", corner);
    for (size_t i = 0; i < sizeof outward / sizeof outward[0]; i++) {
        fixture_step(world, 0, outward[i]);
        check_player_at(world, 0, 0, 0);
        ck_assert_uint_eq(fixture_game(world)->map.floors, 1);
    }
    fixture_check(world);
    fixture_close(world);
}
END_TEST

START_TEST(the_far_corner_is_an_edge_too)
{
    static const char *const rows[] = {"0", NULL};
    fixture *world = open_scene("", rows);
    caves *game = fixture_game(world);
    const position corner = {39, 19};
    cave_dig(&game->map, corner);
    entities_move(&game->entities, &game->map, game->seats[0].entity, corner);
    static const uint32_t outward[] = {WN_SOUTH, WN_EAST, WN_SOUTH_EAST, WN_NORTH_EAST, WN_SOUTH_WEST};
    for (size_t i = 0; i < sizeof outward / sizeof outward[0]; i++) {
        fixture_step(world, 0, outward[i]);
        check_player_at(world, 0, 39, 19);
        ck_assert_uint_eq(game->map.floors, 2);
    }
    fixture_check(world);
    fixture_close(world);
}
END_TEST

START_TEST(here_and_rest_pass_the_turn_in_place)
{
    static const char *const rows[] = {"####", "#0v#", "#..#", "####", NULL};
    fixture *world = open_scene("pvp=yes mortal=yes", rows);
    fixture_step(world, 0, WN_HERE);
    check_player_at(world, 0, 1, 1);
    ck_assert_uint_eq(fixture_player(world, 0)->hit_points, PLAYER_HIT_POINTS);
    ck_assert_ptr_null(fixture_find(world, 2, 1)); /* the bunny took its turn */
    ck_assert_uint_eq(heard(world, 0, NULL), 0);
    fixture_paint(world, rows);
    fixture_rest(world, 0);
    check_player_at(world, 0, 1, 1);
    ck_assert_ptr_null(fixture_find(world, 2, 1));
    fixture_close(world);
}
END_TEST

START_TEST(a_step_into_a_creature_attacks_it_and_stays)
{
    static const char *const rows[] = {"#####", "##F##", "#F0F#", "##F##", NULL};
    fixture *world = open_scene("lichen_hp=3 attack=2", rows);
    fixture_step(world, 0, WN_EAST);
    check_player_at(world, 0, 2, 2);
    ck_assert_uint_eq(fixture_find(world, 3, 2)->hit_points, 1);
    ck_assert_uint_eq(fixture_find(world, 1, 2)->hit_points, 3);
    ck_assert_uint_eq(heard(world, 0, "You strike the lichen for 2 damage!"), 1);
    ck_assert_uint_eq(heard(world, 0, "The lichen dies."), 0);
    ck_assert_uint_eq(saw(world, 0, "hit"), 1);
    fixture_step(world, 0, WN_EAST);
    ck_assert_ptr_null(fixture_find(world, 3, 2));
    ck_assert(!cave_is_taken(&fixture_game(world)->map, (position){3, 2}));
    ck_assert_uint_eq(heard(world, 0, "The lichen dies."), 1);
    ck_assert_uint_eq(heard(world, WN_SPECTATORS, "The lichen dies."), 1);
    ck_assert_uint_eq(heard(world, WN_SPECTATORS, "You strike the lichen for 2 damage!"), 0);
    ck_assert_uint_eq(saw(world, 0, "die"), 1);
    ck_assert_uint_eq(fixture_game(world)->seats[0].kills, 1);
    check_player_at(world, 0, 2, 2);
    fixture_check(world);
    fixture_close(world);
}
END_TEST

/* How many attacks of 1 damage it takes until the creature east of the player, who is walled in with it, is gone. */
static uint32_t strikes_until_gone(const char *const *rows)
{
    fixture *world = open_scene("", rows);
    uint32_t strikes = 0;
    while (fixture_find(world, 2, 1) != NULL) {
        ck_assert_uint_lt(strikes, 100);
        fixture_step(world, 0, WN_EAST);
        strikes++;
    }
    ck_assert_uint_eq(fixture_game(world)->entities.count, 1);
    fixture_close(world);
    return strikes;
}

START_TEST(a_lichen_has_one_hit_point_and_a_bunny_four)
{
    static const char *const lichen[] = {"####", "#0F#", "####", NULL};
    static const char *const bunny[] = {"####", "#0v#", "####", NULL};
    ck_assert_uint_eq(strikes_until_gone(lichen), 1);
    ck_assert_uint_eq(strikes_until_gone(bunny), 4);
}
END_TEST

/* It swims away each turn: put it back, in rock, before each attack. */
START_TEST(a_silverfish_has_fifteen_and_is_struck_in_its_rock)
{
    static const char *const rows[] = {"####", "#0=#", "####", NULL};
    fixture *world = open_scene("", rows);
    caves *game = fixture_game(world);
    uint32_t strikes = 0;
    while (game->entities.count == 2) {
        const position east = {2, 1};
        if (fixture_find(world, 2, 1) == NULL) {
            entities_move(&game->entities, &game->map, 1, east);
        }
        fixture_step(world, 0, WN_EAST);
        strikes++;
        ck_assert(!cave_is_floor(&game->map, east)); /* an attack, not a dig */
    }
    ck_assert_uint_eq(strikes, 15);
    fixture_close(world);
}
END_TEST

/* Without defence an attack does just its damage; with it 1 + a number below attack - defence, each alike. */
static void check_damage(uint32_t attack, uint32_t defence, uint32_t least, uint32_t most)
{
    static const char *const rows[] = {"####", "#0F#", "####", NULL};
    enum { STRIKES = 3000 };
    char settings[96];
    snprintf(settings, sizeof settings, "attack=%u defence=%u lichen_hp=1000", attack, defence);
    fixture *world = open_scene(settings, rows);
    uint32_t counts[16] = {0};
    for (int i = 0; i < STRIKES; i++) {
        entity *lichen = fixture_find(world, 2, 1);
        lichen->hit_points = 1000;
        fixture_step(world, 0, WN_EAST);
        const uint32_t damage = 1000 - fixture_find(world, 2, 1)->hit_points;
        ck_assert_uint_ge(damage, least);
        ck_assert_uint_le(damage, most);
        counts[damage]++;
    }
    const double expected = (double)STRIKES / (most - least + 1);
    double chi_square = 0;
    for (uint32_t damage = least; damage <= most; damage++) {
        chi_square += (counts[damage] - expected) * (counts[damage] - expected) / expected;
    }
    ck_assert_double_lt(chi_square, 40); /* at most 9 degrees of freedom: less than one in 100,000 */
    fixture_close(world);
}

START_TEST(damage_follows_attack_and_defence)
{
    check_damage(1, 0, 1, 1);
    check_damage(7, 0, 7, 7);
    check_damage(10, 2, 1, 8);
    check_damage(10, 9, 1, 1);
    check_damage(3, 1, 1, 2);
    check_damage(5, 5, 1, 1);
    check_damage(2, 900, 1, 1);
}
END_TEST

/* other players */

static const char *const two_players[] = {"#####", "#.01#", "#####", NULL};

static fixture *open_pair(const char *settings)
{
    fixture *world = open_scene(settings, (const char *const[]){"0....", NULL});
    join(world, 1, "bob");
    fixture_watch(world, 1, true);
    fixture_paint(world, two_players);
    return world;
}

START_TEST(another_player_is_not_attacked_without_pvp)
{
    fixture *world = open_pair("mortal=yes");
    fixture_step(world, 0, WN_EAST);
    check_player_at(world, 0, 2, 1);
    check_player_at(world, 1, 3, 1);
    ck_assert_uint_eq(fixture_player(world, 1)->hit_points, PLAYER_HIT_POINTS);
    ck_assert_uint_eq(heard(world, 0, NULL), 0);
    ck_assert_uint_eq(heard(world, 1, NULL), 0);
    fixture_close(world);
}
END_TEST

START_TEST(with_pvp_a_mortal_player_is_struck_and_dies_at_forty)
{
    fixture *world = open_pair("pvp=yes mortal=yes attack=39");
    fixture_step(world, 0, WN_EAST);
    ck_assert_uint_eq(fixture_player(world, 1)->hit_points, 1);
    ck_assert_uint_eq(heard(world, 0, "You strike bob for 39 damage!"), 1);
    ck_assert_uint_eq(heard(world, 1, "ann strikes you for 39 damage!"), 1);
    ck_assert_uint_eq(heard(world, 0, "ann strikes you for 39 damage!"), 0);
    int64_t number, maximum;
    ck_assert(wn_hosted_status(world->hosted, 1, STATUS_HIT_POINTS, &number, &maximum, NULL));
    ck_assert_int_eq(number, 1);
    ck_assert_int_eq(maximum, PLAYER_HIT_POINTS);
    fixture_step(world, 0, WN_EAST);
    ck_assert_uint_eq(heard(world, 0, "bob dies."), 1);
    ck_assert_uint_eq(world->done->n_ended, 1);
    ck_assert_uint_eq(world->done->ended[0]->seat, 1);
    ck_assert_str_eq(world->done->ended[0]->text, "killed by ann");
    ck_assert_uint_eq(fixture_game(world)->seats[0].kills, 1);
    ck_assert_uint_eq(fixture_game(world)->entities.count, 1);
    fixture_check(world);
    fixture_close(world);
}
END_TEST

START_TEST(with_pvp_a_player_who_is_not_mortal_feels_it_and_lives)
{
    fixture *world = open_pair("pvp=yes attack=1000");
    for (int i = 0; i < 3; i++) {
        fixture_step(world, 1, WN_WEST);
        ck_assert_uint_eq(heard(world, 0, "bob strikes you for 1000 damage!"), 1);
        ck_assert_uint_eq(world->done->n_ended, 0);
    }
    ck_assert_ptr_nonnull(fixture_player(world, 0));
    fixture_close(world);
}
END_TEST

START_TEST(the_dead_do_not_act_in_the_turn_of_their_death)
{
    fixture *world = open_pair("pvp=yes mortal=yes attack=40");
    fixture_add(world, 0, ACTION_STEP, WN_EAST);
    fixture_add(world, 1, ACTION_STEP, WN_WEST);
    fixture_turn(world);
    ck_assert_ptr_nonnull(fixture_player(world, 0));
    ck_assert_uint_eq(fixture_player(world, 0)->hit_points, PLAYER_HIT_POINTS);
    ck_assert_uint_eq(world->done->n_ended, 1);
    ck_assert_uint_eq(world->done->ended[0]->seat, 1);
    fixture_rest(world, 0);
    ck_assert(!fixture_game(world)->seats[1].taken);
    fixture_close(world);
}
END_TEST

START_TEST(commands_of_a_turn_run_in_seat_order)
{
    fixture *world = open_pair("");
    fixture_add(world, 1, ACTION_STEP, WN_WEST); /* comes second: seat 0 has left the cell by then */
    fixture_add(world, 0, ACTION_STEP, WN_WEST);
    fixture_turn(world);
    check_player_at(world, 0, 1, 1);
    check_player_at(world, 1, 2, 1);
    fixture_close(world);
}
END_TEST

START_TEST(deaths_are_heard_at_seven_cells_and_not_at_eight)
{
    static const char *const rows[] = {
        "0F.....1..", /* the lichen stands at column 1: seat 1 is 6 away, seat 2 7, seat 3 8 */
        "##########", "##########", "##########", "##########", "##########",
        "##########", "########2#", "#########3", NULL};
    fixture *world = open_scene("", (const char *const[]){"0....", NULL});
    for (uint32_t i = 1; i < 4; i++) {
        join(world, i, "other");
        fixture_watch(world, (int32_t)i, true);
    }
    fixture_paint(world, rows);
    fixture_step(world, 0, WN_EAST);
    for (int32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(heard(world, i, "The lichen dies."), 1);
    }
    ck_assert_uint_eq(heard(world, 3, NULL), 0);
    ck_assert_uint_eq(saw(world, 3, "die"), 1); /* it is in view */
    fixture_close(world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_step_to_an_empty_cell_moves_there,
                                  a_step_into_a_wall_digs_and_stays,
                                  a_step_out_of_the_map_does_nothing_but_pass_the_turn,
                                  the_far_corner_is_an_edge_too,
                                  here_and_rest_pass_the_turn_in_place,
                                  a_step_into_a_creature_attacks_it_and_stays,
                                  a_lichen_has_one_hit_point_and_a_bunny_four,
                                  a_silverfish_has_fifteen_and_is_struck_in_its_rock,
                                  damage_follows_attack_and_defence,
                                  another_player_is_not_attacked_without_pvp,
                                  with_pvp_a_mortal_player_is_struck_and_dies_at_forty,
                                  with_pvp_a_player_who_is_not_mortal_feels_it_and_lives,
                                  the_dead_do_not_act_in_the_turn_of_their_death,
                                  commands_of_a_turn_run_in_seat_order,
                                  deaths_are_heard_at_seven_cells_and_not_at_eight};
    return suite_run("caves: steps", tests, sizeof tests / sizeof tests[0]);
}
