/* game-pointer.c: what the mouse does in the game: step or face by a click, look around by dragging, zoom. See game.h.
 */
#include <math.h>
#include <stdlib.h>

#include "game.h"
#include "key.h"

enum { DRAG_LEAST = 6 };

/* The direction from one cell to another that is nearest to straight, or -1: they are the same. */
static int direction_to(const wn_replica *replica, uint32_t from, uint32_t to, bool diagonal)
{
    const int x = (int)(to % replica->width) - (int)(from % replica->width);
    const int y = (int)(to / replica->width) - (int)(from / replica->width);
    if (x == 0 && y == 0) {
        return -1;
    }
    const double eighth = atan2(x, -y) / 0.78539816339744831; /* pi / 4; north is 0, clockwise */
    int direction = diagonal ? (int)floor(eighth + 0.5) : 2 * (int)floor(eighth / 2 + 0.5);
    return (direction + WN_DIRECTIONS) % WN_DIRECTIONS;
}

bool wn_game_has_diagonals(const Warren__Action *action)
{
    for (size_t i = 0; i < action->n_keys; i++) {
        if (action->keys[i]->argument % 2u != 0 && action->keys[i]->argument < WN_DIRECTIONS) {
            return true;
        }
    }
    return false;
}

/* The action of that purpose, or -1. */
int wn_game_action(const Warren__Mode *mode, Warren__Purpose purpose)
{
    for (size_t i = 0; i < mode->n_actions; i++) {
        if (mode->actions[i]->purpose == purpose) {
            return (int)i;
        }
    }
    return -1;
}

static bool take_direction(wn_app *app, int action, uint32_t cell)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (action < 0 || replica->focus >= replica->width * replica->height ||
        replica->mode->actions[action]->argument != WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION) {
        return false;
    }
    const int direction =
        direction_to(replica, replica->focus, cell, wn_game_has_diagonals(replica->mode->actions[action]));
    if (direction >= 0) {
        wn_game_obey(app, wn_play_send(&game->play, (uint32_t)action, (uint32_t)direction));
    }
    return true;
}

/* A click goes there, or steps that way; one with the right button turns. On the player's own cell it does the main
 * thing there is to do. */
static void click(wn_app *app, uint32_t cell, bool second)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (game->play.watching || replica == NULL || !replica->ready) {
        return;
    }
    const int go = wn_game_action(replica->mode, WARREN__PURPOSE__PURPOSE_GO);
    const int use = wn_game_action(replica->mode, WARREN__PURPOSE__PURPOSE_USE);
    if (second) {
        take_direction(app, wn_game_action(replica->mode, WARREN__PURPOSE__PURPOSE_FACE), cell);
    } else if (cell == replica->focus && use >= 0 &&
               replica->mode->actions[use]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE) {
        wn_game_obey(app, wn_play_send(&game->play, (uint32_t)use, 0));
    } else if (go >= 0 && replica->mode->actions[go]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
        wn_game_obey(app, wn_play_send(&game->play, (uint32_t)go, cell));
    } else if (!take_direction(app, wn_game_action(replica->mode, WARREN__PURPOSE__PURPOSE_STEP), cell)) {
        for (uint32_t i = 0; i < replica->mode->n_actions; i++) {
            if (replica->mode->actions[i]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
                wn_play_aim(&game->play, i, cell);
                return;
            }
        }
    }
}

static void aim_click(wn_app *app, uint32_t cell)
{
    wn_game *game = app->state;
    if (cell == game->play.cursor) {
        wn_game_key(app, WN_KEY_ENTER, false);
    } else {
        game->play.cursor = cell;
    }
}

static void look_at_minimap(wn_game *game, const wn_pointer *pointer)
{
    const SDL_Rect *map = &game->view.minimap_rect;
    wn_viewport *view = &game->view.board.view;
    view->pan_x = (double)(pointer->x - map->x) / map->w * view->columns - view->goal_x;
    view->pan_y = (double)(pointer->y - map->y) / map->h * view->rows - view->goal_y;
}

static void hover(wn_app *app, const wn_pointer *pointer)
{
    wn_game *game = app->state;
    const SDL_Point at = {pointer->x, pointer->y};
    uint32_t cell;
    game->view.board.hover = WN_NO_FOCUS;
    if (!game->view.first_person && SDL_PointInRect(&at, &game->view.map) &&
        wn_viewport_cell(&game->view.board.view, pointer->x, pointer->y, &cell)) {
        game->view.board.hover = cell;
    }
}

static void move(wn_app *app, const wn_pointer *pointer)
{
    wn_game *game = app->state;
    hover(app, pointer);
    if (!game->pressed || pointer->button == 0) {
        return;
    }
    if (!game->dragged && abs(pointer->move_x) + abs(pointer->move_y) < DRAG_LEAST) {
        return;
    }
    game->dragged = true;
    wn_viewport_drag(&game->view.board.view, pointer->move_x, pointer->move_y);
}

/* From inside a click in the middle goes ahead, at the sides it turns; the right button goes aside, or back. */
static void click_inside(wn_app *app, const wn_pointer *pointer)
{
    const wn_game *game = app->state;
    const int part = (pointer->x - game->view.map.x) * 3 / (game->view.map.w > 0 ? game->view.map.w : 1);
    const bool second = pointer->button == SDL_BUTTON_RIGHT;
    static const uint32_t keys[] = {WN_KEY_LEFT, WN_KEY_UP, WN_KEY_RIGHT};
    app->aside = second;
    wn_game_key(app, second && part == 1 ? WN_KEY_DOWN : keys[part > 2 ? 2 : part], false);
    app->aside = false;
}

static void press(wn_app *app, const wn_pointer *pointer)
{
    wn_game *game = app->state;
    const SDL_Point at = {pointer->x, pointer->y};
    if (SDL_PointInRect(&at, &game->view.minimap_rect)) {
        look_at_minimap(game, pointer);
        return;
    }
    if (!SDL_PointInRect(&at, &game->view.map)) {
        return;
    }
    if (game->view.first_person && game->play.focus == WN_PLAYING) {
        click_inside(app, pointer);
        return;
    }
    hover(app, pointer);
    if (pointer->button == SDL_BUTTON_RIGHT && game->play.focus == WN_PLAYING &&
        game->view.board.hover != WN_NO_FOCUS) {
        click(app, game->view.board.hover, true);
        return;
    }
    game->pressed = true;
    game->dragged = pointer->button == SDL_BUTTON_MIDDLE;
}

/* A click is over when the button is let go where it was pressed: until then it may become a drag. */
static void release(wn_app *app, const wn_pointer *pointer)
{
    wn_game *game = app->state;
    const bool clicked = game->pressed && !game->dragged && pointer->button == SDL_BUTTON_LEFT;
    game->pressed = game->dragged = false;
    hover(app, pointer);
    const uint32_t cell = game->view.board.hover;
    if (!clicked || cell == WN_NO_FOCUS) {
        return;
    }
    if (wn_scene_hide_banner(&game->view, wn_play_replica(&game->play))) {
        return;
    }
    if (game->play.focus == WN_AIMING) {
        aim_click(app, cell);
    } else if (game->play.focus == WN_PLAYING) {
        click(app, cell, false);
    }
}

static void zoom(wn_app *app, float amount)
{
    wn_game *game = app->state;
    if (amount != 0) {
        wn_game_obey(app, wn_play_run(&game->play, amount > 0 ? WN_DO_ZOOM_IN : WN_DO_ZOOM_OUT));
    }
}

static void pinch(wn_app *app, float apart)
{
    wn_game *game = app->state;
    wn_viewport *view = &game->view.board.view;
    wn_viewport_scale(view, 1 + 2 * (double)apart);
    app->preferences.zoom = (int)(view->goal_zoom / (double)app->ink.scale + 0.5);
}

static void sheet_pointer(wn_app *app, const wn_pointer *pointer)
{
    wn_game *game = app->state;
    if (pointer->kind == WN_POINTER_MOVE) {
        wn_sheet_hover(&game->sheet, pointer->x, pointer->y);
    }
    if (pointer->kind == WN_POINTER_WHEEL) {
        wn_sheet_wheel(&game->sheet, &app->ink, pointer->amount);
    }
    if (pointer->kind != WN_POINTER_PRESS) {
        return;
    }
    const int pick = wn_sheet_click(&game->sheet, pointer->x, pointer->y);
    if (pick == WN_SHEET_CLOSED) {
        wn_game_key(app, WN_KEY_ESCAPE, false);
    } else {
        wn_game_pick(app, pick);
    }
}

void wn_game_pointer(wn_app *app, const wn_pointer *pointer)
{
    const wn_game *game = app->state;
    wn_game_open_sheet(app);
    if (wn_game_has_sheet(game)) {
        sheet_pointer(app, pointer);
        return;
    }
    switch (pointer->kind) {
    case WN_POINTER_MOVE:
        move(app, pointer);
        return;
    case WN_POINTER_PRESS:
        press(app, pointer);
        return;
    case WN_POINTER_RELEASE:
        release(app, pointer);
        return;
    case WN_POINTER_WHEEL:
        zoom(app, pointer->amount);
        return;
    default:
        pinch(app, pointer->amount);
    }
}
