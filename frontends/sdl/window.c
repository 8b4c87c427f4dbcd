/* window.c: the one window and its renderer. See window.h. */
#include "window.h"

#include <stdlib.h>

static bool fail(wn_error *error)
{
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    const bool none = (display == NULL || display[0] == '\0') && (wayland == NULL || wayland[0] == '\0');
    return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "display", 0,
                        none ? "There is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set. "
                               "Start it from a graphical session, or play in this terminal with: warren"
                             : "No window could be opened on the display (%.200s). Start it from a graphical session, "
                               "or play in a terminal with: warren",
                        SDL_GetError());
}

static SDL_Renderer *make_renderer(SDL_Window *window, wn_rendering rendering)
{
    SDL_Renderer *renderer = NULL;
    /* Without the hint SDL shows what was drawn by way of OpenGL, which may be what fails. */
    if (rendering == WN_RENDERING_SOFTWARE) {
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    } else {
        renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
    }
    if (renderer == NULL && rendering != WN_RENDERING_ACCELERATED) {
        renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
    }
    return renderer;
}

bool wn_window_open(wn_window *window, int width, int height, bool full, wn_rendering rendering, wn_error *error)
{
    *window = (wn_window){0};
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        return fail(error);
    }
    const Uint32 flags =
        SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | (full ? (Uint32)SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    window->window = SDL_CreateWindow("Warren", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height, flags);
    if (window->window == NULL) {
        return fail(error);
    }
    SDL_SetWindowMinimumSize(window->window, WN_WINDOW_LEAST_WIDTH, WN_WINDOW_LEAST_HEIGHT);
    window->renderer = make_renderer(window->window, rendering);
    if (window->renderer == NULL) {
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "renderer", 0,
                     "This display cannot be drawn on in that way (%.200s). Try: warren-sdl --renderer=software",
                     SDL_GetError());
        wn_window_close(window);
        return false;
    }
    SDL_RendererInfo info;
    window->paced = SDL_GetRendererInfo(window->renderer, &info) == 0 && (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
    window->full = full;
    wn_window_measure(window);
    return true;
}

void wn_window_close(wn_window *window)
{
    if (window->renderer != NULL) {
        SDL_DestroyRenderer(window->renderer);
    }
    if (window->window != NULL) {
        SDL_DestroyWindow(window->window);
    }
    *window = (wn_window){0};
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

void wn_window_measure(wn_window *window)
{
    int points, unused;
    SDL_GetWindowSize(window->window, &points, &unused);
    if (SDL_GetRendererOutputSize(window->renderer, &window->width, &window->height) != 0) {
        SDL_GetWindowSize(window->window, &window->width, &window->height);
    }
    window->density = points > 0 ? (float)window->width / (float)points : 1;
}

void wn_window_set_full(wn_window *window, bool full)
{
    if (SDL_SetWindowFullscreen(window->window, full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) == 0) {
        window->full = full;
    }
}

/* Some systems give more pixels than points; on the others the display says how dense it is. 96 dots to an inch is what
 * sizes are meant for; displays that are no denser than usual are left alone, since many of them say what is not so. */
float wn_window_display_scale(const wn_window *window)
{
    float dots = 0;
    if (window->density > 1.05F) {
        return window->density;
    }
    const int display = SDL_GetWindowDisplayIndex(window->window);
    if (display < 0 || SDL_GetDisplayDPI(display, &dots, NULL, NULL) != 0 || dots < 130) {
        return 1;
    }
    const float scale = (float)(int)(dots / 96 * 4 + 0.5F) / 4;
    return scale > 3 ? 3 : scale;
}
