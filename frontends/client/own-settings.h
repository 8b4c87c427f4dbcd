/* own-settings.h: what a world in a list has of the settings that the server adds to every mode (title, join and
 * others). A mode may have one of its own by such a name: then it means what the mode wants. */
#ifndef WARREN_CLIENT_OWN_SETTINGS_H
#define WARREN_CLIENT_OWN_SETTINGS_H

#include "wire.h"

/* The world's value of the server's setting of that name. NULL: it has the default, the setting is the mode's, or that
 * is not known: `modes` tell it (NULL: they are not here). */
const char *wn_world_own_setting(const Warren__WorldInfo *world, const Warren__ModeList *modes, const char *name);

#endif
