/* caves_world.c: how turns wait for players, how a world is won and lost, and what a view shows beside the map. */
#include "caves_fixture.h"

#include <stdlib.h>
#include <string.h>

static fixture *open_players(uint32_t count, const char *settings, const char *const *rows)
{
    static const char *const names[] = {"ann", "bob", "eve"};
    char all[256];
    snprintf(all, sizeof all, "width=40 height=20 lichens=0 growth_permille=0 %s", settings);
    fixture *world = fixture_open(fixture_seed(), all);
    for (uint32_t i = 0; i < count; i++) {
        join(world, i, names[i]);
        fixture_watch(world, (int32_t)i, true);
    }
    fixture_watch(world, WN_SPECTATORS, true);
    fixture_paint(world, rows);
    return world;
}

static void check_column(const fixture *world, uint32_t seat_number, int32_t x)
{
    ck_assert_int_eq(fixture_player(world, seat_number)->x, x);
}

static const char *banner_of(const fixture *world, int32_t seat_number)
{
    wn_view_state view;
    wn_hosted_view(world->hosted, seat_number, &view);
    return view.banner != NULL ? view.banner : "";
}

/* waiting */

static const char *const lanes[] = {"0........", "1........", "2........", NULL};

START_TEST(without_wait_ms_commands_run_at_once)
{
    fixture *world = open_players(3, "", lanes);
    fixture_step(world, 1, WN_EAST);
    check_column(world, 1, 1);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

START_TEST(with_wait_ms_a_turn_waits_until_everyone_has_acted)
{
    fixture *world = open_players(3, "wait_ms=250", lanes);
    fixture_step(world, 1, WN_EAST);
    check_column(world, 1, 0);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 250);
    fixture_step(world, 0, WN_EAST);
    check_column(world, 0, 0);
    ck_assert(!world->done->has_wake_ms); /* the wait goes on, it does not begin anew */
    fixture_step(world, 2, WN_EAST);
    for (uint32_t i = 0; i < 3; i++) {
        check_column(world, i, 1);
    }
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

START_TEST(with_wait_ms_the_wake_up_runs_what_is_there)
{
    fixture *world = open_players(3, "wait_ms=250", lanes);
    fixture_step(world, 1, WN_EAST);
    fixture_add_wake(world);
    fixture_turn(world);
    check_column(world, 1, 1);
    check_column(world, 0, 0);
    fixture_step(world, 1, WN_EAST); /* and the next one waits anew */
    check_column(world, 1, 1);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 250);
    fixture_close(world);
}
END_TEST

START_TEST(a_second_command_runs_the_waiting_ones_first)
{
    fixture *world = open_players(3, "wait_ms=250", lanes);
    fixture_step(world, 1, WN_EAST);
    fixture_step(world, 0, WN_EAST);
    fixture_step(world, 1, WN_EAST);
    check_column(world, 0, 1);
    check_column(world, 1, 1); /* its second one waits */
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 250);
    fixture_add_wake(world);
    fixture_turn(world);
    check_column(world, 1, 2);
    fixture_close(world);
}
END_TEST

START_TEST(a_wake_up_beside_a_second_command_does_not_run_that_one_too)
{
    fixture *world = open_players(3, "wait_ms=250", lanes);
    fixture_step(world, 1, WN_EAST);
    fixture_add_wake(world);
    fixture_add(world, 1, ACTION_STEP, WN_EAST);
    fixture_turn(world);
    check_column(world, 1, 1);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 250);
    fixture_close(world);
}
END_TEST

START_TEST(nobody_waits_for_one_who_left)
{
    fixture *world = open_players(3, "wait_ms=5000", lanes);
    fixture_step(world, 0, WN_EAST);
    fixture_step(world, 1, WN_EAST);
    leave(world, 2);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 1);
    fixture_add_wake(world);
    fixture_turn(world);
    check_column(world, 0, 1);
    check_column(world, 1, 1);
    fixture_close(world);
}
END_TEST

START_TEST(alone_nobody_waits)
{
    fixture *world = open_players(1, "wait_ms=5000", (const char *const[]){"0....", NULL});
    fixture_step(world, 0, WN_EAST);
    check_column(world, 0, 1);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

/* winning and losing */

/* A world that began with a lichen, in a scene. */
static fixture *open_game(const char *settings, const char *const *rows)
{
    char all[256];
    snprintf(all, sizeof all, "width=40 height=20 lichens=1 growth_permille=0 %s", settings);
    fixture *world = fixture_open(fixture_seed(), all);
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    fixture_watch(world, WN_SPECTATORS, true);
    fixture_paint(world, rows);
    return world;
}

START_TEST(the_world_is_won_when_no_lichen_is_left)
{
    static const char *const rows[] = {"0FF.", "....", "....", NULL};
    fixture *world = open_game("", rows);
    fixture_step(world, 0, WN_EAST);
    ck_assert_ptr_null(world->done->over);
    ck_assert_str_eq(banner_of(world, 0), "");
    fixture_step(world, 0, WN_EAST);
    ck_assert_ptr_null(world->done->over);
    fixture_step(world, 0, WN_EAST);
    ck_assert_ptr_nonnull(world->done->over);
    ck_assert_str_eq(world->done->over->outcome, "won: no lichen is left");
    ck_assert_msg(strstr(banner_of(world, 0), "No lichen is left.") != NULL, "%s", banner_of(world, 0));
    ck_assert_msg(strstr(banner_of(world, 0), "Your kills: 2") != NULL, "%s", banner_of(world, 0));
    ck_assert_msg(strstr(banner_of(world, WN_SPECTATORS), "No lichen is left.") != NULL, "%s",
                  banner_of(world, WN_SPECTATORS));
    ck_assert_uint_eq(saw(world, 0, "win"), 1);
    ck_assert_uint_eq(world->done->n_scores, 1);
    ck_assert_str_eq(world->done->scores[0]->table, "kills");
    ck_assert_int_eq(world->done->scores[0]->value, 2);
    fixture_close(world);
}
END_TEST

START_TEST(nothing_waits_any_more_when_the_world_is_over)
{
    static const char *const rows[] = {"0F..", "1...", NULL};
    fixture *world = open_game("wait_ms=100", (const char *const[]){"0F..", NULL});
    join(world, 1, "bob");
    fixture_paint(world, rows);
    fixture_step(world, 0, WN_EAST);
    ck_assert_ptr_null(world->done->over);
    fixture_step(world, 0, WN_EAST); /* runs the first one, which wins */
    ck_assert_ptr_nonnull(world->done->over);
    ck_assert_uint_eq(fixture_game(world)->seats[0].held, 0);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

START_TEST(a_world_that_began_without_lichens_is_never_won)
{
    fixture *world = open_players(1, "", (const char *const[]){"0v", "..", NULL});
    for (int i = 0; i < 20; i++) {
        fixture_rest(world, 0);
        ck_assert_ptr_null(world->done->over);
    }
    fixture_close(world);
}
END_TEST

START_TEST(the_world_is_lost_when_lichens_cover_more_than_half_of_the_floor)
{
    static const char *const half[] = {"0.FF", NULL}; /* 2 of 4 is not more than half */
    static const char *const more[] = {"0FFF", NULL};
    fixture *world = open_game("", half);
    fixture_rest(world, 0);
    ck_assert_ptr_null(world->done->over);
    fixture_paint(world, more);
    fixture_rest(world, 0);
    ck_assert_ptr_nonnull(world->done->over);
    ck_assert_str_eq(world->done->over->outcome, "lost: lichens cover more than 50% of the floor");
    ck_assert_msg(strstr(banner_of(world, 0), "more than 50% of the floor") != NULL, "%s", banner_of(world, 0));
    ck_assert_uint_eq(saw(world, 0, "lose"), 1);
    fixture_close(world);
}
END_TEST

START_TEST(overrun_sets_the_share_and_digging_counts)
{
    static const char *const rows[] = {"0FF.......", NULL}; /* 2 of 10 */
    fixture *world = open_game("overrun=19", rows);
    fixture_step(world, 0, WN_SOUTH); /* digs: 2 of 11 is 18% */
    ck_assert_ptr_null(world->done->over);
    fixture_close(world);
    world = open_game("overrun=19", rows);
    fixture_rest(world, 0);
    ck_assert_ptr_nonnull(world->done->over);
    fixture_close(world);
}
END_TEST

START_TEST(leaving_records_the_kills_once)
{
    static const char *const rows[] = {"0FF.....", "......F.", NULL};
    fixture *world = open_game("", rows);
    leave(world, 0);
    ck_assert_uint_eq(world->done->n_scores, 0); /* none to record */
    join(world, 0, "ann");
    fixture_paint(world, rows);
    fixture_step(world, 0, WN_EAST);
    leave(world, 0);
    ck_assert_uint_eq(world->done->n_scores, 1);
    ck_assert_int_eq(world->done->scores[0]->value, 1);
    join(world, 0, "bob");
    ck_assert_uint_eq(fixture_game(world)->seats[0].kills, 0);
    fixture_close(world);
}
END_TEST

/* around the map */

static const char *const pair[] = {"0..F", "1.v.", NULL};

START_TEST(the_start_screen_stays_until_the_seats_own_first_command)
{
    fixture *world = open_players(2, "", pair);
    fixture_step(world, 1, WN_EAST);
    ck_assert_msg(strstr(banner_of(world, 0), "Caves\n") == banner_of(world, 0), "%s", banner_of(world, 0));
    ck_assert_str_eq(banner_of(world, 1), "");
    ck_assert_str_eq(banner_of(world, WN_SPECTATORS), "");
    check_column(world, 1, 1); /* the first command acts as well */
    fixture_act(world, 0, ACTION_REGIONS, 0);
    ck_assert_str_eq(banner_of(world, 0), "");
    fixture_close(world);
}
END_TEST

static int64_t status_number(const fixture *world, int32_t seat_number, uint32_t field)
{
    int64_t number = 0, maximum = 0;
    ck_assert(wn_hosted_status(world->hosted, seat_number, field, &number, &maximum, NULL));
    return number;
}

static const char *status_text(const fixture *world, int32_t seat_number, uint32_t field)
{
    int64_t number, maximum;
    const char *text = NULL;
    ck_assert(wn_hosted_status(world->hosted, seat_number, field, &number, &maximum, &text));
    return text;
}

START_TEST(status_shows_hit_points_position_and_creatures_left)
{
    static const char *const rows[] = {"0.#F", "1##v", NULL};
    fixture *world = open_players(2, "mortal=yes", rows);
    fixture_rest(world, 1);
    ck_assert_int_eq(status_number(world, 0, STATUS_HIT_POINTS), PLAYER_HIT_POINTS);
    ck_assert_str_eq(status_text(world, 0, STATUS_POSITION), "0, 0");
    ck_assert_str_eq(status_text(world, 1, STATUS_POSITION), "0, 1");
    ck_assert_int_eq(status_number(world, 0, STATUS_LICHENS), 1);
    ck_assert_int_eq(status_number(world, 0, STATUS_BUNNIES), 1);
    ck_assert_int_eq(status_number(world, WN_SPECTATORS, STATUS_LICHENS), 1);
    int64_t percent, lost;
    ck_assert(wn_hosted_status(world->hosted, 0, STATUS_OVERGROWN, &percent, &lost, NULL));
    ck_assert_int_eq(percent, 20); /* one of five cells */
    ck_assert_int_eq(lost, 50);
    fixture_step(world, 0, WN_EAST);
    ck_assert_str_eq(status_text(world, 0, STATUS_POSITION), "1, 0");
    fixture_close(world);

    world = open_players(2, "", rows);
    fixture_rest(world, 1);
    ck_assert_str_eq(status_text(world, 0, STATUS_LIFE), "cannot die");
    fixture_close(world);
}
END_TEST

static const wn_view_sprite *sprite_at(const wn_view_state *view, uint32_t cell)
{
    for (uint32_t i = 0; i < view->sprite_count; i++) {
        if (view->sprites[i].at == cell) {
            return &view->sprites[i];
        }
    }
    return NULL;
}

START_TEST(each_seat_sees_itself_as_you_and_the_others_by_name)
{
    fixture *world = open_players(2, "", pair);
    fixture_rest(world, 0);
    wn_view_state view;
    wn_hosted_view(world->hosted, 0, &view);
    ck_assert_uint_eq(view.width, 40);
    ck_assert_uint_eq(view.height, 20);
    ck_assert_uint_eq(view.sprite_count, 4);
    ck_assert_uint_eq(sprite_at(&view, 0)->tile, TILE_YOU);
    ck_assert_uint_eq(sprite_at(&view, 40)->tile, TILE_PLAYER);
    ck_assert_str_eq(sprite_at(&view, 40)->label, "bob");
    ck_assert_uint_eq(sprite_at(&view, 3)->tile, TILE_LICHEN);
    ck_assert_uint_eq(view.cells[3], WN_CELL(TILE_FLOOR));
    ck_assert_uint_eq(view.cells[80], WN_CELL(TILE_WALL));
    wn_hosted_view(world->hosted, 1, &view);
    ck_assert_uint_eq(sprite_at(&view, 0)->tile, TILE_PLAYER);
    ck_assert_str_eq(sprite_at(&view, 0)->label, "ann");
    ck_assert_uint_eq(sprite_at(&view, 40)->tile, TILE_YOU);
    wn_hosted_view(world->hosted, WN_SPECTATORS, &view);
    ck_assert_uint_eq(sprite_at(&view, 0)->tile, TILE_PLAYER);
    ck_assert_uint_eq(view.focus, 0); /* the first player */
    fixture_close(world);
}
END_TEST

START_TEST(a_sprite_keeps_its_number_as_long_as_it_lives)
{
    static const char *const rows[] = {"0F...", "..v.~", ".....", NULL};
    fixture *world = open_players(1, "", rows);
    wn_view_state view;
    fixture_step(world, 0, WN_SOUTH);
    wn_hosted_view(world->hosted, 0, &view);
    const uint32_t lichen = sprite_at(&view, 1)->id;
    uint32_t ids[4];
    ck_assert_uint_eq(view.sprite_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ids[i] = view.sprites[i].id;
    }
    fixture_step(world, 0, WN_NORTH_EAST); /* kills the lichen */
    wn_hosted_view(world->hosted, 0, &view);
    ck_assert_uint_eq(view.sprite_count, 3);
    for (uint32_t i = 0, j = 0; i < 4; i++) {
        if (ids[i] != lichen) {
            ck_assert_uint_eq(view.sprites[j++].id, ids[i]);
        }
    }
    fixture_close(world);
}
END_TEST

START_TEST(the_scoreboard_lists_kills)
{
    fixture *world = open_players(2, "", (const char *const[]){"0F1", NULL});
    fixture_step(world, 1, WN_WEST);
    const Warren__Update *update = fixture_update(world, 0);
    ck_assert_ptr_nonnull(update);
    ck_assert_uint_eq(update->delta->n_board, 1);
    ck_assert_uint_eq(update->delta->board[0]->row, 1);
    ck_assert_str_eq(update->delta->board[0]->columns[0], "bob");
    ck_assert_str_eq(update->delta->board[0]->columns[1], "1");
    leave(world, 1);
    update = fixture_update(world, 0);
    ck_assert_uint_eq(update->delta->n_board, 1);
    ck_assert_uint_eq(update->delta->board[0]->n_columns, 0);
    fixture_close(world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {without_wait_ms_commands_run_at_once,
                                  with_wait_ms_a_turn_waits_until_everyone_has_acted,
                                  with_wait_ms_the_wake_up_runs_what_is_there,
                                  a_second_command_runs_the_waiting_ones_first,
                                  a_wake_up_beside_a_second_command_does_not_run_that_one_too,
                                  nobody_waits_for_one_who_left,
                                  alone_nobody_waits,
                                  the_world_is_won_when_no_lichen_is_left,
                                  nothing_waits_any_more_when_the_world_is_over,
                                  a_world_that_began_without_lichens_is_never_won,
                                  the_world_is_lost_when_lichens_cover_more_than_half_of_the_floor,
                                  overrun_sets_the_share_and_digging_counts,
                                  leaving_records_the_kills_once,
                                  the_start_screen_stays_until_the_seats_own_first_command,
                                  status_shows_hit_points_position_and_creatures_left,
                                  each_seat_sees_itself_as_you_and_the_others_by_name,
                                  a_sprite_keeps_its_number_as_long_as_it_lives,
                                  the_scoreboard_lists_kills};
    return suite_run("caves: world", tests, sizeof tests / sizeof tests[0]);
}
