/* A recording as somebody watches it: what keys do, what has the focus, what the bars tell. The mode runs in a real
 * host.
 */
#include "viewing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "key.h"
#include "recording_made.h"
#include "suite.h"

enum { TURNS = 120, SEED = 7 };

static char directory[64], path[96];
static wn_viewing viewing;
static wn_log told;
static int64_t now;

static void setup(void)
{
    wn_error error;
    char modes[512];
    strcpy(directory, "/tmp/warren-viewing-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/game.warren", directory);
    make_caves_recording(CAVES_MODE, path, SEED, TURNS);
    snprintf(modes, sizeof modes, "%.*s", (int)(strrchr(CAVES_MODE, '/') - CAVES_MODE), CAVES_MODE);
    viewing = (wn_viewing){0};
    now = 1000;
    ck_assert_msg(wn_playback_load(&viewing.playback, path, modes, &error) == 0, "%s", error.text);
}

static void teardown(void)
{
    wn_playback_free(&viewing.playback);
    wn_log_clear(&told);
    unlink(path);
    rmdir(directory);
}

static wn_viewing_answer press(uint32_t key)
{
    return wn_viewing_key(&viewing, key, &told, now);
}

static void type(const char *text)
{
    for (; *text != '\0'; text++) {
        press((uint32_t)*text);
    }
}

/* Lets it work until it shows what was asked for. */
static void arrive(void)
{
    wn_error error;
    int64_t next = now;
    while (viewing.playback.under_way) {
        ck_assert_int_ne(wn_playback_work(&viewing.playback, now++, &next, &error), WN_PLAYBACK_FAILED);
    }
}

static uint64_t turn(void)
{
    arrive();
    return wn_player_turn(viewing.playback.player);
}

START_TEST(keys_go_by_turns_by_pages_and_to_the_ends)
{
    char text[160];
    const uint64_t last = wn_recording_last(viewing.playback.recording);
    ck_assert_uint_gt(last, 101);
    press(WN_KEY_RIGHT);
    ck_assert_uint_eq(turn(), 1);
    press(WN_KEY_PAGE_DOWN);
    ck_assert_uint_eq(turn(), 101);
    press(WN_KEY_LEFT);
    ck_assert_uint_eq(turn(), 100);
    press(WN_KEY_END);
    ck_assert_uint_eq(turn(), last);
    wn_viewing_progress(&viewing, true, "  ", text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "  1x  end"));
    press(WN_KEY_HOME);
    ck_assert_uint_eq(turn(), 0);
    wn_viewing_progress(&viewing, false, " ", text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, " 1x paused"));
}
END_TEST

START_TEST(a_step_by_hand_stops_what_runs)
{
    press(' ');
    ck_assert(viewing.playback.playing);
    press(WN_KEY_RIGHT);
    ck_assert(!viewing.playback.playing);
}
END_TEST

START_TEST(a_turn_is_typed_and_what_is_none_is_told)
{
    char question[160];
    press('g');
    ck_assert_int_eq(viewing.focus, WN_VIEWING_GOING);
    wn_viewing_question(&viewing, question, sizeof question);
    ck_assert_ptr_nonnull(strstr(question, "Go to turn (0-"));
    type("30");
    press(WN_KEY_ENTER);
    ck_assert_uint_eq(turn(), 30);
    press('g');
    type("-5");
    press(WN_KEY_ENTER);
    ck_assert_uint_eq(turn(), 25);
    press('g');
    type("quick");
    press(WN_KEY_ENTER);
    ck_assert_int_eq(viewing.focus, WN_VIEWING);
    ck_assert_str_eq(wn_log_entry_at(&told, 0)->text, "\"quick\" is not a turn: type 120, +20 or -20.");
    press('g');
    type("3");
    press(WN_KEY_ESCAPE);
    ck_assert_uint_eq(turn(), 25);
}
END_TEST

START_TEST(boxes_open_by_their_keys_and_keys_in_them_are_the_boxes)
{
    const unsigned before = viewing.opened;
    press('?');
    ck_assert_int_eq(viewing.focus, WN_VIEWING_HELP);
    ck_assert_uint_ne(viewing.opened, before);
    ck_assert_int_eq(press('q').wish, WN_VIEWING_IN_BOX);
    wn_viewing_close(&viewing);
    press('m');
    ck_assert_int_eq(viewing.focus, WN_VIEWING_MESSAGES);
    ck_assert_int_eq(press(WN_KEY_RIGHT).wish, WN_VIEWING_IN_BOX);
    wn_viewing_close(&viewing);
    ck_assert_uint_eq(turn(), 0);
}
END_TEST

START_TEST(what_is_left_to_the_frontend_is_said)
{
    ck_assert_int_eq(press('h').wish, WN_VIEWING_PANS);
    ck_assert_uint_eq(press('h').what, 6);
    ck_assert_uint_eq(press(WN_KEY_UP).what, 0);
    ck_assert_uint_eq(press('0').what, 8);
    ck_assert_int_eq(press('n').wish, WN_VIEWING_NAMES);
    ck_assert_int_eq(press(WN_KEY_ESCAPE).wish, WN_VIEWING_REVEALS);
    ck_assert_int_eq(press('V').wish, WN_VIEWING_UNKNOWN);
    ck_assert_int_eq(press('q').wish, WN_VIEWING_QUITS);
    ck_assert_ptr_nonnull(wn_viewing_get_help(0));
    ck_assert_ptr_null(wn_viewing_get_help(100));
}
END_TEST

/* The seat of that player now; -1: he has none. */
static int32_t seat_of(const char *player)
{
    for (uint32_t seat = 0; seat < wn_player_seats(viewing.playback.player); seat++) {
        const char *name = wn_player_name(viewing.playback.player, seat);
        if (name != NULL && strcmp(name, player) == 0) {
            return (int32_t)seat;
        }
    }
    return -1;
}

START_TEST(a_player_is_followed_to_the_seat_that_he_has)
{
    wn_error error;
    char modes[512], followed[WN_NAME_BYTES + 1], text[160];
    unsigned moves = 0, gone = 0;
    wn_playback_free(&viewing.playback);
    snprintf(modes, sizeof modes, "%.*s", (int)(strrchr(HUNT_MODE, '/') - HUNT_MODE), HUNT_MODE);
    ck_assert_msg(wn_playback_load(&viewing.playback, RECORDINGS "/hunt-crowd.warren", modes, &error) == 0, "%s",
                  error.text);
    const uint64_t last = wn_recording_last(viewing.playback.recording);
    for (uint64_t start = 10; start < last && (moves == 0 || gone == 0); start += 10) {
        wn_playback_go(&viewing.playback, start, now);
        arrive();
        press(WN_KEY_TAB);
        arrive();
        int32_t seat = wn_player_seat(viewing.playback.player);
        if (seat < 0) {
            continue;
        }
        snprintf(followed, sizeof followed, "%s", wn_player_name(viewing.playback.player, (uint32_t)seat));
        for (uint64_t at = start; at < last && (moves == 0 || gone == 0); at += 7) {
            wn_playback_go(&viewing.playback, at, now);
            arrive();
            const int32_t other = wn_player_seat(viewing.playback.player);
            ck_assert_uint_eq(wn_player_turn(viewing.playback.player), at);
            ck_assert_int_eq(other, seat_of(followed));
            wn_playback_view_name(&viewing.playback, true, text, sizeof text);
            ck_assert_msg(strncmp(text, followed, strlen(followed)) == 0, "%s", text);
            ck_assert_int_eq(strstr(text, "(no seat here)") != NULL, other < 0);
            moves += other >= 0 && other != seat;
            gone += other < 0;
            seat = other >= 0 ? other : seat;
        }
    }
    ck_assert_uint_gt(moves, 0);
    ck_assert_uint_gt(gone, 0);
}
END_TEST

START_TEST(who_goes_on_from_the_spectators_follows_nobody)
{
    char text[160];
    press(WN_KEY_PAGE_DOWN);
    arrive();
    press(WN_KEY_TAB);
    arrive();
    ck_assert_int_ge(wn_player_seat(viewing.playback.player), 0);
    press(WN_KEY_BACK_TAB);
    arrive();
    wn_playback_view_name(&viewing.playback, true, text, sizeof text);
    ck_assert_str_eq(text, "spectators");
    press(WN_KEY_END);
    arrive();
    ck_assert_int_eq(wn_player_seat(viewing.playback.player), WN_PLAYER_SPECTATOR);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        keys_go_by_turns_by_pages_and_to_the_ends,      a_step_by_hand_stops_what_runs,
        a_turn_is_typed_and_what_is_none_is_told,       boxes_open_by_their_keys_and_keys_in_them_are_the_boxes,
        what_is_left_to_the_frontend_is_said,           a_player_is_followed_to_the_seat_that_he_has,
        who_goes_on_from_the_spectators_follows_nobody,
    };
    return suite_run_with("viewing", tests, sizeof tests / sizeof *tests, setup, teardown);
}
