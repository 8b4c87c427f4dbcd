/* reentry.h: what follows when a seat was ended: the player sees why, watches how the world goes on, and is asked
 * whether to enter it again, and how. It draws nothing; a frontend shows the question and gives keys and events.
 */
#ifndef WARREN_CLIENT_REENTRY_H
#define WARREN_CLIENT_REENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "client.h"
#include "edit.h"

typedef enum wn_reentry_stage {
    WN_REENTRY_OFF,
    WN_REENTRY_ENDED,    /* the reason is shown; keys that were meant for the game come to nothing */
    WN_REENTRY_ASKING,   /* yes, no, write, other way? */
    WN_REENTRY_CHOOSING, /* the other ways are listed */
    WN_REENTRY_WRITING,
    WN_REENTRY_ENTERING /* on its way in */
} wn_reentry_stage;

typedef enum wn_reentry_news {
    WN_REENTRY_NOTHING, /* the key or the event was not for it */
    WN_REENTRY_TAKEN,
    WN_REENTRY_LEAVES,   /* the player has said no */
    WN_REENTRY_WATCHING, /* there is a replica of the world again, a spectator's */
    WN_REENTRY_ENTERED,  /* and now it is the player's */
    WN_REENTRY_NO_WAY    /* `trouble` says why there is none any more: the world is over or closed */
} wn_reentry_news;

enum { WN_REENTRY_CALM_MS = 500 }; /* how long ENDED lasts */

typedef struct wn_reentry {
    wn_client *client;
    wn_reentry_stage stage;
    uint32_t world;
    char name[WN_NAME_BYTES + 1];    /* the world's */
    char reason[WN_TEXT_BYTES + 1];  /* why the seat was ended */
    char trouble[WN_TEXT_BYTES + 1]; /* why the last answer came to nothing; "" */
    Warren__Mode *mode;              /* its own, for the ways */
    uint32_t way;                    /* the last one, which `yes` means */
    wn_edit message;
    int64_t asks_at;
    uint32_t watch_request, join_request, say_request;
} wn_reentry;

/* The seat in the replica's world was ended. `way`: how it was entered; `now` in milliseconds. Asks to watch. */
void wn_reentry_begin(wn_reentry *reentry, wn_client *client, const wn_replica *replica, uint32_t way,
                      const char *reason, int64_t now);
/* Of no more use: forgets the question. `leaves`: the world is left, too. */
void wn_reentry_end(wn_reentry *reentry, bool leaves);
/* To be called when `asks_at` has come. */
void wn_reentry_tick(wn_reentry *reentry, int64_t now);
wn_reentry_news wn_reentry_key(wn_reentry *reentry, uint32_t key);
wn_reentry_news wn_reentry_event(wn_reentry *reentry, const wn_event *event);
/* Is there more than one way? */
bool wn_reentry_has_ways(const wn_reentry *reentry);
/* The keys of the question and what they do, one after the other; NULL: there are no more. */
typedef struct wn_reentry_answer {
    const char *key, *brief, *text; /* "y", "again", "enter again" */
} wn_reentry_answer;
const wn_reentry_answer *wn_reentry_answers(const wn_reentry *reentry, size_t index);
/* "y again, n leave, w write, o other way" while it is asked; "" else. */
void wn_reentry_brief(const wn_reentry *reentry, char *text, size_t size);
/* What is asked now: "Re-enter game [ynwo]?"; "" while it is not. While WRITING it stands before the message. */
void wn_reentry_question(const wn_reentry *reentry, char *text, size_t size);

#endif
