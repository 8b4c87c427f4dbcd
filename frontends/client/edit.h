/* edit.h: a line of UTF-8 being typed: chat, a filter, a setting's value. It knows keys, not terminals. */
#ifndef WARREN_CLIENT_EDIT_H
#define WARREN_CLIENT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WN_EDIT_BYTES = 512 };

typedef struct wn_edit {
    char text[WN_EDIT_BYTES + 1];
    size_t length; /* bytes */
    size_t cursor; /* byte of the character it stands on */
    size_t limit;  /* most bytes; at most WN_EDIT_BYTES */
} wn_edit;

/* Starts with `text` (cut at the limit, at a whole character) and the cursor behind it. */
void wn_edit_start(wn_edit *edit, const char *text, size_t limit);
/* Takes a key. false: it means nothing to a line (Enter, Escape, function keys), or there was no room for it. */
bool wn_edit_key(wn_edit *edit, uint32_t key);
/* For showing it in `columns` (at least 2): the first byte to show, and the cursor's column from there. */
void wn_edit_window(const wn_edit *edit, int columns, size_t *first, int *column);

#endif
