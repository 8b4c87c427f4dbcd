/* app.h: what all screens share, and what a screen is. A screen draws on stdscr and handles keys and events; the loop
 * that calls it, the connection and the terminal are in app.c. */
#ifndef WARREN_CURSES_APP_H
#define WARREN_CURSES_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "box.h"
#include "edit.h"
#include "key-file.h"
#include "link.h"
#include "log.h"
#include "options.h"
#include "paint.h"
#include "terminal.h"

typedef struct wn_app wn_app;

/* Any function may be NULL. */
typedef struct wn_screen {
    void (*draw)(wn_app *app);
    void (*key)(wn_app *app, const wn_input *input);
    void (*event)(wn_app *app, const wn_event *event);
    /* Called in every pass of the loop: what is due at app->now, and wn_app_wake_at() for what is not yet. */
    void (*tick)(wn_app *app);
    void (*forget)(wn_app *app); /* the window was cleared or has a new size */
    void (*leave)(wn_app *app);  /* another screen comes */
} wn_screen;

extern const wn_screen wn_screen_wait, wn_screen_worlds, wn_screen_create, wn_screen_game, wn_screen_replay;

struct wn_app {
    const wn_options *options;
    wn_link link; /* to the server */
    wn_term *term;
    wn_paint paint;
    wn_key_file *key_file; /* NULL: none */
    wn_log log;
    const wn_screen *screen;
    void *state;   /* the screen's own */
    wn_box box;    /* over the screen */
    wn_box banner; /* below that */
    int64_t now;   /* milliseconds of a clock that only goes forward */
    int64_t wake;  /* when the loop is to go on by itself; 0: never */
    bool dirty, quit;
    int status;
    int cursor_y, cursor_x; /* where the cursor is to stand; y -1: hidden */
};

/* Runs until the user leaves or a signal comes. Returns the exit status; *signal_number gets the signal, or 0. */
int wn_app_run(const wn_options *options, wn_key_file *key_file, int *signal_number);
/* The same for a recording, without a daemon. */
int wn_app_replay(const wn_options *options, int *signal_number);

/* Leaves the server for another one. false with a sentence: that is no address; nothing has changed. */
bool wn_app_connect(wn_app *app, const char *address, wn_error *error);

void wn_app_wake_at(wn_app *app, int64_t when);
/* Changes the screen. `state` becomes app->state. */
void wn_app_show(wn_app *app, const wn_screen *screen, void *state);
/* The usual ways on. */
void wn_worlds_open(wn_app *app, const char *trouble); /* `trouble`: a sentence to show, or NULL */
void wn_create_open(wn_app *app);
void wn_game_open(wn_app *app, uint32_t world, uint32_t way); /* `way`: the index of the one it was entered by */

/* The top line: the screen's text left, player and delay right; a bar instead when the connection is lost or back. */
void wn_app_title(wn_app *app, const char *text);
/* Only the bar, in a row of the screen; false: the connection stands. */
bool wn_app_bar(wn_app *app, int y);
/* The top line with something else on the right, if there is room for it. */
void wn_app_title_line(wn_app *app, const char *text, const char *right);
/* The bottom line: keys and what they do, "Enter join  q quit". */
void wn_app_hints(wn_app *app, const char *const *hints);
/* A line being typed in the bottom line, behind its label. */
void wn_app_edit(wn_app *app, const char *label, const wn_edit *edit);

#endif
