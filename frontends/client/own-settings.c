/* own-settings.c: see own-settings.h. */
#include "own-settings.h"

#include <string.h>

/* Those of a mode are what the world is made of, and stay; the server's can be changed. */
static bool is_own(const Warren__Mode *mode, const char *name)
{
    for (size_t i = 0; i < mode->n_settings; i++) {
        if (strcmp(mode->settings[i]->name, name) == 0) {
            return mode->settings[i]->has_changeable && mode->settings[i]->changeable;
        }
    }
    return false;
}

const char *wn_world_own_setting(const Warren__WorldInfo *world, const Warren__ModeList *modes, const char *name)
{
    size_t mode = 0, i = 0;
    while (modes != NULL && mode < modes->n_modes && strcmp(modes->modes[mode]->name, world->mode) != 0) {
        mode++;
    }
    if (modes == NULL || mode == modes->n_modes || !is_own(modes->modes[mode], name)) {
        return NULL;
    }
    while (i < world->n_settings && strcmp(world->settings[i]->name, name) != 0) {
        i++;
    }
    return i < world->n_settings ? world->settings[i]->value : NULL;
}
