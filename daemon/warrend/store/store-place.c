/* store-place.c: may something be written into a directory by name? Not if somebody else can exchange what is there, or
 * the directory, between two calls; nor where it would be gone when the daemon stops.
 */
#include "store/store-internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char choose_guarded[] =
    "choose a directory that warrend's user or root alone can write to, below such ones";

enum { UNMAPPED_USER = 65534 }; /* user_namespaces(7): how the kernel shows owners that the namespace has no user for */

static bool refuse(const char *path, const char *why, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "", 0, "cannot write to %.250s: %s: %s", path,
                        why, choose_guarded);
}

/* Is `path` the place, or above it? */
static bool holds(const char *path, const char *place)
{
    const size_t length = path[1] == '\0' ? 0 : strlen(path);
    return strncmp(path, place, length) == 0 && (place[length] == '/' || place[length] == '\0');
}

/* In a user namespace, as the unit of systemd's user manager has one (PrivateUsers=), root's directories cannot be told
 * from others': those that the store itself lies in are trusted as much as it is. */
static bool is_foreign(const struct stat *status, const char *path, const char *store)
{
    return status->st_uid != geteuid() && status->st_uid != 0 &&
           !(status->st_uid == UNMAPPED_USER && holds(path, store));
}

/* In a directory with the sticky bit others can make names, and neither remove nor rename ours: it does above, and not
 * where the files themselves are. */
static bool check_one(const char *path, const char *store, bool above, wn_error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return wn_store_fail_at("write to", path, errno, choose_guarded, error);
    }
    if (!S_ISDIR(status.st_mode)) {
        return refuse(path, "it is no directory", error);
    }
    if (is_foreign(&status, path, store)) {
        return refuse(path, "it is another user's, who could exchange what is written there", error);
    }
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !(above && (status.st_mode & S_ISVTX) != 0)) {
        return refuse(path, "others may write there, and could exchange what is written", error);
    }
    return true;
}

/* What PrivateTmp= of systemd.exec(5) puts over /tmp is a directory of this name, which is removed with the service. */
bool wn_store_is_passing(FILE *mounts, const char *place)
{
    char root[PATH_MAX], point[PATH_MAX], *line = NULL;
    size_t capacity = 0, longest = 0;
    bool passing = false;
    _Static_assert(PATH_MAX == 4096, "the widths below are one less");
    while (getline(&line, &capacity, mounts) >= 0) {
        if (sscanf(line, "%*s %*s %*s %4095s %4095s", root, point) == 2 && holds(point, place) &&
            strlen(point) >= longest) {
            longest = strlen(point);
            passing = strstr(root, "/systemd-private-") != NULL;
        }
    }
    free(line);
    return passing;
}

static bool check_passing(const char *place, wn_error *error)
{
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    const bool passing = mounts != NULL && wn_store_is_passing(mounts, place);
    if (mounts != NULL) {
        fclose(mounts);
    }
    return !passing ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "", 0,
                        "cannot write to %.250s: as systemd's unit has it (PrivateTmp=), this is a directory that "
                        "nobody but warrend sees, and it is removed when warrend stops: choose a directory below "
                        "daemon.state_dir, or name one with ReadWritePaths= in a drop-in of the unit",
                        place);
}

bool wn_store_check_place(const wn_store *kept, const char *directory, char *place, wn_error *error)
{
    char store[PATH_MAX];
    if (realpath(directory, place) == NULL) {
        return wn_store_fail_at("write to", directory, errno, choose_guarded, error);
    }
    if (realpath(kept->directory, store) == NULL) {
        return wn_store_fail_at("find", kept->directory, errno, "make it again", error);
    }
    if (!check_passing(place, error) || !check_one("/", store, place[1] != '\0', error)) {
        return false;
    }
    for (char *slash = place; slash != NULL && slash[1] != '\0';) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        const bool good = check_one(place, store, slash != NULL, error);
        if (slash != NULL) {
            *slash = '/';
        }
        if (!good) {
            return false;
        }
    }
    return true;
}
