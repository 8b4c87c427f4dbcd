/* game.h: the state of the game screen, shared by its four files: screen-game.c (drawing, events), game-keys.c (what
 * keys do), game-boxes.c (help, menu and the other boxes over it) and game-again.c (after the seat was ended). */
#ifndef WARREN_CURSES_GAME_H
#define WARREN_CURSES_GAME_H

#include "app.h"
#include "bindings.h"
#include "edit.h"
#include "layout.h"
#include "map.h"
#include "reentry.h"
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
    WN_IN_RESULT,  /* it is over */
    WN_ASKED_AGAIN /* the seat was ended: enter it again? */
} wn_focus_of_keys;

typedef struct wn_game {
    uint32_t world;
    char name[WN_NAME_BYTES + 1];
    char title[WN_TEXT_BYTES + 1]; /* of the mode */
    bool watching;
    bool ended;     /* there is no replica any more: only the result is left */
    bool returning; /* or it is another view's, which has not come yet */
    uint32_t way;   /* of entering, taken last */
    wn_reentry again;
    wn_field_state *last_fields; /* the status as the seat ended; NULL: none */
    size_t last_field_count;
    uint32_t last_facing;
    bool hides_again; /* the box of that is put away, to see what is behind it */
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
enum { WN_MENU_RESUME = -1, WN_MENU_QUIT = -2, WN_MENU_ENTRIES = 10 };
const wn_menu_entry *wn_game_menu(size_t index);

/* After the seat was ended. The replica is still the seat's. */
void wn_again_begin(wn_app *app, const char *reason);
/* true: the event was for it. */
bool wn_again_event(wn_app *app, const wn_event *event);
/* The first update of the view that was waited for has come: it is the game's from now on. */
void wn_again_arrive(wn_app *app);
/* What is to be shown instead of the replica: while the question stands, with the status of the seat that was ended. */
wn_replica wn_again_shown(const wn_game *game, const wn_replica *replica);
void wn_again_key(wn_app *app, const wn_input *input);
void wn_again_draw_box(wn_app *app);
void wn_again_draw_question(wn_app *app);

/* A line being typed in the bottom line, behind its label. */
void wn_game_draw_edit(wn_app *app, const char *label, const wn_edit *edit);
/* Reads name, mode and keys anew from the replica. */
void wn_game_read_replica(wn_app *app);

/* Keys. */
void wn_game_run(wn_app *app, int command); /* a wn_frontend_command */
void wn_game_pan(wn_app *app, int direction);
void wn_game_to_worlds(wn_app *app);
void wn_game_key(wn_app *app, const wn_input *input);

#endif
