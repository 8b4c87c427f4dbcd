/* game.h: the state of the game screen, shared by its files: screen-game.c (drawing, events), game-keys.c (keys),
 * game-pad.c (the gamepad), game-pointer.c (the mouse), game-sheets.c (help, menu and the other boxes over it) and
 * game-again.c (the question after the seat was ended). What happens, and what keys mean, is play.h's part. */
#ifndef WARREN_SDL_GAME_H
#define WARREN_SDL_GAME_H

#include "app.h"
#include "firstperson/walk.h"
#include "picture.h"
#include "play.h"
#include "scene.h"
#include "sheet.h"

typedef struct wn_game {
    wn_play play;
    wn_scene_view view;        /* map, panel, messages */
    SDL_Texture *last_picture; /* what is shown while there is no view; NULL: nothing */
    bool was_inside;           /* the world was seen through the player's eyes */
    wn_sheet sheet;
    unsigned opened;                         /* play.opened, as the sheet was opened for it */
    char binding_name[96];                   /* the line of the key file that is to get a new key: "step.north", */
    char binding_section[WN_NAME_BYTES + 1]; /* its section, */
    char binding_words[WN_TEXT_BYTES + 32];  /* and what it is for */
    wn_film *film;                           /* moving pictures are being recorded; NULL: none */
    bool pressed, dragged;                   /* the left button is held; and the map was moved with it */
} wn_game;

/* Sheets. */
/* That of what has the focus now, if it has one: to be called before it is drawn, and before it gets a key or a click.
 */
void wn_game_open_sheet(wn_app *app);
bool wn_game_has_sheet(const wn_game *game); /* one is in sight */
void wn_game_draw_sheet(wn_app *app);
void wn_game_sheet_key(wn_app *app, uint32_t key); /* that chooses or scrolls in it */
void wn_game_pick(wn_app *app, int pick);          /* of the sheet's lines */
void wn_game_add_result(const wn_game *game, wn_sheet *sheet);
void wn_game_fill_again(wn_app *app, wn_sheet *sheet);

/* Does what is left of a key, a click or a choice. */
void wn_game_obey(wn_app *app, wn_play_answer answer);

/* Keys. */
void wn_game_key(wn_app *app, uint32_t key, bool repeated);
/* The action of that purpose, or -1; and does it go in eight directions? */
int wn_game_action(const Warren__Mode *mode, Warren__Purpose purpose);
bool wn_game_has_diagonals(const Warren__Action *action);
void wn_game_walk(wn_app *app, wn_walk way);

/* The gamepad. */
bool wn_game_pad(wn_app *app, wn_pad_meaning meaning, uint32_t value, bool repeated);

/* Ends what is being recorded, and says where it is. Nothing is: does nothing. */
void wn_game_end_film(wn_app *app);

/* The pointer. */
void wn_game_pointer(wn_app *app, const wn_pointer *pointer);

#endif
