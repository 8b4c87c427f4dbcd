/* recording.c: the files of recordings: whole or not at all, and no damage goes unnoticed. */
#include "recording.h"
#include "suite.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char directory[64], path[96];
static wn_error error;

static void start(void)
{
    strcpy(directory, "/tmp/warren-recording-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/game.warren", directory);
    error = (wn_error){0};
}

static size_t files_in_directory(void)
{
    DIR *opened = opendir(directory);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(opened);
    return count;
}

static void finish(void)
{
    DIR *opened = opendir(directory);
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        unlinkat(dirfd(opened), entry->d_name, 0);
    }
    closedir(opened);
    rmdir(directory);
}

/* to make them */

static unsigned seed;

static unsigned chance(unsigned below)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static void announce_seed(void)
{
    seed = (unsigned)suite_seed((uint64_t)getpid());
}

static Warren__RecordingHeader a_header(void)
{
    static Warren__SettingValue width = WARREN__SETTING_VALUE__INIT;
    static Warren__SettingValue *settings[] = {&width};
    Warren__RecordingHeader header = WARREN__RECORDING_HEADER__INIT;
    width.name = "width";
    width.value = "two lines,\nof a file";
    header.world = "w1";
    header.mode = "caves";
    header.mode_version = "0.1.0";
    header.build = "0123456789abcdef";
    header.seed = UINT64_MAX;
    header.n_settings = 1;
    header.settings = settings;
    header.has_created = true;
    header.created = 1700000000;
    return header;
}

typedef struct sample_turn {
    Warren__RecordedTurn turn;
    uint8_t inputs[64];
} sample_turn;

/* Adds a part of so many turns after `after`. */
static bool add_turns(wn_recording_writer *writer, const Warren__RecordingHeader *header, uint64_t after, size_t count,
                      bool last)
{
    sample_turn *turns = calloc(count + 1, sizeof *turns);
    Warren__RecordedTurn **pointers = calloc(count + 1, sizeof *pointers);
    Warren__ExportPart part = WARREN__EXPORT_PART__INIT;
    for (size_t i = 0; i < count; i++) {
        turns[i].turn = (Warren__RecordedTurn)WARREN__RECORDED_TURN__INIT;
        turns[i].turn.turn = after + i + 1;
        turns[i].turn.inputs = (ProtobufCBinaryData){turns[i].turn.turn % sizeof turns[i].inputs, turns[i].inputs};
        memset(turns[i].inputs, (int)turns[i].turn.turn, sizeof turns[i].inputs);
        turns[i].turn.has_hash = turns[i].turn.turn % 5 == 0;
        turns[i].turn.hash = turns[i].turn.turn << 40;
        pointers[i] = &turns[i].turn;
    }
    part.header = (Warren__RecordingHeader *)header;
    part.n_turns = count;
    part.turns = pointers;
    part.has_last = last;
    part.last = last;
    const bool added = wn_recording_add(writer, &part, &error);
    free(pointers);
    free(turns);
    return added;
}

static wn_recording_writer *begin(void)
{
    wn_recording_writer *writer = wn_recording_create(path, &error);
    ck_assert_msg(writer != NULL, "%s", error.text);
    return writer;
}

static void write_recording(uint64_t turns)
{
    const Warren__RecordingHeader header = a_header();
    wn_recording_writer *writer = begin();
    ck_assert(add_turns(writer, &header, 0, 0, false));
    ck_assert(add_turns(writer, NULL, 0, turns, true));
    ck_assert_msg(wn_recording_finish(writer, &error), "%s", error.text);
}

static void check_turns(const wn_recording *recording, uint64_t first, uint64_t last)
{
    ck_assert_uint_eq(wn_recording_first(recording), first);
    ck_assert_uint_eq(wn_recording_last(recording), last);
    ck_assert_ptr_null(wn_recording_turn(recording, first));
    ck_assert_ptr_null(wn_recording_turn(recording, last + 1));
    for (uint64_t turn = first + 1; turn <= last; turn++) {
        const wn_recorded_turn *recorded = wn_recording_turn(recording, turn);
        ck_assert_ptr_nonnull(recorded);
        ck_assert_uint_eq(recorded->size, turn % 64);
        ck_assert_uint_eq(recorded->hash, turn % 5 == 0 ? turn << 40 : 0);
        for (size_t i = 0; i < recorded->size; i++) {
            ck_assert_uint_eq(recorded->inputs[i], turn & 0xff);
        }
    }
}

static uint8_t *file_content(size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat found;
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fstat(fileno(file), &found), 0);
    *size = (size_t)found.st_size;
    uint8_t *bytes = malloc(*size + 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void put_file(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

/* A gzip file of anything. */
static void put_packed(const void *bytes, size_t size)
{
    gzFile file = gzopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    ck_assert_int_eq(gzclose(file), Z_OK);
}

/* It is refused, with a sentence that names the file and has this in it. */
static void check_refused(const char *text)
{
    error = (wn_error){0};
    wn_recording *recording = wn_recording_read(path, &error);
    ck_assert_ptr_null(recording);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_msg(strstr(error.text, text) != NULL, "\"%s\" is not in: %s", text, error.text);
}

/* whole */

START_TEST(what_was_written_is_read_back)
{
    write_recording(300);
    wn_recording *recording = wn_recording_read(path, &error);
    ck_assert_msg(recording != NULL, "%s", error.text);
    check_turns(recording, 0, 300);
    const Warren__RecordingHeader *header = wn_recording_header(recording);
    ck_assert_str_eq(header->world, "w1");
    ck_assert_str_eq(header->mode, "caves");
    ck_assert_str_eq(header->build, "0123456789abcdef");
    ck_assert_uint_eq(header->seed, UINT64_MAX);
    ck_assert_str_eq(header->settings[0]->value, "two lines,\nof a file");
    wn_recording_free(recording);
}
END_TEST

START_TEST(any_division_into_parts_gives_the_same_recording)
{
    announce_seed();
    for (int round = 0; round < 30; round++) {
        Warren__RecordingHeader header = a_header();
        const uint64_t first = chance(2) * 1000, last = first + chance(700);
        uint8_t snapshot[3000];
        memset(snapshot, round, sizeof snapshot);
        header.has_turn = header.has_snapshot = first > 0;
        header.turn = first;
        header.snapshot = (ProtobufCBinaryData){sizeof snapshot, snapshot};
        wn_recording_writer *writer = begin();
        const Warren__RecordingHeader *with = &header;
        uint64_t at = first;
        do {
            const size_t count = chance((unsigned)(last - at) + 1) % 97;
            ck_assert_msg(add_turns(writer, with, at, count, false), "%s", error.text);
            at += count;
            with = NULL;
        } while (at < last && chance(20) > 0);
        ck_assert(add_turns(writer, NULL, at, (size_t)(last - at), true));
        ck_assert_msg(wn_recording_finish(writer, &error), "%s", error.text);
        wn_recording *recording = wn_recording_read(path, &error);
        ck_assert_msg(recording != NULL, "%s", error.text);
        check_turns(recording, first, last);
        if (first > 0) {
            ck_assert_uint_eq(wn_recording_header(recording)->snapshot.len, sizeof snapshot);
            ck_assert_mem_eq(wn_recording_header(recording)->snapshot.data, snapshot, sizeof snapshot);
        }
        wn_recording_free(recording);
    }
    ck_assert_uint_eq(files_in_directory(), 1);
}
END_TEST

START_TEST(the_same_world_gives_the_same_file)
{
    size_t size, again_size;
    write_recording(100);
    uint8_t *bytes = file_content(&size);
    write_recording(100);
    uint8_t *again = file_content(&again_size);
    ck_assert_uint_eq(size, again_size);
    ck_assert_mem_eq(bytes, again, size);
    free(bytes);
    free(again);
}
END_TEST

START_TEST(a_recording_packed_anew_by_gzip_is_read)
{
    size_t size;
    char command[512];
    write_recording(50);
    snprintf(command, sizeof command, "gzip -dc %s | gzip -1 >%s.new && mv %s.new %s", path, path, path, path);
    ck_assert_int_eq(system(command), 0);
    free(file_content(&size));
    wn_recording *recording = wn_recording_read(path, &error);
    ck_assert_msg(recording != NULL, "%s", error.text);
    check_turns(recording, 0, 50);
    wn_recording_free(recording);
}
END_TEST

/* damaged */

START_TEST(every_truncation_is_noticed)
{
    size_t size;
    write_recording(40);
    uint8_t *bytes = file_content(&size);
    for (size_t kept = 0; kept < size; kept++) {
        put_file(bytes, kept);
        check_refused(kept == 0 ? "it is empty" : "is cut off at byte");
    }
    free(bytes);
}
END_TEST

START_TEST(every_flipped_bit_is_noticed)
{
    size_t size;
    write_recording(15);
    uint8_t *bytes = file_content(&size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        put_file(bytes, size);
        wn_recording *recording = wn_recording_read(path, &error);
        ck_assert_msg(recording == NULL, "bit %zu of byte %zu of %zu", bit % 8, bit / 8, size);
        ck_assert_ptr_nonnull(strstr(error.text, path));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(bytes);
}
END_TEST

/* It is noticed, or another way to pack the same: a repetition may begin at one place as well as at another. */
START_TEST(no_changed_byte_changes_what_is_read)
{
    size_t size;
    announce_seed();
    write_recording(120);
    uint8_t *bytes = file_content(&size);
    for (size_t at = 0; at < size; at++) {
        const uint8_t change = (uint8_t)(1 + chance(255));
        bytes[at] ^= change;
        put_file(bytes, size);
        wn_recording *recording = wn_recording_read(path, &error);
        if (recording != NULL) {
            check_turns(recording, 0, 120);
            wn_recording_free(recording);
        }
        bytes[at] ^= change;
    }
    free(bytes);
}
END_TEST

START_TEST(what_stands_behind_the_end_is_noticed)
{
    write_recording(10);
    FILE *file = fopen(path, "ab");
    fputc('x', file);
    fclose(file);
    check_refused("goes on behind its end");
}
END_TEST

START_TEST(other_files_are_told_from_recordings)
{
    put_file("hello", 5);
    check_refused("does not begin as a gzip file does");
    put_packed("hello", 5);
    check_refused("a gzip file of something else");
    put_packed("some text that is longer than the first line of a recording", 58);
    check_refused("a gzip file of something else");
    put_packed("WARREN RECORDING 2\nand what comes then", 38);
    check_refused("of version 2");
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_VERSION);
    put_packed(WN_RECORDING_LINE, strlen(WN_RECORDING_LINE));
    check_refused("its last part is missing");
    put_packed(WN_RECORDING_LINE "\xff\xff\xff\x7f", strlen(WN_RECORDING_LINE) + 4);
    check_refused("longer than any may be");
    put_packed(WN_RECORDING_LINE "\x02\x00\x00\x00\xff\xff", strlen(WN_RECORDING_LINE) + 6);
    check_refused("not a ExportPart");
    unlink(path);
    check_refused("cannot be opened: No such file");
    snprintf(path, sizeof path, "%s", directory);
    check_refused("Is a directory");
}
END_TEST

START_TEST(a_file_that_lacks_turns_is_refused)
{
    const Warren__RecordingHeader header = a_header();
    wn_buffer plain = {0};
    wn_buffer_append(&plain, WN_RECORDING_LINE, strlen(WN_RECORDING_LINE));
    Warren__RecordedTurn one = WARREN__RECORDED_TURN__INIT, three = WARREN__RECORDED_TURN__INIT;
    one.turn = 1;
    three.turn = 3;
    Warren__RecordedTurn *turns[] = {&one, &three};
    Warren__ExportPart part = WARREN__EXPORT_PART__INIT;
    part.header = (Warren__RecordingHeader *)&header;
    part.turns = turns;
    part.n_turns = 2;
    part.has_last = part.last = true;
    wn_frame_append(&plain, &part.base);
    put_packed(plain.data, plain.size);
    check_refused("turn 3 comes after turn 1");
    wn_buffer_free(&plain);
}
END_TEST

/* writing */

START_TEST(parts_out_of_order_are_not_written)
{
    const Warren__RecordingHeader header = a_header();
    wn_recording_writer *writer = begin();
    ck_assert(!add_turns(writer, NULL, 0, 1, false));
    ck_assert(add_turns(writer, &header, 0, 2, false));
    ck_assert(!add_turns(writer, &header, 2, 1, false));
    ck_assert(!add_turns(writer, NULL, 3, 1, false));
    ck_assert_msg(strstr(error.text, "turn 4 comes after turn 2") != NULL, "%s", error.text);
    ck_assert(add_turns(writer, NULL, 2, 0, true));
    ck_assert(!add_turns(writer, NULL, 2, 1, true));
    wn_recording_abandon(writer);
    ck_assert_uint_eq(files_in_directory(), 0);
}
END_TEST

START_TEST(a_recording_without_its_last_part_leaves_what_was_there)
{
    const Warren__RecordingHeader header = a_header();
    write_recording(7);
    wn_recording_writer *writer = begin();
    ck_assert(add_turns(writer, &header, 0, 100, false));
    ck_assert(!wn_recording_finish(writer, &error));
    ck_assert_uint_eq(files_in_directory(), 1);
    wn_recording *recording = wn_recording_read(path, &error);
    check_turns(recording, 0, 7);
    wn_recording_free(recording);
}
END_TEST

START_TEST(a_full_disk_leaves_what_was_there)
{
    const Warren__RecordingHeader header = a_header();
    write_recording(7);
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit little = {200, 200};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0); /* of this test's process */
    wn_recording_writer *writer = begin();
    bool written = add_turns(writer, &header, 0, 5000, true);
    if (written) {
        written = wn_recording_finish(writer, &error);
    } else {
        wn_recording_abandon(writer);
    }
    ck_assert(!written);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_ptr_nonnull(strstr(error.text, "File too large"));
    ck_assert_uint_eq(files_in_directory(), 1);
    wn_recording *recording = wn_recording_read(path, &error);
    check_turns(recording, 0, 7);
    wn_recording_free(recording);
}
END_TEST

START_TEST(a_directory_that_is_not_there_is_named)
{
    snprintf(path, sizeof path, "%s/no/game.warren", directory);
    ck_assert_ptr_null(wn_recording_create(path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_int_eq(error.code, WARREN__ERROR_CODE__ERROR_NOT_FOUND);
}
END_TEST

START_TEST(nothing_stands_under_the_name_before_it_is_whole)
{
    const Warren__RecordingHeader header = a_header();
    wn_recording_writer *writer = begin();
    ck_assert(add_turns(writer, &header, 0, 100, true));
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert(wn_recording_finish(writer, &error));
    ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert_uint_eq(files_in_directory(), 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {what_was_written_is_read_back,
                                  any_division_into_parts_gives_the_same_recording,
                                  the_same_world_gives_the_same_file,
                                  a_recording_packed_anew_by_gzip_is_read,
                                  every_truncation_is_noticed,
                                  every_flipped_bit_is_noticed,
                                  no_changed_byte_changes_what_is_read,
                                  what_stands_behind_the_end_is_noticed,
                                  other_files_are_told_from_recordings,
                                  a_file_that_lacks_turns_is_refused,
                                  parts_out_of_order_are_not_written,
                                  a_recording_without_its_last_part_leaves_what_was_there,
                                  a_full_disk_leaves_what_was_there,
                                  a_directory_that_is_not_there_is_named,
                                  nothing_stands_under_the_name_before_it_is_whole};
    return suite_run_with("recording", tests, sizeof tests / sizeof *tests, start, finish);
}
