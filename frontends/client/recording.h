/* recording.h: recorded games as files: written whole or not at all, read with every failure spoken. What is in one
 * stands in proto/warren.proto at ExportPart; playing one is player.h's part.
 *
 * The file is one gzip stream, so that its content is guarded by the stream's checksum; its header carries a checksum
 * of its own. Nothing in it names the machine or the time of writing: the same world gives the same file.
 */
#ifndef WARREN_RECORDING_H
#define WARREN_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

#define WN_RECORDING_LINE "WARREN RECORDING 1\n"
enum { WN_RECORDING_BYTES = 1 << 30 }; /* the most that a recording may unpack to */

/* writing */

typedef struct wn_recording_writer wn_recording_writer;

/* Starts a file beside `path`, which stays as it is until the recording is whole. NULL: it cannot be made. */
wn_recording_writer *wn_recording_create(const char *path, wn_error *error);
/* The next part, in the order in which they come. false: it cannot be written, or does not follow the last one. */
bool wn_recording_add(wn_recording_writer *writer, const Warren__ExportPart *part, wn_error *error);
/* After the last part: the file is on the disk under its name. false: it is not, and what was there before still is.
 * The writer is gone in either case. */
bool wn_recording_finish(wn_recording_writer *writer, wn_error *error);
/* Leaves no trace. NULL is fine. */
void wn_recording_abandon(wn_recording_writer *writer);

/* reading */

typedef struct wn_recording wn_recording;

typedef struct wn_recorded_turn {
    const uint8_t *inputs; /* an encoded warren.host.Inputs */
    size_t size;
    uint64_t hash; /* of the state after it; 0: not recorded */
} wn_recorded_turn;

/* NULL with a sentence that names the file, where in it, and what to do: it is not there, not a recording, of another
 * version, cut off, damaged, or lacks turns. */
wn_recording *wn_recording_read(const char *path, wn_error *error);
void wn_recording_free(wn_recording *recording); /* NULL is fine */

const Warren__RecordingHeader *wn_recording_header(const wn_recording *recording);
uint64_t wn_recording_first(const wn_recording *recording); /* the turn it begins after: 0, or that of its snapshot */
uint64_t wn_recording_last(const wn_recording *recording);  /* the turn it ends with */
/* One of the turns after the first, up to the last. NULL: not one of them. */
const wn_recorded_turn *wn_recording_turn(const wn_recording *recording, uint64_t turn);

#endif
