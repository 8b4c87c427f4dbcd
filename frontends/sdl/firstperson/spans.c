/* spans.c: see spans.h. */
#include "spans.h"

#include "raycast.h"

#include <string.h>

/* Fading faster near by than far off, and ending in the haze without an edge. */
static inline float clearness(float distance)
{
    const float left = 1.0F - distance * (1.0F / WN_HAZE_SQUARES);
    const float clear = left > 0.0F ? left : 0.0F;
    return clear * (0.45F + 0.55F * clear) * 256.0F;
}

uint32_t wn_light_at(float distance)
{
    return (uint32_t)(int32_t)clearness(distance);
}

void wn_light_rows(uint32_t *restrict light, const float *restrict distance, float scale, int32_t top, int32_t bottom)
{
    for (int32_t row = top; row < bottom; row++) {
        light[row] = (uint32_t)(int32_t)clearness(distance[row] * scale);
    }
}

void wn_span_plane(uint32_t *restrict pixels, const wn_plane *plane, const float *restrict distance,
                   const uint32_t *restrict light, uint32_t haze, uint32_t *restrict scratch, int32_t top,
                   int32_t bottom)
{
    const float side = (float)plane->side;
    const float x = plane->x * side, y = plane->y * side, dx = plane->dx * side, dy = plane->dy * side;
    const int32_t mask = (int32_t)plane->side - 1, width = (int32_t)plane->side;
    const uint32_t *texels = plane->texels;
    for (int32_t row = top; row < bottom; row++) {
        const int32_t u = (int32_t)(x + dx * distance[row]) & mask, v = (int32_t)(y + dy * distance[row]) & mask;
        scratch[row] = (uint32_t)(u * width + v);
    }
    for (int32_t row = top; row < bottom; row++) {
        scratch[row] = texels[scratch[row]];
    }
    for (int32_t row = top; row < bottom; row++) {
        pixels[row] = wn_in_haze(scratch[row], haze, light[row]);
    }
}

void wn_span_plain(uint32_t *restrict pixels, uint32_t colour, const uint32_t *restrict light, uint32_t haze,
                   int32_t top, int32_t bottom)
{
    for (int32_t row = top; row < bottom; row++) {
        pixels[row] = wn_in_haze(colour, haze, light[row]);
    }
}

void wn_span_wall(uint32_t *restrict pixels, const uint32_t *restrict texels, uint32_t side, uint32_t v, uint32_t step,
                  int32_t top, int32_t bottom)
{
    const uint32_t mask = side - 1;
    for (int32_t row = top; row < bottom; row++, v += step) {
        pixels[row] = texels[v >> 16 & mask];
    }
}

void wn_span_blend(uint32_t *restrict pixels, const uint32_t *restrict texels, uint32_t side, uint32_t v, uint32_t step,
                   int32_t top, int32_t bottom)
{
    const uint32_t mask = side - 1;
    for (int32_t row = top; row < bottom; row++, v += step) {
        const uint32_t texel = texels[v >> 16 & mask], alpha = texel >> 24;
        if (alpha == 0xff) { /* by far the most; the haze is in it already */
            pixels[row] = texel;
        } else if (alpha > 0) {
            pixels[row] = wn_in_haze(texel, pixels[row], alpha + (alpha >> 7));
        }
    }
}

void wn_span_fill(uint32_t *restrict pixels, uint32_t colour, int32_t top, int32_t bottom)
{
    for (int32_t row = top; row < bottom; row++) {
        pixels[row] = colour;
    }
}

void wn_span_sky(uint32_t *restrict pixels, const uint32_t *restrict sky, const uint16_t *restrict rows, int32_t top,
                 int32_t bottom)
{
    for (int32_t row = top; row < bottom; row++) {
        pixels[row] = sky[rows[row]];
    }
}

void wn_strip_copy(uint32_t *restrict picture, size_t stride, const uint32_t *restrict strip, size_t pitch,
                   uint32_t count, uint32_t height)
{
    for (uint32_t row = 0; row < height; row++, picture += stride) {
        if (count == WN_STRIP) {
            uint32_t line[WN_STRIP];
            for (uint32_t column = 0; column < WN_STRIP; column++) {
                line[column] = strip[column * pitch + row];
            }
            memcpy(picture, line, sizeof line);
        } else {
            for (uint32_t column = 0; column < count; column++) {
                picture[column] = strip[column * pitch + row];
            }
        }
    }
}
