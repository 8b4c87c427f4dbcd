/* key-file.c: reads key files, with libinih. See key-file.h; what a key file may say is in README.md. */
#include "key-file.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bindings.h"
#include "key.h"
#include "places.h"

enum { LINE_BYTES = 190 }; /* inih's own limit is 200 with its line end */

/* inih as Debian builds it does not tell its handler the line, so the reader counts. */
typedef struct reading {
    wn_key_file *file;
    FILE *stream;
    int line;
} reading;

void wn_key_file_problem(wn_key_file *file, int line, const char *format, ...)
{
    char problem[WN_KEY_PROBLEM_BYTES];
    if (file->problem_count == WN_KEY_PROBLEMS) {
        return;
    }
    const int used = snprintf(problem, sizeof problem, "%.150s:%d: ", file->path, line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem + used, sizeof problem - (size_t)used, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < file->problem_count; i++) {
        if (strcmp(file->problems[i], problem) == 0) {
            return; /* the table is made anew for every world; the same line complains once */
        }
    }
    memcpy(file->problems[file->problem_count++], problem, sizeof problem);
}

static bool known_command(const char *name)
{
    for (int i = 0; i < WN_FRONTEND_COMMANDS; i++) {
        if (strcmp(wn_frontend_command_info((wn_frontend_command)i)->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool parse_keys(wn_key_entry *entry, const char *value, reading *at)
{
    while (*value != '\0') {
        const size_t bytes = strcspn(value, " \t");
        const uint32_t key = wn_key_parse(value, bytes);
        if (bytes > 0 && key == WN_KEY_NONE) {
            wn_key_file_problem(at->file, at->line,
                                "\"%.*s\" is no key; expected one character, up down left right home end pageup "
                                "pagedown space enter tab backspace delete insert, f1..f12, kp0..kp9, ctrl-a..ctrl-z "
                                "or semicolon",
                                (int)bytes, value);
            return false;
        }
        if (bytes > 0 && entry->key_count == WN_KEYS_OF_ENTRY) {
            wn_key_file_problem(at->file, at->line, "more than %d keys for %s; leave some out", WN_KEYS_OF_ENTRY,
                                entry->name);
            return false;
        }
        if (bytes > 0) {
            entry->keys[entry->key_count++] = key;
        }
        value += bytes + strspn(value + bytes, " \t");
    }
    return true;
}

static int take_line(void *user, const char *section, const char *name, const char *value)
{
    reading *at = user;
    wn_key_file *file = at->file;
    wn_key_entry entry = {.line = at->line};
    if (section[0] == '\0') {
        wn_key_file_problem(file, at->line, "\"%s\" stands before any section; expected [frontend] or [MODE] above it",
                            name);
        return 1;
    }
    if (strcmp(section, "frontend") == 0 && !known_command(name)) {
        wn_key_file_problem(file, at->line,
                            "[frontend] has no \"%s\"; expected one of: help messages chat names scores "
                            "region redraw leave menu, or in a window view zoom-in zoom-out grid regions minimap "
                            "preferences mute record full-screen picture",
                            name);
        return 1;
    }
    if (strlen(section) >= sizeof entry.section || strlen(name) >= sizeof entry.name) {
        wn_key_file_problem(file, at->line, "\"%.40s\" is too long to name a mode or an action", name);
        return 1;
    }
    strcpy(entry.section, section);
    strcpy(entry.name, name);
    if (!parse_keys(&entry, value, at)) {
        return 1;
    }
    wn_key_entry *entries = realloc(file->entries, (file->count + 1) * sizeof *entries);
    if (entries == NULL) {
        return 1;
    }
    file->entries = entries;
    file->entries[file->count++] = entry;
    return 1;
}

static bool is_blank_or_comment(const char *line)
{
    line += strspn(line, " \t\r\n");
    return *line == '\0' || *line == '#' || *line == ';';
}

/* inih only returns the number of its first bad line; this looks at each line as it passes. */
static void check_shape(reading *at, const char *line)
{
    const char *start = line + strspn(line, " \t\xef\xbb\xbf");
    if (is_blank_or_comment(start)) {
        return;
    }
    if (*start == '[') {
        if (strchr(start, ']') == NULL) {
            wn_key_file_problem(at->file, at->line, "a section name without its ]; expected [frontend] or [MODE]");
        }
    } else if (strpbrk(start, "=:") == NULL) {
        wn_key_file_problem(at->file, at->line, "expected NAME = KEYS, as in \"step.north = k up kp8\"");
    }
}

/* What does not fit is dropped: such a line is too long anyway. */
static bool read_line(FILE *stream, char *line, size_t size)
{
    size_t length = 0;
    int byte;
    while ((byte = getc(stream)) != EOF) {
        if (length + 1 < size) {
            line[length++] = (char)byte;
        }
        if (byte == '\n') {
            break;
        }
    }
    line[length] = '\0';
    return length > 0;
}

/* The next whole line for inih. Longer ones than it can take are cut and complained of. Leading space goes, because
 * inih would take an indented line as a continuation of the one above. */
static char *next_line(char *line, int size, void *user)
{
    reading *at = user;
    char whole[1024];
    if (!read_line(at->stream, whole, sizeof whole)) {
        return NULL;
    }
    at->line++;
    const char *start = whole + strspn(whole, " \t");
    if (strlen(start) > LINE_BYTES) {
        wn_key_file_problem(at->file, at->line, "longer than %d bytes; the line was skipped", LINE_BYTES);
        start = "\n";
    } else {
        check_shape(at, start);
    }
    snprintf(line, (size_t)size, "%s", start);
    return line;
}

static void begin(wn_key_file *file, const char *path)
{
    *file = (wn_key_file){0};
    snprintf(file->path, sizeof file->path, "%s", path);
}

bool wn_key_file_read(wn_key_file *file, const char *path)
{
    begin(file, path);
    FILE *stream = fopen(path, "re");
    if (stream == NULL) {
        return false;
    }
    wn_key_file_read_stream(file, path, stream);
    fclose(stream);
    return true;
}

void wn_key_file_read_stream(wn_key_file *file, const char *path, FILE *stream)
{
    begin(file, path);
    reading at = {.file = file, .stream = stream};
    ini_parse_stream(next_line, &at, take_line, &at);
}

void wn_key_file_free(wn_key_file *file)
{
    free(file->entries);
    *file = (wn_key_file){0};
}

/* changing */

typedef struct changing {
    FILE *from, *to; /* `from` NULL: there is no file yet */
    const char *section, *name, *keys;
    bool inside; /* of the section */
    bool done;   /* the line has been written */
} changing;

static void write_line(changing *at)
{
    if (!at->done) {
        fprintf(at->to, "%s = %s\n", at->name, at->keys);
    }
    at->done = true;
}

/* Is it "name = ..."? */
static bool says(const char *line, const char *name)
{
    const size_t length = strlen(name);
    line += strspn(line, " \t");
    return strncmp(line, name, length) == 0 && line[length + strspn(line + length, " \t")] == '=';
}

static void copy_changed(changing *at)
{
    char line[1024];
    while (at->from != NULL && fgets(line, (int)sizeof line, at->from) != NULL) {
        const char *start = line + strspn(line, " \t");
        const size_t length = strlen(at->section);
        if (*start == '[') {
            if (at->inside) {
                write_line(at);
            }
            at->inside = strncmp(start + 1, at->section, length) == 0 && start[1 + length] == ']';
        }
        if (at->inside && says(start, at->name)) {
            write_line(at);
        } else {
            fputs(line, at->to);
        }
        if (strchr(line, '\n') == NULL && feof(at->from)) {
            fputc('\n', at->to);
        }
    }
    if (!at->done && !at->inside) {
        fprintf(at->to, "[%s]\n", at->section);
    }
    write_line(at);
}

bool wn_key_file_change(const char *path, const char *section, const char *name, const char *keys, wn_error *error)
{
    changing at = {.from = fopen(path, "re"), .section = section, .name = name, .keys = keys};
    const bool readable = at.from != NULL || access(path, F_OK) != 0;
    at.to = wn_place_replace(path);
    if (at.to != NULL && readable) {
        copy_changed(&at);
    }
    if (at.from != NULL) {
        fclose(at.from);
    }
    if (wn_place_replaced(at.to, path, readable)) {
        return true;
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "keys", 0,
                        "The key file %.200s could not be changed: %s.", path, strerror(errno));
}
