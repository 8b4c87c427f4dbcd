/* replay.c: the recording that is played, and what each of its turns brings to the screen. See replay.h. */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

wn_replay *wn_replay_load(const wn_options *options, int *status)
{
    wn_error error = {.text = "There is no memory left to play a recording."};
    wn_replay *replay = calloc(1, sizeof *replay);
    *status = EX_UNAVAILABLE;
    if (replay != NULL) {
        *status = wn_playback_load(&replay->viewing.playback, options->line.replay, options->line.mode_path, &error);
    }
    if (*status != 0) {
        fprintf(stderr, "warren: %s\n", error.text);
        free(replay);
        return NULL;
    }
    replay->map.cursor = WN_NO_FOCUS;
    replay->map.names = options->names;
    replay->layout.may_tighten = true;
    return replay;
}

void wn_replay_free(wn_replay *replay)
{
    wn_playback_free(&replay->viewing.playback);
    wn_map_free(&replay->map);
    free(replay);
}

static void show_turn(wn_app *app, wn_replay *replay)
{
    const wn_player *player = replay->viewing.playback.player;
    const wn_replica *replica = wn_player_replica(player);
    const Warren__Update *update = wn_player_update(player);
    wn_playback_log(&replay->viewing.playback, &app->log);
    wn_banner_take(&replay->banner.banner, replica);
    if (update != NULL) {
        wn_map_effects(&replay->map, update, app->now);
    }
    app->dirty = true;
}

void wn_replay_open(wn_app *app, wn_replay *replay)
{
    const char *difference = wn_player_difference(replay->viewing.playback.player);
    wn_app_show(app, &wn_screen_replay, replay);
    show_turn(app, replay);
    if (difference[0] != '\0') {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, difference);
    }
}

void wn_replay_tick(wn_app *app)
{
    wn_replay *replay = app->state;
    wn_error error = {0};
    int64_t next;
    wn_app_wake_at(app, wn_map_tick(&replay->map, app->now));
    const wn_playback_news news = wn_playback_work(&replay->viewing.playback, app->now, &next, &error);
    wn_app_wake_at(app, next);
    if (news == WN_PLAYBACK_SHOWN) {
        show_turn(app, replay);
    }
    if (news == WN_PLAYBACK_FAILED) {
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_ALERT, NULL, error.text);
    }
    if (news != WN_PLAYBACK_SAME) {
        app->dirty = true;
    }
}
