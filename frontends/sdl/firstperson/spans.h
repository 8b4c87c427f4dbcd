/* spans.h: the inner loops of the raycaster: everything that is done once a pixel. Each fills rows [top, bottom) of one
 * column, whose pixels follow each other in memory. Written so that compilers make vector code of them: the parts that
 * cannot be, look-ups of texels, stand in loops of their own.
 */
#ifndef WARREN_SPANS_H
#define WARREN_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "texture-internal.h"

enum { WN_STRIP = 16 }; /* columns that are drawn before they are copied out: one cache line of every row */

/* Light from 0 (all haze) to 256 at a distance. */
uint32_t wn_light_at(float distance);
/* The same for the rows of a column: `distance` is of the ground there, and of what is drawn `scale` times that. */
void wn_light_rows(uint32_t *light, const float *distance, float scale, int32_t top, int32_t bottom);

/* texel * light + haze * (256 - light), each part by itself; alpha is 255. */
static inline uint32_t wn_in_haze(uint32_t texel, uint32_t haze, uint32_t light)
{
    const uint32_t haze_rb = haze & 0xff00ff, haze_g = haze & 0xff00;
    const uint32_t rb = (haze_rb << 8) + ((texel & 0xff00ff) - haze_rb) * light;
    const uint32_t g = (haze_g << 8) + ((texel & 0xff00) - haze_g) * light;
    return (rb >> 8 & 0xff00ff) | (g >> 8 & 0xff00) | 0xff000000;
}

/* A texture that lies flat. At a row with distance d it is seen at (x + dx * d, y + dy * d), one texture a square. */
typedef struct wn_plane {
    const uint32_t *texels; /* of one level */
    uint32_t side;          /* of that level */
    float x, y, dx, dy;
} wn_plane;

void wn_span_plane(uint32_t *pixels, const wn_plane *plane, const float *distance, const uint32_t *light, uint32_t haze,
                   uint32_t *scratch, int32_t top, int32_t bottom);
void wn_span_plain(uint32_t *pixels, uint32_t colour, const uint32_t *light, uint32_t haze, int32_t top,
                   int32_t bottom);

/* A texture that stands: `texels` are one column of `side`, already lit; `v` (16.16, in texels, from the top) is where
 * the first row lies in it, `step` what a row adds. It repeats. */
void wn_span_wall(uint32_t *pixels, const uint32_t *texels, uint32_t side, uint32_t v, uint32_t step, int32_t top,
                  int32_t bottom);
/* The same, with alpha, over what is there. */
void wn_span_blend(uint32_t *pixels, const uint32_t *texels, uint32_t side, uint32_t v, uint32_t step, int32_t top,
                   int32_t bottom);

void wn_span_fill(uint32_t *pixels, uint32_t colour, int32_t top, int32_t bottom);
void wn_span_sky(uint32_t *pixels, const uint32_t *sky, const uint16_t *rows, int32_t top, int32_t bottom);

/* Copies `count` columns (at most WN_STRIP), `pitch` pixels apart, to be columns of a picture of rows. */
void wn_strip_copy(uint32_t *picture, size_t stride, const uint32_t *strip, size_t pitch, uint32_t count,
                   uint32_t height);

#endif
