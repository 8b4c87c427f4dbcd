/* app.c: the loop between window, daemon and screens, from its beginning to its end. See app.h; app-input.c has keys
 * and the pointer, app-bars.c the bars, app-preferences.c what the player has chosen. */
#include "app-parts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#include "picture.h"
#include "replay.h"
#include "wake.h"

enum { FRAME_MS = 16, WAKE_CLIENT = 1, WAKE_SIGNAL = 2 };

static int64_t clock_now(void)
{
    return (int64_t)SDL_GetTicks64() + 1; /* 0 stands for "never" in many places */
}

void wn_app_wake_at(wn_app *app, int64_t when)
{
    if (when > 0 && (app->wake == 0 || when < app->wake)) {
        app->wake = when;
    }
}

void wn_app_move_on(wn_app *app)
{
    app->moving = true;
}

void wn_app_show(wn_app *app, const wn_screen *screen, void *state)
{
    app->note_until = 0; /* it was about the screen before */
    if (app->screen != NULL && app->screen->leave != NULL) {
        app->screen->leave(app);
    }
    app->screen = screen;
    app->state = state;
    app->hot_count = 0;
    app->dirty = true;
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
    if (wn_picture_path(path, sizeof path, "png", &error) && wn_picture_save(app->ink.renderer, path, &error)) {
        wn_app_note(app, "This picture is in %s", path);
    } else {
        wn_app_note(app, "%s", error.text);
    }
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
    if (app->picture_wanted) {
        save_picture(app);
    }
    SDL_RenderPresent(app->ink.renderer);
    app->frame = clock_now();
}

static void forget_textures(wn_app *app)
{
    wn_fonts_forget(app->ink.fonts);
    if (app->screen->forget != NULL) {
        app->screen->forget(app);
    }
    app->dirty = true;
}

/* what the daemon says */

static void take_client_events(wn_app *app)
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

/* what SDL says */

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
        if ((event->user.code & WAKE_SIGNAL) != 0) {
            take_signal(app, app->signals);
        }
        if ((event->user.code & WAKE_CLIENT) != 0) {
            take_client_events(app);
        }
        wn_wake_again(app->waker);
        return;
    }
    switch (event->type) {
    case SDL_QUIT:
        app->quit = true;
        return;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        forget_textures(app);
        return;
    default:
        wn_app_take_input(app, event);
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
        if (app->wake != 0 && app->wake <= app->now) {
            app->dirty = true;
        }
        app->wake = 0;
        wn_app_wake_at(app, app->link.back_until > app->now ? app->link.back_until : 0);
        wn_app_close_sound(app);
        wn_app_ask_pads(app);
        wn_app_repeat_pad(app);
        if (app->screen->tick != NULL) {
            app->screen->tick(app);
        }
        if ((app->dirty || app->moving) && !app->hidden) {
            draw(app);
        }
        const int got = SDL_WaitEventTimeout(&event, wait_ms(app));
        for (bool more = got != 0; more && !app->quit; more = SDL_PollEvent(&event) != 0) {
            take_sdl_event(app, &event);
        }
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
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) {
        return -1;
    }
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
    if (!wn_address_parse(&wanted, address, error)) {
        return false;
    }
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
    if (!start_waker(app)) {
        return;
    }
    loop(app);
    if (app->screen->leave != NULL) {
        app->screen->leave(app);
    }
    wn_wake_free(app->waker);
    wn_sound_free(app->sound);
    wn_app_keep_preferences(app);
}

static void start(wn_app *app, const wn_options *options, wn_key_file *key_file)
{
    *app = (wn_app){.options = options, .key_file = key_file, .status = EX_OK, .pointer_x = -1, .pointer_y = -1};
    app->dirty = true;
    app->signals = catch_signals(); /* before any thread, so that all of them have it */
    if (!wn_configuration_file(app->preferences_path, sizeof app->preferences_path, "sdl.conf")) {
        app->preferences_path[0] = '\0';
    }
    wn_preferences_read(&app->preferences, app->preferences_path);
    if (options->mute) {
        app->preferences.mute = true;
    }
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
    if (app->link.refusal[0] != '\0') {
        fprintf(stderr, "warren-sdl: %s\n", app->link.refusal);
    }
    wn_link_close(&app->link);
}

int wn_app_run(const wn_options *options, wn_key_file *key_file, int *signal_number)
{
    wn_app app;
    start(&app, options, key_file);
    *signal_number = 0;
    if (!start_window(&app)) {
        return EX_UNAVAILABLE;
    }
    app.now = clock_now();
    if (options->line.replay == NULL) {
        run_with_server(&app);
    } else if (wn_replay_open(&app, &app.status)) {
        run(&app);
    }
    stop_window(&app);
    wn_log_clear(&app.log);
    SDL_Quit();
    *signal_number = app.ended_by;
    return app.status;
}
