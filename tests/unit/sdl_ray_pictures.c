/* sdl_ray_pictures.c: small pictures of textured scenes, as they looked when someone last found them right (golden/
 * ray-*.png). Compilers round differently, so a little may differ; WARREN_GOLDEN=DIRECTORY writes those of this build
 * there, to be looked at and kept.
 */
#include <check.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#include "sdl_ray_fixture.h"

enum { WIDTH = 120, HEIGHT = 80 };

static const struct picture {
    const char *name;
    wn_sky_kind sky;
    float x, y, angle;
    const char *rows[12];
} pictures[] = {
    {"heights",
     WN_SKY_DUSK,
     3.5F,
     8.5F,
     0.35F,
     {"zzzzzzzzz", "z...t...z", "z.......z", "z.c...j.z", "z.......z", "z...e...z", "z.......z", "z.......z",
      "z.......z", "zzzzzzzzz", NULL}},
    {"corridor",
     WN_SKY_UNDERGROUND,
     2.5F,
     8.5F,
     0.1F,
     {"lllll", "ll.ll", "ll.ll", "l...l", "ll.ll", "ll.ll", "ll.ll", "ll.ll", "ll.ll", "lllll", NULL}},
    {"field",
     WN_SKY_DAY,
     4.5F,
     8.5F,
     5.9F,
     {".........", ".........", ".........", "..b...b..", ".........", "...ccc...", ".........", ".........",
      ".........", ".........", NULL}},
};

static void draw(ray_fixture *f, const struct picture *picture)
{
    ray_setup(f, picture->rows, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < f->scene.width * f->scene.height; i++) {
        f->squares[i].floor = FLAGS;
        f->squares[i].wall = BRICKS;
        f->squares[i].remembered = i % f->scene.width + 3 > f->scene.width;
    }
    f->boards[0] = (wn_billboard){.x = 4.5F, .y = 4.5F, .height = 0.8F, .texture = FIGURE, .frames = 1, .facing = 8};
    f->boards[1] = (wn_billboard){.x = 2.5F, .y = 6.2F, .height = 0.8F, .texture = FIGURE, .frames = 1, .facing = 8};
    f->scene.billboard_count = 2;
    f->camera.field = 1.2F;
    wn_sky_free(f->sky);
    f->sky = wn_sky_new(picture->sky, 2);
    ck_assert_ptr_nonnull(f->sky);
    f->scene.sky = f->sky;
    ray_look(f, picture->x, picture->y, picture->angle);
}

static void write_golden(const ray_fixture *f, const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/ray-%s.png", directory, name);
    png_image image = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_BGRA};
    ck_assert_msg(png_image_write_to_file(&image, path, 0, f->pixels, 0, NULL), "%s: %s", path, image.message);
}

static void read_golden(uint32_t *pixels, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/ray-%s.png", RAY_GOLDEN, name);
    png_image image = {.version = PNG_IMAGE_VERSION};
    ck_assert_msg(png_image_begin_read_from_file(&image, path), "%s: %s", path, image.message);
    image.format = PNG_FORMAT_BGRA;
    ck_assert_uint_eq(image.width, WIDTH);
    ck_assert_uint_eq(image.height, HEIGHT);
    ck_assert_msg(png_image_finish_read(&image, NULL, pixels, 0, NULL), "%s: %s", path, image.message);
}

static uint32_t difference(uint32_t a, uint32_t b)
{
    uint32_t most = 0;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        const uint32_t x = a >> shift & 0xff, y = b >> shift & 0xff, off = x > y ? x - y : y - x;
        most = off > most ? off : most;
    }
    return most;
}

START_TEST(scenes_look_as_they_did)
{
    static ray_fixture f;
    static uint32_t golden[WIDTH * HEIGHT];
    const char *directory = getenv("WARREN_GOLDEN");
    draw(&f, &pictures[_i]);
    if (directory) {
        write_golden(&f, directory, pictures[_i].name);
    }
    read_golden(golden, pictures[_i].name);
    uint32_t other = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        other += difference(f.pixels[i], golden[i]) > 3;
    }
    ck_assert_msg(other <= WIDTH * HEIGHT / 100, "%s: %u of %u pixels differ", pictures[_i].name, other,
                  WIDTH * HEIGHT);
    ray_teardown(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sdl ray pictures");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, scenes_look_as_they_did, 0, sizeof pictures / sizeof *pictures);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
