/* snapshots.c: when worlds are saved. See snapshots.h.
 */
#include "worlds/snapshots.h"

#include "modes/hosts.h"
#include "worlds/directory.h"
#include "worlds/loading.h"

enum {
    AGAIN_MS = 60000,           /* after the mode said that it cannot save it, or the store that it has no room */
    SAVING_PATIENCE_MS = 60000, /* with a host that saves none of its worlds */
    ENTRY_BYTES = 16            /* of a turn in the journal, beside its inputs */
};

static void ask_to_save(wn_game *game)
{
    Warren__Host__SaveWorld save = WARREN__HOST__SAVE_WORLD__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_SAVE;
    message.save = &save;
    save.world = game->id;
    game->saving = true;
    game->saving_ms = wn_loop_now_ms(game->daemon->loop);
    wn_host_send(game->mode, &message, true);
}

bool wn_snapshots_awaited(const wn_game *game)
{
    const uint64_t asked = game->saving_ms, heard = game->mode != NULL ? game->mode->saved_ms : 0;
    const uint64_t since = wn_loop_now_ms(game->daemon->loop) - (asked > heard ? asked : heard);
    return wn_game_is_served(game) && game->saving && since < SAVING_PATIENCE_MS;
}

static uint64_t journal_bytes(const wn_game *game)
{
    return game->entry_bytes + (uint64_t)game->entries * ENTRY_BYTES;
}

/* The journal of a world that is not saved grows with each turn, of which its mode can make a thousand a second. */
static void park(wn_game *game)
{
    char outcome[WN_TEXT_BYTES];
    snprintf(outcome, sizeof outcome,
             "its mode does not save it: the journal since it was saved last has %u MiB, as many as it may "
             "(store.journal_mib); \"warrenctl recover %s snapshot\" goes back to then",
             game->daemon->config->journal_mib, game->name);
    wn_loading_park(game, outcome);
    wn_loading_go_on(game->mode);
}

void wn_snapshots_after_turn(wn_game *game)
{
    const wn_config *config = game->daemon->config;
    const uint64_t most = (uint64_t)config->journal_mib << 20;
    const bool long_enough = game->entries >= config->snapshot_turns || game->entry_bytes >= config->snapshot_bytes ||
                             journal_bytes(game) >= most / 2;
    const uint64_t now = wn_loop_now_ms(game->daemon->loop);
    if (!wn_game_is_served(game) || !long_enough) {
        return;
    }
    if (journal_bytes(game) >= most) {
        park(game);
    } else if (!game->saving && !game->unsavable && (game->unsaved_ms == 0 || now - game->unsaved_ms >= AGAIN_MS)) {
        ask_to_save(game);
    }
}

bool wn_snapshots_ask(wn_game *game)
{
    if (!wn_game_is_served(game) || game->unsavable || (game->entries == 0 && !game->saving)) {
        return false;
    }
    if (!wn_snapshots_awaited(game)) {
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
        if (wn_game_is_served(game) && (game->saving || game->in_flight)) {
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
    wn_installed_mode *mode = game->mode;
    mode->saved_ms = wn_loop_now_ms(daemon->loop);
    game->saving = false;
    game->unsaved_ms = 0;
    if (saved->error != NULL) {
        game->unsaved_ms = mode->saved_ms;
        wn_log_line(WN_LEVEL_ERROR, "world", "no snapshot: %s world=%s", saved->error, game->name);
        return;
    }
    const char *version = mode->descriptor->version != NULL ? mode->descriptor->version : "";
    if (!wn_store_put_snapshot(daemon->store, game->id, saved->turn, version, mode->build, saved->snapshot.data,
                               saved->snapshot.len, &error)) {
        game->unsaved_ms = mode->saved_ms;
        wn_log_line(WN_LEVEL_ERROR, "store", "no snapshot: %s world=%s", error.text, game->name);
        return;
    }
    game->snapshot_turn = saved->turn;
    game->entries = game->turn > saved->turn ? (uint32_t)(game->turn - saved->turn) : 0;
    game->entry_bytes = 0;
}
