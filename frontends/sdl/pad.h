/* pad.h: a gamepad: its buttons as keys, its stick and cross as directions that repeat while they are held. */
#ifndef WARREN_SDL_PAD_H
#define WARREN_SDL_PAD_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero is one that is not there. */
typedef struct wn_pad {
    SDL_GameController *controller;
    int x, y;          /* of the stick */
    int direction;     /* that is held: 1 + 0 (north) to 7; 0: none */
    int64_t repeat_at; /* when it counts again */
} wn_pad;

/* What a pad's event means. */
typedef enum wn_pad_meaning {
    WN_PAD_NOTHING,
    WN_PAD_KEY,       /* in every screen: `value` is one of key.h's */
    WN_PAD_DIRECTION, /* `value`: 0 to 7 */
    WN_PAD_COMMAND,   /* in a game: `value` is a wn_frontend_command */
    WN_PAD_USE,       /* in a game: the main thing to do; elsewhere Enter */
    WN_PAD_SIDE       /* in a game: `value` 0 to the left, 1 to the right; elsewhere nothing */
} wn_pad_meaning;

wn_pad_meaning wn_pad_take(wn_pad *pad, const SDL_Event *event, int64_t now, uint32_t *value);
/* The direction that is held and counts again; WN_PAD_NOTHING: not yet. *next gets when to ask again, 0: it rests. */
wn_pad_meaning wn_pad_repeat(wn_pad *pad, int64_t now, uint32_t *value, int64_t *next);
void wn_pad_close(wn_pad *pad);

#endif
