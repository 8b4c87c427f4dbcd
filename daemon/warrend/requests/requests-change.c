/* requests-change.c: settings of a world that there is: the daemon's own, since the world was made of the mode's.
 */
#include "requests/request.h"

#include "access/access.h"
#include "memory.h"
#include "modes/settings.h"
#include "network/control.h"
#include "worlds/bots.h"
#include "worlds/directory.h"
#include "worlds/own-settings.h"

enum { DESCRIBE_ARENA_BYTES = 64 << 20 };

/* What is to change, in the form that is kept. */
typedef struct change {
    wn_stored_setting settings[WN_OWN_SETTINGS];
    char values[WN_OWN_SETTINGS][WN_TEXT_BYTES + 1];
    size_t count;
    bool has[WN_OWN_SETTINGS];
} change;

/* "bots, title, join" */
static void name_changeable(const wn_installed_mode *mode, char *text, size_t size)
{
    const Warren__Mode *descriptor = mode->descriptor;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < descriptor->n_settings && used < size; i++) {
        if (wn_own_find(mode, descriptor->settings[i]->name) != WN_OWN_SETTINGS) {
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", descriptor->settings[i]->name);
        }
    }
}

/* The daemon's own are, and no other: what the mode's description says of that is not asked. NULL with the error filled
 * in: it is none of them. */
static const Warren__Setting *find_changeable(wn_context *at, const wn_game *game, const char *name, wn_own *which)
{
    const Warren__Mode *mode = game->mode->descriptor;
    const size_t found = wn_setting_find(mode, name);
    *which = wn_own_find(game->mode, name);
    if (found < mode->n_settings && *which != WN_OWN_SETTINGS) {
        return mode->settings[found];
    }
    char changeable[200];
    name_changeable(game->mode, changeable, sizeof changeable);
    wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, name, 0,
                 found < mode->n_settings ? "%s was made with its %s, which stays: make a new world for another. "
                                            "What can be changed: %s"
                                          : "%s has no setting named %s. What can be changed: %s",
                 game->name, name, changeable);
    return NULL;
}

static bool take(wn_context *at, const wn_game *game, const Warren__SettingValue *given, change *to)
{
    wn_own which = WN_OWN_SETTINGS;
    const Warren__Setting *setting = find_changeable(at, game, given->name, &which);
    if (setting == NULL) {
        return false;
    }
    if (to->has[which]) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, given->name, 0, "%s is given twice",
                            given->name);
    }
    char *value = to->values[to->count];
    if (!wn_setting_check(setting, given->value, value, &at->error)) {
        return false;
    }
    if (which == WN_OWN_BOTS && strtoul(value, NULL, 10) > wn_own_number(game, which) &&
        !wn_bots_allowed(at->daemon, at->peer, game, (uint32_t)strtoul(value, NULL, 10), &at->error)) {
        return false;
    }
    to->has[which] = true;
    to->settings[to->count++] = (wn_stored_setting){.name = setting->name, .value = value};
    return true;
}

static bool is_so_already(const wn_game *game, const change *made)
{
    for (size_t i = 0; i < made->count; i++) {
        if (!wn_own_is(game, wn_own_find(game->mode, made->settings[i].name), made->settings[i].value)) {
            return false;
        }
    }
    return true;
}

static void keep(wn_game *game, const wn_stored_setting *changed)
{
    size_t i = 0;
    while (i < game->setting_count && strcmp(game->settings[i].name, changed->name) != 0) {
        i++;
    }
    if (i == game->setting_count) { /* a world from before there was such a setting */
        game->settings = wn_must(realloc(game->settings, (i + 2) * sizeof *game->settings));
        game->settings[i] = (struct wn_game_setting){.name = wn_must_copy(changed->name), .file = wn_must_copy("")};
        game->setting_count++;
    }
    free(game->settings[i].value);
    game->settings[i].value = wn_must_copy(changed->value);
}

static void apply(wn_game *game, const change *made)
{
    for (size_t i = 0; i < made->count; i++) {
        keep(game, &made->settings[i]);
    }
    if (made->has[WN_OWN_BOTS]) {
        wn_bots_change(game);
    }
    if (made->has[WN_OWN_WATCH]) {
        wn_access_look_again(game->daemon, game);
    }
}

static bool describe(wn_context *at, const wn_game *game)
{
    wn_arena *arena = wn_must(wn_arena_new(DESCRIBE_ARENA_BYTES));
    Warren__WorldInfo info;
    Warren__Reply message = WARREN__REPLY__INIT;
    wn_game_describe(game, true, arena, &info);
    message.body_case = WARREN__REPLY__BODY_WORLD;
    message.world = &info;
    wn_request_reply(at, &message);
    wn_arena_free(arena);
    return true;
}

bool wn_request_change_world(wn_context *at)
{
    const Warren__ChangeWorld *asked = at->request->change;
    change made = {.count = 0};
    wn_game *game = wn_request_game(at, asked->world);
    if (game == NULL) {
        return false;
    }
    if (!wn_request_may_manage(at, game)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "world", 0,
                            "only who owns or hosts %s, and administrators, may change its settings", game->name);
    }
    if (!wn_game_knows_mode(game)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "world", 0,
                            "the mode of %s is not here (yet): its settings cannot be changed", game->name);
    }
    for (size_t i = 0; i < asked->n_settings; i++) {
        if (!take(at, game, asked->settings[i], &made)) {
            return false;
        }
    }
    if (is_so_already(game, &made)) {
        at->unchanged = true;
        return describe(at, game);
    }
    if (!wn_store_change_settings(at->daemon->store, game->id, made.settings, made.count, &at->error)) {
        return false;
    }
    apply(game, &made);
    return describe(at, game);
}
