/* requests-keep.c: what is kept: recordings of worlds, copies of the store, parked worlds served again.
 */
#include "requests/request.h"

#include <inttypes.h>
#include <limits.h>

#include "memory.h"
#include "modes/hosts.h"
#include "network/control.h"
#include "worlds/directory.h"
#include "worlds/loading.h"

enum {
    PART_TURNS = 8192,
    PART_BYTES = 1 << 20,     /* of a part's turns */
    SNAPSHOT_BYTES = 2 << 20, /* in the first part, beside its turns and settings; WN_REPLY_BYTES has room for all */
    PART_ARENA_BYTES = 16 << 20,
    PAGES_A_STEP = 64 /* of a copy of the store, between two passes */
};

/* recordings */

/* A part of a recording that is being read from the journal. */
typedef struct part {
    Warren__ExportPart message;
    wn_arena *arena;
    size_t bytes;
    bool full;
} part;

static bool add_turn(void *context, uint64_t number, const void *bytes, size_t size, uint64_t hash)
{
    part *into = context;
    if (into->message.n_turns == PART_TURNS || into->bytes + size > PART_BYTES) {
        into->full = true;
        return false;
    }
    Warren__RecordedTurn *turn = wn_must(wn_arena_take(into->arena, sizeof *turn));
    warren__recorded_turn__init(turn);
    turn->turn = number;
    turn->inputs.data = wn_must(wn_arena_take(into->arena, size + 1));
    turn->inputs.len = size;
    memcpy(turn->inputs.data, bytes, size);
    turn->has_hash = hash != 0;
    turn->hash = hash;
    into->message.turns[into->message.n_turns++] = turn;
    into->bytes += size;
    return true;
}

static bool fill_header(wn_context *at, const wn_game *game, wn_arena *arena, Warren__RecordingHeader *header)
{
    wn_snapshot snapshot;
    uint64_t first = 0;
    warren__recording_header__init(header);
    if (!wn_store_first_turn(at->daemon->store, game->id, &first, &at->error) ||
        !wn_store_get_snapshot(at->daemon->store, game->id, &snapshot, &at->error)) {
        return false;
    }
    if (first != 1 && snapshot.turn > 0) { /* the journal's beginning was trimmed */
        if (snapshot.size > SNAPSHOT_BYTES) {
            return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_LIMIT, "snapshot", SNAPSHOT_BYTES,
                                "the snapshot that the recording begins with has %zu bytes, more than fit into a reply "
                                "(%d): with store.keep_history = yes recordings begin with the seed",
                                snapshot.size, SNAPSHOT_BYTES);
        }
        header->has_turn = true;
        header->turn = snapshot.turn;
        header->has_snapshot = true;
        header->snapshot.len = snapshot.size;
        header->snapshot.data = wn_must(wn_arena_take(arena, snapshot.size + 1));
        memcpy(header->snapshot.data, snapshot.bytes, snapshot.size);
    }
    header->world = (char *)(uintptr_t)game->name;
    header->mode = game->mode->name;
    header->mode_version =
        game->mode->descriptor->version != NULL ? game->mode->descriptor->version : (char *)(uintptr_t) "?";
    header->build = (char *)(uintptr_t)(game->build[0] != '\0' ? game->build : game->mode->build);
    header->seed = game->seed;
    header->has_created = true;
    header->created = game->created;
    header->settings = wn_game_host_settings(game, arena, &header->n_settings);
    return true;
}

static bool send_part(wn_context *at, const wn_game *game, part *into)
{
    Warren__Reply message = WARREN__REPLY__INIT;
    Warren__RecordingHeader header = WARREN__RECORDING_HEADER__INIT;
    uint64_t after = at->request->export->after;
    warren__export_part__init(&into->message);
    into->message.turns = wn_must(wn_arena_take(into->arena, PART_TURNS * sizeof *into->message.turns));
    if (after == 0) {
        if (!fill_header(at, game, into->arena, &header)) {
            return false;
        }
        into->message.header = &header;
        after = header.turn;
    }
    if (!wn_store_read_journal(at->daemon->store, game->id, after, add_turn, into, &at->error)) {
        return false;
    }
    into->message.has_last = true;
    into->message.last = !into->full;
    message.body_case = WARREN__REPLY__BODY_EXPORT;
    message.export = &into->message;
    return wn_request_reply(at, &message);
}

bool wn_request_export(wn_context *at)
{
    const wn_game *game = wn_request_game(at, at->request->export->world);
    if (game == NULL) {
        return false;
    }
    if (!wn_request_may_manage(at, game)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_NOT_ALLOWED, "world", 0,
                            "a recording holds the seed: only who owns or hosts %s, and administrators, may have it",
                            game->name);
    }
    if (!wn_game_knows_mode(game)) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, "world", 0,
                            "the mode of %s is not here: install it first", game->name);
    }
    part into = {.arena = wn_must(wn_arena_new(PART_ARENA_BYTES))};
    const bool sent = send_part(at, game, &into);
    wn_arena_free(into.arena);
    return sent;
}

/* copies */

/* The server's key is part of a copy if it is the daemon's to keep: a credential, or one that lies elsewhere, is not.
 */
static const char *own_key_file(const wn_config *config)
{
    const size_t length = strlen(config->state_dir);
    return strncmp(config->key_file, config->state_dir, length) == 0 && config->key_file[length] == '/'
               ? config->key_file
               : NULL;
}

static void end_backup(wn_daemon *daemon, const wn_error *error)
{
    Warren__Done done = WARREN__DONE__INIT;
    Warren__Reply message = WARREN__REPLY__INIT;
    char key[NAME_MAX + 1];
    const char *key_name = wn_backup_key(daemon->backup.copy);
    char *files[] = {(char *)(uintptr_t) "warren.db", key};
    snprintf(key, sizeof key, "%s", key_name != NULL ? key_name : "");
    done.files = files;
    done.n_files = key_name != NULL ? 2 : 1;
    wn_backup_free(daemon->backup.copy);
    daemon->backup.copy = NULL;
    if (error != NULL) {
        wn_log_line(WN_LEVEL_ERROR, "store", "no copy was made: %s", error->text);
    }
    message.body_case = WARREN__REPLY__BODY_DONE;
    message.done = &done;
    wn_control_answer(daemon, &daemon->backup.asker, error, &message);
}

void wn_request_backup_step(void *context)
{
    wn_daemon *daemon = context;
    wn_error error;
    if (daemon->backup.copy == NULL) {
        return;
    }
    switch (wn_backup_step(daemon->backup.copy, PAGES_A_STEP, &error)) {
    case WN_BACKUP_MORE:
        wn_timer_set(daemon->backup.step, 0);
        break;
    case WN_BACKUP_DONE:
        wn_log_line(WN_LEVEL_INFO, "store", "a copy was made in %s", wn_backup_directory(daemon->backup.copy));
        end_backup(daemon, NULL);
        break;
    case WN_BACKUP_FAILED:
        end_backup(daemon, &error);
        break;
    }
}

bool wn_request_backup(wn_context *at)
{
    wn_daemon *daemon = at->daemon;
    const char *directory = at->request->backup->directory;
    if (directory[0] != '/') {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_BAD_NAME, "directory", 0,
                            "%.300s is not an absolute path: the server does not know where you are", directory);
    }
    if (daemon->backup.copy != NULL) {
        return wn_request_fail(at, WARREN__ERROR_CODE__ERROR_UNAVAILABLE,
                               "another copy is being made: try again when it is done");
    }
    daemon->backup.copy = wn_backup_begin(daemon->store, directory, own_key_file(daemon->config), &at->error);
    if (daemon->backup.copy == NULL) {
        return false;
    }
    daemon->backup.asker = wn_request_asker(at);
    wn_timer_set(daemon->backup.step, 0);
    return true;
}

/* parked worlds */

static bool go_back(wn_context *at, wn_game *game)
{
    wn_snapshot snapshot;
    const uint64_t from = game->turn;
    if (!wn_store_get_snapshot(at->daemon->store, game->id, &snapshot, &at->error) ||
        !wn_loading_go_back(game, snapshot.turn, &at->error)) {
        return false;
    }
    wn_log_text player;
    wn_log_line(WN_LEVEL_WARNING, "world", "back to turn %" PRIu64 " from turn %" PRIu64 " world=%s player=%s",
                game->turn, from, game->name, wn_log_value(&player, at->session->player));
    return true;
}

bool wn_request_serve_again(wn_context *at, wn_game *game)
{
    if (game->state != WN_GAME_PARKED || game->mode == NULL || game->mode->given_up) {
        return wn_fail_with(&at->error, WARREN__ERROR_CODE__ERROR_PRECONDITION, "world", 0,
                            game->state != WN_GAME_PARKED ? "%s is not parked"
                                                          : "the mode of %s is not here, or was given up on",
                            game->name);
    }
    if (!wn_store_set_outcome(at->daemon->store, game->id, NULL, false, &at->error)) {
        return false;
    }
    game->crashes = 0;
    free(game->outcome);
    game->outcome = NULL;
    wn_request_wait_for(at, game, WN_ASKED_RECOVER);
    wn_log_text player;
    wn_log_line(WN_LEVEL_INFO, "world", "no longer parked world=%s player=%s", game->name,
                wn_log_value(&player, at->session->player));
    wn_loading_begin(game);
    return true;
}

bool wn_request_recover(wn_context *at)
{
    const Warren__RecoverWorld *recover = at->request->recover;
    wn_game *game = wn_request_game(at, recover->world);
    if (game == NULL) {
        return false;
    }
    const bool may_be = game->state == WN_GAME_PARKED && game->mode != NULL && !game->mode->given_up;
    if (may_be && recover->how == WARREN__RECOVER_HOW__RECOVER_SNAPSHOT && !go_back(at, game)) {
        return false;
    }
    if (may_be) {
        game->build[0] = '\0'; /* whichever build it was, this one is asked for */
    }
    return wn_request_serve_again(at, game);
}
