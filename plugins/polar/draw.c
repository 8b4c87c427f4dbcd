/* draw.c: what a seat sees: its board in the sea, its penguin, what slides; and what spectators see: the boards of all,
 * side by side.
 */
#include "polar.h"

#include <stdio.h>
#include <string.h>

/* where boards lie in the spectators' view */

/* A grid: as many columns as make it about square, every place as large as the largest board. */
struct grid {
    uint32_t count, columns;
    uint32_t step_x, step_y; /* from board to board: with the edges, which neighbours share */
};

static struct grid grid_of(const polar *game)
{
    struct grid grid = {.columns = 1};
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        const polar_board *board = &game->seats[i].board;
        if (game->seats[i].taken) {
            grid.count++;
            grid.step_x = board->width + 1u > grid.step_x ? board->width + 1u : grid.step_x;
            grid.step_y = board->height + 1u > grid.step_y ? board->height + 1u : grid.step_y;
        }
    }
    while (grid.columns * grid.columns < grid.count) {
        grid.columns++;
    }
    return grid;
}

void polar_find_board(const polar *game, uint32_t number, uint32_t *x, uint32_t *y)
{
    const struct grid grid = grid_of(game);
    uint32_t place = 0;
    for (uint32_t i = 0; i < number; i++) {
        place += game->seats[i].taken;
    }
    *x = place % grid.columns * grid.step_x;
    *y = place / grid.columns * grid.step_y;
}

/* boards */

/* A view that is being drawn, and where in it a board begins. */
struct picture {
    wn_world *world;
    wn_view *view;
    const polar *game;
    uint32_t x, y;
};

static uint16_t cell_of(uint8_t piece)
{
    return WN_CELL(piece == PIECE_EDGE ? TILE_SEA : TILE_PIECES + piece);
}

static void draw_board(const struct picture *picture, const polar_board *board)
{
    uint16_t row[BOARD_MAX_SIDE + 2];
    const uint32_t width = board->width + 2u;
    for (uint32_t y = 0; y < board->height + 2u; y++) {
        for (uint32_t x = 0; x < width; x++) {
            row[x] = cell_of(board->cells[y * width + x]);
        }
        wn_put_row(picture->world, picture->view, (int32_t)picture->x, (int32_t)(picture->y + y), row, width);
    }
}

static int32_t view_x(const struct picture *picture, const polar_board *board, int32_t cell)
{
    return (int32_t)(picture->x + board_x(board, (uint32_t)cell)) + 1;
}

static int32_t view_y(const struct picture *picture, const polar_board *board, int32_t cell)
{
    return (int32_t)(picture->y + board_y(board, (uint32_t)cell)) + 1;
}

static void put(const struct picture *picture, const polar_board *board, int32_t cell, uint32_t tile)
{
    wn_put(picture->world, picture->view, view_x(picture, board, cell), view_y(picture, board, cell), WN_CELL(tile));
}

/* The board is as it will be when the slide is over: what slides is a sprite on its way, not yet where it ends, and a
 * mountain that it blows up still stands. */
static void draw_slide(const struct picture *picture, const polar_seat *seat, uint32_t sprite)
{
    const polar_board *board = &seat->board;
    const polar_move move = seat_last_move(seat);
    const int32_t stride = board_stride(board, move.heading);
    const int32_t from = board->penguin + stride, end = from + move.distance * stride;
    put(picture, board, end, TILE_SNOW);
    if (move.outcome == OUTCOME_BLOWS_UP) {
        put(picture, board, end + stride, TILE_MOUNTAIN);
    }
    const int32_t at = from + seat->shown * stride;
    wn_sprite(picture->world, picture->view, sprite, view_x(picture, board, at), view_y(picture, board, at),
              TILE_PIECES + move.thing, move.heading * 2u, NULL);
}

/* Beside what is to be pushed, so that it can still be seen: where the penguin is to stand, or, if it stands there,
 * where the thing is to go; on the thing if that is not free. */
static int32_t hint_cell(const polar_seat *seat)
{
    const polar_board *board = &seat->board;
    const int32_t stride = board_stride(board, seat->hint_heading);
    if (seat->hint - stride != board->penguin) {
        return seat->hint - stride;
    }
    return board->cells[seat->hint + stride] == PIECE_EMPTY ? seat->hint + stride : seat->hint;
}

static void draw_hint(const struct picture *picture, const polar_seat *seat, uint32_t sprite)
{
    const int32_t at = hint_cell(seat);
    const int32_t x = view_x(picture, &seat->board, at), y = view_y(picture, &seat->board, at);
    wn_sprite(picture->world, picture->view, sprite, x, y, TILE_HINT + seat->hint_heading, seat->hint_heading * 2u,
              NULL);
}

/* A seat's board with all that is on it. Sprites: the penguin and, with the next numbers, what slides and a hint. */
static void draw_seat(const struct picture *picture, uint32_t number)
{
    const polar_seat *seat = &picture->game->seats[number];
    const polar_board *board = &seat->board;
    const uint32_t sprite = number * 3;
    draw_board(picture, board);
    wn_sprite(picture->world, picture->view, sprite, view_x(picture, board, board->penguin),
              view_y(picture, board, board->penguin), TILE_PENGUIN + board->facing, board->facing * 2u,
              wn_seat_name(picture->world, number));
    if (seat->sliding) {
        draw_slide(picture, seat, sprite + 1);
    } else {
        wn_sprite_gone(picture->world, picture->view, sprite + 1);
    }
    if (seat->hint != 0) {
        draw_hint(picture, seat, sprite + 2);
    } else {
        wn_sprite_gone(picture->world, picture->view, sprite + 2);
    }
}

/* text */

static void draw_line(const struct picture *picture, uint32_t row, uint32_t number)
{
    const polar_seat *seat = &picture->game->seats[number];
    char level[16], moves[16], pushes[16];
    const char *columns[COLUMN_COUNT] = {[COLUMN_PLAYER] = wn_seat_name(picture->world, number),
                                         [COLUMN_LEVEL] = level,
                                         [COLUMN_MOVES] = moves,
                                         [COLUMN_PUSHES] = pushes};
    snprintf(level, sizeof level, "%u%s", seat->level + 1, seat_is_cleared(seat) ? "*" : "");
    snprintf(moves, sizeof moves, "%u", seat->made);
    snprintf(pushes, sizeof pushes, "%u", seat->pushes);
    wn_board_row(picture->world, picture->view, row, columns);
}

/* One row for each seat, in their order. */
static void draw_lines(const struct picture *picture, uint64_t changed)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (picture->game->seats[i].taken) {
            if (changed & seat_bit(i)) {
                draw_line(picture, row, i);
            }
            row++;
        }
    }
    for (; changed == ALL_SEATS && row < WN_MAX_SEATS; row++) {
        wn_board_row(picture->world, picture->view, row, NULL);
    }
}

static const polar_runner *runner_of(const polar *game, uint32_t number)
{
    return &game->runners[game->seats[number].runner];
}

/* Who has cleared the most levels, where there is somebody to race with. */
static void draw_race(const struct picture *picture, uint32_t number)
{
    const polar *game = picture->game;
    const uint32_t mine = runner_of(game, number)->cleared;
    uint32_t count = 0, before = 0, first = number;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken) {
            const uint32_t cleared = runner_of(game, i)->cleared;
            first = cleared > runner_of(game, first)->cleared ? i : first;
            before += cleared > mine;
            count++;
        }
    }
    char text[WN_MAX_TEXT] = "alone";
    if (count > 1 && before == 0) {
        snprintf(text, sizeof text, "first of %u", count);
    } else if (count > 1) {
        snprintf(text, sizeof text, "%u of %u, %u behind", before + 1, count, runner_of(game, first)->cleared - mine);
    }
    wn_status_text(picture->world, picture->view, STATUS_RACE, text);
}

static void draw_best(const struct picture *picture, uint32_t field, uint32_t best)
{
    char text[16] = "-";
    if (best > 0) {
        snprintf(text, sizeof text, "%u", best);
    }
    wn_status_text(picture->world, picture->view, field, text);
}

static void draw_status(const struct picture *picture, uint32_t number)
{
    const polar *game = picture->game;
    const polar_seat *seat = &game->seats[number];
    const polar_best *best = &game->runners[seat->runner].best[seat->level];
    const pack_text *title = &game->pack.levels[seat->level].title;
    char text[WN_MAX_TEXT];
    snprintf(text, sizeof text, "%u of %u", seat->level + 1, game->pack.count);
    wn_status_text(picture->world, picture->view, STATUS_LEVEL, text);
    snprintf(text, sizeof text, "%.*s", title->length, title->text);
    wn_status_text(picture->world, picture->view, STATUS_TITLE, text);
    wn_status_number(picture->world, picture->view, STATUS_HEARTS, seat->board.hearts);
    wn_status_number(picture->world, picture->view, STATUS_MOVES, seat->made);
    wn_status_number(picture->world, picture->view, STATUS_PUSHES, seat->pushes);
    draw_best(picture, STATUS_BEST_MOVES, best->moves);
    draw_best(picture, STATUS_BEST_PUSHES, best->pushes);
    draw_race(picture, number);
}

/* Text that grows line by line, up to what a banner holds. */
struct banner {
    char text[WN_MAX_BANNER];
    size_t length;
};

WN_PRINTF(2, 3)
static void add(struct banner *banner, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(banner->text + banner->length, sizeof banner->text - banner->length, format, arguments);
    va_end(arguments);
    const size_t left = sizeof banner->text - 1 - banner->length;
    banner->length += length < 0 ? 0 : (size_t)length < left ? (size_t)length : left;
}

static void add_counts(struct banner *banner, uint32_t moves, uint32_t pushes)
{
    add(banner, "%u move%s, %u push%s", moves, plural(moves, "", "s"), pushes, plural(pushes, "", "es"));
}

static void list_levels(const polar *game, const polar_seat *seat, struct banner *banner)
{
    enum { BEFORE = 6, AFTER = 6 };
    const polar_runner *runner = &game->runners[seat->runner];
    const uint32_t first = seat->chosen > BEFORE ? seat->chosen - BEFORE : 0;
    add(banner, "Levels: north and south choose, east plays, west goes back\n");
    for (uint32_t i = first; i <= seat->chosen + AFTER && polar_may_play(game, seat, i); i++) {
        const pack_text *title = &game->pack.levels[i].title;
        add(banner, "\n%c %3u  %.*s", i == seat->chosen ? '>' : ' ', i + 1, title->length, title->text);
        if (runner->best[i].moves > 0) {
            add(banner, " (");
            add_counts(banner, runner->best[i].moves, runner->best[i].pushes);
            add(banner, ")");
        }
    }
}

static void praise(const polar *game, const polar_seat *seat, struct banner *banner)
{
    const pack_text *title = &game->pack.levels[seat->level].title;
    const polar_best *best = &game->runners[seat->runner].best[seat->level];
    add(banner, "Level %u is cleared: %.*s\n\n", seat->level + 1, title->length, title->text);
    add_counts(banner, seat->made, seat->pushes);
    add(banner, "\nYour best: ");
    add_counts(banner, best->moves, best->pushes);
    add(banner, "\n\n%s",
        seat->level + 1 == game->pack.count ? "It was the last level of this pack."
        : seat->calm > 0                    ? "Let go: the next level waits for you."
                                            : "Any step goes on to the next.");
}

static void draw_banner(const struct picture *picture, uint32_t number)
{
    const polar_seat *seat = &picture->game->seats[number];
    struct banner banner = {.length = 0};
    if (seat->choosing) {
        list_levels(picture->game, seat, &banner);
    } else if (seat_is_cleared(seat)) {
        praise(picture->game, seat, &banner);
    }
    wn_banner(picture->world, picture->view, banner.text);
}

/* views */

static void draw_own(struct picture *picture, uint32_t number, uint64_t changed)
{
    const polar_board *board = &picture->game->seats[number].board;
    if (changed & seat_bit(number)) {
        wn_view_size(picture->world, picture->view, board->width + 2u, board->height + 2u);
        draw_seat(picture, number);
        draw_banner(picture, number);
    }
    draw_status(picture, number);
    draw_lines(picture, changed);
}

/* One for each board, in the order of seats. */
static void name_regions(const struct picture *picture)
{
    const polar *game = picture->game;
    uint32_t region = 0;
    for (uint32_t i = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken) {
            wn_region area = {.width = game->seats[i].board.width + 2u,
                              .height = game->seats[i].board.height + 2u,
                              .title = wn_seat_name(picture->world, i)};
            polar_find_board(game, i, &area.x, &area.y);
            wn_name_region(picture->world, picture->view, region++, &area);
        }
    }
    for (; region < WN_MAX_REGIONS; region++) {
        wn_name_region(picture->world, picture->view, region, NULL);
    }
}

/* Nobody plays: the pack's first level, without a penguin. */
static void draw_nobody(struct picture *picture)
{
    polar_board board;
    pack_board(&picture->game->pack, 0, &board);
    wn_view_size(picture->world, picture->view, board.width + 2u, board.height + 2u);
    wn_sprites_begin(picture->world, picture->view);
    name_regions(picture);
    draw_board(picture, &board);
}

static void draw_all(struct picture *picture, uint64_t changed)
{
    const polar *game = picture->game;
    const struct grid grid = grid_of(game);
    if (grid.count == 0) {
        draw_nobody(picture);
        draw_lines(picture, changed);
        return;
    }
    if (changed == ALL_SEATS) { /* another layout: what was there goes */
        const uint32_t rows = (grid.count + grid.columns - 1) / grid.columns;
        const uint32_t width = grid.columns * grid.step_x + 1, height = rows * grid.step_y + 1;
        wn_view_size(picture->world, picture->view, width, height);
        static const uint16_t sea[WN_MAX_SIDE] = {WN_CELL(TILE_SEA)};
        for (uint32_t y = 0; y < height; y++) {
            wn_put_row(picture->world, picture->view, 0, (int32_t)y, sea, width);
        }
        wn_sprites_begin(picture->world, picture->view);
        name_regions(picture);
    }
    for (uint32_t i = 0, place = 0; i < WN_MAX_SEATS; i++) {
        if (game->seats[i].taken) {
            picture->x = place % grid.columns * grid.step_x;
            picture->y = place / grid.columns * grid.step_y;
            place++;
            if (changed & seat_bit(i)) {
                draw_seat(picture, i);
            }
        }
    }
    draw_lines(picture, changed);
}

void polar_draw(wn_world *world, wn_view *view, int32_t seat, wn_draw what)
{
    const polar *game = polar_of(world);
    struct picture picture = {.world = world, .view = view, .game = game};
    const uint64_t changed = what == WN_DRAW_ALL ? ALL_SEATS : game->changed;
    if (seat == WN_SPECTATORS) {
        draw_all(&picture, changed);
    } else {
        draw_own(&picture, (uint32_t)seat, changed);
    }
}
