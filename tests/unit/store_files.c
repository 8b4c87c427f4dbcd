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
#include "store_version_1.h"

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
        if (turn % 100 == 0) {
            commit(store);
        }
    }
    wn_store_close(store);
}

static void overwrite(const char *name, long at, size_t size)
{
    FILE *file = fopen(path_of(name), "r+");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
    for (size_t i = 0; i < size; i++) {
        fputc('?', file);
    }
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

/* somebody else's */

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

START_TEST(the_file_says_whose_it_is_before_its_log_is_written_back)
{
    wn_store *store = open_store();
    create_world(store, "w");
    struct content content = content_of(path_of("warren.db"));
    ck_assert_uint_gt(content.size, 100);
    ck_assert_mem_eq(content.bytes + 68, "WRen", 4);
    free(content.bytes);
    wn_store_close(store);
}
END_TEST

START_TEST(a_store_of_a_newer_version_is_refused_and_untouched)
{
    fill_store();
    change("PRAGMA user_version = 6");
    assert_refused_and_untouched("newer warrend", "format 6");
}
END_TEST

/* in use */

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

/* damage */

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
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        count += strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
    }
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

/* version 1 */

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
    ck_assert_int_eq(ask("SELECT count(*) FROM journal"), VERSION_1_ENTRIES);
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
    tcase_add_test(others, the_file_says_whose_it_is_before_its_log_is_written_back);
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
