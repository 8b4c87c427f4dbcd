/* game.h: the state of the game screen, shared by its files: screen-game.c (drawing, events), game-keys.c (what keys
 * do), game-pointer.c (what the mouse does), game-sheets.c (help, menu and the other boxes over it) and game-again.c
 * (after the seat was ended). */
#ifndef WARREN_SDL_GAME_H
#define WARREN_SDL_GAME_H

#include "app.h"
#include "bindings.h"
#include "edit.h"
#include "firstperson/walk.h"
#include "picture.h"
#include "reentry.h"
#include "scene.h"
#include "sheet.h"

/* What takes the keys. */
typedef enum wn_game_focus {
    WN_PLAYING,
    WN_IN_HELP,
    WN_IN_MESSAGES,
    WN_IN_SCORES,
    WN_IN_MENU,
    WN_IN_PREFERENCES,
    WN_IN_KEYS,    /* which key does what, to be changed */
    WN_IN_NEW_KEY, /* the next key is the new one */
    WN_CONFIRMING_LEAVE,
    WN_CONFIRMING_QUIT,
    WN_IN_RESULT,   /* it is over */
    WN_ASKED_AGAIN, /* the seat was ended: enter it again? */
    WN_LAST_SHEET = WN_ASKED_AGAIN,
    WN_IN_CHAT,
    WN_AIMING,   /* a cell is being chosen for an action */
    WN_DIRECTING /* a direction */
} wn_game_focus;

typedef struct wn_game {
    uint32_t world;
    char name[WN_NAME_BYTES + 1];
    char title[WN_TEXT_BYTES + 1]; /* of the mode */
    bool watching;
    bool ended;                /* there is no replica any more: only the result is left */
    bool returning;            /* or it is another view's, which has not come yet */
    SDL_Texture *last_picture; /* what is shown meanwhile; NULL: nothing */
    uint32_t way;              /* of entering, taken last */
    wn_reentry again;
    wn_field_state *last_fields; /* the status as the seat ended; NULL: none */
    size_t last_field_count;
    bool was_inside;  /* the world was seen through the player's eyes */
    bool hides_again; /* the box of that is put away, to see what is behind it */
    bool world_over;
    wn_bindings bindings;
    wn_scene_view view; /* map, panel, messages */
    wn_game_focus focus;
    wn_edit chat;
    uint32_t asked_action; /* index into mode->actions, for AIMING and DIRECTING */
    wn_sheet sheet;
    char *result;                            /* what stands in the box at the end */
    char binding_name[96];                   /* the line of the key file that is to get a new key: "step.north", */
    char binding_section[WN_NAME_BYTES + 1]; /* and its section */
    wn_film *film;                           /* moving pictures are being recorded; NULL: none */
    bool pressed, dragged;                   /* the left button is held; and the map was moved with it */
} wn_game;

/* The replica, or NULL when the game has ended. */
const wn_replica *wn_game_replica(const wn_app *app);
void wn_game_bind(wn_app *app);
/* Reads name, mode and keys anew from the replica. */
void wn_game_read_replica(wn_app *app);
/* The replica goes: what it looks like is kept, to be shown until there is another one. */
void wn_game_keep_picture(wn_app *app);

/* Sheets. */
void wn_game_open_sheet(wn_app *app, wn_game_focus which);
void wn_game_close_sheet(wn_app *app);
void wn_game_draw_sheet(wn_app *app);
void wn_game_sheet_key(wn_app *app, uint32_t key);
void wn_game_pick(wn_app *app, int pick); /* of the sheet's lines */
/* Keeps what there is to say at the end: the reason, and the last status and scores, while there is a replica. */
void wn_game_set_result(wn_app *app, const char *reason);
void wn_game_add_result(const wn_game *game, wn_sheet *sheet);

/* After the seat was ended. The replica is still the seat's. */
void wn_again_begin(wn_app *app, const char *reason);
/* true: the event was for it. */
bool wn_again_event(wn_app *app, const wn_event *event);
/* The first update of the view that was waited for has come: it is the game's from now on. */
void wn_again_arrive(wn_app *app);
/* What is to be shown instead of the replica: while the question stands, with the status of the seat that was ended. */
wn_replica wn_again_shown(const wn_game *game, const wn_replica *replica);
void wn_again_key(wn_app *app, uint32_t key);
void wn_again_fill(wn_app *app, wn_sheet *sheet);
bool wn_again_hides(const wn_game *game); /* its box is not in sight */

/* Keys. */
void wn_game_key(wn_app *app, uint32_t key, bool repeated);
void wn_game_run(wn_app *app, int command); /* a wn_frontend_command */
void wn_game_send(wn_app *app, uint32_t action_index, uint32_t argument);
void wn_game_aim(wn_app *app, uint32_t action_index, uint32_t cell);
/* The action of that purpose, or -1; and does it go in eight directions? */
int wn_game_action(const Warren__Mode *mode, Warren__Purpose purpose);
bool wn_game_has_diagonals(const Warren__Action *action);
void wn_game_walk(wn_app *app, wn_walk way);
void wn_game_leave(wn_app *app); /* to the list of worlds */
void wn_game_pan(wn_game *game, int direction);

/* The gamepad. */
bool wn_game_pad(wn_app *app, wn_pad_meaning meaning, uint32_t value, bool repeated);

/* The pointer. */
void wn_game_pointer(wn_app *app, const wn_pointer *pointer);

#endif
