/* player-world.c: the host of a player and the world in it. See player-internal.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "player-internal.h"

enum {
    LARGEST_CHUNK = 1024, /* turns that are replayed in one go */
    CHUNK_BYTES = 4 << 20,
    QUICK_US = 5000, /* a chunk that took less may be larger next time */
    SLOW_US = 20000  /* ... more, has to be smaller */
};

/* the host */

static void end_host(wn_player *player)
{
    wn_playback_end(player->host);
    player->host = NULL;
    player->made = false;
    player->watching = false;
}

const Warren__Host__FromHost *wn_player_ask(wn_player *player, const Warren__Host__ToHost *message,
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

bool wn_player_start_host(wn_player *player, wn_error *error)
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

/* the host's world */

static void take_seats(wn_player *player, Warren__Host__SeatState *const *seats, size_t count)
{
    player->taken = 0;
    for (size_t i = 0; i < count; i++) {
        if (seats[i]->seat < WN_SEATS) {
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

bool wn_player_restore(wn_player *player, const wn_seek_point *point, wn_error *error)
{
    const Warren__RecordingHeader *header = player->header;
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__DestroyWorld destroy = WARREN__HOST__DESTROY_WORLD__INIT;
    Warren__Host__CreateWorld create = WARREN__HOST__CREATE_WORLD__INIT;
    if (player->made) {
        destroy.world = WN_PLAYER_WORLD;
        message.body_case = WARREN__HOST__TO_HOST__BODY_DESTROY;
        message.destroy = &destroy;
        wn_playback_tell(player->host, &message);
    }
    player->made = false;
    player->watching = false;
    create.world = WN_PLAYER_WORLD;
    create.seed = header->seed;
    create.n_settings = header->n_settings;
    create.settings = header->settings;
    create.has_turn = create.has_snapshot = point != NULL || header->has_snapshot;
    create.turn = point != NULL ? point->turn : wn_player_first_turn(player);
    create.snapshot = point != NULL ? (ProtobufCBinaryData){point->size, point->snapshot} : header->snapshot;
    message.body_case = WARREN__HOST__TO_HOST__BODY_CREATE;
    message.create = &create;
    const Warren__Host__FromHost *answer =
        wn_player_ask(player, &message, WARREN__HOST__FROM_HOST__BODY_CREATED, "made the world of", create.turn, error);
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

bool wn_player_save_point(wn_player *player, wn_error *error)
{
    Warren__Host__ToHost message = WARREN__HOST__TO_HOST__INIT;
    Warren__Host__SaveWorld save = WARREN__HOST__SAVE_WORLD__INIT;
    if (player->verifying || !wn_seek_points_wants(&player->points, player->at)) {
        return true;
    }
    save.world = WN_PLAYER_WORLD;
    message.body_case = WARREN__HOST__TO_HOST__BODY_SAVE;
    message.save = &save;
    const Warren__Host__FromHost *answer =
        wn_player_ask(player, &message, WARREN__HOST__FROM_HOST__BODY_SAVED, "saved", player->at, error);
    if (answer != NULL && answer->saved->has_snapshot) {
        wn_seek_points_add(&player->points, player->at, answer->saved->snapshot.data, answer->saved->snapshot.len);
    }
    return answer != NULL;
}

/* turns without drawing */

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

uint64_t wn_player_agreed_before(const wn_player *player, uint64_t turn)
{
    for (turn--; turn > wn_player_first_turn(player); turn--) {
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
        verdict->agreed_turn = wn_player_agreed_before(player, replayed->diverged);
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
        replay.world = WN_PLAYER_WORLD;
        replay.first = player->at + 1;
        replay.inputs = inputs;
        replay.n_inputs = count;
        replay.hashes = hashes;
        replay.n_hashes = player->verifying ? count : 0;
        replay.has_report = replay.report = true;
        replay.has_show = replay.show = show;
        message.body_case = WARREN__HOST__TO_HOST__BODY_REPLAY;
        message.replay = &replay;
        answer = wn_player_ask(player, &message, WARREN__HOST__FROM_HOST__BODY_REPLAYED, "played", player->at + count,
                               error);
    }
    free(inputs);
    free(hashes);
    return answer;
}

bool wn_player_replay_some(wn_player *player, uint64_t until, wn_error *error)
{
    const size_t count = chunk_size(player, until);
    const uint64_t wanted = player->at + count, began = wn_clock_us();
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
    adapt_chunk(player, wn_clock_us() - began);
    return wn_player_save_point(player, error);
}

const Warren__Host__Replayed *wn_player_show_turn(wn_player *player, wn_error *error)
{
    const Warren__Host__FromHost *answer = ask_replay(player, 1, true, error);
    const bool played = answer != NULL && take_replayed(player, answer->replayed, player->at + 1, error);
    return played ? answer->replayed : NULL;
}
