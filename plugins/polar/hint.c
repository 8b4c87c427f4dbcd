/* hint.c: what to push next, or how far to go back. A search can take longer than a turn may: it is a question to
 * work(), in another process, and the answer comes in a later turn.
 *
 * Question: u64 hash of the board; u8 width, height, column and row of the penguin, facing; a byte for each cell; then
 * the moves that led here, the newest last, u16 each and low byte first: as many of the newest as there is room for.
 * Answer: the hash; u8 kind; a hint: u16 cell, u8 heading, u32 pushes; a way back: u32 moves.
 */
#include "polar.h"
#include "solve.h"

#include <string.h>

enum { HEAD = 8 + 5, SEARCH_MEMORY = 40 << 20, SEARCH_TIME = 20000 };
enum { HINT_WORK = 500000000, BACK_WORK = 50000000, BASE_SIZE = 64 }; /* positions times cells */
enum { ANSWER_PUSH, ANSWER_BACK, ANSWER_HOPELESS, ANSWER_NONE };
enum { PUSH_SIZE = 8 + 1 + 2 + 1 + 4, BACK_SIZE = 8 + 1 + 4 };

static void put(uint8_t **at, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        *(*at)++ = (uint8_t)(value >> 8 * i);
    }
}

static uint64_t take(const uint8_t **at, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        value |= (uint64_t) * (*at)++ << 8 * i;
    }
    return value;
}

/* asking */

static size_t write_question(const polar_seat *seat, uint8_t question[WN_MAX_QUESTION])
{
    const polar_board *board = &seat->board;
    uint8_t *at = question;
    put(&at, board_hash(board), 8);
    put(&at, board->width, 1);
    put(&at, board->height, 1);
    put(&at, board_x(board, board->penguin), 1);
    put(&at, board_y(board, board->penguin), 1);
    put(&at, board->facing, 1);
    for (uint32_t y = 0; y < board->height; y++) {
        for (uint32_t x = 0; x < board->width; x++) {
            put(&at, board->cells[board_cell(board, x, y)], 1);
        }
    }
    const uint32_t room = (uint32_t)(question + WN_MAX_QUESTION - at) / 2;
    for (uint32_t i = seat->made > room ? seat->made - room : 0; i < seat->made; i++) {
        put(&at, seat->moves[i], 2);
    }
    return (size_t)(at - question);
}

void polar_ask_hint(wn_world *world, uint32_t number)
{
    uint8_t question[WN_MAX_QUESTION];
    const size_t size = write_question(&polar_of(world)->seats[number], question);
    if (wn_ask(world, number, question, size, SEARCH_TIME)) {
        wn_say(world, (int32_t)number, WN_INFO, "Looking for a way from here.");
    } else {
        wn_say(world, (int32_t)number, WN_BAD, "Too many are waiting for a hint: ask again.");
    }
}

/* searching: in another process, from the question alone */

static bool read_board(const uint8_t **at, size_t size, polar_board *board)
{
    const uint8_t *head = *at;
    if (size < HEAD) {
        return false;
    }
    const uint32_t width = head[8], height = head[9], x = head[10], y = head[11];
    if (width < BOARD_MIN_SIDE || width > BOARD_MAX_SIDE || height < BOARD_MIN_SIDE || height > BOARD_MAX_SIDE ||
        x >= width || y >= height || head[12] >= HEADING_COUNT || size < HEAD + width * height) {
        return false;
    }
    *at += HEAD;
    board_clear(board, width, height);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint8_t piece = *(*at)++;
        if (piece >= PIECE_EDGE) {
            return false;
        }
        board_set(board, board_cell(board, i % width, i / width), (polar_piece)piece);
    }
    board->penguin = board_cell(board, x, y);
    board->facing = head[12];
    return true;
}

/* Stays all that taking the move back would touch on the board? */
static bool can_undo(const polar_board *board, const polar_move *move)
{
    const int32_t stride = board_stride(board, move->heading);
    if (move->deed == DEED_WALK) {
        return piece_is_walkable((polar_piece)board->cells[board->penguin - stride]);
    }
    if (move->deed == DEED_PUSH) {
        const uint8_t *cell = board->cells + board->penguin;
        for (uint32_t i = 0; i <= move->distance; i++) {
            cell += stride;
            if (*cell == PIECE_EDGE) {
                return false;
            }
        }
        return piece_is_movable((polar_piece)move->thing);
    }
    return move->deed == DEED_TURN;
}

/* Takes the newest `back` of the moves back. false: they cannot have led here. */
static bool go_back(polar_board *board, const uint8_t *moves, uint32_t count, uint32_t back)
{
    for (uint32_t i = 0; i < back; i++) {
        const uint8_t *at = moves + (size_t)(count - 1 - i) * 2;
        const polar_move move = move_unpack((packed_move)take(&at, 2));
        if (!can_undo(board, &move)) {
            return false;
        }
        board_undo(board, &move);
    }
    return true;
}

/* A budget of positions, not of time, so that the same question has the same answer; large boards take longer for each.
 * The whole is to be well within SEARCH_TIME. */
static solve_result solve(const polar_board *board, uint32_t work, bool any, polar_solution *solution)
{
    const uint32_t size = (uint32_t)board->width * board->height + BASE_SIZE;
    const solve_limits limits = {.memory = SEARCH_MEMORY, .positions = work / size, .any = any};
    board_solve(board, &limits, solution, NULL);
    return solution->result;
}

/* How many moves to take back so that it can be cleared again. What cannot be cleared does not become so by going on:
 * so the moves are halved again and again. Where it is not known in the time there is, it has to be more. 0: it does
 * not help, as far as is known. */
static uint32_t find_way_back(const polar_board *board, const uint8_t *moves, uint32_t count)
{
    uint32_t hopeless = 0, good = count + 1; /* moves taken back */
    while (hopeless + 1 < good) {
        const uint32_t back = hopeless + (good - hopeless) / 2;
        polar_board before = *board;
        polar_solution solution;
        if (!go_back(&before, moves, count, back)) {
            return 0;
        }
        if (solve(&before, BACK_WORK, true, &solution) == SOLVE_CLEARED) {
            good = back;
        } else {
            hopeless = back;
        }
    }
    return good <= count ? good : 0;
}

size_t polar_work(const void *question, size_t size, void *answer, size_t room)
{
    const uint8_t *at = question;
    uint8_t *end = answer;
    polar_board board;
    if (room < PUSH_SIZE || !read_board(&at, size, &board)) {
        return 0;
    }
    polar_solution solution;
    const solve_result result = solve(&board, HINT_WORK, false, &solution);
    memcpy(end, question, 8);
    end += 8;
    if (result == SOLVE_CLEARED) {
        put(&end, ANSWER_PUSH, 1);
        put(&end, solution.pushes[0].cell, 2);
        put(&end, solution.pushes[0].heading, 1);
        put(&end, solution.count, 4);
    } else if (result == SOLVE_UNSOLVABLE) {
        const size_t left = size - (size_t)(at - (const uint8_t *)question);
        const uint32_t back = find_way_back(&board, at, (uint32_t)(left / 2));
        put(&end, back > 0 ? ANSWER_BACK : ANSWER_HOPELESS, 1);
        put(&end, back, 4);
    } else {
        put(&end, ANSWER_NONE, 1);
    }
    return (size_t)(end - (uint8_t *)answer);
}

/* the answer */

static void show_push(wn_world *world, uint32_t number, const uint8_t *at)
{
    static const char *const headings[] = {"north", "east", "south", "west"};
    static const char *const things[] = {[PIECE_ICE] = "ice", [PIECE_HEART] = "heart", [PIECE_BOMB] = "bomb"};
    polar_seat *seat = &polar_of(world)->seats[number];
    const uint32_t cell = (uint32_t)take(&at, 2), heading = (uint32_t)take(&at, 1), pushes = (uint32_t)take(&at, 4);
    if (cell >= BOARD_MAX_CELLS || heading >= HEADING_COUNT ||
        !piece_is_movable((polar_piece)seat->board.cells[cell])) {
        return;
    }
    seat->hint = (uint16_t)cell;
    seat->hint_heading = (uint8_t)heading;
    wn_say(world, (int32_t)number, WN_INFO, "Push the %s to the %s: %u push%s to go.", things[seat->board.cells[cell]],
           headings[heading], pushes, plural(pushes, "", "es"));
}

void polar_answered(wn_world *world, uint32_t number, const void *answer, size_t size)
{
    polar *game = polar_of(world);
    const polar_seat *seat = &game->seats[number < WN_MAX_SEATS ? number : 0];
    const uint8_t *at = answer;
    if (number >= WN_MAX_SEATS || !seat->taken || (answer != NULL && size <= 8)) {
        return;
    }
    if (answer != NULL && take(&at, 8) != board_hash(&seat->board)) {
        return; /* it is no longer that board */
    }
    const uint64_t kind = answer != NULL ? take(&at, 1) : ANSWER_NONE;
    polar_mark(game, seat_bit(number));
    if (kind == ANSWER_PUSH && size == PUSH_SIZE) {
        show_push(world, number, at);
    } else if (kind == ANSWER_BACK && size == BACK_SIZE) {
        const uint32_t back = (uint32_t)take(&at, 4);
        wn_say(world, (int32_t)number, WN_ALERT, "This cannot be cleared any more: take %u move%s back.", back,
               plural(back, "", "s"));
    } else if (kind == ANSWER_HOPELESS) {
        wn_say(world, (int32_t)number, WN_ALERT, "%s",
               seat->made > 0 ? "This cannot be cleared any more: restart." : "This level cannot be cleared.");
    } else {
        wn_say(world, (int32_t)number, WN_INFO, "No hint was found: this board takes too long.");
    }
}
