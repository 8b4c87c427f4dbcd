/* screen-wait.c: shown until the daemon answers for the first time, or when it will not talk to us. Whoever came
 * here from another server can go back. */
#include <stdio.h>
#include <sysexits.h>

#include "app.h"
#include "key.h"

static void draw(wn_app *app)
{
    const wn_hint hints[] = {{app->link.before[0] == '\0' ? "" : "Esc", "back", WN_KEY_ESCAPE}, {"q", "quit", 'q'}};
    const wn_ink *ink = &app->ink;
    const bool refused = wn_client_get_state(app->link.client) == WN_CLIENT_REFUSED;
    const int width = app->window.width, gap = wn_ink_units(ink, 14);
    const int text = width - 8 * gap < wn_ink_units(ink, 460) ? width - 8 * gap : wn_ink_units(ink, 460);
    const char *trouble = wn_client_trouble(app->link.client);
    int y = app->window.height / 3;
    char line[320];
    wn_ink_centre(ink, WN_STYLE_TITLE, 0, y - wn_ink_line(ink, WN_STYLE_TITLE), width, WN_INK_TITLE, "Warren");
    y += gap;
    snprintf(line, sizeof line, refused ? "The server will not talk to this program:" : "waiting for %s\xe2\x80\xa6",
             app->link.shown_address);
    wn_ink_centre(ink, WN_STYLE_BODY, gap, y, width - 2 * gap, refused ? WN_INK_BAD : WN_INK_TEXT, line);
    y += wn_ink_line(ink, WN_STYLE_BODY) + gap;
    if (!refused && trouble[0] != '\0') {
        y += wn_ink_wrap(ink, WN_STYLE_BODY, (width - text) / 2, y, text, WN_INK_BAD, trouble) + gap;
    }
    wn_ink_wrap(ink, WN_STYLE_BODY, (width - text) / 2, y, text, refused ? WN_INK_TEXT : WN_INK_DIM,
                refused ? app->link.refusal
                        : "As soon as a Warren daemon (warrend) answers there, the game goes on by itself.");
    wn_app_hints(app, hints, 2);
}

static void key(wn_app *app, uint32_t key, bool repeated)
{
    wn_error error;
    (void)repeated;
    if (key == WN_KEY_ESCAPE && app->link.before[0] != '\0' && wn_app_connect(app, app->link.before, &error)) {
        return;
    }
    if (key == WN_KEY_F12) {
        wn_app_take_picture(app);
    }
    if (key != 'q' && key != 'Q' && key != WN_KEY_ESCAPE && key != WN_KEY_F1 + 9) {
        return;
    }
    app->quit = true;
    app->status = EX_UNAVAILABLE;
}

const wn_screen wn_screen_wait = {.draw = draw, .key = key};
