/* entry.c: the way into a world. See entry.h. */
#include "entry.h"

#include <stdio.h>
#include <string.h>

#include "ways.h"

static void forget_requests(wn_entry *entry)
{
    const uint32_t requests[] = {entry->join_request, entry->create_request, entry->modes_request,
                                 entry->worlds_request};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        wn_client_forget(entry->client, requests[i]);
    }
    entry->join_request = entry->create_request = entry->modes_request = entry->worlds_request = 0;
    entry->line = NULL;
    entry->busy[0] = '\0';
}

void wn_entry_abandon(wn_entry *entry)
{
    if (entry->kept_world != 0) {
        wn_client_leave(entry->client, entry->kept_world);
    }
    entry->kept_world = 0;
    forget_requests(entry);
}

static bool joins(const wn_entry *entry, const char *world, bool watch)
{
    return entry->busy[0] != '\0' && entry->join_request != 0 && strcmp(entry->joined_name, world) == 0 &&
           entry->joined_watch == watch && entry->joined_way == entry->way;
}

void wn_entry_join(wn_entry *entry, const char *world, bool watch)
{
    if (joins(entry, world, watch)) {
        return;
    }
    wn_entry_abandon(entry);
    snprintf(entry->joined_name, sizeof entry->joined_name, "%s", world);
    entry->joined_watch = watch;
    entry->joined_way = entry->way;
    entry->trouble[0] = '\0';
    snprintf(entry->busy, sizeof entry->busy, "joining %.*s", WN_NAME_BYTES, world);
    entry->join_request =
        watch ? wn_client_watch(entry->client, world) : wn_client_join(entry->client, world, entry->way);
}

/* Whoever names a world wants that one, and in the way they say. */
static bool is_wanted(const wn_command_line *line, const Warren__Joined *kept)
{
    return line->world == NULL || (strcmp(line->world, kept->name) == 0 && line->watch == !kept->has_seat);
}

/* Of the worlds that the kept session holds, the first that is wanted; the rest are left. */
static void choose_kept(wn_entry *entry, const wn_command_line *line)
{
    const Warren__Welcome *welcome = wn_client_welcome(entry->client);
    for (size_t i = 0; welcome->resumed && i < welcome->n_seats; i++) {
        const Warren__Joined *kept = welcome->seats[i];
        if (kept->world == entry->kept_world) {
            continue; /* watched as well */
        }
        if (entry->kept_world != 0 || !is_wanted(line, kept)) {
            wn_client_leave(entry->client, kept->world);
            continue;
        }
        entry->kept_world = kept->world;
        snprintf(entry->busy, sizeof entry->busy, "back to %.*s", WN_NAME_BYTES, kept->name);
    }
}

static void go(wn_entry *entry, const wn_command_line *line)
{
    if (line->create != NULL) {
        snprintf(entry->busy, sizeof entry->busy, "creating a world");
        entry->create_request = wn_client_create(entry->client, line->create, line->world, line->settings,
                                                 line->setting_count, line->has_seed ? &line->seed : NULL);
    } else if (line->world != NULL) {
        wn_entry_join(entry, line->world, line->watch);
    }
}

/* the way that the command line names */

static void look_for_way(wn_entry *entry, const wn_command_line *line)
{
    entry->line = line;
    snprintf(entry->busy, sizeof entry->busy, "asking how to enter");
    if (line->create != NULL) {
        snprintf(entry->mode, sizeof entry->mode, "%s", line->create);
    } else {
        entry->worlds_request = wn_client_list_worlds(entry->client);
    }
    entry->modes_request = wn_client_list_modes(entry->client);
}

static void take_worlds(wn_entry *entry, const Warren__WorldList *worlds)
{
    for (size_t i = 0; i < worlds->n_worlds; i++) {
        if (strcmp(worlds->worlds[i]->name, entry->line->world) == 0) {
            snprintf(entry->mode, sizeof entry->mode, "%s", worlds->worlds[i]->mode);
        }
    }
}

/* A world or a mode that there is not is refused when it is asked for, as always. */
static void take_modes(wn_entry *entry, const Warren__ModeList *modes)
{
    wn_error error;
    int way = 0;
    const wn_command_line *line = entry->line;
    entry->line = NULL;
    for (size_t i = 0; i < modes->n_modes && way != WN_NO_WAY; i++) {
        if (strcmp(modes->modes[i]->name, entry->mode) == 0) {
            way = wn_way_by_name(modes->modes[i], line->enter, &error);
        }
    }
    if (way == WN_NO_WAY) {
        entry->busy[0] = '\0';
        snprintf(entry->trouble, sizeof entry->trouble, "%s", error.text);
        return;
    }
    entry->way = (uint32_t)way;
    go(entry, line);
}

void wn_entry_begin(wn_entry *entry, const wn_command_line *line)
{
    choose_kept(entry, line);
    if (entry->kept_world != 0) {
        return;
    }
    if (line->enter != NULL) {
        look_for_way(entry, line);
    } else {
        go(entry, line);
    }
}

static wn_entered take_reply(wn_entry *entry, const wn_event *event)
{
    const Warren__Reply *reply = event->reply;
    if (event->request == entry->create_request && reply->body_case == WARREN__REPLY__BODY_WORLD) {
        wn_entry_join(entry, reply->world->name, false);
    } else if (event->request == entry->worlds_request && reply->body_case == WARREN__REPLY__BODY_WORLDS) {
        take_worlds(entry, reply->worlds);
    } else if (event->request == entry->modes_request && entry->line != NULL &&
               reply->body_case == WARREN__REPLY__BODY_MODES) {
        take_modes(entry, reply->modes);
    } else if (event->request == entry->join_request && reply->body_case == WARREN__REPLY__BODY_JOINED) {
        return (wn_entered){.world = reply->joined->world, .way = entry->way};
    }
    return (wn_entered){0};
}

/* Without a request: it was not understood, and may be what is waited for. */
static bool is_own(const wn_entry *entry, uint32_t request)
{
    return request == 0 ? entry->busy[0] != '\0'
                        : request == entry->join_request || request == entry->create_request ||
                              request == entry->modes_request || request == entry->worlds_request;
}

static void fail(wn_entry *entry, const wn_event *event)
{
    if (event->request != 0) {
        forget_requests(entry); /* what else was asked for would go on without it */
    }
    entry->busy[0] = '\0';
    snprintf(entry->trouble, sizeof entry->trouble, "%s", event->error.text);
}

wn_entered wn_entry_take(wn_entry *entry, const wn_event *event)
{
    const bool of_kept = entry->kept_world != 0 && event->world == entry->kept_world;
    if (event->kind == WN_EVENT_RESUMED && of_kept) {
        const uint32_t world = entry->kept_world;
        entry->kept_world = 0;
        return (wn_entered){
            .world = world, .went_back = true, .watching = wn_client_replica(entry->client, world)->seat < 0};
    }
    if (event->kind == WN_EVENT_GONE && of_kept) {
        entry->kept_world = 0;
        fail(entry, event);
    }
    if (event->kind == WN_EVENT_ERROR && is_own(entry, event->request)) {
        fail(entry, event);
    }
    if (event->kind == WN_EVENT_REPLY && event->request != 0) {
        return take_reply(entry, event);
    }
    return (wn_entered){0};
}

const char *wn_entry_greeting(const wn_entered *entered)
{
    return entered->watching
               ? "The server kept you as a spectator since this program was killed; --new-session would begin anew."
               : "The server kept your seat since this program was killed; --new-session would begin anew.";
}
