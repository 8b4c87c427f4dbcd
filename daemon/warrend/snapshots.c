/* snapshots.c: when worlds are saved. See snapshots.h.
 */
#include "snapshots.h"

#include "directory.h"
#include "hosts.h"

static void ask_to_save(wn_game *game)
{
    Warren__Host__SaveWorld save = WARREN__HOST__SAVE_WORLD__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_SAVE;
    message.save = &save;
    save.world = game->id;
    game->saving = true;
    wn_host_send(game->mode, &message, true);
}

/* Its host may have died, or given it up, after it answered. */
static bool is_served(const wn_game *game)
{
    return game->state == WN_GAME_RUNNING || game->state == WN_GAME_OVER;
}

void wn_snapshots_after_turn(wn_game *game)
{
    const wn_config *config = game->daemon->config;
    const bool long_enough = game->entries >= config->snapshot_turns || game->entry_bytes >= config->snapshot_bytes;
    if (is_served(game) && long_enough && !game->saving && !game->unsavable) {
        ask_to_save(game);
    }
}

bool wn_snapshots_ask(wn_game *game)
{
    if (!is_served(game) || game->unsavable || (game->entries == 0 && !game->saving)) {
        return false;
    }
    if (!game->saving) {
        ask_to_save(game);
    }
    return true;
}

void wn_snapshots_ask_all(wn_daemon *daemon)
{
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        wn_snapshots_ask(game);
    }
}

bool wn_snapshots_all_there(wn_daemon *daemon)
{
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        if (is_served(game) && (game->saving || game->in_flight)) {
            return false;
        }
    }
    return true;
}

/* The snapshot holds every turn up to its own, so their entries must be in the store before they are trimmed: like a
 * turn, it is held until the commit. */
void wn_snapshots_saved(wn_daemon *daemon, const Warren__Host__Saved *saved)
{
    wn_error error;
    wn_game *game = wn_game_by_id(daemon, saved->world);
    if (game == NULL || !game->saving || saved->turn > game->turn) {
        return;
    }
    const wn_installed_mode *mode = game->mode;
    game->saving = false;
    if (saved->error != NULL) {
        wn_log_line(WN_LEVEL_ERROR, "world", "no snapshot: %s world=%s", saved->error, game->name);
        return;
    }
    const char *version = mode->descriptor->version != NULL ? mode->descriptor->version : "";
    if (!wn_store_put_snapshot(daemon->store, game->id, saved->turn, version, mode->build, saved->snapshot.data,
                               saved->snapshot.len, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "no snapshot: %s world=%s", error.text, game->name);
        return;
    }
    game->snapshot_turn = saved->turn;
    game->entries = game->turn > saved->turn ? (uint32_t)(game->turn - saved->turn) : 0;
    game->entry_bytes = 0;
}
