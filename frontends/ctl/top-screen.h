/* top-screen.h: the terminal that `top` draws on, if there is one, with its keys and signals; and its clock.
 */
#ifndef WARREN_CTL_TOP_SCREEN_H
#define WARREN_CTL_TOP_SCREEN_H

#include <termios.h>

#include "client.h"

typedef struct wn_screen {
    bool shown, keys; /* standard output is a terminal; so is standard input */
    struct termios former;
    int signals;
} wn_screen;

/* Signals are read like keys, so that the terminal is left as it was found. */
void wn_screen_open(wn_screen *on, bool json);
void wn_screen_close(wn_screen *on);
/* As much of the text as fits: on a terminal over what stood there, elsewhere all of it. The text is taken apart. */
void wn_screen_print(const wn_screen *on, char *text);

int64_t wn_screen_now_ms(void);
/* Until the next sample is due. false: a signal or a q came, or there is nobody left to type one. */
bool wn_screen_wait(const wn_screen *on, wn_client *client, int64_t due);

#endif
