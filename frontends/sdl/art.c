/* art.c: reads *.tiles files. See art.h. */
#include "art.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 256 };

typedef struct reading {
    wn_art *art;
    const char *path;
    int line;
    uint32_t colours[128]; /* by their character; 0: none */
    bool known[128];
    wn_art_tile *tile; /* whose rows come next; NULL: none */
    int row;
    wn_error *error;
} reading;

static bool fail(reading *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(reading *at, const char *format, ...)
{
    char text[WN_TEXT_BYTES / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return wn_fail_with(at->error, WARREN__ERROR_CODE__ERROR_MALFORMED, "tiles", 0, "%.200s:%d: %s", at->path, at->line,
                        text);
}

static wn_art_tile *add(reading *at, const char *name, wn_art_kind kind)
{
    wn_art *art = at->art;
    if (art->count == art->capacity) {
        const size_t capacity = art->capacity == 0 ? 64 : art->capacity * 2;
        wn_art_tile *tiles = art->count >= WN_ART_TILES ? NULL : realloc(art->tiles, capacity * sizeof *tiles);
        if (tiles == NULL) {
            fail(at, "more than %d tiles, or no memory for them; leave some out", WN_ART_TILES);
            return NULL;
        }
        art->tiles = tiles;
        art->capacity = capacity;
    }
    wn_art_tile *tile = &art->tiles[art->count++];
    *tile = (wn_art_tile){.kind = kind};
    snprintf(tile->name, sizeof tile->name, "%s", name);
    return tile;
}

/* The last one of that name that was read, or NULL. */
static const wn_art_tile *find(const wn_art *art, const char *name, wn_art_kind kind)
{
    for (size_t i = art->count; i-- > 0;) {
        if (art->tiles[i].kind == kind && strcmp(art->tiles[i].name, name) == 0) {
            return &art->tiles[i];
        }
    }
    return NULL;
}

/* the lines */

static bool take_row(reading *at, const char *line)
{
    if (strlen(line) != WN_ART_SIDE) {
        return fail(at, "row %d of \"%s\" has %zu characters; expected %d", at->row + 1, at->tile->name, strlen(line),
                    WN_ART_SIDE);
    }
    for (int x = 0; x < WN_ART_SIDE; x++) {
        const unsigned char sign = (unsigned char)line[x];
        uint32_t *pixel = &at->tile->pixels[at->row * WN_ART_SIDE + x];
        if (sign == '.') {
            *pixel = 0;
        } else if (sign >= '0' && sign < '0' + WN_ART_STEPS) {
            *pixel = WN_ART_INK + (uint32_t)(sign - '0');
        } else if (sign >= '5' && sign < '5' + WN_ART_STEPS) {
            *pixel = WN_ART_PAPER + (uint32_t)(sign - '5');
        } else if (sign < 128 && at->known[sign]) {
            *pixel = at->colours[sign];
        } else {
            return fail(at, "\"%c\" is no colour; a line \"colour %c RRGGBB\" above would make it one", sign, sign);
        }
    }
    at->row++;
    if (at->row == WN_ART_SIDE) {
        at->tile = NULL;
    }
    return true;
}

/* "colour b 8a5a2c" */
static bool take_colour(reading *at, const char *rest)
{
    unsigned colour;
    char end;
    const unsigned char sign = (unsigned char)rest[0];
    const bool letter = (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
    if (!letter || rest[1] != ' ' || strlen(rest) != 8 || sscanf(rest + 2, "%6x%c", &colour, &end) != 1) {
        return fail(at, "expected \"colour LETTER RRGGBB\", as in \"colour b 8a5a2c\"");
    }
    at->colours[sign] = 0xff000000u | colour;
    at->known[sign] = true;
    return true;
}

/* "same NAME as OTHER": all pictures of the other. */
static bool take_same(reading *at, char *rest)
{
    char *as = strstr(rest, " as ");
    if (as == NULL) {
        return fail(at, "expected \"same NAME as OTHER\"");
    }
    *as = '\0';
    const char *other = as + 4;
    if (find(at->art, other, WN_ART_TILE) == NULL) {
        return fail(at, "there is no tile \"%s\" above", other);
    }
    const size_t count = at->art->count;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(at->art->tiles[i].name, other) != 0) {
            continue;
        }
        wn_art_tile *tile = add(at, rest, at->art->tiles[i].kind);
        if (tile == NULL) {
            return false;
        }
        memcpy(tile->pixels, at->art->tiles[i].pixels, sizeof tile->pixels);
    }
    return true;
}

/* "turn NAME from OTHER": a quarter to the right. "mirror NAME from OTHER": left becomes right. */
static bool take_change(reading *at, char *rest, bool mirror)
{
    char *from = strstr(rest, " from ");
    if (from == NULL) {
        return fail(at, "expected \"%s NAME from OTHER\"", mirror ? "mirror" : "turn");
    }
    *from = '\0';
    if (find(at->art, from + 6, WN_ART_TILE) == NULL) {
        return fail(at, "there is no tile \"%s\" above", from + 6);
    }
    wn_art_tile *tile = add(at, rest, WN_ART_TILE);
    if (tile == NULL) {
        return false;
    }
    const wn_art_tile *other = find(at->art, from + 6, WN_ART_TILE);
    for (int y = 0; y < WN_ART_SIDE; y++) {
        for (int x = 0; x < WN_ART_SIDE; x++) {
            const int from_x = mirror ? WN_ART_SIDE - 1 - x : y, from_y = mirror ? y : WN_ART_SIDE - 1 - x;
            tile->pixels[y * WN_ART_SIDE + x] = other->pixels[from_y * WN_ART_SIDE + from_x];
        }
    }
    return true;
}

static bool take_line(reading *at, char *line)
{
    if (at->tile != NULL) {
        return take_row(at, line);
    }
    if (line[0] == '\0' || line[0] == '#') {
        return true;
    }
    char *rest = strchr(line, ' ');
    if (rest == NULL || rest[1] == '\0') {
        return fail(at, "expected colour, tile, more, face, same, turn or mirror, and what it is about");
    }
    *rest++ = '\0';
    if (strlen(rest) > WN_ART_NAME_BYTES && strcmp(line, "same") != 0 && strcmp(line, "turn") != 0) {
        return fail(at, "a name of %zu bytes; %d are the most", strlen(rest), WN_ART_NAME_BYTES);
    }
    if (strcmp(line, "colour") == 0) {
        return take_colour(at, rest);
    }
    if (strcmp(line, "same") == 0) {
        return take_same(at, rest);
    }
    if (strcmp(line, "turn") == 0 || strcmp(line, "mirror") == 0) {
        return take_change(at, rest, line[0] == 'm');
    }
    static const char *const kinds[] = {[WN_ART_TILE] = "tile", [WN_ART_MORE] = "more", [WN_ART_FACE] = "face"};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        if (strcmp(line, kinds[kind]) == 0) {
            at->tile = add(at, rest, (wn_art_kind)kind);
            at->row = 0;
            return at->tile != NULL;
        }
    }
    return fail(at, "\"%.40s\" is unknown; expected colour, tile, more, face, same, turn or mirror", line);
}

static bool finish(reading *at)
{
    if (at->tile == NULL) {
        return true;
    }
    at->art->count--;
    return fail(at, "\"%s\" ends after %d rows; expected %d", at->tile->name, at->row, WN_ART_SIDE);
}

bool wn_art_read_text(wn_art *art, const char *path, const char *text, wn_error *error)
{
    reading at = {.art = art, .path = path, .error = error};
    while (*text != '\0') {
        char line[LINE_BYTES];
        const size_t length = strcspn(text, "\n");
        at.line++;
        if (length >= sizeof line) {
            return fail(&at, "longer than %d bytes", LINE_BYTES - 1);
        }
        memcpy(line, text, length);
        line[length] = '\0';
        text += length + (text[length] == '\n' ? 1 : 0);
        if (!take_line(&at, line)) {
            if (at.tile != NULL) { /* what is not whole is not kept */
                art->count--;
            }
            return false;
        }
    }
    return finish(&at);
}

/* files */

static char *read_whole(const char *path)
{
    enum { MOST = 8 << 20 };
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }
    char *text = NULL;
    size_t size = 0, room = 0;
    for (;;) {
        if (room - size < 2) {
            room = room == 0 ? 1 << 16 : room * 2;
            char *more = room > MOST ? NULL : realloc(text, room);
            if (more == NULL) {
                break;
            }
            text = more;
        }
        const size_t got = fread(text + size, 1, room - size - 1, file);
        size += got;
        if (got == 0) {
            text[size] = '\0';
            fclose(file);
            return text;
        }
    }
    fclose(file);
    free(text);
    errno = EFBIG;
    return NULL;
}

bool wn_art_read(wn_art *art, const char *path, wn_error *error)
{
    char *text = read_whole(path);
    if (text == NULL) {
        return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_NOT_FOUND, "tiles", 0,
                            "The tiles in %.300s cannot be read: %s.", path, strerror(errno));
    }
    const bool done = wn_art_read_text(art, path, text, error);
    free(text);
    return done;
}

static int is_tiles(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 6 && strcmp(entry->d_name + length - 6, ".tiles") == 0;
}

bool wn_art_read_directory(wn_art *art, const char *path, wn_error *error)
{
    struct dirent **entries;
    bool done = true;
    const int count = scandir(path, &entries, is_tiles, alphasort);
    for (int i = 0; i < count; i++) {
        char file[512];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        done = done && wn_art_read(art, file, error);
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return done;
}

void wn_art_free(wn_art *art)
{
    free(art->tiles);
    *art = (wn_art){0};
}
