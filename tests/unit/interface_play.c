/* A world as somebody plays or watches it: what has the focus, what keys mean, how it ends and goes on. The server is
 * the peer of the client's tests: nothing runs behind it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_peer.h"
#include "key.h"
#include "key_file_fixture.h"
#include "play.h"
#include "suite.h"
#include "world-list.h"

enum { WAIT, STEP, THROW, NOW = 5000 };

static wn_command_line line;
static wn_link to_server;
static wn_log told;
static wn_key_file keys;
static wn_play play;

static void begin(bool window)
{
    to_server = (wn_link){.client = client, .line = &line};
    wn_play_begin(&play, &to_server, &told, &keys, window, PEER_WORLD, 0);
}

static void setup_play(void)
{
    setup_joined();
    keys = (wn_key_file){0};
    read_keys(&keys, "keys.conf", "[test]\nwait = z\nstep = s\nstep.north = k\nthrow = T\n");
    begin(false);
}

static void teardown_play(void)
{
    wn_play_free(&play);
    wn_key_file_free(&keys);
    wn_log_clear(&told);
    teardown();
}

static wn_play_wish press(uint32_t key)
{
    return wn_play_key(&play, key).wish;
}

static const char *last_words(void)
{
    const wn_log_entry *entry = wn_log_entry_at(&told, 0);
    return entry == NULL ? "" : entry->text;
}

/* Gives the play what comes from the server until `come` does. */
static wn_play_news take_until(bool (*come)(wn_play_news news))
{
    uint64_t deadline = 0;
    wn_event event;
    for (;;) {
        ck_assert_msg(!late(&deadline), "it never came");
        peer_serve(&server);
        wn_client_wait(client, 2);
        while (wn_client_next(client, &event)) {
            const wn_play_news news = wn_play_take(&play, &event, NOW);
            if (come(news)) {
                return news;
            }
        }
    }
}

static bool is_end(wn_play_news news)
{
    return news.ends;
}

static bool is_arrival(wn_play_news news)
{
    return news.arrives;
}

static bool is_over(wn_play_news news)
{
    (void)news;
    return play.world_over;
}

/* playing */

START_TEST(it_knows_the_world_and_the_mode_of_its_view)
{
    ck_assert_str_eq(play.name, "cave");
    ck_assert_str_eq(play.title, "A legend that outlives its message");
    ck_assert(!play.watching);
    ck_assert_ptr_nonnull(wn_play_replica(&play));
    ck_assert_int_eq(play.focus, WN_PLAYING);
}
END_TEST

START_TEST(a_key_of_an_action_is_a_command_and_another_says_that_it_is_none)
{
    ck_assert_int_eq(press('z'), WN_PLAY_SENT);
    ck_assert_int_eq(press('k'), WN_PLAY_SENT);
    ck_assert_int_eq(press('$'), WN_PLAY_STAYS);
    ck_assert_str_eq(last_words(), "$ does nothing here; F1 shows the keys.");
    PUMP_UNTIL(server.command_count == 2);
    ck_assert(!server.command_had_argument[0]);
}
END_TEST

START_TEST(what_the_server_does_not_take_any_more_is_told)
{
    server.silent = true;
    for (int i = 0; i < 10000 && strstr(last_words(), "not sent") == NULL; i++) {
        press('z');
    }
    ck_assert_str_eq(last_words(), "That was not sent: the server has not answered your last commands yet.");
}
END_TEST

START_TEST(a_direction_is_asked_for_and_escape_forgets_it)
{
    press('s');
    ck_assert_int_eq(play.focus, WN_DIRECTING);
    ck_assert_uint_eq(play.asked_action, STEP);
    ck_assert_int_eq(press('z'), WN_PLAY_STAYS);
    ck_assert_int_eq(press(WN_KEY_ESCAPE), WN_PLAY_STAYS);
    ck_assert_int_eq(play.focus, WN_PLAYING);
    press('s');
    ck_assert_int_eq(press(WN_KEY_LEFT), WN_PLAY_SENT);
    ck_assert_int_eq(play.focus, WN_PLAYING);
}
END_TEST

START_TEST(a_place_is_aimed_at_within_the_view)
{
    press('T');
    ck_assert_int_eq(play.focus, WN_AIMING);
    ck_assert_uint_eq(play.cursor, 2 * 10 + 5); /* the middle: nobody stands anywhere */
    for (int i = 0; i < 20; i++) {
        press(WN_KEY_RIGHT);
    }
    press(WN_KEY_UP);
    ck_assert_uint_eq(play.cursor, 1 * 10 + 9);
    ck_assert_int_eq(press(WN_KEY_ENTER), WN_PLAY_SENT);
    ck_assert_uint_eq(play.cursor, WN_NO_FOCUS);
    wn_play_aim(&play, THROW, 3);
    ck_assert_uint_eq(play.cursor, 3);
    press(WN_KEY_ESCAPE);
    ck_assert_int_eq(play.focus, WN_PLAYING);
}
END_TEST

START_TEST(what_is_typed_is_text_until_it_is_said)
{
    press('t');
    ck_assert_int_eq(play.focus, WN_IN_CHAT);
    press('q');
    press('z');
    ck_assert_str_eq(play.chat.text, "qz");
    press(WN_KEY_ENTER);
    ck_assert_int_eq(play.focus, WN_PLAYING);
}
END_TEST

/* boxes */

START_TEST(a_box_opens_by_a_key_and_closes_by_it_or_by_escape)
{
    static const struct {
        uint32_t key;
        wn_play_focus focus;
    } boxes[] = {{WN_KEY_F1, WN_IN_HELP}, {WN_KEY_F1 + 1, WN_IN_MESSAGES}, {WN_KEY_F1 + 4, WN_IN_SCORES}};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        const uint32_t closing[] = {boxes[i].key, WN_KEY_ESCAPE, 'q', WN_KEY_ENTER};
        for (size_t k = 0; k < 4; k++) {
            const unsigned before = play.opened;
            ck_assert_int_eq(press(boxes[i].key), WN_PLAY_STAYS);
            ck_assert_int_eq(play.focus, boxes[i].focus);
            ck_assert_uint_ne(play.opened, before);
            ck_assert_int_eq(press(WN_KEY_DOWN), WN_PLAY_IN_BOX);
            ck_assert_int_eq(press(WN_KEY_PAGE_UP), WN_PLAY_IN_BOX);
            press(closing[k]);
            ck_assert_int_eq(play.focus, WN_PLAYING);
        }
    }
}
END_TEST

START_TEST(the_frontend_opens_the_menu_and_keys_beside_its_entries_work_there)
{
    const wn_play_answer answer = wn_play_key(&play, WN_KEY_ESCAPE);
    ck_assert_int_eq(answer.wish, WN_PLAY_RUNS);
    ck_assert_uint_eq(answer.what, WN_DO_MENU);
    wn_play_open(&play, WN_IN_MENU);
    ck_assert_int_eq(press(WN_KEY_ENTER), WN_PLAY_IN_BOX);
    press(WN_KEY_F1);
    ck_assert_int_eq(play.focus, WN_IN_HELP);
    press(WN_KEY_ESCAPE);
    wn_play_open(&play, WN_IN_MENU);
    ck_assert_int_eq(wn_play_choose(&play, WN_MENU_RESUME).wish, WN_PLAY_STAYS);
    ck_assert_int_eq(play.focus, WN_PLAYING);
}
END_TEST

static bool menu_has(int pick)
{
    const wn_menu_entry *entry;
    for (size_t i = 0; (entry = wn_play_menu(&play, i)) != NULL; i++) {
        if (entry->pick == pick) {
            return true;
        }
    }
    return false;
}

START_TEST(the_menu_has_what_the_frontend_can_do)
{
    ck_assert(menu_has(WN_DO_REDRAW) && !menu_has(WN_DO_PREFERENCES) && menu_has(WN_MENU_QUIT));
    wn_play_free(&play);
    begin(true);
    ck_assert(!menu_has(WN_DO_REDRAW) && menu_has(WN_DO_PREFERENCES) && menu_has(WN_MENU_QUIT));
}
END_TEST

static void count_help(void *context, const wn_help_line *help)
{
    unsigned *count = context;
    *count += help->kind == WN_HELP_KEYS && strcmp(help->keys, "T") == 0 &&
              strcmp(help->text, "throw (then choose a place)") == 0;
    *count += help->kind == WN_HELP_KEYS && strcmp(help->keys, "k") == 0 && strcmp(help->text, "north") == 0;
}

static bool is_north(const Warren__Action *action, uint32_t direction)
{
    return strcmp(action->name, "step") == 0 && direction == 0;
}

START_TEST(the_help_has_the_keys_of_the_mode)
{
    unsigned count = 0;
    wn_play_help(&play, count_help, NULL, &count);
    ck_assert_uint_eq(count, 2);
    wn_play_help(&play, count_help, is_north, &count); /* the frontend tells of that itself */
    ck_assert_uint_eq(count, 3);
}
END_TEST

START_TEST(who_leaves_or_quits_is_asked_for_a_seat_is_given_up)
{
    press(WN_KEY_F1 + 9);
    ck_assert_int_eq(play.focus, WN_CONFIRMING_LEAVE);
    press('n');
    ck_assert_int_eq(play.focus, WN_PLAYING);
    wn_play_choose(&play, WN_MENU_QUIT);
    ck_assert_int_eq(play.focus, WN_CONFIRMING_QUIT);
    ck_assert_int_eq(press('y'), WN_PLAY_QUITS);
    press(WN_KEY_ESCAPE);
    press(WN_KEY_F1 + 9);
    ck_assert_int_eq(press('Y'), WN_PLAY_LEAVES);
    PUMP_UNTIL(server.leaves == 1);
}
END_TEST

START_TEST(a_spectator_looks_around_and_leaves_without_being_asked)
{
    play.watching = true;
    ck_assert_int_eq(wn_play_key(&play, WN_KEY_UP).wish, WN_PLAY_PANS);
    ck_assert_uint_eq(wn_play_key(&play, WN_KEY_RIGHT).what, 2);
    ck_assert_int_eq(press('z'), WN_PLAY_STAYS);
    ck_assert_str_eq(last_words(), "");
    ck_assert_int_eq(press(WN_KEY_F1 + 9), WN_PLAY_LEAVES);
    PUMP_UNTIL(server.leaves == 1);
    ck_assert_uint_eq(server.command_count, 0);
}
END_TEST

/* the end */

START_TEST(who_is_out_watches_on_and_enters_again)
{
    wn_play_open(&play, WN_IN_HELP);
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED);
    take_until(is_end);
    ck_assert_ptr_nonnull(wn_client_replica(client, PEER_WORLD)); /* to be drawn for the last time */
    ck_assert_ptr_null(wn_play_replica(&play));
    ck_assert_int_eq(play.focus, WN_ASKED_AGAIN);
    ck_assert_str_eq(play.reason, "Your place in this world has ended.");
    ck_assert_ptr_nonnull(strstr(play.status, "turn"));

    ck_assert(take_until(is_arrival).begins);
    ck_assert(play.watching);
    ck_assert_int_eq(press('y'), WN_PLAY_STAYS); /* it was meant for the game */
    ck_assert_int_eq(wn_play_tick(&play, NOW), NOW + WN_REENTRY_CALM_MS);
    ck_assert_int_eq(wn_play_tick(&play, NOW + WN_REENTRY_CALM_MS), 0);

    press(WN_KEY_ESCAPE);
    ck_assert(play.hides_again);
    ck_assert_int_eq(press(WN_KEY_UP), WN_PLAY_PANS);
    press(WN_KEY_F1);
    ck_assert_int_eq(play.focus, WN_IN_HELP);
    press(WN_KEY_ESCAPE);
    ck_assert_int_eq(play.focus, WN_ASKED_AGAIN);
    press('y');
    ck_assert(!play.hides_again);
    take_until(is_arrival);
    ck_assert(!play.watching && !play.ended);
    ck_assert_int_eq(play.focus, WN_PLAYING);
    ck_assert_uint_eq(server.joins, 2);
}
END_TEST

static void find_question(void *context, const wn_help_line *help)
{
    unsigned *found = context;
    *found += help->kind == WN_HELP_KEYS && strcmp(help->keys, "n") == 0 && strcmp(help->text, "leave this world") == 0;
}

START_TEST(the_help_explains_the_question_while_it_stands)
{
    char brief[80];
    unsigned found = 0;
    wn_play_help(&play, find_question, NULL, &found);
    wn_reentry_brief(&play.again, brief, sizeof brief);
    ck_assert_str_eq(brief, "");
    ck_assert_uint_eq(found, 0);
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED);
    take_until(is_arrival);
    wn_play_tick(&play, NOW + WN_REENTRY_CALM_MS);
    wn_play_help(&play, find_question, NULL, &found);
    ck_assert_uint_eq(found, 1);
    wn_reentry_brief(&play.again, brief, sizeof brief);
    ck_assert_str_eq(brief, "y again, n leave, w write"); /* the mode has but one way to enter */
}
END_TEST

START_TEST(who_says_no_leaves_the_world)
{
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED);
    take_until(is_arrival);
    wn_play_tick(&play, NOW + WN_REENTRY_CALM_MS);
    ck_assert_int_eq(press('n'), WN_PLAY_LEAVES);
    PUMP_UNTIL(server.leaves == 1);
}
END_TEST

START_TEST(while_the_question_stands_the_status_is_that_of_the_seat)
{
    static const wn_field_state ours[] = {{.set = true, .number = 3}};
    Warren__Mode mode = *wn_play_replica(&play)->mode;
    wn_replica watched = {.mode = &mode, .facing = 8};
    mode.n_status = 1;
    ck_assert_ptr_eq(wn_play_shown(&play, &watched).fields, watched.fields);
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED);
    take_until(is_end);
    free(play.last_fields);
    play.last_fields = malloc(sizeof ours);
    memcpy(play.last_fields, ours, sizeof ours);
    play.last_field_count = 1;
    play.last_facing = 2;
    ck_assert_int_eq(wn_play_shown(&play, &watched).fields[0].number, 3);
    ck_assert_uint_eq(wn_play_shown(&play, &watched).facing, 2);
    mode.n_status = 2; /* another mode's */
    ck_assert_ptr_eq(wn_play_shown(&play, &watched).fields, watched.fields);
}
END_TEST

START_TEST(a_world_that_is_over_can_still_be_looked_at)
{
    char remarks[64];
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_WORLD_OVER);
    take_until(is_over);
    ck_assert_int_eq(play.focus, WN_IN_RESULT);
    ck_assert_str_eq(play.reason, "This world is over.");
    wn_play_remarks(&play, " ", remarks, sizeof remarks);
    ck_assert_str_eq(remarks, " (over)");
    ck_assert_ptr_nonnull(wn_play_replica(&play));
    ck_assert_int_eq(press(WN_KEY_ESCAPE), WN_PLAY_REVEALS);
    ck_assert_int_eq(play.focus, WN_PLAYING);
    ck_assert_int_eq(press(WN_KEY_F1 + 9), WN_PLAY_LEAVES); /* nothing is given up */
}
END_TEST

static wn_play_news answer(uint32_t request, Warren__Reply__BodyCase kind, void *body)
{
    Warren__Reply message = WARREN__REPLY__INIT;
    message.body_case = kind;
    message.worlds = body; /* a union of pointers */
    return wn_play_take(&play, &(wn_event){.kind = WN_EVENT_REPLY, .request = request, .reply = &message}, NOW);
}

static void refuse(uint32_t request, const char *text)
{
    wn_event event = {.kind = WN_EVENT_ERROR, .request = request};
    strcpy(event.error.text, text);
    ck_assert_uint_eq(wn_play_take(&play, &event, NOW).another, 0);
}

START_TEST(another_world_like_one_that_is_over_is_made_and_entered)
{
    Warren__WorldInfo over = WARREN__WORLD_INFO__INIT, made = WARREN__WORLD_INFO__INIT;
    Warren__WorldInfo *worlds[] = {&over};
    Warren__WorldList list = WARREN__WORLD_LIST__INIT;
    Warren__Joined joined = WARREN__JOINED__INIT;
    list.worlds = worlds;
    list.n_worlds = 1;
    over.name = (char *)"cave";
    over.mode = (char *)"caves";
    made.name = (char *)"caves-2";
    joined.world = 9;
    ck_assert(!menu_has(WN_MENU_ANOTHER));
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_WORLD_OVER);
    take_until(is_over);
    ck_assert(menu_has(WN_MENU_ANOTHER));
    press('n');
    ck_assert(wn_another_busy(&play.another));
    ck_assert_int_eq(press(WN_KEY_ENTER), WN_PLAY_STAYS); /* it is on its way */
    answer(play.another.list_request, WARREN__REPLY__BODY_WORLDS, &list);
    ck_assert_uint_ne(play.another.create_request, 0);
    answer(play.another.create_request, WARREN__REPLY__BODY_WORLD, &made);
    ck_assert_uint_ne(play.another.join_request, 0);
    ck_assert_uint_eq(answer(play.another.join_request, WARREN__REPLY__BODY_JOINED, &joined).another, 9);
    PUMP_UNTIL(server.leaves == 1); /* the old one */
}
END_TEST

START_TEST(why_there_is_no_other_world_is_said)
{
    Warren__WorldList list = WARREN__WORLD_LIST__INIT;
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_WORLD_OVER);
    take_until(is_over);
    press('n');
    refuse(play.another.list_request, "You have as many worlds as one may have: 8.");
    ck_assert(!wn_another_busy(&play.another));
    ck_assert_str_eq(play.another.trouble, "You have as many worlds as one may have: 8.");
    ck_assert_str_eq(last_words(), play.another.trouble);
    wn_play_close(&play);
    wn_play_choose(&play, WN_MENU_ANOTHER);
    ck_assert_int_eq(play.focus, WN_IN_RESULT);
    ck_assert_str_eq(play.another.trouble, "");
    answer(play.another.list_request, WARREN__REPLY__BODY_WORLDS, &list);
    ck_assert_ptr_nonnull(strstr(play.another.trouble, "cave was closed"));
    ck_assert_int_eq(press(WN_KEY_ENTER), WN_PLAY_LEAVES);
}
END_TEST

START_TEST(of_a_world_that_was_closed_the_result_is_left)
{
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED);
    take_until(is_end);
    ck_assert_str_eq(play.reason, "This world was closed.");
    ck_assert_int_eq(play.focus, WN_IN_RESULT);
    ck_assert_int_eq(press(WN_KEY_DOWN), WN_PLAY_IN_BOX);
    wn_play_open(&play, WN_IN_MESSAGES);
    press(WN_KEY_ESCAPE);
    ck_assert_int_eq(play.focus, WN_IN_RESULT);
    ck_assert_int_eq(press('q'), WN_PLAY_QUITS);
    ck_assert_int_eq(press(WN_KEY_ENTER), WN_PLAY_LEAVES);
    ck_assert_int_eq(press(WN_KEY_ESCAPE), WN_PLAY_STAYS); /* it was meant for the game */
    ck_assert_int_eq(wn_play_tick(&play, NOW + 1), NOW + WN_REENTRY_CALM_MS);
    ck_assert_int_eq(wn_play_tick(&play, NOW + WN_REENTRY_CALM_MS), 0);
    ck_assert_int_eq(press(WN_KEY_ESCAPE), WN_PLAY_LEAVES); /* there is nothing to look at */
    ck_assert_str_eq(to_server.last_world, "cave");
}
END_TEST

START_TEST(a_world_that_closes_behind_the_question_leaves_no_way_back)
{
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED);
    take_until(is_arrival);
    wn_play_tick(&play, NOW + WN_REENTRY_CALM_MS);
    peer_notify(&server, WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED);
    take_until(is_end);
    ck_assert_int_eq(play.focus, WN_IN_RESULT);
    ck_assert_int_eq(press('y'), WN_PLAY_IN_BOX);
}
END_TEST

START_TEST(other_worlds_and_what_the_replica_tells_change_nothing)
{
    Warren__Notice notice = WARREN__NOTICE__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    const wn_event event = {.kind = WN_EVENT_NOTICE, .reply = &message};
    message.body_case = WARREN__REPLY__BODY_NOTICE;
    message.notice = &notice;
    notice.kind = WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED;
    notice.has_world = true;
    notice.world = PEER_WORLD + 1;
    ck_assert(!wn_play_take(&play, &event, NOW).ends);
    notice.kind = WARREN__NOTICE_KIND__NOTICE_WATCHERS;
    notice.world = PEER_WORLD;
    ck_assert(!wn_play_take(&play, &event, NOW).ends);
    notice.kind = WARREN__NOTICE_KIND__NOTICE_STOPPING;
    notice.has_world = false;
    ck_assert(!wn_play_take(&play, &event, NOW).ends);
    ck_assert_str_eq(last_words(), "The server is stopping.");
    ck_assert_int_eq(play.focus, WN_PLAYING);
}
END_TEST

/* scores over all worlds */

static void add_score(void *context, const wn_score_line *score)
{
    char *text = context;
    const size_t used = strlen(text);
    if (score->kind == WN_SCORES_NOTE || score->kind == WN_SCORES_TITLE) {
        snprintf(text + used, 400 - used, "%s: ", score->text);
    } else {
        snprintf(text + used, 400 - used, "%zu%s %s %s %s; ", score->rank, score->kind == WN_SCORES_OWN ? "*" : "",
                 score->text, score->value, score->detail);
    }
}

static const char *all_scores(void)
{
    static char text[400];
    text[0] = '\0';
    wn_play_all_scores(&play, add_score, text);
    return text;
}

START_TEST(each_table_is_listed_with_its_best_and_with_ones_own)
{
    enum { PLAYERS = 13 };
    static char names[PLAYERS][8];
    Warren__ScoreTable tables[2] = {WARREN__SCORE_TABLE__INIT, WARREN__SCORE_TABLE__INIT};
    Warren__ScoreTable *of_list[] = {&tables[0], &tables[1]};
    Warren__PlayerScores players[PLAYERS], *all[PLAYERS];
    Warren__ScoreValue values[PLAYERS], few = WARREN__SCORE_VALUE__INIT, *has[PLAYERS][2];
    Warren__ScoreList list = WARREN__SCORE_LIST__INIT;
    tables[0].name = (char *)"kills";
    tables[0].title = (char *)"Kills";
    tables[1].name = (char *)"turns";
    tables[1].kind = WARREN__SCORE_KIND__SCORE_LOWEST;
    tables[1].has_decimals = true;
    tables[1].decimals = 2;
    few.table = 1;
    few.value = -150;
    few.detail = (char *)"level 3";
    for (int i = 0; i < PLAYERS; i++) {
        warren__player_scores__init(&players[i]);
        warren__score_value__init(&values[i]);
        snprintf(names[i], sizeof names[i], "p%d", i);
        values[i].value = 100 + i;
        players[i].player = i == 0 ? (char *)(uintptr_t)wn_client_player(client) : names[i];
        has[i][0] = &values[i];
        has[i][1] = &few;
        players[i].values = has[i];
        players[i].n_values = i == 1 ? 2 : 1;
        all[i] = &players[i];
    }
    list.tables = of_list;
    list.n_tables = 2;
    list.players = all;
    list.n_players = PLAYERS;
    play.scores.list = (Warren__ScoreList *)wn_message_copy(&list.base);
    const char *text = all_scores();
    ck_assert_msg(strncmp(text, "Kills: 1 p12 112 ; 2 p11 111 ;", 30) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "10 p3 103 ; 13* "));
    ck_assert_ptr_nonnull(strstr(text, "turns: 1 p1 -1.50 level 3; "));
    ck_assert_ptr_null(strstr(text, "p2 "));
    wn_play_free_scores(&play);
    ck_assert_str_eq(all_scores(), "asking for the scores: ");
    values[0].table = 2; /* of which nothing is known */
    play.scores.request = 77;
    answer(77, WARREN__REPLY__BODY_SCORES, &list);
    ck_assert_str_eq(all_scores(), "The server sent scores that cannot be shown.: ");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        it_knows_the_world_and_the_mode_of_its_view,
        a_key_of_an_action_is_a_command_and_another_says_that_it_is_none,
        what_the_server_does_not_take_any_more_is_told,
        a_direction_is_asked_for_and_escape_forgets_it,
        a_place_is_aimed_at_within_the_view,
        what_is_typed_is_text_until_it_is_said,
        a_box_opens_by_a_key_and_closes_by_it_or_by_escape,
        the_frontend_opens_the_menu_and_keys_beside_its_entries_work_there,
        the_menu_has_what_the_frontend_can_do,
        the_help_has_the_keys_of_the_mode,
        who_leaves_or_quits_is_asked_for_a_seat_is_given_up,
        a_spectator_looks_around_and_leaves_without_being_asked,
        who_is_out_watches_on_and_enters_again,
        who_says_no_leaves_the_world,
        the_help_explains_the_question_while_it_stands,
        while_the_question_stands_the_status_is_that_of_the_seat,
        a_world_that_is_over_can_still_be_looked_at,
        of_a_world_that_was_closed_the_result_is_left,
        a_world_that_closes_behind_the_question_leaves_no_way_back,
        another_world_like_one_that_is_over_is_made_and_entered,
        why_there_is_no_other_world_is_said,
        each_table_is_listed_with_its_best_and_with_ones_own,
        other_worlds_and_what_the_replica_tells_change_nothing,
    };
    return suite_run_with("interface play", tests, sizeof tests / sizeof *tests, setup_play, teardown_play);
}
