/* screen-create.c: a new world: a mode is chosen, then its settings are filled in. What the form holds is form.h's
 * part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "fields.h"
#include "form.h"
#include "key.h"
#include "text.h"
#include "world-list.h"

enum { ROW = 28, CARD = 62 };

typedef struct create {
    Warren__ModeList *modes; /* NULL: not yet here */
    wn_form form;            /* without a mode while that is being chosen */
    size_t mode, top;        /* the selected mode; what stands first in the window */
    bool busy;
    uint32_t modes_request, create_request, join_request;
    SDL_Rect rows; /* where they were drawn last */
    int row_height;
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

/* How many rows there is room for, with the selected one among them. */
static size_t place_rows(create *state, SDL_Rect rect, int height, size_t selected)
{
    const size_t count = rect.h < height ? 1 : (size_t)(rect.h / height);
    if (selected < state->top)
        state->top = selected;
    if (selected >= state->top + count)
        state->top = selected - count + 1;
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
    if (strcmp(mode->name, wn_mode_title(mode)) != 0)
        wn_ink_text(ink, WN_STYLE_BODY, rect.x + 2 * pad + used, y, rect.w - 3 * pad - used, WN_INK_DIM, mode->name);
    wn_ink_text(ink, WN_STYLE_BODY, rect.x + pad, y + line, rect.w - 2 * pad, WN_INK_TEXT,
                mode->summary == NULL ? "" : mode->summary);
}

static void draw_modes(const wn_app *app, create *state, SDL_Rect rect)
{
    const wn_ink *ink = &app->ink;
    const char *problem = state->form.trouble[0] != '\0' ? state->form.trouble
                          : state->modes == NULL         ? "asking for the modes"
                          : state->modes->n_modes == 0 ? "This server has no modes; its administrator can install some."
                                                       : NULL;
    if (problem != NULL) {
        wn_ink_wrap(ink, WN_STYLE_BODY, rect.x, rect.y, rect.w, state->modes == NULL ? WN_INK_DIM : WN_INK_BAD,
                    problem);
        return;
    }
    const int height = wn_ink_units(ink, CARD);
    const size_t count = place_rows(state, rect, height, state->mode);
    for (size_t i = 0; i < count && state->top + i < state->modes->n_modes; i++)
        draw_mode(app, state->modes->modes[state->top + i],
                  (SDL_Rect){rect.x, rect.y + (int)i * height, rect.w, height - wn_ink_units(ink, 4)},
                  state->top + i == state->mode);
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
    if (!selected)
        return;
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
    if (selected)
        wn_ink_area(ink, rect, WN_INK_SELECTED, 120);
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
    const wn_form *form = &state->form;
    const wn_form_field *field = &form->fields[form->selected];
    const int help = 3 * wn_ink_line(ink, WN_STYLE_BODY), gap = wn_ink_units(ink, 12), height = wn_ink_units(ink, ROW);
    const char *trouble = field->error[0] != '\0' ? field->error : form->trouble;
    char text[2 * WN_TEXT_BYTES];
    const SDL_Rect rows = {rect.x, rect.y, rect.w, rect.h - help - gap};
    const size_t count = place_rows(state, rows, height, form->selected);
    for (size_t i = 0; i < count && state->top + i < form->count; i++)
        draw_field(app, &form->fields[state->top + i],
                   (SDL_Rect){rect.x, rect.y + (int)i * height, rect.w, height - wn_ink_units(ink, 2)},
                   state->top + i == form->selected);
    if (form->count > count) {
        const int room = rows.h, bar = room * (int)count / (int)form->count;
        wn_ink_area(ink, (SDL_Rect){rect.x + rect.w + gap / 2, rect.y, gap / 3, room}, WN_INK_PANEL, 255);
        wn_ink_area(ink,
                    (SDL_Rect){rect.x + rect.w + gap / 2,
                               rect.y + (room - bar) * (int)state->top / (int)(form->count - count), gap / 3, bar},
                    WN_INK_EDGE, 255);
    }
    wn_form_help(field, text, sizeof text);
    wn_ink_wrap(ink, WN_STYLE_BODY, rect.x, rect.y + rect.h - help, rect.w,
                trouble[0] != '\0' ? WN_INK_BAD : WN_INK_SYSTEM, trouble[0] != '\0' ? trouble : text);
}

static void draw(wn_app *app)
{
    static const wn_hint choosing[] = {{"Enter", "choose", WN_KEY_ENTER}, {"Esc", "back", WN_KEY_ESCAPE}};
    static const wn_hint filling[] = {{"Enter", "create", WN_KEY_ENTER},
                                      {"Up/Down", "move", WN_KEY_NONE},
                                      {"Left/Right", "change", WN_KEY_NONE},
                                      {"Ctrl-R", "default", 'r' - WN_KEY_CONTROL_BASE},
                                      {"Esc", "back", WN_KEY_ESCAPE}};
    create *state = app->state;
    const wn_ink *ink = &app->ink;
    const bool fills = state->form.mode != NULL;
    const int pad = wn_ink_units(ink, 24), most = wn_ink_units(ink, 900);
    const int top = wn_app_title(app, "Warren   new world");
    const int bottom = fills ? wn_app_hints(app, filling, 5) : wn_app_hints(app, choosing, 2);
    SDL_Rect rect = {pad, top + pad, app->window.width - 2 * pad, app->window.height - top - bottom - 2 * pad};
    if (rect.w > most)
        rect = (SDL_Rect){(app->window.width - most) / 2, rect.y, most, rect.h};
    char title[320] = "A new world";
    if (fills)
        snprintf(title, sizeof title, "A new world of %s", wn_mode_title(state->form.mode));
    wn_ink_text(ink, WN_STYLE_TITLE, rect.x, rect.y, rect.w, WN_INK_TITLE, title);
    if (state->busy)
        wn_ink_right(ink, WN_STYLE_BODY, rect.x, rect.y + pad / 2, rect.w, WN_INK_SYSTEM, "creating\xe2\x80\xa6");
    const int heading = wn_ink_line(ink, WN_STYLE_TITLE) + wn_ink_units(ink, 16);
    rect.y += heading;
    rect.h -= heading;
    if (fills)
        draw_form(app, state, rect);
    else
        draw_modes(app, state, rect);
}

/* keys and the pointer */

static void submit(wn_app *app, create *state)
{
    state->create_request = wn_form_submit(&state->form, app->link.client);
    state->busy = state->create_request != 0;
}

static void choose_mode(create *state, size_t mode)
{
    wn_form_start(&state->form, state->modes->modes[mode]);
    state->mode = mode;
    state->top = 0;
}

static int move_of_key(uint32_t key)
{
    return key == WN_KEY_UP || key == WN_KEY_BACK_TAB ? -1
           : key == WN_KEY_DOWN || key == WN_KEY_TAB  ? 1
           : key == WN_KEY_PAGE_UP                    ? -8
           : key == WN_KEY_PAGE_DOWN                  ? 8
                                                      : 0;
}

static void form_key(wn_app *app, create *state, uint32_t key)
{
    if (move_of_key(key) != 0) {
        wn_form_move(&state->form, move_of_key(key));
    } else if (key == WN_KEY_ENTER) {
        submit(app, state);
    } else if (key == WN_KEY_ESCAPE) {
        wn_form_free(&state->form);
        state->busy = false;
        state->top = 0;
    } else {
        wn_form_key(&state->form, key);
    }
}

static void choice_move(create *state, int by)
{
    const long count = state->modes == NULL ? 0 : (long)state->modes->n_modes, wanted = (long)state->mode + by;
    state->mode = wanted < 0 || count == 0 ? 0 : (size_t)(wanted >= count ? count - 1 : wanted);
}

static void choice_key(wn_app *app, create *state, uint32_t key)
{
    const int move = key == 'j' ? 1 : key == 'k' ? -1 : move_of_key(key);
    if (move != 0)
        choice_move(state, move);
    else if (key == WN_KEY_ENTER && state->modes != NULL && state->mode < state->modes->n_modes)
        choose_mode(state, state->mode);
    else if (key == WN_KEY_ESCAPE || key == 'q')
        wn_worlds_open(app, NULL);
}

static void key(wn_app *app, uint32_t key, bool repeated)
{
    create *state = app->state;
    (void)repeated;
    if (key == WN_KEY_F12)
        wn_app_take_picture(app);
    else if (state->form.mode == NULL)
        choice_key(app, state, key);
    else if (!state->busy || key == WN_KEY_ESCAPE)
        form_key(app, state, key);
}

static void pick_row(create *state, size_t row, int clicks)
{
    wn_form *form = &state->form;
    if (form->mode == NULL) {
        if (state->modes != NULL && row < state->modes->n_modes)
            choose_mode(state, row);
        return;
    }
    if (row >= form->count)
        return;
    const bool again = form->selected == row;
    wn_form_move(form, (long)row - (long)form->selected);
    if (wn_form_chooses(&form->fields[row]) && (again || clicks >= 2))
        wn_form_choose(form, 1);
}

static void pointer(wn_app *app, const wn_pointer *pointer)
{
    create *state = app->state;
    const SDL_Point at = {pointer->x, pointer->y};
    if (pointer->kind == WN_POINTER_WHEEL && state->form.mode != NULL)
        wn_form_move(&state->form, pointer->amount > 0 ? -1 : 1);
    else if (pointer->kind == WN_POINTER_WHEEL)
        choice_move(state, pointer->amount > 0 ? -1 : 1);
    else if (pointer->kind == WN_POINTER_PRESS && state->row_height > 0 && !state->busy &&
             SDL_PointInRect(&at, &state->rows))
        pick_row(state, state->top + (size_t)((pointer->y - state->rows.y) / state->row_height), pointer->clicks);
}

/* events */

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
    if (event->kind == WN_EVENT_REPLY && event->request != 0) {
        take_reply(app, state, event);
    } else if (event->kind == WN_EVENT_ERROR && (event->request != 0 || state->busy)) { /* 0: it was not understood */
        state->busy = false;
        wn_form_fail(&state->form, &event->error);
    }
}

const wn_screen wn_screen_create = {.draw = draw, .key = key, .pointer = pointer, .event = event, .leave = leave};
