/* camera.h: moves the eye from one pose to another in a short time, so that steps and turns are seen and not jumped.
 * Time is whatever the caller counts in, in milliseconds.
 */
#ifndef WARREN_CAMERA_H
#define WARREN_CAMERA_H

#include <stdbool.h>
#include <stdint.h>

/* Where one stands and looks: in squares, and in radians clockwise from north (as in raycast.h). */
typedef struct wn_pose {
    float x, y, angle;
} wn_pose;

/* In the middle of a square, looking in a direction 0 (north) to 7 (north-west). */
wn_pose wn_pose_in(uint32_t column, uint32_t row, uint32_t direction);

/* The pose that is `progress` (0 to 1, beyond it is the end) of the way, turning the shorter way round; half a turn
 * goes clockwise. It starts and ends gently. Its angle is from 0 up to a full turn. */
wn_pose wn_pose_between(wn_pose from, wn_pose to, float progress);

/* A motion. All zero stands in the corner of the grid. */
typedef struct wn_motion {
    wn_pose from, to;
    int64_t start, duration;
} wn_motion;

/* Stands there at once: for the first pose, and for another world. */
void wn_motion_jump(wn_motion *motion, wn_pose to);
/* Goes there from where it is now; a motion that still runs is bent, without a jump. Towards the pose it already goes
 * to, nothing changes. More than two squares away is a jump. */
void wn_motion_go(wn_motion *motion, wn_pose to, int64_t now, int64_t duration);
wn_pose wn_motion_at(const wn_motion *motion, int64_t now);
bool wn_motion_runs(const wn_motion *motion, int64_t now); /* is another frame needed? */
/* How far a walker's head is lifted, -1 to 1: 0 when it stands, one bob for each step. */
float wn_motion_bob(const wn_motion *motion, int64_t now);

#endif
