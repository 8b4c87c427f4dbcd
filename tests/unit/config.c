/* config.c: what warren.conf may say, what is answered when it says something else, and that the printed file is a
 * file. Every test runs in its own process, with a directory of its own and an environment it may change.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configuration/config.h"
#include "suite.h"

enum { UNPRIVILEGED_USER = 65534 };

static char directory[64];
static wn_config config;

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

/* A configuration that is good: its directories can be made, its host program can be run. */
static void begin(void)
{
    strcpy(directory, "/tmp/warren-config-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    char path[96];
    snprintf(path, sizeof path, "%s/run", directory);
    setenv("RUNTIME_DIRECTORY", path, 1);
    snprintf(path, sizeof path, "%s/state", directory);
    setenv("STATE_DIRECTORY", path, 1);
    wn_error error = {0};
    ck_assert_msg(wn_config_init(&config, &error), "%s", error.text);
    snprintf(path, sizeof path, "daemon.mode_path=%s", directory);
    ck_assert(wn_config_set(&config, path, NULL) && wn_config_set(&config, "daemon.host_program=/bin/sh", NULL));
}

static void end(void)
{
    wn_config_free(&config);
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *path_of(const char *name)
{
    static char path[96];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static const char *file_with(const char *text)
{
    const char *path = path_of("warren.conf");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void read_good(const char *text)
{
    wn_error error = {0};
    ck_assert_msg(wn_config_read(&config, file_with(text), &error), "%s", error.text);
}

static void set_good(const char *assignment)
{
    wn_error error = {0};
    ck_assert_msg(wn_config_set(&config, assignment, &error), "%s", error.text);
}

static void check_good(void)
{
    wn_error error = {0};
    ck_assert_msg(wn_config_check(&config, &error), "%s", error.text);
}

/* The words that an error has to have in it, up to the first NULL. */
typedef const char *words[5];

static void assert_says_as(Warren__ErrorCode code, const wn_error *error, const char *const *expected)
{
    ck_assert_int_eq(error->code, code);
    for (size_t i = 0; i < 5 && expected[i] != NULL; i++) {
        ck_assert_msg(strstr(error->text, expected[i]) != NULL, "\"%s\" lacks \"%s\"", error->text, expected[i]);
    }
}

static void assert_says(const wn_error *error, const char *const *expected)
{
    assert_says_as(WARREN__ERROR_CODE__ERROR_BAD_SETTING, error, expected);
}

/* defaults */

START_TEST(numbers_and_choices_have_their_defaults)
{
    ck_assert_uint_eq(config.heartbeat_ms, 2000);
    ck_assert_uint_eq(config.grace_ms, 60000);
    ck_assert_uint_eq(config.send_queue, 1000);
    ck_assert_uint_eq(config.turn_limit_ms, 2000);
    ck_assert_uint_eq(config.snapshot_turns, 10000);
    ck_assert_uint_eq(config.snapshot_bytes, 1 << 20);
    ck_assert_uint_eq(config.hash_turns, 256);
    ck_assert(!config.keep_history);
    ck_assert_int_eq(config.on_upgrade, WN_UPGRADE_ASK);
    ck_assert_int_eq(config.sandbox, WN_SANDBOX_YES);
    ck_assert_uint_eq(config.memory_mib, 4096);
    ck_assert_uint_eq(config.request_bytes, 16384);
    ck_assert_uint_eq(config.worlds, 20000);
    ck_assert_uint_eq(config.log_level, WN_LEVEL_INFO);
    ck_assert_uint_eq(config.durability, WN_DURABILITY_NORMAL);
    ck_assert(!config.insecure);
    check_good();
}
END_TEST

static void assert_directories(const char *runtime, const char *state)
{
    wn_config fresh;
    ck_assert(wn_config_init(&fresh, NULL));
    ck_assert_str_eq(fresh.runtime_dir, runtime);
    ck_assert_str_eq(fresh.state_dir, state);
    char endpoints[256];
    snprintf(endpoints, sizeof endpoints, "ipc://%s/control tcp://127.0.0.1:7117", runtime);
    ck_assert_str_eq(fresh.control, endpoints);
    snprintf(endpoints, sizeof endpoints, "ipc://%s/updates tcp://127.0.0.1:7118", runtime);
    ck_assert_str_eq(fresh.updates, endpoints);
    ck_assert_str_eq(fresh.mode_path, WARREN_MODE_DIR);
    wn_config_free(&fresh);
}

START_TEST(directories_come_from_systemd_or_the_user_s_environment)
{
    setenv("RUNTIME_DIRECTORY", "/run/a:/run/b", 1);
    setenv("STATE_DIRECTORY", "/var/lib/a:/var/lib/b", 1);
    assert_directories("/run/a", "/var/lib/a");
    unsetenv("RUNTIME_DIRECTORY");
    unsetenv("STATE_DIRECTORY");
    if (geteuid() == 0) {
        assert_directories("/run/warren", "/var/lib/warren");
        ck_assert_int_eq(seteuid(UNPRIVILEGED_USER), 0);
    }
    setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
    setenv("XDG_STATE_HOME", "/home/ann/.state", 1);
    setenv("HOME", "/home/ann", 1);
    assert_directories("/run/user/7/warren", "/home/ann/.state/warren");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_RUNTIME_DIR");
    assert_directories("/home/ann/.local/state/warren/run", "/home/ann/.local/state/warren");
    setenv("XDG_STATE_HOME", "relative", 1); /* to be ignored, says the specification */
    assert_directories("/home/ann/.local/state/warren/run", "/home/ann/.local/state/warren");
    unsetenv("HOME");
    assert_directories("", "");
    if (getuid() == 0) {
        ck_assert_int_eq(seteuid(0), 0);
    }
}
END_TEST

START_TEST(the_host_program_beside_the_daemon_is_preferred)
{
    wn_config fresh;
    ck_assert(wn_config_init(&fresh, NULL));
    const char *slash = strrchr(fresh.host_program, '/');
    ck_assert_ptr_nonnull(slash);
    ck_assert_str_eq(slash, "/warren-host");
    if (strcmp(fresh.host_program, WARREN_LIBEXEC_DIR "/warren-host") != 0) {
        ck_assert_int_eq(access(fresh.host_program, X_OK), 0);
    }
    wn_config_free(&fresh);
}
END_TEST

/* reading */

START_TEST(a_file_changes_what_it_names_and_nothing_else)
{
    read_good("# a comment\n; another\n\n[network]\nheartbeat_ms = 500 ; as fast as that\ninsecure = Yes\n"
              "[store]\ndurability=full\n[daemon]\nlog_level : debug\nmode_path = /a::/b c:/d\n"
              "[network]\nsend_queue = 10\n");
    ck_assert_uint_eq(config.heartbeat_ms, 500);
    ck_assert(config.insecure);
    ck_assert_uint_eq(config.durability, WN_DURABILITY_FULL);
    ck_assert_uint_eq(config.log_level, WN_LEVEL_DEBUG);
    ck_assert_str_eq(config.mode_path, "/a:/b c:/d");
    ck_assert_uint_eq(config.send_queue, 10);
    ck_assert_uint_eq(config.grace_ms, 60000);
}
END_TEST

START_TEST(the_store_and_upgrades_are_set_by_words_and_numbers)
{
    static const char *const choices[] = {"ask", "replay", "snapshot"};
    for (int i = 0; i < 3; i++) {
        char line[64];
        snprintf(line, sizeof line, "[hosts]\non_upgrade = %s\n", choices[i]);
        read_good(line);
        ck_assert_int_eq(config.on_upgrade, i);
    }
    read_good("[hosts]\nsandbox = require\nmemory_mib = 0\n");
    ck_assert_int_eq(config.sandbox, WN_SANDBOX_REQUIRE);
    ck_assert_uint_eq(config.memory_mib, 0);
    read_good("[store]\ndurability = full\nkeep_history = yes\nhash_turns = 0\nsnapshot_bytes = 4096\n");
    ck_assert_int_eq(config.durability, WN_DURABILITY_FULL);
    ck_assert(config.keep_history);
    ck_assert_uint_eq(config.hash_turns, 0);
    ck_assert_uint_eq(config.snapshot_bytes, 4096);
    check_good();
}
END_TEST

START_TEST(lists_go_on_in_indented_lines)
{
    read_good("[network]\ncontrol = ipc:///a  tcp://127.0.0.1:1 ; first\n    tcp://127.0.0.1:2 ; second\n"
              "    ; between\n\ttcp://127.0.0.1:3\nupdates = ipc:///b\n[daemon]\nmode_path = /a:\n  /b\n");
    ck_assert_str_eq(config.control, "ipc:///a tcp://127.0.0.1:1 tcp://127.0.0.1:2 tcp://127.0.0.1:3");
    ck_assert_str_eq(config.updates, "ipc:///b");
    ck_assert_str_eq(config.mode_path, "/a:/b");
}
END_TEST

START_TEST(nothing_is_expanded)
{
    read_good("[daemon]\nstate_dir = /x/${HOME}/$HOME/~/%h\n");
    ck_assert_str_eq(config.state_dir, "/x/${HOME}/$HOME/~/%h");
}
END_TEST

START_TEST(a_relative_path_begins_at_the_working_directory)
{
    ck_assert_int_eq(chdir(directory), 0);
    set_good("daemon.state_dir=worlds");
    ck_assert_str_eq(config.state_dir, path_of("worlds"));
    set_good("daemon.mode_path=/a:b");
    ck_assert_int_eq(strncmp(config.mode_path, "/a:/tmp/", 8), 0);
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

START_TEST(default_sockets_follow_the_runtime_directory)
{
    set_good("daemon.runtime_dir=/x");
    ck_assert_str_eq(config.control, "ipc:///x/control tcp://127.0.0.1:7117");
    ck_assert_str_eq(config.updates, "ipc:///x/updates tcp://127.0.0.1:7118");
    set_good("network.control=ipc:///mine");
    set_good("daemon.runtime_dir=/y");
    ck_assert_str_eq(config.control, "ipc:///mine");
    ck_assert_str_eq(config.updates, "ipc:///y/updates tcp://127.0.0.1:7118");
}
END_TEST

START_TEST(an_error_in_a_file_says_where_what_and_what_is_allowed)
{
    static const struct {
        const char *text;
        words expected;
    } table[] = {
        {"[limits]\nworlds = 0\n", {"warren.conf:2:", "limits.worlds", "\"0\"", "from 1 to 10000000"}},
        {"[limits]\n\n\nname_bytes = 33\n", {"warren.conf:4:", "name_bytes", "\"33\"", "from 1 to 32"}},
        {"[limits]\nworlds = -1\n", {":2:", "\"-1\""}},
        {"[limits]\nworlds = 5x\n", {":2:", "\"5x\""}},
        {"[limits]\nworlds = 99999999999999999999\n", {":2:", "worlds"}},
        {"[limits]\nworlds =\n", {":2:", "worlds", "\"\""}},
        {"[network]\ninsecure = maybe\n", {":2:", "insecure", "\"maybe\"", "yes or no"}},
        {"[store]\ndurability = some\n", {":2:", "\"some\"", "normal or full"}},
        {"[store]\nkeep_history = 2\n", {":2:", "keep_history", "\"2\"", "yes or no"}},
        {"[store]\nsnapshot_bytes = 0\n", {":2:", "snapshot_bytes", "from 4096 to 1073741824"}},
        {"[store]\nhash_turns = 10000001\n", {":2:", "hash_turns", "from 0 to 10000000"}},
        {"[hosts]\nsandbox = maybe\n", {":2:", "sandbox", "no, yes or require"}},
        {"[hosts]\non_upgrade = forget\n", {":2:", "on_upgrade", "ask, replay or snapshot"}},
        {"[daemon]\nlog_level = loud\n", {":2:", "\"loud\"", "error, warning, info or debug"}},
        {"[daemon]\nstate_dir =\n", {":2:", "state_dir", "empty"}},
        {"[Daemon]\nlog_level = info\n", {":2:", "no section [Daemon]", "log_level", "--print-config"}},
        {"log_level = info\n[daemon]\n", {":1:", "log_level", "before the first [section]"}},
        {"[daemon]\nstatedir = /x\n", {":2:", "no setting statedir in [daemon]", "\"/x\"", "--print-config"}},
        {"[nework]\ninsecure = no\n", {":2:", "no section [nework]"}},
        {"insecure = no\n", {":1:", "before the first [section]"}},
        {"[network]\nwhat is this\n", {":2:", "key = value"}},
        {"[network\ninsecure = no\n", {":1:", "ends in"}},
        {"[network] insecure = yes\n", {":1:", "nothing may follow"}},
        {"[network]\ninsecure = no\n[store]\n[network]\ninsecure = yes\n", {":5:", "insecure", "set in line 2"}},
        {"[network]\ninsecure = no\n  heartbeat_ms = 500\n", {":3:", "insecure", "indented"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        wn_error error = {0};
        ck_assert_msg(!wn_config_read(&config, file_with(table[i].text), &error), "%s was taken", table[i].text);
        assert_says(&error, table[i].expected);
        ck_assert_ptr_nonnull(strstr(error.text, directory));
    }
}
END_TEST

START_TEST(a_line_that_the_parser_would_cut_is_refused)
{
    char text[400] = "[daemon]\nstate_dir = /";
    memset(text + strlen(text), 'x', 300);
    wn_error error = {0};
    ck_assert(!wn_config_read(&config, file_with(text), &error));
    assert_says(&error, (words){":2:", "too long"});
}
END_TEST

START_TEST(a_missing_file_is_named)
{
    wn_error error = {0};
    ck_assert(!wn_config_read(&config, "/nowhere/warren.conf", &error));
    assert_says(&error, (words){"/nowhere/warren.conf", "No such file"});
}
END_TEST

START_TEST(an_assignment_that_cannot_be_is_answered)
{
    static const char shape[] = "SECTION.KEY=VALUE";
    static const struct {
        const char *assignment;
        words expected;
    } table[] = {
        {"worlds", {shape, "--set worlds"}},
        {"worlds=5", {shape}},
        {"limits.worlds", {shape}},
        {"limits=worlds.5", {shape}},
        {"", {shape}},
        {"limits.wolds=5", {"no setting limits.wolds", "--print-config"}},
        {"limits.worlds=many", {"--set", "limits.worlds", "\"many\"", "from 1 to"}},
        {"daemon.state_dir=/x\n[network]", {"state_dir", "control characters"}},
        {"daemon.state_dir=/x ;y", {"state_dir"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        wn_error error = {0};
        ck_assert_msg(!wn_config_set(&config, table[i].assignment, &error), "%s was taken", table[i].assignment);
        const bool malformed = strcmp(table[i].expected[0], shape) == 0;
        assert_says_as(malformed ? WARREN__ERROR_CODE__ERROR_MALFORMED : WARREN__ERROR_CODE__ERROR_BAD_SETTING, &error,
                       table[i].expected);
    }
}
END_TEST

/* checking */

START_TEST(addresses_that_others_can_reach_take_keys)
{
    static const char *const beyond[] = {"tcp://*:7117",         "tcp://0.0.0.0:7117",         "tcp://192.0.2.1:7117",
                                         "tcp://[::]:7117",      "tcp://[2001:db8::1]:7117",   "tcp://eth0:7117",
                                         "tcp://128.0.0.1:7117", "tcp://[::ffff:1.2.3.4]:717", "tcp://[::1%eth0]:7117"};
    static const char *const within[] = {"tcp://127.0.0.1:7117",          "tcp://127.9.9.9:*", "tcp://[::1]:65535",
                                         "tcp://[::ffff:127.0.0.1]:7117", "tcp://lo:1",        "ipc:///tmp/x"};
    for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
        ck_assert_msg(!wn_config_takes_keys(&config, within[i]), "%s", within[i]);
    }
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        ck_assert_msg(wn_config_takes_keys(&config, beyond[i]), "%s", beyond[i]);
    }
    set_good("security.plain_loopback=no");
    for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
        ck_assert_msg(wn_config_takes_keys(&config, within[i]) == (strncmp(within[i], "tcp", 3) == 0), "%s", within[i]);
    }
    set_good("network.insecure=yes");
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        ck_assert_msg(!wn_config_takes_keys(&config, beyond[i]), "%s", beyond[i]);
    }
}
END_TEST

START_TEST(what_is_no_endpoint_is_refused)
{
    static const char *const table[] = {
        "127.0.0.1:7117",  "tcp://127.0.0.1", "tcp://127.0.0.1:",     "tcp://127.0.0.1:0", "tcp://127.0.0.1:65536",
        "tcp://:7117",     "tcp://::1:7117",  "tcp://[]:7117",        "udp://127.0.0.1:1", "tcp://127.0.0.1:7117x",
        "ipc://relative",  "ipc://",          "tcp://localhost:7117", "inproc://x",        "tcp://127.0.0.1:-1",
        "tcp://[::1:7117",
    };
    char text[96];
    set_good("network.insecure=yes");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        snprintf(text, sizeof text, "network.updates=%s", table[i]);
        set_good(text);
        wn_error error = {0};
        ck_assert_msg(!wn_config_check(&config, &error), "%s was taken", table[i]);
        assert_says(&error, (words){"network.updates", table[i]});
    }
}
END_TEST

START_TEST(the_path_of_a_socket_has_107_bytes_and_no_more)
{
    for (size_t length = 107; length <= 108; length++) {
        char text[160] = "network.control=ipc://";
        size_t begin_of_path = strlen(text);
        snprintf(text + begin_of_path, sizeof text - begin_of_path, "%s/", directory);
        memset(text + strlen(text), 'x', begin_of_path + length - strlen(text));
        set_good(text);
        wn_error error = {0};
        ck_assert_int_eq(wn_config_check(&config, &error), length == 107);
        if (length == 108) {
            assert_says(&error, (words){"network.control", text + begin_of_path, "107", "has 108", "runtime_dir"});
            ck_assert_uint_eq(error.limit, 107);
        }
    }
}
END_TEST

START_TEST(what_does_not_fit_together_is_refused)
{
    static const struct {
        const char *assignments[2];
        words expected;
    } table[] = {
        {{"network.heartbeat_ms=5000", "network.grace_ms=9999"}, {"grace_ms = 9999", "heartbeat_ms", "5000"}},
        {{"daemon.runtime_dir=/tmp/a b"}, {"runtime_dir", "/tmp/a b", "spaces"}},
        {{"daemon.state_dir=/dev/null"}, {"state_dir", "/dev/null", "Not a directory"}},
        {{"daemon.state_dir=/dev/null/x"}, {"state_dir", "/dev/null/x", "Not a directory"}},
        {{"daemon.mode_path=/proc/nowhere:/dev/null"}, {"mode_path", "/proc/nowhere:/dev/null"}},
        {{"daemon.host_program=/nowhere/host"}, {"host_program", "/nowhere/host", "No such file"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        end();
        begin();
        for (size_t j = 0; j < 2 && table[i].assignments[j] != NULL; j++) {
            set_good(table[i].assignments[j]);
        }
        wn_error error = {0};
        ck_assert(!wn_config_check(&config, &error));
        assert_says(&error, table[i].expected);
    }
}
END_TEST

START_TEST(whoever_can_send_requests_can_subscribe)
{
    static const struct {
        const char *control, *updates, *other;
        const char *nobody_s; /* the address that none of `updates` is for; NULL: there is none */
    } table[] = {
        {"ipc:///c", "ipc:///u", NULL, NULL},
        {"ipc:///c tcp://*:1", "ipc:///u tcp://*:2", NULL, NULL},
        {"ipc:///c tcp://*:1", "ipc:///u tcp://192.0.2.1:2", NULL, NULL},
        {"tcp://*:1", "ipc:///u tcp://127.0.0.1:2", NULL, "tcp://*:1"},
        {"tcp://*:1", "ipc:///u tcp://127.0.0.1:2", "security.plain_loopback=no", "tcp://*:1"},
        {"tcp://*:1", "ipc:///u tcp://127.0.0.1:2", "network.insecure=yes", "tcp://*:1"},
        {"ipc:///c tcp://127.0.0.1:1", "ipc:///u", NULL, "tcp://127.0.0.1:1"},
        {"ipc:///c tcp://127.0.0.1:1", "tcp://127.0.0.1:2", NULL, "ipc:///c"},
        {"tcp://127.0.0.1:1", "tcp://*:2", NULL, "tcp://127.0.0.1:1"}, /* without a key, and with one */
        {"tcp://127.0.0.1:1", "tcp://*:2", "security.plain_loopback=no", NULL},
        {"tcp://127.0.0.1:1", "tcp://*:2", "network.insecure=yes", NULL},
        {"tcp://127.0.0.1:1", "tcp://[::1]:2", NULL, NULL},
    };
    char text[96];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        end();
        begin();
        snprintf(text, sizeof text, "network.control=%s", table[i].control);
        set_good(text);
        snprintf(text, sizeof text, "network.updates=%s", table[i].updates);
        set_good(text);
        if (table[i].other != NULL) {
            set_good(table[i].other);
        }
        wn_error error = {0};
        ck_assert_msg(wn_config_check(&config, &error) == (table[i].nobody_s == NULL), "%zu: %s", i, error.text);
        if (table[i].nobody_s != NULL) {
            snprintf(text, sizeof text, "those who come to %s ", table[i].nobody_s);
            assert_says(&error, (words){"network.updates", text});
        }
    }
}
END_TEST

START_TEST(a_directory_that_cannot_be_written_is_named)
{
    char closed[96], text[160];
    snprintf(closed, sizeof closed, "%s/closed", directory);
    ck_assert_int_eq(mkdir(closed, 0555), 0);
    ck_assert_int_eq(chmod(directory, 0755), 0);
    snprintf(text, sizeof text, "daemon.state_dir=%s/a/b", closed);
    set_good(text);
    /* access(2) asks about the real user. */
    bool root = getuid() == 0;
    if (root) {
        ck_assert_int_eq(chown(directory, UNPRIVILEGED_USER, UNPRIVILEGED_USER), 0);
        ck_assert_int_eq(setresuid(UNPRIVILEGED_USER, UNPRIVILEGED_USER, 0), 0);
    }
    wn_error error = {0};
    ck_assert(!wn_config_check(&config, &error));
    if (root) {
        ck_assert_int_eq(setresuid(0, 0, 0), 0);
    }
    assert_says(&error, (words){"state_dir", closed, "Permission denied"});
}
END_TEST

/* printing */

static char *printed(const wn_config *from)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    wn_error error = {0};
    ck_assert_msg(wn_config_print(from, to, &error), "%s", error.text);
    fclose(to);
    return text;
}

START_TEST(the_printed_file_reads_back_as_the_same_configuration)
{
    static const char *const assignments[] = {
        "daemon.runtime_dir=/somewhere/else",
        "daemon.mode_path=/a:/b with spaces:/c",
        "daemon.log_level=debug",
        "network.control=ipc:///a tcp://127.0.0.1:1 tcp://[::1]:2",
        "network.insecure=yes",
        "store.durability=full",
        "limits.worlds=3",
        "network.heartbeat_ms=777",
        "hosts.restarts=0",
    };
    for (size_t count = 0; count <= sizeof assignments / sizeof *assignments; count++) {
        if (count > 0) {
            set_good(assignments[count - 1]);
        }
        char *text = printed(&config);
        wn_config again;
        wn_error error = {0};
        ck_assert(wn_config_init(&again, NULL));
        ck_assert_msg(wn_config_read(&again, file_with(text), &error), "%s", error.text);
        char *second = printed(&again);
        ck_assert_str_eq(text, second);
        ck_assert_str_eq(again.control, config.control);
        ck_assert_str_eq(again.mode_path, config.mode_path);
        ck_assert_uint_eq(again.log_level, config.log_level);
        ck_assert_uint_eq(again.worlds, config.worlds);
        ck_assert_int_eq(again.insecure, config.insecure);
        wn_config_free(&again);
        free(second);
        free(text);
    }
}
END_TEST

/* Does the printed file set it? The other lines of it are comments. */
static bool is_set(const char *text, const char *key)
{
    char line[64];
    snprintf(line, sizeof line, "\n%s = ", key);
    return strstr(text, line) != NULL;
}

START_TEST(a_value_that_is_the_default_is_printed_in_a_comment)
{
    static const char *const keys[] = {"runtime_dir", "state_dir", "control", "updates", "key_file", "worlds"};
    wn_config fresh;
    ck_assert(wn_config_init(&fresh, NULL));
    char *text = printed(&fresh);
    for (char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += line[0] == '\n' ? 1 : 0;
        ck_assert_msg(line[0] == '#' || line[0] == '[' || line[0] == '\n' || line[0] == '\0', "%.60s", line);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ck_assert_msg(!is_set(text, keys[i]), "%s", keys[i]);
    }
    free(text);
    /* What follows from a directory follows from it where the file is read, too. */
    ck_assert(wn_config_set(&fresh, "daemon.runtime_dir=/a", NULL) &&
              wn_config_set(&fresh, "daemon.state_dir=/b", NULL) && wn_config_set(&fresh, "limits.worlds=3", NULL));
    text = printed(&fresh);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ck_assert_msg(is_set(text, keys[i]) == (i < 2 || i == 5), "%s", keys[i]);
    }
    ck_assert_ptr_nonnull(strstr(text, "# control = ipc:///a/control\n#     tcp://127.0.0.1:7117\n"));
    free(text);
    wn_config_free(&fresh);
}
END_TEST

START_TEST(every_key_of_the_printed_file_is_documented_with_its_range_and_default)
{
    char *text = printed(&config), *rest = NULL, before[2][256] = {"", ""};
    int keys = 0, sections = 0;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        ck_assert_uint_le(strlen(line), 120);
        sections += line[0] == '[';
        const char *key = line + (strncmp(line, "# ", 2) == 0 ? 2 : 0);
        const size_t letters = strspn(key, "abcdefghijklmnopqrstuvwxyz_");
        if (letters > 0 && strncmp(key + letters, " =", 2) == 0) {
            keys++;
            ck_assert_msg(before[1][0] == '#' && strstr(before[1], "Default: ") != NULL, "%s: %s", line, before[1]);
            ck_assert_msg(strstr(before[1], "It takes ") != NULL || strstr(before[0], "It takes ") != NULL, "%s", line);
        }
        strcpy(before[0], before[1]);
        snprintf(before[1], sizeof before[1], "%s", line);
    }
    ck_assert_int_eq(sections, 7);
    ck_assert_int_ge(keys, 35);
    free(text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {numbers_and_choices_have_their_defaults,
                                  directories_come_from_systemd_or_the_user_s_environment,
                                  the_host_program_beside_the_daemon_is_preferred,
                                  a_file_changes_what_it_names_and_nothing_else,
                                  the_store_and_upgrades_are_set_by_words_and_numbers,
                                  lists_go_on_in_indented_lines,
                                  nothing_is_expanded,
                                  a_relative_path_begins_at_the_working_directory,
                                  default_sockets_follow_the_runtime_directory,
                                  an_error_in_a_file_says_where_what_and_what_is_allowed,
                                  a_line_that_the_parser_would_cut_is_refused,
                                  a_missing_file_is_named,
                                  an_assignment_that_cannot_be_is_answered,
                                  addresses_that_others_can_reach_take_keys,
                                  what_is_no_endpoint_is_refused,
                                  the_path_of_a_socket_has_107_bytes_and_no_more,
                                  what_does_not_fit_together_is_refused,
                                  whoever_can_send_requests_can_subscribe,
                                  a_directory_that_cannot_be_written_is_named,
                                  the_printed_file_reads_back_as_the_same_configuration,
                                  a_value_that_is_the_default_is_printed_in_a_comment,
                                  every_key_of_the_printed_file_is_documented_with_its_range_and_default};
    return suite_run_with("config", tests, sizeof tests / sizeof *tests, begin, end);
}
