/* store_backup.c: copies that are made while the store is written to, and what becomes of those that cannot be.
 */
#include <check.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store-internal.h"
#include "store_fixture.h"

enum { UNPRIVILEGED_USER = 65534, WORLDS = 5 };

static char copy_directory[128];
static const char *key_file; /* NULL: there is none */

/* A store with some megabytes in it. */
static wn_store *filled_store(uint32_t ids[WORLDS])
{
    wn_store *store = open_store();
    for (size_t i = 0; i < WORLDS; i++) {
        char name[16];
        snprintf(name, sizeof name, "w%zu", i);
        ids[i] = create_world(store, name);
        uint8_t *state = calloc(1, 300000);
        ck_assert(wn_store_put_snapshot(store, ids[i], 1, "1", "b", state, 300000, NULL));
        free(state);
    }
    snprintf(copy_directory, sizeof copy_directory, "%s/copies/one", directory);
    return store;
}

static void play(wn_store *store, const uint32_t ids[WORLDS], uint64_t turn)
{
    for (size_t i = 0; i < WORLDS; i++) {
        append(store, ids[i], turn);
    }
    commit(store);
}

static wn_backup *begin(wn_store *store)
{
    wn_error error = {0};
    wn_backup *backup = wn_backup_begin(store, copy_directory, key_file, &error);
    ck_assert_msg(backup != NULL, "%s", error.text);
    return backup;
}

static void assert_begin_fails(wn_store *store, const char *where, const char *expected, Warren__ErrorCode code)
{
    wn_error error = {0};
    ck_assert_ptr_null(wn_backup_begin(store, where, NULL, &error));
    ck_assert_msg(strstr(error.text, expected) != NULL && strstr(error.text, where) != NULL, "%s", error.text);
    ck_assert_int_eq(error.code, code);
}

static void assert_no_backup(wn_store *store, const char *where, const char *expected)
{
    assert_begin_fails(store, where, expected, WARREN__ERROR_CODE__ERROR_PRECONDITION);
}

static const char *copy_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", copy_directory, name);
    return path;
}

static bool there(const char *name)
{
    return access(copy_path(name), F_OK) == 0;
}

static void finish(wn_backup *backup)
{
    wn_error error = {0};
    wn_backup_state state;
    while ((state = wn_backup_step(backup, 100, &error)) == WN_BACKUP_MORE) {
        continue;
    }
    ck_assert_msg(state == WN_BACKUP_DONE, "%s", error.text);
    wn_backup_free(backup);
}

START_TEST(a_copy_made_while_turns_are_played_is_the_store_of_one_moment)
{
    uint32_t ids[WORLDS];
    uint64_t turn = 1;
    wn_store *store = filled_store(ids);
    while (turn < 500) {
        play(store, ids, ++turn);
    }
    const uint64_t begun = turn;
    wn_backup *backup = begin(store);
    wn_error error = {0};
    wn_backup_state state;
    int steps = 0;
    while ((state = wn_backup_step(backup, 5, &error)) == WN_BACKUP_MORE) {
        ck_assert(!there("warren.db"));
        steps++;
        play(store, ids, ++turn);
    }
    ck_assert_msg(state == WN_BACKUP_DONE, "%s", error.text);
    ck_assert_int_ge(steps, 50);
    ck_assert(!there("warren.db.unfinished"));
    wn_backup_free(backup);
    play(store, ids, ++turn);
    wn_store_close(store);

    store = wn_store_open(&(wn_store_options){.directory = copy_directory}, NULL, &error);
    ck_assert_msg(store != NULL, "%s", error.text);
    const struct reading first = read_all(store, ids[0], 0);
    ck_assert_uint_eq(first.first, 2);
    ck_assert_uint_ge(first.last, begun);
    ck_assert_uint_lt(first.last, turn);
    for (size_t i = 1; i < WORLDS; i++) {
        const struct reading reading = read_all(store, ids[i], 0);
        wn_snapshot snapshot;
        ck_assert_uint_eq(reading.count, first.count);
        ck_assert_uint_eq(reading.last, first.last);
        ck_assert(wn_store_get_snapshot(store, ids[i], &snapshot, NULL));
        ck_assert_uint_eq(snapshot.size, 300000);
    }
    play(store, ids, first.last + 1);
    wn_store_close(store);
}
END_TEST

START_TEST(a_copy_is_for_its_owner_alone)
{
    uint32_t ids[WORLDS];
    struct stat status;
    umask(0);
    wn_store *store = filled_store(ids);
    finish(begin(store));
    ck_assert_int_eq(stat(copy_directory, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(copy_path("warren.db"), &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    wn_store_close(store);
}
END_TEST

/* beside a store: the server's key */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static wn_store *store_with_key(const char *text)
{
    static char path[160];
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    snprintf(path, sizeof path, "%s/server.key", directory);
    write_file(path, text);
    key_file = path;
    return store;
}

START_TEST(the_server_s_key_is_copied_for_its_owner_alone)
{
    char text[16] = "";
    struct stat status;
    umask(0);
    wn_store *store = store_with_key("a secret");
    wn_backup *backup = begin(store);
    ck_assert_str_eq(wn_backup_key(backup), "server.key");
    ck_assert(!there("server.key"));
    finish(backup);
    ck_assert_int_eq(stat(copy_path("server.key"), &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    FILE *copy = fopen(copy_path("server.key"), "r");
    ck_assert_ptr_nonnull(fgets(text, sizeof text, copy));
    fclose(copy);
    ck_assert_str_eq(text, "a secret");
    ck_assert(!there("server.key.unfinished"));
    wn_store_close(store);
}
END_TEST

START_TEST(a_key_that_is_not_there_is_no_part_of_a_copy)
{
    wn_store *store = store_with_key("a secret");
    ck_assert_int_eq(unlink(key_file), 0);
    wn_backup *backup = begin(store);
    ck_assert_ptr_null(wn_backup_key(backup));
    finish(backup);
    ck_assert(there("warren.db") && !there("server.key"));
    wn_store_close(store);
}
END_TEST

START_TEST(no_copy_takes_the_place_of_a_key)
{
    wn_error error = {0};
    wn_store *store = store_with_key("a secret");
    finish(begin(store));
    ck_assert_int_eq(unlink(copy_path("warren.db")), 0);
    ck_assert_ptr_null(wn_backup_begin(store, copy_directory, key_file, &error));
    ck_assert_msg(strstr(error.text, "there is a server's key in it") != NULL, "%s", error.text);
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_PRECONDITION);
    wn_store_close(store);
}
END_TEST

/* It goes before the store gets its name, so that a store never stands there without its key; and nothing is left. */
START_TEST(a_copy_without_its_key_is_none)
{
    wn_error error = {0};
    wn_backup_state state;
    wn_store *store = store_with_key("a secret");
    wn_backup *backup = begin(store);
    ck_assert_int_eq(unlink(key_file), 0);
    while ((state = wn_backup_step(backup, 1000, &error)) == WN_BACKUP_MORE) {
        continue;
    }
    ck_assert_int_eq(state, WN_BACKUP_FAILED);
    ck_assert_msg(strstr(error.text, key_file) != NULL, "%s", error.text);
    wn_backup_free(backup);
    write_file(key_file, "a secret");
    backup = begin(store);
    write_file(copy_path("warren.db"), "somebody's"); /* it comes while we copy */
    while ((state = wn_backup_step(backup, 1000, &error)) == WN_BACKUP_MORE) {
        continue;
    }
    ck_assert_int_eq(state, WN_BACKUP_FAILED);
    wn_backup_free(backup);
    ck_assert(!there("server.key") && !there("server.key.unfinished") && !there("warren.db.unfinished"));
    wn_store_close(store);
}
END_TEST

START_TEST(no_copy_takes_the_place_of_a_store)
{
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    assert_no_backup(store, directory, "there is a store in it");
    wn_backup *backup = begin(store);
    FILE *other = fopen(copy_path("warren.db"), "w"); /* it comes while we copy */
    fputs("somebody's", other);
    fclose(other);
    wn_error error = {0};
    wn_backup_state state;
    while ((state = wn_backup_step(backup, 1000, &error)) == WN_BACKUP_MORE) {
        continue;
    }
    ck_assert_int_eq(state, WN_BACKUP_FAILED);
    ck_assert_ptr_nonnull(strstr(error.text, "File exists"));
    wn_backup_free(backup);
    ck_assert(!there("warren.db.unfinished"));
    struct stat status;
    ck_assert_int_eq(stat(copy_path("warren.db"), &status), 0);
    ck_assert_int_eq(status.st_size, 10);
    wn_store_close(store);
}
END_TEST

START_TEST(an_unfinished_copy_is_removed)
{
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    wn_backup_free(NULL);
    for (int steps = 0; steps < 3; steps++) {
        wn_backup *backup = begin(store);
        for (int i = 0; i < steps; i++) {
            ck_assert_int_eq(wn_backup_step(backup, 10, NULL), WN_BACKUP_MORE);
        }
        ck_assert(there("warren.db.unfinished"));
        wn_backup_free(backup);
        ck_assert(!there("warren.db.unfinished"));
        ck_assert(!there("warren.db"));
    }
    wn_store_close(store);
}
END_TEST

START_TEST(what_a_crash_left_of_a_copy_is_written_over)
{
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    wn_backup_free(begin(store));
    FILE *left = fopen(copy_path("warren.db.unfinished"), "w");
    fputs("half of a page", left);
    fclose(left);
    finish(begin(store));
    wn_store_close(store);
    wn_error error = {0};
    store = wn_store_open(&(wn_store_options){.directory = copy_directory}, NULL, &error);
    ck_assert_msg(store != NULL, "%s", error.text);
    wn_store_close(store);
}
END_TEST

START_TEST(one_copy_is_made_at_a_time)
{
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    wn_backup *backup = begin(store);
    char other[160];
    snprintf(other, sizeof other, "%s/elsewhere", directory);
    assert_begin_fails(store, other, "one is being made already", WARREN__ERROR_CODE__ERROR_UNAVAILABLE);
    snprintf(directory + strlen(directory), 8, "/second");
    wn_store *second = open_store();
    assert_begin_fails(second, copy_directory, "another one is being made there",
                       WARREN__ERROR_CODE__ERROR_UNAVAILABLE);
    wn_store_close(second);
    directory[strlen(directory) - 7] = '\0';
    finish(backup);
    strcpy(copy_directory, other);
    finish(begin(store));
    wn_store_close(store);
}
END_TEST

START_TEST(closing_the_store_gives_the_copy_up)
{
    uint32_t ids[WORLDS];
    wn_error error = {0};
    wn_store *store = filled_store(ids);
    wn_backup *backup = begin(store);
    ck_assert_int_eq(wn_backup_step(backup, 10, &error), WN_BACKUP_MORE);
    wn_store_close(store);
    ck_assert_int_eq(wn_backup_step(backup, 10, &error), WN_BACKUP_FAILED);
    ck_assert_ptr_nonnull(strstr(error.text, copy_directory));
    wn_backup_free(backup);
    ck_assert(!there("warren.db.unfinished") && !there("warren.db"));
    wn_store_close(open_store());
}
END_TEST

START_TEST(a_full_disk_ends_the_copy_and_nothing_else)
{
    uint32_t ids[WORLDS];
    wn_error error = {0};
    wn_backup_state state;
    wn_store *store = filled_store(ids);
    struct stat status;
    ck_assert_int_eq(stat(path_of("warren.db-wal"), &status), 0);
    wn_backup *backup = begin(store);
    set_file_limit(700000); /* the store's log goes on within its first part */
    while ((state = wn_backup_step(backup, 20, &error)) == WN_BACKUP_MORE) {
        continue;
    }
    set_file_limit(UINT64_MAX);
    ck_assert_int_eq(state, WN_BACKUP_FAILED);
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_PRECONDITION);
    ck_assert_msg(strstr(error.text, copy_directory) != NULL, "%s", error.text);
    wn_backup_free(backup);
    ck_assert(!there("warren.db.unfinished") && !there("warren.db"));
    play(store, ids, 2);
    finish(begin(store));
    ck_assert_uint_eq(read_all(store, ids[0], 0).last, 2);
    wn_store_close(store);
}
END_TEST

/* As another user, who may not write there. */
START_TEST(a_place_that_cannot_be_written_is_named)
{
    static const struct {
        const char *where, *expected;
    } place_table[] = {{"/proc/warren", "No such file or directory"}, {"/dev/null/copy", "Not a directory"}};
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    for (size_t i = 0; i < sizeof place_table / sizeof *place_table; i++) {
        assert_no_backup(store, place_table[i].where, place_table[i].expected);
    }
    if (geteuid() == 0) {
        ck_assert_int_eq(seteuid(UNPRIVILEGED_USER), 0);
    }
    assert_no_backup(store, "/usr/lib", "Permission denied");
    if (getuid() == 0) {
        ck_assert_int_eq(seteuid(0), 0);
    }
    wn_store_close(store);
}
END_TEST

/* As systemd's unit has it, in a mount namespace of the test's own; where there may be none, nothing can be told. */
START_TEST(a_read_only_place_is_told_with_what_the_unit_needs)
{
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    ck_assert_int_eq(mkdir(path_of("sealed"), 0700), 0);
    if ((unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
        mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount("none", path_of("sealed"), "tmpfs", MS_RDONLY, "mode=0700") == 0) {
        char below[160];
        snprintf(below, sizeof below, "%s/sealed/copy", directory);
        assert_no_backup(store, below, "ReadWritePaths=");
        assert_no_backup(store, path_of("sealed"), "ReadWritePaths=");
        umount(path_of("sealed"));
    }
    wn_store_close(store);
}
END_TEST

/* As PrivateTmp= has it. */
START_TEST(a_place_that_goes_with_the_service_is_refused)
{
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    char private[160], seeming[160], below[200];
    snprintf(private, sizeof private, "%s/systemd-private-0123-warrend.service-x", directory);
    snprintf(seeming, sizeof seeming, "%s/seeming", directory);
    snprintf(below, sizeof below, "%s/copy", seeming);
    ck_assert_int_eq(mkdir(private, 0700), 0);
    ck_assert_int_eq(mkdir(seeming, 0700), 0);
    if ((unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
        mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount(private, seeming, "none", MS_BIND, NULL) == 0) {
        assert_no_backup(store, below, "PrivateTmp=");
        umount(seeming);
    }
    wn_store_close(store);
}
END_TEST

START_TEST(the_mount_that_a_place_is_in_tells_whether_it_goes_with_the_service)
{
    static const char mounts[] =
        "100 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
        "101 100 8:1 /tmp/systemd-private-0-warrend.service-a/tmp /tmp rw,nosuid shared:1 - ext4 /dev/sda1 rw\n"
        "102 100 0:9 /systemd-private-0-warrend.service-b/tmp /var/tmp rw master:2 - tmpfs tmpfs rw\n"
        "103 101 8:1 /srv/copies /tmp/copies rw - ext4 /dev/sda1 rw\n"
        "104 100 8:1 /srv/former /mnt rw - ext4 /dev/sda1 rw\n"
        "105 104 8:1 /systemd-private-0-warrend.service-c/tmp /mnt rw - ext4 /dev/sda1 rw\n";
    static const struct {
        const char *place;
        bool passing;
    } cases[] = {{"/", false},          {"/tmp", true},        {"/tmp/x/y", true},       {"/tmpfiles", false},
                 {"/var/tmp/x", true},  {"/var/lib/x", false}, {"/tmp/copies/x", false}, {"/mnt/x", true},
                 {"/tmp/copies2", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = fmemopen((void *)(uintptr_t)mounts, sizeof mounts - 1, "r");
        ck_assert_msg(wn_store_is_passing(file, cases[i].place) == cases[i].passing, "%s", cases[i].place);
        fclose(file);
    }
}
END_TEST

static const char *name_place(const char *below)
{
    static char place[256];
    snprintf(place, sizeof place, "%s/%s", directory, below);
    return place;
}

/* Whoever can write there could put another file, or a link to one, under the name that is opened next. */
START_TEST(a_place_where_others_could_exchange_the_copy_is_refused)
{
    static const struct {
        mode_t above, mode;
        const char *refused; /* NULL: it is not */
    } places[] = {
        {0700, 0777, "others may write there"},
        {0700, 01777, "others may write there"},
        {0700, 0770, "others may write there"},
        {0777, 0700, "others may write there"},
        {0770, 0700, "others may write there"},
        {01777, 0700, NULL},
        {0755, 0755, NULL},
    };
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    ck_assert_int_eq(mkdir(name_place("above"), 0700), 0);
    ck_assert_int_eq(mkdir(name_place("above/place"), 0700), 0);
    ck_assert_int_eq(symlink("above/place", name_place("link")), 0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        ck_assert_int_eq(chmod(name_place("above"), places[i].above), 0);
        ck_assert_int_eq(chmod(name_place("above/place"), places[i].mode), 0);
        wn_error error = {0};
        wn_backup *backup = wn_backup_begin(store, name_place(i % 2 == 0 ? "above/place" : "link"), NULL, &error);
        ck_assert_msg((backup == NULL) == (places[i].refused != NULL), "%zu: %s", i, error.text);
        ck_assert_msg(backup != NULL || strstr(error.text, places[i].refused) != NULL, "%s", error.text);
        wn_backup_free(backup);
    }
    ck_assert_int_eq(chmod(name_place("above"), 0755), 0);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(name_place("above"), UNPRIVILEGED_USER, 0), 0);
        wn_error error = {0};
        ck_assert_ptr_null(wn_backup_begin(store, name_place("above/place"), NULL, &error));
        ck_assert_msg(strstr(error.text, "/above: it is another user's") != NULL, "%s", error.text);
    }
    wn_store_close(store);
}
END_TEST

/* In the user namespace of a user's own service root is the user for whom there is no other. */
START_TEST(directories_that_the_store_lies_in_may_be_of_a_user_whom_the_namespace_does_not_know)
{
    if (geteuid() != 0) {
        return;
    }
    uint32_t ids[WORLDS];
    wn_store *store = filled_store(ids);
    ck_assert_int_eq(chown(directory, UNPRIVILEGED_USER, 0), 0);
    finish(begin(store));
    ck_assert_int_eq(chown(directory, UNPRIVILEGED_USER - 1, 0), 0);
    assert_no_backup(store, directory, "it is another user's");
    wn_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store_backup");
    TCase *good = new_case(suite, "good"), *bad = new_case(suite, "bad");
    tcase_add_test(good, a_copy_made_while_turns_are_played_is_the_store_of_one_moment);
    tcase_add_test(good, a_copy_is_for_its_owner_alone);
    tcase_add_test(good, what_a_crash_left_of_a_copy_is_written_over);
    tcase_add_test(good, one_copy_is_made_at_a_time);
    tcase_add_test(good, the_server_s_key_is_copied_for_its_owner_alone);
    tcase_add_test(good, a_key_that_is_not_there_is_no_part_of_a_copy);
    tcase_add_test(bad, no_copy_takes_the_place_of_a_key);
    tcase_add_test(bad, a_copy_without_its_key_is_none);
    tcase_add_test(bad, no_copy_takes_the_place_of_a_store);
    tcase_add_test(bad, an_unfinished_copy_is_removed);
    tcase_add_test(bad, closing_the_store_gives_the_copy_up);
    tcase_add_test(bad, a_full_disk_ends_the_copy_and_nothing_else);
    tcase_add_test(bad, a_place_that_cannot_be_written_is_named);
    tcase_add_test(bad, a_read_only_place_is_told_with_what_the_unit_needs);
    tcase_add_test(bad, a_place_that_goes_with_the_service_is_refused);
    tcase_add_test(bad, the_mount_that_a_place_is_in_tells_whether_it_goes_with_the_service);
    tcase_add_test(bad, a_place_where_others_could_exchange_the_copy_is_refused);
    tcase_add_test(bad, directories_that_the_store_lies_in_may_be_of_a_user_whom_the_namespace_does_not_know);
    return run_suite(suite);
}
