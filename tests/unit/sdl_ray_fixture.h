/* sdl_ray_fixture.h: scenes from drawn maps, and what is seen in them, pixel by pixel.
 */
#ifndef WARREN_TESTS_SDL_RAY_FIXTURE_H
#define WARREN_TESTS_SDL_RAY_FIXTURE_H

#include "raycast.h"

enum { BLUE_CARD = 0, BRICKS = 1, FLAGS = 2, FIGURE = 3, TEXTURES = 4, SIDE_MOST = 160 };

/* A scene that is seen through a field of a quarter turn: something as far away as half the picture is wide, in pixels,
 * is as high in pixels as it is in squares. */
typedef struct ray_fixture {
    wn_square squares[1024];
    wn_billboard boards[4];
    wn_scene scene;
    wn_camera camera;
    wn_textures *textures;
    wn_sky *sky;
    wn_raycaster *raycaster;
    uint32_t pixels[SIDE_MOST * SIDE_MOST];
    wn_frame frame;
} ray_fixture;

/* '#' is a red wall ten tenths high, 'a' to 'z' one of 1 to 26 tenths, '.' green floor, ' ' nothing. Rows have one
 * length; NULL ends them. The eye is half a square above the ground. */
void ray_setup(ray_fixture *fixture, const char *const *rows, uint32_t width, uint32_t height);
void ray_teardown(ray_fixture *fixture);
void ray_look(ray_fixture *fixture, float x, float y, float angle);

/* What a pixel shows, by the part that is brightest: 'r' wall, 'g' floor, 'b' billboard, '-' sky or haze. */
char ray_seen(const ray_fixture *fixture, uint32_t x, uint32_t y);
/* How many rows of the column show it, and the first of them. */
uint32_t ray_rows(const ray_fixture *fixture, uint32_t x, char what, uint32_t *first);

#endif
