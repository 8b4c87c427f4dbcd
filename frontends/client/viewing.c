/* viewing.c: a recording as somebody watches it. See viewing.h. */
#include "viewing.h"

#include <inttypes.h>
#include <stdio.h>

#include "key.h"

enum { PAGE_TURNS = 100, TURN_DIGITS = 20 };

static const wn_viewing_answer stays = {.wish = WN_VIEWING_STAYS};

static void open(wn_viewing *viewing, wn_viewing_focus focus)
{
    viewing->focus = focus;
    viewing->opened++;
}

void wn_viewing_close(wn_viewing *viewing)
{
    open(viewing, WN_VIEWING);
}

/* keys */

/* Stepping by hand stops what runs. */
static void step(wn_playback *playback, int64_t turns, int64_t now)
{
    wn_playback_play(playback, false, now);
    wn_playback_move(playback, turns, now);
}

/* Keys that move in time, or to another view. */
static bool turn_key(wn_playback *playback, uint32_t key, int64_t now)
{
    switch (key) {
    case ' ':
        wn_playback_play(playback, !playback->playing, now);
        return true;
    case '+':
    case '=':
    case '-':
        wn_playback_change_speed(playback, key != '-', now);
        return true;
    case WN_KEY_TAB:
    case WN_KEY_BACK_TAB:
        wn_playback_next_view(playback, key == WN_KEY_BACK_TAB, now);
        return true;
    case WN_KEY_RIGHT:
    case WN_KEY_LEFT:
        step(playback, key == WN_KEY_RIGHT ? 1 : -1, now);
        return true;
    case WN_KEY_PAGE_DOWN:
    case WN_KEY_PAGE_UP:
        wn_playback_move(playback, key == WN_KEY_PAGE_DOWN ? PAGE_TURNS : -PAGE_TURNS, now);
        return true;
    case WN_KEY_HOME:
        wn_playback_go(playback, wn_recording_first(playback->recording), now);
        return true;
    case WN_KEY_END:
        wn_playback_go(playback, wn_recording_last(playback->recording), now);
        return true;
    default:
        return false;
    }
}

static wn_viewing_answer look_key(uint32_t key)
{
    static const struct {
        uint32_t key, direction;
    } ways[] = {{'k', 0}, {WN_KEY_UP, 0}, {'l', 2}, {'j', 4}, {WN_KEY_DOWN, 4}, {'h', 6}, {'0', WN_NOWHERE}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i].key == key) {
            return (wn_viewing_answer){.wish = WN_VIEWING_PANS, .what = ways[i].direction};
        }
    }
    return (wn_viewing_answer){.wish = WN_VIEWING_UNKNOWN};
}

static wn_viewing_answer viewing_key(wn_viewing *viewing, uint32_t key, int64_t now)
{
    if (turn_key(&viewing->playback, key, now)) {
        return stays;
    }
    switch (key) {
    case 'g':
        open(viewing, WN_VIEWING_GOING);
        wn_edit_start(&viewing->typed, "", TURN_DIGITS + 1);
        return stays;
    case '?':
    case WN_KEY_F1:
        open(viewing, WN_VIEWING_HELP);
        return stays;
    case 'm':
    case WN_KEY_F1 + 1:
    case WN_KEY_WHEEL_UP:
        open(viewing, WN_VIEWING_MESSAGES);
        return stays;
    case 'n':
    case WN_KEY_F1 + 3:
        return (wn_viewing_answer){.wish = WN_VIEWING_NAMES};
    case WN_KEY_ESCAPE:
        return (wn_viewing_answer){.wish = WN_VIEWING_REVEALS};
    case 'q':
    case WN_KEY_F1 + 9:
        return (wn_viewing_answer){.wish = WN_VIEWING_QUITS};
    default:
        return look_key(key);
    }
}

static wn_viewing_answer going_key(wn_viewing *viewing, uint32_t key, wn_log *log, int64_t now)
{
    const char *text = viewing->typed.text;
    if (key != WN_KEY_ENTER && key != WN_KEY_ESCAPE) {
        wn_edit_key(&viewing->typed, key);
        return stays;
    }
    wn_viewing_close(viewing);
    if (key == WN_KEY_ENTER && text[0] != '\0' && !wn_playback_go_typed(&viewing->playback, text, now)) {
        wn_log_format(log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, "\"%s\" is not a turn: type 120, +20 or -20.", text);
    }
    return stays;
}

wn_viewing_answer wn_viewing_key(wn_viewing *viewing, uint32_t key, wn_log *log, int64_t now)
{
    if (viewing->focus == WN_VIEWING) {
        return viewing_key(viewing, key, now);
    }
    if (viewing->focus == WN_VIEWING_GOING) {
        return going_key(viewing, key, log, now);
    }
    return (wn_viewing_answer){.wish = WN_VIEWING_IN_BOX};
}

/* what there is to say */

void wn_viewing_progress(const wn_viewing *viewing, bool wide, const char *gap, char *text, size_t size)
{
    const wn_playback *playback = &viewing->playback;
    const wn_player *player = playback->player;
    const uint64_t turn = wn_player_turn(player), goal = wn_player_goal(player);
    if (playback->under_way && goal != turn && !playback->playing) {
        snprintf(text, size, "%sto %" PRIu64 ": at %" PRIu64, wide ? "going " : "", goal, wn_player_working(player));
    } else {
        snprintf(text, size, "%s%" PRIu64 "/%" PRIu64 "%s%s%s%s", wide ? "turn " : "", turn,
                 wn_recording_last(playback->recording), gap, wn_pace_name(&playback->pace), gap,
                 wn_playback_motion(playback));
    }
}

void wn_viewing_question(const wn_viewing *viewing, char *text, size_t size)
{
    const wn_recording *recording = viewing->playback.recording;
    snprintf(text, size, "Go to turn (%" PRIu64 "-%" PRIu64 ", +N, -N):", wn_recording_first(recording),
             wn_recording_last(recording));
}

const wn_viewing_help *wn_viewing_get_help(size_t index)
{
    static const wn_viewing_help lines[] = {
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
        {"q", "quit"},
    };
    return index < sizeof lines / sizeof *lines ? &lines[index] : NULL;
}
