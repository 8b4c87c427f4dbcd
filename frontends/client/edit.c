/* edit.c: a line of UTF-8 being typed. See edit.h. Keys are those of readline where a terminal game can spare them. */
#include "edit.h"

#include <string.h>

#include "key.h"
#include "text.h"

/* One character back, over what joins it: a cursor never stands inside of an accented letter. */
static size_t before(const wn_edit *edit, size_t at)
{
    uint32_t code;
    while (at > 0) {
        at = wn_utf8_before(edit->text, at);
        wn_utf8_next(edit->text + at, &code);
        if (wn_code_width(code) > 0) {
            break;
        }
    }
    return at;
}

static size_t after(const wn_edit *edit, size_t at)
{
    uint32_t code;
    at += wn_utf8_next(edit->text + at, &code);
    for (size_t step; (step = wn_utf8_next(edit->text + at, &code)) > 0 && wn_code_width(code) == 0;) {
        at += step;
    }
    return at;
}

static size_t word_before(const wn_edit *edit, size_t at)
{
    while (at > 0 && edit->text[before(edit, at)] == ' ') {
        at = before(edit, at);
    }
    while (at > 0 && edit->text[before(edit, at)] != ' ') {
        at = before(edit, at);
    }
    return at;
}

static bool cut(wn_edit *edit, size_t from, size_t to)
{
    memmove(edit->text + from, edit->text + to, edit->length - to + 1);
    edit->length -= to - from;
    edit->cursor = from;
    return from != to;
}

static bool insert(wn_edit *edit, uint32_t code)
{
    char bytes[4];
    const size_t size = wn_utf8_put(bytes, code);
    if (size == 0 || edit->length + size > edit->limit) {
        return false;
    }
    memmove(edit->text + edit->cursor + size, edit->text + edit->cursor, edit->length - edit->cursor + 1);
    memcpy(edit->text + edit->cursor, bytes, size);
    edit->length += size;
    edit->cursor += size;
    return true;
}

void wn_edit_start(wn_edit *edit, const char *text, size_t limit)
{
    *edit = (wn_edit){.limit = limit < WN_EDIT_BYTES ? limit : WN_EDIT_BYTES};
    uint32_t code;
    for (size_t step; (step = wn_utf8_next(text, &code)) > 0; text += step) {
        if (!insert(edit, code)) {
            break;
        }
    }
}

static bool move_to(wn_edit *edit, size_t at)
{
    edit->cursor = at;
    return true;
}

bool wn_edit_key(wn_edit *edit, uint32_t key)
{
    switch (key) {
    case WN_KEY_LEFT:
    case 'b' - WN_KEY_CONTROL_BASE:
        return move_to(edit, before(edit, edit->cursor));
    case WN_KEY_RIGHT:
    case 'f' - WN_KEY_CONTROL_BASE:
        return move_to(edit, after(edit, edit->cursor));
    case WN_KEY_HOME:
    case 'a' - WN_KEY_CONTROL_BASE:
        return move_to(edit, 0);
    case WN_KEY_END:
    case 'e' - WN_KEY_CONTROL_BASE:
        return move_to(edit, edit->length);
    case WN_KEY_BACKSPACE:
        return cut(edit, before(edit, edit->cursor), edit->cursor);
    case WN_KEY_DELETE:
    case 'd' - WN_KEY_CONTROL_BASE:
        return cut(edit, edit->cursor, after(edit, edit->cursor));
    case 'k' - WN_KEY_CONTROL_BASE:
        return cut(edit, edit->cursor, edit->length);
    case 'u' - WN_KEY_CONTROL_BASE:
        return cut(edit, 0, edit->cursor);
    case 'w' - WN_KEY_CONTROL_BASE:
        return cut(edit, word_before(edit, edit->cursor), edit->cursor);
    default:
        if (key >= WN_KEY_KP0 && key <= WN_KEY_KP9) {
            key = '0' + key - WN_KEY_KP0;
        }
        return key >= ' ' && key != 0x7f && key < WN_KEY_UP && insert(edit, key);
    }
}

void wn_edit_window(const wn_edit *edit, int columns, size_t *first, int *column)
{
    int width = 0;
    size_t at = edit->cursor;
    uint32_t code;
    /* Back from the cursor as far as the columns reach; one is the cursor's own, which may stand behind the end. */
    while (at > 0) {
        const size_t start = wn_utf8_before(edit->text, at);
        wn_utf8_next(edit->text + start, &code);
        if (width + wn_code_width(code) > columns - 1) {
            break;
        }
        width += wn_code_width(code);
        at = start;
    }
    *first = at;
    *column = width;
}
