/* Rules: the chances, by statistics. Each is tried many times; a count more than five standard deviations from what the
 * rule book says fails, which for these numbers of trials is less than what a wrong percentage would make.
 */
#include "hunt_fixture.h"

#include <math.h>
#include <string.h>

static void expect_chance(const char *what, uint32_t count, uint32_t trials, double chance)
{
    const double mean = trials * chance, most = 5 * sqrt(trials * chance * (1 - chance));
    printf("%s: %u of %u, %.1f expected, within %.1f\n", what, count, trials, mean, most);
    ck_assert_msg(fabs(count - mean) <= most, "%s: %u of %u, %.1f expected, within %.1f", what, count, trials, mean,
                  most);
}

/* A world with all chances as they are by default, and a hall for ann and bob. */
static fixture *open_hall(void)
{
    fixture_seed(); /* printed; scenes take it */
    fixture *world = scene("maxdam=10000 pmiss=5 pgren_catch=10 pshot_coll=5 pgren_coll=10 ptrip_face=2 ptrip_side=50 "
                           "ptrip_back=95 pdrone=2 prandom=1 preflect=1 pdroneabsorb=1",
                           (const char *const[]){"+-------+", //
                                                 "|>   }  |", //
                                                 "|       |", //
                                                 "|       |", //
                                                 "|       |", //
                                                 "|       |", //
                                                 "|       |", //
                                                 "|       |", //
                                                 "+-------+", NULL});
    fixture_watch(world, 0, false);
    fixture_watch(world, 1, false);
    fixture_watch(world, WN_SPECTATORS, false);
    return world;
}

static void stand(fixture *world, uint32_t seat, int32_t x, int32_t y, uint32_t facing)
{
    hunt *game = fixture_game(world);
    struct player *who = player(world, seat);
    game->player_at[who->at] = 0;
    who->at = cell_at(game, x, y);
    who->facing = (uint8_t)facing;
    who->heat = 0;
    who->damage = 0;
    game->player_at[who->at] = (uint8_t)(seat + 1);
}

START_TEST(mines_trip_2_50_and_95_times_of_a_hundred)
{
    static const struct {
        const char *what;
        uint32_t facing;
        double chance;
    } ways[] = {{"facing", EAST, 0.02}, {"left", NORTH, 0.5}, {"right", SOUTH, 0.5}, {"backing", WEST, 0.95}};
    enum { TRIALS = 20000 };
    fixture *world = open_hall();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        uint32_t tripped = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            stand(world, 0, 2, 4, ways[i].facing);
            maze_set_item(fixture_game(world), cell_at(fixture_game(world), 3, 4), TILE_SMALL_MINE);
            walk(world, 0, EAST);
            tripped += player(world, 0)->damage > 0;
        }
        expect_chance(ways[i].what, tripped, TRIALS, ways[i].chance);
    }
    fixture_close(world);
}
END_TEST

START_TEST(shots_are_absorbed_10_and_miss_5_times_of_a_hundred)
{
    enum { TRIALS = 20000 };
    for (int faced = 0; faced < 2; faced++) {
        fixture *world = open_hall();
        uint32_t absorbed = 0, missed = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            stand(world, 0, 1, 1, EAST);
            stand(world, 1, 5, 1, faced ? WEST : NORTH);
            player(world, 0)->ammo = 1;
            const uint32_t ammo = player(world, 1)->ammo;
            act(world, 0, ACTION_FIRE);
            const bool caught = player(world, 1)->ammo > ammo;
            absorbed += caught;
            missed += !caught && player(world, 1)->damage == 0;
            pass(world, 1); /* what missed hits the border */
        }
        expect_chance("absorbed", absorbed, TRIALS, faced ? 0.1 : 1e-9);
        expect_chance("missed", missed, TRIALS, faced ? 0.9 * 0.05 : 0.05);
        fixture_close(world);
    }
}
END_TEST

START_TEST(shots_that_meet_go_off_5_or_10_times_of_a_hundred)
{
    enum { TRIALS = 20000 };
    static const double chances[] = {0.05, 0.1, 1e-9, 1e-9}; /* of meeting a bullet, a grenade, a satchel, a bomb */
    for (uint32_t kind = 0; kind < 4; kind++) {
        fixture *world = open_hall();
        stand(world, 0, 1, 7, EAST);
        stand(world, 1, 1, 6, EAST);
        uint32_t both = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            hunt *game = fixture_game(world);
            /* The first moves over the second, then that one flies off into the border and goes off there. */
            shots_add(fixture_world(world), shots_bomb(0, cell_at(game, 1, 1), EAST));
            shots_add(fixture_world(world), shots_bomb(kind, cell_at(game, 5, 1), SOUTH));
            pass(world, 1);
            both += game->shot_total == 0;
            pass(world, 2);
        }
        expect_chance("both go off", both, TRIALS, chances[kind]);
        fixture_close(world);
    }
}
END_TEST

START_TEST(doors_disperse_shots_in_all_four_directions)
{
    enum { TRIALS = 20000 };
    fixture *world = open_hall();
    hunt *game = fixture_game(world);
    stand(world, 0, 1, 7, EAST);
    stand(world, 1, 1, 6, EAST);
    maze_set_terrain(game, cell_at(game, 4, 4), TILE_DOOR);
    uint32_t count[DIRECTIONS] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        shots_add(fixture_world(world), shots_bomb(0, cell_at(game, 2, 4), EAST));
        pass(world, 1);
        const int32_t dx = cell_x(game, game->shots[0].at) - 4, dy = cell_y(game, game->shots[0].at) - 4;
        count[dx > 0 ? EAST : dx < 0 ? WEST : dy > 0 ? SOUTH : NORTH]++;
        pass(world, 2);
    }
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        expect_chance("dispersed", count[i], TRIALS, 0.25);
    }
    fixture_close(world);
}
END_TEST

START_TEST(one_wall_of_a_hundred_comes_back_as_a_door_and_one_as_a_reflecting_one)
{
    enum { TRIALS = 40000 };
    fixture *world = scene("prandom=1 preflect=1 maxremove=1", (const char *const[]){"+-------+", //
                                                                                     "|>|-+---|", //
                                                                                     "+-------+", NULL});
    hunt *game = fixture_game(world);
    uint32_t doors = 0, slashes = 0, backslashes = 0, others = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        const cell opened = cell_at(game, 3 + trial % 2, 1), back = cell_at(game, 4 - trial % 2, 1);
        struct shot shot = shots_bomb(0, opened, EAST);
        const uint8_t was = game->opened_count > 0 ? game->opened[0].tile : 0;
        if (was >= TILE_SLASH) { /* count only plain walls */
            game->opened[0].tile = TILE_HORIZONTAL;
        }
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        doors += trial > 0 && game->terrain[back] == TILE_DOOR;
        slashes += trial > 0 && game->terrain[back] == TILE_SLASH;
        backslashes += trial > 0 && game->terrain[back] == TILE_BACKSLASH;
        others += trial > 0 && game->terrain[back] < TILE_SLASH;
    }
    expect_chance("doors", doors, TRIALS, 0.01);
    expect_chance("/", slashes, TRIALS, 0.005);
    expect_chance("\\", backslashes, TRIALS, 0.005);
    ck_assert_uint_eq(doors + slashes + backslashes + others, TRIALS - 1);
    fixture_close(world);
}
END_TEST

START_TEST(a_drone_comes_at_2_deaths_of_a_hundred_and_the_volcano_by_what_it_holds)
{
    enum { TRIALS = 8000 };
    fixture *world = scene("pdrone=2 volcano_max=50", (const char *const[]){"+---------+", //
                                                                            "|>        |", //
                                                                            "|         |", //
                                                                            "|         |", //
                                                                            "|         |", //
                                                                            "|         |", //
                                                                            "|         |", //
                                                                            "|         |", //
                                                                            "+---------+", NULL});
    hunt *game = fixture_game(world);
    uint32_t drones = 0, eruptions = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        join(world, 1, "bob");
        stand(world, 1, 3, 3, EAST);
        stand(world, 0, 1, 1, EAST);
        player(world, 1)->ammo = 0;
        game->volcano = 1000; /* 20 percent */
        struct shot shot = shots_bomb(3, cell_at(game, 3, 3), EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        for (uint32_t i = 0; i < game->shot_total; i++) {
            drones += game->shots[i].kind == SHOT_DRONE;
            eruptions += game->shots[i].kind == SHOT_LAVA;
            shots_lift(game, &game->shots[i]);
        }
        game->shot_total = 0;
        player(world, 0)->damage = 0;
        if (player(world, 0)->state != SEAT_PLAYING) {
            join(world, 0, "ann");
        }
    }
    expect_chance("drones", drones, TRIALS, 0.02);
    expect_chance("eruptions", eruptions, TRIALS, 0.2);
    fixture_close(world);
}
END_TEST

/* The larger of two random numbers below 100 pays: P(the larger < n) = (n / 100)^2. */
START_TEST(the_larger_of_two_numbers_below_the_ammunition_decides_what_goes_off)
{
    enum { TRIALS = 8000 };
    static const struct {
        uint32_t price, least, below;
    } all[] = {{0, 0, 1},    {1, 1, 5},    {5, 5, 9},    {9, 9, 10},   {10, 10, 15},
               {15, 15, 20}, {20, 20, 25}, {25, 25, 49}, {49, 49, 81}, {81, 81, 100}};
    enum { PRICES = sizeof all / sizeof all[0] };
    uint32_t count[PRICES] = {0};
    fixture *world = scene("", (const char *const[]){"+---------+", //
                                                     "|>        |", //
                                                     "|         |", //
                                                     "|         |", //
                                                     "|         |", //
                                                     "|         |", //
                                                     "+---------+", NULL});
    hunt *game = fixture_game(world);
    for (int trial = 0; trial < TRIALS; trial++) {
        join(world, 1, "bob");
        stand(world, 1, 7, 4, EAST);
        stand(world, 0, 1, 1, EAST);
        player(world, 1)->ammo = 100;
        player(world, 1)->damage = player(world, 1)->capacity;
        game->volcano = 0;
        struct shot shot = shots_bomb(0, cell_at(game, 7, 4), EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        for (uint32_t i = 0; i < PRICES; i++) {
            count[i] += 100 - game->volcano == all[i].price;
        }
        for (uint32_t i = 0; i < game->shot_total; i++) {
            shots_lift(game, &game->shots[i]);
        }
        game->shot_total = 0;
    }
    for (uint32_t i = 0; i < PRICES; i++) {
        const double most = all[i].below / 100.0, least = all[i].least / 100.0;
        expect_chance("goes off", count[i], TRIALS, most * most - least * least);
    }
    fixture_close(world);
}
END_TEST

/* A new player's facing and place, in a hall of his own. */
START_TEST(you_enter_anywhere_facing_anything)
{
    enum { TRIALS = 6000, CELLS = 5 * 5 - 1 };
    fixture *world = scene("", (const char *const[]){"+-----+", //
                                                     "|>    |", //
                                                     "|     |", //
                                                     "|     |", //
                                                     "|     |", //
                                                     "|     |", //
                                                     "+-----+", NULL});
    fixture_watch(world, 0, false);
    fixture_watch(world, WN_SPECTATORS, false);
    uint32_t facings[DIRECTIONS] = {0}, places[7 * 7] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        join(world, 1, "bob");
        facings[player(world, 1)->facing]++;
        places[player(world, 1)->at]++;
        fixture_add_leave(world, 1);
        fixture_turn(world);
    }
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        expect_chance("facing", facings[i], TRIALS, 0.25);
    }
    for (uint32_t at = 0; at < 7 * 7; at++) {
        const bool empty = fixture_game(world)->terrain[at] == TILE_FLOOR && at != player(world, 0)->at;
        ck_assert(empty || places[at] == 0);
        if (empty) {
            expect_chance("in a cell", places[at], TRIALS, 1.0 / CELLS);
        }
    }
    fixture_close(world);
}
END_TEST

/* Turns in the air, and how they land. */
START_TEST(a_flight_takes_one_to_twenty_turns_and_ends_facing_anything)
{
    enum { TRIALS = 8000, TURNS = 20 };
    fixture *world = scene("flystep=0 maxdam=100", (const char *const[]){"+-----+", //
                                                                         "|>    |", //
                                                                         "|     |", //
                                                                         "+-----+", NULL});
    uint32_t turns[TURNS + 1] = {0}, facings[DIRECTIONS] = {0}, costs[3] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        const struct player *who = player(world, 1);
        join_as(world, 1, "bob", ENTER_FLYING);
        turns[who->flying]++;
        player(world, 1)->flying = 1;
        player(world, 1)->damage = 10;
        pass(world, 1);
        REQUIRE(fixture_game(world)->flyers == 0);
        costs[who->damage - 10]++;
        facings[who->facing]++;
        fixture_add_leave(world, 1);
        fixture_turn(world);
    }
    for (uint32_t i = 1; i <= TURNS; i++) {
        expect_chance("turns", turns[i], TRIALS, 1.0 / TURNS);
    }
    for (uint32_t i = 0; i < DIRECTIONS; i++) {
        expect_chance("facing", facings[i], TRIALS, 0.25);
    }
    for (uint32_t i = 0; i < 3; i++) {
        expect_chance("landing costs", costs[i], TRIALS, 1.0 / 3);
    }
    fixture_close(world);
}
END_TEST

static void send_drone(fixture *world, int32_t x, int32_t y, uint32_t direction)
{
    hunt *game = fixture_game(world);
    shots_add(fixture_world(world), (struct shot){.kind = SHOT_DRONE,
                                                  .cause = CAUSE_DRONE,
                                                  .at = cell_at(game, x, y),
                                                  .charge = 25,
                                                  .direction = (uint8_t)direction,
                                                  .owner = NOBODY,
                                                  .credit = NO_IDENT});
}

static void take_shots_away(fixture *world)
{
    hunt *game = fixture_game(world);
    for (uint32_t i = 0; i < game->shot_total; i++) {
        shots_lift(game, &game->shots[i]);
    }
    game->shot_total = 0;
}

/* Drones that come to a crossing from the west, to a corner from the west, and to the end of a hall. */
START_TEST(a_drone_takes_any_way_but_back_and_that_only_from_a_dead_end)
{
    enum { TRIALS = 6000 };
    static const struct {
        int32_t x, y;
        double chances[DIRECTIONS];
    } places[] = {
        {3, 3, {1.0 / 3, 1.0 / 3, 1.0 / 3, 1e-9}}, {3, 1, {1e-9, 1e-9, 1, 1e-9}}, {5, 3, {1e-9, 1e-9, 1e-9, 1}}};
    fixture *world = scene("", (const char *const[]){"+-----+-+", //
                                                     "|--  -|v|", //
                                                     "|-- --| |", //
                                                     "|     | |", //
                                                     "|-- --| |", //
                                                     "|-- --| |", //
                                                     "+-----+-+", NULL});
    hunt *game = fixture_game(world);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint32_t taken[DIRECTIONS] = {0};
        for (int trial = 0; trial < TRIALS; trial++) {
            send_drone(world, places[i].x, places[i].y, i == 1 ? WEST : EAST);
            pass(world, 1);
            taken[game->shots[0].direction]++;
            take_shots_away(world);
        }
        for (uint32_t way = 0; way < DIRECTIONS; way++) {
            if (places[i].chances[way] == 1) {
                ck_assert_uint_eq(taken[way], TRIALS);
            } else {
                expect_chance("taken", taken[way], TRIALS, places[i].chances[way]);
            }
        }
    }
    fixture_close(world);
}
END_TEST

START_TEST(a_drone_that_you_face_is_absorbed_once_in_a_hundred)
{
    enum { TRIALS = 20000 };
    for (uint32_t facing = 0; facing < DIRECTIONS; facing++) {
        fixture *world = open_hall();
        uint32_t absorbed = 0;
        stand(world, 1, 7, 7, EAST);
        for (int trial = 0; trial < (facing == WEST ? TRIALS : TRIALS / 20); trial++) {
            stand(world, 0, 4, 4, facing);
            player(world, 0)->ammo = 0;
            send_drone(world, 3, 4, EAST);
            pass(world, 1);
            const bool caught = player(world, 0)->ammo == 25;
            ck_assert(caught || player(world, 0)->damage > 0);
            absorbed += caught;
            take_shots_away(world);
        }
        if (facing == WEST) {
            expect_chance("absorbed", absorbed, TRIALS, 0.01);
        } else {
            ck_assert_uint_eq(absorbed, 0);
        }
        fixture_close(world);
    }
}
END_TEST

START_TEST(a_drone_carries_any_weapon_from_the_satchel_up)
{
    enum { TRIALS = 4000, WEAPONS = BOMBS - 2 };
    fixture *world = scene("pdrone=100", (const char *const[]){"+---------+", //
                                                               "|>        |", //
                                                               "|         |", //
                                                               "|         |", //
                                                               "|         |", //
                                                               "+---------+", NULL});
    hunt *game = fixture_game(world);
    uint32_t carried[BOMBS] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        join(world, 1, "bob");
        stand(world, 1, 7, 4, EAST);
        stand(world, 0, 1, 1, EAST);
        player(world, 1)->ammo = 0;
        player(world, 1)->damage = player(world, 1)->capacity;
        game->volcano = 0;
        struct shot shot = shots_bomb(0, cell_at(game, 7, 4), EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        ck_assert_uint_eq(game->shot_total, 1);
        for (uint32_t i = 0; i < BOMBS; i++) {
            carried[i] += game->shots[0].charge == hunt_bomb_price[i];
        }
        take_shots_away(world);
    }
    for (uint32_t i = 0; i < BOMBS; i++) {
        expect_chance("carried", carried[i], TRIALS, i < 2 ? 1e-9 : 1.0 / WEAPONS);
    }
    fixture_close(world);
}
END_TEST

/* Where a boot is after the turn in which it was kicked: notes how far it went in each direction. */
static void note_throw(const hunt *game, cell at, uint32_t columns[4], uint32_t rows[4])
{
    columns[(cell_x(game, at) - 1) / 2]++;
    rows[(cell_y(game, at) - 1) / 2]++;
}

/* In the middle of a satchel's explosion they are thrown for one to three turns, by three, one, minus one or minus
 * three columns and rows a turn. */
START_TEST(an_explosion_throws_boots_in_all_directions)
{
    enum { TRIALS = 5000, FORCE = 3 };
    fixture *world = open_hall();
    hunt *game = fixture_game(world);
    uint32_t longer[FORCE] = {0}, columns[FORCE + 1] = {0}, rows[FORCE + 1] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        stand(world, 0, 2, 2, EAST);
        stand(world, 1, 2, 6, EAST);
        for (uint32_t at = 0; at < game->cells; at++) {
            maze_set_item(game, (cell)at, 0);
        }
        memset(game->boots, 0, sizeof game->boots);
        maze_set_item(game, cell_at(game, 4, 4), TILE_BOOTS);
        struct shot shot = shots_bomb(2, cell_at(game, 4, 4), EAST);
        shot.exploding = true;
        shots_add(fixture_world(world), shot);
        pass(world, 1);
        for (uint32_t i = 0; i < BOOTS; i++) {
            if (game->boots[i].flying) {
                longer[game->boots[i].left]++;
                note_throw(game, game->boots[i].at, columns, rows);
            }
        }
        for (uint32_t at = 0; at < game->cells; at++) {
            for (int lying = game->item[at] == TILE_BOOTS ? 2 : game->item[at] == TILE_BOOT; lying > 0; lying--) {
                longer[0]++;
                note_throw(game, (cell)at, columns, rows);
            }
        }
    }
    for (uint32_t i = 0; i < FORCE; i++) {
        expect_chance("turns", longer[i], BOOTS * TRIALS, 1.0 / FORCE);
    }
    for (uint32_t i = 0; i <= FORCE; i++) {
        expect_chance("columns a turn", columns[i], BOOTS * TRIALS, 1.0 / (FORCE + 1));
        expect_chance("rows a turn", rows[i], BOOTS * TRIALS, 1.0 / (FORCE + 1));
    }
    fixture_close(world);
}
END_TEST

RUN("hunt: chances", mines_trip_2_50_and_95_times_of_a_hundred, shots_are_absorbed_10_and_miss_5_times_of_a_hundred,
    shots_that_meet_go_off_5_or_10_times_of_a_hundred, doors_disperse_shots_in_all_four_directions,
    one_wall_of_a_hundred_comes_back_as_a_door_and_one_as_a_reflecting_one,
    a_drone_comes_at_2_deaths_of_a_hundred_and_the_volcano_by_what_it_holds,
    the_larger_of_two_numbers_below_the_ammunition_decides_what_goes_off, you_enter_anywhere_facing_anything,
    a_flight_takes_one_to_twenty_turns_and_ends_facing_anything,
    a_drone_takes_any_way_but_back_and_that_only_from_a_dead_end, a_drone_that_you_face_is_absorbed_once_in_a_hundred,
    a_drone_carries_any_weapon_from_the_satchel_up, an_explosion_throws_boots_in_all_directions)
