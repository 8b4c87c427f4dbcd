/* place.c: asks a server for worlds and modes. */
#include "place.h"

#include <string.h>

#include "bot.h"

bool wn_visit_start(wn_visit *visit, const wn_address *address, double seconds, wn_error *error)
{
    const wn_client_options options = {.address = address, .software = "warren-bot " WARREN_VERSION};
    *visit = (wn_visit){.client = wn_client_new(&options, error),
                        .address = address,
                        .deadline_us = wn_now_us() + (int64_t)(seconds * 1e6)};
    if (visit->client == NULL) {
        error->code = WARREN__ERROR_CODE__ERROR_UNAVAILABLE;
    }
    return visit->client != NULL;
}

void wn_visit_end(wn_visit *visit)
{
    wn_client_free(visit->client);
    visit->client = NULL;
}

/* Waits for what answers a request. It lives until the next question. */
static const Warren__Reply *answer(wn_visit *visit, uint32_t request, wn_error *error)
{
    for (int64_t left = 0; (left = visit->deadline_us - wn_now_us()) > 0;) {
        wn_event event;
        while (wn_client_next(visit->client, &event)) {
            const bool refused =
                event.kind == WN_EVENT_STATE && wn_client_get_state(visit->client) == WN_CLIENT_REFUSED;
            if (refused || (event.kind == WN_EVENT_ERROR && event.request == request)) {
                *error = event.error;
                return NULL;
            }
            if (event.kind == WN_EVENT_REPLY && event.request == request) {
                return event.reply;
            }
        }
        wn_client_wait(visit->client, (int)(left / 1000) + 1);
    }
    const char *trouble = wn_client_trouble(visit->client);
    wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "No server answers at %s in time. %s",
                 visit->address->control, trouble[0] == '\0' ? "Is warrend running there?" : trouble);
    return NULL;
}

bool wn_visit_make_world(wn_visit *visit, const char *mode, const Warren__SettingValue *settings, size_t setting_count,
                         uint64_t seed, char world[WN_NAME_BYTES + 1], wn_error *error)
{
    const uint32_t request = wn_client_create(visit->client, mode, NULL, settings, setting_count, &seed);
    const Warren__Reply *reply = answer(visit, request, error);
    if (reply == NULL) {
        return false;
    }
    snprintf(world, WN_NAME_BYTES + 1, "%s", reply->world->name);
    return true;
}

static bool find_mode_name(wn_visit *visit, const char *world, char mode[WN_NAME_BYTES + 1], wn_error *error)
{
    const Warren__Reply *reply = answer(visit, wn_client_list_worlds(visit->client), error);
    *mode = '\0';
    for (size_t i = 0; reply != NULL && i < reply->worlds->n_worlds; i++) {
        if (strcmp(reply->worlds->worlds[i]->name, world) == 0) {
            snprintf(mode, WN_NAME_BYTES + 1, "%s", reply->worlds->worlds[i]->mode);
        }
    }
    return reply != NULL;
}

bool wn_visit_choose_brain(wn_visit *visit, const char *world, const wn_brain **brain, wn_error *error)
{
    char name[WN_NAME_BYTES + 1];
    if (!find_mode_name(visit, world, name, error)) {
        return false;
    }
    const Warren__Reply *reply = answer(visit, wn_client_list_modes(visit->client), error);
    for (size_t i = 0; reply != NULL && i < reply->modes->n_modes; i++) {
        const Warren__Mode *mode = reply->modes->modes[i];
        if (strcmp(mode->name, name) != 0) {
            continue;
        }
        if (*brain == NULL) {
            *brain = wn_brain_for(mode);
        } else if ((*brain)->fits != NULL && !(*brain)->fits(mode, error)) {
            error->code = WARREN__ERROR_CODE__ERROR_BAD_ACTION;
            return false;
        }
    }
    *brain = *brain != NULL ? *brain : &wn_brain_random;
    return reply != NULL;
}
