/* inside.h: the first-person view in a window of SDL's: a texture that is drawn anew for each frame. Whose view it is,
 * what stands beside it, and keys are the window's part (walk.h helps with those).
 */
#ifndef WARREN_INSIDE_H
#define WARREN_INSIDE_H

#include <SDL.h>

#include "first-person.h"

/* All zero shows nothing yet. */
typedef struct wn_inside {
    const Warren__Mode *mode;
    wn_picture_of *picture;
    void *user;
    wn_first_person *view; /* NULL: nobody has looked yet, or there is no memory for it */
    bool late;             /* it has not seen what came last */
    bool jumps;            /* steps and turns take no time */
    SDL_Texture *texture;
    int width, height; /* of the texture */
} wn_inside;

/* A view of that mode is to be shown, or its pictures have changed: it begins anew. `mode` must stay until then. It
 * costs nothing until somebody looks: a sky takes longer to paint than anything else at the start of a game. */
void wn_inside_begin(wn_inside *inside, const Warren__Mode *mode, wn_picture_of *picture, void *user);
void wn_inside_free(wn_inside *inside);   /* all zero again */
void wn_inside_forget(wn_inside *inside); /* the renderer's textures were lost, or it goes */

/* Whether steps and turns take their time, as they do at first, or are jumps; it stays so for views that come. */
void wn_inside_set_smooth(wn_inside *inside, bool smooth);

/* An update came. `update` (NULL: the view began anew) brings effects: they are seen for a moment. */
void wn_inside_take(wn_inside *inside, const wn_replica *replica, const Warren__Update *update, int64_t now);

/* An update came, and nobody looks from inside. */
void wn_inside_skip(wn_inside *inside);
/* Somebody does now: it sees what was skipped. */
void wn_inside_catch_up(wn_inside *inside, const wn_replica *replica, int64_t now);

/* Draws into that part of the window; in larger pixels where it has more than some million of them. false: it cannot be
 * drawn. */
bool wn_inside_draw(wn_inside *inside, SDL_Renderer *renderer, SDL_Rect rect, int64_t now);
/* Will it look different in a moment, by itself? */
bool wn_inside_moves(const wn_inside *inside, int64_t now);

#endif
