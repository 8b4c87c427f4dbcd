/* screen-game.c: the game: map, panel, messages, and what the daemon tells of the world. See game.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "game.h"
#include "key.h"
#include "world-list.h"

enum { WAITING_LEAST = 4 }; /* commands; fewer are under way whenever a key is held down, and would flicker */

const wn_replica *wn_game_replica(const wn_app *app)
{
    const wn_game *game = app->state;
    return game->ended ? NULL : wn_client_replica(app->client, game->world);
}

/* opening */

void wn_game_bind(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    const size_t told = app->key_file->problem_count;
    wn_bindings_make(&game->bindings, replica == NULL ? NULL : replica->mode, app->key_file);
    for (size_t i = told; i < app->key_file->problem_count; i++)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, app->key_file->problems[i]);
}

static void read_replica(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_client_replica(app->client, game->world);
    if (replica == NULL)
        return;
    snprintf(game->name, sizeof game->name, "%s", replica->name == NULL ? "" : replica->name);
    snprintf(game->title, sizeof game->title, "%s", wn_mode_title(replica->mode));
    game->watching = replica->seat < 0;
    wn_game_bind(app);
    wn_scene_begin(&game->view, app, replica->mode);
    if (replica->ready) {
        wn_log_take(&app->log, replica);
        wn_scene_take(&game->view, app, replica, NULL);
    }
}

void wn_game_open(wn_app *app, uint32_t world)
{
    wn_game *game = calloc(1, sizeof *game);
    if (game == NULL) {
        app->quit = true;
        return;
    }
    game->world = world;
    game->bindings.window = true;
    wn_scene_init(&game->view);
    wn_log_clear(&app->log);
    for (size_t i = 0; i < app->key_file->problem_count; i++)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, app->key_file->problems[i]);
    if (app->session_problem.text[0] != '\0')
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, app->session_problem.text);
    app->session_problem.text[0] = '\0';
    wn_app_show(app, &wn_screen_game, game);
    read_replica(app);
}

static void leave(wn_app *app)
{
    wn_game *game = app->state;
    wn_error error;
    if (game->film != NULL)
        wn_film_end(game->film, app->now, &error);
    wn_bindings_free(&game->bindings);
    wn_scene_free(&game->view);
    wn_sheet_free(&game->sheet);
    free(game->result);
    if (game->ended_mode != NULL)
        warren__mode__free_unpacked(game->ended_mode, NULL);
    free(game);
    app->state = NULL;
}

/* drawing */

static int draw_title(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    char text[2 * WN_TEXT_BYTES];
    const uint32_t pending = replica == NULL ? 0 : wn_client_pending(app->client, game->world);
    char waiting[32] = "";
    if (pending >= WAITING_LEAST)
        snprintf(waiting, sizeof waiting, "   (%u waiting)", pending);
    snprintf(text, sizeof text, "%s   %s%s%s%s%s", game->title, game->name, game->watching ? "   (watching)" : "",
             game->world_over ? "   (over)" : "", waiting, game->film != NULL ? "   \xe2\x97\x8f recording" : "");
    return wn_app_title(app, text);
}

static void first_key(const wn_game *game, uint32_t command, char *text, size_t size)
{
    wn_bindings_keys(&game->bindings, true, command, 0, true, text, size);
    text[strcspn(text, " ")] = '\0';
}

static uint32_t code_of_key(const wn_game *game, uint32_t command)
{
    char name[WN_KEY_NAME_BYTES];
    wn_bindings_keys(&game->bindings, true, command, 0, false, name, sizeof name);
    return wn_key_parse(name, strcspn(name, " "));
}

static int draw_hints(wn_app *app, const wn_game *game)
{
    static const struct {
        wn_frontend_command command;
        const char *text;
    } shown[] = {{WN_DO_HELP, "help"},         {WN_DO_MENU, "menu"},     {WN_DO_CHAT, "chat"},
                 {WN_DO_MESSAGES, "messages"}, {WN_DO_SCORES, "scores"}, {WN_DO_PREFERENCES, "preferences"},
                 {WN_DO_LEAVE, "leave"}};
    enum { SHOWN = sizeof shown / sizeof *shown };
    char keys[SHOWN][WN_KEY_NAME_BYTES];
    wn_hint hints[SHOWN + 1];
    size_t count = 0;
    if (game->watching)
        hints[count++] = (wn_hint){"Arrows", "look around", WN_KEY_NONE};
    for (size_t i = 0; i < SHOWN; i++) {
        first_key(game, shown[i].command, keys[i], sizeof keys[i]);
        hints[count++] = (wn_hint){keys[i], shown[i].text, code_of_key(game, shown[i].command)};
    }
    return wn_app_hints(app, hints, count);
}

/* What stands in the bottom bar instead of the hints: something is asked. */
static int draw_line(wn_app *app, const char *label, const char *text, bool cursor, size_t at)
{
    const wn_ink *ink = &app->ink;
    const int height = wn_app_bar_height(app), pad = wn_ink_units(ink, 12), top = app->window.height - height;
    const int y = top + (height - wn_ink_line(ink, WN_STYLE_BODY)) / 2, width = app->window.width - 2 * pad;
    char before[WN_EDIT_BYTES + 1];
    wn_ink_area(ink, (SDL_Rect){0, top, app->window.width, height}, WN_INK_RAISED, 255);
    int x = pad + wn_ink_text(ink, WN_STYLE_BOLD, pad, y, width, WN_INK_KEY, label) + pad / 2;
    snprintf(before, sizeof before, "%.*s", (int)at, text);
    const int caret = wn_ink_width(ink, WN_STYLE_BODY, before), room = pad + width - x;
    const int shift = caret > room - pad ? caret - room + pad : 0;
    const SDL_Rect clip = {x, top, room, height};
    wn_ink_clip(ink, &clip);
    wn_ink_text(ink, WN_STYLE_BODY, x - shift, y, 1 << 20, WN_INK_TEXT, text);
    if (cursor)
        wn_ink_area(ink, (SDL_Rect){x - shift + caret, y, wn_ink_units(ink, 2), wn_ink_line(ink, WN_STYLE_BODY)},
                    WN_INK_KEY, 255);
    wn_ink_clip(ink, NULL);
    return height;
}

static int draw_bottom(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    if (game->focus == WN_IN_CHAT)
        return draw_line(app, "Say:", game->chat.text, true, game->chat.cursor);
    if ((game->focus == WN_DIRECTING || game->focus == WN_AIMING) && replica != NULL)
        return draw_line(app, replica->mode->actions[game->asked_action]->name,
                         game->focus == WN_DIRECTING
                             ? "which direction? (Esc: none)"
                             : "where? Arrows or the mouse move, Enter or a click chooses, Esc leaves it",
                         false, 0);
    return draw_hints(app, game);
}

/* The name of what is under the pointer. */
static void draw_hover(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    const wn_ink *ink = &app->ink;
    const uint32_t cell = game->view.board.hover;
    if (cell >= replica->width * replica->height || game->focus <= WN_LAST_SHEET || app->pointer_x < 0)
        if (game->focus != WN_PLAYING || cell >= replica->width * replica->height)
            return;
    char text[2 * WN_TEXT_BYTES];
    const uint32_t tile = replica->cells[cell] / 2u;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < replica->sprite_count && used < sizeof text / 2; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        if (sprite->at != cell || sprite->tile >= replica->mode->n_tiles)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s, ", replica->mode->tiles[sprite->tile]->name,
                                 sprite->label[0] == '\0' ? "" : " ", sprite->label);
    }
    if (tile < replica->mode->n_tiles)
        snprintf(text + used, sizeof text - used, "%s%s", replica->mode->tiles[tile]->name,
                 replica->cells[cell] % 2u != 0 ? " (remembered)" : "");
    const int pad = wn_ink_units(ink, 6), line = wn_ink_line(ink, WN_STYLE_SMALL);
    const int width = wn_ink_width(ink, WN_STYLE_SMALL, text) + 2 * pad;
    const SDL_Rect at = wn_board_place(&game->view.board, cell);
    int x = at.x + at.w + pad, y = at.y - line - pad;
    if (x + width > game->view.map.x + game->view.map.w)
        x = at.x - width - pad;
    y = y < game->view.map.y ? at.y + at.h + pad : y;
    if (text[0] == '\0')
        return;
    wn_ink_area(ink, (SDL_Rect){x, y, width, line + pad / 2}, WN_INK_PANEL, 235);
    wn_ink_text(ink, WN_STYLE_SMALL, x + pad, y + pad / 4, width, WN_INK_TEXT, text);
}

static void film_frame(wn_app *app, wn_game *game)
{
    wn_error error;
    if (game->film == NULL || wn_film_add(game->film, app->ink.renderer, app->now))
        return;
    wn_film_end(game->film, app->now, &error);
    game->film = NULL;
    wn_app_note(app, "%s", error.text);
}

static void draw(wn_app *app)
{
    static const char looking[] = "Enter: world list   Esc: look around";
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    const int top = draw_title(app, game, replica), bottom = draw_bottom(app, game, replica);
    if (replica != NULL) {
        wn_scene_draw(&game->view, app, replica, top, bottom);
        if (replica->ready)
            draw_hover(app, game, replica);
    }
    wn_scene_banner(&game->view, app, replica, game->focus == WN_IN_RESULT ? looking : NULL);
    wn_game_draw_sheet(app);
    film_frame(app, game);
}

/* events */

/* `back`: one may enter again. */
static void end_game(wn_app *app, wn_game *game, const char *reason, bool back)
{
    const wn_replica *replica = wn_game_replica(app);
    if (back && replica != NULL && game->ended_mode == NULL)
        game->ended_mode = (Warren__Mode *)wn_message_copy(&replica->mode->base);
    wn_game_set_result(app, reason[0] == '\0' ? "Your place in this world has ended." : reason);
    game->ended = true;
    wn_game_open_sheet(app, WN_IN_RESULT);
}

static void take_update(wn_app *app, wn_game *game, const Warren__Update *update)
{
    const wn_replica *replica = wn_game_replica(app);
    if (replica == NULL)
        return;
    if (game->name[0] == '\0')
        read_replica(app);
    wn_log_take(&app->log, replica);
    wn_scene_take(&game->view, app, replica, update);
}

static void take_notice(wn_app *app, wn_game *game, const Warren__Notice *notice)
{
    const char *text = notice->text == NULL ? "" : notice->text;
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_STOPPING) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL,
                   text[0] == '\0' ? "The server is stopping." : text);
        return;
    }
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_WATCHERS || (notice->has_world && notice->world != game->world))
        return;
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_OVER) {
        game->world_over = true;
        wn_game_set_result(app, text[0] == '\0' ? "This world is over." : text);
        wn_game_open_sheet(app, WN_IN_RESULT);
        return;
    }
    end_game(app, game,
             text[0] != '\0'                                            ? text
             : notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED ? "This world was closed."
                                                                        : "",
             notice->kind == WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED);
}

/* The answer to entering again, or to watching on. */
static void take_entry(wn_app *app, wn_game *game, const wn_event *event)
{
    if (event->request == 0 || event->request != game->entry_request)
        return;
    if (event->kind == WN_EVENT_REPLY && event->reply->body_case == WARREN__REPLY__BODY_JOINED)
        wn_game_open(app, event->reply->joined->world);
    else if (event->kind == WN_EVENT_ERROR)
        wn_game_set_result(app, event->error.text);
}

static void event(wn_app *app, const wn_event *event)
{
    wn_game *game = app->state;
    if (game->ended) {
        take_entry(app, game, event);
        return;
    }
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
        read_replica(app);
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL,
                   "The server had forgotten this session; the world was joined again.");
        return;
    case WN_EVENT_GONE:
        if (event->world == game->world)
            end_game(app, game, event->error.text, false);
        return;
    default:
        return;
    }
}

static void forget(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    wn_scene_forget(&game->view, app, replica == NULL ? NULL : replica->mode);
    wn_viewport_set_zoom(&game->view.board.view, (double)wn_ink_units(&app->ink, app->preferences.zoom));
}

const wn_screen wn_screen_game = {.draw = draw,
                                  .key = wn_game_key,
                                  .pointer = wn_game_pointer,
                                  .pad = wn_game_pad,
                                  .event = event,
                                  .forget = forget,
                                  .leave = leave};
