/* walk.h: from walking and turning, as one who looks through a player's eyes means it, to what to ask the mode for: by
 * the purposes of its actions (warren.proto), whatever they are called.
 */
#ifndef WARREN_WALK_H
#define WARREN_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "warren.pb-c.h"

typedef enum wn_walk {
    WN_WALK_NONE,
    WN_WALK_FORWARD,
    WN_WALK_BACK,
    WN_WALK_TURN_LEFT,
    WN_WALK_TURN_RIGHT,
    WN_WALK_SIDE_LEFT,
    WN_WALK_SIDE_RIGHT
} wn_walk;

/* What comes of it. */
typedef struct wn_walk_result {
    bool send; /* a command: `action`, an index into mode->actions, with `argument` */
    uint32_t action, argument;
    bool turn; /* the eye turns by itself: the mode has nothing for it. wn_first_person_face(`facing`) */
    uint32_t facing;
} wn_walk_result;

/* `facing`: where the eye looks, 0 to 7. A turn is an eighth where one can step in eight directions, else a quarter.
 * Neither send nor turn: that cannot be done in this mode. */
wn_walk_result wn_walk_ask(const Warren__Mode *mode, wn_walk walk, uint32_t facing);

/* What a key that steps in a direction, seen from above, means from inside: north is forward, south back, west and east
 * turn, north-west and north-east go aside. So all keys that a player knows, or has chosen, keep their places. */
wn_walk wn_walk_of_step(uint32_t direction);

/* What a key of a binding with that action and argument means from inside; NONE: what it always does. */
wn_walk wn_walk_of_action(const Warren__Action *action, int32_t argument);

#endif
