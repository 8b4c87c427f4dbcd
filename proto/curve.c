/* curve.c: CURVE key pairs as files and as text. See curve.h.
 */
#include "curve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#define BAD         WARREN__ERROR_CODE__ERROR_BAD_SETTING
#define UNAVAILABLE WARREN__ERROR_CODE__ERROR_UNAVAILABLE

enum { FILE_BYTES = 4096 };

/* text */

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool parse_hex(uint8_t *key, const char *text)
{
    for (size_t i = 0; i < WN_CURVE_BYTES; i++) {
        const int high = digit_of(text[2 * i]), low = high < 0 ? -1 : digit_of(text[2 * i + 1]);
        if (low < 0) {
            return false;
        }
        key[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool wn_curve_parse(uint8_t key[WN_CURVE_BYTES], const char *text)
{
    const size_t size = strlen(text);
    return size == WN_CURVE_HEX - 1   ? parse_hex(key, text)
           : size == WN_CURVE_Z85 - 1 ? zmq_z85_decode(key, text) != NULL
                                      : false;
}

void wn_curve_hex(char hex[WN_CURVE_HEX], const uint8_t key[WN_CURVE_BYTES])
{
    for (size_t i = 0; i < WN_CURVE_BYTES; i++) {
        snprintf(hex + 2 * i, 3, "%02x", key[i]);
    }
}

/* reading */

/* UNAVAILABLE is what may pass, like a full disk; of the rest somebody has to do something. */
static Warren__ErrorCode code_of(int number)
{
    switch (number) {
    case ENOENT:
        return WARREN__ERROR_CODE__ERROR_NOT_FOUND;
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENOTDIR:
    case ENAMETOOLONG:
        return BAD;
    default:
        return UNAVAILABLE;
    }
}

static bool fail(wn_error *error, const char *what, const char *path)
{
    return wn_fail_with(error, code_of(errno), "key_file", 0, "%s the key file %.300s: %s", what, path,
                        strerror(errno));
}

static bool is_safe(int file, const char *path, bool guarded, wn_error *error)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return fail(error, "cannot look at", path);
    }
    if (!S_ISREG(status.st_mode)) {
        return wn_fail_with(error, BAD, "key_file", 0, "%.300s is no file: it cannot be a key", path);
    }
    if (guarded) {
        return true;
    }
    if (status.st_uid != geteuid() && status.st_uid != 0) {
        return wn_fail_with(error, BAD, "key_file", 0,
                            "the key file %.250s belongs to user %u, who could change it: make a copy that is your own",
                            path, status.st_uid);
    }
    return (status.st_mode & 077) == 0 ||
           wn_fail_with(error, BAD, "key_file", 0,
                        "the key file %.200s is open to others (mode %04o): say \"chmod 600 %.200s\"; if somebody may "
                        "have read it, remove it, so that a new key is made",
                        path, status.st_mode & 07777, path);
}

/* The pair from `secret-key = "..."`: the public key follows from it. */
static bool parse_file(const char *text, wn_curve_pair *pair)
{
    static const char field[] = "secret-key";
    char secret[WN_CURVE_Z85], public[WN_CURVE_Z85];
    const char *at = strstr(text, field);
    at = at != NULL ? at + sizeof field - 1 : "";
    at += strspn(at, " \t");
    at += *at == '=' ? 1 : 0;
    at += strspn(at, " \t");
    if (*at != '"' || strcspn(at + 1, "\"\n") != WN_CURVE_Z85 - 1) {
        return false;
    }
    snprintf(secret, sizeof secret, "%s", at + 1);
    const bool good = zmq_z85_decode(pair->secret_key, secret) != NULL && zmq_curve_public(public, secret) == 0 &&
                      zmq_z85_decode(pair->public_key, public) != NULL;
    explicit_bzero(secret, sizeof secret);
    return good;
}

static bool read_file(int file, const char *path, bool guarded, wn_curve_pair *pair, wn_error *error)
{
    char text[FILE_BYTES + 1];
    if (!is_safe(file, path, guarded, error)) {
        return false;
    }
    const ssize_t size = read(file, text, FILE_BYTES);
    if (size < 0) {
        return fail(error, "cannot read", path);
    }
    text[size] = '\0';
    const bool good = parse_file(text, pair);
    explicit_bzero(text, sizeof text);
    return good || wn_fail_with(error, BAD, "key_file", 0,
                                "there is no key in %.300s (secret-key = \"...\", as zcert writes it): remove it, so "
                                "that a new key is made, or put it back from a copy",
                                path);
}

/* making */

static size_t write_text(char *text, size_t size)
{
    char public[WN_CURVE_Z85], secret[WN_CURVE_Z85];
    if (zmq_curve_keypair(public, secret) != 0) {
        return 0;
    }
    const int length = snprintf(text, size,
                                "#   A secret key. Whoever has it is who it belongs to: show it to nobody.\n"
                                "curve\n"
                                "    public-key = \"%s\"\n"
                                "    secret-key = \"%s\"\n",
                                public, secret);
    explicit_bzero(secret, sizeof secret);
    return (size_t)length;
}

/* Under another name first: nobody finds half a key, and of two processes that make one the first wins. */
static bool make_file(const char *path, wn_error *error)
{
    char name[FILE_BYTES], text[FILE_BYTES];
    if ((size_t)snprintf(name, sizeof name, "%s.XXXXXX", path) >= sizeof name) {
        errno = ENAMETOOLONG;
        return fail(error, "cannot make", path);
    }
    const size_t size = write_text(text, sizeof text);
    if (size == 0) {
        return wn_fail_with(error, UNAVAILABLE, "key_file", 0,
                            "no key can be made: this libzmq was built without CURVE; install one that has it");
    }
    const int file = mkostemp(name, O_CLOEXEC); /* its mode is 0600 */
    if (file < 0) {
        return fail(error, "cannot make", path);
    }
    bool made =
        write(file, text, size) == (ssize_t)size && fsync(file) == 0 && (link(name, path) == 0 || errno == EEXIST);
    made = made || fail(error, "cannot write", path);
    explicit_bzero(text, sizeof text);
    unlink(name);
    close(file);
    return made;
}

bool wn_curve_file_open(const char *path, bool guarded, bool *make, wn_curve_pair *pair, wn_error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const bool making = file < 0 && errno == ENOENT && make != NULL;
    if (making) {
        if (!make_file(path, error)) {
            return false;
        }
        file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    }
    if (make != NULL) {
        *make = making;
    }
    if (file < 0) {
        return fail(error, "cannot read", path);
    }
    const bool good = read_file(file, path, guarded, pair, error);
    close(file);
    return good;
}
