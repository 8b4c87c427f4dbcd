/* recovery.c: worlds into their hosts, from the store. See recovery.h.
 */
#include "recovery.h"

#include "control.h"
#include "directory.h"
#include "hosts.h"
#include "memory.h"
#include "publish.h"
#include "sessions.h"
#include "turns.h"

enum { CRASHES_BEFORE_PARKING = 3 };

/* ------------------------------------------------------------------------------------------------- out of the store */

static bool take_stored(void *context, const wn_stored_world *stored)
{
    wn_daemon *daemon = context;
    wn_host_process *host = wn_hosts_lookup(daemon, stored->mode);
    wn_game *game = wn_game_new(daemon, stored, host);
    if (host == NULL) {
        char outcome[WN_TEXT_BYTES];
        snprintf(outcome, sizeof outcome, "its mode %s is not installed", stored->mode);
        wn_game_set_over(game, WN_GAME_PARKED, outcome, false);
    }
    return true;
}

bool wn_recovery_read_store(wn_daemon *daemon, wn_error *error)
{
    return wn_store_list_worlds(daemon->store, take_stored, daemon, error);
}

bool wn_recovery_settled(wn_daemon *daemon)
{
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        if (game->state == WN_GAME_STARTING) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------- to the host */

static void send_create(wn_game *game, const wn_snapshot *snapshot)
{
    Warren__SettingValue *values = wn_must_zero(game->setting_count + 1, sizeof *values);
    Warren__SettingValue **settings = wn_must_zero(game->setting_count + 1, sizeof *settings);
    Warren__Host__CreateWorld create = WARREN__HOST__CREATE_WORLD__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    for (size_t i = 0; i < game->setting_count; i++) {
        warren__setting_value__init(&values[i]);
        values[i].name = game->settings[2 * i];
        values[i].value = game->settings[2 * i + 1];
        settings[i] = &values[i];
    }
    message.body_case = WARREN__HOST__TO_HOST__BODY_CREATE;
    message.create = &create;
    create.world = game->id;
    create.seed = game->seed;
    create.n_settings = game->setting_count;
    create.settings = settings;
    if (snapshot->turn > 0) {
        create.has_turn = true;
        create.turn = snapshot->turn;
        create.has_snapshot = true;
        create.snapshot.data = (uint8_t *)(uintptr_t)snapshot->bytes;
        create.snapshot.len = snapshot->size;
    }
    wn_host_send(game->host, &message, true);
    free(values);
    free(settings);
}

static bool send_entry(void *context, uint64_t turn, const void *bytes, size_t size, uint64_t hash)
{
    (void)hash;
    wn_game *game = context;
    wn_host_send_turn(game->host, game, turn, bytes, size, turn == game->replay_until ? WN_REPLAY_LAST : WN_REPLAY);
    game->entries++;
    return true;
}

static void park(wn_game *game, const char *outcome)
{
    wn_turns_drop_flight(game, outcome);
    wn_game_set_over(game, WN_GAME_PARKED, outcome, false);
    if (game->creator != NULL && game->creator->peer != NULL && game->create_request != 0) {
        wn_error error;
        wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, 0, "%s", outcome);
        wn_control_error(game->daemon, game->creator->peer, game->create_request, &error);
        game->create_request = 0;
    }
}

static void send_world(wn_game *game)
{
    wn_snapshot snapshot;
    wn_error error;
    if (!wn_store_get_snapshot(game->daemon->store, game->id, &snapshot, &error)) {
        park(game, error.text);
        return;
    }
    game->sent = true;
    game->replay_until = game->turn;
    game->entries = 0;
    send_create(game, &snapshot);
    if (!wn_store_read_journal(game->daemon->store, game->id, snapshot.turn, send_entry, game, &error)) {
        park(game, error.text);
    }
}

void wn_recovery_load_games(wn_host_process *host)
{
    for (size_t i = 0; host->pid != 0 && i < host->game_count; i++) {
        if (host->games[i]->state == WN_GAME_STARTING && !host->games[i]->sent) {
            send_world(host->games[i]);
        }
    }
}

void wn_recovery_load(wn_game *game)
{
    if (wn_timer_armed(game->host->restart)) {
        return;
    }
    wn_host_start(game->host);
    wn_recovery_load_games(game->host);
}

/* ----------------------------------------------------------------------------------------------------------- answers */

/* Seats as the host has them, after a restart of the daemon; after one of the host alone they are known already. */
static void take_seats(wn_game *game, Warren__Host__SeatState *const *seats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wn_seat *seat = wn_seat_at(game, seats[i]->seat);
        if (seat == NULL || seat->state != WN_SEAT_FREE) {
            continue;
        }
        seat->state = WN_SEAT_TAKEN;
        seat->orphaned_ms = wn_loop_now_ms(game->daemon->loop);
        seat->accepted = seats[i]->executed;
        seat->view = wn_view_new(game, (int32_t)seats[i]->seat);
        snprintf(seat->player, sizeof seat->player, "%s", seats[i]->player);
        game->seats_taken++;
        wn_sessions_watch_orphans(game->daemon);
    }
}

static void tell_creator(wn_game *game)
{
    Warren__WorldInfo info;
    Warren__Reply reply = WARREN__REPLY__INIT;
    if (game->creator != NULL && game->creator->peer != NULL && game->create_request != 0) {
        wn_game_describe(game, true, game->daemon->host_arena, &info);
        reply.body_case = WARREN__REPLY__BODY_WORLD;
        reply.world = &info;
        wn_control_reply(game->daemon, game->creator->peer, game->create_request, &reply);
    }
    game->creating = false;
    game->creator = NULL;
    game->create_request = 0;
}

/* It is all there: show it, and go on where it stopped. */
static void serve(wn_game *game)
{
    game->state = game->outcome != NULL ? WN_GAME_OVER : WN_GAME_RUNNING;
    game->saving = game->sent = false;
    tell_creator(game);
    wn_turns_repeat_flight(game);
    wn_view_watch_again(game->spectators);
    for (uint32_t i = 0; i < game->seat_count; i++) {
        if (game->seats[i].view != NULL) {
            wn_view_watch_again(game->seats[i].view);
        }
    }
    wn_turns_due(game);
    wn_log_line(WN_LEVEL_DEBUG, "world", "served world=%s mode=%s turn=%llu", game->name, game->host->name,
                (unsigned long long)game->turn);
}

/* A world that its mode would not make: a new one is forgotten, an old one parked. */
static void creation_failed(wn_game *game, const char *text)
{
    wn_error error;
    if (!game->creating) {
        park(game, text);
        return;
    }
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, NULL, 0, "%s", text);
    if (game->creator != NULL && game->creator->peer != NULL) {
        wn_control_error(game->daemon, game->creator->peer, game->create_request, &error);
    }
    if (!wn_store_delete_world(game->daemon->store, game->id, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "%s world=%s", error.text, game->name);
    }
    wn_game_free(game);
}

void wn_recovery_created(wn_host_process *host, const Warren__Host__WorldCreated *created)
{
    wn_game *game = wn_game_by_id(host->daemon, created->world);
    if (game == NULL || game->host != host || game->state != WN_GAME_STARTING) {
        return;
    }
    if (created->error != NULL) {
        creation_failed(game, created->error);
        return;
    }
    if (game->entries == 0) { /* nothing to play again */
        take_seats(game, created->seats, created->n_seats);
        wn_turns_wake(game, created->wake_ms);
        serve(game);
    }
}

void wn_recovery_replayed(wn_game *game, const Warren__Host__TurnDone *done)
{
    if (done->over != NULL && game->outcome == NULL) {
        game->outcome = wn_must_copy(done->over->outcome);
    }
    if (done->turn == game->replay_until) {
        wn_turns_wake(game, done->wake_ms);
        take_seats(game, done->seats, done->n_seats);
        serve(game);
    }
}

/* --------------------------------------------------------------------------------------------------------- snapshots */

static void ask_to_save(wn_game *game)
{
    Warren__Host__SaveWorld save = WARREN__HOST__SAVE_WORLD__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_SAVE;
    message.save = &save;
    save.world = game->id;
    game->saving = true;
    wn_host_send(game->host, &message, true);
}

void wn_recovery_maybe_save(wn_game *game)
{
    if (game->entries >= game->daemon->config->snapshot_turns && !game->saving && !game->unsavable) {
        ask_to_save(game);
    }
}

void wn_recovery_save_all(wn_daemon *daemon)
{
    for (wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        const bool served = game->state == WN_GAME_RUNNING || game->state == WN_GAME_OVER;
        if (served && game->entries > 0 && !game->saving && !game->unsavable) {
            ask_to_save(game);
        }
    }
}

bool wn_recovery_all_saved(wn_daemon *daemon)
{
    for (const wn_game *game = zhashx_first(daemon->games); game != NULL; game = zhashx_next(daemon->games)) {
        if (game->saving || game->in_flight) {
            return false;
        }
    }
    return true;
}

/* The snapshot holds every turn up to its own, so their entries must be in the store before they are trimmed: the
 * caller's pass commits what is gathered first. */
void wn_recovery_saved(wn_host_process *host, const Warren__Host__Saved *saved)
{
    wn_error error;
    wn_game *game = wn_game_by_id(host->daemon, saved->world);
    if (game == NULL || !game->saving) {
        return;
    }
    game->saving = false;
    if (saved->error != NULL) {
        wn_log_line(WN_LEVEL_ERROR, "world", "no snapshot: %s world=%s", saved->error, game->name);
        return;
    }
    const char *version = host->mode->version != NULL ? host->mode->version : "";
    if (!wn_store_put_snapshot(host->daemon->store, game->id, saved->turn, version, host->build, saved->snapshot.data,
                               saved->snapshot.len, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "no snapshot: %s world=%s", error.text, game->name);
        return;
    }
    game->entries = game->turn > saved->turn ? (uint32_t)(game->turn - saved->turn) : 0;
}

/* --------------------------------------------------------------------------------------------------------- bad days */

static void take_blame(wn_game *game, bool saving)
{
    char outcome[WN_TEXT_BYTES];
    if (saving) {
        game->unsavable = true;
        wn_log_line(WN_LEVEL_ERROR, "world",
                    "its mode crashed or hung while it saved it: it goes on with its journal alone world=%s mode=%s",
                    game->name, game->host->name);
        return;
    }
    game->crashes++;
    if (game->creating) {
        creation_failed(game, "the mode crashed while it made the world");
        return;
    }
    wn_turns_drop_flight(game, "the mode crashed or took too long");
    if (game->crashes >= CRASHES_BEFORE_PARKING || game->state == WN_GAME_STARTING) {
        snprintf(outcome, sizeof outcome, "its mode crashed or hung %u times in a row in it, the last time after turn %llu",
                 game->crashes, (unsigned long long)game->turn);
        park(game, outcome);
    }
}

void wn_recovery_host_died(wn_host_process *host, uint32_t blamed, bool saving)
{
    wn_game *guilty = blamed != 0 ? wn_game_by_id(host->daemon, blamed) : NULL;
    for (size_t i = 0; i < host->game_count; i++) {
        wn_game *game = host->games[i];
        game->saving = game->sent = false;
        game->spectators->watched = false;
        for (uint32_t seat = 0; seat < game->seat_count; seat++) {
            if (game->seats[seat].view != NULL) {
                game->seats[seat].view->watched = false;
            }
        }
    }
    if (guilty != NULL && guilty->host == host) {
        take_blame(guilty, saving);
    }
    for (size_t i = 0; i < host->game_count; i++) {
        wn_game *game = host->games[i];
        if (game->state == WN_GAME_RUNNING || game->state == WN_GAME_OVER) {
            game->state = WN_GAME_STARTING;
        }
    }
}

void wn_recovery_host_failed(wn_host_process *host)
{
    size_t i = 0;
    while (i < host->game_count) {
        wn_game *game = host->games[i];
        const size_t before = host->game_count;
        if (game->creating) {
            creation_failed(game, host->failure);
        } else if (game->state != WN_GAME_PARKED) {
            park(game, host->failure);
        }
        i += host->game_count == before ? 1 : 0;
    }
}
