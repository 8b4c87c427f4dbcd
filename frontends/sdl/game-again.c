/* game-again.c: after the player's seat was ended: what there is to see, the question whether to enter again, and the
 * way from the seat's view to the spectators' and back into one. See game.h; the dialogue itself is reentry.h's part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game.h"
#include "key.h"

static void keep_status(wn_game *game, const wn_replica *replica)
{
    free(game->last_fields);
    game->last_field_count = replica->mode->n_status;
    game->last_fields = calloc(game->last_field_count + 1, sizeof *game->last_fields);
    if (game->last_fields != NULL && replica->ready && game->last_field_count > 0)
        memcpy(game->last_fields, replica->fields, game->last_field_count * sizeof *game->last_fields);
}

wn_replica wn_again_shown(const wn_game *game, const wn_replica *replica)
{
    wn_replica shown = *replica;
    if (game->again.stage != WN_REENTRY_OFF && game->last_fields != NULL &&
        game->last_field_count == replica->mode->n_status)
        shown.fields = game->last_fields;
    return shown;
}

void wn_again_begin(wn_app *app, const char *reason)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    wn_game_set_result(app, reason);
    wn_game_keep_picture(app);
    keep_status(game, replica);
    wn_reentry_begin(&game->again, app->link.client, replica, game->way, reason, app->now);
    game->was_inside = game->view.first_person;
    game->hides_again = game->returning = false;
    game->ended = true;
    wn_game_open_sheet(app, WN_ASKED_AGAIN);
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
    wn_game_open_sheet(app, WN_IN_RESULT);
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
        wn_game_close_sheet(app);
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
    game->view.board.region = 0;
    wn_viewport_recentre(&game->view.board.view);
    if (replica->seat < 0)
        wn_log_skip(&app->log, replica); /* it has been told already */
    else
        app->log.taken = 0;
    wn_game_read_replica(app);
    game->view.first_person = replica->seat >= 0 && game->was_inside;
}

/* the box */

/* Picks are the keys that mean the same. */
static void add_answer(wn_sheet *sheet, uint32_t key, const char *text)
{
    char name[WN_KEY_NAME_BYTES];
    wn_key_name(name, sizeof name, key, true);
    wn_sheet_add_pick(sheet, (int)key, text, name);
}

static void add_answers(const wn_reentry *again, wn_sheet *sheet)
{
    wn_sheet_gap(sheet);
    if (again->stage == WN_REENTRY_ASKING) {
        add_answer(sheet, 'y', "Enter again");
        if (wn_reentry_has_ways(again))
            add_answer(sheet, 'o', "Enter in another way");
        add_answer(sheet, 'w', "Write a message");
        add_answer(sheet, 'n', "Leave this world");
    } else if (again->stage == WN_REENTRY_CHOOSING) {
        for (size_t i = 0; i < again->mode->n_entries; i++)
            wn_sheet_add_way(sheet, again->mode, i);
    } else if (again->stage == WN_REENTRY_ENTERING) {
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_KEY, "Entering\xe2\x80\xa6");
    }
}

void wn_again_fill(wn_app *app, wn_sheet *sheet)
{
    const wn_game *game = app->state;
    wn_game_add_result(game, sheet);
    if (game->again.trouble[0] != '\0') {
        wn_sheet_gap(sheet);
        wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_BAD, "%s", game->again.trouble);
    }
    add_answers(&game->again, sheet);
    snprintf(sheet->footer, sizeof sheet->footer, "%s",
             game->again.stage == WN_REENTRY_CHOOSING ? "Enter chooses, Esc: back"
             : game->again.stage == WN_REENTRY_ASKING ? "Enter chooses, Esc: look around"
                                                      : "");
}

bool wn_again_hides(const wn_game *game)
{
    return game->focus == WN_ASKED_AGAIN && (game->hides_again || game->again.stage == WN_REENTRY_WRITING);
}

/* keys */

/* Of the sheet: choosing is answering. */
static void choose(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    const int pick = wn_sheet_key(&game->sheet, key);
    if (pick >= 0)
        wn_again_key(app, (uint32_t)pick);
}

void wn_again_key(wn_app *app, uint32_t key)
{
    wn_game *game = app->state;
    const wn_reentry_stage stage = game->again.stage;
    if (stage == WN_REENTRY_ENDED)
        return;
    const wn_reentry_news news = wn_reentry_key(&game->again, key);
    const wn_binding *binding = wn_bindings_find(&game->bindings, key);
    const int direction = wn_key_direction(key);
    if (news == WN_REENTRY_LEAVES) {
        wn_game_leave(app);
        return;
    }
    if (game->again.stage != stage)
        game->sheet.selected = 0;
    if (news != WN_REENTRY_NOTHING)
        game->hides_again = false;
    else if (key == WN_KEY_ESCAPE)
        game->hides_again = !game->hides_again;
    else if (binding != NULL && binding->frontend && binding->target != WN_DO_CHAT) /* w is for that */
        wn_game_run(app, (int)binding->target);
    else if (!game->hides_again)
        choose(app, key);
    else if (direction >= 0)
        wn_game_pan(game, direction);
}
