/* key.c: keys as numbers, their names, and the directions they mean. See key.h. */
#include "key.h"

#include <stdio.h>
#include <string.h>

#include "text.h"
#include "wire.h"

/* names */

typedef struct named_key {
    const char *name, *shown;
    uint32_t key;
} named_key;

/* The first of several names of a key is the one it is shown and printed with. */
static const named_key named_keys[] = {
    {"up", "Up", WN_KEY_UP},
    {"down", "Down", WN_KEY_DOWN},
    {"left", "Left", WN_KEY_LEFT},
    {"right", "Right", WN_KEY_RIGHT},
    {"home", "Home", WN_KEY_HOME},
    {"end", "End", WN_KEY_END},
    {"pageup", "PgUp", WN_KEY_PAGE_UP},
    {"pagedown", "PgDn", WN_KEY_PAGE_DOWN},
    {"space", "Space", ' '},
    {"enter", "Enter", WN_KEY_ENTER},
    {"tab", "Tab", WN_KEY_TAB},
    {"backtab", "Shift-Tab", WN_KEY_BACK_TAB},
    {"backspace", "Backspace", WN_KEY_BACKSPACE},
    {"delete", "Delete", WN_KEY_DELETE},
    {"insert", "Insert", WN_KEY_INSERT},
    {"escape", "Esc", WN_KEY_ESCAPE},
    {"semicolon", ";", ';'}, /* inih takes a ; after a space for a comment */
};
enum { NAMED_KEYS = sizeof named_keys / sizeof *named_keys };

static bool is_word(const char *name, size_t bytes, const char *word)
{
    return strlen(word) == bytes && strncmp(name, word, bytes) == 0;
}

/* "f1" to "f12", "kp0" to "kp9": a prefix and a number up to `last`; -1 if it is not that. */
static int numbered(const char *name, size_t bytes, const char *prefix, int last)
{
    const size_t length = strlen(prefix);
    if (bytes <= length || bytes > length + 2 || strncmp(name, prefix, length) != 0) {
        return -1;
    }
    int number = 0;
    for (size_t i = length; i < bytes; i++) {
        if (name[i] < '0' || name[i] > '9' || (number == 0 && i > length)) {
            return -1;
        }
        number = number * 10 + (name[i] - '0');
    }
    return number <= last ? number : -1;
}

uint32_t wn_key_parse(const char *name, size_t bytes)
{
    uint32_t code;
    if (bytes == 0) {
        return WN_KEY_NONE;
    }
    if (wn_utf8_next(name, &code) == bytes) {
        return code > ' ' && code != 0x7f && code != 0xfffd ? code : WN_KEY_NONE;
    }
    for (size_t i = 0; i < NAMED_KEYS; i++) {
        if (is_word(name, bytes, named_keys[i].name)) {
            return named_keys[i].key;
        }
    }
    if (bytes == 6 && strncmp(name, "ctrl-", 5) == 0 && name[5] >= 'a' && name[5] <= 'z') {
        return (uint32_t)name[5] - WN_KEY_CONTROL_BASE;
    }
    int number = numbered(name, bytes, "f", 12);
    if (number >= 1) {
        return WN_KEY_F1 + (uint32_t)number - 1;
    }
    number = numbered(name, bytes, "kp", 9);
    return number >= 0 ? WN_KEY_KP0 + (uint32_t)number : WN_KEY_NONE;
}

void wn_key_name(char *text, size_t size, uint32_t key, bool shown)
{
    for (size_t i = 0; i < NAMED_KEYS; i++) {
        if (named_keys[i].key == key) {
            snprintf(text, size, "%s", shown ? named_keys[i].shown : named_keys[i].name);
            return;
        }
    }
    if (key >= WN_KEY_F1 && key <= WN_KEY_F12) {
        snprintf(text, size, "%c%u", shown ? 'F' : 'f', key - WN_KEY_F1 + 1);
    } else if (key >= WN_KEY_KP0 && key <= WN_KEY_KP9) {
        snprintf(text, size, "%s%u", shown ? "Num" : "kp", key - WN_KEY_KP0);
    } else if (key < ' ') {
        snprintf(text, size, "%s%c", shown ? "Ctrl-" : "ctrl-", (int)(key + (shown ? 0x40u : WN_KEY_CONTROL_BASE)));
    } else {
        char bytes[5] = "";
        bytes[wn_utf8_put(bytes, key)] = '\0';
        snprintf(text, size, "%s", bytes);
    }
}

/* directions */

static const char *const direction_names[] = {"north",      "north-east", "east",       "south-east", "south",
                                              "south-west", "west",       "north-west", "here"};

const char *wn_direction_name(uint32_t direction)
{
    return direction <= WN_NOWHERE ? direction_names[direction] : "";
}

wn_step wn_direction_step(uint32_t direction)
{
    static const wn_step steps[] = {{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}};
    return direction < sizeof steps / sizeof *steps ? steps[direction] : (wn_step){0, 0};
}

int wn_key_direction(uint32_t key)
{
    static const uint32_t keys[WN_DIRECTIONS + 1][4] = {
        {WN_KEY_UP, WN_KEY_KP0 + 8, 'k', '8'},    {WN_KEY_PAGE_UP, WN_KEY_KP0 + 9, 'u', '9'},
        {WN_KEY_RIGHT, WN_KEY_KP0 + 6, 'l', '6'}, {WN_KEY_PAGE_DOWN, WN_KEY_KP0 + 3, 'n', '3'},
        {WN_KEY_DOWN, WN_KEY_KP0 + 2, 'j', '2'},  {WN_KEY_END, WN_KEY_KP0 + 1, 'b', '1'},
        {WN_KEY_LEFT, WN_KEY_KP0 + 4, 'h', '4'},  {WN_KEY_HOME, WN_KEY_KP0 + 7, 'y', '7'},
        {'.', WN_KEY_KP0 + 5, ' ', '5'},
    };
    for (int direction = 0; direction <= WN_NOWHERE; direction++) {
        for (size_t i = 0; i < 4; i++) {
            if (keys[direction][i] == key) {
                return direction;
            }
        }
    }
    return -1;
}
