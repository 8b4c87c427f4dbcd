/* panel-tight.c: the panel of a tight layout, in 20 columns: a status field a row, the scoreboard without the headings
 * of its columns, who watches. Its columns are those of BSD's hunt(6), for whatever mode. See panel.h. */
#include "panel.h"

#include <stdio.h>

#include "fields.h"
#include "text.h"

enum {
    VALUE_END = 17, /* columns of the panel: behind a number or a text, */
    GAUGE_END = 16, /* a gauge's number, its slash being here, */
    MAXIMUM = 17,   /* and its maximum */
    NUMBER_WIDTH = 3,
    INDENT = 1,     /* of scores */
    BOARD_END = 19, /* behind their last column */
    NAME_LEAST = 8,
    NAME_INDENT = 7, /* of those who watch: as players' names stand with hunt's scores */
};

/* status */

static void draw_value(const wn_paint *paint, const wn_replica *replica, uint32_t field, int y, int x, int used)
{
    char value[WN_FIELD_BYTES];
    const wn_style style = WN_STYLE_BOLD; /* of gauges, too: a low one is no alarm everywhere, damage for one */
    const wn_field_state *state = &replica->fields[field];
    wn_field_value(replica, field, value, sizeof value);
    if (!state->set) {
        return;
    }
    if (wn_field_is_gauge(replica, field)) {
        snprintf(value, sizeof value, "%lld", (long long)state->number);
        wn_paint_right(paint, stdscr, y, x + used, GAUGE_END - used, style, value);
        wn_paint_format(paint, stdscr, y, x + GAUGE_END, WN_TIGHT_PANEL - GAUGE_END, style, "/%2lld",
                        (long long)state->maximum);
        return;
    }
    const int width = wn_text_width(value);
    const int room = width <= VALUE_END - used ? VALUE_END - used : WN_TIGHT_PANEL - used;
    if (room > 0) {
        wn_paint_right(paint, stdscr, y, x + used, room, style, value);
    }
}

static void draw_title(const wn_paint *paint, int y, int x, wn_style style, const char *title, int *used)
{
    *used = wn_paint_format(paint, stdscr, y, x, WN_TIGHT_PANEL - NUMBER_WIDTH, style, "%s:", title);
}

void wn_panel_tight_status(const wn_paint *paint, const wn_replica *replica, wn_rect rect)
{
    int used, y = rect.y;
    wn_panel_clear(paint, stdscr, rect);
    for (uint32_t i = 0; i < replica->mode->n_status && y < rect.y + rect.height; i++, y++) {
        draw_title(paint, y, rect.x, WN_STYLE_DIM, wn_field_title(replica, i), &used);
        draw_value(paint, replica, i, y, rect.x, used);
    }
    const char *facing = wn_panel_facing(replica);
    if (facing != NULL && y < rect.y + rect.height) {
        draw_title(paint, y, rect.x, WN_STYLE_DIM, "Facing", &used);
        wn_paint_right(paint, stdscr, y, rect.x + used, VALUE_END - used, WN_STYLE_BOLD, facing);
    }
}

/* scores */

static bool has_title(const wn_replica *replica, uint32_t column)
{
    return replica->mode->board[column]->title[0] != '\0';
}

static int width_of(const wn_replica *replica, uint32_t column)
{
    int width = replica->mode->board[column]->right ? wn_text_width(replica->mode->board[column]->title) : 1;
    for (uint32_t row = 0; row < replica->row_count; row++) {
        if (column >= replica->rows[row].column_count) {
            continue;
        }
        const int other = wn_text_width(replica->rows[row].columns[column]);
        width = other > width ? other : width;
    }
    return width;
}

/* The one that takes what is left, or gives what is missing: the first of the widest that are texts. */
static uint32_t elastic(const wn_replica *replica, uint32_t count, const int *widths)
{
    uint32_t found = 0;
    int most = -1;
    for (uint32_t i = 0; i < count; i++) {
        const Warren__BoardColumn *column = replica->mode->board[i];
        const int title = wn_text_width(column->title);
        const int width = column->right ? 0 : widths[i] > title ? widths[i] : title;
        if (width > most) {
            most = width;
            found = i;
        }
    }
    return found;
}

/* Columns without a title are signs that stand close to their neighbours. */
static int gap_before(const wn_replica *replica, uint32_t column)
{
    return column > 0 && has_title(replica, column - 1) && has_title(replica, column) ? 1 : 0;
}

static uint32_t measure(const wn_replica *replica, int *widths)
{
    uint32_t count = replica->mode->n_board < WN_COLUMNS ? (uint32_t)replica->mode->n_board : WN_COLUMNS;
    int left = BOARD_END - INDENT;
    for (uint32_t i = 0; i < count; i++) {
        left -= gap_before(replica, i) + (widths[i] = width_of(replica, i));
    }
    const uint32_t which = elastic(replica, count, widths);
    /* Rather than a name that is cut to nothing, the numbers at the end are left out. */
    while (count > which + 1 && replica->mode->board[count - 1]->right && left < 0 &&
           widths[which] + left < NAME_LEAST) {
        count--;
        left += gap_before(replica, count) + widths[count];
    }
    if (count > 0) {
        widths[which] = widths[which] + left > 0 ? widths[which] + left : 0;
    }
    return count;
}

static void draw_row(const wn_paint *paint, const wn_replica *replica, const wn_row_state *row, int y, int x,
                     const int *widths, uint32_t count)
{
    const int end = x + BOARD_END;
    x += INDENT;
    for (uint32_t i = 0; i < count && i < row->column_count && x < end; i++) {
        x += gap_before(replica, i);
        const int width = widths[i] < end - x ? widths[i] : end - x;
        if (width > 0 && replica->mode->board[i]->right) {
            wn_paint_right(paint, stdscr, y, x, width, WN_STYLE_PLAIN, row->columns[i]);
        } else if (width > 0) {
            wn_paint_text(paint, stdscr, y, x, width, WN_STYLE_PLAIN, row->columns[i]);
        }
        x += widths[i];
    }
}

void wn_panel_tight_board(const wn_paint *paint, const wn_replica *replica, wn_rect rect)
{
    int widths[WN_COLUMNS], used, y = rect.y + 1;
    wn_panel_clear(paint, stdscr, rect);
    if (replica->mode->n_board == 0 || rect.height <= 0) {
        return;
    }
    const uint32_t count = measure(replica, widths);
    draw_title(paint, rect.y, rect.x, WN_STYLE_DIM, wn_panel_players(replica->mode), &used);
    for (uint32_t row = 0; row < replica->row_count && y < rect.y + rect.height; row++) {
        if (replica->rows[row].column_count > 0) {
            draw_row(paint, replica, &replica->rows[row], y++, rect.x, widths, count);
        }
    }
}

void wn_panel_tight_watchers(const wn_paint *paint, const wn_replica *replica, wn_rect rect)
{
    int used;
    wn_panel_clear(paint, stdscr, rect);
    if (rect.height <= 0) {
        return;
    }
    draw_title(paint, rect.y, rect.x, WN_STYLE_DIM, wn_panel_spectators(replica->mode), &used);
    for (uint32_t i = 0; i < replica->watcher_count && (int)i + 1 < rect.height; i++) {
        wn_paint_text(paint, stdscr, rect.y + 1 + (int)i, rect.x + NAME_INDENT, WN_TIGHT_PANEL - NAME_INDENT,
                      WN_STYLE_PLAIN, replica->watchers[i]);
    }
}
