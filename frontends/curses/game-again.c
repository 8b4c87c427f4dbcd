/* game-again.c: what stands over the game after the player's seat was ended: why, and the question whether to enter
 * again. See game.h; the dialogue itself is reentry.h's part.
 */
#include "game.h"

enum { WIDTH_MOST = 60 };

static int width(void)
{
    return wn_box_columns() < WIDTH_MOST ? wn_box_columns() : WIDTH_MOST;
}

static void add_ways(const Warren__Mode *mode, wn_lines *lines)
{
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    for (size_t i = 0; i < mode->n_entries; i++)
        wn_lines_add_way(lines, mode, i);
}

/* In a tight layout the status stands beside it, and the question explains itself to those who know it. */
static void add_result(const wn_game *game, wn_lines *lines)
{
    if (game->layout.tight) {
        wn_lines_wrap(lines, WN_STYLE_BOLD, width(), game->play.again.reason);
        return;
    }
    wn_game_add_result(game, width(), lines);
}

static const char *footer(const wn_game *game)
{
    if (game->layout.tight || game->play.again.stage != WN_REENTRY_ASKING)
        return NULL;
    return wn_reentry_has_ways(&game->play.again) ? "y again, n leave, w write, o other way"
                                                  : "y again, n leave, w write";
}

void wn_game_draw_again(wn_app *app)
{
    wn_game *game = app->state;
    wn_lines lines = {0};
    if (game->play.hides_again) {
        wn_box_close(&app->box);
        return;
    }
    add_result(game, &lines);
    if (game->play.again.stage == WN_REENTRY_CHOOSING)
        add_ways(game->play.again.mode, &lines);
    if (game->play.again.trouble[0] != '\0') {
        wn_lines_add(&lines, WN_STYLE_PLAIN, " ");
        wn_lines_wrap(&lines, WN_STYLE_BAD, width(), game->play.again.trouble);
    }
    game->view = (wn_box_view){.over = game->layout.map,
                               .selected = -1,
                               .title = game->layout.tight ? NULL : "Out of the game",
                               .footer = footer(game),
                               .centred = game->play.again.stage != WN_REENTRY_CHOOSING};
    wn_box_draw(&app->box, &app->paint, &lines, &game->view);
    wn_lines_free(&lines);
}

void wn_game_draw_question(wn_app *app)
{
    const wn_game *game = app->state;
    const int y = getmaxy(stdscr) - 1, columns = getmaxx(stdscr) - 1, x = game->layout.tight ? 0 : 1;
    char text[64];
    wn_reentry_question(&game->play.again, text, sizeof text);
    if (game->play.again.stage == WN_REENTRY_WRITING) {
        wn_game_draw_edit(app, text, &game->play.again.message);
        return;
    }
    wn_paint_line(&app->paint, stdscr, y, 0, columns, WN_STYLE_PLAIN, "");
    const int used = wn_paint_text(&app->paint, stdscr, y, x, columns - x, WN_STYLE_KEY, text);
    if (game->play.again.stage == WN_REENTRY_ENTERING)
        wn_paint_text(&app->paint, stdscr, y, x + used, columns - x - used, WN_STYLE_KEY, wn_paint_dots(&app->paint));
}
