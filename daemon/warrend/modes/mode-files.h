/* mode-files.h: the files that settings of type "file" name: a mode's own, in the folder beside it that has its name,
 * and the operator's, in daemon.mode_files/MODE. They are read when a world is made.
 */
#ifndef WARREN_MODE_FILES_H
#define WARREN_MODE_FILES_H

#include "daemon.h"

/* Fills in the `choices` of the mode's settings that take a file with the names there are. Taken from the arena. */
void wn_mode_files_list(const wn_installed_mode *mode, Warren__Mode *descriptor, wn_arena *arena);
/* What is in the file, allocated. NULL: the error names the setting, the file and where it was looked for. */
char *wn_mode_file_read(const wn_installed_mode *mode, const char *setting, const char *file, wn_error *error);

#endif
