/* loading.c: worlds into their hosts. See loading.h.
 */
#include "worlds/loading.h"

#include "modes/worker.h"
#include "worlds/bots.h"

#include <inttypes.h>

#include "memory.h"
#include "modes/hosts.h"
#include "modes/modes.h"
#include "network/control.h"
#include "network/publish.h"
#include "pb.h"
#include "requests/request.h"
#include "sessions/sessions.h"
#include "worlds/directory.h"
#include "worlds/turns.h"

enum {
    LOADING_AT_ONCE = 8, /* worlds that a host works on; the next is chosen when one is done */
    REPLAY_TURNS = 256,  /* in one message, which has hosts.turn_limit_ms to be answered */
    REPLAY_BYTES = 64 << 10
};

/* out of the store */

static bool take_stored(void *context, const wn_stored_world *stored)
{
    wn_daemon *daemon = context;
    wn_installed_mode *mode = wn_modes_lookup(daemon, stored->mode);
    wn_game *game = wn_game_new(daemon, stored, mode);
    if (mode == NULL) {
        char outcome[WN_TEXT_BYTES];
        snprintf(outcome, sizeof outcome, "its mode %s is not installed", stored->mode);
        wn_game_set_over(game, WN_GAME_PARKED, outcome, false);
    } else if (mode->given_up) {
        wn_game_set_over(game, WN_GAME_PARKED, mode->failure, false);
    }
    return true;
}

bool wn_loading_read_store(wn_daemon *daemon, wn_error *error)
{
    return wn_store_list_worlds(daemon->store, take_stored, daemon, error);
}

/* to the host */

static void send_create(wn_game *game, const wn_snapshot *snapshot)
{
    Warren__Host__CreateWorld create = WARREN__HOST__CREATE_WORLD__INIT;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    message.body_case = WARREN__HOST__TO_HOST__BODY_CREATE;
    message.create = &create;
    create.world = game->id;
    create.seed = game->seed;
    create.has_fresh = create.fresh = game->asked == WN_ASKED_CREATE;
    create.settings = wn_game_host_settings(game, game->daemon->host_arena, &create.n_settings);
    if (snapshot->turn > 0) {
        create.has_turn = true;
        create.turn = snapshot->turn;
        create.has_snapshot = true;
        create.snapshot.data = (uint8_t *)(uintptr_t)snapshot->bytes;
        create.snapshot.len = snapshot->size;
    }
    wn_host_send(game->mode, &message, true);
}

/* Journal entries on their way into a Replay. */
typedef struct replay {
    wn_game *game;
    wn_buffer inputs; /* Replay.inputs, encoded */
    uint64_t hashes[REPLAY_TURNS];
    uint64_t first;
    uint32_t count;
    bool hashed;
} replay;

/* ToHost{replay{world, first, inputs..., hashes, report}}, written in place. The last of a world reports. */
static void send_replay(replay *part)
{
    wn_game *game = part->game;
    if (part->count == 0) {
        return;
    }
    wn_buffer *out = wn_host_begin(game->mode);
    const size_t mark = wn_pb_begin(out, 7);
    wn_pb_varint(out, 1, game->id);
    wn_pb_varint(out, 2, part->first);
    wn_buffer_append(out, part->inputs.data, part->inputs.size);
    if (part->hashed) {
        const size_t packed = wn_pb_begin(out, 4);
        for (uint32_t i = 0; i < part->count; i++) {
            wn_pb_raw(out, part->hashes[i]);
        }
        wn_pb_end(out, packed);
    }
    if (part->first + part->count - 1 == game->turn) {
        wn_pb_varint(out, 6, 1);
    }
    wn_pb_end(out, mark);
    wn_host_end(game->mode);
    part->count = 0;
    part->inputs.size = 0;
    part->hashed = false;
}

static bool add_entry(void *context, uint64_t turn, const void *bytes, size_t size, uint64_t hash)
{
    replay *part = context;
    if (part->count == REPLAY_TURNS || part->inputs.size > REPLAY_BYTES) {
        send_replay(part);
    }
    if (part->count == 0) {
        part->first = turn;
    }
    part->hashes[part->count++] = hash;
    part->hashed = part->hashed || hash != 0;
    wn_pb_bytes(&part->inputs, 3, bytes, size);
    part->game->entries++;
    part->game->entry_bytes += size;
    return true;
}

bool wn_loading_go_back(wn_game *game, uint64_t turn, wn_error *error)
{
    static const char why[] = "the world went back to its last snapshot: join it again";
    if (!wn_store_forget_tail(game->daemon->store, game->id, error)) {
        return false;
    }
    wn_turns_drop_flight(game, why);
    for (uint32_t i = 0; i < game->seat_count; i++) {
        if (game->seats[i].session != NULL) {
            wn_session_notice(game->daemon, game->seats[i].session, WARREN__NOTICE_KIND__NOTICE_SEAT_ENDED, game, why);
        }
        wn_seat_free(game, i);
    }
    game->turn = turn;
    game->ending = false;
    game->wake_due = false;
    game->seats_known = false;
    return true;
}

/* The journal's last turns were made by another build of the mode, which may not play them in the same way. Returns
 * whether the world may be loaded all the same. */
static bool settle_build(wn_game *game, const wn_snapshot *snapshot)
{
    wn_installed_mode *mode = game->mode;
    wn_error error;
    char outcome[WN_TEXT_BYTES];
    game->awaits_recovery = false;
    const uint64_t tail = game->turn - snapshot->turn;
    if (strcmp(game->build, mode->build) == 0) {
        return true;
    }
    if (game->build[0] != '\0' && tail > 0 && mode->daemon->config->on_upgrade == WN_UPGRADE_ASK) {
        snprintf(outcome, sizeof outcome,
                 "mode %s is another build than the one that played the last %" PRIu64 " turns: \"warrenctl recover %s "
                 "replay\" plays them with this one, \"warrenctl recover %s snapshot\" goes back to turn %" PRIu64,
                 mode->name, tail, game->name, game->name, snapshot->turn);
        wn_loading_park(game, outcome);
        game->awaits_recovery = true;
        return false;
    }
    if (game->build[0] != '\0' && tail > 0 && mode->daemon->config->on_upgrade == WN_UPGRADE_SNAPSHOT) {
        if (!wn_loading_go_back(game, snapshot->turn, &error)) {
            wn_loading_park(game, error.text);
            return false;
        }
        wn_log_line(WN_LEVEL_WARNING, "world",
                    "back to turn %" PRIu64 ", %" PRIu64 " turns of another build are "
                    "forgotten (hosts.on_upgrade) world=%s",
                    game->turn, tail, game->name);
    }
    snprintf(game->build, sizeof game->build, "%s", mode->build);
    if (!wn_store_set_build(mode->daemon->store, game->id, game->build, &error)) {
        wn_loading_park(game, error.text);
        return false;
    }
    return true;
}

static void send_world(wn_game *game)
{
    wn_daemon *daemon = game->daemon;
    wn_snapshot snapshot;
    wn_error error;
    if (!wn_store_get_snapshot(daemon->store, game->id, &snapshot, &error)) {
        wn_loading_park(game, error.text);
        return;
    }
    const uint64_t from = snapshot.turn;
    if (!settle_build(game, &snapshot)) {
        return;
    }
    /* settle_build() may have used the store, and what a snapshot points to lives until then. */
    if (!wn_store_get_snapshot(daemon->store, game->id, &snapshot, &error)) {
        wn_loading_park(game, error.text);
        return;
    }
    game->sent = true;
    game->mode->loading++;
    game->entries = 0;
    game->entry_bytes = 0;
    send_create(game, &snapshot);
    replay part = {.game = game};
    const bool read = wn_store_read_journal(daemon->store, game->id, from, add_entry, &part, &error);
    send_replay(&part);
    wn_buffer_free(&part.inputs);
    if (!read) {
        wn_loading_park(game, error.text);
    }
}

/* Those that somebody waits for, then the others in their order. NULL: none is left. */
static wn_game *next_to_load(wn_installed_mode *mode)
{
    while (mode->wanted_count > 0) {
        wn_game *game = wn_game_by_id(mode->daemon, mode->wanted[--mode->wanted_count]);
        if (game == NULL) {
            continue;
        }
        game->wanted = false;
        if (game->state == WN_GAME_STARTING && !game->sent) {
            return game;
        }
    }
    for (; mode->load_next < mode->game_count; mode->load_next++) {
        wn_game *game = mode->games[mode->load_next];
        if (game->state == WN_GAME_STARTING && !game->sent) {
            return game;
        }
    }
    return NULL;
}

void wn_loading_go_on(wn_installed_mode *mode)
{
    wn_game *game = NULL;
    const wn_daemon *daemon = mode->daemon;
    while (mode->host.state == WN_HOST_READY && !mode->host.stopping && !daemon->commit_failing &&
           mode->loading < LOADING_AT_ONCE && (game = next_to_load(mode)) != NULL) {
        send_world(game);
    }
}

void wn_loading_want(wn_game *game)
{
    wn_installed_mode *mode = game->mode;
    if (game->state != WN_GAME_STARTING || game->sent || mode == NULL) {
        return;
    }
    if (!game->wanted) {
        game->wanted = true;
        WN_GROW(mode->wanted, mode->wanted_count, mode->wanted_capacity);
        mode->wanted[mode->wanted_count++] = game->id;
    }
    wn_loading_go_on(mode);
}

void wn_loading_begin(wn_game *game)
{
    const uint32_t id = game->id;
    wn_daemon *daemon = game->daemon;
    game->state = WN_GAME_STARTING;
    game->sent = false;
    if (!wn_timer_armed(game->mode->restart)) {
        wn_host_start(game->mode);
    }
    game = wn_game_by_id(daemon, id); /* a new one is forgotten if its host cannot be started */
    if (game != NULL) {
        wn_loading_want(game);
    }
}

void wn_loading_start_over(wn_installed_mode *mode)
{
    mode->load_next = 0;
    mode->loading = 0;
    for (size_t i = 0; i < mode->game_count; i++) {
        mode->games[i]->sent = false;
    }
}

bool wn_loading_done(const wn_daemon *daemon)
{
    for (size_t i = 0; i < daemon->mode_count; i++) {
        const wn_installed_mode *mode = daemon->modes[i];
        if (!mode->given_up && (mode->loading > 0 || mode->wanted_count > 0 || mode->load_next < mode->game_count)) {
            return false;
        }
    }
    return true;
}

/* no success */

void wn_loading_tell_asker(wn_game *game, const wn_error *error)
{
    const bool created = game->asked == WN_ASKED_CREATE;
    Warren__WorldInfo info;
    Warren__Done done = WARREN__DONE__INIT;
    Warren__Reply reply = WARREN__REPLY__INIT;
    game->asked = WN_ASKED_NOTHING;
    if (created && error == NULL && game->asker.session != NULL) {
        wn_game_describe(game, true, game->daemon->host_arena, &info);
        reply.body_case = WARREN__REPLY__BODY_WORLD;
        reply.world = &info;
    } else {
        reply.body_case = WARREN__REPLY__BODY_DONE;
        reply.done = &done;
    }
    wn_control_answer(game->daemon, &game->asker, error, &reply);
}

void wn_loading_forget(wn_game *game)
{
    if (game->sent) {
        game->sent = false;
        game->mode->loading -= game->mode->loading > 0 ? 1 : 0;
    }
}

static void loaded(wn_game *game)
{
    wn_loading_forget(game);
    wn_sessions_world_settled(game->daemon, game);
}

void wn_loading_park(wn_game *game, const char *outcome)
{
    wn_error error;
    wn_turns_drop_flight(game, outcome);
    wn_game_destroy_in_host(game); /* it may have it, and is given it anew if the world is recovered */
    wn_game_set_over(game, WN_GAME_PARKED, outcome, false);
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, 0, "%s", outcome);
    wn_loading_tell_asker(game, &error);
    wn_request_refuse_waiting(game, &error);
    loaded(game);
}

void wn_loading_failed(wn_game *game, const char *text)
{
    wn_error error;
    wn_installed_mode *mode = game->mode;
    if (game->asked != WN_ASKED_CREATE) {
        wn_loading_park(game, text);
        return;
    }
    wn_fail_with(&error, WARREN__ERROR_CODE__ERROR_BAD_SETTING, NULL, 0, "%s", text);
    wn_loading_tell_asker(game, &error);
    wn_request_refuse_waiting(game, &error);
    wn_sessions_notice_game(game->daemon, game, WARREN__NOTICE_KIND__NOTICE_WORLD_CLOSED, text);
    wn_sessions_forget_game(game->daemon, game);
    if (!wn_store_delete_world(game->daemon->store, game->id, &error)) {
        wn_log_line(WN_LEVEL_ERROR, "store", "%s world=%s", error.text, game->name);
    }
    loaded(game);
    wn_game_free(game);
    wn_loading_go_on(mode);
}

/* answers */

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
        seat->view = wn_published_view_new(game, (int32_t)seats[i]->seat);
        snprintf(seat->player, sizeof seat->player, "%s", seats[i]->player);
        game->seats_taken++;
        game->daemon->seats_taken++;
        wn_sessions_seat_found(game, seats[i]->seat);
    }
}

/* It is all there: show it, and go on where it stopped. */
static void serve(wn_game *game)
{
    game->state = game->outcome != NULL ? WN_GAME_OVER : WN_GAME_RUNNING;
    game->saving = false;
    game->seats_known = true;
    wn_loading_tell_asker(game, NULL);
    wn_turns_repeat_flight(game);
    wn_published_view_watch_again(game->spectators);
    for (uint32_t i = 0; i < game->seat_count; i++) {
        if (game->seats[i].view != NULL) {
            wn_published_view_watch_again(game->seats[i].view);
        }
    }
    wn_turns_due(game);
    wn_log_line(WN_LEVEL_DEBUG, "world", "served world=%s mode=%s turn=%" PRIu64, game->name, game->mode->name,
                game->turn);
    loaded(game);
    wn_request_join_waiting(game);
    wn_bots_start(game);
    wn_loading_go_on(game->mode);
}

static void take_outcome(wn_game *game, const Warren__Host__WorldOver *over)
{
    if (over != NULL && game->outcome == NULL) {
        wn_game_set_over(game, WN_GAME_OVER, over->outcome, true);
    }
}

void wn_loading_created(wn_installed_mode *mode, const Warren__Host__WorldCreated *created)
{
    wn_game *game = wn_game_by_id(mode->daemon, created->world);
    if (game == NULL || game->mode != mode || game->state != WN_GAME_STARTING) {
        return;
    }
    if (created->error != NULL) {
        wn_loading_failed(game, created->error);
        wn_loading_go_on(mode);
        return;
    }
    if (game->entries == 0) { /* nothing to play again */
        take_seats(game, created->seats, created->n_seats);
        take_outcome(game, created->over);
        wn_turns_wake(game, created->wake_ms);
        wn_worker_ask(game, created->asked, created->n_asked);
        serve(game);
    }
}

void wn_loading_replayed(wn_installed_mode *mode, const Warren__Host__Replayed *replayed)
{
    wn_game *game = wn_game_by_id(mode->daemon, replayed->world);
    if (game == NULL || game->mode != mode || game->state != WN_GAME_STARTING) {
        return;
    }
    if (replayed->has_diverged) {
        wn_log_line(WN_LEVEL_ERROR, "world",
                    "after turn %" PRIu64 " its state is not what it was when it was played: mode %s is not "
                    "deterministic, or another build; \"warrenctl export\" keeps its journal for the mode's author "
                    "world=%s",
                    replayed->diverged, mode->name, game->name);
    }
    if (replayed->error != NULL) {
        wn_loading_park(game, replayed->error);
        wn_loading_go_on(mode);
    } else if (replayed->turn == game->turn) {
        take_seats(game, replayed->seats, replayed->n_seats);
        take_outcome(game, replayed->over);
        wn_turns_wake(game, replayed->wake_ms);
        wn_worker_ask(game, replayed->asked, replayed->n_asked);
        serve(game);
    }
}
