/* sdl_ray_property.c: whatever the grid, the pose and the size, the raycaster writes every pixel of its frame and none
 * beside it, and reads no square outside of the grid (which AddressSanitizer watches: each grid is a block of its own).
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sdl_ray_fixture.h"
#include "suite.h"

enum { ROUNDS = 250, UNTOUCHED = 0x12345678 };

static uint64_t state;

static uint32_t chance(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static float number(float least, float most)
{
    return least + (most - least) * (float)chance(1 << 20) / (1 << 20);
}

/* Mostly in and around the grid; also on lines between squares, far away, and no number at all. */
static float place(uint32_t side)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30F, -1e30F, 1e5F, -0.0F, 1e-30F};
    switch (chance(8)) {
    case 0:
        return odd[chance(sizeof odd / sizeof *odd)];
    case 1:
        return (float)chance(side + 1);
    case 2:
        return number(-40, (float)side + 40);
    default:
        return number(0, (float)side);
    }
}

static wn_square square(void)
{
    const uint32_t kind = chance(4);
    return (wn_square){.floor = (uint16_t)(kind == 0   ? WN_PLAIN
                                           : kind == 1 ? WN_NOTHING
                                                       : chance(TEXTURES + 2)),
                       .wall = (uint16_t)(chance(4) ? chance(TEXTURES + 2) : WN_PLAIN + chance(2)),
                       .height = (uint16_t)(chance(3)   ? 0
                                            : chance(8) ? chance(30)
                                                        : chance(65536)),
                       .remembered = chance(2) == 0,
                       .colour = chance(1 << 24)};
}

static void fill_boards(ray_fixture *f, uint32_t width, uint32_t height)
{
    f->scene.billboard_count = chance(5);
    for (uint32_t i = 0; i < f->scene.billboard_count; i++) {
        f->boards[i] = (wn_billboard){.x = place(width),
                                      .y = place(height),
                                      .lift = chance(4) ? 0 : place(3),
                                      .height = chance(4) ? 0.8F : place(3),
                                      .texture = (uint16_t)chance(TEXTURES + 2),
                                      .frames = (uint8_t)(chance(2) ? 1 : chance(6)),
                                      .facing = (uint8_t)chance(10)};
    }
}

static void turn_camera(ray_fixture *f, uint32_t width, uint32_t height)
{
    f->camera = (wn_camera){.x = place(width),
                            .y = place(height),
                            .angle = chance(2) ? (float)chance(16) * 0.785398163F : place(7),
                            .eye = chance(3) ? 0.5F : place(3),
                            .field = chance(3) ? 1.2F : place(3),
                            .horizon = chance(3) ? 0.5F : place(1)};
}

static void draw_one(ray_fixture *f)
{
    const uint32_t width = 1 + chance(chance(4) ? 12 : 60), height = 1 + chance(chance(4) ? 12 : 60);
    wn_square *squares = malloc((size_t)width * height * sizeof *squares);
    ck_assert_ptr_nonnull(squares);
    for (uint32_t i = 0; i < width * height; i++) {
        squares[i] = square();
    }
    f->scene.squares = squares;
    f->scene.width = chance(50) ? width : 0;
    f->scene.height = height;
    fill_boards(f, width, height);
    turn_camera(f, width, height);
    f->scene.ceiling = FLAGS;
    f->scene.ceiling_height = (uint16_t)(chance(2) ? 0 : chance(30));
    const uint32_t columns = chance(5) ? 1 + chance(70) : chance(2), rows = chance(5) ? 1 + chance(70) : 1;
    const size_t stride = columns + chance(3), count = stride * rows;
    uint32_t *pixels = malloc((count + 1) * sizeof *pixels);
    ck_assert_ptr_nonnull(pixels);
    for (size_t i = 0; i < count; i++) {
        pixels[i] = UNTOUCHED;
    }
    const wn_frame frame = {pixels, columns, rows, stride};
    ck_assert(wn_raycast(f->raycaster, &f->scene, &f->camera, &frame));
    for (size_t i = 0; i < count; i++) {
        if (i % stride < columns) {
            ck_assert_msg(pixels[i] >> 24 == 0xff, "pixel %zu of %ux%u was not drawn: %08x", i, columns, rows,
                          pixels[i]);
        } else {
            ck_assert_uint_eq(pixels[i], UNTOUCHED);
        }
    }
    free(pixels);
    free(squares);
}

START_TEST(every_pixel_of_the_frame_is_written_and_nothing_else)
{
    static ray_fixture f;
    static const char *const rows[] = {".", NULL};
    state = suite_seed((uint64_t)_i + 1);
    ray_setup(&f, rows, 1, 1);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        draw_one(&f);
    }
    ray_teardown(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sdl ray property");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_pixel_of_the_frame_is_written_and_nothing_else, 0, 4);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
