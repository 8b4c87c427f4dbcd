/* store-sql.c: the schema, every statement that the store runs, and the sentences for what SQLite says. It knows no
 * world, only rows and bytes.
 */
#include "store/store-internal.h"

#include <string.h>

#define UNAVAILABLE WARREN__ERROR_CODE__ERROR_UNAVAILABLE
#define INTERNAL    WARREN__ERROR_CODE__ERROR_INTERNAL

/* AUTOINCREMENT: the number of a deleted world is not given again. What batches and chunks are: store-journal.c. */
#define JOURNAL_TABLES                                                                                                 \
    "CREATE TABLE batch (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT;"                                       \
    "CREATE TABLE journal (world INTEGER NOT NULL, turn INTEGER NOT NULL, last INTEGER NOT NULL,"                      \
    " entries BLOB NOT NULL, PRIMARY KEY (world, turn)) STRICT, WITHOUT ROWID;"
/* `at`: when the name was used last, to the day. `rule` has rights and bans. */
#define ACCESS_TABLES                                                                                                  \
    "CREATE TABLE claim (name TEXT PRIMARY KEY, identity TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;"   \
    "CREATE TABLE rule (subject TEXT NOT NULL, role TEXT NOT NULL, world INTEGER NOT NULL, reason TEXT NOT NULL,"      \
    " author TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (subject, role, world)) STRICT,"  \
    " WITHOUT ROWID;"
/* `named` has two bits: it asked for a name, it is a bot of ours. See store-commit.c. */
#define SESSION_TABLE                                                                                                  \
    "CREATE TABLE session (token BLOB PRIMARY KEY, player TEXT NOT NULL, named INTEGER NOT NULL,"                      \
    " watches BLOB NOT NULL) STRICT, WITHOUT ROWID;"
#define IDENTITY_COLUMN "ALTER TABLE session ADD COLUMN identity TEXT NOT NULL DEFAULT '';"

/* What a player was given in a list of a mode's, in one world: as much as any way of counting needs, and no more with
 * the thousandth score than with the first. */
#define SCORE_TABLE                                                                                                    \
    "CREATE TABLE score (mode TEXT NOT NULL, list TEXT NOT NULL, player TEXT NOT NULL, world INTEGER NOT NULL,"        \
    " highest INTEGER NOT NULL, highest_detail TEXT NOT NULL, lowest INTEGER NOT NULL, lowest_detail TEXT NOT NULL,"   \
    " newest INTEGER NOT NULL, newest_detail TEXT NOT NULL, total INTEGER NOT NULL, count INTEGER NOT NULL,"           \
    " at INTEGER NOT NULL, PRIMARY KEY (mode, list, player, world)) STRICT, WITHOUT ROWID;"

/* The scores of worlds that were closed stand in one row, with the world 0. `worlds` is how many worlds a row is about,
 * `ratings` the sum of their newest values. */
#define SCORE_COLUMNS                                                                                                  \
    "ALTER TABLE score ADD COLUMN worlds INTEGER NOT NULL DEFAULT 1;"                                                  \
    "ALTER TABLE score ADD COLUMN ratings INTEGER NOT NULL DEFAULT 0;"                                                 \
    "UPDATE score SET ratings = newest;"                                                                               \
    "CREATE INDEX score_world ON score (world);"

const char wn_sql_schema[] =
    "CREATE TABLE world (id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 4294967295), name TEXT NOT NULL UNIQUE,"
    " mode TEXT NOT NULL, owner TEXT NOT NULL, seed INTEGER NOT NULL, created INTEGER NOT NULL, outcome TEXT,"
    " parked INTEGER NOT NULL, build TEXT NOT NULL DEFAULT '', settled INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE TABLE setting (world INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    " file TEXT NOT NULL DEFAULT '', PRIMARY KEY (world, position)) STRICT, WITHOUT ROWID;" JOURNAL_TABLES
    "CREATE TABLE snapshot (world INTEGER PRIMARY KEY, turn INTEGER NOT NULL, mode_version TEXT NOT NULL,"
    " build TEXT NOT NULL, state BLOB NOT NULL) STRICT;" SESSION_TABLE SCORE_TABLE ACCESS_TABLES IDENTITY_COLUMN
        SCORE_COLUMNS;

/* From version 1, whose journal had a row for each entry. Between the two its rows become chunks. Its build is that of
 * the snapshot which the entries follow: nothing else is known. */
const char wn_sql_upgrade_before[] =
    "ALTER TABLE journal RENAME TO journal_1;"
    "ALTER TABLE world ADD COLUMN build TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE world ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;"
    "UPDATE world SET build = coalesce((SELECT build FROM snapshot WHERE world = id), '');" JOURNAL_TABLES
        SESSION_TABLE;
const char wn_sql_upgrade_after[] = "DROP TABLE journal_1;";

/* Version 2 had a row for each score, and knew no files. */
const char wn_sql_upgrade_2[] =
    "ALTER TABLE setting ADD COLUMN file TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE score RENAME TO score_2;" SCORE_TABLE
    "INSERT INTO score SELECT mode, list, player, world, max(value), '', min(value), '',"
    " max(iif(age = 1, value, NULL)), '', CAST(total(value) AS INTEGER), count(*), max(at) FROM"
    " (SELECT *, row_number() OVER (PARTITION BY mode, list, player, world ORDER BY id DESC) AS age FROM score_2)"
    " GROUP BY mode, list, player, world;"
    "DROP TABLE score_2;";

/* Version 3 knew nobody by more than a name. */
const char wn_sql_upgrade_3[] = ACCESS_TABLES IDENTITY_COLUMN;

/* Version 4 kept a row for each world that ever was. Whoever opens it next makes one of those that are closed. */
const char wn_sql_upgrade_4[] = SCORE_COLUMNS;

#define FOLD_SCORES(which)                                                                                             \
    "INSERT INTO score SELECT mode, list, player, 0, highest, highest_detail, lowest, lowest_detail, newest,"          \
    " newest_detail, total, count, at, worlds, ratings FROM score WHERE " which " ORDER BY at"                         \
    " ON CONFLICT DO UPDATE SET"                                                                                       \
    " highest = max(highest, excluded.highest),"                                                                       \
    " highest_detail = iif(excluded.highest > highest, excluded.highest_detail, highest_detail),"                      \
    " lowest = min(lowest, excluded.lowest),"                                                                          \
    " lowest_detail = iif(excluded.lowest < lowest, excluded.lowest_detail, lowest_detail),"                           \
    " newest = iif(excluded.at < at, newest, excluded.newest),"                                                        \
    " newest_detail = iif(excluded.at < at, newest_detail, excluded.newest_detail),"                                   \
    " total = iif(typeof(total + excluded.total) = 'integer', total + excluded.total,"                                 \
    " iif(total > 0, 9223372036854775807, -9223372036854775808)),"                                                     \
    " count = count + excluded.count, at = max(at, excluded.at), worlds = worlds + excluded.worlds,"                   \
    " ratings = iif(typeof(ratings + excluded.ratings) = 'integer', ratings + excluded.ratings, ratings)"
#define OF_CLOSED_WORLDS "world != 0 AND world NOT IN (SELECT id FROM world)"

static const char *const statement_table[WN_STATEMENT_COUNT] = {
    [WN_SQL_BEGIN] = "BEGIN IMMEDIATE",
    [WN_SQL_COMMIT] = "COMMIT",
    [WN_SQL_ROLLBACK] = "ROLLBACK",
    [WN_SQL_LIST_WORLDS] = "SELECT id, name, mode, owner, seed, created, outcome, parked, build FROM world ORDER BY id",
    [WN_SQL_LIST_SETTINGS] = "SELECT name, value, file FROM setting WHERE world = ?1 ORDER BY position",
    [WN_SQL_INSERT_WORLD] = ("INSERT INTO world (name, mode, owner, seed, created, outcome, parked, build)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
    [WN_SQL_INSERT_SETTING] = "INSERT INTO setting VALUES (?1, ?2, ?3, ?4, ?5)",
    [WN_SQL_CHANGE_SETTING] = "UPDATE setting SET value = ?3 WHERE world = ?1 AND name = ?2",
    [WN_SQL_ADD_SETTING] = ("INSERT INTO setting SELECT ?1, coalesce(max(position), -1) + 1, ?2, ?3, '' FROM setting"
                            " WHERE world = ?1"),
    [WN_SQL_SET_OUTCOME] = "UPDATE world SET outcome = ?2, parked = ?3 WHERE id = ?1",
    [WN_SQL_SET_BUILD] = "UPDATE world SET build = ?2 WHERE id = ?1",
    [WN_SQL_DELETE_WORLD] = "DELETE FROM world WHERE id = ?1",
    [WN_SQL_DELETE_SETTINGS] = "DELETE FROM setting WHERE world = ?1",
    [WN_SQL_DELETE_CHUNKS] = "DELETE FROM journal WHERE world = ?1",
    [WN_SQL_DELETE_SNAPSHOT] = "DELETE FROM snapshot WHERE world = ?1",
    [WN_SQL_PUT_SNAPSHOT] = "INSERT OR REPLACE INTO snapshot VALUES (?1, ?2, ?3, ?4, ?5)",
    [WN_SQL_GET_SNAPSHOT] = "SELECT turn, mode_version, build, state FROM snapshot WHERE world = ?1",
    [WN_SQL_LIST_PLACES] = ("SELECT id, settled,"
                            " coalesce((SELECT last FROM journal WHERE world = id ORDER BY turn DESC LIMIT 1), 0),"
                            " coalesce((SELECT turn FROM snapshot WHERE world = id), 0) FROM world ORDER BY id"),
    [WN_SQL_LIST_BATCHES] = "SELECT id, entries FROM batch ORDER BY id",
    [WN_SQL_PUT_BATCH] = "INSERT INTO batch VALUES (?1, ?2)",
    [WN_SQL_DELETE_BATCHES] = "DELETE FROM batch WHERE id < ?1",
    [WN_SQL_SETTLE] = "UPDATE world SET settled = ?2 WHERE id = ?1",
    [WN_SQL_PUT_CHUNK] = "INSERT INTO journal VALUES (?1, ?2, ?3, ?4)",
    [WN_SQL_DELETE_CHUNK] = "DELETE FROM journal WHERE world = ?1 AND turn = ?2",
    /* From the chunk that has the turn after ?2, or would. */
    [WN_SQL_READ_CHUNKS] = ("SELECT entries FROM journal WHERE world = ?1 AND turn >="
                            " coalesce((SELECT max(turn) FROM journal WHERE world = ?1 AND turn <= ?2), 0)"
                            " ORDER BY turn"),
    /* The one that has entries up to ?2 and after it. */
    [WN_SQL_FIND_CHUNK] = "SELECT turn, entries FROM journal WHERE world = ?1 AND turn <= ?2 AND last > ?2",
    [WN_SQL_TRIM_CHUNKS] = "DELETE FROM journal WHERE world = ?1 AND turn <= ?2 AND last <= ?2",
    [WN_SQL_FORGET_CHUNKS] = "DELETE FROM journal WHERE world = ?1 AND turn > ?2",
    [WN_SQL_FIRST_TURN] = "SELECT coalesce(min(turn), 0) FROM journal WHERE world = ?1",
    [WN_SQL_PUT_SESSION] = "INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3, ?4, ?5)",
    [WN_SQL_DELETE_SESSION] = "DELETE FROM session WHERE token = ?1",
    [WN_SQL_LIST_SESSIONS] = "SELECT token, player, named, watches, identity FROM session",
    [WN_SQL_PUT_CLAIM] = "INSERT OR REPLACE INTO claim VALUES (?1, ?2, ?3)",
    [WN_SQL_DELETE_CLAIM] = "DELETE FROM claim WHERE name = ?1",
    [WN_SQL_LIST_CLAIMS] = "SELECT name, identity, at FROM claim ORDER BY at, name",
    [WN_SQL_PUT_RULE] = "INSERT OR REPLACE INTO rule VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [WN_SQL_DELETE_RULE] = "DELETE FROM rule WHERE subject = ?1 AND role = ?2 AND world = ?3",
    [WN_SQL_DELETE_OLD_RULES] = "DELETE FROM rule WHERE until != 0 AND until <= ?1",
    [WN_SQL_DELETE_RULES_OF_WORLD] = "DELETE FROM rule WHERE world = ?1",
    [WN_SQL_LIST_RULES] = "SELECT subject, role, world, reason, author, at, until FROM rule ORDER BY at",
    /* A total beyond 64 bits is the last that there is. */
    [WN_SQL_ADD_TO_SCORE] =
        ("UPDATE score SET highest = max(highest, ?5), highest_detail = iif(?5 > highest, ?6, highest_detail),"
         " lowest = min(lowest, ?5), lowest_detail = iif(?5 < lowest, ?6, lowest_detail),"
         " newest = ?5, newest_detail = ?6, ratings = ?5,"
         " total = iif(typeof(total + ?5) = 'integer', total + ?5,"
         " iif(?5 > 0, 9223372036854775807, -9223372036854775808)),"
         " count = count + 1, at = ?7 WHERE mode = ?1 AND list = ?2 AND player = ?3 AND world = ?4"),
    [WN_SQL_PUT_SCORE] = "INSERT INTO score VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?5, ?6, ?5, ?6, ?5, 1, ?7, 1, ?5)",
    [WN_SQL_COUNT_SCORES] = "SELECT count(*) FROM score WHERE mode = ?1",
    [WN_SQL_GIVE_UP_SCORES] = ("DELETE FROM score WHERE (mode, list, player, world) IN"
                               " (SELECT mode, list, player, world FROM score WHERE mode = ?1 AND"
                               " (at < ?2 OR player NOT IN (SELECT name FROM claim)) ORDER BY at LIMIT ?3)"),
    [WN_SQL_LIST_SCORES] = ("SELECT list, player, highest, highest_detail, lowest, lowest_detail, newest,"
                            " newest_detail, total, count, worlds, ratings FROM score"
                            " WHERE mode = ?1 AND (?2 = 0 OR world = ?2) AND (?3 IS NULL OR player = ?3)"
                            " ORDER BY list, player, at LIMIT ?4"),
    [WN_SQL_FOLD_SCORES] = FOLD_SCORES("world = ?1"),
    [WN_SQL_DELETE_FOLDED] = "DELETE FROM score WHERE world = ?1",
    [WN_SQL_FOLD_CLOSED] = FOLD_SCORES(OF_CLOSED_WORLDS),
    [WN_SQL_DELETE_CLOSED] = "DELETE FROM score WHERE " OF_CLOSED_WORLDS,
};

/* errors */

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
    {SQLITE_CORRUPT, INTERNAL, "it is damaged; stop warrend, and put a copy from a backup in its place"},
    {SQLITE_NOTADB, INTERNAL, "it is damaged; stop warrend, and put a copy from a backup in its place"},
};

bool wn_sql_fail_at(int result, int number, const char *reason, const char *what, const char *path, wn_error *error)
{
    Warren__ErrorCode code = INTERNAL;
    const char *advice = "";
    result &= 0xff;
    for (size_t i = 0; i < sizeof advice_table / sizeof *advice_table; i++) {
        if (advice_table[i].result == result) {
            code = advice_table[i].code;
            advice = advice_table[i].advice;
        }
    }
    if (number != 0 && (result == SQLITE_IOERR || result == SQLITE_CANTOPEN)) {
        reason = strerror(number);
    }
    return wn_fail_with(error, code, "", 0, "cannot %s %.200s: %.100s%s%s", what, path, reason,
                        advice[0] == '\0' ? "" : ": ", advice);
}

bool wn_sql_fail(wn_store *store, const char *what, wn_error *error)
{
    if (store->database == NULL) {
        return wn_store_fail_memory(error);
    }
    int result = sqlite3_errcode(store->database) & 0xff;
    store->damaged = store->damaged || result == SQLITE_CORRUPT || result == SQLITE_NOTADB;
    return wn_sql_fail_at(result, sqlite3_system_errno(store->database), sqlite3_errmsg(store->database), what,
                          store->path, error);
}

bool wn_store_fail_at(const char *what, const char *path, int number, const char *advice, wn_error *error)
{
    return wn_fail_with(error, UNAVAILABLE, "", 0, "cannot %s %.250s: %s: %s", what, path, strerror(number), advice);
}

bool wn_store_fail_damaged(wn_store *store, const char *found, wn_error *error)
{
    store->damaged = true;
    return wn_fail_with(error, INTERNAL, "", 0,
                        "the store %.200s is damaged (%.100s): stop warrend, and put a copy from a backup in its place",
                        store->path, found);
}

bool wn_store_fail_memory(wn_error *error)
{
    return wn_fail_with(error, INTERNAL, "", 0, "no memory for the store");
}

/* statements */

bool wn_sql_prepare(wn_store *store, wn_error *error)
{
    for (size_t i = 0; i < WN_STATEMENT_COUNT; i++) {
        if (sqlite3_prepare_v3(store->database, statement_table[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statements[i], NULL) != SQLITE_OK) {
            return wn_sql_fail(store, "read", error);
        }
    }
    return true;
}

void wn_sql_finalize(wn_store *store)
{
    for (size_t i = 0; i < WN_STATEMENT_COUNT; i++) {
        sqlite3_finalize(store->statements[i]);
        store->statements[i] = NULL;
    }
}

sqlite3_stmt *wn_sql_bind_number(wn_store *store, wn_statement which, int index, int64_t number)
{
    sqlite3_bind_int64(store->statements[which], index, number);
    return store->statements[which];
}

sqlite3_stmt *wn_sql_bind_text(wn_store *store, wn_statement which, int index, const char *text)
{
    sqlite3_bind_text(store->statements[which], index, text, -1, SQLITE_STATIC);
    return store->statements[which];
}

sqlite3_stmt *wn_sql_bind_bytes(wn_store *store, wn_statement which, int index, const void *bytes, size_t size)
{
    sqlite3_bind_blob64(store->statements[which], index, size == 0 ? "" : bytes, size, SQLITE_STATIC);
    return store->statements[which];
}

bool wn_sql_run(wn_store *store, wn_statement which)
{
    sqlite3_stmt *query = store->statements[which];
    bool good = sqlite3_step(query) == SQLITE_DONE;
    sqlite3_reset(query);
    return good;
}

bool wn_sql_run_on_world(wn_store *store, wn_statement which, uint32_t world)
{
    wn_sql_bind_number(store, which, 1, world);
    return wn_sql_run(store, which);
}

bool wn_sql_execute(wn_store *store, const char *sql, const char *what, wn_error *error)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK || wn_sql_fail(store, what, error);
}

bool wn_sql_ask(wn_store *store, const char *question, int64_t *answer, wn_error *error)
{
    sqlite3_stmt *query = NULL;
    bool good = sqlite3_prepare_v2(store->database, question, -1, &query, NULL) == SQLITE_OK &&
                sqlite3_step(query) == SQLITE_ROW;
    if (good) {
        *answer = sqlite3_column_int64(query, 0);
    } else {
        wn_sql_fail(store, "read", error);
    }
    sqlite3_finalize(query);
    return good;
}

const char *wn_sql_column_text(sqlite3_stmt *query, int column)
{
    return (const char *)sqlite3_column_text(query, column);
}

bool wn_sql_begin(wn_store *store, wn_error *error)
{
    return wn_sql_run(store, WN_SQL_BEGIN) || wn_sql_fail(store, "write", error);
}

bool wn_sql_end(wn_store *store, bool good, const char *what, wn_error *error)
{
    if (good && wn_sql_run(store, WN_SQL_COMMIT)) {
        return true;
    }
    if (good) {
        wn_sql_fail(store, what, error);
    }
    if (!sqlite3_get_autocommit(store->database)) { /* some errors undo it themselves */
        wn_sql_run(store, WN_SQL_ROLLBACK);
    }
    return false;
}
