/* scene.c: what a view looks like: map, panel, messages, banner. See scene.h. */
#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "legend.h"
#include "panel.h"
#include "text.h"

static const wn_style message_styles[] = {
    [WARREN__MESSAGE_KIND__MESSAGE_INFO] = WN_STYLE_PLAIN, [WARREN__MESSAGE_KIND__MESSAGE_GOOD] = WN_STYLE_GOOD,
    [WARREN__MESSAGE_KIND__MESSAGE_BAD] = WN_STYLE_BAD,    [WARREN__MESSAGE_KIND__MESSAGE_ALERT] = WN_STYLE_ALERT,
    [WARREN__MESSAGE_KIND__MESSAGE_CHAT] = WN_STYLE_CHAT,  [WARREN__MESSAGE_KIND__MESSAGE_SYSTEM] = WN_STYLE_SYSTEM,
};

wn_style wn_scene_message_style(Warren__MessageKind kind)
{
    return (size_t)kind < sizeof message_styles / sizeof *message_styles ? message_styles[kind] : WN_STYLE_PLAIN;
}

/* messages on top */

/* Behind a text of that width, or over its end. */
static void end_with_dots(wn_app *app, int y, int x, int width, int used, wn_style style)
{
    const char *dots = wn_paint_dots(&app->paint);
    const int room = width - wn_text_width(dots);
    if (room >= 0) {
        wn_paint_text(&app->paint, stdscr, y, x + (used < room ? used : room), wn_text_width(dots), style, dots);
    }
}

/* A message longer than its row: as much of its beginning as there are rows for. Returns how many it took. */
static int draw_long_message(wn_app *app, const char *text, wn_style style, wn_rect rows)
{
    const int lines = wn_text_lines(text, rows.width);
    const int shown = lines < rows.height ? lines : rows.height;
    const char *line = text;
    size_t bytes;
    for (int i = 0; i < shown; i++) {
        char part[512];
        const char *next = wn_text_line(line, rows.width, &bytes);
        snprintf(part, sizeof part, "%.*s", (int)bytes, line);
        const int y = rows.y + rows.height - shown + i;
        wn_paint_line(&app->paint, stdscr, y, rows.x, rows.width, style, part);
        if (i == shown - 1 && next != NULL) {
            end_with_dots(app, y, rows.x, rows.width, wn_text_width(part), style);
        }
        line = next;
    }
    return shown;
}

static wn_style style_of_entry(const wn_app *app, const wn_log_entry *entry)
{
    return wn_log_is_fresh(&app->log, entry) ? wn_scene_message_style(entry->kind) : WN_STYLE_DIM;
}

/* How many messages, from the one `back` on, fit into one row beside each other: short ones share it, if the player's
 * last command came before all of them or after all of them. At least one. */
static size_t count_sharing(const wn_app *app, size_t back, int width)
{
    char text[WN_BANNER_BYTES + 64];
    const wn_log_entry *newest = wn_log_entry_at(&app->log, back), *entry;
    size_t count = 0;
    int used = -2;
    while ((entry = wn_log_entry_at(&app->log, back + count)) != NULL &&
           wn_log_is_fresh(&app->log, entry) == wn_log_is_fresh(&app->log, newest)) {
        wn_log_entry_text(entry, text, sizeof text);
        used += 2 + wn_text_width(text);
        if (used > width || strchr(text, '\n') != NULL) {
            break;
        }
        count++;
    }
    return count > 0 ? count : 1;
}

static void draw_sharing(wn_app *app, size_t back, size_t count, wn_rect row)
{
    char text[WN_BANNER_BYTES + 64];
    int x = 0;
    wn_paint_line(&app->paint, stdscr, row.y, row.x, row.width, WN_STYLE_PLAIN, "");
    for (size_t i = count; i-- > 0;) {
        const wn_log_entry *entry = wn_log_entry_at(&app->log, back + i);
        wn_log_entry_text(entry, text, sizeof text);
        x += 2 + wn_paint_text(&app->paint, stdscr, row.y, row.x + x, row.width - x, style_of_entry(app, entry), text);
    }
}

static bool is_empty(int y, int x, int width)
{
    for (int i = 0; i < width; i++) {
        if ((mvinch(y, x + i) & A_CHARTEXT) != ' ') {
            return false;
        }
    }
    return true;
}

/* What is fresh and did not fit is counted at the right, with the key that shows it; an alert among it is told by the
 * colour. */
static void draw_hidden_count(wn_app *app, size_t back, wn_rect rect, const char *key)
{
    char more[64], whole[80];
    size_t hidden = 0;
    bool alert = false;
    for (const wn_log_entry *entry;
         (entry = wn_log_entry_at(&app->log, back)) != NULL && wn_log_is_fresh(&app->log, entry); back++) {
        hidden++;
        alert = alert || entry->kind == WARREN__MESSAGE_KIND__MESSAGE_ALERT;
    }
    snprintf(more, sizeof more, " +%zu%s%s ", hidden, key[0] == '\0' ? "" : " ", key);
    const int width = wn_text_width(more);
    if (hidden == 0 || width > rect.width) {
        return;
    }
    const bool cuts = !is_empty(rect.y, rect.x + rect.width - width, width);
    snprintf(whole, sizeof whole, "%s%s", cuts ? wn_paint_dots(&app->paint) : "", more);
    wn_paint_right(&app->paint, stdscr, rect.y, rect.x, rect.width, alert ? WN_STYLE_ALERT : WN_STYLE_KEY, whole);
}

/* The newest message stands lowest. Those that the player's last command came after are dimmed. */
static void draw_messages(wn_app *app, wn_rect rect, const char *key)
{
    char text[WN_BANNER_BYTES + 64];
    wn_rect rows = {rect.y, rect.x + 1, rect.height, rect.width - 2};
    size_t back = 0;
    while (rows.height > 0) {
        const wn_log_entry *entry = wn_log_entry_at(&app->log, back);
        if (entry == NULL) {
            wn_paint_line(&app->paint, stdscr, rows.y + --rows.height, rect.x, rect.width, WN_STYLE_PLAIN, "");
            continue;
        }
        const size_t count = count_sharing(app, back, rows.width);
        wn_log_entry_text(entry, text, sizeof text);
        if (wn_text_lines(text, rows.width) > 1) {
            rows.height -= draw_long_message(app, text, style_of_entry(app, entry), rows);
        } else {
            const wn_rect row = {rows.y + rows.height - 1, rows.x, 1, rows.width};
            draw_sharing(app, back, count, row);
            rows.height--;
        }
        back += count;
    }
    draw_hidden_count(app, back, rect, key);
}

bool wn_scene_last_message(wn_app *app, wn_rect row)
{
    char text[WN_BANNER_BYTES + 64];
    const wn_log_entry *entry = wn_log_entry_at(&app->log, 0);
    if (entry == NULL) {
        return false;
    }
    wn_log_entry_text(entry, text, sizeof text);
    text[strcspn(text, "\n")] = '\0';
    wn_paint_line(&app->paint, stdscr, row.y, row.x, row.width, style_of_entry(app, entry), text);
    if (wn_text_width(text) > row.width) {
        end_with_dots(app, row.y, row.x, row.width, row.width, style_of_entry(app, entry));
    }
    return true;
}

/* the scene */

void wn_scene_place(wn_map *map, wn_layout *layout, const wn_replica *replica)
{
    wn_needs needs = wn_panel_needs(replica, getmaxx(stdscr));
    const wn_rect part = wn_map_part(map, replica);
    if (layout->may_tighten) {
        needs.map_rows = part.height;
        needs.map_columns = part.width;
    }
    wn_layout placed = wn_layout_make(getmaxy(stdscr), getmaxx(stdscr), needs);
    placed.may_tighten = layout->may_tighten;
    if (layout->tight != placed.tight || memcmp(&layout->map, &placed.map, sizeof placed.map) != 0 ||
        layout->divider != placed.divider || memcmp(&layout->status, &placed.status, sizeof placed.status) != 0) {
        erase();
        wn_map_forget(map);
    }
    *layout = placed;
}

void wn_scene_draw(wn_app *app, wn_map *map, const wn_layout *layout, const wn_replica *replica,
                   const char *messages_key)
{
    wn_map_draw(map, &app->paint, replica, layout->map);
    if (layout->tight) {
        wn_panel_tight_status(&app->paint, replica, layout->status);
        wn_panel_tight_board(&app->paint, replica, layout->board);
        wn_panel_tight_watchers(&app->paint, replica, layout->watchers);
        return;
    }
    draw_messages(app, layout->messages, messages_key);
    if (layout->divider > 0) {
        wn_paint_vertical(&app->paint, stdscr, layout->map.y, layout->divider, layout->map.height);
    }
    wn_panel_status(&app->paint, replica, layout->status, layout->beside);
    if (layout->board.height > 0) {
        wn_panel_board(&app->paint, replica, stdscr, layout->board);
    }
    if (layout->watchers.height > 0) {
        wn_panel_watchers(&app->paint, replica, layout->watchers);
    }
}

/* over it */

void wn_scene_banner(wn_app *app, wn_banner_box *banner, const wn_map *map, wn_rect over, const wn_replica *replica,
                     const char *footer)
{
    if (!wn_banner_shows(&banner->banner, replica)) {
        wn_box_close(&app->banner);
        return;
    }
    char title[128];
    const char *text = wn_banner_split(replica->banner, title, sizeof title);
    wn_lines lines = {0};
    wn_box_view view = {.title = title, .selected = -1, .over = over, .top = banner->top};
    view.beside = wn_map_place_of(map, replica, replica->focus);
    wn_lines_wrap(&lines, WN_STYLE_PLAIN, wn_box_columns(), text);
    banner->scrolls = (int)lines.count > wn_box_rows();
    view.footer = footer != NULL ? footer : banner->scrolls ? "PgDn more, Esc hides this" : "Esc hides this";
    wn_box_draw(&app->banner, &app->paint, &lines, &view);
    banner->top = view.top;
    wn_lines_free(&lines);
}

bool wn_scene_hide_banner(const wn_app *app, wn_banner_box *banner, const wn_replica *replica)
{
    return app->banner.window != NULL && wn_banner_hide(&banner->banner, replica);
}

void wn_scene_messages(const wn_app *app, wn_lines *lines)
{
    char text[WN_BANNER_BYTES + 64];
    for (size_t back = app->log.count; back-- > 0;) {
        const wn_log_entry *entry = wn_log_entry_at(&app->log, back);
        wn_log_entry_text(entry, text, sizeof text);
        wn_lines_wrap(lines, wn_scene_message_style(entry->kind), wn_box_columns(), text);
    }
    if (lines->count == 0) {
        wn_lines_add(lines, WN_STYLE_DIM, "nothing has been said yet");
    }
}

/* the legend */

enum { SIGNS_WIDTH = 16, SIGNS_BYTES = 128 };

typedef struct legend {
    const wn_app *app;
    const Warren__Mode *mode;
    wn_lines *lines; /* NULL: only the width of the signs is asked for */
    int width;
} legend;

/* Is the sign among those, each of which has a space behind it? */
static bool has_sign(const char *signs, const char *sign)
{
    const size_t length = strlen(sign);
    for (const char *at = signs; at[0] != '\0'; at += strcspn(at, " ") + 1) {
        if (strncmp(at, sign, length) == 0 && at[length] == ' ') {
            return true;
        }
    }
    return false;
}

/* Beside each other, as many as there is room for. */
static void list_signs(const legend *to, const wn_legend_row *row, char *signs, size_t size)
{
    size_t used = 0;
    signs[0] = '\0';
    for (size_t i = 0; i < row->count && i < WN_LEGEND_TILES; i++) {
        const Warren__Tile *tile = to->mode->tiles[row->tiles[i]];
        const bool plain = !to->app->paint.unicode && tile->ascii != NULL && tile->ascii[0] != '\0';
        const char *sign = plain ? tile->ascii : tile->glyph;
        if (has_sign(signs, sign)) {
            continue;
        }
        if (wn_text_width(signs) + wn_text_width(sign) + 3 > SIGNS_WIDTH || used + strlen(sign) + 5 > size) {
            snprintf(signs + used, size - used, "%s", wn_paint_dots(&to->app->paint));
            return;
        }
        used += (size_t)snprintf(signs + used, size - used, "%s ", sign);
    }
    signs[used > 0 ? used - 1 : 0] = '\0';
}

static void add_legend(void *context, const wn_legend_row *row)
{
    legend *to = context;
    char signs[SIGNS_BYTES];
    list_signs(to, row, signs, sizeof signs);
    const int width = wn_text_width(signs);
    if (to->lines == NULL) {
        to->width = width > to->width ? width : to->width;
    } else {
        wn_lines_add_key(to->lines, to->width + 3, signs, row->name);
    }
}

void wn_scene_legend(const wn_app *app, const Warren__Mode *mode, wn_lines *lines)
{
    legend to = {.app = app, .mode = mode};
    wn_legend(mode, add_legend, &to);
    to.lines = lines;
    wn_legend(mode, add_legend, &to);
}
