/* another.c: one more world like one that is over. See another.h. */
#include "another.h"

#include <stdio.h>
#include <string.h>

static void fail(wn_another *another, const char *text)
{
    another->list_request = another->create_request = another->join_request = 0;
    snprintf(another->trouble, sizeof another->trouble, "%s", text);
}

static void expect(wn_another *another, uint32_t *request, uint32_t asked)
{
    another->list_request = another->create_request = another->join_request = 0;
    *request = asked;
    if (asked == 0) {
        fail(another, "That was not sent: the server has not answered your last requests yet.");
    }
}

void wn_another_begin(wn_another *another, wn_client *client, const char *like, uint32_t way)
{
    *another = (wn_another){.client = client, .way = way};
    snprintf(another->like, sizeof another->like, "%s", like);
    expect(another, &another->list_request, wn_client_list_worlds(client)); /* it has the settings */
}

bool wn_another_busy(const wn_another *another)
{
    return another->list_request != 0 || another->create_request != 0 || another->join_request != 0;
}

bool wn_another_speaks(const wn_another *another)
{
    return wn_another_busy(another) || another->trouble[0] != '\0';
}

static void create(wn_another *another, const Warren__WorldInfo *like)
{
    Warren__SettingValue settings[WN_CREATE_SETTINGS];
    const size_t count = like->n_settings < WN_CREATE_SETTINGS ? like->n_settings : WN_CREATE_SETTINGS;
    for (size_t i = 0; i < count; i++) {
        settings[i] = *like->settings[i];
    }
    expect(another, &another->create_request,
           wn_client_create(another->client, like->mode, NULL, settings, count, NULL));
}

static void take_worlds(wn_another *another, const Warren__WorldList *worlds)
{
    char text[WN_NAME_BYTES + 96];
    for (size_t i = 0; i < worlds->n_worlds; i++) {
        if (strcmp(worlds->worlds[i]->name, another->like) == 0) {
            create(another, worlds->worlds[i]);
            return;
        }
    }
    snprintf(text, sizeof text,
             "%s was closed, and its settings went with it; c in the list of worlds makes a new one.", another->like);
    fail(another, text);
}

bool wn_another_take(wn_another *another, const wn_event *event, uint32_t *world)
{
    const uint32_t request = event->request;
    const bool fails = event->kind == WN_EVENT_ERROR;
    *world = 0;
    if (request == 0 || (!fails && event->kind != WN_EVENT_REPLY) ||
        (request != another->list_request && request != another->create_request && request != another->join_request)) {
        return false;
    }
    const Warren__Reply *reply = event->reply;
    if (fails) {
        fail(another, event->error.text);
    } else if (request == another->list_request && reply->body_case == WARREN__REPLY__BODY_WORLDS) {
        take_worlds(another, reply->worlds);
    } else if (request == another->create_request && reply->body_case == WARREN__REPLY__BODY_WORLD) {
        expect(another, &another->join_request, wn_client_join(another->client, reply->world->name, another->way));
    } else if (request == another->join_request && reply->body_case == WARREN__REPLY__BODY_JOINED) {
        *world = reply->joined->world;
    }
    return true;
}
