/* favourites.c: the servers that a person wants to find again. See favourites.h. */
#include "favourites.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "places.h"

static size_t find(const wn_favourites *favourites, const char *address)
{
    size_t at = 0;
    while (at < favourites->count && strcmp(favourites->items[at], address) != 0)
        at++;
    return at;
}

bool wn_favourites_has(const wn_favourites *favourites, const char *address)
{
    return find(favourites, address) < favourites->count;
}

void wn_favourites_turn(wn_favourites *favourites, const char *address)
{
    const size_t at = find(favourites, address);
    if (at < favourites->count) {
        favourites->count--;
        memmove(favourites->items[at], favourites->items[at + 1], (favourites->count - at) * sizeof *favourites->items);
    } else if (at < WN_FAVOURITES && address[0] != '\0') {
        snprintf(favourites->items[at], sizeof favourites->items[at], "%s", address);
        favourites->count++;
    }
}

void wn_favourites_read(wn_favourites *favourites, const char *path)
{
    char line[WN_SERVER_ADDRESS_BYTES];
    FILE *file = fopen(path, "re");
    *favourites = (wn_favourites){0};
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, " \t\r\n")] = '\0';
        if (line[0] != '#' && !wn_favourites_has(favourites, line))
            wn_favourites_turn(favourites, line);
    }
    if (file != NULL)
        fclose(file);
}

bool wn_favourites_write(const wn_favourites *favourites, const char *path, wn_error *error)
{
    FILE *file = wn_place_replace(path);
    if (file != NULL)
        fputs("# Favourite servers. The list of servers rewrites this file.\n", file);
    for (size_t i = 0; file != NULL && i < favourites->count; i++)
        fprintf(file, "%s\n", favourites->items[i]);
    return wn_place_replaced(file, path, true) ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "favourites", 0,
                        "The favourites could not be kept in %.200s: %s.", path, strerror(errno));
}
