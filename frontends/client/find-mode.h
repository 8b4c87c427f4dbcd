/* find-mode.h: where the modes and warren-host are for a program that plays recordings: those of the build that the
 * program belongs to, else the installed ones. The default mode path is wn_player_mode_path() in player.h.
 */
#ifndef WARREN_FIND_MODE_H
#define WARREN_FIND_MODE_H

#include "wire.h"

/* Both return a path to free. `given` NULL: the default. NULL: no memory, or no such mode (with the error filled in).
 */
char *wn_find_host_program(const char *given);
char *wn_find_mode(const char *given, const char *mode, wn_error *error);

#endif
