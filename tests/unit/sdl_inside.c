/* sdl_inside.c: the first-person view through SDL's renderer, on a surface that nobody sees.
 */
#include <SDL.h>

#include "inside.h"
#include "suite.h"

enum { WIDTH = 120, HEIGHT = 80 };

static Warren__Tile tiles[2], *tile_list[] = {&tiles[0], &tiles[1]};
static Warren__Mode mode;
static wn_replica *replica;
static wn_inside inside;
static SDL_Surface *surface;
static SDL_Renderer *renderer;

static void setup(void)
{
    static char floor[] = "floor", wall[] = "wall", name[] = "small";
    warren__mode__init(&mode);
    warren__tile__init(&tiles[0]);
    warren__tile__init(&tiles[1]);
    tiles[0].name = floor;
    tiles[1].name = wall;
    tiles[0].has_background = tiles[1].has_foreground = true;
    tiles[0].background = 0x204020;
    tiles[1].foreground = 0xff0000;
    tiles[1].flags = WARREN__TILE_FLAG__TILE_OPAQUE | WARREN__TILE_FLAG__TILE_BLOCKS;
    mode.name = name;
    mode.tiles = tile_list;
    mode.n_tiles = 2;
    replica = wn_replica_new(&mode);
    surface = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
    renderer = surface ? SDL_CreateSoftwareRenderer(surface) : NULL;
    ck_assert(replica && renderer);
}

static void teardown(void)
{
    wn_inside_free(&inside);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(surface);
    wn_replica_free(replica);
}

static uint64_t sequence;

static void show_at(uint32_t focus, int64_t now)
{
    uint32_t numbers[] = {3 * 4 + 2, 2, 2, 2, 9 * 4 + 1, 0};
    Warren__Keyframe keyframe = WARREN__KEYFRAME__INIT;
    keyframe.width = 3;
    keyframe.height = 4;
    keyframe.cells = numbers;
    keyframe.n_cells = sizeof numbers / sizeof *numbers;
    keyframe.has_focus = true;
    keyframe.focus = focus;
    Warren__Update update = WARREN__UPDATE__INIT;
    update.sequence = ++sequence;
    update.body_case = WARREN__UPDATE__BODY_KEYFRAME;
    update.keyframe = &keyframe;
    ck_assert_int_eq(wn_replica_apply(replica, &update), WN_APPLY_DONE);
    wn_inside_take(&inside, replica, &update, now);
}

/* A wall two squares to the north of the focus. */
static void show(int64_t now)
{
    show_at(7, now);
}

static uint32_t pixel(int x, int y)
{
    return ((uint32_t *)surface->pixels)[y * surface->pitch / 4 + x];
}

static void clear(void)
{
    SDL_SetRenderDrawColor(renderer, 1, 2, 3, 255);
    SDL_RenderClear(renderer);
}

START_TEST(it_fills_its_part_of_the_window)
{
    const SDL_Rect rect = {10, 8, 100, 60};
    wn_inside_begin(&inside, &mode, NULL, NULL);
    show(0);
    clear();
    ck_assert(wn_inside_draw(&inside, renderer, rect, 0));
    SDL_RenderFlush(renderer);
    ck_assert_uint_eq(pixel(9, 8), 0xff010203);
    ck_assert_uint_eq(pixel(10, 68), 0xff010203);
    const uint32_t wall = pixel(60, 36);
    ck_assert_uint_gt(wall >> 16 & 0xff, 2 * (wall >> 8 & 0xff));
    ck_assert_uint_ne(pixel(10, 8), 0xff010203);
    ck_assert_uint_ne(pixel(109, 67), 0xff010203);
    ck_assert(!wn_inside_moves(&inside, 0));
}
END_TEST

START_TEST(a_window_that_changes_its_size_or_loses_its_textures_goes_on)
{
    wn_inside_begin(&inside, &mode, NULL, NULL);
    show(0);
    for (int side = 1; side <= HEIGHT; side += 13) {
        ck_assert(wn_inside_draw(&inside, renderer, (SDL_Rect){0, 0, side, side}, 0));
        wn_inside_forget(&inside);
    }
    ck_assert(!wn_inside_draw(&inside, renderer, (SDL_Rect){0, 0, 0, 5}, 0));
    ck_assert(wn_inside_draw(&inside, renderer, (SDL_Rect){0, 0, 4000, 3000}, 0));
    ck_assert_int_le(inside.width * inside.height, 1300 * 900);
    ck_assert_int_ge(inside.width, 1000);
}
END_TEST

START_TEST(without_a_mode_nothing_is_drawn)
{
    ck_assert(!wn_inside_draw(&inside, renderer, (SDL_Rect){0, 0, 50, 50}, 0));
    ck_assert(!wn_inside_moves(&inside, 0));
    wn_inside_begin(&inside, &mode, NULL, NULL);
    ck_assert(
        wn_inside_draw(&inside, renderer, (SDL_Rect){0, 0, 50, 50}, 0)); /* a view that has not come: sky and haze */
}
END_TEST

START_TEST(nothing_is_made_until_somebody_looks)
{
    const SDL_Rect rect = {0, 0, WIDTH, HEIGHT};
    wn_inside_begin(&inside, &mode, NULL, NULL);
    ck_assert_ptr_null(inside.view);
    show(0);
    wn_inside_begin(&inside, &mode, NULL, NULL);
    wn_inside_skip(&inside);
    ck_assert_ptr_null(inside.view);
    wn_inside_catch_up(&inside, replica, 10);
    ck_assert(wn_inside_draw(&inside, renderer, rect, 10));
    SDL_RenderFlush(renderer);
    const uint32_t wall = pixel(WIDTH / 2, HEIGHT / 2 - 4);
    ck_assert_uint_gt(wall >> 16 & 0xff, 2 * (wall >> 8 & 0xff));
}
END_TEST

START_TEST(a_view_that_is_made_later_jumps_if_it_is_told_before)
{
    wn_inside_begin(&inside, &mode, NULL, NULL);
    wn_inside_set_smooth(&inside, false);
    show_at(7, 0);
    show_at(10, 1000);
    ck_assert(!wn_inside_moves(&inside, 1000));
    wn_inside_set_smooth(&inside, true);
    show_at(7, 2000);
    ck_assert(wn_inside_moves(&inside, 2000));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {it_fills_its_part_of_the_window,
                                  a_window_that_changes_its_size_or_loses_its_textures_goes_on,
                                  without_a_mode_nothing_is_drawn, nothing_is_made_until_somebody_looks,
                                  a_view_that_is_made_later_jumps_if_it_is_told_before};
    return suite_run_with("sdl inside", tests, sizeof tests / sizeof *tests, setup, teardown);
}
