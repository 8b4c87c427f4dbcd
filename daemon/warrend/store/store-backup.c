/* store-backup.c: a copy of the store in another directory, made bit by bit while everything goes on, and the server's
 * key beside it. Until it is whole it has another name, so that nobody takes it for a store.
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
#include <unistd.h>

#define UNAVAILABLE  WARREN__ERROR_CODE__ERROR_UNAVAILABLE
#define PRECONDITION WARREN__ERROR_CODE__ERROR_PRECONDITION

static const char choose_another[] = "make it writable for the user who runs warrend, or choose another directory";
/* As a service it sees the rest of the file system read-only, whoever owns it: ProtectSystem= of systemd.exec(5). */
static const char unit_forbids[] =
    "to warrend all but its own directories is read-only there, as systemd's unit has it: "
    "choose a directory below daemon.state_dir, or name this one with ReadWritePaths= in "
    "a drop-in of the unit";

enum { KEY_FILE_BYTES = 4096 };

struct wn_backup {
    wn_store *store; /* NULL: it was closed */
    char *directory, *path, *unfinished;
    char *key_file, *key_path, *key_unfinished; /* NULL: there is no key to copy */
    bool key_copied;                            /* key_path is ours */
    int fd;                                     /* of the unfinished copy; -1: there is none of ours */
    sqlite3 *copy;
    sqlite3_backup *copying;
};

static const char *advice_on(int number)
{
    static const char full[] = "free some space there, or choose another directory";
    return number == EROFS ? unit_forbids : number == ENOSPC || number == EDQUOT ? full : choose_another;
}

/* Nothing of a copy that failed gets better by itself: the same code for all that stands in its way. */
static bool blame_place(wn_error *error)
{
    if (error != NULL && error->code == UNAVAILABLE) {
        error->code = PRECONDITION;
    }
    return false;
}

static bool fail_at(const char *what, const char *path, int number, wn_error *error)
{
    wn_store_fail_at(what, path, number, advice_on(number), error);
    return blame_place(error);
}

/* begin */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool name_key(wn_backup *backup, const char *key_file, wn_error *error)
{
    if (key_file == NULL || access(key_file, F_OK) != 0) {
        return true;
    }
    backup->key_file = strdup(key_file);
    if (asprintf(&backup->key_path, "%s/%s", backup->directory, base_name(key_file)) < 0) {
        backup->key_path = NULL;
    }
    if (asprintf(&backup->key_unfinished, "%s/%s.unfinished", backup->directory, base_name(key_file)) < 0) {
        backup->key_unfinished = NULL;
    }
    return (backup->key_file != NULL && backup->key_path != NULL && backup->key_unfinished != NULL) ||
           wn_store_fail_memory(error);
}

static bool name_files(wn_backup *backup, const char *directory, wn_error *error)
{
    backup->directory = strdup(directory);
    if (asprintf(&backup->path, "%s/warren.db", directory) < 0) {
        backup->path = NULL;
    }
    if (asprintf(&backup->unfinished, "%s/warren.db.unfinished", directory) < 0) {
        backup->unfinished = NULL;
    }
    return (backup->directory != NULL && backup->path != NULL && backup->unfinished != NULL) ||
           wn_store_fail_memory(error);
}

static bool refuse(const wn_backup *backup, Warren__ErrorCode code, const char *what, const char *advice,
                   wn_error *error)
{
    return wn_fail_with(error, code, "", 0, "no backup in %.250s: %s: %s", backup->directory, what, advice);
}

/* One that a crash left is written over: whoever still writes one holds a lock. */
static bool open_unfinished(wn_backup *backup, wn_error *error)
{
    int fd = open(backup->unfinished, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return fail_at("write", backup->unfinished, errno, error);
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return refuse(backup, UNAVAILABLE, "another one is being made there",
                      "wait for it, or choose another directory", error);
    }
    backup->fd = fd;
    return ftruncate(fd, 0) == 0 || fail_at("write", backup->unfinished, errno, error);
}

static bool fail_copying(const wn_backup *backup, int result, wn_error *error)
{
    wn_sql_fail_at(result, backup->copy == NULL ? 0 : sqlite3_system_errno(backup->copy), sqlite3_errstr(result),
                   "make the backup", backup->unfinished, error);
    return blame_place(error);
}

static bool begin_copying(wn_backup *backup, wn_error *error)
{
    /* Nobody reads it before it is whole, and then it is synced as a whole. */
    static const char hasty[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF";
    int result = sqlite3_open_v2(backup->unfinished, &backup->copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (result == SQLITE_OK) {
        result = sqlite3_exec(backup->copy, hasty, NULL, NULL, NULL);
    }
    if (result != SQLITE_OK) {
        return fail_copying(backup, result, error);
    }
    backup->copying = sqlite3_backup_init(backup->copy, "main", backup->store->database, "main");
    return backup->copying != NULL || fail_copying(backup, sqlite3_errcode(backup->copy), error);
}

static bool begin(wn_backup *backup, const char *directory, const char *key_file, wn_error *error)
{
    if (!name_files(backup, directory, error) || !name_key(backup, key_file, error)) {
        return false;
    }
    if (backup->store->backup != NULL) {
        return refuse(backup, UNAVAILABLE, "one is being made already", "wait for it", error);
    }
    if (access(backup->path, F_OK) == 0) {
        return refuse(backup, PRECONDITION, "there is a store in it", "choose another directory, or move that one away",
                      error);
    }
    if (backup->key_path != NULL && access(backup->key_path, F_OK) == 0) {
        return refuse(backup, PRECONDITION, "there is a server's key in it",
                      "choose another directory, or move that one away", error);
    }
    return open_unfinished(backup, error) && begin_copying(backup, error);
}

const char *wn_backup_directory(const wn_backup *backup)
{
    return backup->directory;
}

const char *wn_backup_key(const wn_backup *backup)
{
    return backup->key_path != NULL ? base_name(backup->key_path) : NULL;
}

/* Files are opened by name there, more than once. */
static bool find_place(const wn_store *store, const char *directory, char *place, wn_error *error)
{
    const int number = wn_store_make_directory(directory);
    if (number != 0) {
        return fail_at("make the directory", directory, number, error);
    }
    return wn_store_check_place(store, directory, place, error) || blame_place(error);
}

wn_backup *wn_backup_begin(wn_store *store, const char *directory, const char *key_file, wn_error *error)
{
    char place[PATH_MAX];
    wn_backup *backup = calloc(1, sizeof *backup);
    if (backup == NULL) {
        wn_store_fail_memory(error);
        return NULL;
    }
    backup->store = store;
    backup->fd = -1;
    if (!find_place(store, directory, place, error) || !begin(backup, place, key_file, error)) {
        wn_backup_free(backup);
        return NULL;
    }
    store->backup = backup;
    return backup;
}

/* copying */

static int stop_copying(wn_backup *backup)
{
    int result = sqlite3_backup_finish(backup->copying);
    int closed = sqlite3_close(backup->copy);
    backup->copying = NULL;
    backup->copy = NULL;
    return result != SQLITE_OK ? result : closed;
}

static bool write_key(const wn_backup *backup, const void *key, size_t size)
{
    int fd = open(backup->key_unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return false;
    }
    const bool written = fchmod(fd, 0600) == 0 && write(fd, key, size) == (ssize_t)size && fsync(fd) == 0;
    const int number = errno;
    close(fd);
    errno = number;
    return written;
}

/* As it is at the end, in one piece: it is a line of text. link(), not rename(): it writes over nothing. */
static bool copy_key(wn_backup *backup, wn_error *error)
{
    char key[KEY_FILE_BYTES];
    if (backup->key_file == NULL) {
        return true;
    }
    int fd = open(backup->key_file, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd >= 0 ? read(fd, key, sizeof key) : -1;
    const int number = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (size < 0) {
        return fail_at("read", backup->key_file, number, error);
    }
    const bool copied = write_key(backup, key, (size_t)size) && link(backup->key_unfinished, backup->key_path) == 0;
    explicit_bzero(key, sizeof key);
    if (!copied) {
        fail_at("write", backup->key_path, errno, error);
    }
    backup->key_copied = copied;
    unlink(backup->key_unfinished);
    return copied;
}

static bool publish(wn_backup *backup, wn_error *error)
{
    int result = stop_copying(backup);
    if (result != SQLITE_OK) {
        return fail_copying(backup, result, error);
    }
    if (!copy_key(backup, error)) {
        return false;
    }
    if (fsync(backup->fd) != 0 || link(backup->unfinished, backup->path) != 0 || unlink(backup->unfinished) != 0 ||
        !wn_store_sync_directory(backup->directory)) {
        return fail_at("finish the backup", backup->path, errno, error);
    }
    close(backup->fd);
    backup->fd = -1;
    return true;
}

wn_backup_state wn_backup_step(wn_backup *backup, int pages, wn_error *error)
{
    if (backup->copying == NULL) {
        refuse(backup, UNAVAILABLE, "it was given up", "begin it again", error);
        return WN_BACKUP_FAILED;
    }
    int result = sqlite3_backup_step(backup->copying, pages);
    /* The disk begins to write now, so that the sync at the end is short. */
    sync_file_range(backup->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    if (result == SQLITE_OK) {
        return WN_BACKUP_MORE;
    }
    if (result == SQLITE_DONE) {
        return publish(backup, error) ? WN_BACKUP_DONE : WN_BACKUP_FAILED;
    }
    fail_copying(backup, result, error);
    return WN_BACKUP_FAILED;
}

void wn_backup_abandon(wn_backup *backup)
{
    if (backup == NULL) {
        return;
    }
    stop_copying(backup);
    backup->store->backup = NULL;
    backup->store = NULL;
}

void wn_backup_free(wn_backup *backup)
{
    if (backup == NULL) {
        return;
    }
    if (backup->store != NULL && backup->store->backup == backup) {
        backup->store->backup = NULL;
    }
    stop_copying(backup);
    if (backup->fd >= 0) {
        unlink(backup->unfinished);
        close(backup->fd);
        if (backup->key_copied) {
            unlink(backup->key_path);
        }
    }
    free(backup->key_file);
    free(backup->key_path);
    free(backup->key_unfinished);
    free(backup->directory);
    free(backup->path);
    free(backup->unfinished);
    free(backup);
}
