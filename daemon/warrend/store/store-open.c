/* store-open.c: opens, checks and closes the store: one SQLite database in WAL mode, warren.db, beside warren.lock.
 * What is damaged is found here or, later, by whoever reads it; only here it is set aside.
 */
#include "store/store-internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"

enum {
    CHECKED_BYTES = 64 << 20, /* a larger file is not checked as a whole when it is opened: too slow */
    FIRST_GATHERED_BYTES = 4096,
    BUSY_MS = 250 /* patience with someone who reads or copies the file meanwhile */
};

/* Damage that reading meets later is reported then; this finds it before anything is written on top of it. */
static bool check_pages(wn_store *store, wn_error *error)
{
    struct stat status;
    if (stat(store->path, &status) != 0 || status.st_size >= CHECKED_BYTES) {
        return true;
    }
    sqlite3_stmt *query = NULL;
    bool good = sqlite3_prepare_v2(store->database, "PRAGMA quick_check(1)", -1, &query, NULL) == SQLITE_OK &&
                sqlite3_step(query) == SQLITE_ROW;
    const char *found = good ? wn_sql_column_text(query, 0) : NULL;
    if (found == NULL) {
        good = wn_sql_fail(store, "read", error);
    } else if (strcmp(found, "ok") != 0) {
        good = wn_store_fail_damaged(store, found, error);
    }
    sqlite3_finalize(query);
    return good;
}

/* That the file is ours, and of a version we know; 0: there is nothing in it yet. Writes nothing. */
static bool check_identity(wn_store *store, int64_t *version, wn_error *error)
{
    int64_t application = 0, tables = 0;
    if (!wn_sql_ask(store, "PRAGMA application_id", &application, error) ||
        !wn_sql_ask(store, "PRAGMA user_version", version, error) ||
        !wn_sql_ask(store, "SELECT count(*) FROM sqlite_schema", &tables, error)) {
        return false;
    }
    if (tables == 0 && application == 0 && *version == 0) { /* also after a crash while it was being made */
        return true;
    }
    if (application != WN_STORE_APPLICATION) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "", 0,
                            "%.250s is a database, but no store of Warren's: move it away, or choose another state_dir",
                            store->path);
    }
    if (*version > WN_STORE_VERSION) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_VERSION, "", WN_STORE_VERSION,
                            "the store %.250s was written by a newer warrend (format %d; this one knows %d): run that "
                            "one, or choose another state_dir",
                            store->path, (int)*version, WN_STORE_VERSION);
    }
    if (*version < 1 || tables == 0) {
        return wn_store_fail_damaged(store, "its tables are missing", error);
    }
    return check_pages(store, error);
}

/* In rollback mode, so that from its first byte the file itself says whose it is, and not only the log beside it. */
static bool make_tables(wn_store *store, wn_error *error)
{
    char identity[96];
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %d;", WN_STORE_APPLICATION,
             WN_STORE_VERSION);
    bool good = wn_sql_execute(store, "BEGIN IMMEDIATE", "make", error) &&
                wn_sql_execute(store, wn_sql_schema, "make", error) && wn_sql_execute(store, identity, "make", error) &&
                wn_sql_execute(store, "COMMIT", "make", error);
    if (!good && !sqlite3_get_autocommit(store->database)) {
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    }
    return good;
}

static void close_database(wn_store *store)
{
    wn_journal_free(store);
    wn_sql_finalize(store);
    wn_checkpoint_close(store);
    sqlite3_close(store->database);
    store->database = NULL;
}

static bool open_database(wn_store *store, wn_durability durability, wn_error *error)
{
    /* No memory-mapped reading: a file that is cut off meanwhile must give an error, not a signal. */
    static const char before[] = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
                                 "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192;"
                                 "PRAGMA journal_size_limit = 33554432";
    const char *synchronous =
        durability == WN_DURABILITY_FULL ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
    if (sqlite3_open_v2(store->path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK) {
        return wn_sql_fail(store, "open", error);
    }
    sqlite3_extended_result_codes(store->database, 1);
    sqlite3_busy_timeout(store->database, BUSY_MS);
    /* Until the file is known to be good, closing it must not write to it. */
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    int64_t version = 0;
    if (!wn_sql_execute(store, before, "open", error) || !check_identity(store, &version, error) ||
        (version == 0 && !make_tables(store, error)) ||
        !wn_sql_execute(store, "PRAGMA journal_mode = WAL", "write", error) ||
        !wn_sql_execute(store, synchronous, "write", error) ||
        (version > 0 && version < WN_STORE_VERSION && !wn_store_upgrade(store, version, error)) ||
        !wn_sql_prepare(store, error) || !wn_journal_load(store, error) || !wn_store_fold_scores(store, error)) {
        return false;
    }
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    wn_checkpoint_open(store);
    return true;
}

/* A file that is ours and damaged makes way for a new one. */
static bool open_file(wn_store *store, wn_durability durability, char *set_aside, wn_error *error)
{
    if (!wn_store_find_file(store, set_aside, error)) {
        return false;
    }
    if (open_database(store, durability, error)) {
        return true;
    }
    close_database(store);
    if (!store->damaged || !store->ours) {
        return false;
    }
    store->damaged = false;
    return wn_store_set_aside(store, set_aside, error) && wn_store_find_file(store, NULL, error) &&
           open_database(store, durability, error);
}

static void free_store(wn_store *store)
{
    wn_buffer *buffers[] = {&store->batch,    &store->sessions, &store->scores,        &store->texts,
                            &store->snapshot, &store->claims,   &store->setting_texts, &store->settings,
                            &store->watches,  &store->settling, &store->score_counts};
    close_database(store);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        wn_buffer_free(buffers[i]);
    }
    wn_store_unlock(store);
    free(store->path);
    free(store->directory);
    free(store);
}

wn_store *wn_store_open(const wn_store_options *options, char *set_aside, wn_error *error)
{
    static const char advice[] = "make it by hand for the user who runs warrend, or choose another state_dir";
    wn_store *store = calloc(1, sizeof *store);
    int number = 0;
    if (set_aside != NULL) {
        set_aside[0] = '\0';
    }
    if (store != NULL) {
        store->lock_fd = store->log_fd = -1;
        store->keep_history = options->keep_history;
        store->most_scores = options->scores;
        wn_buffer_reserve(&store->batch, FIRST_GATHERED_BYTES);
        store->directory = strdup(options->directory);
        if (asprintf(&store->path, "%s/warren.db", options->directory) < 0) {
            store->path = NULL;
        }
    }
    if (store == NULL || store->directory == NULL || store->path == NULL) {
        wn_store_fail_memory(error);
    } else if ((number = wn_store_make_directory(store->directory)) != 0) {
        wn_store_fail_at("make the directory", store->directory, number, advice, error);
    } else if (wn_store_lock(store, error) && open_file(store, options->durability, set_aside, error)) {
        return store;
    }
    if (store != NULL) {
        free_store(store);
    }
    return NULL;
}

void wn_store_close(wn_store *store)
{
    if (store == NULL) {
        return;
    }
    wn_error error = {0};
    if (!wn_store_commit_gathered(store, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "%s lost=%zu", error.text, wn_store_gathered(store));
    }
    wn_backup_abandon(store->backup);
    free_store(store);
}
