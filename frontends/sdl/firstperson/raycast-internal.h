/* raycast-internal.h: what raycast.c and cards.c share: the raycaster's memory, and one frame's numbers. */
#ifndef WARREN_RAYCAST_INTERNAL_H
#define WARREN_RAYCAST_INTERNAL_H

#include "raycast.h"
#include "sky-internal.h"
#include "spans.h"

/* A billboard as it stands in the picture. */
typedef struct wn_card {
    float distance;         /* straight ahead */
    float left, top, width; /* in pixels; it is as high as it is wide */
    int32_t first, end;     /* columns */
    const uint32_t *texels;
    uint32_t light;
} wn_card;

/* One that is in a strip, with the row from which walls cover it in the column that is being drawn. */
typedef struct wn_strip_card {
    const wn_card *card;
    int32_t covered;
} wn_strip_card;

struct wn_raycaster {
    void *memory; /* holds the tables: one number for each row */
    size_t pitch; /* between columns of the strip */
    uint32_t height;
    uint32_t *strip; /* WN_STRIP columns */
    uint32_t *light; /* of the ground */
    uint32_t *top_light, *scratch;
    float *distance; /* of the ground that is seen there; far above the horizon */
    uint16_t *sky_rows;
    float *above; /* distance of the ceiling that is seen there; far below the horizon */
    uint32_t *above_light;
    int32_t level_top[WN_TEXTURE_LEVELS]; /* the first row whose ground is drawn with that level or a finer one */
    int32_t
        above_end[WN_TEXTURE_LEVELS]; /* behind the last row whose ceiling is drawn with that level or a finer one */

    float ceiling;                          /* above the eye; 0: there is none */
    float x, y, angle, eye, focal, horizon; /* the camera; focal and horizon in pixels */
    float forward_x, forward_y;

    wn_card *cards; /* nearest first */
    wn_strip_card *strip_cards;
    uint32_t card_count, strip_card_count, capacity;
};

int32_t wn_row_at(const wn_raycaster *r, float y);

bool wn_cards_reserve(wn_raycaster *r, uint32_t count);
void wn_cards_place(wn_raycaster *r, const wn_scene *scene, uint32_t width);
void wn_cards_choose(wn_raycaster *r, uint32_t from, uint32_t to);
void wn_cards_draw(wn_raycaster *r, const wn_scene *scene, uint32_t column, uint32_t *pixels);

#endif
