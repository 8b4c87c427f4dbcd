/* text.h: what becomes of text that a mode hands over: made valid, cut to its limit, kept. After it no text of a mode
 * can break a message: it is UTF-8 without control characters.
 */
#ifndef WARREN_HOST_TEXT_H
#define WARREN_HOST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies at most `limit` bytes and a NUL; returns the bytes without the NUL. Cuts between characters, also where the
 * writer of `text` had cut within one; what is not valid becomes '?' (`lines`: line feeds are). NULL is "". */
size_t wn_text_copy(char *copy, size_t limit, const char *text, bool lines);

/* A text that is kept while it does not change. All zero is a valid empty one. */
typedef struct wn_kept {
    char *data; /* NULL: empty */
    uint32_t capacity;
} wn_kept;

/* Keeps the cleaned text. true: it differs from what was kept. Allocates only for a longer one than ever before. */
bool wn_kept_set(wn_kept *kept, const char *text, size_t limit, bool lines);
static inline const char *wn_kept_text(const wn_kept *kept)
{
    return kept->data ? kept->data : "";
}
void wn_kept_free(wn_kept *kept);

/* malloc(), realloc() for what the host itself keeps; its sizes are bounded by the limits of mode.h. They end the
 * process with a message when memory is out: the daemon then starts a new host from the journal. */
void *wn_must_allocate(size_t bytes); /* zeroed */
void *wn_must_resize(void *memory, size_t bytes);

#endif
