/* settings.h: a world's settings, checked against the mode's table. Where they come from is the daemon's business.
 *
 * The daemon has checked what a person typed (its own settings.h): it takes more spellings, against the table as the
 * host described it, and passes on one form. Here that form becomes the values that the mode gets, and is checked
 * again: a world or a recording may have been made with another build of the mode, whose table was another.
 */
#ifndef WARREN_HOST_SETTINGS_H
#define WARREN_HOST_SETTINGS_H

#include <warren/mode.h>

#include "wire.h"

/* One setting's value: integers as they are, booleans 0 or 1, choices their index; the text as it was given. */
typedef struct wn_setting_state {
    int64_t number;
    char *text;
    char file[WN_NAME_BYTES + 1]; /* the name of the file whose content `text` is; else "" */
} wn_setting_state;

/* Is `value` one that the setting takes? Gives its number. The error names the setting, the value and the range. */
bool wn_setting_parse(const wn_setting *setting, const char *value, int64_t *number, wn_error *error);

/* The values of the mode's table: the given ones, the default for the others. NULL: the error names the first wrong. */
wn_setting_state *wn_setting_states_new(const wn_mode_descriptor *mode, const Warren__SettingValue *const *given,
                                        size_t count, wn_error *error);
void wn_setting_states_free(wn_setting_state *settings, uint32_t count);

#endif
