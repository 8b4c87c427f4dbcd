/* app-bars.c: the bars at the top and the bottom of every screen, and what the interface itself has to say there. See
 * app.h. */
#include <stdarg.h>
#include <stdio.h>

#include "app.h"
#include "key.h"

enum { NOTE_MS = 6000 };

void wn_app_note(wn_app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->note, sizeof app->note, format, arguments);
    va_end(arguments);
    app->note_until = app->now + NOTE_MS;
    app->dirty = true;
}

void wn_app_hot(wn_app *app, SDL_Rect rect, uint32_t key)
{
    if (app->hot_count < WN_HOTS) {
        app->hots[app->hot_count++] = (wn_hot){rect, key};
    }
}

int wn_app_bar_height(const wn_app *app)
{
    return wn_ink_line(&app->ink, WN_STYLE_BODY) + wn_ink_units(&app->ink, 14);
}

static int draw_bar(wn_app *app, uint32_t paper, uint32_t ink, const char *text, const char *right)
{
    const int height = wn_app_bar_height(app), pad = wn_ink_units(&app->ink, 12), width = app->window.width;
    const int y = (height - wn_ink_line(&app->ink, WN_STYLE_BODY)) / 2;
    const int needed = wn_ink_width(&app->ink, WN_STYLE_BODY, right);
    wn_ink_area(&app->ink, (SDL_Rect){0, 0, width, height}, paper, 255);
    wn_ink_area(&app->ink, (SDL_Rect){0, height - 1, width, 1}, WN_INK_EDGE, 255);
    const int used = wn_ink_text(&app->ink, WN_STYLE_BOLD, pad, y, width - 2 * pad, ink, text);
    if (used + needed + 4 * pad <= width) {
        wn_ink_right(&app->ink, WN_STYLE_BODY, pad, y, width - 2 * pad, WN_INK_DIM, right);
    }
    return height;
}

int wn_app_title_line(wn_app *app, const char *text, const char *right)
{
    return draw_bar(app, WN_INK_PANEL, WN_INK_TITLE, text, right);
}

int wn_app_title(wn_app *app, const char *text)
{
    const wn_link_state state = wn_link_get_state(&app->link, app->now);
    char line[WN_TEXT_BYTES + 32], delay[32];
    if (state != WN_LINK_STANDS) {
        snprintf(line, sizeof line, "%s%s", wn_link_text(&app->link, app->now),
                 state == WN_LINK_AWAY ? "\xe2\x80\xa6" : "");
        return draw_bar(app, state == WN_LINK_BACK ? 0x2c5a38 : 0x70302c, WN_INK_TITLE, line,
                        state == WN_LINK_REFUSED ? "" : text);
    }
    wn_link_delay(&app->link, app->now, delay, sizeof delay);
    snprintf(line, sizeof line, "%s%s%s", wn_client_player(app->link.client), delay[0] == '\0' ? "" : "   ", delay);
    return wn_app_title_line(app, text, line);
}

int wn_app_hints(wn_app *app, const wn_hint *hints, size_t count)
{
    const int height = wn_app_bar_height(app), pad = wn_ink_units(&app->ink, 12), top = app->window.height - height;
    const int y = top + (height - wn_ink_line(&app->ink, WN_STYLE_BODY)) / 2, gap = wn_ink_units(&app->ink, 6);
    int x = pad;
    wn_ink_area(&app->ink, (SDL_Rect){0, top, app->window.width, height}, WN_INK_PANEL, 255);
    wn_ink_area(&app->ink, (SDL_Rect){0, top, app->window.width, 1}, WN_INK_EDGE, 255);
    if (app->note_until > app->now) {
        wn_ink_text(&app->ink, WN_STYLE_BODY, pad, y, app->window.width - 2 * pad, WN_INK_KEY, app->note);
        wn_app_wake_at(app, app->note_until);
        return height;
    }
    for (size_t i = 0; i < count; i++) {
        const int key = wn_ink_width(&app->ink, WN_STYLE_BOLD, hints[i].key);
        const int text = wn_ink_width(&app->ink, WN_STYLE_BODY, hints[i].text);
        const SDL_Rect rect = {x - gap, top + 1, key + text + 3 * gap, height - 1};
        if (hints[i].key[0] == '\0') {
            continue;
        }
        if (rect.x + rect.w > app->window.width) {
            break;
        }
        if (hints[i].stands_for != WN_KEY_NONE && app->pointer_y >= top && app->pointer_x >= rect.x &&
            app->pointer_x < rect.x + rect.w) {
            wn_ink_area(&app->ink, rect, WN_INK_RAISED, 255);
        }
        wn_ink_text(&app->ink, WN_STYLE_BOLD, x, y, key + 1, WN_INK_KEY, hints[i].key);
        wn_ink_text(&app->ink, WN_STYLE_BODY, x + key + gap, y, text + 1, WN_INK_DIM, hints[i].text);
        if (hints[i].stands_for != WN_KEY_NONE) {
            wn_app_hot(app, rect, hints[i].stands_for);
        }
        x += key + text + 4 * gap;
    }
    return height;
}
