/* glide.c: where sprites are between two cells. See glide.h. */
#include "glide.h"

#include <math.h>
#include <stdlib.h>

/* Farther than this a sprite does not walk: it is somewhere else now. */
static const float farthest = 3.5F;

void wn_glide_place(const wn_glide *glide, int64_t now, float *x, float *y)
{
    const float part = (float)(now - glide->start) / WN_GLIDE_MS;
    const float on = part <= 0 ? 0 : part >= 1 ? 1 : part * (2 - part); /* it slows down as it arrives */
    *x = glide->from_x + (glide->to_x - glide->from_x) * on;
    *y = glide->from_y + (glide->to_y - glide->from_y) * on;
}

uint8_t wn_glide_opacity(const wn_glide *glide, int64_t now)
{
    if (glide->gone == 0) {
        return 255;
    }
    const int64_t left = WN_FADE_MS - (now - glide->gone);
    return left <= 0 ? 0 : (uint8_t)(left * 255 / WN_FADE_MS);
}

static size_t place_of(const wn_glides *glides, uint32_t id)
{
    size_t low = 0, high = glides->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (glides->items[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const wn_glide *wn_glides_find(const wn_glides *glides, uint32_t id)
{
    const size_t at = place_of(glides, id);
    return at < glides->count && glides->items[at].id == id ? &glides->items[at] : NULL;
}

static bool make_room(wn_glides *glides, size_t count)
{
    if (count <= glides->capacity) {
        return true;
    }
    wn_glide *items = realloc(glides->items, count * 2 * sizeof *items);
    if (items == NULL) {
        return false;
    }
    glides->items = items;
    glides->capacity = count * 2;
    return true;
}

static void go(wn_glide *glide, float x, float y, int64_t now, bool smooth)
{
    if (x == glide->to_x && y == glide->to_y) {
        return;
    }
    wn_glide_place(glide, now, &glide->from_x, &glide->from_y);
    glide->to_x = x;
    glide->to_y = y;
    glide->start = now;
    if (!smooth || fabsf(x - glide->from_x) > farthest || fabsf(y - glide->from_y) > farthest) {
        glide->start = now - WN_GLIDE_MS;
    }
}

static void take_sprite(wn_glides *glides, const wn_sprite_state *sprite, const wn_replica *replica, int64_t now,
                        bool smooth)
{
    const float x = (float)(sprite->at % replica->width), y = (float)(sprite->at / replica->width);
    const size_t at = place_of(glides, sprite->id);
    if (at == glides->count || glides->items[at].id != sprite->id) {
        for (size_t i = glides->count++; i > at; i--) {
            glides->items[i] = glides->items[i - 1];
        }
        glides->items[at] = (wn_glide){.id = sprite->id, .from_x = x, .from_y = y, .to_x = x, .to_y = y};
    }
    wn_glide *glide = &glides->items[at];
    if (glide->gone != 0) {
        glide->from_x = glide->to_x = x;
        glide->from_y = glide->to_y = y;
    }
    go(glide, x, y, now, smooth);
    glide->gone = 0;
    glide->tile = sprite->tile;
    glide->facing = sprite->facing;
}

/* Both lists are sorted by id: those that only this one has are gone. What has faded is forgotten. */
static void leave_gone(wn_glides *glides, const wn_replica *replica, int64_t now, bool smooth)
{
    size_t kept = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < glides->count; i++) {
        wn_glide *glide = &glides->items[i];
        while (next < replica->sprite_count && replica->sprites[next].id < glide->id) {
            next++;
        }
        const bool there = next < replica->sprite_count && replica->sprites[next].id == glide->id;
        if (!there && glide->gone == 0) {
            glide->gone = smooth ? now : now - WN_FADE_MS;
        }
        if (there || now - glide->gone < WN_FADE_MS) {
            glides->items[kept++] = *glide;
        }
    }
    glides->count = kept;
}

void wn_glides_take(wn_glides *glides, const wn_replica *replica, int64_t now, bool smooth)
{
    if (glides->width != replica->width || glides->height != replica->height) {
        glides->count = 0;
    }
    glides->width = replica->width;
    glides->height = replica->height;
    leave_gone(glides, replica, now, smooth);
    if (replica->width == 0 || !make_room(glides, glides->count + replica->sprite_count)) {
        return;
    }
    for (uint32_t i = 0; i < replica->sprite_count; i++) {
        take_sprite(glides, &replica->sprites[i], replica, now, smooth);
    }
}

void wn_glides_free(wn_glides *glides)
{
    free(glides->items);
    *glides = (wn_glides){0};
}

bool wn_glides_move(const wn_glides *glides, int64_t now)
{
    for (size_t i = 0; i < glides->count; i++) {
        const wn_glide *glide = &glides->items[i];
        const bool still = glide->from_x == glide->to_x && glide->from_y == glide->to_y;
        if ((!still && now - glide->start < WN_GLIDE_MS) || (glide->gone != 0 && now - glide->gone < WN_FADE_MS)) {
            return true;
        }
    }
    return false;
}
