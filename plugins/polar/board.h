/* board.h: a board of the game and its rules: what a move does, and how it is taken back. It knows nothing of worlds
 * and nothing of files; the mode, the tool and the solver stand on it. After Polar, a Macintosh game of 1990 by Go
 * Endo.
 */
#ifndef POLAR_BOARD_H
#define POLAR_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_MIN_SIDE = 3,
    BOARD_MAX_SIDE = 64,
    BOARD_MAX_CELLS = (BOARD_MAX_SIDE + 2) * (BOARD_MAX_SIDE + 2) /* with the edge around them */
};

/* What a cell holds: the digit it has in a level file. The penguin is not on the board: it stands on what is there. */
typedef enum polar_piece {
    PIECE_EMPTY,
    PIECE_TREE,
    PIECE_MOUNTAIN,
    PIECE_HOUSE,
    PIECE_ICE,
    PIECE_HEART,
    PIECE_BOMB,
    PIECE_EDGE, /* outside */
    PIECE_COUNT
} polar_piece;

typedef enum polar_heading { HEADING_NORTH, HEADING_EAST, HEADING_SOUTH, HEADING_WEST, HEADING_COUNT } polar_heading;

/* Cells are numbered row by row, edge included: the neighbour of a cell is at a fixed distance, and there always is
 * one. */
typedef struct polar_board {
    uint8_t width, height; /* without the edge */
    uint8_t facing;        /* a heading */
    uint16_t penguin;      /* its cell */
    uint16_t hearts;       /* left; 0: cleared */
    uint8_t cells[BOARD_MAX_CELLS];
} polar_board;

/* What happens to a thing and to what it moves against. */
typedef enum polar_outcome {
    OUTCOME_STOPS,
    OUTCOME_SLIDES,    /* on to the next cell */
    OUTCOME_BLOWS_UP,  /* with what is behind it */
    OUTCOME_GOES_HOME, /* a heart into a house */
    OUTCOME_CRUSHED
} polar_outcome;

typedef enum polar_deed {
    DEED_NOTHING, /* a dull sound: the board is as it was */
    DEED_TURN,
    DEED_WALK,
    DEED_PUSH
} polar_deed;

/* What a move did. */
typedef struct polar_move {
    uint8_t heading;
    uint8_t was_facing;
    uint8_t deed;
    uint8_t thing;    /* that was pushed; else PIECE_EMPTY */
    uint8_t distance; /* cells it slid */
    uint8_t outcome;  /* how that ended: anything but OUTCOME_SLIDES */
} polar_move;

/* A move in two bytes: with the board after it, enough to take it back. */
typedef uint16_t packed_move;

static inline uint16_t board_cell(const polar_board *board, uint32_t x, uint32_t y)
{
    return (uint16_t)((y + 1) * (board->width + 2u) + x + 1);
}
static inline uint32_t board_x(const polar_board *board, uint32_t cell)
{
    return cell % (board->width + 2u) - 1;
}
static inline uint32_t board_y(const polar_board *board, uint32_t cell)
{
    return cell / (board->width + 2u) - 1;
}
/* How far the next cell in a direction is: added to a cell that is inside. */
static inline int32_t board_stride(const polar_board *board, uint32_t heading)
{
    const int32_t row = board->width + 2;
    const int32_t strides[HEADING_COUNT] = {-row, 1, row, -1};
    return strides[heading];
}

/* An empty board of that size, sides within the limits; the penguin at the top left, facing south. */
void board_clear(polar_board *board, uint32_t width, uint32_t height);
/* Puts a piece on an empty cell, and counts hearts. */
void board_set(polar_board *board, uint32_t cell, polar_piece piece);

/* Can the penguin stand on it? Can it push it? */
bool piece_is_walkable(polar_piece piece);
bool piece_is_movable(polar_piece piece);
/* A thing in motion and what is behind it, as the rule book says it: the one table for pushing and sliding. Where the
 * thing is already sliding, board_move() lets ice stop instead of being crushed. */
polar_outcome piece_meets(polar_piece thing, polar_piece behind);

/* The penguin's move. */
polar_move board_move(polar_board *board, polar_heading heading);
/* Takes back the last move. */
void board_undo(polar_board *board, const polar_move *move);

packed_move move_pack(const polar_move *move);
polar_move move_unpack(packed_move packed);

/* The same for equal boards, on every machine: 64-bit FNV-1a of all that a board is. */
uint64_t board_hash(const polar_board *board);

enum { BOARD_TEXT_SIZE = BOARD_MAX_SIDE * (BOARD_MAX_SIDE * 3 + 1) + 1 };
/* The board with three letters a cell (tre, mtn, hou, ice, hea, bom, ___) and a line feed after each row, ended by a
 * zero. The penguin is not in it. Returns the length. */
size_t board_text(const polar_board *board, char text[BOARD_TEXT_SIZE]);

#endif
