/* screen-game.c: the game: map, panel, messages on top, and what the daemon tells of the world. See game.h. */
#include "game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "key.h"

enum { WAITING_LEAST = 4 }; /* commands; fewer are under way whenever a key is held down, and would flicker */

const wn_replica *wn_game_replica(const wn_app *app)
{
    const wn_game *game = app->state;
    return game->ended ? NULL : wn_client_replica(app->link.client, game->world);
}

/* opening */

static void bind_keys(wn_app *app, wn_game *game, const Warren__Mode *mode)
{
    const size_t told = app->key_file == NULL ? 0 : app->key_file->problem_count;
    wn_bindings_make(&game->bindings, mode, app->key_file);
    for (size_t i = told; app->key_file != NULL && i < app->key_file->problem_count; i++)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, app->key_file->problems[i]);
}

void wn_game_read_replica(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_client_replica(app->link.client, game->world);
    if (replica == NULL)
        return;
    const Warren__Mode *mode = replica->mode;
    snprintf(game->name, sizeof game->name, "%s", replica->name == NULL ? "" : replica->name);
    snprintf(game->title, sizeof game->title, "%s", wn_mode_title(mode));
    game->watching = replica->seat < 0;
    bind_keys(app, game, mode);
}

void wn_game_open(wn_app *app, uint32_t world, uint32_t way)
{
    wn_game *game = calloc(1, sizeof *game);
    if (game == NULL) {
        app->quit = true;
        return;
    }
    game->world = world;
    game->way = way;
    game->layout.may_tighten = true;
    game->map.cursor = WN_NO_FOCUS;
    game->map.names = app->options->names;
    wn_log_clear(&app->log);
    for (size_t i = 0; app->key_file != NULL && i < app->key_file->problem_count; i++)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, app->key_file->problems[i]);
    wn_link_tell_problem(&app->link, &app->log);
    wn_app_show(app, &wn_screen_game, game);
    wn_game_read_replica(app);
}

static void leave(wn_app *app)
{
    wn_game *game = app->state;
    wn_bindings_free(&game->bindings);
    wn_map_free(&game->map);
    wn_lines_free(&game->result);
    wn_reentry_end(&game->again, false);
    free(game->last_fields);
    free(game);
    app->state = NULL;
}

/* drawing */

static void draw_title(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    char text[2 * WN_TEXT_BYTES];
    const uint32_t pending = replica == NULL ? 0 : wn_client_pending(app->link.client, game->world);
    char waiting[32] = "";
    if (pending >= WAITING_LEAST)
        snprintf(waiting, sizeof waiting, "  (%u waiting)", pending);
    const char *region = replica == NULL ? NULL : wn_map_region_title(&game->map, replica);
    snprintf(text, sizeof text, "%s  %s%s%s%s%s%s", game->name, game->title, game->watching ? "  (watching)" : "",
             game->world_over ? "  (over)" : "", waiting, region == NULL ? "" : "  ", region == NULL ? "" : region);
    wn_app_title(app, text);
}

static void draw_prompt(wn_app *app, const wn_game *game, const char *keys)
{
    const wn_replica *replica = wn_game_replica(app);
    const int y = getmaxy(stdscr) - 1, width = getmaxx(stdscr) - 1;
    char text[WN_TEXT_BYTES + 128];
    if (replica == NULL)
        return;
    snprintf(text, sizeof text, " %s: %s", replica->mode->actions[game->asked_action]->name, keys);
    wn_paint_line(&app->paint, stdscr, y, 0, width, WN_STYLE_KEY, text);
}

void wn_game_draw_edit(wn_app *app, const char *label, const wn_edit *edit)
{
    const int y = getmaxy(stdscr) - 1, width = getmaxx(stdscr) - 1;
    size_t first;
    int column;
    wn_paint_line(&app->paint, stdscr, y, 0, width, WN_STYLE_PLAIN, "");
    const int used = wn_paint_text(&app->paint, stdscr, y, 1, width - 1, WN_STYLE_KEY, label);
    const int room = width - used - 2;
    wn_edit_window(edit, room, &first, &column);
    wn_paint_line(&app->paint, stdscr, y, 1 + used, room, WN_STYLE_INPUT, edit->text + first);
    app->cursor_y = y;
    app->cursor_x = 1 + used + column;
}

static void first_key(const wn_game *game, uint32_t command, char *text, size_t size)
{
    wn_bindings_keys(&game->bindings, true, command, 0, true, text, size);
    text[strcspn(text, " ")] = '\0';
}

/* Messages give way to parts of the map where there are some: not all of it fits into 80 columns. */
static void draw_hints(wn_app *app, const wn_game *game)
{
    char help[32], other[32], chat[32], out[32];
    const wn_replica *replica = wn_game_replica(app);
    const bool parts = replica != NULL && replica->region_count > 0;
    first_key(game, WN_DO_HELP, help, sizeof help);
    first_key(game, parts ? WN_DO_REGION : WN_DO_MESSAGES, other, sizeof other);
    first_key(game, WN_DO_CHAT, chat, sizeof chat);
    first_key(game, WN_DO_LEAVE, out, sizeof out);
    const char *const looking = game->watching ? "Arrows" : ""; /* a hint without a key is left out */
    const char *const hints[] = {looking, "look around", help,   "help", "Esc",
                                 "menu",  chat,          "chat", other,  parts ? "part" : "messages",
                                 out,     "leave",       NULL};
    wn_app_hints(app, hints);
}

static bool is_away(const wn_app *app)
{
    return app->link.stopping || wn_client_get_state(app->link.client) != WN_CLIENT_CONNECTED;
}

static void draw_bottom(wn_app *app, const wn_game *game)
{
    const wn_rect row = game->layout.bottom;
    if (game->focus == WN_IN_CHAT)
        wn_game_draw_edit(app, "Say: ", &game->chat);
    else if (game->layout.tight && is_away(app))
        wn_app_bar(app, row.y); /* no other line has it */
    else if (game->focus == WN_ASKED_AGAIN && game->again.stage != WN_REENTRY_ENDED)
        wn_again_draw_question(app);
    else if (game->focus == WN_DIRECTING)
        draw_prompt(app, game, "which direction? (Esc: none)");
    else if (game->focus == WN_AIMING)
        draw_prompt(app, game, "where? Arrows move, Enter chooses, Esc leaves it");
    else if (!game->layout.tight || (!wn_app_bar(app, row.y) && !wn_scene_last_message(app, row)))
        draw_hints(app, game);
}

static void draw(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    if (replica != NULL) {
        const wn_replica shown = wn_again_shown(game, replica);
        wn_scene_place(&game->map, &game->layout, &shown);
        wn_scene_draw(app, &game->map, &game->layout, &shown);
    }
    if (!game->layout.tight)
        draw_title(app, game, replica);
    if (replica != NULL || game->returning || game->again.stage != WN_REENTRY_OFF)
        draw_bottom(app, game);
    wn_game_draw_boxes(app);
}

/* events */

static void end_game(wn_app *app, wn_game *game, const char *reason)
{
    wn_reentry_end(&game->again, false);
    wn_game_set_result(app, reason[0] == '\0' ? "The game has ended." : reason);
    draw(app); /* the last of the replica, behind the box */
    game->ended = true;
    game->returning = false;
    wn_game_open_box(app, WN_IN_RESULT);
}

static void take_update(wn_app *app, wn_game *game, const Warren__Update *update)
{
    if (game->returning)
        wn_again_arrive(app);
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL)
        return;
    if (game->name[0] == '\0')
        wn_game_read_replica(app);
    if (wn_log_take(&app->log, replica) && app->options->bell)
        beep();
    if (replica->banner != NULL && replica->banner[0] == '\0')
        game->banner.hidden[0] = '\0'; /* the next one is a new one, whatever it says */
    if (update != NULL)
        wn_map_effects(&game->map, update, app->now);
}

static void take_end_of_world(wn_app *app, wn_game *game, const char *text)
{
    char both[2 * WN_TEXT_BYTES + 2];
    const char *why = text[0] == '\0' ? "This world is over." : text;
    snprintf(both, sizeof both, "%s%s%s", game->again.reason, game->again.reason[0] == '\0' ? "" : "\n", why);
    game->world_over = true;
    wn_reentry_end(&game->again, false);
    wn_game_set_result(app, both);
    wn_game_open_box(app, WN_IN_RESULT);
}

static void take_notice(wn_app *app, wn_game *game, const Warren__Notice *notice)
{
    const char *text = notice->text == NULL ? "" : notice->text;
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_STOPPING) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL,
                   text[0] == '\0' ? "The server is stopping." : text);
        return;
    }
    if ((notice->has_world && notice->world != game->world) ||
        notice->kind == WARREN__NOTICE_KIND__NOTICE_WATCHERS) /* the replica has it */
        return;
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_OVER) {
        take_end_of_world(app, game, text);
        return;
    }
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED && !game->watching && !game->world_over &&
        wn_game_replica(app) != NULL) {
        wn_again_begin(app, text[0] == '\0' ? "The game has ended." : text);
        return;
    }
    end_game(app, game,
             text[0] != '\0'                                            ? text
             : notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED ? "This world was closed."
                                                                        : "");
}

static void event(wn_app *app, const wn_event *event)
{
    wn_game *game = app->state;
    if (game->ended && !game->returning && game->again.stage == WN_REENTRY_OFF)
        return;
    if (wn_again_event(app, event))
        return;
    switch (event->kind) {
    case WN_EVENT_UPDATE:
        if (event->world == game->world)
            take_update(app, game, event->update);
        return;
    case WN_EVENT_NOTICE:
        if (event->reply != NULL && event->reply->body_case == WARREN__REPLY__BODY_NOTICE)
            take_notice(app, game, event->reply->notice);
        return;
    case WN_EVENT_ERROR:
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_BAD, NULL, event->error.text);
        return;
    case WN_EVENT_REJOINED:
        if (event->world != game->world)
            return;
        wn_game_read_replica(app);
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL,
                   "The server had forgotten this session; the world was joined again.");
        return;
    case WN_EVENT_GONE:
        if (event->world == game->world)
            end_game(app, game, event->error.text);
        return;
    default:
        return;
    }
}

static void tick(wn_app *app)
{
    wn_game *game = app->state;
    wn_app_wake_at(app, wn_map_tick(&game->map, app->now));
    wn_reentry_tick(&game->again, app->now);
    if (game->again.stage == WN_REENTRY_ENDED)
        wn_app_wake_at(app, game->again.asks_at);
}

static void forget(wn_app *app)
{
    wn_game *game = app->state;
    wn_map_forget(&game->map);
}

const wn_screen wn_screen_game = {
    .draw = draw, .key = wn_game_key, .event = event, .tick = tick, .forget = forget, .leave = leave};
