/* settings.h: checks the settings of a new world against its mode's table. Knows no world and no mode's meaning.
 *
 * It takes what a person typed to the one form that is kept with the world. The host checks that form again
 * (daemon/host/settings.h), because a world may outlive the build of the mode that it was made with.
 */
#ifndef WARREN_SETTINGS_H
#define WARREN_SETTINGS_H

#include "wire.h"

/* Its place in the mode's table, or how many are there: it has none of that name. */
size_t wn_setting_find(const Warren__Mode *mode, const char *name);

/* Is the table one to rely on: names that differ, and defaults that could be given? Modes that warren-host would not
 * load are not; but who says what is in the table may be the mode itself. */
bool wn_settings_sound(const Warren__Mode *mode, wn_error *error);

/* The canonical form of `value` for `setting` ("Yes" -> "yes", "007" -> "7"), in `canonical` (WN_TEXT_BYTES + 1).
 * false: the error names the setting, the value and what is allowed. */
bool wn_setting_check(const Warren__Setting *setting, const char *value, char *canonical, wn_error *error);

/* All settings of the mode, in its table's order: those given, the default for the rest. The values are allocated;
 * free the array and each of them with wn_settings_free(). NULL with the error filled in: a bad value, an unknown or
 * repeated name. */
char **wn_settings_resolve(const Warren__Mode *mode, Warren__SettingValue *const *given, size_t count, wn_error *error);
void wn_settings_free(char **values, size_t count);

#endif
