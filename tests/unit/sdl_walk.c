/* sdl_walk.c: what walking and turning ask a mode for, by the purposes of its actions.
 */
#include "suite.h"
#include "walk.h"

enum { MOST = 10 };

static Warren__Mode mode;
static Warren__Action actions[MOST], *list[MOST];
static Warren__Key keys[8], *key_list[8];

static void setup(void)
{
    warren__mode__init(&mode);
    mode.actions = list;
    for (uint32_t i = 0; i < 8; i++) {
        warren__key__init(&keys[i]);
        keys[i].argument = i;
        key_list[i] = &keys[i];
    }
}

/* `every`: its keys are every so many directions. */
static void add(Warren__Purpose purpose, bool takes_direction, uint32_t every)
{
    Warren__Action *action = &actions[mode.n_actions];
    warren__action__init(action);
    action->has_purpose = true;
    action->purpose = purpose;
    action->argument =
        takes_direction ? WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION : WARREN__ARGUMENT_KIND__ARGUMENT_NONE;
    static Warren__Key *four[] = {&keys[0], &keys[2], &keys[4], &keys[6]};
    action->keys = every == 2 ? four : key_list;
    action->n_keys = every == 0 ? 0 : 8 / every;
    list[mode.n_actions++] = action;
}

static void assert_sends(wn_walk walk, uint32_t facing, uint32_t action, uint32_t argument)
{
    const wn_walk_result result = wn_walk_ask(&mode, walk, facing);
    ck_assert(result.send && !result.turn);
    ck_assert_uint_eq(result.action, action);
    ck_assert_uint_eq(result.argument, argument);
}

static void assert_turns(wn_walk walk, uint32_t facing, uint32_t to)
{
    const wn_walk_result result = wn_walk_ask(&mode, walk, facing);
    ck_assert(!result.send && result.turn);
    ck_assert_uint_eq(result.facing, to);
}

START_TEST(a_mode_with_steps_is_walked_by_them_and_the_eye_turns_by_itself)
{
    add(WARREN__PURPOSE__PURPOSE_OTHER, false, 0);
    add(WARREN__PURPOSE__PURPOSE_STEP, true, 2);
    for (uint32_t facing = 0; facing < 8; facing += 2) {
        assert_sends(WN_WALK_FORWARD, facing, 1, facing);
        assert_sends(WN_WALK_BACK, facing, 1, (facing + 4) % 8);
        assert_sends(WN_WALK_SIDE_LEFT, facing, 1, (facing + 6) % 8);
        assert_sends(WN_WALK_SIDE_RIGHT, facing, 1, (facing + 2) % 8);
        assert_turns(WN_WALK_TURN_LEFT, facing, (facing + 6) % 8);
        assert_turns(WN_WALK_TURN_RIGHT, facing, (facing + 2) % 8);
    }
}
END_TEST

START_TEST(where_one_steps_in_eight_directions_a_turn_is_an_eighth)
{
    add(WARREN__PURPOSE__PURPOSE_STEP, true, 1);
    assert_turns(WN_WALK_TURN_LEFT, 0, 7);
    assert_turns(WN_WALK_TURN_RIGHT, 7, 0);
    assert_sends(WN_WALK_FORWARD, 7, 0, 7);
    assert_sends(WN_WALK_SIDE_LEFT, 1, 0, 7);
}
END_TEST

START_TEST(a_mode_that_faces_is_asked_to)
{
    add(WARREN__PURPOSE__PURPOSE_STEP, true, 2);
    add(WARREN__PURPOSE__PURPOSE_FACE, true, 2);
    assert_sends(WN_WALK_TURN_LEFT, 0, 1, 6);
    assert_sends(WN_WALK_TURN_RIGHT, 6, 1, 0);
}
END_TEST

START_TEST(actions_that_go_by_the_facing_come_first)
{
    add(WARREN__PURPOSE__PURPOSE_STEP, true, 2);
    add(WARREN__PURPOSE__PURPOSE_TURN_LEFT, false, 0);
    add(WARREN__PURPOSE__PURPOSE_TURN_RIGHT, false, 0);
    add(WARREN__PURPOSE__PURPOSE_FORWARD, false, 0);
    add(WARREN__PURPOSE__PURPOSE_BACK, false, 0);
    add(WARREN__PURPOSE__PURPOSE_SIDE_LEFT, false, 0);
    add(WARREN__PURPOSE__PURPOSE_SIDE_RIGHT, false, 0);
    static const wn_walk walks[] = {WN_WALK_TURN_LEFT, WN_WALK_TURN_RIGHT, WN_WALK_FORWARD,
                                    WN_WALK_BACK,      WN_WALK_SIDE_LEFT,  WN_WALK_SIDE_RIGHT};
    for (uint32_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        assert_sends(walks[i], 5, i + 1, 0);
    }
}
END_TEST

START_TEST(what_a_mode_does_not_know_is_not_asked_for)
{
    add(WARREN__PURPOSE__PURPOSE_USE, true, 2);
    const wn_walk_result result = wn_walk_ask(&mode, WN_WALK_FORWARD, 0);
    ck_assert(!result.send && !result.turn);
    const wn_walk_result none = wn_walk_ask(&mode, WN_WALK_NONE, 0);
    ck_assert(!none.send && !none.turn);
    assert_turns(WN_WALK_TURN_LEFT, 0, 6); /* one can always look around */
}
END_TEST

START_TEST(keys_of_steps_keep_their_places)
{
    add(WARREN__PURPOSE__PURPOSE_STEP, true, 1);
    add(WARREN__PURPOSE__PURPOSE_FACE, true, 1);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], 0), WN_WALK_FORWARD);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], 2), WN_WALK_TURN_RIGHT);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], 4), WN_WALK_BACK);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], 6), WN_WALK_TURN_LEFT);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], 7), WN_WALK_SIDE_LEFT);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], 1), WN_WALK_SIDE_RIGHT);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], 8), WN_WALK_NONE);
    ck_assert_int_eq(wn_walk_of_action(&actions[0], -1), WN_WALK_NONE);
    ck_assert_int_eq(wn_walk_of_action(&actions[1], 0), WN_WALK_NONE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_mode_with_steps_is_walked_by_them_and_the_eye_turns_by_itself,
                                  where_one_steps_in_eight_directions_a_turn_is_an_eighth,
                                  a_mode_that_faces_is_asked_to,
                                  actions_that_go_by_the_facing_come_first,
                                  what_a_mode_does_not_know_is_not_asked_for,
                                  keys_of_steps_keep_their_places};
    return suite_run_with("sdl walk", tests, sizeof tests / sizeof *tests, setup, NULL);
}
