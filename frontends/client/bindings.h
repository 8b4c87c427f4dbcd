/* bindings.h: what keys do: the frontend's own commands, and the table from keys to actions that is made from a mode's
 * description and the player's key file. It reads no terminal and draws nothing.
 *
 * Who wins when several want the same key, strongest first:
 *   1. Escape is always the menu, and from the menu every command of the frontend can be reached;
 *   2. what the key file says, in the mode's section, then in [frontend];
 *   3. the frontend's firm keys: F1 ? help, F2 messages, F3 chat, F4 names, F5 scores, F10 leave; with a window also
 *      F6 preferences, F7 minimap, F8 mute, F9 recording, F11 full screen, F12 picture;
 *   4. the mode's default keys;
 *   5. the frontend's loose keys: t and Enter chat, Page Up messages, Tab a part of the map, Ctrl-L redraw; with a
 * window also V first person, + and - zoom, # grid, % regions.
 */
#ifndef WARREN_CLIENT_BINDINGS_H
#define WARREN_CLIENT_BINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key-file.h"
#include "warren.pb-c.h"

typedef enum wn_frontend_command {
    WN_DO_HELP,
    WN_DO_MESSAGES,
    WN_DO_CHAT,
    WN_DO_NAMES,
    WN_DO_SCORES,
    WN_DO_REGION,
    WN_DO_REDRAW,
    WN_DO_LEAVE,
    WN_DO_MENU,
    WN_TERMINAL_COMMANDS, /* those above; the rest is for frontends with a window */
    WN_DO_VIEW = WN_TERMINAL_COMMANDS,
    WN_DO_ZOOM_IN,
    WN_DO_ZOOM_OUT,
    WN_DO_GRID,
    WN_DO_REGIONS,
    WN_DO_MINIMAP,
    WN_DO_PREFERENCES,
    WN_DO_MUTE,
    WN_DO_RECORD,
    WN_DO_FULL_SCREEN,
    WN_DO_PICTURE,
    WN_FRONTEND_COMMANDS
} wn_frontend_command;

typedef struct wn_command_info {
    const char *name; /* in key files */
    const char *help;
    uint32_t firm[2], loose[2];
} wn_command_info;
const wn_command_info *wn_frontend_command_info(wn_frontend_command command);

enum { WN_ASK = -1 }; /* argument of a binding whose key does not say it: the player is asked */

typedef struct wn_binding {
    uint32_t key;
    bool frontend; /* `target` is a wn_frontend_command, else an index into mode->actions */
    uint8_t rank;  /* the strongest is 1; see above */
    uint32_t target;
    int32_t argument;
} wn_binding;

typedef struct wn_bindings {
    wn_binding *items; /* one for each key */
    size_t count, capacity;
    bool window; /* set before making it: with the commands that need a window */
} wn_bindings;

/* Makes the table for `mode` (NULL: only the frontend's commands). Entries of `file` (NULL: none) that name no action
 * of it, and keys given twice, become problems of the file; what was there before about modes stays. */
void wn_bindings_make(wn_bindings *bindings, const Warren__Mode *mode, wn_key_file *file);
void wn_bindings_free(wn_bindings *bindings);
/* What the key does, or NULL. A keypad digit stands for the arrow or digit on it, and the other way round. */
const wn_binding *wn_bindings_find(const wn_bindings *bindings, uint32_t key);
/* The keys of a target, "k Up keypad 8" (as key files have them, when not `shown`); "" if none has it. */
void wn_bindings_keys(const wn_bindings *bindings, bool frontend, uint32_t target, int32_t argument, bool shown,
                      char *text, size_t size);

#endif
