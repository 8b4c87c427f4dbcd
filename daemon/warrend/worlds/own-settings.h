/* own-settings.h: the settings that the daemon has for the worlds of every mode, beside the mode's: what a list says of
 * the world, who may join and watch it, how many seats bots fill. No mode, no turn and no recording knows of them, so
 * they can be changed while the world runs. Where a mode has a setting of the same name, its worlds are without the
 * daemon's.
 */
#ifndef WARREN_OWN_SETTINGS_H
#define WARREN_OWN_SETTINGS_H

#include "daemon.h"

typedef enum wn_own { WN_OWN_BOTS, WN_OWN_TITLE, WN_OWN_JOIN, WN_OWN_WATCH, WN_OWN_LISTED, WN_OWN_SETTINGS } wn_own;

/* Adds them to the mode's, behind the last, as far as there is room (WN_CREATE_SETTINGS), and makes them those that can
 * be changed: what the description says of the mode's own is not believed. Taken from the arena. Returns those that are
 * the daemon's, as bits. */
uint32_t wn_own_add(Warren__Mode *mode, wn_arena *arena);
/* "join, watch": those that are not among `added`, as wn_own_add() returned it; "" if all are. */
void wn_own_name_missing(uint32_t added, char *text, size_t size);
/* The one of that name in worlds of the host's mode; WN_OWN_SETTINGS: it is the mode's, or there is none. */
wn_own wn_own_find(const wn_installed_mode *mode, const char *name);

/* What the world has. While its mode is not here, the text may be that of a setting of the mode's own; the number is 0
 * then. */
const char *wn_own_text(const wn_game *game, wn_own which);
uint32_t wn_own_number(const wn_game *game, wn_own which);
bool wn_own_is(const wn_game *game, wn_own which, const char *value);
/* Only who is on its list may join it, or watch it? `which` is JOIN or WATCH. */
bool wn_own_by_invitation(const wn_game *game, wn_own which);

#endif
