/* game.h: the state of the game screen, shared by its three files: screen-game.c (drawing, events), game-keys.c (what
 * keys do) and game-boxes.c (help, menu and the other boxes over it). */
#ifndef WARREN_CURSES_GAME_H
#define WARREN_CURSES_GAME_H

#include "app.h"
#include "bindings.h"
#include "edit.h"
#include "layout.h"
#include "map.h"
#include "scene.h"

/* What takes the keys. */
typedef enum wn_focus_of_keys {
    WN_PLAYING,
    WN_IN_HELP,
    WN_IN_MESSAGES,
    WN_IN_SCORES,
    WN_IN_MENU,
    WN_IN_CHAT,
    WN_AIMING,    /* a cell is being chosen for an action */
    WN_DIRECTING, /* a direction */
    WN_CONFIRMING_LEAVE,
    WN_CONFIRMING_QUIT,
    WN_IN_RESULT /* it is over */
} wn_focus_of_keys;

typedef struct wn_game {
    uint32_t world;
    char name[WN_NAME_BYTES + 1];
    char title[WN_TEXT_BYTES + 1]; /* of the mode */
    bool watching;
    bool ended; /* there is no replica any more: only the result is left */
    bool world_over;
    wn_bindings bindings;
    wn_map map;
    wn_layout layout;
    wn_focus_of_keys focus;
    wn_edit chat;
    uint32_t asked_action; /* index into mode->actions, for AIMING and DIRECTING */
    wn_banner banner;
    wn_box_view view; /* of the box that is open */
    wn_lines result;  /* what stands in the box at the end */
} wn_game;

/* The replica, or NULL when the game has ended. */
const wn_replica *wn_game_replica(const wn_app *app);

/* Boxes. */
void wn_game_open_box(wn_app *app, wn_focus_of_keys which);
void wn_game_close_box(wn_app *app);
void wn_game_draw_boxes(wn_app *app);
/* Keeps what there is to say at the end: the reason, and the last status and scores, while there is a replica. */
void wn_game_set_result(wn_app *app, const char *reason);
/* The menu's entry, from the top. */
typedef struct wn_menu_entry {
    const char *text;
    int command; /* wn_frontend_command, or one of the two below */
} wn_menu_entry;
enum { WN_MENU_RESUME = -1, WN_MENU_QUIT = -2, WN_MENU_ENTRIES = 9 };
const wn_menu_entry *wn_game_menu(size_t index);

/* Keys. */
void wn_game_key(wn_app *app, const wn_input *input);

#endif
