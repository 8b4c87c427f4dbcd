/* screen-worlds.c: the list of worlds to choose from. It also carries out what the command line asks for, or goes back
 * to where a killed `warren` was: the join that comes of it ends in the game, or here with a sentence that says what
 * went wrong. */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "edit.h"
#include "key.h"
#include "text.h"

enum { REFRESH_MS = 3000, SOON_MS = 400, FIRST_ROW = 3 };

typedef struct worlds {
    Warren__WorldList *list;  /* NULL: none has come yet */
    Warren__WorldInfo **rows; /* those that pass the filter, into `list` */
    size_t row_count;
    uint32_t list_request, join_request, create_request;
    uint32_t kept_world; /* of a session that was kept: on its way; 0: none */
    int64_t next_refresh;
    size_t selected, top;
    wn_edit filter;
    bool filtering; /* the filter is being typed */
    char trouble[WN_TEXT_BYTES + 1];
    char busy[WN_NAME_BYTES + 32]; /* what is being waited for */
} worlds;

static int list_rows(void)
{
    return getmaxy(stdscr) - FIRST_ROW - 2;
}

/* requests */

static void refresh_list(wn_app *app, worlds *state)
{
    state->list_request = wn_client_list_worlds(app->client);
    state->next_refresh = app->now + REFRESH_MS;
}

static void leave_kept(wn_app *app, worlds *state)
{
    if (state->kept_world != 0)
        wn_client_leave(app->client, state->kept_world);
    state->kept_world = 0;
}

static void enter_world(wn_app *app, worlds *state, const char *name, bool watch)
{
    leave_kept(app, state);
    state->trouble[0] = '\0';
    snprintf(state->busy, sizeof state->busy, "joining %s%s", name, wn_paint_dots(&app->paint));
    state->join_request = watch ? wn_client_watch(app->client, name) : wn_client_join(app->client, name);
}

/* Whoever names a world wants that one, and in the way they say. */
static bool is_wanted(const wn_options *options, const Warren__Joined *kept)
{
    return options->world == NULL || (strcmp(options->world, kept->name) == 0 && options->watch == !kept->has_seat);
}

/* Of the worlds that the kept session holds, the first that is wanted; the rest are left. */
static void choose_kept(wn_app *app, worlds *state)
{
    const Warren__Welcome *welcome = wn_client_welcome(app->client);
    for (size_t i = 0; welcome->resumed && i < welcome->n_seats; i++) {
        const Warren__Joined *kept = welcome->seats[i];
        if (kept->world == state->kept_world)
            continue; /* watched as well */
        if (state->kept_world != 0 || !is_wanted(app->options, kept)) {
            wn_client_leave(app->client, kept->world);
            continue;
        }
        state->kept_world = kept->world;
        snprintf(state->busy, sizeof state->busy, "back to %.*s%s", WN_NAME_BYTES, kept->name,
                 wn_paint_dots(&app->paint));
    }
}

static void ask_what_was_asked_for(wn_app *app, worlds *state)
{
    const wn_options *options = app->options;
    app->asked = true;
    choose_kept(app, state);
    if (state->kept_world != 0)
        return;
    if (options->create != NULL) {
        snprintf(state->busy, sizeof state->busy, "creating a world%s", wn_paint_dots(&app->paint));
        state->create_request = wn_client_create(app->client, options->create, options->world, options->settings,
                                                 options->setting_count, options->has_seed ? &options->seed : NULL);
    } else if (options->world != NULL) {
        enter_world(app, state, options->world, options->watch);
    }
}

void wn_worlds_open(wn_app *app, const char *trouble)
{
    worlds *state = calloc(1, sizeof *state);
    if (state == NULL) {
        app->quit = true;
        return;
    }
    wn_edit_start(&state->filter, "", WN_NAME_BYTES);
    if (trouble != NULL)
        snprintf(state->trouble, sizeof state->trouble, "%s", trouble);
    wn_app_show(app, &wn_screen_worlds, state);
    if (!app->asked)
        ask_what_was_asked_for(app, state);
    refresh_list(app, state);
    state->next_refresh = app->now + SOON_MS; /* a world that was just left still counts us in its last turn */
}

static void leave(wn_app *app)
{
    worlds *state = app->state;
    leave_kept(app, state);
    if (state->list != NULL)
        warren__world_list__free_unpacked(state->list, NULL);
    free(state->rows);
    free(state);
    app->state = NULL;
}

/* the rows */

static bool passes(const worlds *state, const Warren__WorldInfo *world)
{
    const char *filter = state->filter.text;
    return filter[0] == '\0' || strcasestr(world->name, filter) != NULL || strcasestr(world->mode, filter) != NULL ||
           (world->owner != NULL && strcasestr(world->owner, filter) != NULL);
}

/* Worlds that can be played first, then by name, so that the list stays as it is while one looks at it. */
static int compare(const void *first, const void *second)
{
    const Warren__WorldInfo *a = *(Warren__WorldInfo *const *)first, *b = *(Warren__WorldInfo *const *)second;
    const bool ended_a = a->state >= WARREN__WORLD_STATE__WORLD_OVER;
    const bool ended_b = b->state >= WARREN__WORLD_STATE__WORLD_OVER;
    return ended_a != ended_b ? (ended_a ? 1 : -1) : strverscmp(a->name, b->name);
}

static void name_selected(const worlds *state, char *name, size_t size)
{
    snprintf(name, size, "%s", state->selected < state->row_count ? state->rows[state->selected]->name : "");
}

/* The rows anew, with the world of that name selected, if it is among them. */
static void choose_rows(worlds *state, const char *selected)
{
    state->row_count = 0;
    for (size_t i = 0; state->list != NULL && i < state->list->n_worlds; i++) {
        if (passes(state, state->list->worlds[i]))
            state->rows[state->row_count++] = state->list->worlds[i];
    }
    if (state->row_count > 0)
        qsort(state->rows, state->row_count, sizeof *state->rows, compare);
    for (size_t i = 0; i < state->row_count; i++) {
        if (strcmp(state->rows[i]->name, selected) == 0)
            state->selected = i;
    }
    if (state->selected >= state->row_count)
        state->selected = state->row_count == 0 ? 0 : state->row_count - 1;
}

static void take_list(worlds *state, const Warren__WorldList *list)
{
    Warren__WorldList *copy = (Warren__WorldList *)wn_app_copy(&list->base);
    Warren__WorldInfo **rows = calloc(list->n_worlds + 1, sizeof *rows);
    if (copy == NULL || rows == NULL) {
        if (copy != NULL)
            warren__world_list__free_unpacked(copy, NULL);
        free(rows);
        return;
    }
    char selected[WN_NAME_BYTES + 1];
    name_selected(state, selected, sizeof selected);
    if (state->list != NULL)
        warren__world_list__free_unpacked(state->list, NULL);
    free(state->rows);
    state->list = copy;
    state->rows = rows;
    choose_rows(state, selected);
}

/* drawing */

enum { COLUMN_NAME, COLUMN_MODE, COLUMN_PLAYERS, COLUMN_WATCHERS, COLUMN_AGE, COLUMN_STATE, COLUMN_OWNER };

static const struct {
    const char *title;
    int width;
    int from; /* columns of the window from which on it is shown */
} columns[] = {
    [COLUMN_NAME] = {"World", 0, 0},          [COLUMN_MODE] = {"Mode", 10, 0}, [COLUMN_PLAYERS] = {"Players", 9, 0},
    [COLUMN_WATCHERS] = {"Watching", 10, 64}, [COLUMN_AGE] = {"Age", 6, 0},    [COLUMN_STATE] = {"State", 10, 52},
    [COLUMN_OWNER] = {"Created by", 34, 110},
};
enum { COLUMNS_OF_LIST = sizeof columns / sizeof *columns };

static int width_of(int which, int whole)
{
    if (which != COLUMN_NAME)
        return whole >= columns[which].from ? columns[which].width : 0;
    int left = whole - 2;
    for (int i = 1; i < COLUMNS_OF_LIST; i++)
        left -= width_of(i, whole);
    return left < WN_NAME_BYTES + 4 ? left : WN_NAME_BYTES + 4;
}

static const char *state_name(const Warren__WorldInfo *world)
{
    static const char *const names[] = {"running", "starting", "over", "parked"};
    if (world->state == WARREN__WORLD_STATE__WORLD_RUNNING && world->max_players > 0 &&
        world->players >= world->max_players)
        return "full";
    return (unsigned)world->state < 4 ? names[world->state] : "";
}

static void cell_text(char *text, size_t size, const Warren__WorldInfo *world, int which)
{
    switch (which) {
    case COLUMN_NAME:
        snprintf(text, size, "%s", world->name);
        return;
    case COLUMN_MODE:
        snprintf(text, size, "%s", world->mode);
        return;
    case COLUMN_PLAYERS:
        snprintf(text, size, world->max_players > 0 ? "%u/%u" : "%u", world->players, world->max_players);
        return;
    case COLUMN_WATCHERS:
        snprintf(text, size, "%u", world->watchers);
        return;
    case COLUMN_AGE:
        wn_text_age(text, size, world->has_created ? (int64_t)time(NULL) - world->created : 0);
        return;
    case COLUMN_STATE:
        snprintf(text, size, "%s", state_name(world));
        return;
    default:
        snprintf(text, size, "%s", world->owner == NULL ? "" : world->owner);
    }
}

static void draw_heading(wn_app *app, int whole)
{
    int x = 1;
    wn_paint_line(&app->paint, stdscr, FIRST_ROW - 1, 0, whole, WN_STYLE_PLAIN, "");
    for (int i = 0; i < COLUMNS_OF_LIST; i++) {
        const int width = width_of(i, whole);
        wn_paint_text(&app->paint, stdscr, FIRST_ROW - 1, x, width, WN_STYLE_HEADING, columns[i].title);
        x += width;
    }
}

static void draw_row(wn_app *app, const Warren__WorldInfo *world, int y, int whole, bool selected)
{
    const bool ended = world->state >= WARREN__WORLD_STATE__WORLD_OVER;
    const wn_style style = selected ? WN_STYLE_SELECTED : ended ? WN_STYLE_DIM : WN_STYLE_PLAIN;
    char text[64];
    int x = 1;
    wn_paint_line(&app->paint, stdscr, y, 0, whole, style, "");
    for (int i = 0; i < COLUMNS_OF_LIST; i++) {
        const int width = width_of(i, whole);
        cell_text(text, sizeof text, world, i);
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
    if (state->busy[0] != '\0') {
        style = WN_STYLE_SYSTEM;
        snprintf(text, sizeof text, " %s", state->busy);
    } else if (state->filter.length > 0 && !state->filtering) {
        snprintf(text, sizeof text, " only those with \"%s\" (/ changes it)", state->filter.text);
    } else if (state->row_count > 0 && state->selected < state->row_count) {
        const Warren__WorldInfo *world = state->rows[state->selected];
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
    wn_edit_window(&state->filter, whole - label - 3, &first, &column);
    wn_paint_line(&app->paint, stdscr, y, 1 + label, whole - label - 3, WN_STYLE_INPUT, state->filter.text + first);
    app->cursor_y = y;
    app->cursor_x = 1 + label + column;
}

static void draw_rows(wn_app *app, worlds *state, int whole)
{
    const size_t rows = (size_t)list_rows();
    if (state->selected < state->top)
        state->top = state->selected;
    if (state->selected >= state->top + rows)
        state->top = state->selected - rows + 1;
    for (size_t i = 0; i < rows; i++) {
        const int y = FIRST_ROW + (int)i;
        if (state->top + i < state->row_count)
            draw_row(app, state->rows[state->top + i], y, whole, state->top + i == state->selected);
        else
            wn_paint_line(&app->paint, stdscr, y, 0, whole, WN_STYLE_PLAIN, "");
    }
    if (state->row_count == 0)
        wn_paint_text(&app->paint, stdscr, FIRST_ROW + 1, 1, whole - 2, WN_STYLE_DIM,
                      state->list == NULL        ? "asking for the worlds"
                      : state->filter.length > 0 ? "no world matches; Esc shows all"
                                                 : "no worlds yet; press c to create one");
}

/* What went wrong stands in a box until a key is pressed: it can be too long for a line. */
static void draw_trouble(wn_app *app, const worlds *state)
{
    wn_lines lines = {0};
    wn_box_view view = {.title = "That was not possible", .footer = "any key goes on", .selected = -1};
    if (state->trouble[0] == '\0') {
        wn_box_close(&app->box);
        return;
    }
    wn_lines_wrap(&lines, WN_STYLE_BAD, wn_box_columns() < 60 ? wn_box_columns() : 60, state->trouble);
    wn_box_draw(&app->box, &app->paint, &lines, &view);
    wn_lines_free(&lines);
}

static void draw(wn_app *app)
{
    static const char *const hints[] = {"Enter", "join", "c",      "create", "q",       "quit", "w",
                                        "watch", "/",    "filter", "r",      "refresh", NULL};
    worlds *state = app->state;
    const int whole = getmaxx(stdscr), bottom = getmaxy(stdscr) - 1;
    char title[320];
    const Warren__Welcome *welcome = wn_client_welcome(app->client);
    snprintf(title, sizeof title, "Warren  %s", welcome == NULL ? app->options->shown_address : welcome->software);
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

/* keys and events */

static void move_selection(worlds *state, int by)
{
    const long wanted = (long)state->selected + by;
    const long last = (long)state->row_count - 1;
    state->selected = wanted < 0 || last < 0 ? 0 : wanted > last ? (size_t)last : (size_t)wanted;
}

static void filter_key(worlds *state, uint32_t key)
{
    char selected[WN_NAME_BYTES + 1];
    name_selected(state, selected, sizeof selected);
    if (key == WN_KEY_ENTER) {
        state->filtering = false;
    } else if (key == WN_KEY_ESCAPE) {
        wn_edit_start(&state->filter, "", WN_NAME_BYTES);
        state->filtering = false;
    } else {
        wn_edit_key(&state->filter, key);
    }
    choose_rows(state, selected);
}

static void click(wn_app *app, worlds *state, int y)
{
    const size_t row = (size_t)(y - FIRST_ROW) + state->top;
    if (y < FIRST_ROW || y >= FIRST_ROW + list_rows() || row >= state->row_count)
        return;
    if (row == state->selected)
        enter_world(app, state, state->rows[row]->name, false);
    state->selected = row;
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
            move_selection(state, moves[i].by);
            return true;
        }
    }
    if (key != WN_KEY_PAGE_UP && key != WN_KEY_PAGE_DOWN)
        return false;
    move_selection(state, key == WN_KEY_PAGE_UP ? -list_rows() : list_rows());
    return true;
}

static void key(wn_app *app, const wn_input *input)
{
    worlds *state = app->state;
    if (state->trouble[0] != '\0') {
        state->trouble[0] = '\0';
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
        if (state->selected < state->row_count)
            enter_world(app, state, state->rows[state->selected]->name, input->key == 'w');
        return;
    case WN_KEY_MOUSE:
        click(app, state, input->y);
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

static void take_reply(wn_app *app, worlds *state, const wn_event *event)
{
    const Warren__Reply *reply = event->reply;
    if (event->request == state->list_request && reply->body_case == WARREN__REPLY__BODY_WORLDS)
        take_list(state, reply->worlds);
    else if (event->request == state->create_request && reply->body_case == WARREN__REPLY__BODY_WORLD)
        enter_world(app, state, reply->world->name, false);
    else if (event->request == state->join_request && reply->body_case == WARREN__REPLY__BODY_JOINED)
        wn_game_open(app, reply->joined->world);
}

static void go_back(wn_app *app, worlds *state)
{
    const uint32_t world = state->kept_world;
    const bool watching = wn_client_replica(app->client, world)->seat < 0;
    state->kept_world = 0;
    wn_game_open(app, world);
    wn_log_format(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM,
                  "%s since this program was killed; --new-session would begin anew.",
                  watching ? "The server kept you as a spectator" : "The server kept your seat");
}

static void event(wn_app *app, const wn_event *event)
{
    worlds *state = app->state;
    if (event->kind == WN_EVENT_RESUMED && event->world == state->kept_world) {
        go_back(app, state);
        return;
    }
    if (event->kind == WN_EVENT_GONE && event->world == state->kept_world) {
        state->kept_world = 0;
        state->busy[0] = '\0';
        snprintf(state->trouble, sizeof state->trouble, "%s", event->error.text);
    }
    if (event->kind == WN_EVENT_REPLY && event->request != 0)
        take_reply(app, state, event);
    if (event->kind == WN_EVENT_ERROR && event->request != state->list_request) {
        state->busy[0] = '\0';
        snprintf(state->trouble, sizeof state->trouble, "%s", event->error.text);
    }
}

static void tick(wn_app *app)
{
    worlds *state = app->state;
    if (app->now >= state->next_refresh) {
        if (wn_client_get_state(app->client) == WN_CLIENT_CONNECTED)
            refresh_list(app, state);
        else
            state->next_refresh = app->now + REFRESH_MS;
    }
    wn_app_wake_at(app, state->next_refresh);
}

const wn_screen wn_screen_worlds = {.draw = draw, .key = key, .event = event, .tick = tick, .leave = leave};
