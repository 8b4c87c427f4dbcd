/* pad.c: a gamepad. See pad.h. */
#include "pad.h"

#include <math.h>

#include "bindings.h"
#include "key.h"

enum { DEAD = 14000, FIRST_MS = 260, NEXT_MS = 130 };

static const struct {
    int button;
    wn_pad_meaning meaning;
    uint32_t value;
} buttons[] = {
    {SDL_CONTROLLER_BUTTON_A, WN_PAD_USE, 0},
    {SDL_CONTROLLER_BUTTON_B, WN_PAD_KEY, WN_KEY_ESCAPE},
    {SDL_CONTROLLER_BUTTON_X, WN_PAD_COMMAND, WN_DO_MESSAGES},
    {SDL_CONTROLLER_BUTTON_Y, WN_PAD_COMMAND, WN_DO_VIEW},
    {SDL_CONTROLLER_BUTTON_BACK, WN_PAD_COMMAND, WN_DO_SCORES},
    {SDL_CONTROLLER_BUTTON_START, WN_PAD_KEY, WN_KEY_ESCAPE},
    {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, WN_PAD_SIDE, 0},
    {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, WN_PAD_SIDE, 1},
    {SDL_CONTROLLER_BUTTON_LEFTSTICK, WN_PAD_COMMAND, WN_DO_ZOOM_OUT},
    {SDL_CONTROLLER_BUTTON_RIGHTSTICK, WN_PAD_COMMAND, WN_DO_ZOOM_IN},
    {SDL_CONTROLLER_BUTTON_DPAD_UP, WN_PAD_DIRECTION, 0},
    {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, WN_PAD_DIRECTION, 2},
    {SDL_CONTROLLER_BUTTON_DPAD_DOWN, WN_PAD_DIRECTION, 4},
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT, WN_PAD_DIRECTION, 6},
};

static wn_pad_meaning hold(wn_pad *pad, int direction, int64_t now, uint32_t *value)
{
    if (pad->direction == direction + 1) {
        return WN_PAD_NOTHING;
    }
    pad->direction = direction + 1;
    pad->repeat_at = now + FIRST_MS;
    *value = (uint32_t)direction;
    return WN_PAD_DIRECTION;
}

static wn_pad_meaning press(wn_pad *pad, int button, int64_t now, uint32_t *value)
{
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        if (buttons[i].button != button) {
            continue;
        }
        *value = buttons[i].value;
        return buttons[i].meaning == WN_PAD_DIRECTION ? hold(pad, (int)*value, now, value) : buttons[i].meaning;
    }
    return WN_PAD_NOTHING;
}

/* The stick in eighths; near its middle it rests. */
static wn_pad_meaning tilt(wn_pad *pad, const SDL_ControllerAxisEvent *axis, int64_t now, uint32_t *value)
{
    if (axis->axis == SDL_CONTROLLER_AXIS_LEFTX) {
        pad->x = axis->value;
    } else if (axis->axis == SDL_CONTROLLER_AXIS_LEFTY) {
        pad->y = axis->value;
    } else {
        return WN_PAD_NOTHING;
    }
    if (hypot(pad->x, pad->y) < DEAD) {
        pad->direction = 0;
        return WN_PAD_NOTHING;
    }
    const int eighth = (int)floor(atan2(pad->x, -pad->y) / 0.78539816339744831 + 0.5); /* pi / 4 */
    return hold(pad, (eighth + 8) % 8, now, value);
}

wn_pad_meaning wn_pad_take(wn_pad *pad, const SDL_Event *event, int64_t now, uint32_t *value)
{
    switch (event->type) {
    case SDL_CONTROLLERDEVICEADDED:
        if (pad->controller == NULL) {
            pad->controller = SDL_GameControllerOpen(event->cdevice.which);
        }
        return WN_PAD_NOTHING;
    case SDL_CONTROLLERDEVICEREMOVED:
        if (pad->controller != NULL && !SDL_GameControllerGetAttached(pad->controller)) {
            wn_pad_close(pad);
        }
        return WN_PAD_NOTHING;
    case SDL_CONTROLLERBUTTONDOWN:
        return press(pad, event->cbutton.button, now, value);
    case SDL_CONTROLLERBUTTONUP:
        if (event->cbutton.button >= SDL_CONTROLLER_BUTTON_DPAD_UP &&
            event->cbutton.button <= SDL_CONTROLLER_BUTTON_DPAD_RIGHT) {
            pad->direction = 0;
        }
        return WN_PAD_NOTHING;
    case SDL_CONTROLLERAXISMOTION:
        return tilt(pad, &event->caxis, now, value);
    default:
        return WN_PAD_NOTHING;
    }
}

wn_pad_meaning wn_pad_repeat(wn_pad *pad, int64_t now, uint32_t *value, int64_t *next)
{
    *next = 0;
    if (pad->direction == 0) {
        return WN_PAD_NOTHING;
    }
    const bool due = now >= pad->repeat_at;
    if (due) {
        pad->repeat_at = now + NEXT_MS;
    }
    *next = pad->repeat_at;
    *value = (uint32_t)pad->direction - 1;
    return due ? WN_PAD_DIRECTION : WN_PAD_NOTHING;
}

void wn_pad_close(wn_pad *pad)
{
    if (pad->controller != NULL) {
        SDL_GameControllerClose(pad->controller);
    }
    *pad = (wn_pad){0};
}
