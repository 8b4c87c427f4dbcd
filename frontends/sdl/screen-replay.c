/* screen-replay.c: a recording in the window: the same map and panel as live play, with a time line to scrub. Going to
 * turns is playback.h's part. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "fields.h"
#include "key.h"
#include "playback.h"
#include "replay.h"
#include "scene.h"

enum { PAGE_TURNS = 100, PAN_CELLS = 4, TURN_DIGITS = 20, LINE_HEIGHT = 30 };

typedef enum replay_focus { WATCHING, IN_HELP, IN_MESSAGES, GOING } replay_focus;

typedef struct replay {
    wn_playback playback;
    wn_scene_view view;
    replay_focus focus;
    wn_sheet sheet;
    wn_edit edit;   /* the turn to go to */
    SDL_Rect line;  /* the time line, where it was drawn last */
    bool scrubbing; /* the pointer holds it */
    bool dragging;  /* or the map */
} replay;

static void show_turn(wn_app *app, replay *state)
{
    const wn_replica *replica = wn_player_replica(state->playback.player);
    wn_playback_log(&state->playback, &app->log);
    if (replica->ready)
        wn_scene_take(&state->view, app, replica, wn_player_update(state->playback.player));
    app->dirty = true;
}

bool wn_replay_open(wn_app *app, int *status)
{
    wn_error error = {.text = "There is no memory left to play a recording."};
    replay *state = calloc(1, sizeof *state);
    *status = 1;
    if (state != NULL)
        *status = wn_playback_load(&state->playback, app->options->line.replay, app->options->line.mode_path, &error);
    if (*status != 0) {
        fprintf(stderr, "warren-sdl: %s\n", error.text);
        free(state);
        return false;
    }
    const char *difference = wn_player_difference(state->playback.player);
    wn_scene_init(&state->view);
    wn_app_show(app, &wn_screen_replay, state);
    wn_scene_begin(&state->view, app, wn_player_replica(state->playback.player)->mode);
    state->view.first_person = false; /* spectators stand nowhere */
    show_turn(app, state);
    if (difference[0] != '\0')
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, difference);
    return true;
}

static void leave(wn_app *app)
{
    replay *state = app->state;
    wn_scene_free(&state->view);
    wn_sheet_free(&state->sheet);
    wn_playback_free(&state->playback);
    free(state);
    app->state = NULL;
}

/* drawing */

static int draw_title(wn_app *app, const replay *state)
{
    char left[2 * WN_TEXT_BYTES], right[160], name[WN_NAME_BYTES + 32];
    const wn_playback *playback = &state->playback;
    const wn_player *player = playback->player;
    const uint64_t turn = wn_player_turn(player), goal = wn_player_goal(player);
    wn_playback_view_name(playback, true, name, sizeof name);
    snprintf(left, sizeof left, "%s   %s   %s%s", wn_mode_title(wn_player_replica(player)->mode),
             wn_recording_header(playback->recording)->world, name,
             wn_player_difference(player)[0] != '\0' ? "   (other build)" : "");
    if (playback->under_way && goal != turn && !playback->playing)
        snprintf(right, sizeof right, "going to %" PRIu64 ": at %" PRIu64, goal, wn_player_working(player));
    else
        snprintf(right, sizeof right, "turn %" PRIu64 "/%" PRIu64 "   %s   %s", turn,
                 wn_recording_last(playback->recording), wn_pace_name(&playback->pace), wn_playback_motion(playback));
    return wn_app_title_line(app, left, right);
}

static int draw_bottom(wn_app *app, const replay *state)
{
    char asked[160], typed[WN_EDIT_BYTES + 2];
    if (state->focus == GOING) {
        snprintf(asked, sizeof asked,
                 "Go to turn (%" PRIu64 "-%" PRIu64 ", +N, -N):", wn_recording_first(state->playback.recording),
                 wn_recording_last(state->playback.recording));
        snprintf(typed, sizeof typed, "%s_", state->edit.text);
        const wn_hint hint = {asked, typed, WN_KEY_NONE};
        return wn_app_hints(app, &hint, 1);
    }
    const wn_hint hints[] = {{"Space", state->playback.playing ? "pause" : "play", ' '},
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
    const uint64_t first = wn_recording_first(state->playback.recording),
                   last = wn_recording_last(state->playback.recording);
    return last <= first ? 0 : (int)((double)(turn - first) / (double)(last - first) * state->line.w + 0.5);
}

static void draw_line(wn_app *app, replay *state, SDL_Rect rect)
{
    const wn_ink *ink = &app->ink;
    const int pad = wn_ink_units(ink, 16), thick = wn_ink_units(ink, 6), knob = wn_ink_units(ink, 12);
    wn_ink_area(ink, rect, WN_INK_PANEL, 255);
    state->line = (SDL_Rect){rect.x + pad, rect.y + (rect.h - thick) / 2, rect.w - 2 * pad, thick};
    const int here = place_of(state, wn_player_turn(state->playback.player));
    const int goal = place_of(state, wn_player_goal(state->playback.player));
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
    static const char *const keys[][2] = {{"Space", "play, or pause"},
                                          {"Left Right", "a turn back, and on"},
                                          {"PgUp PgDn", "a hundred turns"},
                                          {"Home End", "the first turn, the last one"},
                                          {"+ -", "faster, slower"},
                                          {"g", "go to a turn: 120, +20, -20"},
                                          {"Tab", "the next view: spectators, then each player"},
                                          {"V", "first person, or from above"},
                                          {"h j k l", "look around; 0 goes back"},
                                          {"mouse", "drag the line to scrub, the map to look around; the wheel zooms"},
                                          {"m", "all messages"},
                                          {"n", "names on the map"},
                                          {"F11 F12", "full screen; save a picture"},
                                          {"q", "quit"}};
    (void)app;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        wn_sheet_add_key(sheet, keys[i][0], keys[i][1]);
    wn_sheet_gap(sheet);
    wn_sheet_add(sheet, WN_STYLE_HEADING, WN_INK_TITLE, "On the map");
    wn_scene_legend(wn_player_replica(state->playback.player)->mode, sheet);
}

static void draw_sheet(wn_app *app, replay *state)
{
    wn_scene_pictures pictures = {&state->view, app, wn_player_replica(state->playback.player)->mode};
    wn_sheet_clear(&state->sheet);
    if (state->focus == IN_HELP)
        fill_help(app, state, &state->sheet);
    else
        wn_scene_messages(app, &state->sheet);
    wn_sheet_draw(&state->sheet, &app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height}, wn_scene_picture,
                  &pictures);
}

static void draw(wn_app *app)
{
    replay *state = app->state;
    const wn_replica *replica = wn_player_replica(state->playback.player);
    const int top = draw_title(app, state), bottom = draw_bottom(app, state),
              line = wn_ink_units(&app->ink, LINE_HEIGHT);
    if (replica->ready)
        wn_scene_draw(&state->view, app, replica, top, bottom + line);
    else
        wn_ink_centre(&app->ink, WN_STYLE_BODY, 0, app->window.height / 2, app->window.width, WN_INK_DIM,
                      "nobody has this seat in this turn; Tab goes on to the next view");
    draw_line(app, state, (SDL_Rect){0, app->window.height - bottom - line, app->window.width, line});
    wn_scene_banner(&state->view, app, replica, NULL);
    if (state->focus == IN_HELP || state->focus == IN_MESSAGES)
        draw_sheet(app, state);
}

/* keys */

static void open_sheet(replay *state, replay_focus which)
{
    state->focus = which;
    wn_sheet_open(&state->sheet, which == IN_HELP ? "Keys" : "Messages", "Esc closes", which == IN_HELP ? 560 : 720);
    state->sheet.to_end = which == IN_MESSAGES;
}

static void pan(replay *state, int columns, int rows)
{
    state->view.board.view.pan_x += columns * PAN_CELLS;
    state->view.board.view.pan_y += rows * PAN_CELLS;
}

static void step(wn_app *app, replay *state, int64_t turns)
{
    state->playback.playing = false;
    wn_playback_move(&state->playback, turns, app->now);
}

static bool turn_key(wn_app *app, replay *state, uint32_t key)
{
    wn_playback *playback = &state->playback;
    switch (key) {
    case ' ':
        wn_playback_play(playback, !playback->playing, app->now);
        return true;
    case '+':
    case '=':
    case '-':
        wn_playback_change_speed(playback, key != '-', app->now);
        return true;
    case WN_KEY_TAB:
    case WN_KEY_BACK_TAB:
        wn_playback_next_view(playback, key == WN_KEY_BACK_TAB, app->now);
        return true;
    case WN_KEY_RIGHT:
        step(app, state, 1);
        return true;
    case WN_KEY_LEFT:
        step(app, state, -1);
        return true;
    case WN_KEY_PAGE_DOWN:
        wn_playback_move(playback, PAGE_TURNS, app->now);
        return true;
    case WN_KEY_PAGE_UP:
        wn_playback_move(playback, -PAGE_TURNS, app->now);
        return true;
    case WN_KEY_HOME:
        wn_playback_go(playback, wn_recording_first(playback->recording), app->now);
        return true;
    case WN_KEY_END:
        wn_playback_go(playback, wn_recording_last(playback->recording), app->now);
        return true;
    default:
        return false;
    }
}

static void look_key(replay *state, uint32_t key)
{
    static const struct {
        uint32_t key;
        int columns, rows;
    } ways[] = {{'h', -1, 0}, {'l', 1, 0}, {'k', 0, -1}, {'j', 0, 1}, {WN_KEY_UP, 0, -1}, {WN_KEY_DOWN, 0, 1}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i].key == key)
            pan(state, ways[i].columns, ways[i].rows);
    }
    if (key == '0')
        wn_viewport_recentre(&state->view.board.view);
}

static void watching_key(wn_app *app, replay *state, uint32_t key)
{
    if (turn_key(app, state, key))
        return;
    switch (key) {
    case 'g':
        state->focus = GOING;
        wn_edit_start(&state->edit, "", TURN_DIGITS + 1);
        return;
    case '?':
    case WN_KEY_F1:
        open_sheet(state, IN_HELP);
        return;
    case 'm':
    case WN_KEY_F1 + 1:
        open_sheet(state, IN_MESSAGES);
        return;
    case 'n':
    case WN_KEY_F1 + 3:
        app->preferences.names = !app->preferences.names;
        return;
    case 'V':
        wn_scene_turn_view(&state->view, wn_player_replica(state->playback.player), app->now);
        return;
    case WN_KEY_ESCAPE:
        wn_scene_hide_banner(&state->view, wn_player_replica(state->playback.player));
        return;
    case WN_KEY_F1 + 10:
        wn_app_set_full(app, !app->window.full);
        return;
    case WN_KEY_F12:
        wn_app_take_picture(app);
        return;
    case 'q':
    case WN_KEY_F1 + 9:
        app->quit = true;
        return;
    default:
        look_key(state, key);
    }
}

static void going_key(wn_app *app, replay *state, uint32_t key)
{
    if (key != WN_KEY_ENTER && key != WN_KEY_ESCAPE) {
        wn_edit_key(&state->edit, key);
        return;
    }
    state->focus = WATCHING;
    if (key == WN_KEY_ENTER && !wn_playback_go_typed(&state->playback, state->edit.text, app->now))
        wn_app_note(app, "\"%s\" is not a turn: type 120, +20 or -20.", state->edit.text);
}

static void key(wn_app *app, uint32_t key, bool repeated)
{
    replay *state = app->state;
    (void)repeated;
    if (state->focus == GOING)
        going_key(app, state, key);
    else if (state->focus == WATCHING)
        watching_key(app, state, key);
    else if (wn_sheet_key(&state->sheet, key) == WN_SHEET_CLOSED)
        state->focus = WATCHING;
}

/* the pointer */

static void scrub(wn_app *app, replay *state, int x)
{
    const uint64_t first = wn_recording_first(state->playback.recording),
                   last = wn_recording_last(state->playback.recording);
    const double part = state->line.w <= 0 ? 0 : (double)(x - state->line.x) / state->line.w;
    const double wanted = part < 0 ? 0 : part > 1 ? 1 : part;
    wn_playback_go(&state->playback, first + (uint64_t)(wanted * (double)(last - first) + 0.5), app->now);
}

static void sheet_pointer(wn_app *app, replay *state, const wn_pointer *pointer)
{
    if (pointer->kind == WN_POINTER_WHEEL)
        wn_sheet_wheel(&state->sheet, &app->ink, pointer->amount);
    if (pointer->kind == WN_POINTER_PRESS && wn_sheet_click(&state->sheet, pointer->x, pointer->y) == WN_SHEET_CLOSED)
        state->focus = WATCHING;
}

static void pointer(wn_app *app, const wn_pointer *pointer)
{
    replay *state = app->state;
    const SDL_Point at = {pointer->x, pointer->y};
    if (state->focus == IN_HELP || state->focus == IN_MESSAGES) {
        sheet_pointer(app, state, pointer);
        return;
    }
    if (pointer->kind == WN_POINTER_PRESS) {
        state->scrubbing = SDL_PointInRect(&at, &state->line);
        state->dragging = !state->scrubbing && SDL_PointInRect(&at, &state->view.map);
    }
    if (state->scrubbing && (pointer->kind == WN_POINTER_PRESS || pointer->kind == WN_POINTER_MOVE))
        scrub(app, state, pointer->x);
    if (state->dragging && pointer->kind == WN_POINTER_MOVE && !state->view.first_person)
        wn_viewport_drag(&state->view.board.view, pointer->move_x, pointer->move_y);
    if (pointer->kind == WN_POINTER_RELEASE)
        state->scrubbing = state->dragging = false;
    if (pointer->kind == WN_POINTER_WHEEL && pointer->amount != 0)
        wn_viewport_zoom(&state->view.board.view, pointer->amount > 0 ? 1 : -1);
}

/* time */

static void tick(wn_app *app)
{
    replay *state = app->state;
    wn_error error = {0};
    int64_t next;
    const wn_playback_news news = wn_playback_work(&state->playback, app->now, &next, &error);
    wn_app_wake_at(app, next);
    if (news == WN_PLAYBACK_SHOWN)
        show_turn(app, state);
    if (news == WN_PLAYBACK_FAILED)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, error.text);
    if (news != WN_PLAYBACK_SAME)
        app->dirty = true;
}

static void forget(wn_app *app)
{
    replay *state = app->state;
    wn_scene_forget(&state->view, app, wn_player_replica(state->playback.player)->mode);
}

const wn_screen wn_screen_replay = {
    .draw = draw, .key = key, .pointer = pointer, .tick = tick, .forget = forget, .leave = leave};
