/* screen-create.c: a new world: the modes to choose from, then the form to fill in. What they hold and what keys do is
 * creation.h's part. */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "creation.h"
#include "fields.h"
#include "key.h"
#include "text.h"

enum { FIRST_ROW = 3, HELP_ROWS = 3, LABEL_MOST = 20 };

typedef struct create {
    wn_creation creation;
    size_t top;   /* the first row in sight */
    int help_top; /* likewise, of the help */
} create;

void wn_create_open(wn_app *app)
{
    create *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return;
    }
    wn_app_show(app, &wn_screen_create, state);
    wn_creation_begin(&state->creation, app->link.client);
}

static void leave(wn_app *app)
{
    create *state = app->state;
    wn_creation_free(&state->creation);
    free(state);
    app->state = NULL;
}

/* drawing */

static int label_width(const wn_form *form)
{
    int width = 4;
    for (size_t i = 0; i < form->count; i++) {
        const int other = wn_text_width(form->fields[i].label);
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

static void draw_field(wn_app *app, const wn_creation *creation, size_t index, int y)
{
    const wn_form *form = &creation->form;
    const wn_form_field *field = &form->fields[index];
    const int whole = getmaxx(stdscr), label = label_width(form);
    const bool selected = index == form->selected;
    const int value = label + 4, room = whole - value - 1;
    const int value_width = room < 26 ? room : room / 2 < 26 ? 26 : room / 2 < 40 ? room / 2 : 40;
    char note[160];
    wn_paint_text(&app->paint, stdscr, y, 1, 1, WN_STYLE_KEY, selected ? ">" : " ");
    wn_paint_text(&app->paint, stdscr, y, 3, label, selected ? WN_STYLE_KEY : WN_STYLE_DIM, field->label);
    draw_value(app, field, y, value, value_width, selected);
    if (room - value_width < 8) {
        return;
    }
    wn_form_range(field, note, sizeof note);
    if (note[0] == '\0') {
        snprintf(note, sizeof note, "%.150s", field->error);
    }
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

static void draw_mode(wn_app *app, const wn_creation *creation, size_t index, int y)
{
    const Warren__Mode *mode = creation->modes->modes[index];
    const int whole = getmaxx(stdscr);
    const wn_style style = index == creation->mode ? WN_STYLE_SELECTED : WN_STYLE_PLAIN;
    char text[WN_TEXT_BYTES + WN_NAME_BYTES + 4];
    const char *summary = mode->summary == NULL || mode->summary[0] == '\0' ? mode->title : mode->summary;
    snprintf(text, sizeof text, " %-12s %s", mode->name, summary == NULL ? "" : summary);
    if (wn_text_width(text) > whole - 1) { /* all of it stands below the list when it is selected */
        const char *dots = wn_paint_dots(&app->paint);
        snprintf(text + wn_text_fit(text, whole - 1 - wn_text_width(dots), NULL), 4, "%s", dots);
    }
    wn_paint_line(&app->paint, stdscr, y, 0, whole, style, text);
}

/* How many rows are out of sight, and where one is among them all. */
static void draw_position(wn_app *app, const create *state, size_t rows, size_t count)
{
    const wn_paint *paint = &app->paint;
    const size_t below = count > state->top + rows ? count - state->top - rows : 0;
    const int whole = getmaxx(stdscr);
    char text[48];
    if (state->top > 0) {
        wn_paint_format(paint, stdscr, FIRST_ROW - 1, 3, whole - 4, WN_STYLE_KEY, "%s %zu more",
                        paint->unicode ? "▲" : "^", state->top);
    }
    if (below > 0) {
        wn_paint_format(paint, stdscr, FIRST_ROW + (int)rows, 3, whole - 4, WN_STYLE_KEY, "%s %zu more",
                        paint->unicode ? "▼" : "v", below);
    }
    snprintf(text, sizeof text, "%zu of %zu", wn_creation_selected(&state->creation) + 1, count);
    if (count > rows && !state->creation.busy) { /* else "creating" stands there */
        wn_paint_right(paint, stdscr, 1, whole - 16, 15, WN_STYLE_DIM, text);
    }
}

/* The modes, or the fields of the form; below them what is said of the selected one. */
static void draw_rows(wn_app *app, create *state)
{
    const wn_creation *creation = &state->creation;
    const size_t selected = wn_creation_selected(creation), count = wn_creation_rows(creation);
    const size_t rows = (size_t)(getmaxy(stdscr) - FIRST_ROW - HELP_ROWS - 2);
    char text[2 * WN_TEXT_BYTES];
    if (selected < state->top) {
        state->top = selected;
    }
    if (selected >= state->top + rows) {
        state->top = selected - rows + 1;
    }
    for (size_t i = 0; i < rows && state->top + i < count; i++) {
        (creation->form.mode == NULL ? draw_mode : draw_field)(app, creation, state->top + i, FIRST_ROW + (int)i);
    }
    draw_position(app, state, rows, count);
    const bool wrong = wn_creation_about(creation, text, sizeof text);
    draw_wrapped(app, getmaxy(stdscr) - 1 - HELP_ROWS, HELP_ROWS, wrong ? WN_STYLE_BAD : WN_STYLE_SYSTEM, text);
}

static void draw_help(wn_app *app, create *state)
{
    const wn_creation *creation = &state->creation;
    wn_box_view view = {.title = "Keys", .footer = "Esc closes", .selected = -1, .top = state->help_top};
    const wn_key_help *help;
    wn_lines lines = {0};
    if (!creation->helps) {
        wn_box_close(&app->box);
        state->help_top = 0;
        return;
    }
    for (size_t i = 0; (help = wn_creation_help(creation, i)) != NULL; i++) {
        wn_lines_add_key(&lines, 18, help->keys, help->text);
    }
    wn_box_draw(&app->box, &app->paint, &lines, &view);
    state->help_top = view.top;
    wn_lines_free(&lines);
}

static void draw(wn_app *app)
{
    static const char *const choosing[] = {"Enter", "choose", "Esc", "back", "F1", "help", NULL};
    static const char *const filling[] = {"Enter", "create", "Up/Down", "move",   "Left/Right", "change", "Esc",
                                          "back",  "F1",     "help",    "Ctrl-R", "default",    NULL};
    create *state = app->state;
    const wn_creation *creation = &state->creation;
    const bool fills = creation->form.mode != NULL;
    const char *no_modes = fills ? NULL : wn_creation_no_modes(creation);
    char title[320] = "A new world: which mode?";
    erase();
    wn_app_title(app, "Warren  new world");
    if (fills) {
        snprintf(title, sizeof title, "A new world of %s", wn_mode_title(creation->form.mode));
    }
    wn_paint_text(&app->paint, stdscr, 1, 1, getmaxx(stdscr) - 2, WN_STYLE_HEADING, title);
    if (creation->busy) {
        wn_paint_right(&app->paint, stdscr, 1, getmaxx(stdscr) - 12, 11, WN_STYLE_SYSTEM, "creating");
    }
    if (no_modes != NULL) {
        draw_wrapped(app, FIRST_ROW, HELP_ROWS, WN_STYLE_BAD, no_modes);
    } else {
        draw_rows(app, state);
    }
    wn_app_hints(app, fills ? filling : choosing);
    draw_help(app, state);
}

/* keys and events */

static void key(wn_app *app, const wn_input *input)
{
    create *state = app->state;
    state->help_top += wn_box_scroll(input->key);
    if (input->key == WN_KEY_MOUSE && input->y >= FIRST_ROW) {
        wn_creation_pick(&state->creation, (size_t)(input->y - FIRST_ROW) + state->top);
    } else if (!wn_creation_key(&state->creation, input->key)) {
        wn_worlds_open(app, NULL);
    }
}

static void event(wn_app *app, const wn_event *event)
{
    create *state = app->state;
    const uint32_t world = wn_creation_take(&state->creation, event);
    if (world != 0) {
        wn_game_open(app, world, 0);
    }
}

const wn_screen wn_screen_create = {.draw = draw, .key = key, .event = event, .leave = leave};
