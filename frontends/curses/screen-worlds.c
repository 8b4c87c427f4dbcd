/* screen-worlds.c: the list of worlds to choose from. What the command line asks for, or the world of a killed
 * `warren`, is on its way behind it: that ends in the game, or here with a sentence that says what went wrong. */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "key.h"
#include "text.h"
#include "ways.h"
#include "world-list.h"

enum { REFRESH_MS = 3000, SOON_MS = 400, FIRST_ROW = 3 };

typedef struct worlds {
    wn_world_list list;
    wn_entry entry;
    uint32_t list_request;
    int64_t next_refresh;
    size_t top;
    bool filtering; /* the filter is being typed */
    uint32_t modes_request;
    Warren__ModeList *modes;        /* once it has been asked how to enter; else NULL */
    const Warren__Mode *asked_mode; /* of them, while it is asked: the selected world's; else NULL */
    char asked_world[WN_NAME_BYTES + 1];
} worlds;

static int list_rows(void)
{
    return getmaxy(stdscr) - FIRST_ROW - 2;
}

/* requests */

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
    wn_entry_abandon(&state->entry);
    wn_world_list_free(&state->list);
    if (state->modes != NULL)
        warren__mode_list__free_unpacked(state->modes, NULL);
    free(state);
    app->state = NULL;
}

/* drawing */

static const struct {
    int width;
    int from; /* columns of the window from which on it is shown */
} columns[WN_WORLD_COLUMNS] = {
    [WN_WORLD_NAME] = {0, 0}, [WN_WORLD_MODE] = {10, 0},   [WN_WORLD_PLAYERS] = {9, 0},  [WN_WORLD_WATCHERS] = {10, 64},
    [WN_WORLD_AGE] = {6, 0},  [WN_WORLD_STATE] = {10, 52}, [WN_WORLD_OWNER] = {34, 110},
};

static int width_of(int which, int whole)
{
    if (which != WN_WORLD_NAME)
        return whole >= columns[which].from ? columns[which].width : 0;
    int left = whole - 2;
    for (int i = 1; i < WN_WORLD_COLUMNS; i++)
        left -= width_of(i, whole);
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

static void draw_row(wn_app *app, const Warren__WorldInfo *world, int y, int whole, bool selected)
{
    const wn_style style = selected ? WN_STYLE_SELECTED : wn_world_ended(world) ? WN_STYLE_DIM : WN_STYLE_PLAIN;
    char text[64];
    int x = 1;
    wn_paint_line(&app->paint, stdscr, y, 0, whole, style, "");
    for (int i = 0; i < WN_WORLD_COLUMNS; i++) {
        const int width = width_of(i, whole);
        wn_world_column_text(world, (wn_world_column)i, text, sizeof text);
        if (width > 1)
            wn_paint_text(&app->paint, stdscr, y, x, width - 1, style, text);
        x += width;
    }
}

static void draw_top(wn_app *app, const worlds *state, int whole)
{
    char text[WN_TEXT_BYTES + 64];
    wn_style style = WN_STYLE_DIM;
    text[0] = '\0';
    const Warren__WorldInfo *world = wn_world_list_selected(&state->list);
    if (state->entry.busy[0] != '\0') {
        style = WN_STYLE_SYSTEM;
        snprintf(text, sizeof text, " %s%s", state->entry.busy, wn_paint_dots(&app->paint));
    } else if (state->list.filter.length > 0 && !state->filtering) {
        snprintf(text, sizeof text, " only those with \"%s\" (/ changes it)", state->list.filter.text);
    } else if (world != NULL) {
        if (world->outcome != NULL && world->outcome[0] != '\0')
            snprintf(text, sizeof text, " %s: %s", world->name, world->outcome);
        else if (world->owner != NULL && world->owner[0] != '\0')
            snprintf(text, sizeof text, " %s was created by %s", world->name, world->owner);
    }
    wn_paint_line(&app->paint, stdscr, 1, 0, whole, style, text);
}

static void draw_filter(wn_app *app, const worlds *state, int y, int whole)
{
    size_t first;
    int column;
    const int label = wn_paint_text(&app->paint, stdscr, y, 1, whole - 2, WN_STYLE_KEY, "Show only: ");
    wn_edit_window(&state->list.filter, whole - label - 3, &first, &column);
    wn_paint_line(&app->paint, stdscr, y, 1 + label, whole - label - 3, WN_STYLE_INPUT,
                  state->list.filter.text + first);
    app->cursor_y = y;
    app->cursor_x = 1 + label + column;
}

static void draw_rows(wn_app *app, worlds *state, int whole)
{
    const size_t rows = (size_t)list_rows();
    if (state->list.selected < state->top)
        state->top = state->list.selected;
    if (state->list.selected >= state->top + rows)
        state->top = state->list.selected - rows + 1;
    for (size_t i = 0; i < rows; i++) {
        const int y = FIRST_ROW + (int)i;
        if (state->top + i < state->list.row_count)
            draw_row(app, state->list.rows[state->top + i], y, whole, state->top + i == state->list.selected);
        else
            wn_paint_line(&app->paint, stdscr, y, 0, whole, WN_STYLE_PLAIN, "");
    }
    if (state->list.row_count == 0)
        wn_paint_text(&app->paint, stdscr, FIRST_ROW + 1, 1, whole - 2, WN_STYLE_DIM,
                      state->list.list == NULL        ? "asking for the worlds"
                      : state->list.filter.length > 0 ? "no world matches; Esc shows all"
                                                      : "no worlds yet; press c to create one");
}

static void draw_ways(wn_app *app, const worlds *state)
{
    wn_lines lines = {0};
    wn_box_view view = {.title = "How to enter", .footer = "a key enters, Esc: back", .selected = -1};
    for (size_t i = 0; i < state->asked_mode->n_entries; i++)
        wn_lines_add_way(&lines, state->asked_mode, i);
    wn_box_draw(&app->box, &app->paint, &lines, &view);
    wn_lines_free(&lines);
}

/* What went wrong stands in a box until a key is pressed: it can be too long for a line. */
static void draw_trouble(wn_app *app, const worlds *state)
{
    wn_lines lines = {0};
    wn_box_view view = {.title = "That was not possible", .footer = "any key goes on", .selected = -1};
    if (state->entry.trouble[0] == '\0' && state->asked_mode != NULL) {
        draw_ways(app, state);
        return;
    }
    if (state->entry.trouble[0] == '\0') {
        wn_box_close(&app->box);
        return;
    }
    wn_lines_wrap(&lines, WN_STYLE_BAD, wn_box_columns() < 60 ? wn_box_columns() : 60, state->entry.trouble);
    wn_box_draw(&app->box, &app->paint, &lines, &view);
    wn_lines_free(&lines);
}

static void draw(wn_app *app)
{
    static const char *const hints[] = {"Enter", "join",   "c", "create",    "q", "quit",    "w", "watch",
                                        "/",     "filter", "e", "enter how", "r", "refresh", NULL};
    worlds *state = app->state;
    const int whole = getmaxx(stdscr), bottom = getmaxy(stdscr) - 1;
    char title[320];
    snprintf(title, sizeof title, "Warren  %s", wn_link_server(&app->link));
    wn_app_title(app, title);
    draw_top(app, state, whole);
    draw_heading(app, whole);
    draw_rows(app, state, whole);
    wn_paint_line(&app->paint, stdscr, bottom - 1, 0, whole, WN_STYLE_PLAIN, "");
    if (state->filtering) {
        wn_paint_line(&app->paint, stdscr, bottom, 0, whole - 1, WN_STYLE_PLAIN, "");
        draw_filter(app, state, bottom, whole);
    } else {
        wn_app_hints(app, hints);
    }
    draw_trouble(app, state);
}

/* joining */

static void join(worlds *state, bool watch, uint32_t way)
{
    const Warren__WorldInfo *world = wn_world_list_selected(&state->list);
    state->entry.way = way;
    if (world != NULL)
        wn_entry_join(&state->entry, world->name, watch);
}

/* how to enter */

static const Warren__Mode *mode_of(const worlds *state, const Warren__WorldInfo *world)
{
    for (size_t i = 0; state->modes != NULL && i < state->modes->n_modes; i++) {
        if (strcmp(state->modes->modes[i]->name, world->mode) == 0)
            return state->modes->modes[i];
    }
    return NULL;
}

/* Asks, as soon as the modes are known, if there is anything to choose. */
static void ask_how(wn_app *app, worlds *state)
{
    const Warren__WorldInfo *world = wn_world_list_selected(&state->list);
    if (world == NULL)
        return;
    const Warren__Mode *mode = mode_of(state, world);
    if (mode == NULL && state->modes == NULL) {
        state->modes_request = wn_client_list_modes(app->link.client);
    } else if (mode == NULL || mode->n_entries < 2) {
        join(state, false, 0);
    } else {
        state->asked_mode = mode;
        snprintf(state->asked_world, sizeof state->asked_world, "%s", world->name);
    }
}

static void way_key(worlds *state, uint32_t key)
{
    const int way = wn_way_by_key(state->asked_mode, key);
    if (way == WN_NO_WAY && key != WN_KEY_ESCAPE)
        return;
    state->asked_mode = NULL;
    if (way == WN_NO_WAY)
        return;
    state->entry.way = (uint32_t)way;
    wn_entry_join(&state->entry, state->asked_world, false);
}

/* keys */

static void filter_key(worlds *state, uint32_t key)
{
    if (key == WN_KEY_ENTER || key == WN_KEY_ESCAPE)
        state->filtering = false;
    if (key != WN_KEY_ENTER)
        wn_world_list_filter(&state->list, key);
}

static void click(worlds *state, int y)
{
    const size_t row = (size_t)(y - FIRST_ROW) + state->top;
    if (y < FIRST_ROW || y >= FIRST_ROW + list_rows() || row >= state->list.row_count)
        return;
    if (row == state->list.selected)
        join(state, false, 0);
    state->list.selected = row;
}

static bool move_key(worlds *state, uint32_t key)
{
    static const struct {
        uint32_t key;
        int by;
    } moves[] = {{WN_KEY_UP, -1},
                 {'k', -1},
                 {WN_KEY_WHEEL_UP, -1},
                 {WN_KEY_KP0 + 8, -1},
                 {WN_KEY_DOWN, 1},
                 {'j', 1},
                 {WN_KEY_WHEEL_DOWN, 1},
                 {WN_KEY_KP0 + 2, 1},
                 {WN_KEY_HOME, -WN_REPLY_BYTES},
                 {WN_KEY_END, WN_REPLY_BYTES}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (moves[i].key == key) {
            wn_world_list_move(&state->list, moves[i].by);
            return true;
        }
    }
    if (key != WN_KEY_PAGE_UP && key != WN_KEY_PAGE_DOWN)
        return false;
    wn_world_list_move(&state->list, key == WN_KEY_PAGE_UP ? -list_rows() : list_rows());
    return true;
}

static void key(wn_app *app, const wn_input *input)
{
    worlds *state = app->state;
    if (state->entry.trouble[0] != '\0') {
        state->entry.trouble[0] = '\0';
        return;
    }
    if (state->asked_mode != NULL) {
        way_key(state, input->key);
        return;
    }
    if (state->filtering) {
        filter_key(state, input->key);
        return;
    }
    if (move_key(state, input->key))
        return;
    switch (input->key) {
    case WN_KEY_ENTER:
    case 'w':
        join(state, input->key == 'w', 0);
        return;
    case 'e':
        ask_how(app, state);
        return;
    case WN_KEY_MOUSE:
        click(state, input->y);
        return;
    case '/':
        state->filtering = true;
        return;
    case 'r':
        refresh_list(app, state);
        return;
    case 'c':
        wn_create_open(app);
        return;
    case WN_KEY_ESCAPE:
        filter_key(state, WN_KEY_ESCAPE);
        return;
    case 'q':
    case WN_KEY_F1 + 9:
        app->quit = true;
        return;
    default:
        return;
    }
}

static void event(wn_app *app, const wn_event *event)
{
    worlds *state = app->state;
    if (event->request != 0 && event->request == state->list_request) {
        if (event->kind == WN_EVENT_REPLY && event->reply->body_case == WARREN__REPLY__BODY_WORLDS)
            wn_world_list_take(&state->list, event->reply->worlds);
        return;
    }
    if (event->request != 0 && event->request == state->modes_request && event->kind == WN_EVENT_REPLY) {
        state->modes_request = 0;
        if (event->reply->body_case == WARREN__REPLY__BODY_MODES)
            state->modes = (Warren__ModeList *)wn_message_copy(&event->reply->modes->base);
        if (state->modes != NULL)
            ask_how(app, state);
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
        if (wn_client_get_state(app->link.client) == WN_CLIENT_CONNECTED)
            refresh_list(app, state);
        else
            state->next_refresh = app->now + REFRESH_MS;
    }
    wn_app_wake_at(app, state->next_refresh);
}

const wn_screen wn_screen_worlds = {.draw = draw, .key = key, .event = event, .tick = tick, .leave = leave};
