/* raycast.h: draws a grid of squares as someone who stands in it sees it: walls of any height, floors, sky, and
 * pictures that stand in it. On the CPU, into memory of the caller's; it knows no window, no mode and no replica.
 *
 * How to use it: fill a wn_textures (texture.h) and a wn_sky (sky.h) once, make a wn_raycaster, and call wn_raycast()
 * for each frame. Nothing allocates but the first frame of a size, or with more billboards than before.
 *
 * Measures: lengths are in squares; the square in column 3 of row 5 reaches from (3, 5) to (4, 6). y grows to the
 * south. Angles are in radians, clockwise, 0 looks north. The ground is at height 0. Pixels and colours are 0xAARRGGBB.
 */
#ifndef WARREN_RAYCAST_H
#define WARREN_RAYCAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sky.h"
#include "texture.h"

/* Instead of a texture's number: the square's colour alone; nothing there, only haze. A texture that is not set is
 * drawn as WN_PLAIN. */
enum { WN_PLAIN = 0xfffe, WN_NOTHING = 0xffff };

enum { WN_HEIGHT_MAX = 1000, WN_HAZE_SQUARES = 32 }; /* the highest wall; beyond so many squares all is haze */

/* A wall's faces and, where the eye is above it, its top have the texture `wall`. */
typedef struct wn_square {
    uint16_t floor;
    uint16_t wall;
    uint16_t height; /* of the wall, in tenths; 0: none */
    bool remembered; /* shown dim and grey */
    uint32_t colour;
} wn_square;

/* A picture that stands upright and faces the eye. Where it is transparent the scene shows through. */
typedef struct wn_billboard {
    float x, y;       /* the middle of its foot */
    float lift;       /* of the foot above the ground */
    float height;     /* it is as wide as it is high */
    uint16_t texture; /* the first of `frames` */
    uint8_t frames;   /* 1, or 4: seen from the front, its right, the back, its left */
    uint8_t facing;   /* a direction 0 (north) to 7, clockwise, that picks the frame; 8: none, the front is seen */
} wn_billboard;

typedef struct wn_scene {
    const wn_square *squares; /* width * height, row by row; outside of them is nothing */
    uint32_t width, height;
    const wn_billboard *billboards; /* in any order */
    uint32_t billboard_count;
    const wn_textures *textures;
    const wn_sky *sky;
    uint16_t ceiling; /* the texture above everything, under which no sky is seen; walls do not reach through it */
    uint16_t ceiling_height; /* in tenths; 0: there is none */
} wn_scene;

/* Where the eye is. It may be anywhere: the walls of the square that it is in are not drawn, outside of the grid it
 * sees the grid from there. What is not a finite number is taken as 0. */
typedef struct wn_camera {
    float x, y, angle;
    float eye;     /* above the ground; 0.05 to 100 */
    float field;   /* of view, from the left edge to the right: 0.2 to 2.6 */
    float horizon; /* where it is in the picture, 0 at the top, 1 at the bottom; -1 to 2 */
} wn_camera;

typedef struct wn_frame {
    uint32_t
        *pixels; /* every one of width * height is written, with alpha 255; nothing between a row's end and the next */
    uint32_t width, height;
    size_t stride; /* pixels from row to row, at least width */
} wn_frame;

typedef struct wn_raycaster wn_raycaster;

wn_raycaster *wn_raycaster_new(void); /* NULL: no memory */
void wn_raycaster_free(wn_raycaster *raycaster);

/* false, and nothing drawn: no memory. A frame without pixels is fine. */
bool wn_raycast(wn_raycaster *raycaster, const wn_scene *scene, const wn_camera *camera, const wn_frame *frame);

#endif
