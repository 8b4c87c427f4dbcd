/* viewing.h: a recording as somebody watches it: what takes the keys and what they mean, and what the bars tell. Going
 * to turns and the pace are playback.h's part. It draws nothing. */
#ifndef WARREN_CLIENT_VIEWING_H
#define WARREN_CLIENT_VIEWING_H

#include "edit.h"
#include "playback.h"

/* What takes the keys. */
typedef enum wn_viewing_focus {
    WN_VIEWING,
    WN_VIEWING_HELP,     /* a box */
    WN_VIEWING_MESSAGES, /* a box */
    WN_VIEWING_GOING     /* `typed` is the turn to go to */
} wn_viewing_focus;

typedef struct wn_viewing {
    wn_playback playback;
    wn_viewing_focus focus;
    unsigned opened; /* another number: the focus has come anew, a box begins at its top */
    wn_edit typed;
} wn_viewing;

/* What is left for the frontend to do. */
typedef enum wn_viewing_wish {
    WN_VIEWING_STAYS,
    WN_VIEWING_PANS,    /* it looks into the direction `what`; 8: back to the middle */
    WN_VIEWING_NAMES,   /* are shown, or no longer */
    WN_VIEWING_REVEALS, /* the mode's banner is put away */
    WN_VIEWING_IN_BOX,  /* the key is for the box: it scrolls it, or closes it by wn_viewing_close() */
    WN_VIEWING_UNKNOWN, /* it means nothing here, but perhaps to the frontend */
    WN_VIEWING_QUITS
} wn_viewing_wish;
typedef struct wn_viewing_answer {
    wn_viewing_wish wish;
    uint32_t what;
} wn_viewing_answer;

/* What there is to say about what was typed goes into the log. */
wn_viewing_answer wn_viewing_key(wn_viewing *viewing, uint32_t key, wn_log *log, int64_t now);
void wn_viewing_close(wn_viewing *viewing);

/* "turn 12/400  1x  playing", or where it is on its way to; `wide`: with words. */
void wn_viewing_progress(const wn_viewing *viewing, bool wide, const char *gap, char *text, size_t size);
/* "Go to turn (0-400, +N, -N):". */
void wn_viewing_question(const wn_viewing *viewing, char *text, size_t size);
/* The keys and what they do, from the top; NULL: there are no more. */
typedef struct wn_viewing_help {
    const char *keys, *text;
} wn_viewing_help;
const wn_viewing_help *wn_viewing_get_help(size_t index);

#endif
