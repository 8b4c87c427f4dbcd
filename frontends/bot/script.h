/* script.h: what a bot is told to do, from a text file. It parses and steps through; sending is the bot's business.
 *
 * One step a line; empty lines and what follows a # at the start of a word are ignored:
 *   ACTION [ARGUMENT]   a command. ARGUMENT: a direction (north, north-east, ... north-west, here), a number, or a
 *                       place in the view as X,Y
 *   do ACTION [ARGUMENT]  the same, for an action that is called like one of the words below
 *   pause MS            wait until all commands so far have been executed, then so many milliseconds
 *   say TEXT            to everyone in the world
 *   repeat N ... end    the lines between, N times; may be nested WN_SCRIPT_DEPTH deep
 */
#ifndef WARREN_BOT_SCRIPT_H
#define WARREN_BOT_SCRIPT_H

#include <stdio.h>

#include "wire.h"

enum { WN_SCRIPT_DEPTH = 8, WN_SCRIPT_STEPS = 100000, WN_SCRIPT_LINE = 1024, WN_SCRIPT_NUMBER = 1000000000 };

typedef enum wn_step_kind { WN_STEP_ACT, WN_STEP_PAUSE, WN_STEP_SAY, WN_STEP_REPEAT, WN_STEP_END } wn_step_kind;

typedef enum wn_given { WN_GIVEN_NOTHING, WN_GIVEN_DIRECTION, WN_GIVEN_NUMBER, WN_GIVEN_PLACE } wn_given;

typedef struct wn_script_step {
    wn_step_kind kind;
    uint32_t line;
    uint32_t number;              /* PAUSE: milliseconds. REPEAT: times. END: the index of its REPEAT. ACT: argument */
    char word[WN_NAME_BYTES + 1]; /* ACT: the action's name */
    char text[WN_CHAT_BYTES + 1]; /* SAY */
    wn_given given;               /* ACT: how the argument was written */
    uint32_t x, y;                /* ACT: of a place */
    uint32_t action;              /* ACT: known after wn_script_resolve() */
} wn_script_step;

typedef struct wn_script {
    const char *name; /* of the file, for messages; borrowed */
    wn_script_step *steps;
    uint32_t step_count, capacity;
    bool resolved;
} wn_script;

/* Errors name file, line and what is expected there. `script` must be freed in any case. */
bool wn_script_read(wn_script *script, const char *name, FILE *from, wn_error *error);
/* Looks the actions up in a mode and checks that their arguments are of the right kind. Once is enough. */
bool wn_script_resolve(wn_script *script, const Warren__Mode *mode, wn_error *error);
void wn_script_free(wn_script *script);

/* Where a bot is in its script. All zero is the beginning. */
typedef struct wn_cursor {
    uint32_t at, depth;
    uint32_t left[WN_SCRIPT_DEPTH];
} wn_cursor;

/* The next step to do (ACT, PAUSE or SAY), or NULL at the end. */
const wn_script_step *wn_script_next(const wn_script *script, wn_cursor *cursor);

#endif
