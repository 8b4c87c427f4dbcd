/* sdl_camera.c: how the eye goes from one pose to another. */
#include <math.h>

#include "camera.h"
#include "suite.h"

static const float turn = 6.28318531F;

/* The difference of two angles, the shorter way. */
static float apart(float a, float b)
{
    const float off = fmodf(fabsf(a - b), turn);
    return off > turn / 2 ? turn - off : off;
}

START_TEST(a_turn_takes_the_shorter_way_and_ends_exactly)
{
    for (uint32_t from = 0; from < 8; from++) {
        for (uint32_t to = 0; to < 8; to++) {
            const wn_pose start = wn_pose_in(3, 4, from), end = wn_pose_in(3, 4, to);
            const uint32_t clockwise = (to + 8 - from) % 8;
            const float expected = (float)(clockwise <= 4 ? clockwise : 8 - clockwise) * turn / 8;
            float turned = 0, before = start.angle;
            for (uint32_t i = 1; i <= 100; i++) {
                const wn_pose pose = wn_pose_between(start, end, (float)i / 100);
                ck_assert(pose.angle >= 0 && pose.angle < turn);
                turned += apart(pose.angle, before);
                before = pose.angle;
            }
            ck_assert_float_eq(before, end.angle);
            ck_assert_float_eq_tol(turned, expected, 1e-3F);
        }
    }
}
END_TEST

START_TEST(half_a_turn_goes_clockwise)
{
    for (uint32_t from = 0; from < 8; from++) {
        const wn_pose start = wn_pose_in(0, 0, from), end = wn_pose_in(0, 0, from + 4);
        ck_assert_float_le(apart(wn_pose_between(start, end, 0.5F).angle, wn_pose_in(0, 0, from + 2).angle), 1e-3F);
    }
}
END_TEST

START_TEST(a_step_only_goes_forward_and_begins_and_ends_gently)
{
    const wn_pose start = wn_pose_in(1, 1, 2), end = wn_pose_in(2, 1, 2);
    float before = start.x, fastest = 0;
    for (uint32_t i = 1; i <= 100; i++) {
        const float x = wn_pose_between(start, end, (float)i / 100).x, speed = x - before;
        ck_assert_float_ge(speed, 0);
        fastest = speed > fastest ? speed : fastest;
        if (i == 1 || i == 100) {
            ck_assert_float_lt(speed, 0.001F);
        }
        before = x;
    }
    ck_assert_float_eq(before, end.x);
    ck_assert_float_lt(fastest, 0.02F);
    ck_assert_float_eq(wn_pose_between(start, end, NAN).x, start.x);
    ck_assert_float_eq(wn_pose_between(start, end, 7).x, end.x);
}
END_TEST

START_TEST(a_motion_that_is_bent_does_not_jump)
{
    wn_motion motion = {0};
    wn_motion_jump(&motion, wn_pose_in(5, 5, 0));
    ck_assert(!wn_motion_runs(&motion, 1000));
    wn_motion_go(&motion, wn_pose_in(5, 4, 0), 1000, 160);
    ck_assert(wn_motion_runs(&motion, 1159) && !wn_motion_runs(&motion, 1160));
    const wn_pose middle = wn_motion_at(&motion, 1080);
    ck_assert_float_eq_tol(middle.y, 5, 1e-4F);
    wn_motion_go(&motion, wn_pose_in(5, 3, 2), 1080, 160);
    const wn_pose bent = wn_motion_at(&motion, 1080);
    ck_assert_float_eq(bent.y, middle.y);
    ck_assert_float_eq(wn_motion_at(&motion, 1240).y, 3.5F);
    ck_assert_float_eq(wn_motion_at(&motion, 1240).angle, turn / 4);
}
END_TEST

START_TEST(the_same_goal_again_does_not_begin_anew)
{
    wn_motion motion = {0};
    wn_motion_jump(&motion, wn_pose_in(5, 5, 0));
    wn_motion_go(&motion, wn_pose_in(5, 4, 0), 1000, 160);
    wn_motion_go(&motion, wn_pose_in(5, 4, 0), 1080, 160);
    ck_assert_float_eq(wn_motion_at(&motion, 1160).y, 4.5F);
}
END_TEST

START_TEST(far_away_is_a_jump)
{
    wn_motion motion = {0};
    wn_motion_jump(&motion, wn_pose_in(5, 5, 0));
    wn_motion_go(&motion, wn_pose_in(9, 5, 3), 1000, 160);
    ck_assert(!wn_motion_runs(&motion, 1000));
    ck_assert_float_eq(wn_motion_at(&motion, 1000).x, 9.5F);
}
END_TEST

START_TEST(a_head_bobs_while_walking_and_is_still_while_turning)
{
    wn_motion motion = {0};
    wn_motion_jump(&motion, wn_pose_in(5, 5, 0));
    wn_motion_go(&motion, wn_pose_in(5, 4, 0), 0, 160);
    float most = 0;
    for (int64_t now = 0; now <= 160; now++) {
        most = fmaxf(most, fabsf(wn_motion_bob(&motion, now)));
    }
    ck_assert(most > 0.9F && most <= 1);
    ck_assert_float_eq(wn_motion_bob(&motion, 160), 0);
    wn_motion_go(&motion, wn_pose_in(5, 4, 2), 200, 160);
    ck_assert_float_eq(wn_motion_bob(&motion, 280), 0);
}
END_TEST

RUN("sdl camera", a_turn_takes_the_shorter_way_and_ends_exactly, half_a_turn_goes_clockwise,
    a_step_only_goes_forward_and_begins_and_ends_gently, a_motion_that_is_bent_does_not_jump,
    the_same_goal_again_does_not_begin_anew, far_away_is_a_jump, a_head_bobs_while_walking_and_is_still_while_turning)
