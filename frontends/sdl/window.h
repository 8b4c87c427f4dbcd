/* window.h: the one window, its renderer, and how many pixels there are to a point. */
#ifndef WARREN_SDL_WINDOW_H
#define WARREN_SDL_WINDOW_H

#include <SDL.h>
#include <stdbool.h>

#include "wire.h"

/* What a window may be, in points. */
enum { WN_WINDOW_LEAST_WIDTH = 320, WN_WINDOW_LEAST_HEIGHT = 240, WN_WINDOW_MOST = 16384 };

typedef enum wn_rendering { WN_RENDERING_ANY, WN_RENDERING_ACCELERATED, WN_RENDERING_SOFTWARE } wn_rendering;

typedef struct wn_window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    int width, height; /* in pixels */
    float density;     /* pixels to a point of the mouse's */
    bool paced;        /* presenting waits for the display */
    bool full;
} wn_window;

/* `width`, `height` in points. false with a sentence. */
bool wn_window_open(wn_window *window, int width, int height, bool full, wn_rendering rendering, wn_error *error);
void wn_window_close(wn_window *window);
/* Its size may have changed. */
void wn_window_measure(wn_window *window);
void wn_window_set_full(wn_window *window, bool full);
/* What text and lines should be scaled by on this display. */
float wn_window_display_scale(const wn_window *window);

#endif
