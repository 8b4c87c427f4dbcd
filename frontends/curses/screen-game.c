/* screen-game.c: the game: map, panel, messages on top, and the lines around them. See game.h. */
#include "game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

void wn_game_open(wn_app *app, uint32_t world, uint32_t way)
{
    wn_game *game = calloc(1, sizeof *game);
    if (game == NULL) {
        app->quit = true;
        return;
    }
    game->layout.may_tighten = true;
    game->map.cursor = WN_NO_FOCUS;
    game->map.names = app->options->names;
    wn_play_begin(&game->play, &app->link, &app->log, app->key_file, false, world, way);
    wn_app_show(app, &wn_screen_game, game);
}

static void leave(wn_app *app)
{
    wn_game *game = app->state;
    wn_play_free(&game->play);
    wn_map_free(&game->map);
    free(game);
    app->state = NULL;
}

/* drawing */

static void draw_title(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    char text[2 * WN_TEXT_BYTES], remarks[64];
    const char *region = replica == NULL ? NULL : wn_map_region_title(&game->map, replica);
    wn_play_remarks(&game->play, "  ", remarks, sizeof remarks);
    snprintf(text, sizeof text, "%s  %s%s%s%s", game->play.name, game->play.title, remarks, region == NULL ? "" : "  ",
             region == NULL ? "" : region);
    wn_app_title(app, text);
}

static void draw_prompt(wn_app *app, const wn_game *game, const char *keys)
{
    const wn_replica *replica = wn_play_replica(&game->play);
    const int y = getmaxy(stdscr) - 1, width = getmaxx(stdscr) - 1;
    char text[WN_TEXT_BYTES + 128];
    if (replica == NULL) {
        return;
    }
    snprintf(text, sizeof text, " %s: %s", replica->mode->actions[game->play.asked_action]->name, keys);
    wn_paint_line(&app->paint, stdscr, y, 0, width, WN_STYLE_KEY, text);
}

/* Messages give way to parts of the map where there are some: not all of it fits into 80 columns. */
static void draw_hints(wn_app *app, const wn_game *game)
{
    char help[32], other[32], chat[32], out[32];
    const wn_replica *replica = wn_play_replica(&game->play);
    const bool parts = replica != NULL && replica->region_count > 0;
    wn_play_first_key(&game->play, WN_DO_HELP, help, sizeof help);
    wn_play_first_key(&game->play, parts ? WN_DO_REGION : WN_DO_MESSAGES, other, sizeof other);
    wn_play_first_key(&game->play, WN_DO_CHAT, chat, sizeof chat);
    wn_play_first_key(&game->play, WN_DO_LEAVE, out, sizeof out);
    const char *const looking = game->play.watching ? "Arrows" : ""; /* a hint without a key is left out */
    const char *const hints[] = {looking, "look around", help,   "help", "Esc",
                                 "menu",  chat,          "chat", other,  parts ? "part" : "messages",
                                 out,     "leave",       NULL};
    wn_app_hints(app, hints);
}

/* Of the result's box, or of the mode's banner in its place. */
static void draw_result_hints(wn_app *app, const wn_game *game)
{
    const bool ended = game->play.ended;
    const char *const more = wn_play_may_have_another(&game->play) ? "n" : "";
    const char *const hints[] = {more,          "another like it", "Enter", "world list", ended ? "" : "Esc",
                                 "look around", ended ? "q" : "",  "quit",  NULL};
    wn_app_hints(app, hints);
}

static bool is_away(const wn_app *app)
{
    return app->link.stopping || wn_client_get_state(app->link.client) != WN_CLIENT_CONNECTED;
}

static void draw_bottom(wn_app *app, const wn_game *game)
{
    const wn_rect row = game->layout.bottom;
    if (game->play.focus == WN_IN_CHAT) {
        wn_app_edit(app, "Say: ", &game->play.chat);
    } else if (game->layout.tight && is_away(app)) {
        wn_app_bar(app, row.y); /* no other line has it */
    } else if (game->play.focus == WN_ASKED_AGAIN && game->play.again.stage != WN_REENTRY_ENDED) {
        wn_game_draw_question(app);
    } else if (game->play.focus == WN_IN_RESULT) {
        draw_result_hints(app, game);
    } else if (game->play.focus == WN_DIRECTING) {
        draw_prompt(app, game, "which direction? (Esc: none)");
    } else if (game->play.focus == WN_AIMING) {
        draw_prompt(app, game, "where? Arrows move, Enter chooses, Esc leaves it");
    } else if (!game->layout.tight || (!wn_app_bar(app, row.y) && !wn_scene_last_message(app, row))) {
        draw_hints(app, game);
    }
}

static void draw_view(wn_app *app, wn_game *game, const wn_replica *replica)
{
    char key[WN_KEY_NAME_BYTES];
    if (replica != NULL) {
        const wn_replica shown = wn_play_shown(&game->play, replica);
        game->map.cursor = game->play.cursor;
        wn_scene_place(&game->map, &game->layout, &shown);
        wn_play_first_key(&game->play, WN_DO_MESSAGES, key, sizeof key);
        wn_scene_draw(app, &game->map, &game->layout, &shown, key);
    }
    if (!game->layout.tight) {
        draw_title(app, game, replica);
    }
}

static void draw(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    draw_view(app, game, replica);
    if (replica != NULL || game->play.returning || game->play.focus == WN_IN_RESULT ||
        game->play.again.stage != WN_REENTRY_OFF) {
        draw_bottom(app, game);
    }
    wn_game_draw_boxes(app);
}

/* events and time */

static void event(wn_app *app, const wn_event *event)
{
    wn_game *game = app->state;
    const wn_play_news news = wn_play_take(&game->play, event, app->now);
    const wn_replica *replica = wn_client_replica(app->link.client, game->play.world);
    if (news.another != 0) {
        wn_game_open(app, news.another, game->play.way);
        return;
    }
    if (news.ends) {
        draw_view(app, game, replica); /* it stays behind the box */
    }
    if (news.arrives) {
        game->map.pan_y = game->map.pan_x = 0;
    }
    if (news.alert && app->options->bell) {
        beep();
    }
    if (!news.updated) {
        return;
    }
    wn_banner_take(&game->banner.banner, replica);
    if (event->update != NULL) {
        wn_map_effects(&game->map, event->update, app->now);
    }
}

static void tick(wn_app *app)
{
    wn_game *game = app->state;
    wn_app_wake_at(app, wn_map_tick(&game->map, app->now));
    wn_app_wake_at(app, wn_play_tick(&game->play, app->now));
}

static void forget(wn_app *app)
{
    wn_game *game = app->state;
    wn_map_forget(&game->map);
}

const wn_screen wn_screen_game = {
    .draw = draw, .key = wn_game_key, .event = event, .tick = tick, .forget = forget, .leave = leave};
