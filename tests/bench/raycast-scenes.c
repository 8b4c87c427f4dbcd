/* raycast-scenes.c: see raycast-scenes.h. The same seed gives the same scenes. */
#include "raycast-scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, FLOOR = 0, BRICKS = 1, STONES = 2, MOSS = 3, FIGURE = 4, TEXTURES = 8 };

static uint32_t chance(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 12;
}

static bool is_edge(uint32_t x, uint32_t y)
{
    return x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
}

/* What stands at a place: the height of its wall in tenths. */
static uint16_t hall(uint32_t x, uint32_t y, uint32_t *state)
{
    (void)state;
    return is_edge(x, y) ? 30 : x % 8 == 4 && y % 8 == 4 ? 24 : 0;
}

static uint16_t corridor(uint32_t x, uint32_t y, uint32_t *state)
{
    (void)state;
    return x == SIDE / 2 && y > 0 && y < SIDE - 1 ? 0 : 12;
}

static uint16_t heights(uint32_t x, uint32_t y, uint32_t *state)
{
    const uint32_t high = chance(state) % 36, stands = chance(state) % 4;
    if (is_edge(x, y)) {
        return 40;
    }
    const bool place = x > 17 && x < 27 && y > 21 && y < 32; /* open, with the camera at its southern edge */
    return (uint16_t)(place || stands > 0 ? 0 : 3 + high);
}

static const struct kind {
    const char *name;
    uint16_t (*height)(uint32_t x, uint32_t y, uint32_t *state);
    uint32_t boards;
    wn_sky_kind sky;
    float x, y, angle;
} kinds[WN_BENCH_SCENES] = {
    {"open hall", hall, 0, WN_SKY_DAY, 10.5F, 30.5F, 0.5F},
    {"long corridor", corridor, 0, WN_SKY_NIGHT, SIDE / 2 + 0.5F, SIDE - 4.5F, 0},
    {"many heights", heights, 0, WN_SKY_DUSK, 21.5F, 30.5F, 0.3F},
    {"30 billboards", heights, 30, WN_SKY_NIGHT, 21.5F, 30.5F, 0.2F},
};

const char *wn_bench_scene_name(uint32_t number)
{
    return kinds[number].name;
}

static bool make_textures(wn_bench_scene *made)
{
    uint32_t pixels[WN_TEXTURE_PIXELS];
    made->textures = wn_textures_new(TEXTURES);
    if (!made->textures) {
        return false;
    }
    static const uint32_t bricks[][2] = {{0xa06048, 0x403830}, {0x8a8f98, 0x30343a}, {0x6f8a5a, 0x283020}};
    for (uint32_t i = 0; i < 3; i++) {
        wn_texture_bricks(pixels, bricks[i][0], bricks[i][1], i);
        wn_textures_set(made->textures, BRICKS + i, pixels, WN_TEXTURE_SIDE);
    }
    wn_texture_flagstones(pixels, 0x8a8074, 0x3a342e, 9);
    wn_textures_set(made->textures, FLOOR, pixels, WN_TEXTURE_SIDE);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t colours[] = {0xe06050, 0x60c060, 0x6090e0};
        wn_texture_figure(pixels, colours[i]);
        wn_textures_set(made->textures, FIGURE + i, pixels, WN_TEXTURE_SIDE);
    }
    return true;
}

static void fill(wn_bench_scene *made, const struct kind *kind, uint32_t *state)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        const uint16_t height = kind->height(x, y, state);
        made->squares[i] = (wn_square){.floor = FLOOR,
                                       .wall = (uint16_t)(BRICKS + chance(state) % 16 % 3),
                                       .height = height,
                                       .remembered = x > SIDE * 3 / 4 && kind->height == heights};
    }
    for (uint32_t i = 0; i < kind->boards; i++) {
        const float away = 1.5F + (float)(i % 10), aside = ((float)(i / 10) - 1) * 1.4F + (float)(i % 3) * 0.3F;
        const float s = sinf(kind->angle), c = cosf(kind->angle);
        made->boards[i] = (wn_billboard){.x = kind->x + s * away + c * aside,
                                         .y = kind->y - c * away + s * aside,
                                         .height = 0.8F,
                                         .texture = (uint16_t)(FIGURE + i % 3),
                                         .frames = 1,
                                         .facing = 8};
    }
}

bool wn_bench_scene_make(wn_bench_scene *made, uint32_t number, uint32_t seed)
{
    const struct kind *kind = &kinds[number];
    *made = (wn_bench_scene){.squares = calloc(SIDE * SIDE, sizeof *made->squares),
                             .boards = calloc(kind->boards + 1, sizeof *made->boards),
                             .sky = wn_sky_new(kind->sky, seed)};
    if (!made->squares || !made->boards || !made->sky || !make_textures(made)) {
        wn_bench_scene_free(made);
        return false;
    }
    uint32_t state = seed;
    fill(made, kind, &state);
    made->scene = (wn_scene){made->squares, SIDE, SIDE, made->boards, kind->boards, made->textures, made->sky, 0, 0};
    made->camera = (wn_camera){kind->x, kind->y, kind->angle, 0.5F, 1.2F, 0.5F};
    return true;
}

void wn_bench_scene_free(wn_bench_scene *made)
{
    free(made->squares);
    free(made->boards);
    wn_textures_free(made->textures);
    wn_sky_free(made->sky);
}

/* The tiles that fit: a wall's or not. */
static uint32_t pick(const Warren__Mode *mode, bool wall, uint32_t number)
{
    for (uint32_t round = 0, found = 0; round < 2; round++) {
        for (uint32_t i = 0; i < mode->n_tiles; i++) {
            const Warren__Tile *tile = mode->tiles[i];
            if ((tile->height > 0 || tile->flags & WARREN__TILE_FLAG__TILE_OPAQUE) == wall && found++ == number) {
                return i;
            }
        }
        number = found > 0 ? number % found : 0;
        found = 0;
    }
    return 0;
}

bool wn_bench_view_make(wn_bench_view *view, const Warren__Mode *mode, uint32_t seed)
{
    uint32_t floor = 0, state = seed;
    for (uint32_t i = 0; i < mode->n_tiles; i++) {
        if (!strcmp(mode->tiles[i]->name, "floor") || !strcmp(mode->tiles[i]->name, "snow")) {
            floor = i;
        }
    }
    view->cells = calloc(SIDE * SIDE + 1, sizeof *view->cells);
    if (!view->cells) {
        return false;
    }
    view->cells[0] = SIDE * SIDE * 4 + 2;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const bool wall = heights(i % SIDE, i / SIDE, &state) > 0;
        uint32_t tile = wall ? pick(mode, true, chance(&state) % 8) : floor;
        if (!wall && chance(&state) % 16 == 0) {
            tile = pick(mode, false, chance(&state) % 24);
        }
        view->cells[i + 1] = tile * 2;
    }
    warren__update__init(&view->update);
    warren__keyframe__init(&view->keyframe);
    view->keyframe.width = view->keyframe.height = SIDE;
    view->keyframe.n_cells = SIDE * SIDE + 1;
    view->keyframe.cells = view->cells;
    view->keyframe.has_focus = true;
    view->keyframe.focus = 30 * SIDE + 22;
    view->update.sequence = 1;
    view->update.body_case = WARREN__UPDATE__BODY_KEYFRAME;
    view->update.keyframe = &view->keyframe;
    return true;
}

void wn_bench_view_free(wn_bench_view *view)
{
    free(view->cells);
}
