/* inputs.c: see inputs.h. Nearly all turns hold nothing but commands, wake-ups and leaves, encoded the way everybody
 * encodes them; those are read here, in one pass. Whatever looks different goes through wn_inputs_decode().
 */
#include "inputs.h"

#include <stdlib.h>

#include "text.h"

static wn_input *add(wn_inputs *inputs)
{
    if (inputs->count == inputs->capacity) {
        inputs->capacity = inputs->capacity ? inputs->capacity * 2 : 16;
        inputs->list = wn_must_resize(inputs->list, inputs->capacity * sizeof *inputs->list);
    }
    inputs->list[inputs->count] = (wn_input){0};
    return &inputs->list[inputs->count++];
}

/* the short way */

/* A field of type uint32 that has to come next. Returns what is behind it; NULL, as for a NULL: it is not there. */
static const uint8_t *read_number(const uint8_t *at, const uint8_t *end, uint32_t field, uint32_t *number)
{
    if (!at || at == end || *at != field << 3) {
        return NULL;
    }
    *number = 0;
    for (unsigned shift = 0; ++at < end && shift < 35; shift += 7) {
        *number |= (uint32_t)(*at & 0x7f) << shift; /* what is above 32 bits is dropped, as by libprotobuf-c */
        if (*at < 0x80) {
            return at + 1;
        }
    }
    return NULL;
}

/* SeatCommand { seat = 1, number = 2, action = 3, argument = 4 if there is one } */
static bool read_command(const uint8_t *at, const uint8_t *end, wn_input *input)
{
    input->kind = WN_INPUT_COMMAND;
    at = read_number(at, end, 1, &input->seat);
    at = read_number(at, end, 2, &input->number);
    at = read_number(at, end, 3, &input->action);
    if (at == end || !at) {
        return at != NULL;
    }
    input->has_argument = true;
    return read_number(at, end, 4, &input->argument) == end;
}

/* Input { leave = 2, command = 3 or wake = 4 } */
static bool read_input(const uint8_t *at, const uint8_t *end, wn_input *input)
{
    enum { LEAVE = 2 << 3 | 2, COMMAND = 3 << 3 | 2, WAKE = 4 << 3 | 2 };
    if (end - at < 2 || at[1] != end - at - 2) {
        return false;
    }
    switch (at[0]) {
    case COMMAND:
        return read_command(at + 2, end, input);
    case WAKE:
        input->kind = WN_INPUT_WAKE;
        return at + 2 == end;
    case LEAVE:
        input->kind = WN_INPUT_LEAVE;
        return read_number(at + 2, end, 1, &input->seat) == end;
    default:
        return false;
    }
}

/* Inputs { input = 1 ... }, each shorter than 128 bytes and no more of them than a list may have. false: it is not so,
 * and the list is in no certain state. */
static bool read_all(wn_inputs *inputs, const uint8_t *at, size_t size)
{
    enum { INPUT = 1 << 3 | 2, MANY = 65536 };
    while (size > 0) {
        if (inputs->count == MANY || size < 2 || at[0] != INPUT || at[1] > 0x7f || at[1] > size - 2 ||
            !read_input(at + 2, at + 2 + at[1], add(inputs))) {
            return false;
        }
        size -= 2u + at[1];
        at += 2 + at[1];
    }
    return true;
}

/* the long way */

static void add_decoded(wn_inputs *inputs, const Warren__Host__Input *decoded)
{
    wn_input *input = add(inputs);
    switch (decoded->body_case) {
    case WARREN__HOST__INPUT__BODY_JOIN:
        *input = (wn_input){.kind = WN_INPUT_JOIN,
                            .seat = decoded->join->seat,
                            .name = decoded->join->player,
                            .entry = decoded->join->entry};
        break;
    case WARREN__HOST__INPUT__BODY_LEAVE:
        *input = (wn_input){.kind = WN_INPUT_LEAVE, .seat = decoded->leave->seat};
        break;
    case WARREN__HOST__INPUT__BODY_COMMAND: {
        const Warren__Host__SeatCommand *command = decoded->command;
        *input = (wn_input){.kind = WN_INPUT_COMMAND,
                            .seat = command->seat,
                            .number = command->number,
                            .action = command->action,
                            .argument = command->has_argument ? command->argument : 0,
                            .has_argument = command->has_argument};
        break;
    }
    case WARREN__HOST__INPUT__BODY_ANSWER:
        *input = (wn_input){.kind = WN_INPUT_ANSWER, .serial = decoded->answer->serial};
        if (decoded->answer->has_answer) {
            input->answer = decoded->answer->answer.data ? decoded->answer->answer.data : (const uint8_t *)"";
            input->answer_size = decoded->answer->answer.len;
        }
        break;
    case WARREN__HOST__INPUT__BODY_CHAT:
        *input = (wn_input){.kind = WN_INPUT_CHAT, .name = decoded->chat->from, .text = decoded->chat->text};
        break;
    default:
        *input = (wn_input){.kind = WN_INPUT_WAKE};
        break;
    }
}

bool wn_inputs_read(wn_inputs *inputs, wn_arena *arena, const void *bytes, size_t size, wn_error *error)
{
    inputs->count = 0;
    if (read_all(inputs, bytes, size)) {
        return true;
    }
    inputs->count = 0;
    wn_arena_reset(arena);
    const Warren__Host__Inputs *decoded = wn_inputs_decode(arena, bytes, size, error);
    for (size_t i = 0; decoded && i < decoded->n_input; i++) {
        add_decoded(inputs, decoded->input[i]);
    }
    return decoded != NULL;
}

void wn_inputs_free(wn_inputs *inputs)
{
    free(inputs->list);
    *inputs = (wn_inputs){0};
}
