/* brain.h: what decides what a bot does: a table of brains, each in a file of its own. A brain knows the replica of its
 * bot's view and nothing else; connecting, sending and booking are the bot's.
 */
#ifndef WARREN_BOT_BRAIN_H
#define WARREN_BOT_BRAIN_H

#include "client.h"
#include "script.h"

typedef enum wn_deed_kind {
    WN_DEED_NONE,  /* nothing before the next update */
    WN_DEED_ACT,   /* `action` and `argument` */
    WN_DEED_SAY,   /* `text` to everyone in the world */
    WN_DEED_PAUSE, /* until all so far has been executed, then `argument` milliseconds */
    WN_DEED_END    /* nothing any more */
} wn_deed_kind;

typedef struct wn_deed {
    wn_deed_kind kind;
    uint32_t action, argument;
    const char *text; /* lives until the next deed is asked for */
} wn_deed;

/* What a mind begins with. */
typedef struct wn_lesson {
    wn_script *script; /* shared by all bots; NULL but for the brain that follows one */
    uint64_t chance;   /* seeds its dice */
} wn_lesson;

typedef struct wn_brain {
    const char *name, *summary;
    const char *player; /* what its players are called if nobody says */
    bool looks;         /* decides on what it sees: one command at a time, whatever --window says */
    /* Can it play that mode? The sentence says what is missing. NULL: any. */
    bool (*fits)(const Warren__Mode *mode, wn_error *error);
    void *(*start)(const wn_lesson *lesson); /* a mind, or NULL: no memory */
    /* Which of the mode's entries the next life takes. Before the first one nothing is known of the mode. NULL: the
     * usual one. */
    uint32_t (*way_in)(void *mind);
    /* A seat has been taken, the first one or another life. `mode` lives as long as the seat. */
    bool (*enter)(void *mind, const Warren__Mode *mode, wn_error *error);
    void (*see)(void *mind, const wn_replica *replica); /* after every update of a ready replica. NULL: not wanted */
    wn_deed (*next)(void *mind, const wn_replica *replica);
    void (*end)(void *mind);
} wn_brain;

extern const wn_brain wn_brain_random, wn_brain_script, wn_brain_otto;

/* NULL: nobody is called that. */
const wn_brain *wn_brain_find(const char *name);
/* The first of the table that plays that mode better than by chance, else chance. */
const wn_brain *wn_brain_for(const Warren__Mode *mode);
/* By index, for lists; NULL after the last. */
const wn_brain *wn_brain_at(size_t index);

#endif
