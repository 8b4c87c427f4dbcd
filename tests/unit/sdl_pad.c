/* A gamepad's events: what they mean, and that what is held repeats until it is let go. No device is needed. */
#include "bindings.h"
#include "key.h"
#include "pad.h"
#include "suite.h"

static wn_pad_meaning button(wn_pad *pad, int which, bool down, int64_t now, uint32_t *value)
{
    const SDL_Event event = {
        .cbutton = {.type = down ? SDL_CONTROLLERBUTTONDOWN : SDL_CONTROLLERBUTTONUP, .button = (Uint8)which}};
    return wn_pad_take(pad, &event, now, value);
}

static wn_pad_meaning stick(wn_pad *pad, int axis, int position, int64_t now, uint32_t *value)
{
    const SDL_Event event = {
        .caxis = {.type = SDL_CONTROLLERAXISMOTION, .axis = (Uint8)axis, .value = (Sint16)position}};
    return wn_pad_take(pad, &event, now, value);
}

START_TEST(buttons_are_keys_and_commands)
{
    wn_pad pad = {0};
    uint32_t value = 0;
    ck_assert_int_eq(button(&pad, SDL_CONTROLLER_BUTTON_B, true, 0, &value), WN_PAD_KEY);
    ck_assert_uint_eq(value, WN_KEY_ESCAPE);
    ck_assert_int_eq(button(&pad, SDL_CONTROLLER_BUTTON_Y, true, 0, &value), WN_PAD_COMMAND);
    ck_assert_uint_eq(value, WN_DO_VIEW);
    ck_assert_int_eq(button(&pad, SDL_CONTROLLER_BUTTON_A, true, 0, &value), WN_PAD_USE);
    ck_assert_int_eq(button(&pad, SDL_CONTROLLER_BUTTON_GUIDE, true, 0, &value), WN_PAD_NOTHING);
}
END_TEST

START_TEST(the_cross_repeats_until_it_is_let_go)
{
    wn_pad pad = {0};
    uint32_t value = 9;
    int64_t next;
    ck_assert_int_eq(button(&pad, SDL_CONTROLLER_BUTTON_DPAD_LEFT, true, 1000, &value), WN_PAD_DIRECTION);
    ck_assert_uint_eq(value, 6);
    ck_assert_int_eq(wn_pad_repeat(&pad, 1001, &value, &next), WN_PAD_NOTHING);
    ck_assert_int_gt(next, 1001);
    ck_assert_int_eq(wn_pad_repeat(&pad, next, &value, &next), WN_PAD_DIRECTION);
    ck_assert_uint_eq(value, 6);
    button(&pad, SDL_CONTROLLER_BUTTON_DPAD_LEFT, false, 2000, &value);
    ck_assert_int_eq(wn_pad_repeat(&pad, 9000, &value, &next), WN_PAD_NOTHING);
    ck_assert_int_eq(next, 0); /* nobody needs to ask again */
}
END_TEST

START_TEST(the_stick_has_eight_directions_and_a_middle)
{
    static const int places[8][2] = {{0, -30000}, {22000, -22000}, {30000, 0},  {22000, 22000},
                                     {0, 30000},  {-22000, 22000}, {-30000, 0}, {-22000, -22000}};
    for (uint32_t i = 0; i < 8; i++) {
        wn_pad pad = {0};
        uint32_t value = 9, other = 9;
        const wn_pad_meaning first = stick(&pad, SDL_CONTROLLER_AXIS_LEFTX, places[i][0], 0, &value);
        const wn_pad_meaning second = stick(&pad, SDL_CONTROLLER_AXIS_LEFTY, places[i][1], 0, &other);
        ck_assert(first == WN_PAD_DIRECTION || second == WN_PAD_DIRECTION);
        ck_assert_uint_eq(second == WN_PAD_DIRECTION ? other : value, i);
    }
    wn_pad pad = {0};
    uint32_t value;
    int64_t next;
    ck_assert_int_eq(stick(&pad, SDL_CONTROLLER_AXIS_LEFTX, 8000, 0, &value), WN_PAD_NOTHING);
    stick(&pad, SDL_CONTROLLER_AXIS_LEFTX, 30000, 0, &value);
    ck_assert_int_eq(stick(&pad, SDL_CONTROLLER_AXIS_LEFTX, 29000, 5, &value), WN_PAD_NOTHING); /* the same */
    stick(&pad, SDL_CONTROLLER_AXIS_LEFTX, 0, 10, &value);
    ck_assert_int_eq(wn_pad_repeat(&pad, 9000, &value, &next), WN_PAD_NOTHING);
}
END_TEST

RUN("sdl pad", buttons_are_keys_and_commands, the_cross_repeats_until_it_is_let_go,
    the_stick_has_eight_directions_and_a_middle)
