/* game.h: the state of the game screen, shared by its files: screen-game.c (drawing, events), game-keys.c (keys and the
 * mouse), game-boxes.c (help, menu and the other boxes over it) and game-again.c (the question after the seat was
 * ended). What happens, and what keys mean, is play.h's part. */
#ifndef WARREN_CURSES_GAME_H
#define WARREN_CURSES_GAME_H

#include "app.h"
#include "layout.h"
#include "map.h"
#include "play.h"
#include "scene.h"

typedef struct wn_game {
    wn_play play;
    wn_map map;
    wn_layout layout;
    wn_banner_box banner;
    wn_box_view view; /* of the box that is open */
    unsigned opened;  /* play.opened, as the box was opened for it */
} wn_game;

/* The box of what has the focus now, if it has one: to be called before it is drawn, and before it gets a key. */
void wn_game_open_box(wn_app *app);
void wn_game_draw_boxes(wn_app *app);
void wn_game_draw_again(wn_app *app);

/* The question, or the message that is being written, in the bottom line. */
void wn_game_draw_question(wn_app *app);
/* The reason and the last status, `width` columns wide. */
void wn_game_add_result(const wn_game *game, int width, wn_lines *lines);

void wn_game_key(wn_app *app, const wn_input *input);

#endif
