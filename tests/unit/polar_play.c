/* The polar mode as it is installed: what commands do, what is shown of it, levels and races, and that it is kept. */
#include "polar_world.h"

#include <stdlib.h>
#include <string.h>

/* Two levels that one push clears, and one where things slide, blow up and are crushed. */
static const char pack[] = "title: One\nnote: Push it home.\nstart: 1 0 east\n00000\n05003\n00000\n\n"
                           "title: Two\nauthor: Somebody\nstart: 0 1 south\n000\n050\n000\n030\n\n"
                           "title: Three\nstart: 1 0 east\n0000400\n0600002\n0400053\n";

static fixture *open_with(const char *text, uint32_t slide_ms, bool open)
{
    fixture *made = world_open(text, slide_ms, open);
    join(made, 0, "ann");
    fixture_watch(made, 0, true);
    fixture_watch(made, WN_SPECTATORS, true);
    return made;
}

START_TEST(a_seat_begins_with_the_first_level_and_is_told_of_it)
{
    fixture *world = world_open(pack, 0, false);
    fixture_watch(world, WN_SPECTATORS, true);
    ck_assert_str_eq(picture(world, WN_SPECTATORS), "~~~~~~~\n~.....~\n~.$..H~\n~.....~\n~~~~~~~\n");
    fixture_add_join(world, 0, "ann");
    fixture_turn(world);
    fixture_watch(world, 0, true);
    ck_assert_str_eq(picture(world, 0), "~~~~~~~\n~.....~\n~>$..H~\n~.....~\n~~~~~~~\n");
    ck_assert_str_eq(picture(world, WN_SPECTATORS), "~~~~~~~\n~.....~\n~>$..H~\n~.....~\n~~~~~~~\n");
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "1 of 3");
    ck_assert_str_eq(status(world, 0, STATUS_TITLE), "One");
    ck_assert_str_eq(status(world, 0, STATUS_BEST_MOVES), "-");
    ck_assert_str_eq(status(world, 0, STATUS_BEST_PUSHES), "-");
    ck_assert_str_eq(status(world, 0, STATUS_RACE), "alone");
    ck_assert_int_eq(number(world, 0, STATUS_HEARTS), 1);
    act(world, 0, ACTION_RESTART);
    ck_assert_uint_eq(heard(world, 0, "Level 1 of 3: One"), 1);
    ck_assert_uint_eq(heard(world, 0, "Push it home."), 1);
    fixture_close(world);
}
END_TEST

START_TEST(a_level_that_is_cleared_is_told_to_all_and_followed_by_the_next)
{
    fixture *world = open_with(pack, 0, false);
    play(world, 0, "E1");
    ck_assert_uint_eq(heard(world, 0, "ann has cleared level 1, One: 1 move, 1 push."), 1);
    ck_assert_uint_eq(heard(world, WN_SPECTATORS, "ann has cleared level 1, One: 1 move, 1 push."), 1);
    ck_assert_uint_eq(saw(world, 0, "pick"), 1);
    ck_assert_uint_eq(saw(world, 0, "win"), 1);
    ck_assert_str_eq(picture(world, 0), "~~~~~~~\n~.....~\n~>...H~\n~.....~\n~~~~~~~\n");
    ck_assert_str_eq(banner(world, 0), "Level 1 is cleared: One\n\n1 move, 1 push\nYour best: 1 move, 1 push\n\n"
                                       "Any step goes on to the next.");
    ck_assert_str_eq(status(world, 0, STATUS_BEST_MOVES), "1");
    ck_assert_str_eq(status(world, 0, STATUS_BEST_PUSHES), "1");
    play(world, 0, "N1"); /* not a move: it goes on */
    ck_assert_str_eq(banner(world, 0), "");
    ck_assert_str_eq(picture(world, 0), "~~~~~\n~.v.~\n~.$.~\n~...~\n~.H.~\n~~~~~\n");
    ck_assert_uint_eq(heard(world, 0, "Level 2 of 3: Two, by Somebody"), 1);
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 0);
    fixture_close(world);
}
END_TEST

START_TEST(moves_are_taken_back_made_again_and_begun_anew)
{
    fixture *world = open_with(pack, 0, true);
    act(world, 0, ACTION_PREVIOUS);
    ck_assert_uint_eq(heard(world, 0, "There is no level beyond this one."), 1);
    act(world, 0, ACTION_NEXT);
    act(world, 0, ACTION_NEXT);
    char start[256], end[256];
    strcpy(start, picture(world, 0));
    play(world, 0, "E1 N2 E4 S2 E2"); /* boom; then south, and dull pushes of what is not there */
    ck_assert_int_eq(number(world, 0, STATUS_PUSHES), 1);
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 11);
    strcpy(end, picture(world, 0));
    ck_assert_str_eq(end, "~~~~~~~~~\n~....#..~\n~....>..~\n~.#...$H~\n~~~~~~~~~\n");
    for (uint32_t i = 0; i < 11; i++) {
        act(world, 0, ACTION_UNDO);
    }
    ck_assert_str_eq(picture(world, 0), start);
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 0);
    act(world, 0, ACTION_UNDO); /* there is no more */
    ck_assert_uint_eq(saw(world, 0, "hit"), 1);
    for (uint32_t i = 0; i < 11; i++) {
        act(world, 0, ACTION_REDO);
    }
    ck_assert_str_eq(picture(world, 0), end);
    act(world, 0, ACTION_REDO);
    ck_assert_uint_eq(saw(world, 0, "hit"), 1);
    act(world, 0, ACTION_BACK); /* to before the push */
    ck_assert_str_eq(picture(world, 0), start);
    act(world, 0, ACTION_REDO);
    act(world, 0, ACTION_RESTART);
    ck_assert_str_eq(picture(world, 0), start);
    act(world, 0, ACTION_REDO);
    ck_assert_int_eq(number(world, 0, STATUS_PUSHES), 1);
    play(world, 0, "S1"); /* a new move: nothing is left to be made again */
    act(world, 0, ACTION_REDO);
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 2);
    fixture_close(world);
}
END_TEST

START_TEST(the_last_push_can_be_taken_back_after_clearing)
{
    fixture *world = open_with(pack, 0, false);
    play(world, 0, "E1");
    act(world, 0, ACTION_UNDO);
    ck_assert_str_eq(banner(world, 0), "");
    ck_assert_int_eq(number(world, 0, STATUS_HEARTS), 1);
    ck_assert_str_eq(status(world, 0, STATUS_BEST_MOVES), "1");
    ck_assert_str_eq(status(world, 0, STATUS_BEST_PUSHES), "1");
    act(world, 0, ACTION_NEXT); /* it counts as cleared */
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    fixture_close(world);
}
END_TEST

static uint32_t scores(const fixture *world)
{
    return (uint32_t)world->done->n_scores;
}

START_TEST(scores_are_the_fewest_moves_and_pushes_of_each_level)
{
    fixture *world = open_with(pack, 0, false);
    play(world, 0, "N2 S3 E1");
    ck_assert_uint_eq(scores(world), 0);
    play(world, 0, "E1 N1 S1 E1 N1"); /* wrong way round: no heart yet */
    act(world, 0, ACTION_RESTART);
    play(world, 0, "N1 E2");
    ck_assert_uint_eq(scores(world), 2);
    ck_assert_str_eq(world->done->scores[0]->table, "moves test.polar 1");
    ck_assert_int_eq(world->done->scores[0]->value, 3);
    ck_assert_str_eq(world->done->scores[1]->table, "pushes test.polar 1");
    ck_assert_int_eq(world->done->scores[1]->value, 1);
    act(world, 0, ACTION_RESTART);
    play(world, 0, "N1 S1 E2"); /* worse: no score, and nobody else has to know */
    ck_assert_uint_eq(scores(world), 0);
    ck_assert_uint_eq(heard(world, 0, "ann has cleared level 1, One: 4 moves, 1 push."), 1);
    ck_assert_uint_eq(heard(world, WN_SPECTATORS, "ann has cleared level 1, One: 4 moves, 1 push."), 0);
    act(world, 0, ACTION_RESTART);
    play(world, 0, "E1");
    ck_assert_uint_eq(scores(world), 1);
    ck_assert_int_eq(world->done->scores[0]->value, 1);
    fixture_close(world);
}
END_TEST

START_TEST(levels_are_chosen_among_those_reached)
{
    fixture *world = open_with(pack, 0, false);
    act(world, 0, ACTION_NEXT);
    ck_assert_uint_eq(heard(world, 0, "Clear this level first: then there is the next."), 1);
    play(world, 0, "E2");
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    act(world, 0, ACTION_LEVELS);
    ck_assert_str_eq(banner(world, 0), "Levels: north and south choose, east plays, west goes back\n\n"
                                       "    1  One (1 move, 1 push)\n>   2  Two");
    play(world, 0, "S1"); /* three is not reached */
    play(world, 0, "N1");
    ck_assert_ptr_nonnull(strstr(banner(world, 0), "\n>   1  One"));
    play(world, 0, "N1");
    ck_assert_ptr_nonnull(strstr(banner(world, 0), "\n>   1  One"));
    play(world, 0, "W1");
    ck_assert_str_eq(banner(world, 0), "");
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    act(world, 0, ACTION_LEVELS);
    play(world, 0, "N1 E1");
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "1 of 3");
    act(world, 0, ACTION_NEXT);
    act(world, 0, ACTION_LEVELS);
    play(world, 0, "N1");
    act(world, 0, ACTION_PLAY);
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "1 of 3");
    fixture_close(world);
}
END_TEST

START_TEST(the_last_level_has_no_next)
{
    fixture *world = open_with("title: Only\nstart: 1 0 east\n000\n053\n000\n", 0, false);
    play(world, 0, "E1");
    ck_assert_ptr_nonnull(strstr(banner(world, 0), "\n\nIt was the last level of this pack."));
    play(world, 0, "E1");
    act(world, 0, ACTION_PLAY);
    ck_assert_ptr_nonnull(strstr(banner(world, 0), "Level 1 is cleared"));
    fixture_close(world);
}
END_TEST

START_TEST(facing_turns_and_never_walks)
{
    fixture *world = open_with(pack, 0, false);
    fixture_add(world, 0, ACTION_FACE, WN_SOUTH);
    fixture_turn(world);
    fixture_add(world, 0, ACTION_FACE, WN_SOUTH);
    fixture_turn(world);
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 1);
    ck_assert_str_eq(picture(world, 0), "~~~~~~~\n~.....~\n~v$..H~\n~.....~\n~~~~~~~\n");
    fixture_add(world, 0, ACTION_STEP, WN_SOUTH_EAST); /* a penguin does not */
    fixture_turn(world);
    ck_assert_uint_eq(saw(world, 0, "hit"), 1);
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 1);
    fixture_close(world);
}
END_TEST

/* slides */

START_TEST(a_slide_is_shown_cell_by_cell_and_ends_where_it_is_on_the_board)
{
    fixture *world = open_with(pack, 30, true);
    act(world, 0, ACTION_NEXT);
    act(world, 0, ACTION_NEXT);
    play(world, 0, "E1");
    static const char *const pictures[] = {"~>*....M~", "~>.*...M~", "~>..*..M~", "~>...*.M~"};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        ck_assert_ptr_nonnull(strstr(picture(world, 0), pictures[i]));
        ck_assert_ptr_nonnull(strstr(picture(world, WN_SPECTATORS), pictures[i]));
        ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 30);
        ck_assert_uint_eq(saw(world, 0, "explode"), 0);
        wake(world);
    }
    ck_assert_ptr_nonnull(strstr(picture(world, 0), "~>......~")); /* blown up, with the mountain */
    ck_assert_uint_eq(saw(world, 0, "explode"), 1);
    ck_assert_uint_eq(saw(world, WN_SPECTATORS, "explode"), 1);
    ck_assert_uint_eq(wn_hosted_wake_ms(world->hosted), 0);
    fixture_close(world);
}
END_TEST

START_TEST(a_command_does_not_wait_for_a_slide)
{
    fixture *world = open_with(pack, 30, false);
    play(world, 0, "E1");
    ck_assert_str_eq(banner(world, 0), ""); /* the heart is on its way */
    play(world, 0, "E1");                   /* home, cleared, and on to the next */
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    ck_assert_uint_eq(heard(world, 0, "ann has cleared level 1, One: 1 move, 1 push."), 1);
    play(world, 0, "S1"); /* another slide */
    act(world, 0, ACTION_UNDO);
    ck_assert_str_eq(picture(world, 0), "~~~~~\n~.v.~\n~.$.~\n~...~\n~.H.~\n~~~~~\n");
    wake(world); /* nothing is left to be shown */
    ck_assert_str_eq(picture(world, 0), "~~~~~\n~.v.~\n~.$.~\n~...~\n~.H.~\n~~~~~\n");
    fixture_close(world);
}
END_TEST

/* What is seen of a level that was cleared. */
static fixture *clear_first_level(uint32_t slide_ms)
{
    fixture *world = world_open_calm(pack, slide_ms, 600);
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    play(world, 0, "E1");
    return world;
}

static uint32_t wakes_until_still(fixture *world)
{
    uint32_t milliseconds = 0;
    while (wn_hosted_wake_ms(world->hosted) != 0) {
        milliseconds += wn_hosted_wake_ms(world->hosted);
        wake(world);
    }
    return milliseconds;
}

START_TEST(who_repeats_a_key_sees_that_the_level_is_cleared)
{
    fixture *world = clear_first_level(0);
    for (uint32_t i = 0; i < 20; i++) { /* a key that is held: each step begins the calm anew */
        play(world, 0, "E1");
        ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "1 of 3");
        ck_assert_ptr_nonnull(strstr(banner(world, 0), "Level 1 is cleared"));
        ck_assert_ptr_null(strstr(banner(world, 0), "Any step"));
        wake(world);
    }
    play(world, 0, "E1");
    ck_assert_uint_eq(wakes_until_still(world), 600);
    ck_assert_ptr_nonnull(strstr(banner(world, 0), "Any step goes on to the next."));
    play(world, 0, "E1");
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    ck_assert_str_eq(banner(world, 0), "");
    fixture_close(world);
}
END_TEST

START_TEST(a_step_that_ends_the_last_slide_does_not_go_on)
{
    fixture *world = clear_first_level(30);
    ck_assert_str_eq(banner(world, 0), "");
    play(world, 0, "E1");
    ck_assert_ptr_nonnull(strstr(banner(world, 0), "Level 1 is cleared"));
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "1 of 3");
    fixture_close(world);
}
END_TEST

START_TEST(the_calm_can_be_ended_by_going_on_and_by_taking_back)
{
    fixture *world = clear_first_level(0);
    act(world, 0, ACTION_UNDO);
    ck_assert_str_eq(picture(world, 0), "~~~~~~~\n~.....~\n~>$..H~\n~.....~\n~~~~~~~\n");
    play(world, 0, "E1"); /* cleared again */
    ck_assert_ptr_nonnull(strstr(banner(world, 0), "Level 1 is cleared"));
    act(world, 0, ACTION_PLAY);
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    play(world, 0, "E1"); /* nothing of the calm is left */
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 1);
    fixture_close(world);
}
END_TEST

START_TEST(the_calm_of_one_goes_on_while_another_pushes_and_over_a_restart)
{
    fixture *world = clear_first_level(30);
    play(world, 0, "E1"); /* ends the slide: the calm begins */
    join(world, 1, "bob");
    play(world, 1, "E1");
    ck_assert_uint_le(wn_hosted_wake_ms(world->hosted), 30);
    fixture_reload(world);
    ck_assert_uint_gt(world_seat(world, 0)->calm, 0);
    const uint32_t milliseconds = wakes_until_still(world);
    ck_assert_uint_ge(milliseconds, 600);
    ck_assert_uint_lt(milliseconds, 1000); /* with bob's own, which begins when his slide is over */
    ck_assert_uint_eq(world_seat(world, 0)->calm, 0);
    play(world, 0, "E1");
    ck_assert_str_eq(status(world, 0, STATUS_LEVEL), "2 of 3");
    fixture_close(world);
}
END_TEST

START_TEST(a_slide_across_the_largest_board_takes_a_few_pictures)
{
    static char text[80 + 3 * 66];
    char row[BOARD_MAX_SIDE + 2];
    memset(row, '0', BOARD_MAX_SIDE);
    strcpy(row + BOARD_MAX_SIDE, "\n");
    strcpy(text, "title: Long\nstart: 0 0 east\n");
    strcat(text, row);
    text[strlen(text) - BOARD_MAX_SIDE] = '4';
    strcat(strcat(text, row), row);
    text[strlen(text) - 3] = '3';
    text[strlen(text) - 4] = '5';
    fixture *world = open_with(text, 30, false);
    play(world, 0, "E1");
    uint32_t pictures = 0;
    while (wn_hosted_wake_ms(world->hosted) != 0) {
        wake(world);
        pictures++;
    }
    ck_assert_uint_le(pictures, SLIDE_FRAMES);
    ck_assert_uint_ge(pictures, SLIDE_FRAMES - 2);
    ck_assert_uint_eq(world_seat(world, 0)->board.cells[board_cell(&world_seat(world, 0)->board, 63, 0)], PIECE_ICE);
    fixture_close(world);
}
END_TEST

START_TEST(who_leaves_during_the_last_slide_has_cleared_the_level)
{
    fixture *world = open_with(pack, 30, false);
    play(world, 0, "E1");
    fixture_watch(world, 0, false);
    leave(world, 0);
    ck_assert_uint_eq(heard(world, WN_SPECTATORS, "ann has cleared level 1, One: 1 move, 1 push."), 1);
    ck_assert_uint_eq(scores(world), 2);
    wake(world);
    join(world, 3, "ann"); /* and begins where she was */
    fixture_watch(world, 3, true);
    ck_assert_str_eq(status(world, 3, STATUS_LEVEL), "2 of 3");
    fixture_close(world);
}
END_TEST

/* races */

START_TEST(boards_lie_side_by_side_for_spectators_each_in_a_region)
{
    fixture *world = open_with(pack, 0, false);
    join(world, 1, "bob");
    join(world, 2, "cid");
    ck_assert_str_eq(picture(world, WN_SPECTATORS), "~~~~~~~~~~~~~\n~.....~.....~\n~>$..H~>$..H~\n~.....~.....~\n"
                                                    "~~~~~~~~~~~~~\n~.....~~~~~~~\n~>$..H~~~~~~~\n~.....~~~~~~~\n"
                                                    "~~~~~~~~~~~~~\n");
    play(world, 1, "E1"); /* the next board is smaller */
    play(world, 1, "E1");
    ck_assert_str_eq(picture(world, WN_SPECTATORS), "~~~~~~~~~~~~~\n~.....~.v.~~~\n~>$..H~.$.~~~\n~.....~...~~~\n"
                                                    "~~~~~~~.H.~~~\n~~~~~~~~~~~~~\n~.....~~~~~~~\n~>$..H~~~~~~~\n"
                                                    "~.....~~~~~~~\n~~~~~~~~~~~~~\n~~~~~~~~~~~~~\n");
    ck_assert_str_eq(status(world, 0, STATUS_RACE), "2 of 3, 1 behind");
    wn_buffer keyframe = {0};
    wn_hosted_watch(world->hosted, WN_SPECTATORS, true, &keyframe);
    size_t offset = 0, size;
    const uint8_t *bytes;
    wn_error error = {0};
    REQUIRE(wn_frame_next(&keyframe, &offset, &bytes, &size) == 1);
    const Warren__Host__FromHost *message = wn_from_host_decode(world->arena, bytes, size, &error);
    REQUIRE(message != NULL && message->body_case == WARREN__HOST__FROM_HOST__BODY_UPDATE);
    const Warren__Update *sent =
        wn_update_decode(world->arena, message->update->update.data, message->update->update.len, &error);
    REQUIRE(sent != NULL && sent->body_case == WARREN__UPDATE__BODY_KEYFRAME);
    static const struct {
        uint32_t at, width, height;
        const char *title;
    } regions[] = {{0, 7, 5, "ann"}, {6, 5, 6, "bob"}, {5 * 13, 7, 5, "cid"}};
    ck_assert_uint_eq(sent->keyframe->n_regions, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(sent->keyframe->regions[i]->at, regions[i].at);
        ck_assert_uint_eq(sent->keyframe->regions[i]->width, regions[i].width);
        ck_assert_uint_eq(sent->keyframe->regions[i]->height, regions[i].height);
        ck_assert_str_eq(sent->keyframe->regions[i]->title, regions[i].title);
    }
    wn_buffer_free(&keyframe);
    leave(world, 1);
    ck_assert_str_eq(picture(world, WN_SPECTATORS), "~~~~~~~~~~~~~\n~.....~.....~\n~>$..H~>$..H~\n~.....~.....~\n"
                                                    "~~~~~~~~~~~~~\n");
    ck_assert_str_eq(status(world, 0, STATUS_RACE), "first of 2");
    fixture_close(world);
}
END_TEST

START_TEST(sixty_four_of_the_largest_boards_fit_into_the_spectators_view)
{
    static char text[70 * 70];
    strcpy(text, "title: Huge\n");
    for (uint32_t y = 0; y < BOARD_MAX_SIDE; y++) {
        memset(text + strlen(text), '0', BOARD_MAX_SIDE);
        strcat(text, "\n");
    }
    text[strlen(text) - 2] = '3';
    text[strlen(text) - 3] = '5';
    fixture *world = world_open(text, 30, false);
    fixture_watch(world, WN_SPECTATORS, true);
    for (uint32_t seat = 0; seat < WN_MAX_SEATS; seat++) {
        char name[16];
        snprintf(name, sizeof name, "p%u", seat);
        fixture_add_join(world, seat, name);
    }
    fixture_turn(world);
    wn_view_state view;
    wn_hosted_view(world->hosted, WN_SPECTATORS, &view);
    ck_assert_uint_eq(view.sprite_count, WN_MAX_SEATS);
    ck_assert_uint_eq(view.width, 8 * 65 + 1);
    ck_assert_uint_eq(view.height, 8 * 65 + 1);
    fixture_close(world);
}
END_TEST

/* hints */

static void hint(fixture *world)
{
    static uint8_t answer[WN_MAX_QUESTION];
    act(world, 0, ACTION_HINT);
    const size_t size = fixture_work(world, answer);
    fixture_answer(world, answer, size);
}

START_TEST(a_hint_is_the_next_push_and_points_at_what_to_push)
{
    fixture *world = open_with(pack, 30, true);
    act(world, 0, ACTION_NEXT);
    hint(world);
    ck_assert_uint_eq(heard(world, 0, "Push the heart to the south: 1 push to go."), 1);
    ck_assert_str_eq(picture(world, 0), "~~~~~\n~.v.~\n~.$.~\n~.S.~\n~.H.~\n~~~~~\n");
    wn_view_state view;
    wn_hosted_view(world->hosted, 0, &view);
    ck_assert_uint_eq(view.sprite_count, 2);
    ck_assert_uint_eq(view.sprites[1].tile, TILE_HINT + HEADING_SOUTH);
    play(world, 0, "E1"); /* seen and gone */
    ck_assert_str_eq(picture(world, 0), "~~~~~\n~.>.~\n~.$.~\n~...~\n~.H.~\n~~~~~\n");
    fixture_close(world);
}
END_TEST

/* Where the thing is to go if the penguin stands there; on the thing if there is no other place. */
START_TEST(a_hint_marks_where_to_stand_and_leaves_what_to_push_to_be_seen)
{
    fixture *world = open_with("title: Far\nstart: 0 0 south\n00000\n00503\n00000\n", 0, false);
    hint(world);
    ck_assert_uint_eq(heard(world, 0, "Push the heart to the east: 1 push to go."), 1);
    ck_assert_str_eq(picture(world, 0), "~~~~~~~\n~v....~\n~.E$.H~\n~.....~\n~~~~~~~\n");
    play(world, 0, "S1 E1 E1");
    hint(world);
    ck_assert_str_eq(picture(world, 0), "~~~~~~~\n~.....~\n~.>$EH~\n~.....~\n~~~~~~~\n");
    fixture_close(world);
    world = open_with("title: Near\nstart: 1 1 east\n00000\n00530\n00000\n", 0, false);
    hint(world);
    ck_assert_str_eq(picture(world, 0), "~~~~~~~\n~.....~\n~.>EH.~\n~.....~\n~~~~~~~\n");
    fixture_close(world);
}
END_TEST

START_TEST(in_plain_ascii_no_two_kinds_of_tile_share_a_sign)
{
    fixture *world = world_open(pack, 0, false);
    const wn_tile *tiles = wn_plugin_descriptor(world->plugin)->tiles;
    for (uint32_t i = 0; i < TILE_COUNT; i++) {
        for (uint32_t other = 0; other < i; other++) {
            ck_assert_msg(strcmp(tiles[i].ascii, tiles[other].ascii) != 0, "%s and %s are both %s", tiles[i].name,
                          tiles[other].name, tiles[i].ascii);
        }
    }
    fixture_close(world);
}
END_TEST

/* A heart that was pushed to an edge without a house is lost; then the penguin walks about. */
START_TEST(where_nothing_helps_a_hint_says_how_many_moves_to_take_back)
{
    fixture *world = open_with("title: A tree in the way\nstart: 4 0 east\n00000000\n05000010\n00000000\n00000300\n"
                               "00000000\n",
                               0, false);
    play(world, 0, "N5 E2 S2"); /* to the south, where it has no stop */
    play(world, 0, "E3 W1");
    hint(world);
    static uint8_t answer[WN_MAX_QUESTION];
    uint32_t back = 0;
    for (uint32_t i = 1; i < 10 && back == 0; i++) {
        char text[80];
        snprintf(text, sizeof text, "This cannot be cleared any more: take %u move%s back.", i, i == 1 ? "" : "s");
        back = heard(world, 0, text) > 0 ? i : 0;
    }
    ck_assert_uint_eq(back, 5); /* with the push */
    for (uint32_t i = 1; i < back; i++) {
        act(world, 0, ACTION_UNDO);
    }
    act(world, 0, ACTION_HINT);
    ck_assert_int_ne(answer[fixture_work(world, answer) > 8 ? 8 : 0], 0); /* still not */
    fixture_answer(world, NULL, 0);
    ck_assert_uint_eq(heard(world, 0, "No hint was found: this board takes too long."), 1);
    act(world, 0, ACTION_UNDO);
    hint(world);
    ck_assert_uint_ne(world_seat(world, 0)->hint, 0);
    fixture_close(world);
}
END_TEST

START_TEST(a_hint_for_another_board_is_not_shown)
{
    static uint8_t answer[WN_MAX_QUESTION];
    fixture *world = open_with(pack, 0, true);
    act(world, 0, ACTION_HINT);
    const size_t size = fixture_work(world, answer);
    play(world, 0, "N1");
    fixture_answer(world, answer, size);
    ck_assert_uint_eq(world_seat(world, 0)->hint, 0);
    act(world, 0, ACTION_HINT);
    fixture_work(world, answer);
    leave(world, 0);
    fixture_answer(world, answer, size); /* nobody is there */
    fixture_close(world);
}
END_TEST

START_TEST(damaged_questions_and_answers_are_harmless)
{
    uint64_t seed = fixture_seed();
    fixture *world = open_with(pack, 0, true);
    act(world, 0, ACTION_NEXT);
    act(world, 0, ACTION_NEXT);
    play(world, 0, "E1 N2 E4 S2 E2");
    act(world, 0, ACTION_HINT);
    static uint8_t question[WN_MAX_QUESTION], answer[WN_MAX_QUESTION];
    const size_t size = world->done->asked[0]->question.len;
    const size_t answered = fixture_work(world, answer);
    for (uint32_t i = 0; i < 2000; i++) {
        memcpy(question, world->done->asked[0]->question.data, size);
        const size_t cut = suite_random(&seed, 4) ? size : suite_random(&seed, (uint32_t)size + 1);
        for (uint32_t flips = suite_random(&seed, 4); flips > 0; flips--) {
            question[suite_random(&seed, (uint32_t)size)] = (uint8_t)suite_random(&seed, 40);
        }
        static uint8_t other[WN_MAX_QUESTION];
        REQUIRE(wn_plugin_descriptor(world->plugin)->work(question, cut, other, sizeof other) <= 16);
    }
    for (uint32_t i = 0; i < 500; i++) {
        uint8_t damaged[16];
        memcpy(damaged, answer, sizeof damaged);
        damaged[8 + suite_random(&seed, 8)] = (uint8_t)suite_random(&seed, 256);
        act(world, 0, ACTION_HINT);
        world->asked = world->done->asked[0]->serial;
        fixture_answer(world, damaged, suite_random(&seed, 2) ? answered : suite_random(&seed, 17));
        wn_buffer snapshot = {0};
        wn_error error = {0};
        wn_hosted_save(world->hosted, &snapshot);
        fixture *copy = fixture_load(world, &snapshot, &error);
        ck_assert_msg(copy != NULL, "%s", error.text);
        fixture_close(copy);
        wn_buffer_free(&snapshot);
    }
    fixture_close(world);
}
END_TEST

/* what is wrong */

START_TEST(a_pack_with_a_mistake_makes_no_world_and_says_where_it_is)
{
    wn_error error = {0};
    ck_assert_ptr_null(world_try("title: One\n000\n0x3\n", 0, false, 0, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "test.polar:3:2: expected a digit from 0 to 6, found 'x'"));
}
END_TEST

START_TEST(moves_without_end_are_refused_when_the_world_has_no_memory_left)
{
    wn_error error = {0};
    fixture *world = world_try(pack, 0, false, 1 << 19, &error);
    ck_assert_msg(world != NULL, "%s", error.text);
    join(world, 0, "ann");
    fixture_watch(world, 0, true);
    uint32_t turns = 0;
    do {
        fixture_add(world, 0, ACTION_STEP, turns++ % 2 != 0 ? WN_NORTH : WN_SOUTH);
        fixture_turn(world);
    } while (heard(world, 0, "There is no memory for more moves: take some back, or restart.") == 0 && turns < 1000000);
    ck_assert_uint_gt(turns, 30000);
    ck_assert_uint_lt(turns, 1000000);
    act(world, 0, ACTION_UNDO);
    play(world, 0, "N1");
    act(world, 0, ACTION_RESTART);
    ck_assert_int_eq(number(world, 0, STATUS_MOVES), 0);
    fixture_close(world);
}
END_TEST

START_TEST(a_world_remembers_as_many_players_as_it_can_and_forgets_who_reached_the_least)
{
    fixture *world = world_open(pack, 0, false);
    join(world, 0, "champion");
    play(world, 0, "E1");
    leave(world, 0);
    join(world, 1, "stays");
    for (uint32_t i = 0; i < 2 * RUNNER_LIMIT; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%u", i);
        join(world, 0, name);
        leave(world, 0);
    }
    ck_assert_uint_eq(fixture_game(world)->runner_count, RUNNER_LIMIT);
    join(world, 0, "champion");
    ck_assert_uint_eq(world_seat(world, 0)->level, 1);
    const polar *game = fixture_game(world);
    ck_assert_str_eq(game->runners[game->seats[1].runner].name, "stays");
    fixture_close(world);
}
END_TEST

/* random play */

enum { CROWD = 5 };

static const char busy[] = "title: a\nstart: 2 2 east\n00000000\n05040600\n00000000\n00600403\n02000050\n\n"
                           "title: b\nstart: 1 0 east\n00000\n05003\n00000\n\n"
                           "title: c\nstart: 1 1 north\n4444\n4006\n5030\n6020\n5004\n\n"
                           "title: d\n0060200\n0000000\n0500300\n";

static void add_random_inputs(fixture *world, uint64_t *seed)
{
    for (uint32_t seat = 0; seat < CROWD; seat++) {
        const bool taken = world_seat(world, seat)->taken;
        if (!taken && suite_random(seed, 4) == 0) {
            char name[16];
            snprintf(name, sizeof name, "p%u", suite_random(seed, 8));
            fixture_add_join(world, seat, name);
        } else if (taken && suite_random(seed, 300) == 0) {
            fixture_add_leave(world, seat);
        } else if (taken && suite_random(seed, 3) > 0) {
            const bool steps = suite_random(seed, 8) > 0;
            const uint32_t action = steps ? ACTION_STEP : 1 + suite_random(seed, POLAR_ACTION_COUNT);
            const bool on = suite_random(seed, 2) != 0;
            fixture_add(world, seat, action, on ? world_seat(world, seat)->board.facing * 2u : suite_random(seed, 9));
        }
    }
    if (suite_random(seed, 2) == 0) {
        fixture_add_wake(world);
    }
}

static void watch_some(fixture *world)
{
    fixture_watch(world, WN_SPECTATORS, true);
    for (uint32_t seat = 0; seat < CROWD; seat += 2) {
        fixture_watch(world, (int32_t)seat, world_seat(world, seat)->taken);
    }
}

/* Boards are what the moves make of their levels, and nothing beyond the limits. */
static void check_seats(const fixture *world)
{
    const polar *game = fixture_game(world);
    for (uint32_t i = 0; i < CROWD; i++) {
        const polar_seat *seat = &game->seats[i];
        if (!seat->taken) {
            continue;
        }
        REQUIRE(seat->made <= seat->length && seat->length <= seat->capacity);
        REQUIRE(seat->level < game->pack.count && (game->open || seat->level <= game->runners[seat->runner].reached));
        static polar_board board;
        uint32_t pushes = 0;
        pack_board(&game->pack, seat->level, &board);
        for (uint32_t j = 0; j < seat->made; j++) {
            const polar_move move = board_move(&board, (polar_heading)move_unpack(seat->moves[j]).heading);
            REQUIRE(move_pack(&move) == seat->moves[j]);
            pushes += move.deed == DEED_PUSH;
        }
        REQUIRE(pushes == seat->pushes);
        REQUIRE(memcmp(&board, &seat->board, sizeof board) == 0);
    }
}

/* What was drawn turn by turn is what a world shows that has just been loaded, and is drawn anew. */
static void check_views(fixture *first, fixture *second)
{
    for (int32_t seat = WN_SPECTATORS; seat < CROWD; seat++) {
        wn_view_state one, two;
        wn_hosted_view(first->hosted, seat, &one);
        if (one.cells == NULL || (seat >= 0 && !world_seat(first, (uint32_t)seat)->taken)) {
            continue;
        }
        fixture_watch(second, seat, true);
        wn_hosted_view(second->hosted, seat, &two);
        ck_assert_msg(one.width == two.width && one.height == two.height && one.focus == two.focus,
                      "view %d: %u by %u looks at %u, and %u by %u at %u", seat, one.width, one.height, one.focus,
                      two.width, two.height, two.focus);
        REQUIRE(memcmp(one.cells, two.cells, one.width * one.height * sizeof *one.cells) == 0);
        REQUIRE(one.sprite_count == two.sprite_count);
        for (uint32_t i = 0; i < one.sprite_count; i++) {
            const wn_view_sprite *a = &one.sprites[i], *b = &two.sprites[i];
            REQUIRE(a->id == b->id && a->at == b->at && a->tile == b->tile && a->facing == b->facing);
            REQUIRE(strcmp(a->label, b->label) == 0);
        }
        REQUIRE(strcmp(banner(first, seat), banner(second, seat)) == 0);
        for (uint32_t field = 0; seat >= 0 && field < STATUS_COUNT; field++) {
            const char *text = status(first, seat, field), *other = status(second, seat, field);
            REQUIRE(number(first, seat, field) == number(second, seat, field));
            REQUIRE((text == NULL && other == NULL) || strcmp(text, other) == 0);
        }
    }
}

START_TEST(random_play_keeps_the_boards_true_and_a_loaded_world_shows_the_same_and_goes_on_the_same)
{
    uint64_t seed = fixture_seed();
    for (uint32_t game = 0; game < 8; game++) {
        wn_error error = {0};
        fixture *first = world_open(busy, game % 2 * 30, game % 4 < 2), *second = NULL;
        for (uint32_t turn = 0; turn < 150; turn++) {
            watch_some(first);
            add_random_inputs(first, &seed);
            fixture_turn(first);
            check_seats(first);
            wn_buffer snapshot = {0};
            wn_hosted_save(first->hosted, &snapshot);
            second = fixture_load(first, &snapshot, &error);
            ck_assert_msg(second != NULL, "%s", error.text);
            wn_buffer_free(&snapshot);
            check_views(first, second);
            for (uint32_t more = 0; more < 3; more++) {
                uint64_t same = seed;
                add_random_inputs(first, &seed);
                add_random_inputs(second, &same);
                fixture_turn(first);
                fixture_turn(second);
                REQUIRE(wn_hosted_hash(first->hosted) == wn_hosted_hash(second->hosted));
                REQUIRE(wn_hosted_wake_ms(first->hosted) == wn_hosted_wake_ms(second->hosted));
            }
            fixture_close(second);
        }
        fixture_close(first);
    }
}
END_TEST

/* A world with everything in it. */
static fixture *open_busy(void)
{
    uint64_t seed = fixture_seed();
    fixture *world = world_open(busy, 30, true);
    for (uint32_t turn = 0; turn < 60; turn++) {
        add_random_inputs(world, &seed);
        fixture_turn(world);
    }
    return world;
}

static void play_on(fixture *world, uint64_t *seed)
{
    watch_some(world);
    for (uint32_t i = 0; i < 5; i++) {
        check_seats(world);
        add_random_inputs(world, seed);
        fixture_turn(world);
    }
}

START_TEST(a_damaged_save_is_refused_or_harmless)
{
    fixture *world = open_busy();
    ck_assert_uint_gt(fixture_refused_when_damaged(world, 3000, play_on), 300);
    fixture_close(world);
}
END_TEST

/* As the mode saved before there was a calm: without the world's waking and each seat's calm. */
START_TEST(a_world_saved_in_the_first_format_goes_on)
{
    fixture *world = open_with(pack, 30, false);
    play(world, 0, "E1"); /* slides */
    wn_buffer snapshot = {0};
    wn_hosted_save(world->hosted, &snapshot);
    const uint8_t begin[] = {2, 0, 0, 0, 3, 0, 0, 0, 30, 0, 0, 0};
    uint8_t *saved = memmem(snapshot.data, snapshot.size, begin, sizeof begin);
    ck_assert_ptr_nonnull(saved);
    uint8_t *end = snapshot.data + snapshot.size;
    const size_t runner = 4 + 1 + strlen("ann") + 4 + 3 * 8, seat = 1 + 3 * 4 + 3;
    uint8_t *calm = saved + sizeof begin + runner + seat;
    memmove(calm, calm + 4, (size_t)(end - calm) - 4);
    saved[0] = 1;
    memmove(saved + 8, saved + 12, (size_t)(end - saved) - 16);
    snapshot.size -= 8;
    wn_error error = {0};
    fixture *old = fixture_load(world, &snapshot, &error);
    ck_assert_msg(old != NULL, "%s", error.text);
    ck_assert(world_seat(old, 0)->sliding);
    ck_assert_uint_le(wakes_until_still(old), 90);
    ck_assert(!world_seat(old, 0)->sliding);
    fixture_close(old);
    wn_buffer_free(&snapshot);
    fixture_close(world);
}
END_TEST

START_TEST(a_save_whose_wake_up_would_never_come_is_refused)
{
    fixture *world = open_with(pack, 30, false);
    play(world, 0, "E1"); /* slides */
    wn_buffer snapshot = {0};
    wn_hosted_save(world->hosted, &snapshot);
    const uint8_t begin[] = {2, 0, 0, 0, 3, 0, 0, 0, 30, 0, 0, 0};
    uint8_t *saved = memmem(snapshot.data, snapshot.size, begin, sizeof begin);
    ck_assert_ptr_nonnull(saved);
    saved[8 + 3] = 1; /* of 30 milliseconds, months */
    wn_error error = {0};
    ck_assert_ptr_null(fixture_load(world, &snapshot, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "wake-up"));
    wn_buffer_free(&snapshot);
    fixture_close(world);
}
END_TEST

START_TEST(a_save_that_ends_early_is_refused)
{
    fixture *world = open_busy();
    fixture_expect_refused_when_cut(world, play_on);
    fixture_close(world);
}
END_TEST

RUN("polar: play", a_seat_begins_with_the_first_level_and_is_told_of_it,
    a_level_that_is_cleared_is_told_to_all_and_followed_by_the_next, moves_are_taken_back_made_again_and_begun_anew,
    the_last_push_can_be_taken_back_after_clearing, scores_are_the_fewest_moves_and_pushes_of_each_level,
    levels_are_chosen_among_those_reached, the_last_level_has_no_next, facing_turns_and_never_walks,
    a_slide_is_shown_cell_by_cell_and_ends_where_it_is_on_the_board, a_command_does_not_wait_for_a_slide,
    who_repeats_a_key_sees_that_the_level_is_cleared, a_step_that_ends_the_last_slide_does_not_go_on,
    the_calm_can_be_ended_by_going_on_and_by_taking_back,
    the_calm_of_one_goes_on_while_another_pushes_and_over_a_restart,
    a_hint_marks_where_to_stand_and_leaves_what_to_push_to_be_seen, in_plain_ascii_no_two_kinds_of_tile_share_a_sign,
    a_slide_across_the_largest_board_takes_a_few_pictures, who_leaves_during_the_last_slide_has_cleared_the_level,
    boards_lie_side_by_side_for_spectators_each_in_a_region,
    sixty_four_of_the_largest_boards_fit_into_the_spectators_view, a_hint_is_the_next_push_and_points_at_what_to_push,
    where_nothing_helps_a_hint_says_how_many_moves_to_take_back, a_hint_for_another_board_is_not_shown,
    damaged_questions_and_answers_are_harmless, a_pack_with_a_mistake_makes_no_world_and_says_where_it_is,
    moves_without_end_are_refused_when_the_world_has_no_memory_left,
    a_world_remembers_as_many_players_as_it_can_and_forgets_who_reached_the_least,
    random_play_keeps_the_boards_true_and_a_loaded_world_shows_the_same_and_goes_on_the_same,
    a_damaged_save_is_refused_or_harmless, a_world_saved_in_the_first_format_goes_on, a_save_that_ends_early_is_refused,
    a_save_whose_wake_up_would_never_come_is_refused)
