/* delay.h: the spectators' view where they see the world some turns late. The mode draws into the spectators' view as
 * ever; the updates that come of it wait here, and are applied to a second view, which is the one that is published.
 * So a late spectator, a keyframe, a difference need nothing of their own.
 *
 * While nobody watches nothing is applied: now and then what waits begins anew with a keyframe, so that whoever comes
 * makes up for a few hundred turns at most.
 *
 * What waits is lost with the host: until as many turns have been played again, spectators see what they saw of the
 * last snapshot, or a banner.
 */
#ifndef WARREN_HOST_DELAY_H
#define WARREN_HOST_DELAY_H

#include "view.h"

struct wn_turn_effect;

/* All zero is one without a delay. */
typedef struct wn_delay {
    uint32_t turns; /* 0: spectators see the world as it is, and nothing below is used */
    bool watched;
    wn_view shown;
    wn_buffer waiting;              /* updates: u64 turn, u32 size, the bytes of an Update */
    size_t first;                   /* where the oldest begins */
    size_t key_at;                  /* where the newest keyframe begins, while it is not due */
    uint64_t key_turn;              /* its turn */
    uint32_t heard;                 /* number of the last message taken over */
    struct wn_turn_effect *effects; /* that are to be shown now */
    uint32_t effect_count, effect_capacity;
    wn_arena *arena;
} wn_delay;

/* For a world just made: begins to keep what spectators will see. */
void wn_delay_begin(struct wn_hosted *world);
/* After the views of a turn were drawn: keeps what changed and, if somebody watches, shows what is due. */
void wn_delay_pass(struct wn_hosted *world);
/* Somebody begins to watch: shows what is due. */
void wn_delay_catch_up(struct wn_hosted *world);
void wn_delay_free(wn_delay *delay);

#endif
