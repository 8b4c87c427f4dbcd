/* screen-create.c: a new world: a mode is chosen, then its settings are filled in. What the form holds is form.h's
 * part. */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "form.h"
#include "key.h"
#include "text.h"
#include "world-list.h"

enum { FIRST_ROW = 3, HELP_ROWS = 3, LABEL_MOST = 20 };

typedef struct create {
    Warren__ModeList *modes; /* NULL: not yet here */
    wn_form form;            /* without a mode while that is being chosen */
    size_t mode, top;        /* the selected mode; what stands first in the window */
    bool busy;
    uint32_t modes_request, create_request, join_request;
} create;

void wn_create_open(wn_app *app)
{
    create *state = calloc(1, sizeof *state);
    if (state == NULL)
        return;
    wn_app_show(app, &wn_screen_create, state);
    state->modes_request = wn_client_list_modes(app->link.client);
}

static void leave(wn_app *app)
{
    create *state = app->state;
    if (state->modes != NULL)
        warren__mode_list__free_unpacked(state->modes, NULL);
    wn_form_free(&state->form);
    free(state);
    app->state = NULL;
}

/* drawing */

static int label_width(const create *state)
{
    int width = 4;
    for (size_t i = 0; i < state->form.count; i++) {
        const int other = wn_text_width(state->form.fields[i].label);
        width = other > width ? other : width;
    }
    return width < LABEL_MOST ? width : LABEL_MOST;
}

static void draw_value(wn_app *app, const wn_form_field *field, int y, int x, int width, bool selected)
{
    size_t first = 0;
    int column = 0;
    char text[WN_EDIT_BYTES + 8];
    const bool changed = strcmp(field->value.text, wn_form_standard(field)) != 0;
    if (wn_form_chooses(field)) {
        snprintf(text, sizeof text, selected ? "< %s >" : "  %s",
                 field->value.text[0] == '\0' ? "(none)" : field->value.text);
        wn_paint_text(&app->paint, stdscr, y, x, width, changed ? WN_STYLE_BOLD : WN_STYLE_PLAIN, text);
        return;
    }
    if (!selected) {
        wn_paint_text(&app->paint, stdscr, y, x + 2, width - 2, changed ? WN_STYLE_BOLD : WN_STYLE_PLAIN,
                      field->value.text);
        return;
    }
    wn_edit_window(&field->value, width - 2, &first, &column);
    wn_paint_line(&app->paint, stdscr, y, x + 2, width - 2, WN_STYLE_INPUT, field->value.text + first);
    app->cursor_y = y;
    app->cursor_x = x + 2 + column;
}

static void draw_field(wn_app *app, const create *state, size_t index, int y)
{
    const wn_form_field *field = &state->form.fields[index];
    const int whole = getmaxx(stdscr), label = label_width(state);
    const bool selected = index == state->form.selected;
    const int value = label + 4, room = whole - value - 1;
    const int value_width = room < 26 ? room : room / 2 < 26 ? 26 : room / 2 < 40 ? room / 2 : 40;
    char note[160];
    wn_paint_text(&app->paint, stdscr, y, 1, 1, WN_STYLE_KEY, selected ? ">" : " ");
    wn_paint_text(&app->paint, stdscr, y, 3, label, selected ? WN_STYLE_KEY : WN_STYLE_DIM, field->label);
    draw_value(app, field, y, value, value_width, selected);
    if (room - value_width < 8)
        return;
    wn_form_range(field, note, sizeof note);
    if (note[0] == '\0')
        snprintf(note, sizeof note, "%.150s", field->error);
    wn_paint_text(&app->paint, stdscr, y, value + value_width + 2, room - value_width - 2,
                  field->error[0] != '\0' ? WN_STYLE_BAD : WN_STYLE_DIM, note);
}

static void draw_wrapped(wn_app *app, int y, int rows, wn_style style, const char *text)
{
    const int whole = getmaxx(stdscr) - 2;
    char line[WN_TEXT_BYTES + 1];
    size_t bytes;
    for (int row = 0; row < rows && text != NULL; row++) {
        const char *next = wn_text_line(text, whole, &bytes);
        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        wn_paint_text(&app->paint, stdscr, y + row, 1, whole, style, line);
        text = next;
    }
}

static void draw_help(wn_app *app, const create *state)
{
    const wn_form_field *field = &state->form.fields[state->form.selected];
    const char *trouble = field->error[0] != '\0' ? field->error : state->form.trouble;
    char text[2 * WN_TEXT_BYTES];
    wn_form_help(field, text, sizeof text);
    draw_wrapped(app, getmaxy(stdscr) - 1 - HELP_ROWS, HELP_ROWS, trouble[0] != '\0' ? WN_STYLE_BAD : WN_STYLE_SYSTEM,
                 trouble[0] != '\0' ? trouble : text);
}

static void draw_list(wn_app *app, create *state, size_t selected, size_t count, int rows,
                      void (*draw_one)(wn_app *app, const create *state, size_t index, int y))
{
    if (selected < state->top)
        state->top = selected;
    if (selected >= state->top + (size_t)rows)
        state->top = selected - (size_t)rows + 1;
    for (size_t i = 0; i < (size_t)rows && state->top + i < count; i++)
        draw_one(app, state, state->top + i, FIRST_ROW + (int)i);
}

static void draw_mode(wn_app *app, const create *state, size_t index, int y)
{
    const Warren__Mode *mode = state->modes->modes[index];
    const int whole = getmaxx(stdscr);
    const wn_style style = index == state->mode ? WN_STYLE_SELECTED : WN_STYLE_PLAIN;
    char text[WN_TEXT_BYTES + WN_NAME_BYTES + 4];
    const char *summary = mode->summary == NULL || mode->summary[0] == '\0' ? mode->title : mode->summary;
    snprintf(text, sizeof text, " %-12s %s", mode->name, summary == NULL ? "" : summary);
    if (wn_text_width(text) > whole - 1) { /* all of it stands below the list when it is selected */
        const char *dots = wn_paint_dots(&app->paint);
        snprintf(text + wn_text_fit(text, whole - 1 - wn_text_width(dots), NULL), 4, "%s", dots);
    }
    wn_paint_line(&app->paint, stdscr, y, 0, whole, style, text);
}

static void draw_modes(wn_app *app, create *state)
{
    draw_list(app, state, state->mode, state->modes->n_modes, getmaxy(stdscr) - FIRST_ROW - HELP_ROWS - 2, draw_mode);
    const char *summary = state->modes->modes[state->mode]->summary;
    if (summary != NULL)
        draw_wrapped(app, getmaxy(stdscr) - 1 - HELP_ROWS, HELP_ROWS, WN_STYLE_SYSTEM, summary);
}

static void draw_choice(wn_app *app, create *state)
{
    static const char *const hints[] = {"Enter", "choose", "Esc", "back", NULL};
    const int whole = getmaxx(stdscr);
    wn_paint_text(&app->paint, stdscr, 1, 1, whole - 2, WN_STYLE_HEADING, "A new world: which mode?");
    if (state->form.trouble[0] != '\0')
        draw_wrapped(app, FIRST_ROW, HELP_ROWS, WN_STYLE_BAD, state->form.trouble);
    else if (state->modes == NULL)
        wn_paint_text(&app->paint, stdscr, FIRST_ROW, 1, whole - 2, WN_STYLE_DIM, "asking for the modes");
    else if (state->modes->n_modes == 0)
        draw_wrapped(app, FIRST_ROW, HELP_ROWS, WN_STYLE_BAD,
                     "This server has no modes; its administrator can install "
                     "some.");
    else
        draw_modes(app, state);
    wn_app_hints(app, hints);
}

static void draw(wn_app *app)
{
    static const char *const hints[] = {"Enter",  "create",  "Up/Down", "move", "Left/Right", "change",
                                        "Ctrl-R", "default", "Esc",     "back", NULL};
    create *state = app->state;
    char title[320];
    erase();
    wn_app_title(app, "Warren  new world");
    if (state->form.mode == NULL) {
        draw_choice(app, state);
        return;
    }
    snprintf(title, sizeof title, "A new world of %s", wn_mode_title(state->form.mode));
    wn_paint_text(&app->paint, stdscr, 1, 1, getmaxx(stdscr) - 2, WN_STYLE_HEADING, title);
    if (state->busy)
        wn_paint_right(&app->paint, stdscr, 1, getmaxx(stdscr) - 12, 11, WN_STYLE_SYSTEM, "creating");
    draw_list(app, state, state->form.selected, state->form.count, getmaxy(stdscr) - FIRST_ROW - HELP_ROWS - 2,
              draw_field);
    draw_help(app, state);
    wn_app_hints(app, hints);
}

/* keys and events */

static int move_of_key(uint32_t key)
{
    return key == WN_KEY_UP || key == WN_KEY_BACK_TAB || key == WN_KEY_WHEEL_UP  ? -1
           : key == WN_KEY_DOWN || key == WN_KEY_TAB || key == WN_KEY_WHEEL_DOWN ? 1
           : key == WN_KEY_PAGE_UP                                               ? -8
           : key == WN_KEY_PAGE_DOWN                                             ? 8
                                                                                 : 0;
}

static void submit(wn_app *app, create *state)
{
    state->create_request = wn_form_submit(&state->form, app->link.client);
    state->busy = state->create_request != 0;
}

static void form_key(wn_app *app, create *state, const wn_input *input)
{
    const size_t clicked = (size_t)(input->y - FIRST_ROW) + state->top;
    if (move_of_key(input->key) != 0) {
        wn_form_move(&state->form, move_of_key(input->key));
    } else if (input->key == WN_KEY_ENTER) {
        submit(app, state);
    } else if (input->key == WN_KEY_ESCAPE) {
        wn_form_free(&state->form);
        state->busy = false;
        state->top = 0;
    } else if (input->key == WN_KEY_MOUSE) {
        if (input->y >= FIRST_ROW && clicked < state->form.count)
            wn_form_move(&state->form, (long)clicked - (long)state->form.selected);
    } else {
        wn_form_key(&state->form, input->key);
    }
}

static void choose_mode(create *state, size_t mode)
{
    wn_form_start(&state->form, state->modes->modes[mode]);
    state->mode = mode;
    state->top = 0;
}

static void choice_key(wn_app *app, create *state, const wn_input *input)
{
    const size_t count = state->modes == NULL ? 0 : state->modes->n_modes;
    const int move = input->key == 'j' ? 1 : input->key == 'k' ? -1 : move_of_key(input->key);
    const size_t clicked = (size_t)(input->y - FIRST_ROW) + state->top;
    if (move != 0) {
        const long wanted = (long)state->mode + move, last = (long)count - 1;
        state->mode = wanted < 0 || last < 0 ? 0 : (size_t)(wanted > last ? last : wanted);
    } else if (input->key == WN_KEY_ENTER && state->mode < count) {
        choose_mode(state, state->mode);
    } else if (input->key == WN_KEY_MOUSE && input->y >= FIRST_ROW && clicked < count) {
        choose_mode(state, clicked);
    } else if (input->key == WN_KEY_ESCAPE || input->key == 'q') {
        wn_worlds_open(app, NULL);
    }
}

static void key(wn_app *app, const wn_input *input)
{
    create *state = app->state;
    if (state->form.mode == NULL)
        choice_key(app, state, input);
    else if (!state->busy || input->key == WN_KEY_ESCAPE)
        form_key(app, state, input);
}

static void fail(create *state, const wn_error *error)
{
    state->busy = false;
    wn_form_fail(&state->form, error);
}

static void take_reply(wn_app *app, create *state, const wn_event *event)
{
    const Warren__Reply *reply = event->reply;
    if (event->request == state->modes_request && reply->body_case == WARREN__REPLY__BODY_MODES)
        state->modes = (Warren__ModeList *)wn_message_copy(&reply->modes->base);
    else if (event->request == state->create_request && reply->body_case == WARREN__REPLY__BODY_WORLD)
        state->join_request = wn_client_join(app->link.client, reply->world->name, 0);
    else if (event->request == state->join_request && reply->body_case == WARREN__REPLY__BODY_JOINED)
        wn_game_open(app, reply->joined->world, 0);
}

static void event(wn_app *app, const wn_event *event)
{
    create *state = app->state;
    if (event->kind == WN_EVENT_REPLY && event->request != 0)
        take_reply(app, state, event);
    else if (event->kind == WN_EVENT_ERROR && (event->request != 0 || state->busy)) /* 0: it was not understood */
        fail(state, &event->error);
}

const wn_screen wn_screen_create = {.draw = draw, .key = key, .event = event, .leave = leave};
