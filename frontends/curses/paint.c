/* paint.c: text and map cells on an ncurses window. See paint.h. Colour pairs are ncurses' own business: alloc_pair()
 * finds the pair of two colours again, makes it the first time, and takes back the one longest unused when all are. */
#include "paint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

typedef struct style_look {
    int32_t foreground, background;
    attr_t attributes; /* always */
    attr_t plain;      /* besides, where there is no colour */
} style_look;

static const style_look styles[WN_STYLES] = {
    [WN_STYLE_PLAIN] = {WN_COLOUR_OWN, WN_COLOUR_OWN, A_NORMAL, A_NORMAL},
    [WN_STYLE_DIM] = {0x8a8a8a, WN_COLOUR_OWN, A_NORMAL, A_DIM},
    [WN_STYLE_BOLD] = {WN_COLOUR_OWN, WN_COLOUR_OWN, A_BOLD, A_NORMAL},
    [WN_STYLE_TITLE] = {0xe8e2d4, 0x3a3226, A_NORMAL, A_REVERSE},
    [WN_STYLE_HEADING] = {0xd7af5f, WN_COLOUR_OWN, A_BOLD, A_NORMAL},
    [WN_STYLE_FRAME] = {0x8a7550, WN_COLOUR_OWN, A_NORMAL, A_NORMAL},
    [WN_STYLE_SELECTED] = {0x1c1812, 0xd7af5f, A_NORMAL, A_REVERSE},
    [WN_STYLE_KEY] = {0xd7af5f, WN_COLOUR_OWN, A_NORMAL, A_BOLD},
    [WN_STYLE_INPUT] = {0xffffff, 0x3a3a3a, A_NORMAL, A_UNDERLINE},
    [WN_STYLE_GOOD] = {0x87d75f, WN_COLOUR_OWN, A_NORMAL, A_NORMAL},
    [WN_STYLE_BAD] = {0xff8760, WN_COLOUR_OWN, A_NORMAL, A_BOLD},
    [WN_STYLE_ALERT] = {0xffffff, 0xaf2020, A_BOLD, A_REVERSE},
    [WN_STYLE_CHAT] = {0x87d7ff, WN_COLOUR_OWN, A_NORMAL, A_NORMAL},
    [WN_STYLE_SYSTEM] = {0xafafd7, WN_COLOUR_OWN, A_NORMAL, A_NORMAL},
    [WN_STYLE_LOST_BAR] = {0xffffff, 0xaf2020, A_BOLD, A_REVERSE},
    [WN_STYLE_BACK_BAR] = {0xffffff, 0x2f7f2f, A_BOLD, A_REVERSE},
};

static int pair_of(const wn_paint *paint, int32_t foreground, int32_t background)
{
    if (paint->depth == WN_DEPTH_NONE || (foreground == WN_COLOUR_OWN && background == WN_COLOUR_OWN)) {
        return 0;
    }
    const int pair = alloc_pair(foreground, background);
    return pair < 0 ? 0 : pair;
}

/* Terminals with 8 colours have their bright ones as bold. Bright black is not to be relied on: dim white is. */
static int fit_colour(int32_t rgb, wn_depth depth, attr_t *attributes)
{
    const int number = wn_colour_number(rgb, depth);
    if (depth != WN_DEPTH_16 || COLORS >= 16 || number < 8) {
        return number;
    }
    if (attributes == NULL) {
        return number == 8 ? 0 : number - 8;
    }
    *attributes |= number == 8 ? A_DIM : A_BOLD;
    return number == 8 ? 7 : number - 8;
}

static void set_look(const wn_paint *paint, WINDOW *window, int32_t foreground, int32_t background, attr_t attributes)
{
    const int front = fit_colour(foreground, paint->depth, &attributes);
    const int back = fit_colour(background, paint->depth, NULL);
    /* Colours that became the same one would hide the text. */
    const bool same = front == back && front != WN_COLOUR_OWN && foreground != background;
    int pair = same ? 0 : pair_of(paint, front, back);
    attributes |= same ? A_REVERSE : A_NORMAL;
    wattr_set(window, attributes, 0, &pair);
}

/* With 16 colours or fewer a dark ground becomes black, and the style is shown as if there were no colours. */
static void set_style(const wn_paint *paint, WINDOW *window, wn_style style)
{
    const style_look *look = &styles[style];
    if (paint->depth == WN_DEPTH_NONE ||
        (paint->depth == WN_DEPTH_16 && look->background != WN_COLOUR_OWN && wn_colour_16(look->background) == 0)) {
        set_look(paint, window, WN_COLOUR_OWN, WN_COLOUR_OWN, look->attributes | look->plain);
    } else {
        set_look(paint, window, look->foreground, look->background, look->attributes);
    }
}

static uint32_t showable(const wn_paint *paint, uint32_t code)
{
    if (code < ' ' || code == 0x7f) {
        return ' ';
    }
    return code < 0x7f || paint->unicode ? code : '?';
}

void wn_paint_look(const wn_paint *paint, WINDOW *window, int y, int x, const wn_look *look)
{
    attr_t attributes = (look->flags & WN_LOOK_BOLD) != 0 ? A_BOLD : A_NORMAL;
    int32_t foreground = look->foreground, background = look->background;
    if ((look->flags & WN_LOOK_DIM) != 0) {
        if (paint->depth >= WN_DEPTH_256 && foreground != WN_COLOUR_OWN) {
            foreground = wn_colour_dim(foreground);
        } else {
            attributes |= A_DIM;
        }
        background = wn_colour_dim(background);
    }
    if ((look->flags & WN_LOOK_REVERSE) != 0) {
        attributes |= A_REVERSE;
    }
    set_look(paint, window, foreground, background, attributes);
    const wchar_t text[2] = {(wchar_t)showable(paint, look->glyph), L'\0'};
    mvwaddwstr(window, y, x, text);
}

int wn_paint_text(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *text)
{
    int used = 0;
    uint32_t code;
    set_style(paint, window, style);
    wmove(window, y, x);
    for (size_t step; *text != '\n' && (step = wn_utf8_next(text, &code)) > 0; text += step) {
        const wchar_t character[2] = {(wchar_t)showable(paint, code), L'\0'};
        const int columns = wn_code_width((uint32_t)character[0]);
        if (used + columns > width) {
            break;
        }
        waddwstr(window, character);
        used += columns;
    }
    return used;
}

void wn_paint_line(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *text)
{
    const int used = wn_paint_text(paint, window, y, x, width, style, text);
    for (int column = used; column < width; column++) {
        mvwaddch(window, y, x + column, ' ');
    }
}

void wn_paint_right(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *text)
{
    const int columns = wn_text_width(text);
    const int used = columns < width ? columns : width;
    wn_paint_text(paint, window, y, x + width - used, used, style, text);
}

int wn_paint_format(const wn_paint *paint, WINDOW *window, int y, int x, int width, wn_style style, const char *format,
                    ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return wn_paint_text(paint, window, y, x, width, style, text);
}

void wn_paint_frame(const wn_paint *paint, WINDOW *window, const char *title, const char *footer)
{
    const int height = getmaxy(window), width = getmaxx(window);
    const char *corner[] = {"+", "+", "+", "+"}, *across = "-", *down = "|";
    if (paint->unicode) {
        static const char *const round[] = {"╭", "╮", "╰", "╯"};
        memcpy(corner, round, sizeof round);
        across = "─";
        down = "│";
    }
    for (int x = 1; x < width - 1; x++) {
        wn_paint_text(paint, window, 0, x, 1, WN_STYLE_FRAME, across);
        wn_paint_text(paint, window, height - 1, x, 1, WN_STYLE_FRAME, across);
    }
    for (int y = 1; y < height - 1; y++) {
        wn_paint_text(paint, window, y, 0, 1, WN_STYLE_FRAME, down);
        wn_paint_text(paint, window, y, width - 1, 1, WN_STYLE_FRAME, down);
    }
    wn_paint_text(paint, window, 0, 0, 1, WN_STYLE_FRAME, corner[0]);
    wn_paint_text(paint, window, 0, width - 1, 1, WN_STYLE_FRAME, corner[1]);
    wn_paint_text(paint, window, height - 1, 0, 1, WN_STYLE_FRAME, corner[2]);
    set_style(paint, window, WN_STYLE_FRAME);
    /* Adding there would scroll. Terminated, since ncurses looks one beyond what it is to take. */
    const wchar_t last[] = {paint->unicode ? L'╯' : L'+', L'\0'};
    mvwins_nwstr(window, height - 1, width - 1, last, 1);
    if (title != NULL) {
        wn_paint_format(paint, window, 0, 2, width - 4, WN_STYLE_HEADING, " %s ", title);
    }
    if (footer != NULL) {
        wn_paint_format(paint, window, height - 1, 2, width - 4, WN_STYLE_DIM, " %s ", footer);
    }
}

void wn_paint_vertical(const wn_paint *paint, WINDOW *window, int y, int x, int height)
{
    for (int row = 0; row < height; row++) {
        wn_paint_text(paint, window, y + row, x, 1, WN_STYLE_FRAME, paint->unicode ? "│" : "|");
    }
}

void wn_paint_gauge(const wn_paint *paint, WINDOW *window, int y, int x, int width, int64_t number, int64_t maximum)
{
    const int64_t least = number < 0 || maximum <= 0 ? 0 : number < maximum ? number : maximum;
    int full = maximum <= 0 ? 0 : (int)((double)least / (double)maximum * width + 0.5);
    if (full == 0 && least > 0) {
        full = 1; /* something is not nothing */
    }
    const wn_style style = least * 4 <= maximum   ? WN_STYLE_BAD
                           : least * 2 <= maximum ? WN_STYLE_HEADING
                                                  : WN_STYLE_GOOD;
    for (int column = 0; column < width; column++) {
        const bool on = column < full;
        const char *part = paint->unicode ? (on ? "━" : "─") : on ? "=" : "-";
        wn_paint_text(paint, window, y, x + column, 1, on ? style : WN_STYLE_DIM, part);
    }
}

const char *wn_paint_dots(const wn_paint *paint)
{
    return paint->unicode ? "…" : "...";
}
