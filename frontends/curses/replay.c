/* replay.c: the recording that is played: going to turns, keeping the pace, choosing a view. See replay.h. */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

enum { EXIT_DAMAGED = 1, WORK_MS = 25 };

/* beginning and end */

static int status_of(const wn_error *error)
{
    const bool no_mode = error->code == WARREN__ERROR_CODE__ERROR_NOT_FOUND && strcmp(error->field, "mode") == 0;
    return no_mode || error->code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE ? EX_UNAVAILABLE : EXIT_DAMAGED;
}

wn_replay *wn_replay_load(const wn_options *options, int *status)
{
    wn_error error = {.text = "There is no memory left to play a recording."};
    const wn_player_options player = {.mode_path = options->line.mode_path, .quiet = true};
    wn_replay *replay = calloc(1, sizeof *replay);
    if (replay != NULL) {
        replay->recording = wn_recording_read(options->line.replay, &error);
        replay->player = replay->recording == NULL ? NULL : wn_player_open(replay->recording, &player, &error);
    }
    if (replay == NULL || replay->player == NULL) {
        fprintf(stderr, "warren: %s\n", error.text);
        *status = status_of(&error);
        wn_replay_free(replay);
        return NULL;
    }
    wn_pace_init(&replay->pace);
    replay->map.cursor = WN_NO_FOCUS;
    replay->map.names = options->names;
    return replay;
}

void wn_replay_free(wn_replay *replay)
{
    if (replay == NULL)
        return;
    wn_player_free(replay->player);
    wn_recording_free(replay->recording);
    wn_map_free(&replay->map);
    free(replay);
}

/* a turn is shown */

/* The log goes on where the shown turn followed the last one; else it begins anew, with what the view remembers. */
static void take_messages(wn_app *app, wn_replay *replay, const wn_replica *replica)
{
    const uint64_t turn = wn_player_turn(replay->player);
    const bool anew = turn < replay->shown_turn || wn_player_seat(replay->player) != replay->shown_seat;
    if (anew)
        wn_log_clear(&app->log);
    app->log.read_number = app->log.last_number;
    if (replica->ready)
        wn_log_take(&app->log, replica);
    if (anew)
        app->log.read_number = app->log.last_number;
    replay->shown_turn = turn;
    replay->shown_seat = wn_player_seat(replay->player);
}

static void show_turn(wn_app *app, wn_replay *replay)
{
    const wn_replica *replica = wn_player_replica(replay->player);
    const Warren__Update *update = wn_player_update(replay->player);
    take_messages(app, replay, replica);
    if (replica->banner[0] == '\0')
        replay->banner.hidden[0] = '\0'; /* the next one is a new one, whatever it says */
    if (update != NULL)
        wn_map_effects(&replay->map, update, app->now);
    if (wn_player_turn(replay->player) == wn_recording_last(replay->recording))
        replay->playing = false;
    replay->under_way = false;
    replay->retreating = false;
    app->dirty = true;
}

/* It goes back to the turn that was shown, unless it is that which fails now. */
static void stop_with(wn_app *app, wn_replay *replay, const wn_error *error)
{
    const bool again = replay->retreating;
    wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, error->text);
    replay->playing = false;
    replay->retreating = !again;
    replay->under_way = !again;
    wn_player_go(replay->player, replay->shown_turn);
    wn_app_wake_at(app, app->now);
    app->dirty = true;
}

void wn_replay_open(wn_app *app, wn_replay *replay)
{
    const char *difference = wn_player_difference(replay->player);
    replay->shown_seat = wn_player_seat(replay->player);
    wn_app_show(app, &wn_screen_replay, replay);
    show_turn(app, replay);
    if (difference[0] != '\0')
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, difference);
}

/* going on */

static int64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void set_out(wn_app *app, wn_replay *replay, uint64_t turn)
{
    wn_player_go(replay->player, turn);
    replay->retreating = false;
    replay->under_way = true;
    replay->began = app->now;
}

static void work(wn_app *app, wn_replay *replay)
{
    wn_error error = {0};
    if (!wn_player_work(replay->player, WORK_MS, &error)) {
        stop_with(app, replay, &error);
    } else if (wn_player_arrived(replay->player)) {
        show_turn(app, replay);
        wn_pace_took(&replay->pace, clock_now() - replay->began);
    } else {
        app->dirty = true; /* how far it has come */
        wn_app_wake_at(app, app->now);
    }
}

void wn_replay_go(wn_app *app, uint64_t turn)
{
    wn_replay *replay = app->state;
    set_out(app, replay, turn);
    wn_pace_start(&replay->pace, app->now);
}

void wn_replay_move(wn_app *app, int64_t turns)
{
    const wn_replay *replay = app->state;
    const uint64_t from = replay->under_way ? wn_player_goal(replay->player) : wn_player_turn(replay->player);
    const uint64_t back = turns < 0 ? (uint64_t)-turns : 0;
    wn_replay_go(app, turns >= 0 ? from + (uint64_t)turns : from > back ? from - back : 0);
}

void wn_replay_play(wn_app *app, bool on)
{
    wn_replay *replay = app->state;
    const bool at_end = wn_player_turn(replay->player) == wn_recording_last(replay->recording);
    if (on && at_end && !replay->under_way)
        set_out(app, replay, wn_recording_first(replay->recording));
    replay->playing = on;
    wn_pace_start(&replay->pace, app->now);
}

/* Seats that are taken, and the spectators, in a circle. */
void wn_replay_next_view(wn_app *app, bool back)
{
    const wn_replay *replay = app->state;
    const int32_t views = (int32_t)wn_player_seats(replay->player) + 1, step = back ? views - 1 : 1;
    int32_t view = wn_player_seat(replay->player) + 1; /* 0: the spectators' */
    do {
        view = (view + step) % views;
    } while (view > 0 && wn_player_name(replay->player, (uint32_t)view - 1) == NULL);
    wn_player_look(replay->player, view - 1, NULL);
    wn_replay_move(app, 0);
}

void wn_replay_tick(wn_app *app)
{
    wn_replay *replay = app->state;
    wn_app_wake_at(app, wn_map_tick(&replay->map, app->now));
    if (!replay->under_way && replay->playing) {
        const uint64_t due = wn_pace_due(&replay->pace, app->now);
        if (due > 0)
            set_out(app, replay, wn_player_turn(replay->player) + due);
    }
    if (replay->under_way)
        work(app, replay);
    if (replay->playing && !replay->under_way)
        wn_app_wake_at(app, wn_pace_next(&replay->pace, app->now));
}
