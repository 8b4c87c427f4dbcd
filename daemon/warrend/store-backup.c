/* store-backup.c: a copy of the store in another directory, made bit by bit while everything goes on. Until it is whole
 * it has another name, so that nobody takes it for a store.
 */
#include "store-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char choose_another[] = "make it writable for the user who runs warrend, or choose another directory";

struct wn_backup {
    wn_store *store; /* NULL: it was closed */
    char *directory, *path, *unfinished;
    int fd; /* of the unfinished copy; -1: there is none of ours */
    sqlite3 *copy;
    sqlite3_backup *copying;
};

/* begin */

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

static bool refuse(const wn_backup *backup, const char *what, const char *advice, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "", 0, "no backup in %.250s: %s: %s",
                        backup->directory, what, advice);
}

/* One that a crash left is written over: whoever still writes one holds a lock. */
static bool open_unfinished(wn_backup *backup, wn_error *error)
{
    int fd = open(backup->unfinished, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return wn_store_fail_at("write", backup->unfinished, errno, choose_another, error);
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return refuse(backup, "another one is being made there", "wait for it, or choose another directory", error);
    }
    backup->fd = fd;
    return ftruncate(fd, 0) == 0 || wn_store_fail_at("write", backup->unfinished, errno, choose_another, error);
}

static bool fail_copying(const wn_backup *backup, int result, wn_error *error)
{
    return wn_sql_fail_at(result, backup->copy == NULL ? 0 : sqlite3_system_errno(backup->copy), sqlite3_errstr(result),
                          "make the backup", backup->unfinished, error);
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

static bool begin(wn_backup *backup, const char *directory, wn_error *error)
{
    if (!name_files(backup, directory, error)) {
        return false;
    }
    if (backup->store->backup != NULL) {
        return refuse(backup, "one is being made already", "wait for it", error);
    }
    if (!wn_store_make_directory(directory, choose_another, error)) {
        return false;
    }
    if (access(backup->path, F_OK) == 0) {
        return refuse(backup, "there is a store in it", "choose another directory, or move that one away", error);
    }
    return open_unfinished(backup, error) && begin_copying(backup, error);
}

wn_backup *wn_backup_begin(wn_store *store, const char *directory, wn_error *error)
{
    wn_backup *backup = calloc(1, sizeof *backup);
    if (backup == NULL) {
        wn_store_fail_memory(error);
        return NULL;
    }
    backup->store = store;
    backup->fd = -1;
    if (!begin(backup, directory, error)) {
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

static bool publish(wn_backup *backup, wn_error *error)
{
    int result = stop_copying(backup);
    if (result != SQLITE_OK) {
        return fail_copying(backup, result, error);
    }
    /* link(), not rename(): it writes over nothing. */
    if (fsync(backup->fd) != 0 || link(backup->unfinished, backup->path) != 0 || unlink(backup->unfinished) != 0 ||
        !wn_store_sync_directory(backup->directory)) {
        return wn_store_fail_at("finish the backup", backup->path, errno, choose_another, error);
    }
    close(backup->fd);
    backup->fd = -1;
    return true;
}

wn_backup_state wn_backup_step(wn_backup *backup, int pages, wn_error *error)
{
    if (backup->copying == NULL) {
        refuse(backup, "it was given up", "begin it again", error);
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
    }
    free(backup->directory);
    free(backup->path);
    free(backup->unfinished);
    free(backup);
}
