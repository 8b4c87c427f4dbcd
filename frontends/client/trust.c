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

static bool is_about(const char *line, const char *endpoint)
{
    const size_t length = strlen(endpoint);
    return strncmp(line, endpoint, length) == 0 && line[length] == ' ';
}

static bool read_key(const char *text, uint8_t key[WN_CURVE_BYTES])
{
    char hex[WN_CURVE_HEX];
    return sscanf(text, " %64s", hex) == 1 && wn_curve_parse(key, hex);
}

static wn_trust_met fail_reading(const char *path, const char *endpoint, const char *why, wn_error *error)
{
    wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "key", 0,
                 "Whether %.100s is the server that it was cannot be told: %.200s: %.100s. Make it readable, or move "
                 "it away to believe every server anew.",
                 endpoint, path, why);
    return WN_TRUST_UNREADABLE;
}

static wn_trust_met find_line(FILE *file, const char *path, const char *endpoint, uint8_t key[WN_CURVE_BYTES],
                              char *where, size_t size, wn_error *error)
{
    char line[LINE_BYTES];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        if (!is_about(line, endpoint)) {
            continue;
        }
        if (!read_key(line + strlen(endpoint), key)) {
            char why[64];
            snprintf(why, sizeof why, "line %d has no key of 64 hexadecimal digits", number);
            return fail_reading(path, endpoint, why, error);
        }
        snprintf(where, size, "%s, line %d", path, number);
        return WN_TRUST_MET;
    }
    return ferror(file) ? fail_reading(path, endpoint, strerror(errno), error) : WN_TRUST_NEVER_MET;
}

wn_trust_met wn_trust_find(const char *endpoint, uint8_t key[WN_CURVE_BYTES], char *where, size_t size, wn_error *error)
{
    char path[PATH_BYTES];
    if (!find_path(path, sizeof path, known_servers, false, NULL)) {
        return WN_TRUST_NEVER_MET; /* nor is there a place for a key of one's own, without which no server is asked */
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return errno == ENOENT ? WN_TRUST_NEVER_MET : fail_reading(path, endpoint, strerror(errno), error);
    }
    const wn_trust_met met = find_line(file, path, endpoint, key, where, size, error);
    fclose(file);
    return met;
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
    const bool locked = file >= 0 && flock(file, LOCK_EX) == 0;
    int number = errno;
    const wn_trust_met met = wn_trust_find(endpoint, there, where, sizeof where, error);
    bool written = locked && met == WN_TRUST_MET; /* another process was faster */
    if (locked && met == WN_TRUST_NEVER_MET) {
        written = write(file, line, (size_t)length) == length;
        number = errno;
    }
    if (file >= 0) {
        close(file);
    }
    if (met == WN_TRUST_UNREADABLE) {
        return false;
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
