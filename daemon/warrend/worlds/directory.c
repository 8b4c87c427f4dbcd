/* directory.c: the worlds there are. See directory.h.
 */
#include "worlds/directory.h"

#include "worlds/bots.h"

#include "map.h"
#include "memory.h"
#include "modes/hosts.h"
#include "modes/modes.h"
#include "modes/settings.h"
#include "modes/worker.h"
#include "network/publish.h"
#include "sessions/sessions.h"
#include "worlds/loading.h"
#include "worlds/own-settings.h"
#include "worlds/turns.h"

/* lookup */

static size_t id_hash(const void *key)
{
    return (size_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
}

static int id_compare(const void *one, const void *other)
{
    return one == other ? 0 : 1;
}

static const void *id_key(uint32_t id)
{
    return (const void *)(uintptr_t)id;
}

void wn_directory_open(wn_daemon *daemon)
{
    daemon->games = wn_map_new(id_hash, id_compare);
    daemon->games_by_name = zhashx_new();
}

void wn_directory_close(wn_daemon *daemon)
{
    wn_game *game = NULL;
    while (daemon->games != NULL && (game = zhashx_first(daemon->games)) != NULL) {
        wn_game_free(game);
    }
    zhashx_destroy(&daemon->games);
    zhashx_destroy(&daemon->games_by_name);
    free(daemon->due);
}

wn_game *wn_game_by_id(wn_daemon *daemon, uint32_t id)
{
    /* Ids begin with 1, and the map takes no NULL for a key. */
    return id != 0 ? zhashx_lookup(daemon->games, id_key(id)) : NULL;
}

wn_game *wn_game_by_name(wn_daemon *daemon, const char *name)
{
    return zhashx_lookup(daemon->games_by_name, name);
}

bool wn_game_is_served(const wn_game *game)
{
    return game->state == WN_GAME_RUNNING || game->state == WN_GAME_OVER;
}

uint32_t wn_games_owned(wn_daemon *daemon, const wn_session *session)
{
    uint32_t owned = 0;
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        owned += wn_session_owns(daemon, session, game) ? 1 : 0;
    }
    return owned;
}

/* make and release */

wn_game *wn_game_new(wn_daemon *daemon, const wn_stored_world *stored, wn_installed_mode *mode)
{
    wn_game *game = wn_must_zero(1, sizeof *game);
    game->daemon = daemon;
    game->mode = mode;
    game->id = stored->id;
    game->seed = stored->seed;
    game->created = stored->created;
    game->turn = stored->turn;
    snprintf(game->name, sizeof game->name, "%s", stored->name);
    snprintf(game->owner, sizeof game->owner, "%s", stored->owner != NULL ? stored->owner : "");
    game->settings = wn_must_zero(stored->setting_count + 1, sizeof *game->settings);
    game->setting_count = stored->setting_count;
    for (size_t i = 0; i < stored->setting_count; i++) {
        const wn_stored_setting *setting = &stored->settings[i];
        game->settings[i].name = wn_must_copy(setting->name);
        game->settings[i].value = wn_must_copy(setting->value);
        game->settings[i].file = wn_must_copy(setting->file != NULL ? setting->file : "");
    }
    if (stored->outcome != NULL) {
        game->outcome = wn_must_copy(stored->outcome);
    }
    snprintf(game->build, sizeof game->build, "%s", stored->build != NULL ? stored->build : "");
    game->state = stored->parked || mode == NULL ? WN_GAME_PARKED : WN_GAME_STARTING;
    game->spectators = wn_published_view_new(game, -1);
    zhashx_insert(daemon->games, id_key(game->id), game);
    zhashx_insert(daemon->games_by_name, game->name, game);
    if (mode != NULL) {
        wn_mode_add_game(mode, game);
    }
    return game;
}

static void forget_due(wn_game *game)
{
    for (size_t i = 0; i < game->daemon->due_count; i++) {
        if (game->daemon->due[i] == game) {
            game->daemon->due[i] = NULL;
        }
    }
}

void wn_game_destroy_in_host(const wn_game *game)
{
    Warren__Host__DestroyWorld destroy = WARREN__HOST__DESTROY_WORLD__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_DESTROY;
    message.destroy = &destroy;
    destroy.world = game->id;
    wn_host_send(game->mode, &message, false);
}

void wn_game_free(wn_game *game)
{
    wn_daemon *daemon = game->daemon;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        wn_seat_free(game, i);
    }
    wn_published_view_free(game->spectators);
    wn_bots_stop(game);
    wn_worker_forget(game);
    if (game->mode != NULL) {
        wn_game_destroy_in_host(game);
        wn_loading_forget(game);
        wn_mode_remove_game(game->mode, game);
    }
    if (game->due) {
        forget_due(game);
    }
    zhashx_delete(daemon->games, id_key(game->id));
    zhashx_delete(daemon->games_by_name, game->name);
    for (size_t i = 0; i < game->pending_count; i++) {
        free(game->pending[i].text);
    }
    for (size_t i = 0; i < game->setting_count; i++) {
        free(game->settings[i].name);
        free(game->settings[i].value);
        free(game->settings[i].file);
    }
    zlistx_destroy(&game->rules);
    wn_timer_free(game->wake);
    wn_buffer_free(&game->flight);
    free(game->settings);
    free(game->pending);
    free(game->seats);
    free(game->joins);
    free(game->outcome);
    free(game);
}

/* seats */

wn_seat *wn_seat_at(wn_game *game, uint32_t seat)
{
    if (game->seats == NULL && wn_game_knows_mode(game)) {
        game->seat_count = game->mode->descriptor->max_seats;
        game->seats = wn_must_zero(game->seat_count, sizeof *game->seats);
    }
    return seat < game->seat_count ? &game->seats[seat] : NULL;
}

void wn_seat_free(wn_game *game, uint32_t seat)
{
    wn_seat *gone = &game->seats[seat];
    if (gone->state == WN_SEAT_FREE) {
        return;
    }
    if (gone->session != NULL) {
        wn_session_drop_seat(gone->session, game, seat);
    }
    game->seats_unsettled -= gone->state != WN_SEAT_TAKEN ? 1 : 0;
    game->commands_queued -= gone->queue_count;
    wn_turns_forget_seat(game, seat);
    wn_published_view_free(gone->view);
    free(gone->queue);
    memset(gone, 0, sizeof *gone);
    game->seats_taken--;
    game->daemon->seats_taken--;
}

/* describe */

static const char *default_of(const Warren__Mode *mode, const char *setting)
{
    const size_t i = mode != NULL ? wn_setting_find(mode, setting) : 0;
    return mode != NULL && i < mode->n_settings ? mode->settings[i]->standard : NULL;
}

/* Those that differ from the mode's default. */
static void describe_settings(const wn_game *game, wn_arena *arena, Warren__WorldInfo *info)
{
    const Warren__Mode *mode = game->mode != NULL ? game->mode->descriptor : NULL;
    Warren__SettingValue *values = wn_must(wn_arena_take(arena, (game->setting_count + 1) * sizeof *values));
    info->settings = wn_must(wn_arena_take(arena, (game->setting_count + 1) * sizeof(Warren__SettingValue *)));
    for (size_t i = 0; i < game->setting_count; i++) {
        const struct wn_game_setting *setting = &game->settings[i];
        const char *shown = setting->file[0] != '\0' ? setting->file : setting->value;
        const char *standard = default_of(mode, setting->name);
        if (standard != NULL && strcmp(standard, shown) == 0) {
            continue;
        }
        Warren__SettingValue *value = &values[info->n_settings];
        warren__setting_value__init(value);
        value->name = setting->name;
        value->value = (char *)(uintptr_t)shown;
        info->settings[info->n_settings++] = value;
    }
}

Warren__SettingValue **wn_game_host_settings(const wn_game *game, wn_arena *arena, size_t *count)
{
    Warren__SettingValue *values = wn_must(wn_arena_take(arena, (game->setting_count + 1) * sizeof *values));
    Warren__SettingValue **list = wn_must(wn_arena_take(arena, (game->setting_count + 1) * sizeof *list));
    *count = 0;
    for (size_t i = 0; i < game->setting_count; i++) {
        const struct wn_game_setting *setting = &game->settings[i];
        if (wn_own_find(game->mode, setting->name) != WN_OWN_SETTINGS) {
            continue;
        }
        Warren__SettingValue *value = list[*count] = &values[*count];
        warren__setting_value__init(value);
        value->name = setting->name;
        value->value = setting->value;
        value->file = setting->file[0] != '\0' ? setting->file : NULL;
        ++*count;
    }
    return list;
}

void wn_game_describe(const wn_game *game, bool secrets, wn_arena *arena, Warren__WorldInfo *info)
{
    static const Warren__WorldState states[] = {
        [WN_GAME_STARTING] = WARREN__WORLD_STATE__WORLD_STARTING,
        [WN_GAME_RUNNING] = WARREN__WORLD_STATE__WORLD_RUNNING,
        [WN_GAME_OVER] = WARREN__WORLD_STATE__WORLD_OVER,
        [WN_GAME_PARKED] = WARREN__WORLD_STATE__WORLD_PARKED,
    };
    warren__world_info__init(info);
    info->id = game->id;
    info->name = (char *)(uintptr_t)game->name;
    info->mode = game->mode != NULL ? game->mode->name : (char *)(uintptr_t) "?";
    info->has_state = true;
    info->state = states[game->state];
    info->has_players = true;
    info->players = game->seats_taken;
    info->has_max_players = wn_game_knows_mode(game);
    info->max_players = info->has_max_players ? game->mode->descriptor->max_seats : 0;
    info->has_watchers = true;
    info->watchers = game->watchers;
    info->has_turn = true;
    info->turn = game->turn;
    info->has_created = true;
    info->created = game->created;
    info->owner = (char *)(uintptr_t)game->owner;
    info->outcome = game->outcome;
    info->has_seed = secrets;
    info->seed = game->seed;
    info->has_awaits_recovery = info->awaits_recovery = game->state == WN_GAME_PARKED && game->awaits_recovery;
    describe_settings(game, arena, info);
}

void wn_game_set_over(wn_game *game, wn_game_state state, const char *outcome, bool stored)
{
    wn_bots_stop(game);
    wn_daemon *daemon = game->daemon;
    wn_error error;
    free(game->outcome);
    game->outcome = wn_must_copy(outcome);
    game->state = state;
    if (game->wake != NULL) {
        wn_timer_stop(game->wake);
    }
    if (stored && !wn_store_set_outcome(daemon->store, game->id, outcome, state == WN_GAME_PARKED, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "the outcome is not written down: %s world=%s", error.text, game->name);
    }
    wn_log_line(state == WN_GAME_PARKED ? WN_LEVEL_WARNING : WN_LEVEL_INFO, "world", "%s: %s world=%s",
                state == WN_GAME_PARKED ? "parked" : "over", outcome, game->name);
    wn_sessions_notice_game(daemon, game, WARREN__NOTICE_KIND__NOTICE_WORLD_OVER, outcome);
    wn_fail_with(&error,
                 state == WN_GAME_OVER ? WARREN__ERROR_CODE__ERROR_WORLD_OVER : WARREN__ERROR_CODE__ERROR_MODE_FAILED,
                 "world", 0, "%s", outcome);
    wn_turns_refuse_waiting(game, &error);
}
