/* sdl_ray_fixture.c: see sdl_ray_fixture.h. */
#include "sdl_ray_fixture.h"

#include <check.h>
#include <string.h>

static wn_square square_of(char sign)
{
    wn_square square = {.floor = WN_PLAIN, .wall = WN_PLAIN, .colour = 0xff0000};
    switch (sign) {
    case '#':
        square.height = 10;
        break;
    case '.':
        square.colour = 0x00ff00;
        break;
    case ' ':
        square.floor = WN_NOTHING;
        break;
    default:
        square.height = (uint16_t)(sign - 'a' + 1);
        break;
    }
    return square;
}

static void make_textures(ray_fixture *fixture)
{
    uint32_t pixels[WN_TEXTURE_PIXELS];
    fixture->textures = wn_textures_new(TEXTURES);
    ck_assert_ptr_nonnull(fixture->textures);
    for (uint32_t i = 0; i < WN_TEXTURE_PIXELS; i++) {
        pixels[i] = 0xff0000ff;
    }
    ck_assert(wn_textures_set(fixture->textures, BLUE_CARD, pixels, WN_TEXTURE_SIDE));
    wn_texture_bricks(pixels, 0xb07050, 0x302820, 1);
    ck_assert(wn_textures_set(fixture->textures, BRICKS, pixels, WN_TEXTURE_SIDE));
    wn_texture_flagstones(pixels, 0x808890, 0x202428, 1);
    ck_assert(wn_textures_set(fixture->textures, FLAGS, pixels, WN_TEXTURE_SIDE));
    wn_texture_figure(pixels, 0x60c0f0);
    ck_assert(wn_textures_set(fixture->textures, FIGURE, pixels, WN_TEXTURE_SIDE));
}

void ray_setup(ray_fixture *fixture, const char *const *rows, uint32_t width, uint32_t height)
{
    memset(fixture, 0, sizeof *fixture);
    const size_t columns = strlen(rows[0]);
    size_t count = 0;
    while (rows[count]) {
        ck_assert_uint_eq(strlen(rows[count]), columns);
        ck_assert_uint_le((count + 1) * columns, 1024);
        for (size_t x = 0; x < columns; x++) {
            fixture->squares[count * columns + x] = square_of(rows[count][x]);
        }
        count++;
    }
    make_textures(fixture);
    fixture->sky = wn_sky_new(WN_SKY_UNDERGROUND, 1);
    fixture->raycaster = wn_raycaster_new();
    ck_assert(fixture->sky && fixture->raycaster);
    fixture->scene = (wn_scene){fixture->squares,
                                (uint32_t)columns,
                                (uint32_t)count,
                                fixture->boards,
                                0,
                                fixture->textures,
                                fixture->sky,
                                0,
                                0};
    fixture->camera = (wn_camera){.eye = 0.5F, .field = 1.57079633F, .horizon = 0.5F};
    ck_assert(width <= SIDE_MOST && height <= SIDE_MOST);
    fixture->frame = (wn_frame){fixture->pixels, width, height, width};
}

void ray_teardown(ray_fixture *fixture)
{
    wn_raycaster_free(fixture->raycaster);
    wn_sky_free(fixture->sky);
    wn_textures_free(fixture->textures);
}

void ray_look(ray_fixture *fixture, float x, float y, float angle)
{
    fixture->camera.x = x;
    fixture->camera.y = y;
    fixture->camera.angle = angle;
    ck_assert(wn_raycast(fixture->raycaster, &fixture->scene, &fixture->camera, &fixture->frame));
}

char ray_seen(const ray_fixture *fixture, uint32_t x, uint32_t y)
{
    const uint32_t pixel = fixture->pixels[y * fixture->frame.stride + x];
    const uint32_t red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
    if (red < 40 && green < 40 && blue < 40) {
        return '-';
    }
    return red > green && red > blue ? 'r' : green > blue ? 'g' : 'b';
}

uint32_t ray_rows(const ray_fixture *fixture, uint32_t x, char what, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < fixture->frame.height; y++) {
        if (ray_seen(fixture, x, y) == what) {
            if (count++ == 0 && first) {
                *first = y;
            }
        }
    }
    return count;
}
