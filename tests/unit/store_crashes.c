/* store_crashes.c: the process dies at a call that changes the disk, or the disk fails from it on: nothing that was
 * reported as done is lost, and the file is never damaged. Each of the first calls is tried, then here and there one.
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_disk.h"
#include "store_fixture.h"
#include "store_version_1.h"

/* What a child said that it had done, and what it was about to do. */
struct progress {
    int worlds;
    uint64_t turn, turn_tried;
    uint64_t snapshot, snapshot_tried;
    bool copied;
};

enum { WORLDS = 3, COMMITS = 30, TURNS = 8 };

static struct progress *progress; /* shared with the child */

static void forget_progress(void)
{
    if (progress == NULL) {
        progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    memset(progress, 0, sizeof *progress);
}

/* Runs `act` in a child in which the disk has a fault at that call. Whether it came to its end. */
static bool ends(void (*act)(void), disk_fault fault, int call)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO); /* it logs what it lost */
        disk_fault_at(fault, call);
        act();
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL), "status %x", (unsigned)status);
    return status == 0;
}

static int next_call(int call, unsigned *seed)
{
    return call < 50 ? call + 1 : call + 1 + (int)((unsigned)rand_r(seed) % ((unsigned)call / 8));
}

/* The directory as it was at first. */
static void clear_directory(void)
{
    remove_directory();
    make_directory();
}

/* a game */

static void note_turn(void *context, const wn_error *error)
{
    (void)context;
    if (error == NULL) {
        progress->turn = progress->turn_tried;
    }
}

/* All worlds have the same turns; only the first has snapshots. Entries are large: chunks are made, batches deleted. */
static void play(wn_store *store)
{
    static uint8_t filling[1500];
    for (int i = 0; i < TURNS; i++) {
        uint64_t turn = ++progress->turn_tried;
        for (uint32_t world = 1; world <= WORLDS; world++) {
            if (world == WORLDS) {
                wn_store_append(store, world, turn, filling, sizeof filling, 0);
            } else {
                append(store, world, turn);
            }
        }
    }
    wn_store_commit(store, note_turn, NULL);
}

static void put_snapshot(wn_store *store)
{
    progress->snapshot_tried = progress->turn - TURNS / 2;
    if (wn_store_put_snapshot(store, 1, progress->snapshot_tried, "1", "b", "state", 5, NULL)) {
        progress->snapshot = progress->snapshot_tried;
    }
}

static void create_worlds(wn_store *store)
{
    static const char *const names[WORLDS] = {"a", "b", "c"};
    for (int i = 0; i < WORLDS; i++) {
        wn_stored_world world = {.name = names[i], .mode = "m", .owner = "o"};
        if (!wn_store_create_world(store, &world, NULL)) {
            return;
        }
        progress->worlds++;
    }
}

static void live(void)
{
    wn_store *store = wn_store_open(&(wn_store_options){.directory = directory}, NULL, NULL);
    if (store != NULL) {
        create_worlds(store);
    }
    for (int i = 1; progress->worlds == WORLDS && i <= COMMITS; i++) {
        play(store);
        if (i % 12 == 0) {
            put_snapshot(store);
        }
    }
    wn_store_close(store);
}

static bool count_world(void *context, const wn_stored_world *world)
{
    (void)world;
    ++*(int *)context;
    return true;
}

/* Everything that was reported is there; perhaps what was about to be done as well; all worlds came equally far. */
static void check_life(void)
{
    char aside[PATH_MAX];
    wn_error error = {0};
    int worlds = 0;
    wn_store *store = wn_store_open(&(wn_store_options){.directory = directory}, aside, &error);
    ck_assert_msg(store != NULL, "%s", error.text);
    ck_assert_str_eq(aside, "");
    ck_assert(wn_store_list_worlds(store, count_world, &worlds, NULL));
    ck_assert_int_ge(worlds, progress->worlds);
    ck_assert_int_le(worlds, progress->worlds + 1);
    struct reading all = read_all(store, 2, 0), tail = read_all(store, 1, 0);
    ck_assert_uint_ge(all.last, progress->turn);
    ck_assert_uint_le(all.last, progress->turn_tried);
    ck_assert_uint_eq(all.count, all.last);
    wn_snapshot snapshot;
    ck_assert(wn_store_get_snapshot(store, 1, &snapshot, NULL));
    ck_assert(snapshot.turn == progress->snapshot || snapshot.turn == progress->snapshot_tried);
    ck_assert_uint_eq(tail.count, all.last - snapshot.turn);
    if (tail.count > 0) {
        ck_assert_uint_eq(tail.last, all.last);
    }
    uint64_t first = 0;
    ck_assert(wn_store_first_turn(store, 3, &first, NULL));
    ck_assert_uint_eq(first, all.last > 0 ? 1 : 0);
    wn_store_close(store);
}

START_TEST(a_crash_at_any_write_loses_nothing_and_damages_nothing)
{
    unsigned seed = seed_of_run();
    bool ended = false;
    int call = 1;
    for (; !ended; call = next_call(call, &seed)) {
        forget_progress();
        ended = ends(live, DISK_DIES, call);
        check_life();
        clear_directory();
    }
    ck_assert_int_gt(call, 100);
    ck_assert_uint_eq(progress->turn, COMMITS * TURNS);
}
END_TEST

START_TEST(a_disk_that_fails_from_any_call_on_loses_nothing_that_was_reported)
{
    unsigned seed = seed_of_run();
    forget_progress();
    for (int call = 1; progress->turn < COMMITS * TURNS; call = next_call(call, &seed)) {
        forget_progress();
        ck_assert(ends(live, DISK_FAILS, call));
        check_life();
        clear_directory();
    }
}
END_TEST

/* conversion */

static void open_and_close(void)
{
    wn_store_close(wn_store_open(&(wn_store_options){.directory = directory}, NULL, NULL));
}

START_TEST(a_crash_at_any_write_of_the_conversion_leaves_one_version_or_the_other)
{
    unsigned seed = seed_of_run();
    bool ended = false;
    int call = 1;
    for (; !ended; call = next_call(call, &seed)) {
        make_version_1();
        ended = ends(open_and_close, DISK_DIES, call);
        check_converted();
        clear_directory();
    }
    ck_assert_int_gt(call, 20);
}
END_TEST

/* setting aside */

static const char mark[] = "a damaged page, and nothing like it anywhere else";

static void damage(void)
{
    static const char rest[4096 - sizeof mark];
    wn_store *store = open_store();
    for (uint64_t turn = 1, world = create_world(store, "w"); turn <= 200; turn++) {
        append(store, (uint32_t)world, turn);
    }
    wn_store_close(store);
    FILE *file = fopen(path_of("warren.db"), "r+");
    ck_assert_int_eq(fseek(file, 4096, SEEK_SET), 0);
    fputs(mark, file);
    ck_assert_uint_eq(fwrite(rest, 1, sizeof rest, file), sizeof rest);
    ck_assert_int_eq(fclose(file), 0);
}

/* Files that have the mark, among all in the directory. */
static int count_damaged(void)
{
    int count = 0;
    DIR *files = opendir(directory);
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        char found[sizeof mark] = "";
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path_of(entry->d_name), "r");
        if (file == NULL) {
            continue;
        }
        if (fseek(file, 4096, SEEK_SET) == 0 && fread(found, 1, sizeof mark - 1, file) == sizeof mark - 1) {
            count += strcmp(found, mark) == 0;
        }
        fclose(file);
    }
    closedir(files);
    return count;
}

START_TEST(a_crash_while_a_damaged_store_is_set_aside_loses_neither_it_nor_the_new_one)
{
    unsigned seed = seed_of_run();
    bool ended = false;
    int call = 1;
    for (; !ended; call = next_call(call, &seed)) {
        damage();
        ended = ends(open_and_close, DISK_DIES, call);
        ck_assert_int_eq(count_damaged(), 1);
        wn_store *store = open_store();
        create_world(store, "new");
        wn_store_close(store);
        ck_assert_int_eq(count_damaged(), 1);
        clear_directory();
    }
    ck_assert_int_gt(call, 10);
}
END_TEST

/* backups */

static void copy_store(void)
{
    char where[128];
    wn_backup_state state;
    snprintf(where, sizeof where, "%s/copy", directory);
    wn_store *store = wn_store_open(&(wn_store_options){.directory = directory}, NULL, NULL);
    wn_backup *backup = store == NULL ? NULL : wn_backup_begin(store, where, NULL, NULL);
    while (backup != NULL && (state = wn_backup_step(backup, 10, NULL)) == WN_BACKUP_MORE) {
        continue;
    }
    progress->copied = backup != NULL && state == WN_BACKUP_DONE;
    wn_backup_free(backup);
    wn_store_close(store);
}

START_TEST(a_copy_under_its_name_is_whole_wherever_a_crash_came)
{
    unsigned seed = seed_of_run();
    forget_progress();
    for (int fault = DISK_DIES; fault <= DISK_FAILS; fault++) {
        for (int call = 1; !progress->copied; call = next_call(call, &seed)) {
            char own[sizeof directory], copy[128];
            live();
            forget_progress();
            ends(copy_store, (disk_fault)fault, call);
            strcpy(own, directory);
            snprintf(copy, sizeof copy, "%s/copy", directory);
            snprintf(directory, sizeof directory, "%.90s", copy);
            bool there = access(path_of("warren.db"), F_OK) == 0;
            ck_assert(there || !progress->copied);
            if (there) {
                wn_store *store = open_store();
                ck_assert_uint_eq(read_all(store, 2, 0).count, COMMITS * TURNS);
                wn_store_close(store);
            }
            strcpy(directory, own);
            wn_store_close(open_store());
            clear_directory();
        }
        forget_progress();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_crashes");
    TCase *tests = new_case(suite, "crashes");
    tcase_add_test(tests, a_crash_at_any_write_loses_nothing_and_damages_nothing);
    tcase_add_test(tests, a_disk_that_fails_from_any_call_on_loses_nothing_that_was_reported);
    tcase_add_test(tests, a_crash_at_any_write_of_the_conversion_leaves_one_version_or_the_other);
    tcase_add_test(tests, a_crash_while_a_damaged_store_is_set_aside_loses_neither_it_nor_the_new_one);
    tcase_add_test(tests, a_copy_under_its_name_is_whole_wherever_a_crash_came);
    return run_suite(suite);
}
