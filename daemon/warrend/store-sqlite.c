/* store-sqlite.c: the store as one SQLite database in WAL mode, warren.db, beside warren.lock, which one daemon at a
 * time holds. Everything is asked on the caller's thread; it knows no world, only rows and bytes.
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "log.h"

#define UNAVAILABLE WARREN__ERROR_CODE__ERROR_UNAVAILABLE

enum {
    APPLICATION_ID = 0x5752656e, /* "WRen": file(1) and we can tell whose database it is */
    SCHEMA_VERSION = 2,
    CHECKED_BYTES = 64 << 20, /* a larger file is not checked as a whole when it is opened: too slow */
    FIRST_GATHERED_BYTES = 4096,
    BUSY_MS = 250 /* patience with someone who reads or copies the file meanwhile */
};

/* AUTOINCREMENT: the number of a deleted world is not given again. The journal is kept in the order of its key, so a
 * world's entries lie together for reading and for trimming. */
static const char schema[] =
    "CREATE TABLE world (id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 4294967295), name TEXT NOT NULL UNIQUE,"
    " mode TEXT NOT NULL, owner TEXT NOT NULL, seed INTEGER NOT NULL, created INTEGER NOT NULL, outcome TEXT,"
    " parked INTEGER NOT NULL, build TEXT NOT NULL DEFAULT '') STRICT;"
    "CREATE TABLE setting (world INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY (world, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE journal (world INTEGER NOT NULL, turn INTEGER NOT NULL, entry BLOB NOT NULL,"
    " hash INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (world, turn)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE snapshot (world INTEGER PRIMARY KEY, turn INTEGER NOT NULL, mode_version TEXT NOT NULL,"
    " build TEXT NOT NULL, state BLOB NOT NULL) STRICT;"
    "CREATE TABLE session (token BLOB PRIMARY KEY, player TEXT NOT NULL, named INTEGER NOT NULL,"
    " watches BLOB NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE score (id INTEGER PRIMARY KEY, mode TEXT NOT NULL, list TEXT NOT NULL, player TEXT NOT NULL,"
    " world INTEGER NOT NULL, value INTEGER NOT NULL, detail TEXT NOT NULL, at INTEGER NOT NULL) STRICT;"
    "CREATE INDEX score_rank ON score (mode, list, value DESC);";

static const char from_version_1[] =
    "BEGIN IMMEDIATE; ALTER TABLE world ADD COLUMN build TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE journal ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE session (token BLOB PRIMARY KEY, player TEXT NOT NULL, named INTEGER NOT NULL,"
    " watches BLOB NOT NULL) STRICT, WITHOUT ROWID; PRAGMA user_version = 2; COMMIT";

typedef enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    LIST_WORLDS,
    LIST_SETTINGS,
    INSERT_WORLD,
    INSERT_SETTING,
    SET_OUTCOME,
    DELETE_WORLD,
    DELETE_SETTINGS,
    DELETE_JOURNAL,
    DELETE_SNAPSHOT,
    HAS_WORLD,
    PUT_SNAPSHOT,
    TRIM_JOURNAL,
    GET_SNAPSHOT,
    READ_JOURNAL,
    APPEND,
    PUT_SCORE,
    SET_BUILD,
    FORGET_TAIL,
    FIRST_TURN,
    PUT_SESSION,
    DELETE_SESSION,
    LIST_SESSIONS,
    STATEMENT_COUNT
} statement;

static const char *const statement_table[STATEMENT_COUNT] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [LIST_WORLDS] = "SELECT id, name, mode, owner, seed, created, outcome, parked,"
                    " max(coalesce((SELECT max(turn) FROM journal WHERE world = id), 0),"
                    " coalesce((SELECT turn FROM snapshot WHERE world = id), 0)), build FROM world ORDER BY id",
    [LIST_SETTINGS] = "SELECT name, value FROM setting WHERE world = ?1 ORDER BY position",
    [INSERT_WORLD] = ("INSERT INTO world (name, mode, owner, seed, created, outcome, parked)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
    [INSERT_SETTING] = "INSERT INTO setting VALUES (?1, ?2, ?3, ?4)",
    [SET_OUTCOME] = "UPDATE world SET outcome = ?2, parked = ?3 WHERE id = ?1",
    [DELETE_WORLD] = "DELETE FROM world WHERE id = ?1",
    [DELETE_SETTINGS] = "DELETE FROM setting WHERE world = ?1",
    [DELETE_JOURNAL] = "DELETE FROM journal WHERE world = ?1",
    [DELETE_SNAPSHOT] = "DELETE FROM snapshot WHERE world = ?1",
    [HAS_WORLD] = "SELECT 1 FROM world WHERE id = ?1",
    [PUT_SNAPSHOT] = "INSERT OR REPLACE INTO snapshot VALUES (?1, ?2, ?3, ?4, ?5)",
    [TRIM_JOURNAL] = "DELETE FROM journal WHERE world = ?1 AND turn <= ?2",
    [GET_SNAPSHOT] = "SELECT turn, mode_version, build, state FROM snapshot WHERE world = ?1",
    [READ_JOURNAL] = "SELECT turn, entry, hash FROM journal WHERE world = ?1 AND turn > ?2 ORDER BY turn",
    /* OR REPLACE: whoever commits again after an error need not know how far the first try came. */
    [APPEND] = "INSERT OR REPLACE INTO journal VALUES (?1, ?2, ?3, ?4)",
    [PUT_SCORE] =
        "INSERT INTO score (mode, list, player, world, value, detail, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SET_BUILD] = "UPDATE world SET build = ?2 WHERE id = ?1",
    [FORGET_TAIL] = "DELETE FROM journal WHERE world = ?1 AND turn > coalesce((SELECT turn FROM snapshot"
                    " WHERE world = ?1), 0)",
    [FIRST_TURN] = "SELECT coalesce(min(turn), 0) FROM journal WHERE world = ?1",
    [PUT_SESSION] = "INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3, ?4)",
    [DELETE_SESSION] = "DELETE FROM session WHERE token = ?1",
    [LIST_SESSIONS] = "SELECT token, player, named, watches FROM session",
};

/* What was gathered. Bytes and strings stand in wn_store.gathered_bytes, from `at`. */
typedef struct gathered_entry {
    uint32_t world; /* 0: of a world that was deleted meanwhile */
    uint64_t turn, hash;
    size_t at, size;
} gathered_entry;

typedef struct gathered_session {
    size_t token_at, player_at, watches_at, watch_count;
    bool named, put; /* !put: delete it */
} gathered_session;

enum { SCORE_TEXTS = 4 }; /* mode, list, player, detail */

typedef struct gathered_score {
    size_t text_at[SCORE_TEXTS];
    uint32_t world;
    int64_t value, when;
} gathered_score;

struct wn_store {
    char *directory, *path;
    int lock_fd;
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    bool keep_history;
    wn_buffer entries, scores, sessions; /* of gathered_entry, of gathered_score, of gathered_session */
    wn_buffer gathered_bytes;
    wn_buffer snapshot;
    wn_buffer setting_texts, settings; /* of the world being listed */
};

/* ----------------------------------------------------------------------------------------------------------- errors */

/* What to do about a result of SQLite's. */
static const struct advice_entry {
    int result;
    Warren__ErrorCode code;
    const char *advice;
} advice_table[] = {
    {SQLITE_FULL, UNAVAILABLE, "free some space there"},
    {SQLITE_IOERR, UNAVAILABLE, "look at the disk and at the system's log"},
    {SQLITE_BUSY, UNAVAILABLE, "another program holds it; try again when it is done"},
    {SQLITE_READONLY, UNAVAILABLE, "make it and its directory writable for the user who runs warrend"},
    {SQLITE_CANTOPEN, UNAVAILABLE, "make it and its directory writable for the user who runs warrend"},
    {SQLITE_CORRUPT, WARREN__ERROR_CODE__ERROR_INTERNAL,
     "it is damaged and was left as it is: put a copy from a backup in its place, or move it away to begin anew"},
    {SQLITE_NOTADB, WARREN__ERROR_CODE__ERROR_INTERNAL,
     "it is damaged or no store and was left as it is: put a copy from a backup in its place, or move it away to begin "
     "anew"},
};

/* "cannot append to DIR/warren.db: disk is full: free some space there" */
static bool fail_sqlite(const wn_store *store, const char *what, wn_error *error)
{
    int result = store->database == NULL ? SQLITE_NOMEM : sqlite3_errcode(store->database) & 0xff;
    int number = store->database == NULL ? 0 : sqlite3_system_errno(store->database);
    Warren__ErrorCode code = WARREN__ERROR_CODE__ERROR_INTERNAL;
    const char *advice = "";
    for (size_t i = 0; i < sizeof advice_table / sizeof *advice_table; i++) {
        if (advice_table[i].result == result) {
            code = advice_table[i].code;
            advice = advice_table[i].advice;
        }
    }
    bool system = number != 0 && (result == SQLITE_IOERR || result == SQLITE_CANTOPEN);
    const char *reason = system                    ? strerror(number)
                         : store->database == NULL ? sqlite3_errstr(result)
                                                   : sqlite3_errmsg(store->database);
    return wn_fail_with(error, code, "", 0, "cannot %s %.200s: %.100s%s%s", what, store->path, reason,
                        advice[0] == '\0' ? "" : ": ", advice);
}

static bool fail_system(const char *what, const char *path, int number, const char *advice, wn_error *error)
{
    return wn_fail_with(error, UNAVAILABLE, "", 0, "cannot %s %.250s: %s: %s", what, path, strerror(number), advice);
}

static bool no_world(uint32_t world, wn_error *error)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0, "there is no world %u in the store",
                        world);
}

/* ------------------------------------------------------------------------------------------------------- statements */

static void bind_number(sqlite3_stmt *query, int index, int64_t number)
{
    sqlite3_bind_int64(query, index, number);
}

/* The text is not copied: it has to live until the statement has run. NULL stays NULL. */
static void bind_text(sqlite3_stmt *query, int index, const char *text)
{
    sqlite3_bind_text(query, index, text, -1, SQLITE_STATIC);
}

static void bind_bytes(sqlite3_stmt *query, int index, const void *bytes, size_t size)
{
    sqlite3_bind_blob64(query, index, size == 0 ? "" : bytes, size, SQLITE_STATIC);
}

/* Runs a bound statement that returns no rows, and makes it ready for the next time. */
static bool run(wn_store *store, statement which)
{
    sqlite3_stmt *query = store->statements[which];
    bool good = sqlite3_step(query) == SQLITE_DONE;
    sqlite3_reset(query);
    return good;
}

static bool run_on_world(wn_store *store, statement which, uint32_t world)
{
    bind_number(store->statements[which], 1, world);
    return run(store, which);
}

/* Ends a transaction: makes it durable if `good`, else undoes it. `error` has to be filled in before. */
static bool end(wn_store *store, bool good, const char *what, wn_error *error)
{
    if (good && run(store, COMMIT))
        return true;
    if (good)
        fail_sqlite(store, what, error);
    if (!sqlite3_get_autocommit(store->database)) /* some errors undo it themselves */
        run(store, ROLLBACK);
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- opening */

static bool make_directory(const char *directory, wn_error *error)
{
    char *path = strdup(directory);
    if (path == NULL)
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory for the store");
    int number = 0;
    for (char *slash = path; slash != NULL && number == 0;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            number = errno == EROFS && access(path, F_OK) == 0 ? 0 : errno;
        if (slash != NULL)
            *slash = '/';
    }
    free(path);
    return number == 0 ||
           fail_system("make the directory", directory, number,
                       "make it by hand for the user who runs warrend, or choose another state_dir", error);
}

static int open_file(const wn_store *store, const char *name, wn_error *error)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", store->directory, name) < 0) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory for the store");
        return -1;
    }
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        fail_system("write", path, errno, "make it writable for the user who runs warrend, or choose another state_dir",
                    error);
    free(path);
    return fd;
}

/* One daemon at a time. The lock goes with the process; the file stays, for who deletes it could delete another's. */
static bool lock(wn_store *store, wn_error *error)
{
    store->lock_fd = open_file(store, "warren.lock", error);
    if (store->lock_fd < 0)
        return false;
    if (flock(store->lock_fd, LOCK_EX | LOCK_NB) == 0) {
        if (ftruncate(store->lock_fd, 0) == 0)
            dprintf(store->lock_fd, "%ld\n", (long)getpid());
        return true; /* the number is only for the sentence below: a full disk must not keep the store closed */
    }
    int number = errno;
    char holder[32] = "";
    ssize_t size = pread(store->lock_fd, holder, sizeof holder - 1, 0);
    holder[size > 0 ? strspn(holder, "0123456789") : 0] = '\0';
    if (number != EWOULDBLOCK)
        return fail_system("lock", store->directory, number, "choose another state_dir", error);
    return wn_fail_with(error, UNAVAILABLE, "", 0,
                        "the store %.250s is in use by another warrend (process %s): stop it, or choose another "
                        "state_dir",
                        store->directory, holder[0] == '\0' ? "unknown" : holder);
}

static bool ask_number(wn_store *store, const char *question, int64_t *answer, wn_error *error)
{
    sqlite3_stmt *query = NULL;
    bool good = sqlite3_prepare_v2(store->database, question, -1, &query, NULL) == SQLITE_OK &&
                sqlite3_step(query) == SQLITE_ROW;
    if (good)
        *answer = sqlite3_column_int64(query, 0);
    else
        fail_sqlite(store, "read", error);
    sqlite3_finalize(query);
    return good;
}

/* Damage that reading meets later is reported then; this finds it before anything is written on top of it. */
static bool check_pages(wn_store *store, wn_error *error)
{
    struct stat status;
    if (stat(store->path, &status) != 0 || status.st_size >= CHECKED_BYTES)
        return true;
    sqlite3_stmt *query = NULL;
    bool good = sqlite3_prepare_v2(store->database, "PRAGMA quick_check(1)", -1, &query, NULL) == SQLITE_OK &&
                sqlite3_step(query) == SQLITE_ROW;
    const char *found = good ? (const char *)sqlite3_column_text(query, 0) : NULL;
    if (found == NULL)
        good = fail_sqlite(store, "read", error);
    else if (strcmp(found, "ok") != 0)
        good = wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0,
                            "the store %.200s is damaged (%.100s) and was left as it is: put a copy from a backup in "
                            "its place, or move it away to begin anew",
                            store->path, found);
    sqlite3_finalize(query);
    return good;
}

/* That the file is ours, and of a version we know. *made: there is nothing in it yet. Writes nothing. */
static bool check_identity(wn_store *store, bool *made, int64_t *found_version, wn_error *error)
{
    int64_t application = 0, version = 0, tables = 0;
    if (!ask_number(store, "PRAGMA application_id", &application, error) ||
        !ask_number(store, "PRAGMA user_version", &version, error) ||
        !ask_number(store, "SELECT count(*) FROM sqlite_schema", &tables, error))
        return false;
    *made = tables == 0 && application == 0 && version == 0; /* also after a crash while it was being made */
    *found_version = version;
    if (*made)
        return true;
    if (application != APPLICATION_ID)
        return wn_fail_with(error, UNAVAILABLE, "", 0,
                            "%.250s is a database, but no store of Warren's: move it away, or choose another state_dir",
                            store->path);
    if (version > SCHEMA_VERSION)
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_VERSION, "", SCHEMA_VERSION,
                            "the store %.250s was written by a newer warrend (format %d; this one knows %d): run that "
                            "one, or choose another state_dir",
                            store->path, (int)version, SCHEMA_VERSION);
    return check_pages(store, error);
}

static bool execute(wn_store *store, const char *sql, const char *what, wn_error *error)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK || fail_sqlite(store, what, error);
}

static bool make_schema(wn_store *store, wn_error *error)
{
    char identity[96];
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION_ID,
             SCHEMA_VERSION);
    bool good = execute(store, "BEGIN IMMEDIATE", "make", error) && execute(store, schema, "make", error) &&
                execute(store, identity, "make", error) && execute(store, "COMMIT", "make", error);
    if (!good && !sqlite3_get_autocommit(store->database))
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return good;
}

static bool prepare_statements(wn_store *store, wn_error *error)
{
    for (size_t i = 0; i < STATEMENT_COUNT; i++)
        if (sqlite3_prepare_v3(store->database, statement_table[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statements[i], NULL) != SQLITE_OK)
            return fail_sqlite(store, "read", error);
    return true;
}

static bool open_database(wn_store *store, wn_durability durability, wn_error *error)
{
    int fd = open_file(store, "warren.db", error); /* with our mode; SQLite's files beside it take theirs from it */
    if (fd < 0)
        return false;
    close(fd);
    if (sqlite3_open_v2(store->path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fail_sqlite(store, "open", error);
    sqlite3_extended_result_codes(store->database, 1);
    sqlite3_busy_timeout(store->database, BUSY_MS);
    /* Until the file is known to be good, closing it must not write to it. */
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    bool made = false;
    int64_t version = 0;
    const char *synchronous =
        durability == WN_DURABILITY_FULL ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
    if (!execute(store, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", "open", error) ||
        !check_identity(store, &made, &version, error) ||
        !execute(store, "PRAGMA journal_mode = WAL", "write", error) || !execute(store, synchronous, "write", error) ||
        (made && !make_schema(store, error)) || (version == 1 && !execute(store, from_version_1, "convert", error)) ||
        !prepare_statements(store, error))
        return false;
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    return true;
}

static void free_store(wn_store *store)
{
    for (size_t i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(store->statements[i]);
    sqlite3_close(store->database);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    wn_buffer *buffers[] = {&store->entries,  &store->scores,        &store->sessions, &store->gathered_bytes,
                            &store->snapshot, &store->setting_texts, &store->settings};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        wn_buffer_free(buffers[i]);
    free(store->path);
    free(store->directory);
    free(store);
}

wn_store *wn_store_open(const wn_store_options *options, char *set_aside, wn_error *error)
{
    const char *directory = options->directory;
    if (set_aside != NULL)
        set_aside[0] = '\0';
    wn_store *store = calloc(1, sizeof *store);
    if (store != NULL) {
        store->lock_fd = -1;
        store->keep_history = options->keep_history;
        wn_buffer_reserve(&store->gathered_bytes, FIRST_GATHERED_BYTES);
        store->directory = strdup(directory);
        if (asprintf(&store->path, "%s/warren.db", directory) < 0)
            store->path = NULL;
    }
    if (store == NULL || store->directory == NULL || store->path == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory for the store");
    } else if (make_directory(directory, error) && lock(store, error) &&
               open_database(store, options->durability, error)) {
        return store;
    }
    if (store != NULL)
        free_store(store);
    return NULL;
}

/* ----------------------------------------------------------------------------------------------------------- worlds */

static const char *column_text(sqlite3_stmt *query, int column)
{
    return (const char *)sqlite3_column_text(query, column);
}

static bool load_settings(wn_store *store, wn_stored_world *world, wn_error *error)
{
    sqlite3_stmt *query = store->statements[LIST_SETTINGS];
    store->setting_texts.size = store->settings.size = 0;
    bind_number(query, 1, world->id);
    int result;
    while ((result = sqlite3_step(query)) == SQLITE_ROW) {
        for (int column = 0; column < 2; column++)
            wn_buffer_append(&store->setting_texts, column_text(query, column),
                             (size_t)sqlite3_column_bytes(query, column) + 1);
        wn_buffer_append(&store->settings, &(wn_stored_setting){0}, sizeof(wn_stored_setting));
    }
    sqlite3_reset(query);
    if (result != SQLITE_DONE)
        return fail_sqlite(store, "read", error);
    /* Only now do the texts stay where they are. */
    wn_stored_setting *settings = (wn_stored_setting *)(void *)store->settings.data;
    const char *text = (const char *)store->setting_texts.data;
    world->settings = settings;
    world->setting_count = store->settings.size / sizeof *settings;
    for (size_t i = 0; i < world->setting_count; i++) {
        settings[i].name = text;
        settings[i].value = settings[i].name + strlen(settings[i].name) + 1;
        text = settings[i].value + strlen(settings[i].value) + 1;
    }
    return true;
}

bool wn_store_list_worlds(wn_store *store, bool (*each)(void *context, const wn_stored_world *world), void *context,
                          wn_error *error)
{
    sqlite3_stmt *query = store->statements[LIST_WORLDS];
    int result;
    bool good = true, more = true;
    while (more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        wn_stored_world world = {
            .id = (uint32_t)sqlite3_column_int64(query, 0),
            .name = column_text(query, 1),
            .mode = column_text(query, 2),
            .owner = column_text(query, 3),
            .seed = (uint64_t)sqlite3_column_int64(query, 4),
            .created = sqlite3_column_int64(query, 5),
            .outcome = column_text(query, 6),
            .parked = sqlite3_column_int(query, 7) != 0,
            .turn = (uint64_t)sqlite3_column_int64(query, 8),
            .build = column_text(query, 9),
        };
        good = load_settings(store, &world, error);
        more = good && each(context, &world);
    }
    if (more && result != SQLITE_DONE)
        good = fail_sqlite(store, "read", error);
    sqlite3_reset(query);
    return good;
}

static bool insert_world(wn_store *store, wn_stored_world *world, wn_error *error)
{
    sqlite3_stmt *query = store->statements[INSERT_WORLD];
    bind_text(query, 1, world->name);
    bind_text(query, 2, world->mode);
    bind_text(query, 3, world->owner);
    bind_number(query, 4, (int64_t)world->seed);
    bind_number(query, 5, world->created);
    bind_text(query, 6, world->outcome);
    bind_number(query, 7, world->parked);
    if (!run(store, INSERT_WORLD)) {
        if (sqlite3_extended_errcode(store->database) == SQLITE_CONSTRAINT_UNIQUE)
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NAME_TAKEN, "name", 0,
                                "there is a world named %.64s: choose another name", world->name);
        return fail_sqlite(store, "write", error);
    }
    world->id = (uint32_t)sqlite3_last_insert_rowid(store->database);
    query = store->statements[INSERT_SETTING];
    for (size_t i = 0; i < world->setting_count; i++) {
        bind_number(query, 1, world->id);
        bind_number(query, 2, (int64_t)i);
        bind_text(query, 3, world->settings[i].name);
        bind_text(query, 4, world->settings[i].value);
        if (!run(store, INSERT_SETTING))
            return fail_sqlite(store, "write", error);
    }
    return true;
}

bool wn_store_create_world(wn_store *store, wn_stored_world *world, wn_error *error)
{
    if (!run(store, BEGIN))
        return fail_sqlite(store, "write", error);
    return end(store, insert_world(store, world, error), "write", error);
}

bool wn_store_set_outcome(wn_store *store, uint32_t world, const char *outcome, bool parked, wn_error *error)
{
    sqlite3_stmt *query = store->statements[SET_OUTCOME];
    bind_number(query, 1, world);
    bind_text(query, 2, outcome);
    bind_number(query, 3, parked);
    if (!run(store, SET_OUTCOME))
        return fail_sqlite(store, "write", error);
    return sqlite3_changes(store->database) == 1 || no_world(world, error);
}

static void forget_gathered(wn_store *store, uint32_t world)
{
    gathered_entry *entries = (gathered_entry *)(void *)store->entries.data;
    for (size_t i = 0; i < store->entries.size / sizeof *entries; i++)
        if (entries[i].world == world)
            entries[i].world = 0;
}

bool wn_store_delete_world(wn_store *store, uint32_t world, wn_error *error)
{
    if (!run(store, BEGIN))
        return fail_sqlite(store, "write", error);
    bool good = run_on_world(store, DELETE_SETTINGS, world) && run_on_world(store, DELETE_JOURNAL, world) &&
                run_on_world(store, DELETE_SNAPSHOT, world) && run_on_world(store, DELETE_WORLD, world);
    if (!good)
        fail_sqlite(store, "write", error);
    else if (sqlite3_changes(store->database) != 1)
        good = no_world(world, error);
    if (!end(store, good, "write", error))
        return false;
    forget_gathered(store, world);
    return true;
}

/* ------------------------------------------------------------------------------------------- snapshots and journals */

static bool has_world(wn_store *store, uint32_t world, wn_error *error)
{
    sqlite3_stmt *query = store->statements[HAS_WORLD];
    bind_number(query, 1, world);
    int result = sqlite3_step(query);
    sqlite3_reset(query);
    if (result == SQLITE_DONE)
        return no_world(world, error);
    return result == SQLITE_ROW || fail_sqlite(store, "read", error);
}

bool wn_store_put_snapshot(wn_store *store, uint32_t world, uint64_t turn, const char *mode_version, const char *build,
                           const void *bytes, size_t size, wn_error *error)
{
    if (!run(store, BEGIN))
        return fail_sqlite(store, "write", error);
    bool good = has_world(store, world, error);
    if (good) {
        sqlite3_stmt *put = store->statements[PUT_SNAPSHOT], *trim = store->statements[TRIM_JOURNAL];
        bind_number(put, 1, world);
        bind_number(put, 2, (int64_t)turn);
        bind_text(put, 3, mode_version);
        bind_text(put, 4, build);
        bind_bytes(put, 5, bytes, size);
        bind_number(trim, 1, world);
        bind_number(trim, 2, (int64_t)turn);
        good = (run(store, PUT_SNAPSHOT) && (store->keep_history || run(store, TRIM_JOURNAL))) ||
               fail_sqlite(store, "write", error);
    }
    return end(store, good, "write", error);
}

bool wn_store_get_snapshot(wn_store *store, uint32_t world, wn_snapshot *snapshot, wn_error *error)
{
    sqlite3_stmt *query = store->statements[GET_SNAPSHOT];
    memset(snapshot, 0, sizeof *snapshot);
    store->snapshot.size = 0;
    bind_number(query, 1, world);
    int result = sqlite3_step(query);
    if (result == SQLITE_ROW) {
        snapshot->turn = (uint64_t)sqlite3_column_int64(query, 0);
        snprintf(snapshot->mode_version, sizeof snapshot->mode_version, "%s", column_text(query, 1));
        snprintf(snapshot->build, sizeof snapshot->build, "%s", column_text(query, 2));
        /* Copied, because a row that is held keeps the write-ahead log from being emptied. */
        const void *state = sqlite3_column_blob(query, 3);
        wn_buffer_append(&store->snapshot, state, (size_t)sqlite3_column_bytes(query, 3));
        snapshot->bytes = store->snapshot.data;
        snapshot->size = store->snapshot.size;
    }
    sqlite3_reset(query);
    return result == SQLITE_ROW || result == SQLITE_DONE || fail_sqlite(store, "read", error);
}

bool wn_store_set_build(wn_store *store, uint32_t world, const char *build, wn_error *error)
{
    bind_number(store->statements[SET_BUILD], 1, world);
    bind_text(store->statements[SET_BUILD], 2, build);
    if (!run(store, SET_BUILD))
        return fail_sqlite(store, "write", error);
    return sqlite3_changes(store->database) == 1 || no_world(world, error);
}

bool wn_store_forget_tail(wn_store *store, uint32_t world, wn_error *error)
{
    if (!run_on_world(store, FORGET_TAIL, world))
        return fail_sqlite(store, "write", error);
    forget_gathered(store, world);
    return true;
}

bool wn_store_first_turn(wn_store *store, uint32_t world, uint64_t *turn, wn_error *error)
{
    sqlite3_stmt *query = store->statements[FIRST_TURN];
    bind_number(query, 1, world);
    bool good = sqlite3_step(query) == SQLITE_ROW;
    if (good)
        *turn = (uint64_t)sqlite3_column_int64(query, 0);
    else
        fail_sqlite(store, "read", error);
    sqlite3_reset(query);
    return good;
}

bool wn_store_list_sessions(wn_store *store, bool (*each)(void *context, const wn_stored_session *session),
                            void *context, wn_error *error)
{
    sqlite3_stmt *query = store->statements[LIST_SESSIONS];
    int result;
    bool more = true;
    while (more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        const wn_stored_session session = {
            .token = sqlite3_column_blob(query, 0),
            .player = column_text(query, 1),
            .named = sqlite3_column_int(query, 2) != 0,
            .watches = sqlite3_column_blob(query, 3),
            .watch_count = (size_t)sqlite3_column_bytes(query, 3) / sizeof(uint32_t),
        };
        more = each(context, &session);
    }
    bool good = !more || result == SQLITE_DONE || fail_sqlite(store, "read", error);
    sqlite3_reset(query);
    return good;
}

bool wn_store_read_journal(wn_store *store, uint32_t world, uint64_t after, wn_entry_function *each, void *context,
                           wn_error *error)
{
    sqlite3_stmt *query = store->statements[READ_JOURNAL];
    bind_number(query, 1, world);
    bind_number(query, 2, (int64_t)after);
    int result;
    bool more = true;
    while (more && (result = sqlite3_step(query)) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(query, 1);
        more = each(context, (uint64_t)sqlite3_column_int64(query, 0), bytes, (size_t)sqlite3_column_bytes(query, 1),
                    (uint64_t)sqlite3_column_int64(query, 2));
    }
    bool good = !more || result == SQLITE_DONE || fail_sqlite(store, "read", error);
    sqlite3_reset(query);
    return good;
}

/* -------------------------------------------------------------------------------------------- gathering, committing */

static size_t gather_bytes(wn_store *store, const void *bytes, size_t size)
{
    size_t at = store->gathered_bytes.size;
    wn_buffer_append(&store->gathered_bytes, bytes, size);
    return at;
}

void wn_store_put_session(wn_store *store, const wn_stored_session *session)
{
    gathered_session gathered = {
        .put = true,
        .named = session->named,
        .token_at = gather_bytes(store, session->token, WN_KEY_BYTES),
        .player_at = gather_bytes(store, session->player, strlen(session->player) + 1),
        .watches_at = gather_bytes(store, session->watches, session->watch_count * sizeof *session->watches),
        .watch_count = session->watch_count,
    };
    wn_buffer_append(&store->sessions, &gathered, sizeof gathered);
}

void wn_store_delete_session(wn_store *store, const uint8_t *token)
{
    gathered_session gathered = {.token_at = gather_bytes(store, token, WN_KEY_BYTES)};
    wn_buffer_append(&store->sessions, &gathered, sizeof gathered);
}

static bool write_sessions(wn_store *store)
{
    const gathered_session *sessions = (const gathered_session *)(const void *)store->sessions.data;
    const uint8_t *bytes = store->gathered_bytes.data;
    bool good = true;
    for (size_t i = 0; good && i < store->sessions.size / sizeof *sessions; i++) {
        statement which = sessions[i].put ? PUT_SESSION : DELETE_SESSION;
        bind_bytes(store->statements[which], 1, bytes + sessions[i].token_at, WN_KEY_BYTES);
        if (sessions[i].put) {
            bind_text(store->statements[which], 2, (const char *)bytes + sessions[i].player_at);
            bind_number(store->statements[which], 3, sessions[i].named);
            bind_bytes(store->statements[which], 4, bytes + sessions[i].watches_at,
                       sessions[i].watch_count * sizeof(uint32_t));
        }
        good = run(store, which);
    }
    return good;
}

void wn_store_append(wn_store *store, uint32_t world, uint64_t turn, const void *bytes, size_t size, uint64_t hash)
{
    gathered_entry entry = {.world = world, .turn = turn, .hash = hash, .at = store->gathered_bytes.size, .size = size};
    wn_buffer_append(&store->gathered_bytes, bytes, size);
    wn_buffer_append(&store->entries, &entry, sizeof entry);
}

void wn_store_put_score(wn_store *store, const char *mode, const char *table, const char *player, uint32_t world,
                        int64_t value, const char *detail, int64_t when)
{
    gathered_score score = {.world = world, .value = value, .when = when};
    const char *texts[SCORE_TEXTS] = {mode, table, player, detail};
    for (size_t i = 0; i < SCORE_TEXTS; i++) {
        score.text_at[i] = store->gathered_bytes.size;
        wn_buffer_append(&store->gathered_bytes, texts[i] == NULL ? "" : texts[i],
                         texts[i] == NULL ? 1 : strlen(texts[i]) + 1);
    }
    wn_buffer_append(&store->scores, &score, sizeof score);
}

size_t wn_store_gathered(const wn_store *store)
{
    return store->entries.size / sizeof(gathered_entry) + store->scores.size / sizeof(gathered_score) +
           store->sessions.size / sizeof(gathered_session);
}

static bool insert_entries(wn_store *store)
{
    sqlite3_stmt *query = store->statements[APPEND];
    const gathered_entry *entries = (const gathered_entry *)(const void *)store->entries.data;
    bool good = true;
    for (size_t i = 0; good && i < store->entries.size / sizeof *entries; i++) {
        if (entries[i].world == 0)
            continue;
        bind_number(query, 1, entries[i].world);
        bind_number(query, 2, (int64_t)entries[i].turn);
        bind_bytes(query, 3, store->gathered_bytes.data + entries[i].at, entries[i].size);
        bind_number(query, 4, (int64_t)entries[i].hash);
        good = run(store, APPEND);
    }
    return good;
}

static bool insert_scores(wn_store *store)
{
    sqlite3_stmt *query = store->statements[PUT_SCORE];
    const gathered_score *scores = (const gathered_score *)(const void *)store->scores.data;
    const char *texts = (const char *)store->gathered_bytes.data;
    bool good = true;
    for (size_t i = 0; good && i < store->scores.size / sizeof *scores; i++) {
        bind_text(query, 1, texts + scores[i].text_at[0]);
        bind_text(query, 2, texts + scores[i].text_at[1]);
        bind_text(query, 3, texts + scores[i].text_at[2]);
        bind_number(query, 4, scores[i].world);
        bind_number(query, 5, scores[i].value);
        bind_text(query, 6, texts + scores[i].text_at[3]);
        bind_number(query, 7, scores[i].when);
        good = run(store, PUT_SCORE);
    }
    return good;
}

static bool commit_gathered(wn_store *store, wn_error *error)
{
    static const char what[] = "write what was played to";
    if (wn_store_gathered(store) == 0)
        return true;
    if (!run(store, BEGIN))
        return fail_sqlite(store, what, error);
    bool good =
        (insert_entries(store) && insert_scores(store) && write_sessions(store)) || fail_sqlite(store, what, error);
    if (!end(store, good, what, error))
        return false;
    store->entries.size = store->scores.size = store->sessions.size = store->gathered_bytes.size = 0;
    return true;
}

void wn_store_commit(wn_store *store, wn_store_done *done, void *context)
{
    wn_error error = {0};
    bool good = commit_gathered(store, &error);
    done(context, good ? NULL : &error);
}

void wn_store_close(wn_store *store)
{
    if (store == NULL)
        return;
    wn_error error = {0};
    if (!commit_gathered(store, &error))
        wn_log_line(WN_LEVEL_ERROR, "store", "%s lost=%zu", error.text, wn_store_gathered(store));
    free_store(store);
}

/* ----------------------------------------------------------------------------------------------------------- backups
 */

struct wn_backup {
    char *path;
    sqlite3 *copy;
    sqlite3_backup *backup;
    bool done;
};

wn_backup *wn_backup_begin(wn_store *store, const char *directory, wn_error *error)
{
    wn_backup *backup = calloc(1, sizeof *backup);
    if (backup != NULL && asprintf(&backup->path, "%s/warren.db", directory) < 0)
        backup->path = NULL;
    if (backup == NULL || backup->path == NULL) {
        free(backup);
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "", 0, "no memory for the copy");
        return NULL;
    }
    int fd = -1;
    if (make_directory(directory, error)) {
        fd = open(backup->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0)
            fail_system("write", backup->path, errno, "choose another directory", error);
    }
    if (fd < 0) {
        backup->done = true; /* what is there is not ours to remove */
        wn_backup_free(backup);
        return NULL;
    }
    close(fd);
    if (sqlite3_open(backup->path, &backup->copy) != SQLITE_OK ||
        (backup->backup = sqlite3_backup_init(backup->copy, "main", store->database, "main")) == NULL) {
        wn_fail_with(error, UNAVAILABLE, "", 0, "cannot write %.250s: %.200s", backup->path,
                     sqlite3_errmsg(backup->copy));
        wn_backup_free(backup);
        return NULL;
    }
    return backup;
}

wn_backup_state wn_backup_step(wn_backup *backup, int pages, wn_error *error)
{
    int result = sqlite3_backup_step(backup->backup, pages);
    if (result == SQLITE_OK)
        return WN_BACKUP_MORE;
    backup->done = result == SQLITE_DONE;
    if (backup->done)
        return WN_BACKUP_DONE;
    wn_fail_with(error, UNAVAILABLE, "", 0, "cannot write %.250s: %s", backup->path, sqlite3_errstr(result));
    return WN_BACKUP_FAILED;
}

void wn_backup_free(wn_backup *backup)
{
    if (backup == NULL)
        return;
    sqlite3_backup_finish(backup->backup);
    sqlite3_close(backup->copy);
    if (!backup->done)
        unlink(backup->path);
    free(backup->path);
    free(backup);
}
