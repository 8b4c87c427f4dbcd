/* store_version_1.c: see store_version_1.h. */
#include "store_version_1.h"

#include <check.h>
#include <stdint.h>

#include <sqlite3.h>

#include "store_fixture.h"

/* As the first version made it. */
static const char version_1[] =
    "CREATE TABLE world (id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 4294967295), name TEXT NOT NULL UNIQUE,"
    " mode TEXT NOT NULL, owner TEXT NOT NULL, seed INTEGER NOT NULL, created INTEGER NOT NULL, outcome TEXT,"
    " parked INTEGER NOT NULL) STRICT;"
    "CREATE TABLE setting (world INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY (world, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE journal (world INTEGER NOT NULL, turn INTEGER NOT NULL, entry BLOB NOT NULL,"
    " PRIMARY KEY (world, turn)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE snapshot (world INTEGER PRIMARY KEY, turn INTEGER NOT NULL, mode_version TEXT NOT NULL,"
    " build TEXT NOT NULL, state BLOB NOT NULL) STRICT;"
    "CREATE TABLE score (id INTEGER PRIMARY KEY, mode TEXT NOT NULL, list TEXT NOT NULL, player TEXT NOT NULL,"
    " world INTEGER NOT NULL, value INTEGER NOT NULL, detail TEXT NOT NULL, at INTEGER NOT NULL) STRICT;"
    "CREATE INDEX score_rank ON score (mode, list, value DESC);"
    "PRAGMA application_id = 1465017710; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;"
    "INSERT INTO world VALUES (3, 'deep', 'caves', 'ann', 77, 1767225600, NULL, 0);"
    "INSERT INTO world VALUES (5, 'won', 'hunt', 'bob', -1, 1767225601, 'ann won', 0);"
    "INSERT INTO setting VALUES (3, 0, 'width', '160');"
    "INSERT INTO snapshot VALUES (3, 40, '1.0', 'abc', x'010203');"
    "INSERT INTO score VALUES (1, 'hunt', 'kills', 'ann', 5, 9, '', 1767225601);";

void make_version_1(void)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *insert = NULL;
    ck_assert_int_eq(sqlite3_open(path_of("warren.db"), &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database, version_1, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(database, "INSERT INTO journal VALUES (?1, ?2, ?3)", -1, &insert, NULL), 0);
    ck_assert_int_eq(sqlite3_exec(database, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    for (int world = 3; world <= 5; world += 2) {
        for (int turn = world == 3 ? 41 : 1; turn <= 2000; turn++) {
            uint8_t bytes[64];
            size_t size = entry_of((uint32_t)world, (uint64_t)turn, bytes);
            sqlite3_bind_int(insert, 1, world);
            sqlite3_bind_int(insert, 2, turn);
            sqlite3_bind_blob(insert, 3, size == 0 ? "" : (const void *)bytes, (int)size, SQLITE_TRANSIENT);
            ck_assert_int_eq(sqlite3_step(insert), SQLITE_DONE);
            sqlite3_reset(insert);
        }
    }
    ck_assert_int_eq(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_finalize(insert);
    sqlite3_close(database);
}

static bool check_old_world(void *context, const wn_stored_world *world)
{
    ++*(int *)context;
    ck_assert_uint_eq(world->turn, 2000);
    if (world->id == 5) {
        ck_assert_str_eq(world->outcome, "ann won");
        ck_assert_uint_eq(world->seed, UINT64_MAX);
        ck_assert_str_eq(world->build, "");
        return true;
    }
    ck_assert_uint_eq(world->id, 3);
    ck_assert_str_eq(world->name, "deep");
    ck_assert_uint_eq(world->setting_count, 1);
    ck_assert_str_eq(world->settings[0].value, "160");
    ck_assert_str_eq(world->build, "abc");
    return true;
}

static bool check_old_entry(void *context, uint64_t turn, const void *bytes, size_t size, uint64_t hash)
{
    struct reading *reading = context;
    uint8_t expected[64];
    ck_assert_uint_eq(turn, reading->last + 1);
    ck_assert_uint_eq(entry_of(reading->world, turn, expected), size);
    ck_assert_mem_eq(bytes, expected, size);
    ck_assert_uint_eq(hash, 0);
    reading->last = turn;
    return true;
}

void check_converted(void)
{
    int calls = 0;
    wn_snapshot snapshot;
    wn_store *store = open_store();
    ck_assert(wn_store_list_worlds(store, check_old_world, &calls, NULL));
    ck_assert_int_eq(calls, 2);
    struct reading deep = {.world = 3, .last = 40}, won = {.world = 5};
    ck_assert(wn_store_read_journal(store, 3, 0, check_old_entry, &deep, NULL));
    ck_assert(wn_store_read_journal(store, 5, 0, check_old_entry, &won, NULL));
    ck_assert_uint_eq(deep.last, 2000);
    ck_assert_uint_eq(won.last, 2000);
    ck_assert(wn_store_get_snapshot(store, 3, &snapshot, NULL));
    ck_assert_uint_eq(snapshot.turn, 40);
    ck_assert_uint_eq(snapshot.size, 3);
    ck_assert_str_eq(snapshot.build, "abc");
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score WHERE highest = 9 AND newest = 9 AND total = 9 AND count = 1"
                         " AND ratings = 9 AND worlds = 1"),
                     1);
    ck_assert_int_eq(ask("PRAGMA user_version"), 5);
}
