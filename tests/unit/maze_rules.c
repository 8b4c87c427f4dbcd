/* maze_rules.c: the rules of the maze mode on drawn mazes: walking, boulders, monsters, the race, the clock. */
#include "maze_fixture.h"

#include "random.h"

#include <string.h>

/* A world with nothing that a scene does not ask for, ann on seat 0, all views watched. */
static fixture *open_world(const char *settings)
{
    char text[256];
    snprintf(text, sizeof text, "monsters=0 obstacles=0 wall_heights=1 %s", settings);
    fixture *world = fixture_open(1, text);
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    fixture_watch(world, WN_SPECTATORS, true);
    return world;
}

static struct maze_square place_of(const fixture *world, uint32_t seat)
{
    const struct maze_square at = runner(world, seat)->at;
    return (struct maze_square){at.x - 1, at.y - 1};
}

#define EXPECT(world, ...) expect(world, (const char *const[]){__VA_ARGS__, NULL})
#define SCENE(world, ...)  scene(world, (const char *const[]){__VA_ARGS__, NULL})

/* walking */

START_TEST(a_step_goes_where_it_points_and_faces_there)
{
    fixture *world = open_world("");
    SCENE(world, "   ", " 0 ", "   ");
    static const char *const after[4][3] = {
        {" 0 ", "   ", "   "}, {"   ", "  0", "   "}, {"   ", "   ", " 0 "}, {"   ", "0  ", "   "}};
    for (uint32_t direction = 0; direction < DIRECTIONS; direction++) {
        SCENE(world, "   ", " 0 ", "   ");
        walk(world, 0, direction);
        EXPECT(world, after[direction][0], after[direction][1], after[direction][2]);
        ck_assert_uint_eq(runner(world, 0)->facing, direction);
        ck_assert_uint_eq(runner(world, 0)->turns, direction + 1);
    }
    fixture_close(world);
}
END_TEST

START_TEST(first_person_steps_go_by_where_one_faces)
{
    fixture *world = open_world("");
    static const struct {
        uint32_t action;
        const char *rows[3];
        uint32_t facing;
    } table[] = {
        {ACTION_FORWARD, {"   ", "  0", "   "}, EAST},    {ACTION_BACK, {"   ", "0  ", "   "}, EAST},
        {ACTION_SIDE_LEFT, {" 0 ", "   ", "   "}, EAST},  {ACTION_SIDE_RIGHT, {"   ", "   ", " 0 "}, EAST},
        {ACTION_TURN_LEFT, {"   ", " 0 ", "   "}, NORTH}, {ACTION_TURN_RIGHT, {"   ", " 0 ", "   "}, SOUTH},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        SCENE(world, "   ", " 0 ", "   ");
        fixture_add(world, 0, ACTION_FACE, WN_EAST);
        fixture_turn(world);
        const uint32_t turns = runner(world, 0)->turns;
        act(world, 0, table[i].action);
        EXPECT(world, table[i].rows[0], table[i].rows[1], table[i].rows[2]);
        ck_assert_uint_eq(runner(world, 0)->facing, table[i].facing);
        ck_assert_uint_eq(runner(world, 0)->turns, turns + (table[i].facing == EAST));
    }
    fixture_close(world);
}
END_TEST

START_TEST(frontends_are_told_where_a_player_looks)
{
    fixture *world = open_world("");
    SCENE(world, "   ", " 0 ", "   ");
    act(world, 0, ACTION_TURN_RIGHT); /* all face south at first */
    const Warren__Update *update = fixture_update(world, 0);
    ck_assert_ptr_nonnull(update);
    ck_assert(update->delta->has_facing);
    ck_assert_uint_eq(update->delta->facing, WN_WEST);
    ck_assert_uint_eq(update->delta->n_sprites, 1);
    ck_assert_uint_eq(update->delta->sprites[0]->facing, WN_WEST);
    fixture_close(world);
}
END_TEST

START_TEST(what_cannot_be_done_takes_no_turn)
{
    fixture *world = open_world("");
    SCENE(world, "0#", "##");
    walk(world, 0, EAST);
    walk(world, 0, SOUTH);
    act(world, 0, ACTION_REST); /* nor does resting before the first step */
    for (uint32_t direction = 0; direction <= WN_HERE; direction++) {
        if (direction % 2 == 1 || direction == WN_HERE) {
            fixture_add(world, 0, ACTION_STEP, direction);
            fixture_turn(world);
        }
    }
    EXPECT(world, "0#", "##");
    ck_assert_uint_eq(runner(world, 0)->turns, 0);
    ck_assert(!runner(world, 0)->running);
    SCENE(world, "0 ", "##");
    walk(world, 0, EAST);
    act(world, 0, ACTION_REST);
    ck_assert_uint_eq(runner(world, 0)->turns, 2);
    fixture_close(world);
}
END_TEST

/* seeing */

START_TEST(what_is_round_the_corner_is_remembered_and_who_is_there_is_not_shown)
{
    fixture *world = open_world("");
    join(world, 1, "bob");
    fixture_watch(world, 1, true);
    SCENE(world, "0   1", "### #", "### #");
    const struct maze_square seen = {2, 1}, unseen = {4, 3};
    ck_assert(fixture_shows_sprite(world, 0, 1) && fixture_shows_sprite(world, 1, 0));
    ck_assert_uint_eq(cell_shown(world, 0, seen), WN_CELL(TILE_FLOOR));
    ck_assert_uint_eq(cell_shown(world, 0, unseen), WN_CELL(TILE_UNKNOWN));
    walk(world, 1, WEST);
    walk(world, 1, SOUTH);
    walk(world, 1, SOUTH);
    EXPECT(world, "0    ", "### #", "###1#");
    ck_assert(!fixture_shows_sprite(world, 0, 1) && !fixture_shows_sprite(world, 1, 0));
    ck_assert(fixture_shows_sprite(world, WN_SPECTATORS, 0) && fixture_shows_sprite(world, WN_SPECTATORS, 1));
    ck_assert_uint_eq(cell_shown(world, 1, seen), WN_REMEMBERED(TILE_FLOOR));
    ck_assert_uint_eq(cell_shown(world, WN_SPECTATORS, unseen), WN_CELL(TILE_FLOOR));
    fixture_check(world);
    fixture_close(world);
}
END_TEST

START_TEST(players_pass_through_each_other)
{
    fixture *world = open_world("");
    join(world, 1, "bob");
    SCENE(world, "01 ");
    walk(world, 0, EAST);
    walk(world, 0, EAST);
    EXPECT(world, " 10");
    fixture_close(world);
}
END_TEST

/* boulders */

START_TEST(a_boulder_is_pushed_along_a_hall_until_something_is_in_the_way)
{
    fixture *world = open_world("monsters=1 tick=off");
    join(world, 1, "bob");
    static const struct {
        const char *before, *after;
    } table[] = {
        {"0O  #1", " 0O #1"}, {"0O#  1", "0O#  1"}, {"0OO  1", "0OO  1"}, {"0O1   ", "0O1   "},
        {"0OM# 1", "0OM# 1"}, {"0O*  1", "0O*  1"}, {"0O=  1", "0O=  1"}, {"0 O  1", " 0O  1"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        SCENE(world, table[i].before);
        const uint32_t turns = runner(world, 0)->turns;
        const bool stays = strcmp(table[i].before, table[i].after) == 0;
        fixture_game(world)->steps = 0;
        runner(world, 1)->running = true; /* so that monsters wait for two steps */
        walk(world, 0, EAST);
        EXPECT(world, table[i].after);
        ck_assert_uint_eq(runner(world, 0)->turns, turns + !stays);
        ck_assert_uint_eq(heard(world, 0, "The boulder cannot be pushed on."), stays);
    }
    fixture_close(world);
}
END_TEST

START_TEST(a_boulder_is_pushed_from_any_side_and_walking_backwards)
{
    fixture *world = open_world("");
    SCENE(world, "     ", " O0O ", "     ");
    act(world, 0, ACTION_SIDE_LEFT); /* east, for all face south at first */
    EXPECT(world, "     ", " O 0O", "     ");
    act(world, 0, ACTION_TURN_LEFT);
    act(world, 0, ACTION_BACK);
    act(world, 0, ACTION_BACK);
    EXPECT(world, "     ", "O0  O", "     ");
    fixture_close(world);
}
END_TEST

/* In a hall two squares wide: where a boulder would close it, with a wall or with another boulder, it stays. */
START_TEST(in_wide_halls_a_boulder_never_closes_a_way)
{
    fixture *world = open_world("hall=2");
    SCENE(world, "0O   ", "     ");
    walk(world, 0, EAST);
    EXPECT(world, " 0O  ", "     ");
    SCENE(world, "0O   ", "  #  ");
    walk(world, 0, EAST);
    EXPECT(world, "0O   ", "  #  ");
    SCENE(world, "0O   ", "  O  ");
    walk(world, 0, EAST);
    EXPECT(world, "0O   ", "  O  ");
    SCENE(world, "0O   ", "   O ");
    walk(world, 0, EAST);
    EXPECT(world, "0O   ", "   O ");
    SCENE(world, "0O #", "   #");
    walk(world, 0, EAST);
    EXPECT(world, " 0O#", "   #");
    fixture_close(world);
}
END_TEST

START_TEST(a_boulder_is_remembered_where_it_was_seen)
{
    fixture *world = open_world("");
    join(world, 1, "bob");
    SCENE(world, " ####", "0####", "  O  ", "#1###");
    fixture_game(world)->runners[1].facing = NORTH;
    const struct maze_square was = {3, 3}, is = {4, 3};
    walk(world, 0, SOUTH);
    ck_assert_uint_eq(cell_shown(world, 0, was), WN_CELL(TILE_BOULDER));
    walk(world, 0, NORTH);
    walk(world, 0, NORTH);
    ck_assert_uint_eq(cell_shown(world, 0, was), WN_REMEMBERED(TILE_BOULDER));
    walk(world, 1, NORTH);
    walk(world, 1, EAST);
    EXPECT(world, "0####", " ####", "  1O ", "# ###");
    ck_assert_uint_eq(cell_shown(world, 0, was), WN_REMEMBERED(TILE_BOULDER));
    ck_assert_uint_eq(cell_shown(world, WN_SPECTATORS, was), WN_CELL(TILE_FLOOR));
    ck_assert_uint_eq(cell_shown(world, WN_SPECTATORS, is), WN_CELL(TILE_BOULDER));
    walk(world, 0, SOUTH);
    walk(world, 0, SOUTH);
    ck_assert_uint_eq(cell_shown(world, 0, was), WN_CELL(TILE_FLOOR));
    ck_assert_uint_eq(cell_shown(world, 0, is), WN_CELL(TILE_BOULDER));
    fixture_close(world);
}
END_TEST

/* monsters */

/* Monsters move once. */
static void tick(fixture *world)
{
    for (uint32_t seat = 0; seat < 2; seat++) {
        runner(world, seat)->running = runner(world, seat)->taken;
    }
    wake(world);
}

START_TEST(a_monster_goes_for_the_player_it_sees_and_sends_it_back)
{
    fixture *world = open_world("monsters=1 tick=100");
    SCENE(world, "=#####", " #####", "0   M ");
    tick(world);
    EXPECT(world, "=#####", " #####", "0  M  ");
    tick(world);
    tick(world);
    EXPECT(world, "=#####", " #####", "0M    ");
    const uint32_t turns = runner(world, 0)->turns;
    tick(world);
    EXPECT(world, "0#####", " #####", "    M "); /* it is at home again */
    ck_assert(!fixture_game(world)->monsters[0].hunts);
    ck_assert_uint_eq(heard(world, 0, "A monster touches you, and you are back at the start."), 1);
    ck_assert_uint_eq(runner(world, 0)->turns, turns);
    ck_assert(runner(world, 0)->running);
    fixture_check(world);
    fixture_close(world);
}
END_TEST

/* It hunts for twelve moves, turns away, and hunts nobody for twenty. */
START_TEST(a_monster_gives_up_a_long_chase)
{
    fixture *world = open_world("monsters=1 tick=100");
    SCENE(world, "M  0                 ");
    for (int i = 0; i < 12; i++) {
        ck_assert_int_eq(fixture_game(world)->monsters[0].at.x, 1 + i);
        walk(world, 0, EAST);
        tick(world);
    }
    EXPECT(world, "            M  0     ");
    for (int i = 0; i < 12; i++) { /* to the end and back again */
        tick(world);
        ck_assert(!fixture_game(world)->monsters[0].hunts);
    }
    EXPECT(world, "M              0     ");
    for (int i = 0; i < 9; i++) {
        ck_assert(!fixture_game(world)->monsters[0].hunts);
        tick(world);
    }
    tick(world);
    ck_assert(fixture_game(world)->monsters[0].hunts);
    fixture_close(world);
}
END_TEST

START_TEST(who_walks_into_a_monster_is_sent_back_as_well)
{
    fixture *world = open_world("monsters=1 tick=100");
    SCENE(world, "=####", "##0M ");
    walk(world, 0, EAST);
    EXPECT(world, "0####", "## M ");
    fixture_close(world);
}
END_TEST

/* It sees nobody at the start, and does not come in; nor onto the finale. */
START_TEST(the_start_is_safe_and_the_finale_is_not_taken)
{
    fixture *world = open_world("monsters=1 tick=100");
    SCENE(world, "0M*#");
    fixture_game(world)->north = runner(world, 0)->at;
    fixture_game(world)->sanctuary = (struct box){1, 1, 1, 1};
    for (int i = 0; i < 5; i++) {
        tick(world);
        EXPECT(world, "0M*#");
        ck_assert(!fixture_game(world)->monsters[0].hunts);
    }
    fixture_close(world);
}
END_TEST

START_TEST(a_monster_goes_on_to_where_it_saw_a_player_last)
{
    fixture *world = open_world("monsters=1 tick=100");
    SCENE(world, "###### #", "M     0#", "########");
    tick(world);
    walk(world, 0, NORTH);
    EXPECT(world, "######0#", " M     #", "########");
    for (int i = 0; i < 4; i++) {
        tick(world);
    }
    EXPECT(world, "######0#", "     M #", "########");
    fixture_close(world);
}
END_TEST

START_TEST(a_wandering_monster_turns_round_only_in_a_dead_end)
{
    fixture *world = open_world("monsters=1 tick=100");
    SCENE(world, "0######", "#######", "# M   #", "#######");
    static const int32_t columns[] = {4, 5, 6, 5, 4, 3, 2, 3};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        tick(world);
        ck_assert_int_eq(fixture_game(world)->monsters[0].at.x, columns[i]);
    }
    fixture_close(world);
}
END_TEST

/* At a junction with three ways on, each is taken as often: 6 sigma. */
START_TEST(wandering_is_fair)
{
    fixture *world = open_world("monsters=1 tick=100");
    enum { TRIES = 3000 };
    uint32_t taken[DIRECTIONS] = {0};
    for (int i = 0; i < TRIES; i++) {
        SCENE(world, "0######", "###### ", "### ###", "##M  ##", "### ###");
        tick(world);
        SCENE(world, "0######", "###### ", "### ###", "## M ##", "### ###");
        tick(world);
        taken[fixture_game(world)->monsters[0].facing]++;
    }
    ck_assert_uint_eq(taken[WEST], 0);
    for (uint32_t i = NORTH; i <= SOUTH; i++) {
        ck_assert_uint_gt(taken[i], TRIES / 3 - 155);
        ck_assert_uint_lt(taken[i], TRIES / 3 + 155);
    }
    fixture_close(world);
}
END_TEST

/* the race */

START_TEST(the_first_to_arrive_wins_and_sees_everything)
{
    fixture *world = open_world("");
    join(world, 1, "bob");
    fixture_watch(world, 1, true);
    SCENE(world, "=1 0 *", "######", "      ");
    const struct maze_square hidden = {1, 3};
    walk(world, 1, EAST);
    walk(world, 0, EAST);
    ck_assert_uint_eq(cell_shown(world, 0, hidden), WN_CELL(TILE_UNKNOWN));
    walk(world, 0, EAST);
    EXPECT(world, "= 1  *", "######", "      ");
    ck_assert(runner(world, 0)->arrived && !runner(world, 0)->running && runner(world, 0)->place == 1);
    ck_assert_uint_eq(heard(world, 1, "ann reaches the finale after 2 turns, and wins."), 1);
    ck_assert_uint_eq(cell_shown(world, 0, hidden), WN_CELL(TILE_FLOOR));
    ck_assert_uint_eq(cell_shown(world, 1, hidden), WN_CELL(TILE_UNKNOWN));
    ck_assert(fixture_shows_sprite(world, 0, 1) && !fixture_shows_sprite(world, 1, 0));
    for (int i = 0; i < 3; i++) {
        walk(world, 1, EAST);
    }
    ck_assert_uint_eq(heard(world, 0, "bob reaches the finale after 4 turns."), 1);
    ck_assert(runner(world, 1)->place == 2 && runner(world, 1)->finishes == 1 && runner(world, 1)->wins == 0);
    ck_assert(runner(world, 0)->finishes == 1 && runner(world, 0)->wins == 1 && runner(world, 0)->best == 2);
    walk(world, 0, WEST); /* who has arrived walks no more */
    ck_assert_uint_eq(runner(world, 0)->turns, 2);
    fixture_check(world);
    fixture_close(world);
}
END_TEST

START_TEST(a_time_is_a_score_of_its_size_of_maze)
{
    fixture *world = open_world("cells=12 hall=2");
    SCENE(world, "=0*");
    walk(world, 0, EAST);
    ck_assert_uint_eq(world->done->n_scores, 1);
    ck_assert_str_eq(world->done->scores[0]->table, "turns 12x12 hall 2 wall 1");
    ck_assert_int_eq(world->done->scores[0]->value, 1);
    fixture_close(world);
}
END_TEST

START_TEST(a_new_maze_is_for_who_has_arrived_and_puts_everyone_to_its_start)
{
    fixture *world = open_world("");
    SCENE(world, "=0*", "###", "   ");
    act(world, 0, ACTION_NEW_MAZE);
    ck_assert_uint_eq(fixture_game(world)->number, 1);
    ck_assert_uint_eq(heard(world, 0, "Reach the finale first: then you can ask for a new maze."), 1);
    walk(world, 0, EAST);
    join(world, 1, "bob"); /* has not set out: nobody waits for him */
    fixture_watch(world, 1, true);
    act(world, 0, ACTION_NEW_MAZE);
    const game *state = fixture_game(world);
    ck_assert_uint_eq(state->number, 2);
    ck_assert_uint_eq(heard(world, 1, "A new maze, the world's number 2."), 1);
    for (uint32_t seat = 0; seat < 2; seat++) {
        ck_assert(is_same(runner(world, seat)->at, state->north));
        ck_assert(!runner(world, seat)->arrived && !runner(world, seat)->running && runner(world, seat)->turns == 0);
    }
    ck_assert_uint_eq(runner(world, 0)->best, 1);
    fixture_check(world);
    fixture_close(world);
}
END_TEST

START_TEST(while_others_are_on_the_way_a_new_maze_is_asked_for_twice)
{
    fixture *world = open_world("");
    join(world, 1, "bob");
    fixture_watch(world, 1, true);
    SCENE(world, "=10*", "### ");
    walk(world, 1, EAST);
    walk(world, 0, EAST);
    act(world, 0, ACTION_NEW_MAZE);
    ck_assert_uint_eq(fixture_game(world)->number, 1);
    ck_assert_uint_eq(heard(world, 1, "ann would like a new maze; asked for once more, it comes."), 1);
    act(world, 0, ACTION_NEW_MAZE);
    ck_assert_uint_eq(fixture_game(world)->number, 2);
    ck_assert(!runner(world, 1)->running);
    fixture_close(world);
}
END_TEST

/* the clock */

START_TEST(the_clock_runs_while_somebody_is_on_the_way)
{
    fixture *world = open_world("monsters=2 tick=100");
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    act(world, 0, ACTION_TURN_LEFT);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    SCENE(world, "=0 *", "####");
    walk(world, 0, EAST);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 100);
    wake(world);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 100);
    walk(world, 0, EAST);
    wake(world);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

/* How many ticks there are until the world sleeps. */
static uint32_t ticks_left(fixture *world)
{
    uint32_t ticks = 0;
    while (wn_hosted_wake_ms(world->hosted) != 0) {
        wake(world);
        REQUIRE(++ticks <= 1000);
    }
    return ticks;
}

START_TEST(when_nobody_has_done_anything_for_a_minute_the_clock_stops)
{
    fixture *world = open_world("tick=100");
    SCENE(world, "0  ");
    walk(world, 0, EAST);
    ck_assert_uint_eq(ticks_left(world), 600);
    act(world, 0, ACTION_TURN_LEFT);
    ck_assert_uint_eq(ticks_left(world), 600);
    fixture_close(world);
}
END_TEST

START_TEST(a_command_does_not_move_monsters_where_there_is_a_clock)
{
    fixture *world = open_world("monsters=1 tick=100");
    SCENE(world, "0   ###", "#######", "# M   #", "#######");
    walk(world, 0, EAST);
    walk(world, 0, EAST);
    EXPECT(world, "  0 ###", "#######", "# M   #", "#######");
    wake(world);
    EXPECT(world, "  0 ###", "#######", "#  M  #", "#######");
    fixture_close(world);
}
END_TEST

START_TEST(without_a_clock_monsters_move_when_everyone_has)
{
    fixture *world = open_world("monsters=1 tick=off");
    SCENE(world, "0   ###", "#######", "# M   #", "#######");
    walk(world, 0, EAST);
    EXPECT(world, " 0  ###", "#######", "#  M  #", "#######");
    act(world, 0, ACTION_TURN_LEFT);
    walk(world, 0, NORTH); /* the wall */
    EXPECT(world, " 0  ###", "#######", "#  M  #", "#######");
    act(world, 0, ACTION_REST);
    EXPECT(world, " 0  ###", "#######", "#   M #", "#######");
    join(world, 1, "bob");
    runner(world, 1)->running = true;
    act(world, 0, ACTION_REST);
    EXPECT(world, " 0  ###", "#######", "#   M #", "#######");
    act(world, 1, ACTION_REST);
    EXPECT(world, " 0  ###", "#######", "#    M#", "#######");
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

/* worlds */

static uint64_t next_of(void *context)
{
    return wn_generator_next(context);
}

START_TEST(a_world_begins_with_the_maze_of_its_seed)
{
    const uint64_t seed = fixture_seed();
    fixture *world = fixture_open(seed, "cells=17 hall=2 wall=3 wall_heights=9 end=side obstacles=30 monsters=5");
    const game *state = fixture_game(world);
    wn_generator generator;
    wn_generator_seed(&generator, seed);
    const struct maze_chance chance = {next_of, &generator};
    uint16_t cell[17 * 17];
    uint8_t squares[100 * 100];
    struct maze maze = {.cells = 17, .cell = cell};
    const struct maze_shape shape = {2, 3, 9};
    maze_carve(&maze, MAZE_END_SIDE, &chance);
    maze_place_obstacles(&maze, 30, &chance);
    maze_draw(&maze, &shape, squares, &chance);
    ck_assert_int_eq(state->side, 100);
    ck_assert(memcmp(state->squares, squares, sizeof squares) == 0);
    uint32_t boulders = 0;
    for (uint32_t i = 0; i < 17 * 17; i++) {
        const bool obstacle = (cell[i] & MAZE_OBSTACLE) != 0;
        ck_assert(bit_of(state, state->boulders, maze_middle(&maze, &shape, i)) == obstacle);
        boulders += obstacle;
    }
    for (uint32_t i = 0; i < state->words; i++) {
        boulders -= (uint32_t)__builtin_popcountll(state->boulders[i]);
    }
    ck_assert_uint_eq(boulders, 0);
    ck_assert_uint_eq(state->monster_count, 5);
    fixture_close(world);
}
END_TEST

START_TEST(a_maze_that_no_view_can_show_is_refused_by_name)
{
    wn_error error = {0};
    ck_assert_ptr_null(fixture_try(1, "cells=126 hall=5 wall=3", &error));
    ck_assert_msg(strstr(error.text, "1032 squares") != NULL && strstr(error.text, "1024") != NULL &&
                      strstr(error.text, "lower cells, hall or wall") != NULL,
                  "%s", error.text);
    fixture *world = fixture_open(1, "cells=256");
    ck_assert_int_eq(fixture_game(world)->side, 518);
    fixture_close(world);
}
END_TEST

START_TEST(settings_out_of_range_are_refused_by_name)
{
    static const struct {
        const char *name;
        int minimum, maximum;
    } ranges[] = {{"cells", 2, 256},     {"hall", 1, 8},      {"wall", 1, 8},    {"wall_heights", 1, 9},
                  {"obstacles", 0, 100}, {"monsters", 0, 64}, {"tick", 0, 10000}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        for (int side = 0; side < 4; side++) {
            const int value = side < 2 ? ranges[i].minimum - (side == 0) : ranges[i].maximum + (side == 2);
            char settings[64];
            wn_error error = {0};
            snprintf(settings, sizeof settings, "%s=%d", ranges[i].name, value);
            fixture *world = fixture_try(1, settings, &error);
            ck_assert_msg((world != NULL) == (side % 2 == 1), "%s", settings);
            if (world != NULL) {
                fixture_close(world);
            } else {
                ck_assert_str_eq(error.field, ranges[i].name);
            }
        }
    }
}
END_TEST

START_TEST(who_joins_starts_at_the_northern_feature_and_a_seat_that_was_left_is_fresh)
{
    fixture *world = open_world("");
    ck_assert(is_same(runner(world, 0)->at, fixture_game(world)->north));
    SCENE(world, "=0*");
    walk(world, 0, EAST);
    fixture_add_leave(world, 0);
    fixture_turn(world);
    join(world, 0, "bob");
    const struct runner *bob = runner(world, 0);
    ck_assert(is_same(bob->at, fixture_game(world)->north));
    ck_assert(bob->finishes == 0 && bob->best == 0 && !bob->arrived && !bob->greeted);
    ck_assert_int_eq(place_of(world, 0).x, 0);
    fixture_close(world);
}
END_TEST

RUN("maze: rules", a_step_goes_where_it_points_and_faces_there, first_person_steps_go_by_where_one_faces,
    frontends_are_told_where_a_player_looks, what_cannot_be_done_takes_no_turn,
    what_is_round_the_corner_is_remembered_and_who_is_there_is_not_shown, players_pass_through_each_other,
    a_boulder_is_pushed_along_a_hall_until_something_is_in_the_way,
    a_boulder_is_pushed_from_any_side_and_walking_backwards, in_wide_halls_a_boulder_never_closes_a_way,
    a_boulder_is_remembered_where_it_was_seen, a_monster_goes_for_the_player_it_sees_and_sends_it_back,
    a_monster_gives_up_a_long_chase, who_walks_into_a_monster_is_sent_back_as_well,
    the_start_is_safe_and_the_finale_is_not_taken, a_monster_goes_on_to_where_it_saw_a_player_last,
    a_wandering_monster_turns_round_only_in_a_dead_end, wandering_is_fair, the_first_to_arrive_wins_and_sees_everything,
    a_time_is_a_score_of_its_size_of_maze, a_new_maze_is_for_who_has_arrived_and_puts_everyone_to_its_start,
    while_others_are_on_the_way_a_new_maze_is_asked_for_twice, the_clock_runs_while_somebody_is_on_the_way,
    when_nobody_has_done_anything_for_a_minute_the_clock_stops, a_command_does_not_move_monsters_where_there_is_a_clock,
    without_a_clock_monsters_move_when_everyone_has, a_world_begins_with_the_maze_of_its_seed,
    a_maze_that_no_view_can_show_is_refused_by_name, settings_out_of_range_are_refused_by_name,
    who_joins_starts_at_the_northern_feature_and_a_seat_that_was_left_is_fresh)
