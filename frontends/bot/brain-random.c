/* brain-random.c: the brain that rolls dice. Whether what comes of it is wise is nobody's business. */
#include <stdlib.h>

#include "brain.h"
#include "choose.h"

static void *start(const wn_lesson *lesson)
{
    uint64_t *chance = malloc(sizeof *chance);
    if (chance != NULL) {
        *chance = lesson->chance;
    }
    return chance;
}

static bool enter(void *mind, const Warren__Mode *mode, wn_error *error)
{
    (void)mind, (void)mode, (void)error;
    return true;
}

static wn_deed next(void *mind, const wn_replica *replica)
{
    wn_choice choice;
    if (!wn_choose(replica->mode, replica->width * replica->height, mind, &choice)) {
        return (wn_deed){.kind = WN_DEED_NONE};
    }
    return (wn_deed){.kind = WN_DEED_ACT, .action = choice.action, .argument = choice.argument};
}

const wn_brain wn_brain_random = {
    .name = "random",
    .summary = "any action of any mode, by chance",
    .player = "bot",
    .start = start,
    .enter = enter,
    .next = next,
    .end = free,
};
