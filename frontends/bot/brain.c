/* brain.c: the table of brains. */
#include "brain.h"

#include <string.h>

/* In the order in which wn_brain_for() tries them. */
static const wn_brain *const brains[] = {&wn_brain_otto, &wn_brain_random, &wn_brain_script};
enum { BRAINS = sizeof brains / sizeof *brains };

const wn_brain *wn_brain_at(size_t index)
{
    return index < BRAINS ? brains[index] : NULL;
}

const wn_brain *wn_brain_find(const char *name)
{
    for (size_t i = 0; i < BRAINS; i++) {
        if (strcmp(brains[i]->name, name) == 0) {
            return brains[i];
        }
    }
    return NULL;
}

const wn_brain *wn_brain_for(const Warren__Mode *mode)
{
    wn_error ignored;
    for (size_t i = 0; i < BRAINS; i++) {
        if (brains[i]->fits != NULL && brains[i]->fits(mode, &ignored)) {
            return brains[i];
        }
    }
    return &wn_brain_random;
}
