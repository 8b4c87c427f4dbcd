/* brain-otto.c: otto as a brain. What he thinks is in otto.c. */
#include <stdlib.h>

#include "brain.h"
#include "otto.h"

static bool fits(const Warren__Mode *mode, wn_error *error)
{
    wn_otto_legend legend;
    const bool right = wn_otto_legend_read(&legend, mode, error);
    wn_otto_legend_free(&legend);
    return right;
}

static void *start(const wn_lesson *lesson)
{
    wn_otto *otto = calloc(1, sizeof *otto);
    if (otto != NULL) {
        otto->chance = lesson->chance;
    }
    return otto;
}

static uint32_t way_in(void *mind)
{
    return wn_otto_way_in(mind);
}

static bool enter(void *mind, const Warren__Mode *mode, wn_error *error)
{
    return wn_otto_enter(mind, mode, error);
}

static void see(void *mind, const wn_replica *replica)
{
    wn_otto_see(mind, replica);
}

static wn_deed next(void *mind, const wn_replica *replica)
{
    (void)replica;
    wn_otto *otto = mind;
    if (otto->threats.cells == 0 || otto->paths.cells == 0) {
        return (wn_deed){.kind = WN_DEED_NONE}; /* no memory was left for what he saw */
    }
    const wn_option best = wn_otto_decide(otto);
    const bool aimed = best.move == WN_MOVE_WALK || best.move == WN_MOVE_FACE;
    return (wn_deed){
        .kind = WN_DEED_ACT, .action = otto->legend.action_of[best.move], .argument = aimed ? best.way * 2 : 0};
}

static void end(void *mind)
{
    wn_otto_free(mind);
    free(mind);
}

const wn_brain wn_brain_otto = {
    .name = "otto",
    .summary = "plays hunt: seeks the others, shoots, dodges",
    .player = "otto",
    .looks = true,
    .fits = fits,
    .start = start,
    .way_in = way_in,
    .enter = enter,
    .see = see,
    .next = next,
    .end = end,
};
