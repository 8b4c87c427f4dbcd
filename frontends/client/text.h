/* text.h: UTF-8 as a terminal shows it: code points, columns, cutting, wrapping. It draws nothing.
 * Widths come from wcwidth(), so setlocale() must have been called; what the locale cannot show counts as one column.
 */
#ifndef WARREN_CLIENT_TEXT_H
#define WARREN_CLIENT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The code point at `text` and its bytes; 0 at the end. A byte that is no UTF-8 is one U+FFFD. */
size_t wn_utf8_next(const char *text, uint32_t *code);
/* The start of the code point before `at`, which must not be 0. */
size_t wn_utf8_before(const char *text, size_t at);
/* Writes up to 4 bytes, no final NUL. Returns how many; 0: no code point. */
size_t wn_utf8_put(char *bytes, uint32_t code);

int wn_code_width(uint32_t code);    /* 0: joins what is before it; 1; 2 */
int wn_text_width(const char *text); /* up to the end or a line feed */
/* Bytes of the longest start of `text` (within its line) that fits into `columns`; *used gets its width, if not NULL.
 */
size_t wn_text_fit(const char *text, int columns, int *used);

/* The line that begins at `text`, wrapped at words to at most `columns` (at least 1): its bytes in *bytes. Returns
 * where the next line begins, NULL after the last. A line feed ends a line. */
const char *wn_text_line(const char *text, int columns, size_t *bytes);
/* How many lines that makes; at least 1. */
int wn_text_lines(const char *text, int columns);

/* "45s", "12m", "3h", "8d": a duration in at most four columns or so. Negative ones count as 0. */
void wn_text_age(char *text, size_t size, int64_t seconds);

#endif
