/* polar_fixture.c: see polar_fixture.h. */
#include "polar_fixture.h"

#include <stdio.h>
#include <stdlib.h>

char *fixture_read(const char *name, polar_pack *pack)
{
    enum { LIMIT = 1 << 20 };
    char path[512], error[PACK_ERROR_SIZE];
    snprintf(path, sizeof path, POLAR_LEVELS "/%s", name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    char *text = malloc(LIMIT);
    ck_assert_ptr_nonnull(text);
    const size_t size = fread(text, 1, LIMIT - 1, file);
    fclose(file);
    text[size] = '\0'; /* for sscanf(); the pack goes by its size */
    ck_assert_msg(pack_read(pack, name, text, size, error), "%s", error);
    return text;
}

uint32_t fixture_play(polar_board *board, const char *text)
{
    polar_moves moves = {.text = text};
    polar_heading heading;
    uint32_t count = 0;
    moves_status status;
    while ((status = moves_next(&moves, &heading)) == MOVES_ONE) {
        count += board_move(board, heading).deed != DEED_NOTHING;
    }
    ck_assert_int_eq(status, MOVES_END);
    return count;
}

void fixture_random_board(uint64_t *state, polar_board *board)
{
    const uint32_t width = BOARD_MIN_SIDE + suite_random(state, BOARD_MAX_SIDE - BOARD_MIN_SIDE + 1);
    const uint32_t height = BOARD_MIN_SIDE + suite_random(state, BOARD_MAX_SIDE - BOARD_MIN_SIDE + 1);
    const uint32_t density = 1 + suite_random(state, 12);
    board_clear(board, width, height);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            if (suite_random(state, density) == 0) {
                board_set(board, board_cell(board, x, y), (polar_piece)suite_random(state, PIECE_EDGE));
            }
        }
    }
    board->cells[board->penguin] = PIECE_EMPTY;
    board->hearts = 0;
    for (uint32_t cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        board->hearts = (uint16_t)(board->hearts + (board->cells[cell] == PIECE_HEART));
    }
}
