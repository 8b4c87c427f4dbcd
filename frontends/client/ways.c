/* ways.c: the ways to enter a world of a mode. See ways.h. */
#include "ways.h"

#include <stdio.h>
#include <string.h>

#include "key.h"

static int fail_with_names(const Warren__Mode *mode, const char *name, wn_error *error)
{
    char known[WN_TEXT_BYTES / 2] = "";
    size_t used = 0;
    for (size_t i = 0; i < mode->n_entries && used < sizeof known; i++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ", mode->entries[i]->name);
    }
    if (mode->n_entries == 0) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "entry", 0,
                     "%s has only one way to enter, and no name for it: leave out \"%s\".", mode->name, name);
    } else {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "entry", 0,
                     "%s has no way to enter that is called \"%s\"; those there are: %s.", mode->name, name, known);
    }
    return WN_NO_WAY;
}

int wn_way_by_name(const Warren__Mode *mode, const char *name, wn_error *error)
{
    for (size_t i = 0; i < mode->n_entries; i++) {
        if (strcmp(mode->entries[i]->name, name) == 0) {
            return (int)i;
        }
    }
    return fail_with_names(mode, name, error);
}

uint32_t wn_way_key(const Warren__Mode *mode, size_t way)
{
    const char *name = mode->entries[way]->key;
    const uint32_t key = name == NULL ? WN_KEY_NONE : wn_key_parse(name, strlen(name));
    return key == WN_KEY_NONE && way < 9 ? '1' + (uint32_t)way : key;
}

int wn_way_by_key(const Warren__Mode *mode, uint32_t key)
{
    for (size_t i = 0; i < mode->n_entries; i++) {
        if (wn_way_key(mode, i) == key && key != WN_KEY_NONE) {
            return (int)i;
        }
    }
    return WN_NO_WAY;
}

void wn_way_text(const Warren__Mode *mode, size_t way, char *text, size_t size)
{
    const Warren__Entry *entry = mode->entries[way];
    const bool helped = entry->help != NULL && entry->help[0] != '\0';
    snprintf(text, size, "%s%s%s", entry->name, helped ? ": " : "", helped ? entry->help : "");
}
