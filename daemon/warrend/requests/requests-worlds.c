/* requests-worlds.c: modes and worlds: list, create, close.
 */
#include "requests/request.h"

#include <sys/random.h>
#include <time.h>

#include "access/access.h"
#include "access/accounts.h"
#include "memory.h"
#include "modes/mode-files.h"
#include "modes/modes.h"
#include "modes/settings.h"
#include "network/control.h"
#include "operation/stop.h"
#include "sessions/sessions.h"
#include "worlds/bots.h"
#include "worlds/directory.h"
#include "worlds/loading.h"
#include "worlds/own-settings.h"

enum {
    LIST_ARENA_BYTES = 256 << 20, /* settings of all worlds, while a list is made */
    MODES_LOG_S = 3600
};

/* Of modes with long descriptions some may fit into no list: the longest are left out first, so that none keeps others
 * out. */
static void cut_modes(const Warren__Reply *reply, Warren__ModeList *list)
{
    static wn_log_pace said;
    while (list->n_modes > 0 && !wn_request_fits(reply)) {
        size_t longest = 0, most = 0;
        for (size_t i = 0; i < list->n_modes; i++) {
            const size_t size = warren__mode__get_packed_size(list->modes[i]);
            longest = size > most ? i : longest;
            most = size > most ? size : most;
        }
        if (wn_log_again(&said, MODES_LOG_S)) {
            wn_log_line(WN_LEVEL_WARNING, "host",
                        "the list of modes has no room for all: %s is left out, its description has %zu bytes",
                        list->modes[longest]->name, most);
        }
        list->modes[longest] = list->modes[--list->n_modes];
    }
}

bool wn_request_list_modes(wn_context *at)
{
    Warren__ModeList list = WARREN__MODE_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__Mode **modes = wn_must_zero(at->daemon->mode_count + 1, sizeof *modes);
    for (size_t i = 0; i < at->daemon->mode_count; i++) {
        const wn_installed_mode *mode = at->daemon->modes[i];
        if (mode->descriptor != NULL && !mode->given_up) {
            modes[list.n_modes++] = mode->descriptor;
        }
    }
    list.modes = modes;
    message.body_case = WARREN__REPLY__BODY_MODES;
    message.modes = &list;
    cut_modes(&message, &list);
    wn_request_reply(at, &message);
    free(modes);
    return true;
}

bool wn_request_list_worlds(wn_context *at)
{
    wn_arena *arena = wn_must(wn_arena_new(LIST_ARENA_BYTES));
    const size_t count = zhashx_size(at->daemon->games);
    Warren__WorldList list = WARREN__WORLD_LIST__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__WorldInfo *infos = wn_must_zero(count + 1, sizeof *infos);
    Warren__WorldInfo **worlds = wn_must_zero(count + 1, sizeof *worlds);
    for (const wn_game *game = zhashx_first(at->daemon->games); game != NULL; game = zhashx_next(at->daemon->games)) {
        if (!wn_access_sees(at->daemon, at->peer, game)) {
            continue;
        }
        wn_game_describe(game, wn_request_may_manage(at, game), arena, &infos[list.n_worlds]);
        worlds[list.n_worlds] = &infos[list.n_worlds];
        list.n_worlds++;
    }
    list.worlds = worlds;
    message.body_case = WARREN__REPLY__BODY_WORLDS;
    message.worlds = &list;
    if (!wn_request_fits(&message)) {
        for (size_t i = 0; i < list.n_worlds; i++) {
            worlds[i]->n_settings = 0; /* of very many worlds only what tells them apart */
        }
    }
    list.left_out = wn_request_cut(&message, &list.n_worlds);
    list.has_left_out = list.left_out > 0;
    wn_request_reply(at, &message);
    free(worlds);
    free(infos);
    wn_arena_free(arena);
    return true;
}

static bool check_create(wn_context *at, wn_installed_mode **mode)
{
    const Warren__CreateWorld *create = at->request->create;
    const wn_config *config = at->daemon->config;
    if (wn_drain_refuses(at->daemon, &at->error)) {
        return false;
    }
    *mode = wn_modes_lookup(at->daemon, create->mode);
    if (*mode == NULL) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "mode", 0,
                            "there is no mode named %s; \"warrenctl modes\" lists those there are", create->mode);
    }
    if ((*mode)->given_up) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "mode", 0,
                            "mode %s is out of order: %.400s", create->mode, (*mode)->failure);
    }
    if ((*mode)->descriptor == NULL) {
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE,
                               "the mode is being loaded: try again in a moment");
    }
    if (create->name != NULL && wn_game_by_name(at->daemon, create->name) != NULL) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NAME_TAKEN, "name", 0,
                            "there is a world named %s already; choose another name", create->name);
    }
    if (create->name != NULL && strlen(create->name) > config->name_bytes) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "name_bytes", config->name_bytes,
                            "a world's name has at most %u bytes here", config->name_bytes);
    }
    if (zhashx_size(at->daemon->games) >= config->worlds) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "worlds", config->worlds,
                            "the server holds %u worlds, as many as it may; close one first", config->worlds);
    }
    if (!at->peer->admin && wn_games_owned(at->daemon, at->session) >= config->worlds_per_player) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "worlds_per_player", config->worlds_per_player,
                            "you own %u worlds, as many as you may; close one first", config->worlds_per_player);
    }
    return wn_accounts_may_make_world(at->daemon, at->peer, &at->error);
}

/* MODE-N with the first N that is free. */
static void choose_world_name(wn_daemon *daemon, const char *mode, char *name)
{
    size_t number = 1;
    do {
        snprintf(name, WN_NAME_BYTES + 1, "%.20s-%zu", mode, number++);
    } while (wn_game_by_name(daemon, name) != NULL);
}

static uint64_t draw_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        seed = (uint64_t)time(NULL);
    }
    return seed;
}

/* Writes the world down, takes it into the directory and sends it to its host. The WorldInfo is sent when the host has
 * made it. */
static bool make_world(wn_context *at, wn_installed_mode *mode, char **values, char **contents)
{
    const Warren__CreateWorld *create = at->request->create;
    const size_t count = mode->descriptor->n_settings;
    wn_stored_setting *settings = wn_must_zero(count + 1, sizeof *settings);
    char name[WN_NAME_BYTES + 1];
    for (size_t i = 0; i < count; i++) {
        settings[i].name = mode->descriptor->settings[i]->name;
        settings[i].value = contents[i] != NULL ? contents[i] : values[i];
        settings[i].file = contents[i] != NULL ? values[i] : "";
    }
    choose_world_name(at->daemon, mode->name, name);
    wn_stored_world stored = {
        .name = create->name != NULL ? create->name : name,
        .mode = mode->name,
        .owner = wn_session_owner(at->session),
        .seed = create->has_seed ? create->seed : draw_seed(),
        .created = (int64_t)time(NULL),
        .settings = settings,
        .setting_count = count,
    };
    const bool made = wn_store_create_world(at->daemon->store, &stored, &at->error);
    if (made) {
        wn_accounts_made_world(at->peer);
        wn_game *game = wn_game_new(at->daemon, &stored, mode);
        wn_access_own(at->daemon, game, at->session);
        wn_request_wait_for(at, game, WN_ASKED_CREATE);
        wn_log_text owner;
        wn_log_line(WN_LEVEL_INFO, "world", "created world=%s mode=%s owner=%s", game->name, mode->name,
                    wn_log_value(&owner, game->owner));
        wn_loading_begin(game);
    }
    free(settings);
    return made;
}

/* What is in the files that the values name; NULL for the other settings. */
static bool read_files(wn_context *at, const wn_installed_mode *mode, char *const *values, char **contents)
{
    for (size_t i = 0; i < mode->descriptor->n_settings; i++) {
        const Warren__Setting *setting = mode->descriptor->settings[i];
        if (setting->type != WARREN__SETTING_TYPE__SETTING_FILE || values[i][0] == '\0') {
            continue;
        }
        contents[i] = wn_mode_file_read(mode, setting->name, values[i], &at->error);
        if (contents[i] == NULL) {
            return false;
        }
    }
    return true;
}

static bool check_bots(wn_context *at, const wn_installed_mode *mode, char *const *values)
{
    uint32_t bots = 0;
    for (size_t i = 0; i < mode->descriptor->n_settings; i++) {
        if (wn_own_find(mode, mode->descriptor->settings[i]->name) == WN_OWN_BOTS) {
            bots = (uint32_t)strtoul(values[i], NULL, 10);
        }
    }
    return wn_bots_allowed(at->daemon, at->peer, NULL, bots, &at->error);
}

bool wn_request_create(wn_context *at)
{
    wn_installed_mode *mode = NULL;
    if (!check_create(at, &mode)) {
        return false;
    }
    char **values = wn_settings_resolve(mode->descriptor, at->request->create->settings,
                                        at->request->create->n_settings, &at->error);
    if (values == NULL) {
        return false;
    }
    char **contents = wn_must_zero(mode->descriptor->n_settings + 1, sizeof *contents);
    const bool made = check_bots(at, mode, values) && read_files(at, mode, values, contents) &&
                      make_world(at, mode, values, contents);
    wn_settings_free(contents, mode->descriptor->n_settings);
    wn_settings_free(values, mode->descriptor->n_settings);
    return made;
}

/* Who waits for a seat in it, or for it to be made. */
static void tell_waiting(wn_game *game)
{
    wn_error error;
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "world", 0, "%s was closed", game->name);
    wn_loading_tell_asker(game, &error);
    wn_request_refuse_waiting(game, &error);
}

bool wn_request_close_world(wn_context *at)
{
    wn_game *game = wn_request_game(at, at->request->close->world);
    if (game == NULL) {
        return false;
    }
    if (!wn_request_may_manage(at, game)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "world", 0,
                            "only %s%swho owns %s, its hosts and administrators may close it", game->owner,
                            game->owner[0] != '\0' ? ", " : "", game->name);
    }
    if (!wn_store_delete_world(at->daemon->store, game->id, &at->error)) {
        return false;
    }
    wn_log_text player;
    wn_log_line(WN_LEVEL_INFO, "world", "closed world=%s player=%s", game->name,
                wn_log_value(&player, at->session->player));
    wn_access_forget_world(at->daemon, game);
    tell_waiting(game);
    wn_sessions_notice_game(at->daemon, game, WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED, "the world was closed");
    wn_sessions_forget_game(at->daemon, game);
    wn_installed_mode *mode = game->mode;
    wn_game_free(game);
    if (mode != NULL) {
        wn_loading_go_on(mode);
    }
    return wn_request_done(at);
}
