/* store_fixture.c: see store_fixture.h. */
#include "store_fixture.h"
#include "suite.h"

#include <check.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

char directory[96];
wn_store_options options;

void make_directory(void)
{
    snprintf(directory, sizeof directory, "/tmp/warren-store-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

void remove_directory(void)
{
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

unsigned seed_of_run(void)
{
    return (unsigned)suite_seed((uint64_t)time(NULL) ^ (uint64_t)getpid());
}

wn_store *open_store(void)
{
    wn_error error = {0};
    options.directory = directory;
    wn_store *store = wn_store_open(&options, NULL, &error);
    ck_assert_msg(store != NULL, "%s", error.text);
    return store;
}

void assert_refused(const char *first, const char *second)
{
    wn_error error = {0};
    char set_aside[PATH_MAX];
    options.directory = directory;
    wn_store *store = wn_store_open(&options, set_aside, &error);
    ck_assert_ptr_null(store);
    ck_assert_str_eq(set_aside, "");
    ck_assert_msg(strstr(error.text, first) != NULL && strstr(error.text, second) != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, directory) != NULL, "%s", error.text);
    ck_assert_int_ne(error.code, WARREN__ERROR_CODE__ERROR_NONE);
}

uint32_t create_world(wn_store *store, const char *name)
{
    wn_error error = {0};
    wn_stored_world world = {.name = name, .mode = "caves", .owner = "ann"};
    ck_assert_msg(wn_store_create_world(store, &world, &error), "%s", error.text);
    return world.id;
}

void committed(void *context, const wn_error *error)
{
    struct commit_result *result = context;
    result->calls++;
    result->good = error == NULL;
    if (error != NULL) {
        result->error = *error;
    }
}

void commit(wn_store *store)
{
    struct commit_result result = {0};
    wn_store_commit(store, committed, &result);
    ck_assert_int_eq(result.calls, 1);
    ck_assert_msg(result.good, "%s", result.error.text);
    ck_assert_uint_eq(wn_store_gathered(store), 0);
}

size_t entry_of(uint32_t world, uint64_t turn, uint8_t bytes[64])
{
    size_t size = (size_t)(turn % 60);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(turn * 31 + world * 7 + i);
    }
    return size;
}

uint64_t hash_of(uint32_t world, uint64_t turn)
{
    return turn % 4 == 0 ? (turn << 32 | world) * UINT64_C(0x9e3779b97f4a7c15) : 0;
}

bool read_entry(void *context, uint64_t turn, const void *bytes, size_t size, uint64_t hash)
{
    struct reading *reading = context;
    uint8_t expected[64];
    if (reading->count++ == 0) {
        reading->first = turn;
    } else if (turn != reading->last + 1) {
        reading->good = false;
    }
    reading->last = turn;
    if (entry_of(reading->world, turn, expected) != size || (size > 0 && memcmp(expected, bytes, size) != 0)) {
        reading->good = false;
    }
    if (hash != hash_of(reading->world, turn)) {
        reading->good = false;
    }
    return turn != reading->stop_at;
}

struct reading read_all(wn_store *store, uint32_t world, uint64_t after)
{
    struct reading reading = {.world = world, .good = true};
    wn_error error = {0};
    ck_assert_msg(wn_store_read_journal(store, world, after, read_entry, &reading, &error), "%s", error.text);
    ck_assert(reading.good);
    return reading;
}

void append(wn_store *store, uint32_t world, uint64_t turn)
{
    uint8_t bytes[64];
    size_t size = entry_of(world, turn, bytes);
    wn_store_append(store, world, turn, bytes, size, hash_of(world, turn));
}

int64_t ask(const char *question)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *query = NULL;
    ck_assert_int_eq(sqlite3_open(path_of("warren.db"), &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(database, question, -1, &query, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(query), SQLITE_ROW);
    int64_t answer = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(database);
    return answer;
}

void change(const char *sql)
{
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open(path_of("warren.db"), &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

void set_file_limit(uint64_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes == UINT64_MAX ? limit.rlim_max : bytes;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TCase *new_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, make_directory, remove_directory);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return tests;
}

int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
