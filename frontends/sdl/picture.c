/* picture.c: PNG and animated PNG files. See picture.h.
 *
 * A PNG is a signature and chunks; each is its length, its name, its data and a checksum (W3C, "Portable Network
 * Graphics", third edition, which has the animated ones as well). Of a film's frames after the first only the part
 * that changed is written: fcTL says where it is, fdAT is its picture. */
#include "picture.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { BYTES = 3, SHORTEST_MS = 30 };

typedef struct frame {
    int width, height;
    uint8_t *pixels; /* BYTES each, row by row */
} frame;

/* what was drawn */

static bool read_frame(SDL_Renderer *renderer, frame *to)
{
    if (SDL_GetRendererOutputSize(renderer, &to->width, &to->height) != 0) {
        return false;
    }
    uint8_t *pixels = malloc((size_t)to->width * (size_t)to->height * BYTES);
    if (pixels == NULL || SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGB24, pixels, to->width * BYTES) != 0) {
        free(pixels);
        return false;
    }
    to->pixels = pixels;
    return true;
}

/* chunks */

static void put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* Of a chunk, and of its checksum. Nothing may be NULL, which fwrite() must not be given. */
static void write_part(FILE *file, uLong *sum, const uint8_t *data, size_t size)
{
    if (size > 0) {
        *sum = crc32(*sum, data, (uInt)size);
        fwrite(data, 1, size, file);
    }
}

/* `before` are the first bytes of the data, which then goes on with `data`. */
static void write_chunk(FILE *file, const char *name, const uint8_t *before, size_t before_size, const uint8_t *data,
                        size_t size)
{
    uint8_t number[4];
    uLong sum = crc32(0, NULL, 0);
    put32(number, (uint32_t)(before_size + size));
    fwrite(number, 1, 4, file);
    write_part(file, &sum, (const uint8_t *)name, 4);
    write_part(file, &sum, before, before_size);
    write_part(file, &sum, data, size);
    put32(number, (uint32_t)sum);
    fwrite(number, 1, 4, file);
}

static void write_start(FILE *file, int width, int height)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {[8] = 8, [9] = 2}; /* eight bits for each of red, green and blue */
    put32(header, (uint32_t)width);
    put32(header + 4, (uint32_t)height);
    fwrite(signature, 1, sizeof signature, file);
    write_chunk(file, "IHDR", NULL, 0, header, sizeof header);
}

static void write_end(FILE *file)
{
    write_chunk(file, "IEND", NULL, 0, NULL, 0);
}

/* A part of the picture, compressed; each row begins with the filter that was used, "up": differences to the row above.
 * Free it. NULL: no memory. */
static uint8_t *compress_part(const frame *of, SDL_Rect part, int level, size_t *size)
{
    const size_t row = (size_t)part.w * BYTES, raw_size = (row + 1) * (size_t)part.h;
    uLongf bound = compressBound((uLong)raw_size);
    uint8_t *raw = malloc(raw_size), *packed = malloc(bound);
    for (int y = 0; raw != NULL && y < part.h; y++) {
        const uint8_t *from = of->pixels + ((size_t)(part.y + y) * (size_t)of->width + (size_t)part.x) * BYTES;
        const uint8_t *above = y == 0 ? NULL : from - (size_t)of->width * BYTES;
        uint8_t *to = raw + (row + 1) * (size_t)y;
        *to++ = 2;
        for (size_t i = 0; i < row; i++) {
            to[i] = (uint8_t)(from[i] - (above == NULL ? 0 : above[i]));
        }
    }
    if (raw == NULL || packed == NULL || compress2(packed, &bound, raw, (uLong)raw_size, level) != Z_OK) {
        free(packed);
        packed = NULL;
    }
    free(raw);
    *size = bound;
    return packed;
}

/* files */

static bool fail(wn_error *error, const char *path)
{
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "picture", 0,
                        "The picture could not be written to %.200s: %s.", path, strerror(errno));
}

bool wn_picture_path(char *path, size_t size, const char *ending, wn_error *error)
{
    const char *pictures = getenv("XDG_PICTURES_DIR"), *home = getenv("HOME");
    char directory[PATH_MAX] = ".", stamp[32];
    struct stat status;
    if (pictures != NULL && pictures[0] == '/') {
        snprintf(directory, sizeof directory, "%s", pictures);
    } else if (home != NULL && home[0] == '/') {
        snprintf(directory, sizeof directory, "%s/Pictures", home);
        if (stat(directory, &status) != 0 || !S_ISDIR(status.st_mode)) {
            snprintf(directory, sizeof directory, "%s", home);
        }
    }
    const time_t now = time(NULL);
    struct tm local;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &local));
    for (int i = 1; i < 100; i++) {
        char more[8] = "";
        if (i > 1) {
            snprintf(more, sizeof more, "-%d", i);
        }
        if (snprintf(path, size, "%s/warren-%s%s.%s", directory, stamp, more, ending) < (int)size &&
            access(path, F_OK) != 0) {
            return true;
        }
    }
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "picture", 0,
                        "There is no free name for a picture in %.200s.", directory);
}

static bool put_in_place(FILE *file, const char *fresh, const char *path, wn_error *error)
{
    const bool written = ferror(file) == 0;
    if (fclose(file) == 0 && written && rename(fresh, path) == 0) {
        return true;
    }
    fail(error, path);
    unlink(fresh);
    return false;
}

static FILE *open_fresh(char *fresh, size_t size, const char *path, wn_error *error)
{
    snprintf(fresh, size, "%s.part", path);
    FILE *file = fopen(fresh, "wbe");
    if (file == NULL) {
        fail(error, path);
    }
    return file;
}

bool wn_picture_save(SDL_Renderer *renderer, const char *path, wn_error *error)
{
    char fresh[PATH_MAX];
    frame drawn;
    size_t size = 0;
    if (!read_frame(renderer, &drawn)) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "picture", 0,
                            "The window could not be read (%.200s); try --renderer=software.", SDL_GetError());
    }
    uint8_t *packed = compress_part(&drawn, (SDL_Rect){0, 0, drawn.width, drawn.height}, 9, &size);
    free(drawn.pixels);
    FILE *file = packed == NULL ? NULL : open_fresh(fresh, sizeof fresh, path, error);
    if (file == NULL) {
        free(packed);
        return packed != NULL ? false : fail(error, path);
    }
    write_start(file, drawn.width, drawn.height);
    write_chunk(file, "IDAT", NULL, 0, packed, size);
    write_end(file);
    free(packed);
    return put_in_place(file, fresh, path, error);
}

/* films */

struct wn_film {
    FILE *file;
    char path[PATH_MAX], fresh[PATH_MAX];
    frame shown;     /* what the file shows so far */
    uint8_t *packed; /* the frame that waits for its length to be known, */
    size_t size;
    SDL_Rect part;    /* where it is, */
    int64_t since;    /* and since when it is shown */
    long count_place; /* where in the file the number of frames stands */
    uint32_t frames, sequence;
};

wn_film *wn_film_begin(const char *path, wn_error *error)
{
    wn_film *film = calloc(1, sizeof *film);
    if (film == NULL) {
        return NULL;
    }
    snprintf(film->path, sizeof film->path, "%s", path);
    film->file = open_fresh(film->fresh, sizeof film->fresh, path, error);
    if (film->file == NULL) {
        free(film);
        return NULL;
    }
    return film;
}

static void write_count(wn_film *film)
{
    uint8_t control[8] = {0}; /* frames; how often it is played, 0: for ever */
    put32(control, film->frames);
    write_chunk(film->file, "acTL", NULL, 0, control, sizeof control);
}

/* The frame that waits, now that it is known how long it was shown. */
static void write_waiting(wn_film *film, int64_t now)
{
    uint8_t control[26] = {0}, number[4];
    int64_t length = now - film->since;
    length = length < SHORTEST_MS ? SHORTEST_MS : length > 60000 ? 60000 : length;
    put32(control, film->sequence++);
    put32(control + 4, (uint32_t)film->part.w);
    put32(control + 8, (uint32_t)film->part.h);
    put32(control + 12, (uint32_t)film->part.x);
    put32(control + 16, (uint32_t)film->part.y);
    put16(control + 20, (uint32_t)length);
    put16(control + 22, 1000);
    write_chunk(film->file, "fcTL", NULL, 0, control, sizeof control);
    if (film->frames == 0) {
        write_chunk(film->file, "IDAT", NULL, 0, film->packed, film->size);
    } else {
        put32(number, film->sequence++);
        write_chunk(film->file, "fdAT", number, sizeof number, film->packed, film->size);
    }
    film->frames++;
    free(film->packed);
    film->packed = NULL;
}

/* The smallest part that holds all that differs. false: nothing does. */
static bool changed_part(const frame *a, const frame *b, SDL_Rect *part)
{
    const size_t row = (size_t)a->width * BYTES;
    int top = 0, bottom = a->height, left = a->width, right = 0;
    while (top < bottom && memcmp(a->pixels + row * (size_t)top, b->pixels + row * (size_t)top, row) == 0) {
        top++;
    }
    while (bottom > top &&
           memcmp(a->pixels + row * (size_t)(bottom - 1), b->pixels + row * (size_t)(bottom - 1), row) == 0) {
        bottom--;
    }
    for (int y = top; y < bottom; y++) {
        const uint8_t *one = a->pixels + row * (size_t)y, *other = b->pixels + row * (size_t)y;
        int x = 0, end = a->width;
        while (x < left && memcmp(one + x * BYTES, other + x * BYTES, BYTES) == 0) {
            x++;
        }
        while (end > right && memcmp(one + (end - 1) * BYTES, other + (end - 1) * BYTES, BYTES) == 0) {
            end--;
        }
        left = x < left ? x : left;
        right = end > right ? end : right;
    }
    *part = (SDL_Rect){left, top, right - left, bottom - top};
    return top < bottom;
}

bool wn_film_add(wn_film *film, SDL_Renderer *renderer, int64_t now)
{
    frame drawn;
    if ((film->packed != NULL && now - film->since < SHORTEST_MS) || !read_frame(renderer, &drawn)) {
        return true;
    }
    SDL_Rect part = {0, 0, drawn.width, drawn.height};
    const bool first = film->shown.pixels == NULL;
    const bool fits = first || (drawn.width == film->shown.width && drawn.height == film->shown.height);
    if (!fits || (!first && !changed_part(&film->shown, &drawn, &part))) {
        free(drawn.pixels);
        return true;
    }
    if (first) {
        write_start(film->file, drawn.width, drawn.height);
        film->count_place = ftell(film->file);
        write_count(film);
    } else {
        write_waiting(film, now);
    }
    film->packed = compress_part(&drawn, part, 1, &film->size);
    film->part = part;
    film->since = now;
    free(film->shown.pixels);
    film->shown = drawn;
    return film->packed != NULL && ferror(film->file) == 0;
}

const char *wn_film_path(const wn_film *film)
{
    return film->path;
}

bool wn_film_end(wn_film *film, int64_t now, wn_error *error)
{
    bool done = film->packed != NULL;
    if (done) {
        write_waiting(film, now);
        write_end(film->file);
        done = fseek(film->file, film->count_place, SEEK_SET) == 0;
        write_count(film);
    }
    if (done) {
        done = put_in_place(film->file, film->fresh, film->path, error);
    } else {
        fail(error, film->path);
        fclose(film->file);
        unlink(film->fresh);
    }
    free(film->packed);
    free(film->shown.pixels);
    free(film);
    return done;
}
