/* preferences.h: what a player has chosen once and for all, in $XDG_CONFIG_HOME/warren/sdl.conf. */
#ifndef WARREN_SDL_PREFERENCES_H
#define WARREN_SDL_PREFERENCES_H

#include <stdbool.h>
#include <stddef.h>

#include "palette.h"
#include "wire.h"

/* In percent. */
enum { WN_TEXT_SIZE_LEAST = 50, WN_TEXT_SIZE_MOST = 300, WN_VOLUME_MOST = 100 };

typedef struct wn_preferences {
    int width, height; /* of the window, in points */
    int zoom;          /* pixels of a cell on a display of usual density */
    int text_size;     /* percent */
    int volume;        /* percent */
    int palette;       /* wn_palette */
    bool full_screen, mute, motion, names, grid, regions, minimap;
} wn_preferences;

void wn_preferences_standard(wn_preferences *preferences);
/* Reads the file over the standard ones. A file that is not there is fine; lines that mean nothing are left out. */
void wn_preferences_read(wn_preferences *preferences, const char *path);
/* Writes it whole or not at all. false with a sentence. */
bool wn_preferences_write(const wn_preferences *preferences, const char *path, wn_error *error);

#endif
