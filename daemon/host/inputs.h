/* inputs.h: a turn's inputs, read from the bytes that the journal holds. What they do: turn.c.
 */
#ifndef WARREN_HOST_INPUTS_H
#define WARREN_HOST_INPUTS_H

#include "wire.h"

typedef enum wn_input_kind {
    WN_INPUT_JOIN,
    WN_INPUT_LEAVE,
    WN_INPUT_COMMAND,
    WN_INPUT_WAKE,
    WN_INPUT_CHAT,
    WN_INPUT_ANSWER
} wn_input_kind;

typedef struct wn_input {
    wn_input_kind kind;
    uint32_t seat;
    uint32_t entry;     /* of a join: the way to enter */
    uint32_t serial;    /* of the question that an answer is for */
    const void *answer; /* NULL: there is none */
    size_t answer_size;
    uint32_t number, action, argument; /* of a command */
    bool has_argument;
    const char *name; /* who joins, or who says it (NULL: the daemon) */
    const char *text; /* what is said */
} wn_input;

/* All zero is a valid empty list. Its memory is kept between uses. */
typedef struct wn_inputs {
    wn_input *list;
    size_t count, capacity;
} wn_inputs;

/* Reads an encoded warren.host.Inputs: what wn_inputs_decode() accepts, neither more nor less. Texts live in the arena.
 * false with the error filled in: it is not valid. */
bool wn_inputs_read(wn_inputs *inputs, wn_arena *arena, const void *bytes, size_t size, wn_error *error);
void wn_inputs_free(wn_inputs *inputs);

#endif
