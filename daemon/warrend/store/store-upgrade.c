/* store-upgrade.c: makes a store of an older version one of ours, in one transaction: all of it or nothing.
 */
#include "store/store-internal.h"

#include <stdio.h>

enum { CHUNK_BYTES = 8 << 10 };

/* Entries of one world on their way into a chunk. */
typedef struct moving {
    int64_t world, first, last;
    wn_buffer records;
} moving;

static bool put_chunk(sqlite3_stmt *put, moving *chunk)
{
    if (chunk->records.size == 0) {
        return true;
    }
    sqlite3_bind_int64(put, 1, chunk->world);
    sqlite3_bind_int64(put, 2, chunk->first);
    sqlite3_bind_int64(put, 3, chunk->last);
    sqlite3_bind_blob64(put, 4, chunk->records.data, chunk->records.size, SQLITE_STATIC);
    bool good = sqlite3_step(put) == SQLITE_DONE;
    sqlite3_reset(put);
    chunk->records.size = 0;
    return good;
}

static bool move_rows(sqlite3_stmt *rows, sqlite3_stmt *put)
{
    moving chunk = {0};
    int result;
    bool good = true;
    while (good && (result = sqlite3_step(rows)) == SQLITE_ROW) {
        int64_t world = sqlite3_column_int64(rows, 0), turn = sqlite3_column_int64(rows, 1);
        if (world != chunk.world || chunk.records.size >= CHUNK_BYTES) {
            good = put_chunk(put, &chunk);
        }
        if (chunk.records.size == 0) {
            chunk.world = world;
            chunk.first = turn;
        }
        chunk.last = turn;
        wn_record record = {.turn = (uint64_t)turn, .bytes = sqlite3_column_blob(rows, 2)};
        record.size = (size_t)sqlite3_column_bytes(rows, 2);
        wn_record_put(&chunk.records, &record);
    }
    good = good && result == SQLITE_DONE && put_chunk(put, &chunk);
    wn_buffer_free(&chunk.records);
    return good;
}

static bool move_journal(wn_store *store, wn_error *error)
{
    static const char from[] = "SELECT world, turn, entry FROM journal_1 ORDER BY world, turn";
    static const char to[] = "INSERT INTO journal VALUES (?1, ?2, ?3, ?4)";
    sqlite3_stmt *rows = NULL, *put = NULL;
    bool good = (sqlite3_prepare_v2(store->database, from, -1, &rows, NULL) == SQLITE_OK &&
                 sqlite3_prepare_v2(store->database, to, -1, &put, NULL) == SQLITE_OK && move_rows(rows, put)) ||
                wn_sql_fail(store, "convert", error);
    sqlite3_finalize(rows);
    sqlite3_finalize(put);
    return good;
}

/* Version 1 had a row for each entry. */
static bool leave_version_1(wn_store *store, wn_error *error)
{
    return wn_sql_execute(store, wn_sql_upgrade_before, "convert", error) && move_journal(store, error) &&
           wn_sql_execute(store, wn_sql_upgrade_after, "convert", error);
}

bool wn_store_upgrade(wn_store *store, int64_t from, wn_error *error)
{
    char version[48];
    snprintf(version, sizeof version, "PRAGMA user_version = %d", WN_STORE_VERSION);
    bool good = wn_sql_execute(store, "BEGIN IMMEDIATE", "convert", error) &&
                (from > 1 || leave_version_1(store, error)) &&
                (from > 2 || wn_sql_execute(store, wn_sql_upgrade_2, "convert", error)) &&
                (from > 3 || wn_sql_execute(store, wn_sql_upgrade_3, "convert", error)) &&
                wn_sql_execute(store, wn_sql_upgrade_4, "convert", error) &&
                wn_sql_execute(store, version, "convert", error) && wn_sql_execute(store, "COMMIT", "convert", error);
    if (!good && !sqlite3_get_autocommit(store->database)) {
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    }
    return good;
}
