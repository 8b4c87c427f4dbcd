/* places.h: the folders in which a person keeps what is theirs of Warren, by the XDG base directory specification
 * (https://specifications.freedesktop.org/basedir-spec/latest/).
 */
#ifndef WARREN_CLIENT_PLACES_H
#define WARREN_CLIENT_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum wn_place {
    WN_PLACE_CONFIGURATION, /* key files and the like */
    WN_PLACE_DATA,          /* keys: what must not be lost */
    WN_PLACE_SESSIONS       /* what is worth something for as long as a server remembers it */
} wn_place;

/* The folder's path, whether it is there or not. false: no variable of the environment names one, or it is longer than
 * `size`. */
bool wn_place_find(wn_place place, char *path, size_t size);

/* Makes what is missing of a folder's path, for this user alone. false, with errno: it is not there. */
bool wn_place_make(const char *folder);
/* The same for the folder that a file is to be in. What goes wrong there shows when the file is opened. */
void wn_place_make_for(const char *file);

/* A file that takes the place of the one at `path` once it is whole: until then it stands beside that. The folder is
 * made. NULL, with errno: it cannot be written. */
FILE *wn_place_replace(const char *path);
/* Closes it (NULL: there is none). If it is `whole`, and all of it could be written, it takes its place; else it is
 * removed. false, with errno: what was there before stays. */
bool wn_place_replaced(FILE *file, const char *path, bool whole);

#endif
