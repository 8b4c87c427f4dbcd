/* screen-replay.c: a recording on the screen: the same map, panel and messages as live play, and what keys do. See
 * replay.h. */
#include "replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

enum { PAGE_TURNS = 100, PAN_COLUMNS = 8, PAN_ROWS = 4, WIDE_COLUMNS = 64, TURN_DIGITS = 20 };

/* drawing */

static void draw_title(wn_app *app, const wn_replay *replay)
{
    char left[2 * WN_TEXT_BYTES], right[160], name[WN_NAME_BYTES + 32];
    const bool wide = getmaxx(stdscr) >= WIDE_COLUMNS;
    const Warren__RecordingHeader *header = wn_recording_header(replay->playback.recording);
    const Warren__Mode *mode = wn_player_replica(replay->playback.player)->mode;
    const uint64_t turn = wn_player_turn(replay->playback.player), last = wn_recording_last(replay->playback.recording);
    const uint64_t goal = wn_player_goal(replay->playback.player);
    wn_playback_view_name(&replay->playback, wide, name, sizeof name);
    if (wide)
        snprintf(left, sizeof left, "%s  %s  %s%s", header->world,
                 mode->title == NULL || mode->title[0] == '\0' ? mode->name : mode->title, name,
                 wn_player_difference(replay->playback.player)[0] != '\0' ? "  (other build)" : "");
    else
        snprintf(left, sizeof left, "%s", name);
    if (replay->playback.under_way && goal != turn && !replay->playback.playing)
        snprintf(right, sizeof right, "%sto %" PRIu64 ": at %" PRIu64, wide ? "going " : "", goal,
                 wn_player_working(replay->playback.player));
    else
        snprintf(right, sizeof right, "%s%" PRIu64 "/%" PRIu64 "  %s  %s", wide ? "turn " : "", turn, last,
                 wn_pace_name(&replay->playback.pace), wn_playback_motion(&replay->playback));
    wn_app_title_line(app, left, right);
}

static void draw_prompt(wn_app *app, const wn_replay *replay)
{
    const int y = getmaxy(stdscr) - 1, width = getmaxx(stdscr) - 1;
    size_t first;
    int column;
    wn_paint_line(&app->paint, stdscr, y, 0, width, WN_STYLE_PLAIN, "");
    const int label = 1 + wn_paint_format(&app->paint, stdscr, y, 1, width - 1, WN_STYLE_KEY,
                                          "Go to turn (%" PRIu64 "-%" PRIu64 ", +N, -N): ",
                                          wn_recording_first(replay->playback.recording),
                                          wn_recording_last(replay->playback.recording));
    const int room = width - label > 2 ? width - label : 2;
    wn_edit_window(&replay->edit, room, &first, &column);
    wn_paint_line(&app->paint, stdscr, y, label, room, WN_STYLE_INPUT, replay->edit.text + first);
    app->cursor_y = y;
    app->cursor_x = label + column;
}

static void draw_bottom(wn_app *app, const wn_replay *replay)
{
    const char *const hints[] = {"Space",  replay->playback.playing ? "pause" : "play",
                                 "?",      "help",
                                 "q",      "quit",
                                 "+ -",    "speed",
                                 "Arrows", "step",
                                 "Tab",    "view",
                                 "g",      "go to",
                                 NULL};
    if (replay->focus == WN_REPLAY_GOING)
        draw_prompt(app, replay);
    else
        wn_app_hints(app, hints);
}

static void draw_blank(wn_app *app, wn_replay *replay)
{
    char name[WN_NAME_BYTES + 32];
    const int rows = getmaxy(stdscr), columns = getmaxx(stdscr);
    erase();
    wn_map_forget(&replay->map);
    wn_playback_view_name(&replay->playback, true, name, sizeof name);
    wn_paint_format(&app->paint, stdscr, rows / 2, 2, columns - 4, WN_STYLE_DIM, "%s: nothing to see in this turn",
                    name);
}

static const struct {
    const char *keys, *help;
} keys_help[] = {
    {"Space", "play, pause; at the end: from the start"},
    {"+ -", "faster, slower: 0.25x to 64x, and max"},
    {"Right Left", "one turn on, one turn back"},
    {"PgDn PgUp", "a hundred turns on, back"},
    {"Home End", "the first turn, the last"},
    {"g", "go to a turn: a number, +N or -N"},
    {"Tab", "the next view: spectators, then each player (Shift-Tab: the one before)"},
    {"h j k l", "look around; 0 goes back"},
    {"Up Down", "look up and down"},
    {"n", "names on the map"},
    {"m", "all messages"},
    {"Esc", "hide what the game shows over the map"},
    {"Ctrl-L", "draw the screen anew"},
    {"q", "quit"},
};

static void fill_help(const wn_app *app, const wn_replay *replay, wn_lines *lines)
{
    const Warren__RecordingHeader *header = wn_recording_header(replay->playback.recording);
    wn_lines_add(lines, WN_STYLE_HEADING, "A recording of %s (%s %s)", header->world, header->mode,
                 header->mode_version);
    for (size_t i = 0; i < sizeof keys_help / sizeof *keys_help; i++)
        wn_lines_add_key(lines, 14, keys_help[i].keys, keys_help[i].help);
    if (wn_player_difference(replay->playback.player)[0] != '\0') {
        wn_lines_add(lines, WN_STYLE_PLAIN, " ");
        wn_lines_wrap(lines, WN_STYLE_ALERT, wn_box_columns(), wn_player_difference(replay->playback.player));
    }
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    wn_lines_add(lines, WN_STYLE_HEADING, "On the map");
    wn_scene_legend(app, wn_player_replica(replay->playback.player)->mode, lines);
}

static void draw_box(wn_app *app, wn_replay *replay)
{
    wn_lines lines = {0};
    if (replay->focus == WN_REPLAY_HELP)
        fill_help(app, replay, &lines);
    else if (replay->focus == WN_REPLAY_MESSAGES)
        wn_scene_messages(app, &lines);
    else
        return;
    wn_box_draw(&app->box, &app->paint, &lines, &replay->view);
    wn_lines_free(&lines);
}

static void draw(wn_app *app)
{
    wn_replay *replay = app->state;
    const wn_replica *replica = wn_player_replica(replay->playback.player);
    if (replica->ready != !replay->blank)
        erase();
    replay->blank = !replica->ready;
    if (replica->ready) {
        wn_scene_place(&replay->map, &replay->layout, replica);
        wn_scene_draw(app, &replay->map, &replay->layout, replica);
    } else {
        draw_blank(app, replay);
    }
    draw_title(app, replay);
    draw_bottom(app, replay);
    wn_scene_banner(app, &replay->banner, &replay->map, replay->layout.map, replica, NULL);
    draw_box(app, replay);
}

/* keys */

static void open_box(wn_app *app, wn_replay_focus which)
{
    wn_replay *replay = app->state;
    const bool help = which == WN_REPLAY_HELP;
    wn_box_close(&app->box);
    replay->focus = which;
    replay->view = (wn_box_view){.title = help ? "Recording" : "Messages",
                                 .footer = help ? "arrows scroll, Esc closes" : "PgUp PgDn scroll, Esc closes",
                                 .tall = true,
                                 .selected = -1,
                                 .over = replay->layout.map,
                                 .top = help ? 0 : WN_BANNER_BYTES * WN_LOG_ENTRIES};
}

static void close_box(wn_app *app)
{
    wn_replay *replay = app->state;
    wn_box_close(&app->box);
    replay->focus = WN_REPLAY_WATCHING;
}

static void change_speed(wn_app *app, bool faster)
{
    wn_replay *replay = app->state;
    wn_playback_change_speed(&replay->playback, faster, app->now);
}

/* Stepping by hand stops what runs. */
static void step(wn_app *app, int64_t turns)
{
    wn_replay *replay = app->state;
    wn_playback_play(&replay->playback, false, app->now);
    wn_playback_move(&replay->playback, turns, app->now);
}

static void pan(wn_replay *replay, int rows, int columns)
{
    replay->map.pan_y += rows * PAN_ROWS;
    replay->map.pan_x += columns * PAN_COLUMNS;
}

static void hide_banner(wn_app *app)
{
    wn_replay *replay = app->state;
    if (app->banner.window != NULL)
        snprintf(replay->banner.hidden, sizeof replay->banner.hidden, "%s",
                 wn_player_replica(replay->playback.player)->banner);
}

static void look_around(wn_replay *replay, uint32_t key)
{
    static const struct {
        uint32_t key;
        int rows, columns;
    } ways[] = {{'h', 0, -1}, {'l', 0, 1}, {'k', -1, 0}, {'j', 1, 0}, {WN_KEY_UP, -1, 0}, {WN_KEY_DOWN, 1, 0}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ways[i].key == key)
            pan(replay, ways[i].rows, ways[i].columns);
    if (key == '0')
        replay->map.pan_y = replay->map.pan_x = 0;
}

static void turn_key(wn_app *app, uint32_t key)
{
    wn_replay *replay = app->state;
    switch (key) {
    case WN_KEY_RIGHT:
        step(app, 1);
        return;
    case WN_KEY_LEFT:
        step(app, -1);
        return;
    case WN_KEY_PAGE_DOWN:
        wn_playback_move(&replay->playback, PAGE_TURNS, app->now);
        return;
    case WN_KEY_PAGE_UP:
        wn_playback_move(&replay->playback, -PAGE_TURNS, app->now);
        return;
    case WN_KEY_HOME:
        wn_playback_go(&replay->playback, wn_recording_first(replay->playback.recording), app->now);
        return;
    case WN_KEY_END:
        wn_playback_go(&replay->playback, wn_recording_last(replay->playback.recording), app->now);
        return;
    default:
        return;
    }
}

static void watching_key(wn_app *app, uint32_t key)
{
    wn_replay *replay = app->state;
    switch (key) {
    case ' ':
        wn_playback_play(&replay->playback, !replay->playback.playing, app->now);
        return;
    case '+':
    case '=':
    case '-':
        change_speed(app, key != '-');
        return;
    case WN_KEY_TAB:
    case WN_KEY_BACK_TAB:
        wn_playback_next_view(&replay->playback, key == WN_KEY_BACK_TAB, app->now);
        return;
    case 'g':
        replay->focus = WN_REPLAY_GOING;
        wn_edit_start(&replay->edit, "", TURN_DIGITS + 1);
        return;
    case '?':
    case WN_KEY_F1:
        open_box(app, WN_REPLAY_HELP);
        return;
    case 'm':
    case WN_KEY_F1 + 1:
    case WN_KEY_WHEEL_UP:
        open_box(app, WN_REPLAY_MESSAGES);
        return;
    case 'n':
    case WN_KEY_F1 + 3:
        replay->map.names = !replay->map.names;
        return;
    case WN_KEY_ESCAPE:
        hide_banner(app);
        return;
    case 'l' - WN_KEY_CONTROL_BASE:
        wn_map_forget(&replay->map);
        erase();
        clearok(curscr, TRUE);
        return;
    case 'q':
    case WN_KEY_F1 + 9:
        app->quit = true;
        return;
    default:
        turn_key(app, key);
        look_around(replay, key);
    }
}

static void go_to_typed(wn_app *app, const char *text)
{
    wn_replay *replay = app->state;
    if (!wn_playback_go_typed(&replay->playback, text, app->now))
        wn_log_format(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, "\"%s\" is not a turn: type 120, +20 or -20.",
                      text);
}

static void going_key(wn_app *app, uint32_t key)
{
    wn_replay *replay = app->state;
    if (key != WN_KEY_ENTER && key != WN_KEY_ESCAPE) {
        wn_edit_key(&replay->edit, key);
        return;
    }
    close_box(app);
    if (key == WN_KEY_ENTER && replay->edit.length > 0)
        go_to_typed(app, replay->edit.text);
}

static void reading_key(wn_app *app, uint32_t key)
{
    wn_replay *replay = app->state;
    const int page = wn_box_rows() - 1;
    const int by = key == WN_KEY_UP || key == WN_KEY_WHEEL_UP       ? -1
                   : key == WN_KEY_DOWN || key == WN_KEY_WHEEL_DOWN ? 1
                   : key == WN_KEY_PAGE_UP                          ? -page
                   : key == WN_KEY_PAGE_DOWN || key == ' '          ? page
                                                                    : 0;
    if (by == 0 && key != WN_KEY_MOUSE)
        close_box(app);
    replay->view.top += by;
}

static void key(wn_app *app, const wn_input *input)
{
    static void (*const takers[])(wn_app *, uint32_t) = {[WN_REPLAY_WATCHING] = watching_key,
                                                         [WN_REPLAY_HELP] = reading_key,
                                                         [WN_REPLAY_MESSAGES] = reading_key,
                                                         [WN_REPLAY_GOING] = going_key};
    wn_replay *replay = app->state;
    takers[replay->focus](app, input->key);
}

static void forget(wn_app *app)
{
    wn_replay *replay = app->state;
    wn_map_forget(&replay->map);
}

static void leave(wn_app *app)
{
    wn_replay_free(app->state);
    app->state = NULL;
}

const wn_screen wn_screen_replay = {.draw = draw, .key = key, .tick = wn_replay_tick, .forget = forget, .leave = leave};
