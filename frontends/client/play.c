/* play.c: a world as somebody plays or watches it: how it begins and ends, and what the server tells of it. See play.h;
 * keys are in play-keys.c, the help in play-help.c. */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

enum { WAITING_LEAST = 4 }; /* commands; fewer are under way whenever a key is held down, and would flicker */

static void tell(wn_play *play, const char *text)
{
    wn_log_add(play->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, text);
}

const wn_replica *wn_play_replica(const wn_play *play)
{
    return play->ended ? NULL : wn_client_replica(play->client, play->world);
}

/* beginning */

static void tell_key_problems(wn_play *play, size_t from)
{
    for (size_t i = from; play->key_file != NULL && i < play->key_file->problem_count; i++) {
        tell(play, play->key_file->problems[i]);
    }
}

void wn_play_bind(wn_play *play)
{
    const wn_replica *replica = wn_play_replica(play);
    const size_t told = play->key_file == NULL ? 0 : play->key_file->problem_count;
    wn_bindings_make(&play->bindings, replica == NULL ? NULL : replica->mode, play->key_file);
    tell_key_problems(play, told);
}

/* What is known of the world from its view. false: there is none yet. */
static bool read_view(wn_play *play)
{
    const wn_replica *replica = wn_client_replica(play->client, play->world);
    if (replica == NULL) {
        return false;
    }
    snprintf(play->name, sizeof play->name, "%s", replica->name == NULL ? "" : replica->name);
    snprintf(play->title, sizeof play->title, "%s", wn_mode_title(replica->mode));
    play->watching = replica->seat < 0;
    wn_play_bind(play);
    return true;
}

void wn_play_begin(wn_play *play, wn_link *link, wn_log *log, wn_key_file *key_file, bool window, uint32_t world,
                   uint32_t way)
{
    *play = (wn_play){.client = link->client,
                      .link = link,
                      .log = log,
                      .key_file = key_file,
                      .bindings.window = window,
                      .world = world,
                      .way = way,
                      .cursor = WN_NO_FOCUS};
    wn_log_clear(log);
    tell_key_problems(play, 0);
    wn_link_tell_problem(link, log);
    read_view(play);
}

void wn_play_free(wn_play *play)
{
    wn_bindings_free(&play->bindings);
    wn_reentry_end(&play->again, false);
    wn_play_free_scores(play);
    free(play->status);
    free(play->last_fields);
    *play = (wn_play){0};
}

/* what there is to draw */

wn_replica wn_play_shown(const wn_play *play, const wn_replica *replica)
{
    wn_replica shown = *replica;
    if (play->again.stage == WN_REENTRY_OFF || play->last_fields == NULL ||
        play->last_field_count != replica->mode->n_status) {
        return shown;
    }
    shown.fields = play->last_fields;
    shown.facing = play->last_facing;
    return shown;
}

void wn_play_remarks(const wn_play *play, const char *gap, char *text, size_t size)
{
    const uint32_t pending = wn_play_replica(play) == NULL ? 0 : wn_client_pending(play->client, play->world);
    char waiting[32] = "";
    if (pending >= WAITING_LEAST) {
        snprintf(waiting, sizeof waiting, "(%u waiting)", pending);
    }
    snprintf(text, size, "%s%s%s%s%s%s", play->watching ? gap : "", play->watching ? "(watching)" : "",
             play->world_over ? gap : "", play->world_over ? "(over)" : "", waiting[0] == '\0' ? "" : gap, waiting);
}

/* the end */

/* The last status: the replica goes with the event that ends it. */
static char *status_lines(const wn_replica *replica)
{
    char *text = NULL, value[WN_FIELD_BYTES];
    size_t size;
    FILE *lines = replica != NULL && replica->ready ? open_memstream(&text, &size) : NULL;
    if (lines == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < replica->mode->n_status; i++) {
        wn_field_value(replica, i, value, sizeof value);
        if (value[0] != '\0') {
            fprintf(lines, "%s: %s\n", wn_field_title(replica, i), value);
        }
    }
    fprintf(lines, "turn %llu", (unsigned long long)replica->turn);
    fclose(lines);
    return text;
}

static void set_result(wn_play *play, const char *first, const char *second)
{
    free(play->status);
    play->status = status_lines(wn_play_replica(play));
    snprintf(play->reason, sizeof play->reason, "%s%s%s", first, first[0] == '\0' || second[0] == '\0' ? "" : "\n",
             second);
}

/* Only the result is left. */
static void end(wn_play *play, int64_t now)
{
    wn_reentry_end(&play->again, false);
    play->ended = true;
    play->returning = false;
    play->calm_until = now + WN_REENTRY_CALM_MS;
    wn_play_open(play, WN_IN_RESULT);
}

static wn_play_news end_game(wn_play *play, const char *reason, int64_t now)
{
    const wn_play_news news = {.ends = wn_play_replica(play) != NULL};
    set_result(play, reason, "");
    end(play, now);
    return news;
}

static void end_world(wn_play *play, const char *text)
{
    set_result(play, play->again.reason, text[0] == '\0' ? "This world is over." : text);
    play->world_over = true;
    wn_reentry_end(&play->again, false);
    wn_play_open(play, WN_IN_RESULT);
}

/* after the seat was ended */

static void keep_status(wn_play *play, const wn_replica *replica)
{
    free(play->last_fields);
    play->last_field_count = replica->mode->n_status;
    play->last_facing = replica->facing;
    play->last_fields = calloc(play->last_field_count + 1, sizeof *play->last_fields);
    if (play->last_fields != NULL && replica->ready && play->last_field_count > 0) {
        memcpy(play->last_fields, replica->fields, play->last_field_count * sizeof *play->last_fields);
    }
}

static wn_play_news end_seat(wn_play *play, const char *reason, int64_t now)
{
    const wn_replica *replica = wn_play_replica(play);
    set_result(play, reason, "");
    keep_status(play, replica);
    wn_reentry_begin(&play->again, play->client, replica, play->way, reason, now);
    play->hides_again = play->returning = false;
    play->ended = true;
    wn_play_open(play, WN_ASKED_AGAIN);
    return (wn_play_news){.ends = true};
}

/* true: the event was for the question. */
static bool take_again(wn_play *play, const wn_event *event, int64_t now)
{
    switch (wn_reentry_event(&play->again, event)) {
    case WN_REENTRY_TAKEN:
        return true;
    case WN_REENTRY_WATCHING:
        play->ended = play->returning = true; /* until its picture has come */
        return true;
    case WN_REENTRY_ENTERED:
        play->ended = play->returning = true;
        play->way = play->again.way;
        wn_reentry_end(&play->again, false);
        wn_play_close(play);
        return true;
    case WN_REENTRY_NO_WAY:
        play->ended = true; /* the last status is not that of the view behind the question */
        set_result(play, play->again.reason, play->again.trouble);
        end(play, now);
        return true;
    default:
        return false;
    }
}

/* The view that was waited for is here: it is the game's from now on. */
static bool arrive(wn_play *play)
{
    const wn_replica *replica = wn_client_replica(play->client, play->world);
    if (!play->returning || replica == NULL || !replica->ready) {
        return false;
    }
    play->ended = play->returning = false;
    if (replica->seat < 0) {
        wn_log_skip(play->log, replica); /* it has been told already */
    } else {
        play->log->taken = 0;
    }
    return read_view(play);
}

/* events and time */

static wn_play_news take_update(wn_play *play)
{
    wn_play_news news = {.arrives = arrive(play)};
    const wn_replica *replica = wn_play_replica(play);
    if (replica == NULL) {
        return news;
    }
    news.begins = news.arrives || (play->name[0] == '\0' && read_view(play));
    news.alert = wn_log_take(play->log, replica);
    news.updated = true;
    return news;
}

static wn_play_news take_notice(wn_play *play, const Warren__Notice *notice, int64_t now)
{
    const char *text = notice->text == NULL ? "" : notice->text;
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_STOPPING) {
        tell(play, text[0] == '\0' ? "The server is stopping." : text);
        return (wn_play_news){0};
    }
    if ((notice->has_world && notice->world != play->world) ||
        notice->kind == WARREN__NOTICE_KIND__NOTICE_WATCHERS) { /* the replica has it */
        return (wn_play_news){0};
    }
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_OVER) {
        end_world(play, text);
        return (wn_play_news){0};
    }
    if (text[0] == '\0') {
        text = notice->kind == WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED ? "This world was closed."
                                                                        : "Your place in this world has ended.";
    }
    if (notice->kind == WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED && !play->watching && !play->world_over &&
        wn_play_replica(play) != NULL) {
        return end_seat(play, text, now);
    }
    return end_game(play, text, now);
}

static wn_play_news take_rejoining(wn_play *play)
{
    const wn_play_news news = {.begins = read_view(play)};
    tell(play, "The server had forgotten this session; the world was joined again.");
    return news;
}

/* true: the event was for what was asked beside the game. */
static bool take_answers(wn_play *play, const wn_event *event, wn_play_news *news)
{
    if (wn_play_take_scores(play, event)) {
        return true;
    }
    if (!wn_another_take(&play->another, event, &news->another)) {
        return false;
    }
    if (news->another != 0 && wn_play_replica(play) != NULL) {
        wn_client_leave(play->client, play->world);
    }
    if (play->another.trouble[0] != '\0') {
        wn_log_add(play->log, WARREN__MESSAGE_KIND__MESSAGE_BAD, NULL, play->another.trouble);
    }
    return true;
}

wn_play_news wn_play_take(wn_play *play, const wn_event *event, int64_t now)
{
    const wn_play_news nothing = {0};
    wn_play_news answered = {0};
    const bool here = event->world == play->world;
    if (take_answers(play, event, &answered)) {
        return answered;
    }
    if ((play->ended && !play->returning && play->again.stage == WN_REENTRY_OFF) || take_again(play, event, now)) {
        return nothing;
    }
    switch (event->kind) {
    case WN_EVENT_UPDATE:
        return here ? take_update(play) : nothing;
    case WN_EVENT_NOTICE:
        return event->reply != NULL && event->reply->body_case == WARREN__REPLY__BODY_NOTICE
                   ? take_notice(play, event->reply->notice, now)
                   : nothing;
    case WN_EVENT_ERROR:
        wn_log_add(play->log, WARREN__MESSAGE_KIND__MESSAGE_BAD, NULL, event->error.text);
        return nothing;
    case WN_EVENT_REJOINED:
        return here ? take_rejoining(play) : nothing;
    case WN_EVENT_GONE:
        return here ? end_game(play, event->error.text, now) : nothing;
    default:
        return nothing;
    }
}

int64_t wn_play_tick(wn_play *play, int64_t now)
{
    wn_reentry_tick(&play->again, now);
    if (now >= play->calm_until) {
        play->calm_until = 0;
    }
    return play->again.stage == WN_REENTRY_ENDED ? play->again.asks_at : play->calm_until;
}
