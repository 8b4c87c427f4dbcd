/* mode-files.c: see mode-files.h. */
#include "modes/mode-files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

enum { PLACES = 2, MOST = 256 };

/* Where to look, in this order. Returns how many places there are. */
static size_t find_places(const wn_installed_mode *mode, char places[PLACES][PATH_MAX])
{
    size_t count = 0;
    const char *operators = mode->daemon->config->mode_files;
    const char *slash = strrchr(mode->path, '/');
    const int length = slash != NULL ? (int)(slash - mode->path) : 0;
    if (operators != NULL && operators[0] != '\0') {
        snprintf(places[count++], PATH_MAX, "%s/%s", operators, mode->name);
    }
    snprintf(places[count++], PATH_MAX, "%.*s/%s", length, mode->path, mode->name);
    return count;
}

/* listing */

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void add_name(Warren__Setting *list, const char *name, wn_arena *arena)
{
    for (size_t i = 0; i < list->n_choices; i++) {
        if (strcmp(list->choices[i], name) == 0) {
            return;
        }
    }
    const size_t size = strlen(name) + 1;
    if (list->n_choices < MOST) {
        list->choices[list->n_choices++] = memcpy(wn_must(wn_arena_take(arena, size)), name, size);
    }
}

static void list_place(Warren__Setting *list, const char *place, wn_arena *arena)
{
    DIR *directory = opendir(place);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (wn_name_valid(entry->d_name)) {
            add_name(list, entry->d_name, arena);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
}

void wn_mode_files_list(const wn_installed_mode *mode, Warren__Mode *descriptor, wn_arena *arena)
{
    char places[PLACES][PATH_MAX];
    Warren__Setting found = WARREN__SETTING__INIT;
    const size_t count = find_places(mode, places);
    bool wanted = false;
    for (size_t i = 0; i < descriptor->n_settings; i++) {
        wanted = wanted || descriptor->settings[i]->type == WARREN__SETTING_TYPE__SETTING_FILE;
    }
    if (!wanted) {
        return;
    }
    found.choices = wn_must(wn_arena_take(arena, MOST * sizeof *found.choices));
    for (size_t i = 0; i < count; i++) {
        list_place(&found, places[i], arena);
    }
    qsort(found.choices, found.n_choices, sizeof *found.choices, by_name);
    for (size_t i = 0; i < descriptor->n_settings; i++) {
        if (descriptor->settings[i]->type == WARREN__SETTING_TYPE__SETTING_FILE) {
            descriptor->settings[i]->choices = found.choices;
            descriptor->settings[i]->n_choices = found.n_choices;
        }
    }
}

/* reading */

/* Whole, with a NUL behind it. NULL: `why` is a reason. */
static char *read_whole(int file, const char **why)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        *why = "it is not a plain file";
        return NULL;
    }
    if (status.st_size > WN_FILE_BYTES) {
        *why = "it is larger than the 1 MiB that a file of a mode may have";
        return NULL;
    }
    char *content = wn_must_zero(1, (size_t)status.st_size + 1);
    size_t size = 0;
    ssize_t got;
    while (size < (size_t)status.st_size && (got = read(file, content + size, (size_t)status.st_size - size)) != 0) {
        if (got < 0 && errno != EINTR) {
            *why = strerror(errno);
            free(content);
            return NULL;
        }
        size += got > 0 ? (size_t)got : 0;
    }
    if (strlen(content) != size) {
        *why = "it holds a NUL, so it is no text";
        free(content);
        return NULL;
    }
    return content;
}

char *wn_mode_file_read(const wn_installed_mode *mode, const char *setting, const char *file, wn_error *error)
{
    char places[PLACES][PATH_MAX];
    char path[PATH_MAX + WN_NAME_BYTES + 2];
    const size_t count = find_places(mode, places);
    if (!wn_name_valid(file)) { /* it must not lead out of the places, whoever gave it */
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting, 0,
                     "%s = \"%.64s\" is not possible: it takes the name of a file, without a directory", setting, file);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const char *why = NULL;
        if (snprintf(path, sizeof path, "%s/%s", places[i], file) >= (int)sizeof path) {
            continue; /* no file has so long a path */
        }
        const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (opened < 0 && (errno == ENOENT || errno == ENOTDIR)) {
            continue;
        }
        char *content = opened >= 0 ? read_whole(opened, &why) : NULL;
        if (content == NULL) {
            wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting, 0,
                         "%s = \"%s\" cannot be read: %.150s: %s", setting, file, path,
                         why != NULL ? why : strerror(errno));
        }
        if (opened >= 0) {
            close(opened);
        }
        return content;
    }
    wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, setting, 0,
                 "%s = \"%s\": there is no such file in %.150s%s%.150s", setting, file, places[0],
                 count > 1 ? " or " : "", count > 1 ? places[1] : "");
    return NULL;
}
