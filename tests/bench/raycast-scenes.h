/* raycast-scenes.h: scenes to measure the first-person view with: drawn ones, and one in the tiles of each mode.
 */
#ifndef WARREN_BENCH_RAYCAST_SCENES_H
#define WARREN_BENCH_RAYCAST_SCENES_H

#include "raycast.h"
#include "warren.pb-c.h"

/* A scene and everything in it. */
typedef struct wn_bench_scene {
    wn_scene scene;
    wn_camera camera;
    wn_square *squares;
    wn_billboard *boards;
    wn_textures *textures;
    wn_sky *sky;
} wn_bench_scene;

enum { WN_BENCH_SCENES = 4 };

/* false: no memory. */
bool wn_bench_scene_make(wn_bench_scene *made, uint32_t number, uint32_t seed);
void wn_bench_scene_free(wn_bench_scene *made);
const char *wn_bench_scene_name(uint32_t number);

/* An encoded keyframe of a view of the mode: halls between walls, with everything that it has tiles for. */
typedef struct wn_bench_view {
    Warren__Update update;
    Warren__Keyframe keyframe;
    uint32_t *cells;
} wn_bench_view;
bool wn_bench_view_make(wn_bench_view *view, const Warren__Mode *mode, uint32_t seed);
void wn_bench_view_free(wn_bench_view *view);

#endif
