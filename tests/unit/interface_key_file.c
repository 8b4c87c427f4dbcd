/* Key files: what is understood, and that what is not is named with its file, its line and what was expected. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "key-file.h"
#include "key.h"
#include "key_file_fixture.h"
#include "suite.h"

START_TEST(a_good_file_gives_its_keys)
{
    wn_key_file file;
    read_keys(&file, "keys.conf",
              "# mine\n\n[caves]\n  step.north = k up kp8\nrest=.\n; more\n[frontend]\n"
              "chat = semicolon = #\nleave =\n");
    ck_assert_uint_eq(file.problem_count, 0);
    ck_assert_uint_eq(file.count, 4);
    ck_assert_str_eq(file.entries[0].section, "caves");
    ck_assert_str_eq(file.entries[0].name, "step.north");
    ck_assert_int_eq(file.entries[0].line, 4);
    ck_assert_uint_eq(file.entries[0].key_count, 3);
    ck_assert_uint_eq(file.entries[0].keys[2], WN_KEY_KP0 + 8);
    ck_assert_uint_eq(file.entries[2].key_count, 3);
    ck_assert_uint_eq(file.entries[2].keys[0], ';');
    ck_assert_uint_eq(file.entries[2].keys[1], '=');
    ck_assert_uint_eq(file.entries[3].key_count, 0);
    wn_key_file_free(&file);
}
END_TEST

START_TEST(each_bad_line_is_named_and_the_good_ones_hold)
{
    static const struct {
        const char *text, *where, *says;
    } bad[] = {
        {"step = k\n[caves]\nrest = .\n", "keys.conf:1:", "[frontend] or [MODE]"},
        {"[caves]\nrest = upp\nrest = .\n", "keys.conf:2:", "\"upp\" is no key; expected one character"},
        {"[caves]\nrest\nrest = .\n", "keys.conf:2:", "expected NAME = KEYS"},
        {"[frontend]\nhlep = h\n[caves]\nrest = .\n", "keys.conf:2:", "expected one of: help messages"},
        {"[caves]\nrest = a b c d e f g h i\nrest = .\n", "keys.conf:2:", "more than 8 keys"},
        {"[caves]\nrest = .\n[hunt\n", "keys.conf:3:", "without its ]"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wn_key_file file;
        read_keys(&file, "keys.conf", bad[i].text);
        ck_assert_uint_eq(file.problem_count, 1);
        ck_assert_msg(strstr(file.problems[0], bad[i].where) == file.problems[0], "%s", file.problems[0]);
        ck_assert_msg(strstr(file.problems[0], bad[i].says) != NULL, "%s", file.problems[0]);
        ck_assert_uint_eq(file.count, 1);
        ck_assert_str_eq(file.entries[0].name, "rest");
        wn_key_file_free(&file);
    }
}
END_TEST

START_TEST(a_long_line_is_skipped_and_lines_after_it_keep_their_numbers)
{
    static const size_t lengths[] = {300, 1010, 1024, 3000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char text[4000] = "[caves]\nrest = ";
        memset(text + strlen(text), 'x', lengths[i]);
        strcat(text, "\nrest = .\nrest = upp\n");
        wn_key_file file;
        read_keys(&file, "k", text);
        ck_assert_uint_eq(file.problem_count, 2);
        ck_assert_ptr_nonnull(strstr(file.problems[0], "k:2: longer than"));
        ck_assert_ptr_nonnull(strstr(file.problems[1], "k:4:"));
        ck_assert_uint_eq(file.count, 1);
        wn_key_file_free(&file);
    }
}
END_TEST

START_TEST(problems_have_an_end)
{
    char text[8192] = "[caves]\n";
    for (int i = 0; i < 100; i++) {
        strcat(text, "rest = upp\n");
    }
    wn_key_file file;
    read_keys(&file, "k", text);
    ck_assert_uint_eq(file.problem_count, WN_KEY_PROBLEMS);
    wn_key_file_free(&file);
}
END_TEST

START_TEST(a_file_is_read_from_disk_and_a_missing_one_says_so)
{
    char path[] = "/tmp/warren-keys-XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int)write(fd, "[caves]\nrest = r", 16), 16);
    close(fd);
    wn_key_file file;
    ck_assert(wn_key_file_read(&file, path));
    ck_assert_uint_eq(file.count, 1);
    ck_assert_uint_eq(file.entries[0].keys[0], 'r');
    wn_key_file_free(&file);
    unlink(path);
    ck_assert(!wn_key_file_read(&file, path));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* Reads the file, or "". */
static const char *content_of(const char *path)
{
    static char text[1024];
    FILE *file = fopen(path, "r");
    const size_t size = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

START_TEST(a_line_is_changed_and_all_else_stays)
{
    char directory[] = "/tmp/warren-keys-XXXXXX", path[64];
    wn_error error;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/new/keys.conf", directory);
    ck_assert(wn_key_file_change(path, "caves", "rest", "z", &error)); /* makes the directory as well */
    ck_assert_str_eq(content_of(path), "[caves]\nrest = z\n");
    ck_assert(wn_key_file_change(path, "frontend", "chat", "c", &error));
    ck_assert(wn_key_file_change(path, "caves", "step.north", "w", &error));
    ck_assert(wn_key_file_change(path, "caves", "rest", "x", &error));
    ck_assert_str_eq(content_of(path), "[caves]\nrest = x\nstep.north = w\n[frontend]\nchat = c\n");
    FILE *file = fopen(path, "w");
    fputs("# mine\n[caves]\nrest=a ; why\nrested = b", file);
    fclose(file);
    ck_assert(wn_key_file_change(path, "caves", "rest", "", &error));
    ck_assert_str_eq(content_of(path), "# mine\n[caves]\nrest = \nrested = b\n");
    ck_assert(!wn_key_file_change("/proc/none/keys.conf", "caves", "rest", "z", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/proc/none/keys.conf"));
    unlink(path);
    snprintf(path, sizeof path, "%s/new", directory);
    rmdir(path);
    rmdir(directory);
}
END_TEST

RUN("interface key file", a_line_is_changed_and_all_else_stays, a_good_file_gives_its_keys,
    each_bad_line_is_named_and_the_good_ones_hold, a_long_line_is_skipped_and_lines_after_it_keep_their_numbers,
    problems_have_an_end, a_file_is_read_from_disk_and_a_missing_one_says_so)
