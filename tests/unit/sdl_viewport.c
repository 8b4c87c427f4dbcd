/* The part of the map that is in sight: edges, small maps, zoom, dragging, and that motion arrives. */
#include "suite.h"
#include "viewport.h"

static wn_viewport made(uint32_t columns, uint32_t rows, double zoom)
{
    wn_viewport view = {0};
    wn_viewport_set_zoom(&view, zoom);
    wn_viewport_place(&view, 100, 50, 640, 480, columns, rows);
    return view;
}

static void settle(wn_viewport *view)
{
    for (int i = 0; wn_viewport_step(view, 16, true); i++) {
        ck_assert_int_lt(i, 1000);
    }
}

START_TEST(it_stops_at_the_edges)
{
    wn_viewport view = made(100, 100, 32);
    wn_viewport_follow(&view, 0.5, 99.5);
    settle(&view);
    ck_assert_int_eq(wn_viewport_column(&view, 0), 100);
    ck_assert_int_eq(wn_viewport_row(&view, 100), 50 + 480);
}
END_TEST

START_TEST(a_small_map_stands_in_the_middle)
{
    wn_viewport view = made(10, 5, 32);
    wn_viewport_follow(&view, 0.5, 0.5);
    settle(&view);
    ck_assert_int_eq(wn_viewport_column(&view, 5), 100 + 320);
    ck_assert_int_eq(wn_viewport_row(&view, 2.5), 50 + 240);
}
END_TEST

START_TEST(the_first_place_is_jumped_to_and_later_ones_are_gone_to)
{
    wn_viewport view = made(100, 100, 32);
    wn_viewport_follow(&view, 50, 50);
    ck_assert(!wn_viewport_step(&view, 16, true));
    ck_assert_double_eq(view.x, 50);
    wn_viewport_follow(&view, 51, 50);
    ck_assert(wn_viewport_step(&view, 16, true));
    ck_assert_double_gt(view.x, 50);
    ck_assert_double_lt(view.x, 51);
    settle(&view);
    ck_assert_double_eq(view.x, 51);
    wn_viewport_follow(&view, 60, 50);
    ck_assert(!wn_viewport_step(&view, 16, false)); /* whoever wants no motion has none */
    ck_assert_double_eq(view.x, 60);
}
END_TEST

START_TEST(a_map_of_another_size_is_fitted_anew)
{
    wn_viewport view = made(4, 4, 32);
    wn_viewport_fit(&view);
    ck_assert_double_eq(view.zoom, 64);
    settle(&view);
    wn_viewport_place(&view, 100, 50, 640, 480, 100, 100);
    ck_assert(!view.placed);
    wn_viewport_fit(&view);
    ck_assert_double_eq(view.zoom, 32);
}
END_TEST

START_TEST(what_was_zoomed_by_hand_stays_so_in_a_map_of_another_size)
{
    wn_viewport view = made(20, 15, 32);
    wn_viewport_fit(&view);
    wn_viewport_zoom(&view, -2);
    settle(&view);
    const double zoom = view.zoom;
    ck_assert_double_lt(zoom, 32);
    wn_viewport_place(&view, 100, 50, 640, 480, 1, 1);
    wn_viewport_fit(&view);
    settle(&view);
    wn_viewport_place(&view, 100, 50, 640, 480, 20, 15);
    wn_viewport_fit(&view);
    settle(&view);
    ck_assert_double_eq(view.zoom, zoom);
    wn_viewport_scale(&view, 1.5);
    wn_viewport_fit(&view);
    ck_assert_double_eq(view.zoom, zoom * 1.5);
    wn_viewport_set_zoom(&view, 16);
    wn_viewport_fit(&view);
    ck_assert_double_eq(view.zoom, 32);
}
END_TEST

START_TEST(only_a_part_is_in_sight_and_as_large_as_it_can_be)
{
    wn_viewport view = made(100, 100, 64);
    uint32_t first, end, cell;
    wn_viewport_part(&view, 30, 40, 15, 20);
    wn_viewport_fit(&view);
    wn_viewport_follow(&view, 99, 0);
    settle(&view);
    ck_assert_double_eq(view.zoom, 24);
    ck_assert_int_eq(wn_viewport_column(&view, 30), 100 + 320 - 15 * 12);
    ck_assert_int_eq(wn_viewport_row(&view, 40), 50);
    wn_viewport_columns(&view, &first, &end);
    ck_assert_uint_eq(first, 30);
    ck_assert_uint_eq(end, 45);
    wn_viewport_rows(&view, &first, &end);
    ck_assert_uint_eq(first, 40);
    ck_assert_uint_eq(end, 60);
    ck_assert(!wn_viewport_cell(&view, wn_viewport_column(&view, 30) - 1, 60, &cell));
    ck_assert(wn_viewport_cell(&view, wn_viewport_column(&view, 30), 60, &cell));
    ck_assert_uint_eq(cell, 40 * 100 + 30);
    wn_viewport_part(&view, 0, 0, 0, 0);
    wn_viewport_columns(&view, &first, &end);
    ck_assert_uint_eq(first, 23); /* 37.5 is in the middle, a window is 26.7 wide, and one may be cut */
}
END_TEST

START_TEST(a_part_that_is_larger_than_the_window_is_scrolled_to_its_edges)
{
    wn_viewport view = made(200, 200, 64);
    wn_viewport_part(&view, 50, 60, 100, 100);
    wn_viewport_follow(&view, 0, 199);
    settle(&view);
    ck_assert_int_eq(wn_viewport_column(&view, 50), 100);
    ck_assert_int_eq(wn_viewport_row(&view, 160), 50 + 480);
    wn_viewport_drag(&view, 100000, -100000);
    settle(&view);
    ck_assert_int_eq(wn_viewport_column(&view, 50), 100);
}
END_TEST

START_TEST(cells_cover_the_window_without_gaps)
{
    for (int zoom = WN_ZOOM_LEAST; zoom <= WN_ZOOM_MOST; zoom++) {
        wn_viewport view = made(300, 300, zoom + 0.3);
        uint32_t first, end, cell;
        wn_viewport_follow(&view, 123.4, 200.1);
        settle(&view);
        wn_viewport_columns(&view, &first, &end);
        ck_assert_int_le(wn_viewport_column(&view, first), 100);
        ck_assert_int_ge(wn_viewport_column(&view, end), 740);
        wn_viewport_rows(&view, &first, &end);
        ck_assert_int_le(wn_viewport_row(&view, first), 50);
        ck_assert_int_ge(wn_viewport_row(&view, end), 530);
        for (int x = 100; x < 740; x++) { /* the pixel of a cell is where it is drawn */
            ck_assert(wn_viewport_cell(&view, x, 51, &cell));
            const uint32_t column = cell % 300;
            ck_assert_int_le(wn_viewport_column(&view, column), x + 1);
            ck_assert_int_ge(wn_viewport_column(&view, column + 1), x);
        }
    }
}
END_TEST

START_TEST(outside_of_map_and_window_there_is_no_cell)
{
    wn_viewport view = made(10, 5, 32);
    uint32_t cell;
    wn_viewport_follow(&view, 5, 2);
    settle(&view);
    ck_assert(!wn_viewport_cell(&view, 99, 60, &cell));
    ck_assert(!wn_viewport_cell(&view, 105, 60, &cell)); /* beside the map */
    ck_assert(wn_viewport_cell(&view, wn_viewport_column(&view, 9) + 1, wn_viewport_row(&view, 4) + 1, &cell));
    ck_assert_uint_eq(cell, 49);
}
END_TEST

START_TEST(zoom_goes_in_steps_and_has_ends)
{
    wn_viewport view = made(100, 100, 32);
    wn_viewport_zoom(&view, 1);
    ck_assert_double_eq(view.goal_zoom, 48);
    wn_viewport_zoom(&view, -2);
    ck_assert_double_eq(view.goal_zoom, 24);
    wn_viewport_zoom(&view, -99);
    ck_assert_double_eq(view.goal_zoom, WN_ZOOM_LEAST);
    wn_viewport_zoom(&view, 99);
    ck_assert_double_eq(view.goal_zoom, WN_ZOOM_MOST);
}
END_TEST

START_TEST(a_drag_beyond_the_edge_needs_no_way_back)
{
    wn_viewport view = made(100, 100, 32);
    wn_viewport_follow(&view, 50, 50);
    settle(&view);
    wn_viewport_drag(&view, 64, 0); /* the map goes with the pointer */
    settle(&view);
    ck_assert_double_eq_tol(view.x, 48, 0.02);
    wn_viewport_drag(&view, 100000, 0);
    wn_viewport_drag(&view, -32, 0);
    settle(&view);
    ck_assert_double_eq_tol(view.x, 11, 0.02); /* 10 is the edge */
    wn_viewport_recentre(&view);
    settle(&view);
    ck_assert_double_eq(view.x, 50);
}
END_TEST

START_TEST(looking_around_goes_on_from_what_is_in_sight)
{
    wn_viewport view = made(100, 100, 32); /* 20 by 15 in sight */
    wn_viewport_follow(&view, 0.5, 50);
    settle(&view);
    ck_assert_double_eq(view.x, 10);
    static const struct {
        uint32_t direction;
        double x, y;
    } moves[] = {{2, 14, 50}, {6, 10, 50}, {6, 10, 50}, {6, 10, 50},
                 {2, 14, 50}, {3, 18, 54}, {0, 18, 50}, {8, 10, 50}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        wn_viewport_pan_towards(&view, moves[i].direction);
        settle(&view);
        ck_assert_double_eq(view.x, moves[i].x);
        ck_assert_double_eq(view.y, moves[i].y);
    }
    view = made(10, 100, 32); /* all columns are in sight */
    wn_viewport_follow(&view, 5, 50);
    settle(&view);
    wn_viewport_pan_towards(&view, 3);
    settle(&view);
    ck_assert_double_eq(view.pan_x, 0);
    ck_assert_double_eq(view.y, 54);
}
END_TEST

START_TEST(a_small_map_is_shown_as_large_as_it_fits)
{
    wn_viewport view = made(10, 5, 32);
    wn_viewport_fit(&view);
    ck_assert_double_eq(view.zoom, 64);
    view = made(100, 5, 32);
    wn_viewport_fit(&view);
    ck_assert_double_eq(view.zoom, 32);
}
END_TEST

RUN("sdl viewport", it_stops_at_the_edges, a_small_map_stands_in_the_middle,
    the_first_place_is_jumped_to_and_later_ones_are_gone_to, a_map_of_another_size_is_fitted_anew,
    what_was_zoomed_by_hand_stays_so_in_a_map_of_another_size, only_a_part_is_in_sight_and_as_large_as_it_can_be,
    a_part_that_is_larger_than_the_window_is_scrolled_to_its_edges, cells_cover_the_window_without_gaps,
    outside_of_map_and_window_there_is_no_cell, zoom_goes_in_steps_and_has_ends,
    a_drag_beyond_the_edge_needs_no_way_back, looking_around_goes_on_from_what_is_in_sight,
    a_small_map_is_shown_as_large_as_it_fits)
