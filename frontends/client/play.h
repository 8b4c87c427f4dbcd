/* play.h: a world as somebody plays or watches it: what takes the keys and what they mean, what the server tells of the
 * world, and what follows after the seat was ended. It draws nothing.
 *
 * A frontend gives it events (wn_play_take), keys (wn_play_key) and time (wn_play_tick), does what the answers say, and
 * draws: the view of wn_play_replica() as wn_play_shown() has it, and over it what `focus` names. Which key does what
 * is in bindings.h, the question after the end in reentry.h. */
#ifndef WARREN_CLIENT_PLAY_H
#define WARREN_CLIENT_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "another.h"
#include "bindings.h"
#include "edit.h"
#include "link.h"
#include "log.h"
#include "reentry.h"

/* What takes the keys. */
typedef enum wn_play_focus {
    WN_PLAYING,
    /* A box stands over the view: */
    WN_IN_HELP,
    WN_IN_MESSAGES,
    WN_IN_SCORES,
    WN_IN_MENU,
    WN_IN_PREFERENCES, /* with a window */
    WN_IN_KEYS,        /* with a window: which key does what, to be changed */
    WN_IN_NEW_KEY,     /* with a window: the next key is the new one */
    WN_CONFIRMING_LEAVE,
    WN_CONFIRMING_QUIT,
    WN_IN_RESULT,   /* it is over: `reason`, `status` */
    WN_ASKED_AGAIN, /* the seat was ended: enter it again? See `again`; the box may be put away, see `hides_again` */
    WN_LAST_BOX = WN_ASKED_AGAIN,
    /* Something stands in the bottom line: */
    WN_IN_CHAT,  /* `chat` is being typed */
    WN_AIMING,   /* `cursor` is being moved to where `asked_action` is to happen */
    WN_DIRECTING /* a direction is asked for `asked_action` */
} wn_play_focus;

/* Scores over all worlds of the mode, asked for when they are wanted. */
typedef struct wn_all_scores {
    bool shown; /* in place of this world's scoreboard */
    uint32_t request;
    Warren__ScoreList *list; /* NULL: not here */
    char trouble[WN_TEXT_BYTES + 1];
} wn_all_scores;

typedef struct wn_play {
    wn_client *client;
    wn_link *link; /* the client's */
    wn_log *log;
    wn_key_file *key_file; /* NULL: none */
    wn_bindings bindings;

    uint32_t world;
    char name[WN_NAME_BYTES + 1];
    char title[WN_TEXT_BYTES + 1]; /* of the mode */
    bool watching;
    bool world_over;
    bool ended;         /* there is no replica any more: only the result is left */
    int64_t calm_until; /* till then Escape was meant for the game that has just ended, and does nothing; 0: it does */
    bool returning;     /* or it is another view's, which has not come yet */

    wn_play_focus focus;
    unsigned opened; /* another number: the focus has come anew, a box begins at its top */
    wn_edit chat;
    uint32_t asked_action; /* index into mode->actions */
    uint32_t cursor;       /* a cell, or WN_NO_FOCUS */

    uint32_t way; /* of entering, taken last */
    wn_reentry again;
    bool hides_again; /* the box of that is put away, to see what is behind it */
    char reason[2 * WN_TEXT_BYTES + 2];
    wn_all_scores scores;
    wn_another another;          /* a world like this one, which is over */
    char *status;                /* as it was at the end, as lines of text; NULL: none */
    wn_field_state *last_fields; /* the status as the seat ended; NULL: none */
    size_t last_field_count;
    uint32_t last_facing;
} wn_play;

/* A world that was entered, by that of the mode's ways; `window`: the frontend has one. What is to be said before the
 * game goes into the log, which is cleared. The whole structure is filled in here. */
void wn_play_begin(wn_play *play, wn_link *link, wn_log *log, wn_key_file *key_file, bool window, uint32_t world,
                   uint32_t way);
void wn_play_free(wn_play *play);

/* what there is to draw */

/* The view, or NULL: there is none any more, or not yet. */
const wn_replica *wn_play_replica(const wn_play *play);
/* As it is to be shown: while the question stands, with the status of the seat that was ended. */
wn_replica wn_play_shown(const wn_play *play, const wn_replica *replica);
/* What the title tells besides world and mode: "(watching)", "(over)", "(5 waiting)"; `gap` stands before each. */
void wn_play_remarks(const wn_play *play, const char *gap, char *text, size_t size);
/* The first key of a frontend's command, as it is shown; "". */
void wn_play_first_key(const wn_play *play, wn_frontend_command command, char *text, size_t size);
/* The entries of the menu from the top; NULL: there are no more. */
typedef struct wn_menu_entry {
    const char *text;
    int pick; /* a wn_frontend_command, or one of these */
} wn_menu_entry;
enum { WN_MENU_RESUME = WN_FRONTEND_COMMANDS, WN_MENU_ANOTHER, WN_MENU_KEYS, WN_MENU_QUIT };
const wn_menu_entry *wn_play_menu(const wn_play *play, size_t index);

/* May another world like this one be made? It is over. */
bool wn_play_may_have_another(const wn_play *play);

/* The scores over all worlds, line by line. */
typedef enum wn_score_kind {
    WN_SCORES_NOTE, /* instead of any */
    WN_SCORES_TITLE,
    WN_SCORES_ROW,
    WN_SCORES_OWN /* the row of whoever looks */
} wn_score_kind;
typedef struct wn_score_line {
    wn_score_kind kind;
    size_t rank;
    const char *text, *value, *detail; /* of a row: the player's name, the score, and what the mode said of it */
} wn_score_line;
void wn_play_all_scores(const wn_play *play, void (*add)(void *context, const wn_score_line *line), void *context);
/* Does the mode have any? */
bool wn_play_has_all_scores(const wn_play *play);
void wn_play_show_all_scores(wn_play *play, bool shown);        /* it does nothing without any */
bool wn_play_take_scores(wn_play *play, const wn_event *event); /* false: it was not for them */
void wn_play_free_scores(wn_play *play);

/* What the help says, line by line, all but the map's legend. */
typedef enum wn_help_kind {
    WN_HELP_DIM,
    WN_HELP_TEXT,
    WN_HELP_HEADING,
    WN_HELP_KEYS, /* `keys` do what the text says */
    WN_HELP_GAP
} wn_help_kind;
typedef struct wn_help_line {
    wn_help_kind kind;
    const char *keys, *text;
} wn_help_line;
/* `told` (NULL: never): is it told elsewhere what the action does in that direction? Then it is left out. */
void wn_play_help(const wn_play *play, void (*add)(void *context, const wn_help_line *line),
                  bool (*told)(const Warren__Action *action, uint32_t direction), void *context);

/* events and time */

typedef struct wn_play_news {
    uint32_t another; /* 0, or a world like this one that was made and entered: it is to be opened */
    bool ends;    /* the view goes: wn_client_replica() has it until the next event, to be drawn for the last time */
    bool begins;  /* a view has come, perhaps of another mode: keys, name and title have been read */
    bool arrives; /* it is the one that was waited for after the seat was ended */
    bool updated; /* the view has changed, and its messages are in the log */
    bool alert;   /* one of them is one */
} wn_play_news;
wn_play_news wn_play_take(wn_play *play, const wn_event *event, int64_t now);
/* Returns when it is to be called again, 0: not by itself. */
int64_t wn_play_tick(wn_play *play, int64_t now);

/* keys */

/* What is left for the frontend to do. */
typedef enum wn_play_wish {
    WN_PLAY_STAYS,   /* nothing but drawing */
    WN_PLAY_SENT,    /* likewise; a command is on its way, so that the player is to be in sight */
    WN_PLAY_RUNS,    /* `what` is a wn_frontend_command of its own */
    WN_PLAY_PANS,    /* it looks into the direction `what` */
    WN_PLAY_IN_BOX,  /* the key is for the box: it scrolls, or something is chosen in it */
    WN_PLAY_REVEALS, /* the mode's banner is put away */
    WN_PLAY_LEAVES,  /* the world has been left: to the lobby */
    WN_PLAY_QUITS
} wn_play_wish;
typedef struct wn_play_answer {
    wn_play_wish wish;
    uint32_t what;
} wn_play_answer;

wn_play_answer wn_play_key(wn_play *play, uint32_t key);
/* A command, as if by its key; an entry of the menu. */
wn_play_answer wn_play_run(wn_play *play, uint32_t command);
wn_play_answer wn_play_choose(wn_play *play, uint32_t pick);
/* Does an action. */
wn_play_answer wn_play_send(wn_play *play, uint32_t action_index, uint32_t argument);
/* Asks where to do it; `cell` is where the cursor begins, WN_NO_FOCUS: where the player is. */
void wn_play_aim(wn_play *play, uint32_t action_index, uint32_t cell);
/* Leaves the world. */
wn_play_answer wn_play_leave(wn_play *play);

void wn_play_open(wn_play *play, wn_play_focus focus);
/* Back to the game, or to what stands in its place. */
void wn_play_close(wn_play *play);
/* Makes the keys anew: the key file has changed. */
void wn_play_bind(wn_play *play);

#endif
