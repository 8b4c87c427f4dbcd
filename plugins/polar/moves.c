/* moves.c: see moves.h. */
#include "moves.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { RUN_LIMIT = 1000000 };

static const char *const names[HEADING_COUNT] = {"north", "east", "south", "west"};

static bool is_name(const char *text, size_t length, const char *name)
{
    return (length == 1 || length == strlen(name)) && strncasecmp(text, name, length) == 0;
}

polar_heading heading_read(const char *text, size_t length)
{
    uint32_t i = 0;
    while (i < HEADING_COUNT && !is_name(text, length, names[i])) {
        i++;
    }
    return (polar_heading)i;
}

static moves_status fail(polar_moves *moves, const char *expected)
{
    moves->expected = expected;
    return MOVES_ERROR;
}

/* A run: a letter and how often. */
static moves_status read_run(polar_moves *moves)
{
    moves->at += strspn(moves->text + moves->at, " \t\r\n,");
    const char *text = moves->text + moves->at;
    if (*text == '\0') {
        return MOVES_END;
    }
    moves->heading = heading_read(text, 1);
    if (moves->heading == HEADING_COUNT) {
        return fail(moves, "N, E, S or W");
    }
    moves->at++;
    const size_t digits = strspn(text + 1, "0123456789");
    uint32_t count = digits == 0;
    for (size_t i = 0; i < digits && count <= RUN_LIMIT; i++) {
        count = count * 10 + (uint32_t)(text[1 + i] - '0');
    }
    if (count == 0 || count > RUN_LIMIT) {
        return fail(moves, "a number from 1 to 1000000");
    }
    moves->at += digits;
    moves->left = count;
    return MOVES_ONE;
}

moves_status moves_next(polar_moves *moves, polar_heading *heading)
{
    if (moves->left == 0) {
        const moves_status status = read_run(moves);
        if (status != MOVES_ONE) {
            return status;
        }
    }
    moves->left--;
    *heading = moves->heading;
    return MOVES_ONE;
}

size_t moves_write(const uint8_t *headings, size_t count, char *text, size_t size)
{
    size_t length = 0;
    if (size > 0) {
        text[0] = '\0';
    }
    for (size_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && headings[i + run] == headings[i]; run++) {
        }
        char word[32];
        const int written = snprintf(word, sizeof word, "%s%c%zu", i == 0 ? "" : " ", "NESW"[headings[i]], run);
        if (length + (size_t)written < size) {
            memcpy(text + length, word, (size_t)written + 1);
        }
        length += (size_t)written;
    }
    return length;
}
