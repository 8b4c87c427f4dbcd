/* screen-replay.c: a recording on the screen: the same map, panel and messages as live play, and what keys do. See
 * replay.h. */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "key.h"
#include "text.h"

enum { WIDE_COLUMNS = 64 };

/* drawing */

static void draw_title(wn_app *app, const wn_replay *replay)
{
    char left[2 * WN_TEXT_BYTES], right[160], name[WN_NAME_BYTES + 32];
    const bool wide = getmaxx(stdscr) >= WIDE_COLUMNS;
    const wn_playback *playback = &replay->viewing.playback;
    wn_playback_view_name(playback, wide, name, sizeof name);
    if (wide) {
        snprintf(left, sizeof left, "%s  %s  %s%s", wn_recording_header(playback->recording)->world,
                 wn_mode_title(wn_player_replica(playback->player)->mode), name,
                 wn_player_difference(playback->player)[0] != '\0' ? "  (other build)" : "");
    } else {
        snprintf(left, sizeof left, "%s", name);
    }
    wn_viewing_progress(&replay->viewing, wide, "  ", right, sizeof right);
    wn_app_title_line(app, left, right);
}

static void draw_prompt(wn_app *app, const wn_replay *replay)
{
    const int y = getmaxy(stdscr) - 1, width = getmaxx(stdscr) - 1;
    size_t first;
    int column;
    char question[160];
    wn_viewing_question(&replay->viewing, question, sizeof question);
    wn_paint_line(&app->paint, stdscr, y, 0, width, WN_STYLE_PLAIN, "");
    const int label = 2 + wn_paint_text(&app->paint, stdscr, y, 1, width - 1, WN_STYLE_KEY, question);
    const int room = width - label > 2 ? width - label : 2;
    wn_edit_window(&replay->viewing.typed, room, &first, &column);
    wn_paint_line(&app->paint, stdscr, y, label, room, WN_STYLE_INPUT, replay->viewing.typed.text + first);
    app->cursor_y = y;
    app->cursor_x = label + column;
}

static void draw_bottom(wn_app *app, const wn_replay *replay)
{
    const char *const hints[] = {"Space",  replay->viewing.playback.playing ? "pause" : "play",
                                 "?",      "help",
                                 "q",      "quit",
                                 "+ -",    "speed",
                                 "Arrows", "step",
                                 "Tab",    "view",
                                 "g",      "go to",
                                 NULL};
    if (replay->viewing.focus == WN_VIEWING_GOING) {
        draw_prompt(app, replay);
    } else {
        wn_app_hints(app, hints);
    }
}

/* Without a line for the title: where it is in the recording, and before that what the game says. */
static void draw_tight_bottom(wn_app *app, const wn_replay *replay)
{
    char name[WN_NAME_BYTES + 32], progress[160], both[WN_NAME_BYTES + 256];
    const wn_rect row = replay->layout.bottom;
    wn_playback_view_name(&replay->viewing.playback, false, name, sizeof name);
    wn_viewing_progress(&replay->viewing, false, "  ", progress, sizeof progress);
    snprintf(both, sizeof both, "  %s  %s  ? help ", name, progress);
    const int width = wn_text_width(both), left = row.width - width;
    wn_paint_line(&app->paint, stdscr, row.y, row.x, row.width - 1, WN_STYLE_PLAIN, "");
    if (left > 0) {
        wn_scene_last_message(app, (wn_rect){row.y, row.x + 1, 1, left - 1});
    }
    wn_paint_right(&app->paint, stdscr, row.y, row.x, row.width - 1, WN_STYLE_DIM, both);
}

static void draw_blank(wn_app *app, wn_replay *replay)
{
    char name[WN_NAME_BYTES + 32];
    const int rows = getmaxy(stdscr), columns = getmaxx(stdscr);
    erase();
    replay->layout.tight = false;
    wn_map_forget(&replay->map);
    wn_playback_view_name(&replay->viewing.playback, true, name, sizeof name);
    wn_paint_format(&app->paint, stdscr, rows / 2, 2, columns - 4, WN_STYLE_DIM, "%s: nothing to see in this turn",
                    name);
}

static void fill_help(const wn_app *app, const wn_replay *replay, wn_lines *lines)
{
    const Warren__RecordingHeader *header = wn_recording_header(replay->viewing.playback.recording);
    wn_lines_add(lines, WN_STYLE_HEADING, "A recording of %s (%s %s)", header->world, header->mode,
                 header->mode_version);
    const wn_viewing_help *help;
    for (size_t i = 0; (help = wn_viewing_get_help(i)) != NULL; i++) {
        wn_lines_add_key(lines, 14, help->keys, help->text);
    }
    wn_lines_add_key(lines, 14, "Ctrl-L", "draw the screen anew");
    if (wn_player_difference(replay->viewing.playback.player)[0] != '\0') {
        wn_lines_add(lines, WN_STYLE_PLAIN, " ");
        wn_lines_wrap(lines, WN_STYLE_ALERT, wn_box_columns(), wn_player_difference(replay->viewing.playback.player));
    }
    wn_lines_add(lines, WN_STYLE_PLAIN, " ");
    wn_lines_add(lines, WN_STYLE_HEADING, "On the map");
    wn_scene_legend(app, wn_player_replica(replay->viewing.playback.player)->mode, lines);
}

/* The box of what has the focus now, if it has one. */
static void open_box(wn_app *app, wn_replay *replay)
{
    const bool help = replay->viewing.focus == WN_VIEWING_HELP;
    if (replay->opened == replay->viewing.opened) {
        return;
    }
    replay->opened = replay->viewing.opened;
    wn_box_close(&app->box);
    replay->view = (wn_box_view){.title = help ? "Recording" : "Messages",
                                 .footer = help ? "arrows scroll, Esc closes" : "PgUp PgDn scroll, Esc closes",
                                 .tall = true,
                                 .selected = -1,
                                 .over = replay->layout.map,
                                 .top = help ? 0 : WN_BANNER_BYTES * WN_LOG_ENTRIES};
}

static void draw_box(wn_app *app, wn_replay *replay)
{
    wn_lines lines = {0};
    open_box(app, replay);
    if (replay->viewing.focus == WN_VIEWING_HELP) {
        fill_help(app, replay, &lines);
    } else if (replay->viewing.focus == WN_VIEWING_MESSAGES) {
        wn_scene_messages(app, &lines);
    } else {
        return;
    }
    wn_box_draw(&app->box, &app->paint, &lines, &replay->view);
    wn_lines_free(&lines);
}

static void draw(wn_app *app)
{
    wn_replay *replay = app->state;
    const wn_replica *replica = wn_player_replica(replay->viewing.playback.player);
    if (replica->ready != !replay->blank) {
        erase();
    }
    replay->blank = !replica->ready;
    if (replica->ready) {
        wn_scene_place(&replay->map, &replay->layout, replica);
        wn_scene_draw(app, &replay->map, &replay->layout, replica, "m");
    } else {
        draw_blank(app, replay);
    }
    if (!replay->layout.tight) {
        draw_title(app, replay);
    }
    if (replay->layout.tight && replay->viewing.focus != WN_VIEWING_GOING) {
        draw_tight_bottom(app, replay);
    } else {
        draw_bottom(app, replay);
    }
    wn_scene_banner(app, &replay->banner, &replay->map, replay->layout.map, replica, "Esc hides this");
    draw_box(app, replay);
}

/* keys */

/* What does not scroll closes. */
static void box_key(wn_replay *replay, uint32_t key)
{
    const int by = wn_box_scroll(key);
    if (by == 0 && key != WN_KEY_MOUSE) {
        wn_viewing_close(&replay->viewing);
    }
    replay->view.top += by;
}

static void redraw(wn_replay *replay)
{
    wn_map_forget(&replay->map);
    erase();
    clearok(curscr, TRUE);
}

static void key(wn_app *app, const wn_input *input)
{
    wn_replay *replay = app->state;
    open_box(app, replay);
    const wn_viewing_answer answer = wn_viewing_key(&replay->viewing, input->key, &app->log, app->now);
    switch (answer.wish) {
    case WN_VIEWING_PANS:
        wn_map_pan_towards(&replay->map, wn_player_replica(replay->viewing.playback.player), answer.what);
        return;
    case WN_VIEWING_NAMES:
        replay->map.names = !replay->map.names;
        return;
    case WN_VIEWING_REVEALS:
        wn_scene_hide_banner(app, &replay->banner, wn_player_replica(replay->viewing.playback.player));
        return;
    case WN_VIEWING_IN_BOX:
        box_key(replay, input->key);
        return;
    case WN_VIEWING_UNKNOWN:
        if (input->key == 'l' - WN_KEY_CONTROL_BASE) {
            redraw(replay);
        }
        return;
    case WN_VIEWING_QUITS:
        app->quit = true;
        return;
    case WN_VIEWING_STAYS:
        return;
    }
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
