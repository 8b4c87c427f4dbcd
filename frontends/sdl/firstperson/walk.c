/* walk.c: see walk.h. */
#include "walk.h"

#include "wire.h"

static const struct way {
    Warren__Purpose own; /* the action that does just that */
    Warren__Purpose other;
    uint32_t turned; /* or that one, with the facing turned by so many eighths */
} ways[] = {
    [WN_WALK_FORWARD] = {WARREN__PURPOSE__PURPOSE_FORWARD, WARREN__PURPOSE__PURPOSE_STEP, 0},
    [WN_WALK_BACK] = {WARREN__PURPOSE__PURPOSE_BACK, WARREN__PURPOSE__PURPOSE_STEP, 4},
    [WN_WALK_TURN_LEFT] = {WARREN__PURPOSE__PURPOSE_TURN_LEFT, WARREN__PURPOSE__PURPOSE_FACE, 6},
    [WN_WALK_TURN_RIGHT] = {WARREN__PURPOSE__PURPOSE_TURN_RIGHT, WARREN__PURPOSE__PURPOSE_FACE, 2},
    [WN_WALK_SIDE_LEFT] = {WARREN__PURPOSE__PURPOSE_SIDE_LEFT, WARREN__PURPOSE__PURPOSE_STEP, 6},
    [WN_WALK_SIDE_RIGHT] = {WARREN__PURPOSE__PURPOSE_SIDE_RIGHT, WARREN__PURPOSE__PURPOSE_STEP, 2},
};

static bool is_turn(wn_walk walk)
{
    return walk == WN_WALK_TURN_LEFT || walk == WN_WALK_TURN_RIGHT;
}

/* Its place among the actions, or their number: there is none. */
static uint32_t find(const Warren__Mode *mode, Warren__Purpose purpose)
{
    uint32_t i = 0;
    while (i < mode->n_actions && mode->actions[i]->purpose != purpose) {
        i++;
    }
    return i;
}

static bool is_direction(const Warren__Action *action)
{
    return action->argument == WARREN__ARGUMENT_KIND__ARGUMENT_DIRECTION;
}

/* Its keys say which directions are in use. */
static bool has_diagonals(const Warren__Mode *mode, Warren__Purpose purpose)
{
    const uint32_t at = find(mode, purpose);
    for (size_t i = 0; at < mode->n_actions && i < mode->actions[at]->n_keys; i++) {
        const uint32_t direction = mode->actions[at]->keys[i]->argument;
        if (direction < WN_DIRECTIONS && direction % 2 == 1) {
            return true;
        }
    }
    return false;
}

static uint32_t turned(const Warren__Mode *mode, wn_walk walk, uint32_t facing, bool face)
{
    uint32_t by = ways[walk].turned;
    const Warren__Purpose purpose = face ? WARREN__PURPOSE__PURPOSE_FACE : WARREN__PURPOSE__PURPOSE_STEP;
    if (is_turn(walk) && has_diagonals(mode, purpose)) {
        by = walk == WN_WALK_TURN_LEFT ? 7 : 1;
    }
    return (facing + by) % WN_DIRECTIONS;
}

wn_walk_result wn_walk_ask(const Warren__Mode *mode, wn_walk walk, uint32_t facing)
{
    if (walk == WN_WALK_NONE) {
        return (wn_walk_result){0};
    }
    const uint32_t own = find(mode, ways[walk].own), other = find(mode, ways[walk].other);
    if (own < mode->n_actions && mode->actions[own]->argument == WARREN__ARGUMENT_KIND__ARGUMENT_NONE) {
        return (wn_walk_result){.send = true, .action = own};
    }
    if (other < mode->n_actions && is_direction(mode->actions[other])) {
        return (wn_walk_result){.send = true, .action = other, .argument = turned(mode, walk, facing, is_turn(walk))};
    }
    if (is_turn(walk)) {
        return (wn_walk_result){.turn = true, .facing = turned(mode, walk, facing, false)};
    }
    return (wn_walk_result){0};
}

wn_walk wn_walk_of_step(uint32_t direction)
{
    static const wn_walk walks[WN_DIRECTIONS] = {
        WN_WALK_FORWARD, WN_WALK_SIDE_RIGHT, WN_WALK_TURN_RIGHT, WN_WALK_NONE,
        WN_WALK_BACK,    WN_WALK_NONE,       WN_WALK_TURN_LEFT,  WN_WALK_SIDE_LEFT,
    };
    return direction < WN_DIRECTIONS ? walks[direction] : WN_WALK_NONE;
}

wn_walk wn_walk_of_action(const Warren__Action *action, int32_t argument)
{
    const bool steps = action->purpose == WARREN__PURPOSE__PURPOSE_STEP && is_direction(action);
    return steps && argument >= 0 ? wn_walk_of_step((uint32_t)argument) : WN_WALK_NONE;
}
