/* game-boxes.c: what stands over the game: help, menu, messages, scores, banner, result. See game.h. */
#include "game.h"

#include <stdio.h>
#include <string.h>

#include "key.h"
#include "panel.h"
#include "text.h"

enum { KEYS_BYTES = 80, WIDEST = 60 };

/* what the boxes say */

static void add_help(void *context, const wn_help_line *line)
{
    wn_lines *lines = context;
    const int columns = wn_box_columns();
    if (line->kind == WN_HELP_KEYS) {
        wn_lines_add_key(lines, columns < 50 ? 14 : 20, line->keys, line->text);
    } else if (line->kind == WN_HELP_GAP) {
        wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    } else {
        wn_lines_wrap(lines,
                      line->kind == WN_HELP_HEADING ? WN_STYLE_HEADING
                      : line->kind == WN_HELP_DIM   ? WN_STYLE_DIM
                                                    : WN_STYLE_PLAIN,
                      columns, line->text);
    }
}

static void fill_help(wn_app *app, wn_lines *lines)
{
    const wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    wn_play_help(&game->play, add_help, NULL, lines);
    if (replica == NULL) {
        return;
    }
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    wn_lines_add(lines, WN_STYLE_HEADING, "On the map");
    wn_scene_legend(app, replica->mode, lines);
}

static void fill_messages(wn_app *app, wn_lines *lines)
{
    wn_scene_messages(app, lines);
}

static void fill_menu(wn_app *app, wn_lines *lines)
{
    const wn_game *game = app->state;
    const wn_menu_entry *entry;
    for (size_t i = 0; (entry = wn_play_menu(&game->play, i)) != NULL; i++) {
        char keys[KEYS_BYTES] = "";
        if (entry->pick < WN_FRONTEND_COMMANDS) {
            wn_play_first_key(&game->play, (wn_frontend_command)entry->pick, keys, sizeof keys);
        }
        wn_lines_add(lines, WN_STYLE_PLAIN, " %-22s %6s ", entry->text, keys);
    }
}

static void fill_confirm(wn_app *app, wn_lines *lines)
{
    const wn_game *game = app->state;
    wn_lines_add(lines, WN_STYLE_BOLD, "%s",
                 game->play.focus == WN_CONFIRMING_LEAVE ? "Leave this world?" : "Quit Warren?");
    wn_lines_wrap(lines, WN_STYLE_PLAIN, wn_box_columns() < 50 ? wn_box_columns() : 50,
                  "Your place in it is given up.");
}

void wn_game_add_result(const wn_game *game, int width, wn_lines *lines)
{
    wn_lines_wrap(lines, WN_STYLE_BOLD, width, game->play.reason);
    if (game->play.status == NULL) {
        return;
    }
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    wn_lines_wrap(lines, WN_STYLE_PLAIN, width, game->play.status);
}

static void fill_result(wn_app *app, wn_lines *lines)
{
    const wn_game *game = app->state;
    const wn_another *another = &game->play.another;
    const int width = wn_box_columns() < WIDEST ? wn_box_columns() : WIDEST;
    if (wn_another_busy(another)) {
        wn_lines_add(lines, WN_STYLE_SYSTEM, "creating another world%s", wn_paint_dots(&app->paint));
    } else if (wn_another_speaks(another)) {
        wn_lines_wrap(lines, WN_STYLE_BAD, width, another->trouble);
    }
    if (wn_another_speaks(another)) {
        wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    }
    wn_game_add_result(game, width, lines);
}

static void add_score(void *context, const wn_score_line *line)
{
    wn_lines *lines = context;
    const int columns = wn_box_columns() < 56 ? wn_box_columns() : 56, value = 10, name = columns < 50 ? 16 : 20;
    char player[4 * 20 + 1] = "";
    if (line->kind == WN_SCORES_NOTE || line->kind == WN_SCORES_TITLE) {
        if (line->kind == WN_SCORES_TITLE && lines->count > 0) {
            wn_lines_add(lines, WN_STYLE_PLAIN, " ");
        }
        wn_lines_wrap(lines, line->kind == WN_SCORES_TITLE ? WN_STYLE_HEADING : WN_STYLE_DIM, columns, line->text);
        return;
    }
    snprintf(player, sizeof player, "%.*s", (int)wn_text_fit(line->text, name, NULL), line->text);
    wn_lines_add(lines, line->kind == WN_SCORES_OWN ? WN_STYLE_BOLD : WN_STYLE_PLAIN, "%3zu  %s%*s %*s  %s", line->rank,
                 player, name - wn_text_width(player), "", value, line->value, line->detail);
}

/* The title and the footer tell of the other scores there are. */
static void draw_all_scores(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    wn_lines lines = {0};
    char title[WN_TEXT_BYTES + 32];
    wn_play_all_scores(&game->play, add_score, &lines);
    snprintf(title, sizeof title, "Best of all worlds of %s", game->play.title);
    game->view.title = title;
    game->view.footer =
        replica != NULL && replica->mode->n_board == 0 ? "arrows scroll, Esc closes" : "a: this world, Esc closes";
    wn_box_draw(&app->box, &app->paint, &lines, &game->view);
    game->view.title = game->view.footer = NULL;
    wn_lines_free(&lines);
}

static void draw_scores(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    wn_lines lines = {0};
    if (game->play.scores.shown) {
        draw_all_scores(app);
        return;
    }
    if (wn_play_has_all_scores(&game->play)) {
        game->view.footer = "a: all worlds, Esc closes";
    }
    if (replica == NULL || replica->mode->n_board == 0) {
        wn_lines_add(&lines, WN_STYLE_DIM, "this game keeps no scores");
        wn_box_draw(&app->box, &app->paint, &lines, &game->view);
        wn_lines_free(&lines);
        return;
    }
    /* The box is made as large as it needs to be, and the panel draws into it. */
    const int width = wn_box_columns() < 48 ? wn_box_columns() : 48;
    for (uint32_t i = 0; i <= replica->row_count; i++) {
        wn_lines_add(&lines, WN_STYLE_PLAIN, "%*s", width, "");
    }
    wn_box_draw(&app->box, &app->paint, &lines, &game->view);
    wn_lines_free(&lines);
    if (app->box.window == NULL) {
        return;
    }
    wn_rect rect = {.y = 1, .x = 2};
    rect.height = getmaxy(app->box.window) - 2;
    rect.width = getmaxx(app->box.window) - 4;
    wn_panel_board(&app->paint, replica, app->box.window, rect);
}

/* opening, drawing */

static const struct {
    const char *title, *footer;
    void (*fill)(wn_app *app, wn_lines *lines);
    bool tall, centred;
    const char *footer_while_shown; /* while the world can still be looked at */
} boxes[] = {
    [WN_IN_HELP] = {"Keys", "arrows scroll, Esc closes", fill_help, true, false, NULL},
    [WN_IN_MESSAGES] = {"Messages", "PgUp PgDn scroll, Esc closes", fill_messages, true, false, NULL},
    [WN_IN_SCORES] = {"Scores", "Esc closes", NULL, false, false, NULL},
    [WN_IN_MENU] = {"Warren", "Enter chooses, Esc closes", fill_menu, false, false, NULL},
    [WN_CONFIRMING_LEAVE] = {"Leave", "y leaves, n stays", fill_confirm, false, true, NULL},
    [WN_CONFIRMING_QUIT] = {"Quit", "y quits, n stays", fill_confirm, false, true, NULL},
    [WN_IN_RESULT] = {"It is over", "Enter or Esc: world list", fill_result, false, true,
                      "n: another   Enter: world list   Esc: look around"},
};

static bool has_box(wn_play_focus which)
{
    return (size_t)which < sizeof boxes / sizeof *boxes && boxes[which].title != NULL;
}

void wn_game_open_box(wn_app *app)
{
    wn_game *game = app->state;
    const wn_play_focus which = game->play.focus;
    if (game->opened == game->play.opened) {
        return;
    }
    game->opened = game->play.opened;
    wn_box_close(&app->box);
    if (!has_box(which)) {
        return;
    }
    game->view = (wn_box_view){.title = boxes[which].title,
                               .footer = boxes[which].footer,
                               .tall = boxes[which].tall,
                               .over = game->layout.map,
                               .centred = boxes[which].centred,
                               .selected = which == WN_IN_MENU ? 0 : -1,
                               .top = which == WN_IN_MESSAGES ? WN_BANNER_BYTES * WN_LOG_ENTRIES : 0};
    if (which == WN_IN_RESULT && !game->play.ended) {
        game->view.footer = boxes[which].footer_while_shown;
    }
}

void wn_game_draw_boxes(wn_app *app)
{
    wn_game *game = app->state;
    const wn_play_focus focus = game->play.focus;
    wn_lines lines = {0};
    wn_game_open_box(app);
    game->view.over = game->layout.map; /* the window may have another size by now */
    if (focus == WN_ASKED_AGAIN) {
        wn_game_draw_again(app);
        return;
    }
    if (focus == WN_IN_RESULT && wn_another_speaks(&game->play.another)) {
        wn_box_close(&app->banner);
    } else {
        wn_scene_banner(app, &game->banner, &game->map, game->layout.map, wn_play_replica(&game->play),
                        focus == WN_IN_RESULT ? boxes[WN_IN_RESULT].footer_while_shown : NULL);
    }
    if (focus == WN_IN_RESULT && app->banner.window != NULL) {
        wn_box_close(&app->box); /* the mode says it in its own words */
    } else if (focus == WN_IN_SCORES) {
        draw_scores(app);
    } else if (has_box(focus)) {
        boxes[focus].fill(app, &lines);
        wn_box_draw(&app->box, &app->paint, &lines, &game->view);
        wn_lines_free(&lines);
    }
}
