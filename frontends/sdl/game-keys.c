/* game-keys.c: what keys do in the game. See game.h; which key does what is in bindings.h. */
#include <stdio.h>
#include <string.h>

#include "game.h"
#include "key.h"

enum { PAN_CELLS = 4, HELD_MOST = 1 };

static const int steps[9][2] = {{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {0, 0}};

/* actions */

void wn_game_send(wn_app *app, uint32_t action_index, uint32_t argument)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL || action_index >= replica->mode->n_actions)
        return;
    if (wn_client_command(app->link.client, game->world, replica->mode->actions[action_index]->id, argument) == 0)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL,
                   "That was not sent: the server has not answered your last commands yet.");
    else
        app->log.read_number = app->log.last_number;
    wn_viewport_recentre(&game->view.board.view);
}

void wn_game_aim(wn_app *app, uint32_t action_index, uint32_t cell)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL || !replica->ready)
        return;
    game->focus = WN_AIMING;
    game->asked_action = action_index;
    game->view.board.cursor = cell != WN_NO_FOCUS ? cell
                              : replica->focus != WN_NO_FOCUS
                                  ? replica->focus
                                  : replica->height / 2 * replica->width + replica->width / 2;
}

/* As one who looks through the player's eyes means it. */
void wn_game_walk(wn_app *app, wn_walk way)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL || game->view.inside.view == NULL)
        return;
    const wn_walk_result asked = wn_walk_ask(replica->mode, way, wn_first_person_facing(game->view.inside.view));
    if (asked.send && !game->watching)
        wn_game_send(app, asked.action, asked.argument);
    if (asked.turn)
        wn_first_person_face(game->view.inside.view, asked.facing, app->now);
}

/* What the key means from inside; NONE: what it always does. */
static wn_walk walk_of(const wn_app *app, const wn_binding *binding, uint32_t key)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (!game->view.first_person || replica == NULL)
        return WN_WALK_NONE;
    if (app->aside && (key == WN_KEY_LEFT || key == WN_KEY_RIGHT))
        return key == WN_KEY_LEFT ? WN_WALK_SIDE_LEFT : WN_WALK_SIDE_RIGHT;
    if (game->watching && wn_key_direction(key) >= 0 && wn_key_direction(key) < 8)
        return wn_walk_of_step((uint32_t)wn_key_direction(key));
    if (binding == NULL || binding->frontend)
        return WN_WALK_NONE;
    return wn_walk_of_action(replica->mode->actions[binding->target], binding->argument);
}

static void act(wn_app *app, const wn_binding *binding)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (game->watching || replica == NULL)
        return;
    if (binding->argument != WN_ASK) {
        wn_game_send(app, binding->target, (uint32_t)binding->argument);
        return;
    }
    if (replica->mode->actions[binding->target]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
        wn_game_aim(app, binding->target, WN_NO_FOCUS);
        return;
    }
    game->focus = WN_DIRECTING;
    game->asked_action = binding->target;
}

/* the frontend's commands */

void wn_game_leave(wn_app *app)
{
    wn_game *game = app->state;
    if (game->again.stage != WN_REENTRY_OFF)
        wn_reentry_end(&game->again, true);
    else if (wn_game_replica(app) != NULL || game->returning)
        wn_client_leave(app->link.client, game->world);
    wn_worlds_open(app, NULL);
}

static void leave_or_ask(wn_app *app)
{
    const wn_game *game = app->state;
    if (game->watching || game->ended || game->world_over)
        wn_game_leave(app);
    else
        wn_game_open_sheet(app, WN_CONFIRMING_LEAVE);
}

static void start_chat(wn_app *app)
{
    wn_game *game = app->state;
    game->focus = WN_IN_CHAT;
    wn_edit_start(&game->chat, "", wn_client_chat_bytes(app->link.client));
}

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

static void record(wn_app *app)
{
    wn_game *game = app->state;
    char path[512];
    wn_error error;
    if (game->film == NULL) {
        if (wn_picture_path(path, sizeof path, "png", &error))
            game->film = wn_film_begin(path, &error);
        if (game->film == NULL)
            wn_app_note(app, "%s", error.text);
        else
            wn_app_note(app, "Recording into %s; the same key ends it", path);
        return;
    }
    const bool done = wn_film_end(game->film, app->now, &error);
    game->film = NULL;
    wn_app_note(app, "%s", done ? "The recording is kept" : error.text);
}

static void turn_view(wn_app *app)
{
    wn_game *game = app->state;
    if (!wn_scene_turn_view(&game->view, wn_game_replica(app), app->now))
        wn_app_note(app, "There is nothing to see from inside here: no walls");
    game->view.board.hover = WN_NO_FOCUS;
}

static void next_region(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica != NULL && replica->region_count > 0)
        wn_scene_next_region(&game->view, app, replica); /* the top bar has its title */
    else
        wn_app_note(app, "This view has no parts to look at by themselves");
}

static bool run_window_command(wn_app *app, int command)
{
    switch (command) {
    case WN_DO_VIEW:
        turn_view(app);
        return true;
    case WN_DO_REGION:
        next_region(app);
        return true;
    case WN_DO_ZOOM_IN:
    case WN_DO_ZOOM_OUT:
        zoom(app, command == WN_DO_ZOOM_IN ? 1 : -1);
        return true;
    case WN_DO_NAMES:
        toggle(app, &app->preferences.names, "Names");
        return true;
    case WN_DO_GRID:
        toggle(app, &app->preferences.grid, "Grid");
        return true;
    case WN_DO_REGIONS:
        toggle(app, &app->preferences.regions, "Regions");
        return true;
    case WN_DO_MINIMAP:
        toggle(app, &app->preferences.minimap, "Small map");
        return true;
    case WN_DO_MUTE:
        toggle(app, &app->preferences.mute, "Silence");
        return true;
    case WN_DO_RECORD:
        record(app);
        return true;
    case WN_DO_FULL_SCREEN:
        wn_app_set_full(app, !app->window.full);
        return true;
    case WN_DO_PICTURE:
        wn_app_take_picture(app);
        return true;
    default:
        return false;
    }
}

void wn_game_run(wn_app *app, int command)
{
    wn_game *game = app->state;
    static const wn_game_focus sheets[WN_FRONTEND_COMMANDS] = {[WN_DO_HELP] = WN_IN_HELP,
                                                               [WN_DO_MESSAGES] = WN_IN_MESSAGES,
                                                               [WN_DO_SCORES] = WN_IN_SCORES,
                                                               [WN_DO_PREFERENCES] = WN_IN_PREFERENCES};
    if (run_window_command(app, command))
        return;
    if (command == WN_DO_MENU) {
        if (!wn_scene_hide_banner(&game->view, wn_game_replica(app)))
            wn_game_open_sheet(app, WN_IN_MENU);
    } else if (command == WN_DO_CHAT) {
        start_chat(app);
    } else if (command == WN_DO_LEAVE) {
        leave_or_ask(app);
    } else if (command == WN_DO_REDRAW) {
        wn_app_restyle(app);
    } else if (command >= 0 && command < WN_FRONTEND_COMMANDS && sheets[command] != WN_PLAYING) {
        wn_game_open_sheet(app, sheets[command]);
    }
}

/* keys, by who takes them */

void wn_game_pan(wn_game *game, int direction)
{
    wn_viewport *view = &game->view.board.view;
    if (direction == 8) {
        wn_viewport_recentre(view);
        return;
    }
    view->pan_x += steps[direction][1] * PAN_CELLS;
    view->pan_y += steps[direction][0] * PAN_CELLS;
}

static void tell_unknown(wn_app *app, const wn_game *game, uint32_t key)
{
    char name[WN_KEY_NAME_BYTES], help[64];
    wn_key_name(name, sizeof name, key, true);
    wn_bindings_keys(&game->bindings, true, WN_DO_HELP, 0, true, help, sizeof help);
    help[strcspn(help, " ")] = '\0';
    wn_log_format(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, "%s does nothing here; %s shows the keys.", name,
                  help[0] == '\0' ? "the menu (Esc)" : help);
}

static void playing_key(wn_app *app, uint32_t key, bool repeated)
{
    wn_game *game = app->state;
    const wn_binding *binding = wn_bindings_find(&game->bindings, key);
    const int direction = wn_key_direction(key);
    /* A key that is held down asks again only when its last command has been seen to. */
    if (repeated && wn_client_pending(app->link.client, game->world) > HELD_MOST)
        return;
    const wn_walk way = walk_of(app, binding, key);
    if (way != WN_WALK_NONE)
        wn_game_walk(app, way);
    else if (binding != NULL && binding->frontend)
        wn_game_run(app, (int)binding->target);
    else if (game->watching && direction >= 0)
        wn_game_pan(game, direction);
    else if (binding != NULL)
        act(app, binding);
    else if (!game->watching && key < WN_KEY_MOUSE)
        tell_unknown(app, game, key);
}

static uint32_t moved(const wn_replica *replica, uint32_t cell, int direction)
{
    const int y = (int)(cell / replica->width) + steps[direction][0];
    const int x = (int)(cell % replica->width) + steps[direction][1];
    if (y < 0 || x < 0 || y >= (int)replica->height || x >= (int)replica->width)
        return cell;
    return (uint32_t)y * replica->width + (uint32_t)x;
}

static void aiming_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    const int direction = wn_key_direction(key);
    const uint32_t cell = game->view.board.cursor;
    if (replica == NULL || key == WN_KEY_ESCAPE) {
        wn_game_close_sheet(app);
    } else if (key == WN_KEY_ENTER || direction == 8) {
        wn_game_close_sheet(app);
        wn_game_send(app, game->asked_action, cell);
    } else if (direction >= 0) {
        game->view.board.cursor = moved(replica, cell, direction);
    }
}

static void directing_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    const int direction = wn_key_direction(key);
    if (direction >= 0)
        wn_game_send(app, game->asked_action, (uint32_t)direction);
    if (direction >= 0 || key == WN_KEY_ESCAPE)
        game->focus = WN_PLAYING;
}

static void chat_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    if (key != WN_KEY_ENTER && key != WN_KEY_ESCAPE) {
        wn_edit_key(&game->chat, key);
        return;
    }
    if (key == WN_KEY_ENTER && game->chat.length > 0)
        wn_client_say(app->link.client, game->world, game->chat.text);
    wn_game_close_sheet(app);
}

void wn_game_key(wn_app *app, uint32_t key, bool repeated)
{
    const wn_game *game = app->state;
    const wn_binding *binding = wn_bindings_find(&game->bindings, key);
    const bool types = key < WN_KEY_UP; /* a letter may be meant for a line of text */
    if (binding != NULL && binding->frontend && binding->target == WN_DO_PICTURE && !types &&
        game->focus != WN_IN_NEW_KEY)
        wn_app_take_picture(app);
    else if (game->focus == WN_PLAYING)
        playing_key(app, key, repeated);
    else if (game->focus == WN_ASKED_AGAIN && repeated && game->again.stage != WN_REENTRY_WRITING)
        return; /* a key that is still held is none of the answers */
    else if (game->focus <= WN_LAST_SHEET)
        wn_game_sheet_key(app, key);
    else if (game->focus == WN_IN_CHAT)
        chat_key(app, key);
    else if (game->focus == WN_AIMING)
        aiming_key(app, key);
    else
        directing_key(app, key);
}
