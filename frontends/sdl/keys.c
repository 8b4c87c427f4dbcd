/* keys.c: SDL's keys as the keys that bindings know. See keys.h. */
#include "keys.h"

#include "key.h"

static const struct {
    SDL_Keycode pressed;
    uint32_t key;
} named[] = {
    {SDLK_UP, WN_KEY_UP},          {SDLK_DOWN, WN_KEY_DOWN},
    {SDLK_LEFT, WN_KEY_LEFT},      {SDLK_RIGHT, WN_KEY_RIGHT},
    {SDLK_HOME, WN_KEY_HOME},      {SDLK_END, WN_KEY_END},
    {SDLK_PAGEUP, WN_KEY_PAGE_UP}, {SDLK_PAGEDOWN, WN_KEY_PAGE_DOWN},
    {SDLK_RETURN, WN_KEY_ENTER},   {SDLK_KP_ENTER, WN_KEY_ENTER},
    {SDLK_TAB, WN_KEY_TAB},        {SDLK_BACKSPACE, WN_KEY_BACKSPACE},
    {SDLK_DELETE, WN_KEY_DELETE},  {SDLK_INSERT, WN_KEY_INSERT},
    {SDLK_ESCAPE, WN_KEY_ESCAPE},  {SDLK_KP_0, WN_KEY_KP0},
    {SDLK_KP_1, WN_KEY_KP0 + 1},   {SDLK_KP_2, WN_KEY_KP0 + 2},
    {SDLK_KP_3, WN_KEY_KP0 + 3},   {SDLK_KP_4, WN_KEY_KP0 + 4},
    {SDLK_KP_5, WN_KEY_KP0 + 5},   {SDLK_KP_6, WN_KEY_KP0 + 6},
    {SDLK_KP_7, WN_KEY_KP0 + 7},   {SDLK_KP_8, WN_KEY_KP0 + 8},
    {SDLK_KP_9, WN_KEY_KP9},
};

uint32_t wn_keys_of_press(const SDL_KeyboardEvent *press)
{
    const SDL_Keycode pressed = press->keysym.sym;
    const unsigned modifiers = press->keysym.mod;
    if (pressed == SDLK_TAB && (modifiers & KMOD_SHIFT) != 0) {
        return WN_KEY_BACK_TAB;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].pressed == pressed) {
            return named[i].key;
        }
    }
    if (pressed >= SDLK_F1 && pressed <= SDLK_F12) {
        return WN_KEY_F1 + (uint32_t)(pressed - SDLK_F1);
    }
    if ((modifiers & KMOD_CTRL) != 0 && (modifiers & KMOD_ALT) == 0 && pressed >= 'a' && pressed <= 'z') {
        return (uint32_t)pressed - WN_KEY_CONTROL_BASE;
    }
    return WN_KEY_NONE;
}

int wn_keys_typed_again(const SDL_KeyboardEvent *press)
{
    return press->keysym.sym >= SDLK_KP_1 && press->keysym.sym <= SDLK_KP_0;
}
