/* key-file.h: a player's key file as it was read: which section gives which name which keys. Whether an action of that
 * name exists is known only where the mode is known: in bindings.h. */
#ifndef WARREN_CLIENT_KEY_FILE_H
#define WARREN_CLIENT_KEY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wire.h"

enum { WN_KEYS_OF_ENTRY = 8, WN_KEY_PROBLEMS = 16, WN_KEY_PROBLEM_BYTES = 256 };

/* One line of a key file: in [section], `name = keys`. */
typedef struct wn_key_entry {
    char section[33];
    char name[65];
    uint32_t keys[WN_KEYS_OF_ENTRY];
    uint32_t key_count; /* 0: no key at all */
    int line;
} wn_key_entry;

typedef struct wn_key_file {
    char path[256];
    wn_key_entry *entries;
    size_t count;
    char problems[WN_KEY_PROBLEMS][WN_KEY_PROBLEM_BYTES]; /* sentences: file, line, what is expected */
    size_t problem_count;
} wn_key_file;

/* Reads `path`. false: it cannot be opened (errno says why). Bad lines are skipped and become problems. */
bool wn_key_file_read(wn_key_file *file, const char *path);
/* The same from what is open already, with `path` as its name. */
void wn_key_file_read_stream(wn_key_file *file, const char *path, FILE *stream);
void wn_key_file_free(wn_key_file *file);
void wn_key_file_problem(wn_key_file *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Writes `name = keys` into [section] of the file at `path`, in the place of the line that said so before; all else in
 * it stays as it is. The file, and its directory, are made if they are not there. false with a sentence. */
bool wn_key_file_change(const char *path, const char *section, const char *name, const char *keys, wn_error *error);

#endif
