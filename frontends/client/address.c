/* address.c: where a daemon is, from what a person typed. It looks at the file system to tell directories from sockets
 * and to find a daemon on this machine, where it knocks to see whether anyone serves, and says nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

enum { PATH_BYTES = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1 };

static bool malformed(wn_error *error, const char *text, const char *why)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "address", 0,
                        "The address \"%.200s\" %s. Write warren://HOST[:PORT][/WORLD][?key=KEY], tcp://HOST:PORT, "
                        "ipc://PATH or the path of the daemon's directory.",
                        text, why);
}

static bool port_valid(const char *port, size_t size)
{
    unsigned value = 0;
    for (size_t i = 0; i < size; i++) {
        if (port[i] < '0' || port[i] > '9' || i >= 5) {
            return false;
        }
        value = value * 10 + (unsigned)(port[i] - '0');
    }
    return size > 0 && value >= 1 && value <= 65535;
}

static bool host_valid(const char *host, size_t size)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    static const char inside_brackets[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:%";
    if (size > 2 && host[0] == '[' && host[size - 1] == ']') {
        return strspn(host + 1, inside_brackets) == size - 2;
    }
    return size > 0 && strspn(host, name) >= size;
}

/* HOST[:PORT] in the first `size` bytes of `place`; `whole` is what the person typed. */
static bool parse_tcp(wn_address *address, const char *place, size_t size, bool port_needed, const char *whole,
                      wn_error *error)
{
    size_t host_size = size;
    const char *bracket = place[0] == '[' ? memchr(place, ']', size) : NULL;
    const char *colon = bracket ? memchr(bracket, ':', size - (size_t)(bracket - place)) : memchr(place, ':', size);
    if (colon) {
        host_size = (size_t)(colon - place);
    }
    if (!host_valid(place, host_size)) {
        return malformed(error, whole, "has no valid host (IPv6 addresses go in brackets: [::1])");
    }
    if (!colon && port_needed) {
        char why[80];
        snprintf(why, sizeof why, "has no port (the daemon's is %d unless it was changed)", WN_CONTROL_PORT);
        return malformed(error, whole, why);
    }
    if (colon && !port_valid(colon + 1, size - host_size - 1)) {
        return malformed(error, whole, "has a port that is not a number from 1 to 65535");
    }
    const int written =
        colon ? snprintf(address->control, sizeof address->control, "tcp://%.*s", (int)size, place)
              : snprintf(address->control, sizeof address->control, "tcp://%.*s:%d", (int)size, place, WN_CONTROL_PORT);
    if (written < 0 || (size_t)written >= sizeof address->control) {
        return malformed(error, whole, "is too long: at most 255 bytes");
    }
    return true;
}

/* ?key=KEY at the end. What is before it is copied to `rest`; with Z85, anything may be in the key. */
static bool parse_key(wn_address *address, const char *text, char *rest, size_t size, const char *whole,
                      wn_error *error)
{
    static const char mark[] = "?key=";
    const char *at = strchr(text, '?');
    const size_t length = at ? (size_t)(at - text) : strlen(text);
    if (length >= size) {
        return malformed(error, whole, "is too long: at most 255 bytes");
    }
    snprintf(rest, size, "%.*s", (int)length, text);
    if (!at) {
        return true;
    }
    if (strncmp(at, mark, sizeof mark - 1) != 0) {
        return malformed(error, whole, "has something after '?' that is not key=");
    }
    at += sizeof mark - 1;
    address->trust = strcmp(at, "none") == 0 ? WN_ADDRESS_NO_KEY : WN_ADDRESS_KEY;
    return address->trust == WN_ADDRESS_NO_KEY || wn_curve_parse(address->key, at) ||
           malformed(error, whole, "has a key that is neither 64 hexadecimal digits nor 40 characters of Z85 nor none");
}

static bool parse_warren(wn_address *address, const char *rest, const char *whole, wn_error *error)
{
    const size_t size = strcspn(rest, "/");
    if (!parse_tcp(address, rest, size, false, whole, error)) {
        return false;
    }
    const char *world = rest[size] == '/' ? rest + size + 1 : "";
    if (*world && !wn_name_valid(world)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "world", WN_NAME_BYTES,
                            "The address \"%.200s\" names no valid world: a world's name has 1 to %d letters, digits, "
                            "dots, dashes and underscores and begins with a letter or digit.",
                            whole, WN_NAME_BYTES);
    }
    strcpy(address->world, world); /* a valid name fits */
    return true;
}

static bool parse_socket(wn_address *address, const char *path, const char *whole, wn_error *error)
{
    if (!*path) {
        return malformed(error, whole, "has no path");
    }
    if (strlen(path) > PATH_BYTES) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "address", PATH_BYTES,
                            "The path of the socket in \"%.200s\" is longer than the %d bytes that the system allows. "
                            "Use a shorter directory, or reach it through a symbolic link.",
                            whole, PATH_BYTES);
    }
    snprintf(address->control, sizeof address->control, "ipc://%s", path);
    return true;
}

static bool parse_path(wn_address *address, const char *path, wn_error *error)
{
    struct stat status;
    char socket_path[512];
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/') {
        size--;
    }
    if (size + sizeof "/control" > sizeof socket_path) {
        return malformed(error, path, "is too long for a path");
    }
    snprintf(socket_path, sizeof socket_path, "%.*s", (int)size, path);
    if (stat(socket_path, &status) == 0 && S_ISDIR(status.st_mode)) {
        strcpy(socket_path + size, "/control");
        return parse_socket(address, socket_path, path, error);
    }
    /* A socket may be named before its daemon has made it; any other name that leads nowhere is a slip. */
    const char *slash = strrchr(socket_path, '/');
    const bool exists = stat(socket_path, &status) == 0;
    if (exists ? !S_ISSOCK(status.st_mode) : !slash || strcmp(slash, "/control") != 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "address", 0,
                            "%.300s is %s. Give the directory that has the daemon's `control` socket, or that socket; "
                            "is the daemon running?",
                            path, exists ? "neither a directory nor a socket" : "not there");
    }
    return parse_socket(address, socket_path, path, error);
}

static bool parse_given(wn_address *address, const char *text, wn_error *error)
{
    char place[sizeof address->control];
    if (strncmp(text, "warren://", 9) == 0) {
        return parse_key(address, text + 9, place, sizeof place, text, error) &&
               parse_warren(address, place, text, error);
    }
    if (strncmp(text, "tcp://", 6) == 0) {
        return parse_key(address, text + 6, place, sizeof place, text, error) &&
               parse_tcp(address, place, strlen(place), true, text, error);
    }
    if (strncmp(text, "ipc://", 6) == 0) {
        return parse_socket(address, text + 6, text, error);
    }
    if (strstr(text, "://")) {
        return malformed(error, text, "begins with none of warren://, tcp://, ipc://");
    }
    if (!strchr(text, '/')) {
        return malformed(error, text, "is neither an address nor a path with a slash");
    }
    return parse_path(address, text, error);
}

/* Does somebody serve there who lets us in? A daemon that was killed leaves its socket behind. */
static bool is_served(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof name.sun_path) {
        return false;
    }
    strcpy(name.sun_path, path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return true; /* it cannot be told here; connecting will tell */
    }
    const bool served = connect(fd, (const struct sockaddr *)&name, sizeof name) == 0 || errno == EAGAIN;
    close(fd);
    return served;
}

static bool socket_in(wn_address *address, const char *directory, const char *below)
{
    struct stat status;
    char path[PATH_BYTES + 1];
    const int written = snprintf(path, sizeof path, "%s%s/control", directory, below);
    if (written < 0 || (size_t)written >= sizeof path || stat(path, &status) != 0 || !S_ISSOCK(status.st_mode) ||
        !is_served(path)) {
        return false;
    }
    snprintf(address->control, sizeof address->control, "ipc://%s", path);
    return true;
}

static bool parse_default(wn_address *address, wn_error *error)
{
    const char *server = getenv("WARREN_SERVER");
    if (server && *server) {
        return parse_given(address, server, error);
    }
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (runtime && runtime[0] == '/' && socket_in(address, runtime, "/warren")) {
        return true;
    }
    return socket_in(address, "/run", "/warren") || parse_given(address, "warren://127.0.0.1", error);
}

bool wn_address_parse(wn_address *address, const char *text, wn_error *error)
{
    *address = (wn_address){.control = ""};
    return text && *text ? parse_given(address, text, error) : parse_default(address, error);
}
