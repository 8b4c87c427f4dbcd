/* trust.c: the player's own key and the known servers, as files. See trust.h. Known servers stand one a line:
 *
 *   tcp://example.org:7117 HEX
 */
#include "trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "places.h"

enum { PATH_BYTES = 4096, LINE_BYTES = 512 };

static const char known_servers[] = "known_servers";

static bool find_path(char *path, size_t size, const char *file, bool make, wn_error *error)
{
    char directory[PATH_BYTES];
    if (!wn_place_find(WN_PLACE_DATA, directory, sizeof directory)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "key", 0,
                            "There is no place for your key: neither XDG_DATA_HOME nor HOME names a directory. Set one "
                            "of them.");
    }
    if (make && !wn_place_make(directory)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "key", 0,
                            "The directory %.300s, where your key is kept, cannot be made: %s.", directory,
                            strerror(errno));
    }
    return snprintf(path, size, "%s/%s", directory, file) < (int)size ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "key", 0, "The path of %.300s is too long.",
                        directory);
}

bool wn_trust_own_pair(wn_curve_pair *pair, char *path, size_t size, wn_error *error)
{
    char own[PATH_BYTES];
    bool make = true;
    if (!find_path(own, sizeof own, "key", true, error)) {
        return false;
    }
    if (path != NULL) {
        snprintf(path, size, "%s", own);
    }
    return wn_curve_file_open(own, false, &make, pair, error);
}

/* known servers */

/* Is the line about that server? */
static bool read_line(const char *line, const char *endpoint, uint8_t key[WN_CURVE_BYTES])
{
    char hex[WN_CURVE_HEX];
    const size_t length = strlen(endpoint);
    return strncmp(line, endpoint, length) == 0 && sscanf(line + length, " %64s", hex) == 1 && line[length] == ' ' &&
           wn_curve_parse(key, hex);
}

bool wn_trust_find(const char *endpoint, uint8_t key[WN_CURVE_BYTES], char *where, size_t size)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    FILE *file = find_path(path, sizeof path, known_servers, false, NULL) ? fopen(path, "re") : NULL;
    bool found = false;
    for (int number = 1; file != NULL && !found && fgets(line, sizeof line, file) != NULL; number++) {
        found = read_line(line, endpoint, key);
        if (found) {
            snprintf(where, size, "%s, line %d", path, number);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

bool wn_trust_remember(const char *endpoint, const uint8_t key[WN_CURVE_BYTES], wn_error *error)
{
    char path[PATH_BYTES], line[LINE_BYTES], hex[WN_CURVE_HEX], where[PATH_BYTES + 32];
    uint8_t there[WN_CURVE_BYTES];
    if (!find_path(path, sizeof path, known_servers, true, error)) {
        return false;
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    wn_curve_hex(hex, key);
    const int length = snprintf(line, sizeof line, "%s %s\n", endpoint, hex);
    const bool written = file >= 0 && flock(file, LOCK_EX) == 0 &&
                         (wn_trust_find(endpoint, there, where, sizeof where) || /* another process was faster */
                          write(file, line, (size_t)length) == length);
    const int number = errno;
    if (file >= 0) {
        close(file);
    }
    return written || wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "key", 0,
                                   "The key of %.200s cannot be kept in %.200s: %s.", endpoint, path, strerror(number));
}

bool wn_trust_is_loopback(const char *endpoint)
{
    static const char *const beginnings[] = {"tcp://127.", "tcp://[::1]:", "tcp://localhost:"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const size_t length = strlen(beginnings[i]);
        if (strncmp(endpoint, beginnings[i], length) == 0) {
            /* 127.example.org is somewhere else */
            return i > 0 || strspn(endpoint + 6, "0123456789.") == strcspn(endpoint + 6, ":");
        }
    }
    return false;
}
