/* Addresses as people type them: which are understood, and what the others are told. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

typedef struct good_address {
    const char *text, *control, *world;
} good_address;

static const good_address good[] = {
    {"warren://example.org", "tcp://example.org:7117", ""},
    {"warren://example.org/", "tcp://example.org:7117", ""},
    {"warren://example.org/cave-1", "tcp://example.org:7117", "cave-1"},
    {"warren://example.org:9000", "tcp://example.org:9000", ""},
    {"warren://10.0.0.7:1/w", "tcp://10.0.0.7:1", "w"},
    {"warren://[::1]", "tcp://[::1]:7117", ""},
    {"warren://[fe80::1%eth0]:65535/A.b_c", "tcp://[fe80::1%eth0]:65535", "A.b_c"},
    {"tcp://localhost:7117", "tcp://localhost:7117", ""},
    {"tcp://[::1]:7117", "tcp://[::1]:7117", ""},
    {"ipc:///run/warren/control", "ipc:///run/warren/control", ""},
    {"ipc://@abstract", "ipc://@abstract", ""},
    {"/nowhere/at/all/control", "ipc:///nowhere/at/all/control", ""},
};

typedef struct bad_address {
    const char *text, *says;
    Warren__ErrorCode code;
} bad_address;

static const bad_address bad[] = {
    {"example.org", "neither an address nor a path", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"http://example.org", "begins with none of warren://", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://", "has no valid host", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren:///w", "has no valid host", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://a b", "has no valid host", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://::1", "has no valid host", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://[::1", "has no valid host", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://[]", "has no valid host", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://[::1]x", "has no valid host", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host:", "not a number from 1 to 65535", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host:0", "not a number from 1 to 65535", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host:65536", "not a number from 1 to 65535", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host:71170000000", "not a number from 1 to 65535", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host:7x", "not a number from 1 to 65535", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host/-w", "names no valid world", WARREN__ERROR_CODE__ERROR_BAD_NAME},
    {"warren://host/a/b", "names no valid world", WARREN__ERROR_CODE__ERROR_BAD_NAME},
    {"warren://host/012345678901234567890123456789012", "names no valid world", WARREN__ERROR_CODE__ERROR_BAD_NAME},
    {"tcp://host", "has no port", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"tcp://host:7117/w", "not a number from 1 to 65535", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host?seat=1", "not key=", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"warren://host/w?key=", "neither 64 hexadecimal digits", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"tcp://host:7117?key=abcd", "neither 64 hexadecimal digits", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"ipc://", "has no path", WARREN__ERROR_CODE__ERROR_MALFORMED},
    {"/nowhere/at/all", "is not there", WARREN__ERROR_CODE__ERROR_NOT_FOUND},
    {"nowhere/", "is not there", WARREN__ERROR_CODE__ERROR_NOT_FOUND},
    {"/dev/null", "is neither a directory nor a socket", WARREN__ERROR_CODE__ERROR_NOT_FOUND},
};

START_TEST(address_is_understood)
{
    wn_address address;
    wn_error error = {.text = ""};
    ck_assert_msg(wn_address_parse(&address, good[_i].text, &error), "%s: %s", good[_i].text, error.text);
    ck_assert_str_eq(address.control, good[_i].control);
    ck_assert_str_eq(address.world, good[_i].world);
}
END_TEST

START_TEST(address_carries_the_server_s_key)
{
    /* The same key twice; the second is the example of https://rfc.zeromq.org/spec/32/ doubled, in Z85. */
    static const char *const keys[] = {"864fd26fb559f75b864fd26fb559f75b864fd26fb559f75b864fd26fb559f75b",
                                       "HelloWorldHelloWorldHelloWorldHelloWorld"};
    static const uint8_t start[] = {0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        wn_address address;
        char text[128];
        snprintf(text, sizeof text, "warren://[::1]:9000/cave?key=%s", keys[i]);
        ck_assert(wn_address_parse(&address, text, NULL));
        ck_assert_str_eq(address.control, "tcp://[::1]:9000");
        ck_assert_str_eq(address.world, "cave");
        ck_assert_int_eq(address.trust, WN_ADDRESS_KEY);
        ck_assert_mem_eq(address.key, start, sizeof start);
        ck_assert_mem_eq(address.key + 24, start, sizeof start);
    }
    wn_address address;
    ck_assert(wn_address_parse(&address, "tcp://host:1?key=none", NULL));
    ck_assert_int_eq(address.trust, WN_ADDRESS_NO_KEY);
    ck_assert(wn_address_parse(&address, "tcp://host:1", NULL));
    ck_assert_int_eq(address.trust, WN_ADDRESS_ANY_KEY);
}
END_TEST

START_TEST(bad_address_is_told_what_is_wrong_with_it)
{
    wn_address address;
    wn_error error = {.text = ""};
    ck_assert_msg(!wn_address_parse(&address, bad[_i].text, &error), "%s was taken", bad[_i].text);
    ck_assert_int_eq(error.code, bad[_i].code);
    ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "%s: %s", bad[_i].text, error.text);
    ck_assert_msg(strstr(error.text, bad[_i].text) != NULL, "not named: %s: %s", bad[_i].text, error.text);
}
END_TEST

START_TEST(no_text_is_too_long)
{
    static char text[5000];
    static const char *const begins[] = {"warren://", "warren://h/", "tcp://", "ipc://", "/", "a"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        for (size_t size = 90; size < sizeof text; size += 100) {
            wn_address address;
            wn_error error = {.text = ""};
            memset(text, 'a', size);
            memcpy(text, begins[i], strlen(begins[i]));
            text[size] = '\0';
            if (!wn_address_parse(&address, text, &error)) {
                ck_assert_uint_gt(strlen(error.text), 20);
            }
        }
    }
}
END_TEST

START_TEST(path_of_a_socket_has_the_system_s_limit)
{
    wn_address address;
    wn_error error = {.text = ""};
    char text[6 + 109] = "ipc:///";
    memset(text + 7, 'x', 106);
    text[6 + 107] = '\0';
    ck_assert_msg(wn_address_parse(&address, text, &error), "%s", error.text);
    text[6 + 107] = 'x';
    text[6 + 108] = '\0';
    ck_assert(!wn_address_parse(&address, text, &error));
    ck_assert_uint_eq(error.limit, 107);
    ck_assert_ptr_nonnull(strstr(error.text, "107 bytes"));
}
END_TEST

/* on this machine's disk */

static char directory[64];

static void make_directory(void)
{
    strcpy(directory, "/tmp/warren-address-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void remove_directory(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/warren/control", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/warren", directory);
    rmdir(path);
    rmdir(directory);
}

/* A socket that someone serves, until the descriptor is closed; its file stays, as a killed daemon's does. */
static int serve_socket(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    ck_assert_uint_lt(strlen(path), sizeof name.sun_path);
    strcpy(name.sun_path, path);
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(bind(descriptor, (const struct sockaddr *)&name, sizeof name), 0);
    ck_assert_int_eq(listen(descriptor, 1), 0);
    return descriptor;
}

START_TEST(directory_means_the_control_socket_in_it)
{
    wn_address address;
    wn_error error = {.text = ""};
    char text[80], expected[100];
    snprintf(expected, sizeof expected, "ipc://%s/control", directory);
    ck_assert_msg(wn_address_parse(&address, directory, &error), "%s", error.text);
    ck_assert_str_eq(address.control, expected);
    snprintf(text, sizeof text, "%s//", directory);
    ck_assert_msg(wn_address_parse(&address, text, &error), "%s", error.text);
    ck_assert_str_eq(address.control, expected);
}
END_TEST

START_TEST(socket_is_taken_as_it_is)
{
    wn_address address;
    wn_error error = {.text = ""};
    char path[80], expected[100];
    snprintf(path, sizeof path, "%s/warren", directory);
    close(serve_socket(path)); /* served or not: it was named */
    snprintf(expected, sizeof expected, "ipc://%s", path);
    ck_assert_msg(wn_address_parse(&address, path, &error), "%s", error.text);
    ck_assert_str_eq(address.control, expected);
    unlink(path);
}
END_TEST

START_TEST(nothing_given_means_the_first_daemon_there_is)
{
    wn_address address;
    wn_error error = {.text = ""};
    char path[100], expected[120];
    snprintf(path, sizeof path, "%s/warren", directory);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/warren/control", directory);
    const int served = serve_socket(path);
    snprintf(expected, sizeof expected, "ipc://%s", path);

    setenv("XDG_RUNTIME_DIR", directory, 1);
    setenv("WARREN_SERVER", "warren://elsewhere:9/w", 1);
    ck_assert(wn_address_parse(&address, NULL, &error));
    ck_assert_str_eq(address.control, "tcp://elsewhere:9");
    ck_assert_str_eq(address.world, "w");

    unsetenv("WARREN_SERVER");
    ck_assert(wn_address_parse(&address, "", &error));
    ck_assert_str_eq(address.control, expected);

    close(served); /* what a killed daemon leaves behind is passed over */
    ck_assert(wn_address_parse(&address, "", &error));
    ck_assert_str_ne(address.control, expected);

    unlink(path);
    ck_assert(wn_address_parse(&address, "", &error));
    ck_assert_str_eq(address.control,
                     access("/run/warren/control", F_OK) == 0 ? "ipc:///run/warren/control" : "tcp://127.0.0.1:7117");
}
END_TEST

START_TEST(bad_address_in_the_environment_is_an_error)
{
    wn_address address;
    wn_error error = {.text = ""};
    setenv("WARREN_SERVER", "nonsense", 1);
    ck_assert(!wn_address_parse(&address, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "nonsense"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("address");
    TCase *text = tcase_create("text");
    tcase_add_loop_test(text, address_is_understood, 0, sizeof good / sizeof good[0]);
    tcase_add_test(text, address_carries_the_server_s_key);
    tcase_add_loop_test(text, bad_address_is_told_what_is_wrong_with_it, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(text, no_text_is_too_long);
    tcase_add_test(text, path_of_a_socket_has_the_system_s_limit);
    suite_add_tcase(suite, text);
    TCase *disk = tcase_create("disk");
    tcase_add_checked_fixture(disk, make_directory, remove_directory);
    tcase_add_test(disk, directory_means_the_control_socket_in_it);
    tcase_add_test(disk, socket_is_taken_as_it_is);
    tcase_add_test(disk, nothing_given_means_the_first_daemon_there_is);
    tcase_add_test(disk, bad_address_in_the_environment_is_an_error);
    suite_add_tcase(suite, disk);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
