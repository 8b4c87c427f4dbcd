/* recording.c: see recording.h. */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    CHUNK_BYTES = 64 << 10,
    GZIP_WINDOW = 15 + 16, /* the largest window, with a gzip header and trailer around the stream */
    MEMORY_LEVEL = 9,
    TEMPORARY_NAMES = 100,
    LINE_BYTES = sizeof WN_RECORDING_LINE - 1,
    LINE_PREFIX = LINE_BYTES - 2 /* without the version and its line feed */
};

/* How far the parts have come; both sides hold them against the same rules. */
typedef struct progress {
    const char *path;
    bool begun, ended;
    uint64_t turn; /* the last one that came */
} progress;

static bool fail(wn_error *error, Warren__ErrorCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(wn_error *error, Warren__ErrorCode code, const char *format, ...)
{
    char text[WN_TEXT_BYTES + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return wn_fail_with(error, code, NULL, 0, "%s", text);
}

static bool malformed(wn_error *error, const progress *at, const char *what)
{
    return fail(error, WARREN__ERROR_CODE__ERROR_MALFORMED, "%s is no whole recording: after turn %" PRIu64 ", %s.",
                at->path, at->turn, what);
}

static bool part_follows(progress *at, const Warren__ExportPart *part, wn_error *error)
{
    if (at->ended) {
        return malformed(error, at, "which is its last, another part follows");
    }
    if (at->begun == (part->header != NULL)) {
        return malformed(error, at, at->begun ? "a second header follows" : "where a header has to be, there is none");
    }
    if (part->header != NULL) {
        at->begun = true;
        at->turn = part->header->has_turn ? part->header->turn : 0;
        if (part->header->has_turn != part->header->has_snapshot) {
            return malformed(error, at, "a snapshot or its turn is missing");
        }
    }
    for (size_t i = 0; i < part->n_turns; i++) {
        if (part->turns[i]->turn != at->turn + 1) {
            return fail(error, WARREN__ERROR_CODE__ERROR_MALFORMED,
                        "%s has a gap: turn %" PRIu64 " comes after turn %" PRIu64
                        ". What it holds cannot be played; export the world again.",
                        at->path, part->turns[i]->turn, at->turn);
        }
        at->turn++;
    }
    at->ended = part->last;
    return true;
}

/* writing */

struct wn_recording_writer {
    progress at;
    char *path, *temporary;
    int fd;
    bool made; /* the file under the temporary name */
    bool deflating;
    z_stream stream;
    gz_header header;
    wn_buffer plain;
    uint8_t packed[CHUNK_BYTES];
};

static bool fail_to_write(wn_error *error, const wn_recording_writer *writer, const char *what)
{
    const int reason = errno;
    return fail(error,
                reason == ENOENT || reason == ENOTDIR ? WARREN__ERROR_CODE__ERROR_NOT_FOUND
                                                      : WARREN__ERROR_CODE__ERROR_UNAVAILABLE,
                "The recording %s cannot be written (%s: %s). Make room or name another file; nothing was changed.",
                writer->path, what, strerror(reason));
}

/* A name beside the file's, so that renaming stays within one file system. */
static bool open_temporary(wn_recording_writer *writer)
{
    errno = ENOMEM;
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        free(writer->temporary);
        writer->temporary = NULL;
        if (asprintf(&writer->temporary, "%s.%ld-%d.tmp", writer->path, (long)getpid(), i) < 0) {
            writer->temporary = NULL;
            return false;
        }
        writer->fd = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        writer->made = writer->fd >= 0;
        if (writer->made || errno != EEXIST) {
            return writer->made;
        }
    }
    return false;
}

static bool start_deflating(wn_recording_writer *writer)
{
    enum { OS_UNKNOWN = 255 };
    writer->header = (gz_header){.os = OS_UNKNOWN, .hcrc = 1};
    errno = ENOMEM;
    writer->deflating = deflateInit2(&writer->stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
                                     Z_DEFAULT_STRATEGY) == Z_OK;
    return writer->deflating && deflateSetHeader(&writer->stream, &writer->header) == Z_OK;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Packs what is in `plain` and writes what comes of it. */
static bool deflate_plain(wn_recording_writer *writer, int flush, wn_error *error)
{
    z_stream *stream = &writer->stream;
    stream->next_in = writer->plain.data;
    stream->avail_in = (uInt)writer->plain.size;
    do {
        stream->next_out = writer->packed;
        stream->avail_out = sizeof writer->packed;
        deflate(stream, flush);
        if (!write_all(writer->fd, writer->packed, sizeof writer->packed - stream->avail_out)) {
            return fail_to_write(error, writer, "write");
        }
    } while (stream->avail_out == 0);
    writer->plain.size = 0;
    return true;
}

wn_recording_writer *wn_recording_create(const char *path, wn_error *error)
{
    wn_recording_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL || (writer->path = strdup(path)) == NULL) {
        fail(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "There is no memory to write the recording %s.", path);
        free(writer);
        return NULL;
    }
    writer->fd = -1;
    writer->at.path = writer->path;
    if (!open_temporary(writer) || !start_deflating(writer)) {
        fail_to_write(error, writer, writer->fd < 0 ? "open" : "start");
        wn_recording_abandon(writer);
        return NULL;
    }
    wn_buffer_append(&writer->plain, WN_RECORDING_LINE, LINE_BYTES);
    return writer;
}

bool wn_recording_add(wn_recording_writer *writer, const Warren__ExportPart *part, wn_error *error)
{
    if (!part_follows(&writer->at, part, error)) {
        return false;
    }
    wn_frame_append(&writer->plain, &part->base);
    return deflate_plain(writer, Z_NO_FLUSH, error);
}

/* So that the new name survives a loss of power, too. Not every file system can do that. */
static void sync_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    const int fd = directory == NULL ? -1 : open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(directory);
}

/* Everything on the disk, and only then under its name. */
static bool settle(wn_recording_writer *writer, wn_error *error)
{
    if (!writer->at.ended) {
        return malformed(error, &writer->at, "nothing more came, though that was not the last part");
    }
    if (!deflate_plain(writer, Z_FINISH, error)) {
        return false;
    }
    if (fsync(writer->fd) != 0) {
        return fail_to_write(error, writer, "fsync");
    }
    const int closed = close(writer->fd);
    writer->fd = -1;
    if (closed != 0) {
        return fail_to_write(error, writer, "close");
    }
    if (rename(writer->temporary, writer->path) != 0) {
        return fail_to_write(error, writer, "rename");
    }
    writer->made = false;
    sync_directory(writer->path);
    return true;
}

bool wn_recording_finish(wn_recording_writer *writer, wn_error *error)
{
    const bool settled = settle(writer, error);
    wn_recording_abandon(writer);
    return settled;
}

void wn_recording_abandon(wn_recording_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    if (writer->deflating) {
        deflateEnd(&writer->stream);
    }
    if (writer->fd >= 0) {
        close(writer->fd);
    }
    if (writer->made) {
        unlink(writer->temporary);
    }
    wn_buffer_free(&writer->plain);
    free(writer->temporary);
    free(writer->path);
    free(writer);
}

/* reading */

/* Where a turn's inputs stand in the recording's bytes, while those still grow. */
struct wn_recording {
    wn_arena *arena; /* of the header */
    const Warren__RecordingHeader *header;
    uint64_t first;
    wn_recorded_turn *turns;
    size_t count, capacity;
    wn_buffer bytes;
};

typedef struct reading {
    progress at;
    wn_error *error;
    wn_recording *recording;
    wn_arena *arena; /* of the part being read */
    int fd;
    z_stream stream;
    wn_buffer plain;
    bool line_read;
    uint8_t packed[CHUNK_BYTES];
} reading;

static bool fail_reading(const reading *from, const char *what, const char *advice)
{
    return fail(from->error, WARREN__ERROR_CODE__ERROR_MALFORMED, "%s %s at byte %lu, after turn %" PRIu64 ". %s",
                from->at.path, what, from->stream.total_in, from->at.turn, advice);
}

static bool is_no_recording(const reading *from, const char *what)
{
    return fail(from->error, WARREN__ERROR_CODE__ERROR_MALFORMED,
                "%s is not a recording: %s. Recordings are made with: warrenctl export WORLD FILE", from->at.path,
                what);
}

static void keep_header(wn_recording *recording, const Warren__RecordingHeader *header)
{
    recording->header = header;
    recording->first = header->has_turn ? header->turn : 0;
}

static bool keep_turn(reading *from, const Warren__RecordedTurn *turn)
{
    wn_recording *recording = from->recording;
    if (recording->count == recording->capacity) {
        const size_t capacity = recording->capacity == 0 ? 256 : recording->capacity * 2;
        wn_recorded_turn *turns = realloc(recording->turns, capacity * sizeof *turns);
        if (turns == NULL) {
            return fail(from->error, WARREN__ERROR_CODE__ERROR_INTERNAL, "There is no memory for the %zu turns of %s.",
                        capacity, from->at.path);
        }
        recording->turns = turns;
        recording->capacity = capacity;
    }
    recording->turns[recording->count++] =
        (wn_recorded_turn){.size = turn->inputs.len, .hash = turn->has_hash ? turn->hash : 0};
    wn_buffer_append(&recording->bytes, turn->inputs.data, turn->inputs.len);
    return true;
}

static bool take_part(reading *from, const uint8_t *bytes, size_t size)
{
    wn_error why = {0};
    const bool first = !from->at.begun; /* whose header lives as long as the recording */
    wn_arena *arena = first ? from->recording->arena : from->arena;
    wn_arena_reset(arena);
    const Warren__ExportPart *part = wn_export_part_decode(arena, bytes, size, &why);
    if (part == NULL) {
        return malformed(from->error, &from->at, why.text);
    }
    if (!part_follows(&from->at, part, from->error)) {
        return false;
    }
    if (first) {
        keep_header(from->recording, part->header);
    }
    for (size_t i = 0; i < part->n_turns; i++) {
        if (!keep_turn(from, part->turns[i])) {
            return false;
        }
    }
    return true;
}

/* The line before the parts, as soon as all of it is there. */
static bool take_line(reading *from, size_t *taken)
{
    const char *line = (const char *)from->plain.data;
    if (from->line_read || from->plain.size < LINE_BYTES) {
        return true;
    }
    if (memcmp(line, WN_RECORDING_LINE, LINE_PREFIX) != 0) {
        return is_no_recording(from, "it is a gzip file of something else");
    }
    if (memcmp(line, WN_RECORDING_LINE, LINE_BYTES) != 0) {
        const char *version = line + LINE_PREFIX;
        const int shown = (int)strcspn(version, "\n") < 2 ? (int)strcspn(version, "\n") : 2;
        return fail(from->error, WARREN__ERROR_CODE__ERROR_VERSION,
                    "%s is a recording of version %.*s; this program reads version 1. Use a program of the version "
                    "that made it.",
                    from->at.path, shown, version);
    }
    from->line_read = true;
    *taken = LINE_BYTES;
    return true;
}

static bool take_plain(reading *from)
{
    size_t taken = 0;
    const uint8_t *bytes;
    size_t size;
    int next = 0;
    if (from->stream.total_out > WN_RECORDING_BYTES) {
        return fail(from->error, WARREN__ERROR_CODE__ERROR_LIMIT,
                    "%s unpacks to more than %d bytes, the most that is read. Export a shorter stretch of the world.",
                    from->at.path, WN_RECORDING_BYTES);
    }
    if (!take_line(from, &taken)) {
        return false;
    }
    while (from->line_read && (next = wn_frame_next(&from->plain, &taken, &bytes, &size)) > 0) {
        if (!take_part(from, bytes, size)) {
            return false;
        }
    }
    if (next < 0) {
        return malformed(from->error, &from->at, "a part follows that is longer than any may be");
    }
    memmove(from->plain.data, from->plain.data + taken, from->plain.size - taken);
    from->plain.size -= taken;
    return true;
}

/* The bits between the end of the last block and the next byte mean nothing, and no checksum covers them. They are
 * zero in what a compressor writes: so a byte that was damaged there is noticed all the same. inflate() stops there
 * with Z_BLOCK, and says in data_type how many of the last byte's bits are left. */
static bool padding_is_clean(const z_stream *stream)
{
    enum { LAST_BLOCK = 64, AT_BOUNDARY = 128, UNUSED_BITS = 7 };
    if ((stream->data_type & LAST_BLOCK) == 0 || (stream->data_type & AT_BOUNDARY) == 0) {
        return true;
    }
    const int unused = stream->data_type & UNUSED_BITS;
    return unused == 0 || stream->next_in[-1] >> (8 - unused) == 0;
}

/* Unpacks what has been read. Z_OK: more is needed; Z_STREAM_END; else it has failed. */
static int inflate_packed(reading *from)
{
    z_stream *stream = &from->stream;
    int status = Z_OK;
    do {
        stream->next_out = wn_buffer_reserve(&from->plain, CHUNK_BYTES);
        stream->avail_out = CHUNK_BYTES;
        status = inflate(stream, Z_BLOCK);
        from->plain.size += CHUNK_BYTES - stream->avail_out;
        if (status == Z_BUF_ERROR) {
            return Z_OK; /* all of the input is used up */
        }
        if ((status != Z_OK && status != Z_STREAM_END) || !padding_is_clean(stream)) {
            fail_reading(from, "is damaged", "Use another copy of it, or export the world again.");
            return Z_DATA_ERROR;
        }
        if (!take_plain(from)) {
            return Z_DATA_ERROR;
        }
    } while (status == Z_OK && (stream->avail_in > 0 || stream->avail_out == 0));
    return status;
}

static ssize_t read_some(const reading *from, uint8_t *bytes, size_t room)
{
    for (;;) {
        const ssize_t got = read(from->fd, bytes, room);
        if (got >= 0 || errno != EINTR) {
            return got;
        }
    }
}

static bool unpack_file(reading *from)
{
    for (;;) {
        const ssize_t got = read_some(from, from->packed, sizeof from->packed);
        if (got < 0) {
            return fail(from->error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "%s cannot be read: %s.", from->at.path,
                        strerror(errno));
        }
        if (got == 0) {
            return from->stream.total_in == 0
                       ? is_no_recording(from, "it is empty")
                       : fail_reading(from, "is cut off", "Use another copy of it, or export the world again.");
        }
        if (from->stream.total_in == 0 && (from->packed[0] != 0x1f || (got > 1 && from->packed[1] != 0x8b))) {
            return is_no_recording(from, "it does not begin as a gzip file does");
        }
        from->stream.next_in = from->packed;
        from->stream.avail_in = (uInt)got;
        const int status = inflate_packed(from);
        if (status != Z_OK) {
            return status == Z_STREAM_END;
        }
    }
}

static bool is_whole(reading *from)
{
    uint8_t more;
    if (from->stream.avail_in > 0 || read_some(from, &more, 1) > 0) {
        return fail_reading(from, "goes on behind its end", "Use another copy of it, or export the world again.");
    }
    if (!from->line_read) {
        return is_no_recording(from, "it is a gzip file of something else");
    }
    if (!from->at.ended || from->plain.size > 0) {
        return malformed(from->error, &from->at, "its last part is missing; export the world again");
    }
    return true;
}

static void find_turns(wn_recording *recording)
{
    const uint8_t *at = recording->bytes.data;
    for (size_t i = 0; i < recording->count; i++) {
        recording->turns[i].inputs = at;
        at += recording->turns[i].size;
    }
}

static bool read_file(reading *from)
{
    const bool inflating = inflateInit2(&from->stream, GZIP_WINDOW) == Z_OK;
    const bool whole = inflating && unpack_file(from) && is_whole(from);
    if (inflating) {
        inflateEnd(&from->stream);
    } else {
        fail(from->error, WARREN__ERROR_CODE__ERROR_INTERNAL, "There is no memory to read %s.", from->at.path);
    }
    return whole;
}

static reading *reading_new(const char *path, wn_error *error)
{
    reading *from = calloc(1, sizeof *from);
    if (from == NULL) {
        return NULL;
    }
    *from = (reading){.at = {.path = path}, .error = error, .fd = -1, .arena = wn_arena_new(WN_ARENA_REPLY)};
    from->recording = calloc(1, sizeof *from->recording);
    if (from->recording != NULL) {
        from->recording->arena = wn_arena_new(WN_ARENA_REPLY);
    }
    return from;
}

/* Gives back all but the recording. */
static void reading_free(reading *from)
{
    if (from != NULL) {
        if (from->fd >= 0) {
            close(from->fd);
        }
        wn_arena_free(from->arena);
        wn_buffer_free(&from->plain);
        free(from);
    }
}

wn_recording *wn_recording_read(const char *path, wn_error *error)
{
    reading *from = reading_new(path, error);
    wn_recording *recording = from == NULL ? NULL : from->recording;
    bool whole = false;
    if (recording == NULL || recording->arena == NULL || from->arena == NULL) {
        fail(error, WARREN__ERROR_CODE__ERROR_INTERNAL, "There is no memory to read %s.", path);
    } else if ((from->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0) {
        fail(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "%s cannot be opened: %s.", path, strerror(errno));
    } else {
        whole = read_file(from);
    }
    reading_free(from);
    if (!whole) {
        wn_recording_free(recording);
        return NULL;
    }
    find_turns(recording);
    return recording;
}

void wn_recording_free(wn_recording *recording)
{
    if (recording == NULL) {
        return;
    }
    wn_arena_free(recording->arena);
    wn_buffer_free(&recording->bytes);
    free(recording->turns);
    free(recording);
}

const Warren__RecordingHeader *wn_recording_header(const wn_recording *recording)
{
    return recording->header;
}

uint64_t wn_recording_first(const wn_recording *recording)
{
    return recording->first;
}

uint64_t wn_recording_last(const wn_recording *recording)
{
    return recording->first + recording->count;
}

const wn_recorded_turn *wn_recording_turn(const wn_recording *recording, uint64_t turn)
{
    return turn > recording->first && turn - recording->first <= recording->count
               ? &recording->turns[turn - recording->first - 1]
               : NULL;
}
