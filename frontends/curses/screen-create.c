/* screen-create.c: a new world: a mode is chosen, then its settings are filled in. The form is made from the mode's
 * description; what is allowed is the server's business, and what it objects to is shown at the field it names. */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "key.h"
#include "text.h"

enum { FIRST_ROW = 3, HELP_ROWS = 3, LABEL_MOST = 20, SEED_BYTES = 20 };

/* One line of the form. The first two are no settings: the world's name and its seed. */
typedef struct form_field {
    const Warren__Setting *setting; /* NULL: name or seed */
    const char *label, *help;
    wn_edit value;
    char error[WN_TEXT_BYTES + 1];
} form_field;

typedef struct create {
    Warren__ModeList *modes;  /* NULL: not yet here */
    const Warren__Mode *mode; /* NULL: it is being chosen */
    form_field *fields;
    size_t field_count;
    size_t selected, top;
    bool fresh; /* the field has just been reached: what is typed replaces its number */
    bool busy;
    uint32_t modes_request, create_request, join_request;
    char trouble[WN_TEXT_BYTES + 1];
} create;

void wn_create_open(wn_app *app)
{
    create *state = calloc(1, sizeof *state);
    if (state == NULL)
        return;
    wn_app_show(app, &wn_screen_create, state);
    state->modes_request = wn_client_list_modes(app->client);
}

static void leave(wn_app *app)
{
    create *state = app->state;
    if (state->modes != NULL)
        warren__mode_list__free_unpacked(state->modes, NULL);
    free(state->fields);
    free(state);
    app->state = NULL;
}

static void choose_mode(create *state, const Warren__Mode *mode)
{
    form_field *fields = calloc(mode->n_settings + 2, sizeof *fields);
    if (fields == NULL)
        return;
    free(state->fields);
    state->fields = fields;
    state->field_count = mode->n_settings + 2;
    state->mode = mode;
    state->selected = state->top = 0;
    state->fresh = true;
    state->trouble[0] = '\0';
    fields[0] = (form_field){.label = "name", .help = "What the world is called. Empty: the server finds a name."};
    fields[1] =
        (form_field){.label = "seed", .help = "The number that chance starts from. Empty: the server draws one."};
    wn_edit_start(&fields[0].value, "", WN_NAME_BYTES);
    wn_edit_start(&fields[1].value, "", SEED_BYTES);
    for (size_t i = 0; i < mode->n_settings; i++) {
        const Warren__Setting *setting = mode->settings[i];
        fields[i + 2] = (form_field){.setting = setting, .label = setting->name, .help = setting->help};
        wn_edit_start(&fields[i + 2].value, setting->standard == NULL ? "" : setting->standard, WN_EDIT_BYTES);
    }
}

/* drawing */

static bool is_toggled(const form_field *field)
{
    return field->setting != NULL && (field->setting->type == WARREN__SETTING_TYPE__SETTING_BOOLEAN ||
                                      field->setting->type == WARREN__SETTING_TYPE__SETTING_CHOICE);
}

static const char *standard_of(const form_field *field)
{
    return field->setting == NULL || field->setting->standard == NULL ? "" : field->setting->standard;
}

/* "16 to 1024", "yes or no", "small, large": what can be given. */
static void range_text(const form_field *field, char *text, size_t size)
{
    const Warren__Setting *setting = field->setting;
    text[0] = '\0';
    if (setting == NULL)
        return;
    size_t used = 0;
    switch (setting->type) {
    case WARREN__SETTING_TYPE__SETTING_INTEGER:
        snprintf(text, size, "%lld to %lld", (long long)setting->minimum, (long long)setting->maximum);
        return;
    case WARREN__SETTING_TYPE__SETTING_BOOLEAN:
        snprintf(text, size, "yes or no");
        return;
    case WARREN__SETTING_TYPE__SETTING_CHOICE:
        for (size_t i = 0; i < setting->n_choices && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", setting->choices[i]);
        return;
    default:
        if (setting->maximum > 0)
            snprintf(text, size, "up to %lld bytes", (long long)setting->maximum);
    }
}

static int label_width(const create *state)
{
    int width = 4;
    for (size_t i = 0; i < state->field_count; i++) {
        const int other = wn_text_width(state->fields[i].label);
        width = other > width ? other : width;
    }
    return width < LABEL_MOST ? width : LABEL_MOST;
}

static void draw_value(wn_app *app, const form_field *field, int y, int x, int width, bool selected)
{
    size_t first = 0;
    int column = 0;
    char text[WN_EDIT_BYTES + 8];
    const bool changed = strcmp(field->value.text, standard_of(field)) != 0;
    if (is_toggled(field)) {
        snprintf(text, sizeof text, selected ? "< %s >" : "  %s", field->value.text);
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
    const form_field *field = &state->fields[index];
    const int whole = getmaxx(stdscr), label = label_width(state);
    const bool selected = index == state->selected;
    const int value = label + 4, room = whole - value - 1;
    const int value_width = room < 26 ? room : room / 2 < 26 ? 26 : room / 2 < 40 ? room / 2 : 40;
    char note[160];
    wn_paint_text(&app->paint, stdscr, y, 1, 1, WN_STYLE_KEY, selected ? ">" : " ");
    wn_paint_text(&app->paint, stdscr, y, 3, label, selected ? WN_STYLE_KEY : WN_STYLE_DIM, field->label);
    draw_value(app, field, y, value, value_width, selected);
    if (room - value_width < 8)
        return;
    range_text(field, note, sizeof note);
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
    const form_field *field = &state->fields[state->selected];
    const int y = getmaxy(stdscr) - 1 - HELP_ROWS;
    char text[WN_TEXT_BYTES + 1], range[160];
    range_text(field, range, sizeof range);
    if (field->error[0] != '\0') {
        draw_wrapped(app, y, HELP_ROWS, WN_STYLE_BAD, field->error);
    } else if (state->trouble[0] != '\0') {
        draw_wrapped(app, y, HELP_ROWS, WN_STYLE_BAD, state->trouble);
    } else {
        if (field->setting == NULL)
            snprintf(text, sizeof text, "%s", field->help);
        else
            snprintf(text, sizeof text, "%s (%s%sdefault %s)", field->help == NULL ? "" : field->help, range,
                     range[0] == '\0' ? "" : "; ", standard_of(field)[0] == '\0' ? "empty" : standard_of(field));
        draw_wrapped(app, y, HELP_ROWS, WN_STYLE_SYSTEM, text);
    }
}

static void draw_list(wn_app *app, create *state, size_t count, int rows,
                      void (*draw_one)(wn_app *app, const create *state, size_t index, int y))
{
    if (state->selected < state->top)
        state->top = state->selected;
    if (state->selected >= state->top + (size_t)rows)
        state->top = state->selected - (size_t)rows + 1;
    for (size_t i = 0; i < (size_t)rows && state->top + i < count; i++)
        draw_one(app, state, state->top + i, FIRST_ROW + (int)i);
}

static void draw_mode(wn_app *app, const create *state, size_t index, int y)
{
    const Warren__Mode *mode = state->modes->modes[index];
    const int whole = getmaxx(stdscr);
    const wn_style style = index == state->selected ? WN_STYLE_SELECTED : WN_STYLE_PLAIN;
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
    draw_list(app, state, state->modes->n_modes, getmaxy(stdscr) - FIRST_ROW - HELP_ROWS - 2, draw_mode);
    const char *summary = state->modes->modes[state->selected]->summary;
    if (summary != NULL)
        draw_wrapped(app, getmaxy(stdscr) - 1 - HELP_ROWS, HELP_ROWS, WN_STYLE_SYSTEM, summary);
}

static void draw_choice(wn_app *app, create *state)
{
    static const char *const hints[] = {"Enter", "choose", "Esc", "back", NULL};
    const int whole = getmaxx(stdscr);
    wn_paint_text(&app->paint, stdscr, 1, 1, whole - 2, WN_STYLE_HEADING, "A new world: which mode?");
    if (state->trouble[0] != '\0')
        draw_wrapped(app, FIRST_ROW, HELP_ROWS, WN_STYLE_BAD, state->trouble);
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
    if (state->mode == NULL) {
        draw_choice(app, state);
        return;
    }
    snprintf(title, sizeof title, "A new world of %s",
             state->mode->title == NULL || state->mode->title[0] == '\0' ? state->mode->name : state->mode->title);
    wn_paint_text(&app->paint, stdscr, 1, 1, getmaxx(stdscr) - 2, WN_STYLE_HEADING, title);
    if (state->busy)
        wn_paint_right(&app->paint, stdscr, 1, getmaxx(stdscr) - 12, 11, WN_STYLE_SYSTEM, "creating");
    draw_list(app, state, state->field_count, getmaxy(stdscr) - FIRST_ROW - HELP_ROWS - 2, draw_field);
    draw_help(app, state);
    wn_app_hints(app, hints);
}

/* keys and events */

static void submit(wn_app *app, create *state)
{
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    size_t count = 0;
    for (size_t i = 0; i < state->field_count; i++)
        state->fields[i].error[0] = '\0';
    state->trouble[0] = '\0';
    for (size_t i = 2; i < state->field_count && count < WN_CREATE_SETTINGS; i++) {
        form_field *field = &state->fields[i];
        if (strcmp(field->value.text, standard_of(field)) == 0)
            continue;
        warren__setting_value__init(&settings[count]);
        settings[count].name = field->setting->name;
        settings[count++].value = field->value.text;
    }
    const char *name = state->fields[0].value.text, *seed_text = state->fields[1].value.text;
    char *end;
    uint64_t seed = strtoull(seed_text, &end, 10);
    if (*end != '\0' || seed_text[0] == '-') {
        snprintf(state->fields[1].error, sizeof state->fields[1].error,
                 "\"%.20s\" is no number from 0 to 18446744073709551615", seed_text);
        state->selected = 1;
        return;
    }
    if (name[0] != '\0' && !wn_name_valid(name)) {
        snprintf(state->fields[0].error, sizeof state->fields[0].error,
                 "a name begins with a letter or a digit and goes on with those and . _ -");
        state->selected = 0;
        return;
    }
    state->busy = true;
    state->create_request = wn_client_create(app->client, state->mode->name, name[0] == '\0' ? NULL : name, settings,
                                             count, seed_text[0] == '\0' ? NULL : &seed);
}

static void toggle(form_field *field, int by)
{
    const Warren__Setting *setting = field->setting;
    if (setting->type == WARREN__SETTING_TYPE__SETTING_BOOLEAN) {
        wn_edit_start(&field->value, strcmp(field->value.text, "yes") == 0 ? "no" : "yes", WN_EDIT_BYTES);
        return;
    }
    const size_t count = setting->n_choices;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(setting->choices[i], field->value.text) == 0) {
            wn_edit_start(&field->value, setting->choices[(i + count + (size_t)by) % count], WN_EDIT_BYTES);
            return;
        }
    }
    if (count > 0)
        wn_edit_start(&field->value, setting->choices[0], WN_EDIT_BYTES);
}

static void move_selection(create *state, int by, size_t count)
{
    const long wanted = (long)state->selected + by, last = (long)count - 1;
    state->selected = wanted < 0 || last < 0 ? 0 : wanted > last ? (size_t)last : (size_t)wanted;
    state->fresh = true;
}

static void edit_field(create *state, uint32_t key)
{
    form_field *field = &state->fields[state->selected];
    field->error[0] = '\0';
    if (is_toggled(field)) {
        if (key == ' ' || key == WN_KEY_RIGHT || key == '+')
            toggle(field, 1);
        else if (key == WN_KEY_LEFT || key == '-')
            toggle(field, -1);
        return;
    }
    const bool is_number = field->setting != NULL && field->setting->type == WARREN__SETTING_TYPE__SETTING_INTEGER;
    const bool types = key < WN_KEY_UP || (key >= WN_KEY_KP0 && key <= WN_KEY_KP9);
    if (state->fresh && is_number && types && key >= ' ')
        wn_edit_start(&field->value, "", WN_EDIT_BYTES);
    state->fresh = false;
    wn_edit_key(&field->value, key);
}

static int move_of_key(uint32_t key)
{
    return key == WN_KEY_UP || key == WN_KEY_BACK_TAB || key == WN_KEY_WHEEL_UP  ? -1
           : key == WN_KEY_DOWN || key == WN_KEY_TAB || key == WN_KEY_WHEEL_DOWN ? 1
           : key == WN_KEY_PAGE_UP                                               ? -8
           : key == WN_KEY_PAGE_DOWN                                             ? 8
                                                                                 : 0;
}

static void form_key(wn_app *app, create *state, const wn_input *input)
{
    form_field *field = &state->fields[state->selected];
    const size_t clicked = (size_t)(input->y - FIRST_ROW) + state->top;
    if (move_of_key(input->key) != 0) {
        move_selection(state, move_of_key(input->key), state->field_count);
    } else if (input->key == WN_KEY_ENTER) {
        submit(app, state);
    } else if (input->key == WN_KEY_ESCAPE) {
        state->mode = NULL;
        state->selected = state->top = 0;
    } else if (input->key == 'r' - WN_KEY_CONTROL_BASE) {
        wn_edit_start(&field->value, standard_of(field), field->value.limit);
    } else if (input->key == WN_KEY_MOUSE) {
        if (input->y >= FIRST_ROW && clicked < state->field_count)
            move_selection(state, (int)clicked - (int)state->selected, state->field_count);
    } else {
        edit_field(state, input->key);
    }
}

static void choice_key(wn_app *app, create *state, const wn_input *input)
{
    const size_t count = state->modes == NULL ? 0 : state->modes->n_modes;
    const int move = input->key == 'j' ? 1 : input->key == 'k' ? -1 : move_of_key(input->key);
    const size_t clicked = (size_t)(input->y - FIRST_ROW) + state->top;
    if (move != 0)
        move_selection(state, move, count);
    else if (input->key == WN_KEY_ENTER && state->selected < count)
        choose_mode(state, state->modes->modes[state->selected]);
    else if (input->key == WN_KEY_MOUSE && input->y >= FIRST_ROW && clicked < count)
        choose_mode(state, state->modes->modes[clicked]);
    else if (input->key == WN_KEY_ESCAPE || input->key == 'q')
        wn_worlds_open(app, NULL);
}

static void key(wn_app *app, const wn_input *input)
{
    create *state = app->state;
    if (state->mode == NULL)
        choice_key(app, state, input);
    else if (!state->busy || input->key == WN_KEY_ESCAPE)
        form_key(app, state, input);
}

/* At the field that the server names, else for the form as a whole. */
static void show_error(create *state, const wn_error *error)
{
    state->busy = false;
    for (size_t i = 0; state->mode != NULL && i < state->field_count; i++) {
        if (error->field[0] != '\0' && strcmp(state->fields[i].label, error->field) == 0) {
            snprintf(state->fields[i].error, sizeof state->fields[i].error, "%s", error->text);
            state->selected = i;
            state->fresh = true;
            return;
        }
    }
    snprintf(state->trouble, sizeof state->trouble, "%s", error->text);
}

static void take_reply(wn_app *app, create *state, const wn_event *event)
{
    const Warren__Reply *reply = event->reply;
    if (event->request == state->modes_request && reply->body_case == WARREN__REPLY__BODY_MODES)
        state->modes = (Warren__ModeList *)wn_app_copy(&reply->modes->base);
    else if (event->request == state->create_request && reply->body_case == WARREN__REPLY__BODY_WORLD)
        state->join_request = wn_client_join(app->client, reply->world->name);
    else if (event->request == state->join_request && reply->body_case == WARREN__REPLY__BODY_JOINED)
        wn_game_open(app, reply->joined->world);
}

static void event(wn_app *app, const wn_event *event)
{
    create *state = app->state;
    if (event->kind == WN_EVENT_REPLY && event->request != 0)
        take_reply(app, state, event);
    else if (event->kind == WN_EVENT_ERROR && (event->request != 0 || state->busy)) /* 0: it was not understood */
        show_error(state, &event->error);
}

const wn_screen wn_screen_create = {.draw = draw, .key = key, .event = event, .leave = leave};
