/* app-parts.h: what the files of app.h have from each other, and no screen needs. */
#ifndef WARREN_SDL_APP_PARTS_H
#define WARREN_SDL_APP_PARTS_H

#include "app.h"

/* app-input.c: keys, text, the pointer, gamepads, the window. */
void wn_app_take_input(wn_app *app, const SDL_Event *event);
/* In every pass of the loop: what gamepads tell, and what a button does that is held. */
void wn_app_ask_pads(wn_app *app);
void wn_app_repeat_pad(wn_app *app);

/* app-preferences.c: in every pass of the loop: no sound is to be heard any more. */
void wn_app_close_sound(wn_app *app);

#endif
