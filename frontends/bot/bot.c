/* bot.c: one player that nobody sits at. It books every command from sending to its execution. */
#include "bot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ASK_AGAIN_US = 1000000 };

int64_t wn_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

bool wn_bot_start(wn_bot *bot, const wn_plan *plan, const wn_client_options *options, uint64_t chance, int64_t due_us,
                  wn_error *error)
{
    *bot = (wn_bot){.plan = plan, .due_us = due_us};
    snprintf(bot->name, sizeof bot->name, "%s", options->player);
    bot->flights = calloc(plan->window, sizeof *bot->flights);
    bot->mind = plan->brain->start(&(wn_lesson){.script = plan->script, .chance = chance});
    if (bot->flights == NULL || bot->mind == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "No memory left for another bot.");
    }
    bot->client = wn_client_new(options, error);
    return bot->client != NULL;
}

void wn_bot_free(wn_bot *bot)
{
    wn_client_free(bot->client);
    if (bot->mind != NULL) {
        bot->plan->brain->end(bot->mind);
    }
    free(bot->flights);
    free(bot->delays);
    *bot = (wn_bot){0};
}

static void fail(wn_bot *bot, const wn_error *error)
{
    bot->state = WN_BOT_FAILED;
    bot->failure = *error;
}

/* commands in flight */

static wn_flight *flight_at(wn_bot *bot, uint32_t index)
{
    return &bot->flights[(bot->flight_first + index) % bot->plan->window];
}

static void keep_delay(wn_bot *bot, int64_t delay_us)
{
    const uint32_t delay = delay_us < UINT32_MAX ? (uint32_t)delay_us : UINT32_MAX;
    if (bot->delay_count == WN_BOT_DELAYS) {
        bot->delays[bot->counts.executed % WN_BOT_DELAYS] = delay;
        return;
    }
    if (bot->delay_count == bot->delay_capacity) {
        const size_t capacity = bot->delay_capacity == 0 ? 256 : bot->delay_capacity * 2;
        uint32_t *delays = realloc(bot->delays, capacity * sizeof *delays);
        if (delays == NULL) {
            return;
        }
        bot->delays = delays;
        bot->delay_capacity = capacity;
    }
    bot->delays[bot->delay_count++] = delay;
}

/* Commands execute in the order of their numbers: all up to `number` have been. */
static void executed_up_to(wn_bot *bot, uint32_t number, int64_t now_us)
{
    while (bot->flight_count > 0) {
        const wn_flight *flight = flight_at(bot, 0);
        if (!flight->settled && flight->number > number) {
            return;
        }
        if (!flight->settled) {
            bot->counts.executed++;
            keep_delay(bot, now_us - flight->sent_us);
        }
        bot->flight_first = (bot->flight_first + 1) % bot->plan->window;
        bot->flight_count--;
    }
}

static void refused(wn_bot *bot, const wn_event *event)
{
    /* It crossed the end of its seat, whose notice drops whatever was in flight. */
    if (event->error.code == WARREN__ERROR_CODE__ERROR_NOT_FOUND) {
        return;
    }
    bot->counts.refused++;
    bot->failure = event->error;
    for (uint32_t i = 0; i < bot->flight_count; i++) {
        if (flight_at(bot, i)->number == event->command) {
            flight_at(bot, i)->settled = true;
            return;
        }
    }
    /* The update that counts it as executed came before the refusal. */
    bot->counts.executed -= bot->counts.executed > 0;
}

static void drop_flights(wn_bot *bot)
{
    for (uint32_t i = 0; i < bot->flight_count; i++) {
        bot->counts.dropped += !flight_at(bot, i)->settled;
    }
    bot->flight_count = 0;
}

/* events */

static void join(wn_bot *bot)
{
    bot->state = WN_BOT_JOINING;
    bot->world = 0;
    bot->seen = false;
    const wn_plan *plan = bot->plan;
    const uint32_t entry = plan->brain->way_in != NULL ? plan->brain->way_in(bot->mind) : 0;
    bot->request =
        plan->watch ? wn_client_watch(bot->client, plan->world) : wn_client_join(bot->client, plan->world, entry);
}

static void on_state(wn_bot *bot, const wn_event *event, int64_t now_us)
{
    const wn_client_state state = wn_client_get_state(bot->client);
    if (state == WN_CLIENT_REFUSED) {
        fail(bot, &event->error);
    } else if (state == WN_CLIENT_CONNECTED && bot->state == WN_BOT_CONNECTING) {
        join(bot);
    } else if (state == WN_CLIENT_LOST) {
        bot->counts.losses++;
    }
    bot->lost_us = state == WN_CLIENT_LOST ? now_us : 0;
}

/* A new life begins. */
static void enter(wn_bot *bot)
{
    wn_error error = {0};
    const wn_replica *replica = wn_client_replica(bot->client, bot->world);
    bot->counts.seats++;
    bot->turn = 0;
    bot->life_kills = 0;
    if (bot->plan->brain->looks) {
        bot->deed.kind = WN_DEED_NONE;
    }
    if (!bot->plan->watch && replica != NULL && !bot->plan->brain->enter(bot->mind, replica->mode, &error)) {
        fail(bot, &error);
    }
}

static void on_joined(wn_bot *bot, const Warren__Joined *joined)
{
    bot->world = joined->world;
    enter(bot);
}

/* Joining failed. Between two lives of a bot much can happen to its world. */
static bool is_over(Warren__ErrorCode code)
{
    return code == WARREN__ERROR_CODE__ERROR_WORLD_OVER || code == WARREN__ERROR_CODE__ERROR_NOT_FOUND;
}

bool wn_bot_ask(wn_bot *bot)
{
    const bool can = bot->question == 0 && wn_client_get_state(bot->client) == WN_CLIENT_CONNECTED;
    bot->question = can ? wn_client_list_worlds(bot->client) : bot->question;
    return can && bot->question != 0;
}

static void on_worlds(wn_bot *bot, const Warren__WorldList *list)
{
    bot->question = 0;
    for (size_t i = 0; i < list->n_worlds; i++) {
        if (list->worlds[i]->id == bot->world) {
            bot->players = list->worlds[i]->players;
            bot->watchers = list->worlds[i]->watchers;
        }
    }
}

static void on_error(wn_bot *bot, const wn_event *event, int64_t now_us)
{
    if (event->command != 0) {
        refused(bot, event);
    } else if (event->request != 0 && event->request == bot->question) {
        bot->question = 0;
    } else if (event->request != 0 && event->request == bot->request && bot->state == WN_BOT_JOINING) {
        if (bot->counts.seats > 0 && is_over(event->error.code)) {
            bot->state = WN_BOT_DONE;
        } else if (bot->counts.seats > 0 && event->error.code == WARREN__ERROR_CODE__ERROR_WORLD_FULL) {
            bot->state = WN_BOT_WAITING;
            bot->due_us = now_us + ASK_AGAIN_US;
        } else {
            fail(bot, &event->error);
        }
    } else {
        bot->counts.refused++;
        bot->failure = event->error;
    }
}

static void print_update(const wn_bot *bot, const Warren__Update *update, size_t bytes)
{
    printf("%s %s sequence %" PRIu64 " turn %" PRIu64, bot->name, bot->plan->world, update->sequence, update->turn);
    if (update->has_executed) {
        printf(" executed %" PRIu32, update->executed);
    }
    if (update->body_case == WARREN__UPDATE__BODY_KEYFRAME) {
        printf(" keyframe %" PRIu32 "x%" PRIu32, update->keyframe->width, update->keyframe->height);
    } else if (update->body_case == WARREN__UPDATE__BODY_DELTA) {
        printf(" delta cells %zu sprites %zu gone %zu fields %zu messages %zu effects %zu", update->delta->n_cells,
               update->delta->n_sprites, update->delta->n_gone, update->delta->n_fields, update->delta->n_messages,
               update->delta->n_effects);
    }
    printf(" bytes %zu\n", bytes);
}

/* Turns and kills of this life, by the view. */
static void keep_score(wn_bot *bot, const wn_replica *replica)
{
    bot->counts.turns += bot->turn > 0 && replica->turn > bot->turn ? replica->turn - bot->turn : 0;
    bot->turn = replica->turn;
    bot->stopping |= bot->plan->turns > 0 && bot->counts.turns >= bot->plan->turns;
    for (size_t i = 0; i < replica->mode->n_status; i++) {
        const int64_t kills = replica->fields[i].number;
        if (strcmp(replica->mode->status[i]->name, "kills") == 0 && kills > bot->life_kills) {
            bot->counts.kills += (uint64_t)(kills - bot->life_kills);
            bot->life_kills = kills;
        }
    }
}

static void look(wn_bot *bot)
{
    const wn_replica *replica = wn_client_replica(bot->client, bot->world);
    if (replica == NULL || !replica->ready) {
        return;
    }
    keep_score(bot, replica);
    if (bot->plan->brain->see != NULL && !bot->plan->watch) {
        bot->plan->brain->see(bot->mind, replica);
    }
}

static void on_update(wn_bot *bot, const Warren__Update *update, int64_t now_us)
{
    const size_t bytes = WN_KEY_BYTES + warren__update__get_packed_size(update);
    bot->counts.updates++;
    bot->counts.bytes += bytes;
    if (update->body_case == WARREN__UPDATE__BODY_KEYFRAME) {
        bot->counts.keyframes++;
        bot->counts.resyncs += bot->seen;
        bot->seen = true;
        bot->state = bot->state == WN_BOT_JOINING ? WN_BOT_PLAYING : bot->state;
    }
    if (update->has_executed) {
        executed_up_to(bot, update->executed, now_us);
    }
    if (bot->plan->print_updates) {
        print_update(bot, update, bytes);
    }
    look(bot);
}

static void on_notice(wn_bot *bot, const Warren__Notice *notice)
{
    if (bot->state == WN_BOT_FAILED || !notice->has_world || notice->world != bot->world) {
        return;
    }
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED) {
        drop_flights(bot);
        bot->counts.deaths++;
        if (bot->state != WN_BOT_DONE) {
            join(bot);
        }
    } else if (notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_OVER ||
               notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED) {
        drop_flights(bot);
        bot->state = WN_BOT_DONE;
    }
}

static void on_event(wn_bot *bot, const wn_event *event, int64_t now_us)
{
    switch (event->kind) {
    case WN_EVENT_STATE:
        on_state(bot, event, now_us);
        return;
    case WN_EVENT_REPLY:
        if (event->request == bot->request && event->reply->body_case == WARREN__REPLY__BODY_JOINED) {
            on_joined(bot, event->reply->joined);
        } else if (event->request == bot->question && event->reply->body_case == WARREN__REPLY__BODY_WORLDS) {
            on_worlds(bot, event->reply->worlds);
        }
        return;
    case WN_EVENT_ERROR:
        on_error(bot, event, now_us);
        return;
    case WN_EVENT_UPDATE:
        on_update(bot, event->update, now_us);
        return;
    case WN_EVENT_NOTICE:
        on_notice(bot, event->reply->notice);
        return;
    case WN_EVENT_REJOINED:
        /* What was in flight is gone and not the mode's doing: it stays missing from `executed`. */
        bot->flight_count = 0;
        bot->world = event->world;
        bot->seen = false;
        enter(bot);
        return;
    case WN_EVENT_UNREACHED: /* in time, or it counts as a loss */
    case WN_EVENT_RESUMED:   /* bots keep no sessions */
        return;
    case WN_EVENT_GONE:
        fail(bot, &event->error);
        return;
    }
}

void wn_bot_hear(wn_bot *bot, int64_t now_us)
{
    wn_event event;
    wn_client_dispatch(bot->client);
    while (wn_client_next(bot->client, &event)) {
        on_event(bot, &event, now_us);
    }
}

/* acting */

/* What is next is in bot->deed. false: nothing now; the bot waits or is done. */
static bool next_command(wn_bot *bot, const wn_replica *replica, int64_t now_us)
{
    for (;;) {
        if (bot->deed.kind == WN_DEED_NONE) {
            bot->deed = bot->plan->brain->next(bot->mind, replica);
        }
        const wn_deed deed = bot->deed;
        switch (deed.kind) {
        case WN_DEED_ACT:
            return true;
        case WN_DEED_NONE:
            return false;
        case WN_DEED_END:
            bot->state = bot->flight_count == 0 ? WN_BOT_DONE : bot->state;
            return false;
        case WN_DEED_SAY:
            wn_client_say(bot->client, bot->world, deed.text);
            break;
        case WN_DEED_PAUSE:
            if (bot->flight_count > 0) {
                return false;
            }
            bot->due_us = now_us + (int64_t)deed.argument * 1000;
            break;
        }
        bot->deed.kind = WN_DEED_NONE;
        if (deed.kind == WN_DEED_PAUSE && deed.argument > 0) {
            return false;
        }
    }
}

static uint32_t window_of(const wn_plan *plan)
{
    return plan->brain->looks ? 1 : plan->window;
}

static bool may_send(wn_bot *bot, int64_t now_us)
{
    const wn_plan *plan = bot->plan;
    if (bot->state != WN_BOT_PLAYING) {
        return false;
    }
    if (bot->stopping || (plan->commands > 0 && bot->counts.sent >= plan->commands)) {
        bot->state = bot->flight_count == 0 ? WN_BOT_DONE : bot->state;
        return false;
    }
    return !plan->watch && !bot->resting && bot->due_us <= now_us && bot->flight_count < window_of(plan);
}

/* What has to happen without anything having come. */
static void wait_on(wn_bot *bot, int64_t now_us)
{
    if (bot->state == WN_BOT_WAITING && bot->stopping) {
        bot->state = WN_BOT_DONE;
    } else if (bot->state == WN_BOT_WAITING && bot->due_us <= now_us) {
        join(bot);
    }
    if (bot->lost_us > 0 && now_us - bot->lost_us >= bot->plan->patience_us && bot->state != WN_BOT_DONE) {
        bot->lost_us = 0;
        bot->state = WN_BOT_FAILED;
        wn_fail_with(&bot->failure, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, NULL, 0,
                     "The connection has not come back within %.3g s.", (double)bot->plan->patience_us / 1e6);
    }
}

void wn_bot_act(wn_bot *bot, int64_t now_us)
{
    wait_on(bot, now_us);
    while (may_send(bot, now_us)) {
        const wn_replica *replica = wn_client_replica(bot->client, bot->world);
        if (replica == NULL || !replica->ready || !next_command(bot, replica, now_us)) {
            return;
        }
        const uint32_t number = wn_client_command(bot->client, bot->world, bot->deed.action, bot->deed.argument);
        if (number == 0) {
            return;
        }
        bot->deed.kind = WN_DEED_NONE;
        bot->counts.sent++;
        *flight_at(bot, bot->flight_count++) = (wn_flight){.number = number, .sent_us = now_us};
        if (bot->plan->period_us > 0) {
            /* A bot that fell behind does not catch up in a burst. */
            const int64_t next = bot->due_us + bot->plan->period_us;
            bot->due_us = next > now_us ? next : now_us + bot->plan->period_us;
        }
    }
}

int64_t wn_bot_due(const wn_bot *bot, int64_t now_us)
{
    const bool plays =
        bot->state == WN_BOT_PLAYING && !bot->plan->watch && !bot->resting && bot->flight_count < window_of(bot->plan);
    int64_t due = INT64_MAX;
    if ((plays || bot->state == WN_BOT_WAITING) && bot->due_us > now_us) {
        due = bot->due_us;
    }
    if (bot->lost_us > 0 && bot->lost_us + bot->plan->patience_us < due) {
        due = bot->lost_us + bot->plan->patience_us;
    }
    return due;
}
