/* Favourite servers as a file: what is written is read again; they come and go and have a limit. */
#include "favourites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

static char directory[64], path[128];
static wn_error error;

static void setup(void)
{
    strcpy(directory, "/tmp/warren-favourites-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/servers.conf", directory);
}

static void teardown(void)
{
    unlink(path);
    rmdir(directory);
}

START_TEST(what_is_written_is_read_again)
{
    wn_favourites mine = {0}, read;
    wn_favourites_turn(&mine, "warren://one.example", &error);
    wn_favourites_turn(&mine, "warren://two.example:1234", &error);
    ck_assert_msg(wn_favourites_write(&mine, path, &error), "%s", error.text);
    ck_assert(wn_favourites_read(&read, path, &error));
    ck_assert_uint_eq(read.count, 2);
    ck_assert_str_eq(read.items[1], "warren://two.example:1234");
}
END_TEST

START_TEST(a_file_by_hand_may_say_things_twice_and_have_remarks)
{
    wn_favourites read;
    FILE *file = fopen(path, "w");
    fputs("# mine\n\nwarren://one.example  \nwarren://one.example\n  warren://two.example", file);
    fclose(file);
    ck_assert(wn_favourites_read(&read, path, &error));
    ck_assert_uint_eq(read.count, 2);
    ck_assert(wn_favourites_has(&read, "warren://one.example"));
    ck_assert_str_eq(read.items[1], "warren://two.example");
    ck_assert(wn_favourites_read(&read, "/nowhere/servers.conf", &error));
    ck_assert_uint_eq(read.count, 0);
}
END_TEST

START_TEST(favourites_come_and_go_and_have_a_limit)
{
    wn_favourites mine = {0};
    char address[64];
    for (int i = 0; i < WN_FAVOURITES + 5; i++) {
        snprintf(address, sizeof address, "warren://host-%d", i);
        ck_assert_int_eq(wn_favourites_turn(&mine, address, &error), i < WN_FAVOURITES);
    }
    ck_assert_ptr_nonnull(strstr(error.text, "16"));
    ck_assert_uint_eq(mine.count, WN_FAVOURITES);
    wn_favourites_turn(&mine, "warren://host-0", &error); /* the second time takes it away */
    ck_assert_uint_eq(mine.count, WN_FAVOURITES - 1);
    ck_assert(!wn_favourites_has(&mine, "warren://host-0"));
    ck_assert_str_eq(mine.items[0], "warren://host-1");
}
END_TEST

START_TEST(what_cannot_be_written_says_why_and_leaves_what_was_there)
{
    wn_favourites mine = {0}, read;
    ck_assert(!wn_favourites_write(&mine, "/proc/none/servers.conf", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/proc/none/servers.conf"));
    wn_favourites_turn(&mine, "warren://one.example", &error);
    ck_assert(wn_favourites_write(&mine, path, &error));
    ck_assert(wn_favourites_read(&read, path, &error));
    ck_assert_uint_eq(read.count, 1);
}
END_TEST

static void write_file(unsigned addresses, size_t longest)
{
    FILE *file = fopen(path, "w");
    for (unsigned i = 0; i < addresses; i++) {
        fprintf(file, "warren://host-%u\n", i);
    }
    if (longest > 0) {
        fprintf(file, "%0*d\n", (int)longest, 0);
    }
    fclose(file);
}

START_TEST(a_file_that_is_not_taken_whole_says_so)
{
    wn_favourites read;
    write_file(WN_FAVOURITES, 0);
    ck_assert(wn_favourites_read(&read, path, &error));
    ck_assert_uint_eq(read.count, WN_FAVOURITES);
    write_file(WN_FAVOURITES + 1, 0);
    ck_assert(!wn_favourites_read(&read, path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "more than 16 favourites"));
    write_file(1, WN_SERVER_ADDRESS_BYTES - 1);
    ck_assert(wn_favourites_read(&read, path, &error));
    ck_assert_uint_eq(strlen(read.items[1]), WN_SERVER_ADDRESS_BYTES - 1);
    write_file(1, WN_SERVER_ADDRESS_BYTES);
    ck_assert(!wn_favourites_read(&read, path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "Line 2 of "));
    ck_assert_ptr_nonnull(strstr(error.text, "255"));
    unlink(path);
    ck_assert_int_eq(symlink(path, path), 0);
    ck_assert(!wn_favourites_read(&read, path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert(!wn_favourites_read(&read, directory, &error)); /* it can be opened, but not read */
    ck_assert_ptr_nonnull(strstr(error.text, directory));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_written_is_read_again,
        a_file_by_hand_may_say_things_twice_and_have_remarks,
        favourites_come_and_go_and_have_a_limit,
        a_file_that_is_not_taken_whole_says_so,
        what_cannot_be_written_says_why_and_leaves_what_was_there,
    };
    return suite_run_with("interface favourites", tests, sizeof tests / sizeof *tests, setup, teardown);
}
