/* caves_creatures.c: what lichens, bunnies and silverfish do in their turn, and where new entities appear. Chance is
 * judged by bounds that a wrong rule breaks and a right one does not in a hundred thousand runs.
 */
#include "caves_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chi-square statistics of `cells` equally likely outcomes, as distances from the mean in standard deviations. */
static double unevenness(const uint32_t *counts, uint32_t cells)
{
    double total = 0, chi_square = 0;
    for (uint32_t i = 0; i < cells; i++) {
        total += counts[i];
    }
    const double expected = total / cells;
    for (uint32_t i = 0; i < cells; i++) {
        chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return (chi_square - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

enum { EVEN_ENOUGH = 7 };

static fixture *open_scene(const char *settings, const char *const *rows)
{
    char all[256];
    snprintf(all, sizeof all, "width=80 height=80 lichens=0 overrun=100 %s", settings);
    fixture *world = fixture_open(fixture_seed(), all);
    join(world, 0, "ann");
    fixture_paint(world, rows);
    return world;
}

/* lichens */

enum { ROOMS = 19, ROOM = 4 };

/* Rooms of 3x3 cells with a lichen in the middle of each, 361 of them, and the player apart. */
static void paint_rooms(fixture *world)
{
    static char text[ROOMS * ROOM + 1][ROOMS * ROOM + 2];
    const char *rows[ROOMS * ROOM + 2] = {NULL};
    for (int y = 0; y <= ROOMS * ROOM; y++) {
        for (int x = 0; x <= ROOMS * ROOM; x++) {
            const bool middle = x % ROOM == 2 && y % ROOM == 2, wall = x % ROOM == 0 || y % ROOM == 0;
            text[y][x] = middle ? 'F' : wall ? '#' : '.';
        }
        rows[y] = text[y];
    }
    text[0][0] = '0';
    fixture_paint(world, rows);
}

/* Plays turns over fresh rooms; counts in which direction from the middle lichens grew. */
static uint32_t count_growth(const char *settings, uint32_t turns, uint32_t directions[8])
{
    fixture *world = open_scene(settings, (const char *const[]){"0....", NULL});
    uint32_t grown = 0;
    for (uint32_t turn = 0; turn < turns; turn++) {
        paint_rooms(world);
        const caves *game = fixture_game(world);
        const uint32_t before = game->entities.count;
        fixture_rest(world, 0);
        for (uint32_t i = before; i < game->entities.count; i++) {
            const position at = entity_at(&game->entities.all[i]);
            for (uint32_t direction = 0; direction < 8; direction++) {
                directions[direction] +=
                    at.x % ROOM == 2 + cave_offset[direction].x && at.y % ROOM == 2 + cave_offset[direction].y;
            }
            grown++;
        }
        REQUIRE(game->entities.of_kind[KIND_LICHEN] == ROOMS * ROOMS + game->entities.count - before);
    }
    fixture_check(world);
    fixture_close(world);
    return grown;
}

static void check_rate(const char *settings, double chance, uint32_t turns)
{
    uint32_t directions[8] = {0};
    const double trials = (double)turns * ROOMS * ROOMS;
    const uint32_t grown = count_growth(settings, turns, directions);
    printf("%s: %u of %.0f lichens grew, expected %.0f\n", settings, grown, trials, trials * chance);
    ck_assert_double_lt(fabs(grown - trials * chance), 5 * sqrt(trials * chance * (1 - chance)));
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 8; i++) {
        sum += directions[i];
    }
    ck_assert_uint_eq(sum, grown); /* always next to the parent */
    ck_assert_double_lt(unevenness(directions, 8), EVEN_ENOUGH);
}

START_TEST(a_lichen_grows_with_one_percent_by_default)
{
    check_rate("", 0.01, 500);
}
END_TEST

START_TEST(growth_can_be_one_in_five_hundred)
{
    check_rate("growth_permille=2", 0.002, 700);
}
END_TEST

START_TEST(growth_can_be_never_and_always)
{
    uint32_t directions[8] = {0};
    ck_assert_uint_eq(count_growth("growth_permille=0", 50, directions), 0);
    ck_assert_uint_eq(count_growth("growth_permille=1000", 50, directions), 50 * ROOMS * ROOMS);
    ck_assert_double_lt(unevenness(directions, 8), EVEN_ENOUGH);
}
END_TEST

START_TEST(a_lichen_without_an_empty_neighbour_does_not_grow)
{
    static const char *const rows[] = {"########", "#F##F0##", "####v#~#", "########", "#FF#####", "#FF#####", NULL};
    fixture *world = open_scene("growth_permille=1000", rows);
    caves *game = fixture_game(world);
    game->kinds[KIND_BUNNY].wander = NULL; /* they only stand in the way */
    game->kinds[KIND_SILVERFISH].wander = NULL;
    for (int i = 0; i < 50; i++) {
        fixture_rest(world, 0);
        ck_assert_uint_eq(game->entities.of_kind[KIND_LICHEN], 6);
    }
    fixture_close(world);
}
END_TEST

START_TEST(a_lichen_grows_into_the_one_empty_neighbour_and_on_without_limit)
{
    static const char *const rows[] = {"F..............", "##############.", "0#.............", NULL};
    fixture *world = open_scene("growth_permille=1000", rows);
    const caves *game = fixture_game(world);
    uint32_t before = 1;
    while (before < 29) {
        fixture_rest(world, 0);
        const uint32_t now = game->entities.of_kind[KIND_LICHEN];
        ck_assert_uint_gt(now, before);
        ck_assert_uint_le(now, 2 * before); /* those born in a turn do not grow in it */
        before = now;
    }
    fixture_rest(world, 0);
    ck_assert_uint_eq(game->entities.of_kind[KIND_LICHEN], 29);
    fixture_check(world);
    fixture_close(world);
}
END_TEST

START_TEST(growth_is_heard_at_seven_cells_and_not_at_eight)
{
    static const char *const rows[] = {"0......1#F.", NULL};
    fixture *world = open_scene("growth_permille=1000 lichen_hp=6", (const char *const[]){"0....", NULL});
    join(world, 1, "bob");
    join(world, 2, "eve");
    fixture_watch(world, 0, true);
    fixture_watch(world, 1, true);
    fixture_watch(world, WN_SPECTATORS, true);
    fixture_paint(world, rows);
    fixture_rest(world, 0);
    const caves *game = fixture_game(world);
    ck_assert_uint_eq(fixture_find(world, 10, 0)->kind, KIND_LICHEN);
    ck_assert_uint_eq(fixture_find(world, 10, 0)->hit_points, 6);
    ck_assert_uint_eq(game->entities.of_kind[KIND_LICHEN], 2);
    ck_assert_uint_eq(heard(world, 1, "The lichen grows."), 1);
    ck_assert_uint_eq(saw(world, 1, "grow"), 1);
    ck_assert_uint_eq(heard(world, WN_SPECTATORS, "The lichen grows."), 1);
    ck_assert_uint_eq(heard(world, 0, NULL), 0);
    static const char *const nearer[] = {"##0#####F.", NULL}; /* 7 from where it can only grow */
    static const char *const further[] = {"#0######F.", NULL};
    leave(world, 1);
    fixture_paint(world, nearer);
    fixture_rest(world, 0);
    ck_assert_ptr_nonnull(fixture_find(world, 9, 0));
    ck_assert_uint_eq(heard(world, 0, "The lichen grows."), 1);
    fixture_paint(world, further);
    fixture_rest(world, 0);
    ck_assert_ptr_nonnull(fixture_find(world, 9, 0));
    ck_assert_uint_eq(heard(world, 0, "The lichen grows."), 0);
    fixture_close(world);
}
END_TEST

/* bunnies and silverfish */

/* Lets the creature at (2, 2) of a scene move once, many times over; counts the directions, 8 for "stayed". */
static void count_moves(const char *const *rows, position start, uint32_t turns, uint32_t moves[9])
{
    fixture *world = open_scene("growth_permille=0", rows);
    for (uint32_t turn = 0; turn < turns; turn++) {
        fixture_paint(world, rows);
        const uint32_t id = fixture_find(world, start.x, start.y)->id;
        fixture_rest(world, 0);
        uint32_t found = 8;
        for (uint32_t direction = 0; direction < 8; direction++) {
            const position to = cave_neighbour(start, direction);
            if (cave_is_inside(&fixture_game(world)->map, to) && fixture_find(world, to.x, to.y) != NULL &&
                fixture_find(world, to.x, to.y)->id == id) {
                found = direction;
            }
        }
        REQUIRE(found < 8 || fixture_find(world, start.x, start.y)->id == id);
        moves[found]++;
        fixture_check(world);
    }
    fixture_close(world);
}

START_TEST(a_bunny_moves_to_each_empty_neighbour_alike)
{
    static const char *const rows[] = {"#####", "#.F##", "##v.#", "#.0.#", "#####", NULL};
    uint32_t moves[9] = {0};
    count_moves(rows, (position){2, 2}, 4000, moves);
    const uint32_t empty[] = {moves[WN_NORTH_WEST], moves[WN_EAST], moves[WN_SOUTH_EAST], moves[WN_SOUTH_WEST]};
    ck_assert_uint_eq(empty[0] + empty[1] + empty[2] + empty[3], 4000);
    ck_assert_double_lt(unevenness(empty, 4), EVEN_ENOUGH);
}
END_TEST

START_TEST(a_bunny_without_an_empty_neighbour_stays)
{
    static const char *const rows[] = {"#####", "##F##", "#Fv##", "##0##", "#####", NULL};
    uint32_t moves[9] = {0};
    count_moves(rows, (position){2, 2}, 50, moves);
    ck_assert_uint_eq(moves[8], 50);
}
END_TEST

START_TEST(a_silverfish_swims_through_rock_in_all_directions_alike)
{
    static const char *const in_rock[] = {"#####", "#####", "##=##", "#####", "####0", NULL};
    uint32_t moves[9] = {0};
    count_moves(in_rock, (position){2, 2}, 8000, moves);
    ck_assert_uint_eq(moves[8], 0);
    ck_assert_double_lt(unevenness(moves, 8), EVEN_ENOUGH);
}
END_TEST

START_TEST(a_silverfish_that_picks_a_taken_cell_stays)
{
    static const char *const rows[] = {"#####", "##F##", "##=0#", "#####", NULL};
    enum { TURNS = 8000 };
    uint32_t moves[9] = {0};
    count_moves(rows, (position){2, 2}, TURNS, moves);
    ck_assert_uint_eq(moves[WN_NORTH], 0);
    ck_assert_uint_eq(moves[WN_EAST], 0);
    ck_assert_double_lt(fabs(moves[8] - TURNS * 2 / 8.0), 5 * sqrt(TURNS * 0.25 * 0.75));
}
END_TEST

START_TEST(a_silverfish_does_not_leave_the_map)
{
    static const char *const corner[] = {"=####", "###0#", NULL};
    enum { TURNS = 8000 };
    uint32_t moves[9] = {0};
    count_moves(corner, (position){0, 0}, TURNS, moves);
    const uint32_t inward[] = {moves[WN_EAST], moves[WN_SOUTH_EAST], moves[WN_SOUTH]};
    ck_assert_uint_eq(inward[0] + inward[1] + inward[2] + moves[8], TURNS);
    ck_assert_double_lt(fabs(moves[8] - TURNS * 5 / 8.0), 5 * sqrt(TURNS * 5 / 8.0 * 3 / 8.0));
    ck_assert_double_lt(unevenness(inward, 3), EVEN_ENOUGH);
}
END_TEST

START_TEST(every_creature_takes_one_turn_after_all_commands)
{
    static const char *const rows[] = {"###########", "#0#........", "###.v......", "###........", "#1#..v.....", NULL};
    fixture *world = open_scene("", (const char *const[]){"0....", NULL});
    join(world, 1, "bob");
    fixture_paint(world, rows);
    fixture_add(world, 0, ACTION_REST, 0);
    fixture_add(world, 1, ACTION_REST, 0);
    fixture_turn(world);
    /* two commands, one turn: no bunny is more than a step from where it was */
    const caves *game = fixture_game(world);
    uint32_t bunnies = 0;
    for (uint32_t i = 0; i < game->entities.count; i++) {
        const entity *who = &game->entities.all[i];
        if (who->kind == KIND_BUNNY) {
            const int32_t x = bunnies == 0 ? 4 : 5, y = bunnies == 0 ? 2 : 4;
            ck_assert_int_eq(abs(who->x - x) > abs(who->y - y) ? abs(who->x - x) : abs(who->y - y), 1);
            bunnies++;
        }
    }
    ck_assert_uint_eq(bunnies, 2);
    fixture_close(world);
}
END_TEST

START_TEST(nothing_moves_until_someone_acts)
{
    fixture *world = fixture_open(fixture_seed(), "bunnies=20 silverfish=4 growth_permille=1000");
    const uint64_t before = wn_hosted_hash(world->hosted);
    fixture_watch(world, WN_SPECTATORS, true);
    ck_assert_uint_eq(wn_hosted_hash(world->hosted), before);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    const uint32_t lichens = fixture_game(world)->entities.of_kind[KIND_LICHEN];
    join(world, 0, "ann");
    fixture_act(world, 0, ACTION_REGIONS, 0); /* looking is not acting */
    ck_assert_uint_eq(fixture_game(world)->entities.of_kind[KIND_LICHEN], lichens);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

/* where players appear */

/* Seat 1 comes and goes; counts on which of the scene's empty cells it appeared. */
static double unevenness_of_joining(const char *const *rows, uint32_t joins)
{
    fixture *world = open_scene("", rows);
    const caves *game = fixture_game(world);
    uint32_t *counts = calloc(80 * 80, sizeof *counts), cells = 0, used = 0;
    ck_assert_ptr_nonnull(counts);
    for (uint32_t i = 0; i < joins; i++) {
        join(world, 1, "bob");
        counts[fixture_player(world, 1)->y * 80 + fixture_player(world, 1)->x]++;
        leave(world, 1);
    }
    for (int32_t at = 0; at < 80 * 80; at++) {
        if (cave_is_empty(&game->map, (position){at % 80, at / 80})) {
            used += counts[at];
            counts[cells++] = counts[at];
        }
    }
    ck_assert_uint_eq(used, joins); /* and nowhere else */
    const double result = unevenness(counts, cells);
    free(counts);
    fixture_close(world);
    return result;
}

START_TEST(players_appear_on_each_of_a_few_empty_cells_alike)
{
    static const char *const rows[] = {".#F..#", "#0#v##", "#####.", "~#####", ".....=", NULL};
    ck_assert_double_lt(unevenness_of_joining(rows, 9000), EVEN_ENOUGH);
}
END_TEST

START_TEST(players_appear_on_each_of_many_empty_cells_alike)
{
    static char text[80][81];
    const char *rows[81] = {NULL};
    for (int y = 0; y < 80; y++) {
        memset(text[y], y % 8 < 4 ? '.' : '#', 80);
        text[y][y] = 'F';
        rows[y] = text[y];
    }
    text[0][79] = '0';
    ck_assert_double_lt(unevenness_of_joining(rows, 60000), EVEN_ENOUGH);
}
END_TEST

/* Crowds are placed in another way than a few: every cell is taken as often as any other then, too. */
START_TEST(a_crowd_has_a_cell_each_and_stands_on_each_cell_alike)
{
    enum { ROUNDS = 400, SIDE = 16, CELLS = SIDE * SIDE };
    static uint32_t stood[CELLS], floors[CELLS];
    const uint64_t seed = fixture_seed();
    double variance = 0, expected = 0, total = 0;
    memset(stood, 0, sizeof stood);
    memset(floors, 0, sizeof floors);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        fixture *world = fixture_open(seed + round, "width=16 height=16 smoothing=0 lichens=40");
        const caves *game = fixture_game(world);
        uint32_t there = 0;
        for (int32_t i = 0; i < CELLS; i++) {
            const position at = {i % SIDE, i / SIDE};
            const bool taken = cave_is_taken(&game->map, at);
            REQUIRE(!taken || (cave_is_floor(&game->map, at) && fixture_find(world, at.x, at.y) != NULL));
            stood[i] += taken;
            floors[i] += cave_is_floor(&game->map, at);
            there += taken;
        }
        ck_assert_uint_eq(there, 40);
        fixture_close(world);
    }
    /* Each cell is floor in about half of the rounds and then taken with the same chance: chi-square over 256 cells has
     * mean 256 and a deviation of 23; 6 deviations are allowed. */
    for (int i = 0; i < CELLS; i++) {
        total += floors[i];
    }
    for (int i = 0; i < CELLS; i++) {
        expected = 40.0 * ROUNDS * floors[i] / total;
        variance += (stood[i] - expected) * (stood[i] - expected) / expected;
    }
    ck_assert_double_lt(variance, CELLS + 6 * 23);
}
END_TEST

START_TEST(a_join_without_an_empty_cell_is_refused_with_a_sentence)
{
    static const char *const rows[] = {"0F#", NULL};
    fixture *world = open_scene("growth_permille=0", rows);
    join(world, 1, "bob");
    ck_assert_uint_eq(world->done->n_refused, 1);
    ck_assert_uint_eq(world->done->refused[0]->seat, 1);
    ck_assert_msg(strstr(world->done->refused[0]->text, "no empty cell") != NULL, "%s", world->done->refused[0]->text);
    ck_assert_ptr_null(fixture_player(world, 1));
    fixture_check(world);
    fixture_step(world, 0, WN_SOUTH); /* digs: now there is one */
    join(world, 1, "bob");
    ck_assert_uint_eq(world->done->n_refused, 0);
    ck_assert_int_eq(fixture_player(world, 1)->y, 1);
    leave(world, 1);
    ck_assert_ptr_null(fixture_find(world, 0, 1));
    fixture_check(world);
    fixture_close(world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_lichen_grows_with_one_percent_by_default,
                                  growth_can_be_one_in_five_hundred,
                                  growth_can_be_never_and_always,
                                  a_lichen_without_an_empty_neighbour_does_not_grow,
                                  a_lichen_grows_into_the_one_empty_neighbour_and_on_without_limit,
                                  growth_is_heard_at_seven_cells_and_not_at_eight,
                                  a_bunny_moves_to_each_empty_neighbour_alike,
                                  a_bunny_without_an_empty_neighbour_stays,
                                  a_silverfish_swims_through_rock_in_all_directions_alike,
                                  a_silverfish_that_picks_a_taken_cell_stays,
                                  a_silverfish_does_not_leave_the_map,
                                  every_creature_takes_one_turn_after_all_commands,
                                  nothing_moves_until_someone_acts,
                                  players_appear_on_each_of_a_few_empty_cells_alike,
                                  players_appear_on_each_of_many_empty_cells_alike,
                                  a_crowd_has_a_cell_each_and_stands_on_each_cell_alike,
                                  a_join_without_an_empty_cell_is_refused_with_a_sentence};
    return suite_run("caves: creatures", tests, sizeof tests / sizeof tests[0]);
}
