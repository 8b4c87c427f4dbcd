/* host_turn.c: what a turn does with its inputs and what its answer says: seats, commands, messages, wake-ups, ends.
 */
#include "host_replica.h"

#include <stdlib.h>
#include <string.h>

static void open_with_ann(scene *fixture)
{
    fixture_open(fixture, "puppet", 1);
    input_join(fixture, 0, "ann");
    ck_assert_uint_eq(run_turn(fixture)->n_refused, 0);
}

START_TEST(the_answer_carries_the_inputs_as_they_came)
{
    scene fixture;
    open_with_ann(&fixture);
    input_command(&fixture, 0, 1, PUPPET_STEP, WN_EAST);
    input_chat(&fixture, "ann", "hello");
    wn_buffer sent = {0};
    wn_buffer_append(&sent, fixture.inputs.data, fixture.inputs.size);
    const Warren__Host__TurnDone *done = run_turn(&fixture);
    ck_assert_uint_eq(done->world, 9);
    ck_assert_uint_eq(done->turn, 2);
    ck_assert(done->has_inputs && done->inputs.len == sent.size);
    ck_assert_mem_eq(done->inputs.data, sent.data, sent.size);
    wn_buffer_free(&sent);
    fixture_close(&fixture);
}
END_TEST

START_TEST(commands_come_to_the_mode_in_seat_order_and_at_most_one_a_seat)
{
    scene fixture;
    open_with_ann(&fixture);
    input_join(&fixture, 2, "cyd");
    run_turn(&fixture);
    input_command(&fixture, 2, 5, PUPPET_STEP, WN_HERE);
    input_command(&fixture, 0, 1, PUPPET_WAIT, -1);
    input_command(&fixture, 2, 6, PUPPET_WAIT, -1);
    watch(&fixture, 2, true);
    const Warren__Update *update = open_update(update_of(run_turn(&fixture), 2));
    const puppet *self = fixture_puppet(&fixture);
    ck_assert_uint_eq(self->turns, 1);
    ck_assert_uint_eq(self->command_count, 2);
    ck_assert(self->commands[0].seat == 0 && self->commands[1].seat == 2);
    ck_assert(self->commands[1].action == PUPPET_STEP && self->commands[1].argument == WN_HERE);
    ck_assert_uint_eq(update->executed, 6);
    ck_assert_ptr_nonnull(strstr(fixture.log, "3 command 6 of seat 2"));
    fixture_close(&fixture);
}
END_TEST

START_TEST(an_invalid_command_is_skipped_and_counts_as_executed)
{
    static const struct {
        uint32_t action;
        int64_t argument;
        bool valid;
    } commands[] = {{77, -1, false},          {PUPPET_WAIT, 0, false},  {PUPPET_STEP, -1, false},
                    {PUPPET_STEP, 9, false},  {PUPPET_STEP, 8, true},   {PUPPET_LOOK, 11, true},
                    {PUPPET_LOOK, 12, false}, {PUPPET_LOOK, -1, false}, {PUPPET_WAIT, -1, true}};
    scene fixture;
    uint32_t turns = 0;
    open_with_ann(&fixture);
    watch(&fixture, 0, true);
    for (uint32_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        input_command(&fixture, 0, i + 1, commands[i].action, commands[i].argument);
        const Warren__Update *update = open_update(update_of(run_turn(&fixture), 0));
        turns += commands[i].valid;
        ck_assert_msg(fixture_puppet(&fixture)->turns == turns, "command %u", i);
        ck_assert_uint_eq(update->executed, i + 1);
        ck_assert_int_eq(update->body_case, WARREN__UPDATE__BODY__NOT_SET);
    }
    input_command(&fixture, 1, 1, PUPPET_WAIT, -1); /* a free seat */
    ck_assert_uint_eq(run_turn(&fixture)->n_updates, 0);
    ck_assert_uint_eq(fixture_puppet(&fixture)->turns, turns);
    fixture_close(&fixture);
}
END_TEST

/* The view has as many columns as there are players. */
static void draw_by_players(wn_world *world, wn_view *view, int32_t seat, wn_draw what, void *context)
{
    uint32_t players = 0;
    (void)seat;
    (void)what;
    (void)context;
    for (uint32_t i = 0; i < PUPPET_SEATS; i++) {
        players += wn_seat_name(world, i) != NULL;
    }
    wn_view_size(world, view, players, 3);
}

START_TEST(a_cell_as_argument_is_judged_the_same_by_a_replay_that_draws_nothing)
{
    scene live, again;
    scene *const both[] = {&live, &again};
    for (size_t i = 0; i < 2; i++) {
        open_with_ann(both[i]);
        fixture_puppet(both[i])->draw = draw_by_players;
    }
    watch(&live, 0, true);
    for (uint32_t turn = 1; turn <= 8; turn++) {
        for (size_t i = 0; i < 2; i++) {
            if (turn == 5) {
                input_join(both[i], 1, "bob"); /* and the view grows in the very turn of the command */
            }
            input_command(both[i], 0, turn, PUPPET_LOOK, turn % 4 + 1);
        }
        run_turn(&live);
        replay_turn(&again);
        ck_assert_uint_eq(fixture_puppet(&live)->turns, fixture_puppet(&again)->turns);
        ck_assert_uint_eq(wn_hosted_hash(live.world), wn_hosted_hash(again.world));
    }
    input_leave(&live, 1);
    input_leave(&again, 1);
    input_command(&live, 0, 9, PUPPET_LOOK, 5);
    input_command(&again, 0, 9, PUPPET_LOOK, 5);
    run_turn(&live);
    replay_turn(&again);
    ck_assert_uint_eq(fixture_puppet(&live)->turns, fixture_puppet(&again)->turns);
    fixture_close(&live);
    fixture_close(&again);
}
END_TEST

START_TEST(a_turn_that_is_not_the_next_or_not_an_input_is_not_executed)
{
    scene fixture;
    wn_error error = {0};
    open_with_ann(&fixture);
    const uint64_t before = wn_hosted_hash(fixture.world);
    fixture.out.size = 0;
    ck_assert(!wn_hosted_turn(fixture.world, 3, NULL, 0, &fixture.out, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "turn 3"));
    ck_assert(!wn_hosted_turn(fixture.world, 1, NULL, 0, &fixture.out, &error));
    ck_assert(!wn_hosted_turn(fixture.world, 2, "\xff\xff\xff", 3, &fixture.out, &error));
    ck_assert_uint_eq(fixture.out.size, 0);
    ck_assert_uint_eq(wn_hosted_hash(fixture.world), before);
    run_wait(&fixture);
    fixture_close(&fixture);
}
END_TEST

/* seats */

static bool refuse_bob(wn_world *world, uint32_t seat, void *context)
{
    (void)context;
    if (strcmp(wn_seat_name(world, seat), "bob") == 0) {
        wn_fail(world, "no place for %s", "bob");
        return false;
    }
    wn_say(world, (int32_t)seat, WN_GOOD, "welcome");
    wn_place(world, (int32_t)seat, 1, 1);
    return true;
}

START_TEST(a_join_can_be_refused_and_the_answer_says_why)
{
    scene fixture;
    open_with_ann(&fixture);
    fixture_puppet(&fixture)->joined = refuse_bob;
    input_join(&fixture, 1, "bob");
    input_join(&fixture, 0, "eve");
    input_join(&fixture, PUPPET_SEATS, "eve");
    input_join(&fixture, 2, "cyd");
    const Warren__Host__TurnDone *done = run_turn(&fixture);
    ck_assert_uint_eq(done->n_refused, 3);
    ck_assert_uint_eq(done->refused[0]->seat, 1);
    ck_assert_str_eq(done->refused[0]->text, "no place for bob");
    ck_assert_uint_eq(done->refused[1]->seat, 0);
    ck_assert_uint_eq(done->refused[2]->seat, PUPPET_SEATS);
    ck_assert_ptr_null(wn_seat_name(wn_hosted_handle(fixture.world), 1));
    ck_assert_str_eq(wn_seat_name(wn_hosted_handle(fixture.world), 0), "ann");
    ck_assert_str_eq(wn_seat_name(wn_hosted_handle(fixture.world), 2), "cyd");
    fixture_close(&fixture);
}
END_TEST

START_TEST(who_takes_a_seat_sees_nothing_of_the_player_before)
{
    scene fixture;
    open_with_ann(&fixture);
    fixture_puppet(&fixture)->joined = refuse_bob;
    watch(&fixture, 0, true);
    input_chat(&fixture, "ann", "my secret");
    input_command(&fixture, 0, 41, PUPPET_WAIT, -1);
    run_turn(&fixture);
    input_leave(&fixture, 0);
    ck_assert_ptr_null(update_of(run_turn(&fixture), 0));
    input_join(&fixture, 0, "eve");
    const Warren__Update *update = open_update(update_of(run_turn(&fixture), 0));
    ck_assert_int_eq(update->body_case, WARREN__UPDATE__BODY_KEYFRAME);
    ck_assert_uint_eq(update->executed, 0);
    ck_assert_uint_eq(update->keyframe->n_messages, 1);
    ck_assert_str_eq(update->keyframe->messages[0]->text, "welcome");
    ck_assert_uint_eq(update->keyframe->focus, 5);
    ck_assert_ptr_null(watch(&fixture, 3, true)); /* a free seat shows nothing */
    ck_assert_ptr_null(watch(&fixture, PUPPET_SEATS, true));
    fixture_close(&fixture);
}
END_TEST

static void end_ann(wn_world *world, const wn_turn *turn, void *context)
{
    (void)turn;
    (void)context;
    wn_say(world, 0, WN_BAD, "it bites");
    wn_end_seat(world, 0, "killed by a %s", "lichen");
    wn_end_seat(world, 0, "killed twice");
    wn_end_seat(world, 3, "nobody");
    wn_end_seat(world, (uint32_t)WN_SPECTATORS, "nobody");
    wn_end_seat(world, UINT32_C(1) << 31, "nobody either"); /* seat 0 in its lower bits */
    wn_record_score(world, UINT32_C(1) << 31, "points", 1, NULL);
}

static void count_left(wn_world *world, uint32_t seat, void *context)
{
    uint32_t *count = context;
    ck_assert_str_eq(wn_seat_name(world, seat), "ann");
    *count += 1;
}

START_TEST(an_ended_seat_sees_its_last_turn_and_is_free)
{
    scene fixture;
    uint32_t count = 0;
    open_with_ann(&fixture);
    puppet *self = fixture_puppet(&fixture);
    self->turn = end_ann;
    self->left = count_left;
    self->context = &count;
    watch(&fixture, 0, true);
    const Warren__Host__TurnDone *done = run_wait(&fixture);
    ck_assert_uint_eq(done->n_ended, 1);
    ck_assert_str_eq(done->ended[0]->text, "killed by a lichen");
    ck_assert_uint_eq(done->n_scores, 0);
    ck_assert_uint_eq(count, 1);
    const Warren__Update *update = open_update(update_of(done, 0));
    ck_assert_str_eq(update->delta->messages[0]->text, "it bites");
    ck_assert_uint_eq(update->executed, 2);
    ck_assert_ptr_null(wn_seat_name(wn_hosted_handle(fixture.world), 0));
    input_join(&fixture, 0, "ann");
    ck_assert_uint_eq(run_turn(&fixture)->n_refused, 0);
    fixture_close(&fixture);
}
END_TEST

static void end_all(wn_world *world, const wn_turn *turn, void *context)
{
    (void)context;
    wn_record_score(world, 0, "best", -(int64_t)turn->number, "quick");
    wn_end_world(world, "ann wins");
    wn_end_world(world, "nobody wins");
}

START_TEST(after_its_end_a_world_runs_no_turn_but_chat_and_leaves_go_on)
{
    scene fixture;
    open_with_ann(&fixture);
    fixture_puppet(&fixture)->turn = end_all;
    watch(&fixture, 0, true);
    const Warren__Host__TurnDone *done = run_wait(&fixture);
    ck_assert_str_eq(done->over->outcome, "ann wins");
    ck_assert_uint_eq(done->n_scores, 1);
    ck_assert(done->scores[0]->value == -2 && done->scores[0]->seat == 0);
    ck_assert_str_eq(done->scores[0]->table, "best");
    ck_assert_str_eq(done->scores[0]->detail, "quick");
    input_chat(&fixture, "ann", "bye");
    input_wake(&fixture);
    input_join(&fixture, 1, "bob");
    input_command(&fixture, 0, 9, PUPPET_WAIT, -1);
    done = run_turn(&fixture);
    ck_assert_ptr_null(done->over);
    ck_assert_uint_eq(done->n_refused, 1);
    ck_assert_uint_eq(fixture_puppet(&fixture)->turns, 1);
    const Warren__Update *update = open_update(update_of(done, 0));
    ck_assert_uint_eq(update->executed, 9);
    ck_assert_str_eq(update->delta->messages[0]->text, "bye");
    input_leave(&fixture, 0);
    run_turn(&fixture);
    ck_assert_ptr_null(wn_seat_name(wn_hosted_handle(fixture.world), 0));
    fixture_close(&fixture);
}
END_TEST

/* messages */

START_TEST(chat_reaches_all_views_and_runs_nothing)
{
    scene fixture;
    open_with_ann(&fixture);
    watch(&fixture, 0, true);
    watch(&fixture, WN_SPECTATORS, true);
    const uint32_t draws = fixture_puppet(&fixture)->draws;
    input_chat(&fixture, "ann", "hello");
    input_chat(&fixture, NULL, "from the daemon");
    const Warren__Host__TurnDone *done = run_turn(&fixture);
    ck_assert_uint_eq(done->n_updates, 2);
    for (int32_t seat = WN_SPECTATORS; seat <= 0; seat++) {
        const Warren__Update *update = open_update(update_of(done, seat));
        ck_assert_uint_eq(update->delta->n_messages, 2);
        ck_assert_int_eq(update->delta->messages[0]->kind, WARREN__MESSAGE_KIND__MESSAGE_CHAT);
        ck_assert_str_eq(update->delta->messages[0]->from, "ann");
        ck_assert_int_eq(update->delta->messages[1]->kind, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM);
        ck_assert_ptr_null(update->delta->messages[1]->from);
        ck_assert_int_eq(update->has_executed, false);
    }
    ck_assert_uint_eq(fixture_puppet(&fixture)->draws, draws);
    ck_assert_uint_eq(fixture_puppet(&fixture)->turns, 0);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_keyframe_holds_the_last_fifty_messages_in_order)
{
    scene fixture;
    char text[WN_CHAT_BYTES + 1];
    open_with_ann(&fixture);
    for (uint32_t i = 1; i <= 173; i++) {
        memset(text, 'a' + (int)(i % 26), sizeof text);
        text[i % WN_CHAT_BYTES + 1] = '\0';
        input_chat(&fixture, "ann", text);
        run_turn(&fixture);
    }
    const Warren__Keyframe *keyframe = open_update(watch(&fixture, 0, true))->keyframe;
    ck_assert_uint_eq(keyframe->n_messages, 50);
    for (uint32_t i = 0; i < 50; i++) {
        const uint32_t number = 124 + i;
        ck_assert_uint_eq(keyframe->messages[i]->number, number);
        ck_assert_uint_eq(strlen(keyframe->messages[i]->text), number % WN_CHAT_BYTES + 1);
        ck_assert_int_eq(keyframe->messages[i]->text[0], 'a' + (int)(number % 26));
    }
    fixture_close(&fixture);
}
END_TEST

static void talk(wn_world *world, const wn_turn *turn, void *context)
{
    (void)turn;
    (void)context;
    wn_place(world, 0, 10, 10);
    wn_place(world, 1, 13, 7);
    wn_say_near(world, 10, 10, 2, WN_ALERT, "near");
    wn_say_near(world, 10, 10, 3, WN_INFO, "nearly");
    wn_say(world, 1, WN_INFO, "for bob");
    wn_say(world, 3, WN_INFO, "for nobody");
    wn_say(world, WN_SPECTATORS, WN_INFO, "for the hall");
}

static size_t count_messages(const Warren__Host__TurnDone *done, int32_t seat, const char *last)
{
    const Warren__Delta *delta = open_update(update_of(done, seat))->delta;
    ck_assert_str_eq(delta->messages[delta->n_messages - 1]->text, last);
    return delta->n_messages;
}

START_TEST(messages_reach_those_they_are_for)
{
    scene fixture;
    open_with_ann(&fixture);
    input_join(&fixture, 1, "bob");
    run_turn(&fixture);
    fixture_puppet(&fixture)->turn = talk;
    for (int32_t seat = WN_SPECTATORS; seat < 2; seat++) {
        watch(&fixture, seat, true);
    }
    const Warren__Host__TurnDone *done = run_wait(&fixture);
    ck_assert_uint_eq(count_messages(done, 0, "nearly"), 2);
    ck_assert_uint_eq(count_messages(done, 1, "for bob"), 2);
    ck_assert_uint_eq(count_messages(done, WN_SPECTATORS, "for the hall"), 3);
    fixture_close(&fixture);
}
END_TEST

static void flash(wn_world *world, const wn_turn *turn, void *context)
{
    (void)turn;
    (void)context;
    wn_show_effect(world, WN_EVERYONE, &(wn_effect){.kind = WN_SHOT, .x = 1, .y = 1, .to_x = 3, .to_y = 2, .tile = 4});
    wn_show_effect(world, 0, &(wn_effect){.kind = WN_SOUND, .x = 900, .y = 1, .cue = "die"});
    wn_show_effect(world, WN_EVERYONE, &(wn_effect){.kind = WN_FLASH, .x = 900, .y = 1});
    wn_show_effect(world, WN_SPECTATORS, &(wn_effect){.kind = WN_EXPLOSION, .x = 0, .y = 0, .radius = 2});
    wn_show_effect(world, 3, &(wn_effect){.kind = WN_FLASH});
}

START_TEST(effects_are_shown_once_to_those_who_can_see_them)
{
    scene fixture;
    open_with_ann(&fixture);
    fixture_puppet(&fixture)->turn = flash;
    watch(&fixture, 0, true);
    watch(&fixture, WN_SPECTATORS, true);
    const Warren__Host__TurnDone *done = run_wait(&fixture);
    const Warren__Delta *delta = open_update(update_of(done, 0))->delta;
    ck_assert_uint_eq(delta->n_effects, 2);
    ck_assert(delta->effects[0]->at == 5 && delta->effects[0]->to == 11 && delta->effects[0]->tile == 4);
    ck_assert(delta->effects[1]->kind == WARREN__EFFECT_KIND__EFFECT_SOUND && !delta->effects[1]->has_at);
    ck_assert_str_eq(delta->effects[1]->cue, "die");
    delta = open_update(update_of(done, WN_SPECTATORS))->delta;
    ck_assert_uint_eq(delta->n_effects, 2);
    ck_assert_uint_eq(delta->effects[1]->radius, 2);
    fixture_puppet(&fixture)->turn = NULL;
    ck_assert_ptr_null(update_of(run_wait(&fixture), WN_SPECTATORS));
    fixture_close(&fixture);
}
END_TEST

/* As many effects as the context says, in turns for everybody and for nobody but the spectators. */
static void flash_often(wn_world *world, const wn_turn *turn, void *context)
{
    const uint32_t *count = context;
    (void)turn;
    for (uint32_t i = 0; i < *count; i++) {
        wn_show_effect(world, i % 2 == 0 ? WN_EVERYONE : WN_SPECTATORS, &(wn_effect){.kind = WN_SOUND, .cue = "dig"});
    }
}

START_TEST(effects_above_the_limit_of_all_views_together_are_not_shown_and_logged_once)
{
    scene fixture;
    uint32_t count = WN_MAX_EFFECTS;
    open_with_ann(&fixture);
    fixture_puppet(&fixture)->turn = flash_often;
    fixture_puppet(&fixture)->context = &count;
    watch(&fixture, 0, true);
    watch(&fixture, WN_SPECTATORS, true);
    for (; count <= WN_MAX_EFFECTS + 2; count++) {
        const Warren__Host__TurnDone *done = run_wait(&fixture);
        ck_assert_uint_eq(open_update(update_of(done, WN_SPECTATORS))->delta->n_effects, WN_MAX_EFFECTS);
        ck_assert_uint_eq(open_update(update_of(done, 0))->delta->n_effects, WN_MAX_EFFECTS / 2);
        ck_assert_int_eq(strstr(fixture.log, "an effect was") != NULL, count > WN_MAX_EFFECTS);
    }
    ck_assert_ptr_null(strstr(strstr(fixture.log, "an effect was") + 1, "an effect was"));
    fixture_close(&fixture);
}
END_TEST

/* wake-ups */

static void ask_to_be_woken(wn_world *world, const wn_turn *turn, void *context)
{
    (void)context;
    if (turn->count > 0) {
        wn_wake(world, 70);
    }
}

START_TEST(a_wake_up_is_told_when_asked_for_and_comes_once)
{
    scene fixture;
    open_with_ann(&fixture);
    fixture_puppet(&fixture)->turn = ask_to_be_woken;
    const Warren__Host__TurnDone *done = run_wait(&fixture);
    ck_assert(done->has_wake_ms && done->wake_ms == 70);
    ck_assert(!fixture_puppet(&fixture)->woken);
    ck_assert_uint_eq(wn_hosted_wake_ms(fixture.world), 70);
    input_wake(&fixture);
    done = run_turn(&fixture);
    ck_assert(!done->has_wake_ms);
    ck_assert(fixture_puppet(&fixture)->woken);
    ck_assert_uint_eq(wn_hosted_wake_ms(fixture.world), 0);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_replayed_turn_draws_and_tells_nothing_but_what_became_of_the_seats)
{
    scene fixture;
    open_with_ann(&fixture);
    watch(&fixture, 0, true);
    fixture_puppet(&fixture)->turn = end_all;
    const uint32_t draws = fixture_puppet(&fixture)->draws;
    input_command(&fixture, 0, 12, PUPPET_WAIT, -1);
    const Warren__Host__Replayed *done = replay_turn(&fixture);
    ck_assert(done->turn == 2 && !done->error && done->n_updates == 0);
    ck_assert_uint_eq(fixture_puppet(&fixture)->draws, draws);
    ck_assert_uint_eq(fixture_puppet(&fixture)->turns, 1);
    ck_assert_str_eq(done->over->outcome, "ann wins");
    ck_assert(done->has_wake_ms && done->wake_ms == 0);
    ck_assert_uint_eq(done->n_seats, 1);
    ck_assert(done->seats[0]->seat == 0 && done->seats[0]->executed == 12);
    ck_assert_str_eq(done->seats[0]->player, "ann");
    fixture_close(&fixture);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        the_answer_carries_the_inputs_as_they_came,
        commands_come_to_the_mode_in_seat_order_and_at_most_one_a_seat,
        an_invalid_command_is_skipped_and_counts_as_executed,
        a_cell_as_argument_is_judged_the_same_by_a_replay_that_draws_nothing,
        a_turn_that_is_not_the_next_or_not_an_input_is_not_executed,
        a_join_can_be_refused_and_the_answer_says_why,
        who_takes_a_seat_sees_nothing_of_the_player_before,
        an_ended_seat_sees_its_last_turn_and_is_free,
        after_its_end_a_world_runs_no_turn_but_chat_and_leaves_go_on,
        chat_reaches_all_views_and_runs_nothing,
        a_keyframe_holds_the_last_fifty_messages_in_order,
        messages_reach_those_they_are_for,
        effects_are_shown_once_to_those_who_can_see_them,
        effects_above_the_limit_of_all_views_together_are_not_shown_and_logged_once,
        a_wake_up_is_told_when_asked_for_and_comes_once,
        a_replayed_turn_draws_and_tells_nothing_but_what_became_of_the_seats,
    };
    return run_cases("host_turn", cases, sizeof cases / sizeof cases[0]);
}
