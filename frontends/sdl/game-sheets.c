/* game-sheets.c: what stands over the game: help, menu, messages, scores, preferences, keys, questions, the result. See
 * game.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "game.h"
#include "key.h"

enum { KEYS_BYTES = 80 };

/* help */

static void add_bound(wn_sheet *sheet, const wn_game *game, bool frontend, uint32_t target, int32_t argument,
                      const char *text, bool unbound_too)
{
    char keys[KEYS_BYTES];
    wn_bindings_keys(&game->bindings, frontend, target, argument, true, keys, sizeof keys);
    if (keys[0] != '\0' || unbound_too)
        wn_sheet_add_key(sheet, keys[0] == '\0' ? "(Esc: menu)" : keys, text);
}

static void add_action(wn_sheet *sheet, const wn_game *game, const Warren__Action *action, uint32_t index)
{
    char text[WN_TEXT_BYTES + WN_NAME_BYTES + 32];
    const char *help = action->help == NULL || action->help[0] == '\0' ? action->name : action->help;
    if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE) {
        add_bound(sheet, game, false, index, 0, help, false);
        return;
    }
    const bool aims = action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION;
    snprintf(text, sizeof text, "%s %s", help, aims ? "(then choose a place)" : "(then a direction)");
    add_bound(sheet, game, false, index, WN_ASK, text, false);
    bool headed = false;
    for (uint32_t direction = 0; !aims && direction < 9; direction++) {
        char keys[KEYS_BYTES];
        wn_bindings_keys(&game->bindings, false, index, (int32_t)direction, true, keys, sizeof keys);
        if (keys[0] == '\0')
            continue;
        if (!headed)
            wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, "%s", help);
        headed = true;
        wn_sheet_add_key(sheet, keys, wn_direction_name(direction));
    }
}

static void add_actions(wn_sheet *sheet, const wn_game *game, const Warren__Mode *mode)
{
    if (mode->summary != NULL && mode->summary[0] != '\0') {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_DIM, "%s", mode->summary);
        wn_sheet_gap(sheet);
    }
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "%s %s", game->watching ? "Watching" : "In", game->title);
    if (game->watching)
        wn_sheet_add_key(sheet, "arrows h j k l", "look around; 5 or . goes back");
    for (size_t i = 0; !game->watching && i < mode->n_actions; i++)
        add_action(sheet, game, mode->actions[i], (uint32_t)i);
    wn_sheet_gap(sheet);
}

static void fill_help(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica != NULL)
        add_actions(sheet, game, replica->mode);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "In every game");
    for (uint32_t command = 0; command < WN_FRONTEND_COMMANDS; command++)
        add_bound(sheet, game, true, command, 0, wn_frontend_command_info((wn_frontend_command)command)->help, true);
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "With the mouse");
    wn_sheet_add_key(sheet, "click", "step there; the right button: face there");
    wn_sheet_add_key(sheet, "drag", "look around; the next command goes back");
    wn_sheet_add_key(sheet, "wheel", "zoom");
    wn_sheet_add_key(sheet, "point", "tells what is there");
    if (replica == NULL)
        return;
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "On the map");
    wn_scene_legend(replica->mode, sheet);
}

/* the menu */

enum { MENU_RESUME = WN_FRONTEND_COMMANDS, MENU_KEYS, MENU_QUIT };

static const struct {
    const char *text;
    int pick; /* a wn_frontend_command, or one of the above */
} menu[] = {
    {"Go on", MENU_RESUME},
    {"Help", WN_DO_HELP},
    {"Messages", WN_DO_MESSAGES},
    {"Say something", WN_DO_CHAT},
    {"Scoreboard", WN_DO_SCORES},
    {"First person, or from above", WN_DO_VIEW},
    {"A part of the map", WN_DO_REGION},
    {"Preferences", WN_DO_PREFERENCES},
    {"Keys", MENU_KEYS},
    {"Save a picture", WN_DO_PICTURE},
    {"Record moving pictures", WN_DO_RECORD},
    {"Leave this world", WN_DO_LEAVE},
    {"Quit Warren", MENU_QUIT},
};

static void fill_menu(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    for (size_t i = 0; i < sizeof menu / sizeof *menu; i++) {
        char keys[KEYS_BYTES] = "";
        if (menu[i].pick < WN_FRONTEND_COMMANDS)
            wn_bindings_keys(&game->bindings, true, (uint32_t)menu[i].pick, 0, true, keys, sizeof keys);
        keys[strcspn(keys, " ")] = '\0'; /* the first is enough here */
        wn_sheet_add_pick(sheet, menu[i].pick, menu[i].text, keys);
    }
}

static void menu_pick(wn_app *app, int pick)
{
    const wn_game *game = app->state;
    wn_game_close_sheet(app);
    if (pick < WN_FRONTEND_COMMANDS) {
        wn_game_run(app, pick);
    } else if (pick == MENU_KEYS) {
        wn_game_open_sheet(app, WN_IN_KEYS);
    } else if (pick == MENU_QUIT) {
        if (game->watching || game->ended || game->world_over)
            app->quit = true;
        else
            wn_game_open_sheet(app, WN_CONFIRMING_QUIT);
    }
}

/* preferences */

typedef enum preference_pick {
    PICK_TEXT_SIZE,
    PICK_PALETTE,
    PICK_VOLUME,
    PICK_MUTE,
    PICK_MOTION,
    PICK_NAMES,
    PICK_GRID,
    PICK_REGIONS,
    PICK_MINIMAP,
    PICK_FULL_SCREEN,
    PICK_KEYS
} preference_pick;

static bool *switch_of(wn_preferences *preferences, int pick)
{
    switch (pick) {
    case PICK_MUTE:
        return &preferences->mute;
    case PICK_MOTION:
        return &preferences->motion;
    case PICK_NAMES:
        return &preferences->names;
    case PICK_GRID:
        return &preferences->grid;
    case PICK_REGIONS:
        return &preferences->regions;
    case PICK_MINIMAP:
        return &preferences->minimap;
    default:
        return NULL;
    }
}

static void fill_preferences(wn_app *app, wn_sheet *sheet)
{
    static const char *const switches[] = {
        [PICK_MUTE] = "Silence", [PICK_MOTION] = "Smooth motion", [PICK_NAMES] = "Names on the map",
        [PICK_GRID] = "Grid",    [PICK_REGIONS] = "Regions",      [PICK_MINIMAP] = "Small map"};
    wn_preferences *preferences = &app->preferences;
    char text[32];
    snprintf(text, sizeof text, "%d %%", preferences->text_size);
    wn_sheet_add_pick(sheet, PICK_TEXT_SIZE, "Size of text", text);
    wn_sheet_add_pick(sheet, PICK_PALETTE, "Colours", wn_palette_title((wn_palette)preferences->palette));
    snprintf(text, sizeof text, "%d %%", preferences->volume);
    wn_sheet_add_pick(sheet, PICK_VOLUME, "Volume", text);
    for (int pick = PICK_MUTE; pick <= PICK_MINIMAP; pick++)
        wn_sheet_add_pick(sheet, pick, switches[pick], *switch_of(preferences, pick) ? "on" : "off");
    wn_sheet_add_pick(sheet, PICK_FULL_SCREEN, "Full screen", app->window.full ? "on" : "off");
    wn_sheet_add_pick(sheet, PICK_KEYS, "Keys\xe2\x80\xa6", "");
}

static int stepped(int value, int by, int least, int most)
{
    value += by;
    return value < least ? least : value > most ? most : value;
}

static void change_preference(wn_app *app, int pick, int by)
{
    wn_preferences *preferences = &app->preferences;
    bool *on = switch_of(preferences, pick);
    if (on != NULL)
        *on = !*on;
    if (pick == PICK_TEXT_SIZE)
        preferences->text_size = stepped(preferences->text_size, 10 * by, 50, 300);
    if (pick == PICK_VOLUME)
        preferences->volume = stepped(preferences->volume, 10 * by, 0, 100);
    if (pick == PICK_PALETTE)
        preferences->palette = (preferences->palette + WN_PALETTES + by) % WN_PALETTES;
    if (pick == PICK_TEXT_SIZE || pick == PICK_PALETTE)
        wn_app_restyle(app);
    if (pick == PICK_FULL_SCREEN)
        wn_app_set_full(app, !app->window.full);
    if (pick == PICK_KEYS)
        wn_game_open_sheet(app, WN_IN_KEYS);
    else
        wn_app_keep_preferences(app);
}

/* keys */

enum { KEYS_OF_FRONTEND = 1 << 20, DIRECTIONS = 16 };

/* Picks: an action's index * DIRECTIONS + 1 + direction (0: without one); the frontend's commands above those. */
static void add_bindable(wn_sheet *sheet, const wn_game *game, int pick, const char *text, bool frontend,
                         uint32_t target, int32_t argument)
{
    char keys[KEYS_BYTES];
    wn_bindings_keys(&game->bindings, frontend, target, argument, true, keys, sizeof keys);
    wn_sheet_add_pick(sheet, pick, text, keys[0] == '\0' ? "\xe2\x80\x94" : keys);
}

static void fill_keys(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    char text[WN_NAME_BYTES + 32];
    if (replica != NULL)
        wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "In %s", game->title);
    for (uint32_t i = 0; replica != NULL && i < replica->mode->n_actions; i++) {
        const Warren__Action *action = replica->mode->actions[i];
        const int32_t asked = action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE ? 0 : WN_ASK;
        add_bindable(sheet, game, (int)i * DIRECTIONS, action->name, false, i, asked);
        for (int32_t way = 0; action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION && way < 8; way++) {
            snprintf(text, sizeof text, "%s.%s", action->name, wn_direction_name((uint32_t)way));
            add_bindable(sheet, game, (int)i * DIRECTIONS + 1 + way, text, false, i, way);
        }
    }
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "In every game");
    for (uint32_t i = 0; i < WN_FRONTEND_COMMANDS; i++) {
        if (i != WN_DO_MENU && i != WN_TERMINAL_COMMANDS - 1)
            add_bindable(sheet, game, KEYS_OF_FRONTEND + (int)i, wn_frontend_command_info((wn_frontend_command)i)->name,
                         true, i, 0);
    }
}

static void keys_pick(wn_app *app, int pick)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (pick >= KEYS_OF_FRONTEND) {
        snprintf(game->binding_section, sizeof game->binding_section, "frontend");
        snprintf(game->binding_name, sizeof game->binding_name, "%s",
                 wn_frontend_command_info((wn_frontend_command)(pick - KEYS_OF_FRONTEND))->name);
    } else if (replica != NULL) {
        const int way = pick % DIRECTIONS - 1;
        snprintf(game->binding_section, sizeof game->binding_section, "%s", replica->mode->name);
        snprintf(game->binding_name, sizeof game->binding_name, "%s%s%s",
                 replica->mode->actions[pick / DIRECTIONS]->name, way >= 0 ? "." : "",
                 way >= 0 ? wn_direction_name((uint32_t)way) : "");
    } else {
        return;
    }
    game->focus = WN_IN_NEW_KEY;
}

/* The key goes into the player's key file, which is read again. */
static void take_new_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    char path[512], name[WN_KEY_NAME_BYTES];
    wn_error error;
    const char *given = app->options->line.keys;
    game->focus = WN_IN_KEYS;
    if (key == WN_KEY_ESCAPE || key >= WN_KEY_MOUSE)
        return;
    if (given != NULL)
        snprintf(path, sizeof path, "%s", given);
    else if (!wn_configuration_file(path, sizeof path, "keys.conf"))
        return;
    wn_key_name(name, sizeof name, key, false);
    if (!wn_key_file_change(path, game->binding_section, game->binding_name,
                            key == WN_KEY_DELETE || key == WN_KEY_BACKSPACE ? "" : name, &error)) {
        wn_app_note(app, "%s", error.text);
        return;
    }
    wn_key_file_free(app->key_file);
    wn_key_file_read(app->key_file, path);
    wn_game_bind(app);
}

/* the rest */

static void fill_confirm(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, "Your place in this world is given up.");
    wn_sheet_gap(sheet);
    wn_sheet_add_pick(sheet, 0, game->focus == WN_CONFIRMING_QUIT ? "Quit Warren" : "Leave this world", "y");
    wn_sheet_add_pick(sheet, 1, "Stay", "n");
}

static void fill_scores(wn_app *app, wn_sheet *sheet)
{
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL || replica->mode->n_board == 0) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_DIM, "this game keeps no scores");
        return;
    }
    for (uint32_t i = 0; i <= replica->row_count; i++) /* the table is drawn over lines of its height */
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, " ");
}

/* The reason, and the last status and scores: the replica goes with the event that ends it. */
void wn_game_set_result(wn_app *app, const char *reason)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    char *text = NULL;
    size_t size;
    FILE *lines = open_memstream(&text, &size);
    if (lines == NULL)
        return;
    fprintf(lines, "%s", reason);
    for (uint32_t i = 0; replica != NULL && replica->ready && i < replica->mode->n_status; i++) {
        char value[WN_FIELD_BYTES];
        wn_field_value(replica, i, value, sizeof value);
        if (value[0] != '\0')
            fprintf(lines, "\n%s: %s", wn_field_title(replica, i), value);
    }
    if (replica != NULL && replica->ready)
        fprintf(lines, "\nturn %llu", (unsigned long long)replica->turn);
    fclose(lines);
    free(game->result);
    game->result = text;
}

void wn_game_add_result(const wn_game *game, wn_sheet *sheet)
{
    if (game->result == NULL)
        return;
    char *copy = strdup(game->result), *rest = copy;
    bool first = true;
    for (const char *line; rest != NULL && (line = strsep(&rest, "\n")) != NULL; first = false)
        wn_sheet_add(sheet, first ? WN_STYLE_BOLD : WN_STYLE_BODY, first ? WN_INK_TITLE : WN_INK_TEXT, "%s", line);
    free(copy);
}

static void fill_result(wn_app *app, wn_sheet *sheet)
{
    wn_game_add_result(app->state, sheet);
    wn_sheet_gap(sheet);
    wn_sheet_add_pick(sheet, 0, "World list", "Enter");
}

static void fill_messages(wn_app *app, wn_sheet *sheet)
{
    wn_scene_messages(app, sheet);
}

static void fill_new_key(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, "Press the new key for %s.", game->binding_name);
}

static const struct {
    const char *title, *footer;
    void (*fill)(wn_app *app, wn_sheet *sheet);
    int width;
    bool centred;
    const char *footer_while_shown; /* while the world can still be looked at */
} sheets[] = {
    [WN_IN_HELP] = {"Keys", "arrows scroll, Esc closes", fill_help, 640, false, NULL},
    [WN_IN_MESSAGES] = {"Messages", "PgUp PgDn scroll, Esc closes", fill_messages, 720, false, NULL},
    [WN_IN_SCORES] = {"Scores", "Esc closes", fill_scores, 420, false, NULL},
    [WN_IN_MENU] = {"Warren", "Enter chooses, Esc closes", fill_menu, 360, false, NULL},
    [WN_IN_PREFERENCES] = {"Preferences", "Left and Right change, Esc closes", fill_preferences, 480, false, NULL},
    [WN_IN_KEYS] = {"Keys", "Enter gives a new key, Esc closes", fill_keys, 520, false, NULL},
    [WN_IN_NEW_KEY] = {"A new key", "Backspace: no key at all; Esc: as it was", fill_new_key, 400, true, NULL},
    [WN_CONFIRMING_LEAVE] = {"Leave this world?", "y leaves, n stays", fill_confirm, 360, false, NULL},
    [WN_CONFIRMING_QUIT] = {"Quit Warren?", "y quits, n stays", fill_confirm, 360, false, NULL},
    [WN_IN_RESULT] = {"It is over", "Enter: world list", fill_result, 440, true,
                      "Enter: world list   Esc: look around"},
    [WN_ASKED_AGAIN] = {"Out of the game", "", wn_again_fill, 440, true, NULL},
};

void wn_game_open_sheet(wn_app *app, wn_game_focus which)
{
    wn_game *game = app->state;
    game->focus = which;
    game->pressed = game->dragged = false;
    wn_sheet_open(&game->sheet, sheets[which].title, sheets[which].footer, sheets[which].width);
    game->sheet.centred = sheets[which].centred;
    game->sheet.to_end = which == WN_IN_MESSAGES;
    if (which == WN_IN_RESULT && !game->ended)
        snprintf(game->sheet.footer, sizeof game->sheet.footer, "%s", sheets[which].footer_while_shown);
    sheets[which].fill(app, &game->sheet); /* keys may come before it is drawn */
    app->dirty = true;
}

void wn_game_close_sheet(wn_app *app)
{
    wn_game *game = app->state;
    game->view.board.cursor = WN_NO_FOCUS;
    game->focus = game->again.stage != WN_REENTRY_OFF ? WN_ASKED_AGAIN
                  : game->ended && !game->returning   ? WN_IN_RESULT
                                                      : WN_PLAYING;
    if (game->focus != WN_PLAYING)
        wn_game_open_sheet(app, game->focus);
}

void wn_game_draw_sheet(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (game->focus == WN_PLAYING || game->focus > WN_LAST_SHEET || wn_again_hides(game))
        return;
    if (game->focus == WN_IN_RESULT && game->view.banner_shown)
        return; /* the mode says it in its own words */
    wn_scene_pictures pictures = {&game->view, app, replica == NULL ? NULL : replica->mode};
    wn_sheet_clear(&game->sheet);
    sheets[game->focus].fill(app, &game->sheet);
    wn_sheet_draw(&game->sheet, &app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height},
                  replica == NULL ? NULL : wn_scene_picture, &pictures);
    if (game->focus == WN_IN_SCORES && replica != NULL)
        wn_panel_board(&app->ink, replica, game->sheet.inner);
}

/* keys */

void wn_game_pick(wn_app *app, int pick)
{
    const wn_game *game = app->state;
    if (pick < 0)
        return;
    if (game->focus == WN_IN_MENU)
        menu_pick(app, pick);
    else if (game->focus == WN_IN_PREFERENCES)
        change_preference(app, pick, 1);
    else if (game->focus == WN_IN_KEYS)
        keys_pick(app, pick);
    else if (game->focus == WN_IN_RESULT)
        wn_game_leave(app);
    else if (game->focus == WN_ASKED_AGAIN)
        wn_again_key(app, (uint32_t)pick);
    else if (pick == 1)
        wn_game_close_sheet(app);
    else if (game->focus == WN_CONFIRMING_QUIT)
        app->quit = true;
    else if (game->focus == WN_CONFIRMING_LEAVE)
        wn_game_leave(app);
}

static void result_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    if (key == WN_KEY_F1 + 9 || key == WN_KEY_ENTER) {
        wn_game_leave(app);
    } else if (key == WN_KEY_ESCAPE && !game->ended) {
        wn_scene_hide_banner(&game->view, wn_game_replica(app));
        wn_game_close_sheet(app);
    } else if (key == 'q' && game->ended) {
        app->quit = true;
    } else if (key != WN_KEY_ESCAPE) {
        wn_game_pick(app, wn_sheet_key(&game->sheet, key));
    }
}

/* The keys that stand beside the menu's lines work in it as well, and what opened a sheet closes it. */
static bool command_key(wn_app *app, uint32_t key)
{
    const wn_game *game = app->state;
    static const int openers[WN_LAST_SHEET + 1] = {[WN_IN_HELP] = WN_DO_HELP,
                                                   [WN_IN_MESSAGES] = WN_DO_MESSAGES,
                                                   [WN_IN_SCORES] = WN_DO_SCORES,
                                                   [WN_IN_PREFERENCES] = WN_DO_PREFERENCES};
    const wn_binding *binding = wn_bindings_find(&game->bindings, key);
    const bool frontend = binding != NULL && binding->frontend && key != WN_KEY_ENTER && key != WN_KEY_ESCAPE;
    if (frontend && game->focus == WN_IN_MENU && key != WN_KEY_PAGE_UP) {
        menu_pick(app, (int)binding->target);
        return true;
    }
    if (!frontend || key == WN_KEY_PAGE_UP || (int)binding->target != openers[game->focus] ||
        game->focus < WN_IN_HELP || game->focus > WN_IN_PREFERENCES || game->focus == WN_IN_MENU)
        return false;
    wn_game_close_sheet(app);
    return true;
}

void wn_game_sheet_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    const bool asks = game->focus == WN_CONFIRMING_LEAVE || game->focus == WN_CONFIRMING_QUIT;
    if (game->focus == WN_IN_RESULT) {
        result_key(app, key);
    } else if (game->focus == WN_ASKED_AGAIN) {
        wn_again_key(app, key);
    } else if (game->focus == WN_IN_NEW_KEY) {
        take_new_key(app, key);
    } else if (asks && (key == 'y' || key == 'Y' || key == 'n' || key == 'N')) {
        wn_game_pick(app, key == 'n' || key == 'N');
    } else if (game->focus == WN_IN_PREFERENCES && (key == WN_KEY_LEFT || key == WN_KEY_RIGHT)) {
        change_preference(app, wn_sheet_selected(&game->sheet), key == WN_KEY_LEFT ? -1 : 1);
    } else if (!command_key(app, key)) {
        const int pick = wn_sheet_key(&game->sheet, key);
        if (pick == WN_SHEET_CLOSED)
            wn_game_close_sheet(app);
        else
            wn_game_pick(app, pick);
    }
}
