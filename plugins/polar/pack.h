/* pack.h: level packs: text with several levels in it. An index into that text, which allocates nothing: the text has
 * to stay as long as the pack is used.
 *
 *     ; a comment, to the end of the line
 *     title: Home
 *     author: (a name)
 *     note: Push the heart home.      shown when the level starts
 *     start: 2 0 east                 row, column, and where the penguin faces; without it 0 0 south
 *     00000
 *     00503
 *     00000
 *
 * A blank line ends a level. The digits are 0 empty, 1 tree, 2 mountain, 3 house, 4 ice block, 5 heart, 6 bomb. A level
 * has a title, 3 to 64 rows of 3 to 64 digits, at least one heart and one house, and the penguin starts where it can
 * stand; the other lines may be missing, and come in any order before the rows.
 */
#ifndef POLAR_PACK_H
#define POLAR_PACK_H

#include "board.h"

enum {
    PACK_MAX_LEVELS = 500,
    PACK_MAX_LINE = 100, /* bytes of a title, an author or a note */
    PACK_ERROR_SIZE = 400
};

/* A piece of the pack's text, not ended by a zero: print it with "%.*s". NULL: there is none. */
typedef struct pack_text {
    const char *text;
    int length;
} pack_text;

typedef struct polar_level {
    pack_text title, author, note;
    uint8_t width, height;
    uint8_t row, column, facing; /* where the penguin starts */
    uint16_t hearts;
    const char *rows; /* where they begin in the text */
} polar_level;

typedef struct polar_pack {
    const char *end; /* of the text */
    uint32_t count;
    polar_level levels[PACK_MAX_LEVELS];
} polar_pack;

/* Reads a pack. false: `error` has a sentence that begins with `name`, line and column: "first.polar:12:3: ...".
 * Columns count characters; lines and columns begin at 1. */
bool pack_read(polar_pack *pack, const char *name, const char *text, size_t size, char error[PACK_ERROR_SIZE]);

/* The board of a level, 0 to count - 1, as it is at the start. */
void pack_board(const polar_pack *pack, uint32_t level, polar_board *board);

#endif
