/* game-again.c: after the player's seat was ended: what there is to see, the question whether to enter again, and the
 * way from the seat's view to the spectators' and back into one. See game.h; the dialogue itself is reentry.h's part.
 */
#include "game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "text.h"

enum { WIDTH_MOST = 60 };

static void keep_status(wn_game *game, const wn_replica *replica)
{
    free(game->last_fields);
    game->last_field_count = replica->mode->n_status;
    game->last_facing = replica->facing;
    game->last_fields = calloc(game->last_field_count + 1, sizeof *game->last_fields);
    if (game->last_fields != NULL && replica->ready && game->last_field_count > 0)
        memcpy(game->last_fields, replica->fields, game->last_field_count * sizeof *game->last_fields);
}

wn_replica wn_again_shown(const wn_game *game, const wn_replica *replica)
{
    wn_replica shown = *replica;
    if (game->again.stage == WN_REENTRY_OFF || game->last_fields == NULL ||
        game->last_field_count != replica->mode->n_status)
        return shown;
    shown.fields = game->last_fields;
    shown.facing = game->last_facing;
    return shown;
}

void wn_again_begin(wn_app *app, const char *reason)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    wn_screen_game.draw(app); /* the last of the replica, behind the box */
    wn_game_set_result(app, reason);
    keep_status(game, replica);
    wn_reentry_begin(&game->again, app->link.client, replica, game->way, reason, app->now);
    game->hides_again = false;
    wn_game_open_box(app, WN_ASKED_AGAIN);
    game->ended = true;
    game->returning = false;
}

/* Only the result is left. */
static void end(wn_app *app)
{
    wn_game *game = app->state;
    char why[2 * WN_TEXT_BYTES + 2];
    snprintf(why, sizeof why, "%s\n%s", game->again.reason, game->again.trouble);
    wn_reentry_end(&game->again, false);
    game->ended = true;
    game->returning = false;
    wn_game_set_result(app, why);
    wn_game_open_box(app, WN_IN_RESULT);
}

bool wn_again_event(wn_app *app, const wn_event *event)
{
    wn_game *game = app->state;
    switch (wn_reentry_event(&game->again, event)) {
    case WN_REENTRY_TAKEN:
        return true;
    case WN_REENTRY_WATCHING:
        game->ended = game->returning = true; /* until its picture has come */
        return true;
    case WN_REENTRY_ENTERED:
        game->ended = game->returning = true;
        game->way = game->again.way;
        wn_reentry_end(&game->again, false);
        wn_lines_free(&game->result);
        wn_game_close_box(app);
        return true;
    case WN_REENTRY_NO_WAY:
        end(app);
        return true;
    default:
        return false;
    }
}

void wn_again_arrive(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_client_replica(app->link.client, game->world);
    if (replica == NULL || !replica->ready)
        return;
    game->ended = game->returning = false;
    game->map.pan_y = game->map.pan_x = 0;
    wn_game_read_replica(app);
    if (game->watching)
        wn_log_skip(&app->log, replica); /* it has been told already */
    else
        app->log.taken = 0;
}

/* keys */

void wn_again_key(wn_app *app, const wn_input *input)
{
    wn_game *game = app->state;
    if (game->again.stage == WN_REENTRY_ENDED)
        return;
    const wn_reentry_news news = wn_reentry_key(&game->again, input->key);
    const wn_binding *binding = wn_bindings_find(&game->bindings, input->key);
    const int direction = wn_key_direction(input->key);
    if (news == WN_REENTRY_LEAVES)
        wn_game_to_worlds(app);
    else if (news != WN_REENTRY_NOTHING)
        game->hides_again = false;
    else if (input->key == WN_KEY_ESCAPE)
        game->hides_again = !game->hides_again;
    else if (binding != NULL && binding->frontend && binding->target != WN_DO_CHAT) /* w is for that */
        wn_game_run(app, (int)binding->target);
    else if (direction >= 0)
        wn_game_pan(app, direction);
}

/* drawing */

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
        wn_lines_wrap(lines, WN_STYLE_BOLD, width(), game->again.reason);
        return;
    }
    for (size_t i = 0; i < game->result.count; i++)
        wn_lines_add(lines, game->result.items[i].style, "%s", game->result.items[i].text);
}

static const char *footer(const wn_game *game)
{
    if (game->layout.tight || game->again.stage != WN_REENTRY_ASKING)
        return NULL;
    return wn_reentry_has_ways(&game->again) ? "y again, n leave, w write, o other way" : "y again, n leave, w write";
}

void wn_again_draw_box(wn_app *app)
{
    wn_game *game = app->state;
    wn_lines lines = {0};
    if (game->hides_again) {
        wn_box_close(&app->box);
        return;
    }
    add_result(game, &lines);
    if (game->again.stage == WN_REENTRY_CHOOSING)
        add_ways(game->again.mode, &lines);
    if (game->again.trouble[0] != '\0') {
        wn_lines_add(&lines, WN_STYLE_PLAIN, " ");
        wn_lines_wrap(&lines, WN_STYLE_BAD, width(), game->again.trouble);
    }
    game->view = (wn_box_view){.over = game->layout.map,
                               .selected = -1,
                               .title = game->layout.tight ? NULL : "Out of the game",
                               .footer = footer(game),
                               .centred = game->again.stage != WN_REENTRY_CHOOSING};
    wn_box_draw(&app->box, &app->paint, &lines, &game->view);
    wn_lines_free(&lines);
}

void wn_again_draw_question(wn_app *app)
{
    const wn_game *game = app->state;
    const int y = getmaxy(stdscr) - 1, columns = getmaxx(stdscr) - 1, x = game->layout.tight ? 0 : 1;
    char text[64];
    wn_reentry_question(&game->again, text, sizeof text);
    if (game->again.stage == WN_REENTRY_WRITING) {
        wn_game_draw_edit(app, text, &game->again.message);
        return;
    }
    wn_paint_line(&app->paint, stdscr, y, 0, columns, WN_STYLE_PLAIN, "");
    const int used = wn_paint_text(&app->paint, stdscr, y, x, columns - x, WN_STYLE_KEY, text);
    if (game->again.stage == WN_REENTRY_ENTERING)
        wn_paint_text(&app->paint, stdscr, y, x + used, columns - x - used, WN_STYLE_KEY, wn_paint_dots(&app->paint));
}
