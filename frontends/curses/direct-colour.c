/* direct-colour.c: a terminfo entry with 24-bit colour, made from the terminal's own. See direct-colour.h; the format
 * is in term(5), "storage format" and "extended storage format". */
#include "direct-colour.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>
#include <term.h>

enum {
    MAGIC_32BIT = 01036, /* numbers of 32 bits, which 2^24 colours need */
    NO_STRING = 0xffff,
    ENTRY_BYTES = 32768, /* ncurses takes no longer ones */
    COLOURS = 0x1000000,
    PAIRS = 0x10000
};

/* The semicolon form is what every terminal with 24-bit colour understands, tmux and screen included. */
#define RGB_OF_PARAMETER "%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm"
static const char foreground[] = "\033[38;2;" RGB_OF_PARAMETER;
static const char background[] = "\033[48;2;" RGB_OF_PARAMETER;

/* Extended capabilities that ncurses looks at and that would be lost: how to ask for the mouse and what it answers. */
static const char *const extended_strings[] = {"XM", "xm"};
enum { EXTENDED_STRINGS = sizeof extended_strings / sizeof *extended_strings, EXTENDED_FLAGS = 2 };
static const char *const extended_flags[EXTENDED_FLAGS] = {"AX", "RGB"};

typedef struct writer {
    uint8_t bytes[ENTRY_BYTES];
    size_t size;
    bool full;
} writer;

static void put_byte(writer *to, unsigned value)
{
    if (to->size == sizeof to->bytes) {
        to->full = true;
    } else {
        to->bytes[to->size++] = (uint8_t)value;
    }
}

static void put_short(writer *to, unsigned value)
{
    put_byte(to, value & 0xff);
    put_byte(to, value >> 8 & 0xff);
}

static void put_long(writer *to, int value)
{
    put_short(to, (unsigned)value & 0xffff);
    put_short(to, (unsigned)value >> 16);
}

static void put_text(writer *to, const char *text)
{
    for (; *text != '\0'; text++) {
        put_byte(to, (unsigned char)*text);
    }
    put_byte(to, 0);
}

static void pad(writer *to)
{
    if (to->size % 2 != 0) {
        put_byte(to, 0);
    }
}

static const char *string_value(const char *name)
{
    if (strcmp(name, "setaf") == 0) {
        return foreground;
    }
    if (strcmp(name, "setab") == 0) {
        return background;
    }
    if (strcmp(name, "op") == 0) {
        return "\033[39;49m";
    }
    /* What changes a palette has no meaning for direct colours. */
    static const char *const dropped[] = {"initc", "initp", "oc", "setf", "setb", "scp"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
        if (strcmp(name, dropped[i]) == 0) {
            return NULL;
        }
    }
    const char *value = tigetstr(name);
    return value == (char *)-1 ? NULL : value;
}

static int number_value(const char *name)
{
    if (strcmp(name, "colors") == 0) {
        return COLOURS;
    }
    if (strcmp(name, "pairs") == 0) {
        return PAIRS;
    }
    const int value = tigetnum(name);
    return value < 0 ? -1 : value;
}

static bool flag_value(const char *name)
{
    return strcmp(name, "RGB") == 0 || (strcmp(name, "ccc") != 0 && tigetflag(name) > 0);
}

static size_t count_names(NCURSES_CONST char *const *names)
{
    size_t count = 0;
    while (names[count] != NULL) {
        count++;
    }
    return count;
}

static void put_standard(writer *to, const char *term)
{
    const size_t flags = count_names(boolnames), numbers = count_names(numnames), strings = count_names(strnames);
    char names[256];
    size_t table = 0;
    snprintf(names, sizeof names, "%.100s|with 24-bit colour", term);
    for (size_t i = 0; i < strings; i++) {
        const char *value = string_value(strnames[i]);
        table += value == NULL ? 0 : strlen(value) + 1;
    }
    put_short(to, MAGIC_32BIT);
    put_short(to, (unsigned)strlen(names) + 1);
    put_short(to, (unsigned)flags);
    put_short(to, (unsigned)numbers);
    put_short(to, (unsigned)strings);
    put_short(to, (unsigned)table);
    put_text(to, names);
    for (size_t i = 0; i < flags; i++) {
        put_byte(to, flag_value(boolnames[i]));
    }
    pad(to);
    for (size_t i = 0; i < numbers; i++) {
        put_long(to, number_value(numnames[i]));
    }
    unsigned offset = 0;
    for (size_t i = 0; i < strings; i++) {
        const char *value = string_value(strnames[i]);
        put_short(to, value == NULL ? NO_STRING : offset);
        offset += value == NULL ? 0 : (unsigned)strlen(value) + 1;
    }
    for (size_t i = 0; i < strings; i++) {
        const char *value = string_value(strnames[i]);
        if (value != NULL) {
            put_text(to, value);
        }
    }
    pad(to);
}

static void put_extended(writer *to)
{
    const char *values[EXTENDED_STRINGS];
    size_t table = 0, present = 0;
    for (size_t i = 0; i < EXTENDED_STRINGS; i++) {
        values[i] = string_value(extended_strings[i]);
        table += values[i] == NULL ? 0 : strlen(values[i]) + 1;
        present += values[i] != NULL;
        table += strlen(extended_strings[i]) + 1;
    }
    for (size_t i = 0; i < EXTENDED_FLAGS; i++) {
        table += strlen(extended_flags[i]) + 1;
    }
    put_short(to, EXTENDED_FLAGS);
    put_short(to, 0);
    put_short(to, EXTENDED_STRINGS);
    put_short(to, (unsigned)(present + EXTENDED_STRINGS + EXTENDED_FLAGS));
    put_short(to, (unsigned)table);
    for (size_t i = 0; i < EXTENDED_FLAGS; i++) {
        put_byte(to, flag_value(extended_flags[i]));
    }
    pad(to);
    unsigned offset = 0;
    for (size_t i = 0; i < EXTENDED_STRINGS; i++) {
        put_short(to, values[i] == NULL ? NO_STRING : offset);
        offset += values[i] == NULL ? 0 : (unsigned)strlen(values[i]) + 1;
    }
    /* Names follow the values, and their offsets count from the first name. */
    offset = 0;
    for (size_t i = 0; i < EXTENDED_FLAGS + EXTENDED_STRINGS; i++) {
        const char *name = i < EXTENDED_FLAGS ? extended_flags[i] : extended_strings[i - EXTENDED_FLAGS];
        put_short(to, offset);
        offset += (unsigned)strlen(name) + 1;
    }
    for (size_t i = 0; i < EXTENDED_STRINGS; i++) {
        if (values[i] != NULL) {
            put_text(to, values[i]);
        }
    }
    for (size_t i = 0; i < EXTENDED_FLAGS; i++) {
        put_text(to, extended_flags[i]);
    }
    for (size_t i = 0; i < EXTENDED_STRINGS; i++) {
        put_text(to, extended_strings[i]);
    }
}

bool wn_direct_colour_enable(const char *term)
{
    writer *entry = calloc(1, sizeof *entry);
    if (entry == NULL || cur_term == NULL) {
        free(entry);
        return false;
    }
    put_standard(entry, term);
    put_extended(entry);
    char *value = entry->full ? NULL : malloc(4 + 2 * entry->size + 1);
    if (value != NULL) {
        memcpy(value, "hex:", 4);
        for (size_t i = 0; i < entry->size; i++) {
            snprintf(value + 4 + 2 * i, 3, "%02X", entry->bytes[i]);
        }
        setenv("TERMINFO", value, 1);
    }
    const bool done = value != NULL;
    free(value);
    free(entry);
    return done;
}
