/* commands.c: commands on their way. They are numbered per seat, and kept until the update that shows them has come, so
 * that those which a lost connection swallowed can be sent again; the daemon ignores numbers that it has had.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "pb.h"

/* Field numbers of warren.proto. */
enum {
    REQUEST_COMMAND = 3,
    COMMAND_WORLD = 1,
    COMMAND_NUMBER = 2,
    COMMAND_ACTION = 3,
    COMMAND_ARGUMENT = 4,
    DEFAULT_LIMIT = 16
};

static wn_pending_command *command_at(const wn_client_view *view, uint32_t index)
{
    return &view->commands[(view->first + index) % view->capacity];
}

/* Makes room for as many commands as may wait; those that wait stay. */
void wn_commands_limit(wn_client_view *view, uint32_t limit)
{
    uint32_t capacity = limit == 0 ? DEFAULT_LIMIT : limit > WN_CLIENT_COMMANDS ? WN_CLIENT_COMMANDS : limit;
    capacity = capacity < view->count ? view->count : capacity;
    if (capacity == view->capacity) {
        return;
    }
    wn_pending_command *commands = calloc(capacity, sizeof *commands);
    if (!commands) {
        return; /* the old limit stays */
    }
    for (uint32_t i = 0; i < view->count; i++) {
        commands[i] = *command_at(view, i);
    }
    free(view->commands);
    view->commands = commands;
    view->capacity = capacity;
    view->first = 0;
}

static bool takes_argument(const wn_client_view *view, uint32_t action)
{
    const Warren__Mode *mode = view->replica->mode;
    for (size_t i = 0; i < mode->n_actions; i++) {
        if (mode->actions[i]->id == action) {
            return mode->actions[i]->has_argument && mode->actions[i]->argument != WARREN__ARGUMENT_KIND__ARGUMENT_NONE;
        }
    }
    return true; /* the daemon will say that there is no such action */
}

/* Request{ command{ world, number, action, argument } }, written in place: this is on the path of every command. */
static void send_command(wn_client *client, const wn_client_view *view, const wn_pending_command *command)
{
    wn_buffer *message = &client->scratch;
    message->size = 0;
    const size_t mark = wn_pb_begin(message, REQUEST_COMMAND);
    wn_pb_varint(message, COMMAND_WORLD, view->world);
    wn_pb_varint(message, COMMAND_NUMBER, command->number);
    wn_pb_varint(message, COMMAND_ACTION, command->action);
    if (takes_argument(view, command->action)) {
        wn_pb_varint(message, COMMAND_ARGUMENT, command->argument);
    }
    wn_pb_end(message, mark);
    wn_connection_send(client, message);
}

uint32_t wn_client_command(wn_client *client, uint32_t world, uint32_t action, uint32_t argument)
{
    wn_client_view *view = wn_view_find(client, world);
    if (!view || view->seat < 0 || view->rejoining || view->dying || view->count >= view->capacity) {
        return 0;
    }
    wn_pending_command *command = command_at(view, view->count);
    *command = (wn_pending_command){
        .number = view->next_number++, .action = action, .argument = argument, .sent_us = wn_clock_us()};
    view->count++;
    view->waiting++;
    if (client->state == WN_CLIENT_CONNECTED) {
        send_command(client, view, command);
    } else {
        command->resent = true; /* later, then; how long that takes says nothing about the connection */
    }
    return command->number;
}

uint32_t wn_client_pending(const wn_client *client, uint32_t world)
{
    const wn_client_view *view = wn_view_find(client, world);
    return view ? view->waiting : 0;
}

static void drop_first(wn_client_view *view)
{
    view->waiting -= !view->commands[view->first].done;
    view->first = (view->first + 1) % view->capacity;
    view->count--;
}

static void drop_done(wn_client_view *view)
{
    while (view->count > 0 && command_at(view, 0)->done) {
        drop_first(view);
    }
}

void wn_commands_executed(wn_client *client, wn_client_view *view, uint32_t number)
{
    uint64_t sent_us = 0;
    while (view->count > 0 && command_at(view, 0)->number <= number) {
        const wn_pending_command *command = command_at(view, 0);
        sent_us = command->resent || command->done ? 0 : command->sent_us;
        drop_first(view);
    }
    drop_done(view);
    if (sent_us > 0) {
        wn_client_feed_delay(client, wn_clock_us() - sent_us);
        client->command_measured = true;
    }
}

void wn_commands_refused(wn_client_view *view, uint32_t number)
{
    for (uint32_t i = 0; i < view->count; i++) {
        wn_pending_command *command = command_at(view, i);
        if (command->number == number && !command->done) {
            command->done = true;
            view->waiting--;
        }
    }
    drop_done(view);
}

/* The seat has been kept; the daemon has had all commands below next_number. */
void wn_commands_resume(wn_client *client, wn_client_view *view, uint32_t next_number)
{
    while (view->count > 0 && command_at(view, 0)->number < next_number) {
        drop_first(view);
    }
    drop_done(view);
    if (view->count == 0) {
        view->next_number = next_number;
    }
    for (uint32_t i = 0; i < view->count; i++) {
        wn_pending_command *command = command_at(view, i);
        if (!command->done) {
            command->resent = true;
            send_command(client, view, command);
        }
    }
}

/* A seat that expects the very number that a seat of ours was at is that seat. */
bool wn_commands_continue(const wn_client_view *view, uint32_t next_number)
{
    const uint32_t oldest = view->count > 0 ? command_at(view, 0)->number : view->next_number;
    return next_number > 1 && next_number >= oldest && next_number <= view->next_number;
}

void wn_commands_restart(wn_client_view *view, uint32_t next_number)
{
    view->first = 0;
    view->count = 0;
    view->waiting = 0;
    view->next_number = next_number;
}
