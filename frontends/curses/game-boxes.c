/* game-boxes.c: what stands over the game: help, menu, messages, scores, banner, result. See game.h. */
#include "game.h"

#include <stdio.h>
#include <string.h>

#include "fields.h"
#include "key.h"
#include "panel.h"
#include "text.h"

enum { KEYS_BYTES = 80 };

/* help */

static int key_columns(void)
{
    return wn_box_columns() < 50 ? 14 : 20;
}

static void add_bound(wn_lines *lines, const wn_game *game, bool frontend, uint32_t target, int32_t argument,
                      const char *text, bool unbound_too)
{
    char keys[KEYS_BYTES];
    wn_bindings_keys(&game->bindings, frontend, target, argument, true, keys, sizeof keys);
    if (keys[0] == '\0' && !unbound_too)
        return;
    wn_lines_add_key(lines, key_columns(), keys[0] == '\0' ? "(Esc: menu)" : keys, text);
}

static void add_action(wn_lines *lines, const wn_game *game, const Warren__Action *action, uint32_t index)
{
    char text[WN_TEXT_BYTES + WN_NAME_BYTES + 32];
    const char *help = action->help == NULL || action->help[0] == '\0' ? action->name : action->help;
    if (action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE) {
        add_bound(lines, game, false, index, 0, help, false);
        return;
    }
    const bool aims = action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_POSITION;
    snprintf(text, sizeof text, "%s %s", help, aims ? "(then choose a place)" : "(then a direction)");
    add_bound(lines, game, false, index, WN_ASK, text, false);
    bool headed = false;
    for (uint32_t direction = 0; !aims && direction < 9; direction++) {
        char keys[KEYS_BYTES];
        wn_bindings_keys(&game->bindings, false, index, (int32_t)direction, true, keys, sizeof keys);
        if (keys[0] == '\0')
            continue;
        if (!headed)
            wn_lines_wrap(lines, WN_STYLE_PLAIN, wn_box_columns(), help);
        headed = true;
        wn_lines_add_key(lines, key_columns(), keys, wn_direction_name(direction));
    }
}

static void add_actions(wn_lines *lines, const wn_game *game, const Warren__Mode *mode)
{
    if (mode->summary != NULL && mode->summary[0] != '\0') {
        wn_lines_wrap(lines, WN_STYLE_DIM, wn_box_columns(), mode->summary);
        wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    }
    wn_lines_add(lines, WN_STYLE_HEADING, "%s %s", game->watching ? "Watching" : "In", game->title);
    if (game->watching)
        wn_lines_add_key(lines, key_columns(), "arrows h j k l", "look around; 5 or . goes back");
    for (size_t i = 0; !game->watching && i < mode->n_actions; i++)
        add_action(lines, game, mode->actions[i], (uint32_t)i);
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    if (mode->n_entries < 2)
        return;
    wn_lines_add(lines, WN_STYLE_HEADING, "Ways to enter, asked for after the end");
    for (size_t i = 0; i < mode->n_entries; i++)
        wn_lines_add_way(lines, mode, i);
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
}

static void fill_help(wn_app *app, wn_lines *lines)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica != NULL)
        add_actions(lines, game, replica->mode);
    wn_lines_add(lines, WN_STYLE_HEADING, "In every game");
    for (uint32_t command = 0; command < WN_TERMINAL_COMMANDS; command++)
        add_bound(lines, game, true, command, 0, wn_frontend_command_info((wn_frontend_command)command)->help, true);
    if (replica == NULL)
        return;
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    wn_lines_add(lines, WN_STYLE_HEADING, "On the map");
    wn_scene_legend(app, replica->mode, lines);
}

/* the other boxes */

static const wn_menu_entry menu[WN_MENU_ENTRIES] = {
    {"Go on", WN_MENU_RESUME},           {"Help", WN_DO_HELP},
    {"Messages", WN_DO_MESSAGES},        {"Say something", WN_DO_CHAT},
    {"Names on the map", WN_DO_NAMES},   {"Scoreboard", WN_DO_SCORES},
    {"A part of the map", WN_DO_REGION}, {"Draw the screen anew", WN_DO_REDRAW},
    {"Leave this world", WN_DO_LEAVE},   {"Quit Warren", WN_MENU_QUIT},
};

const wn_menu_entry *wn_game_menu(size_t index)
{
    return index < WN_MENU_ENTRIES ? &menu[index] : NULL;
}

static void fill_menu(wn_app *app, wn_lines *lines)
{
    const wn_game *game = app->state;
    for (size_t i = 0; i < WN_MENU_ENTRIES; i++) {
        char keys[KEYS_BYTES] = "";
        if (menu[i].command >= 0)
            wn_bindings_keys(&game->bindings, true, (uint32_t)menu[i].command, 0, true, keys, sizeof keys);
        keys[strcspn(keys, " ")] = '\0'; /* the first is enough here */
        wn_lines_add(lines, WN_STYLE_PLAIN, " %-22s %6s ", menu[i].text, keys);
    }
}

static void fill_confirm(wn_app *app, wn_lines *lines)
{
    const wn_game *game = app->state;
    wn_lines_add(lines, WN_STYLE_BOLD, "%s", game->focus == WN_CONFIRMING_LEAVE ? "Leave this world?" : "Quit Warren?");
    wn_lines_wrap(lines, WN_STYLE_PLAIN, wn_box_columns() < 50 ? wn_box_columns() : 50,
                  "Your place in it is given up.");
}

static void draw_scores(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    wn_lines lines = {0};
    if (replica == NULL || replica->mode->n_board == 0) {
        wn_lines_add(&lines, WN_STYLE_DIM, "this game keeps no scores");
        wn_box_draw(&app->box, &app->paint, &lines, &game->view);
        wn_lines_free(&lines);
        return;
    }
    /* The box is made as large as it needs to be, and the panel draws into it. */
    const int width = wn_box_columns() < 48 ? wn_box_columns() : 48;
    for (uint32_t i = 0; i <= replica->row_count; i++)
        wn_lines_add(&lines, WN_STYLE_PLAIN, "%*s", width, "");
    wn_box_draw(&app->box, &app->paint, &lines, &game->view);
    wn_lines_free(&lines);
    if (app->box.window == NULL)
        return;
    wn_rect rect = {.y = 1, .x = 2};
    rect.height = getmaxy(app->box.window) - 2;
    rect.width = getmaxx(app->box.window) - 4;
    wn_panel_board(&app->paint, replica, app->box.window, rect);
}

/* The reason, and the last status and scores: the replica goes with the event that ends it. */
void wn_game_set_result(wn_app *app, const char *reason)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    char value[WN_TEXT_BYTES + 1];
    wn_lines *lines = &game->result;
    wn_lines_free(lines);
    wn_lines_wrap(lines, WN_STYLE_BOLD, wn_box_columns() < 60 ? wn_box_columns() : 60, reason);
    if (replica == NULL || !replica->ready)
        return;
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    for (uint32_t i = 0; i < replica->mode->n_status; i++) {
        wn_field_value(replica, i, value, sizeof value);
        if (value[0] != '\0')
            wn_lines_add(lines, WN_STYLE_PLAIN, "%s: %s", wn_field_title(replica, i), value);
    }
    wn_lines_add(lines, WN_STYLE_DIM, "turn %llu", (unsigned long long)replica->turn);
}

/* opening, drawing */

static const struct {
    const char *title, *footer;
    bool tall, centred;
    const char *footer_while_shown; /* while the world can still be looked at */
} boxes[] = {
    [WN_IN_HELP] = {"Keys", "arrows scroll, Esc closes", true, false, NULL},
    [WN_IN_MESSAGES] = {"Messages", "PgUp PgDn scroll, Esc closes", true, false, NULL},
    [WN_IN_SCORES] = {"Scores", "Esc closes", false, false, NULL},
    [WN_IN_MENU] = {"Warren", "Enter chooses, Esc closes", false, false, NULL},
    [WN_CONFIRMING_LEAVE] = {"Leave", "y leaves, n stays", false, true, NULL},
    [WN_CONFIRMING_QUIT] = {"Quit", "y quits, n stays", false, true, NULL},
    [WN_IN_RESULT] = {"It is over", "Enter: world list", false, true, "Enter: world list   Esc: look around"},
};

static bool has_box(wn_focus_of_keys which)
{
    return (size_t)which < sizeof boxes / sizeof *boxes && boxes[which].title != NULL;
}

void wn_game_open_box(wn_app *app, wn_focus_of_keys which)
{
    wn_game *game = app->state;
    wn_box_close(&app->box);
    game->focus = which;
    if (!has_box(which))
        return;
    game->view = (wn_box_view){.title = boxes[which].title,
                               .footer = boxes[which].footer,
                               .tall = boxes[which].tall,
                               .over = game->layout.map,
                               .centred = boxes[which].centred,
                               .selected = which == WN_IN_MENU ? 0 : -1,
                               .top = which == WN_IN_MESSAGES ? WN_BANNER_BYTES * WN_LOG_ENTRIES : 0};
    if (which == WN_IN_RESULT && !game->ended)
        game->view.footer = boxes[which].footer_while_shown;
}

void wn_game_close_box(wn_app *app)
{
    wn_game *game = app->state;
    wn_box_close(&app->box);
    game->focus = game->again.stage != WN_REENTRY_OFF ? WN_ASKED_AGAIN
                  : game->ended && !game->returning   ? WN_IN_RESULT
                                                      : WN_PLAYING;
    game->map.cursor = WN_NO_FOCUS;
}

void wn_game_draw_boxes(wn_app *app)
{
    wn_game *game = app->state;
    wn_lines lines = {0};
    if (game->focus == WN_ASKED_AGAIN) {
        wn_again_draw_box(app);
        return;
    }
    wn_scene_banner(app, &game->banner, &game->map, game->layout.map, wn_game_replica(app),
                    game->focus == WN_IN_RESULT ? boxes[WN_IN_RESULT].footer_while_shown : NULL);
    if (!has_box(game->focus))
        return;
    if (game->focus == WN_IN_SCORES) {
        draw_scores(app);
        return;
    }
    if (game->focus == WN_IN_RESULT && app->banner.window != NULL) {
        wn_box_close(&app->box); /* the mode says it in its own words */
        return;
    }
    if (game->focus == WN_IN_RESULT) {
        wn_box_draw(&app->box, &app->paint, &game->result, &game->view);
        return;
    }
    if (game->focus == WN_IN_HELP)
        fill_help(app, &lines);
    else if (game->focus == WN_IN_MESSAGES)
        wn_scene_messages(app, &lines);
    else if (game->focus == WN_IN_MENU)
        fill_menu(app, &lines);
    else
        fill_confirm(app, &lines);
    wn_box_draw(&app->box, &app->paint, &lines, &game->view);
    wn_lines_free(&lines);
}
