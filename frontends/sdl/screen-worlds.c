/* screen-worlds.c: the list of worlds to choose from, and what stands over it: ways to enter, servers, what went wrong.
 * What it holds and what keys do is lobby.h's part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "key.h"
#include "lobby.h"
#include "sheet.h"

enum { ROW = 30 };

typedef struct worlds {
    wn_lobby lobby;
    size_t top; /* the first row in sight */
    wn_sheet sheet;
    wn_lobby_focus shown; /* what the sheet was opened for */
    SDL_Rect rows;        /* where they were drawn last */
    int row_height;
} worlds;

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
    wn_sheet_free(&state->sheet);
    free(state);
    app->state = NULL;
}

/* drawing the list */

/* Widths in hundredths of the list, and from which width on (unscaled) a column is shown. */
static const struct {
    int share, from;
    bool right;
} columns[WN_WORLD_COLUMNS] = {
    [WN_WORLD_NAME] = {30, 0, false},       [WN_WORLD_MODE] = {14, 0, false}, [WN_WORLD_PLAYERS] = {12, 0, false},
    [WN_WORLD_WATCHERS] = {12, 640, false}, [WN_WORLD_AGE] = {8, 0, false},   [WN_WORLD_STATE] = {12, 480, false},
    [WN_WORLD_OWNER] = {18, 760, false},
};

/* Without a world: their titles. */
static void draw_columns(const wn_app *app, SDL_Rect rect, const wn_world_list *list, const Warren__WorldInfo *world,
                         uint32_t colour)
{
    const wn_ink *ink = &app->ink;
    const wn_style style = world == NULL ? WN_STYLE_SMALL : WN_STYLE_BODY;
    const int pad = wn_ink_units(ink, 10), y = rect.y + (rect.h - wn_ink_line(ink, style)) / 2;
    const int unscaled = (int)((float)rect.w / ink->scale);
    int whole = 0, x = rect.x + pad;
    for (int i = 0; i < WN_WORLD_COLUMNS; i++) {
        whole += unscaled >= columns[i].from ? columns[i].share : 0;
    }
    for (int i = 0; i < WN_WORLD_COLUMNS; i++) {
        char text[WN_WORLD_COLUMN_BYTES];
        const int width = unscaled >= columns[i].from ? (rect.w - 2 * pad) * columns[i].share / whole : 0;
        if (width == 0) {
            continue;
        }
        if (world == NULL) {
            snprintf(text, sizeof text, "%s", wn_world_column_title((wn_world_column)i));
        } else {
            wn_world_column_text(list, world, (wn_world_column)i, text, sizeof text);
        }
        wn_ink_text(ink, i == WN_WORLD_NAME && world != NULL ? WN_STYLE_BOLD : style, x, y, width - pad, colour, text);
        x += width;
    }
}

static void draw_rows(const wn_app *app, worlds *state, SDL_Rect rect)
{
    const wn_ink *ink = &app->ink;
    const wn_world_list *list = &state->lobby.list;
    const int height = wn_ink_units(ink, ROW);
    const size_t count = rect.h < height ? 1 : (size_t)(rect.h / height);
    state->lobby.page = (int)count;
    if (list->selected < state->top) {
        state->top = list->selected;
    }
    if (list->selected >= state->top + count) {
        state->top = list->selected - count + 1;
    }
    state->rows = rect;
    state->row_height = height;
    for (size_t i = 0; i < count && state->top + i < list->row_count; i++) {
        const SDL_Rect row = {rect.x, rect.y + (int)i * height, rect.w, height - wn_ink_units(ink, 2)};
        const Warren__WorldInfo *world = list->rows[state->top + i];
        const bool selected = state->top + i == list->selected;
        wn_ink_area(ink, row, selected ? WN_INK_SELECTED : WN_INK_PANEL, selected ? 255 : 160);
        draw_columns(app, row, list, world, wn_world_ended(world) ? WN_INK_DIM : WN_INK_TEXT);
    }
    if (list->row_count == 0) {
        wn_ink_text(ink, WN_STYLE_BODY, rect.x + wn_ink_units(ink, 10), rect.y + wn_ink_units(ink, 8), rect.w,
                    WN_INK_DIM, wn_lobby_no_rows(&state->lobby));
    }
}

static void draw_about(const wn_app *app, const wn_lobby *lobby, SDL_Rect rect)
{
    static const uint32_t colours[] = {[WN_LOBBY_ABOUT_NOTHING] = WN_INK_DIM,
                                       [WN_LOBBY_ABOUT_BUSY] = WN_INK_SYSTEM,
                                       [WN_LOBBY_ABOUT_FILTER] = WN_INK_KEY,
                                       [WN_LOBBY_ABOUT_NAME] = WN_INK_SYSTEM,
                                       [WN_LOBBY_ABOUT_WORLD] = WN_INK_DIM};
    char text[WN_TEXT_BYTES + 64], line[WN_TEXT_BYTES + 80];
    wn_lobby_about about = wn_lobby_get_about(lobby, text, sizeof text);
    if (lobby->behind == WN_LOBBY_FILTER) {
        about = WN_LOBBY_ABOUT_FILTER;
        snprintf(text, sizeof text, "only those with \"%s_\"", lobby->list.filter.text);
    }
    snprintf(line, sizeof line, "%s%s", text, about == WN_LOBBY_ABOUT_BUSY ? "\xe2\x80\xa6" : "");
    wn_ink_text(&app->ink, WN_STYLE_BODY, rect.x, rect.y, rect.w, colours[about], line);
}

/* sheets over it */

static void fill_ways(const wn_lobby *lobby, wn_sheet *sheet)
{
    for (size_t i = 0; i < lobby->asked_mode->n_entries; i++) {
        wn_sheet_add_way(sheet, lobby->asked_mode, i);
    }
}

static void fill_servers(const wn_lobby *lobby, wn_sheet *sheet)
{
    const wn_servers *servers = &lobby->servers;
    for (size_t i = 0; i < servers->count; i++) {
        wn_sheet_add_pick(sheet, (int)i, servers->items[i].address, wn_server_about(&servers->items[i]));
    }
    wn_sheet_add_pick(sheet, (int)servers->count, "Another address\xe2\x80\xa6", "");
    sheet->selected = (int)servers->selected;
}

static void fill_address(const wn_lobby *lobby, wn_sheet *sheet)
{
    wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_DIM,
                 "warren://HOST[:PORT], tcp://HOST:PORT, ipc://PATH or a directory with the daemon's sockets");
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_MONO, WN_INK_KEY, "%.*s_%s", (int)lobby->address.cursor, lobby->address.text,
                 lobby->address.text + lobby->address.cursor);
}

static void fill_help(const wn_lobby *lobby, wn_sheet *sheet)
{
    const wn_key_help *help;
    (void)lobby;
    for (size_t i = 0; (help = wn_lobby_help(i)) != NULL; i++) {
        wn_sheet_add_key(sheet, help->keys, help->text);
    }
    wn_sheet_add_key(sheet, "F11", "full screen, or a window");
    wn_sheet_add_key(sheet, "F12", "save a picture of this");
}

static void fill_trouble(const wn_lobby *lobby, wn_sheet *sheet)
{
    wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_BAD, "%s", lobby->entry.trouble);
}

static const struct {
    const char *title, *footer;
    void (*fill)(const wn_lobby *lobby, wn_sheet *sheet); /* NULL: there is no sheet */
} sheets[] = {
    [WN_LOBBY_LIST] = {NULL, NULL, NULL},
    [WN_LOBBY_FILTER] = {NULL, NULL, NULL},
    [WN_LOBBY_HELP] = {"Keys", "Esc closes", fill_help},
    [WN_LOBBY_WAYS] = {"How to enter", "Enter chooses, Esc: back", fill_ways},
    [WN_LOBBY_SERVERS] = {"Servers", "Enter goes there, f makes it a favourite or none, Esc closes", fill_servers},
    [WN_LOBBY_ADDRESS] = {"Another server", "Enter goes there, Esc goes back", fill_address},
    [WN_LOBBY_TROUBLE] = {"That was not possible", "any key goes on", fill_trouble},
};

/* The sheet says what the lobby has by now: before it is drawn, and before it gets a key or a click. NULL: there is
 * none. */
static wn_sheet *fill_sheet(worlds *state)
{
    const wn_lobby_focus focus = wn_lobby_get_focus(&state->lobby);
    if (focus != state->shown && sheets[focus].fill != NULL) {
        wn_sheet_open(&state->sheet, sheets[focus].title, sheets[focus].footer, 520);
    }
    state->shown = focus;
    if (sheets[focus].fill == NULL) {
        return NULL;
    }
    wn_sheet_clear(&state->sheet);
    sheets[focus].fill(&state->lobby, &state->sheet);
    return &state->sheet;
}

static void draw(wn_app *app)
{
    static const wn_hint hints[] = {{"Enter", "join", WN_KEY_ENTER},
                                    {"w", "watch", 'w'},
                                    {"e", "enter how", 'e'},
                                    {"c", "create", 'c'},
                                    {"s", "servers", 's'},
                                    {"/", "filter", '/'},
                                    {"r", "refresh", 'r'},
                                    {"F1", "help", WN_KEY_F1},
                                    {"F11", "full screen", WN_KEY_F1 + 10},
                                    {"q", "quit", 'q'}};
    worlds *state = app->state;
    const wn_ink *ink = &app->ink;
    char title[320];
    snprintf(title, sizeof title, "Warren   %s", wn_link_server(&app->link));
    const int top = wn_app_title(app, title), bottom = wn_app_hints(app, hints, sizeof hints / sizeof *hints);
    const int pad = wn_ink_units(ink, 24), width = app->window.width;
    const int most = wn_ink_units(ink, 1100);
    SDL_Rect rect = {pad, top + pad, width - 2 * pad, app->window.height - top - bottom - 2 * pad};
    if (rect.w > most) {
        rect = (SDL_Rect){(width - most) / 2, rect.y, most, rect.h};
    }
    wn_ink_text(ink, WN_STYLE_TITLE, rect.x, rect.y, rect.w, WN_INK_TITLE, "Worlds");
    const int heading = wn_ink_line(ink, WN_STYLE_TITLE) + wn_ink_units(ink, 8), line = wn_ink_line(ink, WN_STYLE_BODY);
    draw_about(app, &state->lobby, (SDL_Rect){rect.x, rect.y + heading, rect.w, line});
    const int above = heading + line + wn_ink_units(ink, 10), titles = wn_ink_units(ink, 22);
    draw_columns(app, (SDL_Rect){rect.x, rect.y + above, rect.w, titles}, NULL, NULL, WN_INK_DIM);
    draw_rows(app, state,
              (SDL_Rect){rect.x, rect.y + above + titles + wn_ink_units(ink, 4), rect.w,
                         rect.h - above - titles - wn_ink_units(ink, 4)});
    wn_sheet *sheet = fill_sheet(state);
    if (sheet != NULL) {
        wn_sheet_draw(sheet, ink, (SDL_Rect){0, 0, width, app->window.height}, NULL, NULL);
    }
}

/* keys */

static void connect_to(wn_app *app, wn_lobby *lobby)
{
    wn_error error;
    if (!wn_app_connect(app, lobby->address.text, &error)) {
        wn_lobby_fail(lobby, error.text); /* else this screen is no more */
    }
}

/* What means nothing to the lobby: the window's keys, and choosing a line of the sheet. */
static void own_key(wn_app *app, worlds *state, uint32_t key)
{
    const wn_lobby_focus focus = wn_lobby_get_focus(&state->lobby);
    if (key == WN_KEY_F1 + 10 && focus == WN_LOBBY_LIST) {
        wn_app_set_full(app, !app->window.full);
    }
    const bool scrolls = focus == WN_LOBBY_WAYS || focus == WN_LOBBY_HELP;
    const int pick = scrolls ? wn_sheet_key(fill_sheet(state), key) : WN_SHEET_NOTHING;
    if (pick >= 0) {
        wn_lobby_key(&state->lobby, (uint32_t)pick);
    }
}

static void key(wn_app *app, uint32_t key, bool repeated)
{
    worlds *state = app->state;
    wn_lobby *lobby = &state->lobby;
    (void)repeated;
    if (key == WN_KEY_F12) {
        wn_app_take_picture(app);
        return;
    }
    switch (wn_lobby_key(lobby, key)) {
    case WN_LOBBY_STAYS:
        state->sheet.reveal = true;
        return;
    case WN_LOBBY_UNKNOWN:
        own_key(app, state, key);
        return;
    case WN_LOBBY_CREATES:
        wn_create_open(app);
        return;
    case WN_LOBBY_CONNECTS:
        connect_to(app, lobby);
        return;
    case WN_LOBBY_QUITS:
        app->quit = true;
        return;
    }
}

/* the pointer */

static void sheet_pointer(wn_app *app, worlds *state, wn_sheet *sheet, const wn_pointer *pointer)
{
    if (pointer->kind == WN_POINTER_MOVE) {
        wn_sheet_hover(sheet, pointer->x, pointer->y);
    }
    if (state->shown == WN_LOBBY_SERVERS) {
        state->lobby.servers.selected = (size_t)sheet->selected;
    }
    if (pointer->kind == WN_POINTER_WHEEL) {
        wn_sheet_wheel(sheet, &app->ink, pointer->amount);
    }
    if (pointer->kind != WN_POINTER_PRESS) {
        return;
    }
    const int pick = wn_sheet_click(sheet, pointer->x, pointer->y);
    if (pick == WN_SHEET_CLOSED || state->shown == WN_LOBBY_TROUBLE) {
        key(app, WN_KEY_ESCAPE, false);
    } else if (state->shown == WN_LOBBY_SERVERS && pick >= 0) {
        state->lobby.servers.selected = (size_t)pick;
        key(app, WN_KEY_ENTER, false);
    } else if (state->shown == WN_LOBBY_WAYS && pick >= 0) {
        key(app, (uint32_t)pick, false);
    }
}

static void pointer(wn_app *app, const wn_pointer *pointer)
{
    worlds *state = app->state;
    wn_world_list *list = &state->lobby.list;
    wn_sheet *sheet = fill_sheet(state);
    const SDL_Point at = {pointer->x, pointer->y};
    if (sheet != NULL) {
        sheet_pointer(app, state, sheet, pointer);
        return;
    }
    if (pointer->kind == WN_POINTER_WHEEL) {
        wn_world_list_move(list, pointer->amount > 0 ? -1 : 1);
    }
    if (pointer->kind != WN_POINTER_PRESS || state->row_height == 0 || !SDL_PointInRect(&at, &state->rows)) {
        return;
    }
    const size_t row = state->top + (size_t)((pointer->y - state->rows.y) / state->row_height);
    if (row >= list->row_count) {
        return;
    }
    list->selected = row;
    if (pointer->clicks >= 2) {
        wn_lobby_join(&state->lobby, false);
    }
}

/* events and time */

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
    wn_app_wake_at(app, wn_lobby_tick(&state->lobby, app->now, !app->hidden));
}

const wn_screen wn_screen_worlds = {
    .draw = draw, .key = key, .pointer = pointer, .event = event, .tick = tick, .leave = leave};
