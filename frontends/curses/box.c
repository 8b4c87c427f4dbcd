/* box.c: a framed window over the rest of the screen. See box.h. */
#include "box.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "text.h"
#include "ways.h"

enum { MARGIN_COLUMNS = 2, FRAME = 1, PADDING = 1, LINE_BYTES = 5000, WIDEST = 100 };

void wn_lines_free(wn_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        free(lines->items[i].text);
    }
    free(lines->items);
    *lines = (wn_lines){0};
}

static void add(wn_lines *lines, wn_style style, int key_columns, char *text)
{
    if (text != NULL && lines->count == lines->capacity) {
        const size_t capacity = lines->capacity == 0 ? 32 : lines->capacity * 2;
        wn_line *items = realloc(lines->items, capacity * sizeof *items);
        if (items != NULL) {
            lines->items = items;
            lines->capacity = capacity;
        }
    }
    if (text == NULL || lines->count == lines->capacity) {
        free(text); /* out of memory: a line of text is missing */
        return;
    }
    lines->items[lines->count++] = (wn_line){.text = text, .style = style, .key_columns = key_columns};
}

void wn_lines_add(wn_lines *lines, wn_style style, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(lines, style, 0, strdup(text));
}

void wn_lines_add_key(wn_lines *lines, int columns, const char *keys, const char *text)
{
    char whole[LINE_BYTES];
    const int width = wn_text_width(keys), room = wn_box_columns() - columns;
    size_t bytes;
    if (width >= columns) { /* too many keys to stand beside it */
        add(lines, WN_STYLE_PLAIN, width, strdup(keys));
        keys = "";
    }
    while (text != NULL) {
        const char *next = wn_text_line(text, room > 8 ? room : 8, &bytes);
        snprintf(whole, sizeof whole, "%s%*s%.*s", keys, columns - wn_text_width(keys), "", (int)bytes, text);
        add(lines, WN_STYLE_PLAIN, columns, strdup(whole));
        text = next;
        keys = "";
    }
}

void wn_lines_add_way(wn_lines *lines, const Warren__Mode *mode, size_t way)
{
    char name[WN_KEY_NAME_BYTES], text[WN_TEXT_BYTES + WN_NAME_BYTES + 4];
    wn_key_name(name, sizeof name, wn_way_key(mode, way), true);
    wn_way_text(mode, way, text, sizeof text);
    wn_lines_add_key(lines, 4, name, text);
}

void wn_lines_wrap(wn_lines *lines, wn_style style, int width, const char *text)
{
    size_t bytes;
    while (text != NULL) {
        const char *next = wn_text_line(text, width, &bytes);
        add(lines, style, 0, strndup(text, bytes));
        text = next;
    }
}

static int screen_columns(void)
{
    return getmaxx(stdscr);
}

static int screen_rows(void)
{
    return getmaxy(stdscr);
}

int wn_box_columns(void)
{
    const int columns = screen_columns() - 2 * (MARGIN_COLUMNS + FRAME + PADDING);
    return columns < WIDEST ? columns : WIDEST;
}

int wn_box_rows(void)
{
    return screen_rows() - 2 - 2 * FRAME; /* the title and the bottom line stay in sight */
}

static int widest_of(const wn_lines *lines, const wn_box_view *view)
{
    int width = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const int other = wn_text_width(lines->items[i].text);
        width = other > width ? other : width;
    }
    const int title = view->title == NULL ? 0 : wn_text_width(view->title) + 4;
    const int footer = view->footer == NULL ? 0 : wn_text_width(view->footer) + 4;
    width = title > width ? title : width;
    width = footer > width ? footer : width;
    return width < wn_box_columns() ? width : wn_box_columns();
}

static wn_rect middle_of(wn_rect room, int height, int width)
{
    return (wn_rect){room.y + (room.height - height) / 2, room.x + (room.width - width) / 2, height, width};
}

static bool overlap(wn_rect a, wn_rect b)
{
    return a.y < b.y + b.height && b.y < a.y + a.height && a.x < b.x + b.width && b.x < a.x + a.width;
}

/* Right, left, below or above of `beside`, a cell away from it, in what `room` has there. */
static bool find_place_beside(wn_rect *place, wn_rect room, wn_rect beside)
{
    const int right = beside.x + beside.width + 1, below = beside.y + beside.height + 1;
    const int end_x = room.x + room.width, end_y = room.y + room.height;
    const wn_rect parts[] = {{room.y, right, room.height, end_x - right},
                             {room.y, room.x, room.height, beside.x - 1 - room.x},
                             {below, room.x, end_y - below, room.width},
                             {room.y, room.x, beside.y - 1 - room.y, room.width}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].height < place->height || parts[i].width < place->width) {
            continue;
        }
        *place = middle_of(parts[i], place->height, place->width);
        return true;
    }
    return false;
}

static void place_window(wn_box *box, int height, int width, const wn_box_view *view)
{
    const wn_rect screen = {0, 0, screen_rows(), screen_columns()};
    const wn_rect inner = {1, 0, screen.height - 2, screen.width}; /* title and bottom line stay in sight */
    const bool fits = view->over.height >= height && view->over.width >= width;
    wn_rect place = middle_of(fits ? view->over : screen, height, width);
    if (view->beside.height > 0 && overlap(place, view->beside) &&
        !find_place_beside(&place, view->over, view->beside)) {
        find_place_beside(&place, inner, view->beside);
    }
    const int y = place.y, x = place.x;
    if (box->window != NULL && getbegy(box->window) == y && getbegx(box->window) == x &&
        getmaxy(box->window) == height && getmaxx(box->window) == width) {
        return;
    }
    wn_box_close(box);
    box->window = newwin(height, width, y, x);
}

static void scroll_to_fit(wn_box_view *view, int count, int rows)
{
    if (view->selected >= 0 && view->selected < view->top) {
        view->top = view->selected;
    }
    if (view->selected >= view->top + rows) {
        view->top = view->selected - rows + 1;
    }
    if (view->top > count - rows) {
        view->top = count - rows;
    }
    if (view->top < 0) {
        view->top = 0;
    }
}

static void draw_line(wn_box *box, const wn_paint *paint, const wn_line *line, int y, int width,
                      const wn_box_view *view, bool selected)
{
    const int x = FRAME + PADDING;
    if (selected) {
        wn_paint_line(paint, box->window, y, x, width, WN_STYLE_SELECTED, line->text);
        return;
    }
    const int used = wn_text_width(line->text);
    const int indent = view->centred && used < width ? (width - used) / 2 : 0;
    wn_paint_text(paint, box->window, y, x + indent, width - indent, line->style, line->text);
    if (line->key_columns > 0) {
        wn_paint_text(paint, box->window, y, x + indent,
                      line->key_columns < width - indent ? line->key_columns : width - indent, WN_STYLE_KEY,
                      line->text);
    }
}

/* More lines above or below are told of at the frame's right. */
static void draw_more(wn_box *box, const wn_paint *paint, int above, int below)
{
    const int x = getmaxx(box->window) - 1;
    if (above > 0) {
        wn_paint_text(paint, box->window, 1, x, 1, WN_STYLE_KEY, paint->unicode ? "▲" : "^");
    }
    if (below > 0) {
        wn_paint_text(paint, box->window, getmaxy(box->window) - 2, x, 1, WN_STYLE_KEY, paint->unicode ? "▼" : "v");
    }
}

void wn_box_draw(wn_box *box, const wn_paint *paint, const wn_lines *lines, wn_box_view *view)
{
    const int count = (int)lines->count;
    const int rows = view->tall || count > wn_box_rows() ? wn_box_rows() : count;
    const int width = view->tall ? wn_box_columns() : widest_of(lines, view);
    if (rows < 1 || width < 1) {
        return;
    }
    place_window(box, rows + 2 * FRAME, width + 2 * (FRAME + PADDING), view);
    if (box->window == NULL) {
        return;
    }
    scroll_to_fit(view, count, rows);
    werase(box->window);
    wn_paint_frame(paint, box->window, view->title, view->footer);
    for (int row = 0; row < rows && view->top + row < count; row++) {
        draw_line(box, paint, &lines->items[view->top + row], FRAME + row, width, view,
                  view->selected == view->top + row);
    }
    draw_more(box, paint, view->top, count - view->top - rows);
}

int wn_box_scroll(uint32_t key)
{
    switch (key) {
    case WN_KEY_UP:
    case WN_KEY_WHEEL_UP:
    case 'k':
        return -1;
    case WN_KEY_DOWN:
    case WN_KEY_WHEEL_DOWN:
    case 'j':
        return 1;
    case WN_KEY_PAGE_UP:
    case WN_KEY_KP0 + 9:
        return 1 - wn_box_rows();
    case WN_KEY_PAGE_DOWN:
    case WN_KEY_KP0 + 3:
    case ' ':
        return wn_box_rows() - 1;
    case WN_KEY_HOME:
        return -WN_UPDATE_BYTES; /* more lines than there can be: wn_box_draw() corrects it */
    case WN_KEY_END:
        return WN_UPDATE_BYTES;
    default:
        return 0;
    }
}

void wn_box_close(wn_box *box)
{
    if (box->window == NULL) {
        return;
    }
    delwin(box->window);
    box->window = NULL;
    touchwin(stdscr);
}
