/* otto.h: otto, who plays hunt by himself. The name is that of the player which came with the historic game; the
 * thoughts are his own. He weighs everything he could do in tenths of a point of damage and does the best of it.
 */
#ifndef WARREN_BOT_OTTO_H
#define WARREN_BOT_OTTO_H

#include "otto-paths.h"
#include "otto-scene.h"
#include "otto-threat.h"

typedef struct wn_otto {
    wn_otto_legend legend;
    wn_otto_scene scene;
    wn_threats threats;
    wn_paths paths;
    uint64_t chance;
    wn_entrance entrance; /* of this life: who came cloaked hides when he is hurt, who came scanning scans sooner */
    uint64_t acts, scans_until, hides_until, looked_back;
    uint32_t bored;  /* acts without a step or a shot */
    uint32_t walked; /* the way of his last step; WN_NO_WAY: there was none */
    uint32_t dances; /* steps, one after the other, that went back where the one before came from */
} wn_otto;

typedef struct wn_option {
    wn_move move;
    uint32_t way; /* of WALK and FACE */
    int score;
} wn_option;

/* How he will enter: an index of the entries of the mode that he knows, else 0. */
uint32_t wn_otto_way_in(wn_otto *otto);
/* Another life in a mode, which has to have what the legend asks for. */
bool wn_otto_enter(wn_otto *otto, const Warren__Mode *mode, wn_error *error);
/* After each update. false: no memory. */
bool wn_otto_see(wn_otto *otto, const wn_replica *replica);
/* What he does now. */
wn_option wn_otto_decide(wn_otto *otto);
void wn_otto_free(wn_otto *otto);

#endif
