/* picture.h: what the window shows as files: PNG, and moving ones as animated PNG. Written whole or not at all. */
#ifndef WARREN_SDL_PICTURE_H
#define WARREN_SDL_PICTURE_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

/* A new file's name in the player's directory for pictures ($XDG_PICTURES_DIR, ~/Pictures, else the home or current
 * one): warren-20260131-142501.png. false with a sentence. */
bool wn_picture_path(char *path, size_t size, const char *ending, wn_error *error);
/* The frame that was drawn last. */
bool wn_picture_save(SDL_Renderer *renderer, const char *path, wn_error *error);

/* Moving pictures: frames of one size, each shown until the next one came. */
typedef struct wn_film wn_film;
enum { WN_FILM_SECONDS = 300 };
/* Begins a file; the first frame says how large it is. NULL with a sentence. */
wn_film *wn_film_begin(const char *path, wn_error *error);
/* Adds what was drawn last, if it looks different. Frames of another size than the first are left out. false: the file
 * cannot be written on. */
bool wn_film_add(wn_film *film, SDL_Renderer *renderer, int64_t now);
const char *wn_film_path(const wn_film *film); /* the file that it is going to be */
/* The last frame is shown up to `now`. Frees it. false with a sentence: there is no file. */
bool wn_film_end(wn_film *film, int64_t now, wn_error *error);

#endif
