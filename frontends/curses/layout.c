/* layout.c: where everything stands. See layout.h. */
#include "layout.h"

enum {
    BESIDE_COLUMNS = 72, /* from here on there is room for a panel beside the map */
    PANEL_LEAST = 22,
    PANEL_MOST = 34,
    BOARD_LEAST = 3, /* rows: a heading and two players; less says nothing */
    BOARD_MOST_BELOW = 8,
    BOARD_BELOW_ROWS = 30,
    WATCHERS_LEAST = 2, /* rows: a heading and a name */
    TIGHT_GAP = 2,      /* columns, at least, between map and panel */
    SIGHT_LEAST = 6     /* cells ahead of the focus that stay in sight, if the window is large enough; else a quarter */
};

static int between(int least, int value, int most)
{
    return value < least ? least : value > most ? most : value;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int message_rows(int rows)
{
    return rows < 20 ? 1 : rows < 36 ? 2 : 3;
}

/* Right of the map: the status fields, a line between, then as much of the scoreboard as there is room for. */
static void panel_beside(wn_layout *layout, int columns, wn_needs needs)
{
    const int width = between(PANEL_LEAST, columns / 4, PANEL_MOST);
    const wn_rect whole = layout->map;
    layout->beside = true;
    layout->map.width = columns - width - 2;
    layout->divider = layout->map.width;
    layout->status = (wn_rect){whole.y, layout->map.width + 2, whole.height, width};
    const int left = whole.height - needs.status_rows - 1, x = layout->status.x;
    const bool has_board = needs.board_rows > 0 && left >= BOARD_LEAST;
    const int watchers = smaller(needs.watcher_rows, left - (has_board ? smaller(needs.board_rows, left) + 1 : 0));
    if (!has_board && watchers < WATCHERS_LEAST) {
        return;
    }
    layout->status.height = needs.status_rows;
    layout->board = (wn_rect){whole.y + needs.status_rows + 1, x, left, width};
    if (watchers < WATCHERS_LEAST) {
        return;
    }
    layout->board.height -= watchers;
    layout->watchers = (wn_rect){whole.y + whole.height - watchers, x, watchers, width};
}

static void panel_below(wn_layout *layout, int rows, int columns, wn_needs needs)
{
    const int most = rows < 20 ? 2 : 4;
    const int status_rows = needs.flowing_rows < most ? needs.flowing_rows : most;
    layout->map.height -= status_rows;
    layout->status = (wn_rect){layout->map.y + layout->map.height, 0, status_rows, columns};
    if (needs.board_rows >= BOARD_LEAST && rows >= BOARD_BELOW_ROWS) {
        const int board_rows = between(BOARD_LEAST, needs.board_rows, BOARD_MOST_BELOW);
        layout->map.height -= board_rows;
        layout->status.y -= board_rows;
        layout->board = (wn_rect){layout->status.y + status_rows, 0, board_rows, columns};
    }
}

/* Would the map fit, but for the lines above it? */
static bool is_tight(int rows, int columns, wn_needs needs)
{
    return needs.map_rows > rows - message_rows(rows) - 2 && needs.map_rows < rows &&
           needs.map_columns + TIGHT_GAP + WN_TIGHT_PANEL <= columns;
}

/* As BSD's hunt(6) has it on a terminal of 80 by 24. Who watches stands at the end of the panel, where there is a
 * heading even if nobody does. */
static void make_tight(wn_layout *layout, int rows, int columns, wn_needs needs)
{
    const int x = columns - WN_TIGHT_PANEL, end = rows - 1;
    const int left = end - needs.fields - 1;
    const int names = between(1, needs.watcher_rows - 1, left - needs.board_rows - 1);
    const int watchers = left < WATCHERS_LEAST ? 0 : 1 + (names > 0 ? names : 1);
    layout->tight = true;
    layout->map = (wn_rect){0, 0, needs.map_rows, needs.map_columns};
    layout->status = (wn_rect){0, x, smaller(needs.fields, end), WN_TIGHT_PANEL};
    layout->bottom = (wn_rect){end, 0, 1, columns};
    if (left > watchers) {
        layout->board = (wn_rect){needs.fields + 1, x, left - watchers, WN_TIGHT_PANEL};
    }
    if (watchers > 0) {
        layout->watchers = (wn_rect){end - watchers, x, watchers, WN_TIGHT_PANEL};
    }
}

wn_layout wn_layout_make(int rows, int columns, wn_needs needs)
{
    wn_layout layout = {.fits = rows >= WN_LEAST_ROWS && columns >= WN_LEAST_COLUMNS};
    if (!layout.fits) {
        return layout;
    }
    if (is_tight(rows, columns, needs)) {
        make_tight(&layout, rows, columns, needs);
        return layout;
    }
    const int messages = message_rows(rows);
    layout.title = (wn_rect){0, 0, 1, columns};
    layout.messages = (wn_rect){1, 0, messages, columns};
    layout.map = (wn_rect){1 + messages, 0, rows - messages - 2, columns};
    layout.bottom = (wn_rect){rows - 1, 0, 1, columns};
    if (columns >= BESIDE_COLUMNS && needs.status_rows + needs.board_rows + needs.watcher_rows > 0) {
        panel_beside(&layout, columns, needs);
    } else {
        panel_below(&layout, rows, columns, needs);
    }
    return layout;
}

wn_span wn_span_follow(int window, int cells, int focus)
{
    if (window <= 0 || cells <= 0) {
        return (wn_span){0};
    }
    if (cells <= window) {
        return (wn_span){.first = 0, .count = cells, .offset = (window - cells) / 2};
    }
    return (wn_span){.first = between(0, focus - window / 2, cells - window), .count = window, .offset = 0};
}

wn_span wn_span_scroll(wn_span last, int window, int cells, int focus)
{
    const wn_span anew = wn_span_follow(window, cells, focus);
    const int end = last.first + last.count;
    if (last.count != anew.count || last.offset != anew.offset || end > cells) {
        return anew;
    }
    const int sight = between(0, between(SIGHT_LEAST, window / 4, window), (window - 1) / 2);
    const int least = last.first == 0 ? 0 : last.first + sight;
    const int most = end == cells ? cells - 1 : end - 1 - sight;
    return focus >= least && focus <= most ? last : anew;
}
