/* adoptions.c: the worlds of a session that an earlier process began. Welcome names them without their legends, so each
 * is joined or watched once more: who holds a seat gets that same seat again, with the legend. From then on it is a
 * view like any other, and views.c's.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { RETRY_FIRST_US = WN_KEYFRAME_WAIT_US / 2, RETRY_MOST_US = 8 * WN_KEYFRAME_WAIT_US };

static wn_adoption *find(const wn_client *client, uint32_t world)
{
    for (uint32_t i = 0; i < client->adoption_count; i++) {
        if (client->adoptions[i].world == world) {
            return &client->adoptions[i];
        }
    }
    return NULL;
}

bool wn_adoption_waits(const wn_client *client, uint32_t world)
{
    return find(client, world) != NULL;
}

static void retry_later(wn_client *client, wn_adoption *adoption)
{
    adoption->due = wn_clock_us() + adoption->wait;
    adoption->wait = adoption->wait * 2 > RETRY_MOST_US ? RETRY_MOST_US : adoption->wait * 2;
    wn_client_schedule(client, adoption->due);
}

static void ask(wn_client *client, wn_adoption *adoption)
{
    Warren__JoinWorld join = WARREN__JOIN_WORLD__INIT;
    Warren__WatchWorld watch = WARREN__WATCH_WORLD__INIT;
    Warren__Request request = WARREN__REQUEST__INIT;
    if (adoption->seated) {
        join.world = adoption->name;
        request.body_case = WARREN__REQUEST__BODY_JOIN;
        request.join = &join;
    } else {
        watch.world = adoption->name;
        request.body_case = WARREN__REQUEST__BODY_WATCH;
        request.watch = &watch;
    }
    adoption->due = 0;
    if (wn_request_submit(client, WN_REQUEST_ADOPT, adoption->world, &request) == 0) {
        retry_later(client, adoption);
    }
}

static void drop(wn_client *client, wn_adoption *adoption)
{
    *adoption = client->adoptions[--client->adoption_count];
}

/* It is not wanted. */
void wn_adoption_forget(wn_client *client, uint32_t world)
{
    wn_adoption *adoption = find(client, world);
    if (adoption) {
        drop(client, adoption);
    }
}

/* It cannot be had: the frontend is told, and nothing more is tried. */
static void give_up(wn_client *client, wn_adoption *adoption, const wn_error *error)
{
    wn_queued_event *event = wn_event_queue(client, WN_EVENT_GONE);
    event->world = adoption->world;
    event->error = *error;
    drop(client, adoption);
}

/* Welcome */

static const Warren__Joined *entry_of(const Warren__Welcome *welcome, uint32_t world)
{
    for (size_t i = 0; welcome->resumed && i < welcome->n_seats; i++) {
        if (welcome->seats[i]->world == world) {
            return welcome->seats[i];
        }
    }
    return NULL;
}

static void begin(wn_client *client, const Warren__Joined *seat)
{
    if (client->adoption_count == client->adoption_capacity) {
        client->adoptions = wn_client_grow(client->adoptions, &client->adoption_capacity, sizeof *client->adoptions);
    }
    wn_adoption *adoption = &client->adoptions[client->adoption_count++];
    *adoption = (wn_adoption){.world = seat->world, .seated = seat->has_seat, .wait = RETRY_FIRST_US};
    memcpy(adoption->name, seat->name, strnlen(seat->name, WN_NAME_BYTES));
}

/* The first Welcome says what there is to adopt. A later one, after a lost connection, says what is left of that. */
void wn_adoptions_welcome(wn_client *client)
{
    const Warren__Welcome *welcome = client->welcome;
    for (size_t i = 0; client->adopting && welcome->resumed && i < welcome->n_seats; i++) {
        if (!find(client, welcome->seats[i]->world)) {
            begin(client, welcome->seats[i]);
        }
    }
    client->adopting = false;
    for (uint32_t i = client->adoption_count; i-- > 0;) {
        wn_adoption *adoption = &client->adoptions[i];
        if (entry_of(welcome, adoption->world)) {
            ask(client, adoption);
        } else {
            wn_error error;
            wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "seat", 0,
                         "Your place in %s ended while the connection was lost. Join it again to play on.",
                         adoption->name);
            give_up(client, adoption, &error);
        }
    }
}

/* answers */

void wn_adoption_answered(wn_client *client, uint32_t world, const Warren__Reply *reply, const void *bytes, size_t size)
{
    wn_error error;
    wn_adoption *adoption = find(client, world);
    if (!adoption) {
        return;
    }
    if (reply->body_case == WARREN__REPLY__BODY_ERROR) {
        wn_error_copy(&error, reply->error);
        if (error.code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE) { /* its host is still starting, say */
            retry_later(client, adoption);
        } else {
            give_up(client, adoption, &error);
        }
        return;
    }
    if (reply->body_case == WARREN__REPLY__BODY_JOINED && reply->joined->world != world) {
        wn_view_send_leave(client, reply->joined->world);
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0,
                     "The world %s is gone; another one has its name now.", adoption->name);
        give_up(client, adoption, &error);
        return;
    }
    if (!wn_view_joined(client, bytes, size, &error)) {
        give_up(client, adoption, &error);
        return;
    }
    drop(client, adoption);
    wn_event_queue(client, WN_EVENT_RESUMED)->world = world;
}

/* timers */

void wn_adoptions_timers(wn_client *client, uint64_t now)
{
    for (uint32_t i = 0; i < client->adoption_count && client->state == WN_CLIENT_CONNECTED; i++) {
        if (client->adoptions[i].due && now >= client->adoptions[i].due) {
            ask(client, &client->adoptions[i]);
        }
    }
}

uint64_t wn_adoptions_due(const wn_client *client)
{
    uint64_t due = UINT64_MAX;
    for (uint32_t i = 0; i < client->adoption_count && client->state == WN_CLIENT_CONNECTED; i++) {
        due = client->adoptions[i].due && client->adoptions[i].due < due ? client->adoptions[i].due : due;
    }
    return due;
}
