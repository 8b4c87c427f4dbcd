/* Where everything stands: properties of every window size, and the part of the map in sight. */
#include "layout.h"
#include "suite.h"

static bool empty(wn_rect rect)
{
    return rect.height == 0 || rect.width == 0;
}

static bool inside(wn_rect rect, int rows, int columns)
{
    return rect.y >= 0 && rect.x >= 0 && rect.height >= 0 && rect.width >= 0 && rect.y + rect.height <= rows &&
           rect.x + rect.width <= columns;
}

static bool apart(wn_rect a, wn_rect b)
{
    return empty(a) || empty(b) || a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x ||
           b.x + b.width <= a.x;
}

#define NEEDS(status, flowing, board, watchers)                                                                        \
    {                                                                                                                  \
        .status_rows = status, .flowing_rows = flowing, .board_rows = board, .watcher_rows = watchers                  \
    }

/* What is wrong with the layout, NULL: nothing. Not by assertions: Check makes each of some millions slow. */
static const char *fault_of(int rows, int columns, wn_needs needs)
{
    const wn_layout layout = wn_layout_make(rows, columns, needs);
    const wn_rect divider = {layout.map.y, layout.divider, layout.map.height, layout.divider > 0};
    const wn_rect all[] = {layout.title, layout.messages, layout.map,    layout.status,
                           layout.board, layout.watchers, layout.bottom, divider};
    const size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++) {
        if (!inside(all[i], rows, columns)) {
            return "a part is outside";
        }
        for (size_t k = i + 1; k < count; k++) {
            if (!apart(all[i], all[k])) {
                return "two parts overlap";
            }
        }
    }
    if (!layout.fits || layout.map.height < 6 || layout.map.width < 40) {
        return "the map is too small";
    }
    if (layout.title.width != columns || layout.messages.height < 1 || layout.bottom.height != 1) {
        return "a line is missing";
    }
    return needs.flowing_rows > 0 && empty(layout.status) ? "the status is missing" : NULL;
}

START_TEST(parts_never_overlap_and_stay_inside_of_every_window)
{
    static const wn_needs needs[] = {NEEDS(0, 0, 0, 0),  NEEDS(1, 1, 0, 0),     NEEDS(3, 1, 3, 2), NEEDS(6, 2, 0, 4),
                                     NEEDS(6, 3, 9, 65), NEEDS(64, 12, 129, 2), NEEDS(0, 0, 5, 0), NEEDS(0, 0, 0, 3)};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        for (int rows = WN_LEAST_ROWS; rows <= 100; rows++) {
            for (int columns = WN_LEAST_COLUMNS; columns <= 300; columns++) {
                const char *fault = fault_of(rows, columns, needs[i]);
                if (fault != NULL) {
                    ck_abort_msg("needs %zu, %dx%d: %s", i, columns, rows, fault);
                }
            }
        }
    }
}
END_TEST

START_TEST(a_window_below_the_least_size_does_not_fit)
{
    ck_assert(wn_layout_make(12, 40, (wn_needs){0}).fits);
    ck_assert(!wn_layout_make(11, 200, (wn_needs){0}).fits);
    ck_assert(!wn_layout_make(60, 39, (wn_needs){0}).fits);
    ck_assert(!wn_layout_make(0, 0, (wn_needs){0}).fits);
}
END_TEST

START_TEST(the_panel_is_beside_in_wide_windows_and_below_in_narrow_ones)
{
    const wn_needs needs = NEEDS(3, 1, 4, 0);
    ck_assert(wn_layout_make(24, 80, needs).beside);
    ck_assert(!wn_layout_make(24, 60, needs).beside);
    ck_assert_int_gt(wn_layout_make(24, 80, needs).board.height, 0);
    ck_assert_int_eq(wn_layout_make(12, 40, needs).board.height, 0);
    ck_assert_int_gt(wn_layout_make(40, 60, needs).board.height, 0);
}
END_TEST

START_TEST(who_watches_stands_under_the_scores_if_there_is_room)
{
    const wn_layout with = wn_layout_make(24, 80, (wn_needs){.status_rows = 3, .board_rows = 4, .watcher_rows = 3});
    ck_assert_int_eq(with.watchers.height, 3);
    ck_assert_int_eq(with.watchers.y, with.board.y + with.board.height);
    ck_assert_int_eq(with.watchers.y + 3, with.map.y + with.map.height);
    const wn_layout full = wn_layout_make(24, 80, (wn_needs){.status_rows = 3, .board_rows = 40, .watcher_rows = 3});
    ck_assert_int_eq(full.watchers.height, 0);
    ck_assert_int_eq(full.board.y + full.board.height, full.map.y + full.map.height);
}
END_TEST

/* tight */

static wn_needs map_of(int rows, int columns)
{
    return (wn_needs){
        .status_rows = 5, .flowing_rows = 1, .board_rows = 4, .fields = 4, .map_rows = rows, .map_columns = columns};
}

static bool tight(int rows, int columns, int map_rows, int map_columns)
{
    return wn_layout_make(rows, columns, map_of(map_rows, map_columns)).tight;
}

START_TEST(a_map_that_needs_the_titles_rows_makes_the_layout_tight)
{
    ck_assert(tight(24, 80, 23, 51));
    ck_assert(tight(24, 80, 23, 58));
    ck_assert(!tight(24, 80, 23, 59));
    ck_assert(!tight(24, 80, 24, 51)); /* a row is for messages */
    ck_assert(tight(24, 80, 21, 51));
    ck_assert(!tight(24, 80, 20, 51)); /* it fits as it is */
    ck_assert(!tight(40, 120, 23, 51));
    ck_assert(!tight(24, 80, 0, 0));
}
END_TEST

static bool is(wn_rect rect, int y, int x, int height, int width)
{
    return rect.y == y && rect.x == x && rect.height == height && rect.width == width;
}

START_TEST(a_tight_layout_is_that_of_the_original)
{
    const wn_layout layout = wn_layout_make(24, 80, map_of(23, 51));
    ck_assert(is(layout.map, 0, 0, 23, 51));
    ck_assert(is(layout.status, 0, 60, 4, 20));
    ck_assert(is(layout.board, 5, 60, 16, 20));    /* 15 players and their heading */
    ck_assert(is(layout.watchers, 21, 60, 2, 20)); /* even if nobody watches */
    ck_assert(is(layout.bottom, 23, 0, 1, 80));
    ck_assert_int_eq(layout.title.height + layout.messages.height + layout.divider, 0);
}
END_TEST

START_TEST(parts_of_a_tight_layout_never_overlap_and_players_come_before_watchers)
{
    for (int rows = WN_LEAST_ROWS; rows <= 60; rows++) {
        for (int fields = 0; fields <= 60; fields += 3) {
            for (int board = 0; board <= 30; board += 5) {
                for (int watchers = 0; watchers <= 65; watchers += 13) {
                    wn_needs needs = map_of(rows - 1, 40);
                    needs.fields = fields;
                    needs.board_rows = board;
                    needs.watcher_rows = watchers;
                    const wn_layout layout = wn_layout_make(rows, 80, needs);
                    const wn_rect all[] = {layout.map, layout.status, layout.board, layout.watchers, layout.bottom};
                    bool good = layout.tight;
                    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
                        good = good && inside(all[i], rows, 80);
                        for (size_t k = i + 1; k < sizeof all / sizeof *all; k++) {
                            good = good && apart(all[i], all[k]);
                        }
                    }
                    good = good && (layout.watchers.height <= 2 || layout.board.height >= board);
                    ck_assert_msg(good, "%d rows, %d fields, %d scores, %d watchers", rows, fields, board, watchers);
                }
            }
        }
    }
}
END_TEST

START_TEST(the_focus_is_in_the_middle_away_from_the_edges)
{
    const wn_span span = wn_span_follow(21, 160, 80);
    ck_assert_int_eq(span.first + 10, 80);
    ck_assert_int_eq(span.count, 21);
    ck_assert_int_eq(span.offset, 0);
}
END_TEST

START_TEST(the_view_stops_at_the_edges)
{
    ck_assert_int_eq(wn_span_follow(20, 160, 0).first, 0);
    ck_assert_int_eq(wn_span_follow(20, 160, 9).first, 0);
    ck_assert_int_eq(wn_span_follow(20, 160, 11).first, 1);
    ck_assert_int_eq(wn_span_follow(20, 160, 159).first, 140);
    ck_assert_int_eq(wn_span_follow(20, 160, 150).first, 140);
    ck_assert_int_eq(wn_span_follow(20, 160, 149).first, 139);
}
END_TEST

START_TEST(a_map_smaller_than_the_window_stands_in_its_middle)
{
    const wn_span span = wn_span_follow(80, 16, 3);
    ck_assert_int_eq(span.first, 0);
    ck_assert_int_eq(span.count, 16);
    ck_assert_int_eq(span.offset, 32);
    ck_assert_int_eq(wn_span_follow(16, 16, 15).offset, 0);
    ck_assert_int_eq(wn_span_follow(16, 1, 0).count, 1);
    ck_assert_int_eq(wn_span_follow(0, 16, 0).count, 0);
}
END_TEST

START_TEST(the_focus_is_always_in_sight_and_so_is_nothing_outside)
{
    for (int window = 1; window < 40; window++) {
        for (int cells = 1; cells < 60; cells++) {
            bool good = true;
            for (int focus = 0; focus < cells; focus++) {
                const wn_span span = wn_span_follow(window, cells, focus);
                good = good && focus >= span.first && focus < span.first + span.count && span.first >= 0 &&
                       span.first + span.count <= cells && span.offset >= 0 && span.offset + span.count <= window;
            }
            ck_assert_msg(good, "window %d, %d cells", window, cells);
        }
    }
}
END_TEST

START_TEST(the_view_stands_until_the_focus_comes_near_its_end)
{
    wn_span span = wn_span_follow(40, 160, 80); /* 60 to 99, of which 10 on each side are near the end */
    for (int focus = 70; focus <= 89; focus++) {
        ck_assert_int_eq(wn_span_scroll(span, 40, 160, focus).first, 60);
    }
    ck_assert_int_eq(wn_span_scroll(span, 40, 160, 69).first, 69 - 20);
    ck_assert_int_eq(wn_span_scroll(span, 40, 160, 90).first, 90 - 20);
    span = wn_span_scroll(span, 40, 160, 5); /* at the map's edge there is nothing more to see */
    ck_assert_int_eq(span.first, 0);
    ck_assert_int_eq(wn_span_scroll(span, 40, 160, 0).first, 0);
    ck_assert_int_eq(wn_span_scroll(span, 40, 160, 29).first, 0);
    ck_assert_int_eq(wn_span_scroll(span, 40, 160, 30).first, 10);
}
END_TEST

START_TEST(a_small_window_follows_at_once_and_a_new_one_anew)
{
    const wn_span span = wn_span_follow(7, 160, 80);
    ck_assert_int_eq(wn_span_scroll(span, 7, 160, 80).first, span.first);
    ck_assert_int_eq(wn_span_scroll(span, 7, 160, 81).first, span.first + 1);
    ck_assert_int_eq(wn_span_scroll(wn_span_follow(40, 160, 80), 30, 160, 85).first, 70);
    ck_assert_int_eq(wn_span_scroll(wn_span_follow(40, 160, 150), 40, 100, 70).first, 50); /* another map */
}
END_TEST

START_TEST(wherever_the_focus_goes_it_stays_in_sight)
{
    for (int window = 1; window < 60; window++) {
        const int cells = 90;
        wn_span span = {0};
        bool good = true;
        for (int step = 0; step < 400; step++) {
            const int focus = step * step % 97 < cells ? step * step % 97 : step % cells;
            span = wn_span_scroll(span, window, cells, focus);
            good = good && focus >= span.first && focus < span.first + span.count && span.first >= 0 &&
                   span.first + span.count <= cells;
        }
        ck_assert_msg(good, "window %d", window);
    }
}
END_TEST

RUN("curses layout", parts_never_overlap_and_stay_inside_of_every_window, a_window_below_the_least_size_does_not_fit,
    the_panel_is_beside_in_wide_windows_and_below_in_narrow_ones, who_watches_stands_under_the_scores_if_there_is_room,
    a_map_that_needs_the_titles_rows_makes_the_layout_tight, a_tight_layout_is_that_of_the_original,
    parts_of_a_tight_layout_never_overlap_and_players_come_before_watchers,
    the_focus_is_in_the_middle_away_from_the_edges, the_view_stops_at_the_edges,
    a_map_smaller_than_the_window_stands_in_its_middle, the_focus_is_always_in_sight_and_so_is_nothing_outside,
    the_view_stands_until_the_focus_comes_near_its_end, a_small_window_follows_at_once_and_a_new_one_anew,
    wherever_the_focus_goes_it_stays_in_sight)
