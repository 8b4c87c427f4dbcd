/* game-keys.c: what keys and the mouse do in the game, as far as that is the terminal's: looking around, boxes, the
 * frontend's own commands. See game.h. */
#include "game.h"

#include <stdio.h>

#include "key.h"

/* the frontend's own commands */

static void redraw(wn_game *game)
{
    wn_map_forget(&game->map);
    erase();
    clearok(curscr, TRUE);
}

static void next_region(wn_app *app, wn_game *game)
{
    const wn_replica *replica = wn_play_replica(&game->play);
    const char *text = "This view has no parts to look at by themselves.";
    if (replica != NULL && replica->region_count > 0) {
        const char *title = wn_map_next_region(&game->map, replica);
        text = !game->layout.tight ? NULL
               : title == NULL     ? "All of it is shown."
                                   : title; /* else the top line has it */
    }
    if (text != NULL) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, text);
    }
}

/* Escape first takes away what is in the way. */
static bool hide_banner(const wn_app *app, wn_game *game)
{
    return wn_scene_hide_banner(app, &game->banner, wn_play_replica(&game->play));
}

static void run(wn_app *app, wn_game *game, uint32_t command)
{
    switch (command) {
    case WN_DO_NAMES:
        game->map.names = !game->map.names;
        return;
    case WN_DO_REGION:
        next_region(app, game);
        return;
    case WN_DO_REDRAW:
        redraw(game);
        return;
    case WN_DO_MENU:
        if (!hide_banner(app, game)) {
            wn_play_open(&game->play, WN_IN_MENU);
        }
        return;
    default:
        return;
    }
}

static void pan(wn_game *game, uint32_t direction)
{
    const wn_replica *replica = wn_play_replica(&game->play);
    if (replica != NULL) {
        wn_map_pan_towards(&game->map, replica, direction);
    }
}

/* boxes */

static wn_play_answer menu_key(wn_game *game, uint32_t key)
{
    const int by = wn_box_scroll(key);
    int count = 0;
    while (wn_play_menu(&game->play, (size_t)count) != NULL) {
        count++;
    }
    if (key == WN_KEY_ENTER || key == ' ') {
        return wn_play_choose(&game->play, (uint32_t)wn_play_menu(&game->play, (size_t)game->view.selected)->pick);
    }
    game->view.selected = (game->view.selected + count + (by < 0 ? -1 : by > 0)) % count;
    return (wn_play_answer){.wish = WN_PLAY_STAYS};
}

/* What a key does that is for the box: it chooses or scrolls; behind the question it looks around. */
static wn_play_answer box_key(wn_game *game, uint32_t key)
{
    const int direction = wn_key_direction(key);
    if (game->play.focus == WN_IN_MENU) {
        return menu_key(game, key);
    }
    if (game->play.focus == WN_ASKED_AGAIN && direction >= 0) {
        pan(game, (uint32_t)direction);
    } else {
        game->view.top += wn_box_scroll(key);
    }
    return (wn_play_answer){.wish = WN_PLAY_STAYS};
}

/* the mouse */

/* A click aims the first action that wants a place; a second one there carries it out. */
static wn_play_answer click(wn_game *game, const wn_input *input)
{
    wn_play *play = &game->play;
    const wn_replica *replica = wn_play_replica(play);
    if (play->watching || replica == NULL || !replica->ready) {
        return (wn_play_answer){.wish = WN_PLAY_STAYS};
    }
    const uint32_t cell = wn_map_cell_at(&game->map, replica, input->y, input->x);
    if (play->focus == WN_AIMING && cell == play->cursor) {
        return wn_play_key(play, WN_KEY_ENTER);
    }
    if (play->focus == WN_AIMING && cell != WN_NO_FOCUS) {
        play->cursor = cell;
    }
    for (uint32_t i = 0; play->focus == WN_PLAYING && cell != WN_NO_FOCUS && i < replica->mode->n_actions; i++) {
        if (replica->mode->actions[i]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
            wn_play_aim(play, i, cell);
        }
    }
    return (wn_play_answer){.wish = WN_PLAY_STAYS};
}

/* keys */

static void obey(wn_app *app, wn_game *game, wn_play_answer answer)
{
    switch (answer.wish) {
    case WN_PLAY_RUNS:
        run(app, game, answer.what);
        return;
    case WN_PLAY_PANS:
        pan(game, answer.what);
        return;
    case WN_PLAY_IN_BOX:
        return;
    case WN_PLAY_REVEALS:
        hide_banner(app, game);
        return;
    case WN_PLAY_LEAVES:
        wn_worlds_open(app, NULL);
        return;
    case WN_PLAY_QUITS:
        app->quit = true;
        return;
    case WN_PLAY_STAYS:
    case WN_PLAY_SENT:
        return;
    }
}

void wn_game_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    const uint32_t key = input->key;
    const bool plays = game->play.focus == WN_PLAYING;
    wn_game_open_box(app);
    if (key == WN_KEY_MOUSE && (plays || game->play.focus == WN_AIMING)) {
        obey(app, game, click(game, input));
    } else if (plays && key == WN_KEY_WHEEL_UP) {
        wn_play_open(&game->play, WN_IN_MESSAGES);
    } else if (plays && app->banner.window != NULL && game->banner.scrolls &&
               (key == WN_KEY_PAGE_UP || key == WN_KEY_PAGE_DOWN)) {
        game->banner.top += wn_box_scroll(key);
    } else {
        const wn_play_answer answer = wn_play_key(&game->play, key);
        obey(app, game, answer.wish == WN_PLAY_IN_BOX ? box_key(game, key) : answer);
    }
}
