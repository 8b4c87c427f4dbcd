/* panel.c: a world's status fields, its scoreboard and who watches. See panel.h; a tight panel is panel-tight.c's part.
 */
#include "panel.h"

#include <string.h>
#include <strings.h>

#include "fields.h"
#include "key.h"
#include "text.h"

enum {
    GAP = 3,
    LEAST_VALUE = 8 /* counted for a value, so that the rows stay as many when it grows a digit */
};

const char *wn_panel_players(const Warren__Mode *mode)
{
    return mode->players_title == NULL || mode->players_title[0] == '\0' ? "Players" : mode->players_title;
}

const char *wn_panel_spectators(const Warren__Mode *mode)
{
    return mode->spectators_title == NULL || mode->spectators_title[0] == '\0' ? "Watching" : mode->spectators_title;
}

/* A figure that is drawn as an arrow tells by itself. */
static bool is_arrow(const Warren__Mode *mode, uint32_t tile)
{
    const char *ascii = tile < mode->n_tiles ? mode->tiles[tile]->ascii : NULL;
    return ascii != NULL && ascii[0] != '\0' && ascii[1] == '\0' && strchr("^>v<", ascii[0]) != NULL;
}

/* A mode that has a compass of its own says "south", or "south" and a sign. */
static bool is_told(const wn_replica *replica)
{
    const char *name = wn_direction_name(replica->facing);
    const size_t length = strlen(name);
    for (uint32_t i = 0; i < replica->mode->n_status; i++) {
        const char *text = replica->fields[i].text;
        if (replica->fields[i].set && strncasecmp(text, name, length) == 0 &&
            (text[length] == '\0' || text[length] == ' ')) {
            return true;
        }
    }
    return false;
}

const char *wn_panel_facing(const wn_replica *replica)
{
    static const char *const compass[] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
    if (!replica->ready || replica->facing >= sizeof compass / sizeof *compass || is_told(replica)) {
        return NULL;
    }
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        if (replica->sprites[i].at == replica->focus && is_arrow(replica->mode, replica->sprites[i].tile)) {
            return NULL;
        }
    }
    return compass[replica->facing];
}

wn_needs wn_panel_needs(const wn_replica *replica, int columns)
{
    wn_needs needs = {0};
    int x = 0;
    char value[WN_FIELD_BYTES];
    if (replica == NULL || replica->mode == NULL) {
        return needs;
    }
    for (uint32_t i = 0; i < replica->mode->n_status; i++) {
        /* Fields that are not set count as well, so that the layout does not jump about. */
        needs.status_rows += wn_field_is_gauge(replica, i) ? 2 : 1;
        wn_field_value(replica, i, value, sizeof value);
        const int needed = wn_text_width(value) < LEAST_VALUE ? LEAST_VALUE : wn_text_width(value);
        const int width = wn_text_width(wn_field_title(replica, i)) + 1 + needed;
        if (needs.flowing_rows == 0 || x + width > columns) {
            needs.flowing_rows++;
            x = 0;
        }
        x += width + GAP;
    }
    needs.fields = (int)replica->mode->n_status;
    if (wn_panel_facing(replica) != NULL) {
        needs.status_rows++;
        needs.fields++;
    }
    if (replica->mode->n_board > 0) {
        needs.board_rows = 1 + (int)replica->row_count;
    }
    if (replica->watcher_count > 0) {
        needs.watcher_rows = 1 + (int)replica->watcher_count;
    }
    return needs;
}

static wn_style style_of_value(const wn_replica *replica, uint32_t field)
{
    return wn_field_is_low(replica, field) ? WN_STYLE_ALERT : WN_STYLE_BOLD;
}

static int draw_field(const wn_paint *paint, const wn_replica *replica, uint32_t field, wn_rect rect, int y)
{
    char value[WN_FIELD_BYTES];
    wn_field_value(replica, field, value, sizeof value);
    if (!wn_field_is_shown(replica, field)) {
        return y;
    }
    const int used = wn_paint_text(paint, stdscr, y, rect.x, rect.width, WN_STYLE_DIM, wn_field_title(replica, field));
    const int left = rect.width - used - 1;
    if (left > 0) {
        wn_paint_right(paint, stdscr, y, rect.x + used + 1, left, style_of_value(replica, field), value);
    }
    if (!wn_field_is_gauge(replica, field) || y + 1 >= rect.y + rect.height) {
        return y + 1;
    }
    wn_paint_gauge(paint, stdscr, y + 1, rect.x, rect.width, replica->fields[field].number,
                   replica->fields[field].maximum);
    return y + 2;
}

static void draw_column(const wn_paint *paint, const wn_replica *replica, wn_rect rect)
{
    int y = rect.y;
    for (uint32_t i = 0; i < replica->mode->n_status && y < rect.y + rect.height; i++) {
        y = draw_field(paint, replica, i, rect, y);
    }
    const char *facing = wn_panel_facing(replica);
    if (facing == NULL || y >= rect.y + rect.height) {
        return;
    }
    const int used = wn_paint_text(paint, stdscr, y, rect.x, rect.width, WN_STYLE_DIM, "Facing");
    wn_paint_right(paint, stdscr, y, rect.x + used + 1, rect.width - used - 1, WN_STYLE_BOLD, facing);
}

static void draw_flowing(const wn_paint *paint, const wn_replica *replica, wn_rect rect)
{
    int y = rect.y, x = rect.x;
    char value[WN_FIELD_BYTES];
    for (uint32_t i = 0; i < replica->mode->n_status; i++) {
        const char *title = wn_field_title(replica, i);
        wn_field_value(replica, i, value, sizeof value);
        const int width = wn_text_width(title) + 1 + wn_text_width(value);
        if (value[0] == '\0') {
            continue;
        }
        if (x > rect.x && x + width > rect.x + rect.width) {
            y++;
            x = rect.x;
        }
        if (y >= rect.y + rect.height) {
            return;
        }
        const int room = rect.x + rect.width - x;
        const int used = wn_paint_text(paint, stdscr, y, x, room, WN_STYLE_DIM, title) + 1;
        if (used < room) {
            wn_paint_text(paint, stdscr, y, x + used, room - used, style_of_value(replica, i), value);
        }
        x += width + GAP;
    }
}

void wn_panel_clear(const wn_paint *paint, WINDOW *window, wn_rect rect)
{
    for (int y = 0; y < rect.height; y++) {
        wn_paint_line(paint, window, rect.y + y, rect.x, rect.width, WN_STYLE_PLAIN, "");
    }
}

void wn_panel_status(const wn_paint *paint, const wn_replica *replica, wn_rect rect, bool beside)
{
    wn_panel_clear(paint, stdscr, rect);
    if (replica == NULL || !replica->ready) {
        return;
    }
    if (beside) {
        draw_column(paint, replica, rect);
    } else {
        draw_flowing(paint, replica, rect);
    }
}

/* the scoreboard */

enum { NAME_LEAST = 8, HEADING_LEAST = 3 };

static int width_of_values(const wn_replica *replica, uint32_t column)
{
    int width = 0;
    for (uint32_t row = 0; row < replica->row_count; row++) {
        if (column >= replica->rows[row].column_count) {
            continue;
        }
        const int other = wn_text_width(replica->rows[row].columns[column]);
        width = other > width ? other : width;
    }
    return width;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* What a column can be made as narrow as, before anything is lost that tells more than a heading does: numbers need
 * their digits, a name its beginning. */
static int least_width(const wn_replica *replica, uint32_t column)
{
    const int values = width_of_values(replica, column);
    const int heading = wn_text_width(replica->mode->board[column]->title);
    return replica->mode->board[column]->right ? larger(values, smaller(heading, HEADING_LEAST))
                                               : smaller(larger(values, heading), NAME_LEAST);
}

/* Columns of width 0 are left out. */
static int sum_of(const int *widths, uint32_t count)
{
    int sum = -1;
    for (uint32_t i = 0; i < count; i++) {
        sum += widths[i] > 0 ? widths[i] + 1 : 0;
    }
    return sum;
}

/* Takes a cell from the column that has most to give: of numbers, or of texts. false: none has any. */
static bool take_cell(const wn_replica *replica, int *widths, const int *least, uint32_t count, bool numbers)
{
    uint32_t most = count;
    for (uint32_t i = 0; i < count; i++) {
        const bool gives = widths[i] > least[i] && replica->mode->board[i]->right == numbers;
        if (gives && (most == count || widths[i] - least[i] > widths[most] - least[most])) {
            most = i;
        }
    }
    if (most < count) {
        widths[most]--;
    }
    return most < count;
}

/* Numbers go, from the right, until what is left of the names can be told apart. */
static void leave_out(const wn_replica *replica, int width, int *least, uint32_t count)
{
    for (uint32_t i = count; i-- > 0 && sum_of(least, count) > width;) {
        least[i] = replica->mode->board[i]->right ? 0 : least[i];
    }
}

/* Every column as wide as its widest text. When that is too much, long names give way first, then the headings of
 * numbers, then whole columns of them; only then is a name cut shorter than its least. */
static uint32_t measure(const wn_replica *replica, int width, int *widths)
{
    int least[WN_COLUMNS];
    const uint32_t count = replica->mode->n_board < WN_COLUMNS ? (uint32_t)replica->mode->n_board : WN_COLUMNS;
    for (uint32_t i = 0; i < count; i++) {
        least[i] = least_width(replica, i);
        widths[i] = larger(width_of_values(replica, i), wn_text_width(replica->mode->board[i]->title));
    }
    leave_out(replica, width, least, count);
    for (uint32_t i = 0; i < count; i++) {
        widths[i] = least[i] == 0 ? 0 : widths[i];
    }
    while (sum_of(widths, count) > width &&
           (take_cell(replica, widths, least, count, false) || take_cell(replica, widths, least, count, true))) {
    }
    for (uint32_t i = 0; i < count; i++) {
        least[i] = smaller(1, least[i]);
    }
    while (sum_of(widths, count) > width && take_cell(replica, widths, least, count, false)) {
    }
    return sum_of(widths, count) > width ? 0 : count;
}

static void draw_cell(const wn_paint *paint, WINDOW *window, int y, int x, int width, bool right, wn_style style,
                      const char *text)
{
    if (right) {
        wn_paint_right(paint, window, y, x, width, style, text);
    } else {
        wn_paint_text(paint, window, y, x, width, style, text);
    }
}

void wn_panel_board(const wn_paint *paint, const wn_replica *replica, WINDOW *window, wn_rect rect)
{
    int widths[WN_COLUMNS];
    wn_panel_clear(paint, window, rect);
    if (replica == NULL || !replica->ready || rect.height <= 0) {
        return;
    }
    const uint32_t count = measure(replica, rect.width, widths);
    int x = rect.x;
    for (uint32_t column = 0; column < count; column++) {
        const Warren__BoardColumn *heading = replica->mode->board[column];
        if (widths[column] == 0) {
            continue;
        }
        draw_cell(paint, window, rect.y, x, widths[column], heading->right, WN_STYLE_HEADING, heading->title);
        int y = rect.y + 1;
        for (uint32_t row = 0; row < replica->row_count && y < rect.y + rect.height; row++) {
            if (replica->rows[row].column_count == 0) {
                continue;
            }
            if (column < replica->rows[row].column_count) {
                draw_cell(paint, window, y, x, widths[column], heading->right, WN_STYLE_PLAIN,
                          replica->rows[row].columns[column]);
            }
            y++;
        }
        x += widths[column] + 1;
    }
}

void wn_panel_watchers(const wn_paint *paint, const wn_replica *replica, wn_rect rect)
{
    wn_panel_clear(paint, stdscr, rect);
    if (rect.height <= 0) {
        return;
    }
    wn_paint_text(paint, stdscr, rect.y, rect.x, rect.width, WN_STYLE_HEADING, wn_panel_spectators(replica->mode));
    for (uint32_t i = 0; i < replica->watcher_count && (int)i + 1 < rect.height; i++) {
        wn_paint_text(paint, stdscr, rect.y + 1 + (int)i, rect.x, rect.width, WN_STYLE_PLAIN, replica->watchers[i]);
    }
}
