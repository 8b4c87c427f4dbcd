/* app.c: the loop between terminal, daemon and screens. See app.h. */
#include "app.h"

#include <langinfo.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "key.h"
#include "layout.h"
#include "replay.h"
#include "text.h"

static int64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void wn_app_wake_at(wn_app *app, int64_t when)
{
    if (when > 0 && (app->wake == 0 || when < app->wake)) {
        app->wake = when;
    }
}

void wn_app_show(wn_app *app, const wn_screen *screen, void *state)
{
    if (app->screen != NULL && app->screen->leave != NULL) {
        app->screen->leave(app);
    }
    wn_box_close(&app->box);
    wn_box_close(&app->banner);
    app->screen = screen;
    app->state = state;
    app->dirty = true;
    app->cursor_y = -1;
    erase();
}

/* common lines */

void wn_app_title_line(wn_app *app, const char *text, const char *right)
{
    const int width = getmaxx(stdscr), needed = wn_text_width(right) + 1;
    wn_paint_line(&app->paint, stdscr, 0, 0, width, WN_STYLE_TITLE, "");
    const int used = wn_paint_format(&app->paint, stdscr, 0, 0, width, WN_STYLE_TITLE, " %s", text);
    if (used + 2 + needed <= width) {
        wn_paint_format(&app->paint, stdscr, 0, width - needed, needed, WN_STYLE_TITLE, "%s ", right);
    }
}

bool wn_app_bar(wn_app *app, int y)
{
    const wn_link_state state = wn_link_get_state(&app->link, app->now);
    char bar[WN_TEXT_BYTES + 32];
    if (state == WN_LINK_STANDS) {
        return false;
    }
    snprintf(bar, sizeof bar, " %s%s", wn_link_text(&app->link, app->now),
             state == WN_LINK_AWAY ? wn_paint_dots(&app->paint) : "");
    wn_paint_line(&app->paint, stdscr, y, 0, getmaxx(stdscr),
                  state == WN_LINK_BACK ? WN_STYLE_BACK_BAR : WN_STYLE_LOST_BAR, bar);
    return true;
}

void wn_app_title(wn_app *app, const char *text)
{
    if (wn_app_bar(app, 0)) {
        return;
    }
    char right[WN_NAME_BYTES + 32], delay[32];
    wn_link_delay(&app->link, app->now, delay, sizeof delay);
    snprintf(right, sizeof right, "%s%s%s", wn_client_player(app->link.client), delay[0] == '\0' ? "" : "  ", delay);
    wn_app_title_line(app, text, right);
}

void wn_app_hints(wn_app *app, const char *const *hints)
{
    const int y = getmaxy(stdscr) - 1, width = getmaxx(stdscr) - 1;
    int x = 1;
    wn_paint_line(&app->paint, stdscr, y, 0, width, WN_STYLE_PLAIN, "");
    for (; hints[0] != NULL; hints += 2) {
        const int needed = wn_text_width(hints[0]) + 1 + wn_text_width(hints[1]);
        if (hints[0][0] == '\0') {
            continue;
        }
        if (x + needed > width) {
            return;
        }
        x += wn_paint_text(&app->paint, stdscr, y, x, width - x, WN_STYLE_KEY, hints[0]) + 1;
        x += wn_paint_text(&app->paint, stdscr, y, x, width - x, WN_STYLE_DIM, hints[1]) + 3;
    }
}

void wn_app_edit(wn_app *app, const char *label, const wn_edit *edit)
{
    const int y = getmaxy(stdscr) - 1, width = getmaxx(stdscr) - 1;
    size_t first;
    int column;
    wn_paint_line(&app->paint, stdscr, y, 0, width, WN_STYLE_PLAIN, "");
    const int used = wn_paint_text(&app->paint, stdscr, y, 1, width - 1, WN_STYLE_KEY, label);
    const int room = width - used - 2;
    wn_edit_window(edit, room, &first, &column);
    wn_paint_line(&app->paint, stdscr, y, 1 + used, room, WN_STYLE_INPUT, edit->text + first);
    app->cursor_y = y;
    app->cursor_x = 1 + used + column;
}

/* drawing */

static bool fits(void)
{
    return getmaxy(stdscr) >= WN_LEAST_ROWS && getmaxx(stdscr) >= WN_LEAST_COLUMNS;
}

static void draw_too_small(wn_app *app)
{
    char text[128];
    const int rows = getmaxy(stdscr), columns = getmaxx(stdscr);
    erase();
    snprintf(text, sizeof text, "This window has %dx%d cells; Warren needs %dx%d. F10 or q quits.", columns, rows,
             WN_LEAST_COLUMNS, WN_LEAST_ROWS);
    int y = rows > 4 ? rows / 2 - 1 : 0;
    size_t bytes;
    for (const char *line = text; line != NULL && y < rows; y++) {
        char part[128];
        const char *next = wn_text_line(line, columns, &bytes);
        snprintf(part, sizeof part, "%.*s", (int)bytes, line);
        wn_paint_text(&app->paint, stdscr, y, 0, columns, WN_STYLE_BOLD, part);
        line = next;
    }
}

static void show_layer(wn_box *box)
{
    if (box->window != NULL) {
        touchwin(box->window);
        wnoutrefresh(box->window);
    }
}

static void draw(wn_app *app)
{
    app->cursor_y = -1;
    if (fits()) {
        app->screen->draw(app);
    } else {
        wn_box_close(&app->box);
        wn_box_close(&app->banner);
        draw_too_small(app);
    }
    wnoutrefresh(stdscr);
    show_layer(&app->banner);
    show_layer(&app->box);
    curs_set(app->cursor_y >= 0 ? 1 : 0);
    if (app->cursor_y >= 0) { /* the window refreshed last says where the cursor stands */
        wmove(stdscr, app->cursor_y, app->cursor_x);
        wnoutrefresh(stdscr);
    }
    doupdate();
    app->dirty = false;
}

static void redraw_all(wn_app *app)
{
    wn_box_close(&app->box);
    wn_box_close(&app->banner);
    erase();
    if (app->screen->forget != NULL) {
        app->screen->forget(app);
    }
    app->dirty = true;
}

/* events */

static void take_events(wn_app *app)
{
    wn_event event;
    if (app->link.client == NULL) {
        return;
    }
    wn_client_dispatch(app->link.client);
    while (wn_client_next(app->link.client, &event)) {
        app->dirty = true;
        if (wn_link_take(&app->link, &event, &app->log, app->now)) {
            wn_worlds_open(app, NULL);
        }
        if (app->screen->event != NULL) {
            app->screen->event(app, &event);
        }
    }
}

/* What cannot be seen is not to be steered. */
static void take_key_unseen(wn_app *app, uint32_t key)
{
    if (key == WN_KEY_F1 + 9 || key == 'q') {
        app->quit = true;
    }
}

static void take_keys(wn_app *app)
{
    wn_input input;
    while (!app->quit && wn_term_read(app->term, &input)) {
        app->dirty = true;
        if (!fits()) {
            take_key_unseen(app, input.key);
        } else if (app->screen->key != NULL) {
            app->screen->key(app, &input);
        }
    }
}

static int wait_ms(const wn_app *app)
{
    if (app->wake == 0) {
        return -1;
    }
    return app->wake <= app->now ? 0 : app->wake - app->now > 60000 ? 60000 : (int)(app->wake - app->now);
}

static void loop(wn_app *app)
{
    take_events(app); /* what happened before anyone waited for the descriptor */
    while (!app->quit) {
        app->now = clock_now();
        if (app->wake != 0 && app->wake <= app->now) {
            app->dirty = true;
        }
        app->wake = 0;
        if (app->link.back_until > app->now) {
            wn_app_wake_at(app, app->link.back_until);
        }
        if (app->screen->tick != NULL) {
            app->screen->tick(app);
        }
        if (app->dirty) {
            draw(app);
        }
        struct pollfd fds[] = {
            {.fd = 0, .events = POLLIN},
            {.fd = app->link.client == NULL ? -1 : wn_client_fd(app->link.client), .events = POLLIN},
            {.fd = wn_term_signal_fd(app->term), .events = POLLIN},
        };
        if (poll(fds, 3, wait_ms(app)) < 0) {
            continue;
        }
        app->now = clock_now();
        if (fds[2].revents != 0) {
            const wn_term_signal signal = wn_term_take_signal(app->term);
            app->quit = signal == WN_SIGNAL_END;
            if (signal == WN_SIGNAL_REDRAW) {
                redraw_all(app);
            }
        }
        if (fds[1].revents != 0) {
            take_events(app);
        }
        if (fds[0].revents != 0) {
            take_keys(app);
        }
        if ((fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
            app->quit = true; /* the terminal has gone */
        }
    }
}

static bool start_terminal(wn_app *app)
{
    char text[WN_TEXT_BYTES + 1];
    const wn_term_options wanted = {.depth = app->options->depth, .mouse = !app->options->no_mouse};
    app->term = wn_term_start(&wanted, text, sizeof text);
    if (app->term == NULL) {
        fprintf(stderr, "warren: %s\n", text);
        return false;
    }
    app->paint.depth = wn_term_depth(app->term);
    app->paint.unicode = !app->options->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return true;
}

bool wn_app_connect(wn_app *app, const char *address, wn_error *error)
{
    wn_address wanted;
    char shown[sizeof app->link.shown_address]; /* `address` may be the screen's that goes */
    if (!wn_address_parse(&wanted, address, error)) {
        return false;
    }
    snprintf(shown, sizeof shown, "%s", address);
    wn_app_show(app, &wn_screen_wait, NULL);
    if (!wn_link_move(&app->link, &wanted, shown, error)) {
        snprintf(app->link.refusal, sizeof app->link.refusal, "%s", error->text);
        app->status = EX_UNAVAILABLE;
        app->quit = true;
    }
    return true;
}

/* From the first screen to the last. Returns the signal that ended it, or 0. */
static int run(wn_app *app)
{
    loop(app);
    if (app->screen->leave != NULL) {
        app->screen->leave(app);
    }
    wn_box_close(&app->box);
    wn_box_close(&app->banner);
    const int signal_number = wn_term_ended_by(app->term);
    wn_term_stop(app->term);
    return signal_number;
}

int wn_app_run(const wn_options *options, wn_key_file *key_file, int *signal_number)
{
    wn_app app = {.options = options, .key_file = key_file, .status = EX_OK, .cursor_y = -1, .dirty = true};
    wn_error error;
    *signal_number = 0;
    if (!start_terminal(&app)) {
        return EX_UNAVAILABLE;
    }
    if (!wn_link_open(&app.link, &options->line, "warren " WARREN_VERSION, &error)) {
        wn_term_stop(app.term);
        fprintf(stderr, "warren: %s\n", error.text);
        return EX_UNAVAILABLE;
    }
    app.now = clock_now();
    wn_app_show(&app, &wn_screen_wait, NULL);
    *signal_number = run(&app);
    if (app.link.refusal[0] != '\0') {
        fprintf(stderr, "warren: %s\n", app.link.refusal);
    }
    wn_link_close(&app.link);
    wn_log_clear(&app.log);
    return app.status;
}

int wn_app_replay(const wn_options *options, int *signal_number)
{
    wn_app app = {.options = options, .status = EX_OK, .cursor_y = -1, .dirty = true};
    *signal_number = 0;
    wn_replay *replay = wn_replay_load(options, &app.status);
    if (replay == NULL) {
        return app.status;
    }
    if (!start_terminal(&app)) {
        wn_replay_free(replay);
        return EX_UNAVAILABLE;
    }
    app.now = clock_now();
    wn_replay_open(&app, replay);
    *signal_number = run(&app);
    wn_log_clear(&app.log);
    return app.status;
}
