/* link.c: a frontend's link to its server. See link.h. */
#include "link.h"

#include <stdio.h>
#include <string.h>

enum { BACK_MS = 3000, DELAY_MS = 2000 };

/* opening, closing, moving */

static bool start(wn_link *link, wn_error *error)
{
    char directory[4096];
    const wn_command_line *line = link->line;
    wn_session_file_open(&link->session, wn_session_directory(directory, sizeof directory) ? directory : NULL,
                         link->address.control, line->player, line->new_session, &link->problem);
    const wn_client_options options = {.address = &link->address,
                                       .player = line->player[0] == '\0' ? NULL : line->player,
                                       .session = link->session.kept ? link->session.token : NULL,
                                       .software = link->software};
    link->client = wn_client_new(&options, error);
    if (link->client == NULL) {
        wn_session_file_close(&link->session, true);
    }
    return link->client != NULL;
}

bool wn_link_open(wn_link *link, const wn_command_line *line, const char *software, wn_error *error)
{
    *link = (wn_link){.line = line, .software = software, .address = line->address};
    snprintf(link->shown_address, sizeof link->shown_address, "%s", line->shown_address);
    return start(link, error);
}

void wn_link_close(wn_link *link)
{
    if (link->client == NULL) {
        return;
    }
    const bool ended = wn_client_get_state(link->client) == WN_CLIENT_CONNECTED;
    wn_client_free(link->client);
    link->client = NULL;
    wn_session_file_close(&link->session, !ended);
}

bool wn_link_move(wn_link *link, const wn_address *address, const char *shown, wn_error *error)
{
    char before[sizeof link->before];
    snprintf(before, sizeof before, "%s", link->started ? link->shown_address : link->before);
    wn_link_close(link);
    *link = (wn_link){.line = link->line, .software = link->software, .address = *address};
    if (strcmp(before, shown) != 0) {
        snprintf(link->before, sizeof link->before, "%s", before);
    }
    snprintf(link->shown_address, sizeof link->shown_address, "%s", shown);
    link->asked = true; /* what the command line asks for was meant for another server */
    return start(link, error);
}

/* events */

static bool state_changed(wn_link *link, const wn_event *event, wn_log *log, int64_t now)
{
    const wn_client_state state = wn_client_get_state(link->client);
    const bool first = !link->started;
    if (state == WN_CLIENT_REFUSED) {
        snprintf(link->refusal, sizeof link->refusal, "%s", event->error.text);
    }
    if (state == WN_CLIENT_LOST) {
        wn_log_add(log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, "The connection was lost.");
    }
    if (state != WN_CLIENT_CONNECTED) {
        return false;
    }
    link->stopping = false;
    link->started = true;
    wn_session_file_write(&link->session, wn_client_welcome(link->client)->session.data, &link->problem);
    if (first) {
        return true;
    }
    link->back_until = now + BACK_MS;
    wn_log_add(log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, "Connected again.");
    return false;
}

bool wn_link_take(wn_link *link, const wn_event *event, wn_log *log, int64_t now)
{
    if (event->kind == WN_EVENT_NOTICE && event->reply->body_case == WARREN__REPLY__BODY_NOTICE) {
        link->stopping = event->reply->notice->kind == WARREN__NOTICE_KIND__NOTICE_STOPPING;
    }
    if (event->kind == WN_EVENT_UPDATE || event->kind == WN_EVENT_REPLY) {
        link->stopping = false;
    }
    return event->kind == WN_EVENT_STATE && state_changed(link, event, log, now);
}

/* what there is to say */

wn_link_state wn_link_get_state(const wn_link *link, int64_t now)
{
    const wn_client_state state = wn_client_get_state(link->client);
    return state == WN_CLIENT_REFUSED                  ? WN_LINK_REFUSED
           : state == WN_CLIENT_LOST || link->stopping ? WN_LINK_AWAY
           : link->back_until > now                    ? WN_LINK_BACK
                                                       : WN_LINK_STANDS;
}

const char *wn_link_text(const wn_link *link, int64_t now)
{
    switch (wn_link_get_state(link, now)) {
    case WN_LINK_REFUSED:
        return link->refusal;
    case WN_LINK_AWAY:
        return link->stopping ? "the server has stopped, waiting for it" : "connection lost, retrying";
    case WN_LINK_BACK:
        return "connected again";
    default:
        return "";
    }
}

void wn_link_delay(wn_link *link, int64_t now, char *text, size_t size)
{
    if (now >= link->delay_until || link->shown_delay == 0) {
        link->shown_delay = wn_client_delay_us(link->client);
        link->delay_until = now + DELAY_MS;
    }
    if (link->shown_delay == 0) {
        snprintf(text, size, "%s", "");
    } else if (link->shown_delay < 1000) {
        snprintf(text, size, "<1 ms");
    } else {
        snprintf(text, size, "%u ms", link->shown_delay / 1000);
    }
}

const char *wn_link_server(const wn_link *link)
{
    const Warren__Welcome *welcome = wn_client_welcome(link->client);
    return welcome == NULL ? link->shown_address : welcome->software;
}

bool wn_link_name_taken(const wn_link *link, char *text, size_t size)
{
    const Warren__Welcome *welcome = wn_client_welcome(link->client);
    if (welcome == NULL || (!welcome->name_taken && !welcome->name_borrowed)) {
        return false;
    }
    if (welcome->name_taken) {
        snprintf(text, size, "The name %s is somebody else's here: you are %s.", link->line->player, welcome->player);
    } else {
        snprintf(text, size, "The name %s is yours only while you play: no more names are kept here.", welcome->player);
    }
    return true;
}

void wn_link_tell_problem(wn_link *link, wn_log *log)
{
    char name[2 * WN_NAME_BYTES + 64];
    if (link->problem.text[0] != '\0') {
        wn_log_add(log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, link->problem.text);
    }
    link->problem.text[0] = '\0';
    if (!link->told_name && wn_link_name_taken(link, name, sizeof name)) {
        wn_log_add(log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, name);
    }
    link->told_name = true;
}
