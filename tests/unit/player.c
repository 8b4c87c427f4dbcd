/* player.c: playing recordings: every turn looks as it did live, however one got there; divergence, crashes and
 * endless loops are told with their turn. The hosts are real processes.
 */
#include "player.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording_fixture.h"
#include "suite.h"

/* After mode.h: Check has a macro named fail. */

static char directory[64], path[96];
static wn_error error;
static wn_recording *recording;
static wn_player *player;

static void start(void)
{
    strcpy(directory, "/tmp/warren-player-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/game.warren", directory);
    error = (wn_error){0};
    recording = NULL;
    player = NULL;
}

static void finish(void)
{
    wn_player_free(player);
    wn_recording_free(recording);
    unlink(path);
    rmdir(directory);
}

static uint64_t test_seed(void)
{
    return suite_seed((uint64_t)getpid());
}

/* Opens what has been recorded. */
static void open_with(const wn_player_options *options)
{
    recording = wn_recording_read(path, &error);
    ck_assert_msg(recording != NULL, "%s", error.text);
    player = wn_player_open(recording, options, &error);
}

static void open_player(const char *modes)
{
    const wn_player_options options = {.mode_path = modes, .host_program = WARREN_HOST, .quiet = true};
    open_with(&options);
    ck_assert_msg(player != NULL, "%s", error.text);
}

static void go(uint64_t turn)
{
    ck_assert_msg(wn_player_seek(player, turn, &error), "turn %llu: %s", (unsigned long long)turn, error.text);
    ck_assert_uint_eq(wn_player_turn(player), turn);
}

/* pictures */

/* What a replica shows, as bytes; without its messages, of which a keyframe has only the last ones. */
static wn_buffer picture_of(const wn_replica *replica)
{
    wn_buffer picture = {0};
    const uint32_t numbers[] = {replica->ready,        replica->width,     replica->height,        replica->focus,
                                replica->sprite_count, replica->row_count, (uint32_t)replica->turn};
    wn_buffer_append(&picture, numbers, sizeof numbers);
    if (!replica->ready) {
        return picture;
    }
    wn_buffer_append(&picture, replica->cells, (size_t)replica->width * replica->height * sizeof *replica->cells);
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        const uint32_t values[] = {sprite->id, sprite->at, sprite->tile, sprite->facing};
        wn_buffer_append(&picture, values, sizeof values);
        wn_buffer_append(&picture, sprite->label, strlen(sprite->label) + 1);
    }
    for (size_t i = 0; i < replica->mode->n_status; i++) {
        const wn_field_state *field = &replica->fields[i];
        const int64_t values[] = {field->set, field->number, field->maximum};
        wn_buffer_append(&picture, values, sizeof values);
        wn_buffer_append(&picture, field->text, strlen(field->text) + 1);
    }
    for (uint32_t i = 0; i < replica->row_count; i++) {
        for (uint32_t column = 0; column < replica->rows[i].column_count; column++) {
            const char *text = replica->rows[i].columns[column];
            wn_buffer_append(&picture, text, strlen(text) + 1);
        }
    }
    wn_buffer_append(&picture, replica->banner, strlen(replica->banner) + 1);
    return picture;
}

static bool same(const wn_buffer *one, const wn_buffer *other)
{
    return one->size == other->size && memcmp(one->data, other->data, one->size) == 0;
}

/* The last messages of both are the same, as many as both have. */
static void check_messages(const wn_replica *replica, const char *newest)
{
    if (replica->ready && replica->message_count > 0) {
        ck_assert_str_eq(replica->messages[replica->message_count - 1].text, newest);
    }
}

static const char *newest_message(const wn_replica *replica)
{
    return replica->ready && replica->message_count > 0 ? replica->messages[replica->message_count - 1].text : "";
}

/* views */

enum { TURNS = 500, PLAYERS = 3 };

START_TEST(stepping_shows_what_live_play_showed)
{
    live game = {0}, again = {0};
    const uint64_t seed = test_seed();
    live_caves(&game, CAVES_MODE, path, seed, TURNS);
    const int32_t seat = (int32_t)(seed % (PLAYERS + 1)) - 1;
    open_player(NULL);
    ck_assert(wn_player_choose(player, seat, &error));
    /* The same turns in a world here, whose view is looked at directly. */
    const Warren__RecordingHeader *header = wn_recording_header(recording);
    again.plugin = wn_plugin_open(CAVES_MODE, &error);
    again.world = wn_hosted_new(again.plugin,
                                &(wn_world_options){.id = 1,
                                                    .seed = header->seed,
                                                    .settings = (const Warren__SettingValue *const *)header->settings,
                                                    .setting_count = header->n_settings},
                                &error);
    uint32_t seen = 0;
    for (uint64_t turn = 1; turn <= TURNS; turn++) {
        const wn_recorded_turn *recorded = wn_recording_turn(recording, turn);
        wn_hosted_watch(again.world, seat, true, &again.out);
        wn_buffer_append(&again.inputs, recorded->inputs, recorded->size);
        live_turn(&again);
        go(turn);
        for (uint32_t i = 0; i < PLAYERS; i++) {
            const char *name = wn_seat_name(wn_hosted_handle(again.world), i), *shown = wn_player_name(player, i);
            ck_assert((name == NULL) == (shown == NULL) && (name == NULL || strcmp(name, shown) == 0));
        }
        if (seat >= 0 && wn_seat_name(wn_hosted_handle(again.world), (uint32_t)seat) == NULL) {
            continue;
        }
        wn_hosted_watch(again.world, seat, true, &again.out);
        wn_view_state view;
        wn_hosted_view(again.world, seat, &view);
        const wn_replica *replica = wn_player_replica(player);
        ck_assert(replica->ready);
        ck_assert_uint_eq(replica->turn, turn);
        ck_assert_uint_eq(replica->width, view.width);
        ck_assert_mem_eq(replica->cells, view.cells, view.width * view.height * sizeof *view.cells);
        ck_assert_uint_eq(replica->sprite_count, view.sprite_count);
        for (uint32_t i = 0; i < view.sprite_count; i++) {
            ck_assert_uint_eq(replica->sprites[i].at, view.sprites[i].at);
            ck_assert_uint_eq(replica->sprites[i].tile, view.sprites[i].tile);
        }
        ck_assert_str_eq(replica->banner, view.banner);
        ck_assert_uint_eq(replica->focus, view.focus);
        seen++;
    }
    ck_assert_uint_gt(seen, TURNS / 10);
    live_close(&again);
}
END_TEST

START_TEST(seeking_anywhere_equals_playing_from_the_start)
{
    live game = {0};
    static wn_buffer pictures[PLAYERS + 1][TURNS + 1];
    static char messages[PLAYERS + 1][TURNS + 1][128];
    uint64_t state = test_seed();
    live_caves(&game, CAVES_MODE, path, state, TURNS);
    open_player(NULL);
    for (int32_t seat = -1; seat < PLAYERS; seat++) {
        go(0);
        ck_assert(wn_player_choose(player, seat, &error));
        for (uint64_t turn = 0; turn <= TURNS; turn++) {
            go(turn);
            pictures[seat + 1][turn] = picture_of(wn_player_replica(player));
            snprintf(messages[seat + 1][turn], sizeof messages[0][0], "%.120s",
                     newest_message(wn_player_replica(player)));
        }
    }
    for (int i = 0; i < 400; i++) {
        const int32_t seat = (int32_t)live_chance(&state, PLAYERS + 1) - 1;
        uint64_t turn = live_chance(&state, TURNS + 1);
        if (live_chance(&state, 2) == 0) { /* nearby, back or forth */
            turn = wn_player_turn(player) + live_chance(&state, 5);
            turn = turn < 2 ? 0 : turn - 2 > TURNS ? TURNS : turn - 2;
        }
        if (seat != wn_player_seat(player) && live_chance(&state, 3) == 0) {
            ck_assert_msg(wn_player_choose(player, seat, &error), "%s", error.text);
        }
        go(turn);
        const int32_t chosen = wn_player_seat(player);
        wn_buffer picture = picture_of(wn_player_replica(player));
        ck_assert_msg(same(&picture, &pictures[chosen + 1][turn]), "seat %d at turn %llu, after %d seeks", chosen,
                      (unsigned long long)turn, i);
        check_messages(wn_player_replica(player), messages[chosen + 1][turn]);
        wn_buffer_free(&picture);
    }
    for (int32_t seat = 0; seat <= PLAYERS; seat++) {
        for (uint64_t turn = 0; turn <= TURNS; turn++) {
            wn_buffer_free(&pictures[seat][turn]);
        }
    }
}
END_TEST

START_TEST(going_far_in_pieces_arrives_where_one_stride_does)
{
    live game = {0};
    live_caves(&game, CAVES_MODE, path, test_seed(), 2000);
    open_player(NULL);
    go(1999);
    wn_buffer stride = picture_of(wn_player_replica(player));
    go(0);
    wn_player_go(player, 1999);
    int pieces = 0;
    while (!wn_player_arrived(player)) {
        ck_assert_msg(wn_player_work(player, 0, &error), "%s", error.text);
        pieces++;
    }
    wn_buffer walked = picture_of(wn_player_replica(player));
    ck_assert(same(&stride, &walked));
    ck_assert_int_gt(pieces, 2);
    wn_buffer_free(&stride);
    wn_buffer_free(&walked);
}
END_TEST

START_TEST(turns_beyond_the_recording_are_its_ends)
{
    live game = {0};
    live_caves(&game, CAVES_MODE, path, 1, 50);
    open_player(NULL);
    ck_assert(wn_player_seek(player, 1000, &error));
    ck_assert_uint_eq(wn_player_turn(player), 50);
    ck_assert(!wn_player_choose(player, 64, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "no seat 64"));
    ck_assert_uint_eq(wn_player_turn(player), 50);
}
END_TEST

START_TEST(a_free_seat_shows_nothing_and_is_seen_again_when_taken)
{
    live game = {0};
    live_open(&game, FRAGILE_MODES "/fragile.so", NULL, 1);
    live_record(&game, path, 1);
    live_join(&game, 2, "ann"); /* turn 1 */
    live_turn(&game);
    live_command(&game, 2, 1, 5, -1); /* she dies in turn 2 */
    live_turn(&game);
    live_chat(&game, NULL, "nobody is here"); /* turn 3 */
    live_turn(&game);
    live_join(&game, 2, "bob"); /* turn 4 */
    live_turn(&game);
    live_close(&game);
    open_player(FRAGILE_MODES);
    ck_assert(wn_player_choose(player, 2, &error));
    ck_assert(!wn_player_replica(player)->ready);
    for (int round = 0; round < 2; round++) { /* forwards, then back */
        static const bool ready[] = {false, true, true, false, true};
        for (uint64_t i = 0; i <= 4; i++) {
            const uint64_t turn = round == 0 ? i : 4 - i;
            go(turn);
            ck_assert_msg(wn_player_replica(player)->ready == ready[turn], "turn %llu", (unsigned long long)turn);
        }
    }
    go(1);
    ck_assert_str_eq(wn_player_name(player, 2), "ann");
    go(2);
    ck_assert_ptr_null(wn_player_name(player, 2));
    ck_assert_int_eq(wn_player_replica(player)->fields[0].number, 1); /* she saw her last turn */
    go(4);
    ck_assert_str_eq(wn_player_name(player, 2), "bob");
}
END_TEST

START_TEST(the_end_of_the_world_is_known_after_it_and_not_before)
{
    live game = {0};
    live_open(&game, FRAGILE_MODES "/fragile.so", NULL, 1);
    live_record(&game, path, 1);
    live_join(&game, 0, "ann");
    live_turn(&game);
    for (uint32_t i = 0; i < 200; i++) {
        live_command(&game, 0, i + 1, i == 99 ? 6 : 1, -1);
        live_turn(&game);
    }
    live_close(&game);
    open_player(FRAGILE_MODES);
    static const uint64_t turns[] = {100, 101, 201, 130, 101, 100, 128, 129, 3};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        go(turns[i]);
        ck_assert_str_eq(wn_player_outcome(player), turns[i] >= 101 ? "won by asking" : "");
    }
}
END_TEST

/* verifying */

START_TEST(a_true_recording_verifies)
{
    live game = {.hash_every = 50};
    wn_verdict verdict;
    live_caves(&game, CAVES_MODE, path, test_seed(), 1010);
    open_player(NULL);
    ck_assert_msg(wn_player_verify(player, &verdict, &error), "%s", error.text);
    ck_assert(!verdict.diverged);
    ck_assert_uint_eq(verdict.compared, 20);
    ck_assert_uint_eq(verdict.agreed_turn, 1000);
    ck_assert_str_eq(wn_player_difference(player), "");
    go(17); /* and it can be played as before */
    ck_assert(wn_player_verify(player, &verdict, &error) && !verdict.diverged && verdict.compared == 20);
}
END_TEST

START_TEST(divergence_is_told_between_two_turns)
{
    live game = {.hash_every = 50, .wrong_hash = 300};
    wn_verdict verdict;
    live_caves(&game, CAVES_MODE, path, test_seed(), 700);
    open_player(NULL);
    ck_assert_msg(wn_player_verify(player, &verdict, &error), "%s", error.text);
    ck_assert(verdict.diverged);
    ck_assert_uint_eq(verdict.agreed_turn, 250);
    ck_assert_uint_eq(verdict.diverged_turn, 300);
}
END_TEST

START_TEST(divergence_at_the_first_hash_is_told_from_the_start)
{
    live game = {.wrong_hash = 20};
    wn_verdict verdict;
    live_caves(&game, CAVES_MODE, path, 3, 40);
    open_player(NULL);
    ck_assert(wn_player_verify(player, &verdict, &error));
    ck_assert(verdict.diverged && verdict.agreed_turn == 0 && verdict.diverged_turn == 20);
}
END_TEST

START_TEST(another_build_and_another_version_are_told)
{
    live game = {.build = "0000"}, other = {.version = "9.9"};
    live_caves(&game, CAVES_MODE, path, 1, 5);
    open_player(NULL);
    ck_assert_ptr_nonnull(strstr(wn_player_difference(player), "build 0000"));
    wn_player_free(player);
    wn_recording_free(recording);
    live_caves(&other, CAVES_MODE, path, 1, 5);
    open_player(NULL);
    ck_assert_ptr_nonnull(strstr(wn_player_difference(player), "version 9.9"));
}
END_TEST

/* modes that fail */

/* A recording of fragile whose `turn` has a command that its host does not survive; it is written, not played. */
static void write_fatal(uint64_t turns, uint64_t fatal, uint32_t action)
{
    live game = {0};
    wn_error why = {0};
    live_open(&game, FRAGILE_MODES "/fragile.so", NULL, 1);
    live_record(&game, path, 1);
    live_join(&game, 0, "ann");
    live_turn(&game);
    for (uint64_t turn = 2; turn <= turns; turn++) {
        Warren__RecordedTurn recorded = WARREN__RECORDED_TURN__INIT;
        Warren__RecordedTurn *list = &recorded;
        Warren__ExportPart part = WARREN__EXPORT_PART__INIT;
        game.inputs.size = 0;
        live_command(&game, 0, (uint32_t)turn - 1, turn == fatal ? action : 1, -1);
        recorded.turn = turn;
        recorded.inputs = (ProtobufCBinaryData){game.inputs.size, game.inputs.data};
        part.turns = &list;
        part.n_turns = 1;
        ck_assert_msg(wn_recording_add(game.writer, &part, &why), "%s", why.text);
    }
    live_close(&game);
}

START_TEST(a_crash_is_told_with_its_turn)
{
    static const uint64_t fatals[] = {2, 300, 700};
    for (size_t i = 0; i < 3; i++) {
        char expected[64];
        wn_verdict verdict;
        write_fatal(700, fatals[i], 2);
        open_player(FRAGILE_MODES);
        snprintf(expected, sizeof expected, "while it played turn %llu.", (unsigned long long)fatals[i]);
        ck_assert(!wn_player_seek(player, 700, &error));
        ck_assert_msg(strstr(error.text, expected) != NULL, "%s", error.text);
        ck_assert_msg(strstr(error.text, "killed by signal 11") != NULL || /* or a sanitizer caught that: */
                          strstr(error.text, "ended with exit status 1,") != NULL,
                      "%s", error.text);
        ck_assert(!wn_player_verify(player, &verdict, &error));
        ck_assert_msg(strstr(error.text, expected) != NULL, "%s", error.text);
        go(fatals[i] - 1); /* what came before can be looked at */
        ck_assert_int_eq(wn_player_replica(player)->fields[0].number, (int64_t)fatals[i] - 2);
        ck_assert(!wn_player_seek(player, fatals[i], &error));
        wn_player_free(player);
        wn_recording_free(recording);
        player = NULL;
        recording = NULL;
    }
}
END_TEST

START_TEST(an_endless_turn_is_ended_and_told)
{
    const wn_player_options options = {
        .mode_path = FRAGILE_MODES, .host_program = WARREN_HOST, .quiet = true, .answer_ms = 400};
    write_fatal(200, 150, 3);
    open_with(&options);
    ck_assert_msg(player != NULL, "%s", error.text);
    ck_assert(!wn_player_seek(player, 200, &error));
    ck_assert_msg(strstr(error.text, "gave no answer for 400 ms") != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, "turn 150.") != NULL, "%s", error.text);
    go(149);
}
END_TEST

START_TEST(a_mode_that_exits_or_babbles_is_told)
{
    static const uint32_t actions[] = {7, 9}; /* scribble, quit */
    for (size_t i = 0; i < 2; i++) {
        write_fatal(10, 5, actions[i]);
        open_player(FRAGILE_MODES);
        ck_assert(!wn_player_seek(player, 10, &error));
        ck_assert_msg(strstr(error.text, i == 0 ? "not understood" : "exit status 0") != NULL, "%s", error.text);
        go(4);
        wn_player_free(player);
        wn_recording_free(recording);
        player = NULL;
        recording = NULL;
    }
}
END_TEST

/* The world's settings are changed when it is recorded already. */
static void write_with_setting(const char *name)
{
    live game = {0};
    live_open(&game, FRAGILE_MODES "/fragile.so", NULL, 1);
    game.values[0] = (Warren__SettingValue)WARREN__SETTING_VALUE__INIT;
    game.values[0].name = (char *)name;
    game.values[0].value = "yes";
    game.settings[0] = &game.values[0];
    game.setting_count = 1;
    live_record(&game, path, 1);
    for (uint32_t i = 0; i < 100; i++) {
        if (i == 10) {
            live_join(&game, 0, "ann");
        }
        live_turn(&game);
    }
    live_close(&game);
}

START_TEST(failures_outside_of_turns_are_told)
{
    static const struct {
        const char *setting, *text;
        bool opens;
    } cases[] = {{"crash_create", "while it made the world of turn 0.", false},
                 {"crash_draw", "while it drew turn 0.", false},
                 {"crash_join", "while it played turn 11.", true},
                 {"crash_save", "while it saved turn 64.", true},
                 {"none_such", "none_such", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_with_setting(cases[i].setting);
        open_with(&(wn_player_options){.mode_path = FRAGILE_MODES, .host_program = WARREN_HOST, .quiet = true});
        ck_assert_msg((player != NULL) == cases[i].opens, "%s: %s", cases[i].setting, error.text);
        if (cases[i].opens) {
            ck_assert(!wn_player_seek(player, 100, &error));
        }
        ck_assert_msg(strstr(error.text, cases[i].text) != NULL, "%s: %s", cases[i].setting, error.text);
        wn_player_free(player);
        wn_recording_free(recording);
        player = NULL;
        recording = NULL;
    }
}
END_TEST

START_TEST(what_is_not_there_is_named)
{
    live game = {0};
    live_caves(&game, CAVES_MODE, path, 1, 5);
    open_with(&(wn_player_options){.mode_path = "/nowhere:/none", .host_program = WARREN_HOST, .quiet = true});
    ck_assert_ptr_null(player);
    ck_assert_ptr_nonnull(strstr(error.text, "/nowhere:/none"));
    ck_assert_ptr_nonnull(strstr(error.text, "--mode-path"));
    wn_recording_free(recording);
    open_with(&(wn_player_options){.host_program = "/nowhere/warren-host", .quiet = true});
    ck_assert_ptr_null(player);
    ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/warren-host cannot be run"));
    wn_recording_free(recording);
    open_with(&(wn_player_options){.host_program = "/bin/true", .quiet = true});
    ck_assert_ptr_null(player);
    ck_assert_ptr_nonnull(strstr(error.text, "exit status 0"));
}
END_TEST

START_TEST(inputs_that_are_none_stop_at_their_turn)
{
    Warren__RecordingHeader header = WARREN__RECORDING_HEADER__INIT;
    Warren__RecordedTurn turns[40], *list[40];
    Warren__ExportPart part = WARREN__EXPORT_PART__INIT;
    header.world = "w1";
    header.mode = "fragile";
    header.mode_version = "0.1.0";
    header.build = "";
    part.header = &header;
    part.turns = list;
    part.n_turns = 40;
    part.has_last = part.last = true;
    for (size_t i = 0; i < 40; i++) {
        turns[i] = (Warren__RecordedTurn)WARREN__RECORDED_TURN__INIT;
        turns[i].turn = i + 1;
        list[i] = &turns[i];
    }
    turns[29].inputs = (ProtobufCBinaryData){3, (uint8_t *)"\xff\xff\xff"};
    wn_recording_writer *writer = wn_recording_create(path, &error);
    ck_assert(wn_recording_add(writer, &part, &error));
    ck_assert(wn_recording_finish(writer, &error));
    open_player(FRAGILE_MODES);
    ck_assert(!wn_player_seek(player, 40, &error));
    ck_assert_msg(strstr(error.text, "Turn 30") != NULL, "%s", error.text);
    go(29);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {stepping_shows_what_live_play_showed,
                                  seeking_anywhere_equals_playing_from_the_start,
                                  going_far_in_pieces_arrives_where_one_stride_does,
                                  turns_beyond_the_recording_are_its_ends,
                                  a_free_seat_shows_nothing_and_is_seen_again_when_taken,
                                  the_end_of_the_world_is_known_after_it_and_not_before,
                                  a_true_recording_verifies,
                                  divergence_is_told_between_two_turns,
                                  divergence_at_the_first_hash_is_told_from_the_start,
                                  another_build_and_another_version_are_told,
                                  a_crash_is_told_with_its_turn,
                                  an_endless_turn_is_ended_and_told,
                                  a_mode_that_exits_or_babbles_is_told,
                                  failures_outside_of_turns_are_told,
                                  what_is_not_there_is_named,
                                  inputs_that_are_none_stop_at_their_turn};
    return suite_run_with("player", tests, sizeof tests / sizeof *tests, start, finish);
}
