/* places.c: see places.h. */
#include "places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BASES = 3 };

static const struct {
    const char *below;
    struct {
        const char *variable, *below;
    } bases[BASES]; /* the first that holds an absolute path counts */
} places[] = {
    [WN_PLACE_CONFIGURATION] = {"warren", {{"XDG_CONFIG_HOME", ""}, {"HOME", "/.config"}}},
    [WN_PLACE_DATA] = {"warren", {{"XDG_DATA_HOME", ""}, {"HOME", "/.local/share"}}},
    [WN_PLACE_SESSIONS] = {"warren/sessions",
                           {{"XDG_RUNTIME_DIR", ""}, {"XDG_STATE_HOME", ""}, {"HOME", "/.local/state"}}},
};

bool wn_place_find(wn_place place, char *path, size_t size)
{
    for (size_t i = 0; i < BASES && places[place].bases[i].variable != NULL; i++) {
        const char *base = getenv(places[place].bases[i].variable);
        if (base != NULL && base[0] == '/') {
            return snprintf(path, size, "%s%s/%s", base, places[place].bases[i].below, places[place].below) < (int)size;
        }
    }
    return false;
}

void wn_place_make_for(const char *file)
{
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s", file) >= (int)sizeof part) {
        return;
    }
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700);
        *slash = '/';
    }
}

bool wn_place_make(const char *folder)
{
    wn_place_make_for(folder);
    return mkdir(folder, 0700) == 0 || errno == EEXIST;
}

static bool fresh_path(const char *path, char *fresh, size_t size)
{
    if (snprintf(fresh, size, "%s.new", path) < (int)size) {
        return true;
    }
    errno = ENAMETOOLONG;
    return false;
}

FILE *wn_place_replace(const char *path)
{
    char fresh[PATH_MAX];
    wn_place_make_for(path);
    return fresh_path(path, fresh, sizeof fresh) ? fopen(fresh, "we") : NULL;
}

bool wn_place_replaced(FILE *file, const char *path, bool whole)
{
    char fresh[PATH_MAX];
    if (file == NULL || !fresh_path(path, fresh, sizeof fresh)) {
        return false;
    }
    whole = ferror(file) == 0 && whole;
    whole = fclose(file) == 0 && whole;
    if (whole && rename(fresh, path) == 0) {
        return true;
    }
    const int reason = errno;
    unlink(fresh);
    errno = reason;
    return false;
}
