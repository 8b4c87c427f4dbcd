/* playback.c: a recording being watched. See playback.h. */
#include "playback.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

enum { EXIT_DAMAGED = 1, WORK_MS = 25 };

static int64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int status_of(const wn_error *error)
{
    const bool no_mode = error->code == WARREN__ERROR_CODE__ERROR_NOT_FOUND && strcmp(error->field, "mode") == 0;
    return no_mode || error->code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE ? EX_UNAVAILABLE : EXIT_DAMAGED;
}

int wn_playback_load(wn_playback *playback, const char *path, const char *mode_path, wn_error *error)
{
    const wn_player_options options = {.mode_path = mode_path, .quiet = true};
    *playback = (wn_playback){0};
    playback->recording = wn_recording_read(path, error);
    playback->player = playback->recording == NULL ? NULL : wn_player_open(playback->recording, &options, error);
    if (playback->player == NULL) {
        wn_playback_free(playback);
        return status_of(error);
    }
    wn_pace_init(&playback->pace);
    playback->shown_seat = wn_player_seat(playback->player);
    return 0;
}

void wn_playback_free(wn_playback *playback)
{
    wn_player_free(playback->player);
    wn_recording_free(playback->recording);
    *playback = (wn_playback){0};
}

/* The log goes on where the shown turn followed the last one; else it begins anew, with what the view remembers. */
void wn_playback_log(wn_playback *playback, wn_log *log)
{
    const wn_replica *replica = wn_player_replica(playback->player);
    const uint64_t turn = wn_player_turn(playback->player);
    const bool anew = turn < playback->shown_turn || wn_player_seat(playback->player) != playback->shown_seat;
    if (anew) {
        wn_log_clear(log);
    }
    log->read_number = log->last_number;
    if (replica->ready) {
        wn_log_take(log, replica);
    }
    if (anew) {
        log->read_number = log->last_number;
    }
    playback->shown_turn = turn;
    playback->shown_seat = wn_player_seat(playback->player);
}

/* going on */

static void set_out(wn_playback *playback, uint64_t turn)
{
    wn_player_go(playback->player, turn);
    playback->retreating = false;
    playback->under_way = true;
    playback->began = clock_now();
}

/* It goes back to the turn that was shown, unless it is that which fails now. */
static void retreat(wn_playback *playback)
{
    const bool again = playback->retreating;
    playback->playing = false;
    playback->retreating = !again;
    playback->under_way = !again;
    wn_player_go(playback->player, playback->shown_turn);
}

/* Whom it follows may sit elsewhere in this turn. Returns whether there is another view to go for. */
static bool follow(wn_playback *playback)
{
    wn_player *player = playback->player;
    const uint64_t turn = wn_player_turn(player);
    int32_t seat = (int32_t)wn_player_seats(player) - 1;
    if (playback->followed[0] == '\0') {
        return false;
    }
    for (const char *name; seat >= 0; seat--) {
        name = wn_player_name(player, (uint32_t)seat);
        if (name != NULL && strcmp(name, playback->followed) == 0) {
            break;
        }
    }
    if (seat == wn_player_seat(player) || !wn_player_look(player, seat, NULL)) {
        return false;
    }
    wn_player_go(player, turn);
    return true;
}

static wn_playback_news arrive(wn_playback *playback)
{
    if (follow(playback)) {
        return WN_PLAYBACK_ON_ITS_WAY;
    }
    if (wn_player_turn(playback->player) == wn_recording_last(playback->recording)) {
        playback->playing = false;
    }
    playback->under_way = playback->retreating = false;
    wn_pace_took(&playback->pace, clock_now() - playback->began);
    return WN_PLAYBACK_SHOWN;
}

wn_playback_news wn_playback_work(wn_playback *playback, int64_t now, int64_t *next, wn_error *error)
{
    wn_playback_news news = WN_PLAYBACK_SAME;
    *next = 0;
    if (!playback->under_way && playback->playing) {
        const uint64_t due = wn_pace_due(&playback->pace, now);
        if (due > 0) {
            set_out(playback, wn_player_turn(playback->player) + due);
        }
    }
    if (playback->under_way) {
        if (!wn_player_work(playback->player, WORK_MS, error)) {
            retreat(playback);
            news = WN_PLAYBACK_FAILED;
        } else {
            news = wn_player_arrived(playback->player) ? arrive(playback) : WN_PLAYBACK_ON_ITS_WAY;
        }
        *next = playback->under_way ? now : 0;
    }
    if (playback->playing && !playback->under_way) {
        *next = wn_pace_next(&playback->pace, now);
    }
    return news;
}

void wn_playback_go(wn_playback *playback, uint64_t turn, int64_t now)
{
    set_out(playback, turn);
    wn_pace_start(&playback->pace, now);
}

void wn_playback_move(wn_playback *playback, int64_t turns, int64_t now)
{
    const uint64_t from = playback->under_way ? wn_player_goal(playback->player) : wn_player_turn(playback->player);
    const uint64_t back = turns < 0 ? (uint64_t)-turns : 0;
    wn_playback_go(playback, turns >= 0 ? from + (uint64_t)turns : from > back ? from - back : 0, now);
}

bool wn_playback_go_typed(wn_playback *playback, const char *text, int64_t now)
{
    const bool relative = text[0] == '+' || text[0] == '-';
    char *end;
    errno = 0;
    const unsigned long long turn = strtoull(text + relative, &end, 10);
    const bool number = text[relative] >= '0' && text[relative] <= '9' && *end == '\0' && errno == 0;
    if (!number || (relative && turn > INT64_MAX)) {
        return false;
    }
    if (relative) {
        wn_playback_move(playback, text[0] == '-' ? -(int64_t)turn : (int64_t)turn, now);
    } else {
        wn_playback_go(playback, turn, now);
    }
    return true;
}

void wn_playback_play(wn_playback *playback, bool on, int64_t now)
{
    const bool at_end = wn_player_turn(playback->player) == wn_recording_last(playback->recording);
    if (on && at_end && !playback->under_way) {
        set_out(playback, wn_recording_first(playback->recording));
    }
    playback->playing = on;
    wn_pace_start(&playback->pace, now);
}

void wn_playback_change_speed(wn_playback *playback, bool faster, int64_t now)
{
    if (faster) {
        wn_pace_faster(&playback->pace);
    } else {
        wn_pace_slower(&playback->pace);
    }
    wn_pace_start(&playback->pace, now);
}

/* Seats that are taken, and the spectators, in a circle. */
void wn_playback_next_view(wn_playback *playback, bool back, int64_t now)
{
    const int32_t views = (int32_t)wn_player_seats(playback->player) + 1, step = back ? views - 1 : 1;
    int32_t view = wn_player_seat(playback->player) + 1; /* 0: the spectators' */
    do {
        view = (view + step) % views;
    } while (view > 0 && wn_player_name(playback->player, (uint32_t)view - 1) == NULL);
    snprintf(playback->followed, sizeof playback->followed, "%s",
             view > 0 ? wn_player_name(playback->player, (uint32_t)view - 1) : "");
    wn_player_look(playback->player, view - 1, NULL);
    wn_playback_move(playback, 0, now);
}

/* texts */

void wn_playback_view_name(const wn_playback *playback, bool long_form, char *text, size_t size)
{
    const int32_t seat = wn_player_seat(playback->player);
    const char *name = seat < 0 ? NULL : wn_player_name(playback->player, (uint32_t)seat);
    if (seat < 0 && playback->followed[0] != '\0') {
        snprintf(text, size, long_form ? "%s (no seat here)" : "%s: no seat", playback->followed);
    } else if (seat < 0) {
        snprintf(text, size, "spectators");
    } else if (name == NULL) {
        snprintf(text, size, "seat %" PRId32 " (free)", seat);
    } else if (long_form) {
        snprintf(text, size, "%s (seat %" PRId32 ")", name, seat);
    } else {
        snprintf(text, size, "%s", name);
    }
}

const char *wn_playback_motion(const wn_playback *playback)
{
    const bool at_end = wn_player_turn(playback->player) == wn_recording_last(playback->recording);
    return playback->playing ? "playing" : at_end ? "end" : "paused";
}
