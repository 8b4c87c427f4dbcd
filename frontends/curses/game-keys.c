/* game-keys.c: what keys do in the game. See game.h; which key does what is in bindings.h. */
#include "game.h"

#include <stdio.h>
#include <string.h>

#include "key.h"

enum { PAN_COLUMNS = 8, PAN_ROWS = 4 };

static const int steps[9][2] = {{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {0, 0}};

static void tell(wn_app *app, const char *text)
{
    wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, text);
}

/* actions */

static void send(wn_app *app, uint32_t action_index, uint32_t argument)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL || action_index >= replica->mode->n_actions)
        return;
    if (wn_client_command(app->link.client, game->world, replica->mode->actions[action_index]->id, argument) == 0)
        tell(app, "That was not sent: the server has not answered your last commands yet.");
    else
        app->log.read_number = app->log.last_number;
}

static void start_aiming(wn_app *app, uint32_t action_index, uint32_t cell)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL || !replica->ready)
        return;
    game->focus = WN_AIMING;
    game->asked_action = action_index;
    game->map.cursor = cell != WN_NO_FOCUS             ? cell
                       : replica->focus != WN_NO_FOCUS ? replica->focus
                                                       : replica->height / 2 * replica->width + replica->width / 2;
}

static void act(wn_app *app, const wn_binding *binding)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (game->watching || replica == NULL)
        return;
    if (binding->argument != WN_ASK) {
        send(app, binding->target, (uint32_t)binding->argument);
        return;
    }
    if (replica->mode->actions[binding->target]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
        start_aiming(app, binding->target, WN_NO_FOCUS);
        return;
    }
    game->focus = WN_DIRECTING;
    game->asked_action = binding->target;
}

/* the frontend's commands */

void wn_game_to_worlds(wn_app *app)
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
        wn_game_to_worlds(app);
    else
        wn_game_open_box(app, WN_CONFIRMING_LEAVE);
}

static void start_chat(wn_app *app)
{
    wn_game *game = app->state;
    wn_game_open_box(app, WN_IN_CHAT);
    wn_edit_start(&game->chat, "", wn_client_chat_bytes(app->link.client));
}

static void redraw(wn_app *app)
{
    wn_game *game = app->state;
    wn_map_forget(&game->map);
    erase();
    clearok(curscr, TRUE);
}

static void next_region(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL || replica->region_count == 0) {
        tell(app, "This view has no parts to look at by themselves.");
        return;
    }
    const char *title = wn_map_next_region(&game->map, replica);
    if (game->layout.tight) /* else the top line has it */
        tell(app, title == NULL ? "All of it is shown." : title);
}

/* Escape first takes away what is in the way. */
static bool hide_banner(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (app->banner.window == NULL || replica == NULL)
        return false;
    snprintf(game->banner.hidden, sizeof game->banner.hidden, "%s", replica->banner);
    return true;
}

void wn_game_run(wn_app *app, int command)
{
    wn_game *game = app->state;
    switch (command) {
    case WN_DO_HELP:
        wn_game_open_box(app, WN_IN_HELP);
        return;
    case WN_DO_MESSAGES:
        wn_game_open_box(app, WN_IN_MESSAGES);
        return;
    case WN_DO_CHAT:
        start_chat(app);
        return;
    case WN_DO_NAMES:
        game->map.names = !game->map.names;
        return;
    case WN_DO_SCORES:
        wn_game_open_box(app, WN_IN_SCORES);
        return;
    case WN_DO_REGION:
        next_region(app);
        return;
    case WN_DO_REDRAW:
        redraw(app);
        return;
    case WN_DO_LEAVE:
        leave_or_ask(app);
        return;
    case WN_DO_MENU:
        if (!hide_banner(app))
            wn_game_open_box(app, WN_IN_MENU);
        return;
    default:
        return;
    }
}

static void choose_from_menu(wn_app *app)
{
    wn_game *game = app->state;
    const wn_menu_entry *entry = wn_game_menu((size_t)game->view.selected);
    wn_game_close_box(app);
    if (entry == NULL || entry->command == WN_MENU_RESUME)
        return;
    if (entry->command != WN_MENU_QUIT) {
        wn_game_run(app, entry->command);
        return;
    }
    if (game->watching || game->ended || game->world_over)
        app->quit = true;
    else
        wn_game_open_box(app, WN_CONFIRMING_QUIT);
}

/* keys, by who takes them */

static int scroll_of_key(uint32_t key, int page)
{
    switch (key) {
    case WN_KEY_UP:
    case WN_KEY_WHEEL_UP:
    case 'k':
        return -1;
    case WN_KEY_DOWN:
    case WN_KEY_WHEEL_DOWN:
    case 'j':
        return 1;
    case WN_KEY_PAGE_UP:
    case WN_KEY_KP0 + 9:
        return -page;
    case WN_KEY_PAGE_DOWN:
    case WN_KEY_KP0 + 3:
    case ' ':
        return page;
    case WN_KEY_HOME:
        return -WN_UPDATE_BYTES;
    case WN_KEY_END:
        return WN_UPDATE_BYTES;
    default:
        return 0;
    }
}

void wn_game_pan(wn_app *app, int direction)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (direction == 8)
        game->map.pan_x = game->map.pan_y = 0;
    else if (replica != NULL)
        wn_map_pan(&game->map, replica, steps[direction][0] * PAN_ROWS, steps[direction][1] * PAN_COLUMNS);
}

static void playing_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    const wn_binding *binding = wn_bindings_find(&game->bindings, input->key);
    const int direction = wn_key_direction(input->key);
    if (app->banner.window != NULL && game->banner.scrolls &&
        (input->key == WN_KEY_PAGE_UP || input->key == WN_KEY_PAGE_DOWN)) {
        game->banner.top += scroll_of_key(input->key, wn_box_rows() - 1);
    } else if (binding != NULL && binding->frontend) {
        wn_game_run(app, (int)binding->target);
    } else if (game->watching && direction >= 0) {
        wn_game_pan(app, direction);
    } else if (binding != NULL) {
        act(app, binding);
    } else if (!game->watching && input->key < WN_KEY_MOUSE) {
        char name[WN_KEY_NAME_BYTES], help[64];
        wn_key_name(name, sizeof name, input->key, true);
        wn_bindings_keys(&game->bindings, true, WN_DO_HELP, 0, true, help, sizeof help);
        help[strcspn(help, " ")] = '\0';
        wn_log_format(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, "%s does nothing here; %s shows the keys.", name,
                      help[0] == '\0' ? "the menu (Esc)" : help);
    }
}

/* A click aims the first action that wants a place; a second one there carries it out. */
static void click(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (game->watching || replica == NULL || !replica->ready)
        return;
    const uint32_t cell = wn_map_cell_at(&game->map, replica, input->y, input->x);
    for (uint32_t i = 0; cell != WN_NO_FOCUS && i < replica->mode->n_actions; i++) {
        if (replica->mode->actions[i]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION) {
            start_aiming(app, i, cell);
            return;
        }
    }
}

static uint32_t moved(const wn_replica *replica, uint32_t cell, int direction)
{
    const int y = (int)(cell / replica->width) + steps[direction][0];
    const int x = (int)(cell % replica->width) + steps[direction][1];
    if (y < 0 || x < 0 || y >= (int)replica->height || x >= (int)replica->width)
        return cell;
    return (uint32_t)y * replica->width + (uint32_t)x;
}

static void aiming_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    const int direction = wn_key_direction(input->key);
    if (replica == NULL || input->key == WN_KEY_ESCAPE) {
        wn_game_close_box(app);
    } else if (input->key == WN_KEY_ENTER || direction == 8) {
        const uint32_t cell = game->map.cursor;
        wn_game_close_box(app);
        send(app, game->asked_action, cell);
    } else if (input->key == WN_KEY_MOUSE) {
        const uint32_t cell = wn_map_cell_at(&game->map, replica, input->y, input->x);
        if (cell == game->map.cursor) {
            wn_game_close_box(app);
            send(app, game->asked_action, cell);
        } else if (cell != WN_NO_FOCUS) {
            game->map.cursor = cell;
        }
    } else if (direction >= 0) {
        game->map.cursor = moved(replica, game->map.cursor, direction);
    }
}

static void directing_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    const int direction = wn_key_direction(input->key);
    if (direction >= 0)
        send(app, game->asked_action, (uint32_t)direction);
    if (direction >= 0 || input->key == WN_KEY_ESCAPE)
        game->focus = WN_PLAYING;
}

static void chat_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    if (input->key != WN_KEY_ENTER && input->key != WN_KEY_ESCAPE) {
        wn_edit_key(&game->chat, input->key);
        return;
    }
    if (input->key == WN_KEY_ENTER && game->chat.length > 0)
        wn_client_say(app->link.client, game->world, game->chat.text);
    wn_game_close_box(app);
}

/* Help, messages, scores: what scrolls, and closes by Escape, q, Enter, or the key that opened it. */
static void reading_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    static const int openers[] = {
        [WN_IN_HELP] = WN_DO_HELP, [WN_IN_MESSAGES] = WN_DO_MESSAGES, [WN_IN_SCORES] = WN_DO_SCORES};
    const int by = scroll_of_key(input->key, wn_box_rows() - 1);
    const wn_binding *binding = wn_bindings_find(&game->bindings, input->key);
    if (by != 0)
        game->view.top += by;
    else if (input->key == WN_KEY_ESCAPE || input->key == 'q' || input->key == WN_KEY_ENTER ||
             (binding != NULL && binding->frontend && (int)binding->target == openers[game->focus]))
        wn_game_close_box(app);
}

static void menu_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    const int by = scroll_of_key(input->key, WN_MENU_ENTRIES);
    if (by != 0 && input->key != ' ') {
        const int wanted = game->view.selected + (by < 0 ? -1 : 1);
        game->view.selected = (wanted + WN_MENU_ENTRIES) % WN_MENU_ENTRIES;
    } else if (input->key == WN_KEY_ENTER || input->key == ' ') {
        choose_from_menu(app);
    } else if (input->key == WN_KEY_ESCAPE || input->key == 'q') {
        wn_game_close_box(app);
    } else {
        /* The keys that stand beside the entries work here as well. */
        const wn_binding *binding = wn_bindings_find(&game->bindings, input->key);
        if (binding != NULL && binding->frontend) {
            wn_game_close_box(app);
            wn_game_run(app, (int)binding->target);
        }
    }
}

static void confirming_key(wn_app *app, const wn_input *input)
{
    const wn_game *game = app->state;
    const bool quits = game->focus == WN_CONFIRMING_QUIT;
    if (input->key == 'y' || input->key == 'Y') {
        if (quits)
            app->quit = true;
        else
            wn_game_to_worlds(app);
    } else if (input->key == 'n' || input->key == 'N' || input->key == WN_KEY_ESCAPE) {
        wn_game_close_box(app);
    }
}

static void result_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    if (input->key == WN_KEY_ENTER || input->key == WN_KEY_F1 + 9) {
        wn_game_to_worlds(app);
    } else if (input->key == WN_KEY_ESCAPE && !game->ended) {
        hide_banner(app);
        wn_game_close_box(app);
    } else if (input->key == 'q' && game->ended) {
        app->quit = true;
    } else {
        game->view.top += scroll_of_key(input->key, wn_box_rows() - 1);
    }
}

void wn_game_key(wn_app *app, const wn_input *input)
{
    static void (*const takers[])(wn_app *, const wn_input *) = {
        [WN_PLAYING] = playing_key,
        [WN_IN_HELP] = reading_key,
        [WN_IN_MESSAGES] = reading_key,
        [WN_IN_SCORES] = reading_key,
        [WN_IN_MENU] = menu_key,
        [WN_IN_CHAT] = chat_key,
        [WN_AIMING] = aiming_key,
        [WN_DIRECTING] = directing_key,
        [WN_CONFIRMING_LEAVE] = confirming_key,
        [WN_CONFIRMING_QUIT] = confirming_key,
        [WN_IN_RESULT] = result_key,
        [WN_ASKED_AGAIN] = wn_again_key,
    };
    const wn_game *game = app->state;
    if (game->focus == WN_PLAYING && input->key == WN_KEY_MOUSE)
        click(app, input);
    else if (game->focus == WN_PLAYING && input->key == WN_KEY_WHEEL_UP)
        wn_game_open_box(app, WN_IN_MESSAGES);
    else
        takers[game->focus](app, input);
}
