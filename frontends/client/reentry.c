/* reentry.c: what follows when a seat was ended. See reentry.h. The question and its answers are those of BSD's
 * hunt(6).
 */
#include "reentry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "key.h"
#include "ways.h"
#include "world-list.h"

void wn_reentry_begin(wn_reentry *reentry, wn_client *client, const wn_replica *replica, uint32_t way,
                      const char *reason, int64_t now)
{
    wn_reentry_end(reentry, false);
    *reentry = (wn_reentry){.client = client,
                            .stage = WN_REENTRY_ENDED,
                            .world = replica->world,
                            .mode = (Warren__Mode *)wn_message_copy(&replica->mode->base),
                            .way = way,
                            .asks_at = now + WN_REENTRY_CALM_MS};
    snprintf(reentry->name, sizeof reentry->name, "%s", replica->name);
    snprintf(reentry->reason, sizeof reentry->reason, "%s", reason);
    reentry->watch_request = wn_client_watch(client, reentry->name);
}

void wn_reentry_end(wn_reentry *reentry, bool leaves)
{
    if (leaves) {
        wn_client_leave(reentry->client, reentry->world);
    }
    if (reentry->mode != NULL) {
        warren__mode__free_unpacked(reentry->mode, NULL);
    }
    *reentry = (wn_reentry){0};
}

void wn_reentry_tick(wn_reentry *reentry, int64_t now)
{
    if (reentry->stage == WN_REENTRY_ENDED && now >= reentry->asks_at) {
        reentry->stage = WN_REENTRY_ASKING;
    }
}

bool wn_reentry_has_ways(const wn_reentry *reentry)
{
    return reentry->mode != NULL && reentry->mode->n_entries > 1;
}

/* answers */

/* Who plays a world need not watch it as well, so the watching ends first. */
static void enter(wn_reentry *reentry, uint32_t way)
{
    wn_client_leave(reentry->client, reentry->world);
    reentry->trouble[0] = '\0';
    reentry->way = way;
    reentry->watch_request = 0;
    reentry->join_request = wn_client_join(reentry->client, reentry->name, way);
    reentry->stage = WN_REENTRY_ENTERING;
}

static void start_writing(wn_reentry *reentry)
{
    wn_edit_start(&reentry->message, "", wn_client_chat_bytes(reentry->client));
    reentry->trouble[0] = '\0';
    reentry->stage = WN_REENTRY_WRITING;
}

static wn_reentry_news asking_key(wn_reentry *reentry, uint32_t key)
{
    const uint32_t answer = key < 0x80 ? (uint32_t)tolower((int)key) : key;
    const int way = reentry->mode == NULL ? WN_NO_WAY : wn_way_by_key(reentry->mode, key);
    if (answer == 'n') {
        return WN_REENTRY_LEAVES;
    }
    if (answer == 'y') {
        enter(reentry, reentry->way);
    } else if (answer == 'w') {
        start_writing(reentry);
    } else if (answer == 'o' && wn_reentry_has_ways(reentry)) {
        reentry->stage = WN_REENTRY_CHOOSING;
    } else if (way != WN_NO_WAY) {
        enter(reentry, (uint32_t)way);
    } else {
        return WN_REENTRY_NOTHING;
    }
    return WN_REENTRY_TAKEN;
}

static wn_reentry_news choosing_key(wn_reentry *reentry, uint32_t key)
{
    const int way = wn_way_by_key(reentry->mode, key);
    if (way != WN_NO_WAY) {
        enter(reentry, (uint32_t)way);
    } else if (key == WN_KEY_ESCAPE) {
        reentry->stage = WN_REENTRY_ASKING;
    } else {
        return WN_REENTRY_NOTHING;
    }
    return WN_REENTRY_TAKEN;
}

static wn_reentry_news writing_key(wn_reentry *reentry, uint32_t key)
{
    if (key == WN_KEY_ENTER && reentry->message.length > 0) {
        reentry->say_request = wn_client_say(reentry->client, reentry->world, reentry->message.text);
    }
    if (key == WN_KEY_ENTER || key == WN_KEY_ESCAPE) {
        reentry->stage = WN_REENTRY_ASKING;
    } else {
        wn_edit_key(&reentry->message, key);
    }
    return WN_REENTRY_TAKEN;
}

wn_reentry_news wn_reentry_key(wn_reentry *reentry, uint32_t key)
{
    switch (reentry->stage) {
    case WN_REENTRY_ASKING:
        return asking_key(reentry, key);
    case WN_REENTRY_CHOOSING:
        return choosing_key(reentry, key);
    case WN_REENTRY_WRITING:
        return writing_key(reentry, key);
    default:
        return WN_REENTRY_NOTHING;
    }
}

/* events */

static wn_reentry_news refused(wn_reentry *reentry, const wn_error *error)
{
    snprintf(reentry->trouble, sizeof reentry->trouble, "%s", error->text);
    if (error->code == WARREN__ERROR_CODE__ERROR_WORLD_OVER || error->code == WARREN__ERROR_CODE__ERROR_NOT_FOUND) {
        return WN_REENTRY_NO_WAY;
    }
    reentry->stage = WN_REENTRY_ASKING;
    reentry->watch_request = wn_client_watch(reentry->client, reentry->name);
    return WN_REENTRY_TAKEN;
}

static bool answers(const wn_event *event, uint32_t request)
{
    return request != 0 && event->request == request;
}

wn_reentry_news wn_reentry_event(wn_reentry *reentry, const wn_event *event)
{
    const bool fails = event->kind == WN_EVENT_ERROR;
    if (reentry->stage == WN_REENTRY_OFF || (!fails && event->kind != WN_EVENT_REPLY)) {
        return WN_REENTRY_NOTHING;
    }
    if (answers(event, reentry->join_request)) {
        reentry->join_request = 0;
        return fails ? refused(reentry, &event->error) : WN_REENTRY_ENTERED;
    }
    if (answers(event, reentry->watch_request) && !fails) {
        return WN_REENTRY_WATCHING;
    }
    if (fails && (answers(event, reentry->watch_request) || answers(event, reentry->say_request))) {
        snprintf(reentry->trouble, sizeof reentry->trouble, "%s", event->error.text);
    }
    return fails ? WN_REENTRY_TAKEN : WN_REENTRY_NOTHING;
}

const wn_reentry_answer *wn_reentry_answers(const wn_reentry *reentry, size_t index)
{
    static const wn_reentry_answer answers[] = {{"y", "again", "enter again, in the same way"},
                                                {"n", "leave", "leave this world"},
                                                {"w", "write", "write a message to those who are in it"},
                                                {"o", "other way", "choose another way to enter"}};
    const size_t count = sizeof answers / sizeof *answers - (wn_reentry_has_ways(reentry) ? 0 : 1);
    return index < count ? &answers[index] : NULL;
}

void wn_reentry_brief(const wn_reentry *reentry, char *text, size_t size)
{
    const wn_reentry_answer *answer;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0;
         reentry->stage == WN_REENTRY_ASKING && used < size && (answer = wn_reentry_answers(reentry, i)) != NULL; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", i == 0 ? "" : ", ", answer->key, answer->brief);
    }
}

void wn_reentry_question(const wn_reentry *reentry, char *text, size_t size)
{
    const char *const questions[] = {
        [WN_REENTRY_OFF] = "",
        [WN_REENTRY_ENDED] = "",
        [WN_REENTRY_ASKING] = wn_reentry_has_ways(reentry) ? "Re-enter game [ynwo]?" : "Re-enter game [ynw]?",
        [WN_REENTRY_CHOOSING] = "In which way? (Esc: back)",
        [WN_REENTRY_WRITING] = "Message: ",
        [WN_REENTRY_ENTERING] = "Entering",
    };
    snprintf(text, size, "%s", questions[reentry->stage]);
}
