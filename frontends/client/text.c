/* text.c: UTF-8 as a terminal shows it. See text.h. */
#include "text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0u) == 0x80u;
}

size_t wn_utf8_next(const char *text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*text;
    size_t length = first < 0x80 ? 1 : (first >> 5) == 6 ? 2 : (first >> 4) == 14 ? 3 : (first >> 3) == 30 ? 4 : 0;
    *code = first;
    if (first == 0) {
        return 0;
    }
    if (length == 1) {
        return 1;
    }
    uint32_t value = length == 0 ? 0 : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (!continues(text[i])) {
            length = 0;
            break;
        }
        value = value << 6 | ((unsigned char)text[i] & 0x3fu);
    }
    if (length == 0 || value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
        *code = 0xfffd;
        return 1;
    }
    *code = value;
    return length;
}

size_t wn_utf8_before(const char *text, size_t at)
{
    size_t start = at - 1;
    while (start > 0 && at - start < 4 && continues(text[start])) {
        start--;
    }
    uint32_t code;
    return start + wn_utf8_next(text + start, &code) == at ? start : at - 1;
}

size_t wn_utf8_put(char *bytes, uint32_t code)
{
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        return 0;
    }
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length - 1; i > 0; i--) {
        bytes[i] = (char)(0x80u | (code & 0x3fu));
        code >>= 6;
    }
    bytes[0] = (char)(marks[length] | code);
    return length;
}

int wn_code_width(uint32_t code)
{
    const int width = wcwidth((wchar_t)code);
    return width < 0 ? 1 : width;
}

int wn_text_width(const char *text)
{
    int width = 0;
    uint32_t code;
    for (size_t step; *text != '\n' && (step = wn_utf8_next(text, &code)) > 0; text += step) {
        width += wn_code_width(code);
    }
    return width;
}

size_t wn_text_fit(const char *text, int columns, int *used)
{
    size_t bytes = 0;
    int width = 0;
    uint32_t code;
    for (size_t step; text[bytes] != '\n' && (step = wn_utf8_next(text + bytes, &code)) > 0; bytes += step) {
        if (width + wn_code_width(code) > columns) {
            break;
        }
        width += wn_code_width(code);
    }
    if (used != NULL) {
        *used = width;
    }
    return bytes;
}

/* Where a line of `fit` bytes, too long as a whole, is better broken: behind its last space, if it has one. */
static size_t break_before(const char *text, size_t fit)
{
    for (size_t at = fit; at > 0; at--) {
        if (text[at] == ' ') {
            return at;
        }
    }
    return fit;
}

const char *wn_text_line(const char *text, int columns, size_t *bytes)
{
    size_t fit = wn_text_fit(text, columns, NULL);
    if (text[fit] != '\0' && text[fit] != '\n') {
        fit = break_before(text, fit);
    }
    if (fit == 0 && text[0] != '\0' && text[0] != '\n') { /* not even one character fits: go on all the same */
        uint32_t code;
        fit = wn_utf8_next(text, &code);
    }
    const char *next = text + fit;
    *bytes = fit;
    if (*next == '\0') {
        return NULL;
    }
    if (*next == '\n') {
        return next[1] == '\0' ? NULL : next + 1;
    }
    while (*next == ' ') {
        next++;
    }
    return *next == '\0' ? NULL : next;
}

int wn_text_lines(const char *text, int columns)
{
    int lines = 0;
    for (size_t bytes; text != NULL; lines++) {
        text = wn_text_line(text, columns, &bytes);
    }
    return lines;
}

void wn_text_age(char *text, size_t size, int64_t seconds)
{
    static const struct {
        int64_t seconds;
        char unit;
    } units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
    if (seconds < 0) {
        seconds = 0;
    }
    size_t i = 0;
    while (i < 3 && seconds < units[i].seconds) {
        i++;
    }
    snprintf(text, size, "%lld%c", (long long)(seconds / units[i].seconds), units[i].unit);
}
