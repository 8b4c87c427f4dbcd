/* app-input.c: keys, text, the pointer, gamepads and the window as SDL tells of them, given to the screen. See app.h.
 */
#include "app-parts.h"
#include "key.h"
#include "keys.h"
#include "text.h"

enum { PAD_MS = 8, NO_PAD_MS = 3000 };

static void give_key(wn_app *app, uint32_t key, bool repeated)
{
    app->dirty = true;
    if (key != WN_KEY_NONE && app->screen->key != NULL) {
        app->screen->key(app, key, repeated);
    }
}

static void take_press(wn_app *app, const SDL_KeyboardEvent *press)
{
    if ((press->keysym.mod & KMOD_ALT) != 0 && press->keysym.sym == SDLK_RETURN) {
        wn_app_set_full(app, !app->window.full);
        return;
    }
    app->typed_again = wn_keys_typed_again(press) != 0;
    app->aside = (press->keysym.mod & (KMOD_SHIFT | KMOD_CTRL)) != 0;
    give_key(app, wn_keys_of_press(press), press->repeat != 0);
}

static void take_text(wn_app *app, const char *text)
{
    uint32_t code;
    const bool again = app->typed_again;
    app->typed_again = false;
    for (size_t step; !again && (step = wn_utf8_next(text, &code)) > 0; text += step) {
        give_key(app, code, false);
    }
}

static void give_pointer(wn_app *app, const wn_pointer *pointer)
{
    app->dirty = true;
    if (pointer->kind == WN_POINTER_PRESS && pointer->button == SDL_BUTTON_LEFT) {
        for (size_t i = 0; i < app->hot_count; i++) {
            const SDL_Point at = {pointer->x, pointer->y};
            if (SDL_PointInRect(&at, &app->hots[i].rect)) {
                give_key(app, app->hots[i].key, false);
                return;
            }
        }
    }
    if (app->screen->pointer != NULL) {
        app->screen->pointer(app, pointer);
    }
}

static int scaled(const wn_app *app, int points)
{
    return (int)((float)points * app->window.density);
}

static int held_button(uint32_t state)
{
    return (state & SDL_BUTTON_LMASK) != 0   ? SDL_BUTTON_LEFT
           : (state & SDL_BUTTON_MMASK) != 0 ? SDL_BUTTON_MIDDLE
           : (state & SDL_BUTTON_RMASK) != 0 ? SDL_BUTTON_RIGHT
                                             : 0;
}

static void take_pointer(wn_app *app, const SDL_Event *event)
{
    wn_pointer pointer = {.x = app->pointer_x, .y = app->pointer_y};
    switch (event->type) {
    case SDL_MOUSEMOTION:
        pointer.kind = WN_POINTER_MOVE;
        pointer.x = app->pointer_x = scaled(app, event->motion.x);
        pointer.y = app->pointer_y = scaled(app, event->motion.y);
        pointer.move_x = scaled(app, event->motion.xrel);
        pointer.move_y = scaled(app, event->motion.yrel);
        pointer.button = held_button(event->motion.state);
        break;
    case SDL_MOUSEWHEEL:
        pointer.kind = WN_POINTER_WHEEL;
        pointer.amount = event->wheel.preciseY;
        break;
    case SDL_MULTIGESTURE:
        pointer.kind = WN_POINTER_PINCH;
        pointer.amount = event->mgesture.dDist;
        break;
    default:
        pointer.kind = event->type == SDL_MOUSEBUTTONDOWN ? WN_POINTER_PRESS : WN_POINTER_RELEASE;
        pointer.x = app->pointer_x = scaled(app, event->button.x);
        pointer.y = app->pointer_y = scaled(app, event->button.y);
        pointer.button = event->button.button;
        pointer.clicks = event->button.clicks;
        break;
    }
    give_pointer(app, &pointer);
}

/* A screen that makes nothing of a pad gets it as keys. */
static void give_pad(wn_app *app, wn_pad_meaning meaning, uint32_t value, bool repeated)
{
    static const uint32_t arrows[8] = {WN_KEY_UP,   WN_KEY_NONE, WN_KEY_RIGHT, WN_KEY_NONE,
                                       WN_KEY_DOWN, WN_KEY_NONE, WN_KEY_LEFT,  WN_KEY_NONE};
    if (meaning == WN_PAD_NOTHING) {
        return;
    }
    app->dirty = true;
    if (app->screen->pad != NULL && app->screen->pad(app, meaning, value, repeated)) {
        return;
    }
    give_key(app,
             meaning == WN_PAD_KEY         ? value
             : meaning == WN_PAD_DIRECTION ? arrows[value]
             : meaning == WN_PAD_USE       ? (uint32_t)WN_KEY_ENTER
                                           : (uint32_t)WN_KEY_NONE,
             repeated);
}

static void take_pad(wn_app *app, const SDL_Event *event)
{
    uint32_t value = 0;
    give_pad(app, wn_pad_take(&app->pad, event, app->now, &value), value, false);
}

void wn_app_repeat_pad(wn_app *app)
{
    uint32_t value;
    int64_t next;
    const wn_pad_meaning meaning = wn_pad_repeat(&app->pad, app->now, &value, &next);
    wn_app_wake_at(app, next);
    give_pad(app, meaning, value, true);
}

/* A pad that is there, and whose window is in sight, is asked often, and whether there is a new one now and then. Left
 * to itself SDL asks a thousand times a second as long as there is one. */
void wn_app_ask_pads(wn_app *app)
{
    if (app->now < app->pads_at) {
        return;
    }
    SDL_GameControllerUpdate();
    app->pads_at = app->now + (app->pad.controller == NULL || app->hidden ? NO_PAD_MS : PAD_MS);
}

static void take_window_event(wn_app *app, const SDL_WindowEvent *event)
{
    app->dirty = true;
    switch (event->event) {
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        app->hidden = true;
        return;
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_EXPOSED:
        app->hidden = (SDL_GetWindowFlags(app->window.window) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0;
        return;
    case SDL_WINDOWEVENT_LEAVE:
        app->pointer_x = app->pointer_y = -1;
        return;
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        wn_window_measure(&app->window);
        if (!app->window.full) {
            SDL_GetWindowSize(app->window.window, &app->preferences.width, &app->preferences.height);
        }
        return;
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        wn_window_measure(&app->window);
        wn_app_restyle(app);
        return;
    default:
        return;
    }
}

void wn_app_take_input(wn_app *app, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        take_window_event(app, &event->window);
        return;
    case SDL_KEYDOWN:
        take_press(app, &event->key);
        return;
    case SDL_TEXTINPUT:
        take_text(app, event->text.text);
        return;
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
    case SDL_MULTIGESTURE:
        take_pointer(app, event);
        return;
    case SDL_CONTROLLERDEVICEADDED:
    case SDL_CONTROLLERDEVICEREMOVED:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
    case SDL_CONTROLLERAXISMOTION:
        take_pad(app, event);
        return;
    default:
        return;
    }
}
