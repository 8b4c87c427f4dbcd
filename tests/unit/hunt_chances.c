/* Rules: the chances, by statistics. Each is tried many times; a count more than five standard deviations from what the
 * rule book says fails, which for these numbers of trials is less than what a wrong percentage would make.
 */
#include "hunt_fixture.h"

#include <math.h>

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

RUN("hunt: chances", mines_trip_2_50_and_95_times_of_a_hundred, shots_are_absorbed_10_and_miss_5_times_of_a_hundred,
    shots_that_meet_go_off_5_or_10_times_of_a_hundred, doors_disperse_shots_in_all_four_directions,
    one_wall_of_a_hundred_comes_back_as_a_door_and_one_as_a_reflecting_one,
    a_drone_comes_at_2_deaths_of_a_hundred_and_the_volcano_by_what_it_holds,
    the_larger_of_two_numbers_below_the_ammunition_decides_what_goes_off)
