/* Session files: what one process leaves behind, the next one finds, and no two at the same time. A process is a struct
 * here: locks belong to open files, so two of them in one process are as far apart as two processes. */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session-file.h"

static const char server[] = "ipc:///run/warren/control";
static char base[64], directory[128];
static uint8_t token[WN_KEY_BYTES], other_token[WN_KEY_BYTES];
static wn_error problem;

static void setup(void)
{
    strcpy(base, "/tmp/warren-sessions-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    snprintf(directory, sizeof directory, "%s/warren/sessions", base);
    memset(token, 0xa7, sizeof token);
    memset(other_token, 0x0b, sizeof other_token);
    problem.text[0] = '\0';
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", base);
    ck_assert_int_eq(system(command), 0);
}

static void open_file(wn_session_file *file, const char *player)
{
    ck_assert_msg(wn_session_file_open(file, directory, server, player, false, &problem), "%s", problem.text);
}

static void write_file(wn_session_file *file, const uint8_t *what)
{
    ck_assert_msg(wn_session_file_write(file, what, &problem), "%s", problem.text);
}

/* As a process that was killed. */
static void leave_session(const char *player, const uint8_t *what)
{
    wn_session_file file;
    ck_assert(wn_session_file_open(&file, directory, server, player, true, &problem));
    write_file(&file, what);
    wn_session_file_close(&file, true);
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *open = opendir(directory);
    ck_assert_ptr_nonnull(open);
    for (const struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        count += entry->d_name[0] != '.';
    }
    closedir(open);
    return count;
}

static void write_raw(const char *name, const char *content, size_t size)
{
    FILE *stream = fopen(path_of(name), "we");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(content, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
}

/* what is kept */

START_TEST(a_killed_process_leaves_its_token_to_the_next)
{
    wn_session_file file;
    int to_parent[2];
    ck_assert_int_eq(pipe(to_parent), 0);
    const pid_t child = fork();
    if (child == 0) {
        char done = 1;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        open_file(&file, "ann");
        write_file(&file, token);
        done = write(to_parent[1], &done, 1) == 1;
        for (;;) {
            pause();
        }
    }
    char done;
    ck_assert_int_eq(read(to_parent[0], &done, 1), 1);
    open_file(&file, "ann"); /* while it lives, its session is its own */
    ck_assert(!file.kept);
    wn_session_file_close(&file, false);
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    open_file(&file, "ann");
    ck_assert(file.kept);
    ck_assert_mem_eq(file.token, token, sizeof token);
    wn_session_file_close(&file, false);
    ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(only_the_same_server_and_the_same_wanted_name_find_it)
{
    wn_session_file file;
    leave_session("ann", token);
    leave_session("", other_token);
    static const char *const strangers[][2] = {
        {"ipc:///run/warren/control", "bob"}, {"tcp://127.0.0.1:7117", "ann"}, {"ipc:///run/warren/contro", "ann"}};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        ck_assert(wn_session_file_open(&file, directory, strangers[i][0], strangers[i][1], false, &problem));
        ck_assert(!file.kept);
        wn_session_file_close(&file, true); /* nothing was written: nothing stays */
    }
    ck_assert_uint_eq(count_files(), 2);
    open_file(&file, "");
    ck_assert_mem_eq(file.token, other_token, sizeof token);
    wn_session_file_close(&file, true);
    open_file(&file, "ann");
    ck_assert_mem_eq(file.token, token, sizeof token);
    wn_session_file_close(&file, true);
}
END_TEST

START_TEST(two_at_a_time_have_two_and_find_two)
{
    wn_session_file first, second;
    for (int life = 0; life < 3; life++) {
        open_file(&first, "ann");
        open_file(&second, "ann");
        ck_assert_int_eq(first.kept, life > 0);
        ck_assert_int_eq(second.kept, life > 0);
        if (life > 0) {
            ck_assert_mem_eq(first.token, token, sizeof token);
            ck_assert_mem_eq(second.token, other_token, sizeof token);
        }
        write_file(&first, token);
        write_file(&second, other_token);
        wn_session_file_close(&first, true);
        wn_session_file_close(&second, true);
    }
    ck_assert_uint_eq(count_files(), 2);
}
END_TEST

START_TEST(a_fresh_one_is_asked_for_and_the_kept_one_stays)
{
    wn_session_file file;
    leave_session("ann", token);
    ck_assert(wn_session_file_open(&file, directory, server, "ann", true, &problem));
    ck_assert(!file.kept);
    write_file(&file, other_token);
    wn_session_file_close(&file, false);
    open_file(&file, "ann");
    ck_assert_mem_eq(file.token, token, sizeof token);
    wn_session_file_close(&file, true);
}
END_TEST

START_TEST(another_token_takes_the_place_of_the_first_and_stays_locked)
{
    wn_session_file file, other;
    open_file(&file, "ann");
    write_file(&file, token);
    write_raw("session-1.new", "half of", 7); /* as left by one that died while it wrote */
    write_file(&file, other_token);
    open_file(&other, "ann");
    ck_assert(!other.kept);
    wn_session_file_close(&other, false);
    wn_session_file_close(&file, true);
    open_file(&file, "ann");
    ck_assert_mem_eq(file.token, other_token, sizeof token);
    wn_session_file_close(&file, true);
    ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(files_that_nobody_holds_are_overwritten_when_there_are_too_many)
{
    wn_session_file file, held[WN_SESSION_FILES];
    for (unsigned i = 0; i < WN_SESSION_FILES; i++) {
        leave_session("old", token);
    }
    ck_assert_uint_eq(count_files(), WN_SESSION_FILES);
    for (unsigned i = 0; i < WN_SESSION_FILES; i++) {
        open_file(&held[i], "ann");
        ck_assert(!held[i].kept);
    }
    ck_assert(!wn_session_file_open(&file, directory, server, "ann", false, &problem));
    ck_assert_int_eq(problem.code, WARREN__ERROR_CODE__ERROR_LIMIT);
    ck_assert_uint_eq(problem.limit, WN_SESSION_FILES);
    for (unsigned i = 0; i < WN_SESSION_FILES; i++) {
        wn_session_file_close(&held[i], false);
    }
    ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(processes_that_start_at_the_same_moment_take_one_session_each)
{
    enum { PROCESSES = 8, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        int tokens[2], go[2], stop[2];
        ck_assert_int_eq(pipe(tokens), 0);
        ck_assert_int_eq(pipe(go), 0);
        ck_assert_int_eq(pipe(stop), 0);
        for (int i = 0; i < PROCESSES; i++) {
            memset(token, i + 1, sizeof token);
            leave_session("ann", token);
        }
        for (int i = 0; i < PROCESSES; i++) {
            if (fork() == 0) {
                wn_session_file file;
                char byte;
                close(go[1]);
                close(stop[1]);
                const bool waited = read(go[0], &byte, 1) == 0;
                open_file(&file, "ann");
                byte = waited && file.kept ? (char)file.token[0] : 0;
                _exit(write(tokens[1], &byte, 1) == 1 && read(stop[0], &byte, 1) == 0 ? 0 : 1);
            }
        }
        close(go[1]);
        bool seen[PROCESSES + 1] = {false};
        for (int i = 0; i < PROCESSES; i++) {
            unsigned char byte;
            ck_assert_int_eq(read(tokens[0], &byte, 1), 1);
            ck_assert_msg(byte >= 1 && byte <= PROCESSES, "a process found none");
            ck_assert_msg(!seen[byte], "two processes took session %d", byte);
            seen[byte] = true;
        }
        close(stop[1]);
        for (int i = 0; i < PROCESSES; i++) {
            ck_assert_int_gt(wait(NULL), 0);
        }
        close(go[0]);
        close(stop[0]);
        close(tokens[0]);
        close(tokens[1]);
        teardown();
        setup();
    }
}
END_TEST

/* Whoever looks at a file locks it for a moment; that must not hide it from another who looks at the same time. */
START_TEST(one_process_looks_at_a_time)
{
    int answer[2];
    char byte;
    leave_session("ann", token);
    ck_assert_int_eq(pipe(answer), 0);
    const int looking = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_eq(flock(looking, LOCK_EX), 0);
    const pid_t child = fork();
    if (child == 0) {
        wn_session_file file;
        close(looking);
        open_file(&file, "ann");
        byte = (char)file.kept;
        _exit(write(answer[1], &byte, 1) == 1 ? 0 : 1);
    }
    struct pollfd answered = {.fd = answer[0], .events = POLLIN};
    ck_assert_int_eq(poll(&answered, 1, 200), 0);
    close(looking);
    ck_assert_int_eq(read(answer[0], &byte, 1), 1);
    ck_assert_int_eq(byte, 1);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
END_TEST

/* files, modes and places */

START_TEST(directory_and_file_are_the_users_alone_whatever_the_umask)
{
    struct stat status;
    umask(0);
    leave_session("ann", token);
    ck_assert_int_eq(stat(directory, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0700);
    ck_assert_int_eq(stat(path_of("session-1"), &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
    ck_assert_int_eq(chmod(directory, 0750), 0);
    wn_session_file file;
    ck_assert(!wn_session_file_open(&file, directory, server, "ann", false, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "must be yours alone (chmod 700)"));
    ck_assert(!file.kept);
}
END_TEST

START_TEST(broken_content_is_ignored_and_harms_nobody)
{
    char whole[512], changed[512];
    wn_session_file file;
    leave_session("ann", token);
    FILE *stream = fopen(path_of("session-1"), "re");
    const size_t size = fread(whole, 1, sizeof whole, stream);
    fclose(stream);
    for (size_t cut = 0; cut < size; cut++) { /* never half of it */
        write_raw("session-1", whole, cut);
        open_file(&file, "ann");
        ck_assert_msg(!file.kept, "the first %zu of %zu bytes were taken for a session", cut, size);
        wn_session_file_close(&file, true);
    }
    for (size_t at = 0; at < size; at++) {
        memcpy(changed, whole, size);
        changed[at] = changed[at] == '\n' ? '\0' : '\n';
        write_raw("session-1", changed, size);
        open_file(&file, "ann");
        ck_assert_msg(!file.kept, "byte %zu was not looked at", at);
        wn_session_file_close(&file, true);
    }
    memset(changed, '\n', sizeof changed);
    write_raw("session-1", changed, sizeof changed);
    write_raw("session-2", whole, size);
    open_file(&file, "ann"); /* behind the broken one there is a good one */
    ck_assert(file.kept);
    ck_assert_uint_eq(file.number, 2);
    wn_session_file_close(&file, true);
}
END_TEST

START_TEST(links_and_other_things_that_are_no_files_are_left_alone)
{
    char elsewhere[128];
    wn_session_file file;
    leave_session("ann", token);
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", base);
    ck_assert_int_eq(rename(path_of("session-1"), elsewhere), 0);
    ck_assert_int_eq(symlink(elsewhere, path_of("session-1")), 0);
    ck_assert_int_eq(mkfifo(path_of("session-2"), 0600), 0);
    ck_assert_int_eq(mkdir(path_of("session-3"), 0700), 0);
    open_file(&file, "ann");
    ck_assert(!file.kept);
    ck_assert_uint_eq(file.number, 4);
    wn_session_file_close(&file, false);
}
END_TEST

static void expect_inert(const char *where, const char *says)
{
    wn_session_file file;
    problem.text[0] = '\0';
    ck_assert(!wn_session_file_open(&file, where, server, "ann", false, &problem));
    ck_assert_msg(strstr(problem.text, says) != NULL, "%s", problem.text);
    ck_assert_ptr_nonnull(strstr(problem.text, "the next one will not find its seat"));
    problem.text[0] = '\0';
    ck_assert(!file.kept);
    ck_assert(wn_session_file_write(&file, token, &problem));
    ck_assert_str_eq(problem.text, "");
    wn_session_file_close(&file, false);
}

START_TEST(a_place_where_nothing_can_be_kept_is_told_of_and_the_file_does_nothing)
{
    char path[128];
    snprintf(path, sizeof path, "%s/file", base);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    strcat(path, "/sessions");
    expect_inert(path, "Not a directory");
    expect_inert(NULL, "XDG_RUNTIME_DIR, XDG_STATE_HOME and HOME are not set");
    ck_assert_int_eq(chmod(base, 0500), 0);
    if (geteuid() == 0) { /* whom no mode holds back */
        ck_assert_int_eq(chown(base, 65534, 65534), 0);
        ck_assert_int_eq(seteuid(65534), 0);
    }
    expect_inert(directory, "No such file or directory");
    expect_inert(base, "Permission denied");
    if (getuid() == 0) {
        ck_assert_int_eq(seteuid(0), 0);
    }
    ck_assert_int_eq(chmod(base, 0700), 0);
}
END_TEST

START_TEST(a_directory_that_becomes_read_only_is_told_of_when_the_token_is_written)
{
    wn_session_file file;
    umask(0);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(base, 65534, 65534), 0);
        ck_assert_int_eq(seteuid(65534), 0);
    }
    open_file(&file, "ann");
    ck_assert_int_eq(chmod(directory, 0500), 0);
    ck_assert(!wn_session_file_write(&file, token, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "Permission denied"));
    ck_assert_int_eq(chmod(directory, 0700), 0);
    write_file(&file, token);
    wn_session_file_close(&file, true);
    open_file(&file, "ann");
    ck_assert(file.kept);
    wn_session_file_close(&file, false);
    if (getuid() == 0) {
        ck_assert_int_eq(seteuid(0), 0);
    }
}
END_TEST

START_TEST(the_place_is_the_first_that_the_environment_names)
{
    static const struct {
        const char *runtime, *state, *home, *expected;
    } cases[] = {
        {"/r", "/s", "/h", "/r/warren/sessions"},
        {NULL, "/s", "/h", "/s/warren/sessions"},
        {"", NULL, "/h", "/h/.local/state/warren/sessions"},
        {"relative", "", "/h", "/h/.local/state/warren/sessions"},
        {NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[128] = "";
        const char *const values[] = {cases[i].runtime, cases[i].state, cases[i].home};
        static const char *const names[] = {"XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"};
        for (size_t n = 0; n < 3; n++) {
            ck_assert_int_eq(values[n] == NULL ? unsetenv(names[n]) : setenv(names[n], values[n], 1), 0);
        }
        ck_assert_int_eq(wn_session_directory(path, sizeof path), cases[i].expected != NULL);
        if (cases[i].expected != NULL) {
            ck_assert_str_eq(path, cases[i].expected);
            ck_assert(!wn_session_directory(path, strlen(cases[i].expected)));
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interface_session_file");
    TCase *tests = tcase_create("tests");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_killed_process_leaves_its_token_to_the_next);
    tcase_add_test(tests, only_the_same_server_and_the_same_wanted_name_find_it);
    tcase_add_test(tests, two_at_a_time_have_two_and_find_two);
    tcase_add_test(tests, a_fresh_one_is_asked_for_and_the_kept_one_stays);
    tcase_add_test(tests, another_token_takes_the_place_of_the_first_and_stays_locked);
    tcase_add_test(tests, files_that_nobody_holds_are_overwritten_when_there_are_too_many);
    tcase_add_test(tests, processes_that_start_at_the_same_moment_take_one_session_each);
    tcase_add_test(tests, one_process_looks_at_a_time);
    tcase_add_test(tests, directory_and_file_are_the_users_alone_whatever_the_umask);
    tcase_add_test(tests, broken_content_is_ignored_and_harms_nobody);
    tcase_add_test(tests, links_and_other_things_that_are_no_files_are_left_alone);
    tcase_add_test(tests, a_place_where_nothing_can_be_kept_is_told_of_and_the_file_does_nothing);
    tcase_add_test(tests, a_directory_that_becomes_read_only_is_told_of_when_the_token_is_written);
    tcase_add_test(tests, the_place_is_the_first_that_the_environment_names);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
