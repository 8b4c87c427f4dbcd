/* store-file.c: the store's place on the disk: its directory, the lock that one daemon at a time holds, whose file
 * warren.db is, and how a damaged one is set aside. It reads no more of the file than its header.
 */
#include "store/store-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char make_writable[] = "make it writable for the user who runs warrend, or choose another state_dir";

int wn_store_make_directory(const char *directory)
{
    char *path = strdup(directory);
    if (path == NULL) {
        return ENOMEM;
    }
    int number = 0;
    for (char *slash = path; slash != NULL && number == 0;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            const int failed = errno; /* access() has an errno of its own */
            number = failed == EROFS && access(path, F_OK) == 0 ? 0 : failed;
        }
        if (slash != NULL) {
            *slash = '/';
        }
    }
    free(path);
    return number;
}

/* Names that were made or changed there are on the disk. */
bool wn_store_sync_directory(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/* lock */

/* The lock goes with the process; the file stays, for who deletes it could delete another's. */
bool wn_store_lock(wn_store *store, wn_error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/warren.lock", store->directory);
    store->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (store->lock_fd < 0) {
        return wn_store_fail_at("write", path, errno, make_writable, error);
    }
    if (flock(store->lock_fd, LOCK_EX | LOCK_NB) == 0) {
        if (ftruncate(store->lock_fd, 0) == 0) {
            dprintf(store->lock_fd, "%ld\n", (long)getpid());
        }
        return true; /* the number is only for the sentence below: a full disk must not keep the store closed */
    }
    int number = errno;
    char holder[32] = "";
    ssize_t size = pread(store->lock_fd, holder, sizeof holder - 1, 0);
    holder[size > 0 ? strspn(holder, "0123456789") : 0] = '\0';
    if (number != EWOULDBLOCK) {
        return wn_store_fail_at("lock", store->directory, number, "choose another state_dir", error);
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "", 0,
                        "the store %.250s is in use by another warrend (process %s): stop it, or choose another "
                        "state_dir",
                        store->directory, holder[0] == '\0' ? "unknown" : holder);
}

void wn_store_unlock(wn_store *store)
{
    if (store->lock_fd >= 0) {
        close(store->lock_fd);
    }
    store->lock_fd = -1;
}

/* setting aside */

/* Moves DIR/warren.db, DIR/warren.db-wal and the like. What is not there, or empty, need not be moved. */
static bool move_beside(const wn_store *store, const char *suffix, const char *aside, wn_error *error)
{
    char from[PATH_MAX], to[PATH_MAX];
    struct stat status;
    snprintf(from, sizeof from, "%s%s", store->path, suffix);
    if ((size_t)snprintf(to, sizeof to, "%s%s", aside, suffix) >= sizeof to) {
        return wn_store_fail_at("set aside", from, ENAMETOOLONG, "choose a state_dir with a shorter path", error);
    }
    bool empty = stat(from, &status) == 0 && status.st_size == 0;
    return (empty ? unlink(from) : rename(from, to)) == 0 || errno == ENOENT ||
           wn_store_fail_at("set aside", from, errno, "move it away by hand", error);
}

/* A name beside warren.db that nothing has. Nobody else makes one: we hold the lock. */
static void name_aside(const wn_store *store, char *aside)
{
    char stamp[32], wal[PATH_MAX];
    time_t now = time(NULL);
    struct tm utc;
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
    snprintf(aside, PATH_MAX, "%s.damaged-%s", store->path, stamp);
    for (int i = 2;; i++) {
        snprintf(wal, sizeof wal, "%.*s-wal", PATH_MAX - 5, aside);
        if (access(aside, F_OK) != 0 && access(wal, F_OK) != 0) {
            return;
        }
        snprintf(aside, PATH_MAX, "%s.damaged-%s-%d", store->path, stamp, i);
    }
}

/* With what SQLite keeps beside it, which belongs to it and must not meet a new file. The file itself goes first: if we
 * die in between, the next start finds a log without a file, and sets that aside, see below. */
bool wn_store_set_aside(wn_store *store, char *set_aside, wn_error *error)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char aside[PATH_MAX];
    name_aside(store, aside);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (!move_beside(store, suffixes[i], aside, error)) {
            return false;
        }
    }
    wn_store_sync_directory(store->directory);
    if (set_aside != NULL) {
        snprintf(set_aside, PATH_MAX, "%s", aside);
    }
    return true;
}

/* the file */

static bool refuse(const wn_store *store, const char *what, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "", 0,
                        "%.200s is %s, and was left as it is: move it away, or choose another state_dir; if it was a "
                        "store, put a copy from a backup in its place",
                        store->path, what);
}

/* By the header of SQLite's file format, https://www.sqlite.org/fileformat.html: who made the file. One without an
 * owner may be a store that was being made when we died: the caller looks into it. */
static bool check_header(wn_store *store, const uint8_t *header, size_t size, wn_error *error)
{
    static const char magic[16] = "SQLite format 3";
    enum { OWNER_AT = 68, HEADER_BYTES = 100 };
    if (size < HEADER_BYTES || memcmp(header, magic, sizeof magic) != 0) {
        return refuse(store, "no database", error);
    }
    uint32_t owner = (uint32_t)header[OWNER_AT] << 24 | (uint32_t)header[OWNER_AT + 1] << 16 |
                     (uint32_t)header[OWNER_AT + 2] << 8 | header[OWNER_AT + 3];
    store->ours = owner == WN_STORE_APPLICATION;
    return store->ours || owner == 0 || refuse(store, "a database, but no store of Warren's", error);
}

/* A log without its file holds what cannot be told from what was lost. SQLite would delete it. */
static bool set_log_aside(wn_store *store, char *set_aside, wn_error *error)
{
    char log[PATH_MAX];
    struct stat status;
    snprintf(log, sizeof log, "%s-wal", store->path);
    return stat(log, &status) != 0 || status.st_size == 0 || wn_store_set_aside(store, set_aside, error);
}

/* Makes the file if there is none: with our mode; SQLite's files beside it take theirs from it. */
bool wn_store_find_file(wn_store *store, char *set_aside, wn_error *error)
{
    uint8_t header[100];
    store->ours = false;
    int fd = open(store->path, O_RDWR | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, header, sizeof header) : 0;
    bool missing = fd < 0 && errno == ENOENT;
    int number = errno;
    if (fd >= 0) {
        close(fd);
    }
    if ((fd < 0 && !missing) || size < 0) {
        return wn_store_fail_at("write", store->path, number, make_writable, error);
    }
    if (size > 0) {
        return check_header(store, header, (size_t)size, error);
    }
    if (!set_log_aside(store, set_aside, error)) {
        return false;
    }
    fd = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        return wn_store_fail_at("write", store->path, errno, make_writable, error);
    }
    close(fd);
    return true;
}
