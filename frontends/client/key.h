/* key.h: keys as numbers, their names, and the directions they mean. It reads no terminal; what keys do is in
 * bindings.h. */
#ifndef WARREN_CLIENT_KEY_H
#define WARREN_CLIENT_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key: the code point it types (control characters for Ctrl-A to Ctrl-Z), or one of these. */
enum {
    WN_KEY_NONE = 0,
    WN_KEY_UP = 0x110000,
    WN_KEY_DOWN,
    WN_KEY_LEFT,
    WN_KEY_RIGHT,
    WN_KEY_HOME,
    WN_KEY_END,
    WN_KEY_PAGE_UP,
    WN_KEY_PAGE_DOWN,
    WN_KEY_ENTER,
    WN_KEY_TAB,
    WN_KEY_BACK_TAB,
    WN_KEY_BACKSPACE,
    WN_KEY_DELETE,
    WN_KEY_INSERT,
    WN_KEY_ESCAPE,
    WN_KEY_F1,
    WN_KEY_F12 = WN_KEY_F1 + 11,
    WN_KEY_KP0,
    WN_KEY_KP9 = WN_KEY_KP0 + 9,
    WN_KEY_MOUSE,
    WN_KEY_WHEEL_UP,
    WN_KEY_WHEEL_DOWN,
    WN_KEY_CONTROL_BASE = 0x60 /* 'a' - 1 */
};

enum { WN_KEY_NAME_BYTES = 16 };

/* The key that `name` (its first `bytes`) names, or WN_KEY_NONE. */
uint32_t wn_key_parse(const char *name, size_t bytes);
/* "k", "Up", "Ctrl-L", "keypad 8": for people, when `shown`; else as key files have it. */
void wn_key_name(char *text, size_t size, uint32_t key, bool shown);
/* The direction, WN_NOWHERE of wire.h as well, that a key means to everyone (arrows, keypad, hjklyubn, `.`), or -1. */
int wn_key_direction(uint32_t key);
const char *wn_direction_name(uint32_t direction); /* "north" ... "here" */
/* Where it leads: so many rows down and columns to the right. */
typedef struct wn_step {
    int down, right;
} wn_step;
wn_step wn_direction_step(uint32_t direction);

/* What a key does, for a help: "Up Down", "to another row". */
typedef struct wn_key_help {
    const char *keys, *text;
} wn_key_help;

#endif
