/* store_files.c: what the store makes of a file that it finds: one of its own, of another version, of somebody else, in
 * use, damaged. What is not its own it never touches, and what is damaged it never writes over.
 */
#include <check.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "store_fixture.h"

struct content {
    size_t size;
    uint8_t *bytes;
};

static struct content content_of(const char *path)
{
    struct content content = {0};
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    content.bytes = malloc(1 << 20);
    content.size = fread(content.bytes, 1, 1 << 20, file);
    fclose(file);
    return content;
}

static void assert_same(struct content before, const char *path)
{
    struct content after = content_of(path);
    ck_assert_uint_eq(before.size, after.size);
    ck_assert_mem_eq(before.bytes, after.bytes, before.size);
    free(before.bytes);
    free(after.bytes);
}

/* Refused with these words, twice, and the file is what it was. */
static void assert_refused_and_untouched(const char *first, const char *second)
{
    for (int i = 0; i < 2; i++) {
        struct content before = content_of(path_of("warren.db"));
        assert_refused(first, second);
        assert_same(before, path_of("warren.db"));
    }
}

static void fill_store(void)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    for (uint64_t turn = 1; turn <= 2000; turn++) {
        append(store, world, turn);
        if (turn % 100 == 0)
            commit(store);
    }
    wn_store_close(store);
}

static void overwrite(const char *name, long at, size_t size)
{
    FILE *file = fopen(path_of(name), "r+");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
    for (size_t i = 0; i < size; i++)
        fputc('?', file);
    fclose(file);
}

static void copy_file(const char *from, const char *to)
{
    struct content content = content_of(path_of(from));
    FILE *file = fopen(path_of(to), "w");
    ck_assert_uint_eq(fwrite(content.bytes, 1, content.size, file), content.size);
    ck_assert_int_eq(fclose(file), 0);
    free(content.bytes);
}

/* ------------------------------------------------------------------------------------------------- somebody else's */

START_TEST(a_file_that_is_no_database_is_refused_and_untouched)
{
    static const char *const contents[] = {"notes", "SQLite format 3", NULL};
    for (size_t i = 0; contents[i] != NULL; i++) {
        FILE *file = fopen(path_of("warren.db"), "w");
        fputs(contents[i], file);
        fclose(file);
        assert_refused_and_untouched("no database", "state_dir");
    }
    unlink(path_of("warren.db"));
    fill_store();
    overwrite("warren.db", 0, 100);
    assert_refused_and_untouched("no database", "backup");
}
END_TEST

START_TEST(a_header_with_nothing_behind_it_is_refused_and_untouched)
{
    static const char header[5000] = "SQLite format 3";
    FILE *file = fopen(path_of("warren.db"), "w");
    ck_assert_uint_eq(fwrite(header, 1, sizeof header, file), sizeof header);
    fclose(file);
    assert_refused_and_untouched("warren.db", "database");
}
END_TEST

START_TEST(a_database_of_another_program_is_refused_and_untouched)
{
    change("CREATE TABLE bookmarks (url TEXT)");
    assert_refused_and_untouched("no store of Warren's", "state_dir");
    change("PRAGMA application_id = 5");
    assert_refused_and_untouched("no store of Warren's", "state_dir");
}
END_TEST

START_TEST(a_store_of_a_newer_version_is_refused_and_untouched)
{
    fill_store();
    change("PRAGMA user_version = 3");
    assert_refused_and_untouched("newer warrend", "format 3");
}
END_TEST

/* -------------------------------------------------------------------------------------------------------------- in use
 */

START_TEST(a_store_that_another_program_writes_is_refused_until_it_is_done)
{
    sqlite3 *other = NULL;
    fill_store();
    ck_assert_int_eq(sqlite3_open(path_of("warren.db"), &other), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(other, "BEGIN IMMEDIATE; DELETE FROM world", NULL, NULL, NULL), SQLITE_OK);
    assert_refused("locked", "another program holds it");
    ck_assert_int_eq(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(other), SQLITE_OK);
    wn_store *store = open_store();
    ck_assert_uint_eq(read_all(store, 1, 0).count, 2000);
    wn_store_close(store);
}
END_TEST

START_TEST(while_it_is_open_no_other_program_can_write_it)
{
    wn_store *store = open_store();
    create_world(store, "w");
    sqlite3 *other = NULL;
    ck_assert_int_eq(sqlite3_open(path_of("warren.db"), &other), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(other, "DELETE FROM world", NULL, NULL, NULL), SQLITE_BUSY);
    sqlite3_close(other);
    create_world(store, "another");
    wn_store_close(store);
}
END_TEST

/* ------------------------------------------------------------------------------------------------------------- damage
 */

/* Opens it, which sets it aside; checks that the new one is empty and can be used. Returns the path it was moved to. */
static const char *set_aside(void)
{
    static char path[PATH_MAX];
    wn_error error = {0};
    char pattern[160];
    snprintf(pattern, sizeof pattern, "%s.damaged-20", path_of("warren.db"));
    options.directory = directory;
    wn_store *store = wn_store_open(&options, path, &error);
    ck_assert_msg(store != NULL, "%s", error.text);
    ck_assert_msg(strncmp(path, pattern, strlen(pattern)) == 0, "%s", path);
    ck_assert_uint_eq(create_world(store, "new"), 1);
    wn_store_close(store);
    store = open_store();
    wn_store_close(store);
    return path;
}

static void assert_set_aside(void)
{
    struct content before = content_of(path_of("warren.db"));
    assert_same(before, set_aside());
}

START_TEST(a_store_with_damaged_pages_is_set_aside_and_a_new_one_begun)
{
    fill_store();
    overwrite("warren.db", 9 * 4096, 4096);
    assert_set_aside();
}
END_TEST

START_TEST(a_store_that_was_cut_off_is_set_aside_and_a_new_one_begun)
{
    fill_store();
    ck_assert_int_eq(truncate(path_of("warren.db"), 12 * 4096 + 100), 0);
    assert_set_aside();
}
END_TEST

START_TEST(a_store_whose_first_page_is_damaged_behind_its_name_is_set_aside)
{
    fill_store();
    overwrite("warren.db", 100, 3996);
    assert_set_aside();
}
END_TEST

START_TEST(a_store_whose_batches_cannot_be_read_is_set_aside)
{
    fill_store();
    change("UPDATE batch SET entries = x'ff' WHERE id = (SELECT max(id) FROM batch)");
    assert_set_aside();
}
END_TEST

START_TEST(a_store_without_one_of_its_tables_is_refused)
{
    fill_store();
    change("DROP TABLE snapshot");
    assert_refused_and_untouched("no such table", "snapshot");
}
END_TEST

static int count_files(const char *beginning)
{
    int count = 0;
    DIR *files = opendir(directory);
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files))
        count += strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
    closedir(files);
    return count;
}

START_TEST(every_damaged_store_is_kept_with_its_log)
{
    fill_store();
    copy_file("warren.db", "copy");
    for (int i = 0; i < 3; i++) { /* within the same second, most of them */
        char log[PATH_MAX];
        copy_file("copy", "warren.db");
        overwrite("warren.db", 9 * 4096, 4096);
        FILE *file = fopen(path_of("warren.db-wal"), "w");
        fprintf(file, "log %d", i);
        fclose(file);
        snprintf(log, sizeof log, "%s-wal", set_aside());
        struct content content = content_of(log);
        ck_assert_uint_eq(content.size, 5);
        ck_assert_int_eq(content.bytes[4], '0' + i);
        free(content.bytes);
    }
    ck_assert_int_eq(count_files("warren.db.damaged-"), 6);
}
END_TEST

START_TEST(a_log_without_its_store_is_set_aside_and_not_deleted)
{
    FILE *file = fopen(path_of("warren.db-wal"), "w");
    fputs("what is left", file);
    fclose(file);
    char log[PATH_MAX];
    snprintf(log, sizeof log, "%s-wal", set_aside());
    struct content content = content_of(log);
    ck_assert_uint_eq(content.size, 12);
    free(content.bytes);
}
END_TEST

START_TEST(a_disk_too_full_for_the_new_store_does_not_cost_the_damaged_one)
{
    fill_store();
    overwrite("warren.db", 9 * 4096, 4096);
    struct content before = content_of(path_of("warren.db"));
    char aside[PATH_MAX];
    wn_error error = {0};
    options.directory = directory;
    set_file_limit(3 * 4096);
    ck_assert_ptr_null(wn_store_open(&options, aside, &error));
    set_file_limit(UINT64_MAX);
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(error.text, path_of("warren.db")));
    assert_same(before, aside);
    ck_assert_int_eq(count_files("warren.db.damaged-"), 1);
    wn_store *store = open_store();
    create_world(store, "w");
    wn_store_close(store);
    ck_assert_int_eq(count_files("warren.db.damaged-"), 1);
}
END_TEST

/* ---------------------------------------------------------------------------------------------------------- version 1
 */

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

static void make_version_1(void)
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

static void check_converted(void)
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
    ck_assert_int_eq(ask("SELECT count(*) FROM score"), 1);
    ck_assert_int_eq(ask("PRAGMA user_version"), 2);
}

START_TEST(a_store_of_version_1_keeps_everything)
{
    make_version_1();
    check_converted();
    check_converted();
    wn_store *store = open_store();
    ck_assert_uint_eq(create_world(store, "next"), 6);
    append(store, 3, 2001);
    commit(store);
    ck_assert(wn_store_put_snapshot(store, 3, 1000, "1", "b", "s", 1, NULL));
    wn_store_close(store);
}
END_TEST

START_TEST(a_disk_too_full_for_the_conversion_leaves_version_1)
{
    make_version_1();
    set_file_limit(100000);
    assert_refused("cannot convert", "warren.db");
    set_file_limit(UINT64_MAX);
    ck_assert_int_eq(ask("PRAGMA user_version"), 1);
    ck_assert_int_eq(ask("SELECT count(*) FROM journal"), 3960);
    check_converted();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_files");
    TCase *others = new_case(suite, "others"), *damage = new_case(suite, "damage"), *old = new_case(suite, "old");
    tcase_add_test(others, a_file_that_is_no_database_is_refused_and_untouched);
    tcase_add_test(others, a_header_with_nothing_behind_it_is_refused_and_untouched);
    tcase_add_test(others, a_database_of_another_program_is_refused_and_untouched);
    tcase_add_test(others, a_store_of_a_newer_version_is_refused_and_untouched);
    tcase_add_test(others, a_store_that_another_program_writes_is_refused_until_it_is_done);
    tcase_add_test(others, while_it_is_open_no_other_program_can_write_it);
    tcase_add_test(damage, a_store_with_damaged_pages_is_set_aside_and_a_new_one_begun);
    tcase_add_test(damage, a_store_that_was_cut_off_is_set_aside_and_a_new_one_begun);
    tcase_add_test(damage, a_store_whose_first_page_is_damaged_behind_its_name_is_set_aside);
    tcase_add_test(damage, a_store_whose_batches_cannot_be_read_is_set_aside);
    tcase_add_test(damage, a_store_without_one_of_its_tables_is_refused);
    tcase_add_test(damage, every_damaged_store_is_kept_with_its_log);
    tcase_add_test(damage, a_log_without_its_store_is_set_aside_and_not_deleted);
    tcase_add_test(damage, a_disk_too_full_for_the_new_store_does_not_cost_the_damaged_one);
    tcase_add_test(old, a_store_of_version_1_keeps_everything);
    tcase_add_test(old, a_disk_too_full_for_the_conversion_leaves_version_1);
    return run_suite(suite);
}
