/* session-file.c: see session-file.h. A file has four lines:
 *
 *   warren session 1
 *   ipc:///run/warren/control
 *   ann
 *   00112233445566778899aabbccddeeff
 *
 * Looking for a file, replacing and removing one happen under a lock of the directory: then a lock on a file that was
 * found by its name is a lock on the file of that name.
 */
#include "session-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "places.h"

static const char first_line[] = "warren session 1";

enum { NAME_BYTES = 32, CONTENT_BYTES = 512 };

static const char consequence[] = "If this program is killed, the next one will not find its seat.";

static bool fail(wn_error *problem, const char *what, const char *path)
{
    return wn_fail_with(problem, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "sessions", 0, "%s %.300s: %s. %s", what, path,
                        strerror(errno), consequence);
}

/* the directory */

bool wn_session_directory(char *path, size_t size)
{
    return wn_place_find(WN_PLACE_SESSIONS, path, size);
}

/* Tokens are worth a seat: nobody else may read or exchange them. */
static bool check_directory(int directory, const char *path, wn_error *problem)
{
    struct stat status;
    if (fstat(directory, &status) != 0) {
        return fail(problem, "Cannot look at", path);
    }
    if (status.st_uid == geteuid() && (status.st_mode & 0077) == 0) {
        return true;
    }
    return wn_fail_with(problem, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "sessions", 0,
                        "The directory %.300s must be yours alone (chmod 700) to keep sessions in. %s", path,
                        consequence);
}

static bool open_directory(wn_session_file *file, const char *path, wn_error *problem)
{
    wn_place_make(path);
    file->directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return file->directory >= 0 ? check_directory(file->directory, path, problem)
                                : fail(problem, "Cannot keep sessions in", path);
}

static bool lock_directory(const wn_session_file *file)
{
    int failed;
    while ((failed = flock(file->directory, LOCK_EX)) != 0 && errno == EINTR) {
    }
    return failed == 0;
}

static void unlock_directory(const wn_session_file *file)
{
    flock(file->directory, LOCK_UN);
}

/* one file */

static void name_of(unsigned number, const char *tail, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "session-%u%s", number, tail);
}

static bool parse_token(const char *text, uint8_t token[WN_KEY_BYTES])
{
    if (strspn(text, "0123456789abcdef") != 2 * WN_KEY_BYTES || text[2 * WN_KEY_BYTES] != '\0') {
        return false;
    }
    for (size_t i = 0; i < WN_KEY_BYTES; i++) {
        const char pair[] = {text[2 * i], text[2 * i + 1], '\0'};
        token[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

/* The next line, whose end becomes the end of the text; NULL: there is no whole one. */
static const char *take_line(char **rest)
{
    char *line = *rest, *end = line == NULL ? NULL : strchr(line, '\n');
    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    *rest = end + 1;
    return line;
}

/* Is it a whole file with a session of this server and player? Anything else is none. */
static bool read_token(const wn_session_file *wanted, int descriptor, uint8_t token[WN_KEY_BYTES])
{
    char content[CONTENT_BYTES + 1];
    const ssize_t size = pread(descriptor, content, CONTENT_BYTES, 0);
    if (size <= 0) {
        return false;
    }
    content[size] = '\0';
    char *rest = content;
    const char *lines[4];
    for (size_t i = 0; i < 4; i++) {
        lines[i] = take_line(&rest);
    }
    return lines[3] != NULL && *rest == '\0' && rest == content + size && strcmp(lines[0], first_line) == 0 &&
           strcmp(lines[1], wanted->server) == 0 && strcmp(lines[2], wanted->player) == 0 &&
           parse_token(lines[3], token);
}

/* Opens and locks that file. -1: there is none (errno ENOENT), or it is somebody's. */
static int take(const wn_session_file *file, unsigned number, int flags)
{
    char name[NAME_BYTES];
    struct stat status;
    name_of(number, "", name);
    const int descriptor = openat(file->directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
    if (descriptor < 0) {
        return -1;
    }
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        errno = EWOULDBLOCK;
        return -1;
    }
    return descriptor;
}

/* choosing */

static bool choose_kept(wn_session_file *file)
{
    for (unsigned number = 1; number <= WN_SESSION_FILES; number++) {
        const int descriptor = take(file, number, 0);
        if (descriptor >= 0 && read_token(file, descriptor, file->token)) {
            file->file = descriptor;
            file->number = number;
            file->kept = true;
            return true;
        }
        if (descriptor >= 0) {
            close(descriptor);
        }
    }
    return false;
}

/* A name that is free, or else the first file that nobody holds: its session has most likely ended long ago. */
static bool choose_new(wn_session_file *file)
{
    int trouble = 0;
    for (int over = 0; over < 2; over++) {
        for (unsigned number = 1; number <= WN_SESSION_FILES; number++) {
            file->file = take(file, number, over ? 0 : O_CREAT | O_EXCL);
            file->number = number;
            if (file->file >= 0) {
                return ftruncate(file->file, 0) == 0;
            }
            if (trouble == 0 && errno != EEXIST) {
                trouble = errno;
            }
        }
    }
    errno = trouble;
    return false;
}

bool wn_session_file_open(wn_session_file *file, const char *directory, const char *server, const char *player,
                          bool fresh, wn_error *problem)
{
    *file = (wn_session_file){.directory = -1, .file = -1};
    snprintf(file->server, sizeof file->server, "%s", server);
    snprintf(file->player, sizeof file->player, "%s", player);
    if (directory == NULL) {
        return wn_fail_with(problem, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "sessions", 0,
                            "There is no place to keep sessions in: XDG_RUNTIME_DIR, XDG_STATE_HOME and HOME are not "
                            "set. %s",
                            consequence);
    }
    bool done = open_directory(file, directory, problem);
    if (done && !lock_directory(file)) {
        done = fail(problem, "Cannot lock", directory);
    } else if (done && !(!fresh && choose_kept(file)) && !choose_new(file)) {
        done = errno == EWOULDBLOCK
                   ? wn_fail_with(problem, WARREN__ERROR_CODE__ERROR_LIMIT, "sessions", WN_SESSION_FILES,
                                  "All %d files in %.300s are in use. Quit a warren. %s", WN_SESSION_FILES, directory,
                                  consequence)
                   : fail(problem, "Cannot make a file in", directory);
    }
    if (done) {
        unlock_directory(file);
    } else {
        wn_session_file_close(file, true);
    }
    return done;
}

/* writing and removing */

static int format(const wn_session_file *file, const uint8_t token[WN_KEY_BYTES], char content[CONTENT_BYTES])
{
    int size = snprintf(content, CONTENT_BYTES, "%s\n%s\n%s\n", first_line, file->server, file->player);
    for (size_t i = 0; i < WN_KEY_BYTES; i++) {
        size += snprintf(content + size, CONTENT_BYTES - (size_t)size, "%02x", token[i]);
    }
    return size + snprintf(content + size, CONTENT_BYTES - (size_t)size, "\n");
}

/* Puts a whole, locked file in the place of ours. */
static bool replace(wn_session_file *file, const char *content, size_t size)
{
    char name[NAME_BYTES], fresh_name[NAME_BYTES];
    name_of(file->number, "", name);
    name_of(file->number, ".new", fresh_name);
    unlinkat(file->directory, fresh_name, 0); /* of a process that died within this function */
    const int fresh = openat(file->directory, fresh_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fresh < 0) {
        return false;
    }
    if (flock(fresh, LOCK_EX | LOCK_NB) != 0 || write(fresh, content, size) != (ssize_t)size ||
        renameat(file->directory, fresh_name, file->directory, name) != 0) {
        const int trouble = errno;
        unlinkat(file->directory, fresh_name, 0);
        close(fresh);
        errno = trouble;
        return false;
    }
    close(file->file);
    file->file = fresh;
    return true;
}

bool wn_session_file_write(wn_session_file *file, const uint8_t token[WN_KEY_BYTES], wn_error *problem)
{
    char content[CONTENT_BYTES], name[NAME_BYTES];
    if (file->file < 0 || (file->kept && memcmp(file->token, token, WN_KEY_BYTES) == 0)) {
        return true; /* that nothing can be kept has been said when it was opened */
    }
    name_of(file->number, "", name);
    const int size = format(file, token, content);
    bool done = lock_directory(file);
    if (done) {
        done = replace(file, content, (size_t)size);
        const int trouble = errno;
        unlock_directory(file);
        errno = trouble;
    }
    if (!done) {
        return fail(problem, "Cannot write", name);
    }
    memcpy(file->token, token, WN_KEY_BYTES);
    file->kept = true;
    return true;
}

static bool is_empty(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && status.st_size == 0;
}

void wn_session_file_close(wn_session_file *file, bool keep)
{
    char name[NAME_BYTES];
    if (file->file >= 0 && (!keep || is_empty(file->file)) && lock_directory(file)) {
        name_of(file->number, "", name);
        unlinkat(file->directory, name, 0);
    }
    if (file->file >= 0) {
        close(file->file);
    }
    if (file->directory >= 0) {
        close(file->directory); /* and with it goes its lock */
    }
    file->file = file->directory = -1;
}
