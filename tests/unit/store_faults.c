/* store_faults.c: the store on bad days: nothing that was reported as done is lost by a crash, a full disk or a disk
 * that cannot be written. Bad files: store_files.c.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_disk.h"
#include "store_fixture.h"

enum { UNPRIVILEGED_USER = 65534 };

/* crashes */

enum { WORLDS = 3 };

struct player {
    uint32_t worlds[WORLDS];
};

/* Reports each turn through `context`, a pipe, when it is durable. */
static void report_turn(void *context, const wn_error *error)
{
    struct chain *chain = context;
    if (error != NULL) {
        _exit(3);
    }
    if (write(STDOUT_FILENO, &chain->turn, sizeof chain->turn) != (ssize_t)sizeof chain->turn) {
        _exit(4);
    }
}

/* Three worlds play the same turns; the first has snapshots now and then, another hash belongs to every fourth turn. A
 * session's name says which turn was the last. */
static void play_until_killed(const struct player *player, uint64_t turn, unsigned batch, int report_to)
{
    static const uint8_t token[WN_KEY_BYTES] = {7};
    struct chain chain = {.turn = turn};
    dup2(report_to, STDOUT_FILENO);
    chain.store = wn_store_open(&options, NULL, NULL);
    if (chain.store == NULL) {
        _exit(2);
    }
    for (;;) {
        char name[24];
        for (unsigned i = 0; i < batch; i++) {
            chain.turn++;
            for (int world = 0; world < WORLDS; world++) {
                append(chain.store, player->worlds[world], chain.turn);
            }
        }
        snprintf(name, sizeof name, "%llu", (unsigned long long)chain.turn);
        wn_store_put_session(chain.store, &(wn_stored_session){.token = token, .player = name});
        wn_store_commit(chain.store, report_turn, &chain);
        if (chain.turn % 64 < batch &&
            !wn_store_put_snapshot(chain.store, player->worlds[0], chain.turn - 32, "1", "b", "s", 1, NULL)) {
            _exit(5);
        }
    }
}

/* Lets a child play from `turn` and kills it after so many reports. Returns the last turn it reported. */
static uint64_t play_and_kill(const struct player *player, uint64_t turn, unsigned batch, unsigned reports)
{
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        play_until_killed(player, turn, batch, ends[1]);
    }
    close(ends[1]);
    uint64_t last = turn;
    for (unsigned i = 0; i < reports; i++) {
        ck_assert_int_eq(read(ends[0], &last, sizeof last), (int)sizeof last);
    }
    kill(child, SIGKILL);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status), "the player ended by itself with %d", WEXITSTATUS(status));
    while (read(ends[0], &last, sizeof last) == (ssize_t)sizeof last) { /* reported while it was being killed */
        continue;
    }
    close(ends[0]);
    return last;
}

static bool take_session(void *context, const wn_stored_session *session)
{
    *(uint64_t *)context = strtoull(session->player, NULL, 10);
    return true;
}

/* Returns the last turn; the worlds, the hashes and the session agree on it. */
static uint64_t last_turn(wn_store *store, const struct player *player)
{
    wn_snapshot snapshot;
    uint64_t session = 0;
    struct reading whole = read_all(store, player->worlds[1], 0), tail = read_all(store, player->worlds[0], 0);
    ck_assert_uint_eq(whole.count, whole.last);
    ck_assert_uint_eq(read_all(store, player->worlds[2], 0).count, whole.last);
    ck_assert(wn_store_get_snapshot(store, player->worlds[0], &snapshot, NULL));
    ck_assert_uint_eq(tail.count, whole.last - snapshot.turn);
    if (tail.count > 0) {
        ck_assert_uint_eq(tail.first, snapshot.turn + 1);
    }
    ck_assert(wn_store_list_sessions(store, take_session, &session, NULL));
    ck_assert_uint_eq(session, whole.last);
    return whole.last;
}

START_TEST(after_kill_9_everything_reported_is_there_in_order_and_without_gaps)
{
    unsigned seed = seed_of_run();
    struct player player;
    options.durability = _i == 0 ? WN_DURABILITY_NORMAL : WN_DURABILITY_FULL;
    wn_store *store = open_store();
    for (int i = 0; i < WORLDS; i++) {
        player.worlds[i] = create_world(store, (char[]){(char)('a' + i), '\0'});
    }
    wn_store_close(store);
    uint64_t turn = 0;
    for (int round = 0; round < 25; round++) {
        unsigned batch = 1 + (unsigned)rand_r(&seed) % 8;
        uint64_t reported = play_and_kill(&player, turn, batch, 1 + (unsigned)rand_r(&seed) % 60);
        store = open_store();
        turn = last_turn(store, &player);
        ck_assert_uint_ge(turn, reported);
        ck_assert_uint_le(turn, reported + batch); /* one more may be durable and not yet reported */
        wn_store_close(store);
    }
    ck_assert_uint_ge(turn, 25);
}
END_TEST

/* durability */

START_TEST(full_durability_syncs_every_commit_before_it_is_reported)
{
    options.durability = WN_DURABILITY_FULL;
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    for (uint64_t turn = 1; turn <= 20; turn++) {
        int before = disk_syncs;
        append(store, world, turn);
        commit(store);
        ck_assert_int_gt(disk_syncs, before);
    }
    int before = disk_syncs;
    ck_assert(wn_store_put_snapshot(store, world, 20, "1", "b", "s", 1, NULL));
    ck_assert_int_gt(disk_syncs, before);
    wn_store_close(store);
}
END_TEST

START_TEST(normal_durability_waits_for_no_sync_in_a_commit)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    int before = disk_syncs;
    for (uint64_t turn = 1; turn <= 20; turn++) {
        append(store, world, turn);
        commit(store);
    }
    ck_assert_int_eq(disk_syncs, before);
    wn_store_close(store);
}
END_TEST

START_TEST(what_could_not_be_synced_is_not_reported_and_stays_gathered)
{
    options.durability = WN_DURABILITY_FULL;
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    append(store, world, 1);
    disk_fault_at(DISK_FAILS, 1);
    for (int attempt = 0; attempt < 3; attempt++) {
        struct commit_result result = {0};
        wn_store_commit(store, committed, &result);
        ck_assert(!result.good);
        ck_assert_int_eq(result.error.code, WARREN__ERROR_CODE__ERROR_UNAVAILABLE);
        ck_assert_msg(strstr(result.error.text, "disk I/O error") != NULL, "%s", result.error.text);
        ck_assert_uint_eq(wn_store_gathered(store), 1);
    }
    disk_fault_at(DISK_GOOD, 0);
    commit(store);
    ck_assert_uint_eq(read_all(store, world, 0).count, 1);
    wn_store_close(store);
    store = open_store();
    ck_assert_uint_eq(read_all(store, world, 0).count, 1);
    wn_store_close(store);
}
END_TEST

/* A log that goes into the file now and then: batches are deleted, chunks are made, worlds sleep. */
START_TEST(many_commits_and_a_log_that_begins_anew_keep_everything)
{
    enum { COMMITS = 9000 };
    wn_store *store = open_store();
    uint32_t sleeper = create_world(store, "sleeper"), busy = create_world(store, "busy");
    struct stat status;
    append(store, sleeper, 1);
    for (uint64_t turn = 1; turn <= COMMITS; turn++) {
        append(store, busy, turn);
        commit(store);
    }
    ck_assert_int_eq(stat(path_of("warren.db-wal"), &status), 0);
    ck_assert_int_lt(status.st_size, 20 << 20);
    ck_assert_uint_eq(read_all(store, busy, 0).count, COMMITS);
    wn_store_close(store);
    store = open_store();
    ck_assert_uint_eq(read_all(store, busy, 0).count, COMMITS);
    ck_assert_uint_eq(read_all(store, sleeper, 0).count, 1);
    wn_store_close(store);
}
END_TEST

START_TEST(a_crash_while_the_file_was_being_made_is_no_damage)
{
    change("PRAGMA journal_mode = WAL");
    wn_store *store = open_store();
    create_world(store, "w");
    wn_store_close(store);
}
END_TEST

/* bad places */

START_TEST(what_a_full_disk_did_not_take_stays_gathered_for_the_next_try)
{
    wn_store *store = open_store();
    uint32_t world = create_world(store, "w");
    append(store, world, 1);
    commit(store);
    struct stat status;
    ck_assert_int_eq(stat(path_of("warren.db-wal"), &status), 0);
    set_file_limit((uint64_t)status.st_size + 1000);
    for (uint64_t turn = 2; turn <= 1000; turn++) {
        append(store, world, turn);
    }
    wn_store_put_score(store, "m", "t", "ann", world, 1, "", 0);
    for (int attempt = 0; attempt < 3; attempt++) {
        struct commit_result result = {0};
        wn_store_commit(store, committed, &result);
        ck_assert_int_eq(result.calls, 1);
        ck_assert(!result.good);
        ck_assert_int_eq(result.error.code, WARREN__ERROR_CODE__ERROR_UNAVAILABLE);
        ck_assert_ptr_nonnull(strstr(result.error.text, path_of("warren.db")));
        ck_assert_uint_eq(wn_store_gathered(store), 1000);
        ck_assert_uint_eq(read_all(store, world, 0).count, 1);
    }
    wn_error error = {0};
    wn_stored_world other = {.name = "other", .mode = "m", .owner = "o"};
    ck_assert(!wn_store_create_world(store, &other, &error));
    append(store, world, 1001);
    set_file_limit(UINT64_MAX);
    commit(store);
    ck_assert_uint_eq(read_all(store, world, 0).count, 1001);
    ck_assert(wn_store_create_world(store, &other, &error));
    wn_store_close(store);
    store = open_store();
    ck_assert_uint_eq(read_all(store, world, 0).count, 1001);
    wn_store_close(store);
    ck_assert_int_eq(ask("SELECT count(*) FROM score"), 1);
}
END_TEST

static int try_to_open(const char *where, const char *expected)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        wn_error error = {0};
        if (geteuid() == 0 && setresuid(UNPRIVILEGED_USER, UNPRIVILEGED_USER, UNPRIVILEGED_USER) != 0) {
            _exit(2);
        }
        if (wn_store_open(&(wn_store_options){.directory = where}, NULL, &error) != NULL) {
            _exit(3);
        }
        bool good = strstr(error.text, where) != NULL && strstr(error.text, expected) != NULL &&
                    strstr(error.text, "state_dir") != NULL;
        if (!good) {
            fprintf(stderr, "%s\n", error.text);
        }
        _exit(good ? 0 : 4);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

START_TEST(a_directory_that_cannot_be_written_is_refused)
{
    ck_assert_int_eq(chmod(directory, 0555), 0);
    ck_assert_int_eq(try_to_open(directory, "Permission denied"), 0);
    char below[128];
    snprintf(below, sizeof below, "%s/below", directory);
    ck_assert_int_eq(try_to_open(below, "Permission denied"), 0);
    ck_assert_int_eq(try_to_open("/dev/null/store", "Not a directory"), 0);
    ck_assert_int_eq(chmod(directory, 0755), 0);
}
END_TEST

START_TEST(a_missing_directory_is_made_for_its_owner_alone)
{
    char parent[sizeof directory];
    strcpy(parent, directory);
    strcat(directory, "/a/b");
    umask(0);
    wn_store_close(open_store());
    struct stat status;
    ck_assert_int_eq(stat(directory, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(path_of("warren.db"), &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    strcpy(directory, parent);
}
END_TEST

START_TEST(a_second_opener_is_told_who_has_the_store)
{
    wn_store *store = open_store();
    char holder[32];
    snprintf(holder, sizeof holder, "process %ld", (long)getpid());
    assert_refused("in use", holder);
    create_world(store, "the first is not disturbed");
    wn_store_close(store);
    wn_store_close(open_store());
}
END_TEST

START_TEST(no_descriptor_is_left_to_a_program_that_is_started)
{
    wn_store *store = open_store();
    append(store, create_world(store, "w"), 1);
    commit(store);
    int found = 0;
    for (int fd = 3; fd < 256; fd++) {
        char link[64], target[256] = "";
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        if (readlink(link, target, sizeof target - 1) < 0 || strncmp(target, directory, strlen(directory)) != 0) {
            continue;
        }
        found++;
        ck_assert_msg((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "%s stays open", target);
    }
    ck_assert_int_ge(found, 3); /* the lock, the database, its log */
    wn_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_faults");
    TCase *crashes = new_case(suite, "crashes"), *places = new_case(suite, "places");
    tcase_add_loop_test(crashes, after_kill_9_everything_reported_is_there_in_order_and_without_gaps, 0, 2);
    tcase_add_test(places, full_durability_syncs_every_commit_before_it_is_reported);
    tcase_add_test(places, normal_durability_waits_for_no_sync_in_a_commit);
    tcase_add_test(places, what_could_not_be_synced_is_not_reported_and_stays_gathered);
    tcase_add_test(places, many_commits_and_a_log_that_begins_anew_keep_everything);
    tcase_add_test(crashes, a_crash_while_the_file_was_being_made_is_no_damage);
    tcase_add_test(places, what_a_full_disk_did_not_take_stays_gathered_for_the_next_try);
    tcase_add_test(places, a_directory_that_cannot_be_written_is_refused);
    tcase_add_test(places, a_missing_directory_is_made_for_its_owner_alone);
    tcase_add_test(places, a_second_opener_is_told_who_has_the_store);
    tcase_add_test(places, no_descriptor_is_left_to_a_program_that_is_started);
    return run_suite(suite);
}
