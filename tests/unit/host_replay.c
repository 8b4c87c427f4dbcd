/* host_replay.c: turns played again give the world that they gave, whoever watched, saved or asked meanwhile; what a
 * replay tells and shows. Replays in a process of their own are in host_process.c.
 */
#include <stdlib.h>
#include <string.h>

#include "host_replica.h"

enum { DICE_SEATS = 3, DICE_WALK = 1, DICE_END = 3, TURNS = 400, SEED = 5 };

/* Turns as they were played, and the hash after each. */
typedef struct journal {
    wn_buffer inputs[TURNS];
    uint64_t hashes[TURNS];
    size_t count;
} journal;

/* Plays the inputs gathered as the next turn, and keeps them. */
static const Warren__Host__TurnDone *record(scene *fixture, journal *kept)
{
    ck_assert_uint_lt(kept->count, TURNS);
    wn_buffer_append(&kept->inputs[kept->count], fixture->inputs.data, fixture->inputs.size);
    wn_hosted_report_hash(fixture->world);
    const Warren__Host__TurnDone *done = run_turn(fixture);
    ck_assert(done->has_hash);
    kept->hashes[kept->count++] = done->hash;
    return done;
}

static void forget(journal *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        wn_buffer_free(&kept->inputs[i]);
    }
    kept->count = 0;
}

enum { PLAIN, SHOW = 1, REPORT = 2, HASHES = 4 }; /* how to play */

/* Plays `count` turns of the journal, those after the world's last one. */
static const Warren__Host__Replayed *replay(scene *fixture, journal *kept, size_t count, unsigned how)
{
    ProtobufCBinaryData inputs[TURNS];
    Warren__Host__Replay message = WARREN__HOST__REPLAY__INIT;
    const size_t from = wn_hosted_turn_number(fixture->world);
    for (size_t i = 0; i < count; i++) {
        inputs[i] = (ProtobufCBinaryData){kept->inputs[from + i].size, kept->inputs[from + i].data};
    }
    message.world = 9;
    message.first = from + 1;
    message.inputs = inputs;
    message.n_inputs = count;
    message.hashes = kept->hashes + from;
    message.n_hashes = how & HASHES ? count : 0;
    message.has_show = message.show = (how & SHOW) != 0;
    message.has_report = message.report = (how & REPORT) != 0;
    return replay_turns(fixture, &message);
}

/* A turn of random inputs, valid and not. */
static void add_inputs(scene *fixture, uint64_t *chance)
{
    const uint32_t turn = (uint32_t)wn_hosted_turn_number(fixture->world) + 1;
    const uint32_t seat = pick(chance, DICE_SEATS + 1);
    if (pick(chance, 8) == 0) {
        input_join(fixture, seat, "ann");
    }
    if (pick(chance, 16) == 0) {
        input_leave(fixture, seat);
    }
    if (pick(chance, 4) == 0) {
        input_wake(fixture);
    }
    if (pick(chance, 10) == 0) {
        input_chat(fixture, pick(chance, 2) ? "ann" : NULL, "hello");
    }
    for (uint32_t i = pick(chance, 3); i > 0; i--) {
        input_command(fixture, (seat + i) % (DICE_SEATS + 1), turn, DICE_WALK + pick(chance, 40) / 39 * 9,
                      (int64_t)pick(chance, 11) - 1);
    }
}

static void record_random(scene *fixture, journal *kept, uint64_t *chance)
{
    while (kept->count < TURNS) {
        add_inputs(fixture, chance);
        record(fixture, kept);
    }
}

/* Takes the world's place by what it saved. */
static void save_and_load(scene *fixture)
{
    wn_buffer snapshot = {0};
    wn_error error = {0};
    wn_world_options options = fixture_options(fixture, 999);
    wn_hosted_save(fixture->world, &snapshot);
    options.snapshot = snapshot.data;
    options.snapshot_size = snapshot.size;
    options.snapshot_turn = wn_hosted_turn_number(fixture->world);
    wn_hosted_free(fixture->world);
    fixture->world = wn_hosted_new(fixture->plugin, &options, &error);
    ck_assert_msg(fixture->world != NULL, "%s", error.text);
    wn_buffer_free(&snapshot);
}

/* What should not matter to a world. */
static void disturb(scene *fixture, uint64_t *chance)
{
    switch (pick(chance, 6)) {
    case 0:
    case 1:
        watch(fixture, (int32_t)pick(chance, DICE_SEATS + 1) - 1, pick(chance, 3) > 0);
        break;
    case 2:
        save_and_load(fixture);
        break;
    case 3:
        wn_hosted_hash(fixture->world);
        break;
    default:
        break;
    }
}

/* the state */

START_TEST(the_hash_of_every_turn_is_the_same_whoever_watches_saves_or_replays_meanwhile)
{
    scene fixture;
    journal kept = {0};
    uint64_t chance = property_seed("host_replay", 20261130);
    fixture_open(&fixture, "dice", SEED);
    record_random(&fixture, &kept, &chance);
    fixture_close(&fixture);
    fixture_open(&fixture, "dice", SEED);
    for (size_t turn; (turn = wn_hosted_turn_number(fixture.world)) < TURNS;) {
        const size_t left = TURNS - turn;
        const size_t chunk = 1 + pick(&chance, 5);
        disturb(&fixture, &chance);
        if (pick(&chance, 2)) {
            wn_buffer_append(&fixture.inputs, kept.inputs[turn].data, kept.inputs[turn].size);
            run_turn(&fixture);
        } else {
            const unsigned how = pick(&chance, 2) * SHOW | pick(&chance, 2) * REPORT | pick(&chance, 2) * HASHES;
            const Warren__Host__Replayed *done = replay(&fixture, &kept, chunk < left ? chunk : left, how);
            ck_assert_msg(!done->has_diverged && !done->error, "turn %zu: %s", turn, done->error ? done->error : "");
        }
        turn = wn_hosted_turn_number(fixture.world);
        ck_assert_msg(wn_hosted_hash(fixture.world) == kept.hashes[turn - 1], "after turn %zu", turn);
    }
    forget(&kept);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_hash_comes_with_the_turn_that_was_asked_for_it_only)
{
    scene fixture;
    fixture_open(&fixture, "dice", SEED);
    ck_assert(!run_turn(&fixture)->has_hash);
    wn_hosted_report_hash(fixture.world);
    const Warren__Host__TurnDone *done = run_turn(&fixture);
    ck_assert(done->has_hash);
    ck_assert_uint_eq(done->hash, wn_hosted_hash(fixture.world));
    ck_assert(!run_turn(&fixture)->has_hash);
    fixture_close(&fixture);
}
END_TEST

START_TEST(the_first_turn_that_diverged_is_told_and_playing_goes_on)
{
    scene fixture;
    journal kept = {0};
    uint64_t chance = property_seed("host_replay", 5);
    fixture_open(&fixture, "dice", SEED);
    record_random(&fixture, &kept, &chance);
    const uint64_t last = kept.hashes[TURNS - 1];
    fixture_close(&fixture);
    fixture_open(&fixture, "dice", SEED);
    for (size_t i = 0; i < TURNS; i++) {
        kept.hashes[i] = i % 10 == 0 ? kept.hashes[i] : 0; /* now and then; the others are not known */
    }
    kept.hashes[50] ^= 1;
    kept.hashes[70] ^= 1;
    ck_assert(!replay(&fixture, &kept, 50, HASHES)->has_diverged);
    const Warren__Host__Replayed *done = replay(&fixture, &kept, 100, HASHES);
    ck_assert_uint_eq(done->diverged, 51);
    ck_assert_uint_eq(done->turn, 150);
    ck_assert(!replay(&fixture, &kept, TURNS - 150, HASHES)->has_diverged);
    ck_assert_uint_eq(wn_hosted_hash(fixture.world), last);
    forget(&kept);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_replay_stops_before_inputs_that_are_none_and_can_go_on_after)
{
    static uint8_t broken[] = {0xff, 0xff};
    scene fixture;
    journal kept = {0};
    uint64_t chance = property_seed("host_replay", 6);
    fixture_open(&fixture, "dice", SEED);
    record_random(&fixture, &kept, &chance);
    fixture_close(&fixture);
    fixture_open(&fixture, "dice", SEED);
    const wn_buffer good = kept.inputs[7];
    kept.inputs[7] = (wn_buffer){.data = broken, .size = sizeof broken};
    const Warren__Host__Replayed *done = replay(&fixture, &kept, 20, HASHES | REPORT);
    ck_assert_uint_eq(done->turn, 7);
    ck_assert_ptr_nonnull(strstr(done->error, "Inputs"));
    ck_assert(done->has_wake_ms);
    kept.inputs[7] = good;
    done = replay(&fixture, &kept, TURNS - 7, HASHES);
    ck_assert(done->turn == TURNS && !done->error && !done->has_diverged);
    forget(&kept);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_replay_of_other_turns_than_the_next_plays_nothing)
{
    scene fixture;
    fixture_open(&fixture, "dice", SEED);
    for (uint64_t first = 0; first < 4; first++) {
        ProtobufCBinaryData nothing[2] = {{0}};
        Warren__Host__Replay message = WARREN__HOST__REPLAY__INIT;
        const uint64_t before = wn_hosted_turn_number(fixture.world);
        message.world = 9;
        message.first = first;
        message.inputs = nothing;
        message.n_inputs = 2;
        const Warren__Host__Replayed *done = replay_turns(&fixture, &message);
        ck_assert_int_eq(done->error == NULL, first == before + 1);
        ck_assert_uint_eq(done->turn, done->error ? before : before + 2);
        ck_assert(!done->error || strstr(done->error, "world 9 is at turn"));
    }
    fixture_close(&fixture);
}
END_TEST

/* what it tells */

START_TEST(a_report_has_the_seats_the_wake_up_and_the_end_as_they_stand)
{
    scene fixture;
    journal kept = {0};
    fixture_open(&fixture, "dice", SEED);
    input_join(&fixture, 0, "ann");
    input_join(&fixture, 2, "bob");
    record(&fixture, &kept);
    input_leave(&fixture, 0);
    input_command(&fixture, 2, 77, DICE_WALK, WN_EAST);
    record(&fixture, &kept);
    input_command(&fixture, 2, 78, DICE_END, -1);
    ck_assert_str_eq(record(&fixture, &kept)->over->outcome, "it was ended");
    input_wake(&fixture); /* which an ended world does not see */
    record(&fixture, &kept);
    fixture_close(&fixture);

    fixture_open(&fixture, "dice", SEED);
    const Warren__Host__Replayed *done = replay(&fixture, &kept, 1, PLAIN);
    ck_assert(done->n_seats == 0 && !done->has_wake_ms && !done->over);
    done = replay(&fixture, &kept, 1, REPORT);
    ck_assert(done->n_seats == 1 && done->seats[0]->seat == 2 && done->seats[0]->executed == 77);
    ck_assert_str_eq(done->seats[0]->player, "bob");
    ck_assert(done->wake_ms == 250 && !done->over);
    ck_assert_ptr_null(wn_hosted_outcome(fixture.world));
    done = replay(&fixture, &kept, 2, REPORT);
    ck_assert_str_eq(done->over->outcome, "it was ended");
    ck_assert(done->has_wake_ms && done->wake_ms == 0);
    ck_assert_str_eq(wn_hosted_outcome(fixture.world), "it was ended");
    done = replay(&fixture, &kept, 0, REPORT); /* also when it ended before */
    ck_assert_str_eq(done->over->outcome, "it was ended");
    forget(&kept);
    fixture_close(&fixture);
}
END_TEST

static void tell_all(wn_world *world, const wn_turn *turn, void *context)
{
    (void)context;
    wn_say(world, WN_EVERYONE, WN_INFO, "turn %u", (unsigned)turn->number);
    wn_show_effect(world, WN_EVERYONE, &(wn_effect){.kind = WN_SOUND, .cue = "dig"});
    wn_record_score(world, 0, "points", 3, NULL);
    wn_log(world, WN_LOG_WARNING, "a line");
}

static void draw_little(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    (void)seat;
    (void)what;
    (void)context;
    wn_view_size(world, view, 8, 8);
}

START_TEST(messages_are_kept_as_they_were_while_log_lines_are_repeated_of_a_shown_turn_only)
{
    scene fixture;
    journal kept = {0};
    fixture_open(&fixture, "puppet", SEED);
    *fixture_puppet(&fixture) = (puppet){.turn = tell_all, .draw = draw_little};
    input_join(&fixture, 0, "ann");
    for (uint32_t i = 1; i <= 60; i++) {
        input_command(&fixture, 0, i, i == 9 ? 99 : PUPPET_WAIT, -1); /* a skipped one is logged */
        record(&fixture, &kept);
    }
    ck_assert_ptr_nonnull(strstr(fixture.log, "is skipped"));
    fixture_close(&fixture);

    fixture_open(&fixture, "puppet", SEED);
    *fixture_puppet(&fixture) = (puppet){.turn = tell_all, .draw = draw_little};
    replay(&fixture, &kept, 59, PLAIN);
    ck_assert_str_eq(fixture.log, "");
    replay(&fixture, &kept, 1, SHOW);
    const char *line = strstr(fixture.log, "a line");
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_null(strstr(line + 1, "a line"));
    const Warren__Keyframe *keyframe = open_update(watch(&fixture, 0, true))->keyframe;
    ck_assert_uint_eq(keyframe->n_messages, 50);
    ck_assert_uint_eq(keyframe->messages[49]->number, 59);
    ck_assert_str_eq(keyframe->messages[49]->text, "turn 60");
    ck_assert_str_eq(keyframe->messages[0]->text, "turn 11");
    ck_assert_uint_eq(wn_hosted_hash(fixture.world), kept.hashes[59]);
    forget(&kept);
    fixture_close(&fixture);
}
END_TEST

/* what it shows */

/* A world that draws changes only: a cell for every turn, and a sprite for the one before. */
static void draw_changes(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    const puppet *self = world->state;
    (void)seat;
    (void)context;
    if (what == WN_DRAW_ALL) {
        wn_view_size(world, view, 100, 4);
        for (uint32_t i = 1; i < self->turns; i++) {
            wn_put(world, view, (int32_t)i, 1, WN_CELL(i % 7));
        }
    }
    wn_put(world, view, (int32_t)self->turns, 1, WN_CELL(self->turns % 7));
    wn_sprite_gone(world, view, self->turns - 1);
    wn_sprite(world, view, self->turns, 5, 2, 3, WN_HERE, NULL);
    wn_banner(world, view, self->turns == 1 ? "the first turn" : NULL);
}

static void open_changes(scene *fixture)
{
    fixture_open(fixture, "puppet", SEED);
    *fixture_puppet(fixture) = (puppet){.draw = draw_changes, .turn = tell_all};
}

/* What a reader of the spectators' view has after an answer to it, and what a view that begins now shows, are equal. */
static void compare_with_fresh(scene *fixture, mirror *mine, const Warren__Host__ViewUpdate *update, bool keyframe)
{
    ck_assert_ptr_nonnull(update);
    const Warren__Update *opened = open_update(update);
    ck_assert_int_eq(opened->body_case == WARREN__UPDATE__BODY_KEYFRAME, keyframe);
    replica_apply(mine, opened);
    replica_compare(mine, fixture->world, WN_SPECTATORS);
    wn_view_state other, view;
    watch(fixture, 0, true);
    wn_hosted_view(fixture->world, 0, &other);
    wn_hosted_view(fixture->world, WN_SPECTATORS, &view);
    ck_assert_mem_eq(view.cells, other.cells, other.width * other.height * sizeof other.cells[0]);
    ck_assert_uint_eq(view.sprite_count, other.sprite_count);
    ck_assert_str_eq(view.banner, other.banner);
    watch(fixture, 0, false);
}

static void record_waits(scene *fixture, journal *kept, uint32_t turns)
{
    input_join(fixture, 0, "ann");
    for (uint32_t i = 1; i <= turns; i++) {
        input_command(fixture, 0, i, PUPPET_WAIT, -1);
        record(fixture, kept);
    }
}

START_TEST(one_turn_is_shown_by_a_delta_and_turns_that_went_unseen_by_a_keyframe)
{
    scene fixture;
    journal kept = {0};
    mirror *mine = calloc(1, sizeof *mine);
    open_changes(&fixture);
    record_waits(&fixture, &kept, 40);
    fixture_close(&fixture);

    open_changes(&fixture);
    replay(&fixture, &kept, 1, PLAIN);
    replica_apply(mine, open_update(watch(&fixture, WN_SPECTATORS, true)));
    const Warren__Host__Replayed *done = replay(&fixture, &kept, 1, SHOW);
    ck_assert_uint_eq(open_update(shown_of(done, WN_SPECTATORS))->delta->n_effects, 1);
    compare_with_fresh(&fixture, mine, shown_of(done, WN_SPECTATORS), false);
    const uint32_t draws = fixture_puppet(&fixture)->draws;
    ck_assert_uint_eq(replay(&fixture, &kept, 0, SHOW)->n_updates, 0); /* nothing has changed */
    ck_assert_uint_eq(fixture_puppet(&fixture)->draws, draws);
    done = replay(&fixture, &kept, 10, SHOW);
    compare_with_fresh(&fixture, mine, shown_of(done, WN_SPECTATORS), true);
    ck_assert_uint_eq(replay(&fixture, &kept, 5, PLAIN)->n_updates, 0);
    done = replay(&fixture, &kept, 0, SHOW);
    compare_with_fresh(&fixture, mine, shown_of(done, WN_SPECTATORS), true);
    replay(&fixture, &kept, 5, PLAIN);
    done = replay(&fixture, &kept, 1, SHOW);
    compare_with_fresh(&fixture, mine, shown_of(done, WN_SPECTATORS), true);
    ck_assert_uint_eq(mine->message_count, mine->last_message); /* none was missed */
    forget(&kept);
    fixture_close(&fixture);
    free(mine);
}
END_TEST

START_TEST(a_live_turn_after_unseen_ones_shows_what_they_did)
{
    scene fixture;
    journal kept = {0};
    mirror *mine = calloc(1, sizeof *mine);
    open_changes(&fixture);
    record_waits(&fixture, &kept, 20);
    fixture_close(&fixture);

    open_changes(&fixture);
    replay(&fixture, &kept, 1, PLAIN);
    replica_apply(mine, open_update(watch(&fixture, WN_SPECTATORS, true)));
    replay(&fixture, &kept, 9, PLAIN);
    compare_with_fresh(&fixture, mine, update_of(run_wait(&fixture), WN_SPECTATORS), true);
    compare_with_fresh(&fixture, mine, update_of(run_wait(&fixture), WN_SPECTATORS), false);
    /* A late subscriber, too, gets the world as it stands. */
    input_command(&fixture, 0, 13, PUPPET_WAIT, -1);
    replay_turn(&fixture);
    compare_with_fresh(&fixture, mine, watch(&fixture, WN_SPECTATORS, true), true);
    compare_with_fresh(&fixture, mine, update_of(run_wait(&fixture), WN_SPECTATORS), false);
    forget(&kept);
    fixture_close(&fixture);
    free(mine);
}
END_TEST

START_TEST(a_show_after_broken_inputs_shows_the_turns_before_them)
{
    scene fixture;
    journal kept = {0};
    mirror *mine = calloc(1, sizeof *mine);
    open_changes(&fixture);
    record_waits(&fixture, &kept, 20);
    fixture_close(&fixture);

    open_changes(&fixture);
    replay(&fixture, &kept, 1, PLAIN);
    replica_apply(mine, open_update(watch(&fixture, WN_SPECTATORS, true)));
    kept.inputs[6].size--;
    const Warren__Host__Replayed *done = replay(&fixture, &kept, 6, SHOW);
    ck_assert_ptr_nonnull(done->error);
    ck_assert_uint_eq(done->turn, 6);
    compare_with_fresh(&fixture, mine, shown_of(done, WN_SPECTATORS), true);
    forget(&kept);
    fixture_close(&fixture);
    free(mine);
}
END_TEST

START_TEST(a_seat_that_was_given_up_unseen_is_not_drawn_and_a_new_player_is)
{
    scene fixture;
    journal kept = {0};
    open_changes(&fixture);
    record_waits(&fixture, &kept, 2);
    input_leave(&fixture, 0);
    record(&fixture, &kept);
    input_join(&fixture, 0, "bob");
    record(&fixture, &kept);
    fixture_close(&fixture);

    open_changes(&fixture);
    replay(&fixture, &kept, 2, PLAIN);
    watch(&fixture, 0, true);
    const uint32_t draws = fixture_puppet(&fixture)->draws;
    ck_assert_ptr_null(shown_of(replay(&fixture, &kept, 1, PLAIN), 0));
    ck_assert_ptr_null(shown_of(replay(&fixture, &kept, 0, SHOW), 0));
    ck_assert_uint_eq(fixture_puppet(&fixture)->draws, draws);
    const Warren__Host__Replayed *done = replay(&fixture, &kept, 1, SHOW);
    ck_assert_int_eq(open_update(shown_of(done, 0))->body_case, WARREN__UPDATE__BODY_KEYFRAME);
    forget(&kept);
    fixture_close(&fixture);
}
END_TEST

/* A view whose size follows from the turn, so that what was drawn last is no measure of what there is now. */
static void draw_growing(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    const puppet *self = world->state;
    (void)seat;
    (void)what;
    (void)context;
    wn_view_size(world, view, 1 + self->turns, 1);
}

START_TEST(a_cell_as_argument_is_judged_by_the_world_and_not_by_what_was_drawn_before)
{
    scene fixture;
    journal kept = {0};
    fixture_open(&fixture, "puppet", SEED);
    *fixture_puppet(&fixture) = (puppet){.draw = draw_growing};
    input_join(&fixture, 0, "ann");
    record(&fixture, &kept);
    watch(&fixture, 0, true);
    for (uint32_t i = 1; i <= 20; i++) {
        input_command(&fixture, 0, i, PUPPET_LOOK, i - 1); /* the last cell there is */
        record(&fixture, &kept);
        ck_assert_uint_eq(fixture_puppet(&fixture)->turns, i);
    }
    fixture_close(&fixture);
    for (unsigned how = PLAIN; how <= SHOW; how++) {
        fixture_open(&fixture, "puppet", SEED);
        *fixture_puppet(&fixture) = (puppet){.draw = draw_growing};
        replay(&fixture, &kept, 1, how);
        watch(&fixture, 0, true);
        replay(&fixture, &kept, 15, how);
        replay(&fixture, &kept, 5, how);
        ck_assert_uint_eq(fixture_puppet(&fixture)->turns, 20);
        fixture_close(&fixture);
    }
    forget(&kept);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        the_hash_of_every_turn_is_the_same_whoever_watches_saves_or_replays_meanwhile,
        a_hash_comes_with_the_turn_that_was_asked_for_it_only,
        the_first_turn_that_diverged_is_told_and_playing_goes_on,
        a_replay_stops_before_inputs_that_are_none_and_can_go_on_after,
        a_replay_of_other_turns_than_the_next_plays_nothing,
        a_report_has_the_seats_the_wake_up_and_the_end_as_they_stand,
        messages_are_kept_as_they_were_while_log_lines_are_repeated_of_a_shown_turn_only,
        one_turn_is_shown_by_a_delta_and_turns_that_went_unseen_by_a_keyframe,
        a_live_turn_after_unseen_ones_shows_what_they_did,
        a_show_after_broken_inputs_shows_the_turns_before_them,
        a_seat_that_was_given_up_unseen_is_not_drawn_and_a_new_player_is,
        a_cell_as_argument_is_judged_by_the_world_and_not_by_what_was_drawn_before,
    };
    return run_cases("host_replay", cases, sizeof cases / sizeof cases[0]);
}
