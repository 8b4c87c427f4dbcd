/* wake.h: a thread that wakes the window's loop when a descriptor has something to read: SDL waits for its own events
 * only. It reads nothing itself. */
#ifndef WARREN_SDL_WAKE_H
#define WARREN_SDL_WAKE_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct wn_wake wn_wake;

/* Whenever one of the two (-1: none) is readable, an event of type `event` comes, once; its code tells which: 1, 2 or
 * their sum. NULL: no memory, threads or descriptors. */
wn_wake *wn_wake_new(int first, int second, uint32_t event);
/* What there was to read has been read: it looks again. */
void wn_wake_again(wn_wake *wake);
void wn_wake_free(wn_wake *wake); /* NULL is fine */

#endif
