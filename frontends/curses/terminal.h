/* terminal.h: the terminal itself: it is set up, read, suspended, and always given back as it was, also by a crash.
 * It knows signals and keys; it draws nothing. */
#ifndef WARREN_CURSES_TERMINAL_H
#define WARREN_CURSES_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "colour.h"

typedef struct wn_term wn_term;

typedef struct wn_term_options {
    wn_depth depth; /* wanted; WN_DEPTH_AUTO: find out */
    bool mouse;
} wn_term_options;

/* A key, or with WN_KEY_MOUSE and the wheel where it was. */
typedef struct wn_input {
    uint32_t key;
    int y, x;
} wn_input;

/* NULL: no terminal, or one that terminfo does not know; `error` gets a sentence. There is one terminal: a second
 * start without a stop is a mistake of the caller. */
wn_term *wn_term_start(const wn_term_options *options, char *error, size_t size);
/* Gives the terminal back. NULL is fine. */
void wn_term_stop(wn_term *term);
wn_depth wn_term_depth(const wn_term *term); /* what was chosen */

/* The next key that has been typed, or false. Never waits (but for the rest of an escape sequence, 25 ms). */
bool wn_term_read(wn_term *term, wn_input *input);

/* Readable when a signal has come. */
int wn_term_signal_fd(const wn_term *term);
typedef enum wn_term_signal {
    WN_SIGNAL_NONE,
    WN_SIGNAL_REDRAW, /* the window has a new size, or the program was resumed: draw everything */
    WN_SIGNAL_END     /* SIGTERM, SIGHUP or SIGINT: stop, then wn_die_of_signal() */
} wn_term_signal;
/* Handles what has come; suspending (Ctrl-Z) happens in here. */
wn_term_signal wn_term_take_signal(wn_term *term);
int wn_term_ended_by(const wn_term *term); /* its number, 0: none */

#endif
