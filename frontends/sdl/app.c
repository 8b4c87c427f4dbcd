/* app.c: the loop between window, daemon and screens. See app.h. */
#include "app.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#include "key.h"
#include "keys.h"
#include "picture.h"
#include "replay.h"
#include "text.h"
#include "wake.h"

enum {
    SOUND_MS = 20000,
    NOTE_MS = 6000,
    FRAME_MS = 16,
    PAD_MS = 8,
    NO_PAD_MS = 3000,
    WAKE_CLIENT = 1,
    WAKE_SIGNAL = 2
};

static int64_t clock_now(void)
{
    return (int64_t)SDL_GetTicks64() + 1; /* 0 stands for "never" in many places */
}

void wn_app_wake_at(wn_app *app, int64_t when)
{
    if (when > 0 && (app->wake == 0 || when < app->wake))
        app->wake = when;
}

void wn_app_move_on(wn_app *app)
{
    app->moving = true;
}

void wn_app_show(wn_app *app, const wn_screen *screen, void *state)
{
    if (app->screen != NULL && app->screen->leave != NULL)
        app->screen->leave(app);
    app->screen = screen;
    app->state = state;
    app->hot_count = 0;
    app->dirty = true;
}

void wn_app_note(wn_app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->note, sizeof app->note, format, arguments);
    va_end(arguments);
    app->note_until = app->now + NOTE_MS;
    app->dirty = true;
}

/* preferences */

void wn_app_keep_preferences(wn_app *app)
{
    wn_error error;
    if (app->preferences_path[0] != '\0' && !wn_preferences_write(&app->preferences, app->preferences_path, &error))
        wn_app_note(app, "%s", error.text);
}

void wn_app_set_full(wn_app *app, bool full)
{
    wn_window_set_full(&app->window, full);
    app->preferences.full_screen = app->window.full;
    wn_app_keep_preferences(app);
}

void wn_app_restyle(wn_app *app)
{
    app->ink.scale = wn_window_display_scale(&app->window) * (float)app->preferences.text_size / 100;
    app->ink.palette = (wn_palette)app->preferences.palette;
    if (app->screen != NULL && app->screen->forget != NULL)
        app->screen->forget(app);
    app->dirty = true;
}

/* sound */

/* An open device costs a little all the time, also while it is silent: it is opened for a cue, and closed when there
 * was none for a while. */
void wn_app_hear(wn_app *app, const char *cue, wn_hearing hearing)
{
    if (app->preferences.mute || app->preferences.volume == 0)
        return;
    if (app->sound == NULL)
        app->sound = wn_sound_new((uint32_t)app->preferences.volume);
    if (app->sound == NULL)
        return;
    const char *why = wn_sound_why_silent(app->sound);
    if (why != NULL && !app->told_silent)
        wn_log_add(&app->log, WARREN__MESSAGE_KIND__MESSAGE_SYSTEM, NULL, why);
    app->told_silent = app->told_silent || why != NULL;
    wn_sound_set_volume(app->sound, (uint32_t)app->preferences.volume);
    wn_sound_play(app->sound, cue, hearing);
    app->sound_until = app->now + SOUND_MS;
}

static void close_sound(wn_app *app)
{
    if (app->sound != NULL && (app->now >= app->sound_until || app->preferences.mute)) {
        wn_sound_free(app->sound);
        app->sound = NULL;
    }
    wn_app_wake_at(app, app->sound == NULL ? 0 : app->sound_until);
}

/* common parts */

void wn_app_hot(wn_app *app, SDL_Rect rect, uint32_t key)
{
    if (app->hot_count < WN_HOTS)
        app->hots[app->hot_count++] = (wn_hot){rect, key};
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
    if (used + needed + 4 * pad <= width)
        wn_ink_right(&app->ink, WN_STYLE_BODY, pad, y, width - 2 * pad, WN_INK_DIM, right);
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
        if (hints[i].key[0] == '\0')
            continue;
        if (rect.x + rect.w > app->window.width)
            break;
        if (hints[i].stands_for != WN_KEY_NONE && app->pointer_y >= top && app->pointer_x >= rect.x &&
            app->pointer_x < rect.x + rect.w)
            wn_ink_area(&app->ink, rect, WN_INK_RAISED, 255);
        wn_ink_text(&app->ink, WN_STYLE_BOLD, x, y, key + 1, WN_INK_KEY, hints[i].key);
        wn_ink_text(&app->ink, WN_STYLE_BODY, x + key + gap, y, text + 1, WN_INK_DIM, hints[i].text);
        if (hints[i].stands_for != WN_KEY_NONE)
            wn_app_hot(app, rect, hints[i].stands_for);
        x += key + text + 4 * gap;
    }
    return height;
}

/* drawing */

void wn_app_take_picture(wn_app *app)
{
    app->picture_wanted = app->dirty = true;
}

/* Once it is drawn and before it is shown: afterwards it may be gone. */
static void save_picture(wn_app *app)
{
    char path[512];
    wn_error error;
    app->picture_wanted = false;
    if (wn_picture_path(path, sizeof path, "png", &error) && wn_picture_save(app->ink.renderer, path, &error))
        wn_app_note(app, "This picture is in %s", path);
    else
        wn_app_note(app, "%s", error.text);
}

static void draw(wn_app *app)
{
    app->hot_count = 0;
    app->moving = false;
    app->dirty = false;
    SDL_SetRenderTarget(app->ink.renderer, NULL);
    SDL_SetRenderDrawColor(app->ink.renderer, 0, 0, 0, 255);
    wn_ink_area(&app->ink, (SDL_Rect){0, 0, app->window.width, app->window.height}, WN_INK_NIGHT, 255);
    app->screen->draw(app);
    if (app->picture_wanted)
        save_picture(app);
    SDL_RenderPresent(app->ink.renderer);
    app->frame = clock_now();
}

static void forget_textures(wn_app *app)
{
    wn_fonts_forget(app->ink.fonts);
    if (app->screen->forget != NULL)
        app->screen->forget(app);
    app->dirty = true;
}

/* what the daemon says */

static void take_client_events(wn_app *app)
{
    wn_event event;
    if (app->link.client == NULL)
        return;
    wn_client_dispatch(app->link.client);
    while (wn_client_next(app->link.client, &event)) {
        app->dirty = true;
        if (wn_link_take(&app->link, &event, &app->log, app->now))
            wn_worlds_open(app, NULL);
        if (app->screen->event != NULL)
            app->screen->event(app, &event);
    }
}

/* what SDL says */

static void give_key(wn_app *app, uint32_t key, bool repeated)
{
    app->dirty = true;
    if (key != WN_KEY_NONE && app->screen->key != NULL)
        app->screen->key(app, key, repeated);
}

static void take_press(wn_app *app, const SDL_KeyboardEvent *press)
{
    if ((press->keysym.mod & KMOD_ALT) != 0 && press->keysym.sym == SDLK_RETURN) {
        wn_app_set_full(app, !app->window.full);
        return;
    }
    app->typed_again = wn_keys_typed_again(press) != 0;
    app->aside = (press->keysym.mod & (KMOD_SHIFT | KMOD_CTRL)) != 0;
    give_key(app, wn_keys_of_press(press), press->repeat != 0);
}

static void take_text(wn_app *app, const char *text)
{
    uint32_t code;
    const bool again = app->typed_again;
    app->typed_again = false;
    for (size_t step; !again && (step = wn_utf8_next(text, &code)) > 0; text += step)
        give_key(app, code, false);
}

static void give_pointer(wn_app *app, const wn_pointer *pointer)
{
    app->dirty = true;
    if (pointer->kind == WN_POINTER_PRESS && pointer->button == SDL_BUTTON_LEFT) {
        for (size_t i = 0; i < app->hot_count; i++) {
            const SDL_Point at = {pointer->x, pointer->y};
            if (SDL_PointInRect(&at, &app->hots[i].rect)) {
                give_key(app, app->hots[i].key, false);
                return;
            }
        }
    }
    if (app->screen->pointer != NULL)
        app->screen->pointer(app, pointer);
}

static int scaled(const wn_app *app, int points)
{
    return (int)((float)points * app->window.density);
}

static int held_button(uint32_t state)
{
    return (state & SDL_BUTTON_LMASK) != 0   ? SDL_BUTTON_LEFT
           : (state & SDL_BUTTON_MMASK) != 0 ? SDL_BUTTON_MIDDLE
           : (state & SDL_BUTTON_RMASK) != 0 ? SDL_BUTTON_RIGHT
                                             : 0;
}

static void take_pointer(wn_app *app, const SDL_Event *event)
{
    wn_pointer pointer = {.x = app->pointer_x, .y = app->pointer_y};
    switch (event->type) {
    case SDL_MOUSEMOTION:
        pointer.kind = WN_POINTER_MOVE;
        pointer.x = app->pointer_x = scaled(app, event->motion.x);
        pointer.y = app->pointer_y = scaled(app, event->motion.y);
        pointer.move_x = scaled(app, event->motion.xrel);
        pointer.move_y = scaled(app, event->motion.yrel);
        pointer.button = held_button(event->motion.state);
        break;
    case SDL_MOUSEWHEEL:
        pointer.kind = WN_POINTER_WHEEL;
        pointer.amount = event->wheel.preciseY;
        break;
    case SDL_MULTIGESTURE:
        pointer.kind = WN_POINTER_PINCH;
        pointer.amount = event->mgesture.dDist;
        break;
    default:
        pointer.kind = event->type == SDL_MOUSEBUTTONDOWN ? WN_POINTER_PRESS : WN_POINTER_RELEASE;
        pointer.x = app->pointer_x = scaled(app, event->button.x);
        pointer.y = app->pointer_y = scaled(app, event->button.y);
        pointer.button = event->button.button;
        pointer.clicks = event->button.clicks;
        break;
    }
    give_pointer(app, &pointer);
}

/* A screen that makes nothing of a pad gets it as keys. */
static void give_pad(wn_app *app, wn_pad_meaning meaning, uint32_t value, bool repeated)
{
    static const uint32_t arrows[8] = {WN_KEY_UP,   WN_KEY_NONE, WN_KEY_RIGHT, WN_KEY_NONE,
                                       WN_KEY_DOWN, WN_KEY_NONE, WN_KEY_LEFT,  WN_KEY_NONE};
    if (meaning == WN_PAD_NOTHING)
        return;
    app->dirty = true;
    if (app->screen->pad != NULL && app->screen->pad(app, meaning, value, repeated))
        return;
    give_key(app,
             meaning == WN_PAD_KEY         ? value
             : meaning == WN_PAD_DIRECTION ? arrows[value]
             : meaning == WN_PAD_USE       ? (uint32_t)WN_KEY_ENTER
                                           : (uint32_t)WN_KEY_NONE,
             repeated);
}

static void take_pad(wn_app *app, const SDL_Event *event)
{
    uint32_t value = 0;
    give_pad(app, wn_pad_take(&app->pad, event, app->now, &value), value, false);
}

static void repeat_pad(wn_app *app)
{
    uint32_t value;
    int64_t next;
    const wn_pad_meaning meaning = wn_pad_repeat(&app->pad, app->now, &value, &next);
    wn_app_wake_at(app, next);
    give_pad(app, meaning, value, true);
}

/* A pad that is there, and whose window is in sight, is asked often, and whether there is a new one now and then. Left
 * to itself SDL asks a thousand times a second as long as there is one. */
static void ask_pads(wn_app *app)
{
    if (app->now < app->pads_at)
        return;
    SDL_GameControllerUpdate();
    app->pads_at = app->now + (app->pad.controller == NULL || app->hidden ? NO_PAD_MS : PAD_MS);
}

static void take_window_event(wn_app *app, const SDL_WindowEvent *event)
{
    app->dirty = true;
    switch (event->event) {
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        app->hidden = true;
        return;
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_EXPOSED:
        app->hidden = (SDL_GetWindowFlags(app->window.window) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0;
        return;
    case SDL_WINDOWEVENT_LEAVE:
        app->pointer_x = app->pointer_y = -1;
        return;
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        wn_window_measure(&app->window);
        if (!app->window.full)
            SDL_GetWindowSize(app->window.window, &app->preferences.width, &app->preferences.height);
        return;
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        wn_window_measure(&app->window);
        wn_app_restyle(app);
        return;
    default:
        return;
    }
}

static void take_signal(wn_app *app, int descriptor)
{
    struct signalfd_siginfo info;
    if (read(descriptor, &info, sizeof info) == (ssize_t)sizeof info) {
        app->ended_by = (int)info.ssi_signo;
        app->quit = true;
    }
}

static void take_sdl_event(wn_app *app, const SDL_Event *event)
{
    app->now = clock_now();
    if (event->type == app->wake_event) {
        if ((event->user.code & WAKE_SIGNAL) != 0)
            take_signal(app, app->signals);
        if ((event->user.code & WAKE_CLIENT) != 0)
            take_client_events(app);
        wn_wake_again(app->waker);
        return;
    }
    switch (event->type) {
    case SDL_QUIT:
        app->quit = true;
        return;
    case SDL_WINDOWEVENT:
        take_window_event(app, &event->window);
        return;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        forget_textures(app);
        return;
    case SDL_KEYDOWN:
        take_press(app, &event->key);
        return;
    case SDL_TEXTINPUT:
        take_text(app, event->text.text);
        return;
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
    case SDL_MULTIGESTURE:
        take_pointer(app, event);
        return;
    case SDL_CONTROLLERDEVICEADDED:
    case SDL_CONTROLLERDEVICEREMOVED:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
    case SDL_CONTROLLERAXISMOTION:
        take_pad(app, event);
        return;
    default:
        return;
    }
}

/* the loop */

/* How long nothing needs to be done. */
static int wait_ms(const wn_app *app)
{
    int64_t until = app->wake == 0 || app->pads_at < app->wake ? app->pads_at : app->wake;
    if (app->moving && !app->hidden) {
        const int64_t frame = app->window.paced ? app->now : app->frame + FRAME_MS;
        until = frame < until ? frame : until;
    }
    return until <= app->now ? 0 : (int)(until - app->now);
}

static void loop(wn_app *app)
{
    take_client_events(app); /* what happened before anyone waited for the descriptor */
    while (!app->quit) {
        SDL_Event event;
        app->now = clock_now();
        if (app->wake != 0 && app->wake <= app->now)
            app->dirty = true;
        app->wake = 0;
        wn_app_wake_at(app, app->link.back_until > app->now ? app->link.back_until : 0);
        close_sound(app);
        ask_pads(app);
        repeat_pad(app);
        if (app->screen->tick != NULL)
            app->screen->tick(app);
        if ((app->dirty || app->moving) && !app->hidden)
            draw(app);
        const int got = SDL_WaitEventTimeout(&event, wait_ms(app));
        for (bool more = got != 0; more && !app->quit; more = SDL_PollEvent(&event) != 0)
            take_sdl_event(app, &event);
    }
}

/* beginning and end */

/* SIGINT, SIGTERM and SIGHUP end it in order, and it dies of them. */
static int catch_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
        return -1;
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static bool start_window(wn_app *app)
{
    wn_error error;
    const wn_options *options = app->options;
    const int width = options->width > 0 ? options->width : app->preferences.width;
    const int height = options->height > 0 ? options->height : app->preferences.height;
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1");
    SDL_SetHint(SDL_HINT_APP_NAME, "Warren");
    SDL_SetHint(SDL_HINT_AUTO_UPDATE_JOYSTICKS, "0");
    if (!wn_window_open(&app->window, width, height, options->full_screen || app->preferences.full_screen,
                        options->rendering, &error)) {
        fprintf(stderr, "warren-sdl: %s\n", error.text);
        return false;
    }
    SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); /* without one there are no pads, and that is all */
    app->ink.renderer = app->window.renderer;
    app->ink.fonts = wn_fonts_new(app->window.renderer, options->font, &error);
    if (app->ink.fonts == NULL) {
        wn_window_close(&app->window);
        fprintf(stderr, "warren-sdl: %s\n", error.text);
        return false;
    }
    wn_app_restyle(app);
    return true;
}

static void stop_window(wn_app *app)
{
    wn_pad_close(&app->pad);
    wn_fonts_free(app->ink.fonts);
    wn_window_close(&app->window);
}

static bool start_waker(wn_app *app)
{
    app->waker =
        wn_wake_new(app->link.client == NULL ? -1 : wn_client_fd(app->link.client), app->signals, app->wake_event);
    if (app->waker == NULL) {
        fprintf(stderr, "warren-sdl: no thread or descriptor is left to wait with; end other programs first.\n");
        app->status = EX_UNAVAILABLE;
        app->quit = true;
    }
    return app->waker != NULL;
}

bool wn_app_connect(wn_app *app, const char *address, wn_error *error)
{
    wn_address wanted;
    char shown[sizeof app->link.shown_address]; /* `address` may be the screen's that goes */
    if (!wn_address_parse(&wanted, address, error))
        return false;
    snprintf(shown, sizeof shown, "%s", address);
    wn_app_show(app, &wn_screen_wait, NULL);
    wn_wake_free(app->waker); /* it waits for the old client's descriptor */
    app->waker = NULL;
    if (!wn_link_move(&app->link, &wanted, shown, error)) {
        snprintf(app->link.refusal, sizeof app->link.refusal, "%s", error->text);
        app->status = EX_UNAVAILABLE;
        app->quit = true;
        return true;
    }
    start_waker(app);
    return true;
}

/* From the first screen to the last. */
static void run(wn_app *app)
{
    app->wake_event = SDL_RegisterEvents(1);
    if (!start_waker(app))
        return;
    loop(app);
    if (app->screen->leave != NULL)
        app->screen->leave(app);
    wn_wake_free(app->waker);
    wn_sound_free(app->sound);
    wn_app_keep_preferences(app);
}

static void start(wn_app *app, const wn_options *options, wn_key_file *key_file)
{
    *app = (wn_app){.options = options, .key_file = key_file, .status = EX_OK, .pointer_x = -1, .pointer_y = -1};
    app->dirty = true;
    app->signals = catch_signals(); /* before any thread, so that all of them have it */
    if (!wn_configuration_file(app->preferences_path, sizeof app->preferences_path, "sdl.conf"))
        app->preferences_path[0] = '\0';
    wn_preferences_read(&app->preferences, app->preferences_path);
    if (options->mute)
        app->preferences.mute = true;
}

/* With a server, from the first connection to the last word. */
static void run_with_server(wn_app *app)
{
    wn_error error;
    if (!wn_link_open(&app->link, &app->options->line, "warren-sdl " WARREN_VERSION, &error)) {
        fprintf(stderr, "warren-sdl: %s\n", error.text);
        app->status = EX_UNAVAILABLE;
        return;
    }
    wn_app_show(app, &wn_screen_wait, NULL);
    run(app);
    if (app->link.refusal[0] != '\0')
        fprintf(stderr, "warren-sdl: %s\n", app->link.refusal);
    wn_link_close(&app->link);
}

int wn_app_run(const wn_options *options, wn_key_file *key_file, int *signal_number)
{
    wn_app app;
    start(&app, options, key_file);
    *signal_number = 0;
    if (!start_window(&app))
        return EX_UNAVAILABLE;
    app.now = clock_now();
    if (options->line.replay == NULL)
        run_with_server(&app);
    else if (wn_replay_open(&app, &app.status))
        run(&app);
    stop_window(&app);
    wn_log_clear(&app.log);
    SDL_Quit();
    *signal_number = app.ended_by;
    return app.status;
}
