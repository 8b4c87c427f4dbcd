/* game-keys.c: what keys do in the game, as far as that is the window's: looking around, walking inside, the frontend's
 * own commands. See game.h. */
#include <stdio.h>
#include <string.h>

#include "game.h"
#include "key.h"

enum { HELD_MOST = 1 };

/* walking inside */

/* As one who looks through the player's eyes means it. */
void wn_game_walk(wn_app *app, wn_walk way)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (replica == NULL || game->view.inside.view == NULL) {
        return;
    }
    const wn_walk_result asked = wn_walk_ask(replica->mode, way, wn_first_person_facing(game->view.inside.view));
    if (asked.send && !game->play.watching) {
        wn_game_obey(app, wn_play_send(&game->play, asked.action, asked.argument));
    }
    if (asked.turn) {
        wn_first_person_face(game->view.inside.view, asked.facing, app->now);
    }
}

/* What the key means from inside; NONE: what it always does. */
static wn_walk walk_of(const wn_app *app, const wn_binding *binding, uint32_t key)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (!game->view.first_person || replica == NULL) {
        return WN_WALK_NONE;
    }
    if (app->aside && (key == WN_KEY_LEFT || key == WN_KEY_RIGHT)) {
        return key == WN_KEY_LEFT ? WN_WALK_SIDE_LEFT : WN_WALK_SIDE_RIGHT;
    }
    if (game->play.watching && wn_key_direction(key) >= 0 && wn_key_direction(key) < WN_DIRECTIONS) {
        return wn_walk_of_step((uint32_t)wn_key_direction(key));
    }
    if (binding == NULL || binding->frontend) {
        return WN_WALK_NONE;
    }
    return wn_walk_of_action(replica->mode->actions[binding->target], binding->argument);
}

/* the frontend's own commands */

static void zoom(wn_app *app, int steps_in)
{
    wn_game *game = app->state;
    if (game->view.first_person) {
        wn_viewport_zoom(&game->view.inset, steps_in);
        return;
    }
    wn_viewport_zoom(&game->view.board.view, steps_in);
    app->preferences.zoom = (int)(game->view.board.view.goal_zoom / (double)app->ink.scale + 0.5);
}

static void toggle(wn_app *app, bool *preference, const char *what)
{
    *preference = !*preference;
    wn_app_note(app, "%s: %s", what, *preference ? "on" : "off");
    wn_app_keep_preferences(app);
}

void wn_game_end_film(wn_app *app)
{
    wn_game *game = app->state;
    char path[512];
    wn_error error;
    if (game->film == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s", wn_film_path(game->film));
    if (wn_film_end(game->film, app->now, &error)) {
        wn_app_note(app, "The recording is in %s", path);
    } else {
        wn_app_note(app, "%s", error.text);
    }
    game->film = NULL;
}

static void record(wn_app *app)
{
    wn_game *game = app->state;
    char path[512];
    wn_error error;
    if (game->film == NULL) {
        if (wn_picture_path(path, sizeof path, "png", &error)) {
            game->film = wn_film_begin(path, &error);
        }
        if (game->film == NULL) {
            wn_app_note(app, "%s", error.text);
        } else {
            wn_app_note(app, "Recording into %s; the same key ends it", path);
        }
        return;
    }
    wn_game_end_film(app);
}

static void turn_view(wn_app *app)
{
    wn_game *game = app->state;
    if (!wn_scene_turn_view(&game->view, wn_play_replica(&game->play), app->now)) {
        wn_app_note(app, "There is nothing to see from inside here: no walls");
    }
    game->view.board.hover = WN_NO_FOCUS;
}

static void next_region(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    if (replica != NULL && replica->region_count > 0) {
        wn_scene_next_region(&game->view, app, replica); /* the top bar has its title */
    } else {
        wn_app_note(app, "This view has no parts to look at by themselves");
    }
}

static void run(wn_app *app, uint32_t command)
{
    wn_game *game = app->state;
    switch (command) {
    case WN_DO_MENU:
        if (!wn_scene_hide_banner(&game->view, wn_play_replica(&game->play))) {
            wn_play_open(&game->play, WN_IN_MENU);
        }
        return;
    case WN_DO_REDRAW:
        wn_app_restyle(app);
        return;
    case WN_DO_VIEW:
        turn_view(app);
        return;
    case WN_DO_REGION:
        next_region(app);
        return;
    case WN_DO_ZOOM_IN:
    case WN_DO_ZOOM_OUT:
        zoom(app, command == WN_DO_ZOOM_IN ? 1 : -1);
        return;
    case WN_DO_NAMES:
        toggle(app, &app->preferences.names, "Names");
        return;
    case WN_DO_GRID:
        toggle(app, &app->preferences.grid, "Grid");
        return;
    case WN_DO_REGIONS:
        toggle(app, &app->preferences.regions, "Regions");
        return;
    case WN_DO_MINIMAP:
        toggle(app, &app->preferences.minimap, "Small map");
        return;
    case WN_DO_MUTE:
        toggle(app, &app->preferences.mute, "Silence");
        return;
    case WN_DO_RECORD:
        record(app);
        return;
    case WN_DO_FULL_SCREEN:
        wn_app_set_full(app, !app->window.full);
        return;
    case WN_DO_PICTURE:
        wn_app_take_picture(app);
        return;
    default:
        return;
    }
}

/* keys */

void wn_game_obey(wn_app *app, wn_play_answer answer)
{
    wn_game *game = app->state;
    switch (answer.wish) {
    case WN_PLAY_SENT:
        wn_viewport_recentre(&game->view.board.view);
        return;
    case WN_PLAY_RUNS:
        run(app, answer.what);
        return;
    case WN_PLAY_PANS:
        wn_viewport_pan_towards(&game->view.board.view, answer.what);
        return;
    case WN_PLAY_REVEALS:
        wn_scene_hide_banner(&game->view, wn_play_replica(&game->play));
        return;
    case WN_PLAY_LEAVES:
        wn_worlds_open(app, NULL);
        return;
    case WN_PLAY_QUITS:
        app->quit = true;
        return;
    case WN_PLAY_STAYS:
    case WN_PLAY_IN_BOX:
        return;
    }
}

/* Enter takes the line of the result that is chosen; in the mode's banner none is. */
static bool picks_of_result(const wn_game *game, uint32_t key)
{
    return key == WN_KEY_ENTER && game->play.focus == WN_IN_RESULT && wn_game_has_sheet(game) &&
           !game->view.banner_shown;
}

void wn_game_key(wn_app *app, uint32_t key, bool repeated)
{
    wn_game *game = app->state;
    wn_play *play = &game->play;
    const wn_binding *binding = wn_bindings_find(&play->bindings, key);
    const bool types = key < WN_KEY_UP; /* a letter may be meant for a line of text */
    const bool plays = play->focus == WN_PLAYING;
    wn_game_open_sheet(app);
    if (binding != NULL && binding->frontend && binding->target == WN_DO_PICTURE && !types &&
        play->focus != WN_IN_NEW_KEY) {
        wn_app_take_picture(app);
        return;
    }
    /* A key that is held down asks again only when its last command has been seen to, and is no answer. */
    if (repeated && ((plays && wn_client_pending(play->client, play->world) > HELD_MOST) ||
                     (play->focus == WN_ASKED_AGAIN && play->again.stage != WN_REENTRY_WRITING))) {
        return;
    }
    const wn_walk way = plays ? walk_of(app, binding, key) : WN_WALK_NONE;
    if (way != WN_WALK_NONE) {
        wn_game_walk(app, way);
        return;
    }
    if (picks_of_result(game, key)) {
        wn_game_sheet_key(app, key);
        return;
    }
    const wn_play_answer answer = wn_play_key(play, key);
    if (answer.wish == WN_PLAY_IN_BOX) {
        wn_game_sheet_key(app, key);
    } else {
        wn_game_obey(app, answer);
    }
}
