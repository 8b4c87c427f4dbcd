/* config-check.c: what only the whole configuration can tell: addresses that others could reach, directories that
 * cannot be used, settings that do not fit together. It opens and makes nothing.
 */
#include "configuration/config-internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "configuration/endpoint.h"
#include "configuration/subject.h"

#define BAD_SETTING WARREN__ERROR_CODE__ERROR_BAD_SETTING

bool wn_config_takes_keys(const wn_config *config, const char *endpoint)
{
    char address[WN_ENDPOINT_ADDRESS_BYTES];
    const char *place = wn_endpoint_tcp(endpoint);
    return !config->insecure && place != NULL && wn_endpoint_split(place, address) &&
           !(config->plain_loopback && wn_address_is_loopback(address));
}

static bool check_endpoint(const char *key, const char *endpoint, wn_error *error)
{
    const size_t path_bytes = sizeof((struct sockaddr_un *)0)->sun_path - 1;
    const char *path = wn_endpoint_ipc(endpoint), *place = wn_endpoint_tcp(endpoint);
    if (path != NULL) {
        if (path[0] != '/') {
            return wn_fail_with(error, BAD_SETTING, key, 0,
                                "network.%s: \"%.200s\": the path of a socket begins with '/' (ipc:///PATH)", key,
                                endpoint);
        }
        if (strlen(path) > path_bytes) {
            return wn_fail_with(error, BAD_SETTING, key, path_bytes,
                                "network.%s: the path of a socket has at most %zu bytes, %.250s has %zu: choose a "
                                "shorter runtime_dir",
                                key, path_bytes, path, strlen(path));
        }
        return true;
    }
    char address[WN_ENDPOINT_ADDRESS_BYTES];
    if (place == NULL || !wn_endpoint_split(place, address)) {
        return wn_fail_with(error, BAD_SETTING, key, 0,
                            "network.%s: \"%.200s\" is not an endpoint: it takes ipc:///PATH, tcp://ADDRESS:PORT or "
                            "tcp://[ADDRESS]:PORT, with a port from 1 to 65535 or *",
                            key, endpoint);
    }
    if (strcmp(address, "localhost") == 0) {
        return wn_fail_with(error, BAD_SETTING, key, 0,
                            "network.%s: \"%.200s\": names are not looked up here; write 127.0.0.1 or [::1]", key,
                            endpoint);
    }
    return true;
}

static bool check_endpoints(const char *key, const char *list, wn_error *error)
{
    char one[WN_ENDPOINT_BYTES];
    bool good = true;
    while (good && wn_endpoint_next(&list, one)) {
        good = check_endpoint(key, one, error);
    }
    return good;
}

/* Who sends requests to `control`, does `updates` serve them as well? Welcome names to a peer with a key addresses that
 * take keys, and to one without those that take none. */
static bool is_for_the_same(const wn_config *config, const char *control, const char *updates)
{
    return (wn_endpoint_tcp(control) != NULL) == (wn_endpoint_tcp(updates) != NULL) &&
           wn_config_takes_keys(config, control) == wn_config_takes_keys(config, updates) &&
           (!wn_endpoint_is_loopback(updates) || wn_endpoint_is_loopback(control));
}

static bool check_pair(const wn_config *config, const char *control, wn_error *error)
{
    char one[WN_ENDPOINT_BYTES];
    for (const char *rest = config->updates; wn_endpoint_next(&rest, one);) {
        if (is_for_the_same(config, control, one)) {
            return true;
        }
    }
    return wn_fail_with(error, BAD_SETTING, "updates", 0,
                        "network.updates: \"%.200s\" has no address for those who come to %.200s "
                        "(network.control): name one of the same kind there, with a port of its own",
                        config->updates, control);
}

/* That whoever can send requests can also subscribe. */
static bool check_pairs(const wn_config *config, wn_error *error)
{
    char one[WN_ENDPOINT_BYTES];
    for (const char *rest = config->control; wn_endpoint_next(&rest, one);) {
        if (!check_pair(config, one, error)) {
            return false;
        }
    }
    return true;
}

/* Cuts an absolute path down to what there is of it. */
static void find_existing(char *path)
{
    struct stat status;
    while (stat(path, &status) != 0 && errno == ENOENT && path[1] != '\0') {
        char *slash = strrchr(path, '/');
        slash[slash == path] = '\0';
    }
}

/* That `path` is a directory this process can make files in, or can become one. */
static bool check_directory(const char *key, const char *path, wn_error *error)
{
    if (path[0] != '/') {
        return wn_fail_with(error, BAD_SETTING, key, 0,
                            "daemon.%s: neither HOME nor another variable says where it is: set it", key);
    }
    char *there = strdup(path);
    if (there == NULL) {
        return wn_config_no_memory(error);
    }
    find_existing(there);
    struct stat status;
    int number = 0;
    if (stat(there, &status) != 0) {
        number = errno;
    } else if (!S_ISDIR(status.st_mode)) {
        number = ENOTDIR;
    } else if (access(there, W_OK | X_OK) != 0) {
        number = errno;
    }
    if (number != 0) {
        wn_fail_with(error, BAD_SETTING, key, 0, "daemon.%s: %.200s cannot be used: %.120s: %s", key, path, there,
                     strerror(number));
    }
    free(there);
    return number == 0;
}

static bool check_mode_path(const char *list, wn_error *error)
{
    char *copy = strdup(list), *rest = NULL;
    if (copy == NULL) {
        return wn_config_no_memory(error);
    }
    bool any = false;
    struct stat status;
    for (char *one = strtok_r(copy, ":", &rest); !any && one != NULL; one = strtok_r(NULL, ":", &rest)) {
        any = stat(one, &status) == 0 && S_ISDIR(status.st_mode);
    }
    free(copy);
    return any || wn_fail_with(error, BAD_SETTING, "mode_path", 0,
                               "daemon.mode_path: no directory of %.300s exists: name one with modes in it", list);
}

/* A path, or an address of this machine: nobody is asked there who they are. */
static bool check_metrics(const char *place, wn_error *error)
{
    const size_t path_bytes = sizeof((struct sockaddr_un *)0)->sun_path - 1;
    char address[WN_ENDPOINT_ADDRESS_BYTES];
    unsigned char numeric[sizeof(struct in6_addr)];
    if (place[0] == '/') {
        return strlen(place) <= path_bytes ||
               wn_fail_with(error, BAD_SETTING, "listen", path_bytes,
                            "metrics.listen: the path of a socket has at most %zu bytes, %.250s has %zu", path_bytes,
                            place, strlen(place));
    }
    const bool split = wn_endpoint_split(place, address) && place[strlen(place) - 1] != '*' &&
                       (inet_pton(AF_INET, address, numeric) == 1 || inet_pton(AF_INET6, address, numeric) == 1);
    return (split && wn_address_is_loopback(address)) ||
           wn_fail_with(
               error, BAD_SETTING, "listen", 0,
               "metrics.listen: \"%.200s\" is not on this machine: it takes /PATH, 127.0.0.1:PORT or [::1]:PORT; "
               "others reach it through a proxy that asks who they are",
               place);
}

static bool check_subjects(const char *key, const char *list, wn_error *error)
{
    char *copy = strdup(list), *rest = NULL, subject[WN_SUBJECT_BYTES];
    if (copy == NULL) {
        return wn_config_no_memory(error);
    }
    bool good = true;
    for (char *one = strtok_r(copy, " ", &rest); good && one != NULL; one = strtok_r(NULL, " ", &rest)) {
        good = wn_subject_parse(subject, one) ||
               wn_fail_with(error, BAD_SETTING, key, 0,
                            "security.%s: \"%.100s\" is nobody: it takes public keys, uid:NUMBER and ADDRESS or "
                            "ADDRESS/BITS, separated by spaces",
                            key, one);
    }
    free(copy);
    return good;
}

static bool has_tcp(const char *list)
{
    char one[WN_ENDPOINT_BYTES];
    bool found = false;
    while (!found && wn_endpoint_next(&list, one)) {
        found = wn_endpoint_tcp(one) != NULL;
    }
    return found;
}

bool wn_config_check(const wn_config *config, wn_error *error)
{
    if (strpbrk(config->runtime_dir, " \t") != NULL) {
        return wn_fail_with(error, BAD_SETTING, "runtime_dir", 0,
                            "daemon.runtime_dir: \"%.300s\": spaces cannot stand in it, they separate endpoints",
                            config->runtime_dir);
    }
    if (config->grace_ms < 2 * config->heartbeat_ms) {
        return wn_fail_with(error, BAD_SETTING, "grace_ms", 2 * config->heartbeat_ms,
                            "network.grace_ms = %u: it takes at least twice heartbeat_ms, which is %u",
                            config->grace_ms, config->heartbeat_ms);
    }
    if (!check_subjects("admins", config->admins, error) || !check_subjects("players", config->players, error) ||
        !check_subjects("spectators", config->spectators, error) || !check_subjects("banned", config->banned, error)) {
        return false;
    }
    if (!check_endpoints("control", config->control, error) || !check_endpoints("updates", config->updates, error) ||
        !check_pairs(config, error) || !check_directory("runtime_dir", config->runtime_dir, error) ||
        !check_directory("state_dir", config->state_dir, error) || !check_mode_path(config->mode_path, error)) {
        return false;
    }
    if (config->listen[0] != '\0' && !check_metrics(config->listen, error)) {
        return false;
    }
    if (config->beacon && !has_tcp(config->control)) {
        return wn_fail_with(error, BAD_SETTING, "beacon", 0,
                            "network.beacon: nobody can come by the network: name a tcp:// address in network.control");
    }
    return access(config->host_program, X_OK) == 0 ||
           wn_fail_with(error, BAD_SETTING, "host_program", 0, "daemon.host_program: %.300s cannot be run: %s",
                        config->host_program, strerror(errno));
}
