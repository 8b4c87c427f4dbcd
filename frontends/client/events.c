/* events.c: receives what the daemon sends and makes events of it, one message at a time and only when the frontend
 * asks for the next event: what it has not asked for yet waits in ZeroMQ's bounded queues.
 */
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "internal.h"

enum { UPDATES_AT_A_STRETCH = 64 };

typedef enum receipt {
    RECEIPT_NONE,    /* nothing was there */
    RECEIPT_HANDLED, /* something that the frontend does not need to know, or that is in the queue */
    RECEIPT_EVENT    /* the event is filled in */
} receipt;

/* the queue */

/* Events that come from no message at hand. Each stands for a request or a change of the connection, so there are not
 * more of them than of those. */
wn_queued_event *wn_event_queue(wn_client *client, wn_event_kind kind)
{
    if (client->queue_first + client->queue_count == client->queue_capacity) {
        if (client->queue_first > 0) {
            memmove(client->queue, client->queue + client->queue_first, client->queue_count * sizeof *client->queue);
            client->queue_first = 0;
        } else {
            client->queue = wn_client_grow(client->queue, &client->queue_capacity, sizeof *client->queue);
        }
    }
    wn_queued_event *queued = &client->queue[client->queue_first + client->queue_count++];
    *queued = (wn_queued_event){.kind = kind};
    wn_client_kick(client);
    return queued;
}

static void take_queued(wn_client *client, wn_event *event)
{
    const wn_queued_event *queued = &client->queue[client->queue_first];
    event->kind = queued->kind;
    event->request = queued->request;
    event->world = queued->world;
    event->error = queued->error;
    client->queue_count--;
    client->queue_first = client->queue_count ? client->queue_first + 1 : 0;
    wn_client_view *view = event->kind == WN_EVENT_GONE ? wn_view_find(client, event->world) : NULL;
    if (view) {
        wn_view_end(client, view);
    }
}

/* updates */

/* The next frame of `socket`; *more tells whether others of its message follow. */
static bool receive_frame(void *socket, zmq_msg_t *frame, bool *more)
{
    zmq_msg_init(frame);
    if (zmq_msg_recv(frame, socket, ZMQ_DONTWAIT) < 0) {
        zmq_msg_close(frame);
        return false;
    }
    *more = zmq_msg_more(frame);
    return true;
}

static void drop_rest(void *socket, bool more)
{
    zmq_msg_t frame;
    while (more && receive_frame(socket, &frame, &more)) {
        zmq_msg_close(&frame);
    }
}

static receipt handle_update(wn_client *client, wn_client_view *view, zmq_msg_t *frame, wn_event *event)
{
    const Warren__Update *update = wn_update_decode(client->arena, zmq_msg_data(frame), zmq_msg_size(frame), NULL);
    if (!update || wn_replica_apply(view->replica, update) != WN_APPLY_DONE) {
        wn_view_ask_keyframe(client, view);
        return RECEIPT_HANDLED;
    }
    if (update->body_case == WARREN__UPDATE__BODY_KEYFRAME) {
        wn_view_keyframe_came(view);
    }
    if (update->has_executed && view->seat >= 0) {
        wn_commands_executed(client, view, update->executed);
    }
    event->kind = WN_EVENT_UPDATE;
    event->world = view->world;
    event->update = update;
    return RECEIPT_EVENT;
}

static receipt receive_update(wn_client *client, wn_event *event)
{
    zmq_msg_t key, body;
    bool more;
    if (!client->updates || !receive_frame(client->updates, &key, &more)) {
        return RECEIPT_NONE;
    }
    receipt taken = RECEIPT_HANDLED;
    wn_client_view *view = wn_view_by_key(client, zmq_msg_data(&key), zmq_msg_size(&key));
    if (more && receive_frame(client->updates, &body, &more)) {
        taken = view ? handle_update(client, view, &body, event) : RECEIPT_HANDLED;
        zmq_msg_close(&body);
        drop_rest(client->updates, more);
    }
    zmq_msg_close(&key);
    return taken;
}

/* replies */

void wn_error_copy(wn_error *error, const Warren__Error *from)
{
    wn_fail_with(error, from->code, from->field, from->has_limit ? from->limit : 0, "%s", from->text);
}

/* About a command: it counts as executed. */
static receipt handle_refused_command(wn_client *client, const Warren__Error *error, wn_event *event)
{
    wn_client_view *view = error->has_world ? wn_view_find(client, error->world) : NULL;
    if (view && error->has_command) {
        wn_commands_refused(view, error->command);
    }
    event->kind = WN_EVENT_ERROR;
    event->world = error->has_world ? error->world : 0;
    event->command = error->has_command ? error->command : 0;
    wn_error_copy(&event->error, error);
    return RECEIPT_EVENT;
}

static receipt handle_notice(wn_client *client, const Warren__Reply *reply, wn_event *event)
{
    const Warren__Notice *notice = reply->notice;
    wn_client_view *view = notice->has_world ? wn_view_find(client, notice->world) : NULL;
    if (view && (notice->kind == WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED ||
                 notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED)) {
        wn_view_end(client, view);
    } else if (view && notice->kind == WARREN__NOTICE_KIND__NOTICE_WATCHERS) {
        wn_replica_watchers(view->replica, notice->watchers, notice->n_watchers);
    }
    event->kind = WN_EVENT_NOTICE;
    event->world = notice->has_world ? notice->world : 0;
    event->reply = reply;
    return RECEIPT_EVENT;
}

static receipt handle_rejoin(wn_client *client, uint32_t world, const Warren__Reply *reply, zmq_msg_t *frame)
{
    wn_client_view *view = wn_view_find(client, world);
    if (!view || view->dying || !view->rejoining) {
        return RECEIPT_HANDLED;
    }
    if (reply->body_case == WARREN__REPLY__BODY_ERROR) {
        wn_view_rejoin_failed(client, view, reply->error);
    } else {
        wn_view_rejoined(client, view, zmq_msg_data(frame), zmq_msg_size(frame));
    }
    return RECEIPT_HANDLED;
}

static receipt fail_event(wn_event *event, const wn_pending_request *pending, const wn_error *error)
{
    event->kind = WN_EVENT_ERROR;
    event->request = pending->id;
    event->world = pending->world;
    event->error = *error;
    return RECEIPT_EVENT;
}

/* The answer to a request of the frontend's. */
static receipt handle_answer(wn_client *client, const wn_pending_request *pending, const Warren__Reply *reply,
                             zmq_msg_t *frame, wn_event *event)
{
    wn_error error;
    wn_client_view *view = pending->kind == WN_REQUEST_LEAVE ? wn_view_find(client, pending->world) : NULL;
    if (view &&
        (reply->body_case != WARREN__REPLY__BODY_ERROR || reply->error->code == WARREN__ERROR_CODE__ERROR_NOT_FOUND)) {
        wn_view_end(client, view);
    }
    if (reply->body_case == WARREN__REPLY__BODY_ERROR) {
        wn_error_copy(&error, reply->error);
        return fail_event(event, pending, &error);
    }
    if (pending->kind == WN_REQUEST_JOIN && !wn_view_joined(client, zmq_msg_data(frame), zmq_msg_size(frame), &error)) {
        return fail_event(event, pending, &error);
    }
    event->kind = WN_EVENT_REPLY;
    event->request = pending->id;
    event->world = reply->body_case == WARREN__REPLY__BODY_JOINED ? reply->joined->world : pending->world;
    event->reply = reply;
    return RECEIPT_EVENT;
}

/* A world that was joined although nobody waits for that any more. */
static void leave_unwanted(wn_client *client, const Warren__Reply *reply)
{
    if (reply->body_case != WARREN__REPLY__BODY_JOINED) {
        return;
    }
    const Warren__Joined *joined = reply->joined;
    if (!wn_view_find(client, joined->world) && !wn_adoption_waits(client, joined->world) &&
        !wn_request_joins(client, joined->name)) {
        wn_view_send_leave(client, joined->world);
    }
}

/* The daemon no longer knows the session: say Hello again. */
static receipt handle_no_session(wn_client *client, const Warren__Error *from)
{
    wn_error error;
    wn_error_copy(&error, from);
    wn_connection_lost(client, &error);
    return RECEIPT_HANDLED;
}

static receipt handle_hello_reply(wn_client *client, const Warren__Reply *reply, zmq_msg_t *frame)
{
    if (reply->body_case == WARREN__REPLY__BODY_WELCOME) {
        wn_connection_welcome(client, zmq_msg_data(frame), zmq_msg_size(frame));
    } else if (reply->body_case == WARREN__REPLY__BODY_ERROR) {
        wn_connection_hello_failed(client, reply->error);
    }
    return RECEIPT_HANDLED;
}

static receipt handle_reply(wn_client *client, const Warren__Reply *reply, zmq_msg_t *frame, wn_event *event)
{
    wn_pending_request pending;
    const bool failed = reply->body_case == WARREN__REPLY__BODY_ERROR;
    if (client->state != WN_CLIENT_CONNECTED) {
        return reply->id == client->hello_id ? handle_hello_reply(client, reply, frame) : RECEIPT_HANDLED;
    }
    client->pings_missed = 0;
    if (failed && reply->error->code == WARREN__ERROR_CODE__ERROR_NO_SESSION) {
        return handle_no_session(client, reply->error);
    }
    if (reply->id == 0) {
        return reply->body_case == WARREN__REPLY__BODY_NOTICE ? handle_notice(client, reply, event)
               : failed                                       ? handle_refused_command(client, reply->error, event)
                                                              : RECEIPT_HANDLED;
    }
    if (reply->id == client->ping_id) {
        client->ping_id = 0;
        if (reply->body_case == WARREN__REPLY__BODY_PONG) {
            wn_connection_pong(client);
            wn_views_compare(client, reply->pong);
        }
        return RECEIPT_HANDLED;
    }
    if (!wn_request_take(client, reply->id, &pending) || pending.kind == WN_REQUEST_OWN) {
        return RECEIPT_HANDLED;
    }
    if (pending.kind == WN_REQUEST_ADOPT) {
        wn_adoption_answered(client, pending.world, reply, zmq_msg_data(frame), zmq_msg_size(frame));
        return RECEIPT_HANDLED;
    }
    if (pending.kind == WN_REQUEST_UNWANTED) {
        leave_unwanted(client, reply);
        return RECEIPT_HANDLED;
    }
    return pending.kind == WN_REQUEST_REJOIN ? handle_rejoin(client, pending.world, reply, frame)
                                             : handle_answer(client, &pending, reply, frame, event);
}

static receipt receive_reply(wn_client *client, wn_event *event)
{
    zmq_msg_t frame;
    bool more;
    if (!client->control || !receive_frame(client->control, &frame, &more)) {
        return RECEIPT_NONE;
    }
    drop_rest(client->control, more);
    const Warren__Reply *reply = wn_reply_decode(client->arena, zmq_msg_data(&frame), zmq_msg_size(&frame), NULL);
    const receipt taken = reply ? handle_reply(client, reply, &frame, event) : RECEIPT_HANDLED;
    zmq_msg_close(&frame);
    return taken;
}

/* the next one */

/* Updates come first, so that a view shows the end before its Notice takes it away, but not for ever: answers must not
 * starve behind a busy world. */
static receipt receive(wn_client *client, wn_event *event)
{
    receipt taken = RECEIPT_NONE;
    if (client->updates_taken < UPDATES_AT_A_STRETCH) {
        taken = receive_update(client, event);
        client->updates_taken++;
    }
    if (taken == RECEIPT_NONE) {
        client->updates_taken = 0;
        taken = receive_reply(client, event);
    }
    return taken == RECEIPT_NONE ? receive_update(client, event) : taken;
}

bool wn_client_next(wn_client *client, wn_event *event)
{
    event->error.code = WARREN__ERROR_CODE__ERROR_NONE;
    event->error.limit = 0;
    event->error.field[0] = '\0';
    event->error.text[0] = '\0';
    event->request = event->world = event->command = 0;
    event->reply = NULL;
    event->update = NULL;
    wn_views_sweep(client);
    for (;;) {
        if (client->queue_count > 0) {
            take_queued(client, event);
            return true;
        }
        wn_arena_reset(client->arena);
        const receipt taken = receive(client, event);
        if (taken == RECEIPT_EVENT) {
            return true;
        }
        if (taken == RECEIPT_NONE && !client->disconnected) {
            return false;
        }
        if (taken == RECEIPT_NONE) {
            wn_connection_check(client);
            client->disconnected = false;
        }
    }
}
