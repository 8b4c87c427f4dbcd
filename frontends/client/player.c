/* player.c: see player.h. The host's process is playback-host.c's part, what is kept for going back seek-points.c's.
 *
 * How a turn T comes to be shown: the host's world is brought to T - 1 without drawing anything, the chosen view is
 * watched there, which gives its keyframe, and T alone is played and shown, which gives its update as in live play.
 * When the turn after the shown one is wanted, only the last step is left to do.
 */
#include "player.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "playback-host.h"
#include "seek-points.h"

enum {
    WORLD = 1, /* its number in the host, which has no other */
    SEATS = 64,
    ANSWER_MS = 10000,
    FIRST_CHUNK = 16, /* turns that are replayed in one go, while it is not known how long they take */
    LARGEST_CHUNK = 1024,
    CHUNK_BYTES = 4 << 20,
    QUICK_US = 5000, /* a chunk that took less may be larger next time */
    SLOW_US = 20000  /* ... more, has to be smaller */
};

struct wn_player {
    const wn_recording *recording;
    const Warren__RecordingHeader *header;
    wn_playback_options options;
    char *mode_file, *program;
    char difference[WN_TEXT_BYTES + 1];
    char build[WN_TEXT_BYTES + 1]; /* of the mode that was opened */

    wn_playback_host *host; /* NULL: none runs */
    bool made;              /* it has the world */
    uint64_t at;            /* the turn that its world is at */
    bool watching;          /* it draws the chosen view */
    uint64_t taken;         /* seats, as bits */
    char names[SEATS][WN_NAME_BYTES + 1];
    char outcome[WN_TEXT_BYTES + 1];

    wn_seek_points points;
    size_t chunk;
    uint64_t careful_from, careful_until; /* a host was lost in between: one turn at a time shows in which turn */
    bool verifying;
    wn_verdict verdict;

    int32_t seat;
    uint64_t goal;
    bool shown; /* the replica is that of turn `shown_turn` */
    uint64_t shown_turn;
    wn_arena *legend_arena, *update_arena;
    const Warren__Mode *mode;
    wn_replica *replica;
    const Warren__Update *update;
};

/* ------------------------------------------------------------------------------------------------ finding the mode */

/* The directory of this program; "" if it cannot be told. */
static void own_directory(char *text, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", text, size - 1);
    text[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(text, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

static char *host_program(const char *given)
{
    char own[4096], *beside = NULL;
    if (given != NULL) {
        return strdup(given);
    }
    own_directory(own, sizeof own);
    if (asprintf(&beside, "%s/warren-host", own) >= 0 && access(beside, X_OK) == 0) {
        return beside;
    }
    free(beside);
    return strdup(WARREN_LIBEXEC_DIR "/warren-host");
}

char *wn_player_mode_path(void)
{
    char own[4096], *path = NULL;
    own_directory(own, sizeof own);
    char *slash = strrchr(own, '/');
    if (slash != NULL) {
        *slash = '\0'; /* bin and modes are side by side in a build */
    }
    return asprintf(&path, "%s/modes:%s", own, WARREN_MODE_DIR) < 0 ? NULL : path;
}

static char *find_mode(const char *given, const char *mode, wn_error *error)
{
    char *path = given != NULL ? strdup(given) : wn_player_mode_path();
    char *file = NULL, *rest = NULL;
    for (char *directory = path == NULL ? NULL : strtok_r(path, ":", &rest); directory != NULL;
         directory = strtok_r(NULL, ":", &rest)) {
        if (asprintf(&file, "%s/%s.so", directory, mode) < 0) {
            file = NULL;
        } else if (access(file, R_OK) == 0) {
            break;
        }
        free(file);
        file = NULL;
    }
    free(path);
    if (file == NULL) {
        path = given != NULL ? strdup(given) : wn_player_mode_path();
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "mode", 0,
                     "The recording is of the mode %s, and there is no %s.so in %.300s. Install it, or name its "
                     "directory with --mode-path.",
                     mode, mode, path != NULL ? path : "any directory");
        free(path);
    }
    return file;
}

/* ------------------------------------------------------------------------------------------------- talking to it */

static uint64_t first_turn(const wn_player *player)
{
    return wn_recording_first(player->recording);
}

static uint64_t last_turn(const wn_player *player)
{
    return wn_recording_last(player->recording);
}

static void end_host(wn_player *player)
{
    wn_playback_end(player->host);
    player->host = NULL;
    player->made = false;
    player->watching = false;
}

/* Asks the host. When that was the end of it, the sentence says what it was at: "played turn 7". */
static const Warren__Host__FromHost *ask(wn_player *player, const Warren__Host__ToHost *message,
                                         Warren__Host__FromHost__BodyCase wanted, const char *what, uint64_t turn,
                                         wn_error *error)
{
    wn_error how = {0};
    const Warren__Host__FromHost *answer = wn_playback_ask(player->host, message, wanted, &how);
    if (answer == NULL) {
        end_host(player);
        wn_fail_with(error, how.code, NULL, turn, "The host of the mode %s %.250s, while it %s turn %" PRIu64 ".",
                     player->header->mode, how.text, what, turn);
    }
    return answer;
}

static void tell_difference(wn_player *player, const Warren__Host__Ready *ready)
{
    const Warren__RecordingHeader *header = player->header;
    const char *version = ready->mode->version != NULL ? ready->mode->version : "";
    if (strcmp(version, header->mode_version) != 0) {
        snprintf(player->difference, sizeof player->difference,
                 "It was recorded with version %.64s of the mode %s and is played with version %.64s: the game may go "
                 "another way.",
                 header->mode_version, header->mode, version);
    } else if (strcmp(ready->build, header->build) != 0) {
        snprintf(player->difference, sizeof player->difference,
                 "It was recorded with build %.64s of the mode %s %.64s and is played with build %.64s: the game may "
                 "go another way.",
                 header->build, header->mode, header->mode_version, ready->build);
    }
}

/* The legend lives as long as the player, whatever becomes of the host. */
static bool keep_legend(wn_player *player, const Warren__Host__Ready *ready, wn_error *error)
{
    Warren__Host__FromHost message = WARREN__HOST__FROM_HOST__INIT;
    wn_buffer copy = {0};
    message.body_case = WARREN__HOST__FROM_HOST__BODY_READY;
    message.ready = (Warren__Host__Ready *)ready;
    wn_encode(&copy, &message.base);
    const Warren__Host__FromHost *decoded = wn_from_host_decode(player->legend_arena, copy.data, copy.size, error);
    wn_buffer_free(&copy);
    player->mode = decoded != NULL ? decoded->ready->mode : NULL;
    return decoded != NULL;
}

static bool start_host(wn_player *player, wn_error *error)
{
    const Warren__Host__Ready *ready;
    player->host = wn_playback_start(&player->options, &ready, error);
    if (player->host == NULL) {
        return false;
    }
    if (player->mode == NULL) {
        snprintf(player->build, sizeof player->build, "%s", ready->build);
        tell_difference(player, ready);
        return keep_legend(player, ready, error);
    }
    if (strcmp(ready->build, player->build) != 0) {
        end_host(player);
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, 0,
                            "%.300s was replaced while the recording was played. Open the recording again.",
                            player->mode_file);
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------- the host's world
 */

static void take_seats(wn_player *player, Warren__Host__SeatState *const *seats, size_t count)
{
    player->taken = 0;
    for (size_t i = 0; i < count; i++) {
        if (seats[i]->seat < SEATS) {
            player->taken |= UINT64_C(1) << seats[i]->seat;
            snprintf(player->names[seats[i]->seat], sizeof player->names[0], "%s", seats[i]->player);
        }
    }
}

static void take_outcome(wn_player *player, const Warren__Host__WorldOver *over)
{
    const char *text = over == NULL ? "" : over->outcome[0] == '\0' ? "The world is over." : over->outcome;
    snprintf(player->outcome, sizeof player->outcome, "%s", text);
}

/* Makes the world anew, as it was at a turn that is kept, or at the recording's first. */
static bool restore(wn_player *player, const wn_seek_point *point, wn_error *error)
{
    const Warren__RecordingHeader *header = player->header;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__DestroyWorld destroy = WARREN__HOST__DESTROY_WORLD__INIT;
    Warren__Host__CreateWorld create = WARREN__HOST__CREATE_WORLD__INIT;
    if (player->made) {
        destroy.world = WORLD;
        message.body_case = WARREN__HOST__TO_HOST__BODY_DESTROY;
        message.destroy = &destroy;
        wn_playback_tell(player->host, &message);
    }
    player->made = false;
    player->watching = false;
    create.world = WORLD;
    create.seed = header->seed;
    create.n_settings = header->n_settings;
    create.settings = header->settings;
    create.has_turn = create.has_snapshot = point != NULL || header->has_snapshot;
    create.turn = point != NULL ? point->turn : first_turn(player);
    create.snapshot = point != NULL ? (ProtobufCBinaryData){point->size, point->snapshot} : header->snapshot;
    message.body_case = WARREN__HOST__TO_HOST__BODY_CREATE;
    message.create = &create;
    const Warren__Host__FromHost *answer =
        ask(player, &message, WARREN__HOST__FROM_HOST__BODY_CREATED, "made the world of", create.turn, error);
    if (answer == NULL) {
        return false;
    }
    if (answer->created->error != NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MODE_FAILED, NULL, create.turn,
                            "The mode %s cannot make the world of turn %" PRIu64 ": %.350s", header->mode, create.turn,
                            answer->created->error);
    }
    take_seats(player, answer->created->seats, answer->created->n_seats);
    take_outcome(player, answer->created->over);
    player->made = true;
    player->at = create.turn;
    return true;
}

static bool save_point(wn_player *player, wn_error *error)
{
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__SaveWorld save = WARREN__HOST__SAVE_WORLD__INIT;
    if (player->verifying || !wn_seek_points_wants(&player->points, player->at)) {
        return true;
    }
    save.world = WORLD;
    message.body_case = WARREN__HOST__TO_HOST__BODY_SAVE;
    message.save = &save;
    const Warren__Host__FromHost *answer =
        ask(player, &message, WARREN__HOST__FROM_HOST__BODY_SAVED, "saved", player->at, error);
    if (answer != NULL && answer->saved->has_snapshot) {
        wn_seek_points_add(&player->points, player->at, answer->saved->snapshot.data, answer->saved->snapshot.len);
    }
    return answer != NULL;
}

/* ---------------------------------------------------------------------------------------------- turns without drawing
 */

/* How many of the turns up to `until` are played in one go. */
static size_t chunk_size(const wn_player *player, uint64_t until)
{
    const uint64_t at = player->at;
    size_t most = player->chunk, bytes = 0, count = 0;
    if (at < player->careful_from && player->careful_from < until) {
        until = player->careful_from;
    } else if (at >= player->careful_from && at < player->careful_until) {
        most = 1;
    }
    if (!player->verifying && wn_seek_points_next(&player->points, at) < until) {
        until = wn_seek_points_next(&player->points, at);
    }
    most = until - at < most ? (size_t)(until - at) : most;
    while (count < most && (count == 0 || bytes < CHUNK_BYTES)) {
        bytes += wn_recording_turn(player->recording, at + ++count)->size;
    }
    return count;
}

static void adapt_chunk(wn_player *player, uint64_t took_us)
{
    if (took_us < QUICK_US && player->chunk < LARGEST_CHUNK) {
        player->chunk *= 2;
    } else if (took_us > SLOW_US && player->chunk > 1) {
        player->chunk /= 2;
    }
}

/* The turn before, whose hash agreed: the last with one, or the first of all. */
static uint64_t agreed_before(const wn_player *player, uint64_t turn)
{
    for (turn--; turn > first_turn(player); turn--) {
        if (wn_recording_turn(player->recording, turn)->hash != 0) {
            return turn;
        }
    }
    return turn;
}

static void take_hashes(wn_player *player, const Warren__Host__Replayed *replayed, uint64_t before)
{
    wn_verdict *verdict = &player->verdict;
    for (uint64_t turn = before + 1; turn <= replayed->turn; turn++) {
        verdict->compared += wn_recording_turn(player->recording, turn)->hash != 0;
    }
    if (replayed->has_diverged && !verdict->diverged) {
        verdict->diverged = true;
        verdict->diverged_turn = replayed->diverged;
        verdict->agreed_turn = agreed_before(player, replayed->diverged);
    }
}

static bool take_replayed(wn_player *player, const Warren__Host__Replayed *replayed, uint64_t wanted, wn_error *error)
{
    take_seats(player, replayed->seats, replayed->n_seats);
    take_outcome(player, replayed->over);
    if (replayed->turn > wanted || replayed->turn < player->at) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                            "The host of the mode %s has lost count of its turns.", player->header->mode);
    }
    if (player->verifying) {
        take_hashes(player, replayed, player->at);
    }
    player->at = replayed->turn;
    if (replayed->error != NULL || replayed->turn < wanted) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_MALFORMED, NULL, replayed->turn + 1,
                            "Turn %" PRIu64 " of the recording cannot be played: %.350s", replayed->turn + 1,
                            replayed->error != NULL ? replayed->error : "the host stopped before it");
    }
    return true;
}

/* Plays the next `count` turns; `show`: and draws the watched view after the last. */
static const Warren__Host__FromHost *ask_replay(wn_player *player, size_t count, bool show, wn_error *error)
{
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__Replay replay = WARREN__HOST__REPLAY__INIT;
    ProtobufCBinaryData *inputs = calloc(count, sizeof *inputs);
    uint64_t *hashes = calloc(count, sizeof *hashes);
    const Warren__Host__FromHost *answer = NULL;
    if (inputs == NULL || hashes == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory left to play turns.");
    } else {
        for (size_t i = 0; i < count; i++) {
            const wn_recorded_turn *turn = wn_recording_turn(player->recording, player->at + 1 + i);
            inputs[i] = (ProtobufCBinaryData){turn->size, (uint8_t *)turn->inputs};
            hashes[i] = turn->hash;
        }
        replay.world = WORLD;
        replay.first = player->at + 1;
        replay.inputs = inputs;
        replay.n_inputs = count;
        replay.hashes = hashes;
        replay.n_hashes = player->verifying ? count : 0;
        replay.has_report = replay.report = true;
        replay.has_show = replay.show = show;
        message.body_case = WARREN__HOST__TO_HOST__BODY_REPLAY;
        message.replay = &replay;
        answer = ask(player, &message, WARREN__HOST__FROM_HOST__BODY_REPLAYED, "played", player->at + count, error);
    }
    free(inputs);
    free(hashes);
    return answer;
}

/* Some turns nearer to `until`. A host that is lost on the way has played one of several turns: they are played again
 * by another, one at a time, and it is known which it was. */
static bool replay_some(wn_player *player, uint64_t until, wn_error *error)
{
    const size_t count = chunk_size(player, until);
    const uint64_t wanted = player->at + count, began = now_us();
    const Warren__Host__FromHost *answer = ask_replay(player, count, false, error);
    if (answer == NULL) {
        const bool again = player->host == NULL && count > 1;
        player->careful_from = again ? wanted - count : player->careful_from;
        player->careful_until = again ? wanted : player->careful_until;
        return again;
    }
    if (!take_replayed(player, answer->replayed, wanted, error)) {
        return false;
    }
    adapt_chunk(player, now_us() - began);
    return save_point(player, error);
}

/* ------------------------------------------------------------------------------------------------------- the view */

static bool view_exists(const wn_player *player)
{
    return player->seat == WN_PLAYER_SPECTATOR || (player->taken >> player->seat & 1) != 0;
}

static bool clear_replica(wn_player *player, wn_error *error)
{
    wn_replica_free(player->replica);
    player->update = NULL;
    player->replica = wn_replica_new(player->mode);
    if (player->replica == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0, "There is no memory left for a view.");
    }
    wn_replica_name(player->replica, WORLD, player->header->world, player->seat);
    return true;
}

static bool apply_update(wn_player *player, const Warren__Host__ViewUpdate *view, uint64_t turn, wn_error *error)
{
    wn_arena_reset(player->update_arena);
    player->update = wn_update_decode(player->update_arena, view->update.data, view->update.len, error);
    if (player->update != NULL && wn_replica_apply(player->replica, player->update) == WN_APPLY_DONE) {
        return true;
    }
    player->update = NULL;
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, turn,
                        "The update of turn %" PRIu64 " does not fit the view that it is for.", turn);
}

static void unwatch(wn_player *player)
{
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__Watch watch = WARREN__HOST__WATCH__INIT;
    if (player->watching) {
        watch.world = WORLD;
        watch.has_seat = player->seat != WN_PLAYER_SPECTATOR;
        watch.seat = (uint32_t)player->seat;
        message.body_case = WARREN__HOST__TO_HOST__BODY_WATCH;
        message.watch = &watch;
        wn_playback_tell(player->host, &message);
    }
    player->watching = false;
}

/* The chosen view at the turn that the host is at: its keyframe, or nothing while its seat is free. */
static bool watch(wn_player *player, wn_error *error)
{
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__Watch watch = WARREN__HOST__WATCH__INIT;
    if (!clear_replica(player, error)) {
        return false;
    }
    player->replica->turn = player->at;
    if (!view_exists(player)) {
        unwatch(player);
        return true;
    }
    watch.world = WORLD;
    watch.has_seat = player->seat != WN_PLAYER_SPECTATOR;
    watch.seat = (uint32_t)player->seat;
    watch.on = true;
    message.body_case = WARREN__HOST__TO_HOST__BODY_WATCH;
    message.watch = &watch;
    const Warren__Host__FromHost *answer =
        ask(player, &message, WARREN__HOST__FROM_HOST__BODY_UPDATE, "drew", player->at, error);
    if (answer == NULL || !apply_update(player, answer->update, player->at, error)) {
        return false;
    }
    player->update = NULL;
    player->watching = true;
    return true;
}

static const Warren__Host__ViewUpdate *find_update(const wn_player *player, const Warren__Host__Replayed *replayed)
{
    for (size_t i = 0; i < replayed->n_updates; i++) {
        const Warren__Host__ViewUpdate *update = replayed->updates[i];
        if ((update->has_seat ? (int32_t)update->seat : WN_PLAYER_SPECTATOR) == player->seat) {
            return update;
        }
    }
    return NULL;
}

/* Plays the next turn, and the replica becomes what the watched view is after it. */
static bool play_shown(wn_player *player, wn_error *error)
{
    const Warren__Host__FromHost *answer = ask_replay(player, 1, true, error);
    if (answer == NULL || !take_replayed(player, answer->replayed, player->at + 1, error)) {
        return false;
    }
    const Warren__Host__ViewUpdate *update = player->watching ? find_update(player, answer->replayed) : NULL;
    player->replica->turn = player->at;
    return update == NULL || apply_update(player, update, player->at, error);
}

/* The next turn as live play showed it. Whoever leaves in it sees it to its end. */
static bool show_next(wn_player *player, wn_error *error)
{
    const bool fresh = !player->shown || player->shown_turn != player->at;
    player->shown = false;
    player->update = NULL;
    if ((fresh || player->watching != view_exists(player)) && !watch(player, error)) {
        return false;
    }
    if (!play_shown(player, error) || (!player->watching && view_exists(player) && !watch(player, error))) {
        return false;
    }
    player->shown = true;
    player->shown_turn = player->at;
    return save_point(player, error);
}

static bool show_first(wn_player *player, wn_error *error)
{
    player->shown = watch(player, error);
    player->shown_turn = player->at;
    return player->shown;
}

/* ------------------------------------------------------------------------------------------------- going somewhere */

/* The state to begin from, if the world's own is none: behind the goal, or so far before it that one that is kept is
 * nearer. */
static bool begin_elsewhere(const wn_player *player, const wn_seek_point **point)
{
    const uint64_t before = player->goal > first_turn(player) ? player->goal - 1 : first_turn(player);
    *point = player->goal > first_turn(player) ? wn_seek_points_before(&player->points, before) : NULL;
    return !player->made || player->at > before || (*point != NULL && (*point)->turn > player->at);
}

static bool do_some(wn_player *player, wn_error *error)
{
    const wn_seek_point *point;
    if (player->host == NULL) {
        return start_host(player, error);
    }
    if (begin_elsewhere(player, &point)) {
        return restore(player, point, error);
    }
    if (player->at == player->goal) {
        return show_first(player, error);
    }
    if (player->at + 1 == player->goal) {
        return show_next(player, error);
    }
    unwatch(player);
    return replay_some(player, player->goal - 1, error);
}

bool wn_player_arrived(const wn_player *player)
{
    return player->shown && player->shown_turn == player->goal;
}

void wn_player_go(wn_player *player, uint64_t turn)
{
    player->goal = turn < first_turn(player) ? first_turn(player) : turn > last_turn(player) ? last_turn(player) : turn;
}

bool wn_player_work(wn_player *player, uint32_t budget_ms, wn_error *error)
{
    const uint64_t end = now_us() + budget_ms * UINT64_C(1000);
    do {
        if (wn_player_arrived(player)) {
            return true;
        }
        if (!do_some(player, error)) {
            player->shown = false;
            return false;
        }
    } while (now_us() < end);
    return true;
}

bool wn_player_seek(wn_player *player, uint64_t turn, wn_error *error)
{
    wn_player_go(player, turn);
    while (!wn_player_arrived(player)) {
        if (!wn_player_work(player, UINT32_MAX, error)) {
            return false;
        }
    }
    return true;
}

bool wn_player_look(wn_player *player, int32_t seat, wn_error *error)
{
    if (seat < WN_PLAYER_SPECTATOR || seat >= (int32_t)wn_player_seats(player)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "seat", wn_player_seats(player),
                            "The mode %s has no seat %" PRId32 ": its seats are 0 to %" PRIu32 ".",
                            player->header->mode, seat, wn_player_seats(player) - 1);
    }
    if (player->made) {
        unwatch(player);
    }
    player->seat = seat;
    player->shown = false;
    return true;
}

bool wn_player_choose(wn_player *player, int32_t seat, wn_error *error)
{
    return wn_player_look(player, seat, error) && wn_player_seek(player, player->goal, error);
}

/* ------------------------------------------------------------------------------------------------------- verifying */

bool wn_player_verify(wn_player *player, wn_verdict *verdict, wn_error *error)
{
    bool good = player->host != NULL || start_host(player, error);
    player->verdict = (wn_verdict){.agreed_turn = first_turn(player)};
    player->verifying = true;
    player->shown = false;
    player->update = NULL;
    good = good && restore(player, NULL, error);
    while (good && player->at < last_turn(player)) {
        const uint64_t until = last_turn(player);
        if (player->host == NULL) { /* it was lost, and the turn is sought */
            good = start_host(player, error) && restore(player, NULL, error);
            player->verdict = (wn_verdict){.agreed_turn = first_turn(player)};
        }
        good = good && replay_some(player, until, error);
    }
    player->verifying = false;
    if (good && !player->verdict.diverged && player->verdict.compared > 0) {
        player->verdict.agreed_turn = agreed_before(player, last_turn(player) + 1);
    }
    *verdict = player->verdict;
    return good;
}

/* --------------------------------------------------------------------------------------------------- asking, lifetime
 */

const char *wn_player_difference(const wn_player *player)
{
    return player->difference;
}

uint64_t wn_player_turn(const wn_player *player)
{
    return player->shown_turn;
}

uint64_t wn_player_goal(const wn_player *player)
{
    return player->goal;
}

uint64_t wn_player_working(const wn_player *player)
{
    return player->at;
}

int32_t wn_player_seat(const wn_player *player)
{
    return player->seat;
}

const char *wn_player_name(const wn_player *player, uint32_t seat)
{
    return seat < SEATS && (player->taken >> seat & 1) != 0 ? player->names[seat] : NULL;
}

uint32_t wn_player_seats(const wn_player *player)
{
    return player->mode->max_seats < SEATS ? player->mode->max_seats : SEATS;
}

const char *wn_player_outcome(const wn_player *player)
{
    return player->outcome;
}

const wn_replica *wn_player_replica(const wn_player *player)
{
    return player->replica;
}

const Warren__Update *wn_player_update(const wn_player *player)
{
    return player->update;
}

static bool prepare(wn_player *player, const wn_player_options *options, wn_error *error)
{
    player->program = host_program(options->host_program);
    player->mode_file = find_mode(options->mode_path, player->header->mode, error);
    player->legend_arena = wn_arena_new(WN_ARENA_REPLY);
    player->update_arena = wn_arena_new(WN_ARENA_UPDATE);
    if (player->mode_file == NULL) {
        return false;
    }
    if (player->program == NULL || player->legend_arena == NULL || player->update_arena == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                            "There is no memory left to play a recording.");
    }
    player->options = (wn_playback_options){.program = player->program,
                                            .mode = player->mode_file,
                                            .answer_ms = options->answer_ms != 0 ? options->answer_ms : ANSWER_MS,
                                            .quiet = options->quiet,
                                            .log = options->log,
                                            .log_context = options->log_context};
    return true;
}

wn_player *wn_player_open(const wn_recording *recording, const wn_player_options *options, wn_error *error)
{
    wn_player *player = calloc(1, sizeof *player);
    if (player == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_INTERNAL, NULL, 0,
                     "There is no memory left to play a recording.");
        return NULL;
    }
    player->recording = recording;
    player->header = wn_recording_header(recording);
    player->seat = WN_PLAYER_SPECTATOR;
    player->chunk = FIRST_CHUNK;
    if (!prepare(player, options, error) || !wn_player_seek(player, first_turn(player), error)) {
        wn_player_free(player);
        return NULL;
    }
    return player;
}

void wn_player_free(wn_player *player)
{
    if (player == NULL) {
        return;
    }
    wn_playback_end(player->host);
    wn_replica_free(player->replica);
    wn_seek_points_free(&player->points);
    wn_arena_free(player->legend_arena);
    wn_arena_free(player->update_arena);
    free(player->mode_file);
    free(player->program);
    free(player);
}
