/* screen-wait.c: shown until the daemon answers for the first time, or when it will not talk to us. Whoever came
 * here from another server can go back. */
#include "app.h"

#include <stdio.h>
#include <sysexits.h>

#include "key.h"

static void draw(wn_app *app)
{
    const char *const hints[] = {app->link.before[0] == '\0' ? "" : "Esc", "back", "q", "quit", NULL};
    wn_lines lines = {0};
    wn_box_view view = {.title = "Warren", .selected = -1, .centred = true};
    const char *trouble = wn_client_trouble(app->link.client);
    const int width = wn_box_columns() < 58 ? wn_box_columns() : 58;
    const bool refused = wn_client_get_state(app->link.client) == WN_CLIENT_REFUSED;
    wn_lines_add(&lines, WN_STYLE_PLAIN, " ");
    if (refused) {
        wn_lines_add(&lines, WN_STYLE_BAD, "The server will not talk to this program:");
        wn_lines_wrap(&lines, WN_STYLE_PLAIN, wn_box_columns(), app->link.refusal);
    } else {
        wn_lines_add(&lines, WN_STYLE_PLAIN, "waiting for %s", app->link.shown_address);
        wn_lines_add(&lines, WN_STYLE_PLAIN, " ");
        if (trouble[0] != '\0') {
            wn_lines_wrap(&lines, WN_STYLE_BAD, width, trouble);
            wn_lines_add(&lines, WN_STYLE_PLAIN, " ");
        }
        wn_lines_wrap(&lines, WN_STYLE_DIM, width,
                      "As soon as a Warren daemon (warrend) answers there, the game goes on by itself.");
    }
    wn_lines_add(&lines, WN_STYLE_PLAIN, " ");
    wn_app_hints(app, hints);
    wn_box_draw(&app->box, &app->paint, &lines, &view);
    wn_lines_free(&lines);
}

static void key(wn_app *app, const wn_input *input)
{
    wn_error error;
    if (input->key == WN_KEY_ESCAPE && app->link.before[0] != '\0' && wn_app_connect(app, app->link.before, &error)) {
        return;
    }
    if (input->key != 'q' && input->key != 'Q' && input->key != WN_KEY_ESCAPE && input->key != WN_KEY_F1 + 9) {
        return;
    }
    app->quit = true;
    app->status = EX_UNAVAILABLE;
}

const wn_screen wn_screen_wait = {.draw = draw, .key = key};
