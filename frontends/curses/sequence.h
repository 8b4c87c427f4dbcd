/* sequence.h: the escape sequences that terminals send for keys, told apart without terminfo: whatever TERM says,
 * another terminal may be at the other end. It reads nothing itself. */
#ifndef WARREN_CURSES_SEQUENCE_H
#define WARREN_CURSES_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { WN_SEQUENCE_BYTES = 32 };

/* What has come after an Escape; all zero at first. */
typedef struct wn_sequence {
    char bytes[WN_SEQUENCE_BYTES]; /* the first of them */
    unsigned count;
} wn_sequence;

/* Can a sequence begin with an Escape and this? */
bool wn_sequence_begins(uint32_t character);
/* Takes one character more, the one after the Escape first. Returns whether another one belongs to the sequence. */
bool wn_sequence_take(wn_sequence *sequence, uint32_t character);
/* The key that a whole sequence stands for, or WN_KEY_NONE: none that is known, or one with Shift, Alt or Ctrl. */
uint32_t wn_sequence_key(const wn_sequence *sequence);

#endif
