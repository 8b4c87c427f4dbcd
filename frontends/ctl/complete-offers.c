/* complete-offers.c: what a server has that may stand on a command line. See complete-offers.h.
 */
#include "complete-offers.h"

#include <stdio.h>
#include <string.h>

#include "session.h"

enum { TIMEOUT_MS = 1000 };

void wn_offer(const wn_offers *at, const char *word)
{
    if (strncmp(word, at->last, strlen(at->last)) == 0) {
        puts(word);
    }
}

/* worlds, players, modes */

static const Warren__WorldList *ask_worlds(wn_session *session)
{
    const Warren__Reply *reply =
        wn_session_answer(session, wn_client_list_worlds(session->client), WARREN__REPLY__BODY_WORLDS);
    return reply != NULL ? reply->worlds : NULL;
}

static void offer_worlds(const wn_offers *at, wn_session *session)
{
    const Warren__WorldList *worlds = ask_worlds(session);
    for (size_t i = 0; worlds != NULL && i < worlds->n_worlds; i++) {
        wn_offer(at, worlds->worlds[i]->name);
    }
}

static void offer_parked(const wn_offers *at, wn_session *session)
{
    const Warren__WorldList *worlds = ask_worlds(session);
    for (size_t i = 0; worlds != NULL && i < worlds->n_worlds; i++) {
        if (worlds->worlds[i]->state == WARREN__WORLD_STATE__WORLD_PARKED) {
            wn_offer(at, worlds->worlds[i]->name);
        }
    }
}

static void offer_players(const wn_offers *at, wn_session *session)
{
    const Warren__Reply *reply =
        wn_session_answer(session, wn_client_list_players(session->client, NULL), WARREN__REPLY__BODY_PLAYERS);
    for (size_t i = 0; reply != NULL && i < reply->players->n_players; i++) {
        wn_offer(at, reply->players->players[i]->player);
    }
    for (size_t i = 0; reply != NULL && i < reply->players->n_watchers; i++) {
        wn_offer(at, reply->players->watchers[i]->player);
    }
}

static const Warren__ModeList *ask_modes(wn_session *session)
{
    const Warren__Reply *reply =
        wn_session_answer(session, wn_client_list_modes(session->client), WARREN__REPLY__BODY_MODES);
    return reply != NULL ? reply->modes : NULL;
}

static void offer_modes(const wn_offers *at, wn_session *session)
{
    const Warren__ModeList *modes = ask_modes(session);
    for (size_t i = 0; modes != NULL && i < modes->n_modes; i++) {
        wn_offer(at, modes->modes[i]->name);
    }
}

/* settings */

static void offer_value(const wn_offers *at, const Warren__Setting *setting, const char *value)
{
    char word[2 * WN_NAME_BYTES + 2];
    snprintf(word, sizeof word, "%.*s=%.*s", WN_NAME_BYTES, setting->name, WN_NAME_BYTES, value);
    wn_offer(at, word);
}

/* Before the "=" its name, behind it the words that it takes; numbers and texts are for whoever types. */
static void offer_setting(const wn_offers *at, const Warren__Setting *setting)
{
    const size_t length = strlen(setting->name);
    if (strncmp(at->last, setting->name, length) != 0 || at->last[length] != '=') {
        offer_value(at, setting, "");
        return;
    }
    for (size_t i = 0; i < setting->n_choices; i++) {
        offer_value(at, setting, setting->choices[i]);
    }
    if (setting->type == WARREN__SETTING_TYPE__SETTING_BOOLEAN) {
        offer_value(at, setting, "yes");
        offer_value(at, setting, "no");
    }
}

static bool was_given(const wn_offers *at, const Warren__Setting *setting)
{
    const size_t length = strlen(setting->name);
    for (int i = 1; i < at->word_count; i++) {
        if (strncmp(at->words[i], setting->name, length) == 0 && at->words[i][length] == '=') {
            return true;
        }
    }
    return false;
}

/* Of the mode that is named, or of that of the world that is: of this one only those that can be changed. */
static void offer_settings(const wn_offers *at, wn_session *session)
{
    const bool changes = strcmp(at->command, "change") == 0;
    const char *named = at->word_count > 0 ? at->words[0] : "";
    char mode[WN_NAME_BYTES + 1] = "";
    snprintf(mode, sizeof mode, "%.*s", WN_NAME_BYTES, changes ? "" : named);
    const Warren__WorldList *worlds = changes ? ask_worlds(session) : NULL;
    for (size_t i = 0; worlds != NULL && i < worlds->n_worlds; i++) {
        if (strcmp(worlds->worlds[i]->name, named) == 0) {
            snprintf(mode, sizeof mode, "%s", worlds->worlds[i]->mode);
        }
    }
    const Warren__ModeList *modes = ask_modes(session);
    for (size_t i = 0; modes != NULL && i < modes->n_modes; i++) {
        for (size_t j = 0; strcmp(modes->modes[i]->name, mode) == 0 && j < modes->modes[i]->n_settings; j++) {
            const Warren__Setting *setting = modes->modes[i]->settings[j];
            if ((!changes || setting->changeable) && !was_given(at, setting)) {
                offer_setting(at, setting);
            }
        }
    }
}

/* rights, bans, names */

static const Warren__AccessList *ask_access(wn_session *session)
{
    const Warren__Reply *reply =
        wn_session_answer(session, wn_client_list_access(session->client, NULL), WARREN__REPLY__BODY_ACCESS);
    return reply != NULL ? reply->access : NULL;
}

/* Whom there are such rules about that can be taken back: as the list has them, and by the names that are theirs. */
static void offer_subjects(const wn_offers *at, wn_session *session, bool bans)
{
    const Warren__AccessList *list = ask_access(session);
    for (size_t i = 0; list != NULL && i < list->n_rules; i++) {
        const Warren__AccessRule *rule = list->rules[i];
        if (rule->configured || (rule->role == WARREN__ROLE__ROLE_NONE) != bans) {
            continue;
        }
        wn_offer(at, rule->who);
        for (size_t j = 0; j < list->n_names; j++) {
            if (strcmp(list->names[j]->who, rule->who) == 0) {
                wn_offer(at, list->names[j]->player);
            }
        }
    }
}

static void offer_banned(const wn_offers *at, wn_session *session)
{
    offer_subjects(at, session, true);
}

static void offer_granted(const wn_offers *at, wn_session *session)
{
    offer_subjects(at, session, false);
}

static void offer_names(const wn_offers *at, wn_session *session)
{
    const Warren__AccessList *list = ask_access(session);
    for (size_t i = 0; list != NULL && i < list->n_names; i++) {
        wn_offer(at, list->names[i]->player);
    }
}

/* the table */

/* Words of the help that stand for something of the server: the first that fits. */
static const struct {
    const char *command; /* NULL: of any */
    const char *word;
    void (*offer)(const wn_offers *at, wn_session *session);
} known[] = {
    {"unban", "WHO", offer_banned},     {"revoke", "WHO", offer_granted},   {"release", "NAME", offer_names},
    {"create", "NAME", offer_settings}, /* for it may be left out */
    {"unpark", "WORLD", offer_parked},  {"recover", "WORLD", offer_parked}, {NULL, "SETTING=VALUE", offer_settings},
    {NULL, "WORLD", offer_worlds},      {NULL, "PLAYER", offer_players},    {NULL, "WHO", offer_players},
    {NULL, "MODE", offer_modes},
};

bool wn_offer_known(const wn_offers *at, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].word) == length && strncmp(known[i].word, word, length) == 0 &&
            (known[i].command == NULL || strcmp(known[i].command, at->command) == 0)) {
            wn_session session;
            if (wn_session_open(&session, at->server, NULL, TIMEOUT_MS)) {
                known[i].offer(at, &session);
            }
            wn_session_close(&session);
            return true;
        }
    }
    return false;
}
