/* screen-replay.c: a recording in the window: the same map and panel as live play, with a time line to scrub. What
 * is watched, and what keys mean, is viewing.h's part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "key.h"
#include "replay.h"
#include "scene.h"
#include "viewing.h"

enum { LINE_HEIGHT = 30 };

typedef struct replay {
    wn_viewing viewing;
    wn_scene_view view;
    wn_sheet sheet;
    unsigned opened; /* viewing.opened, as the sheet was opened for it */
    SDL_Rect line;   /* the time line, where it was drawn last */
    bool scrubbing;  /* the pointer holds it */
    bool dragging;   /* or the map */
} replay;

static void show_turn(wn_app *app, replay *state)
{
    const wn_replica *replica = wn_player_replica(state->viewing.playback.player);
    wn_playback_log(&state->viewing.playback, &app->log);
    if (replica->ready) {
        wn_scene_take(&state->view, app, replica, wn_player_update(state->viewing.playback.player));
    }
    app->dirty = true;
}

bool wn_replay_open(wn_app *app, int *status)
{
    wn_error error = {.text = "There is no memory left to play a recording."};
    replay *state = calloc(1, sizeof *state);
    *status = 1;
    if (state != NULL) {
        *status =
            wn_playback_load(&state->viewing.playback, app->options->line.replay, app->options->line.mode_path, &error);
    }
    if (*status != 0) {
        fprintf(stderr, "warren-sdl: %s\n", error.text);
        free(state);
        return false;
    }
    const char *difference = wn_player_difference(state->viewing.playback.player);
    wn_scene_init(&state->view);
    wn_app_show(app, &wn_screen_replay, state);
    wn_scene_begin(&state->view, app, wn_player_replica(state->viewing.playback.player)->mode);
    state->view.first_person = false; /* spectators stand nowhere */
    show_turn(app, state);
    if (difference[0] != '\0') {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, difference);
    }
    return true;
}

static void leave(wn_app *app)
{
    replay *state = app->state;
    wn_scene_free(&state->view);
    wn_sheet_free(&state->sheet);
    wn_playback_free(&state->viewing.playback);
    free(state);
    app->state = NULL;
}

/* drawing */

static int draw_title(wn_app *app, const replay *state)
{
    char left[2 * WN_TEXT_BYTES], right[160], name[WN_NAME_BYTES + 32];
    const wn_playback *playback = &state->viewing.playback;
    const wn_player *player = playback->player;
    wn_playback_view_name(playback, true, name, sizeof name);
    snprintf(left, sizeof left, "%s   %s   %s%s", wn_mode_title(wn_player_replica(player)->mode),
             wn_recording_header(playback->recording)->world, name,
             wn_player_difference(player)[0] != '\0' ? "   (other build)" : "");
    wn_viewing_progress(&state->viewing, true, "   ", right, sizeof right);
    return wn_app_title_line(app, left, right);
}

static int draw_bottom(wn_app *app, const replay *state)
{
    char asked[160], typed[WN_EDIT_BYTES + 2];
    if (state->viewing.focus == WN_VIEWING_GOING) {
        wn_viewing_question(&state->viewing, asked, sizeof asked);
        snprintf(typed, sizeof typed, "%s_", state->viewing.typed.text);
        const wn_hint hint = {asked, typed, WN_KEY_NONE};
        return wn_app_hints(app, &hint, 1);
    }
    const wn_hint hints[] = {{"Space", state->viewing.playback.playing ? "pause" : "play", ' '},
                             {"\xe2\x86\x90 \xe2\x86\x92", "turn", WN_KEY_NONE},
                             {"-", "slower", '-'},
                             {"+", "faster", '+'},
                             {"Tab", "next view", WN_KEY_TAB},
                             {"g", "go to", 'g'},
                             {"m", "messages", 'm'},
                             {"V", "first person", 'V'},
                             {"?", "keys", '?'},
                             {"q", "quit", 'q'}};
    return wn_app_hints(app, hints, sizeof hints / sizeof *hints);
}

/* Where a turn stands on the time line. */
static int place_of(const replay *state, uint64_t turn)
{
    const uint64_t first = wn_recording_first(state->viewing.playback.recording),
                   last = wn_recording_last(state->viewing.playback.recording);
    return last <= first ? 0 : (int)((double)(turn - first) / (double)(last - first) * state->line.w + 0.5);
}

static void draw_line(wn_app *app, replay *state, SDL_Rect rect)
{
    const wn_ink *ink = &app->ink;
    const int pad = wn_ink_units(ink, 16), thick = wn_ink_units(ink, 6), knob = wn_ink_units(ink, 12);
    wn_ink_area(ink, rect, WN_INK_PANEL, 255);
    state->line = (SDL_Rect){rect.x + pad, rect.y + (rect.h - thick) / 2, rect.w - 2 * pad, thick};
    const int here = place_of(state, wn_player_turn(state->viewing.playback.player));
    const int goal = place_of(state, wn_player_goal(state->viewing.playback.player));
    wn_ink_area(ink, state->line, WN_INK_INPUT, 255);
    wn_ink_area(ink, (SDL_Rect){state->line.x, state->line.y, goal, thick}, WN_INK_SELECTED, 255);
    wn_ink_area(ink, (SDL_Rect){state->line.x, state->line.y, here, thick}, WN_INK_KEY, 255);
    wn_ink_area(ink, (SDL_Rect){state->line.x + here - knob / 2, rect.y + (rect.h - knob) / 2, knob, knob},
                WN_INK_TITLE, 255);
    state->line.y = rect.y;
    state->line.h = rect.h;
}

static void fill_help(const wn_app *app, const replay *state, wn_sheet *sheet)
{
    const wn_viewing_help *help;
    (void)app;
    for (size_t i = 0; (help = wn_viewing_get_help(i)) != NULL; i++) {
        wn_sheet_add_key(sheet, help->keys, help->text);
    }
    wn_sheet_add_key(sheet, "V", "first person, or from above");
    wn_sheet_add_key(sheet, "mouse", "drag the line to scrub, the map to look around; the wheel zooms");
    wn_sheet_add_key(sheet, "F11 F12", "full screen; save a picture");
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "On the map");
    wn_scene_legend(wn_player_replica(state->viewing.playback.player)->mode, sheet);
}

static bool has_sheet(const replay *state)
{
    return state->viewing.focus == WN_VIEWING_HELP || state->viewing.focus == WN_VIEWING_MESSAGES;
}

/* That of what has the focus now, if it has one. */
static void open_sheet(replay *state)
{
    const bool help = state->viewing.focus == WN_VIEWING_HELP;
    if (state->opened == state->viewing.opened) {
        return;
    }
    state->opened = state->viewing.opened;
    wn_sheet_open(&state->sheet, help ? "Keys" : "Messages", "Esc closes", help ? 560 : 720);
    state->sheet.to_end = !help;
}

static void draw_sheet(wn_app *app, replay *state)
{
    open_sheet(state);
    wn_scene_pictures pictures = {&state->view, app, wn_player_replica(state->viewing.playback.player)->mode};
    wn_sheet_clear(&state->sheet);
    if (state->viewing.focus == WN_VIEWING_HELP) {
        fill_help(app, state, &state->sheet);
    } else {
        wn_scene_messages(app, &state->sheet);
    }
    wn_sheet_draw(&state->sheet, &app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height}, wn_scene_picture,
                  &pictures);
}

static void draw(wn_app *app)
{
    replay *state = app->state;
    const wn_replica *replica = wn_player_replica(state->viewing.playback.player);
    const int top = draw_title(app, state), bottom = draw_bottom(app, state),
              line = wn_ink_units(&app->ink, LINE_HEIGHT);
    if (replica->ready) {
        wn_scene_draw(&state->view, app, replica, top, bottom + line);
    } else {
        wn_ink_centre(&app->ink, WN_STYLE_BODY, 0, app->window.height / 2, app->window.width, WN_INK_DIM,
                      "nobody has this seat in this turn; Tab goes on to the next view");
    }
    draw_line(app, state, (SDL_Rect){0, app->window.height - bottom - line, app->window.width, line});
    wn_scene_banner(&state->view, app, replica, NULL);
    if (has_sheet(state)) {
        draw_sheet(app, state);
    }
}

/* keys */

/* What only a window can do. */
static void own_key(wn_app *app, replay *state, uint32_t key)
{
    if (key == 'V') {
        wn_scene_turn_view(&state->view, wn_player_replica(state->viewing.playback.player), app->now);
    } else if (key == WN_KEY_F1 + 10) {
        wn_app_set_full(app, !app->window.full);
    } else if (key == WN_KEY_F12) {
        wn_app_take_picture(app);
    }
}

static void key(wn_app *app, uint32_t key, bool repeated)
{
    replay *state = app->state;
    (void)repeated;
    open_sheet(state);
    const wn_viewing_answer answer = wn_viewing_key(&state->viewing, key, &app->log, app->now);
    switch (answer.wish) {
    case WN_VIEWING_PANS:
        wn_viewport_pan_towards(&state->view.board.view, answer.what);
        return;
    case WN_VIEWING_NAMES:
        app->preferences.names = !app->preferences.names;
        return;
    case WN_VIEWING_REVEALS:
        wn_scene_hide_banner(&state->view, wn_player_replica(state->viewing.playback.player));
        return;
    case WN_VIEWING_IN_BOX:
        if (wn_sheet_key(&state->sheet, key) == WN_SHEET_CLOSED) {
            wn_viewing_close(&state->viewing);
        }
        return;
    case WN_VIEWING_UNKNOWN:
        own_key(app, state, key);
        return;
    case WN_VIEWING_QUITS:
        app->quit = true;
        return;
    case WN_VIEWING_STAYS:
        return;
    }
}

/* the pointer */

static void scrub(wn_app *app, replay *state, int x)
{
    const uint64_t first = wn_recording_first(state->viewing.playback.recording),
                   last = wn_recording_last(state->viewing.playback.recording);
    const double part = state->line.w <= 0 ? 0 : (double)(x - state->line.x) / state->line.w;
    const double wanted = part < 0 ? 0 : part > 1 ? 1 : part;
    wn_playback_go(&state->viewing.playback, first + (uint64_t)(wanted * (double)(last - first) + 0.5), app->now);
}

static void sheet_pointer(wn_app *app, replay *state, const wn_pointer *pointer)
{
    if (pointer->kind == WN_POINTER_WHEEL) {
        wn_sheet_wheel(&state->sheet, &app->ink, pointer->amount);
    }
    if (pointer->kind == WN_POINTER_PRESS && wn_sheet_click(&state->sheet, pointer->x, pointer->y) == WN_SHEET_CLOSED) {
        wn_viewing_close(&state->viewing);
    }
}

static void pointer(wn_app *app, const wn_pointer *pointer)
{
    replay *state = app->state;
    const SDL_Point at = {pointer->x, pointer->y};
    if (has_sheet(state)) {
        open_sheet(state);
        sheet_pointer(app, state, pointer);
        return;
    }
    if (pointer->kind == WN_POINTER_PRESS) {
        state->scrubbing = SDL_PointInRect(&at, &state->line);
        state->dragging = !state->scrubbing && SDL_PointInRect(&at, &state->view.map);
    }
    if (state->scrubbing && (pointer->kind == WN_POINTER_PRESS || pointer->kind == WN_POINTER_MOVE)) {
        scrub(app, state, pointer->x);
    }
    if (state->dragging && pointer->kind == WN_POINTER_MOVE && !state->view.first_person) {
        wn_viewport_drag(&state->view.board.view, pointer->move_x, pointer->move_y);
    }
    if (pointer->kind == WN_POINTER_RELEASE) {
        state->scrubbing = state->dragging = false;
    }
    if (pointer->kind == WN_POINTER_WHEEL && pointer->amount != 0) {
        wn_viewport_zoom(&state->view.board.view, pointer->amount > 0 ? 1 : -1);
    }
}

/* time */

static void tick(wn_app *app)
{
    replay *state = app->state;
    wn_error error = {0};
    int64_t next;
    const wn_playback_news news = wn_playback_work(&state->viewing.playback, app->now, &next, &error);
    wn_app_wake_at(app, next);
    if (news == WN_PLAYBACK_SHOWN) {
        show_turn(app, state);
    }
    if (news == WN_PLAYBACK_FAILED) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, error.text);
    }
    if (news != WN_PLAYBACK_SAME) {
        app->dirty = true;
    }
}

static void forget(wn_app *app)
{
    replay *state = app->state;
    wn_scene_forget(&state->view, app, wn_player_replica(state->viewing.playback.player)->mode);
}

const wn_screen wn_screen_replay = {
    .draw = draw, .key = key, .pointer = pointer, .tick = tick, .forget = forget, .leave = leave};
