/* moves.h: moves written down as "E3 S2 W2": three times east, twice south, twice west. A turn is a move as well: E3
 * of a penguin that faces south turns it and takes it two cells on.
 */
#ifndef POLAR_MOVES_H
#define POLAR_MOVES_H

#include "board.h"

/* Where reading is; begin with {.text = ...}, a string. */
typedef struct polar_moves {
    const char *text;
    size_t at;
    uint32_t left; /* of the run that is being read */
    polar_heading heading;
    const char *expected; /* after an error: what was; text + at is where */
} polar_moves;

typedef enum moves_status { MOVES_END, MOVES_ONE, MOVES_ERROR } moves_status;

/* The next move. Case does not matter; spaces, line feeds and commas between runs are ignored; a letter without a
 * number is one move. */
moves_status moves_next(polar_moves *moves, polar_heading *heading);

/* Writes moves in that notation, ended by a zero. Returns the length, or what it would be if that is less than size,
 * as snprintf() does. */
size_t moves_write(const uint8_t *headings, size_t count, char *text, size_t size);

/* A heading from the letter N, E, S or W, or its whole name, whatever the case; HEADING_COUNT: neither. `length` bytes
 * of text. */
polar_heading heading_read(const char *text, size_t length);

#endif
