/* board.c: see board.h. The rules are the two tables at the top; the rest carries them out. */
#include "board.h"

#include <string.h>

/* the rules */

/* Rows: what moves. Columns: what is in the next cell, in the order of the enumeration. */
#define SLIDES OUTCOME_SLIDES
#define STOPS  OUTCOME_STOPS
#define CRUSH  OUTCOME_CRUSHED
#define BOOM   OUTCOME_BLOWS_UP
#define HOME   OUTCOME_GOES_HOME
static const uint8_t meetings[PIECE_COUNT][PIECE_COUNT] = {
    /*              empty   tree   mount  house  ice    heart  bomb   edge */
    [PIECE_ICE] = {SLIDES, CRUSH, CRUSH, CRUSH, CRUSH, CRUSH, CRUSH, CRUSH},
    [PIECE_HEART] = {SLIDES, STOPS, STOPS, HOME, STOPS, STOPS, STOPS, STOPS},
    [PIECE_BOMB] = {SLIDES, STOPS, BOOM, STOPS, STOPS, STOPS, STOPS, STOPS},
};

/* What the penguin does that goes ahead: turning apart. */
static const uint8_t deeds[PIECE_COUNT] = {
    [PIECE_EMPTY] = DEED_WALK, [PIECE_TREE] = DEED_WALK,  [PIECE_MOUNTAIN] = DEED_NOTHING, [PIECE_HOUSE] = DEED_NOTHING,
    [PIECE_ICE] = DEED_PUSH,   [PIECE_HEART] = DEED_PUSH, [PIECE_BOMB] = DEED_PUSH,        [PIECE_EDGE] = DEED_NOTHING,
};

bool piece_is_walkable(polar_piece piece)
{
    return deeds[piece] == DEED_WALK;
}

bool piece_is_movable(polar_piece piece)
{
    return deeds[piece] == DEED_PUSH;
}

polar_outcome piece_meets(polar_piece thing, polar_piece behind)
{
    return (polar_outcome)meetings[thing][behind];
}

/* boards */

void board_clear(polar_board *board, uint32_t width, uint32_t height)
{
    memset(board, 0, sizeof *board);
    board->width = (uint8_t)width;
    board->height = (uint8_t)height;
    memset(board->cells, PIECE_EDGE, sizeof board->cells);
    for (uint32_t y = 0; y < height; y++) {
        memset(board->cells + board_cell(board, 0, y), PIECE_EMPTY, width);
    }
    board->penguin = board_cell(board, 0, 0);
    board->facing = HEADING_SOUTH;
}

void board_set(polar_board *board, uint32_t cell, polar_piece piece)
{
    board->cells[cell] = (uint8_t)piece;
    board->hearts = (uint16_t)(board->hearts + (piece == PIECE_HEART));
}

/* moves */

/* Pushes what is at `from`; fills in the move. */
static void push(polar_board *board, uint32_t from, polar_move *move)
{
    const int32_t stride = board_stride(board, move->heading);
    const polar_piece thing = (polar_piece)board->cells[from];
    const uint8_t *at = board->cells + from;
    polar_outcome meets = piece_meets(thing, (polar_piece)at[stride]);
    for (; meets == OUTCOME_SLIDES; meets = piece_meets(thing, (polar_piece)at[stride])) {
        at += stride;
        move->distance++;
    }
    if (meets == OUTCOME_CRUSHED && move->distance > 0) {
        meets = OUTCOME_STOPS; /* only ice that is pushed against something is crushed */
    }
    if (meets == OUTCOME_STOPS && move->distance == 0) {
        return;
    }
    move->deed = DEED_PUSH;
    move->thing = (uint8_t)thing;
    move->outcome = (uint8_t)meets;

    uint8_t *end = board->cells + (at - board->cells);
    board->cells[from] = PIECE_EMPTY;
    if (meets == OUTCOME_STOPS) {
        *end = (uint8_t)thing;
    } else if (meets == OUTCOME_BLOWS_UP) {
        end[stride] = PIECE_EMPTY;
    } else if (meets == OUTCOME_GOES_HOME) {
        board->hearts--;
    }
}

polar_move board_move(polar_board *board, polar_heading heading)
{
    polar_move move = {.heading = (uint8_t)heading, .was_facing = board->facing, .deed = DEED_NOTHING};
    if (board->facing != heading) {
        board->facing = (uint8_t)heading;
        move.deed = DEED_TURN;
        return move;
    }
    const uint32_t ahead = (uint32_t)(board->penguin + board_stride(board, heading));
    switch (deeds[board->cells[ahead]]) {
    case DEED_WALK:
        board->penguin = (uint16_t)ahead;
        move.deed = DEED_WALK;
        break;
    case DEED_PUSH:
        push(board, ahead, &move);
        break;
    }
    return move;
}

void board_undo(polar_board *board, const polar_move *move)
{
    const int32_t stride = board_stride(board, move->heading);
    board->facing = move->was_facing;
    if (move->deed == DEED_WALK) {
        board->penguin = (uint16_t)(board->penguin - stride);
    }
    if (move->deed != DEED_PUSH) {
        return;
    }
    uint8_t *from = board->cells + board->penguin + stride;
    uint8_t *end = from + move->distance * stride;
    if (move->outcome == OUTCOME_STOPS) {
        *end = PIECE_EMPTY;
    } else if (move->outcome == OUTCOME_BLOWS_UP) {
        end[stride] = PIECE_MOUNTAIN;
    } else if (move->outcome == OUTCOME_GOES_HOME) {
        board->hearts++;
    }
    *from = move->thing;
}

/* Two bits each for heading, was_facing, deed and thing, six for distance, two for outcome (of a push). */
packed_move move_pack(const polar_move *move)
{
    static const uint8_t outcomes[] = {
        [OUTCOME_STOPS] = 0, [OUTCOME_BLOWS_UP] = 1, [OUTCOME_GOES_HOME] = 2, [OUTCOME_CRUSHED] = 3};
    const uint32_t thing = move->deed == DEED_PUSH ? move->thing - (uint32_t)PIECE_ICE : 0u;
    const uint32_t heading = move->heading, was_facing = move->was_facing, deed = move->deed;
    return (packed_move)(heading | was_facing << 2 | deed << 4 | thing << 6 | (uint32_t)move->distance << 8 |
                         (uint32_t)outcomes[move->outcome] << 14);
}

polar_move move_unpack(packed_move packed)
{
    static const uint8_t outcomes[] = {OUTCOME_STOPS, OUTCOME_BLOWS_UP, OUTCOME_GOES_HOME, OUTCOME_CRUSHED};
    const uint32_t deed = packed >> 4 & 3u;
    return (polar_move){
        .heading = packed & 3u,
        .was_facing = packed >> 2 & 3u,
        .deed = (uint8_t)deed,
        .thing = (uint8_t)(deed == DEED_PUSH ? (packed >> 6 & 3u) + PIECE_ICE : (uint32_t)PIECE_EMPTY),
        .distance = packed >> 8 & 63u,
        .outcome = outcomes[packed >> 14],
    };
}

/* seen from outside */

uint64_t board_hash(const polar_board *board)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const uint8_t head[] = {board->width, board->height, board->facing, (uint8_t)board_x(board, board->penguin),
                            (uint8_t)board_y(board, board->penguin)};
    for (size_t i = 0; i < sizeof head; i++) {
        hash = (hash ^ head[i]) * UINT64_C(0x100000001b3);
    }
    for (uint32_t y = 0; y < board->height; y++) {
        for (uint32_t x = 0; x < board->width; x++) {
            hash = (hash ^ board->cells[board_cell(board, x, y)]) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

size_t board_text(const polar_board *board, char text[BOARD_TEXT_SIZE])
{
    static const char names[][4] = {"___", "tre", "mtn", "hou", "ice", "hea", "bom"};
    char *end = text;
    for (uint32_t y = 0; y < board->height; y++) {
        for (uint32_t x = 0; x < board->width; x++) {
            memcpy(end, names[board->cells[board_cell(board, x, y)]], 3);
            end += 3;
        }
        *end++ = '\n';
    }
    *end = '\0';
    return (size_t)(end - text);
}
