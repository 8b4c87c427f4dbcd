/* screen-worlds.c: the list of worlds to choose from, and what stands over it: ways to enter, servers, what went wrong.
 * What it holds and what keys do is lobby.h's part. */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "lobby.h"
#include "text.h"

enum { FIRST_ROW = 3, WIDEST = 60 };

typedef struct worlds {
    wn_lobby lobby;
    size_t top;   /* the first row in sight */
    int help_top; /* likewise, of the help */
} worlds;

static int list_rows(void)
{
    return getmaxy(stdscr) - FIRST_ROW - 2;
}

void wn_worlds_open(wn_app *app, const char *trouble)
{
    worlds *state = calloc(1, sizeof *state);
    if (state == NULL) {
        app->quit = true;
        return;
    }
    wn_app_show(app, &wn_screen_worlds, state);
    wn_lobby_begin(&state->lobby, &app->link, trouble, app->now);
}

static void leave(wn_app *app)
{
    worlds *state = app->state;
    wn_lobby_free(&state->lobby);
    free(state);
    app->state = NULL;
}

/* drawing the list */

static const struct {
    int width;
    int from; /* columns of the window from which on it is shown */
} columns[WN_WORLD_COLUMNS] = {
    [WN_WORLD_NAME] = {0, 0}, [WN_WORLD_MODE] = {10, 0},   [WN_WORLD_PLAYERS] = {9, 0},  [WN_WORLD_WATCHERS] = {10, 64},
    [WN_WORLD_AGE] = {6, 0},  [WN_WORLD_STATE] = {10, 52}, [WN_WORLD_OWNER] = {34, 110},
};

static int width_of(int which, int whole)
{
    if (which != WN_WORLD_NAME) {
        return whole >= columns[which].from ? columns[which].width : 0;
    }
    int left = whole - 2;
    for (int i = 1; i < WN_WORLD_COLUMNS; i++) {
        left -= width_of(i, whole);
    }
    return left < WN_NAME_BYTES + 4 ? left : WN_NAME_BYTES + 4;
}

static void draw_heading(wn_app *app, int whole)
{
    int x = 1;
    wn_paint_line(&app->paint, stdscr, FIRST_ROW - 1, 0, whole, WN_STYLE_PLAIN, "");
    for (int i = 0; i < WN_WORLD_COLUMNS; i++) {
        const int width = width_of(i, whole);
        wn_paint_text(&app->paint, stdscr, FIRST_ROW - 1, x, width, WN_STYLE_HEADING,
                      wn_world_column_title((wn_world_column)i));
        x += width;
    }
}

static void draw_row(wn_app *app, const wn_world_list *list, size_t index, int y, int whole)
{
    const Warren__WorldInfo *world = list->rows[index];
    const wn_style style = index == list->selected ? WN_STYLE_SELECTED
                           : wn_world_ended(world) ? WN_STYLE_DIM
                                                   : WN_STYLE_PLAIN;
    char text[WN_WORLD_COLUMN_BYTES];
    int x = 1;
    wn_paint_line(&app->paint, stdscr, y, 0, whole, style, "");
    for (int i = 0; i < WN_WORLD_COLUMNS; i++) {
        const int width = width_of(i, whole);
        wn_world_column_text(list, world, (wn_world_column)i, text, sizeof text);
        if (width > 1) {
            wn_paint_text(&app->paint, stdscr, y, x, width - 1, style, text);
        }
        x += width;
    }
}

static void draw_about(wn_app *app, const worlds *state, int whole)
{
    char text[WN_TEXT_BYTES + 64];
    const wn_lobby_about about = wn_lobby_get_about(&state->lobby, text, sizeof text);
    const bool shown = about != WN_LOBBY_ABOUT_FILTER || state->lobby.behind != WN_LOBBY_FILTER;
    wn_paint_line(&app->paint, stdscr, 1, 0, whole, WN_STYLE_PLAIN, "");
    if (shown) {
        wn_paint_format(&app->paint, stdscr, 1, 1, whole - 1,
                        about == WN_LOBBY_ABOUT_BUSY || about == WN_LOBBY_ABOUT_NAME ? WN_STYLE_SYSTEM : WN_STYLE_DIM,
                        "%s%s", text, about == WN_LOBBY_ABOUT_BUSY ? wn_paint_dots(&app->paint) : "");
    }
}

static void draw_rows(wn_app *app, worlds *state, int whole)
{
    wn_world_list *list = &state->lobby.list;
    const size_t rows = (size_t)list_rows();
    state->lobby.page = list_rows();
    if (list->selected < state->top) {
        state->top = list->selected;
    }
    if (list->selected >= state->top + rows) {
        state->top = list->selected - rows + 1;
    }
    for (size_t i = 0; i < rows; i++) {
        const int y = FIRST_ROW + (int)i;
        if (state->top + i < list->row_count) {
            draw_row(app, list, state->top + i, y, whole);
        } else {
            wn_paint_line(&app->paint, stdscr, y, 0, whole, WN_STYLE_PLAIN, "");
        }
    }
    if (list->row_count == 0) {
        wn_paint_text(&app->paint, stdscr, FIRST_ROW + 1, 1, whole - 2, WN_STYLE_DIM, wn_lobby_no_rows(&state->lobby));
    }
}

static void draw_bottom(wn_app *app, const worlds *state)
{
    static const char *const hints[] = {"Enter", "join",      "c",     "create",  "q",      "quit", "F1",
                                        "help",  "w",         "watch", "/",       "filter", "s",    "servers",
                                        "e",     "enter how", "r",     "refresh", NULL};
    wn_paint_line(&app->paint, stdscr, getmaxy(stdscr) - 2, 0, getmaxx(stdscr), WN_STYLE_PLAIN, "");
    if (state->lobby.behind == WN_LOBBY_FILTER) {
        wn_app_edit(app, "Show only: ", &state->lobby.list.filter);
    } else if (state->lobby.behind == WN_LOBBY_ADDRESS) {
        wn_app_edit(app, "Go to: ", &state->lobby.address);
    } else {
        wn_app_hints(app, hints);
    }
}

/* boxes over it */

static int box_width(void)
{
    return wn_box_columns() < WIDEST ? wn_box_columns() : WIDEST;
}

static void fill_ways(const wn_lobby *lobby, wn_lines *lines)
{
    for (size_t i = 0; i < lobby->asked_mode->n_entries; i++) {
        wn_lines_add_way(lines, lobby->asked_mode, i);
    }
}

static void fill_servers(const wn_lobby *lobby, wn_lines *lines)
{
    int widest = 0;
    for (size_t i = 0; i < lobby->servers.count; i++) {
        const int width = wn_text_width(lobby->servers.items[i].address);
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < lobby->servers.count; i++) {
        const wn_server *server = &lobby->servers.items[i];
        wn_lines_add(lines, WN_STYLE_PLAIN, "%s%*s  %s", server->address, widest - wn_text_width(server->address), "",
                     wn_server_about(server));
    }
    wn_lines_add(lines, WN_STYLE_PLAIN, "Another address");
}

static void fill_help(const wn_lobby *lobby, wn_lines *lines)
{
    const wn_key_help *help;
    (void)lobby;
    for (size_t i = 0; (help = wn_lobby_help(i)) != NULL; i++) {
        wn_lines_add_key(lines, 13, help->keys, help->text);
    }
}

static void fill_trouble(const wn_lobby *lobby, wn_lines *lines)
{
    wn_lines_wrap(lines, WN_STYLE_BAD, box_width(), lobby->entry.trouble);
}

static void fill_address(const wn_lobby *lobby, wn_lines *lines)
{
    (void)lobby;
    wn_lines_wrap(lines, WN_STYLE_PLAIN, box_width(),
                  "warren://HOST[:PORT], tcp://HOST:PORT, ipc://PATH or a directory with the daemon's sockets");
}

static void draw_box(wn_app *app, worlds *state)
{
    static const struct {
        const char *title, *footer;
        void (*fill)(const wn_lobby *lobby, wn_lines *lines); /* NULL: there is no box */
    } boxes[] = {[WN_LOBBY_LIST] = {NULL, NULL, NULL},
                 [WN_LOBBY_FILTER] = {NULL, NULL, NULL},
                 [WN_LOBBY_HELP] = {"Keys", "Esc closes", fill_help},
                 [WN_LOBBY_WAYS] = {"How to enter", "a key enters, Esc: back", fill_ways},
                 [WN_LOBBY_SERVERS] = {"Servers", "Enter goes there, f: favourite or none, Esc closes", fill_servers},
                 [WN_LOBBY_ADDRESS] = {"Another server", "Enter goes there, Esc: back", fill_address},
                 [WN_LOBBY_TROUBLE] = {"That was not possible", "any key goes on", fill_trouble}};
    const wn_lobby *lobby = &state->lobby;
    const wn_lobby_focus focus = wn_lobby_get_focus(lobby);
    wn_lines lines = {0};
    if (focus != WN_LOBBY_HELP) {
        state->help_top = 0;
    }
    if (boxes[focus].fill == NULL) {
        wn_box_close(&app->box);
        return;
    }
    wn_box_view view = {.title = boxes[focus].title,
                        .footer = boxes[focus].footer,
                        .top = state->help_top,
                        .selected = focus == WN_LOBBY_SERVERS ? (int)lobby->servers.selected : -1};
    boxes[focus].fill(lobby, &lines);
    wn_box_draw(&app->box, &app->paint, &lines, &view);
    state->help_top = focus == WN_LOBBY_HELP ? view.top : 0;
    wn_lines_free(&lines);
}

static void draw(wn_app *app)
{
    worlds *state = app->state;
    const int whole = getmaxx(stdscr);
    char title[320];
    snprintf(title, sizeof title, "Warren  %s", wn_link_server(&app->link));
    wn_app_title(app, title);
    draw_about(app, state, whole);
    draw_heading(app, whole);
    draw_rows(app, state, whole);
    draw_bottom(app, state);
    draw_box(app, state);
}

/* keys, events and time */

/* A click selects; one on what is selected joins it. */
static void click(worlds *state, int y)
{
    wn_world_list *list = &state->lobby.list;
    const size_t row = (size_t)(y - FIRST_ROW) + state->top;
    if (y < FIRST_ROW || y >= FIRST_ROW + list_rows() || row >= list->row_count) {
        return;
    }
    if (row == list->selected) {
        wn_lobby_join(&state->lobby, false);
    }
    list->selected = row;
}

static void connect_to(wn_app *app, wn_lobby *lobby)
{
    wn_error error;
    if (!wn_app_connect(app, lobby->address.text, &error)) {
        wn_lobby_fail(lobby, error.text); /* else this screen is no more */
    }
}

static void key(wn_app *app, const wn_input *input)
{
    worlds *state = app->state;
    if (input->key == WN_KEY_MOUSE && wn_lobby_get_focus(&state->lobby) == WN_LOBBY_LIST) {
        click(state, input->y);
        return;
    }
    switch (wn_lobby_key(&state->lobby, input->key)) {
    case WN_LOBBY_CREATES:
        wn_create_open(app);
        return;
    case WN_LOBBY_CONNECTS:
        connect_to(app, &state->lobby);
        return;
    case WN_LOBBY_QUITS:
        app->quit = true;
        return;
    default:
        state->help_top += wn_box_scroll(input->key);
        return;
    }
}

static void event(wn_app *app, const wn_event *event)
{
    worlds *state = app->state;
    const wn_entered entered = wn_lobby_take(&state->lobby, event);
    if (entered.world == 0) {
        return;
    }
    wn_game_open(app, entered.world, entered.way);
    if (entered.went_back) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, wn_entry_greeting(&entered));
    }
}

static void tick(wn_app *app)
{
    worlds *state = app->state;
    wn_app_wake_at(app, wn_lobby_tick(&state->lobby, app->now, true));
}

const wn_screen wn_screen_worlds = {.draw = draw, .key = key, .event = event, .tick = tick, .leave = leave};
