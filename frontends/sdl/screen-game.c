/* screen-game.c: the game: map, panel, messages, and the bars around them. See game.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game.h"
#include "key.h"

/* opening */

/* A view has come, perhaps of another mode. */
static void begin_view(wn_app *app, wn_game *game)
{
    const wn_replica *replica = wn_play_replica(&game->play);
    if (replica == NULL) {
        return;
    }
    wn_scene_begin(&game->view, app, replica->mode);
    if (replica->ready) {
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
    wn_scene_init(&game->view);
    wn_play_begin(&game->play, &app->link, &app->log, app->key_file, true, world, way);
    wn_app_show(app, &wn_screen_game, game);
    begin_view(app, game);
}

static void drop_picture(wn_game *game)
{
    if (game->last_picture != NULL) {
        SDL_DestroyTexture(game->last_picture);
    }
    game->last_picture = NULL;
}

static void leave(wn_app *app)
{
    wn_game *game = app->state;
    wn_game_end_film(app);
    wn_play_free(&game->play);
    wn_scene_free(&game->view);
    wn_sheet_free(&game->sheet);
    drop_picture(game);
    free(game);
    app->state = NULL;
}

/* drawing */

/* drawing */

static int draw_title(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    char text[2 * WN_TEXT_BYTES], remarks[64];
    const char *region = replica == NULL ? NULL : wn_board_region_title(&game->view.board, replica);
    wn_play_remarks(&game->play, "   ", remarks, sizeof remarks);
    snprintf(text, sizeof text, "%s   %s%s%s%s%s", game->play.title, game->play.name, remarks,
             region == NULL ? "" : "   ", region == NULL ? "" : region,
             game->film != NULL ? "   \xe2\x97\x8f recording" : "");
    return wn_app_title(app, text);
}

static uint32_t code_of_key(const wn_game *game, uint32_t command)
{
    char name[WN_KEY_NAME_BYTES];
    wn_bindings_keys(&game->play.bindings, true, command, 0, false, name, sizeof name);
    return wn_key_parse(name, strcspn(name, " "));
}

/* Without a key that is bound, parts of the map, or anything to be inside of, a hint is left out. */
static int draw_hints(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    static const struct {
        wn_frontend_command command;
        const char *text;
    } shown[] = {{WN_DO_HELP, "help"},         {WN_DO_MENU, "menu"},
                 {WN_DO_VIEW, NULL},           {WN_DO_CHAT, "chat"},
                 {WN_DO_MESSAGES, "messages"}, {WN_DO_SCORES, "scores"},
                 {WN_DO_REGION, "part"},       {WN_DO_PREFERENCES, "preferences"},
                 {WN_DO_LEAVE, "leave"}};
    enum { SHOWN = sizeof shown / sizeof *shown };
    char keys[SHOWN][WN_KEY_NAME_BYTES];
    wn_hint hints[SHOWN + 1];
    size_t count = 0;
    if (game->play.watching) {
        hints[count++] = (wn_hint){"Arrows", "look around", WN_KEY_NONE};
    }
    for (size_t i = 0; i < SHOWN; i++) {
        const char *text = shown[i].text != NULL ? shown[i].text : game->view.first_person ? "from above" : "inside";
        if (shown[i].command == WN_DO_REGION && (replica == NULL || replica->region_count == 0)) {
            continue;
        }
        if (shown[i].command == WN_DO_VIEW && (replica == NULL || !wn_first_person_suits(replica->mode))) {
            continue;
        }
        wn_play_first_key(&game->play, shown[i].command, keys[i], sizeof keys[i]);
        hints[count++] = (wn_hint){keys[i], text, code_of_key(game, shown[i].command)};
    }
    return wn_app_hints(app, hints, count);
}

/* Of the result's sheet, or of the mode's banner in its place. */
static int draw_result_hints(wn_app *app, const wn_game *game)
{
    const bool ended = game->play.ended;
    const wn_hint hints[] = {{wn_play_may_have_another(&game->play) ? "n" : "", "another like it", 'n'},
                             {"Enter", "world list", WN_KEY_ENTER},
                             {ended ? "" : "Esc", "look around", WN_KEY_ESCAPE},
                             {ended ? "q" : "", "quit", 'q'}};
    return wn_app_hints(app, hints, sizeof hints / sizeof *hints);
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
    if (cursor) {
        wn_ink_area(ink, (SDL_Rect){x - shift + caret, y, wn_ink_units(ink, 2), wn_ink_line(ink, WN_STYLE_BODY)},
                    WN_INK_KEY, 255);
    }
    wn_ink_clip(ink, NULL);
    return height;
}

static int draw_bottom(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    char question[64];
    if (game->play.focus == WN_IN_CHAT) {
        return draw_line(app, "Say:", game->play.chat.text, true, game->play.chat.cursor);
    }
    wn_reentry_question(&game->play.again, question, sizeof question);
    if (game->play.focus == WN_ASKED_AGAIN && game->play.again.stage == WN_REENTRY_WRITING) {
        return draw_line(app, question, game->play.again.message.text, true, game->play.again.message.cursor);
    }
    if (game->play.focus == WN_ASKED_AGAIN && question[0] != '\0') {
        return draw_line(app, question, game->play.hides_again ? "Esc: show it again" : "", false, 0);
    }
    if ((game->play.focus == WN_DIRECTING || game->play.focus == WN_AIMING) && replica != NULL) {
        return draw_line(app, replica->mode->actions[game->play.asked_action]->name,
                         game->play.focus == WN_DIRECTING
                             ? "which direction? (Esc: none)"
                             : "where? Arrows or the mouse move, Enter or a click chooses, Esc leaves it",
                         false, 0);
    }
    return game->play.focus == WN_IN_RESULT ? draw_result_hints(app, game) : draw_hints(app, game, replica);
}

/* The name of what is under the pointer. */
static void draw_hover(wn_app *app, const wn_game *game, const wn_replica *replica)
{
    const wn_ink *ink = &app->ink;
    const uint32_t cell = game->view.board.hover;
    if (cell >= replica->width * replica->height || game->play.focus <= WN_LAST_BOX || app->pointer_x < 0) {
        if (game->play.focus != WN_PLAYING || cell >= replica->width * replica->height) {
            return;
        }
    }
    char text[2 * WN_TEXT_BYTES];
    const uint32_t tile = replica->cells[cell] / 2u;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < replica->sprite_count && used < sizeof text / 2; i++) {
        const wn_sprite_state *sprite = &replica->sprites[i];
        if (sprite->at != cell || sprite->tile >= replica->mode->n_tiles) {
            continue;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s, ", replica->mode->tiles[sprite->tile]->name,
                                 sprite->label[0] == '\0' ? "" : " ", sprite->label);
    }
    if (tile < replica->mode->n_tiles) {
        snprintf(text + used, sizeof text - used, "%s%s", replica->mode->tiles[tile]->name,
                 replica->cells[cell] % 2u != 0 ? " (remembered)" : "");
    }
    const int pad = wn_ink_units(ink, 6), line = wn_ink_line(ink, WN_STYLE_SMALL);
    const int width = wn_ink_width(ink, WN_STYLE_SMALL, text) + 2 * pad;
    const SDL_Rect at = wn_board_place(&game->view.board, cell);
    int x = at.x + at.w + pad, y = at.y - line - pad;
    if (x + width > game->view.map.x + game->view.map.w) {
        x = at.x - width - pad;
    }
    y = y < game->view.map.y ? at.y + at.h + pad : y;
    if (text[0] == '\0') {
        return;
    }
    wn_ink_area(ink, (SDL_Rect){x, y, width, line + pad / 2}, WN_INK_PANEL, 235);
    wn_ink_text(ink, WN_STYLE_SMALL, x + pad, y + pad / 4, width, WN_INK_TEXT, text);
}

static void film_frame(wn_app *app, wn_game *game)
{
    wn_error error;
    if (game->film == NULL || wn_film_add(game->film, app->ink.renderer, app->now)) {
        return;
    }
    wn_film_end(game->film, app->now, &error);
    game->film = NULL;
    wn_app_note(app, "%s", error.text);
}

/* The view goes: what it looks like is kept, to be shown until there is another one. */
static void keep_picture(wn_app *app, wn_game *game, const wn_replica *replica)
{
    SDL_Renderer *renderer = app->ink.renderer;
    const int bar = wn_app_bar_height(app);
    drop_picture(game);
    if (replica == NULL || app->window.width <= 0 || app->window.height <= 0) {
        return;
    }
    game->last_picture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET,
                                           app->window.width, app->window.height);
    if (game->last_picture == NULL || SDL_SetRenderTarget(renderer, game->last_picture) != 0) {
        return;
    }
    wn_ink_area(&app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height}, WN_INK_NIGHT, 255);
    wn_scene_draw(&game->view, app, replica, bar, bar);
    SDL_SetRenderTarget(renderer, NULL);
}

static void draw_scene(wn_app *app, wn_game *game, const wn_replica *replica, int top, int bottom)
{
    if (replica == NULL) {
        SDL_Rect rect = {0, top, app->window.width, app->window.height - top - bottom};
        if (game->last_picture != NULL) {
            SDL_RenderCopy(app->ink.renderer, game->last_picture, &rect, &rect);
        }
        return;
    }
    game->view.board.cursor = game->play.cursor;
    const wn_replica shown = wn_play_shown(&game->play, replica);
    drop_picture(game);
    wn_scene_draw(&game->view, app, &shown, top, bottom);
    if (replica->ready) {
        draw_hover(app, game, replica);
    }
}

static void draw(wn_app *app)
{
    static const char looking[] = "n: another like it   Enter: world list   Esc: look around";
    wn_game *game = app->state;
    const wn_replica *replica = wn_play_replica(&game->play);
    const int top = draw_title(app, game, replica), bottom = draw_bottom(app, game, replica);
    draw_scene(app, game, replica, top, bottom);
    if (game->play.focus == WN_ASKED_AGAIN ||
        (game->play.focus == WN_IN_RESULT && wn_another_speaks(&game->play.another))) {
        game->view.banner_shown = false;
    } else {
        wn_scene_banner(&game->view, app, replica, game->play.focus == WN_IN_RESULT ? looking : NULL);
    }
    wn_game_draw_sheet(app);
    film_frame(app, game);
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
        keep_picture(app, game, replica);
        game->was_inside = game->view.first_person;
    }
    if (news.arrives) {
        game->view.board.region = 0;
        wn_viewport_recentre(&game->view.board.view);
    }
    if (news.begins) {
        begin_view(app, game);
    }
    if (news.arrives) {
        game->view.first_person = !game->play.watching && game->was_inside;
    }
    if (news.updated) {
        wn_scene_take(&game->view, app, replica, event->update);
    }
}

static void tick(wn_app *app)
{
    wn_game *game = app->state;
    wn_app_wake_at(app, wn_play_tick(&game->play, app->now));
}

static void forget(wn_app *app)
{
    wn_game *game = app->state;
    drop_picture(game);
    const wn_replica *replica = wn_play_replica(&game->play);
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
