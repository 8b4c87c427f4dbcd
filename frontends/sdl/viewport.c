/* viewport.c: which part of the map is in sight. See viewport.h. */
#include "viewport.h"

#include <math.h>
#include <stdlib.h>

#include "key.h"
#include "wire.h"

/* How quickly it comes nearer: in so many milliseconds all but a third of the way. */
static const double follow_ms = 110, zoom_ms = 70;

/* Sizes at which pixels of 16 come out even, and some small ones for looking at much. */
static const double zooms[] = {WN_ZOOM_LEAST, 8, 12, 16, 24, 32, 48, 64, 80, 96, WN_ZOOM_MOST};
enum { ZOOMS = sizeof zooms / sizeof *zooms, FIT_MOST = 64 };

static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Where the middle may be: not so near to an edge that something beyond it shows, unless the map is smaller than that.
 */
static double bounded(double middle, double start, double cells, double pixels, double zoom)
{
    const double half = pixels / zoom / 2;
    return start + (cells <= 2 * half ? cells / 2 : within(middle - start, half, cells - half));
}

static double bounded_x(const wn_viewport *view, double x)
{
    return bounded(x, view->part_x, view->part_columns, view->width, view->zoom);
}

static double bounded_y(const wn_viewport *view, double y)
{
    return bounded(y, view->part_y, view->part_rows, view->height, view->zoom);
}

void wn_viewport_place(wn_viewport *view, int left, int top, int width, int height, uint32_t columns, uint32_t rows)
{
    view->left = left;
    view->top = top;
    view->width = width;
    view->height = height;
    if (columns != view->columns || rows != view->rows) {
        view->placed = false;
    }
    view->columns = columns;
    view->rows = rows;
    if (!view->placed) {
        view->part_x = view->part_y = 0;
        view->part_columns = columns;
        view->part_rows = rows;
    }
}

void wn_viewport_part(wn_viewport *view, uint32_t x, uint32_t y, uint32_t columns, uint32_t rows)
{
    if (columns == 0 || rows == 0) {
        x = y = 0;
        columns = view->columns;
        rows = view->rows;
    }
    if (x != view->part_x || y != view->part_y || columns != view->part_columns || rows != view->part_rows) {
        view->placed = false;
    }
    view->part_x = x;
    view->part_y = y;
    view->part_columns = columns;
    view->part_rows = rows;
}

void wn_viewport_follow(wn_viewport *view, double x, double y)
{
    view->goal_x = x;
    view->goal_y = y;
}

/* Towards `goal`; what is nearer than `near` is there. */
static bool approach(double *value, double goal, double part, double near)
{
    *value = fabs(goal - *value) <= near ? goal : *value + (goal - *value) * part;
    return *value != goal;
}

bool wn_viewport_step(wn_viewport *view, int64_t milliseconds, bool smooth)
{
    const bool jump = !smooth || !view->placed;
    const double follow = jump ? 1 : 1 - exp(-(double)milliseconds / follow_ms);
    const double zoom = jump ? 1 : 1 - exp(-(double)milliseconds / zoom_ms);
    bool moves = approach(&view->zoom, view->goal_zoom, zoom, view->goal_zoom * 0.005);
    const double x = bounded_x(view, view->goal_x + view->pan_x);
    const double y = bounded_y(view, view->goal_y + view->pan_y);
    const double near = 0.4 / view->zoom;
    moves |= approach(&view->x, x, follow, near);
    moves |= approach(&view->y, y, follow, near);
    view->x = bounded_x(view, view->x);
    view->y = bounded_y(view, view->y);
    view->placed = true;
    return moves;
}

void wn_viewport_set_zoom(wn_viewport *view, double zoom)
{
    view->wanted_zoom = view->goal_zoom = view->zoom = within(zoom, WN_ZOOM_LEAST, WN_ZOOM_MOST);
    view->by_hand = false;
}

void wn_viewport_scale(wn_viewport *view, double times)
{
    wn_viewport_set_zoom(view, view->goal_zoom * times);
    view->by_hand = true;
}

void wn_viewport_zoom(wn_viewport *view, int steps)
{
    for (; steps > 0; steps--) {
        int next = 0;
        while (next < ZOOMS - 1 && zooms[next] <= view->goal_zoom + 0.01) {
            next++;
        }
        view->goal_zoom = zooms[next];
    }
    for (; steps < 0; steps++) {
        int next = ZOOMS - 1;
        while (next > 0 && zooms[next] >= view->goal_zoom - 0.01) {
            next--;
        }
        view->goal_zoom = zooms[next];
    }
    view->wanted_zoom = view->goal_zoom;
    view->by_hand = true;
}

void wn_viewport_fit(wn_viewport *view)
{
    if (view->by_hand) {
        return;
    }
    const bool part = view->part_columns != view->columns || view->part_rows != view->rows;
    view->goal_zoom = view->zoom = part ? WN_ZOOM_LEAST : view->wanted_zoom;
    for (int i = 0; i < ZOOMS; i++) {
        if (zooms[i] > view->goal_zoom && zooms[i] <= FIT_MOST && view->part_columns * zooms[i] <= view->width &&
            view->part_rows * zooms[i] <= view->height) {
            view->goal_zoom = view->zoom = zooms[i];
        }
    }
}

void wn_viewport_drag(wn_viewport *view, int x, int y)
{
    /* From where it is, so that a drag beyond an edge needs no way back. */
    view->pan_x = view->x - view->goal_x - x / view->zoom;
    view->pan_y = view->y - view->goal_y - y / view->zoom;
    view->x = bounded_x(view, view->goal_x + view->pan_x);
    view->y = bounded_y(view, view->goal_y + view->pan_y);
    view->pan_x = view->x - view->goal_x;
    view->pan_y = view->y - view->goal_y;
}

void wn_viewport_pan_towards(wn_viewport *view, uint32_t direction)
{
    enum { CELLS = 4 };
    const wn_step step = wn_direction_step(direction);
    if (direction == WN_NOWHERE) {
        wn_viewport_recentre(view);
        return;
    }
    if (step.right != 0 && view->part_columns * view->zoom > view->width) {
        const double x = bounded_x(view, view->goal_x + view->pan_x) + step.right * CELLS;
        view->pan_x = bounded_x(view, x) - view->goal_x;
    }
    if (step.down != 0 && view->part_rows * view->zoom > view->height) {
        const double y = bounded_y(view, view->goal_y + view->pan_y) + step.down * CELLS;
        view->pan_y = bounded_y(view, y) - view->goal_y;
    }
}

void wn_viewport_recentre(wn_viewport *view)
{
    view->pan_x = view->pan_y = 0;
}

/* from cells to pixels and back */

static int place_of(int start, int length, double middle, double zoom, double at)
{
    return start + length / 2 - (int)floor(middle * zoom + 0.5) + (int)floor(at * zoom + 0.001);
}

int wn_viewport_column(const wn_viewport *view, double column)
{
    return place_of(view->left, view->width, view->x, view->zoom, column);
}

int wn_viewport_row(const wn_viewport *view, double row)
{
    return place_of(view->top, view->height, view->y, view->zoom, row);
}

static void in_sight(double middle, double zoom, int pixels, uint32_t start, uint32_t cells, uint32_t *first,
                     uint32_t *end)
{
    const double half = pixels / zoom / 2 + 1;
    const uint32_t last = start + cells;
    *first = middle <= half + start ? start : (uint32_t)(middle - half);
    *end = middle + half >= last ? last : (uint32_t)(middle + half) + 1;
    *end = *end > last ? last : *end;
}

void wn_viewport_columns(const wn_viewport *view, uint32_t *first, uint32_t *end)
{
    in_sight(view->x, view->zoom, view->width, view->part_x, view->part_columns, first, end);
}

void wn_viewport_rows(const wn_viewport *view, uint32_t *first, uint32_t *end)
{
    in_sight(view->y, view->zoom, view->height, view->part_y, view->part_rows, first, end);
}

bool wn_viewport_cell(const wn_viewport *view, int x, int y, uint32_t *cell)
{
    if (x < view->left || y < view->top || x >= view->left + view->width || y >= view->top + view->height) {
        return false;
    }
    const double column = floor((x - wn_viewport_column(view, 0)) / view->zoom);
    const double row = floor((y - wn_viewport_row(view, 0)) / view->zoom);
    if (column < view->part_x || row < view->part_y || column >= view->part_x + view->part_columns ||
        row >= view->part_y + view->part_rows) {
        return false;
    }
    *cell = (uint32_t)row * view->columns + (uint32_t)column;
    return true;
}
