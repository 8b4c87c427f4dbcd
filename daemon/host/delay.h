/* delay.h: the spectators' view where they see the world some turns late. The mode draws into the spectators' view as
 * ever; what changed is written once, waits here until it is due, and is then published as it is. So a late view costs
 * what one that is not late costs.
 *
 * Only a keyframe needs the picture itself: a second view, which is brought up to what is due by then. Now and then a
 * keyframe is laid between the changes, so that this takes a few hundred turns at most, and what is older is forgotten.
 *
 * What waits is lost with the host: until as many turns have been played again, spectators see what they saw of the
 * last snapshot, or a banner.
 */
#ifndef WARREN_HOST_DELAY_H
#define WARREN_HOST_DELAY_H

#include "view.h"

/* All zero is one without a delay. */
typedef struct wn_delay {
    uint32_t turns; /* 0: spectators see the world as it is, and nothing below is used */
    bool watched;
    wn_view shown;     /* the published one; its picture lacks what is between `first` and `due` */
    wn_buffer waiting; /* entries: see delay.c */
    size_t first, due; /* where the oldest begins, and the oldest that is not due */
    uint64_t key_turn; /* of the newest keyframe among them */
    wn_arena *arena;
} wn_delay;

/* For a world just made: begins to keep what spectators will see. */
void wn_delay_begin(struct wn_hosted *world);
/* After the views of a turn were drawn: keeps what changed and, if somebody watches, appends what became due as field
 * `field`, a ViewUpdate. */
void wn_delay_write(struct wn_hosted *world, wn_buffer *buffer, uint32_t field);
/* Appends a keyframe of what is due as field `field`. */
void wn_delay_write_keyframe(struct wn_hosted *world, wn_buffer *buffer, uint32_t field);
/* Brings the picture of `shown` up to what is due. */
void wn_delay_catch_up(struct wn_hosted *world);
void wn_delay_free(wn_delay *delay);

#endif
