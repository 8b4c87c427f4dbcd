/* player-internal.h: what the two files of the player share. It is not for frontends: player.h is.
 *
 *   player.c        turns that are shown, views, going somewhere, verifying, lifetime
 *   player-world.c  the host and its world: started, made, brought to a turn, kept for going back
 */
#ifndef WARREN_PLAYER_INTERNAL_H
#define WARREN_PLAYER_INTERNAL_H

#include "playback-host.h"
#include "player.h"
#include "seek-points.h"

enum {
    WN_PLAYER_WORLD = 1,       /* its number in the host, which has no other */
    WN_PLAYER_FIRST_CHUNK = 16 /* turns that are replayed in one go, while it is not known how long they take */
};

struct wn_player {
    const wn_recording *recording;
    const Warren__RecordingHeader *header;
    wn_playback_options options;
    char *mode_file, *program;
    char difference[WN_TEXT_BYTES + 1];
    char build[WN_TEXT_BYTES + 1]; /* of the mode that was opened */

    wn_playback_host *host; /* NULL: none runs */
    bool made;              /* it has the world */
    uint64_t at;            /* the turn that its world is at */
    bool watching;          /* it draws the chosen view */
    uint64_t taken;         /* seats, as bits */
    char names[WN_SEATS][WN_NAME_BYTES + 1];
    char outcome[WN_TEXT_BYTES + 1];

    wn_seek_points points;
    size_t chunk;
    uint64_t careful_from, careful_until; /* a host was lost in between: one turn at a time shows in which turn */
    bool verifying;
    wn_verdict verdict;

    int32_t seat;
    uint64_t goal;
    bool shown; /* the replica is that of turn `shown_turn` */
    uint64_t shown_turn;
    wn_arena *legend_arena, *update_arena;
    const Warren__Mode *mode;
    wn_replica *replica;
    const Warren__Update *update;
};

static inline uint64_t wn_player_first_turn(const wn_player *player)
{
    return wn_recording_first(player->recording);
}

static inline uint64_t wn_player_last_turn(const wn_player *player)
{
    return wn_recording_last(player->recording);
}

/* Asks the host. When that was the end of it, the sentence says what it was at: "played", turn 7. */
const Warren__Host__FromHost *wn_player_ask(wn_player *player, const Warren__Host__ToHost *message,
                                            Warren__Host__FromHost__BodyCase wanted, const char *what, uint64_t turn,
                                            wn_error *error);
bool wn_player_start_host(wn_player *player, wn_error *error);
/* Makes the world anew, as it was at a turn that is kept, or (NULL) at the recording's first. */
bool wn_player_restore(wn_player *player, const wn_seek_point *point, wn_error *error);
/* Keeps the world as it is now, if a state is wanted here. */
bool wn_player_save_point(wn_player *player, wn_error *error);
/* Some turns nearer to `until`. A host that is lost on the way has played one of several turns: true, and they are to
 * be played again by another; one at a time, so that it is known which it was. */
bool wn_player_replay_some(wn_player *player, uint64_t until, wn_error *error);
/* Plays the next turn and draws the watched view after it. The answer lives until the host is asked again; NULL: it
 * failed. */
const Warren__Host__Replayed *wn_player_show_turn(wn_player *player, wn_error *error);
/* The last turn before this one that has a hash, or the first of all. */
uint64_t wn_player_agreed_before(const wn_player *player, uint64_t turn);

#endif
