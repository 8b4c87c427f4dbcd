/* sheet.c: a box with lines over the rest of the window. See sheet.h. */
#include "sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "ways.h"

enum { PAD = 18, KEYS_ROOM = 150, PAGE = 320, LINE = 40, MOST = 1 << 24 };

void wn_sheet_clear(wn_sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++) {
        free(sheet->lines[i].text);
        free(sheet->lines[i].keys);
        free(sheet->lines[i].value);
    }
    sheet->count = 0;
}

void wn_sheet_free(wn_sheet *sheet)
{
    wn_sheet_clear(sheet);
    free(sheet->lines);
    *sheet = (wn_sheet){0};
}

void wn_sheet_open(wn_sheet *sheet, const char *title, const char *footer, int width)
{
    wn_sheet_clear(sheet);
    snprintf(sheet->title, sizeof sheet->title, "%s", title);
    snprintf(sheet->footer, sizeof sheet->footer, "%s", footer);
    sheet->wanted_width = width;
    sheet->selected = sheet->top = 0;
    sheet->centred = sheet->to_end = false;
    sheet->reveal = true;
    sheet->rect = sheet->inner = (SDL_Rect){0};
}

/* lines */

static wn_sheet_line *add_line(wn_sheet *sheet)
{
    if (sheet->count == sheet->capacity) {
        const size_t capacity = sheet->capacity == 0 ? 64 : sheet->capacity * 2;
        wn_sheet_line *lines = realloc(sheet->lines, capacity * sizeof *lines);
        if (lines == NULL) {
            abort(); /* a few kilobytes: there is nothing to be done without them */
        }
        sheet->lines = lines;
        sheet->capacity = capacity;
    }
    sheet->lines[sheet->count] = (wn_sheet_line){.pick = WN_SHEET_NOTHING};
    return &sheet->lines[sheet->count++];
}

wn_sheet_line *wn_sheet_add(wn_sheet *sheet, wn_style style, uint32_t colour, const char *format, ...)
{
    wn_sheet_line *line = add_line(sheet);
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&line->text, format, arguments) < 0) {
        line->text = NULL;
    }
    va_end(arguments);
    line->style = style;
    line->colour = colour;
    return line;
}

void wn_sheet_add_key(wn_sheet *sheet, const char *keys, const char *text)
{
    wn_sheet_line *line = wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, "%s", text);
    line->keys = strdup(keys);
}

void wn_sheet_add_pick(wn_sheet *sheet, int pick, const char *text, const char *value)
{
    wn_sheet_line *line = wn_sheet_add(sheet, WN_STYLE_BODY, WN_INK_TEXT, "%s", text);
    line->pick = pick;
    line->value = value == NULL ? NULL : strdup(value);
}

void wn_sheet_add_way(wn_sheet *sheet, const Warren__Mode *mode, size_t way)
{
    char text[WN_TEXT_BYTES + WN_NAME_BYTES + 4], name[WN_KEY_NAME_BYTES];
    const uint32_t key = wn_way_key(mode, way);
    if (key == WN_KEY_NONE) {
        return;
    }
    wn_way_text(mode, way, text, sizeof text);
    wn_key_name(name, sizeof name, key, true);
    wn_sheet_add_pick(sheet, (int)key, text, name);
}

void wn_sheet_gap(wn_sheet *sheet)
{
    wn_sheet_add(sheet, WN_STYLE_SMALL, WN_INK_DIM, " ");
}

void wn_sheet_add_space(wn_sheet *sheet, int height)
{
    wn_sheet_add(sheet, WN_STYLE_SMALL, WN_INK_DIM, " ")->least = height;
}

/* choosing */

static int pick_count(const wn_sheet *sheet)
{
    int count = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        count += sheet->lines[i].pick >= 0;
    }
    return count;
}

static const wn_sheet_line *chosen_line(const wn_sheet *sheet)
{
    int left = sheet->selected;
    for (size_t i = 0; i < sheet->count; i++) {
        if (sheet->lines[i].pick >= 0 && left-- == 0) {
            return &sheet->lines[i];
        }
    }
    return NULL;
}

int wn_sheet_selected(const wn_sheet *sheet)
{
    const wn_sheet_line *line = chosen_line(sheet);
    return line == NULL ? WN_SHEET_NOTHING : line->pick;
}

/* drawing */

static int line_pad(const wn_ink *ink, const wn_sheet_line *line)
{
    return line->pick >= 0 ? wn_ink_units(ink, 5) : 0;
}

static int text_left(const wn_ink *ink, const wn_sheet_line *line)
{
    return line->keys != NULL        ? wn_ink_units(ink, KEYS_ROOM)
           : line->picture_count > 0 ? wn_ink_units(ink, 34)
           : line->pick >= 0         ? wn_ink_units(ink, 10)
                                     : 0;
}

/* What can be chosen leaves its value the room that it needs. */
static int text_width(const wn_ink *ink, const wn_sheet_line *line, int width)
{
    const int room = width - text_left(ink, line);
    if (line->pick < 0 || line->value == NULL || line->value[0] == '\0') {
        return room;
    }
    const int left = room - wn_ink_width(ink, line->style, line->value) - wn_ink_units(ink, 24);
    return left < room / 3 ? room / 3 : left;
}

static int line_height(const wn_ink *ink, const wn_sheet_line *line, int width)
{
    const int text = wn_ink_wrap(ink, line->style, 0, 0, text_width(ink, line, width), WN_INK_NONE,
                                 line->text == NULL ? "" : line->text);
    const int height = text + 2 * line_pad(ink, line) + (line->keys != NULL ? wn_ink_units(ink, 3) : 0);
    const int least = line->picture_count > 0 ? wn_ink_units(ink, 28) : line->least;
    return height < least ? least : height;
}

static int full_height(const wn_sheet *sheet, const wn_ink *ink, int width)
{
    int height = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        height += line_height(ink, &sheet->lines[i], width);
    }
    return height;
}

typedef struct picturing {
    void (*draw)(void *context, int tile, SDL_Rect rect);
    void *context;
} picturing;

static void draw_pictures(const wn_ink *ink, const wn_sheet_line *line, SDL_Rect rect, picturing picture)
{
    const int side = wn_ink_units(ink, 24), step = wn_ink_units(ink, 30);
    const int behind = text_left(ink, line) + wn_ink_width(ink, line->style, line->text) + step / 2;
    for (size_t i = 0; i < line->picture_count; i++) {
        const int x = i == 0 ? 0 : behind + (int)(i - 1) * step;
        if (x + side <= rect.w) {
            picture.draw(picture.context, line->pictures[i],
                         (SDL_Rect){rect.x + x, rect.y + wn_ink_units(ink, 2), side, side});
        }
    }
}

static void draw_line(const wn_sheet *sheet, const wn_ink *ink, const wn_sheet_line *line, SDL_Rect rect, bool chosen,
                      picturing picture)
{
    const int pad = line_pad(ink, line), left = text_left(ink, line);
    const char *text = line->text == NULL ? "" : line->text;
    if (chosen) {
        wn_ink_area(ink, rect, WN_INK_SELECTED, 255);
    }
    if (line->keys != NULL) {
        wn_ink_text(ink, WN_STYLE_BOLD, rect.x, rect.y, left - wn_ink_units(ink, 8), WN_INK_KEY, line->keys);
    }
    if (line->picture_count > 0 && picture.draw != NULL) {
        draw_pictures(ink, line, rect, picture);
    }
    const int down = line->picture_count > 0 ? (rect.h - wn_ink_line(ink, line->style)) / 2 : pad;
    if (sheet->centred && line->keys == NULL && line->pick < 0 && strchr(text, '\n') == NULL &&
        wn_ink_width(ink, line->style, text) < rect.w) {
        wn_ink_centre(ink, line->style, rect.x, rect.y + down, rect.w, line->colour, text);
    } else {
        wn_ink_wrap(ink, line->style, rect.x + left, rect.y + down, text_width(ink, line, rect.w), line->colour, text);
    }
    if (line->value != NULL) {
        wn_ink_right(ink, line->style, rect.x + rect.w / 3, rect.y + pad, rect.w - rect.w / 3 - wn_ink_units(ink, 10),
                     line->pick >= 0 ? WN_INK_KEY : WN_INK_DIM, line->value);
    }
}

static void scroll(wn_sheet *sheet, const wn_ink *ink)
{
    int y = 0;
    const wn_sheet_line *chosen = chosen_line(sheet);
    for (size_t i = 0; sheet->reveal && i < sheet->count; i++) {
        const int height = line_height(ink, &sheet->lines[i], sheet->inner.w);
        if (&sheet->lines[i] == chosen) {
            sheet->top = y < sheet->top ? y : sheet->top;
            sheet->top = y + height > sheet->top + sheet->room ? y + height - sheet->room : sheet->top;
        }
        y += height;
    }
    if (sheet->to_end) {
        sheet->top = MOST;
    }
    sheet->to_end = sheet->reveal = false;
    const int most = sheet->height - sheet->room;
    sheet->top = sheet->top > most ? most : sheet->top;
    sheet->top = sheet->top < 0 ? 0 : sheet->top;
}

static void draw_bar(const wn_sheet *sheet, const wn_ink *ink)
{
    const int width = wn_ink_units(ink, 4), x = sheet->rect.x + sheet->rect.w - wn_ink_units(ink, 9);
    if (sheet->height <= sheet->room) {
        return;
    }
    const int height = sheet->room * sheet->room / sheet->height;
    const int y = sheet->inner.y + (sheet->room - height) * sheet->top / (sheet->height - sheet->room);
    wn_ink_area(ink, (SDL_Rect){x, sheet->inner.y, width, sheet->room}, WN_INK_RAISED, 255);
    wn_ink_area(ink, (SDL_Rect){x, y, width, height}, WN_INK_DIM, 255);
}

static int width_in(const wn_sheet *sheet, const wn_ink *ink, SDL_Rect over)
{
    const int pad = wn_ink_units(ink, PAD), width = wn_ink_units(ink, sheet->wanted_width);
    return width > over.w - 2 * pad ? over.w - 2 * pad : width;
}

static int heading_height(const wn_ink *ink)
{
    return wn_ink_line(ink, WN_STYLE_HEADING) + wn_ink_units(ink, 14);
}

static int footer_height(const wn_sheet *sheet, const wn_ink *ink)
{
    return sheet->footer[0] == '\0' ? 0 : wn_ink_line(ink, WN_STYLE_SMALL) + wn_ink_units(ink, 12);
}

int wn_sheet_wanted(const wn_sheet *sheet, const wn_ink *ink, SDL_Rect over)
{
    const int pad = wn_ink_units(ink, PAD);
    return full_height(sheet, ink, width_in(sheet, ink, over) - 2 * pad) + heading_height(ink) +
           footer_height(sheet, ink) + 2 * pad - wn_ink_units(ink, 6);
}

static void place(wn_sheet *sheet, const wn_ink *ink, SDL_Rect over)
{
    const int pad = wn_ink_units(ink, PAD), heading = heading_height(ink), footer = footer_height(sheet, ink);
    const int width = width_in(sheet, ink, over);
    sheet->height = full_height(sheet, ink, width - 2 * pad);
    int height = wn_sheet_wanted(sheet, ink, over);
    height = height > over.h - pad ? over.h - pad : height;
    sheet->rect = (SDL_Rect){over.x + (over.w - width) / 2, over.y + (over.h - height) / 2, width, height};
    sheet->room = height - heading - footer - 2 * pad + wn_ink_units(ink, 6);
    sheet->inner = (SDL_Rect){sheet->rect.x + pad, sheet->rect.y + pad + heading - wn_ink_units(ink, 4),
                              width - 2 * pad, sheet->room};
}

void wn_sheet_draw(wn_sheet *sheet, const wn_ink *ink, SDL_Rect over,
                   void (*picture)(void *context, int tile, SDL_Rect rect), void *context)
{
    const int pad = wn_ink_units(ink, PAD), soft = wn_ink_units(ink, 10);
    place(sheet, ink, over);
    scroll(sheet, ink);
    const SDL_Rect rect = sheet->rect, inner = sheet->inner;
    wn_ink_area(ink, (SDL_Rect){rect.x - soft / 2, rect.y - soft / 2, rect.w + soft, rect.h + soft}, 0x000000, 60);
    wn_ink_area(ink, rect, WN_INK_PANEL, 246);
    wn_ink_frame(ink, rect, WN_INK_EDGE);
    wn_ink_area(ink, (SDL_Rect){rect.x, rect.y, rect.w, wn_ink_units(ink, 3)}, WN_INK_KEY, 255);
    if (sheet->centred) {
        wn_ink_centre(ink, WN_STYLE_HEADING, rect.x + pad, rect.y + pad - wn_ink_units(ink, 4), rect.w - 2 * pad,
                      WN_INK_TITLE, sheet->title);
    } else {
        wn_ink_text(ink, WN_STYLE_HEADING, rect.x + pad, rect.y + pad - wn_ink_units(ink, 4), rect.w - 2 * pad,
                    WN_INK_TITLE, sheet->title);
    }
    wn_ink_clip(ink, &inner);
    int y = inner.y - sheet->top;
    const wn_sheet_line *chosen = chosen_line(sheet);
    for (size_t i = 0; i < sheet->count; i++) {
        const int height = line_height(ink, &sheet->lines[i], inner.w);
        sheet->lines[i].y = y;
        sheet->lines[i].height = height;
        if (y + height > inner.y && y < inner.y + inner.h) {
            draw_line(sheet, ink, &sheet->lines[i], (SDL_Rect){inner.x, y, inner.w, height}, &sheet->lines[i] == chosen,
                      (picturing){picture, context});
        }
        y += height;
    }
    wn_ink_clip(ink, NULL);
    draw_bar(sheet, ink);
    wn_ink_text(ink, WN_STYLE_SMALL, rect.x + pad,
                rect.y + rect.h - pad - wn_ink_line(ink, WN_STYLE_SMALL) + wn_ink_units(ink, 6), rect.w - 2 * pad,
                WN_INK_DIM, sheet->footer);
}

SDL_Rect wn_sheet_first(const wn_sheet *sheet)
{
    if (sheet->count == 0) {
        return (SDL_Rect){0};
    }
    return (SDL_Rect){sheet->inner.x, sheet->lines[0].y, sheet->inner.w, sheet->lines[0].height};
}

/* keys and the pointer */

static int scroll_of(uint32_t key, int room)
{
    switch (key) {
    case WN_KEY_UP:
    case 'k':
        return -LINE;
    case WN_KEY_DOWN:
    case 'j':
        return LINE;
    case WN_KEY_PAGE_UP:
    case WN_KEY_KP0 + 9:
        return -room;
    case WN_KEY_PAGE_DOWN:
    case WN_KEY_KP0 + 3:
        return room;
    case WN_KEY_HOME:
        return -MOST;
    case WN_KEY_END:
        return MOST;
    default:
        return 0;
    }
}

int wn_sheet_key(wn_sheet *sheet, uint32_t key)
{
    const int count = pick_count(sheet), by = scroll_of(key, sheet->room > LINE ? sheet->room - LINE : PAGE);
    if (key == WN_KEY_ESCAPE || (key == 'q' && count == 0)) {
        return WN_SHEET_CLOSED;
    }
    if (count == 0) {
        if (key == WN_KEY_ENTER) {
            return WN_SHEET_CLOSED;
        }
        sheet->top += key == ' ' ? sheet->room : by;
        return WN_SHEET_NOTHING;
    }
    if (by != 0) {
        sheet->selected = by <= -MOST  ? 0
                          : by >= MOST ? count - 1
                                       : (sheet->selected + (by < 0 ? count - 1 : 1)) % count;
        sheet->reveal = true;
    }
    return key == WN_KEY_ENTER || key == ' ' ? wn_sheet_selected(sheet) : WN_SHEET_NOTHING;
}

static bool inside(SDL_Rect rect, int x, int y)
{
    return x >= rect.x && y >= rect.y && x < rect.x + rect.w && y < rect.y + rect.h;
}

/* Which of the lines that can be chosen is there, or -1. */
static int line_at(const wn_sheet *sheet, int x, int y)
{
    int number = 0;
    for (size_t i = 0; inside(sheet->inner, x, y) && i < sheet->count; i++) {
        const wn_sheet_line *line = &sheet->lines[i];
        if (line->pick < 0) {
            continue;
        }
        if (y >= line->y && y < line->y + line->height) {
            return number;
        }
        number++;
    }
    return -1;
}

void wn_sheet_hover(wn_sheet *sheet, int x, int y)
{
    const int line = line_at(sheet, x, y);
    if (line >= 0) {
        sheet->selected = line;
    }
}

int wn_sheet_click(wn_sheet *sheet, int x, int y)
{
    if (!inside(sheet->rect, x, y)) {
        return WN_SHEET_CLOSED;
    }
    const int line = line_at(sheet, x, y);
    if (line < 0) {
        return WN_SHEET_NOTHING;
    }
    sheet->selected = line;
    return wn_sheet_selected(sheet);
}

void wn_sheet_wheel(wn_sheet *sheet, const wn_ink *ink, float lines)
{
    sheet->top -= (int)(lines * (float)(3 * wn_ink_line(ink, WN_STYLE_BODY)));
}
