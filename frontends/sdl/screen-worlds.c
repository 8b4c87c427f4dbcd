/* screen-worlds.c: the list of worlds to choose from, and the servers. What the command line asks for, or the world of
 * a killed program, is on its way behind it: that ends in the game, or here with a sentence that says what went wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "discovery.h"
#include "entry.h"
#include "key.h"
#include "servers.h"
#include "sheet.h"
#include "world-list.h"

enum { REFRESH_MS = 3000, SOON_MS = 400, LISTEN_MS = 250, ROW = 30, FOUND = 32 };

typedef enum worlds_focus { IN_LIST, IN_FILTER, IN_TROUBLE, IN_SERVERS, IN_ADDRESS } worlds_focus;

typedef struct worlds {
    wn_world_list list;
    wn_entry entry;
    uint32_t list_request;
    int64_t next_refresh;
    size_t top;
    worlds_focus focus;
    wn_sheet sheet;
    wn_servers servers;
    wn_discovery *discovery; /* while the servers are shown; NULL: no network to ask */
    int64_t next_question;
    struct wn_found {
        char address[WN_ADDRESS_BYTES];
        char about[WN_NAME_BYTES + 48]; /* "on this network: attic, 3 worlds" */
    } found[FOUND];
    size_t found_count;
    wn_edit address;
    SDL_Rect rows; /* where they were drawn last */
    int row_height;
} worlds;

static void refresh_list(wn_app *app, worlds *state)
{
    state->list_request = wn_client_list_worlds(app->link.client);
    state->next_refresh = app->now + REFRESH_MS;
}

void wn_worlds_open(wn_app *app, const char *trouble)
{
    worlds *state = calloc(1, sizeof *state);
    if (state == NULL) {
        app->quit = true;
        return;
    }
    wn_world_list_init(&state->list);
    state->entry.client = app->link.client;
    if (trouble != NULL)
        snprintf(state->entry.trouble, sizeof state->entry.trouble, "%s", trouble);
    wn_app_show(app, &wn_screen_worlds, state);
    if (!app->link.asked)
        wn_entry_begin(&state->entry, &app->options->line);
    app->link.asked = true;
    refresh_list(app, state);
    state->next_refresh = app->now + SOON_MS; /* a world that was just left still counts us in its last turn */
}

static void leave(wn_app *app)
{
    worlds *state = app->state;
    wn_discovery_free(state->discovery);
    wn_entry_abandon(&state->entry);
    wn_world_list_free(&state->list);
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

static void draw_columns(const wn_app *app, SDL_Rect rect, const Warren__WorldInfo *world, uint32_t colour)
{
    const wn_ink *ink = &app->ink;
    const wn_style style = world == NULL ? WN_STYLE_SMALL : WN_STYLE_BODY;
    const int pad = wn_ink_units(ink, 10), y = rect.y + (rect.h - wn_ink_line(ink, style)) / 2;
    const int unscaled = (int)((float)rect.w / ink->scale);
    int whole = 0, x = rect.x + pad;
    for (int i = 0; i < WN_WORLD_COLUMNS; i++)
        whole += unscaled >= columns[i].from ? columns[i].share : 0;
    for (int i = 0; i < WN_WORLD_COLUMNS; i++) {
        char text[64];
        const int width = unscaled >= columns[i].from ? (rect.w - 2 * pad) * columns[i].share / whole : 0;
        if (width == 0)
            continue;
        if (world == NULL)
            snprintf(text, sizeof text, "%s", wn_world_column_title((wn_world_column)i));
        else
            wn_world_column_text(world, (wn_world_column)i, text, sizeof text);
        wn_ink_text(ink, i == WN_WORLD_NAME && world != NULL ? WN_STYLE_BOLD : style, x, y, width - pad, colour, text);
        x += width;
    }
}

static void draw_rows(const wn_app *app, worlds *state, SDL_Rect rect)
{
    const wn_ink *ink = &app->ink;
    const wn_world_list *list = &state->list;
    const int height = wn_ink_units(ink, ROW);
    const size_t count = rect.h < height ? 1 : (size_t)(rect.h / height);
    if (list->selected < state->top)
        state->top = list->selected;
    if (list->selected >= state->top + count)
        state->top = list->selected - count + 1;
    state->rows = rect;
    state->row_height = height;
    for (size_t i = 0; i < count && state->top + i < list->row_count; i++) {
        const SDL_Rect row = {rect.x, rect.y + (int)i * height, rect.w, height - wn_ink_units(ink, 2)};
        const Warren__WorldInfo *world = list->rows[state->top + i];
        const bool selected = state->top + i == list->selected;
        wn_ink_area(ink, row, selected ? WN_INK_SELECTED : WN_INK_PANEL, selected ? 255 : 160);
        draw_columns(app, row, world, wn_world_ended(world) ? WN_INK_DIM : WN_INK_TEXT);
    }
    if (list->row_count == 0)
        wn_ink_text(ink, WN_STYLE_BODY, rect.x + wn_ink_units(ink, 10), rect.y + wn_ink_units(ink, 8), rect.w,
                    WN_INK_DIM,
                    list->list == NULL        ? "asking for the worlds"
                    : list->filter.length > 0 ? "no world matches; Esc shows all"
                                              : "no worlds yet; press c to create one");
}

static void draw_about(const wn_app *app, const worlds *state, SDL_Rect rect)
{
    char text[WN_TEXT_BYTES + 64] = "";
    uint32_t colour = WN_INK_DIM;
    const Warren__WorldInfo *world = wn_world_list_selected(&state->list);
    if (state->focus == IN_FILTER || state->list.filter.length > 0) {
        snprintf(text, sizeof text, "only those with \"%s%s\"%s", state->list.filter.text,
                 state->focus == IN_FILTER ? "_" : "", state->focus == IN_FILTER ? "" : " (/ changes it)");
        colour = WN_INK_KEY;
    } else if (state->entry.busy[0] != '\0') {
        snprintf(text, sizeof text, "%s\xe2\x80\xa6", state->entry.busy);
        colour = WN_INK_SYSTEM;
    } else if (world != NULL && world->outcome != NULL && world->outcome[0] != '\0') {
        snprintf(text, sizeof text, "%s: %s", world->name, world->outcome);
    } else if (world != NULL && world->owner != NULL && world->owner[0] != '\0') {
        snprintf(text, sizeof text, "%s was created by %s", world->name, world->owner);
    }
    wn_ink_text(&app->ink, WN_STYLE_BODY, rect.x, rect.y, rect.w, colour, text);
}

/* sheets */

/* What an address on this network says of itself. */
static const char *about_found(const worlds *state, const char *address)
{
    for (size_t i = 0; i < state->found_count; i++) {
        if (strcmp(state->found[i].address, address) == 0)
            return state->found[i].about;
    }
    return "";
}

static void fill_servers(const wn_app *app, worlds *state)
{
    wn_sheet *sheet = &state->sheet;
    wn_servers_list(&state->servers, &app->preferences, app->link.shown_address);
    for (size_t i = 0; i < state->found_count; i++)
        wn_servers_add(&state->servers, state->found[i].address);
    for (size_t i = 0; i < state->servers.count; i++) {
        const wn_server *server = &state->servers.items[i];
        wn_sheet_add_pick(sheet, (int)i, server->address,
                          server->current     ? server->favourite ? "here, favourite" : "here"
                          : server->favourite ? "favourite"
                                              : about_found(state, server->address));
    }
    wn_sheet_add_pick(sheet, (int)state->servers.count, "Another address\xe2\x80\xa6", "");
}

static void fill_sheet(const wn_app *app, worlds *state)
{
    char text[WN_EDIT_BYTES + 8];
    wn_sheet_clear(&state->sheet);
    if (state->focus == IN_TROUBLE) {
        wn_sheet_add(&state->sheet, WN_STYLE_BODY, WN_INK_BAD, "%s", state->entry.trouble);
    } else if (state->focus == IN_SERVERS) {
        fill_servers(app, state);
    } else {
        wn_sheet_add(&state->sheet, WN_STYLE_BODY, WN_INK_DIM,
                     "warren://HOST[:PORT], tcp://HOST:PORT, ipc://PATH or a directory with the daemon's sockets");
        wn_sheet_gap(&state->sheet);
        snprintf(text, sizeof text, "%.*s_%s", (int)state->address.cursor, state->address.text,
                 state->address.text + state->address.cursor);
        wn_sheet_add(&state->sheet, WN_STYLE_MONO, WN_INK_KEY, "%s", text);
    }
}

static void open_sheet(const wn_app *app, worlds *state, worlds_focus which)
{
    static const struct {
        const char *title, *footer;
    } sheets[] = {[IN_TROUBLE] = {"That was not possible", "any key goes on"},
                  [IN_SERVERS] = {"Servers", "Enter goes there, f makes it a favourite or none, Esc closes"},
                  [IN_ADDRESS] = {"Another server", "Enter goes there, Esc goes back"}};
    state->focus = which;
    wn_sheet_open(&state->sheet, sheets[which].title, sheets[which].footer, 520);
    fill_sheet(app, state); /* keys may come before it is drawn */
}

static void draw(wn_app *app)
{
    static const wn_hint hints[] = {{"Enter", "join", WN_KEY_ENTER},
                                    {"w", "watch", 'w'},
                                    {"c", "create", 'c'},
                                    {"s", "servers", 's'},
                                    {"/", "filter", '/'},
                                    {"r", "refresh", 'r'},
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
    if (rect.w > most)
        rect = (SDL_Rect){(width - most) / 2, rect.y, most, rect.h};
    wn_ink_text(ink, WN_STYLE_TITLE, rect.x, rect.y, rect.w, WN_INK_TITLE, "Worlds");
    const int heading = wn_ink_line(ink, WN_STYLE_TITLE) + wn_ink_units(ink, 8), line = wn_ink_line(ink, WN_STYLE_BODY);
    draw_about(app, state, (SDL_Rect){rect.x, rect.y + heading, rect.w, line});
    const int above = heading + line + wn_ink_units(ink, 10), titles = wn_ink_units(ink, 22);
    draw_columns(app, (SDL_Rect){rect.x, rect.y + above, rect.w, titles}, NULL, WN_INK_DIM);
    draw_rows(app, state,
              (SDL_Rect){rect.x, rect.y + above + titles + wn_ink_units(ink, 4), rect.w,
                         rect.h - above - titles - wn_ink_units(ink, 4)});
    if (state->entry.trouble[0] != '\0' && state->focus != IN_TROUBLE)
        open_sheet(app, state, IN_TROUBLE);
    if (state->focus < IN_TROUBLE)
        return;
    fill_sheet(app, state);
    wn_sheet_draw(&state->sheet, ink, (SDL_Rect){0, 0, width, app->window.height}, NULL, NULL);
}

/* keys */

static void enter(worlds *state, bool watch)
{
    const Warren__WorldInfo *world = wn_world_list_selected(&state->list);
    if (world != NULL)
        wn_entry_join(&state->entry, world->name, watch);
}

static void connect_to(wn_app *app, worlds *state, const char *address)
{
    wn_error error;
    if (wn_app_connect(app, address, &error))
        return; /* this screen is no more */
    snprintf(state->entry.trouble, sizeof state->entry.trouble, "%s", error.text);
    open_sheet(app, state, IN_TROUBLE);
}

static void servers_pick(wn_app *app, worlds *state, int pick)
{
    if (pick < 0)
        return;
    if ((size_t)pick < state->servers.count) {
        connect_to(app, state, state->servers.items[pick].address);
        return;
    }
    open_sheet(app, state, IN_ADDRESS);
    wn_edit_start(&state->address, "warren://", WN_ADDRESS_BYTES - 1);
}

static void servers_key(wn_app *app, worlds *state, uint32_t key)
{
    if (key == 'f') {
        const int pick = wn_sheet_selected(&state->sheet);
        if (pick >= 0 && (size_t)pick < state->servers.count) {
            wn_preferences_favour(&app->preferences, state->servers.items[pick].address);
            wn_app_keep_preferences(app);
        }
        return;
    }
    const int pick = wn_sheet_key(&state->sheet, key);
    if (pick == WN_SHEET_CLOSED)
        state->focus = IN_LIST;
    else
        servers_pick(app, state, pick);
}

static void address_key(wn_app *app, worlds *state, uint32_t key)
{
    if (key == WN_KEY_ESCAPE)
        open_sheet(app, state, IN_SERVERS);
    else if (key == WN_KEY_ENTER)
        connect_to(app, state, state->address.text);
    else
        wn_edit_key(&state->address, key);
}

static void filter_key(worlds *state, uint32_t key)
{
    if (key == WN_KEY_ENTER || key == WN_KEY_ESCAPE)
        state->focus = IN_LIST;
    if (key != WN_KEY_ENTER)
        wn_world_list_filter(&state->list, key);
}

static bool move_key(worlds *state, uint32_t key)
{
    static const struct {
        uint32_t key;
        int by;
    } moves[] = {{WN_KEY_UP, -1},
                 {'k', -1},
                 {WN_KEY_KP0 + 8, -1},
                 {WN_KEY_DOWN, 1},
                 {'j', 1},
                 {WN_KEY_KP0 + 2, 1},
                 {WN_KEY_PAGE_UP, -10},
                 {WN_KEY_PAGE_DOWN, 10},
                 {WN_KEY_HOME, -WN_REPLY_BYTES},
                 {WN_KEY_END, WN_REPLY_BYTES}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (moves[i].key == key) {
            wn_world_list_move(&state->list, moves[i].by);
            return true;
        }
    }
    return false;
}

static void list_key(wn_app *app, worlds *state, uint32_t key)
{
    if (move_key(state, key))
        return;
    switch (key) {
    case WN_KEY_ENTER:
    case 'w':
        enter(state, key == 'w');
        return;
    case '/':
        state->focus = IN_FILTER;
        return;
    case 'r':
        refresh_list(app, state);
        return;
    case 's':
        open_sheet(app, state, IN_SERVERS);
        return;
    case 'c':
        wn_create_open(app);
        return;
    case WN_KEY_ESCAPE:
        filter_key(state, key);
        return;
    case WN_KEY_F1 + 10:
        wn_app_set_full(app, !app->window.full);
        return;
    case 'q':
    case WN_KEY_F1 + 9:
        app->quit = true;
        return;
    default:
        return;
    }
}

static void key(wn_app *app, uint32_t key, bool repeated)
{
    worlds *state = app->state;
    (void)repeated;
    if (key == WN_KEY_F12) {
        wn_app_take_picture(app);
    } else if (state->focus == IN_TROUBLE) {
        state->entry.trouble[0] = '\0';
        state->focus = IN_LIST;
    } else if (state->focus == IN_FILTER) {
        filter_key(state, key);
    } else if (state->focus == IN_SERVERS) {
        servers_key(app, state, key);
    } else if (state->focus == IN_ADDRESS) {
        address_key(app, state, key);
    } else {
        list_key(app, state, key);
    }
}

/* the pointer */

static void sheet_pointer(wn_app *app, worlds *state, const wn_pointer *pointer)
{
    if (pointer->kind == WN_POINTER_MOVE)
        wn_sheet_hover(&state->sheet, pointer->x, pointer->y);
    if (pointer->kind == WN_POINTER_WHEEL)
        wn_sheet_wheel(&state->sheet, &app->ink, pointer->amount);
    if (pointer->kind != WN_POINTER_PRESS)
        return;
    const int pick = wn_sheet_click(&state->sheet, pointer->x, pointer->y);
    if (pick == WN_SHEET_CLOSED || state->focus == IN_TROUBLE)
        key(app, WN_KEY_ESCAPE, false);
    else if (state->focus == IN_SERVERS)
        servers_pick(app, state, pick);
}

static void pointer(wn_app *app, const wn_pointer *pointer)
{
    worlds *state = app->state;
    const SDL_Point at = {pointer->x, pointer->y};
    if (state->focus >= IN_TROUBLE) {
        sheet_pointer(app, state, pointer);
        return;
    }
    if (pointer->kind == WN_POINTER_WHEEL)
        wn_world_list_move(&state->list, pointer->amount > 0 ? -1 : 1);
    if (pointer->kind != WN_POINTER_PRESS || state->row_height == 0 || !SDL_PointInRect(&at, &state->rows))
        return;
    const size_t row = state->top + (size_t)((pointer->y - state->rows.y) / state->row_height);
    if (row >= state->list.row_count)
        return;
    state->list.selected = row;
    if (pointer->clicks >= 2)
        enter(state, false);
}

/* servers of this network */

static void keep_found(worlds *state, const wn_found_server *server)
{
    size_t at = 0;
    while (at < state->found_count && strcmp(state->found[at].address, server->address) != 0)
        at++;
    if (at == FOUND)
        return;
    state->found_count += at == state->found_count;
    snprintf(state->found[at].address, sizeof state->found[at].address, "%s", server->address);
    snprintf(state->found[at].about, sizeof state->found[at].about, "on this network: %s, %u world%s", server->name,
             server->worlds, server->worlds == 1 ? "" : "s");
}

/* While the servers are shown it asks now and then, and listens; at other times the network hears nothing. */
static void look_for_servers(wn_app *app, worlds *state)
{
    wn_found_server server;
    wn_error error;
    if (state->focus != IN_SERVERS) {
        wn_discovery_free(state->discovery);
        state->discovery = NULL;
        return;
    }
    if (state->discovery == NULL) {
        state->discovery = wn_discovery_new(&error);
        state->next_question = app->now + REFRESH_MS;
    }
    if (state->discovery == NULL)
        return;
    bool news = false;
    for (; wn_discovery_next(state->discovery, &server); news = true)
        keep_found(state, &server);
    if (news)
        fill_sheet(app, state);
    if (app->now >= state->next_question) {
        wn_discovery_ask(state->discovery);
        state->next_question = app->now + REFRESH_MS;
    }
    wn_app_wake_at(app, app->now + LISTEN_MS);
}

/* events */

static void event(wn_app *app, const wn_event *event)
{
    worlds *state = app->state;
    if (event->request != 0 && event->request == state->list_request) {
        if (event->kind == WN_EVENT_REPLY && event->reply->body_case == WARREN__REPLY__BODY_WORLDS)
            wn_world_list_take(&state->list, event->reply->worlds);
        return;
    }
    const wn_entered entered = wn_entry_take(&state->entry, event);
    if (entered.world == 0)
        return;
    wn_game_open(app, entered.world, entered.way);
    if (entered.went_back)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, wn_entry_greeting(&entered));
}

static void tick(wn_app *app)
{
    worlds *state = app->state;
    if (app->now >= state->next_refresh) {
        if (wn_client_get_state(app->link.client) == WN_CLIENT_CONNECTED && !app->hidden)
            refresh_list(app, state);
        else
            state->next_refresh = app->now + REFRESH_MS;
    }
    wn_app_wake_at(app, state->next_refresh);
    look_for_servers(app, state);
}

const wn_screen wn_screen_worlds = {
    .draw = draw, .key = key, .pointer = pointer, .event = event, .tick = tick, .leave = leave};
