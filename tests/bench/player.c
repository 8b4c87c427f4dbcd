/* player.c: one player by way of the client library. It looks at nothing in its view. */
#include "player.h"

#include <stdio.h>
#include <string.h>

#include "measure.h"

enum { ANSWER_MS = 15000 };

/* Waits for an event of that kind about that request. false: an error came, or nothing for long. */
static bool await(wn_player *player, uint32_t request, wn_event_kind kind, wn_event *event, wn_error *error)
{
    const double deadline = wn_clock_us() + ANSWER_MS * 1e3;
    while (wn_clock_us() < deadline) {
        while (wn_client_next(player->client, event)) {
            if (event->kind == WN_EVENT_ERROR) {
                *error = event->error;
                return false;
            }
            if (event->kind == kind && event->request == request) {
                return true;
            }
        }
        wn_client_wait(player->client, ANSWER_MS);
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0, "The server gave no answer within %d s.",
                        ANSWER_MS / 1000);
}

static bool take_seat(wn_player *player, wn_error *error)
{
    wn_event event;
    if (!await(player, wn_client_join(player->client, player->name, 0), WN_EVENT_REPLY, &event, error)) {
        return false;
    }
    player->world = event.reply->joined->world;
    const wn_replica *replica = wn_client_replica(player->client, player->world);
    player->legend = *replica->mode;
    player->legend.actions = &player->only;
    player->legend.n_actions = 1;
    for (size_t i = 0; i < replica->mode->n_actions; i++) {
        if (strcmp(replica->mode->actions[i]->name, player->action) == 0) {
            player->only = replica->mode->actions[i];
        }
    }
    while (!replica->ready) {
        if (!await(player, 0, WN_EVENT_UPDATE, &event, error)) {
            return false;
        }
    }
    return player->only != NULL || wn_fail_with(error, WARREN__ERROR_CODE__ERROR_BAD_ACTION, NULL, 0,
                                                "There is no action \"%s\".", player->action);
}

bool wn_player_join(wn_player *player, const char *control, const char *world, const char *action, wn_error *error)
{
    wn_address address;
    *player = (wn_player){0};
    snprintf(player->name, sizeof player->name, "%s", world);
    snprintf(player->action, sizeof player->action, "%s", action);
    if (!wn_address_parse(&address, control, error)) {
        return false;
    }
    player->client = wn_client_new(&(wn_client_options){.address = &address, .software = "warren-bench"}, error);
    return player->client != NULL && take_seat(player, error);
}

bool wn_player_round_trip(wn_player *player, uint64_t *chance, wn_error *error)
{
    wn_choice choice;
    wn_choose(&player->legend, 1, chance, &choice);
    const uint32_t number = wn_client_command(player->client, player->world, choice.action, choice.argument);
    wn_event event;
    error->text[0] = '\0';
    if (number == 0) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, NULL, 0, "The client library takes no command.");
    }
    for (int waits = 0; waits < ANSWER_MS; waits++) {
        while (wn_client_next(player->client, &event)) {
            if (event.kind == WN_EVENT_UPDATE && event.update->has_executed && event.update->executed >= number) {
                return true;
            }
            if (event.kind == WN_EVENT_ERROR || event.kind == WN_EVENT_GONE) {
                *error = event.error;
                return false;
            }
            if (event.kind == WN_EVENT_NOTICE && event.reply->notice->kind == WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED) {
                take_seat(player, error);
                return false;
            }
        }
        wn_client_wait(player->client, ANSWER_MS);
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                        "The client library shows no effect of a command.");
}

void wn_player_leave(wn_player *player)
{
    wn_client_free(player->client);
    player->client = NULL;
}
