/* views.c: the joined worlds: subscribing to their keys, asking for keyframes, and coming back to them after a lost
 * connection. What a view looks like stands in replica.c.
 */
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "internal.h"

enum { KEYFRAME_WAIT_MOST_US = 8 * WN_KEYFRAME_WAIT_US };

/* finding */

wn_client_view *wn_view_find(const wn_client *client, uint32_t world)
{
    for (uint32_t i = 0; i < client->view_count; i++) {
        if (client->views[i]->world == world) {
            return client->views[i];
        }
    }
    return NULL;
}

wn_client_view *wn_view_by_key(const wn_client *client, const void *key, size_t size)
{
    for (uint32_t i = 0; i < client->view_count; i++) {
        if (size == WN_KEY_BYTES && client->views[i]->subscribed && memcmp(client->views[i]->key, key, size) == 0) {
            return client->views[i];
        }
    }
    return NULL;
}

const wn_replica *wn_client_replica(const wn_client *client, uint32_t world)
{
    const wn_client_view *view = wn_view_find(client, world);
    return view ? view->replica : NULL;
}

/* keyframes */

static void expect_keyframe(wn_client *client, wn_client_view *view, uint64_t wait_us)
{
    view->keyframe_wait = wait_us > KEYFRAME_WAIT_MOST_US ? KEYFRAME_WAIT_MOST_US : wait_us;
    view->keyframe_due = wn_clock_us() + view->keyframe_wait;
    wn_client_schedule(client, view->keyframe_due);
}

static void send_resync(wn_client *client, const wn_client_view *view)
{
    Warren__Resync resync = WARREN__RESYNC__INIT;
    Warren__Request request = WARREN__REQUEST__INIT;
    resync.world = view->world;
    request.body_case = WARREN__REQUEST__BODY_RESYNC;
    request.resync = &resync;
    wn_request_submit(client, WN_REQUEST_OWN, view->world, &request);
}

void wn_view_ask_keyframe(wn_client *client, wn_client_view *view)
{
    if (view->keyframe_due == 0 && view->subscribed && client->state == WN_CLIENT_CONNECTED) {
        send_resync(client, view);
        expect_keyframe(client, view, WN_KEYFRAME_WAIT_US);
    }
}

void wn_view_keyframe_came(wn_client_view *view)
{
    view->keyframe_due = 0;
    view->doubt_due = 0;
    view->overtaken = 0;
}

static void subscribe(wn_client *client, wn_client_view *view, bool on)
{
    if (client->updates) {
        zmq_setsockopt(client->updates, on ? ZMQ_SUBSCRIBE : ZMQ_UNSUBSCRIBE, view->key, WN_KEY_BYTES);
        wn_client_kick(client); /* it may have swallowed the edge of an update */
    }
    view->subscribed = on;
}

/* To the view that the daemon gave us; the daemon sees it and sends a keyframe. */
static void follow(wn_client *client, wn_client_view *view, const Warren__Joined *joined)
{
    if (view->subscribed) {
        subscribe(client, view, false);
    }
    memcpy(view->key, joined->view_key.data, WN_KEY_BYTES);
    view->seat = joined->has_seat ? (int32_t)joined->seat : -1;
    view->rejoining = false;
    view->doubt_due = 0;
    wn_replica_name(view->replica, view->world, view->name, view->seat);
    if (view->seat >= 0) {
        const uint32_t limit = client->welcome->limits->queued_commands;
        const uint32_t ahead = view->replica->mode->type_ahead;
        wn_commands_limit(view, ahead > 0 && ahead < limit ? ahead : limit);
    }
    wn_replica_watchers(view->replica, joined->watchers, joined->n_watchers);
    subscribe(client, view, true);
    expect_keyframe(client, view, WN_KEYFRAME_WAIT_US);
}

/* Pong says how far each view has come. What is missing may still be under way: look again a little later. If it says
 * less than we have, an update overtook it, unless the next Pong says so still: then the view began anew unseen. */
static void compare(wn_client *client, wn_client_view *view, uint64_t announced)
{
    const uint64_t had = view->replica->sequence;
    if (announced > had && view->doubt_due == 0) {
        view->doubt_announced = announced;
        view->doubt_due = wn_clock_us() + WN_DOUBT_US;
        wn_client_schedule(client, view->doubt_due);
    } else if (announced < had && view->overtaken == had) {
        wn_view_ask_keyframe(client, view);
    }
    view->overtaken = announced < had ? had : 0;
}

void wn_views_compare(wn_client *client, const Warren__Pong *pong)
{
    for (size_t i = 0; i < pong->n_views; i++) {
        wn_client_view *view = wn_view_find(client, pong->views[i]->world);
        if (view && view->subscribed && view->keyframe_due == 0) {
            compare(client, view, pong->views[i]->sequence);
        }
    }
}

static void settle_doubt(wn_client *client, wn_client_view *view)
{
    view->doubt_due = 0;
    if (view->replica->sequence < view->doubt_announced) {
        wn_view_ask_keyframe(client, view);
    }
}

/* coming and going */

static void view_free(wn_client_view *view)
{
    wn_replica_free(view->replica);
    wn_arena_free(view->legend_arena);
    free(view->commands);
    free(view);
}

/* The Joined of an encoded Reply, in an arena of its own, for the life of the replica. */
static const Warren__Joined *decode_legend(const void *bytes, size_t size, wn_arena **arena, wn_error *error)
{
    *arena = wn_arena_new(WN_CLIENT_LEGEND);
    const Warren__Reply *reply = *arena ? wn_reply_decode(*arena, bytes, size, error) : NULL;
    if (reply && reply->body_case == WARREN__REPLY__BODY_JOINED && reply->joined->mode) {
        return reply->joined;
    }
    if (reply) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "mode", 0,
                     "The daemon's answer does not describe the world's mode, so that it cannot be shown.");
    } else if (!*arena) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory for the world's legend.");
    }
    wn_arena_free(*arena);
    *arena = NULL;
    return NULL;
}

static void add_view(wn_client *client, wn_client_view *view)
{
    if (client->view_count == client->view_capacity) {
        client->views = wn_client_grow(client->views, &client->view_capacity, sizeof *client->views);
    }
    client->views[client->view_count++] = view;
}

static void take_name(wn_client_view *view, const Warren__Joined *joined)
{
    view->world = joined->world;
    const size_t size = strnlen(joined->name, WN_NAME_BYTES);
    memcpy(view->name, joined->name, size);
    view->name[size] = '\0';
}

static uint32_t first_command(const Warren__Joined *joined)
{
    return joined->has_next_command && joined->next_command > 0 ? joined->next_command : 1;
}

/* Another legend, and a picture that begins anew. */
static bool replace_legend(wn_client_view *view, wn_arena *arena, const Warren__Mode *mode)
{
    if (!wn_replica_restart(view->replica, mode)) {
        return false;
    }
    wn_arena_free(view->legend_arena);
    view->legend_arena = arena;
    return true;
}

bool wn_view_joined(wn_client *client, const void *bytes, size_t size, wn_error *error)
{
    wn_arena *arena;
    const Warren__Joined *joined = decode_legend(bytes, size, &arena, error);
    if (!joined) {
        return false;
    }
    wn_client_view *view = wn_view_find(client, joined->world);
    if (view) {
        if (!replace_legend(view, arena, joined->mode)) {
            wn_arena_free(arena);
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory for the view.");
        }
        view->dying = false;
    } else {
        view = calloc(1, sizeof *view);
        wn_replica *replica = view ? wn_replica_new(joined->mode) : NULL;
        if (!replica) {
            free(view);
            wn_arena_free(arena);
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory for the view.");
        }
        view->replica = replica;
        view->legend_arena = arena;
        take_name(view, joined);
        add_view(client, view);
    }
    follow(client, view, joined);
    wn_commands_restart(view, first_command(joined));
    return true;
}

void wn_view_end(wn_client *client, wn_client_view *view)
{
    if (view->subscribed) {
        subscribe(client, view, false);
    }
    view->keyframe_due = 0;
    view->doubt_due = 0;
    view->dying = true;
}

void wn_views_sweep(wn_client *client)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < client->view_count; i++) {
        if (client->views[i]->dying) {
            view_free(client->views[i]);
        } else {
            client->views[kept++] = client->views[i];
        }
    }
    client->view_count = kept;
}

void wn_views_free(wn_client *client)
{
    for (uint32_t i = 0; i < client->view_count; i++) {
        view_free(client->views[i]);
    }
    free(client->views);
}

/* after the connection was lost */

void wn_views_lost(wn_client *client)
{
    for (uint32_t i = 0; i < client->view_count; i++) {
        client->views[i]->subscribed = false;
        client->views[i]->keyframe_due = 0;
        client->views[i]->doubt_due = 0;
    }
}

static void send_rejoin(wn_client *client, wn_client_view *view)
{
    Warren__JoinWorld join = WARREN__JOIN_WORLD__INIT;
    Warren__WatchWorld watch = WARREN__WATCH_WORLD__INIT;
    Warren__Request request = WARREN__REQUEST__INIT;
    view->rejoining = true;
    view->keyframe_due = 0;
    if (view->seat >= 0) {
        join.world = view->name;
        request.body_case = WARREN__REQUEST__BODY_JOIN;
        request.join = &join;
    } else {
        watch.world = view->name;
        request.body_case = WARREN__REQUEST__BODY_WATCH;
        request.watch = &watch;
    }
    wn_request_submit(client, WN_REQUEST_REJOIN, view->world, &request);
}

void wn_view_send_leave(wn_client *client, uint32_t world)
{
    Warren__LeaveWorld leave = WARREN__LEAVE_WORLD__INIT;
    Warren__Request request = WARREN__REQUEST__INIT;
    leave.world = world;
    request.body_case = WARREN__REQUEST__BODY_LEAVE;
    request.leave = &leave;
    wn_request_submit(client, WN_REQUEST_OWN, world, &request);
}

static void queue_gone(wn_client *client, const wn_client_view *view, const wn_error *error)
{
    wn_queued_event *event = wn_event_queue(client, WN_EVENT_GONE);
    event->world = view->world;
    event->error = *error;
}

void wn_view_rejoined(wn_client *client, wn_client_view *view, const void *bytes, size_t size)
{
    wn_arena *arena;
    wn_error error;
    const Warren__Joined *joined = decode_legend(bytes, size, &arena, &error);
    if (joined && joined->world != view->world) {
        wn_view_send_leave(client, joined->world);
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0,
                     "The world %s is gone; another one has its name now.", view->name);
        wn_arena_free(arena);
        joined = NULL;
    } else if (joined && !replace_legend(view, arena, joined->mode)) {
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory for the view.");
        wn_arena_free(arena);
        joined = NULL;
    }
    if (!joined) {
        queue_gone(client, view, &error);
        return;
    }
    const int32_t had = view->seat;
    follow(client, view, joined);
    if (view->seat >= 0 && view->seat == had && wn_commands_continue(view, first_command(joined))) {
        wn_commands_resume(client, view, joined->next_command); /* a new session, but the old seat was given back */
    } else {
        wn_commands_restart(view, first_command(joined));
    }
    wn_event_queue(client, WN_EVENT_REJOINED)->world = view->world;
}

void wn_view_rejoin_failed(wn_client *client, wn_client_view *view, const Warren__Error *from)
{
    if (from->code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE) { /* its host is still starting, say */
        expect_keyframe(client, view, view->keyframe_wait * 2);
        return;
    }
    wn_error error;
    wn_error_copy(&error, from);
    queue_gone(client, view, &error);
}

static const Warren__Joined *seat_of(const Warren__Welcome *welcome, const wn_client_view *view)
{
    for (size_t i = 0; i < welcome->n_seats; i++) {
        const Warren__Joined *seat = welcome->seats[i];
        if (seat->world == view->world && (seat->has_seat != 0) == (view->seat >= 0)) {
            return seat;
        }
    }
    return NULL;
}

/* The resumed session still has it: go on where we were. */
static void resume(wn_client *client, wn_client_view *view, const Warren__Joined *seat)
{
    const bool anew = view->rejoining;
    follow(client, view, seat);
    if (anew) {
        wn_commands_restart(view, first_command(seat));
        wn_event_queue(client, WN_EVENT_REJOINED)->world = view->world;
    } else if (view->seat >= 0) {
        wn_commands_resume(client, view, first_command(seat));
    }
}

static void return_to(wn_client *client, wn_client_view *view)
{
    const Warren__Welcome *welcome = client->welcome;
    const Warren__Joined *seat = welcome->resumed ? seat_of(welcome, view) : NULL;
    if (seat) {
        resume(client, view, seat);
    } else if (welcome->resumed && view->seat >= 0 && !view->rejoining) {
        wn_error error;
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "seat", 0,
                     "Your seat in %s ended while the connection was lost. Join it again to play on.", view->name);
        queue_gone(client, view, &error);
    } else {
        view->keyframe_wait = WN_KEYFRAME_WAIT_US / 2;
        send_rejoin(client, view);
    }
}

void wn_views_welcome(wn_client *client)
{
    const Warren__Welcome *welcome = client->welcome;
    for (uint32_t i = 0; i < client->view_count; i++) {
        if (!client->views[i]->dying) {
            return_to(client, client->views[i]);
        }
    }
    wn_adoptions_welcome(client);
    for (size_t i = 0; welcome->resumed && i < welcome->n_seats; i++) {
        /* Joined, but the answer was lost with the connection and its request has been reported as failed. */
        const uint32_t world = welcome->seats[i]->world;
        if (!wn_view_find(client, world) && !wn_adoption_waits(client, world)) {
            wn_view_send_leave(client, world);
        }
    }
}

/* timers */

/* No keyframe came, asked twice: what brings the updates may be at fault. */
static void renew_subscriptions(wn_client *client)
{
    wn_connection_renew_updates(client);
    for (uint32_t i = 0; i < client->view_count; i++) {
        wn_client_view *view = client->views[i];
        if (view->subscribed) {
            subscribe(client, view, true);
            expect_keyframe(client, view, view->keyframe_due ? view->keyframe_wait * 2 : WN_KEYFRAME_WAIT_US);
        }
    }
}

/* The keyframe did not come in time. Returns whether asking alone will not do. */
static bool ask_again(wn_client *client, wn_client_view *view)
{
    if (view->rejoining) {
        send_rejoin(client, view);
        return false;
    }
    if (view->keyframe_wait > WN_KEYFRAME_WAIT_US) {
        return true;
    }
    send_resync(client, view);
    expect_keyframe(client, view, view->keyframe_wait * 2);
    return false;
}

void wn_views_timers(wn_client *client, uint64_t now)
{
    bool in_vain = false;
    for (uint32_t i = 0; i < client->view_count; i++) {
        wn_client_view *view = client->views[i];
        if (view->doubt_due && now >= view->doubt_due) {
            settle_doubt(client, view);
        }
        if (view->keyframe_due && now >= view->keyframe_due) {
            in_vain |= ask_again(client, view);
        }
    }
    if (in_vain) {
        renew_subscriptions(client);
    }
}

static uint64_t earlier(uint64_t due, uint64_t other)
{
    return other && other < due ? other : due;
}

uint64_t wn_views_due(const wn_client *client)
{
    uint64_t due = UINT64_MAX;
    for (uint32_t i = 0; i < client->view_count; i++) {
        due = earlier(earlier(due, client->views[i]->keyframe_due), client->views[i]->doubt_due);
    }
    return due;
}
