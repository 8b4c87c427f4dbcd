/* cards.c: billboards: where they stand in the picture, and drawing their slices over a finished column. */
#include "raycast-internal.h"

#include <math.h>
#include <stdlib.h>

static const float nearest_card = 0.15F; /* what is nearer is as good as behind the eye */
static const float largest = 100;

bool wn_cards_reserve(wn_raycaster *r, uint32_t count)
{
    if (count <= r->capacity) {
        return true;
    }
    wn_card *cards = malloc(count * sizeof *cards);
    wn_strip_card *strip_cards = malloc(count * sizeof *strip_cards);
    if (!cards || !strip_cards) {
        free(cards);
        free(strip_cards);
        return false;
    }
    free(r->cards);
    free(r->strip_cards);
    r->cards = cards;
    r->strip_cards = strip_cards;
    r->capacity = count;
    return true;
}

/* Which of its four frames is seen: 0 from the front, when it faces the eye, then clockwise around it. */
static uint32_t frame_of(const wn_raycaster *r, const wn_billboard *board)
{
    if (board->frames != 4 || board->facing > 7) {
        return 0;
    }
    const float quarter = 1.57079632679F;
    const float to_eye = atan2f(r->x - board->x, board->y - r->y);
    const float turned = (to_eye - (float)board->facing * quarter / 2) / quarter;
    return (uint32_t)((int32_t)floorf(turned + 0.5F) & 3);
}

static bool place(const wn_raycaster *r, const wn_scene *scene, const wn_billboard *board, uint32_t width,
                  wn_card *card)
{
    const float off_x = board->x - r->x, off_y = board->y - r->y;
    const float distance = off_x * r->forward_x + off_y * r->forward_y;
    const float right = -off_x * r->forward_y + off_y * r->forward_x;
    if (!(distance > nearest_card && distance < WN_HAZE_SQUARES && board->height > 0 && board->height <= largest &&
          fabsf(board->lift) <= largest)) {
        return false;
    }
    const wn_texture *texture = wn_textures_find(scene->textures, board->texture + frame_of(r, board));
    if (!texture) {
        return false;
    }
    const float size = board->height * r->focal / distance;
    const float middle = (float)width / 2 + right * r->focal / distance;
    const float left = ceilf(middle - size / 2 - 0.5F), end = ceilf(middle + size / 2 - 0.5F);
    if (!(left < (float)width && end > 0 && size > 0.01F)) {
        return false;
    }
    *card = (wn_card){
        .distance = distance,
        .left = middle - size / 2,
        .top = r->horizon + (r->eye - board->lift - board->height) * r->focal / distance,
        .width = size,
        .first = left > 0 ? (int32_t)left : 0,
        .end = end < (float)width ? (int32_t)end : (int32_t)width,
        .texels = texture->seen,
        .light = wn_light_at(distance),
    };
    return true;
}

static int nearer(const void *a, const void *b)
{
    const wn_card *one = a, *other = b;
    return (one->distance > other->distance) - (one->distance < other->distance);
}

void wn_cards_place(wn_raycaster *r, const wn_scene *scene, uint32_t width)
{
    r->card_count = 0;
    for (uint32_t i = 0; i < scene->billboard_count; i++) {
        if (place(r, scene, &scene->billboards[i], width, &r->cards[r->card_count])) {
            r->card_count++;
        }
    }
    if (r->card_count > 1) {
        qsort(r->cards, r->card_count, sizeof *r->cards, nearer);
    }
}

void wn_cards_choose(wn_raycaster *r, uint32_t from, uint32_t to)
{
    r->strip_card_count = 0;
    for (uint32_t i = 0; i < r->card_count; i++) {
        if (r->cards[i].first < (int32_t)to && r->cards[i].end > (int32_t)from) {
            r->strip_cards[r->strip_card_count++].card = &r->cards[i];
        }
    }
}

static void draw_slice(const wn_raycaster *r, const wn_card *card, int32_t covered, uint32_t column, uint32_t haze,
                       uint32_t *pixels)
{
    const int32_t top = wn_row_at(r, card->top);
    int32_t bottom = wn_row_at(r, card->top + card->width);
    bottom = bottom < covered ? bottom : covered;
    if (top >= bottom) {
        return;
    }
    uint32_t level = 0;
    const float texels_per_row = WN_TEXTURE_SIDE / card->width;
    while (level + 1 < WN_TEXTURE_LEVELS && texels_per_row > 1.4F * (float)(1u << level)) {
        level++;
    }
    const uint32_t side = WN_TEXTURE_SIDE >> level;
    const float across = ((float)column + 0.5F - card->left) / card->width;
    const int32_t u = (int32_t)(across * (float)side);
    const uint32_t *texels = card->texels + wn_texture_level[level] +
                             (uint32_t)(u < 0               ? 0
                                        : u < (int32_t)side ? u
                                                            : (int32_t)side - 1) *
                                 side;
    uint32_t lit[WN_TEXTURE_SIDE];
    for (uint32_t i = 0; i < side; i++) {
        lit[i] = (wn_in_haze(texels[i], haze, card->light) & 0xffffff) | (texels[i] & 0xff000000);
    }
    const float step = (float)side / card->width;
    const float v = ((float)top + 0.5F - card->top) * step;
    wn_span_blend(pixels, lit, side, (uint32_t)(int64_t)(v * 65536), (uint32_t)(int64_t)(step * 65536), top, bottom);
}

/* The furthest first, so that the nearer ones come to lie over them. */
void wn_cards_draw(wn_raycaster *r, const wn_scene *scene, uint32_t column, uint32_t *pixels)
{
    for (uint32_t i = r->strip_card_count; i-- > 0;) {
        const wn_strip_card *in_strip = &r->strip_cards[i];
        if ((int32_t)column >= in_strip->card->first && (int32_t)column < in_strip->card->end) {
            draw_slice(r, in_strip->card, in_strip->covered, column, scene->sky->haze, pixels);
        }
    }
}
