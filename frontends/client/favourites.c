/* favourites.c: the servers that a person wants to find again. See favourites.h. */
#include "favourites.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"

static size_t find(const wn_favourites *favourites, const char *address)
{
    size_t at = 0;
    while (at < favourites->count && strcmp(favourites->items[at], address) != 0) {
        at++;
    }
    return at;
}

bool wn_favourites_has(const wn_favourites *favourites, const char *address)
{
    return find(favourites, address) < favourites->count;
}

bool wn_favourites_turn(wn_favourites *favourites, const char *address, wn_error *error)
{
    const size_t at = find(favourites, address);
    if (at < favourites->count) {
        favourites->count--;
        memmove(favourites->items[at], favourites->items[at + 1], (favourites->count - at) * sizeof *favourites->items);
        return true;
    }
    if (at == WN_FAVOURITES) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "favourites", WN_FAVOURITES,
                            "There are %d favourites, which is the most; f on one of them makes room.", WN_FAVOURITES);
    }
    snprintf(favourites->items[at], sizeof favourites->items[at], "%s", address);
    favourites->count++;
    return true;
}

static bool take_line(wn_favourites *favourites, char *line, size_t number, const char *path, wn_error *error)
{
    line += strspn(line, " \t");
    line[strcspn(line, " \t\r\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0' || wn_favourites_has(favourites, line)) {
        return true;
    }
    if (strlen(line) >= WN_SERVER_ADDRESS_BYTES) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "favourites", WN_SERVER_ADDRESS_BYTES - 1,
                            "Line %zu of %.200s has an address of %zu bytes; the most is %d. Shorten or remove it.",
                            number, path, strlen(line), WN_SERVER_ADDRESS_BYTES - 1);
    }
    return wn_favourites_turn(favourites, line, NULL) ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "favourites", WN_FAVOURITES,
                        "There are more than %d favourites in %.200s, which is the most. Remove some of its lines.",
                        WN_FAVOURITES, path);
}

bool wn_favourites_read(wn_favourites *favourites, const char *path, wn_error *error)
{
    char *line = NULL;
    size_t size = 0, number = 0;
    FILE *file = fopen(path, "re");
    *favourites = (wn_favourites){0};
    if (file == NULL && errno == ENOENT) {
        return true;
    }
    bool whole = true;
    while (file != NULL && whole && getline(&line, &size, file) >= 0) {
        whole = take_line(favourites, line, ++number, path, error);
    }
    if (whole && (file == NULL || !feof(file))) {
        whole = wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "favourites", 0,
                             "The favourites in %.200s could not be read: %s.", path, strerror(errno));
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return whole;
}

bool wn_favourites_write(const wn_favourites *favourites, const char *path, wn_error *error)
{
    FILE *file = wn_place_replace(path);
    if (file != NULL) {
        fputs("# Favourite servers. The list of servers rewrites this file.\n", file);
    }
    for (size_t i = 0; file != NULL && i < favourites->count; i++) {
        fprintf(file, "%s\n", favourites->items[i]);
    }
    return wn_place_replaced(file, path, true) ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "favourites", 0,
                        "The favourites could not be kept in %.200s: %s.", path, strerror(errno));
}
