/* solve_moves.c: the walking between the pushes of a solution; see solution_moves() in solve.h. */
#include "solve.h"

#include <string.h>

enum { STANCES = BOARD_MAX_CELLS * HEADING_COUNT };

/* Where the penguin stands and where it looks, in one number. */
static uint32_t stance(uint32_t cell, uint32_t heading)
{
    return cell * HEADING_COUNT + heading;
}

/* What one move without a push leads to; the same stance if that is not possible. */
static uint32_t step(const polar_board *board, uint32_t from, uint32_t heading)
{
    const uint32_t cell = from / HEADING_COUNT;
    if (from % HEADING_COUNT != heading) {
        return stance(cell, heading);
    }
    const uint32_t ahead = (uint32_t)((int32_t)cell + board_stride(board, heading));
    return piece_is_walkable((polar_piece)board->cells[ahead]) ? stance(ahead, heading) : from;
}

/* Moves, the last first, from where the penguin is to a stance, breadth first. Returns how many; STANCES: no way. */
static uint32_t find_way(const polar_board *board, uint32_t to, uint8_t moves[STANCES])
{
    uint16_t queue[STANCES], before[STANCES];
    const uint32_t from = stance(board->penguin, board->facing);
    uint32_t count = 0;
    memset(before, 0xff, sizeof before);
    queue[count++] = (uint16_t)from;
    before[from] = (uint16_t)from;
    for (uint32_t i = 0; i < count && before[to] == UINT16_MAX; i++) {
        for (uint32_t heading = 0; heading < HEADING_COUNT; heading++) {
            const uint32_t next = step(board, queue[i], heading);
            if (before[next] == UINT16_MAX) {
                before[next] = queue[i];
                queue[count++] = (uint16_t)next;
            }
        }
    }
    if (before[to] == UINT16_MAX) {
        return STANCES;
    }
    for (count = 0; to != from; to = before[to]) {
        moves[count++] = to % HEADING_COUNT;
    }
    return count;
}

size_t solution_moves(const polar_board *board, const polar_push *pushes, uint32_t count, uint8_t *headings,
                      size_t room)
{
    polar_board now = *board;
    uint8_t way[STANCES];
    size_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t heading = pushes[i].heading;
        const uint32_t from = (uint32_t)(pushes[i].cell - board_stride(&now, heading));
        uint32_t length = find_way(&now, stance(from, heading), way);
        if (length == STANCES) {
            return 0;
        }
        for (; length > 0; length--, made++) {
            if (made < room) {
                headings[made] = way[length - 1];
            }
        }
        now.penguin = (uint16_t)from;
        now.facing = (uint8_t)heading;
        if (board_move(&now, (polar_heading)heading).deed != DEED_PUSH) {
            return 0;
        }
        if (made < room) {
            headings[made] = (uint8_t)heading;
        }
        made++;
    }
    return made;
}
