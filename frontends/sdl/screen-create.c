/* screen-create.c: a new world: the modes to choose from, then the form to fill in. What they hold and what keys do is
 * creation.h's part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "creation.h"
#include "fields.h"
#include "key.h"
#include "sheet.h"

enum { ROW = 28, CARD = 62 };

typedef struct create {
    wn_creation creation;
    size_t top;    /* the first row in sight */
    SDL_Rect rows; /* where they were drawn last */
    int row_height;
    wn_sheet sheet; /* the help */
    bool opened;    /* it is */
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
    wn_sheet_free(&state->sheet);
    free(state);
    app->state = NULL;
}

/* drawing */

/* How many rows there is room for, with the selected one among them. */
static size_t place_rows(create *state, SDL_Rect rect, int height)
{
    const size_t selected = wn_creation_selected(&state->creation);
    const size_t count = rect.h < height ? 1 : (size_t)(rect.h / height);
    if (selected < state->top) {
        state->top = selected;
    }
    if (selected >= state->top + count) {
        state->top = selected - count + 1;
    }
    state->rows = rect;
    state->row_height = height;
    return count;
}

static void draw_mode(const wn_app *app, const Warren__Mode *mode, SDL_Rect rect, bool selected)
{
    const wn_ink *ink = &app->ink;
    const int pad = wn_ink_units(ink, 12), line = wn_ink_line(ink, WN_STYLE_BOLD);
    const int y = rect.y + (rect.h - 2 * line) / 2;
    wn_ink_area(ink, rect, selected ? WN_INK_SELECTED : WN_INK_PANEL, 255);
    const int used =
        wn_ink_text(ink, WN_STYLE_BOLD, rect.x + pad, y, rect.w - 2 * pad, WN_INK_TITLE, wn_mode_title(mode));
    if (strcmp(mode->name, wn_mode_title(mode)) != 0) {
        wn_ink_text(ink, WN_STYLE_BODY, rect.x + 2 * pad + used, y, rect.w - 3 * pad - used, WN_INK_DIM, mode->name);
    }
    wn_ink_text(ink, WN_STYLE_BODY, rect.x + pad, y + line, rect.w - 2 * pad, WN_INK_TEXT,
                mode->summary == NULL ? "" : mode->summary);
}

static void draw_modes(const wn_app *app, create *state, SDL_Rect rect)
{
    const wn_ink *ink = &app->ink;
    const wn_creation *creation = &state->creation;
    const char *no_modes = wn_creation_no_modes(creation);
    if (no_modes != NULL) {
        wn_ink_wrap(ink, WN_STYLE_BODY, rect.x, rect.y, rect.w, creation->modes == NULL ? WN_INK_DIM : WN_INK_BAD,
                    no_modes);
        return;
    }
    const int height = wn_ink_units(ink, CARD);
    const size_t count = place_rows(state, rect, height);
    for (size_t i = 0; i < count && state->top + i < creation->modes->n_modes; i++) {
        draw_mode(app, creation->modes->modes[state->top + i],
                  (SDL_Rect){rect.x, rect.y + (int)i * height, rect.w, height - wn_ink_units(ink, 4)},
                  state->top + i == creation->mode);
    }
}

static void draw_value(const wn_app *app, const wn_form_field *field, SDL_Rect rect, bool selected)
{
    const wn_ink *ink = &app->ink;
    const bool changed = strcmp(field->value.text, wn_form_standard(field)) != 0;
    const uint32_t colour = changed ? WN_INK_KEY : WN_INK_TEXT;
    const int pad = wn_ink_units(ink, 8), y = rect.y + (rect.h - wn_ink_line(ink, WN_STYLE_BODY)) / 2;
    char text[WN_EDIT_BYTES + 16];
    if (wn_form_chooses(field)) {
        snprintf(text, sizeof text, selected ? "\xe2\x97\x82 %s \xe2\x96\xb8" : "%s", field->value.text);
        wn_ink_text(ink, WN_STYLE_BODY, rect.x + pad, y, rect.w - 2 * pad, colour, text);
        return;
    }
    wn_ink_area(ink, rect, WN_INK_INPUT, selected ? 255 : 120);
    size_t first;
    int unused;
    wn_edit_window(&field->value, 200, &first, &unused);
    wn_ink_text(ink, WN_STYLE_BODY, rect.x + pad, y, rect.w - 2 * pad, colour, field->value.text + first);
    if (!selected) {
        return;
    }
    snprintf(text, sizeof text, "%.*s", (int)(field->value.cursor - first), field->value.text + first);
    wn_ink_area(ink,
                (SDL_Rect){rect.x + pad + wn_ink_width(ink, WN_STYLE_BODY, text), y, wn_ink_units(ink, 2),
                           wn_ink_line(ink, WN_STYLE_BODY)},
                WN_INK_KEY, 255);
}

static void draw_field(const wn_app *app, const wn_form_field *field, SDL_Rect rect, bool selected)
{
    const wn_ink *ink = &app->ink;
    const int pad = wn_ink_units(ink, 12), label = rect.w * 26 / 100, value = rect.w * 34 / 100;
    const int y = rect.y + (rect.h - wn_ink_line(ink, WN_STYLE_BODY)) / 2;
    char note[WN_TEXT_BYTES + 1];
    if (selected) {
        wn_ink_area(ink, rect, WN_INK_SELECTED, 120);
    }
    wn_ink_text(ink, selected ? WN_STYLE_BOLD : WN_STYLE_BODY, rect.x + pad, y, label - pad,
                selected ? WN_INK_TITLE : WN_INK_DIM, field->label);
    draw_value(app, field, (SDL_Rect){rect.x + label, rect.y + 1, value, rect.h - 2}, selected);
    wn_form_range(field, note, sizeof note);
    wn_ink_text(ink, WN_STYLE_SMALL, rect.x + label + value + pad, y + wn_ink_units(ink, 1),
                rect.w - label - value - 2 * pad, field->error[0] != '\0' ? WN_INK_BAD : WN_INK_DIM,
                field->error[0] != '\0' ? field->error : note);
}

static void draw_form(const wn_app *app, create *state, SDL_Rect rect)
{
    const wn_ink *ink = &app->ink;
    const wn_form *form = &state->creation.form;
    const int help = 3 * wn_ink_line(ink, WN_STYLE_BODY), gap = wn_ink_units(ink, 12), height = wn_ink_units(ink, ROW);
    char text[2 * WN_TEXT_BYTES];
    const SDL_Rect rows = {rect.x, rect.y, rect.w, rect.h - help - gap};
    const size_t count = place_rows(state, rows, height);
    for (size_t i = 0; i < count && state->top + i < form->count; i++) {
        draw_field(app, &form->fields[state->top + i],
                   (SDL_Rect){rect.x, rect.y + (int)i * height, rect.w, height - wn_ink_units(ink, 2)},
                   state->top + i == form->selected);
    }
    if (form->count > count) {
        const int room = rows.h, bar = room * (int)count / (int)form->count;
        wn_ink_area(ink, (SDL_Rect){rect.x + rect.w + gap / 2, rect.y, gap / 3, room}, WN_INK_PANEL, 255);
        wn_ink_area(ink,
                    (SDL_Rect){rect.x + rect.w + gap / 2,
                               rect.y + (room - bar) * (int)state->top / (int)(form->count - count), gap / 3, bar},
                    WN_INK_EDGE, 255);
    }
    const bool wrong = wn_creation_about(&state->creation, text, sizeof text);
    wn_ink_wrap(ink, WN_STYLE_BODY, rect.x, rect.y + rect.h - help, rect.w, wrong ? WN_INK_BAD : WN_INK_SYSTEM, text);
}

static void draw_help(const wn_app *app, create *state)
{
    const wn_key_help *help;
    if (state->creation.helps && !state->opened) {
        wn_sheet_open(&state->sheet, "Keys", "Esc closes", 560);
    }
    state->opened = state->creation.helps;
    if (!state->opened) {
        return;
    }
    wn_sheet_clear(&state->sheet);
    for (size_t i = 0; (help = wn_creation_help(&state->creation, i)) != NULL; i++) {
        wn_sheet_add_key(&state->sheet, help->keys, help->text);
    }
    wn_sheet_draw(&state->sheet, &app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height}, NULL, NULL);
}

static void draw(wn_app *app)
{
    static const wn_hint choosing[] = {
        {"Enter", "choose", WN_KEY_ENTER}, {"Esc", "back", WN_KEY_ESCAPE}, {"F1", "help", WN_KEY_F1}};
    static const wn_hint filling[] = {
        {"Enter", "create", WN_KEY_ENTER},     {"Up/Down", "move", WN_KEY_NONE},
        {"Left/Right", "change", WN_KEY_NONE}, {"Ctrl-R", "default", 'r' - WN_KEY_CONTROL_BASE},
        {"Esc", "back", WN_KEY_ESCAPE},        {"F1", "help", WN_KEY_F1}};
    create *state = app->state;
    const wn_ink *ink = &app->ink;
    const bool fills = state->creation.form.mode != NULL;
    const int pad = wn_ink_units(ink, 24), most = wn_ink_units(ink, 900);
    const int top = wn_app_title(app, "Warren   new world");
    const int bottom = fills ? wn_app_hints(app, filling, 6) : wn_app_hints(app, choosing, 3);
    SDL_Rect rect = {pad, top + pad, app->window.width - 2 * pad, app->window.height - top - bottom - 2 * pad};
    if (rect.w > most) {
        rect = (SDL_Rect){(app->window.width - most) / 2, rect.y, most, rect.h};
    }
    char title[320] = "A new world";
    if (fills) {
        snprintf(title, sizeof title, "A new world of %s", wn_mode_title(state->creation.form.mode));
    }
    wn_ink_text(ink, WN_STYLE_TITLE, rect.x, rect.y, rect.w, WN_INK_TITLE, title);
    if (state->creation.busy) {
        wn_ink_right(ink, WN_STYLE_BODY, rect.x, rect.y + pad / 2, rect.w, WN_INK_SYSTEM, "creating\xe2\x80\xa6");
    }
    const int heading = wn_ink_line(ink, WN_STYLE_TITLE) + wn_ink_units(ink, 16);
    rect.y += heading;
    rect.h -= heading;
    if (fills) {
        draw_form(app, state, rect);
    } else {
        draw_modes(app, state, rect);
    }
    draw_help(app, state);
}

/* keys, the pointer, events */

static void key(wn_app *app, uint32_t key, bool repeated)
{
    create *state = app->state;
    (void)repeated;
    if (key == WN_KEY_F12) {
        wn_app_take_picture(app);
    } else if (!wn_creation_key(&state->creation, key)) {
        wn_worlds_open(app, NULL);
    }
}

/* A click chooses; one more on a field where something is chosen takes the next of that. */
static void pick_row(wn_creation *creation, size_t row, int clicks)
{
    wn_form *form = &creation->form;
    const bool again = form->mode != NULL && (form->selected == row || clicks >= 2);
    wn_creation_pick(creation, row);
    if (again && row < form->count && !creation->busy && wn_form_chooses(&form->fields[row])) {
        wn_form_choose(form, 1);
    }
}

static void pointer(wn_app *app, const wn_pointer *pointer)
{
    create *state = app->state;
    const SDL_Point at = {pointer->x, pointer->y};
    if (state->creation.helps) {
        if (pointer->kind == WN_POINTER_PRESS) {
            wn_creation_key(&state->creation, WN_KEY_ESCAPE);
        }
        return;
    }
    if (pointer->kind == WN_POINTER_WHEEL) {
        wn_creation_move(&state->creation, pointer->amount > 0 ? -1 : 1);
    } else if (pointer->kind == WN_POINTER_PRESS && state->row_height > 0 && SDL_PointInRect(&at, &state->rows)) {
        pick_row(&state->creation, state->top + (size_t)((pointer->y - state->rows.y) / state->row_height),
                 pointer->clicks);
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

const wn_screen wn_screen_create = {.draw = draw, .key = key, .pointer = pointer, .event = event, .leave = leave};
