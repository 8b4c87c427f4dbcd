/* inputs.c: one turn's inputs by chance, written as the journal holds them. */
#include "game.h"

#include <string.h>

#include "pb.h"

/* fields of host.proto's Input */
enum { JOIN = 1, LEAVE = 2, COMMAND = 3, WAKE = 4, CHAT = 5, ANSWER = 6 };

typedef struct marks {
    size_t entry, body;
} marks;

static marks begin(wn_buffer *inputs, uint32_t kind)
{
    marks opened;
    opened.entry = wn_pb_begin(inputs, 1);
    opened.body = wn_pb_begin(inputs, kind);
    return opened;
}

static void end(wn_buffer *inputs, marks opened)
{
    wn_pb_end(inputs, opened.body);
    wn_pb_end(inputs, opened.entry);
}

static void join(const inputs_wish *wish, uint64_t *chance, wn_buffer *inputs, uint32_t seat)
{
    static const char *const names[] = {"ann",   "Bob",  "\xc3\x84nne",
                                        "a b c", "%s%n", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
    const marks opened = begin(inputs, JOIN);
    wn_pb_varint(inputs, 1, seat);
    wn_pb_string(inputs, 2, names[chance_below(chance, sizeof names / sizeof names[0])]);
    wn_pb_varint(inputs, 3, chance_below(chance, wish->mode->entry_count + (chance_once_in(chance, 20) ? 3 : 0)));
    end(inputs, opened);
}

static void leave(wn_buffer *inputs, uint32_t seat)
{
    const marks opened = begin(inputs, LEAVE);
    wn_pb_varint(inputs, 1, seat);
    end(inputs, opened);
}

static void command(const inputs_wish *wish, wn_buffer *inputs, uint32_t seat, uint32_t action,
                    const uint32_t *argument)
{
    const marks opened = begin(inputs, COMMAND);
    wn_pb_varint(inputs, 1, seat);
    wn_pb_varint(inputs, 2, ++wish->numbers[seat % WN_MAX_SEATS]);
    wn_pb_varint(inputs, 3, action);
    if (argument) {
        wn_pb_varint(inputs, 4, *argument);
    }
    end(inputs, opened);
}

/* A cell of the seat's view, if anybody looks at it; anywhere else otherwise, which the host may refuse. */
static uint32_t cell(const inputs_wish *wish, uint64_t *chance, uint32_t seat)
{
    wn_view_state view;
    wn_hosted_view(wish->world, (int32_t)seat, &view);
    const uint32_t cells = view.width * view.height;
    return chance_below(chance, cells > 0 ? cells : 1000);
}

/* What a player may well ask for. */
static void act(const inputs_wish *wish, uint64_t *chance, wn_buffer *inputs, uint32_t seat)
{
    if (wish->mode->action_count == 0) {
        return;
    }
    const wn_action *action = &wish->mode->actions[chance_below(chance, wish->mode->action_count)];
    const uint32_t argument =
        action->argument == WN_ARGUMENT_POSITION ? cell(wish, chance, seat) : chance_below(chance, WN_HERE + 1);
    command(wish, inputs, seat, action->id, action->argument == WN_ARGUMENT_NONE ? NULL : &argument);
}

/* One input that nobody may send, or that comes too late. */
static void disturb(const inputs_wish *wish, uint64_t *chance, wn_buffer *inputs)
{
    const uint32_t seat = chance_below(chance, wish->mode->max_seats);
    const uint32_t action =
        wish->mode->action_count > 0 ? wish->mode->actions[chance_below(chance, wish->mode->action_count)].id : 1;
    const uint32_t wild = chance_once_in(chance, 2) ? WN_HERE + 1 + chance_below(chance, 5) : UINT32_MAX;
    switch (chance_below(chance, 8)) {
    case 0:
        join(wish, chance, inputs, wish->mode->max_seats + chance_below(chance, 100));
        break;
    case 1:
        leave(inputs, wish->mode->max_seats + chance_below(chance, 100));
        break;
    case 2:
        command(wish, inputs, wish->mode->max_seats + chance_below(chance, 100), action, NULL);
        break;
    case 3:
        command(wish, inputs, seat, (uint32_t)chance_bits(chance), NULL);
        break;
    case 4:
        command(wish, inputs, seat, action, &wild);
        break;
    case 5:
        command(wish, inputs, seat, action, NULL);
        break;
    case 6:
        inputs_add_answer(inputs, (uint32_t)chance_bits(chance), "what?", 5);
        break;
    default:
        if (wn_hosted_seat(wish->world, seat, NULL)) {
            join(wish, chance, inputs, seat);
        } else {
            leave(inputs, seat);
        }
        break;
    }
}

static void chat(uint64_t *chance, wn_buffer *inputs)
{
    const marks opened = begin(inputs, CHAT);
    if (chance_once_in(chance, 2)) {
        wn_pb_string(inputs, 1, "ann");
    }
    wn_pb_string(inputs, 2, "h\xc3\xa9llo");
    end(inputs, opened);
}

void inputs_add_answer(wn_buffer *inputs, uint32_t serial, const void *answer, size_t size)
{
    const marks opened = begin(inputs, ANSWER);
    wn_pb_varint(inputs, 1, serial);
    if (answer) {
        wn_pb_bytes(inputs, 2, answer, size);
    }
    end(inputs, opened);
}

void inputs_add(const inputs_wish *wish, uint64_t *chance, wn_buffer *inputs)
{
    for (uint32_t seat = 0; seat < wish->players; seat++) {
        const uint32_t dice = chance_below(chance, 100);
        if (!wn_hosted_seat(wish->world, seat, NULL)) {
            if (dice < 30) {
                join(wish, chance, inputs, seat);
            }
        } else if (dice < 2) {
            leave(inputs, seat);
        } else if (dice < 70) {
            act(wish, chance, inputs, seat);
        }
    }
    while (chance_once_in(chance, 4)) {
        disturb(wish, chance, inputs);
    }
    if (chance_once_in(chance, 20)) {
        chat(chance, inputs);
    }
    if (wn_hosted_wake_ms(wish->world) > 0 && chance_once_in(chance, 2)) {
        end(inputs, begin(inputs, WAKE));
    }
}
