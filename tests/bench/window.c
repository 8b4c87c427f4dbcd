/* window.c: how long frames of the picture frontend take: recorded games as scenes, from above in three sizes, and from
 * inside, with somebody moving. Prints the median and the 99th percentile of the frames of each.
 * Usage: bench-window [--size WIDTHxHEIGHT] [--renderer auto|accelerated|software] [--frames N] RECORDING... */
#include <SDL.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "app.h"
#include "measure.h"
#include "playback.h"
#include "scene.h"

enum { FRAME_MS = 16, FRAMES_OF_TURN = 6 };

typedef struct bench {
    wn_options options;
    wn_app app;
    wn_playback playback;
    wn_scene_view view;
    int frames;
} bench;

/* The next turn is shown; how long the game takes for it does not count. */
static void next_turn(bench *at)
{
    wn_error error;
    int64_t next;
    wn_playback_news news = WN_PLAYBACK_ON_ITS_WAY;
    wn_playback_move(&at->playback, 1, at->app.now);
    while (news == WN_PLAYBACK_ON_ITS_WAY) {
        news = wn_playback_work(&at->playback, at->app.now, &next, &error);
    }
    if (news == WN_PLAYBACK_SHOWN) {
        wn_scene_take(&at->view, &at->app, wn_player_replica(at->playback.player),
                      wn_player_update(at->playback.player));
    }
}

static double frame_us(bench *at)
{
    const double start = wn_clock_us();
    wn_ink_area(&at->app.ink, (SDL_Rect){0, 0, at->app.window.width, at->app.window.height}, WN_INK_NIGHT, 255);
    wn_scene_draw(&at->view, &at->app, wn_player_replica(at->playback.player), 31, 31);
    SDL_RenderPresent(at->app.ink.renderer);
    return wn_clock_us() - start;
}

static void measure(bench *at, const char *name, int zoom)
{
    wn_samples samples = {0};
    at->view.first_person = zoom == 0;
    if (zoom > 0) {
        wn_viewport_set_zoom(&at->view.board.view, zoom);
    }
    for (int i = 0; i < at->frames; i++) {
        at->app.now += FRAME_MS;
        if (i % FRAMES_OF_TURN == 0) {
            next_turn(at);
        }
        at->view.board.view.pan_x = i % 40 < 20 ? i % 20 * 0.25 : 5 - i % 20 * 0.25; /* it scrolls all the time */
        const double took = frame_us(at);
        if (i >= FRAMES_OF_TURN) { /* textures are made with the first */
            wn_samples_add(&samples, took);
        }
    }
    char scene[64];
    snprintf(scene, sizeof scene, zoom > 0 ? "%s from above, cells of %d" : "%s from inside", name, zoom);
    printf("%-44s %8.2f ms %8.2f ms\n", scene, wn_samples_percentile(&samples, 50) / 1000,
           wn_samples_percentile(&samples, 99) / 1000);
    wn_samples_free(&samples);
}

static int measure_recording(bench *at, const char *path)
{
    wn_error error;
    const int status = wn_playback_load(&at->playback, path, NULL, &error);
    if (status != 0) {
        fprintf(stderr, "bench-window: %s\n", error.text);
        return status;
    }
    const Warren__Mode *mode = wn_player_replica(at->playback.player)->mode;
    wn_scene_init(&at->view);
    wn_scene_begin(&at->view, &at->app, mode);
    for (int i = 0; i < 40; i++) { /* somebody is there by then */
        next_turn(at);
    }
    wn_player_choose(at->playback.player, 0, NULL);
    next_turn(at);
    for (int zoom = 64; zoom >= 16; zoom /= 2) {
        measure(at, mode->name, zoom);
    }
    measure(at, mode->name, 0);
    wn_scene_free(&at->view);
    wn_playback_free(&at->playback);
    return 0;
}

static bool start(bench *at, int width, int height, wn_rendering rendering)
{
    wn_error error;
    wn_app *app = &at->app;
    app->options = &at->options;
    app->now = 1000;
    wn_preferences_standard(&app->preferences);
    app->preferences.mute = true;
    setenv("SDL_VIDEODRIVER", "offscreen", 0);
    if (!wn_window_open(&app->window, width, height, false, rendering, &error)) {
        fprintf(stderr, "bench-window: %s\n", error.text);
        return false;
    }
    SDL_RenderSetVSync(app->window.renderer, 0);
    app->ink = (wn_ink){.renderer = app->window.renderer, .scale = 1};
    app->ink.fonts = wn_fonts_new(app->ink.renderer, NULL, &error);
    if (app->ink.fonts == NULL) {
        fprintf(stderr, "bench-window: %s\n", error.text);
    }
    return app->ink.fonts != NULL;
}

static int usage(void)
{
    fprintf(stderr, "usage: bench-window [--size WIDTHxHEIGHT] [--renderer auto|accelerated|software] [--frames N] "
                    "RECORDING...\n");
    return EX_USAGE;
}

static bool parse_rendering(const char *text, wn_rendering *rendering)
{
    static const char *const names[] = {"auto", "accelerated", "software"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *rendering = (wn_rendering)i;
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    static const struct option table[] = {{"size", required_argument, NULL, 's'},
                                          {"renderer", required_argument, NULL, 'r'},
                                          {"frames", required_argument, NULL, 'f'},
                                          {NULL, 0, NULL, 0}};
    static bench at = {.frames = 400}; /* too large for a stack */
    int width = 1280, height = 800, option, status = 0;
    wn_rendering rendering = WN_RENDERING_SOFTWARE;
    while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
        const bool good = option == 's'   ? sscanf(optarg, "%5dx%5d", &width, &height) == 2
                          : option == 'r' ? parse_rendering(optarg, &rendering)
                          : option == 'f' ? (at.frames = atoi(optarg)) > FRAMES_OF_TURN
                                          : false;
        if (!good) {
            return usage();
        }
    }
    if (optind == argc) {
        return usage();
    }
    if (!start(&at, width, height, rendering)) {
        return EX_UNAVAILABLE;
    }
    SDL_RendererInfo info;
    SDL_GetRendererInfo(at.app.ink.renderer, &info);
    printf("%-44s %11s %11s\n", "frames of the window", "median", "99th");
    printf("(%d x %d, renderer %s)\n", at.app.window.width, at.app.window.height, info.name);
    for (int i = optind; i < argc && status == 0; i++) {
        status = measure_recording(&at, argv[i]);
    }
    wn_fonts_free(at.app.ink.fonts);
    wn_window_close(&at.app.window);
    SDL_Quit();
    return status;
}
