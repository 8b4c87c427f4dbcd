/* inside.c: see inside.h. */
#include "inside.h"

enum { PIXELS_MOST = 1300 * 900 }; /* of a frame: what is drawn sixty times a second without making a fan turn */

void wn_inside_begin(wn_inside *inside, const Warren__Mode *mode, wn_picture_of *picture, void *user)
{
    wn_first_person_free(inside->view);
    inside->mode = mode;
    inside->picture = picture;
    inside->user = user;
    inside->view = NULL;
    inside->late = true;
}

static bool make_view(wn_inside *inside)
{
    if (!inside->view && inside->mode) {
        inside->view = wn_first_person_new(inside->mode, inside->picture, inside->user);
        wn_inside_set_smooth(inside, !inside->jumps);
    }
    return inside->view != NULL;
}

void wn_inside_forget(wn_inside *inside)
{
    if (inside->texture) {
        SDL_DestroyTexture(inside->texture);
    }
    inside->texture = NULL;
}

void wn_inside_free(wn_inside *inside)
{
    wn_inside_forget(inside);
    wn_first_person_free(inside->view);
    *inside = (wn_inside){0};
}

void wn_inside_set_smooth(wn_inside *inside, bool smooth)
{
    inside->jumps = !smooth;
    if (inside->view) {
        wn_first_person_set_smooth(inside->view, smooth);
    }
}

void wn_inside_take(wn_inside *inside, const wn_replica *replica, const Warren__Update *update, int64_t now)
{
    if (!make_view(inside)) {
        return;
    }
    inside->late = false;
    if (!wn_first_person_see(inside->view, replica, now) || !update ||
        update->body_case != WARREN__UPDATE__BODY_DELTA) {
        return;
    }
    for (size_t i = 0; i < update->delta->n_effects; i++) {
        wn_first_person_effect(inside->view, update->delta->effects[i], now);
    }
}

void wn_inside_skip(wn_inside *inside)
{
    inside->late = true;
}

void wn_inside_catch_up(wn_inside *inside, const wn_replica *replica, int64_t now)
{
    if (inside->late) {
        wn_inside_take(inside, replica, NULL, now);
    }
}

static bool make_texture(wn_inside *inside, SDL_Renderer *renderer, SDL_Rect rect)
{
    int larger = 1;
    while ((int64_t)rect.w * rect.h / larger / larger > PIXELS_MOST) {
        larger++;
    }
    const int width = (rect.w + larger - 1) / larger, height = (rect.h + larger - 1) / larger;
    if (inside->texture && width == inside->width && height == inside->height) {
        return true;
    }
    wn_inside_forget(inside);
    inside->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, width, height);
    inside->width = width;
    inside->height = height;
    if (inside->texture) {
        SDL_SetTextureBlendMode(inside->texture, SDL_BLENDMODE_NONE);
    }
    return inside->texture != NULL;
}

bool wn_inside_draw(wn_inside *inside, SDL_Renderer *renderer, SDL_Rect rect, int64_t now)
{
    void *pixels;
    int pitch;
    if (!make_view(inside) || rect.w < 1 || rect.h < 1 || !make_texture(inside, renderer, rect) ||
        SDL_LockTexture(inside->texture, NULL, &pixels, &pitch) != 0) {
        return false;
    }
    const wn_frame frame = {pixels, (uint32_t)inside->width, (uint32_t)inside->height, (size_t)pitch / 4};
    const bool drawn = wn_first_person_draw(inside->view, &frame, now);
    SDL_UnlockTexture(inside->texture);
    return drawn && SDL_RenderCopy(renderer, inside->texture, NULL, &rect) == 0;
}

bool wn_inside_moves(const wn_inside *inside, int64_t now)
{
    return inside->view && wn_first_person_moves(inside->view, now);
}
