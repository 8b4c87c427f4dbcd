/* config-file.c: warren.conf, read: an INI file in which lists may go on in indented lines, and whatever is not
 * understood is an error that names its line. See config-internal.h.
 */
#include "configuration/config-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BAD_SETTING WARREN__ERROR_CODE__ERROR_BAD_SETTING

typedef struct file_reading {
    wn_config *config;
    wn_error *error;
    FILE *file;
    wn_config_place at;
    bool indented, failed;
    const wn_config_setting *last; /* the key that an indented line goes on with */
    int lines[WN_CONFIG_MOST];     /* where each key stands; 0: not yet */
} file_reading;

static char *fail_line(file_reading *reading, const char *what, size_t limit)
{
    reading->failed = true;
    wn_fail_with(reading->error, BAD_SETTING, "", limit, "%.400s:%d: %s", reading->at.file, reading->at.line, what);
    return NULL;
}

/* Hands the parser one line. It would cut a line that is longer than its buffer in two, and take what follows a
 * section's name for nothing: here both are errors. */
static char *read_line(char *line, int size, void *context)
{
    file_reading *reading = context;
    if (reading->failed || fgets(line, size, reading->file) == NULL) {
        return NULL;
    }
    reading->at.line++;
    size_t length = strlen(line);
    if (length + 1 == (size_t)size && line[length - 1] != '\n') {
        return fail_line(reading, "the line is too long; lists may go on in indented lines", (size_t)size - 1);
    }
    reading->indented = line[0] == ' ' || line[0] == '\t';
    if (line[0] == '[') {
        reading->last = NULL;
        const char *end = strchr(line, ']');
        if (end == NULL) {
            return fail_line(reading, "the name of a section ends in ']'", 0);
        }
        const char *rest = end + 1 + strspn(end + 1, " \t\r\n");
        if (rest[0] != '\0' && rest[0] != ';' && rest[0] != '#') {
            return fail_line(reading, "nothing may follow [section] in its line", 0);
        }
    }
    return line;
}

static bool fail_unknown(file_reading *reading, const char *section, const char *key, const char *value)
{
    char why[128];
    if (section[0] == '\0') {
        snprintf(why, sizeof why, "%.40s stands before the first [section]", key);
    } else if (!wn_config_has_section(section)) {
        snprintf(why, sizeof why, "there is no section [%.40s]", section);
    } else {
        snprintf(why, sizeof why, "there is no setting %.40s in [%.40s]", key, section);
    }
    return wn_fail_with(reading->error, BAD_SETTING, key, 0,
                        "%.400s:%d: %s (%.40s = \"%.60s\"); warrend --print-config shows all there are",
                        reading->at.file, reading->at.line, why, key, value);
}

static bool take_value(file_reading *reading, const char *section, const char *key, const char *value)
{
    const wn_config_setting *entry = wn_config_find(section, key);
    const char *file = reading->at.file;
    int line = reading->at.line;
    if (entry == NULL) {
        return fail_unknown(reading, section, key, value);
    }
    bool more = reading->indented && reading->last == entry;
    if (more && wn_config_kinds[entry->kind].separator == '\0') {
        return wn_config_bad_value(&reading->at, entry, value, "an indented line goes on with the value before it",
                                   reading->error);
    }
    int *stands = &reading->lines[entry - wn_config_table];
    if (!more && *stands != 0) {
        return wn_fail_with(reading->error, BAD_SETTING, key, 0, "%.400s:%d: %s = \"%.60s\": it was set in line %d",
                            file, line, key, value, *stands);
    }
    *stands = line;
    reading->last = entry;
    return wn_config_set_value(reading->config, entry, value, more, &reading->at, reading->error);
}

static int take_line(void *context, const char *section, const char *key, const char *value)
{
    file_reading *reading = context;
    if (reading->failed) {
        return 0;
    }
    char text[512];
    snprintf(text, sizeof text, "%s", value == NULL ? "" : value);
    /* The parser leaves comments in lines that go on. */
    char *comment = strstr(text, " ;");
    if (comment != NULL) {
        *comment = '\0';
    }
    reading->failed = !take_value(reading, section, key, text);
    return !reading->failed;
}

static FILE *fail_open(const char *path, const char *why, wn_error *error)
{
    wn_fail_with(error, BAD_SETTING, "", 0, "cannot read the configuration file %.400s: %s", path, why);
    return NULL;
}

/* Not what one might wait for without end, since a running daemon reads it too. /dev/null is a file without lines. */
static FILE *open_file(const char *path, wn_error *error)
{
    struct stat found;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        return fail_open(path, strerror(errno), error);
    }
    const bool known = fstat(descriptor, &found) == 0;
    if (known && (S_ISREG(found.st_mode) || S_ISCHR(found.st_mode))) {
        FILE *file = fdopen(descriptor, "r");
        return file != NULL ? file : fail_open(path, strerror(errno), error);
    }
    close(descriptor);
    return fail_open(path, !known ? strerror(errno) : S_ISDIR(found.st_mode) ? "Is a directory" : "Is no file", error);
}

/* The parser takes a NUL for the end of its line, and would leave out whatever follows. */
static bool check_text(FILE *file, const char *path, wn_error *error)
{
    int character, line = 1;
    while ((character = getc(file)) != EOF && character != '\0') {
        line += character == '\n' ? 1 : 0;
    }
    if (character == '\0') {
        return wn_fail_with(error, BAD_SETTING, "", 0, "%.400s:%d: there is a NUL, so this is no text", path, line);
    }
    rewind(file);
    return true;
}

bool wn_config_read(wn_config *config, const char *path, wn_error *error)
{
    FILE *file = open_file(path, error);
    if (file == NULL) {
        return false;
    }
    if (!check_text(file, path, error)) {
        fclose(file);
        return false;
    }
    free(config->file);
    config->file = strdup(path);
    file_reading reading = {.config = config, .error = error, .file = file, .at.file = path};
    int bad_line = ini_parse_stream(read_line, &reading, take_line, &reading);
    bool broken = ferror(file) != 0;
    fclose(file);
    if (reading.failed) {
        return false;
    }
    if (broken) {
        return wn_fail_with(error, BAD_SETTING, "", 0, "cannot read the configuration file %.400s", path);
    }
    if (bad_line != 0) {
        return wn_fail_with(error, BAD_SETTING, "", 0, "%.400s:%d: it takes [section], key = value or # comment", path,
                            bad_line);
    }
    return true;
}
