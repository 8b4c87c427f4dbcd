/* player.h: plays a recording: runs it in a warren-host of its own, keeps the replica of one view at one turn, goes to
 * any other turn, and compares the state hashes. No daemon is needed. How recordings are read is recording.h's part.
 *
 * A turn of a recording is shown exactly as live play showed it: what the view was after the turn before, and then the
 * turn's own update. Going back starts from the nearest of the states that the player has kept on its way.
 *
 * A mode is code that anyone may have written: it runs in the host's process, and its crash or endless loop is an
 * error here that names the turn.
 */
#ifndef WARREN_PLAYER_H
#define WARREN_PLAYER_H

#include "client.h"
#include "recording.h"

typedef struct wn_player wn_player;

enum { WN_PLAYER_SPECTATOR = -1 };

typedef struct wn_player_options {
    const char *mode_path;    /* directories with modes, separated by colons; NULL: wn_player_mode_path() */
    const char *host_program; /* NULL: warren-host beside this program, else the installed one */
    uint32_t answer_ms;       /* most that the host may take for a turn; 0: 10000 */
    bool quiet;               /* what the host prints is dropped: there is a screen to be kept whole */
    /* What the mode logs while it runs, level as in warren/mode.h; NULL: dropped. */
    void (*log)(void *context, Warren__Host__LogLevel level, const char *text);
    void *log_context;
} wn_player_options;

/* Where modes are sought if nothing else is said: those of the build that this program belongs to, then the installed
 * ones. Free it. */
char *wn_player_mode_path(void);

/* Finds the mode, starts its host, and stands at the first turn with the spectators' view. `recording` must outlive
 * it. NULL: no such mode, it does not load, or cannot make the world. */
wn_player *wn_player_open(const wn_recording *recording, const wn_player_options *options, wn_error *error);
void wn_player_free(wn_player *player); /* ends the host; NULL is fine */

/* "" or a sentence: the mode here is of another version or build than the one that was recorded. */
const char *wn_player_difference(const wn_player *player);

/* turns and views */

/* Goes to a turn; one before the first or after the last is taken for that. false: the host failed; the sentence names
 * the turn. The player can be used on: it starts another host. */
bool wn_player_seek(wn_player *player, uint64_t turn, wn_error *error);

/* The same in pieces, for who has a screen to keep alive: wn_player_go(), then wn_player_work() until it has arrived.
 * Each call takes about `budget_ms`. Until then the replica shows the turn before. */
void wn_player_go(wn_player *player, uint64_t turn);
bool wn_player_work(wn_player *player, uint32_t budget_ms, wn_error *error);
bool wn_player_arrived(const wn_player *player);

/* Looks at the world as a seat, or as WN_PLAYER_SPECTATOR. A seat that is free in this turn shows nothing. false: the
 * mode has no such seat, or as for wn_player_seek(). */
bool wn_player_choose(wn_player *player, int32_t seat, wn_error *error);
/* The same in pieces: it has not arrived then, until wn_player_work() has done it. */
bool wn_player_look(wn_player *player, int32_t seat, wn_error *error);

uint64_t wn_player_turn(const wn_player *player);    /* the one that is shown */
uint64_t wn_player_goal(const wn_player *player);    /* the one it is to go to */
uint64_t wn_player_working(const wn_player *player); /* the one that work has come to */
int32_t wn_player_seat(const wn_player *player);     /* the chosen view */
/* Who has a seat after this turn, or NULL: it is free, or there is none of that number. */
const char *wn_player_name(const wn_player *player, uint32_t seat);
uint32_t wn_player_seats(const wn_player *player);      /* how many the mode has */
const char *wn_player_outcome(const wn_player *player); /* the world's end, if it has come by now; "" */
/* The view at this turn. `ready` is false while its seat is free. Valid until the player is used again. */
const wn_replica *wn_player_replica(const wn_player *player);
/* The update of the turn shown, with its effects, or NULL: the view began anew. Valid as the replica is. */
const Warren__Update *wn_player_update(const wn_player *player);

/* verifying */

typedef struct wn_verdict {
    uint64_t compared; /* how many hashes were */
    bool diverged;
    uint64_t agreed_turn;   /* the last turn whose state was the recorded one (the first turn, if none) */
    uint64_t diverged_turn; /* the first whose state was not */
} wn_verdict;

/* Runs all of it and compares every hash that was recorded. false: it could not be run to its end. */
bool wn_player_verify(wn_player *player, wn_verdict *verdict, wn_error *error);

#endif
