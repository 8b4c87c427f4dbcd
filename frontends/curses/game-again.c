/* game-again.c: what stands over the game after the player's seat was ended: why, and the question whether to enter
 * again. See game.h; the dialogue itself is reentry.h's part.
 */
#include "game.h"

#include <stdio.h>

enum { WIDTH_MOST = 60 };

static int width(void)
{
    return wn_box_columns() < WIDTH_MOST ? wn_box_columns() : WIDTH_MOST;
}

static void add_ways(const Warren__Mode *mode, wn_lines *lines)
{
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    for (size_t i = 0; i < mode->n_entries; i++) {
        wn_lines_add_way(lines, mode, i);
    }
}

/* In a tight layout the status stands beside it. */
static void add_result(const wn_game *game, wn_lines *lines)
{
    if (game->layout.tight) {
        wn_lines_wrap(lines, WN_STYLE_BOLD, width(), game->play.again.reason);
        return;
    }
    wn_game_add_result(game, width(), lines);
}

void wn_game_draw_again(wn_app *app)
{
    wn_game *game = app->state;
    wn_lines lines = {0};
    char answers[80];
    if (game->play.hides_again) {
        wn_box_close(&app->box);
        return;
    }
    add_result(game, &lines);
    if (game->play.again.stage == WN_REENTRY_CHOOSING) {
        add_ways(game->play.again.mode, &lines);
    }
    if (game->play.again.trouble[0] != '\0') {
        wn_lines_add(&lines, WN_STYLE_PLAIN, " ");
        wn_lines_wrap(&lines, WN_STYLE_BAD, width(), game->play.again.trouble);
    }
    wn_reentry_brief(&game->play.again, answers, sizeof answers);
    game->view = (wn_box_view){.over = game->layout.map,
                               .selected = -1,
                               .title = game->layout.tight ? NULL : "Out of the game",
                               .footer = game->layout.tight || answers[0] == '\0' ? NULL : answers,
                               .centred = game->play.again.stage != WN_REENTRY_CHOOSING};
    wn_box_draw(&app->box, &app->paint, &lines, &game->view);
    game->view.footer = NULL;
    wn_lines_free(&lines);
}

/* Where the box has no room for the answers, or is put away, they stand behind the question. */
static void add_answers(wn_app *app, const wn_game *game, int x, int columns)
{
    char answers[80];
    wn_reentry_brief(&game->play.again, answers, sizeof answers);
    if (game->play.hides_again) {
        snprintf(answers, sizeof answers, "%s",
                 game->play.again.stage == WN_REENTRY_ASKING ? "Esc shows it again" : "");
    } else if (!game->layout.tight) {
        answers[0] = '\0';
    }
    wn_paint_text(&app->paint, stdscr, getmaxy(stdscr) - 1, x, columns - x, WN_STYLE_DIM, answers);
}

void wn_game_draw_question(wn_app *app)
{
    const wn_game *game = app->state;
    const int y = getmaxy(stdscr) - 1, columns = getmaxx(stdscr) - 1, x = game->layout.tight ? 0 : 1;
    char text[64];
    wn_reentry_question(&game->play.again, text, sizeof text);
    if (game->play.again.stage == WN_REENTRY_WRITING) {
        wn_app_edit(app, text, &game->play.again.message);
        return;
    }
    wn_paint_line(&app->paint, stdscr, y, 0, columns, WN_STYLE_PLAIN, "");
    const int used = wn_paint_text(&app->paint, stdscr, y, x, columns - x, WN_STYLE_KEY, text);
    add_answers(app, game, x + used + 2, columns);
    if (game->play.again.stage == WN_REENTRY_ENTERING) {
        wn_paint_text(&app->paint, stdscr, y, x + used, columns - x - used, WN_STYLE_KEY, wn_paint_dots(&app->paint));
    }
}
