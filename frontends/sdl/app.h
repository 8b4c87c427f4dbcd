/* app.h: what all screens share, and what a screen is. A screen draws the window and handles keys, the pointer and
 * events; the loop that calls it is in app.c. */
#ifndef WARREN_SDL_APP_H
#define WARREN_SDL_APP_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

#include "ink.h"
#include "key-file.h"
#include "link.h"
#include "log.h"
#include "options.h"
#include "pad.h"
#include "preferences.h"
#include "sound/sound.h"
#include "window.h"

typedef struct wn_app wn_app;

typedef enum wn_pointer_kind {
    WN_POINTER_MOVE,
    WN_POINTER_PRESS,
    WN_POINTER_RELEASE,
    WN_POINTER_WHEEL, /* amount: lines upward */
    WN_POINTER_PINCH  /* amount: how much farther apart, in parts of the window */
} wn_pointer_kind;

typedef struct wn_pointer {
    wn_pointer_kind kind;
    int x, y;           /* in pixels of the window */
    int move_x, move_y; /* since the last event */
    int button, clicks; /* SDL_BUTTON_LEFT ...; of MOVE: the one that is held, or 0 */
    float amount;
} wn_pointer;

/* Any function may be NULL. */
typedef struct wn_screen {
    void (*draw)(wn_app *app);
    void (*key)(wn_app *app, uint32_t key, bool repeated);
    void (*pointer)(wn_app *app, const wn_pointer *pointer);
    /* A gamepad's, where it means more than a key. false: it does not. */
    bool (*pad)(wn_app *app, wn_pad_meaning meaning, uint32_t value, bool repeated);
    void (*event)(wn_app *app, const wn_event *event);
    /* Called in every pass of the loop: what is due at app->now, and wn_app_wake_at() for what is not yet. */
    void (*tick)(wn_app *app);
    void (*forget)(wn_app *app); /* textures were lost, or colours have changed */
    void (*leave)(wn_app *app);  /* another screen comes */
} wn_screen;

extern const wn_screen wn_screen_wait, wn_screen_worlds, wn_screen_create, wn_screen_game, wn_screen_replay;

/* A part of the window that stands for a key. */
typedef struct wn_hot {
    SDL_Rect rect;
    uint32_t key;
} wn_hot;
enum { WN_HOTS = 64 };

struct wn_app {
    const wn_options *options;
    wn_link link; /* to the server */
    struct wn_wake *waker;
    uint32_t wake_event; /* SDL's number for what the waker says */
    int signals;         /* a descriptor */
    wn_window window;
    wn_ink ink;
    wn_preferences preferences;
    char preferences_path[512];
    wn_key_file *key_file;
    wn_log log;
    wn_sound *sound; /* NULL: nothing has been heard for a while, or is to be */
    int64_t sound_until;
    bool told_silent; /* why nothing can be heard has been said */
    wn_pad pad;
    int64_t pads_at; /* when gamepads are asked next */
    const wn_screen *screen;
    void *state; /* the screen's own */
    wn_hot hots[WN_HOTS];
    size_t hot_count;
    int pointer_x, pointer_y;     /* -1: not in the window */
    int64_t now;                  /* milliseconds of a clock that only goes forward */
    int64_t wake;                 /* when the loop is to go on by itself; 0: never */
    int64_t frame;                /* when the last frame was shown */
    char note[WN_TEXT_BYTES + 1]; /* what the interface itself has to say, until: */
    int64_t note_until;
    bool hidden; /* nobody can see the window */
    bool dirty, moving, quit, picture_wanted;
    bool aside;       /* Shift or Ctrl was held with the key that comes */
    bool typed_again; /* the next text says what a key has said already */
    int status;
    int ended_by; /* the signal, or 0 */
};

/* Runs until the user leaves or a signal comes. Returns the exit status; *signal_number gets the signal, or 0. */
int wn_app_run(const wn_options *options, wn_key_file *key_file, int *signal_number);

/* Leaves the server for another one. false with a sentence: that is no address; nothing has changed. */
bool wn_app_connect(wn_app *app, const char *address, wn_error *error);

void wn_app_wake_at(wn_app *app, int64_t when);
/* What is in sight moves: there is to be another frame soon. */
void wn_app_move_on(wn_app *app);
/* Changes the screen. `state` becomes app->state. */
void wn_app_show(wn_app *app, const wn_screen *screen, void *state);
/* The usual ways on. */
void wn_worlds_open(wn_app *app, const char *trouble); /* `trouble`: a sentence to show, or NULL */
void wn_create_open(wn_app *app);
void wn_game_open(wn_app *app, uint32_t world, uint32_t way); /* `way`: the index of the one it was entered by */

/* Something to say for a while, at the bottom. */
void wn_app_note(wn_app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wn_app_keep_preferences(wn_app *app);
void wn_app_set_full(wn_app *app, bool full);
/* Text size, palette or display have changed. */
void wn_app_restyle(wn_app *app);
void wn_app_take_picture(wn_app *app);
/* A cue, heard from there, unless all is to be silent. */
void wn_app_hear(wn_app *app, const char *cue, wn_hearing hearing);

/* Parts of every screen. They return the height that they take. */

/* The top bar: text left, player and delay right; another bar when the connection is lost or back. */
int wn_app_title(wn_app *app, const char *text);
int wn_app_title_line(wn_app *app, const char *text, const char *right);
/* The bottom bar: keys and what they do; each can be clicked. */
typedef struct wn_hint {
    const char *key, *text;
    uint32_t stands_for;
} wn_hint;
int wn_app_hints(wn_app *app, const wn_hint *hints, size_t count);
int wn_app_bar_height(const wn_app *app);
void wn_app_hot(wn_app *app, SDL_Rect rect, uint32_t key);

#endif
