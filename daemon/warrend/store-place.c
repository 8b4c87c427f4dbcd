/* store-place.c: may something be written into a directory by name? Not if somebody else can exchange what is there, or
 * the directory, between two calls.
 */
#include "store-internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char choose_guarded[] =
    "choose a directory that warrend's user or root alone can write to, below such ones";

static bool refuse(const char *path, const char *why, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "", 0, "cannot write to %.250s: %s: %s", path,
                        why, choose_guarded);
}

/* In a directory with the sticky bit others can make names, and neither remove nor rename ours: it does above, and not
 * where the files themselves are. */
static bool check_one(const char *path, bool above, wn_error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return wn_store_fail_at("write to", path, errno, choose_guarded, error);
    }
    if (!S_ISDIR(status.st_mode)) {
        return refuse(path, "it is no directory", error);
    }
    if (status.st_uid != geteuid() && status.st_uid != 0) {
        return refuse(path, "it is another user's, who could exchange what is written there", error);
    }
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !(above && (status.st_mode & S_ISVTX) != 0)) {
        return refuse(path, "others may write there, and could exchange what is written", error);
    }
    return true;
}

bool wn_store_check_place(const char *directory, char *place, wn_error *error)
{
    if (realpath(directory, place) == NULL) {
        return wn_store_fail_at("write to", directory, errno, choose_guarded, error);
    }
    if (!check_one("/", place[1] != '\0', error)) {
        return false;
    }
    for (char *slash = place; slash != NULL && slash[1] != '\0';) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        const bool good = check_one(place, slash != NULL, error);
        if (slash != NULL) {
            *slash = '/';
        }
        if (!good) {
            return false;
        }
    }
    return true;
}
