/* Rules: what a player sees and remembers, and that his view holds nothing else.
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

/* privacy */

enum { OTHERS = 5, TOUCHED = 24 };

/* What was changed in the second world. */
struct hidden {
    cell cells[TOUCHED + 2 * OTHERS];
    uint32_t count;
};

static cell unseen_cell(const hunt *game, uint64_t *seed)
{
    for (;;) {
        const cell at = (cell)fixture_random(seed, game->cells);
        if (!is_border(game, at) && !is_seen(&game->players[0], at)) {
            return at;
        }
    }
}

/* Walls, doors, mines and players where seat 0 cannot see them. */
static void change_what_is_hidden(hunt *game, struct hidden *hidden, uint64_t *seed)
{
    static const uint8_t terrain[] = {TILE_FLOOR, TILE_HORIZONTAL, TILE_SLASH, TILE_DOOR, TILE_CROSS};
    hidden->count = 0;
    for (int i = 0; i < TOUCHED; i++) {
        const cell at = unseen_cell(game, seed);
        if (game->player_at[at] != 0) {
            continue;
        }
        game->item[at] = 0;
        game->terrain[at] = terrain[fixture_random(seed, 5)];
        if (game->terrain[at] == TILE_FLOOR && fixture_random(seed, 2)) {
            game->item[at] = fixture_random(seed, 2) ? TILE_SMALL_MINE : TILE_LARGE_MINE;
        }
        maze_refresh(game, at);
        hidden->cells[hidden->count++] = at;
    }
    for (uint32_t seat = 1; seat <= OTHERS; seat++) {
        struct player *who = &game->players[seat];
        const cell to = unseen_cell(game, seed);
        if (who->state == SEAT_PLAYING && who->flying == 0 && !is_seen(&game->players[0], who->at) &&
            maze_is_empty(game, to)) {
            hidden->cells[hidden->count++] = who->at;
            game->player_at[who->at] = 0;
            who->at = to;
            game->player_at[to] = (uint8_t)(seat + 1);
            who->facing = (uint8_t)fixture_random(seed, DIRECTIONS);
            who->ammo = fixture_random(seed, 100);
            who->boots = 0;
            hidden->cells[hidden->count++] = to;
        }
    }
}

static bool any_is_seen(const hunt *game, const struct hidden *hidden)
{
    for (uint32_t i = 0; i < hidden->count; i++) {
        if (is_seen(&game->players[0], hidden->cells[i])) {
            return true;
        }
    }
    return false;
}

/* Seat 0 walks and turns; the others turn where they stand. */
static void add_quiet_inputs(fixture *world, uint64_t seed)
{
    fixture_add(world, 0, fixture_random(&seed, 2) ? ACTION_MOVE : ACTION_FACE, 2 * fixture_random(&seed, 4));
    for (uint32_t seat = 1; seat <= OTHERS; seat++) {
        if (player(world, seat)->state == SEAT_PLAYING) {
            fixture_add(world, seat, ACTION_FACE, 2 * fixture_random(&seed, 4));
        }
    }
}

static const ProtobufCBinaryData *update_of_seat_0(const fixture *world)
{
    for (size_t i = 0; i < world->done->n_updates; i++) {
        if (world->done->updates[i]->has_seat && world->done->updates[i]->seat == 0) {
            return &world->done->updates[i]->update;
        }
    }
    return NULL;
}

static void play_to_somewhere(fixture *world, uint64_t *seed, bool scanning)
{
    for (uint32_t seat = 0; seat <= OTHERS; seat++) {
        join_as(world, seat, (const char *const[]){"ann", "bob", "cid", "dan", "eve", "fay"}[seat],
                scanning ? ENTER_SCANNING : ENTER_CLOAKED);
    }
    for (int turn = 0; turn < 40; turn++) {
        for (uint32_t seat = 0; seat <= OTHERS; seat++) {
            fixture_add(world, seat, fixture_random(seed, 3) ? ACTION_MOVE : ACTION_FIRE, 2 * fixture_random(seed, 4));
        }
        fixture_turn(world);
    }
    pass(world, 40); /* shots and explosions are over */
}

/* One pair of worlds; how many turns could be compared. */
static uint32_t compare(uint64_t *seed, bool scanning)
{
    wn_error error = {0};
    fixture *one = fixture_open(fixture_random64(seed), "width=31 height=17 maxdam=1000 pdrone=0 mines=3 boots=no");
    play_to_somewhere(one, seed, scanning);
    wn_buffer snapshot = {0};
    wn_hosted_save(one->hosted, &snapshot);
    fixture *other = fixture_load(one, &snapshot, &error);
    ck_assert_msg(other != NULL, "%s", error.text);
    struct hidden hidden;
    change_what_is_hidden(fixture_game(other), &hidden, seed);
    fixture_watch(one, 0, false);
    fixture_watch(one, 0, true);
    fixture_watch(other, 0, true);
    uint32_t compared = 0;
    for (int turn = 0; turn < 20; turn++) {
        const uint64_t inputs = fixture_random64(seed);
        add_quiet_inputs(one, inputs);
        add_quiet_inputs(other, inputs);
        fixture_turn(one);
        fixture_turn(other);
        if (any_is_seen(fixture_game(one), &hidden) || any_is_seen(fixture_game(other), &hidden)) {
            break;
        }
        const ProtobufCBinaryData *first = update_of_seat_0(one), *second = update_of_seat_0(other);
        ck_assert_uint_eq(first->len, second->len);
        REQUIRE(memcmp(first->data, second->data, first->len) == 0);
        compared++;
    }
    wn_buffer_free(&snapshot);
    fixture_close(other);
    fixture_close(one);
    return compared;
}

START_TEST(what_a_player_cannot_see_or_scan_does_not_change_his_view)
{
    uint64_t seed = fixture_seed();
    uint32_t compared = 0;
    for (int i = 0; i < 300; i++) {
        compared += compare(&seed, i % 2 == 0);
    }
    printf("%u turns compared\n", compared);
    ck_assert_uint_gt(compared, 300);
}
END_TEST

/* And that the test above would notice: what he does see changes it. */
START_TEST(what_a_player_sees_changes_his_view)
{
    fixture *world = scene("", (const char *const[]){"+-----------+", //
                                                     "|>       }  |", //
                                                     "+-----------+", NULL});
    face(world, 1, WEST);
    ck_assert_int_eq(view_glyph(world, 0, 9, 1), '{');
    fixture_close(world);
}
END_TEST

RUN("hunt: sight", you_see_ahead_left_and_right_and_around_you_but_not_behind,
    sight_ends_with_the_first_wall_or_door_and_the_cells_beside_it, players_look_as_the_rule_book_says,
    you_remember_players_who_left_and_walls_that_are_gone,
    explosions_are_seen_everywhere_and_leave_the_terrain_but_nobody_in_it,
    who_scans_sees_those_who_move_without_a_cloak, what_a_player_cannot_see_or_scan_does_not_change_his_view,
    what_a_player_sees_changes_his_view)
