/* camera.c: easing between poses. */
#include "camera.h"

#include <math.h>

static const float full_turn = 6.28318530718F;

static float wrapped(float angle)
{
    const float rest = fmodf(angle, full_turn);
    const float positive = rest < 0 ? rest + full_turn : rest;
    return positive < full_turn ? positive : 0;
}

wn_pose wn_pose_in(uint32_t column, uint32_t row, uint32_t direction)
{
    return (wn_pose){(float)column + 0.5F, (float)row + 0.5F, (float)(direction % 8) * full_turn / 8};
}

/* Slow, fast, slow: the cubic with no speed at either end. */
static float eased(float progress)
{
    if (!(progress > 0)) {
        return 0;
    }
    return progress < 1 ? progress * progress * (3 - 2 * progress) : 1;
}

wn_pose wn_pose_between(wn_pose from, wn_pose to, float progress)
{
    const float part = eased(progress);
    if (part >= 1) {
        return (wn_pose){to.x, to.y, wrapped(to.angle)};
    }
    float turn = wrapped(to.angle - from.angle);
    /* Angles of opposite directions are rounded: what is half a turn to the eye goes clockwise. */
    if (turn > full_turn / 2 + 1e-4F) {
        turn -= full_turn;
    }
    return (wn_pose){from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part,
                     wrapped(from.angle + turn * part)};
}

void wn_motion_jump(wn_motion *motion, wn_pose to)
{
    *motion = (wn_motion){.from = to, .to = to};
}

bool wn_motion_runs(const wn_motion *motion, int64_t now)
{
    return motion->duration > 0 && now < motion->start + motion->duration;
}

static float progress_at(const wn_motion *motion, int64_t now)
{
    if (!wn_motion_runs(motion, now)) {
        return 1;
    }
    return now > motion->start ? (float)(now - motion->start) / (float)motion->duration : 0;
}

wn_pose wn_motion_at(const wn_motion *motion, int64_t now)
{
    return wn_pose_between(motion->from, motion->to, progress_at(motion, now));
}

void wn_motion_go(wn_motion *motion, wn_pose to, int64_t now, int64_t duration)
{
    if (motion->to.x == to.x && motion->to.y == to.y && motion->to.angle == to.angle) {
        return;
    }
    const wn_pose from = wn_motion_at(motion, now);
    if (duration <= 0 || fabsf(to.x - from.x) > 2 || fabsf(to.y - from.y) > 2) {
        wn_motion_jump(motion, to);
        return;
    }
    *motion = (wn_motion){from, to, now, duration};
}

float wn_motion_bob(const wn_motion *motion, int64_t now)
{
    if (motion->from.x == motion->to.x && motion->from.y == motion->to.y) {
        return 0;
    }
    const float progress = progress_at(motion, now);
    return progress < 1 ? sinf(progress * full_turn) : 0;
}
