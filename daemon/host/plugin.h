/* plugin.h: a loaded mode as the files of this folder see it. Not for others: they use world.h.
 */
#ifndef WARREN_HOST_PLUGIN_H
#define WARREN_HOST_PLUGIN_H

#include <warren/mode.h>

#include "cells.h"
#include "inputs.h"
#include "random.h"
#include "wire.h"
#include "world.h"

/* An effect of the turn that is being executed. */
typedef struct wn_turn_effect {
    int32_t target; /* a seat, WN_SPECTATORS or WN_EVERYONE */
    wn_effect_kind kind;
    int32_t x, y, to_x, to_y;
    uint32_t radius, tile;
    char cue[WN_NAME_BYTES + 1];
} wn_turn_effect;

/* What is needed only while something is done for one world, and so is shared by all worlds of the mode. */
typedef struct wn_scratch {
    wn_arena *arena;         /* texts of the inputs */
    wn_inputs inputs;        /* of this turn */
    wn_buffer events;        /* fields of TurnDone that the callbacks of this turn have written */
    wn_buffer saved;         /* for hashes */
    wn_turn_effect *effects; /* of this turn */
    uint32_t effect_count, effect_capacity;
    wn_generator stray;                /* for modes that ask for chance where they may not */
    wn_command commands[WN_MAX_SEATS]; /* of this turn */
    char failure[WN_MAX_TEXT + 1];     /* what wn_fail() said last */
} wn_scratch;

struct wn_plugin {
    void *library;
    const wn_mode_descriptor *mode;
    char build[17];
    wn_scratch scratch;
};

/* Does the descriptor keep the rules of mode.h? The error names the entry and the rule. (lint.c) */
bool wn_descriptor_check(const wn_mode_descriptor *mode, wn_error *error);
/* The same, but goes on with the next part of the descriptor after a broken rule, as far as that can be read. (lint.c)
 */
void wn_descriptor_lint(const wn_mode_descriptor *mode, wn_lint_found *found, void *context);
/* Appends an encoded warren.Mode. (describe.c) */
void wn_descriptor_describe(const wn_mode_descriptor *mode, wn_buffer *buffer);

#endif
