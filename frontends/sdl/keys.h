/* keys.h: what SDL says of the keyboard as the keys that bindings know (key.h). */
#ifndef WARREN_SDL_KEYS_H
#define WARREN_SDL_KEYS_H

#include <SDL.h>
#include <stdint.h>

/* A key that types no text; WN_KEY_NONE: it does, and comes as that. */
uint32_t wn_keys_of_press(const SDL_KeyboardEvent *press);
/* Does the text event that follows the press say the same once more? */
int wn_keys_typed_again(const SDL_KeyboardEvent *press);

#endif
