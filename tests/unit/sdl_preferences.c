/* Preferences as a file: what is written is read again, what is wrong is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preferences.h"
#include "suite.h"

static char directory[64], path[128];

static void set_up(void)
{
    strcpy(directory, "/tmp/warren-preferences-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/sdl.conf", directory);
}

static void tear_down(void)
{
    unlink(path);
    rmdir(directory);
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

START_TEST(what_is_written_is_read_again)
{
    wn_preferences mine, read;
    wn_error error;
    set_up();
    wn_preferences_standard(&mine);
    mine.zoom = 48;
    mine.mute = true;
    mine.names = false;
    mine.palette = WN_PALETTE_DEUTAN;
    ck_assert(wn_preferences_write(&mine, path, &error));
    wn_preferences_read(&read, path);
    ck_assert_int_eq(read.zoom, 48);
    ck_assert(read.mute);
    ck_assert(!read.names);
    ck_assert_int_eq(read.palette, WN_PALETTE_DEUTAN);
    tear_down();
}
END_TEST

START_TEST(what_is_out_of_range_or_unknown_is_left_out)
{
    wn_preferences standard, read;
    set_up();
    wn_preferences_standard(&standard);
    write_file("[window]\nzoom = 100000\nwidth = -4\npalette = rainbow\nnonsense = 1\nvolume = 30\nmute\n");
    wn_preferences_read(&read, path);
    ck_assert_int_eq(read.zoom, standard.zoom);
    ck_assert_int_eq(read.width, standard.width);
    ck_assert_int_eq(read.palette, standard.palette);
    ck_assert_int_eq(read.volume, 30);
    tear_down();
}
END_TEST

START_TEST(without_a_file_everything_is_as_usual)
{
    wn_preferences standard, read;
    wn_preferences_standard(&standard);
    wn_preferences_read(&read, "/nowhere/sdl.conf");
    ck_assert_mem_eq(&read, &standard, sizeof read);
}
END_TEST

START_TEST(what_cannot_be_written_says_why)
{
    wn_preferences mine;
    wn_error error;
    wn_preferences_standard(&mine);
    ck_assert(!wn_preferences_write(&mine, "/proc/none/sdl.conf", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/proc/none/sdl.conf"));
}
END_TEST

RUN("sdl preferences", what_is_written_is_read_again, what_is_out_of_range_or_unknown_is_left_out,
    without_a_file_everything_is_as_usual, what_cannot_be_written_says_why)
