/* text.c: see text.h. */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warren/mode.h>

#include "wire.h"

void *wn_must_resize(void *memory, size_t bytes)
{
    void *moved = realloc(memory, bytes > 0 ? bytes : 1);
    if (!moved) {
        fprintf(stderr, "warren-host: out of memory: %zu bytes were needed\n", bytes);
        abort();
    }
    return moved;
}

void *wn_must_allocate(size_t bytes)
{
    return memset(wn_must_resize(NULL, bytes), 0, bytes);
}

/* `size` bytes of text without a character that begins but does not end in them. */
static size_t whole_characters(const char *text, size_t size)
{
    size_t lead = size;
    while (lead > 0 && size - lead < 3 && ((uint8_t)text[lead - 1] & 0xc0) == 0x80) {
        lead--;
    }
    const uint8_t first = lead > 0 ? (uint8_t)text[lead - 1] : 0;
    const size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return wanted > 1 && size - (lead - 1) < wanted ? lead - 1 : size;
}

size_t wn_text_copy(char *copy, size_t limit, const char *text, bool lines)
{
    const char *source = text ? text : "";
    const size_t size = whole_characters(source, strnlen(source, limit));
    memcpy(copy, source, size);
    copy[size] = '\0';
    return wn_text_clean(copy, limit, lines);
}

bool wn_kept_set(wn_kept *kept, const char *text, size_t limit, bool lines)
{
    char clean[WN_MAX_BANNER + 1];
    if (strcmp(wn_kept_text(kept), text ? text : "") == 0) {
        return false; /* what is kept is clean, so this is as well */
    }
    const size_t size = wn_text_copy(clean, limit < WN_MAX_BANNER ? limit : WN_MAX_BANNER, text, lines);
    if (strcmp(wn_kept_text(kept), clean) == 0) {
        return false;
    }
    if (size + 1 > kept->capacity) {
        kept->capacity = (uint32_t)(size + 1 + 15) & ~15u;
        kept->data = wn_must_resize(kept->data, kept->capacity);
    }
    memcpy(kept->data, clean, size + 1);
    return true;
}

void wn_kept_free(wn_kept *kept)
{
    free(kept->data);
    *kept = (wn_kept){0};
}
