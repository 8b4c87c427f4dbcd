/* preferences.c: what a player has chosen once and for all. See preferences.h. One table reads, bounds and writes them.
 */
#include "preferences.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "viewport.h"
#include "window.h"

static const struct {
    const char *name;
    size_t offset;
    bool on_off;
    int least, most, standard;
} table[] = {
#define NUMBER(name, least, most, standard)                                                                            \
    {                                                                                                                  \
#name, offsetof(wn_preferences, name), false, least, most, standard                                            \
    }
#define SWITCH(name, standard)                                                                                         \
    {                                                                                                                  \
#name, offsetof(wn_preferences, name), true, 0, 1, standard                                                    \
    }
    NUMBER(width, WN_WINDOW_LEAST_WIDTH, WN_WINDOW_MOST, 1280),
    NUMBER(height, WN_WINDOW_LEAST_HEIGHT, WN_WINDOW_MOST, 800),
    NUMBER(zoom, WN_ZOOM_LEAST, WN_ZOOM_MOST, 32),
    NUMBER(text_size, WN_TEXT_SIZE_LEAST, WN_TEXT_SIZE_MOST, 100),
    NUMBER(volume, 0, WN_VOLUME_MOST, 60),
    NUMBER(palette, 0, WN_PALETTES - 1, WN_PALETTE_STANDARD),
    SWITCH(full_screen, 0),
    SWITCH(mute, 0),
    SWITCH(motion, 1),
    SWITCH(names, 1),
    SWITCH(grid, 0),
    SWITCH(regions, 1),
    SWITCH(minimap, 1),
};
enum { ENTRIES = sizeof table / sizeof *table };

static void set(wn_preferences *preferences, size_t entry, int value)
{
    char *at = (char *)preferences + table[entry].offset;
    if (table[entry].on_off) {
        *(bool *)at = value != 0;
    } else {
        *(int *)at = value;
    }
}

static int get(const wn_preferences *preferences, size_t entry)
{
    const char *at = (const char *)preferences + table[entry].offset;
    return table[entry].on_off ? *(const bool *)at : *(const int *)at;
}

void wn_preferences_standard(wn_preferences *preferences)
{
    *preferences = (wn_preferences){0};
    for (size_t i = 0; i < ENTRIES; i++) {
        set(preferences, i, table[i].standard);
    }
}

/* reading */

static int parse(size_t entry, const char *value)
{
    wn_palette palette;
    if (table[entry].on_off) {
        return strcmp(value, "yes") == 0;
    }
    if (table[entry].offset == offsetof(wn_preferences, palette)) {
        return wn_palette_parse(value, &palette) ? (int)palette : -1;
    }
    return atoi(value);
}

static int take_line(void *user, const char *section, const char *name, const char *value)
{
    wn_preferences *preferences = user;
    (void)section;
    for (size_t i = 0; i < ENTRIES; i++) {
        const int number = strcmp(name, table[i].name) == 0 ? parse(i, value) : -1;
        if (number >= table[i].least && number <= table[i].most) {
            set(preferences, i, number);
        }
    }
    return 1;
}

void wn_preferences_read(wn_preferences *preferences, const char *path)
{
    wn_preferences_standard(preferences);
    ini_parse(path, take_line, preferences);
}

/* writing */

static void write_entry(FILE *file, const wn_preferences *preferences, size_t entry)
{
    const int value = get(preferences, entry);
    if (table[entry].on_off) {
        fprintf(file, "%s = %s\n", table[entry].name, value ? "yes" : "no");
    } else if (table[entry].offset == offsetof(wn_preferences, palette)) {
        fprintf(file, "palette = %s\n", wn_palette_name((wn_palette)value));
    } else {
        fprintf(file, "%s = %d\n", table[entry].name, value);
    }
}

bool wn_preferences_write(const wn_preferences *preferences, const char *path, wn_error *error)
{
    FILE *file = wn_place_replace(path);
    if (file != NULL) {
        fputs("# What was chosen in warren-sdl. It rewrites this file.\n[window]\n", file);
    }
    for (size_t i = 0; file != NULL && i < ENTRIES; i++) {
        write_entry(file, preferences, i);
    }
    return wn_place_replaced(file, path, true) ||
           wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "preferences", 0,
                        "The preferences could not be kept in %.200s: %s.", path, strerror(errno));
}
