/* find-mode.c: see find-mode.h. */
#include "find-mode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "player.h"

/* The directory of this program; "" if it cannot be told. */
static void own_directory(char *text, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", text, size - 1);
    text[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(text, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

char *wn_find_host_program(const char *given)
{
    char own[4096], *beside = NULL;
    if (given != NULL) {
        return strdup(given);
    }
    own_directory(own, sizeof own);
    if (asprintf(&beside, "%s/warren-host", own) >= 0 && access(beside, X_OK) == 0) {
        return beside;
    }
    free(beside);
    return strdup(WARREN_LIBEXEC_DIR "/warren-host");
}

char *wn_player_mode_path(void)
{
    char own[4096], *path = NULL;
    own_directory(own, sizeof own);
    char *slash = strrchr(own, '/');
    if (slash != NULL) {
        *slash = '\0'; /* bin and modes are side by side in a build */
    }
    char beside[sizeof own + sizeof "/modes"];
    snprintf(beside, sizeof beside, "%s/modes", own);
    if (access(beside, X_OK) != 0) {
        return strdup(WARREN_MODE_DIR);
    }
    return asprintf(&path, "%s:%s", beside, WARREN_MODE_DIR) < 0 ? NULL : path;
}

char *wn_find_mode(const char *given, const char *mode, wn_error *error)
{
    char *path = given != NULL ? strdup(given) : wn_player_mode_path();
    char *file = NULL, *rest = NULL;
    for (char *directory = path == NULL ? NULL : strtok_r(path, ":", &rest); directory != NULL;
         directory = strtok_r(NULL, ":", &rest)) {
        if (asprintf(&file, "%s/%s.so", directory, mode) < 0) {
            file = NULL;
        } else if (access(file, R_OK) == 0) {
            break;
        }
        free(file);
        file = NULL;
    }
    free(path);
    if (file == NULL) {
        path = given != NULL ? strdup(given) : wn_player_mode_path();
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "mode", 0,
                     "The recording is of the mode %s, and there is no %s.so in %.300s. Install it, or name its "
                     "directory with --mode-path.",
                     mode, mode, path != NULL ? path : "any directory");
        free(path);
    }
    return file;
}
