/* brain-script.c: the brain that does what a file says, once, over all its lives. */
#include <stdlib.h>

#include "brain.h"

typedef struct mind {
    wn_script *script;
    wn_cursor cursor;
} mind;

static void *start(const wn_lesson *lesson)
{
    mind *own = malloc(sizeof *own);
    if (own != NULL) {
        *own = (mind){.script = lesson->script};
    }
    return own;
}

static bool enter(void *own, const Warren__Mode *mode, wn_error *error)
{
    return wn_script_resolve(((mind *)own)->script, mode, error);
}

static wn_deed next(void *own, const wn_replica *replica)
{
    mind *self = own;
    const wn_script_step *step = wn_script_next(self->script, &self->cursor);
    if (step == NULL) {
        return (wn_deed){.kind = WN_DEED_END};
    }
    if (step->kind == WN_STEP_SAY) {
        return (wn_deed){.kind = WN_DEED_SAY, .text = step->text};
    }
    if (step->kind == WN_STEP_PAUSE) {
        return (wn_deed){.kind = WN_DEED_PAUSE, .argument = step->number};
    }
    const uint32_t argument = step->given == WN_GIVEN_PLACE ? step->y * replica->width + step->x : step->number;
    return (wn_deed){.kind = WN_DEED_ACT, .action = step->action, .argument = argument};
}

const wn_brain wn_brain_script = {
    .name = "script",
    .summary = "what the file of --script says",
    .player = "bot",
    .start = start,
    .enter = enter,
    .next = next,
    .end = free,
};
