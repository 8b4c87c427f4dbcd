/* recordings.c: see recordings.h. The files are read and written by recording.h, played by player.h; here is what is
 * said about them.
 */
#include "recordings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "json.h"
#include "picture.h"
#include "player.h"

enum { TURNS_PER_SECOND = 8 };

static int complain(const wn_error *error)
{
    const bool nothing_to_play_with =
        error->code == WARREN__ERROR_CODE__ERROR_UNAVAILABLE ||
        (error->code == WARREN__ERROR_CODE__ERROR_NOT_FOUND && strcmp(error->field, "mode") == 0);
    fprintf(stderr, "warrenctl: %s\n", error->text);
    return nothing_to_play_with ? WN_EXIT_UNAVAILABLE : WN_EXIT_REFUSED;
}

/* The recording itself could not be read or written: that is nobody else's fault. */
static int complain_of_file(const wn_error *error)
{
    fprintf(stderr, "warrenctl: %s\n", error->text);
    return WN_EXIT_REFUSED;
}

static void log_line(void *context, Warren__Host__LogLevel level, const char *text)
{
    (void)context;
    if (level == WARREN__HOST__LOG_LEVEL__LOG_ERROR || level == WARREN__HOST__LOG_LEVEL__LOG_WARNING) {
        fprintf(stderr, "warrenctl: the mode says: %s\n", text);
    }
}

static wn_player *open_player(const wn_ctl *ctl, const wn_recording *recording, wn_error *error)
{
    const wn_player_options options = {.mode_path = ctl->options->mode_path, .log = log_line};
    return wn_player_open(recording, &options, error);
}

/* exporting */

typedef struct exported {
    char mode[WN_NAME_BYTES + 1];
    uint64_t first, last;
    bool whole;
} exported;

/* Takes what a part says. false: it brings the recording no further, and the next one would not either. */
static bool take_part(exported *so_far, const Warren__ExportPart *part)
{
    if (part->header != NULL) {
        snprintf(so_far->mode, sizeof so_far->mode, "%s", part->header->mode);
        so_far->first = so_far->last = part->header->has_turn ? part->header->turn : 0;
    }
    if (part->n_turns > 0) {
        so_far->last = part->turns[part->n_turns - 1]->turn;
    }
    so_far->whole = part->last;
    return part->last || part->n_turns > 0;
}

/* Part by part, until the last. Nothing is written before the server has sent the first. */
static int export_parts(wn_ctl *ctl, const char *world, const char *path, wn_recording_writer **writer,
                        exported *so_far)
{
    wn_error error = {0};
    while (!so_far->whole) {
        const Warren__Reply *reply = wn_session_answer(
            &ctl->session, wn_client_export(ctl->session.client, world, so_far->last), WARREN__REPLY__BODY_EXPORT);
        if (reply == NULL) {
            return ctl->session.status;
        }
        if (*writer == NULL && (*writer = wn_recording_create(path, &error)) == NULL) {
            return complain_of_file(&error);
        }
        if (!wn_recording_add(*writer, reply->export, &error)) {
            return complain_of_file(&error);
        }
        if (!take_part(so_far, reply->export)) {
            fprintf(stderr, "warrenctl: The server at %s sends no turns after turn %" PRIu64 ", and no end.\n",
                    ctl->session.address.control, so_far->last);
            return WN_EXIT_UNAVAILABLE;
        }
    }
    const bool written = wn_recording_finish(*writer, &error);
    *writer = NULL;
    return written ? WN_EXIT_DONE : complain_of_file(&error);
}

static void show_exported(const wn_ctl *ctl, const char *world, const char *path, const exported *done)
{
    struct stat file = {0};
    const uint64_t bytes = stat(path, &file) == 0 ? (uint64_t)file.st_size : 0;
    if (!ctl->options->json) {
        printf("%s: turns %" PRIu64 " to %" PRIu64 " of %s (%s), %" PRIu64 " bytes\n", path,
               done->first + (done->last > done->first), done->last, world, done->mode, bytes);
        return;
    }
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_string(&json, "exported", world);
    wn_json_string(&json, "file", path);
    wn_json_string(&json, "mode", done->mode);
    wn_json_uint(&json, "first", done->first);
    wn_json_uint(&json, "last", done->last);
    wn_json_uint(&json, "bytes", bytes);
    wn_json_end(&json);
}

int wn_ctl_export(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    wn_recording_writer *writer = NULL;
    exported done = {0};
    const int status = export_parts(ctl, arguments[0], arguments[1], &writer, &done);
    wn_recording_abandon(writer);
    if (status == WN_EXIT_DONE) {
        show_exported(ctl, arguments[0], arguments[1], &done);
    }
    return status;
}

/* verifying */

typedef struct verified {
    const char *path;
    const wn_recording *recording; /* NULL: it could not be read */
    const char *difference;
    wn_verdict verdict;
    wn_error error; /* its text is "" if it ran to its end */
    int status;
} verified;

static void say_verdict(const verified *found)
{
    const uint64_t last = wn_recording_last(found->recording);
    const uint64_t turns = last - wn_recording_first(found->recording);
    const Warren__RecordingHeader *header = wn_recording_header(found->recording);
    if (found->verdict.diverged) {
        printf("%s: diverged between turn %" PRIu64 " and turn %" PRIu64 " of %" PRIu64 " (%s %s)\n", found->path,
               found->verdict.agreed_turn, found->verdict.diverged_turn, last, header->mode, header->mode_version);
    } else if (found->verdict.compared == 0) {
        printf("%s: played to its end, %" PRIu64 " turns of %s %s; it holds no hashes to compare\n", found->path, turns,
               header->mode, header->mode_version);
    } else {
        printf("%s: ok, %" PRIu64 " turns of %s %s, %" PRIu64 " hashes agree\n", found->path, turns, header->mode,
               header->mode_version, found->verdict.compared);
    }
    if (found->difference[0] != '\0') {
        printf("%s: %s\n", found->path, found->difference);
    }
}

static void verdict_as_json(wn_json *json, const verified *found)
{
    const bool failed = found->error.text[0] != '\0';
    wn_json_object(json, NULL);
    wn_json_string(json, "file", found->path);
    wn_json_string(json, "result", failed ? "failed" : found->verdict.diverged ? "diverged" : "ok");
    wn_json_string(json, "error", failed ? found->error.text : NULL);
    if (found->recording != NULL) {
        const Warren__RecordingHeader *header = wn_recording_header(found->recording);
        wn_json_string(json, "world", header->world);
        wn_json_string(json, "mode", header->mode);
        wn_json_string(json, "version", header->mode_version);
        wn_json_uint(json, "first", wn_recording_first(found->recording));
        wn_json_uint(json, "last", wn_recording_last(found->recording));
        wn_json_string(json, "difference", found->difference[0] != '\0' ? found->difference : NULL);
        wn_json_uint(json, "compared", found->verdict.compared);
        wn_json_uint(json, "agreed_turn", found->verdict.agreed_turn);
        if (found->verdict.diverged) {
            wn_json_uint(json, "diverged_turn", found->verdict.diverged_turn);
        } else {
            wn_json_null(json, "diverged_turn");
        }
    }
    wn_json_end(json);
}

static int verify_file(const wn_ctl *ctl, const char *path, wn_json *json)
{
    verified found = {.path = path, .difference = "", .status = WN_EXIT_DONE};
    wn_recording *recording = wn_recording_read(path, &found.error);
    wn_player *player = recording != NULL ? open_player(ctl, recording, &found.error) : NULL;
    found.recording = recording;
    if (player != NULL) {
        found.difference = wn_player_difference(player);
    }
    if (player == NULL || !wn_player_verify(player, &found.verdict, &found.error)) {
        wn_error named = found.error;
        if (recording != NULL) { /* else the sentence names it already */
            snprintf(named.text, sizeof named.text, "%.100s: %.400s", path, found.error.text);
        }
        found.status = recording != NULL ? complain(&named) : complain_of_file(&named);
    } else if (found.verdict.diverged) {
        found.status = WN_EXIT_REFUSED;
    }
    if (ctl->options->json) {
        verdict_as_json(json, &found);
    } else if (found.error.text[0] == '\0') {
        say_verdict(&found);
    } else if (found.difference[0] != '\0') {
        printf("%s: %s\n", path, found.difference);
    }
    wn_player_free(player);
    wn_recording_free(recording);
    return found.status;
}

int wn_ctl_verify(wn_ctl *ctl, int count, char **arguments)
{
    int status = WN_EXIT_DONE;
    wn_json json;
    wn_json_start(&json, stdout);
    if (ctl->options->json) {
        wn_json_array(&json, NULL);
    }
    for (int i = 0; i < count; i++) {
        const int one = verify_file(ctl, arguments[i], &json);
        status = one == WN_EXIT_REFUSED || status == WN_EXIT_DONE ? one : status;
    }
    if (ctl->options->json) {
        wn_json_end(&json);
    }
    return status;
}

/* replaying */

static void print_turn(const wn_player *player, const wn_recording *recording)
{
    const int32_t seat = wn_player_seat(player);
    const wn_replica *replica = wn_player_replica(player);
    const char *name = seat >= 0 ? wn_player_name(player, (uint32_t)seat) : NULL;
    printf("turn %" PRIu64 " of %" PRIu64 ", ", wn_player_turn(player), wn_recording_last(recording));
    if (seat < 0) {
        puts("as a spectator");
    } else if (name != NULL) {
        printf("as %s (seat %" PRId32 ")\n", name, seat);
    } else {
        printf("seat %" PRId32 " is free\n", seat);
    }
    if (replica->ready) {
        wn_picture_print(stdout, replica);
    }
    if (wn_player_outcome(player)[0] != '\0') {
        puts(wn_player_outcome(player));
    }
}

static void print_turn_as_json(const wn_player *player, const wn_recording *recording)
{
    const int32_t seat = wn_player_seat(player);
    const char *outcome = wn_player_outcome(player), *difference = wn_player_difference(player);
    const Warren__RecordingHeader *header = wn_recording_header(recording);
    wn_json json;
    wn_json_start(&json, stdout);
    wn_json_object(&json, NULL);
    wn_json_string(&json, "world", header->world);
    wn_json_string(&json, "mode", header->mode);
    wn_json_uint(&json, "first", wn_recording_first(recording));
    wn_json_uint(&json, "last", wn_recording_last(recording));
    wn_json_uint(&json, "turn", wn_player_turn(player));
    if (seat >= 0) {
        wn_json_int(&json, "seat", seat);
    } else {
        wn_json_null(&json, "seat");
    }
    wn_json_array(&json, "players");
    for (uint32_t i = 0; i < wn_player_seats(player); i++) {
        if (wn_player_name(player, i) != NULL) {
            wn_json_object(&json, NULL);
            wn_json_uint(&json, "seat", i);
            wn_json_string(&json, "player", wn_player_name(player, i));
            wn_json_end(&json);
        }
    }
    wn_json_end(&json);
    wn_json_string(&json, "outcome", outcome[0] != '\0' ? outcome : NULL);
    wn_json_string(&json, "difference", difference[0] != '\0' ? difference : NULL);
    if (wn_player_replica(player)->ready) {
        wn_picture_json(&json, wn_player_replica(player));
    }
    wn_json_end(&json);
}

/* Waits until so many seconds after `began`. */
static void sleep_until(const struct timespec *began, double seconds)
{
    struct timespec due = *began;
    const double whole = floor(seconds);
    due.tv_sec += (time_t)whole;
    due.tv_nsec += (long)((seconds - whole) * 1e9);
    if (due.tv_nsec >= 1000000000L) {
        due.tv_sec++;
        due.tv_nsec -= 1000000000L;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

static bool run_turns(wn_player *player, const wn_recording *recording, uint64_t from, double speed, wn_error *error)
{
    struct timespec began;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (uint64_t turn = from;; turn++) {
        if (!wn_player_seek(player, turn, error)) {
            return false;
        }
        print_turn(player, recording);
        if (turn >= wn_recording_last(recording)) {
            return true;
        }
        puts("");
        fflush(stdout);
        if (isfinite(speed)) {
            sleep_until(&began, (double)(turn - from + 1) / (speed * TURNS_PER_SECOND));
        }
    }
}

static bool replay(const wn_ctl *ctl, const wn_recording *recording, wn_player *player, wn_error *error)
{
    const wn_ctl_options *options = ctl->options;
    const uint64_t first = wn_recording_first(recording), last = wn_recording_last(recording);
    const bool one = (options->given & WN_CTL_TURN) != 0 && (options->given & WN_CTL_SPEED) == 0;
    uint64_t turn = options->given & WN_CTL_TURN ? options->turn : options->json ? last : first;
    if (turn < first || turn > last) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_LIMIT, "turn", last,
                            "There is no turn %" PRIu64 " in the recording; it has the turns %" PRIu64 " to %" PRIu64
                            ".",
                            turn, first, last);
    }
    if ((options->given & WN_CTL_SEAT) != 0 && !wn_player_choose(player, (int32_t)options->seat, error)) {
        return false;
    }
    if (!options->json && !one) {
        return run_turns(player, recording, turn, options->speed, error);
    }
    if (!wn_player_seek(player, turn, error)) {
        return false;
    }
    if (options->json) {
        print_turn_as_json(player, recording);
    } else {
        print_turn(player, recording);
    }
    return true;
}

int wn_ctl_replay(wn_ctl *ctl, int count, char **arguments)
{
    (void)count;
    const unsigned both = WN_CTL_SEAT | WN_CTL_SPECTATOR;
    wn_error error = {0};
    if ((ctl->options->given & both) == both || (ctl->options->json && (ctl->options->given & WN_CTL_SPEED) != 0)) {
        fputs("warrenctl: replay takes one of --seat and --spectator, and --json only for one turn, without --speed.\n",
              stderr);
        return WN_EXIT_USAGE;
    }
    wn_recording *recording = wn_recording_read(arguments[0], &error);
    wn_player *player = recording != NULL ? open_player(ctl, recording, &error) : NULL;
    if (player != NULL && wn_player_difference(player)[0] != '\0') {
        fprintf(stderr, "warrenctl: %s\n", wn_player_difference(player));
    }
    const bool done = player != NULL && replay(ctl, recording, player, &error);
    const int status = done ? WN_EXIT_DONE : recording != NULL ? complain(&error) : complain_of_file(&error);
    wn_player_free(player);
    wn_recording_free(recording);
    return status;
}
