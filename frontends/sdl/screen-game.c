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
    return game->ended ? NULL : wn_client_replica(app->link.client, game->world);
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

void wn_game_read_replica(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_client_replica(app->link.client, game->world);
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

void wn_game_open(wn_app *app, uint32_t world, uint32_t way)
{
    wn_game *game = calloc(1, sizeof *game);
    if (game == NULL) {
        app->quit = true;
        return;
    }
    game->world = world;
    game->way = way;
    game->bindings.window = true;
    wn_scene_init(&game->view);
    wn_log_clear(&app->log);
    for (size_t i = 0; i < app->key_file->problem_count; i++)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, app->key_file->problems[i]);
    wn_link_tell_problem(&app->link, &app->log);
    wn_app_show(app, &wn_screen_game, game);
    wn_game_read_replica(app);
}

static void drop_picture(wn_game *game)
{
    if (game->last_picture != NULL)
        SDL_DestroyTexture(game->last_picture);
    game->last_picture = NULL;
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
    free(game->last_fields);
    wn_reentry_end(&game->again, false);
    drop_picture(game);
    free(game);
    app->state = NULL;
}

/* drawing */

static int draw_title(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    char text[2 * WN_TEXT_BYTES];
    const uint32_t pending = replica == NULL ? 0 : wn_client_pending(app->link.client, game->world);
    char waiting[32] = "";
    if (pending >= WAITING_LEAST)
        snprintf(waiting, sizeof waiting, "   (%u waiting)", pending);
    const char *region = replica == NULL ? NULL : wn_board_region_title(&game->view.board, replica);
    snprintf(text, sizeof text, "%s   %s%s%s%s%s%s%s", game->title, game->name, game->watching ? "   (watching)" : "",
             game->world_over ? "   (over)" : "", waiting, region == NULL ? "" : "   ", region == NULL ? "" : region,
             game->film != NULL ? "   \xe2\x97\x8f recording" : "");
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

/* Without a key that is bound, or parts of the map, a hint is left out. */
static int draw_hints(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    static const struct {
        wn_frontend_command command;
        const char *text;
    } shown[] = {{WN_DO_HELP, "help"},
                 {WN_DO_MENU, "menu"},
                 {WN_DO_CHAT, "chat"},
                 {WN_DO_MESSAGES, "messages"},
                 {WN_DO_SCORES, "scores"},
                 {WN_DO_REGION, "part"},
                 {WN_DO_PREFERENCES, "preferences"},
                 {WN_DO_LEAVE, "leave"}};
    enum { SHOWN = sizeof shown / sizeof *shown };
    char keys[SHOWN][WN_KEY_NAME_BYTES];
    wn_hint hints[SHOWN + 1];
    size_t count = 0;
    if (game->watching)
        hints[count++] = (wn_hint){"Arrows", "look around", WN_KEY_NONE};
    for (size_t i = 0; i < SHOWN; i++) {
        if (shown[i].command == WN_DO_REGION && (replica == NULL || replica->region_count == 0))
            continue;
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
    char question[64];
    if (game->focus == WN_IN_CHAT)
        return draw_line(app, "Say:", game->chat.text, true, game->chat.cursor);
    wn_reentry_question(&game->again, question, sizeof question);
    if (game->focus == WN_ASKED_AGAIN && game->again.stage == WN_REENTRY_WRITING)
        return draw_line(app, question, game->again.message.text, true, game->again.message.cursor);
    if (game->focus == WN_ASKED_AGAIN && question[0] != '\0')
        return draw_line(app, question, game->hides_again ? "Esc: show it again" : "", false, 0);
    if ((game->focus == WN_DIRECTING || game->focus == WN_AIMING) && replica != NULL)
        return draw_line(app, replica->mode->actions[game->asked_action]->name,
                         game->focus == WN_DIRECTING
                             ? "which direction? (Esc: none)"
                             : "where? Arrows or the mouse move, Enter or a click chooses, Esc leaves it",
                         false, 0);
    return draw_hints(app, game, replica);
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

void wn_game_keep_picture(wn_app *app)
{
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    SDL_Renderer *renderer = app->ink.renderer;
    const int bar = wn_app_bar_height(app);
    drop_picture(game);
    if (replica == NULL || app->window.width <= 0 || app->window.height <= 0)
        return;
    game->last_picture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET,
                                           app->window.width, app->window.height);
    if (game->last_picture == NULL || SDL_SetRenderTarget(renderer, game->last_picture) != 0)
        return;
    wn_ink_area(&app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height}, WN_INK_NIGHT, 255);
    wn_scene_draw(&game->view, app, replica, bar, bar);
    SDL_SetRenderTarget(renderer, NULL);
}

static void draw_scene(wn_app *app, wn_game *game, const wn_replica *replica, int top, int bottom)
{
    if (replica == NULL) {
        SDL_Rect rect = {0, top, app->window.width, app->window.height - top - bottom};
        if (game->last_picture != NULL)
            SDL_RenderCopy(app->ink.renderer, game->last_picture, &rect, &rect);
        return;
    }
    const wn_replica shown = wn_again_shown(game, replica);
    drop_picture(game);
    wn_scene_draw(&game->view, app, &shown, top, bottom);
    if (replica->ready)
        draw_hover(app, game, replica);
}

static void draw(wn_app *app)
{
    static const char looking[] = "Enter: world list   Esc: look around";
    wn_game *game = app->state;
    const wn_replica *replica = wn_game_replica(app);
    const int top = draw_title(app, game, replica), bottom = draw_bottom(app, game, replica);
    draw_scene(app, game, replica, top, bottom);
    if (game->focus == WN_ASKED_AGAIN)
        game->view.banner_shown = false;
    else
        wn_scene_banner(&game->view, app, replica, game->focus == WN_IN_RESULT ? looking : NULL);
    wn_game_draw_sheet(app);
    film_frame(app, game);
}

/* events */

static void end_game(wn_app *app, wn_game *game, const char *reason)
{
    wn_reentry_end(&game->again, false);
    wn_game_set_result(app, reason[0] == '\0' ? "Your place in this world has ended." : reason);
    wn_game_keep_picture(app);
    game->ended = true;
    game->returning = false;
    wn_game_open_sheet(app, WN_IN_RESULT);
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
    wn_log_take(&app->log, replica);
    wn_scene_take(&game->view, app, replica, update);
}

static void take_end_of_world(wn_app *app, wn_game *game, const char *text)
{
    char both[2 * WN_TEXT_BYTES + 2];
    const char *why = text[0] == '\0' ? "This world is over." : text;
    snprintf(both, sizeof both, "%s%s%s", game->again.reason, game->again.reason[0] == '\0' ? "" : "\n", why);
    game->world_over = true;
    wn_reentry_end(&game->again, false);
    wn_game_set_result(app, both);
    wn_game_open_sheet(app, WN_IN_RESULT);
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
        take_end_of_world(app, game, text);
        return;
    }
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED && !game->watching && !game->world_over &&
        wn_game_replica(app) != NULL) {
        wn_again_begin(app, text[0] == '\0' ? "Your place in this world has ended." : text);
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
    const wn_reentry_stage stage = game->again.stage;
    wn_reentry_tick(&game->again, app->now);
    app->dirty = app->dirty || game->again.stage != stage;
    if (game->again.stage == WN_REENTRY_ENDED)
        wn_app_wake_at(app, game->again.asks_at);
}

static void forget(wn_app *app)
{
    wn_game *game = app->state;
    drop_picture(game);
    const wn_replica *replica = wn_game_replica(app);
    wn_scene_forget(&game->view, app, replica == NULL ? NULL : replica->mode);
    wn_viewport_set_zoom(&game->view.board.view, (double)wn_ink_units(&app->ink, app->preferences.zoom));
}

const wn_screen wn_screen_game = {.draw = draw,
                                  .key = wn_game_key,
                                  .pointer = wn_game_pointer,
                                  .pad = wn_game_pad,
                                  .event = event,
                                  .tick = tick,
                                  .forget = forget,
                                  .leave = leave};
